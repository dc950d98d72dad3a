//! Finds the parts of a schema that explain an error, such as the keyword that requires a property,
//! the name of a branch, or the expected form of a string. Used only for error messages, not for
//! the validation.

use serde_json::{Map, Value};

use super::repair::percent_decoded;
use crate::messages::{AllowedValues, Condition, FormName, Kinds, Repeated};
use guild_text::messages::JsonKind;

/// Maximum number of references that are followed from one subschema.
const HOPS_MAX: usize = 8;
/// Maximum number of conditions that a message lists.
const CONDITIONS_MAX: usize = 3;
/// Maximum number of keys that a name lists.
const KEYS_MAX: usize = 3;

/// Returns the part of the schema at a JSON Pointer, after resolving references.
pub(super) fn part<'s>(schema: &'s Value, path: &str) -> Option<&'s Value> {
    schema.pointer(path).map(|found| target(schema, found))
}

/// Follows the references of a schema that lead to other parts of the same document.
fn target<'s>(schema: &'s Value, found: &'s Value) -> &'s Value {
    let mut here = found;
    for _ in 0..HOPS_MAX {
        let reference = here.get("$ref").and_then(Value::as_str);
        let Some(pointer) = reference.and_then(|reference| reference.strip_prefix('#')) else {
            break;
        };
        let Some(next) = schema.pointer(&percent_decoded(pointer)) else {
            break;
        };
        here = next;
    }
    here
}

/// Returns the branches of a union at a JSON Pointer.
pub(super) fn branches<'s>(schema: &'s Value, path: &str) -> Vec<&'s Value> {
    let found = schema.pointer(path).and_then(Value::as_array);
    let found = found.map(Vec::as_slice).unwrap_or_default();
    found.iter().map(|branch| target(schema, branch)).collect()
}

/// Returns the part of the schema at an evaluation path, which may contain references.
fn evaluated<'s>(schema: &'s Value, path: &str) -> Option<&'s Value> {
    let mut here = schema;
    for step in path.split('/').skip(1) {
        here = match (step, here.get("$ref")) {
            ("$ref", Some(Value::String(reference))) => {
                schema.pointer(&percent_decoded(reference.strip_prefix('#')?))?
            }
            _ => here.pointer(&format!("/{step}"))?,
        };
    }
    Some(here)
}

/// Removes references from the end of a path.
fn before_references(path: &str) -> &str {
    path.strip_suffix("/$ref").map_or(path, before_references)
}

/// Returns the present properties of the value that make the missing property `name` required.
/// `path` is the evaluation path of the keyword that reported the missing property.
pub(super) fn demanding(schema: &Value, path: &str, name: &str, given: &Value) -> Vec<String> {
    let (above, last) = path.rsplit_once('/').unwrap_or_default();
    if matches!(last, "dependentRequired" | "dependencies") {
        let Some(Value::Object(all)) = evaluated(schema, path) else {
            return Vec::new();
        };
        return all
            .iter()
            .filter(|(key, _)| given.get(key.as_str()).is_some())
            .filter(|(_, names)| {
                let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
                names.iter().any(|one| one == name)
            })
            .map(|(key, _)| key.clone())
            .collect();
    }
    // `…/dependentSchemas/KEY/required`, with references in between.
    let (above, key) = before_references(above)
        .rsplit_once('/')
        .unwrap_or_default();
    let holder = above.rsplit_once('/').unwrap_or_default().1;
    let key = key.replace("~1", "/").replace("~0", "~");
    let demands = matches!(holder, "dependentSchemas" | "dependencies");
    if demands && last == "required" && given.get(&key).is_some() {
        return vec![key];
    }
    Vec::new()
}

/// If an evaluation path leads through a `then` or `else`, returns the `if` next to that keyword,
/// and the keyword.
pub(super) fn same_value_keyword<'s>(
    schema: &'s Value,
    path: &str,
) -> Option<(&'s Value, &'static str)> {
    let mut rest = path.strip_suffix("/required")?;
    loop {
        let (above, last) = rest.rsplit_once('/')?;
        let which = match last {
            "then" => "then",
            "else" => "else",
            "allOf" | "$ref" => "",
            index if index.bytes().all(|byte| byte.is_ascii_digit()) => "",
            _ => return None,
        };
        if !which.is_empty() {
            return Some((evaluated(schema, above)?.get("if")?, which));
        }
        rest = above;
    }
}

