//! The parts of Guild Hall outside its window: the state of the hall, the notifications for a
//! person who looks elsewhere, and the window's last position.
//!
//! All of it is decided here, of values alone; the desktop shell draws and sends what comes of it.

pub mod frame;
pub mod login;
pub mod notices;
pub mod outlook;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;

/// The state of the parts outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresenceState {
    /// The icon in the tray.
    pub tray: Standing,
    /// The shortcut that opens the palette from anywhere.
    pub shortcut: Standing,
    /// The start at login.
    pub login: Standing,
    /// Notifications while the window is not in view.
    pub notifications: Standing,
}

/// The state of one such part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Standing {
    /// The settings do not ask for it.
    #[default]
    Off,
    /// It is available.
    On,
    /// Turned on in the settings, but not in use yet.
    Waiting,
    /// The settings turn it on, but it is not available.
    Missing {
        /// Why, and what to do.
        report: Report,
    },
}

impl Standing {
    /// Whether the part is available.
    pub fn is_on(&self) -> bool {
        *self == Self::On
    }
}
