//! Servers that the user pastes, drops as a file or types as a command.
//!
//! Guild Hall only reads the input and does not start the servers. It does not store the text, so
//! an import request sends the text again.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::found::{AdoptServer, FoundServer};

/// The text, file or command with servers to import.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Brought {
    /// A pasted text: the server list of any program, a command or an address.
    Text {
        /// The text, at most 1 MiB.
        text: String,
    },
    /// A file whose content is such a text.
    File {
        /// The file's absolute path.
        path: String,
    },
    /// The words of a command. Guild Hall replaces no variables in them.
    Words {
        /// The words, at most 1,000.
        words: Vec<String>,
    },
}

/// Omits the text and the words, because they may contain secrets.
impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { .. } => f.write_str("Text"),
            Self::File { path } => f.debug_struct("File").field("path", path).finish(),
            Self::Words { .. } => f.write_str("Words"),
        }
    }
}

/// The servers in the text, file or command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BroughtServers {
    /// The servers in their order, without duplicates. Never empty.
    pub servers: Vec<FoundServer>,
    /// Members that have the same name as one of these servers but another command, for comparison.
    /// The field `differs` of such a server contains the ids of these members.
    pub members: Vec<FoundServer>,
    /// The parts of the input that can't be imported, one sentence each.
    pub left_out: Vec<String>,
}

/// Servers to import from a text, file or command. The sender has already shown the user the
/// command of each server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptBrought {
    /// The text, file or command, unchanged since the request that read the servers.
    pub brought: Brought,
    /// The servers to import, at most 1,000.
    pub servers: Vec<AdoptServer>,
}
