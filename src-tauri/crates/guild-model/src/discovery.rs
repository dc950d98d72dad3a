//! How a server's tools were found when it does not list them by the protocol (seed 004), and the
//! settings of this search.

mod settings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::settings::{
    DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings, PredictionSettings,
};
use crate::tool::Provenance;

/// Length of each stream that is inspected, in bytes, from its start.
pub const WRITTEN_MAX: usize = 1 << 20;

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
