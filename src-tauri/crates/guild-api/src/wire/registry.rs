//! Servers in MCP registries, and the results of installing them.
//!
//! A registry is identified by its URL, or by the absolute path of a file in its format. Requests
//! without a registry use the setting `registry`, which is the official registry by default.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FoundContainer, FoundLaunch, McpbAsks};
use guild_model::error::Report;
use guild_model::id::{CallId, FoundId, MemberName};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchRegistry {
    /// The registry. `None` for the registry in the settings.
    pub source: Option<String>,
    /// Words that must all occur in the name, the title or the description. May be empty. The
    /// official registry searches for only one word, and only in names.
    pub query: String,
    /// The start of the page: `next` of the previous page. `None` for the first page.
    pub cursor: Option<String>,
    /// The search's id, chosen by the caller. `cancel_call` cancels it.
    pub call: CallId,
}

/// The registry that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrySource {
    /// The registry's URL, or the absolute path of a file.
    pub source: String,
    /// When the registry answered. For a file: when it was last changed.
    pub as_of_ms: u64,
    /// Why the registry could not be queried, so that this is an earlier answer. `None` if the
    /// query succeeded.
    pub unread: Option<Report>,
}

/// One page of search results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryPage {
    /// The registry that answered.
    pub source: RegistrySource,
    /// The servers on this page, sorted by name. A page may be empty although more pages follow.
    pub rows: Vec<RegistryRow>,
    /// The start of the next page. `None` on the last page.
    pub next: Option<String>,
    /// Invalid entries in the answer, at most 100.
    pub left_out: Vec<RegistryLeftOut>,
    /// The number of invalid entries.
    pub left_out_count: usize,
}

/// A server as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryRow {
    /// The server's name in the registry.
    pub server: String,
    /// The display name. May be empty.
    pub title: String,
    /// The description. May be empty.
    pub description: String,
    /// The newest version. May be empty.
    pub version: String,
    /// The publication status.
    pub standing: RegistryStanding,
    /// The package types of the server (`npm`, `oci`, …), and `remote` for a remote server.
    pub kinds: Vec<String>,
    /// The members that were installed from this entry.
    pub members: Vec<RegistryMember>,
}

/// The publication status of a server in a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RegistryStanding {
    /// Available.
    Active,
    /// The publisher advises against using the server.
    Deprecated,
    /// The server was removed from the registry.
    Deleted,
}

impl RegistryStanding {
    /// Returns the status as one word.
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
    pub member: MemberName,
    /// The installed version. May be empty.
    pub version: String,
    /// Whether the registry has a newer version.
    pub newer: bool,
}

/// An invalid entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryLeftOut {
    /// The entry's position in the answer, from 1.
    pub at: usize,
    /// The entry's name. May be empty.
    pub name: String,
    /// The problem with the entry.
    pub why: String,
}

/// A request about one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryServerRef {
    /// The registry. `None` for the registry in the settings.
    pub source: Option<String>,
    /// The server's name in the registry.
    pub server: String,
    /// The version. `None` for the newest.
    pub version: Option<String>,
}

/// Everything about one version of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryServer {
    /// The registry that answered.
    pub source: RegistrySource,
    /// The server's name in the registry.
    pub server: String,
    /// The display name. May be empty.
    pub title: String,
    /// The description. May be empty.
    pub description: String,
    /// The version that this record describes. May be empty.
    pub version: String,
    /// All listed versions, the newest first.
    pub versions: Vec<String>,
    /// The publication status.
    pub standing: RegistryStanding,
    /// The publisher's explanation of the status. May be empty.
    pub standing_message: String,
    /// When this version was published, in the registry's format.
    pub published_at: Option<String>,
    /// The URL of the source code.
    pub repository: Option<String>,
    /// The URL of the website.
    pub website: Option<String>,
    /// A valid and unused name for the member.
    pub suggested: MemberName,
    /// The ways to run the server.
    pub ways: Vec<RegistryWay>,
    /// The members that were installed from this entry.
    pub members: Vec<RegistryMember>,
}

/// One way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryWay {
    /// The kind of this way: a package type, or `remote`.
    pub kind: String,
    /// The package's name, or the server's URL. May be empty.
    pub name: String,
    /// The package's version, if it has one.
    pub version: Option<String>,
    /// The package registry, if the entry names one.
    pub package_registry: Option<String>,
    /// The command and its inputs. `None` if the server can't be installed in this way.
    pub install: Option<RegistryInstall>,
    /// Why the server can't be installed in this way, as a sentence. `None` if it can.
    pub unusable: Option<String>,
}

/// The command and the inputs of one way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryInstall {
    /// A digest of the whole command. Different commands have different digests.
    pub id: FoundId,
    /// The launch command, with `${input:KEY}` for each input.
    pub launch: FoundLaunch,
    /// The launch command as one line for display.
    pub command_line: String,
    /// The container that the command runs, if there is one.
    pub container: Option<FoundContainer>,
    /// The inputs that the server needs.
    pub asks: McpbAsks,
    /// Further remarks, one sentence each.
    pub notes: Vec<String>,
}

/// A server to install as a member, which needs a review before it starts.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallRegistryServer {
    /// The registry. `None` for the registry in the settings.
    pub source: Option<String>,
    /// The server's name in the registry.
    pub server: String,
    pub version: String,
    /// The id of the chosen way to run the server. The request fails if the registry's command has
    /// changed since the user saw it.
    pub way: FoundId,
    /// The name of the new member.
    pub member: MemberName,
    /// The answers, as the text of one JSON object. A missing key means no answer.
    pub answers: String,
}

/// Omits the answers, because they may contain secrets.
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

/// The result of installing a server. The member starts only after the user has accepted its
/// command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledRegistryServer {
    pub member: MemberName,
    pub folder: String,
    /// The names of the secrets that were saved for the member.
    pub secrets: Vec<String>,
    /// A warning about the place where the secrets are saved, or the reason why an earlier answer
    /// of the registry was used.
    pub warning: Option<Report>,
    /// The options in the answers that `container` can't express, each as the end of a sentence.
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
