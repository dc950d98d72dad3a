//! Policies of many tools at once, and rules for kinds of tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyRules, Ruling};
use guild_model::profile::ProfileName;

/// The most tools whose policies are set at once.
pub const POLICIES_MAX: usize = 10_000;
/// The most tools that a preview names; of more it says how many.
pub const PREVIEWED_MAX: usize = 1_000;

/// A policy that a person set on one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicy {
    /// Its member.
    pub member: MemberName,
    /// Its name.
    pub tool: ToolName,
    /// The policy; `null` for what the rules and the manifest say.
    pub policy: Option<Policy>,
}

/// Policies to be set on tools by hand: all of them, or none where one can't be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetToolPolicies {
    /// The profile in which they hold; `null` for everywhere.
    pub profile: Option<ProfileName>,
    /// The policies to set, on 10,000 tools at most.
    pub tools: Vec<ToolPolicy>,
}

/// Confirms a server's claim that a tool only reads, or takes that back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmReadOnly {
    /// Its member.
    pub member: MemberName,
    /// Its name.
    pub tool: ToolName,
    /// Whether the claim holds although the tool's name or description contradicts it.
    pub confirmed: bool,
}

/// Policies that were set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoliciesSet {
    /// The earlier policies of these tools. Setting them again undoes the change.
    pub before: Vec<ToolPolicy>,
}

/// Rules for kinds of tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyRulesOf {
    /// The profile in which they hold; `null` for everywhere.
    pub profile: Option<ProfileName>,
    /// The rules that replace the current ones.
    pub rules: PolicyRules,
}

/// The changes that rules would make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyPreview {
    /// The tools whose policy, or whose deciding rule, would change. Sorted by member, then in the
    /// server's order. 1,000 at most.
    pub changes: Vec<PolicyChange>,
    /// How many there are.
    pub total: usize,
    /// The members with tools that these rules would allow only because of their servers'
    /// descriptions. A server may change its descriptions, and such a change is not held for
    /// review.
    pub unheld: Vec<MemberName>,
}

/// A tool whose policy would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyChange {
    /// Its member.
    pub member: MemberName,
    /// Its name.
    pub tool: ToolName,
    /// The current policy.
    pub before: Ruling,
    /// As it would be.
    pub after: Ruling,
}
