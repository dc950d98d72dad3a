//! Builds the results of the menu's tools, as JSON text.

use serde_json::{Map, Value, json};

use super::{NAME_SHOWN_MAX, NearNames};
use guild_schema::validate::ArgumentError;

/// Maximum number of argument errors in one answer.
const ERRORS_SHOWN_MAX: usize = 20;
/// Maximum number of candidates that are listed for an ambiguous name.
const CANDIDATES_MAX: usize = 5;
/// Maximum number of members that a note lists because their tools are not known yet.
const UNLISTED_SHOWN_MAX: usize = 10;

/// Returns a sentence that lists the members without a known tool list, which are not searched.
/// `None` if there are none.
fn unlisted(members: &[String]) -> Option<String> {
    let shown = members.get(..members.len().min(UNLISTED_SHOWN_MAX))?;
    if shown.is_empty() {
        return None;
    }
    let more = match members.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Not known yet, as the tools of these servers were never listed: {}{more}. Describe or call a \
         tool of one by its name, SERVER__TOOL, to wait for it.",
        shown.join(", ")
    ))
}

/// A tool that a search found.
#[derive(Debug, Clone, Copy)]
pub struct FoundTool<'a> {
    /// The tool's exposed name.
    pub name: &'a str,
    /// The first sentence of the tool's description.
    pub summary: &'a str,
    /// Whether the tool counts as read-only.
    pub reads: bool,
    /// The matches that explain the hit.
    pub why: &'a [String],
    /// Whether the tool matches only a small part of the task.
    pub weak: bool,
}

/// Returns the result of `tools_search`: one line per tool, best first. `structuredContent` has the
/// same tools, with the matches that explain them. `of` is the number of searched tools. `note` is
/// an additional remark.
pub fn found(tools: &[FoundTool<'_>], of: usize, note: Option<&str>) -> String {
    let mut lines = Vec::with_capacity(tools.len() + 1);
    let mut listed = Vec::with_capacity(tools.len());
    let rephrase = "Say it in other words: a verb and what it is done to.";
    lines.push(if tools.is_empty() {
        format!("None of the {of} tools fits. {rephrase}")
    } else if tools.iter().all(|tool| tool.weak) {
        format!("None of the {of} tools fits well; these are weak matches. {rephrase}")
    } else {
        format!("{} of {of} tools, best first:", tools.len())
    });
    for tool in tools {
        let call = match tool.reads {
            true => "tools_call_read",
            false => "tools_call_write",
        };
        let weak = if tool.weak { " [weak match]" } else { "" };
        let (name, summary) = (tool.name, tool.summary);
        lines.push(format!("{name} ({call}){weak}: {summary}"));
        listed.push(json!({
            "name": tool.name,
            "description": tool.summary,
            "call": call,
            "why": tool.why,
            "weak": tool.weak,
        }));
    }
    let mut object = json!({"tools": listed, "of": of});
    if let Some(note) = note {
        lines.push(format!("Note: {note}"));
        object["note"] = note.into();
    }
    result(&lines.join("\n"), Some(object), false)
}

/// Adds a note about members whose tools were not searched because they are not known yet.
pub fn with_unlisted(result: String, members: &[String]) -> String {
    let Some(note) = unlisted(members) else {
        return result;
    };
    let Ok(mut value) = serde_json::from_str::<Value>(&result) else {
        return result;
    };
    if let Some(Value::Array(content)) = value.get_mut("content") {
        content.push(json!({"type": "text", "text": note}));
    }
    if let Some(Value::Object(structured)) = value.get_mut("structuredContent") {
        structured.insert("notKnownYet".into(), members.into());
    }
    value.to_string()
}

/// The outcome of describing one tool.
#[derive(Debug, Clone)]
pub struct ToolDescriptionResult {
    /// The requested name.
    pub name: String,
    /// The whole tool as JSON text, or the reason it is missing.
    pub outcome: Result<String, NotDescribed>,
}

/// The reason that a tool was not described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDescribed {
    /// The reason, as a sentence.
    pub reason: String,
    /// Similar names.
    pub near: Vec<String>,
}

