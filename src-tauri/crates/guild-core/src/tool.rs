//! A tool as its server described it.
//!
//! The server's own JSON is kept whole and in its order: a typed round trip loses fields of a
//! fifth of real tools. What is shown or checked is read from it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::ToolName;

/// The most tools that one member's list may have.
pub const TOOLS_MAX: usize = 10_000;
/// The most problems of one list that are told; the last one says how many more there are.
pub const PROBLEMS_MAX: usize = 1_000;
/// The largest single tool that is kept, in bytes of JSON.
pub const TOOL_BYTES_MAX: usize = 1 << 20;

/// Where the knowledge of a tool comes from (`live, cached, …`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// The running server said so.
    Live,
    /// The cache file said so.
    Cached,
}

/// What the server says a tool does; hints, never promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolHints {
    /// Changes nothing.
    pub read_only: Option<bool>,
    /// May destroy something.
    pub destructive: Option<bool>,
    /// A second identical call changes nothing more.
    pub idempotent: Option<bool>,
    /// Reaches things outside the server.
    pub open_world: Option<bool>,
}

/// One tool: its name, and its server's JSON as it came. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    name: ToolName,
    raw: Arc<Map<String, Value>>,
}

impl ToolSpec {
    /// Takes one entry of a server's or a cache's list.
    ///
    /// # Errors
    /// In words: no object, no name, a name or a schema that can't be used, too large.
    pub fn from_raw(raw: Value) -> Result<Self, String> {
        let Value::Object(raw) = raw else {
            return Err(format!("the entry is {}, not an object", kind_of(&raw)));
        };
        let name = match raw.get("name") {
            Some(Value::String(name)) => {
                ToolName::parse(name).map_err(|error| error.to_string())?
            }
            Some(other) => return Err(format!("its name is {}, not a text", kind_of(other))),
            None => return Err("it has no name".into()),
        };
        match raw.get("inputSchema") {
            Some(Value::Object(_)) => {}
            Some(other) => {
                return Err(format!(
                    "its inputSchema is {}, not an object",
                    kind_of(other)
                ));
            }
            None => return Err("it has no inputSchema".into()),
        }
        if let Some(other) = raw
            .get("description")
            .filter(|d| !d.is_string() && !d.is_null())
        {
            return Err(format!("its description is {}, not a text", kind_of(other)));
        }
        Ok(Self {
            name,
            raw: Arc::new(raw),
        })
    }

    /// The name as the server gave it.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The whole description; empty when there is none.
    pub fn description(&self) -> &str {
        self.raw
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The title for people, from `title` or `annotations.title`.
    pub fn title(&self) -> Option<&str> {
        self.raw
            .get("title")
            .or_else(|| self.raw.get("annotations")?.get("title"))
            .and_then(Value::as_str)
            .filter(|title| !title.is_empty())
    }

    /// The schema of the arguments, as the server sent it.
    pub fn input_schema(&self) -> &Value {
        self.raw.get("inputSchema").unwrap_or(&Value::Null)
    }

    /// The schema of `structuredContent`, if the server gave one.
    pub fn output_schema(&self) -> Option<&Value> {
        self.raw
            .get("outputSchema")
            .filter(|schema| schema.is_object())
    }

    /// What the server says the tool does.
    pub fn hints(&self) -> ToolHints {
        let hint = |name| self.raw.get("annotations")?.get(name)?.as_bool();
        ToolHints {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        }
    }

    /// The server's JSON, whole and in its order.
    pub fn raw(&self) -> &Map<String, Value> {
        &self.raw
    }
}

/// One entry of a list that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListProblem {
    /// Its place in the list, from 0.
    pub index: usize,
    /// Its name, cut to 80 characters, where it has one.
    pub name: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

/// What one JSON value is, as a word for an error text.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Sorts a raw list into tools and problems: one bad entry never hides the others.
///
/// A name that stands twice is a problem the second time. Entries past [`TOOLS_MAX`], or larger
/// than [`TOOL_BYTES_MAX`], are problems too.
pub fn salvage(raw: Vec<Value>) -> (Vec<ToolSpec>, Vec<ListProblem>) {
    let mut tools: Vec<ToolSpec> = Vec::with_capacity(raw.len().min(TOOLS_MAX));
    let mut problems = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let total = raw.len();
    let mut left_out = 0;
    for (index, entry) in raw.into_iter().enumerate() {
        let name = entry
            .get("name")
            .and_then(Value::as_str)
            .map(|name| name.chars().take(80).collect::<String>());
        if tools.len() >= TOOLS_MAX {
            let reason = format!("the list has {total} tools; the first {TOOLS_MAX} are kept");
            problems.push(ListProblem {
                index,
                name,
                reason,
            });
            break;
        }
        let size = entry.to_string().len();
        let spec = if size > TOOL_BYTES_MAX {
            Err(format!(
                "it is {size} bytes large; {TOOL_BYTES_MAX} are the most"
            ))
        } else {
            ToolSpec::from_raw(entry)
        };
        match spec {
            Ok(tool) if seen.insert(tool.name().clone()) => tools.push(tool),
            Ok(_) => problems.push(ListProblem {
                index,
                name,
                reason: "the name stands in the list already; the first is kept".into(),
            }),
            Err(reason) => problems.push(ListProblem {
                index,
                name,
                reason,
            }),
        }
        if problems.len() > PROBLEMS_MAX {
            problems.truncate(PROBLEMS_MAX);
            left_out += 1;
        }
    }
    if let (Some(last), 1..) = (problems.last_mut(), left_out) {
        last.reason = format!("{}; {left_out} more entries can't be used", last.reason);
    }
    (tools, problems)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_malformed_tool_does_not_hide_the_rest() {
        let (tools, problems) = salvage(vec![
            json!({"name": "good", "inputSchema": {"type": "object"}, "x-vendor": 1}),
            json!({"name": "no schema"}),
            json!("text"),
            json!({"name": "good", "inputSchema": {}}),
            json!({"name": "x".repeat(10_240), "inputSchema": {}}),
            json!({"name": "last", "inputSchema": {}}),
        ]);
        let names: Vec<_> = tools.iter().map(|tool| tool.name().as_str()).collect();
        assert_eq!(names, ["good", "last"]);
        assert_eq!(tools[0].raw()["x-vendor"], 1, "vendor fields are kept");
        let places: Vec<_> = problems.iter().map(|problem| problem.index).collect();
        assert_eq!(places, [1, 2, 3, 4]);
        assert!(
            problems[3]
                .name
                .as_ref()
                .is_some_and(|name| name.len() == 80)
        );
    }

    #[test]
    fn a_list_of_nothing_but_problems_is_told_in_part() {
        let mut raw = vec![Value::Null; PROBLEMS_MAX + 500];
        raw.push(json!({"name": "good", "inputSchema": {}}));
        let (tools, problems) = salvage(raw);
        assert_eq!(tools.len(), 1, "what is good is found behind them");
        assert_eq!(problems.len(), PROBLEMS_MAX);
        let last = problems.last().map(|problem| problem.reason.as_str());
        assert!(last.is_some_and(|reason| reason.ends_with("; 500 more entries can't be used")));
    }

    #[test]
    fn the_order_of_fields_is_kept() {
        let text = r#"{"name":"t","inputSchema":{"properties":{"z":{},"a":{},"m":{}}}}"#;
        let tool = ToolSpec::from_raw(serde_json::from_str(text).expect("JSON")).expect("a tool");
        assert_eq!(serde_json::to_string(tool.raw()).expect("JSON"), text);
    }
}
