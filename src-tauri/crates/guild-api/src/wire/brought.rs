//! Servers that a person pastes, drops as a file or types as a command.
//!
//! Guild Hall reads them and does not start them. It does not store the text: an import request
//! sends it again.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::found::{AdoptServer, FoundServer};

/// The text, file or command that a person brings.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Brought {
    /// A pasted text: a list of servers of any program, a command, an address.
    Text {
        /// The text, at most 1 MiB.
        text: String,
    },
    /// A file with such a text.
    File {
        /// Its whole path.
        path: String,
    },
    /// The words of a command, in which nothing is filled in.
    Words {
        /// The words, at most 1,000.
        words: Vec<String>,
    },
}

/// Says no text: there may be secrets in it.
impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { .. } => f.write_str("Text"),
            Self::File { path } => f.debug_struct("File").field("path", path).finish(),
            Self::Words { .. } => f.write_str("Words"),
        }
    }
}

/// The servers in what was brought.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BroughtServers {
    /// The servers in their order, each once; never empty.
    pub servers: Vec<FoundServer>,
    /// Members that have the name of one of them and run something else, to be compared with: their
    /// ids stand in `differs`.
    pub members: Vec<FoundServer>,
    /// The parts that were left out of it, a sentence each.
    pub left_out: Vec<String>,
}

/// Pasted or dropped servers to import. The sender has already shown a person the command of each
/// one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptBrought {
    /// The brought text as it was shown.
    pub brought: Brought,
    /// The servers of it, at most 1,000.
    pub servers: Vec<AdoptServer>,
}
