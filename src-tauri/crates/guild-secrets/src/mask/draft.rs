//! Masks secrets in the draft of a form.
//!
//! The window omits fields that the tool's schema marks as secret. This module masks fields with
//! well-known names of secrets, and values that look secret. A draft is JSON. Each field is a list
//! of its name and its content. The content is a list that begins with a letter for its kind,
//! followed by a text or by further fields. The kind `r` is text that is not valid JSON yet.

use guild_api::wire::MASK;
use guild_text::secret_detection;
use serde_json::Value;

use super::{INSIDE_MIN, NAMES_OF_VALUES, SecretMatcher, shapes};

/// Returns a draft without secrets. `None` if a secret can't be removed.
pub fn draft(text: &str, secrets: &SecretMatcher) -> Option<String> {
    let Ok(mut read) = serde_json::from_str::<Value>(text) else {
        return (!secret_detection::any_in(text)).then(|| secrets.hide(text).into_owned());
    };
    let mut found = Vec::new();
    let typed = read.clone();
    hide(&mut read, false, &mut found);
    if read == typed {
        return Some(secrets.hide(text).into_owned());
    }
    // A secret in one field is masked in all fields.
    found.retain(|value| value.len() >= INSIDE_MIN);
    secrets.with(found).hide_json(&read.to_string())
}

/// Masks values that look secret by name or shape, and collects them in `found`.
fn hide(value: &mut Value, secret: bool, found: &mut Vec<String>) {
    match value {
        // A single letter is the kind of the content, not a value.
        Value::String(text) if secret && text.chars().nth(1).is_some() => {
            found.push(std::mem::replace(text, MASK.to_owned()));
        }
        Value::String(text) => {
            if let Some(hidden) = shapes::take_out(text, found) {
                *text = hidden;
            }
        }
        Value::Array(items) => {
            if let [Value::String(name), held @ Value::Array(_), ..] = items.as_mut_slice() {
                let unread = name == "r" && first_text(held).is_some_and(secret_detection::any_in);
                return hide(
                    held,
                    secret || unread || secret_detection::is_secret(name),
                    found,
                );
            }
            // The name of the value in one field may be the text of another field.
            let named = items.iter().any(|item| {
                let (name, held) = field(item).unzip();
                name.is_some_and(|name| NAMES_OF_VALUES.contains(&name))
                    && held
                        .and_then(text_of)
                        .is_some_and(secret_detection::is_secret)
            });
            for item in items {
                let value = field(item).is_some_and(|(name, _)| name == "value");
                hide(item, secret || (named && value), found);
            }
        }
        Value::Object(fields) => {
            for (key, held) in fields {
                hide(held, secret || secret_detection::is_secret(key), found);
            }
        }
        _ => {}
    }
}

/// Returns a field's name and content.
fn field(item: &Value) -> Option<(&str, &Value)> {
    match item.as_array()?.as_slice() {
        [Value::String(name), held @ Value::Array(_)] => Some((name, held)),
        _ => None,
    }
}

/// Returns a field's text.
fn text_of(held: &Value) -> Option<&str> {
    match held.as_array()?.as_slice() {
        [Value::String(kind), Value::String(text), ..] if kind == "s" => Some(text),
        _ => None,
    }
}

fn first_text(held: &Value) -> Option<&str> {
    held.as_array()?.first()?.as_str()
}
