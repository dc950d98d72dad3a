use serde_json::{Value, json};

use super::*;

mod bounds;
mod sentences;

const TORTURE: &str = include_str!("../../../../../tests/data/torture-schemas.json");
const REAL: &str = include_str!("../../testdata/server-schemas.json");

fn errors(schema: Value, arguments: Value) -> Vec<(String, String)> {
    Validator::build(&schema)
        .check(&arguments)
        .errors
        .into_iter()
        .map(|error| (error.pointer, error.message))
        .collect()
}

#[track_caller]
fn check(schema: Value, arguments: Value, expected: &[(&str, &str)]) {
    let found = errors(schema, arguments);
    let found: Vec<_> = found
        .iter()
        .map(|(p, m)| (p.as_str(), m.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_torture_schema_accepts_and_refuses_what_it_should() {
    let cases: Vec<Value> = serde_json::from_str(TORTURE).expect("test data");
    assert_eq!(cases.len(), 36, "the whole set is there");
    for case in cases {
        let validator = Validator::build(&case["schema"]);
        assert!(validator.compiled.is_some(), "{} can be used", case["name"]);
        for valid in case["valid"].as_array().expect("samples") {
            let checked = validator.check(valid);
            assert!(
                checked.errors.is_empty(),
                "{}: {valid} fits, but {:?}",
                case["name"],
                checked.errors
            );
        }
        for invalid in case["invalid"].as_array().expect("samples") {
            let checked = validator.check(invalid);
            assert!(
                !checked.errors.is_empty(),
                "{}: {invalid} does not fit",
                case["name"]
            );
        }
    }
}

#[test]
fn schemas_of_published_servers_need_no_repair() {
    let servers: Value = serde_json::from_str(REAL).expect("test data");
    let mut count = 0;
    for (server, tools) in servers.as_object().expect("servers") {
        for (tool, schema) in tools.as_object().expect("tools") {
            count += 1;
            let validator = Validator::build(schema);
            assert_eq!(validator.notes(), [], "{server}/{tool}");
        }
    }
    assert!(count >= 100, "only {count} schemas");
}

#[test]
fn a_missing_property_is_named_by_its_own_place() {
    check(
        json!({"properties": {"a/b": {"required": ["c"]}}, "required": ["x"]}),
        json!({"a/b": {}}),
        &[("/x", "is required"), ("/a~1b/c", "is required")],
    );
}

#[test]
fn errors_are_in_plain_words() {
    for (schema, value, message) in [
        (json!({"minimum": 3}), json!(1), "must be at least 3"),
        (
            json!({"exclusiveMaximum": 3}),
            json!(3),
            "must be less than 3",
        ),
        (
            json!({"enum": ["a", 2, null]}),
            json!("b"),
            "must be one of: \"a\", 2, null",
        ),
        (
            json!({"type": ["integer", "null"]}),
            json!("b"),
            "must be a whole number or null",
        ),
        (json!({"const": "a"}), json!(1), "must be \"a\""),
        (
            json!({"minLength": 1}),
            json!(""),
            "must have at least 1 character",
        ),
        (
            json!({"maxItems": 1}),
            json!([1, 2]),
            "must have at most 1 entry",
        ),
        (
            json!({"uniqueItems": true}),
            json!([1, 1]),
            "must not have duplicates",
        ),
        (
            json!({"pattern": "^a$"}),
            json!("b"),
            "must match the pattern ^a$",
        ),
        (json!(false), json!("b"), "is not allowed here"),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!(5),
            "must be a string or null",
        ),
        (
            json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
            json!("c"),
            "must be one of: \"a\", \"b\"",
        ),
    ] {
        let given = json!({"v": value});
        check(
            json!({"properties": {"v": schema}}),
            given,
            &[("/v", message)],
        );
    }
}

#[test]
fn of_many_choices_the_first_are_listed() {
    let choices: Vec<usize> = (0..15).collect();
    let checked = Validator::build(&json!({"enum": choices})).check(&json!("x"));
    assert_eq!(
        checked.errors[0].message,
        "must be one of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more"
    );
}

#[test]
fn an_unknown_property_is_named_by_its_own_place() {
    check(
        json!({"properties": {"a": {}}, "additionalProperties": false}),
        json!({"b": 1, "c": 2}),
        &[
            ("/b", "is not a property of this tool"),
            ("/c", "is not a property of this tool"),
        ],
    );
}

#[test]
fn the_branch_that_was_meant_gives_the_errors() {
    let click = json!({"properties": {"kind": {"const": "click"}, "at": {"type": "string"}}, "required": ["kind", "at"]});
    let wait = json!({"properties": {"kind": {"const": "wait"}, "ms": {"type": "integer"}}, "required": ["kind", "ms"]});
    let schema = json!({"properties": {"step": {"oneOf": [click, wait]}}});
    check(
        schema,
        json!({"step": {"kind": "wait", "ms": "soon"}}),
        &[("/step/ms", "must be a whole number")],
    );
}

#[test]
fn faults_never_repeat_the_value() {
    let secret = "hunter2-".repeat(100);
    let schema = json!({"properties": {"v": {"enum": ["a"]}, "w": {"maxLength": 3}, "x": {"type": "integer"}}});
    let found = errors(schema, json!({"v": secret, "w": secret, "x": secret}));
    assert_eq!(found.len(), 3);
    assert!(!format!("{found:?}").contains("hunter2"));
}

#[test]
fn at_most_a_hundred_errors_are_told() {
    let list: Vec<Value> = (0..500).map(|_| json!("x")).collect();
    let schema = json!({"properties": {"l": {"items": {"type": "integer"}}}});
    assert_eq!(errors(schema, json!({"l": list})).len(), 100);
}

#[test]
fn nothing_is_fetched() {
    let folder = std::env::temp_dir().join(format!("guild-model-ref-{}.json", std::process::id()));
    std::fs::write(&folder, r#"{"type":"integer"}"#).expect("a file");
    let target = format!("file://{}", folder.display());
    for keyword in ["$ref", "$dynamicRef"] {
        let validator = Validator::build(
            &json!({"properties": {"v": {keyword: target}, "n": {"type": "string"}}}),
        );
        assert!(
            validator.check(&json!({"v": "text"})).errors.is_empty(),
            "the file is not read"
        );
        assert_eq!(
            validator.check(&json!({"n": 1})).errors.len(),
            1,
            "the rest works"
        );
        assert_eq!(validator.notes().len(), 1);
    }
    std::fs::remove_file(&folder).expect("the file");
    // A reference that becomes external through the document's base is not resolved either.
    let validator =
        Validator::build(&json!({"$id": "https://example.invalid/a.json", "$ref": "#/$defs/x"}));
    assert!(validator.check(&json!({})).errors.is_empty());
}

#[test]
fn a_schema_that_is_not_legal_is_used_as_far_as_it_goes() {
    for (schema, bad, rest) in [
        (
            json!({"properties": {"p": {"pattern": "("}, "n": {"type": "string"}}}),
            "/properties/p/pattern",
            true,
        ),
        (
            json!({"properties": {"p": {"type": "strin"}, "n": {"type": "string"}}}),
            "/properties/p/type",
            true,
        ),
        (
            json!({"properties": {"p": {"$ref": "#/nowhere"}, "n": {"type": "string"}}}),
            "/properties/p/$ref",
            true,
        ),
        (
            json!({"properties": {"p": {"$ref": "#gone"}, "n": {"type": "string"}}}),
            "/properties/p/$ref",
            true,
        ),
        (
            json!({"properties": {"p": null, "n": {"type": "string"}}, "additionalProperties": false}),
            "/properties/p",
            true,
        ),
        (
            json!({"properties": {"n": {"type": "string"}}, "required": ["n", 1]}),
            "/required",
            true,
        ),
        (json!("nonsense"), "", false),
        (json!(null), "", false),
    ] {
        let validator = Validator::build(&schema);
        assert!(
            validator.check(&json!({"p": "x"})).errors.is_empty(),
            "{schema}"
        );
        if rest {
            assert!(
                to_strings(validator.notes())
                    .iter()
                    .any(|note| note.starts_with(bad)),
                "{:?}",
                validator.notes()
            );
            assert_eq!(
                validator.check(&json!({"n": 1})).errors.len(),
                1,
                "{schema}"
            );
        }
    }
}

#[test]
fn a_thousand_mistakes_are_mended_at_once() {
    let properties: serde_json::Map<String, Value> = (0..1_000)
        .map(|i| (format!("p{i}"), json!({"type": "string", "required": true})))
        .collect();
    let validator = Validator::build(&json!({"properties": properties}));
    assert_eq!(validator.check(&json!({"p7": 1})).errors.len(), 1);
    assert_eq!(validator.notes().len(), NOTES_MAX);
}

#[test]
fn references_in_a_circle_come_to_an_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"allOf": [{"$ref": "#"}]}),
    ] {
        Validator::build(&schema).check(&json!({"a": 1}));
    }
}

#[test]
fn a_pattern_that_backtracks_without_end_is_given_up() {
    let validator =
        Validator::build(&json!({"properties": {"v": {"pattern": "^(?=(a+)+$)b|(a|a)*(?<!x)$"}}}));
    let checked = validator.check(&json!({"v": format!("{}!", "a".repeat(40))}));
    assert!(checked.errors.len() + checked.notes.len() <= 1);
}

#[test]
fn the_dialect_is_the_one_that_is_named() {
    let draft_4 = json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"v": {"minimum": 3, "exclusiveMinimum": true}}});
    assert_eq!(errors(draft_4, json!({"v": 3})).len(), 1);
    let draft_7 = json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"v": {"items": [{"type": "string"}]}}});
    assert_eq!(errors(draft_7, json!({"v": [1]})).len(), 1);
}
