//! Formats a tool for a client's list: as a stub or in full.

mod brief;

use std::fmt::Write;

use serde_json::{Map, Value, json};

pub(crate) use self::brief::without_headings;
pub use self::brief::{BRIEF_CHARS_MAX, brief, summary};
use guild_model::profile::ToolChange;
use guild_model::tool::ToolSpec;

/// Returns the stub of a tool as JSON text: its exposed name, a short description, a schema that
/// accepts any object, and the hints that clients act on.
///
/// The schema and the title are always omitted, since the menu's `tools_describe` returns them. `…`
/// at the end of the description marks omitted text.
pub fn stub(name: &str, spec: &ToolSpec, change: Option<&ToolChange>) -> String {
    let mut stub = Map::new();
    stub.insert("name".into(), name.into());
    let brief = brief(name, description(spec, change));
    if !brief.is_empty() {
        stub.insert("description".into(), brief.into());
    }
    stub.insert("inputSchema".into(), json!({"type": "object"}));
    let annotations = spec.raw().get("annotations").and_then(Value::as_object);
    let annotations = annotations.map(acted_on).unwrap_or_default();
    if !annotations.is_empty() {
        stub.insert("annotations".into(), annotations.into());
    }
    let shown = shown_by(spec);
    if !shown.is_empty() {
        stub.insert("_meta".into(), shown.into());
    }
    Value::Object(stub).to_string()
}

