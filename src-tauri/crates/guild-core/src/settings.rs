//! `settings.json` of the data folder: what a person set, and its defaults.
//!
//! The file is JSON with comments. Whatever is wrong with it names its line, its column and its
//! field, and takes nothing else with it: a field that is wrong has its default, a field that nobody
//! knows is kept and told. [`fields`] is the one table of all fields, for the reader, the editor,
//! the schema, the command line and the guide.

mod actions;
pub mod fields;
mod parcel;
pub mod press;
mod reading;
mod rewriting;
mod schema;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::parcel::{PARCEL_BYTES_MAX, Parcel};
pub use self::reading::{Read, read};
pub use self::rewriting::rewritten;
pub use self::schema::json_schema;
use crate::agents::{GATEWAY_PORT, Listing};
use crate::error::Report;

/// The file's name in the data folder.
pub const SETTINGS_FILE: &str = "settings.json";
/// The name of its schema, which stands beside it for editors.
pub const SCHEMA_FILE: &str = "settings.schema.json";
/// The largest file that is read or written, in bytes.
pub const SETTINGS_BYTES_MAX: u64 = 256 * 1024;

/// How deep values may be nested.
const DEPTH_MAX: usize = 20;
/// How many mistakes of one file are told.
const PROBLEMS_MAX: usize = 50;

/// What a person set, each with its default where they did not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The folder of the members, from the data folder where it is no whole path; `None` for
    /// `guild-members` in it.
    pub members_dir: Option<String>,
    /// The MCP registry that is searched: its address, or the whole path of a file in its format;
    /// `None` for the official one.
    pub registry: Option<String>,
    /// How the window looks.
    pub appearance: Appearance,
    /// How the window opens and closes.
    pub window: WindowSettings,
    /// What is told outside of the window.
    pub notifications: Notifications,
    /// Keys that count while another program has the keyboard.
    pub shortcut: Shortcut,
    /// The gateway that agents connect to.
    pub gateway: GatewaySettings,
    /// Time limits of members whose manifest leaves them open.
    pub limits: Limits,
    /// Looking for newer versions.
    pub updates: UpdateSettings,
    /// The keys of actions, by the action's id, instead of their own; an empty text for none.
    pub keys: BTreeMap<String, String>,
}

/// How the window looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Appearance {
    /// Its colours.
    pub theme: ThemeChoice,
    /// How large everything is drawn, in percent.
    pub zoom: u16,
}

impl Default for Appearance {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            zoom: 100,
        }
    }
}

/// Which colours a person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    /// As the system has them.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// Light, with more contrast.
    ContrastLight,
    /// Dark, with more contrast.
    ContrastDark,
}

/// How the window opens and closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowSettings {
    /// What closing the window does.
    pub on_close: OnClose,
    /// Whether there is an icon in the tray.
    pub tray: bool,
    /// Whether the program starts with the user's session.
    pub start_at_login: bool,
    /// Whether it then starts without its window.
    pub start_hidden: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            on_close: OnClose::Quit,
            tray: true,
            start_at_login: false,
            start_hidden: false,
        }
    }
}

/// What closing the window does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnClose {
    /// The program ends, its members with it.
    #[default]
    Quit,
    /// The program goes on in the tray.
    Tray,
}

/// What is told outside of the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Notifications {
    /// That a member crashed again and again.
    pub crash_loop: bool,
    /// That an agent's call waits for a person.
    pub approval: bool,
    /// That a member's tools are not what they were.
    pub changed_tools: bool,
}

impl Default for Notifications {
    fn default() -> Self {
        Self {
            crash_loop: true,
            approval: true,
            changed_tools: true,
        }
    }
}

/// Keys that count while another program has the keyboard.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Shortcut {
    /// Shows the window with its palette open; `None` for no such key.
    pub palette: Option<String>,
}

/// The gateway that agents connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GatewaySettings {
    /// Its port. Default 19,999.
    pub port: u16,
    /// How tools are listed for a client that asks for nothing else.
    pub listing: Listing,
}

impl Default for GatewaySettings {
    fn default() -> Self {
        Self {
            port: GATEWAY_PORT,
            listing: Listing::default(),
        }
    }
}

/// Time limits of members whose manifest leaves them open, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Until the port answers (HTTP), or the handshake is done (stdio). Default 30,000.
    pub start_ms: u64,
    /// From an open port to a finished handshake, HTTP only. Default 5,000 (REQ-MCP-HTTP-14).
    pub handshake_ms: u64,
    /// A call. Default 30,000 (REQ-MCP-HTTP-28).
    pub call_ms: u64,
    /// Reading the tool list. Default 10,000.
    pub discovery_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start_ms: 30_000,
            handshake_ms: 5_000,
            call_ms: 30_000,
            discovery_ms: 10_000,
        }
    }
}

/// Looking for newer versions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateSettings {
    /// Whether the program looks for them by itself.
    pub check: bool,
    /// Where they are told of; `None` for where the package says.
    pub address: Option<String>,
    /// The public key that they are signed by; `None` for the package's.
    pub key: Option<String>,
}

/// One setting that is to be another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingChange {
    /// The field, such as `appearance.theme`, or `keys.` and an action's id.
    pub key: String,
    /// What it is to be; `null` for its default.
    pub value: serde_json::Value,
}

impl SettingChange {
    /// A field and what it is to be.
    pub fn new(key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
        }
    }
}

/// Something that is wrong with the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsProblem {
    /// What comes of it.
    pub effect: ProblemEffect,
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The field.
    pub field: Option<String>,
    /// What is wrong, and what to do.
    pub report: Report,
}

/// What comes of a mistake in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemEffect {
    /// Nothing of the file holds: what held before it goes on.
    Unread,
    /// The field's default holds.
    Default,
    /// The field is kept, and nothing reads it.
    Kept,
}

#[cfg(test)]
mod tests;
