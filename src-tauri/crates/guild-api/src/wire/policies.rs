//! Policies of many tools at once, and rules for kinds of tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyDecision, PolicyRules};
use guild_model::profile::ProfileName;

/// Maximum number of tools whose policies are set in one request.
pub const POLICIES_MAX: usize = 10_000;
/// Maximum number of tools that a preview names. Further tools are only counted.
pub const PREVIEWED_MAX: usize = 1_000;

/// A policy that the user set on one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicy {
    pub member: MemberName,
    pub tool: ToolName,
    /// The policy. `null` to follow the rules and the manifest.
    pub policy: Option<Policy>,
}

/// A request to set policies on individual tools. If one is invalid, none are set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetToolPolicies {
    /// The profile that the policies apply to. `null` for all endpoints.
    pub profile: Option<ProfileName>,
    /// The policies to set, on at most 10,000 tools.
    pub tools: Vec<ToolPolicy>,
}

/// A request to confirm a server's claim that a tool only reads, or to withdraw the confirmation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmReadOnly {
    pub member: MemberName,
    pub tool: ToolName,
    /// Whether to trust the claim although the tool's name or description contradicts it.
    pub confirmed: bool,
}

/// The result of setting policies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoliciesSet {
    /// The previous policies of the tools in the request. Setting them again undoes the change.
    pub before: Vec<ToolPolicy>,
}

/// A request with policy rules for kinds of tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyRulesOf {
    /// The profile that the rules apply to. `null` for all endpoints.
    pub profile: Option<ProfileName>,
    /// The rules that replace the current ones.
    pub rules: PolicyRules,
}

/// The changes that policy rules would make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyPreview {
    /// The tools for which the policy or its origin would change, sorted by member and then in the
    /// server's order. At most 1,000.
    pub changes: Vec<PolicyChange>,
    /// The number of all tools that would change, including those beyond the limit of `changes`.
    pub total: usize,
    /// The members with tools that the rules apply to, but without withholding of changed tools.
    /// The rules use the server's hints, so a server could change its tools' policies unnoticed.
    pub unheld: Vec<MemberName>,
}

/// A tool whose policy would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyChange {
    pub member: MemberName,
    pub tool: ToolName,
    /// The current policy.
    pub before: PolicyDecision,
    /// The policy under the new rules.
    pub after: PolicyDecision,
}
