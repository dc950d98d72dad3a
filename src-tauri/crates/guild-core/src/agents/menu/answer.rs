//! What the menu's tools answer, as the JSON text of a tool result.

use serde_json::{Map, Value, json};

use super::{NAME_SHOWN_MAX, NearNames};
use crate::wire::ArgumentError;

/// The most wrong places that one answer names.
const ERRORS_SHOWN_MAX: usize = 20;
/// The most tools that are named where a name may mean several.
const CANDIDATES_MAX: usize = 5;
/// The most members that are named as still starting.
const UNLISTED_SHOWN_MAX: usize = 10;

/// A sentence that names the members whose tools were never listed and are not searched; `None` where
/// there are none.
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
    /// Its name for agents.
    pub name: &'a str,
    /// The first sentence of its description.
    pub summary: &'a str,
    /// Whether its server says that it changes nothing.
    pub reads: bool,
    /// Why it was found.
    pub why: &'a [String],
    /// Whether it has little of the task.
    pub weak: bool,
}

/// The result of `tools_search`: a line for each tool, the best first, and the same as
/// `structuredContent` with why each was found. `of` is how many tools were searched, `note` what
/// else there is to know.
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

/// The result of a search, as text, with the members whose tools were not searched because they
/// are not known yet.
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

/// What came of describing one tool.
#[derive(Debug, Clone)]
pub struct Described {
    /// The name that was asked for.
    pub name: String,
    /// The tool in full as JSON text, or why there is none.
    pub outcome: Result<String, NotDescribed>,
}

/// Why a tool was not described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDescribed {
    /// What is wrong, as a sentence.
    pub reason: String,
    /// Names that may have been meant.
    pub near: Vec<String>,
}

impl NotDescribed {
    /// There is no tool of this name; what it may have been meant to be is looked for in `names`.
    pub fn unknown(name: &str, names: &NearNames) -> Self {
        let reason = format!("There is no tool {}.", Self::shown(name));
        let near = names.near(name);
        Self { reason, near }
    }

    /// Several tools may be meant by this name, and none is taken for it.
    pub fn several(name: &str, mut near: Vec<String>) -> Self {
        near.truncate(CANDIDATES_MAX);
        let reason = format!("{} may mean several tools; name one.", Self::shown(name));
        Self { reason, near }
    }

    /// The same where some members have not told their tools yet.
    #[must_use]
    pub fn while_unlisted(mut self, members: &[String]) -> Self {
        if let Some(note) = unlisted(members) {
            self.reason.push(' ');
            self.reason.push_str(&note);
        }
        self
    }

    /// A name that was asked for, as an answer repeats it.
    pub fn shown(name: &str) -> String {
        let shown: String = name.chars().take(NAME_SHOWN_MAX).collect();
        format!("{shown:?}")
    }

    /// The same as one text.
    pub fn text(&self) -> String {
        match self.near.as_slice() {
            [] => self.reason.clone(),
            near => format!("{} Near names: {}.", self.reason, near.join(", ")),
        }
    }
}

/// The result of `tools_describe`.
pub fn described(one: &Described) -> String {
    match &one.outcome {
        Ok(tool) => as_it_is(tool, false),
        Err(not) => tool_error(&not.text()),
    }
}

/// The result of `tools_describe_batch`, and of the method by that name: the tools in full, and
/// beside them an error for each name that has none. It is a failure when all are.
///
/// The first text is the result of the tool, the second the object alone.
pub fn described_batch(all: &[Described]) -> (String, String) {
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
    (as_it_is(&object, failed), object)
}

/// A result whose text and `structuredContent` are the same object, given as JSON text.
fn as_it_is(object: &str, failed: bool) -> String {
    let content = json!([{"type": "text", "text": object}]);
    let failed = if failed { ",\"isError\":true" } else { "" };
    format!("{{\"content\":{content},\"structuredContent\":{object}{failed}}}")
}

/// A result that says that the call failed, and why.
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

/// The text of the answer to arguments that do not fit: each wrong place, and the schema to mend
/// them by.
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
    lines.push("Mend them and call it again. Its inputSchema:".into());
    lines.push(input_schema.into());
    lines.join("\n")
}
