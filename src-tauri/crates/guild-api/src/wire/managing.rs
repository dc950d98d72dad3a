//! Enabling, renaming, duplicating, removing and editing members.

use guild_model::manifest::ManifestProblem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::MemberName;

/// Maximum number of members in the trash.
pub const REMOVED_MAX: usize = 20;
/// Days until a member in the trash is deleted permanently.
pub const REMOVED_DAYS: u64 = 30;

/// A request to enable or disable a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetMemberEnabled {
    pub member: MemberName,
    /// Whether the member is enabled from now on.
    pub enabled: bool,
}

/// A request to rename or duplicate a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenameMember {
    pub member: MemberName,
    /// The new name, or the name of the copy.
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RemovalId(pub String);

/// A member in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedMember {
    pub removal: RemovalId,
    /// The member's name.
    pub member: MemberName,
    /// The time of the removal.
    pub removed_at_ms: u64,
}

/// The members in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedMembers {
    /// The members, the newest first.
    pub members: Vec<RemovedMember>,
}

/// A request about a member in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovalRef {
    pub removal: RemovalId,
}

/// A member's `plugin.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberFile {
    pub member: MemberName,
    pub path: String,
    pub text: String,
    /// A digest of the text. A save uses it to detect changes by other programs.
    pub revision: String,
    /// Whether a save also accepts the saved command without a review. True for a third-party
    /// member whose current command is accepted.
    pub accepts: bool,
}

/// A text for `plugin.json` to check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckMemberFile {
    pub member: MemberName,
    pub text: String,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedMemberFile {
    /// The errors and warnings in file order, at most 200.
    pub problems: Vec<ManifestProblem>,
}

/// A request to change one field of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditManifestText {
    pub text: String,
    /// The name of the top-level field.
    pub field: String,
    /// The new value as JSON. `None` removes the field.
    pub value: Option<String>,
}

/// A text for `plugin.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManifestText {
    pub text: String,
}

/// A request to save a member's `plugin.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveMemberFile {
    pub member: MemberName,
    /// The new text.
    pub text: String,
    /// The revision of the text that was edited.
    pub revision: String,
}
