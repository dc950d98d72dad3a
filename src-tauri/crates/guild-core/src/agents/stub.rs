//! A tool as it stands in a list for agents: as a stub, or whole.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::ToolChange;
use crate::schema::first_sentence;
use crate::tool::ToolSpec;

/// The longest description of a stub, in characters.
pub const STUB_CHARS_MAX: usize = 200;
/// What ends a stub's description where something of it was left out.
const LEFT_OUT: &str = " …";

/// The stub of a tool as JSON text: its name for agents, the first sentence of its description,
/// a schema that takes any object, and its server's annotations.
///
/// The schema is always left out. Where something of the description is left out too, its end
/// says so by ` …`.
pub fn stub(name: &str, spec: &ToolSpec, change: Option<&ToolChange>) -> String {
    let mut stub = Map::new();
    stub.insert("name".into(), name.into());
    let summary = summary(description(spec, change));
    if !summary.is_empty() {
        stub.insert("description".into(), summary.into());
    }
    stub.insert("inputSchema".into(), json!({"type": "object"}));
    if let Some(annotations) = spec.raw().get("annotations").filter(|a| a.is_object()) {
        stub.insert("annotations".into(), annotations.clone());
    }
    Value::Object(stub).to_string()
}

/// The whole tool as JSON text: its server's own, in its order, under its name for agents and
/// with the description of the profile where there is one.
pub fn full(name: &str, spec: &ToolSpec, change: Option<&ToolChange>) -> String {
    let description = change.and_then(|change| change.description.as_deref());
    let mut text = String::from("{");
    let mut add = |key: &str, value: &dyn std::fmt::Display| {
        let comma = if text.len() > 1 { "," } else { "" };
        // Writing to a text never fails.
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

/// What agents are told of a tool.
pub fn description<'a>(spec: &'a ToolSpec, change: Option<&'a ToolChange>) -> &'a str {
    change
        .and_then(|change| change.description.as_deref())
        .unwrap_or_else(|| spec.description())
}

/// The first sentence of a description, at most [`STUB_CHARS_MAX`] characters, that says by ` …`
/// that there is more.
pub fn summary(description: &str) -> String {
    let sentence = first_sentence(description);
    if is_all_of(&sentence, description) {
        return sentence;
    }
    let mut kept = sentence.trim_end_matches('…').trim_end();
    let room = STUB_CHARS_MAX - LEFT_OUT.chars().count();
    if let Some((end, _)) = kept.char_indices().nth(room) {
        kept = kept[..end]
            .rsplit_once(' ')
            .map_or(&kept[..end], |(words, _)| words);
    }
    format!("{kept}{LEFT_OUT}").trim_start().to_owned()
}

/// Whether a sentence says all that the description does, however that is set in lines.
fn is_all_of(sentence: &str, description: &str) -> bool {
    let visible = |c: &char| !c.is_whitespace() && !c.is_control();
    let (said, all) = (sentence.chars(), description.chars());
    said.filter(visible).eq(all.filter(visible))
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
            "description": "Reads a file. It has to be text.",
            "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
            "outputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true, "x-vendor": 1},
            "_meta": {"x": 1},
        }));
        assert_eq!(
            stub("files__read", &spec, None),
            r#"{"name":"files__read","description":"Reads a file. …","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x-vendor":1}}"#
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

    #[test]
    fn a_cut_sentence_is_no_longer_than_any_other() {
        for words in [
            "word ".repeat(100),
            "x".repeat(500),
            "ab ".repeat(66) + "abc",
        ] {
            let summary = summary(&words);
            let length = summary.chars().count();
            assert!(length <= STUB_CHARS_MAX, "{length}: {summary}");
            assert!(summary.ends_with(LEFT_OUT) && length > 100, "{summary}");
        }
        assert_eq!(summary(&"ab ".repeat(66)), "ab ".repeat(66).trim());
        assert_eq!(summary("To be … or not."), "To be … or not.");
    }

    proptest! {
        #[test]
        fn a_summary_without_a_mark_is_everything(text in "[a-z .…\n]{0,300}") {
            let summary = summary(&text);
            prop_assert!(summary.chars().count() <= STUB_CHARS_MAX);
            if !summary.ends_with('…') {
                prop_assert!(is_all_of(&summary, &text));
            }
        }

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
