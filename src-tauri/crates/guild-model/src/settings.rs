//! `settings.json` in the data folder: the user's settings, and their defaults.
//!
//! [`Settings`] declares each setting once: its name, type, bounds, default, title and text. The
//! schema for editors, the parser, the editor of the file, the list on the command line and the
//! controls in the window all use this declaration. The file is JSON with comments. A mistake is
//! reported with its line, column and field, and affects only that field. An unknown field causes a
//! warning and stays in the file. In the schema, `x-unit` is the unit of a number, and `x-none` the
//! meaning of `null`. The window shows both.

mod actions;
mod editing;
pub mod press;
mod reading;
mod schema;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::actions::ACTIONS;
pub use self::editing::rewritten;
pub use self::reading::{ParsedSettings, read};
pub use self::schema::{SettingsField, fields, find, json_schema, unknown, value_at};
use crate::endpoint::{
    GATEWAY_PORT, GATEWAY_PORT_MIN, Listing, MEMBER_PORTS, RESULT_TOKENS, RESULT_TOKENS_MAX,
    RESULT_TOKENS_MIN,
};
use crate::error::Report;
use crate::manifest::TIMEOUT_MS_MAX;

/// One setting that an import changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportChange {
    /// The setting's key.
    pub key: String,
    /// The current value, as JSON. `None` if there is none.
    pub before: Option<String>,
    /// The value after the import, as JSON. `None` if there is none.
    pub after: Option<String>,
}

/// The file's name in the data folder.
pub const SETTINGS_FILE: &str = "settings.json";
/// The name of the file's schema, which is stored next to it for editors.
pub const SCHEMA_FILE: &str = "settings.schema.json";
/// Maximum size of the file, in bytes.
pub const SETTINGS_BYTES_MAX: u64 = 256 * 1024;
/// The field with the custom keys of actions, by the action's id.
pub const KEYS: &str = "keys";

/// Maximum number of reported mistakes of one file.
const PROBLEMS_MAX: usize = 50;
/// Matches text with a visible character and without control characters.
const VISIBLE: &str = r"^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$";

/// The user's settings, as JSON with comments. Unknown fields are kept and have no effect.
// The doc comment of a field is its text in the window, on the command line and in editors.
// `format` is the name of a check in [`schema`] that JSON Schema can't express.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(title = "Guild Hall settings")]
#[schemars(extend("allowComments" = true, "allowTrailingCommas" = true))]
pub struct Settings {
    /// The folder with your members. A relative path starts at the data folder. Needs a restart of
    /// Guild Hall.
    #[schemars(title = "Members folder", length(max = 4_096), regex(pattern = VISIBLE))]
    #[schemars(extend("x-none" = "guild-members in the data folder"))]
    pub members_dir: Option<String>,
    /// The MCP registry to search: an address, or the absolute path of a file in the registry's
    /// format. Default: the official registry.
    #[schemars(title = "MCP registry", length(max = 4_096), regex(pattern = VISIBLE))]
    #[schemars(extend("format" = "registry", "x-none" = "the official registry"))]
    pub registry: Option<String>,
    /// The start of the program and its window.
    #[schemars(title = "Start-up and window")]
    pub window: WindowSettings,
    /// Keys that work while another program has the keyboard focus.
    #[schemars(title = "Global shortcut")]
    pub shortcut: Shortcut,
    /// Desktop notifications.
    #[schemars(title = "Notifications")]
    pub notifications: Notifications,
    /// Colors and size of the window.
    #[schemars(title = "Appearance")]
    pub appearance: Appearance,
    /// Custom keys of actions, by the action's id. An empty text removes an action's keys.
    #[schemars(title = "Keys")]
    #[schemars(extend(
        "propertyNames" = {"enum": ACTIONS},
        "additionalProperties" = {"type": "string", "maxLength": 40, "format": "keys"},
        "examples" = [{"palette": "Ctrl+Shift+P"}],
    ))]
    pub keys: BTreeMap<String, String>,
    /// The gateway, where agents connect.
    #[schemars(title = "Agents and the gateway")]
    pub gateway: GatewaySettings,
    /// Time limits of members whose manifest has none.
    #[schemars(title = "Time limits")]
    pub limits: Limits,
    /// Connections to other machines.
    #[schemars(title = "Network")]
    pub network: NetworkSettings,
    /// Checks for newer versions.
    #[schemars(title = "Updates")]
    pub updates: UpdateSettings,
}