/// Returns the fields with the URI of the resource that renders the tool (MCP Apps). Clients load
/// that resource when they receive the list.
fn shown_by(spec: &ToolSpec) -> Map<String, Value> {
    let meta = spec.raw().get("_meta").and_then(Value::as_object);
    let shown = meta.into_iter().flatten();
    let shown = shown.filter(|(key, _)| *key == "ui" || key.starts_with("ui/"));
    shown
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns the server's annotations that affect a client's behavior.
///
/// A missing hint means the protocol's default, so hints that repeat the default are omitted. Hints
/// that have no meaning for a read-only tool are omitted if `readOnlyHint` is true.
/// `destructiveHint: true` and `openWorldHint: true` stay although they are defaults, because with
/// them, clients such as Codex and VS Code ask their user more often. A hint that is not a boolean
/// is omitted, since a client may reject the whole list for it.
fn acted_on(annotations: &Map<String, Value>) -> Map<String, Value> {
    let reads = annotations.get("readOnlyHint") == Some(&Value::Bool(true));
    let kept = annotations
        .iter()
        .filter(|(key, value)| match (key.as_str(), value) {
            ("title", _) => false,
            ("readOnlyHint", Value::Bool(hint)) => *hint,
            ("idempotentHint", Value::Bool(hint)) => *hint && !reads,
            ("destructiveHint", Value::Bool(hint)) => *hint || !reads,
            ("openWorldHint", Value::Bool(_)) => true,
            ("readOnlyHint" | "idempotentHint" | "destructiveHint" | "openWorldHint", _) => false,
            _ => true,
        });
    kept.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns the whole tool as JSON text: the server's fields in their order, with the exposed name
/// and the profile's description.
pub fn full(name: &str, spec: &ToolSpec, change: Option<&ToolChange>) -> String {
    let description = change.and_then(|change| change.description.as_deref());
    let mut text = String::from("{");
    let mut add = |key: &str, value: &dyn std::fmt::Display| {
        let comma = if text.len() > 1 { "," } else { "" };
        // Writing to a string never fails.
        let _ = write!(text, "{comma}{}:{value}", quoted(key));
    };
    let raw = spec.raw();
    for (key, value) in raw {
        match (key.as_str(), description) {
            ("name", _) => {
                add(key, &quoted(name));
                if let (Some(words), false) = (description, raw.contains_key("description")) {
                    add("description", &quoted(words));
                }
            }
            ("description", Some(words)) => add(key, &quoted(words)),
            _ => add(key, value),
        }
    }
    text.push('}');
    text
}

/// Returns the description for clients: the profile's, or else the server's.
pub fn description<'a>(spec: &'a ToolSpec, change: Option<&'a ToolChange>) -> &'a str {
    change
        .and_then(|change| change.description.as_deref())
        .unwrap_or_else(|| spec.description())
}

fn quoted(text: &str) -> Value {
    Value::from(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tool(raw: Value) -> ToolSpec {
        ToolSpec::from_raw(raw).expect("a tool")
    }

    #[test]
    fn a_stub_says_what_it_leaves_out() {
        let spec = tool(json!({
            "name": "read",
            "description": "Gives a text. It has to be UTF-8.",
            "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
            "outputSchema": {"type": "object"},
            "annotations": {"title": "Read", "readOnlyHint": true, "x-vendor": 1},
            "_meta": {"x": 1},
        }));
        assert_eq!(
            stub("files__read", &spec, None),
            r#"{"name":"files__read","description":"Gives a text…","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x-vendor":1}}"#
        );
        let change = ToolChange {
            description: Some("Reads\n a file".into()),
            ..ToolChange::default()
        };
        assert_eq!(
            serde_json::from_str::<Value>(&stub("r", &spec, Some(&change))).expect("JSON")["description"],
            "Reads a file",
            "nothing of the new description was left out"
        );
        assert_eq!(
            stub("n", &tool(json!({"name": "n", "inputSchema": {}})), None),
            r#"{"name":"n","inputSchema":{"type":"object"}}"#
        );
    }

    #[test]
    fn a_stub_keeps_the_hints_that_clients_act_on() {
        let hints = |annotations: Value| {
            let spec = tool(json!({"name": "t", "inputSchema": {}, "annotations": annotations}));
            let stub: Value = serde_json::from_str(&stub("t", &spec, None)).expect("JSON");
            stub["annotations"].clone()
        };
        for kept in [
            json!({"readOnlyHint": true, "openWorldHint": false}),
            json!({"readOnlyHint": true, "destructiveHint": true, "openWorldHint": true}),
            json!({"destructiveHint": false, "idempotentHint": true}),
            json!({"destructiveHint": true}),
        ] {
            assert_eq!(hints(kept.clone()), kept);
        }
        for dropped in [
            json!({}),
            json!({"title": "T", "readOnlyHint": false, "idempotentHint": false}),
            json!({"readOnlyHint": "yes", "openWorldHint": null}),
        ] {
            assert_eq!(hints(dropped), Value::Null);
        }
        assert_eq!(
            hints(json!({"readOnlyHint": true, "idempotentHint": true, "destructiveHint": false})),
            json!({"readOnlyHint": true}),
            "beside readOnlyHint the others mean nothing"
        );
    }

    #[test]
    fn a_whole_tool_loses_nothing() {
        let text = r#"{"x-first":1,"name":"t","inputSchema":{"properties":{"z":{},"a":{}}},"description":"D.","_meta":{"k":[1.50,null]},"execution":{"taskSupport":"optional"}}"#;
        let spec = tool(serde_json::from_str(text).expect("JSON"));
        let expected = |name: &str, words: &str| {
            text.replace("\"t\"", name)
                .replace("\"D.\"", words)
                .replace("1.50", "1.5")
        };
        assert_eq!(full("m__t", &spec, None), expected("\"m__t\"", "\"D.\""));
        let change = ToolChange {
            description: Some("Says \"more\".".into()),
            ..ToolChange::default()
        };
        assert_eq!(
            full("m__t", &spec, Some(&change)),
            expected("\"m__t\"", r#""Says \"more\".""#)
        );
    }

    #[test]
    fn a_description_is_added_where_there_was_none() {
        let spec = tool(json!({"name": "t", "inputSchema": {}}));
        let change = ToolChange {
            description: Some("New.".into()),
            ..ToolChange::default()
        };
        assert_eq!(
            full("m__t", &spec, Some(&change)),
            r#"{"name":"m__t","description":"New.","inputSchema":{}}"#
        );
    }

    proptest! {
        #[test]
        fn stubs_and_whole_tools_are_json(name in "[a-z_\"\\\\]{1,10}", words in any::<String>()) {
            let spec = tool(json!({"name": "t", "description": words, "inputSchema": {}}));
            for text in [stub(&name, &spec, None), full(&name, &spec, None)] {
                let read: Value = serde_json::from_str(&text).expect("JSON");
                prop_assert_eq!(read["name"].as_str(), Some(name.as_str()));
            }
        }
    }
}
