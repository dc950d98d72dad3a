//! Tests that building and checking terminate. A failing test hangs or runs out of memory.

use serde_json::{Map, Value, json};

use super::super::*;
use crate::validate::weight::LEVELS_MAX;

/// Definitions `d0`, `d1`, … where each refers to the next one.
fn chain(steps: usize, next: impl Fn(Value) -> Value) -> Value {
    let mut definitions: Map<String, Value> = (0..steps)
        .map(|step| {
            let reference = json!({"$ref": format!("#/$defs/d{}", step + 1)});
            (format!("d{step}"), next(reference))
        })
        .collect();
    definitions.insert(format!("d{steps}"), json!({"type": "integer"}));
    json!({
        "properties": {"v": {"$ref": "#/$defs/d0"}, "n": {"type": "string"}},
        "$defs": definitions
    })
}

fn check(schema: &Value, arguments: &Value) -> CheckedArguments {
    Validator::build(schema).check(arguments)
}

#[track_caller]
fn is_not_checked(schema: &Value, arguments: &Value) {
    let checked = check(schema, arguments);
    assert_eq!(checked.errors, []);
    assert!(
        checked.notes.iter().any(|note| note.contains("too long")),
        "{:?}",
        checked.notes
    );
}

#[test]
fn doubling_references_are_given_up() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = chain(40, |next| json!({keyword: [next, next]}));
        let validator = Validator::build(&schema);
        let notes = to_strings(validator.notes());
        assert!(notes[0].starts_with("/properties/v: "), "{notes:?}");
        let errors = validator.check(&json!({"v": 1, "n": 1})).errors;
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].pointer, "/n");
    }
}

#[test]
fn references_that_double_in_a_circle_end() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let definitions: Map<String, Value> = (0..30)
            .map(|step| {
                let next = json!({"$ref": format!("#/$defs/d{}", (step + 1) % 30)});
                (format!("d{step}"), json!({keyword: [next, next]}))
            })
            .collect();
        let schema = json!({"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
        check(&schema, &json!({"v": 1}));
    }
}

#[test]
fn anchors_that_double_at_each_step_end() {
    let definitions: Map<String, Value> = (0..40)
        .map(|step| {
            let next = json!({"$ref": format!("#a{}", step + 1)});
            let schema = json!({"$anchor": format!("a{step}"), "allOf": [next, next]});
            (format!("d{step}"), schema)
        })
        .chain([("last".into(), json!({"$anchor": "a40"}))])
        .collect();
    let schema = json!({"properties": {"v": {"$ref": "#a0"}}, "$defs": definitions});
    is_not_checked(&schema, &json!({"v": 1}));
}

