//! Fallback discovery: finds tools in the output of a server that does not speak the protocol (seed
//! 004).
//!
//! [`climb`] tries the strategies that only need text. Each is a pattern in its own file. All
//! patterns are tried on stdout before stderr, and the first that finds a tool wins. The engine
//! runs the earlier strategies, which query the server. The later ones (names that a client
//! approved, and a model's prediction) need no output.
//!
//! The work is bounded for any input: at most [`WRITTEN_MAX`] bytes of each stream are read, and
//! the JSON search takes linear time.

mod declarations;
mod entry;
mod identifiers;
mod json_lines;
mod openai_functions;
mod prediction;
mod settings;
mod text;
mod tools_array;
mod values;

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use self::prediction::{NoPrediction, PREDICTED_BYTES_MAX, predicted, prediction_body};
pub use self::settings::{
    DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings, PredictionSettings,
};
use self::text::Text;
use crate::tool::{ListProblem, Provenance, TOOLS_MAX, ToolSpec, salvage};

/// Length of each stream that is inspected, in bytes, from its start.
pub const WRITTEN_MAX: usize = 1 << 20;

/// Variables that announce a discovery run to the server (seed 004). They are set only for such a
/// run.
pub const DISCOVERY_ENVIRONMENT: [(&str, &str); 6] = [
    ("MCP_LIST_FUNCTIONS", "true"),
    ("MCP_DISCOVERY_MODE", "true"),
    ("MCP_REQUIRE_DESCRIPTIONS", "true"),
    ("MCP_LIST_TOOLS", "true"),
    ("FUNCTIONS_DISCOVERY", "true"),
    ("NODE_ENV", "discovery"),
];

/// One way to a server's tools, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// `initialize`, then `tools/list`: as the protocol has it.
    Initialize,
    /// `tools/list` without a handshake.
    NoHandshake,
    /// An object with a list of `functions`, as OpenAI's API has it.
    OpenaiFunctions,
    /// An object with a list of `tools`, or such a list alone.
    ToolsArray,
    /// Lines that are one JSON object each.
    JsonLines,
    /// `"function": "…"` and `"name": "…"` anywhere.
    Declarations,
    /// Words that look like a tool's name: `word_word`.
    Identifiers,
    /// The names that its manifest has in `auto_approve`.
    AutoApprove,
    /// Tools that a model predicts; only after a person agreed.
    Prediction,
}

impl Rung {
    /// The strategies that search text, in order.
    pub const PATTERNS: [Self; 5] = [
        Self::OpenaiFunctions,
        Self::ToolsArray,
        Self::JsonLines,
        Self::Declarations,
        Self::Identifiers,
    ];

    /// Whether the server itself returned the list, so that its tools can be called.
    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Initialize | Self::NoHandshake)
    }

    /// Returns the source of the tools, if it is not the server's own list.
    pub fn provenance(self) -> Option<Provenance> {
        match self {
            Self::Initialize | Self::NoHandshake => None,
            Self::AutoApprove => Some(Provenance::AutoApproved),
            Self::Prediction => Some(Provenance::Predicted),
            _ => Some(Provenance::Parsed),
        }
    }

    /// Returns the probability that the result is the server's tool list.
    pub fn confidence(self) -> Confidence {
        match self {
            Self::Initialize | Self::NoHandshake => Confidence::Certain,
            Self::OpenaiFunctions | Self::ToolsArray => Confidence::High,
            Self::JsonLines | Self::AutoApprove => Confidence::Fair,
            Self::Declarations => Confidence::Low,
            Self::Identifiers | Self::Prediction => Confidence::Guess,
        }
    }

    /// Returns the end of the sentence "found in …".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Initialize => "the server's answer",
            Self::NoHandshake => "the server's answer without a handshake",
            Self::OpenaiFunctions => "a list of OpenAI functions",
            Self::ToolsArray => "a list of tools outside of an answer",
            Self::JsonLines => "JSON objects, one a line",
            Self::Declarations => "declarations of functions",
            Self::Identifiers => "words that look like names of tools",
            Self::AutoApprove => "the names that `auto_approve` has",
            Self::Prediction => "a model's prediction",
        }
    }
}

