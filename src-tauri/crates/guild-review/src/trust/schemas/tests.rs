use proptest::prelude::*;
use serde_json::json;

use super::*;
use guild_schema::validate::Validator;

fn effects(old: Value, new: Value) -> Vec<(String, SchemaEffect)> {
    let changes = changes(&old, &new);
    changes
        .into_iter()
        .map(|change| (change.pointer, change.effect))
        .collect()
}

#[test]
fn each_change_is_told_where_it_is_and_what_it_means() {
    use SchemaEffect::{Breaking, Widened, Words};
    for (old, new, pointer, effect) in [
        (
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            "",
            Widened,
        ),
        (
            json!({"type": "integer"}),
            json!({"type": "number"}),
            "",
            Widened,
        ),
        (
            json!({"type": "number"}),
            json!({"type": "integer"}),
            "",
            Breaking,
        ),
        (json!({}), json!({"type": "string"}), "", Breaking),
        (
            json!({"enum": ["a"]}),
            json!({"enum": ["a", "b"]}),
            "",
            Widened,
        ),
        (
            json!({"enum": ["a", "b"]}),
            json!({"const": "a"}),
            "",
            Breaking,
        ),
        (json!({"const": "a"}), json!({}), "", Widened),
        (
            json!({"required": ["a"]}),
            json!({"required": ["a", "b"]}),
            "",
            Breaking,
        ),
        (json!({"required": ["a"]}), json!({}), "", Widened),
        (
            json!({"properties": {}}),
            json!({"properties": {"a": {}}}),
            "/properties/a",
            Widened,
        ),
        (
            json!({"properties": {"a": {}}}),
            json!({"properties": {}}),
            "/properties/a",
            Breaking,
        ),
        (
            json!({"properties": {"a/b": {"description": "x"}}}),
            json!({"properties": {"a/b": {"description": "y"}}}),
            "/properties/a~1b",
            Words,
        ),
        (json!({"minimum": 1}), json!({"minimum": 0}), "", Widened),
        (
            json!({"maxLength": 5}),
            json!({"maxLength": 4}),
            "",
            Breaking,
        ),
        (
            json!({"pattern": "a"}),
            json!({"pattern": "b"}),
            "",
            Breaking,
        ),
        (json!({"pattern": "a"}), json!({}), "", Widened),
        (
            json!({"additionalProperties": false}),
            json!({}),
            "/additionalProperties",
            Widened,
        ),
        (
            json!({"oneOf": [{}]}),
            json!({"oneOf": [{}, {}]}),
            "",
            Breaking,
        ),
        (
            json!({"not": {"type": "string"}}),
            json!({"not": {}}),
            "",
            Breaking,
        ),
        (
            json!({"items": {"type": "string"}}),
            json!({"items": {"type": "integer"}}),
            "/items",
            Breaking,
        ),
        (json!({"default": 1}), json!({"default": 2}), "", Words),
        (json!({"x-order": 1}), json!({}), "", Words),
        (json!({"unheard-of": 1}), json!({}), "", Breaking),
    ] {
        let found = effects(old.clone(), new.clone());
        assert_eq!(found, [(pointer.to_owned(), effect)], "{old} -> {new}");
    }
}

#[test]
fn breaking_schema_changes_come_first() {
    let old = json!({"properties": {"a": {"description": "x"}}, "required": []});
    let new = json!({"properties": {"a": {"description": "y"}}, "required": ["a"]});
    let found = effects(old.clone(), new);
    assert_eq!(found[0].1, SchemaEffect::Breaking);
    assert_eq!(found[1].1, SchemaEffect::Words);
    assert_eq!(effects(old.clone(), old), []);
}

#[test]
fn schemas_without_end_are_bounded() {
    let deep = |inner: Value| (0..100).fold(inner, |inner, _| json!({"items": inner}));
    let found = effects(deep(json!({})), deep(json!({"type": "string"})));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].1, SchemaEffect::Breaking);
    let wide = |kind: &str| {
        let properties = (0..1_000).map(|at| (at.to_string(), json!({"type": kind})));
        json!({"properties": properties.collect::<Map<_, _>>()})
    };
    let found = changes(&wide("string"), &wide("integer"));
    assert_eq!(found.len(), CHANGES_MAX);
}

