//! The parts of Guild Hall outside its window: the tray icon, the notifications for a user who does
//! not look at the window, start at login, and the window's last position.
//!
//! These modules only compute from values. The desktop shell draws and sends the results.

pub mod login;
pub mod notifications;
pub mod tray;
pub mod window_geometry;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;

/// The state of the parts outside the window.
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

/// The state of one part outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Standing {
    /// Turned off in the settings.
    #[default]
    Off,
    /// Turned on and available.
    On,
    /// Turned on in the settings, but not in use yet.
    Waiting,
    /// Turned on in the settings, but not available.
    Missing {
        /// The cause, and the fix.
        report: Report,
    },
}

impl Standing {
    /// Whether the part is available.
    pub fn is_on(&self) -> bool {
        *self == Self::On
    }
}
