//! The features of Guild Hall outside its window: the tray icon, notifications while the user does
//! not look at the window, start at login, and the stored position of the window.
//!
//! These modules only compute from values. The desktop shell draws and sends the results.

pub mod login;
pub mod notifications;
pub mod tray;
pub mod window_geometry;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;

/// The state of each feature outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresenceState {
    /// The icon in the tray.
    pub tray: Standing,
    /// The shortcut that opens the command palette while another app has the focus.
    pub shortcut: Standing,
    /// Start at login.
    pub login: Standing,
    /// Notifications while the window is not in view.
    pub notifications: Standing,
}

/// The state of one feature outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Standing {
    /// Disabled in the settings.
    #[default]
    Off,
    /// Enabled in the settings, and in use.
    On,
    /// Enabled in the settings, but not in use yet.
    Waiting,
    /// Enabled in the settings, but not available.
    Missing {
        /// The cause, and the fix.
        report: Report,
    },
}

impl Standing {
    /// Whether the feature is enabled and in use.
    pub fn is_on(&self) -> bool {
        *self == Self::On
    }
}