/// Colors and size of the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Appearance {
    /// The colors of the window.
    #[schemars(title = "Theme")]
    pub theme: ThemeChoice,
    /// The size of everything in the window, in percent.
    #[schemars(title = "Zoom", range(min = 50, max = 300), extend("x-unit" = "%"))]
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

/// The colors of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    /// As the system
    #[default]
    System,
    /// Light
    Light,
    /// Dark
    Dark,
    /// High contrast, light
    ContrastLight,
    /// High contrast, dark
    ContrastDark,
}

/// The start of the program and its window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowSettings {
    /// Quits Guild Hall with its members, or keeps both running in the tray.
    #[schemars(title = "When you close the window")]
    pub on_close: OnClose,
    /// Shows the state of your members in the system tray.
    #[schemars(title = "Tray icon")]
    pub tray: bool,
    /// Starts Guild Hall when you log in.
    #[schemars(title = "Start at login")]
    pub start_at_login: bool,
    /// Keeps the window closed when Guild Hall starts at login, if the tray has its icon.
    #[schemars(title = "Start without the window")]
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

/// The effect of closing the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnClose {
    /// Quit
    #[default]
    Quit,
    /// Keep running in the tray
    Tray,
}

/// Desktop notifications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Notifications {
    /// Notifies you of a member that crashes again and again.
    #[schemars(title = "Crash loops")]
    pub crash_loop: bool,
    /// Notifies you of an agent's call that waits for your approval.
    #[schemars(title = "Approvals")]
    pub approval: bool,
    /// Notifies you when a member's tools differ from those that you accepted.
    #[schemars(title = "Changed tools")]
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

/// Keys that work while another program has the keyboard focus.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Shortcut {
    /// Opens the palette from any other app.
    #[schemars(title = "Global shortcut", extend("format" = "shortcut"))]
    pub palette: Option<String>,
}

/// The gateway, where agents connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GatewaySettings {
    /// The port for agents: 1024 to 19999 or 30001 to 65535. Members use the ports between. After a
    /// change, reconnect your apps. If another program has the new port, the gateway keeps the old
    /// one.
    #[schemars(title = "Gateway port", range(min = GATEWAY_PORT_MIN))]
    #[schemars(extend(
        "not" = {"type": "integer", "minimum": MEMBER_PORTS.start(), "maximum": MEMBER_PORTS.end()}
    ))]
    pub port: u16,
    /// The tool list of clients and profiles that don't request another mode.
    #[schemars(title = "Tool list")]
    pub listing: Listing,
    /// The largest result that agents get in one answer, in tokens (estimated): 1,000 to 1,000,000,
    /// or 0 for no limit. A larger result is cut, and agents read the rest with `result_read`.
    /// Profiles can have another limit.
    #[schemars(title = "Largest result for agents", range(min = 0, max = RESULT_TOKENS_MAX))]
    #[schemars(extend("x-unit" = "tokens"))]
    #[schemars(extend(
        "not" = {"type": "integer", "minimum": 1, "maximum": RESULT_TOKENS_MIN - 1}
    ))]
    pub result_tokens: u32,
}

impl Default for GatewaySettings {
    fn default() -> Self {
        Self {
            port: GATEWAY_PORT,
            listing: Listing::default(),
            result_tokens: RESULT_TOKENS,
        }
    }
}

