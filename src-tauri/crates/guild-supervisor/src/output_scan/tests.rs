use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use guild_model::discovery::{Confidence, WRITTEN_MAX};
use guild_model::tool::{Provenance, TOOL_BYTES_MAX};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data/ladder");

/// The expected tools of a file.
#[derive(Debug, Deserialize)]
struct Expected {
    rung: Rung,
    tools: Vec<String>,
}

fn on_stdout(text: &[u8]) -> Option<ScannedTools> {
    let written = ServerOutput {
        stdout: text,
        stderr: b"",
    };
    scan(written, None)
}

fn names(scanned: &ScannedTools) -> Vec<&str> {
    scanned
        .tools
        .iter()
        .map(|tool| tool.name().as_str())
        .collect()
}

#[test]
fn each_output_of_the_corpus_gives_the_tools_that_it_names() {
    let read = |name: &str| std::fs::read(Path::new(CORPUS).join(name)).expect(name);
    let expected: BTreeMap<String, Option<Expected>> =
        serde_json::from_slice(&read("expected.json")).expect("what is expected");
    let files: BTreeSet<String> = std::fs::read_dir(CORPUS)
        .expect("the corpus")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name != "expected.json")
        .collect();
    assert_eq!(
        files,
        expected.keys().cloned().collect(),
        "each file has its expectation"
    );
    for (name, expected) in expected {
        let found = on_stdout(&read(&name));
        let Some(expected) = expected else {
            assert_eq!(found, None, "{name}");
            continue;
        };
        let found = found.unwrap_or_else(|| panic!("{name}: nothing was found"));
        assert_eq!(
            found.found,
            FoundBy::new(expected.rung, Some(Stream::Stdout)),
            "{name}"
        );
        assert_eq!(names(&found), expected.tools, "{name}");
    }
}

#[test]
fn tool_keeps_description_and_schema() {
    let text = br#"{"functions":[
        {"name":"a","description":"Does a.","parameters":{"z":1,"a":2}},
        {"name":"b","input_schema":{"b":1}},
        {"name":"c","parameters":"none"}]}"#;
    let found = on_stdout(text).expect("tools");
    assert_eq!(found.tools[0].description(), "Does a.");
    assert_eq!(
        found.tools[0].input_schema().to_string(),
        r#"{"z":1,"a":2}"#
    );
    assert_eq!(found.tools[1].input_schema(), &json!({"b": 1}));
    assert_eq!(found.tools[2].input_schema(), &json!({"type": "object"}));
    assert_eq!(found.found.confidence, Confidence::High);
    assert_eq!(found.found.rung.provenance(), Some(Provenance::Parsed));
}

#[test]
fn stdout_and_stronger_patterns_come_first() {
    let list = br#"{"functions":[{"name":"listed"}]}"#;
    let both = ServerOutput {
        stdout: b"tools: read_file",
        stderr: list,
    };
    let found = scan(both, None).expect("on stdout");
    assert_eq!(names(&found), ["read_file"]);
    assert_eq!(
        found.found,
        FoundBy::new(Rung::Identifiers, Some(Stream::Stdout))
    );
    let alone = ServerOutput {
        stdout: b"ready",
        stderr: list,
    };
    let found = scan(alone, None).expect("on stderr");
    assert_eq!(
        found.found,
        FoundBy::new(Rung::OpenaiFunctions, Some(Stream::Stderr))
    );
    assert_eq!(
        found.found.to_string(),
        "a list of OpenAI functions on its stderr"
    );
    let mixed = b"read_file\n{\"name\":\"declared\"}\n{\"name\":\"line\",\"description\":\"\"}";
    assert_eq!(
        on_stdout(mixed).map(|found| found.found.rung),
        Some(Rung::JsonLines)
    );
    // The remembered strategy comes first. If it finds nothing, the others follow.
    let remembered = FoundBy::new(Rung::OpenaiFunctions, Some(Stream::Stderr));
    let found = scan(both, Some(remembered)).expect("where it was");
    assert_eq!(names(&found), ["listed"]);
    let gone = scan(
        ServerOutput {
            stderr: b"",
            ..both
        },
        Some(remembered),
    )
    .expect("elsewhere");
    assert_eq!(gone.found.rung, Rung::Identifiers);
}

