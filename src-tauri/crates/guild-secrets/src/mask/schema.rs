//! Finds the arguments that a schema marks as secret.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// Maximum number of schemas for one value. If more apply, the value counts as secret.
const SCHEMAS_MAX: usize = 200;

/// All schemas that may apply to one value.
#[derive(Debug)]
pub(super) struct ApplicableSchemas<'a> {
    root: &'a Value,
    schemas: Vec<&'a Map<String, Value>>,
    /// Whether more than [`SCHEMAS_MAX`] schemas apply.
    endless: bool,
}

impl<'a> ApplicableSchemas<'a> {
    /// Returns the schemas of the root.
    pub(super) fn of(root: &'a Value) -> Self {
        Self::gather(root, [root])
    }

    /// Whether one of the schemas marks the value as secret.
    pub(super) fn is_secret(&self) -> bool {
        self.endless
            || self
                .schemas
                .iter()
                .any(|schema| schema.iter().any(|(key, value)| is_mark(key, value)))
    }

    pub(super) fn property(&self, key: &str) -> Self {
        let below = self.schemas.iter().flat_map(|schema| {
            let named = schema.get("properties").and_then(|p| p.get(key));
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            // The schemas of all patterns are included, whether or not a pattern matches the name.
            let patterns = patterns.into_iter().flat_map(Map::values);
            let others = ["additionalProperties", "unevaluatedProperties"]
                .into_iter()
                .filter(move |_| named.is_none())
                .filter_map(|key| schema.get(key));
            named.into_iter().chain(patterns).chain(others)
        });
        Self::gather(self.root, below)
    }

    pub(super) fn item(&self, at: usize) -> Self {
        let below = self.schemas.iter().flat_map(|schema| {
            let by_place = |key| schema.get(key)?.as_array()?.get(at);
            let each = schema.get("items").filter(|items| items.is_object());
            let others = ["additionalItems", "unevaluatedItems", "contains"];
            [by_place("prefixItems"), by_place("items"), each]
                .into_iter()
                .flatten()
                .chain(others.into_iter().filter_map(|key| schema.get(key)))
        });
        Self::gather(self.root, below)
    }

    /// Collects the schemas and those that they refer to or combine.
    fn gather(root: &'a Value, schemas: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut waiting: Vec<&Value> = schemas.into_iter().collect();
        let mut gathered: Vec<&Map<String, Value>> = Vec::new();
        let mut endless = false;
        while let Some(schema) = waiting.pop() {
            let Value::Object(schema) = schema else {
                continue;
            };
            if gathered.iter().any(|known| std::ptr::eq(*known, schema)) {
                continue;
            }
            if gathered.len() == SCHEMAS_MAX {
                endless = true;
                break;
            }
            gathered.push(schema);
            for key in ["allOf", "anyOf", "oneOf"] {
                waiting.extend(
                    schema
                        .get(key)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
            for key in ["if", "then", "else"] {
                waiting.extend(schema.get(key));
            }
            for key in ["dependentSchemas", "dependencies"] {
                let depending = schema.get(key).and_then(Value::as_object);
                waiting.extend(depending.into_iter().flat_map(Map::values));
            }
            for key in ["$ref", "$dynamicRef"] {
                let pointer = schema.get(key).and_then(Value::as_str);
                let pointer = pointer.and_then(|pointer| pointer.strip_prefix('#'));
                waiting.extend(pointer.and_then(|pointer| {
                    root.pointer(&percent_decode_str(pointer).decode_utf8_lossy())
                }));
            }
        }
        Self {
            root,
            schemas: gathered,
            endless,
        }
    }
}

/// Whether a keyword of a schema marks the value as secret.
fn is_mark(keyword: &str, value: &Value) -> bool {
    match keyword {
        "writeOnly" => *value == true,
        "format" => *value == "password",
        _ => false,
    }
}

/// Whether a schema marks any value as secret.
pub(super) fn marks_any(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| is_mark(key, value) || marks_any(value)),
        Value::Array(items) => items.iter().any(marks_any),
        _ => false,
    }
}