/// Time limits of members whose manifest has none, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    // Until the port answers (HTTP), or the handshake is done (stdio).
    /// Time limit for the start of a member, in milliseconds. Takes effect at each member's next
    /// start.
    #[schemars(title = "Start", range(min = 1, max = TIMEOUT_MS_MAX), extend("x-unit" = "ms"))]
    pub start_ms: u64,
    // HTTP only (REQ-MCP-HTTP-14).
    /// Time limit for the handshake after a member's port answers, in milliseconds. Takes effect at
    /// each member's next start.
    #[schemars(title = "Handshake", range(min = 1, max = TIMEOUT_MS_MAX), extend("x-unit" = "ms"))]
    pub handshake_ms: u64,
    // REQ-MCP-HTTP-28.
    /// Time limit for a call, in milliseconds. Takes effect at the next call.
    #[schemars(title = "Call", range(min = 1, max = TIMEOUT_MS_MAX), extend("x-unit" = "ms"))]
    pub call_ms: u64,
    /// Time limit for listing a member's tools, in milliseconds. Takes effect when tools are listed
    /// next.
    #[schemars(title = "Listing tools", range(min = 1, max = TIMEOUT_MS_MAX), extend("x-unit" = "ms"))]
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

/// Connections to other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NetworkSettings {
    /// Connects to members on other machines through the proxies that the environment
    /// (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`) and the system define. Takes effect
    /// at each member's next start.
    #[schemars(title = "Use proxies")]
    pub proxies: bool,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self { proxies: true }
    }
}

/// Checks for newer versions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateSettings {
    /// Asks the address below once a day for a newer version of an AppImage. Other packages are
    /// updated by the program that installed them. Guild Hall never downloads or installs a version
    /// on its own.
    #[schemars(title = "Check for updates automatically")]
    pub check: bool,
    /// The address that lists newer versions of an AppImage. Default: the AppImage's own.
    #[schemars(title = "Address of newer versions", length(max = 4_096), regex(pattern = VISIBLE))]
    #[schemars(extend("format" = "update-address", "x-none" = "the AppImage's own"))]
    pub address: Option<String>,
    /// The public key for the signatures of newer versions of an AppImage. Default: the AppImage's
    /// own.
    #[schemars(title = "Their public key")]
    #[schemars(extend("format" = "update-key", "x-none" = "the AppImage's own"))]
    pub key: Option<String>,
}

/// Returns the settings that differ, each with both values.
pub fn differences(before: &Settings, after: &Settings) -> Vec<ImportChange> {
    let [old, new] = [before, after].map(schema::as_value);
    let keys = before.keys.keys().chain(after.keys.keys());
    let mut keys: Vec<_> = keys.map(|action| format!("{KEYS}.{action}")).collect();
    keys.sort_unstable();
    keys.dedup();
    let fields = fields().iter().map(|field| field.key.clone());
    let change = |key: String| {
        let [before, after] = [&old, &new].map(|settings| value_at(settings, &key));
        let shown = |value: Value| (!value.is_null()).then(|| value.to_string());
        (before != after).then(|| ImportChange {
            key,
            before: shown(before),
            after: shown(after),
        })
    };
    fields.chain(keys).filter_map(change).collect()
}

/// A change of one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingChange {
    /// The setting's key, such as `appearance.theme`, or `keys.` and an action's id.
    pub key: String,
    /// The new value. `null` restores the default.
    pub value: Value,
}

impl SettingChange {
    /// Creates a change of one setting.
    pub fn new(key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
        }
    }
}

/// A mistake in the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsProblem {
    /// The effect of the mistake.
    pub effect: ProblemEffect,
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The field.
    pub field: Option<String>,
    /// The mistake, and how to correct it.
    pub report: Report,
}

/// The effect of a mistake in the settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemEffect {
    /// The whole file has no effect. The previous settings stay.
    Unread,
    /// The setting has its default value.
    Default,
    /// The field stays in the file and has no effect.
    Kept,
}

#[cfg(test)]
mod tests;
