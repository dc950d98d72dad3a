//! Fallback discovery: finds tools in the output of a server that violates the protocol.
//!
//! [`scan`] tries the strategies that only need text. Each of these is a pattern in a separate
//! file. All patterns are tried on stdout before stderr, and the first pattern that finds a tool
//! wins. The member's actor runs the earlier strategies, which query the server. The later ones
//! (names in the manifest's `auto_approve`, and a model's prediction) need no output.
//!
//! The work is bounded for any input: at most `WRITTEN_MAX` bytes of each stream are read, and
//! the JSON search takes linear time.

mod declarations;
mod entry;
mod identifiers;
mod json_lines;
mod openai_functions;
mod prediction;
mod text;
mod tools_array;
mod values;

use std::collections::HashSet;

use serde_json::{Value, json};

pub(crate) use self::prediction::PREDICTED_BYTES_MAX;
pub(crate) use self::prediction::prediction_body;
pub use self::prediction::{NoPrediction, predicted};
use self::text::OutputText;
use guild_model::discovery::{FoundBy, Rung, Stream};
use guild_model::tool::{ListProblem, TOOLS_MAX, ToolSpec, salvage};

/// Environment variables that announce a discovery run to the server. They are set only for a
/// discovery run.
pub(crate) const DISCOVERY_ENVIRONMENT: [(&str, &str); 6] = [
    ("MCP_LIST_FUNCTIONS", "true"),
    ("MCP_DISCOVERY_MODE", "true"),
    ("MCP_REQUIRE_DESCRIPTIONS", "true"),
    ("MCP_LIST_TOOLS", "true"),
    ("FUNCTIONS_DISCOVERY", "true"),
    ("NODE_ENV", "discovery"),
];

/// The output of a server so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerOutput<'a> {
    /// Standard output.
    pub stdout: &'a [u8],
    /// Standard error.
    pub stderr: &'a [u8],
}

/// Tools that were found without the server's list.
#[derive(Debug, Clone, PartialEq)]
pub struct ScannedTools {
    /// The strategy that found the tools.
    pub found: FoundBy,
    /// The tools. A tool without an input schema gets one that accepts any object.
    pub tools: Vec<ToolSpec>,
    /// The entries that were left out, with reasons.
    pub problems: Vec<ListProblem>,
}

impl ScannedTools {
    /// Builds tools from entries in a server's format. `None` if no entry is usable.
    fn of(found: FoundBy, entries: Vec<Value>) -> Option<Self> {
        let (tools, problems) = salvage(entries);
        (!tools.is_empty()).then_some(Self {
            found,
            tools,
            problems,
        })
    }
}

/// Searches a server's output for tools. `remembered`, the strategy that found the member's tools
/// last time, is tried first.
pub(crate) fn scan(written: ServerOutput<'_>, remembered: Option<FoundBy>) -> Option<ScannedTools> {
    let texts = [
        (Stream::Stdout, OutputText::of(written.stdout)),
        (Stream::Stderr, OutputText::of(written.stderr)),
    ];
    let remembered = remembered.and_then(|found| {
        let (stream, text) = texts.iter().find(|(s, _)| Some(*s) == found.stream)?;
        with_strategy(found.rung, *stream, text)
    });
    remembered.or_else(|| {
        texts.iter().find_map(|(stream, text)| {
            let rungs = Rung::PATTERNS.into_iter();
            rungs
                .into_iter()
                .find_map(|rung| with_strategy(rung, *stream, text))
        })
    })
}

/// Returns the tools that a manifest's `auto_approve` names.
pub(crate) fn auto_approved(names: &[String]) -> Option<ScannedTools> {
    let mut seen = HashSet::new();
    let names = names.iter().filter(|name| seen.insert(name.as_str()));
    let entries = names.take(TOOLS_MAX).map(|name| named(name)).collect();
    ScannedTools::of(FoundBy::new(Rung::AutoApprove, None), entries)
}

fn with_strategy(rung: Rung, stream: Stream, text: &OutputText) -> Option<ScannedTools> {
    let entries = match rung {
        Rung::OpenaiFunctions => openai_functions::entries(text),
        Rung::ToolsArray => tools_array::entries(text),
        Rung::JsonLines => json_lines::entries(text),
        Rung::Declarations => declarations::entries(text),
        Rung::Identifiers => identifiers::entries(text),
        Rung::Initialize | Rung::NoHandshake | Rung::AutoApprove | Rung::Prediction => {
            return None;
        }
    };
    ScannedTools::of(FoundBy::new(rung, Some(stream)), entries)
}

/// Returns the JSON of a tool of which only the name is known.
fn named(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

/// Collects names without duplicates, up to the limit of a list.
#[derive(Debug, Default)]
struct ToolNameCollector<'a> {
    seen: HashSet<&'a str>,
    entries: Vec<Value>,
}

impl<'a> ToolNameCollector<'a> {
    /// Adds a name. Returns whether more names fit.
    fn take(&mut self, name: &'a str) -> bool {
        if self.seen.insert(name) {
            self.entries.push(named(name));
        }
        self.entries.len() < TOOLS_MAX
    }
}

#[cfg(test)]
mod tests;
