//! The table of all settings.

use std::path::Path;

use serde_json::{Number, Value};

use super::{actions, press};
use crate::agents::{GATEWAY_PORT_MIN, MEMBER_PORTS};
use crate::error::{Code, Report};
use crate::manifest::{TIMEOUT_MS_MAX, nearest};
use crate::note::{NearSetting, SettingText, SettingWrong, SettingsTrouble, Shown, Ungrouped};
use crate::updates;

/// The longest path, address or key, in bytes.
const TEXT_MAX: usize = 4_096;

/// The longest name of an action, in bytes.
pub(super) const ACTION_MAX: usize = 100;

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name: the keys that lead to it in the file, with points between them.
    pub key: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// When a change of it takes effect.
    pub takes: Takes,
    /// What it does, in one sentence.
    pub doc: &'static str,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Yes or no.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number between these.
    Whole(u64, u64),
    /// A port that the gateway can have.
    Port,
    /// The path of a folder.
    Folder,
    /// An address that is read over `https`, or from this machine.
    Address,
    /// An address like that, or the whole path of a file.
    Registry,
    /// A public key, as a line of text.
    PublicKey,
    /// Keys that count everywhere.
    Shortcut,
}

/// When a change takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// At once.
    Now,
    /// When the program is started the next time.
    NextProgramStart,
    /// When the user logs in the next time.
    NextLogin,
    /// At each member's next start.
    NextMemberStart,
    /// At the next call.
    NextCall,
    /// When a member's tools are listed the next time.
    NextList,
}

impl Takes {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Now => "at once",
            Self::NextProgramStart => "at the next start of the program",
            Self::NextLogin => "at your next login",
            Self::NextMemberStart => "at each member's next start",
            Self::NextCall => "at the next call",
            Self::NextList => "when tools are listed next",
        }
    }
}

/// All settings, in the order in which they are shown. `keys` is not among them: it has a field for
/// each action.
pub const FIELDS: &[Field] = &[
    field(
        "membersDir",
        Kind::Folder,
        Takes::NextProgramStart,
        "The folder of the members; from the data folder where it is no whole path.",
    ),
    field(
        "registry",
        Kind::Registry,
        Takes::Now,
        "The MCP registry to search: an address, or the whole path of a file; null for the official one.",
    ),
    field(
        "appearance.theme",
        Kind::Choice(&["system", "light", "dark", "contrast-light", "contrast-dark"]),
        Takes::Now,
        "The colours of the window.",
    ),
    field(
        "appearance.zoom",
        Kind::Whole(50, 300),
        Takes::Now,
        "How large everything in the window is drawn, in percent.",
    ),
    field(
        "window.onClose",
        Kind::Choice(&["quit", "tray"]),
        Takes::Now,
        "What closing the window does: end the program with its members, or leave it in the tray.",
    ),
    field(
        "window.tray",
        Kind::Flag,
        Takes::Now,
        "Whether there is an icon in the tray.",
    ),
    field(
        "window.startAtLogin",
        Kind::Flag,
        Takes::NextLogin,
        "Whether the program starts when you log in.",
    ),
    field(
        "window.startHidden",
        Kind::Flag,
        Takes::NextLogin,
        "Whether it starts without its window when you log in, if there is an icon in the tray.",
    ),
    field(
        "notifications.crashLoop",
        Kind::Flag,
        Takes::Now,
        "Whether you are notified of a member that crashed again and again.",
    ),
    field(
        "notifications.approval",
        Kind::Flag,
        Takes::Now,
        "Whether you are notified of an agent's call that waits for you.",
    ),
    field(
        "notifications.changedTools",
        Kind::Flag,
        Takes::Now,
        "Whether you are notified when a member's tools are not what you accepted.",
    ),
    field(
        "shortcut.palette",
        Kind::Shortcut,
        Takes::Now,
        "Keys that open the palette from any other program; null for none.",
    ),
    field(
        "gateway.port",
        Kind::Port,
        Takes::Now,
        "The port of the gateway, where agents connect; not one of the members' (20000 to 30000).",
    ),
    field(
        "gateway.listing",
        Kind::Choice(&["lazy", "full", "search"]),
        Takes::Now,
        "How the gateway lists tools for a client or profile that asks for nothing else.",
    ),
    field(
        "limits.startMs",
        Kind::Whole(1, TIMEOUT_MS_MAX),
        Takes::NextMemberStart,
        "How long a member may take to start, in milliseconds, where its manifest says nothing.",
    ),
    field(
        "limits.handshakeMs",
        Kind::Whole(1, TIMEOUT_MS_MAX),
        Takes::NextMemberStart,
        "How long its handshake may take once its port answers, in milliseconds.",
    ),
    field(
        "limits.callMs",
        Kind::Whole(1, TIMEOUT_MS_MAX),
        Takes::NextCall,
        "How long a call may take, in milliseconds.",
    ),
    field(
        "limits.discoveryMs",
        Kind::Whole(1, TIMEOUT_MS_MAX),
        Takes::NextList,
        "How long listing a member's tools may take, in milliseconds.",
    ),
    field(
        "updates.check",
        Kind::Flag,
        Takes::Now,
        "Whether an AppImage looks for newer versions by itself, once a day; it installs none unasked.",
    ),
    field(
        "updates.address",
        Kind::Address,
        Takes::Now,
        "Where an AppImage is told of newer versions; null for where it says itself.",
    ),
    field(
        "updates.key",
        Kind::PublicKey,
        Takes::Now,
        "The public key that newer versions of an AppImage must be signed by; null for its own.",
    ),
];

