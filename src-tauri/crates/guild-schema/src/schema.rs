//! Bounds and cleans the schemas of servers before the window, an agent or the validator uses them.
//!
//! A schema within the limits stays unchanged, including the order of its fields. If a part is
//! removed, the schema accepts more values than before, never fewer, and a note is added. No other
//! document is fetched: a reference to one is replaced by a schema that accepts anything.

mod sentence;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::messages::{Cut, SchemaNote};

pub use sentence::first_sentence;
pub use sentence::whole_first_sentence;

/// Maximum size of a schema, in bytes of its JSON text.
pub const SCHEMA_BYTES_MAX: usize = 512 * 1024;
/// Maximum nesting depth of subschemas.
pub const SCHEMA_DEPTH_MAX: usize = 40;
/// Maximum number of entries of all `properties` together.
pub(crate) const SCHEMA_PROPERTIES_MAX: usize = 5_000;
/// Maximum size of a description or title, in bytes.
pub(crate) const SCHEMA_TEXT_BYTES_MAX: usize = 8 * 1024;
/// Maximum number of notes about one schema.
const NOTES_MAX: usize = 50;

/// A schema within the limits of this module.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundedSchema {
    /// The schema.
    pub schema: Value,
    /// Notes about the removed parts, each with the path of the part. At most 50.
    pub notes: Vec<SchemaNote>,
    /// Whether parts were removed that restrict values, so that the schema accepts more than
    /// before. Descriptive text does not count.
    pub opened: bool,
}

/// The kind of value that a keyword has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A schema or a list of schemas. The keyword `items` may have both.
    Schemas,
    /// An object whose values are schemas, such as `properties`.
    SchemaMap,
    /// Descriptive text for people.
    Words,
    /// The address of another schema, such as `$ref`.
    Reference,
    /// Anything else.
    Data,
}

impl Holds {
    /// Returns the kind of value that a JSON Schema keyword holds. Unknown keywords hold data.
    pub fn below(keyword: &str) -> Self {
        match keyword {
            "allOf"
            | "anyOf"
            | "oneOf"
            | "prefixItems"
            | "items"
            | "additionalItems"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contentSchema" => Self::Schemas,
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies" => Self::SchemaMap,
            "title" | "description" | "$comment" => Self::Words,
            "$ref" | "$dynamicRef" | "$recursiveRef" => Self::Reference,
            _ => Self::Data,
        }
    }
}

/// Returns the JSON text of a bounded and cleaned schema.
///
/// # Errors
/// Serialization errors of JSON.
pub fn bound_text(schema: &Value) -> serde_json::Result<Box<RawValue>> {
    let text = to_raw_value(&SchemaInspection::default().schema(schema, "", 0))?;
    match text.get().len() > SCHEMA_BYTES_MAX {
        true => to_raw_value(&bound(schema).schema),
        false => Ok(text),
    }
}

/// Bounds and cleans a schema.
pub fn bound(schema: &Value) -> BoundedSchema {
    let mut walk = SchemaInspection::default();
    let mut bounded = walk.schema(schema, "", 0);
    if size(&bounded) > SCHEMA_BYTES_MAX {
        walk.note("", Cut::WithoutWords(SCHEMA_BYTES_MAX / 1024));
        bounded = without_words(&bounded);
    }
    if size(&bounded) > SCHEMA_BYTES_MAX {
        walk.open("", Cut::StillTooLarge);
        bounded = json!({"type": "object"});
    }
    BoundedSchema {
        schema: bounded,
        notes: walk.notes,
        opened: walk.opened,
    }
}

fn size(schema: &Value) -> usize {
    /// A writer that only counts the written bytes.
    struct ByteCounter(usize);
    impl std::io::Write for ByteCounter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = ByteCounter(0);
    match serde_json::to_writer(&mut count, schema) {
        Ok(()) => count.0,
        // A schema that can't be serialized can't be sent either, so it counts as too large.
        Err(_) => usize::MAX,
    }
}

#[derive(Default)]
struct SchemaInspection {
    properties: usize,
    notes: Vec<SchemaNote>,
    opened: bool,
}

impl SchemaInspection {
    /// Adds a note about a removed part that restricted values.
    fn open(&mut self, path: &str, what: Cut) {
        self.opened = true;
        self.note(path, what);
    }

    fn note(&mut self, path: &str, what: Cut) {
        if self.notes.len() < NOTES_MAX {
            self.notes.push(SchemaNote::at(path, what));
        }
    }

