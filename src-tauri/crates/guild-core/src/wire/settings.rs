//! `settings.json`: what a person set, and what is wrong with it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::settings::{SettingChange, Settings, SettingsProblem};

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
    /// The language that people are spoken to in.
    pub language: Language,
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
