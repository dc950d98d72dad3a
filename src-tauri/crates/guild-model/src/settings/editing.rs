//! Changes settings in the file's text and keeps everything else that a person wrote.

use serde_json::Value;

use super::schema::{find, unknown};
use super::{KEYS, SCHEMA_FILE, SETTINGS_BYTES_MAX, SettingChange, read};
use crate::error::{Code, Report};
use crate::messages::SettingsError;
use guild_text::text_edit::{TextEditError, is_null, put, take_out};

/// Returns the file's text with some settings changed. Comments, order, white space and unknown
/// fields stay. `name` is the file's name in errors.
///
/// # Errors
/// `setting-unknown`, `setting-refused` if a value is invalid, and `settings-unusable` if the text
/// can't be read, or would be too long.
pub fn rewritten(text: &str, changes: &[SettingChange], name: &str) -> Result<String, Report> {
    let before = read(text.as_bytes(), name);
    if before.settings.is_none() {
        let problem = before.problems.into_iter().next();
        return Err(problem.map_or_else(|| untouched(name, "it can't be read"), |it| it.report));
    }
    let refused = |error: TextEditError| untouched(name, &error.to_string());
    let mut text = text.to_owned();
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let schema = format!("./{SCHEMA_FILE}");
        text = put(&text, &["$schema"], &schema.into()).map_err(refused)?;
    }
    for SettingChange { key, value } in changes {
        let path: Vec<&str> = key.splitn(2, '.').collect();
        // The keys of an unknown action can be removed, so that the user can correct such a
        // mistake.
        let is_removed =
            value.is_null() && (path[0] == KEYS && path.len() == 2 || find(key).is_some());
        if is_removed {
            text = take_out(&text, &path).map_err(refused)?;
            continue;
        }
        let value = checked(key, value)?;
        if let [section, _] = path.as_slice()
            && is_null(&text, &[section]).map_err(refused)?
        {
            text = take_out(&text, &[section]).map_err(refused)?;
        }
        text = put(&text, &path, &value).map_err(refused)?;
    }
    if text.len() as u64 > SETTINGS_BYTES_MAX {
        let why = format!("it would have more than {SETTINGS_BYTES_MAX} bytes");
        return Err(untouched(name, &why));
    }
    match read(text.as_bytes(), name).settings {
        Some(_) => Ok(text),
        None => Err(untouched(name, "it could not be read afterwards")),
    }
}

/// Checks a value and returns the form in which it is stored.
fn checked(key: &str, value: &Value) -> Result<Value, Report> {
    let field = find(key).ok_or_else(|| unknown(key))?;
    field.check(value).map_err(|wrong| {
        let trouble = SettingsError::Refused {
            key: key.to_owned(),
            wrong,
            doc: field.doc().to_owned(),
        };
        Report::from_error(Code::SettingRefused, &trouble)
    })
}

fn untouched(name: &str, why: &str) -> Report {
    let trouble = SettingsError::Untouched(name.to_owned(), why.to_owned());
    Report::from_error(Code::SettingsUnusable, &trouble)
}
