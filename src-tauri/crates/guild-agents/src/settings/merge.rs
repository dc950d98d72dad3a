//! Merges changed settings into the content of the file, and keeps the file's other content: a
//! person's notes, and fields of other versions. Entries of lists are matched by name.

use std::collections::BTreeMap;

use guild_model::profile::ProfileName;
use serde_json::{Map, Value};

type SettingsObject = Map<String, Value>;

/// Fields that are not written if they are empty. An old value of such a field must be removed.
const LEFT_OUT: &[&str] = &["embeddings", "readOnlyConfirmed"];

/// Replaces known fields of the file. Unknown fields stay.
pub(super) fn settings(
    whole: &mut SettingsObject,
    known: SettingsObject,
    former: &BTreeMap<ProfileName, ProfileName>,
) {
    for key in LEFT_OUT {
        if !known.contains_key(*key) {
            whole.shift_remove(*key);
        }
    }
    let before = whole.get_mut("profiles").map(Value::take);
    whole.extend(known);
    let (Some(Value::Array(before)), Some(Value::Array(now))) = (before, whole.get_mut("profiles"))
    else {
        return;
    };
    let mut before: BTreeMap<String, SettingsObject> = named(before, "name");
    for profile in now.iter_mut().filter_map(Value::as_object_mut) {
        let name = text_of(profile, "name");
        let renamed = || {
            let had = former.iter().filter(|(_, now)| now.as_str() == name);
            let mut had = had.map(|(old, _)| old.as_str());
            had.find(|old| before.contains_key(*old)).map(str::to_owned)
        };
        let was = match before.contains_key(&name) {
            true => Some(name.clone()),
            false => renamed(),
        };
        if let Some(before) = was.and_then(|was| before.remove(&was)) {
            self::profile(profile, before);
        }
    }
}

fn profile(now: &mut SettingsObject, mut before: SettingsObject) {
    if let (Some(Value::Array(now)), Some(Value::Array(before))) =
        (now.get_mut("members"), before.remove("members"))
    {
        let mut before = named(before, "member");
        for mounted in now.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(before) = before.remove(&text_of(mounted, "member")) {
                member(mounted, before);
            }
        }
    }
    add(now, before);
}

fn member(now: &mut SettingsObject, mut before: SettingsObject) {
    let of = |object: &mut SettingsObject, key: &str| match object.remove(key) {
        Some(Value::Object(fields)) => fields,
        _ => SettingsObject::new(),
    };
    let mut changes = of(&mut before, "changes");
    if let Some(Value::Object(now)) = now.get_mut("changes") {
        for (tool, change) in now.iter_mut() {
            if let (Value::Object(change), Some(Value::Object(before))) =
                (change, changes.remove(tool))
            {
                add(change, before);
            }
        }
    }
    let mut tools = of(&mut before, "tools");
    // If the kind of the selection changed, its old list is removed. Other unknown fields were
    // added by a person, and are kept.
    tools.remove("tools");
    if let Some(Value::Object(now)) = now.get_mut("tools") {
        add(now, tools);
    }
    add(now, before);
}

/// Adds the fields of `before` that `now` lacks.
fn add(now: &mut SettingsObject, before: SettingsObject) {
    for (key, value) in before {
        now.entry(key).or_insert(value);
    }
}

fn named(list: Vec<Value>, key: &str) -> BTreeMap<String, SettingsObject> {
    let objects = list.into_iter().filter_map(|value| match value {
        Value::Object(object) => Some((text_of(&object, key), object)),
        _ => None,
    });
    objects.collect()
}

fn text_of(object: &SettingsObject, key: &str) -> String {
    let text = object.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