/// The field that has a field for each action.
pub const KEYS: &str = "keys";
/// What that is, in one sentence.
pub(crate) const KEYS_DOC: &str =
    "Your own keys of actions, by the action's id; an empty text for no key at all.";

const fn field(key: &'static str, kind: Kind, takes: Takes, doc: &'static str) -> Field {
    Field {
        key,
        kind,
        takes,
        doc,
    }
}

/// The setting of a name; `None` for those of `keys` and where there is none.
pub fn find(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key == key)
}

/// There is no such setting.
pub fn unknown(key: &str) -> Report {
    let key: String = key.chars().take(100).collect();
    let trouble = SettingsTrouble::NoSetting(format!("{key:?}"), near(&key));
    Report::told(Code::SettingUnknown, &trouble)
}

/// The setting that was probably meant, or where they are listed.
pub(super) fn near(key: &str) -> NearSetting {
    if let Some(action) = named_in(key) {
        return actions::near(action);
    }
    let keys: Vec<&'static str> = FIELDS.iter().map(|field| field.key).collect();
    nearest(key, &keys).map_or(NearSetting::Listed, NearSetting::Meant)
}

/// The action that a name such as `keys.palette` is about; `None` where there is no such action.
pub fn action_of(key: &str) -> Option<&str> {
    named_in(key).filter(|action| actions::is_action(action))
}

/// The same, whether there is such an action or not.
pub(super) fn named_in(key: &str) -> Option<&str> {
    let action = key.strip_prefix(KEYS)?.strip_prefix('.')?;
    let fits =
        !action.is_empty() && action.len() <= ACTION_MAX && !action.contains(char::is_control);
    fits.then_some(action)
}

