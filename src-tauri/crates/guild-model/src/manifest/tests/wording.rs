//! Tests of error messages, and that every file has a result.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Launch, json_schema, parse, variables};
use super::{refused, with};
use crate::container::{is_entrypoint, is_image, is_memory, is_network, is_user};

/// Tests one example of each error message.
#[test]
fn errors_say_what_a_field_must_be() {
    let elsewhere = |field: &str, value: Value| {
        with(json!({"command": null, "args": null, "url": "https://a/", field: value}))
    };
    let container = |changes: Value| {
        let mut container = json!({"image": "a"});
        for (key, value) in changes.as_object().expect("changes") {
            container[key] = value.clone();
        }
        with(json!({"command": null, "args": null, "transport": "stdio", "container": container}))
    };
    for (manifest, wanted, hint) in [
        (
            with(json!({"name": null})),
            "`name` is missing: the member's name, unique among all members",
            "plugin.schema.json",
        ),
        (
            with(json!({"transport": "stdo"})),
            "`transport` must be one of \"http\", \"stdio\", \"sse\"; found \"stdo\"",
            "Did you mean \"stdio\"?",
        ),
        (
            with(json!({"tools": {"t": {"policy": 5}}})),
            "`tools.t.policy` must be one of \"allow\", \"ask\", \"deny\"; found the number 5",
            "",
        ),
        (
            with(json!({"protocol_version": "2025-06-19"})),
            "found \"2025-06-19\"",
            "Did you mean \"2025-06-18\"?",
        ),
        (
            with(json!({"args": ["${POTR}"]})),
            "`args[0]` has the unknown variable `${POTR}`",
            "Known variables: ${PORT}",
        ),
        (
            with(json!({"env": {"A=B": "${secret:A}"}})),
            "`env.A=B` must be the name of an environment variable",
            "",
        ),
        (
            with(json!({"timeouts": {"call_ms": null}})),
            "`timeouts.call_ms` must be a whole number of milliseconds from 1 to 86400000; found null",
            "",
        ),
        (
            with(json!({"dev": "on"})),
            "`dev` must be true or false, or an object in braces; found a string",
            "",
        ),
        (
            with(json!({"dev": {"watch": ["{a"]}})),
            "`dev.watch[0]` has a { without its }",
            "Patterns go from the member's folder",
        ),
        (
            with(json!({"origin": {}})),
            "`origin.from` is missing: the id of another program (`cursor`), `registry`, `bundle`",
            "",
        ),
        (
            elsewhere("auth", json!({"client_secret": "${secret:A}"})),
            "`auth.client_id` is missing; `client_secret` needs it",
            "",
        ),
        (
            elsewhere("auth", json!({"redirect_port": 80})),
            "`auth.redirect_port` must be a port from 1024 to 65535; found the number 80",
            "",
        ),
        (
            elsewhere("transport", json!("stdio")),
            "`url` needs the transport \"http\"; this member's is \"stdio\"",
            "",
        ),
        (
            container(json!({"network": "host"})),
            "`container.network` must be \"none\", \"bridge\" or a network that you made",
            "",
        ),
        (
            container(json!({"args": ["${secret:A}"]})),
            "`container.args[0]` has a secret, which would be a word of the engine's command",
            "Pass it in `env`",
        ),
        (
            container(json!({"cpus": "1"})),
            "`container.cpus` must be a number above zero, such as 1.5; found a string",
            "",
        ),
        (
            with(json!({"examples": [{"name": "", "tool": "t"}]})),
            "`examples[0].name` must have 1 to 120 characters",
            "",
        ),
    ] {
        let report = refused(&manifest.to_string());
        assert!(report.message.contains(wanted), "{wanted}\n{report}");
        assert!(report.hint.contains(hint), "{hint}\n{report}");
        assert_eq!(report.message.lines().count(), 1, "{report}");
    }
}

