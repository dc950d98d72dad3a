//! Fallback discovery: its settings, and records of how tools were found. Fallback discovery
//! searches for the tools of servers that violate the protocol.

mod settings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::settings::{
    DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings, PredictionSettings,
};
use crate::tool::Provenance;

/// Maximum size of the inspected output, in bytes from the start of each stream.
pub const WRITTEN_MAX: usize = 1 << 20;

/// A strategy for finding the tools of a server. The strategies are tried in the order of the
/// variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// `initialize`, then `tools/list`, as the protocol requires.
    Initialize,
    /// `tools/list` without a handshake.
    NoHandshake,
    /// An object with a list of `functions`, as in OpenAI's API.
    OpenaiFunctions,
    /// An object with a list of `tools`, or only that list.
    ToolsArray,
    /// Lines that each contain one JSON object.
    JsonLines,
    /// `"function": "…"` and `"name": "…"` anywhere.
    Declarations,
    /// Words that look like a tool's name: `word_word`.
    Identifiers,
    /// The names in the manifest's `auto_approve`.
    AutoApprove,
    /// Tools that a model predicts, only with the user's consent.
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

    /// Whether the server itself returned the list. Otherwise its tools can't be called.
    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Initialize | Self::NoHandshake)
    }

    /// Returns the source of the tools, or `None` for the server's own list.
    pub fn provenance(self) -> Option<Provenance> {
        match self {
            Self::Initialize | Self::NoHandshake => None,
            Self::AutoApprove => Some(Provenance::AutoApproved),
            Self::Prediction => Some(Provenance::Predicted),
            _ => Some(Provenance::Parsed),
        }
    }

    /// Returns the confidence that the result is the server's tool list.
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

/// The confidence that the found tools are the server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The server answered a request for its tool list.
    Certain,
    /// The form of the list is nearly unmistakable. In most cases the list has schemas.
    High,
    /// Objects or names in the form of tools, or names that a person listed.
    Fair,
    /// Names from a text that contains the names of tools and also other names.
    Low,
    /// Words in the output, or a model's prediction.
    Guess,
}

/// The stream that a server wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// The server's standard output.
    Stdout,
    /// The server's standard error.
    Stderr,
}

/// How a tool list was found, if the server did not return the list as the protocol requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundBy {
    /// The strategy that found the list.
    pub rung: Rung,
    /// The stream that contained the list. `None` if the list was not found in output.
    pub stream: Option<Stream>,
    /// The confidence that these are the server's tools.
    pub confidence: Confidence,
}

impl FoundBy {
    /// Creates the record of a list that this strategy found in this stream.
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
