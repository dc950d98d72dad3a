//! The records of the window's tests, and the tools that they call.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

/// A valid value of a form, as the form sends it.
#[derive(Debug, Deserialize)]
pub(crate) struct Valid {
    server: String,
    tool: String,
    pub(crate) text: String,
    /// Whether the second validator accepts the value. `None` if it can't compile the schema.
    pub(crate) second: Option<bool>,
}

/// A value with one error, and the position of the error.
#[derive(Debug, Deserialize)]
pub(crate) struct Invalid {
    server: String,
    tool: String,
    pub(crate) text: String,
    pub(crate) way: String,
    pub(crate) pointer: String,
}

/// One line of the records.
#[derive(Debug)]
pub(crate) enum Record {
    Valid(Valid),
    Invalid(Invalid),
}

impl Record {
    /// Returns the member, the tool and the arguments of the call.
    pub(crate) fn call(&self) -> (&str, &str, &str) {
        match self {
            Self::Valid(one) => (&one.server, &one.tool, &one.text),
            Self::Invalid(one) => (&one.server, &one.tool, &one.text),
        }
    }

    pub(crate) fn place(&self) -> String {
        let (server, tool, _) = self.call();
        format!("{server}/{tool}")
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder() -> PathBuf {
    std::env::var_os("GUILD_FORM_RECORDS")
        .map_or_else(|| root().join("target/form-records"), PathBuf::from)
}

/// Returns all records.
///
/// # Panics
/// If the folder has no records, or a line is invalid.
pub(crate) fn read() -> Vec<Record> {
    let folder = folder();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    files.sort();
    assert!(
        !files.is_empty(),
        "{} has no records; the window's tests write them: cargo xtask test --only ui-test --only forms",
        folder.display()
    );
    let mut records = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of records");
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).expect("a line of JSON");
            match value["kind"].as_str() {
                Some("valid") => records.push(Record::Valid(
                    serde_json::from_value(value).expect("a value"),
                )),
                Some("invalid") => {
                    records.push(Record::Invalid(
                        serde_json::from_value(value).expect("a value"),
                    ));
                }
                _ => {}
            }
        }
    }
    records
}

/// Returns the tools of each server in the form of a `tools/list` result.
pub(crate) fn tools() -> BTreeMap<String, Value> {
    let read = |file: &str| -> Value {
        let text = fs::read_to_string(root().join(file)).expect("the schemas");
        serde_json::from_str(&text).expect("JSON")
    };
    let real = read("ui/testdata/real-schemas.json");
    let mut lists: BTreeMap<String, Value> = real
        .as_object()
        .expect("servers by name")
        .iter()
        .map(|(server, held)| (server.clone(), held["tools"].clone()))
        .collect();
    let hard = read("tests/data/torture-schemas.json");
    let hard = hard.as_array().expect("cases").iter();
    let hard = hard.map(|case| json!({"name": case["name"], "inputSchema": case["schema"]}));
    lists.insert("hard".into(), hard.collect());
    lists
}