#[test]
fn names_that_were_approved_are_the_last_rung() {
    let names_given = ["read".to_owned(), "read".into(), "".into(), "write".into()];
    let found = auto_approved(&names_given).expect("tools");
    assert_eq!(names(&found), ["read", "write"]);
    assert_eq!(found.problems.len(), 1, "an empty name is no tool's");
    assert_eq!(
        found.found.rung.provenance(),
        Some(Provenance::AutoApproved)
    );
    assert_eq!(auto_approved(&[]), None);
}

#[test]
fn a_flood_gives_as_many_tools_as_a_list_may_have() {
    let lines = |line: fn(usize) -> String| (0..20_000).map(line).collect::<String>();
    for text in [
        lines(|n| format!("{{\"name\":\"n{n}\",\"description\":\"\"}}\n")),
        lines(|n| format!("'name': 'n{n}'\n")),
        lines(|n| format!("word_{n}\n")),
    ] {
        let found = on_stdout(text.as_bytes()).expect("tools");
        assert_eq!(found.tools.len(), TOOLS_MAX, "{}", found.found);
    }
    let one = format!(
        "{{\"tools\":[{}]}}",
        lines(|n| format!("{{\"name\":\"n{n}\"}},")) + "{}"
    );
    let found = on_stdout(one.as_bytes()).expect("tools");
    assert_eq!(found.tools.len(), TOOLS_MAX);
    assert!(
        !found.problems.is_empty(),
        "it is said that there were more"
    );
}

#[test]
fn only_the_beginning_of_a_stream_is_looked_at() {
    let mut text = vec![b'x'; WRITTEN_MAX];
    text.extend(b"\nread_file");
    assert_eq!(on_stdout(&text), None);
}

/// Generates complete and broken fragments of the patterns.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "\\",
        "\n",
        " ",
        "\u{1b}[",
        "m",
        "name",
        "tools",
        "functions",
        "function",
        "description",
        "\"name\":\"a_b\"",
        "\"tools\":[",
        "read_file",
        "{\"name\":\"x\",\"description\":\"y\"}",
        "\"jsonrpc\"",
        "é",
        "_",
        ".",
    ]);
    prop_oneof![
        4 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ]
}

proptest! {
    #[test]
    fn any_output_gives_valid_tools_or_none(
        stdout in prop::collection::vec(piece(), 0..60),
        stderr in prop::collection::vec(piece(), 0..20),
    ) {
        let (stdout, stderr) = (stdout.concat(), stderr.concat());
        let written = ServerOutput { stdout: &stdout, stderr: &stderr };
        if let Some(found) = scan(written, None) {
            prop_assert!(!found.tools.is_empty() && found.tools.len() <= TOOLS_MAX);
            prop_assert!(!found.found.rung.is_confirmed());
            for tool in &found.tools {
                prop_assert!(tool.input_schema().is_object());
                prop_assert!(Value::Object(tool.raw().clone()).to_string().len() <= TOOL_BYTES_MAX);
            }
            prop_assert_eq!(scan(written, Some(found.found)), Some(found));
        }
    }

    #[test]
    fn a_list_is_found_between_whatever_stands_on_other_lines(
        before in "[a-z {}\\[\\]:,.-]{0,40}",
        after in "\\PC{0,40}",
    ) {
        let text = format!("{before}\n{{\"functions\":[{{\"name\":\"found\"}}]}}\n{after}");
        let found = on_stdout(text.as_bytes());
        prop_assert_eq!(found.map(|found| found.found.rung), Some(Rung::OpenaiFunctions));
    }
}
