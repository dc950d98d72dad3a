//! The user's settings in `settings.json`, and the problems of that file.

use guild_model::settings::ImportChange;
use guild_model::settings::{SettingChange, Settings, SettingsProblem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of settings that one request changes.
pub const SETTING_CHANGES_MAX: usize = 1_000;

/// The content of `settings.json`, and the settings in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsState {
    /// The path of the file.
    pub file: String,
    /// The settings in force.
    pub settings: Settings,
    pub defaults: Settings,
    /// The problems of the file.
    pub problems: Vec<SettingsProblem>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSettings {
    /// The changes, at most 1,000. If one is invalid, none are made.
    pub changes: Vec<SettingChange>,
}

/// A file that settings are exported to, or imported from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsFileRef {
    /// The file's absolute path.
    pub path: String,
}

/// The changes of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsImport {
    pub path: String,
    /// A digest of the file's text and of the current settings' text.
    pub hash: String,
    /// The settings whose value changes.
    pub changes: Vec<ImportChange>,
    /// The errors in the file. Unknown fields are allowed; any other error prevents the import.
    pub problems: Vec<SettingsProblem>,
}

/// A request to import a previewed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSettings {
    pub path: String,
    /// The hash from the preview.
    pub hash: String,
}
