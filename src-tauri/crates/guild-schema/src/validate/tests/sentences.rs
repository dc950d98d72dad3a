//! Tests of error messages about unions, conditions, exceptions and patterns.

use serde_json::json;

use super::*;

/// Checks the schema and the value at the path `v`.
#[track_caller]
fn says(schema: Value, given: Value, message: &str) {
    let schema = json!({"properties": {"v": schema}});
    check(schema, json!({"v": given}), &[("/v", message)]);
}

#[test]
fn types_of_a_union_are_named_once() {
    let object = json!({"type": "object", "required": ["a"]});
    says(
        json!({"anyOf": [object, {"type": "string"}, {"type": "object"}, {"type": "null"}, {"type": "integer"}, {"type": "number"}]}),
        json!(true),
        "must be an object, a string, a number or null",
    );
}

#[test]
fn no_form_names_the_closest_and_its_lack() {
    let branches: Vec<Value> = (0..31)
        .map(|i| {
            json!({
                "title": format!("Form {i}"),
                "properties": {"id": {"type": "integer"}, format!("p{i}"): {"type": "string"}},
                "required": ["id", format!("p{i}"), format!("q{i}")],
                "additionalProperties": false,
            })
        })
        .collect();
    says(
        json!({"anyOf": branches}),
        json!({"p7": "x", "id": 1}),
        "matches none of 31 allowed forms; the closest is “Form 7”: q7 is required",
    );
}

#[test]
fn unions_within_unions_end_in_short_words() {
    let mut schema = json!({"required": ["end"]});
    for _ in 0..8 {
        schema = json!({"oneOf": [
            {"required": ["in"], "properties": {"in": schema}},
            {"required": ["in"], "properties": {"in": schema, "x": {"maximum": 0}}},
        ]});
    }
    let mut given = json!({});
    for _ in 0..8 {
        given = json!({"in": given});
    }
    let found = errors(schema, given);
    assert_eq!(found.len(), 1);
    assert!(found[0].1.len() < 1_000, "{}", found[0].1);
}

#[test]
fn discriminator_lists_the_values_of_all_branches() {
    let form = |kind: &str| json!({"properties": {"kind": {"const": kind}}, "required": ["kind"]});
    let union = json!({"oneOf": [form("click"), form("wait"), {"type": "null"}]});
    let schema = json!({"properties": {"v": union}});
    check(
        schema.clone(),
        json!({"v": {}}),
        &[(
            "/v/kind",
            "is required and must be one of: \"click\", \"wait\"",
        )],
    );
    check(
        schema,
        json!({"v": {"kind": "jump"}}),
        &[("/v/kind", "must be one of: \"click\", \"wait\"")],
    );
}

#[test]
fn chosen_branch_says_why_a_property_is_required() {
    let form = |kind: &str, needs: &str| json!({"properties": {"kind": {"const": kind}}, "required": [needs]});
    let mut schema = json!({"properties": {"kind": {"type": "string"}, "at": {}, "ms": {}}});
    schema["oneOf"] = json!([form("click", "at"), form("wait", "ms")]);
    check(
        schema,
        json!({"kind": "wait"}),
        &[("/ms", "is required when kind is \"wait\"")],
    );
}

