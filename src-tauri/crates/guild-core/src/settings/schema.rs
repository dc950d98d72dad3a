//! `settings.schema.json`: the settings as editors are told of them, made of the table.

use serde_json::{Map, Value, json};

use super::Settings;
use super::actions::ACTIONS;
use super::fields::{FIELDS, Field, KEYS, KEYS_DOC, Kind};
use crate::agents::{GATEWAY_PORT_MIN, MEMBER_PORTS};

/// The schema of the file.
pub fn json_schema() -> Value {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut properties = Map::new();
    let schema =
        json!({"type": "string", "description": "The address of this schema, for editors."});
    properties.insert("$schema".into(), schema);
    for field in FIELDS {
        let pointer = format!("/{}", field.key.replace('.', "/"));
        let default = defaults.pointer(&pointer).cloned().unwrap_or_default();
        let described = described(field, default);
        match field.key.split_once('.') {
            None => {
                properties.insert(field.key.into(), described);
            }
            Some((section, key)) => {
                let empty = || json!({"type": ["object", "null"], "properties": {}});
                let section = properties.entry(section).or_insert_with(empty);
                section["properties"][key] = described;
            }
        }
    }
    let keys = json!({
        "type": ["object", "null"],
        "description": KEYS_DOC,
        "propertyNames": {"enum": ACTIONS},
        "additionalProperties": {"type": ["string", "null"], "maxLength": 40},
        "default": {},
        "examples": [{"palette": "Ctrl+Shift+P"}],
    });
    properties.insert(KEYS.into(), keys);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Guild Hall settings",
        "description": "What a person set, as JSON with comments. Fields that are not described here \
                        are kept and have no effect.",
        "type": "object",
        "allowComments": true,
        "allowTrailingCommas": true,
        "properties": properties,
    })
}

fn described(field: &Field, default: Value) -> Value {
    let Field {
        kind, takes, doc, ..
    } = field;
    let description = format!("{doc} Takes effect {}.", takes.words());
    let mut schema = match kind {
        Kind::Flag => json!({"type": ["boolean", "null"]}),
        Kind::Choice(words) => {
            let words = words.iter().map(|word| json!(word));
            json!({"enum": words.chain([Value::Null]).collect::<Vec<_>>()})
        }
        Kind::Whole(least, most) => {
            json!({"type": ["integer", "null"], "minimum": least, "maximum": most})
        }
        Kind::Port => json!({
            "type": ["integer", "null"],
            "minimum": GATEWAY_PORT_MIN,
            "maximum": u16::MAX,
            "not": {"type": "integer", "minimum": MEMBER_PORTS.start(), "maximum": MEMBER_PORTS.end()},
        }),
        Kind::Folder | Kind::Address | Kind::Registry | Kind::PublicKey | Kind::Shortcut => {
            json!({"type": ["string", "null"], "minLength": 1})
        }
    };
    schema["description"] = description.into();
    schema["default"] = default;
    schema
}
