//! The catalog: all known tools, and the state of tool discovery per member.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::ToolMark;
use guild_model::discovery::FoundBy;
use guild_model::error::Report;
use guild_model::id::MemberName;
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyReason, ToolClass};
use guild_model::profile::ProfileName;
use guild_model::tool::{Provenance, ToolHints};

/// A request for the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CatalogRequest {
    /// A profile, to get only its tools, with its policies. `None` for all tools.
    pub profile: Option<ProfileName>,
}

/// All tools and all members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Guild Hall's own tools for agents, then all members' tools, sorted by member name and then
    /// in the server's order. A running server's list is preferred to a cached one.
    pub tools: Vec<CatalogTool>,
    /// The prompts, resources and templates that are known or that have a policy. Their names have
    /// the form `member/prompt:NAME`.
    #[serde(default)]
    pub offers: Vec<CatalogTool>,
    /// All members, sorted by name, including those without tools.
    pub members: Vec<CatalogMember>,
}

/// One tool, prompt, resource or template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogTool {
    /// `member/tool`, or only the name for a tool of Guild Hall.
    #[serde(with = "shared")]
    #[schemars(with = "String")]
    pub name: Arc<str>,
    /// The first sentence of the description, at most 200 characters.
    #[serde(with = "shared")]
    #[schemars(with = "String")]
    pub description: Arc<str>,
    /// The entry's kind and owner.
    pub kind: ToolKind,
    /// Whether agents may call the tool. `None` for Guild Hall's own tools.
    pub policy: Option<Policy>,
    /// The origin of the policy.
    #[serde(default)]
    pub policy_reason: Option<PolicyReason>,
    /// The server's hints about the tool.
    #[serde(default)]
    pub hints: ToolHints,
    /// The class that the policy rules use, derived from the hints. `None` for Guild Hall's own
    /// tools.
    #[serde(default)]
    pub class: Option<ToolClass>,
    /// The treatment of the server's claim that the tool only reads. `None` if the server makes no
    /// such claim, or if the tool's name and description don't contradict it.
    #[serde(default)]
    pub read_only_claim: Option<ReadOnlyClaim>,
    /// Why the tool is withheld from agents until a review. `None` if it is not withheld.
    #[serde(default)]
    pub mark: Option<ToolMark>,
    /// Why agents do not get the tool although its policy allows it and no review withholds it:
    /// Guild Hall found no unique name for it.
    #[serde(default)]
    pub withheld: Option<Report>,
    /// The source of this description. `None` for Guild Hall's own tools.
    pub provenance: Option<Provenance>,
    /// The state of the discovery of the member's tools. `None` for Guild Hall's own tools.
    pub discovery_status: Option<DiscoveryStatus>,
    /// When the member's tools were last discovered.
    pub last_discovered_ms: Option<u64>,
}

/// The treatment of a server's claim that a tool only reads, if the tool's name or description
/// contradicts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadOnlyClaim {
    /// The claim is ignored: the tool counts as one that changes something.
    Doubted,
    /// The user confirmed that the tool only reads.
    Confirmed,
}

/// The kind of a catalog entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    /// Guild Hall's own tool for agents.
    Native,
    /// A member's tool.
    Mcp,
    /// A member's prompt.
    Prompt,
    /// A member's resource.
    Resource,
    /// A member's resource template.
    Template,
    /// A member's skill.
    Skill,
}

/// The state of the discovery of a member's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiscoveryStatus {
    /// Discovery has not been tried yet.
    #[default]
    Never,
    /// Discovery is running.
    Discovering,
    /// The tools are known.
    Success,
    /// The last attempt failed. The earlier tools are still known.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogMember {
    pub member: MemberName,
    /// The state of the discovery of the member's tools.
    pub discovery_status: DiscoveryStatus,
    /// When the member's tools were last discovered.
    pub last_discovered_ms: Option<u64>,
    /// Why the last discovery failed.
    pub discovery_error: Option<Report>,
    /// How Guild Hall found the member's tools. `None` if the server listed them by the MCP
    /// protocol.
    pub found: Option<FoundBy>,
    /// The number of the member's tools.
    pub tools: usize,
    /// Why agents get none of the member's tools, regardless of the policies. `None` if agents get
    /// tools.
    #[serde(default)]
    pub withheld: Option<Report>,
}

/// Serializes a shared string like an ordinary one.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(from).map(Arc::from)
    }
}