    fn schema(&mut self, schema: &Value, path: &str, depth: usize) -> Value {
        let Value::Object(fields) = schema else {
            return self.data_or_open(schema, path);
        };
        if depth > SCHEMA_DEPTH_MAX {
            self.open(path, Cut::TooDeep(SCHEMA_DEPTH_MAX));
            return json!({});
        }
        let mut bounded = Map::new();
        let mut cut = false;
        for (keyword, value) in fields {
            let path = format!("{path}/{}", escaped(keyword));
            let kept = match (Holds::below(keyword), value) {
                (Holds::Schemas, Value::Array(items)) => {
                    let items = items.iter().enumerate();
                    let each =
                        items.map(|(i, item)| self.schema(item, &format!("{path}/{i}"), depth + 1));
                    Some(Value::Array(each.collect()))
                }
                (Holds::Schemas, value) => Some(self.schema(value, &path, depth + 1)),
                (Holds::SchemaMap, Value::Object(map)) => {
                    let kept = self.schema_map(keyword, map, &path, depth);
                    cut |= kept.len() < map.len();
                    Some(Value::Object(kept))
                }
                (Holds::Words, Value::String(text)) => Some(self.words(text, &path)),
                (Holds::Reference, Value::String(target)) if !target.starts_with('#') => {
                    let target: String = target.chars().take(120).collect();
                    self.open(&path, Cut::NotFetched(format!("{target:?}")));
                    None
                }
                (_, value) => self.data(value, &path),
            };
            if let Some(kept) = kept {
                bounded.insert(keyword.clone(), kept);
            }
        }
        if cut {
            // With these keywords, the object would reject the properties that were removed.
            bounded.shift_remove("additionalProperties");
            bounded.shift_remove("unevaluatedProperties");
        }
        Value::Object(bounded)
    }

    fn schema_map(
        &mut self,
        keyword: &str,
        map: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Map<String, Value> {
        let mut kept = Map::new();
        for (key, value) in map {
            if keyword == "properties" {
                if self.properties == SCHEMA_PROPERTIES_MAX {
                    let left = map.len() - kept.len();
                    self.open(path, Cut::PropertiesLeftOut(left, SCHEMA_PROPERTIES_MAX));
                    break;
                }
                self.properties += 1;
            }
            let path = format!("{path}/{}", escaped(key));
            kept.insert(key.clone(), self.schema(value, &path, depth + 1));
        }
        kept
    }

    /// Bounds a subschema that is not an object. A value that is nested too deep becomes `true`.
    /// All other values stay.
    fn data_or_open(&mut self, value: &Value, path: &str) -> Value {
        self.data(value, path).unwrap_or(Value::Bool(true))
    }

    fn data(&mut self, value: &Value, path: &str) -> Option<Value> {
        if deeper_than(value, SCHEMA_DEPTH_MAX) {
            self.open(path, Cut::ValueTooDeep(SCHEMA_DEPTH_MAX));
            return None;
        }
        Some(value.clone())
    }

    fn words(&mut self, text: &str, path: &str) -> Value {
        let (words, cut) = clean_words(text);
        if cut {
            self.note(path, Cut::Shortened(SCHEMA_TEXT_BYTES_MAX / 1024));
        }
        Value::String(words)
    }
}

/// Removes control characters except line ends and tabs, and truncates the text to
/// `SCHEMA_TEXT_BYTES_MAX`. Also returns whether the text was truncated.
pub(crate) fn clean_words(text: &str) -> (String, bool) {
    let mut words: String = text
        .chars()
        .filter(|&c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    let cut = words.len() > SCHEMA_TEXT_BYTES_MAX;
    if cut {
        words.truncate(words.floor_char_boundary(SCHEMA_TEXT_BYTES_MAX - '…'.len_utf8()));
        words.push('…');
    }
    (words, cut)
}

fn deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => {
            levels == 0 || items.iter().any(|item| deeper_than(item, levels - 1))
        }
        Value::Object(fields) => {
            levels == 0 || fields.values().any(|field| deeper_than(field, levels - 1))
        }
        _ => false,
    }
}

/// Returns a copy without descriptive text, examples and defaults, which have no effect on
/// validation.
fn without_words(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    let mut kept = Map::new();
    for (keyword, value) in fields {
        let value = match (Holds::below(keyword), value) {
            (Holds::Words, _) => continue,
            _ if matches!(keyword.as_str(), "examples" | "example" | "default") => continue,
            (Holds::Schemas, Value::Array(items)) => items.iter().map(without_words).collect(),
            (Holds::Schemas, value) => without_words(value),
            (Holds::SchemaMap, Value::Object(map)) => {
                let entries = map.iter();
                let each = entries.map(|(key, value)| (key.clone(), without_words(value)));
                Value::Object(each.collect())
            }
            (_, value) => value.clone(),
        };
        kept.insert(keyword.clone(), value);
    }
    Value::Object(kept)
}

/// Escapes a key for a JSON Pointer.
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