impl Kind {
    /// The value as it is kept.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence that begins with the field.
    pub fn check(self, value: &Value) -> Result<Value, SettingWrong> {
        match self {
            Self::Flag if value.is_boolean() => Ok(value.clone()),
            Self::Flag => Err(SettingWrong::Flag(in_words(value))),
            Self::Choice(words) => match value.as_str() {
                Some(word) if words.contains(&word) => Ok(value.clone()),
                word => {
                    let quoted: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
                    let found = match word {
                        Some(word) => {
                            let cut: String = word.chars().take(40).collect();
                            Shown::Plain(format!("{cut:?}"))
                        }
                        None => in_words(value),
                    };
                    Err(SettingWrong::Choice(quoted.join(", "), found))
                }
            },
            Self::Whole(least, most) => whole(value)
                .filter(|number| (least..=most).contains(number))
                .map(Value::from)
                .ok_or_else(|| {
                    SettingWrong::Whole(Ungrouped(least), Ungrouped(most), in_words(value))
                }),
            Self::Port => whole(value)
                .filter(|number| {
                    let port = u16::try_from(*number).unwrap_or_default();
                    port >= GATEWAY_PORT_MIN && !MEMBER_PORTS.contains(&port)
                })
                .map(Value::from)
                .ok_or_else(|| SettingWrong::Port(in_words(value))),
            Self::Folder => text(value, SettingText::Folder).map(Value::from),
            Self::Registry if is_whole_path(value) => {
                text(value, SettingText::Address).map(Value::from)
            }
            Self::Address | Self::Registry => {
                let text = text(value, SettingText::Address)?;
                let near = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
                let rest = near.iter().find_map(|near| text.strip_prefix(near));
                let on_this_machine = rest.is_some_and(ends_the_host);
                let has_host = |rest: &str| !rest.is_empty() && !rest.starts_with('/');
                match text.strip_prefix("https://").is_some_and(has_host) || on_this_machine {
                    true => Ok(value.clone()),
                    false if matches!(self, Self::Registry) => Err(SettingWrong::Registry),
                    false => Err(SettingWrong::Address),
                }
            }
            Self::PublicKey => {
                let text = text(value, SettingText::PublicKey)?;
                match updates::is_public_key(text) {
                    true => Ok(value.clone()),
                    false => Err(SettingWrong::PublicKey),
                }
            }
            Self::Shortcut => {
                let text = text(value, SettingText::Keys)?;
                let keys = press::check_global(text).map(Value::from);
                keys.map_err(SettingWrong::Press)
            }
        }
    }
}

fn is_whole_path(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| Path::new(text).is_absolute())
}

/// Whether what follows a host leaves it the host: a port and a path at most. What stands before an
/// `@` would be a name to sign in with, and the host what stands behind it.
fn ends_the_host(rest: &str) -> bool {
    let rest = match rest.strip_prefix(':') {
        Some(port) => port.trim_start_matches(|char: char| char.is_ascii_digit()),
        None => rest,
    };
    rest.is_empty() || rest.starts_with('/')
}

fn text(value: &Value, expected: SettingText) -> Result<&str, SettingWrong> {
    let Some(text) = value.as_str() else {
        return Err(SettingWrong::NoText(expected, in_words(value)));
    };
    if text.trim().is_empty() {
        return Err(SettingWrong::Empty(expected));
    }
    if text.len() > TEXT_MAX {
        return Err(SettingWrong::Long(text.len(), TEXT_MAX));
    }
    if text.chars().any(char::is_control) {
        return Err(SettingWrong::Control);
    }
    Ok(text)
}

/// A number without a fraction, however it is written: `5000`, `5e3`, `5000.0`.
fn whole(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    number.as_u64().or_else(|| exact(number))
}

fn exact(number: &Number) -> Option<u64> {
    let float = number.as_f64()?;
    // Every whole number below 2^53 is exact as an f64.
    let exact = float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&float);
    exact.then_some(float as u64)
}

/// A value as errors say it; texts are not repeated at length.
pub(super) fn in_words(value: &Value) -> Shown {
    match value {
        Value::Null => Shown::Null,
        Value::Bool(flag) => Shown::Plain(flag.to_string()),
        Value::Number(number) => {
            let digits = number.to_string();
            match digits.len() > 40 {
                true => Shown::VeryLong,
                false => Shown::Number(digits),
            }
        }
        Value::String(text) if text.is_empty() => Shown::EmptyText,
        Value::String(_) => Shown::Text,
        Value::Array(_) => Shown::List,
        Value::Object(_) => Shown::Object,
    }
}
