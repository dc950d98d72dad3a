//! Converts a JSON object to a tool.

use serde_json::{Map, Value, json};

use super::values::JsonValueScanner;

/// The field names for a tool's schema in servers and model APIs.
const SCHEMAS: [&str; 4] = ["inputSchema", "input_schema", "parameters", "schema"];
/// Maximum number of wrapper objects around a list.
const WRAPPED_MAX: usize = 8;

/// Converts an object to a tool in a server's format. `None` if it has no name.
pub(super) fn tool(object: &Value) -> Option<Value> {
    let object = object.as_object()?;
    // {"type": "function", "function": {…}}
    let object = match object.get("function") {
        Some(Value::Object(function)) => function,
        _ => object,
    };
    let name = object.get("name")?.as_str()?;
    let schema = schema(object).cloned();
    let mut tool = Map::new();
    tool.insert("name".into(), name.into());
    if let Some(description) = object.get("description").and_then(Value::as_str) {
        tool.insert("description".into(), description.into());
    }
    let schema = schema.unwrap_or_else(|| json!({"type": "object"}));
    tool.insert("inputSchema".into(), schema);
    Some(Value::Object(tool))
}

/// Checks whether an object has a description or a schema in addition to a name, as tools do.
pub(super) fn is_described(object: &Value) -> bool {
    let inner = object.get("function").filter(|inner| inner.is_object());
    let object = inner.unwrap_or(object).as_object();
    object.is_some_and(|object| {
        object.get("description").is_some_and(Value::is_string) || schema(object).is_some()
    })
}

fn schema(object: &Map<String, Value>) -> Option<&Value> {
    let schemas = SCHEMAS.iter().filter_map(|field| object.get(*field));
    schemas.into_iter().find(|schema| schema.is_object())
}

/// Returns the tools of the first object in a text that has a tool list in this field.
pub(super) fn listed(text: &str, field: &str) -> Vec<Value> {
    let found = JsonValueScanner::of(text).find_map(|value| in_value(&value, field, WRAPPED_MAX));
    found.unwrap_or_default()
}

fn in_value(value: &Value, field: &str, deeper: usize) -> Option<Vec<Value>> {
    let deeper = deeper.checked_sub(1)?;
    match value {
        Value::Object(object) => {
            let list = object.get(field).and_then(Value::as_array);
            let tools = list.and_then(|list| some(list.iter().filter_map(tool).collect()));
            tools.or_else(|| {
                object
                    .values()
                    .find_map(|inner| in_value(inner, field, deeper))
            })
        }
        Value::Array(list) => list.iter().find_map(|inner| in_value(inner, field, deeper)),
        _ => None,
    }
}

pub(super) fn some(list: Vec<Value>) -> Option<Vec<Value>> {
    (!list.is_empty()).then_some(list)
}