/// How likely it is that what was found are the server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The server answered a request for its list.
    Certain,
    /// A list that can hardly be anything else, most often with schemas.
    High,
    /// Objects or names that are a tool's by their shape or by a person's word.
    Fair,
    /// Names in a place where tools have theirs, and other things too.
    Low,
    /// Words, or what a model said.
    Guess,
}

/// Where a server wrote something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
}

/// How a list was found, where the server did not say it in the protocol's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundBy {
    /// The way to it.
    pub rung: Rung,
    /// The stream that the server wrote it to; `None` for sources other than text.
    pub stream: Option<Stream>,
    /// How likely it is that these are the server's tools.
    pub confidence: Confidence,
}

impl FoundBy {
    /// Returns the record of a list that this strategy found in this stream.
    pub fn new(rung: Rung, stream: Option<Stream>) -> Self {
        Self {
            rung,
            stream,
            confidence: rung.confidence(),
        }
    }
}

impl std::fmt::Display for FoundBy {
    /// Writes the end of the sentence "found in …".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.rung.in_words())?;
        match self.stream {
            Some(Stream::Stdout) => f.write_str(" on its stdout"),
            Some(Stream::Stderr) => f.write_str(" on its stderr"),
            None => Ok(()),
        }
    }
}

/// The output of a server so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Written<'a> {
    /// Standard output.
    pub stdout: &'a [u8],
    /// Standard error.
    pub stderr: &'a [u8],
}

/// Tools that were found without the server's list.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// The strategy that found them.
    pub found: FoundBy,
    /// The tools. A tool without an input schema gets one that accepts any object.
    pub tools: Vec<ToolSpec>,
    /// The entries that were left out, with reasons.
    pub problems: Vec<ListProblem>,
}

impl Climbed {
    /// Builds tools from entries in a server's format. `None` where no entry is usable.
    fn of(found: FoundBy, entries: Vec<Value>) -> Option<Self> {
        let (tools, problems) = salvage(entries);
        (!tools.is_empty()).then_some(Self {
            found,
            tools,
            problems,
        })
    }
}

/// Searches a server's output for tools. The remembered strategy is tried first.
pub fn climb(written: Written<'_>, remembered: Option<FoundBy>) -> Option<Climbed> {
    let texts = [
        (Stream::Stdout, Text::of(written.stdout)),
        (Stream::Stderr, Text::of(written.stderr)),
    ];
    let remembered = remembered.and_then(|found| {
        let (stream, text) = texts.iter().find(|(s, _)| Some(*s) == found.stream)?;
        on_rung(found.rung, *stream, text)
    });
    remembered.or_else(|| {
        texts.iter().find_map(|(stream, text)| {
            let rungs = Rung::PATTERNS.into_iter();
            rungs
                .into_iter()
                .find_map(|rung| on_rung(rung, *stream, text))
        })
    })
}

/// Returns the tools that a manifest's `auto_approve` names.
pub fn auto_approved(names: &[String]) -> Option<Climbed> {
    let mut seen = HashSet::new();
    let names = names.iter().filter(|name| seen.insert(name.as_str()));
    let entries = names.take(TOOLS_MAX).map(|name| named(name)).collect();
    Climbed::of(FoundBy::new(Rung::AutoApprove, None), entries)
}

fn on_rung(rung: Rung, stream: Stream, text: &Text) -> Option<Climbed> {
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
    Climbed::of(FoundBy::new(rung, Some(stream)), entries)
}

/// Returns a tool of which only the name is known.
fn named(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

/// Collects names without duplicates, up to the limit of a list.
#[derive(Debug, Default)]
struct Names<'a> {
    seen: HashSet<&'a str>,
    entries: Vec<Value>,
}

impl<'a> Names<'a> {
    /// Adds a name, and returns whether there is room for more.
    fn take(&mut self, name: &'a str) -> bool {
        if self.seen.insert(name) {
            self.entries.push(named(name));
        }
        self.entries.len() < TOOLS_MAX
    }
}

#[cfg(test)]
mod tests;
