//! The catalog: all known tools, and the state of the search for further ones.

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

/// Of which tools, and with whose policies.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OfCatalog {
    /// The tools of this profile, with its policies; `None` for all tools.
    pub profile: Option<ProfileName>,
}

/// All tools, and all members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Guild Hall's own tools for agents, then all members' tools by member name, each in its
    /// server's order. The list of a running server comes before a cached one.
    pub tools: Vec<CatalogTool>,
    /// The prompts, resources and templates of the members whose lists are known, and those with a
    /// policy, in the same form: `member/prompt:NAME`.
    #[serde(default)]
    pub offers: Vec<CatalogTool>,
    /// All members by name, those without tools too.
    pub members: Vec<CatalogMember>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogTool {
    /// `member/tool`; the name alone of one that is Guild Hall's own.
    #[serde(with = "shared")]
    #[schemars(with = "String")]
    pub name: Arc<str>,
    /// The first sentence of its description, at most 200 characters.
    #[serde(with = "shared")]
    #[schemars(with = "String")]
    pub description: Arc<str>,
    /// Its kind.
    pub kind: ToolKind,
    /// Whether agents may call it; `None` for Guild Hall's own.
    pub policy: Option<Policy>,
    /// The origin of the policy.
    #[serde(default)]
    pub policy_reason: Option<PolicyReason>,
    /// The server's hints about it.
    #[serde(default)]
    pub hints: ToolHints,
    /// Which kind of tools that makes it for the rules; `None` for Guild Hall's own.
    #[serde(default)]
    pub class: Option<ToolClass>,
    /// Where its server says that it only reads, and its name or description says otherwise: whether a
    /// person confirmed that.
    #[serde(default)]
    pub read_only_claim: Option<ReadOnlyClaim>,
    /// The reason why agents do not get it, where its member holds changes back until a review.
    #[serde(default)]
    pub mark: Option<ToolMark>,
    /// Why agents do not get it although its policy, its mark and its member allow it: no name is left
    /// for it.
    #[serde(default)]
    pub withheld: Option<Report>,
    /// Where the knowledge of it comes from; `None` for Guild Hall's own.
    pub provenance: Option<Provenance>,
    /// The discovery of its member's tools; `None` for Guild Hall's own.
    pub discovery_status: Option<DiscoveryStatus>,
    /// When its member's tools were last found out.
    pub last_discovered_ms: Option<u64>,
}

/// The treatment of a server's claim that a tool only reads, which the tool's own words contradict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadOnlyClaim {
    /// The tool counts as one that changes something.
    Doubted,
    /// A person confirmed that it only reads.
    Confirmed,
}

/// The kind of a tool: Guild Hall's own, or a member's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    /// Guild Hall's own, for agents.
    Native,
    /// A member's.
    Mcp,
    /// A member's prompt.
    Prompt,
    /// A member's resource.
    Resource,
    /// A member's resource template.
    Template,
}

/// The discovery of a member's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiscoveryStatus {
    /// Not tried yet.
    #[default]
    Never,
    /// Discovery is running.
    Discovering,
    /// The tools are known.
    Success,
    /// The last try failed; the earlier tools are still known.
    Failed,
}

/// One member in the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogMember {
    /// The member.
    pub member: MemberName,
    /// The discovery of its tools.
    pub discovery_status: DiscoveryStatus,
    /// When they were last found out.
    pub last_discovered_ms: Option<u64>,
    /// Why the last try failed.
    pub discovery_error: Option<Report>,
    /// How they were found, where the server did not say them in the protocol's way.
    pub found: Option<FoundBy>,
    /// How many of the tools are its.
    pub tools: usize,
    /// Why agents get none of them, regardless of their policies.
    #[serde(default)]
    pub withheld: Option<Report>,
}

/// A text that many rows share, written as any text.
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
