//! Changing the file: what a person wrote into it stays.

use serde_json::Value;

use super::fields::{self, KEYS};
use super::{SCHEMA_FILE, SETTINGS_BYTES_MAX, SettingChange, press, read};
use crate::error::{Code, Report};
use crate::note::{SettingDoc, SettingWrong, SettingsTrouble, Told as _, WhyUntouched};
use crate::text_edit;

/// The text of the file with some settings changed, and nothing else: comments, order, white space
/// and fields that nobody knows stay. `name` is what errors call it by.
///
/// # Errors
/// `setting-unknown`, `setting-refused` where a value does not fit, and `settings-unusable` where the
/// text can't be read, or would be too long.
pub fn rewritten(text: &str, changes: &[SettingChange], name: &str) -> Result<String, Report> {
    let before = read(text.as_bytes(), name);
    if before.settings.is_none() {
        let problem = before.problems.into_iter().next();
        return Err(problem.map_or_else(|| untouched(name, WhyUntouched::Unreadable), |p| p.report));
    }
    let refused =
        |error: text_edit::Untouchable| untouched(name, WhyUntouched::Place(error.told()));
    let mut text = text.to_owned();
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let schema = format!("./{SCHEMA_FILE}");
        text = text_edit::put(&text, &["$schema"], &schema.into()).map_err(refused)?;
    }
    for SettingChange { key, value } in changes {
        let value = checked(key, value)?;
        let path: Vec<&str> = match fields::named_in(key) {
            Some(action) => vec![KEYS, action],
            None => key.split('.').collect(),
        };
        text = match value {
            Value::Null => text_edit::take_out(&text, &path),
            value => {
                // `null` stands for an object without anything.
                let text = match path.as_slice() {
                    [section, _] => without_null(&text, section).map_err(refused)?,
                    _ => text,
                };
                text_edit::put(&text, &path, &value)
            }
        }
        .map_err(refused)?;
    }
    let size = text.len();
    if size as u64 > SETTINGS_BYTES_MAX {
        let why = WhyUntouched::Large(size, SETTINGS_BYTES_MAX);
        return Err(untouched(name, why));
    }
    let after = read(text.as_bytes(), name);
    match after.settings {
        Some(_) => Ok(text),
        None => Err(untouched(name, WhyUntouched::Broken)),
    }
}

/// The text without a section that is `null`.
fn without_null(text: &str, section: &str) -> Result<String, text_edit::Untouchable> {
    match text_edit::is_null(text, &[section])? {
        true => text_edit::take_out(text, &[section]),
        false => Ok(text.to_owned()),
    }
}

/// The value as it is written.
fn checked(key: &str, value: &Value) -> Result<Value, Report> {
    let whole = match (fields::find(key), fields::action_of(key)) {
        (_, _) if value.is_null() && is_known(key) => Ok(Value::Null),
        (Some(field), _) => field.kind.check(value),
        (None, Some(_)) => match value.as_str() {
            Some("") => Ok(value.clone()),
            Some(text) => press::check(text)
                .map(Value::from)
                .map_err(SettingWrong::Press),
            None => Err(SettingWrong::KeysNoKeys(fields::in_words(value))),
        },
        (None, None) => return Err(fields::unknown(key)),
    };
    whole.map_err(|wrong| {
        let doc = fields::find(key).map_or(fields::KEYS_DOC, |field| field.doc);
        let trouble = SettingsTrouble::Refused(key.to_owned(), wrong, SettingDoc(doc));
        Report::told(Code::SettingRefused, &trouble)
    })
}

/// Whether it can be taken out: keys can of what is no action too, so that a mistake need not stay.
fn is_known(key: &str) -> bool {
    fields::find(key).is_some() || fields::named_in(key).is_some()
}

fn untouched(name: &str, why: WhyUntouched) -> Report {
    let trouble = SettingsTrouble::Untouched(name.to_owned(), why);
    Report::told(Code::SettingsUnusable, &trouble)
}
