//! Removes the fields that known clients add to the arguments of every tool. Schemas with
//! `additionalProperties: false` would reject them.

use guild_catalog::known::KnownClient;
use guild_model::arguments::without_fields;
use serde_json::Value;
use serde_json::value::RawValue;

/// Returns the fields that a client adds and that the tool's schema lacks.
pub(super) fn added_by(client: &str, schema: Option<&Value>) -> Vec<&'static str> {
    let Some(known) = KnownClient::by_name(client) else {
        return vec![];
    };
    let is_own = |field: &&&str| {
        let schema = schema.and_then(Value::as_object);
        schema.is_some_and(|schema| {
            let has = |key| schema.get(key).and_then(|it| it.get(**field)).is_some();
            has("properties") || schema.contains_key("patternProperties")
        })
    };
    let fields = known.added_fields.iter();
    fields.filter(|field| !is_own(field)).copied().collect()
}

/// Returns the arguments without the client's additional fields.
pub(super) fn without_added(
    arguments: Box<RawValue>,
    client: &str,
    schema: Option<&Value>,
) -> Box<RawValue> {
    let added = added_by(client, schema);
    let rest = without_fields(arguments.get(), &added);
    let rest = rest.and_then(|(rest, _)| RawValue::from_string(rest).ok());
    rest.unwrap_or(arguments)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const GEMINI: &str = "gemini-cli-mcp-client";

    fn left(arguments: &str, client: &str, schema: &Value) -> String {
        let arguments = RawValue::from_string(arguments.to_owned()).expect("JSON");
        without_added(arguments, client, Some(schema))
            .get()
            .to_owned()
    }

    #[test]
    fn only_what_its_client_adds_is_taken_out() {
        let text = r#"{"a":1.0,"wait_for_previous":true,"b":2}"#;
        let closed = json!({"type": "object", "properties": {"a": {}}});
        assert_eq!(left(text, GEMINI, &closed), r#"{"a":1.0,"b":2}"#);
        assert_eq!(left(text, "another", &closed), text);
        let own = json!({"properties": {"wait_for_previous": {"type": "boolean"}}});
        assert_eq!(left(text, GEMINI, &own), text, "the tool has it itself");
    }
}
