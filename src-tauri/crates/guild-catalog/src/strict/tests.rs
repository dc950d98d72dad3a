use super::*;
use guild_schema::schema::bound;
use guild_schema::validate::Validator;

fn as_sent(raw: &Value, form: SchemaForm) -> Value {
    let fields = raw.as_object().expect("an object");
    let sent = tool(fields, form).unwrap_or_else(|| fields.clone());
    Value::Object(sent)
}

fn schema_as_sent(schema: &Value, form: SchemaForm) -> Value {
    as_sent(&json!({"name": "t", "inputSchema": schema}), form)["inputSchema"].clone()
}

/// Applies the check that SDKs run on a list before they show any tool.
fn is_taken(tool: &Value) -> bool {
    let object_schema = |schema: &Value| {
        schema["type"] == "object"
            && schema.get("properties").is_none_or(|properties| {
                properties
                    .as_object()
                    .is_some_and(|it| it.values().all(Value::is_object))
            })
            && schema.get("required").is_none_or(are_texts)
    };
    tool["name"].is_string()
        && tool.get("description").is_none_or(Value::is_string)
        && object_schema(&tool["inputSchema"])
        && tool.get("outputSchema").is_none_or(object_schema)
}

#[test]
fn odd_shapes_are_sent_as_equivalents() {
    for (schema, sent) in [
        (json!({}), json!({"type": "object"})),
        (
            json!({"$schema": "x"}),
            json!({"type": "object", "$schema": "x"}),
        ),
        (
            json!({"type": ["object", "null"]}),
            json!({"type": "object"}),
        ),
        (
            json!({"type": "object", "properties": {"any": true, "none": false}}),
            json!({"type": "object", "properties": {"any": {}, "none": {"not": {}}}}),
        ),
        (
            json!({"type": "object", "properties": {"list": {"type": "array", "items": true}},
                "additionalProperties": false}),
            json!({"type": "object", "properties": {"list": {"type": "array", "items": {}}},
                "additionalProperties": false}),
        ),
        (
            json!({"type": "object", "properties": null, "required": null}),
            json!({"type": "object"}),
        ),
        (
            json!({"type": "object", "$defs": {"x": true}, "allOf": [true, {"not": false}]}),
            json!({"type": "object", "$defs": {"x": {}}, "allOf": [{}, {"not": {"not": {}}}]}),
        ),
    ] {
        assert_eq!(schema_as_sent(&schema, SchemaForm::Objects), sent);
        assert_eq!(schema_as_sent(&schema, SchemaForm::Raw), schema);
    }
}

#[test]
fn booleans_in_data_stay() {
    let schema = json!({"type": "object", "properties": {
        "flag": {"type": "boolean", "default": true, "enum": [true, false], "const": true},
        "map": {"type": "object", "additionalProperties": true, "unevaluatedProperties": false},
    }, "examples": [{"flag": true}]});
    let raw = json!({"name": "t", "inputSchema": schema});
    let fields = raw.as_object().expect("an object");
    for form in SchemaForm::ALL {
        assert_eq!(tool(fields, form), None, "nothing is to be changed");
    }
}

#[test]
fn choices_at_the_top_level_are_merged() {
    let schema = json!({
        "type": "object",
        "properties": {"repo": {"type": "string"}},
        "required": ["repo"],
        "$defs": {"by_id": {"properties": {"id": {"type": "integer"}}, "required": ["id", "repo"]}},
        "oneOf": [
            {"$ref": "#/$defs/by_id"},
            {"properties": {"id": {"type": "string"}, "name": {"type": "string"}},
                "required": ["name", "repo"]},
        ],
    });
    let sent = schema_as_sent(&schema, SchemaForm::Flat);
    assert_eq!(
        sent["properties"],
        json!({
            "repo": {"type": "string"},
            "id": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "name": {"type": "string"},
        })
    );
    assert_eq!(sent["required"], json!(["repo"]));
    assert!(
        CHOICES.iter().all(|choice| sent.get(choice).is_none()),
        "{sent}"
    );
    assert_eq!(schema_as_sent(&schema, SchemaForm::Objects), schema);
}