/// Returns an object schema as at most three conditions on properties. `None` if the schema has
/// other constraints.
pub(super) fn conditions_of(schema: &Value) -> Option<Vec<Condition>> {
    let fields = schema.as_object()?;
    let mut found: Vec<Condition> = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    for (key, held) in fields {
        match (key.as_str(), held) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    found.push(Condition::Is(name.clone(), choices_of(property)?));
                    named.push(name);
                }
            }
            ("required" | "type" | "title" | "description" | "$comment", _) => {}
            ("not", Value::Object(inner)) if inner.len() == 1 => {
                let names = inner.get("required")?.as_array()?;
                let [Value::String(name)] = names.as_slice() else {
                    return None;
                };
                found.push(Condition::Missing(name.clone()));
            }
            _ => return None,
        }
    }
    if let Some(Value::Array(required)) = fields.get("required") {
        let required = required.iter().filter_map(Value::as_str);
        for name in required.filter(|name| !named.contains(name)) {
            found.push(Condition::Given(name.to_owned()));
        }
    }
    (1..=CONDITIONS_MAX).contains(&found.len()).then_some(found)
}

/// Returns the properties of a branch that have a constant value.
pub(super) fn constants_of(branch: &Value) -> Vec<Condition> {
    let properties = branch.get("properties").and_then(Value::as_object);
    let constants = properties
        .into_iter()
        .flatten()
        .filter_map(|(name, property)| {
            let choices = choices_of(property).filter(|choices| choices.len() == 1)?;
            Some(Condition::Is(name.clone(), choices))
        });
    constants.take(CONDITIONS_MAX).collect()
}

/// Returns the values that a property's schema lists.
pub(super) fn choices_of(schema: &Value) -> Option<AllowedValues> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(AllowedValues::of([value])),
        (None, Some(Value::Array(values))) if !values.is_empty() => Some(AllowedValues::of(values)),
        _ => None,
    }
}

/// Returns a name for a branch of a union: its title, its distinguishing property or its required
/// properties.
pub(super) fn name_of(branch: Option<&Value>, index: usize) -> FormName {
    let at = FormName::At(index + 1);
    let Some(Value::Object(fields)) = branch else {
        return at;
    };
    let title = fields.get("title").and_then(Value::as_str);
    if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
        return FormName::Titled(Repeated::line(title));
    }
    if let Some(Value::Object(properties)) = fields.get("properties") {
        let constant = properties.iter().find_map(|(name, property)| {
            let choices = choices_of(property).filter(|choices| choices.len() == 1)?;
            Some(FormName::Tagged(name.clone(), choices))
        });
        if let Some(name) = constant {
            return name;
        }
    }
    let keys = required_of(fields);
    if !keys.is_empty() {
        return FormName::With(keys.into_iter().take(KEYS_MAX).collect());
    }
    match fields.get("type").and_then(Value::as_str) {
        Some(kind) => kind_of(kind).map_or(at, |kind| FormName::Kind(Kinds::of(vec![kind]))),
        None => at,
    }
}

fn required_of(fields: &Map<String, Value>) -> Vec<String> {
    let names = fields.get("required").and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

/// Returns the names that a branch requires, or `None` if it also has other constraints.
pub(super) fn only_requires(branch: &Value) -> Option<Vec<String>> {
    let fields = branch.as_object()?;
    let plain =
        |key: &String| matches!(key.as_str(), "required" | "title" | "description" | "type");
    let names = required_of(fields);
    (fields.keys().all(plain) && !names.is_empty()).then_some(names)
}

fn kind_of(name: &str) -> Option<JsonKind> {
    Some(match name {
        "array" => JsonKind::List,
        "boolean" => JsonKind::Flag,
        "integer" => JsonKind::Whole,
        "null" => JsonKind::Null,
        "number" => JsonKind::Number,
        "object" => JsonKind::Object,
        "string" => JsonKind::Text,
        _ => return None,
    })
}

/// Returns the first example that the schema gives.
pub(super) fn example_of(schema: &Value) -> Option<&str> {
    match schema.get("examples") {
        Some(Value::Array(examples)) => examples.first().and_then(Value::as_str),
        _ => schema.get("example").and_then(Value::as_str),
    }
}

pub(super) fn format_example(format: &str) -> Option<&'static str> {
    match format {
        "date-time" => Some("2026-11-20T12:34:56Z"),
        "date" => Some("2026-11-20"),
        "time" => Some("12:34:56Z"),
        "duration" => Some("P1DT2H"),
        "email" => Some("name@example.com"),
        "uri" | "url" => Some("https://example.com/"),
        "uuid" => Some("123e4567-e89b-42d3-a456-426614174000"),
        "ipv4" => Some("127.0.0.1"),
        "ipv6" => Some("::1"),
        "hostname" => Some("example.com"),
        _ => None,
    }
}