/// Placeholder at the position where two compared schemas differ.
const HOLE: &str = "$hole";

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": ["number", "null"]})),
        Just(json!({"type": ["number", "null", "string"], "description": "x"})),
        Just(json!({"enum": ["a", 1]})),
        Just(json!({"enum": ["a"]})),
        Just(json!({"const": 1})),
        (0..4).prop_map(|least| json!({"minimum": least})),
        (0..4).prop_map(|most| json!({"maxLength": most, "type": "string"})),
        Just(json!({"not": {"type": "string"}})),
        Just(json!({"type": "object", "additionalProperties": false})),
        Just(json!({"type": "object", "additionalProperties": {"type": "integer"}})),
        Just(json!({"properties": {"a": {"type": "integer"}}, "required": ["a"]})),
        Just(json!({"properties": {"a": {"type": "integer"}}})),
        Just(json!({"items": {"type": "integer"}, "uniqueItems": true})),
        Just(json!({"items": {"type": ["integer", "string"]}, "minItems": 1})),
        Just(json!({"anyOf": [{"type": "integer"}]})),
        Just(json!({"anyOf": [{"type": "integer"}, {"type": "string"}]})),
    ]
}

/// Generates a schema with holes.
fn around() -> impl Strategy<Value = Value> {
    let inner = prop_oneof![4 => Just(json!({HOLE: 1})), 1 => leaf()];
    inner.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (
                prop::collection::btree_map("[abc]", inner.clone(), 0..3),
                prop::collection::btree_set("[abc]", 0..2),
                prop::option::of(prop_oneof![Just(json!(false)), inner.clone()]),
            )
                .prop_map(|(properties, required, additional)| {
                    let mut schema = json!({
                        "type": "object", "properties": properties, "required": required,
                    });
                    if let Some(additional) = additional {
                        schema["additionalProperties"] = additional;
                    }
                    schema
                }),
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|any| json!({"anyOf": any})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|one| json!({"oneOf": one})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({"allOf": all})),
            inner.clone().prop_map(|not| json!({"not": not})),
        ]
    })
}

fn filled(schema: &Value, with: &Value) -> Value {
    match schema {
        Value::Object(fields) if fields.contains_key(HOLE) => with.clone(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), filled(value, with)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| filled(item, with)).collect(),
        other => other.clone(),
    }
}

/// Generates two schemas with one difference, which may be in a definition of one of them.
fn pair() -> impl Strategy<Value = (Value, Value)> {
    (around(), leaf(), leaf(), any::<bool>()).prop_map(|(around, old, new, defined)| {
        if !defined {
            return (filled(&around, &old), filled(&around, &new));
        }
        let reference = json!({"$ref": "#/$defs/d"});
        let with = |definition| {
            json!({"$defs": {"d": definition}, "allOf": [filled(&around, &reference)]})
        };
        (with(old), with(new))
    })
}

fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!("a")),
        Just(json!("abcd")),
        (0..4).prop_map(|n| json!(n)),
        Just(json!(1.5)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::btree_map("[abc]", inner.clone(), 0..3).prop_map(|map| json!(map)),
            prop::collection::vec(inner, 0..3).prop_map(|items| json!(items)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        // Most generated pairs are breaking changes, which this test skips.
        max_global_rejects: 65_536,
        ..ProptestConfig::default()
    })]

    #[test]
    fn unreported_schema_changes_break_nothing(
        (old, new) in pair(),
        instances in prop::collection::vec(instance(), 1..12),
    ) {
        let found = changes(&old, &new);
        // A new property counts as unused by existing callers.
        prop_assume!(found.iter().all(|change| change.what != Note::New));
        prop_assume!(found.iter().all(|change| change.effect != SchemaEffect::Breaking));
        let (before, after) = (Validator::build(&old), Validator::build(&new));
        for instance in instances {
            if before.check(&instance).errors.is_empty() {
                let errors = after.check(&instance).errors;
                prop_assert!(errors.is_empty(), "{} -> {}: {} {:?}", old, new, instance, errors);
            }
        }
    }

    #[test]
    fn schemas_that_differ_have_a_change_and_equal_ones_have_none((old, new) in pair()) {
        prop_assert_eq!(changes(&old, &old), vec![]);
        // `true` and an empty schema are equivalent.
        let plain = |schema: &Value| schema.to_string().replace("true", "{}");
        if changes(&old, &new).is_empty() {
            prop_assert_eq!(plain(&old), plain(&new));
        }
    }
}