impl NotDescribed {
    /// Returns the outcome for an unknown name, with similar names from `names`.
    pub fn unknown(name: &str, names: &NearNames) -> Self {
        let reason = format!("No tool named {}.", Self::shown(name));
        let near = names.near(name);
        Self { reason, near }
    }

    /// Returns the outcome for an ambiguous name.
    pub fn several(name: &str, mut near: Vec<String>) -> Self {
        near.truncate(CANDIDATES_MAX);
        let reason = format!("{} may mean several tools; name one.", Self::shown(name));
        Self { reason, near }
    }

    /// Adds a note about members whose tools are not known yet.
    #[must_use]
    pub fn while_unlisted(mut self, members: &[String]) -> Self {
        if let Some(note) = unlisted(members) {
            self.reason.push(' ');
            self.reason.push_str(&note);
        }
        self
    }

    /// Quotes and truncates a requested name for an answer.
    pub fn shown(name: &str) -> String {
        let shown: String = name.chars().take(NAME_SHOWN_MAX).collect();
        format!("{shown:?}")
    }

    /// Returns the reason and the similar names as one text.
    pub fn text(&self) -> String {
        match self.near.as_slice() {
            [] => self.reason.clone(),
            near => format!("{} Near names: {}.", self.reason, near.join(", ")),
        }
    }
}

/// Returns the result of `tools_describe`.
pub fn described(one: &ToolDescriptionResult) -> String {
    match &one.outcome {
        Ok(tool) => as_both_forms(tool, false),
        Err(not) => tool_error(&not.text()),
    }
}

/// Returns the described tools, and an error for each name that could not be described, in two
/// forms: the result of the menu tool `tools_describe_batch`, and its JSON object for the method
/// `tools/describe_batch`. The result has `isError` if there are errors and no tool was described.
pub fn described_batch(all: &[ToolDescriptionResult]) -> (String, String) {
    let (mut tools, mut errors) = (Vec::new(), Vec::new());
    for one in all {
        match &one.outcome {
            Ok(tool) => tools.push(tool.as_str()),
            Err(not) => {
                let error = json!({"name": one.name, "error": not.reason, "near": not.near});
                errors.push(error.to_string());
            }
        }
    }
    let failed = tools.is_empty() && !errors.is_empty();
    let mut object = format!("{{\"tools\":[{}]", tools.join(","));
    if !errors.is_empty() {
        object.push_str(&format!(",\"errors\":[{}]", errors.join(",")));
    }
    object.push('}');
    (as_both_forms(&object, failed), object)
}

/// Returns a result with the same JSON object as text and as `structuredContent`.
fn as_both_forms(object: &str, failed: bool) -> String {
    let content = json!([{"type": "text", "text": object}]);
    let failed = if failed { ",\"isError\":true" } else { "" };
    format!("{{\"content\":{content},\"structuredContent\":{object}{failed}}}")
}

/// Returns a failed result with a reason.
pub fn tool_error(text: &str) -> String {
    result(text, None, true)
}

fn result(text: &str, structured: Option<Value>, failed: bool) -> String {
    let mut result = Map::new();
    result.insert("content".into(), json!([{"type": "text", "text": text}]));
    if let Some(structured) = structured {
        result.insert("structuredContent".into(), structured);
    }
    if failed {
        result.insert("isError".into(), true.into());
    }
    Value::Object(result).to_string()
}

/// Returns the answer to invalid arguments: each error with the path of the invalid value, and the
/// input schema to correct them by.
pub fn wrong_arguments(tool: &str, errors: &[ArgumentError], input_schema: &str) -> String {
    let mut lines = vec![format!(
        "The arguments do not fit {tool}, and it was not called:"
    )];
    for error in errors.iter().take(ERRORS_SHOWN_MAX) {
        let place = match error.pointer.as_str() {
            "" => "the arguments",
            pointer => pointer,
        };
        lines.push(format!("- {place}: {}", error.message));
    }
    if let Some(more @ 1..) = errors.len().checked_sub(ERRORS_SHOWN_MAX) {
        lines.push(format!("- {more} more"));
    }
    lines.push("Fix them and call again. Its inputSchema:".into());
    lines.push(input_schema.into());
    lines.join("\n")
}
