//! Tests of the fields for server authors.

use serde_json::{Value, json};

use super::super::{Dev, parse};
use super::{read, refused, with};

/// Manifests and whether they are accepted, as in the main table.
pub(super) fn table() -> Vec<(Value, bool)> {
    let dev = |dev: Value| with(json!({ "dev": dev }));
    let example = |changes: Value| {
        let mut example = json!({"name": "heats", "tool": "heat"});
        for (key, value) in changes.as_object().expect("changes") {
            example[key] = value.clone();
        }
        with(json!({"examples": [example]}))
    };
    vec![
        (dev(json!(true)), true),
        (dev(json!(false)), true),
        (dev(json!("yes")), false),
        (dev(json!({})), true),
        (
            dev(json!({"watch": ["src/**/*.{ts,tsx}", "!**/gen"], "debounce_ms": 50})),
            true,
        ),
        (dev(json!({"watch": "src"})), false),
        (dev(json!({"watch": ["/etc"]})), false),
        (dev(json!({"watch": ["../other/**"]})), false),
        (dev(json!({"watch": ["a/../b"]})), false),
        (dev(json!({"watch": ["a..b"]})), true),
        (dev(json!({"watch": [" "]})), false),
        (dev(json!({"watch": ["a\\b"]})), false),
        (dev(json!({"watch": vec!["a"; 65]})), false),
        (
            dev(json!({"build": ["npm", "run", "${env:TARGET}"], "build_timeout_ms": 5})),
            true,
        ),
        (dev(json!({"build": "make"})), false),
        (dev(json!({"build": []})), false),
        (dev(json!({"build": ["", "x"]})), false),
        (dev(json!({"build": ["make", ""]})), true),
        (dev(json!({"build": ["make", "${PORT}"]})), false),
        (dev(json!({"build": ["make", "${NOTHING}"]})), false),
        (dev(json!({"debounce_ms": 0})), false),
        (dev(json!({"debounce_ms": 10_001})), false),
        (example(json!({})), true),
        (with(json!({"examples": [{}]})), false),
        (with(json!({"examples": {"name": "a", "tool": "b"}})), false),
        (example(json!({"name": " "})), false),
        (example(json!({"name": "a\tb"})), false),
        (example(json!({"name": "x".repeat(121)})), false),
        (example(json!({"tool": ""})), false),
        (example(json!({"arguments": []})), false),
        (
            example(json!({"arguments": {"n": [1, {"x": null}]}, "timeout_ms": 5})),
            true,
        ),
        (example(json!({"timeout_ms": 0})), false),
        (example(json!({"expect": {"is_error": "no"}})), false),
        (example(json!({"expect": {"text_equals": 1}})), false),
        (
            example(json!({"expect": {"structured": [1], "schema": true}})),
            true,
        ),
        (example(json!({"expect": {"schema": 1}})), false),
        (
            example(json!({"expect": {"text_contains": "a", "schema": {"type": "object"}}})),
            true,
        ),
    ]
}

#[test]
fn dev_section_is_read_exactly() {
    let text = r#"{"name": "a", "transport": "stdio", "command": "x",
        "dev": {"watch": ["src"], "build": ["make"], "debounce_ms": 5},
        "examples": [{"name": "one", "tool": "t",
            "arguments": {"n": 1.50, "big": 9007199254740993, "s": "\u00e9"},
            "expect": {"structured": null}}]}"#;
    let parsed = parse(text.as_bytes(), "plugin.json");
    assert_eq!(parsed.warnings, []);
    let manifest = parsed.manifest.expect("a manifest");
    let dev = Dev {
        watch: vec!["src".into()],
        build: vec!["make".into()],
        debounce_ms: 5,
        ..Dev::default()
    };
    assert_eq!(manifest.own_dev(), Some(&dev));
    let example = &manifest.examples[0];
    assert_eq!(
        example.arguments,
        r#"{"n":1.50,"big":9007199254740993,"s":"\u00e9"}"#
    );
    assert_eq!(example.expect.structured, Some(Value::Null));
    assert!(!example.expect.is_error);
}

#[test]
fn a_wrong_example_says_where_and_a_name_is_had_once() {
    let report = refused(
        "{\"name\": \"a\", \"transport\": \"stdio\", \"command\": \"x\", \"examples\": [\n\
         {\"name\": \"one\", \"tool\": \"t\"},\n\
         {\"name\": \"one\", \"tool\": \"t\", \"arguments\": {\"n\": 1e999}}\n]}",
    );
    assert!(report.message.starts_with("plugin.json:3:"), "{report}");
    assert!(report.message.contains("examples[1].arguments"), "{report}");
    let twice = with(json!({"examples": [{"name": "a", "tool": "t"}, {"name": "a", "tool": "u"}]}));
    let report = refused(&twice.to_string());
    assert!(report.message.contains("another example"), "{report}");
    let unknown = with(json!({
        "dev": {"wach": []}, "examples": [{"name": "a", "tool": "t", "expect": {"text": "x"}}]
    }));
    let warnings = read(&unknown).warnings;
    let said: Vec<&str> = warnings
        .iter()
        .map(|report| report.message.as_str())
        .collect();
    assert!(
        said[0].contains("dev.wach") && said[1].contains("expect.text"),
        "{said:#?}"
    );
}

#[test]
fn nothing_is_built_for_a_member_from_elsewhere() {
    let foreign = with(json!({"dev": {"build": ["make"]}, "origin": {"from": "bundle"}}));
    let parsed = read(&foreign);
    assert!(
        parsed.warnings[0].message.contains("has no effect"),
        "{:?}",
        parsed.warnings
    );
    let manifest = parsed.manifest.expect("a manifest");
    assert!(manifest.dev.is_some());
    assert_eq!(manifest.own_dev(), None);
    let off = with(json!({"dev": true, "enabled": false}));
    assert_eq!(read(&off).manifest.expect("a manifest").own_dev(), None);
}
