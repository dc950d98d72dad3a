//! Everything that is set, in one file that can be taken to another machine: never a token, a secret
//! or a call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{SETTINGS_FILE, Settings, read};
use crate::error::{Code, Report};
use crate::ladder::DiscoverySettings;
use crate::note::{SettingsTrouble, Ungrouped, WhyNoExport};
use crate::wire::{HistorySettings, ImportChange, SettingsPart};

/// The largest file that is read, in bytes.
pub const PARCEL_BYTES_MAX: u64 = 8 << 20;
/// How many changes are shown.
pub(crate) const IMPORT_CHANGES_MAX: usize = 500;

/// The form of the file.
const VERSION: u32 = 1;
/// The longest value that is shown whole, in characters.
const SHOWN_MAX: usize = 200;

/// What is taken along.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parcel {
    /// The form that it has.
    guild_hall_settings: u32,
    /// `settings.json`, without what nobody knows.
    pub settings: Settings,
    /// `gateway.json`: the gateway, profiles and policies. Who may call is not in it.
    pub gateway: Value,
    /// `config.yml`.
    pub discovery: DiscoverySettings,
    /// How the history is kept.
    pub history: HistorySettings,
}

impl Parcel {
    /// Puts one together.
    pub fn new(
        settings: Settings,
        gateway: Value,
        discovery: DiscoverySettings,
        history: HistorySettings,
    ) -> Self {
        Self {
            guild_hall_settings: VERSION,
            settings,
            gateway,
            discovery,
            history,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `settings-unusable`, with the line or the field.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, Report> {
        let unusable = |why| {
            let trouble = SettingsTrouble::NotImported(name.to_owned(), why);
            Report::told(Code::SettingsUnusable, &trouble)
        };
        let unread =
            |error: serde_json::Error| unusable(WhyNoExport::Unreadable(error.to_string()));
        let whole: Value = serde_json::from_slice(bytes).map_err(unread)?;
        let version = whole.get("guildHallSettings").and_then(Value::as_u64);
        match version {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => return Err(unusable(WhyNoExport::Version(Ungrouped(version)))),
            None => return Err(unusable(WhyNoExport::NoExport)),
        }
        // What a hand may have written into it is held to the same rules as the file itself.
        let settings = whole.get("settings").cloned().unwrap_or_default();
        let held = read(settings.to_string().as_bytes(), SETTINGS_FILE);
        if let Some(problem) = held.problems.first() {
            let place = problem.field.as_deref().unwrap_or("settings");
            return Err(unusable(WhyNoExport::Setting(place.to_owned())));
        }
        serde_json::from_value(whole).map_err(unread)
    }

    /// The whole file.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        format!("{value:#}\n")
    }

    /// What would be another if `other` took the place of this, and how many changes more there are
    /// than are listed.
    pub fn changes(&self, other: &Self) -> (Vec<ImportChange>, usize) {
        let mut changes = Vec::new();
        let value = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
        let discovery = |set: &DiscoverySettings| serde_json::to_value(set).unwrap_or_default();
        let history = |set: &HistorySettings| serde_json::to_value(set).unwrap_or_default();
        for (part, before, after) in [
            (
                SettingsPart::Settings,
                value(&self.settings),
                value(&other.settings),
            ),
            (
                SettingsPart::Gateway,
                self.gateway.clone(),
                other.gateway.clone(),
            ),
            (
                SettingsPart::Discovery,
                discovery(&self.discovery),
                discovery(&other.discovery),
            ),
            (
                SettingsPart::History,
                history(&self.history),
                history(&other.history),
            ),
        ] {
            differ(part, "", &before, &after, &mut changes);
        }
        let more = changes.len().saturating_sub(IMPORT_CHANGES_MAX);
        changes.truncate(IMPORT_CHANGES_MAX);
        (changes, more)
    }
}

/// Where two values differ, by the fields of their objects.
fn differ(
    part: SettingsPart,
    path: &str,
    before: &Value,
    after: &Value,
    changes: &mut Vec<ImportChange>,
) {
    if before == after {
        return;
    }
    let none = Map::new();
    let (old, new) = match (before, after) {
        (Value::Object(old), Value::Object(new)) => (old, new),
        (Value::Object(old), Value::Null) => (old, &none),
        (Value::Null, Value::Object(new)) => (&none, new),
        _ => {
            let shown = |value: &Value| (!value.is_null()).then(|| cut(&value.to_string()));
            changes.push(ImportChange {
                part,
                key: cut(path),
                before: shown(before),
                after: shown(after),
            });
            return;
        }
    };
    let keys = old
        .keys()
        .chain(new.keys().filter(|key| !old.contains_key(*key)));
    for key in keys {
        let path = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        let of = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or_default();
        differ(part, &path, &of(old), &of(new), changes);
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::settings::ThemeChoice;

    fn parcel() -> Parcel {
        Parcel::new(
            Settings::default(),
            json!({"port": 19_999, "policies": {"forge": {"heat": "ask"}}}),
            DiscoverySettings::default(),
            HistorySettings::default(),
        )
    }

    #[test]
    fn what_is_put_together_is_read_again_and_says_what_differs() {
        let before = parcel();
        let read = Parcel::parse(before.to_text().as_bytes(), "x.json").expect("an export");
        assert_eq!(read, before);
        assert_eq!(before.changes(&read), (vec![], 0));
        let mut after = parcel();
        after.settings.appearance.theme = ThemeChoice::Dark;
        after.gateway = json!({"port": 20_000, "policies": {"forge": {"hit": "deny"}}});
        let (changes, more) = before.changes(&after);
        let told: Vec<_> = changes
            .iter()
            .map(|c| (c.key.as_str(), c.before.as_deref(), c.after.as_deref()))
            .collect();
        assert_eq!(more, 0);
        assert_eq!(
            told,
            [
                ("appearance.theme", Some("\"system\""), Some("\"dark\"")),
                ("port", Some("19999"), Some("20000")),
                ("policies.forge.heat", Some("\"ask\""), None),
                ("policies.forge.hit", None, Some("\"deny\"")),
            ]
        );
    }

    #[test]
    fn what_is_no_export_says_so() {
        let wrong = |change: fn(&mut Value)| {
            let mut whole = serde_json::to_value(parcel()).expect("JSON");
            change(&mut whole);
            Parcel::parse(whole.to_string().as_bytes(), "x.json").expect_err("refused")
        };
        assert!(Parcel::parse(b"{", "x.json").is_err());
        assert!(
            wrong(|v| v["guildHallSettings"] = json!(2))
                .message
                .contains("form 2")
        );
        assert!(
            wrong(|v| v["guildHallSettings"] = Value::Null)
                .message
                .contains("no export")
        );
        let zoom = wrong(|v| v["settings"]["appearance"]["zoom"] = json!(5));
        assert!(zoom.message.contains("appearance.zoom"), "{zoom}");
        assert!(
            wrong(|v| v["tokens"] = json!([]))
                .message
                .contains("tokens")
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_export_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Parcel::parse(&bytes, "x.json").is_err());
        }
    }
}