#[test]
fn missing_sets_of_properties_are_listed() {
    let any = json!({"properties": {"a": {}, "b": {}, "c": {}}, "anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]});
    check(any, json!({}), &[("", "needs a and b or c")]);
    let one = json!({"properties": {"a": {}, "c": {}}, "oneOf": [{"required": ["a"]}, {"required": ["c"]}]});
    check(
        one,
        json!({"a": 1, "c": 1}),
        &[("", "must have at most one of these: a or c")],
    );
}

#[test]
fn several_forms_are_named() {
    says(
        json!({"oneOf": [{"title": "Short", "maxLength": 9}, {"minimum": 3}, {"maxLength": 1}]}),
        json!("ab"),
        "matches more than one form: “Short”, form 2",
    );
}

#[test]
fn exceptions_are_named() {
    for (not, given, message) in [
        (json!({"const": 0}), json!(0), "must not be any of: 0"),
        (
            json!({"enum": ["a", "b"]}),
            json!("b"),
            "must not be any of: \"a\", \"b\"",
        ),
        (
            json!({"required": ["a"]}),
            json!({"a": 1}),
            "must not have a",
        ),
        (
            json!({"required": ["a", "b"]}),
            json!({"a": 1, "b": 1}),
            "must not have a and b together",
        ),
        (
            json!({"pattern": "^x"}),
            json!("xy"),
            "must not match the pattern ^x",
        ),
        (json!({}), json!("b"), "is not allowed here"),
        (
            json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            json!({"b": 1}),
            "must not have a or b",
        ),
        (
            json!({"type": "string", "maxLength": 2}),
            json!("b"),
            "must not match {\"type\":\"string\",\"maxLength\":2}",
        ),
    ] {
        says(json!({"not": not}), given, message);
    }
}

#[test]
fn pattern_with_a_format_or_description_is_put_into_words() {
    let pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$";
    let description = "Start of the event,\n in RFC 3339.";
    for (schema, message) in [
        (
            json!({"pattern": pattern, "format": "date-time", "description": description}),
            "must be a valid date-time, for example 2026-11-20T12:34:56Z",
        ),
        (
            json!({"pattern": pattern, "description": description}),
            "does not match its pattern. Its description: Start of the event, in RFC 3339.",
        ),
        (
            json!({"pattern": "^[A-Z]{2}$", "description": description}),
            "must match the pattern ^[A-Z]{2}$",
        ),
        (
            json!({"pattern": "^[A-Z]{2}$", "examples": ["DE"]}),
            "must match the pattern ^[A-Z]{2}$, for example DE",
        ),
        (
            json!({"pattern": "^2026-", "format": "date-time"}),
            "must be a valid date-time, for example 2026-11-20T12:34:56Z",
        ),
        (
            json!({"pattern": "^https://github\\.com/", "format": "uri"}),
            "must match the pattern ^https://github\\.com/",
        ),
        (
            json!({"pattern": "^[a-z]+-[0-9]+$", "format": "ticket"}),
            "must match the pattern ^[a-z]+-[0-9]+$",
        ),
    ] {
        says(schema.clone(), json!("tomorrow"), message);
        let shared =
            json!({"properties": {"v": {"$ref": "#/$defs/a~1b"}}, "$defs": {"a/b": schema}});
        check(shared, json!({"v": "tomorrow"}), &[("/v", message)]);
    }
    // The value has the format, but does not match the pattern.
    let github = r"^https://github\.com/[^/]+/[^/]+$";
    for (schema, message) in [
        (
            json!({"pattern": "^https://github\\.com/", "format": "uri"}),
            "must match the pattern ^https://github\\.com/",
        ),
        (
            json!({"pattern": "^https://github\\.com/", "format": "url", "example": "https://github.com/a/b"}),
            "must match the pattern ^https://github\\.com/, for example https://github.com/a/b",
        ),
        (
            json!({"pattern": github, "format": "uri", "description": "A repository at GitHub"}),
            "does not match its pattern. Its description: A repository at GitHub",
        ),
        (
            json!({"pattern": "/$", "format": "uri"}),
            "must match the pattern /$",
        ),
    ] {
        says(schema, json!("https://example.com/x"), message);
    }
}

#[test]
fn required_names_what_demands_it() {
    for (rule, given, pointer, message) in [
        (
            json!({"dependentRequired": {"end": ["start"], "other": ["start"], "third": ["start"]}}),
            json!({"end": 1, "third": 1}),
            "/start",
            "is required together with end and third",
        ),
        (
            json!({"dependentSchemas": {"en/d": {"required": ["start"]}}}),
            json!({"en/d": 1}),
            "/start",
            "is required together with en/d",
        ),
        (
            json!({"if": {"properties": {"kind": {"const": "x"}}, "required": ["kind"]}, "then": {"required": ["start"]}}),
            json!({"kind": "x"}),
            "/start",
            "is required when kind is \"x\"",
        ),
        (
            json!({"allOf": [{"if": {"required": ["end"]}, "then": {"allOf": [{"required": ["start"]}]}}]}),
            json!({"end": 1}),
            "/start",
            "is required when end is given",
        ),
        (
            json!({"if": {"properties": {"kind": {"const": "x"}}, "required": ["kind"]}, "else": {"required": ["start"]}}),
            json!({"kind": "y"}),
            "/start",
            "is required unless kind is \"x\"",
        ),
        (
            json!({"if": {"properties": {"n": {"minimum": 3}}}, "then": {"required": ["start"]}}),
            json!({"n": 3}),
            "/start",
            "is required because of the other values",
        ),
        (
            json!({"if": {"required": ["end"]}, "then": {"$ref": "#/$defs/x"}, "$defs": {"x": {"required": ["start"]}}}),
            json!({"end": 1}),
            "/start",
            "is required when end is given",
        ),
        (
            json!({"if": {"required": ["end"]}, "else": {"$ref": "#/$defs/x"}, "$defs": {"x": {"allOf": [{"$ref": "#/$defs/y"}]}, "y": {"required": ["start"]}}}),
            json!({}),
            "/start",
            "is required unless end is given",
        ),
        (
            json!({"dependentSchemas": {"en/d": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"required": ["start"]}}}),
            json!({"en/d": 1}),
            "/start",
            "is required together with en/d",
        ),
        (
            json!({"$ref": "#/$defs/x", "$defs": {"x": {"dependentRequired": {"end": ["start"]}}}}),
            json!({"end": 1}),
            "/start",
            "is required together with end",
        ),
        (
            json!({"allOf": [{"$ref": "#/$defs/rule%25"}], "$defs": {"rule%": {"if": {"required": ["end"]}, "then": {"required": ["start"]}}}}),
            json!({"end": 1}),
            "/start",
            "is required when end is given",
        ),
    ] {
        check(rule, given, &[(pointer, message)]);
    }
    let draft_7 = json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"end": ["start"]}});
    check(
        draft_7,
        json!({"end": 1}),
        &[("/start", "is required together with end")],
    );
}