#[test]
fn schema_errors_and_broken_rules_come_at_once() {
    let manifest = with(json!({
        "url": "http://a/", "enabled": 1, "timeouts": {"call_ms": 0},
        "examples": [{"name": "a", "tool": "t"}, {"name": "a", "tool": "t", "timeout_ms": "x"}],
    }));
    let report = refused(&manifest.to_string());
    for field in [
        "url",
        "enabled",
        "timeouts.call_ms",
        "examples[1]",
        "examples[1].timeout_ms",
    ] {
        assert!(report.message.contains(&format!("`{field}` ")), "{report}");
    }
}

#[test]
fn numbers_keep_their_notation_where_it_counts() {
    let text = r#"{"name": "a", "transport": "http", "container": {
        "image": "a", "port": 8080.0, "cpus": 1.50, "pids_limit": 1e2
    }, "timeouts": {"call_ms": 5e3}}"#;
    let manifest = parse(text.as_bytes(), "plugin.json")
        .manifest
        .expect("a manifest");
    assert_eq!(manifest.timeouts.call_ms, Some(5_000));
    let Launch::Container(container) = &manifest.launch else {
        panic!("a container");
    };
    assert_eq!(
        (container.port, container.pids_limit),
        (Some(8_080), Some(100))
    );
    // The digits of `cpus` are part of the launch that a person accepted.
    assert_eq!(container.cpus.as_deref(), Some("1.50"));
}

/// Whether the published schema's part at a pointer accepts a text.
fn fits(pointer: &str, text: &str) -> bool {
    let published = json_schema();
    let part = published.pointer(pointer).expect("a part of the schema");
    jsonschema::is_valid(part, &Value::from(text))
}

/// Generates JSON values with the types and words of manifests.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(http|stdio|/|\\$\\{PORT\\}|\\$\\{|[a-z~0é\\x00]){0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            fields(inner),
        ]
    })
}

fn fields(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let key = "name|transport|command|args|env|cwd|container|image|mounts|source|cpus|port|url|headers\
        |auth|client_secret|timeouts|call_ms|tools|origin|from|dev|watch|build|examples|tool|arguments\
        |expect|structured|[a-z/~0]{0,3}";
    proptest::collection::btree_map(key, value, 0..8)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
}

#[test]
fn variable_name_has_at_most_256_bytes() {
    let manifest =
        |length: usize| with(json!({"args": [format!("${{env:{}}}", "é".repeat(length))]}));
    assert!(
        parse(manifest(128).to_string().as_bytes(), "plugin.json")
            .manifest
            .is_ok()
    );
    assert!(
        refused(&manifest(129).to_string())
            .message
            .contains("unknown variable")
    );
}

proptest! {
    #[test]
    fn no_bytes_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes, "plugin.json");
    }

    #[test]
    fn no_json_brings_the_reader_down(manifest in fields(any_value())) {
        let parsed = parse(manifest.to_string().as_bytes(), "plugin.json");
        if let Err(report) = parsed.manifest {
            prop_assert!(report.message.starts_with("plugin.json:1:"), "{report}");
        }
    }

    #[test]
    fn variable_pattern_agrees_with_substitution(
        text in "(\\$|\\{|\\}|\\$\\{|PORT|PLUGIN_DIR|env:|secret:|[a= é\n\u{7f}]){0,8}"
    ) {
        let accepted = fits("/properties/args/items", &text);
        prop_assert_eq!(accepted, variables::problem_in(&text).is_none(), "{:?}", text);
    }

    #[test]
    fn container_patterns_agree_with_commands(text in "[a-zB09._:/@\\-\\[$ \nk\u{7f}é]{0,6}") {
        let part = |name: &str| format!("/properties/container/properties/{name}");
        prop_assert_eq!(fits(&part("image"), &text), is_image(&text), "image {:?}", text);
        prop_assert_eq!(fits(&part("user"), &text), is_user(&text), "user {:?}", text);
        prop_assert_eq!(fits(&part("memory"), &text), is_memory(&text), "memory {:?}", text);
        let entrypoint = part("entrypoint");
        prop_assert_eq!(fits(&entrypoint, &text), is_entrypoint(&text), "entrypoint {:?}", text);
        let network = is_network(&text) && text != "host";
        prop_assert_eq!(fits(&part("network"), &text), network, "network {:?}", text);
    }
}