#[test]
fn flat_schemas_take_what_their_members_take() {
    let schemas = [
        json!({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            "properties": {"a": {"type": "integer"}, "b": {}}}),
        json!({"oneOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"required": ["b"]}]}),
        json!({"allOf": [{"required": ["a"]}, {"anyOf": [{"required": ["b"]}, {}]}]}),
        json!({"type": "object", "enum": [{"a": 1}], "not": {"required": ["c"]}}),
        json!({"type": "object", "allOf": [{"$ref": "other.json"}], "additionalProperties": false}),
    ];
    let values = [
        json!({}),
        json!({"a": 1}),
        json!({"a": "x"}),
        json!({"b": 1}),
        json!({"a": 1, "b": 2}),
        json!({"a": 1, "c": 2}),
    ];
    for schema in &schemas {
        let sent = schema_as_sent(schema, SchemaForm::Flat);
        let (own, flat) = (bound(schema).schema, Validator::build(&sent));
        let own = Validator::build(&own);
        for value in &values {
            let fits = |validator: &Validator| validator.check(value).errors.is_empty();
            assert!(!fits(&own) || fits(&flat), "{schema} as {sent}: {value}");
        }
    }
}

#[test]
fn a_schema_that_refers_to_itself_is_merged_once() {
    let schema = json!({"type": "object", "$ref": "#", "anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
    let sent = schema_as_sent(&schema, SchemaForm::Flat);
    assert_eq!(sent, json!({"type": "object", "$ref": "#"}));
}

#[test]
fn fields_of_another_kind_are_left_out() {
    let raw = json!({
        "name": "t", "description": null, "title": 7, "_meta": [], "icons": [{"href": "x"}],
        "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"},
        "annotations": {"title": "T", "readOnlyHint": "yes", "openWorldHint": true, "x": 1},
        "execution": {"taskSupport": "sometimes"}, "x-vendor": null,
    });
    assert_eq!(
        as_sent(&raw, SchemaForm::Objects),
        json!({
            "name": "t", "inputSchema": {"type": "object"},
            "annotations": {"title": "T", "openWorldHint": true, "x": 1}, "x-vendor": null,
        })
    );
}

#[test]
fn odd_tools_are_taken_by_strict_clients() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/data/odd-schemas.json"
    );
    let text = std::fs::read_to_string(file).expect("the odd tools");
    let tools: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    assert!(!tools.is_empty());
    for tool in &tools {
        let fields = tool.as_object().expect("an object");
        assert!(!odd_shapes(fields).is_empty(), "{tool}");
        for form in [SchemaForm::Objects, SchemaForm::Flat] {
            let sent = as_sent(tool, form);
            assert!(is_taken(&sent), "{sent}");
        }
        let flat = as_sent(tool, SchemaForm::Flat);
        let choice = CHOICES
            .iter()
            .find(|choice| flat["inputSchema"].get(choice).is_some());
        assert_eq!(choice, None, "{flat}");
    }
}

#[test]
fn odd_shapes_are_told_apart() {
    use OddShape::{Boolean, Choice, Field, Untyped};
    let object = || json!({"type": "object"});
    let nested = json!({"type": "object", "properties": {"a": {"items": true}}});
    let open = json!({"type": "object", "additionalProperties": true});
    for (tool, shapes) in [
        (json!({"inputSchema": {}}), vec![Untyped]),
        (
            json!({"inputSchema": {"oneOf": [{}]}}),
            vec![Untyped, Choice],
        ),
        (json!({"inputSchema": nested}), vec![Boolean]),
        (
            json!({"inputSchema": object(), "outputSchema": nested}),
            vec![Boolean],
        ),
        (json!({"inputSchema": object(), "title": 7}), vec![Field]),
        (
            json!({"inputSchema": object(), "outputSchema": {"type": "array"}}),
            vec![Field],
        ),
        (json!({"inputSchema": open}), vec![]),
    ] {
        let fields = tool.as_object().expect("an object");
        assert_eq!(odd_shapes(fields), shapes, "{tool}");
        let is_same = super::tool(fields, SchemaForm::Flat).is_none();
        assert_eq!(is_same, shapes.is_empty(), "{tool}");
    }
}
