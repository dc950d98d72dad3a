//! A person's settings in `settings.json`, and the problems of that file.

use guild_model::settings::ImportChange;
use guild_model::settings::{SettingChange, Settings, SettingsProblem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many settings are changed at once.
pub const SETTING_CHANGES_MAX: usize = 1_000;

/// The content of `settings.json`, and the settings in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsState {
    /// The file.
    pub file: String,
    /// The settings in force.
    pub settings: Settings,
    /// The defaults.
    pub defaults: Settings,
    /// The problems of the file.
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

/// The changes of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsImport {
    /// The file.
    pub path: String,
    /// Identifies the texts of the file and of the current settings.
    pub hash: String,
    /// The settings that get another value.
    pub changes: Vec<ImportChange>,
    /// The mistakes in the file. With one that is not an unknown field, it is not imported.
    pub problems: Vec<SettingsProblem>,
}

/// An import that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSettings {
    /// The file.
    pub path: String,
    /// The hash of the file that the preview showed.
    pub hash: String,
}
