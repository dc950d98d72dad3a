//! Taking what an import wrote out of a text that was changed since: what was changed stays, whoever
//! did it.

use guild_core::ladder::DiscoverySettings;
use guild_core::settings::{SETTINGS_FILE, Settings, read, rewritten};
use guild_core::wire::SettingsPart;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::settings::changes_to;

/// The text of a file without what an import wrote into it, of its text before, the one that the
/// import was to write, and the one that is there. `None` where these can't be told apart.
pub(super) fn taken_back(
    part: SettingsPart,
    before: &str,
    written: &str,
    now: &str,
) -> Option<String> {
    match part {
        SettingsPart::Settings => of_settings(before, written, now),
        SettingsPart::Discovery => of_discovery(before, written, now),
        SettingsPart::Gateway | SettingsPart::History => of_values(before, written, now),
    }
}

fn of_settings(before: &str, written: &str, now: &str) -> Option<String> {
    let of = |text: &str| read(text.as_bytes(), SETTINGS_FILE);
    let there = of(now);
    let settings = there.settings.as_ref()?;
    let wanted: Settings = parted(&of(before).settings?, &of(written).settings?, settings)?;
    let mut changes = changes_to(settings, &wanted);
    // What is written there has no value that it could have from an import.
    changes.retain(|change| there.holds(&change.key));
    rewritten(now, &changes, SETTINGS_FILE).ok()
}

fn of_discovery(before: &str, written: &str, now: &str) -> Option<String> {
    let of = |text: &str| DiscoverySettings::parse(text.as_bytes()).ok();
    let wanted: DiscoverySettings = parted(&of(before)?, &of(written)?, &of(now)?)?;
    wanted.rewritten(now.as_bytes()).ok()
}

fn of_values(before: &str, written: &str, now: &str) -> Option<String> {
    let of = |text: &str| match text.is_empty() {
        true => Some(Value::Object(Map::new())),
        false => serde_json::from_str(text).ok(),
    };
    let wanted = without(Some(&of(before)?), Some(&of(written)?), Some(&of(now)?))?;
    serde_json::to_string_pretty(&wanted).ok()
}

fn parted<T: Serialize + DeserializeOwned>(before: &T, written: &T, now: &T) -> Option<T> {
    let [before, written, now] = [before, written, now].map(|of| serde_json::to_value(of).ok());
    serde_json::from_value(without(before.as_ref(), written.as_ref(), now.as_ref())?).ok()
}

