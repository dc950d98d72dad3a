use proptest::prelude::*;

use super::*;
use guild_text::messages::to_strings;

#[test]
fn schemas_of_published_servers_come_back_unchanged() {
    let text = include_str!("../../testdata/server-schemas.json");
    let servers: Value = serde_json::from_str(text).expect("test data");
    let mut count = 0;
    for (server, tools) in servers.as_object().expect("servers") {
        for (tool, schema) in tools.as_object().expect("tools") {
            let bounded = bound(schema);
            assert_eq!(bounded.notes, [], "{server}/{tool}");
            assert_eq!(
                bounded.schema.to_string(),
                schema.to_string(),
                "{server}/{tool}"
            );
            count += 1;
        }
    }
    assert!(count >= 100, "only {count} schemas");
}

#[test]
fn torture_schemas_survive_unchanged() {
    let text = include_str!("../../../../../tests/data/torture-schemas.json");
    let cases: Vec<Value> = serde_json::from_str(text).expect("test data");
    for case in &cases {
        let bounded = bound(&case["schema"]);
        if case["name"] == "external-ref" {
            assert_eq!(bounded.notes.len(), 2);
            assert_eq!(bounded.schema["properties"]["ext"], json!({}));
            assert_eq!(bounded.schema["properties"]["file"], json!({}));
        } else {
            assert_eq!(bounded.schema.to_string(), case["schema"].to_string());
            assert_eq!(bounded.notes, []);
        }
    }
}

#[test]
fn a_property_named_ref_and_a_constant_with_one_are_kept() {
    let schema = json!({
        "properties": {"$ref": {"type": "string"}, "description": {"type": "integer"}},
        "const": {"$ref": "https://example.com/"}
    });
    assert_eq!(bound(&schema).schema, schema);
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "object", "properties": {"a": inner}}),
    )
}

#[test]
fn schemas_deeper_than_the_limit_are_open_from_there_on() {
    assert_eq!(bound(&nested(SCHEMA_DEPTH_MAX)).notes, []);
    let bounded = bound(&nested(60));
    let pointer = "/properties/a".repeat(SCHEMA_DEPTH_MAX + 1);
    assert_eq!(bounded.schema.pointer(&pointer), Some(&json!({})));
    assert_eq!(bounded.notes.len(), 1);
}

#[test]
fn a_deep_value_is_left_out() {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    let bounded = bound(&json!({"type": "array", "default": deep}));
    assert_eq!(bounded.schema, json!({"type": "array"}));
    assert_eq!(bounded.notes.len(), 1);
}

#[test]
fn properties_past_the_limit_are_left_out_and_not_refused() {
    let properties: Map<String, Value> = (0..SCHEMA_PROPERTIES_MAX + 7)
        .map(|i| (format!("p{i}"), json!({})))
        .collect();
    let schema = json!({"properties": properties, "additionalProperties": false});
    let bounded = bound(&schema);
    let kept = bounded.schema["properties"]
        .as_object()
        .expect("properties");
    assert_eq!(kept.len(), SCHEMA_PROPERTIES_MAX);
    assert!(bounded.schema.get("additionalProperties").is_none());
    let notes = to_strings(&bounded.notes);
    assert!(notes[0].contains("7 properties left out"), "{notes:?}");
}

#[test]
fn words_are_cut_and_cleaned() {
    let schema = json!({"title": "a\u{7}b\u{1b}[31m\n\tc", "description": "é".repeat(10_000)});
    let bounded = bound(&schema);
    assert_eq!(bounded.schema["title"], "ab[31m\n\tc");
    let words = bounded.schema["description"].as_str().expect("words");
    assert!(words.len() <= SCHEMA_TEXT_BYTES_MAX && words.ends_with('…'));
    assert_eq!(to_strings(&bounded.notes), ["/description: cut to 8 KiB"]);
}

#[test]
fn a_schema_too_large_loses_its_words_first() {
    let property = json!({"type": "string", "description": "x".repeat(1_000)});
    let properties: Map<String, Value> = (0..600)
        .map(|i| (format!("p{i}"), property.clone()))
        .collect();
    let bounded = bound(&json!({"type": "object", "properties": properties}));
    assert_eq!(
        bounded.schema["properties"]["p9"],
        json!({"type": "string"})
    );
    assert_eq!(bounded.notes.len(), 1);
    let choices: Vec<String> = (0..60_000).map(|i| format!("choice-{i}")).collect();
    let bounded = bound(&json!({"enum": choices}));
    assert_eq!(bounded.schema, json!({"type": "object"}));
    assert_eq!(bounded.notes.len(), 2);
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(null)),
        any::<String>().prop_map(|text| json!({"description": text})),
        "[#a-z:/]{0,8}".prop_map(|target| json!({"$ref": target})),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let keyword = proptest::sample::select(vec![
            "properties",
            "items",
            "anyOf",
            "$defs",
            "not",
            "enum",
            "required",
            "type",
            "x",
        ]);
        prop_oneof![
            proptest::collection::btree_map(keyword, inner.clone(), 0..4).prop_map(|f| json!(f)),
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
        ]
    })
}

proptest! {
    #[test]
    fn bounding_twice_changes_nothing_more(schema in any_schema()) {
        let once = bound(&schema).schema;
        let twice = bound(&once);
        prop_assert_eq!(twice.schema, once);
    }

    #[test]
    fn a_validator_can_always_be_built(schema in any_schema()) {
        crate::validate::Validator::build(&schema).check(&json!({"a": 1}));
    }
}
