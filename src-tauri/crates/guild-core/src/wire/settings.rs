//! `settings.json`: what a person set, and what is wrong with it.

use crate::settings::{SettingChange, Settings, SettingsProblem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many settings are changed at once.
pub const SETTING_CHANGES_MAX: usize = 1_000;

/// What `settings.json` says, and what holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsState {
    /// The file.
    pub file: String,
    /// What holds.
    pub settings: Settings,
    /// What holds where nothing is set.
    pub defaults: Settings,
    /// What is wrong with the file.
    pub problems: Vec<SettingsProblem>,
}

/// Settings that are to be others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSettings {
    /// All of them, or none; more than 1,000 are refused.
    pub changes: Vec<SettingChange>,
}

/// A file that settings are exported to, or imported from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfSettingsFile {
    /// Its whole path.
    pub path: String,
}

/// What an import would change, or has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsImport {
    /// The file.
    pub path: String,
    /// Stands for what would be written, and what it would be written over.
    pub hash: String,
    /// What would be another, at most 500.
    pub changes: Vec<ImportChange>,
    /// How many changes more there are.
    pub more: usize,
}

/// One value that an import changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportChange {
    /// Of what it is.
    pub part: SettingsPart,
    /// Its name there.
    pub key: String,
    /// What it is, as JSON, long ones cut.
    pub before: Option<String>,
    /// What it would be.
    pub after: Option<String>,
}

/// What settings are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SettingsPart {
    /// `settings.json`.
    Settings,
    /// `gateway.json`.
    Gateway,
    /// `config.yml`.
    Discovery,
    /// How the history is kept.
    History,
}

/// An import that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSettings {
    /// The file.
    pub path: String,
    /// What was shown.
    pub hash: String,
}
