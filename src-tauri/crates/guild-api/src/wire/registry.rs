//! Servers that MCP registries list, and what comes of installing one.
//!
//! A registry is named by its address, or by the whole path of a file in its format. Where a request
//! names none, the setting `registry` does, and else it is the official one.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FoundContainer, FoundLaunch, McpbAsks};
use guild_model::error::Report;
use guild_model::id::{CallId, FoundId, MemberName};

/// A request for the servers that fit some words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchRegistry {
    /// The registry; `None` for the one of the settings.
    pub source: Option<String>,
    /// Words that all have to be in the name, the title or the description; may be empty. The
    /// official registry compares one word with names alone.
    pub query: String,
    /// Where the page begins: `next` of the page before; `None` for the first page.
    pub cursor: Option<String>,
    /// The search's id, chosen by the caller: `cancel_call` ends it.
    pub call: CallId,
}

/// The registry that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrySource {
    /// Its address, or the whole path of a file.
    pub source: String,
    /// When it answered, or when the file was changed.
    pub as_of_ms: u64,
    /// Why the registry could not be queried. The answer is then an earlier one. `None` if it could.
    pub unread: Option<Report>,
}

/// Servers that were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryPage {
    /// The registry that answered.
    pub source: RegistrySource,
    /// The servers of this page, by name. There may be more where it is empty.
    pub rows: Vec<RegistryRow>,
    /// Where the next page begins; `None` where this is the last one.
    pub next: Option<String>,
    /// Entries of the answer that are wrong, the first hundred.
    pub left_out: Vec<RegistryLeftOut>,
    /// How many entries are wrong.
    pub left_out_count: usize,
}

/// A server as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryRow {
    /// Its name in the registry.
    pub server: String,
    /// Its name for people; may be empty.
    pub title: String,
    /// Its description; may be empty.
    pub description: String,
    /// Its newest version; may be empty.
    pub version: String,
    /// Whether it is there to be used.
    pub standing: RegistryStanding,
    /// The ways to run it: `npm`, `oci`, `remote`.
    pub kinds: Vec<String>,
    /// The members that were installed from this entry.
    pub members: Vec<RegistryMember>,
}

/// The publication status of a server in a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RegistryStanding {
    /// In use.
    Active,
    /// Its publisher advises against it.
    Deprecated,
    /// It was taken out of the registry.
    Deleted,
}

impl RegistryStanding {
    /// The standing in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Deleted => "deleted",
        }
    }
}

/// A member that was installed from a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryMember {
    /// The member.
    pub member: MemberName,
    /// The version that it runs; may be empty.
    pub version: String,
    /// Whether a newer one is listed.
    pub newer: bool,
}

/// An entry that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryLeftOut {
    /// Which one of the answer it is, from 1.
    pub at: usize,
    /// Its name, as far as it has one.
    pub name: String,
    /// The problem with it.
    pub why: String,
}

/// A request about one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfRegistryServer {
    /// The registry; `None` for the one of the settings.
    pub source: Option<String>,
    /// Its name in the registry.
    pub server: String,
    /// The version; `None` is the newest.
    pub version: Option<String>,
}

/// Everything about one version of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryServer {
    /// The registry that answered.
    pub source: RegistrySource,
    /// Its name in the registry.
    pub server: String,
    /// Its name for people; may be empty.
    pub title: String,
    /// Its description; may be empty.
    pub description: String,
    /// This version; may be empty.
    pub version: String,
    /// All versions that are listed, the newest first.
    pub versions: Vec<String>,
    /// Whether it is there to be used.
    pub standing: RegistryStanding,
    /// Why it is not, in its publisher's words; may be empty.
    pub standing_message: String,
    /// When this version was published, as the registry writes it.
    pub published_at: Option<String>,
    /// Where its source is.
    pub repository: Option<String>,
    /// Its page.
    pub website: Option<String>,
    /// A name for the member that is legal and free.
    pub suggested: MemberName,
    /// The ways to run it.
    pub ways: Vec<RegistryWay>,
    /// The members that were installed from this entry.
    pub members: Vec<RegistryMember>,
}

/// One way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryWay {
    /// Its kind: a kind of package, or `remote`.
    pub kind: String,
    /// The package's name, or the address; may be empty.
    pub name: String,
    /// The package's version, where it has one.
    pub version: Option<String>,
    /// The registry of packages that the entry names.
    pub package_registry: Option<String>,
    /// The command that it would run; `None` where it can't be installed.
    pub install: Option<RegistryInstall>,
    /// Why it can't be installed, a sentence; `None` where it can.
    pub unusable: Option<String>,
}

/// The command and the inputs of one way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryInstall {
    /// A digest of its whole command: another command is another way.
    pub id: FoundId,
    /// The command that it would run, with `${input:KEY}` for each input.
    pub launch: FoundLaunch,
    /// The same as a line for people.
    pub command_line: String,
    /// Its command as a container, where it runs one.
    pub container: Option<FoundContainer>,
    /// Its inputs.
    pub asks: McpbAsks,
    /// Further remarks, a sentence each.
    pub notes: Vec<String>,
}

/// A server to be installed. It becomes a member that needs a review.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallRegistryServer {
    /// The registry; `None` for the one of the settings.
    pub source: Option<String>,
    /// The server's name in the registry.
    pub server: String,
    /// The version.
    pub version: String,
    /// Which way it is to be run, as it was shown.
    pub way: FoundId,
    /// The name of the new member.
    pub member: MemberName,
    /// The answers, as the text of one JSON object. A missing one has no answer.
    pub answers: String,
}

/// Says no answer: secrets are among them.
impl fmt::Debug for InstallRegistryServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstallRegistryServer")
            .field("source", &self.source)
            .field("server", &self.server)
            .field("version", &self.version)
            .field("way", &self.way)
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}

/// A member that was made of a server. It runs when a person has accepted what it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledRegistryServer {
    /// The member.
    pub member: MemberName,
    /// Its folder.
    pub folder: String,
    /// The names of the secrets that were kept for it.
    pub secrets: Vec<String>,
    /// A warning about the place of the secrets, or the reason why the registry could not be asked and
    /// its earlier answer was used.
    pub warning: Option<Report>,
    /// The options in the answers that `container` can't express, each as the rest of a sentence.
    /// The member then runs a command although the preview showed a container.
    #[serde(default)]
    pub stays_command: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::InstalledMcpb;

    #[test]
    fn older_installation_answer_is_read() {
        let installed = json!({
            "member": "m", "folder": "/members/m", "secrets": [], "warning": null, "replaced": null,
        });
        let server = serde_json::from_value::<InstalledRegistryServer>(installed.clone());
        assert!(server.expect("it is read").stays_command.is_empty());
        let bundle = serde_json::from_value::<InstalledMcpb>(installed);
        assert!(bundle.expect("it is read").stays_command.is_empty());
    }
}