/// A value without what an import wrote into it; `None` where none is to be there.
fn without(before: Option<&Value>, written: Option<&Value>, now: Option<&Value>) -> Option<Value> {
    if now == written {
        return before.cloned();
    }
    match (before, written, now) {
        (_, Some(Value::Object(written)), Some(Value::Object(now))) => {
            let none = Map::new();
            let before = before.and_then(Value::as_object).unwrap_or(&none);
            let mut names: Vec<&String> = now.keys().collect();
            names.extend(before.keys().filter(|name| !now.contains_key(*name)));
            let of = |name: &String| {
                let value = without(before.get(name), written.get(name), now.get(name));
                value.map(|value| (name.clone(), value))
            };
            Some(Value::Object(names.into_iter().filter_map(of).collect()))
        }
        // An import adds to a list, or it gives another one in its place.
        (_, Some(Value::Array(written)), Some(Value::Array(now))) => {
            let before = before
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice);
            let Some(added) = written.strip_prefix(before) else {
                return Some(Value::Array(now.clone()));
            };
            let others = now.iter().filter(|value| !added.contains(value));
            Some(Value::Array(others.cloned().collect()))
        }
        (_, _, now) => now.cloned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_each_value_what_is_as_the_import_wrote_it_goes_and_nothing_else() {
        let values = [None, Some(json!(1)), Some(json!(2)), Some(json!([1]))];
        let object = |one: &Option<Value>, other: &Option<Value>| {
            let of = |name: &str, value: &Option<Value>| Some((name.to_owned(), value.clone()?));
            let fields = [of("one", one), of("other", other)];
            let inner: Map<String, Value> = fields.into_iter().flatten().collect();
            json!({ "of": inner, "beside": other })
        };
        let three = || {
            let of = |a: usize| move |b: usize| (0..4).map(move |c| [a, b, c]);
            (0..4).flat_map(move |a| (0..4).flat_map(of(a)))
        };
        for [one_before, one_written, one_now] in three() {
            for [other_before, other_written, other_now] in three() {
                let undone = without(
                    Some(&object(&values[one_before], &values[other_before])),
                    Some(&object(&values[one_written], &values[other_written])),
                    Some(&object(&values[one_now], &values[other_now])),
                );
                let kept = |before: usize, written: usize, now: usize| match now == written {
                    true => values[before].clone(),
                    false => values[now].clone(),
                };
                let wanted = object(
                    &kept(one_before, one_written, one_now),
                    &kept(other_before, other_written, other_now),
                );
                assert_eq!(undone, Some(wanted));
            }
        }
    }

    #[test]
    fn of_a_list_what_the_import_added_goes() {
        let of = |before: Value, written: Value, now: Value| {
            without(Some(&before), Some(&written), Some(&now)).unwrap_or_default()
        };
        let undone = of(json!(["a"]), json!(["a", "b"]), json!(["a", "b", "mine"]));
        assert_eq!(undone, json!(["a", "mine"]));
        let undone = of(json!(["a"]), json!(["a", "b", "c"]), json!(["a", "b"]));
        assert_eq!(undone, json!(["a"]), "it had written a part of them");
        let undone = of(json!(["a"]), json!(["b"]), json!(["b", "mine"]));
        assert_eq!(
            undone,
            json!(["b", "mine"]),
            "which of them belong together is not known"
        );
    }

    #[track_caller]
    fn check(part: SettingsPart, texts: [&str; 3], undone: Option<&str>) {
        let [before, written, now] = texts;
        assert_eq!(taken_back(part, before, written, now).as_deref(), undone);
    }

    #[test]
    fn comments_and_mistakes_of_a_person_stay_in_the_settings() {
        let before = "{\"membersDir\": \"old\"}";
        let written = "{\"membersDir\": \"new\", \"appearance\": {\"zoom\": 120}}";
        check(
            SettingsPart::Settings,
            [
                before,
                written,
                "{\n  // mine\n  \"membersDir\": \"new\",\n  \"appearance\": {\"zoom\": \"large\", \"theme\": \"dark\"}\n}",
            ],
            Some(
                "{\n  // mine\n  \"membersDir\": \"old\",\n  \"appearance\": {\"zoom\": \"large\", \"theme\": \"dark\"}\n}",
            ),
        );
        check(
            SettingsPart::Settings,
            [before, written, "{\"membersDir\": "],
            None,
        );
    }

    #[test]
    fn lines_of_a_person_stay_in_the_settings_of_discovery() {
        check(
            SettingsPart::Discovery,
            [
                "discovery:\n  cache: false\n",
                "discovery:\n  cache: true\n",
                "# mine\ndiscovery:\n  cache: true\n  timeout: 900\n",
            ],
            Some("# mine\ndiscovery:\n  cache: false\n  timeout: 900\n"),
        );
    }

    #[test]
    fn a_policy_of_a_person_stays_in_the_gateway_s_file() {
        let before = r#"{"port": 20001}"#;
        let written = r#"{"port": 20002, "policies": {}}"#;
        let mine = r#"{"port": 20002, "policies": {"forge": {"heat": "deny"}}}"#;
        let undone = taken_back(SettingsPart::Gateway, before, written, mine);
        let undone: Value = serde_json::from_str(&undone.expect("values")).expect("JSON");
        assert_eq!(
            undone,
            json!({"port": 20_001, "policies": {"forge": {"heat": "deny"}}})
        );
        check(SettingsPart::Gateway, [before, written, "{"], None);
    }
}