#[test]
fn a_chain_of_references_never_overflows_the_stack() {
    for next in [
        (|next| next) as fn(Value) -> Value,
        |next| json!({"allOf": [next]}),
        |next| json!({"not": {"not": next}}),
        |next| json!({"properties": {"a": next}}),
        |next| json!({"items": {"anyOf": [next, {"type": "null"}]}}),
    ] {
        for steps in [LEVELS_MAX / 4, LEVELS_MAX - 3, 6_000] {
            let schema = chain(steps, next);
            let deep = (0..60).fold(json!("x"), |inner, _| json!([inner]));
            let errors = check(&schema, &json!({"v": deep, "n": 1})).errors;
            assert!(
                errors.iter().any(|error| error.pointer == "/n"),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn a_tree_of_arguments_as_deep_as_json_may_be_is_checked() {
    let schema = json!({
        "properties": {"tree": {"$ref": "#/$defs/tree"}},
        "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}
    });
    let tree = |leaf| (0..120).fold(leaf, |inner, _| json!([inner]));
    assert_eq!(check(&schema, &json!({"tree": tree(json!([]))})).errors, []);
    let errors = check(&schema, &json!({"tree": tree(json!(1))})).errors;
    assert_eq!(errors.len(), 1);
}

#[test]
fn branches_that_multiply_with_the_depth_of_the_arguments_end() {
    let branch = json!({"items": {"$ref": "#/$defs/node"}});
    let schema = json!({
        "properties": {"v": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"anyOf": [branch, branch, branch, branch], "minLength": 2}}
    });
    let deep = |levels| (0..levels).fold(json!("x"), |inner, _| json!([inner]));
    assert!(!check(&schema, &json!({"v": deep(3)})).errors.is_empty());
    is_not_checked(&schema, &json!({"v": deep(100)}));
}

#[test]
fn a_union_of_many_branches_makes_no_copies_of_a_long_list() {
    let branches = vec![json!({"type": "integer"}); 1_000];
    let schema = json!({"properties": {"v": {"anyOf": branches}}});
    let list = vec![json!(1); 9_000];
    let errors = check(&schema, &json!({"v": list})).errors;
    assert_eq!(errors.len(), 1);
    assert!(errors[0].message.contains("too large to show where"));
    is_not_checked(&schema, &json!({"v": vec![json!(1); 200_000]}));
}

#[test]
fn long_lists_are_checked() {
    let list = |entry: fn(usize) -> Value| -> Value { (0..100_000).map(entry).collect() };
    let numbers = list(|n| json!(n));
    let records = list(|n| json!({"name": format!("n{n}"), "at": [n]}));
    let names: Vec<String> = (0..30_000).map(|n| format!("n{n}")).collect();
    for (schema, fits, fails) in [
        (
            json!({"uniqueItems": true}),
            numbers.clone(),
            list(|n| json!(n / 2)),
        ),
        (
            json!({"uniqueItems": true}),
            records.clone(),
            list(|_| json!({"a": []})),
        ),
        (
            json!({"contains": {"const": 99_999}}),
            numbers.clone(),
            list(|_| json!(1)),
        ),
        (
            json!({"items": {"type": "integer"}}),
            numbers.clone(),
            list(|_| json!("x")),
        ),
    ] {
        let schema = json!({"properties": {"v": schema}});
        let checked = check(&schema, &json!({"v": fits}));
        assert_eq!(
            (checked.errors, checked.notes),
            (vec![], vec![]),
            "{schema}"
        );
        let errors = check(&schema, &json!({"v": fails})).errors;
        assert_eq!(errors.len(), 1, "{schema}");
    }
    let schema = json!({"properties": {"v": {"enum": names}}});
    assert_eq!(check(&schema, &json!({"v": "n29999"})).errors, []);
    assert_eq!(check(&schema, &json!({"v": "other"})).errors.len(), 1);
}

#[test]
fn a_list_held_against_a_list_of_choices_ends() {
    let choices: Vec<Value> = (0..20_000).map(|n| json!([n])).collect();
    let schema = json!({"properties": {"v": {"items": {"enum": choices}}}});
    let list: Value = (0..100_000).map(|_| json!([-1])).collect();
    is_not_checked(&schema, &json!({"v": list}));
}

#[test]
fn patterns_that_backtrack_end_over_a_long_list() {
    let schema = json!({"properties": {"v": {"items": {"pattern": "^(?:(?:a|ab|b|ba)(?!x))+c"}}}});
    let list = |count| vec![json!("ab".repeat(40)); count];
    check(&schema, &json!({"v": list(20)}));
    is_not_checked(&schema, &json!({"v": list(50_000)}));
}

#[test]
fn a_text_of_the_largest_size_is_checked() {
    let text = "a".repeat(8 << 20);
    for (schema, errors) in [
        (json!({"type": "string", "maxLength": 10}), 1),
        (json!({"pattern": "^a+$"}), 0),
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), 0),
    ] {
        let schema = json!({"properties": {"v": schema}});
        let checked = check(&schema, &json!({"v": text}));
        assert_eq!(checked.errors.len(), errors, "{schema}");
    }
}

#[test]
fn unusable_schema_never_refuses_a_value() {
    let out = json!({"$ref": "https://example.invalid/a.json"});
    for part in [
        json!({"oneOf": [out, out]}),
        json!({"not": out}),
        json!({"if": out, "then": false}),
        json!({"not": {"$ref": "#/$defs/a"}}),
        json!({"not": {"$ref": "#/nowhere"}}),
        json!({"not": {"pattern": "("}}),
        json!({"contains": out, "maxContains": 1, "minContains": 0}),
        json!({"allOf": [{"$ref": "#/nowhere"}], "unevaluatedItems": false}),
    ] {
        let schema = json!({
            "properties": {"v": part, "n": {"type": "string"}},
            "$defs": {"a": {"anyOf": [out]}}
        });
        let errors = check(&schema, &json!({"v": [1, 2], "n": 1})).errors;
        assert_eq!(errors.len(), 1, "{schema}: {errors:?}");
        assert_eq!(errors[0].pointer, "/n");
    }
}
