//! The user's reviews: the accepted commands and tool descriptions of members, and the changes of
//! tool lists over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SavedId;
use guild_model::diff::ToolSpecDiff;
use guild_model::error::Report;
use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::Origin;

/// Maximum number of tools that one review or revision shows in full. Further tools are only
/// counted.
pub const MARKED_MAX: usize = 1_000;
/// Maximum number of a member's withheld tools that events list by name.
pub const HELD_NAMES_MAX: usize = 200;
/// Maximum number of revisions in one answer.
pub const REVISIONS_MAX: usize = 100;

/// The review state of a member.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// The member's origin according to the manifest. `None` for a member that the user wrote.
    pub origin: Option<Origin>,
    /// Whether the user accepted the member's command.
    pub launch: LaunchTrust,
    /// Whether changed tools are withheld from agents until the user accepts them.
    pub holds: bool,
    /// The number of the member's tools that agents do not get before a review.
    pub held: usize,
    /// The names of the withheld tools, sorted. Empty if there are more than `HELD_NAMES_MAX`. Not
    /// sent to the window.
    #[serde(skip)]
    pub held_names: Vec<ToolName>,
}

/// Whether the user accepted a member's command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchTrust {
    /// The user wrote the member, so it needs no review.
    #[default]
    Own,
    /// A third-party member, and the user accepted exactly this command.
    Accepted,
    /// A third-party member without a review. It never starts.
    Unreviewed,
    /// A third-party member whose command differs from the accepted one. It never starts.
    Changed,
}

/// Why agents do not get a tool of a member that withholds changed tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolMark {
    /// The tool list that the user accepted does not contain the tool.
    New,
    /// The tool differs from its accepted version.
    Changed,
}

/// A member's command or address as its manifest contains it. Variables are not replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchView {
    /// A digest of the command and the origin.
    pub hash: String,
    /// The member's origin according to its manifest.
    pub origin: Option<Origin>,
    /// The program.
    pub command: Option<LaunchText>,
    /// The program's arguments.
    pub args: Vec<LaunchText>,
    /// The working directory. `None` for the member's own folder.
    pub cwd: Option<LaunchText>,
    /// The environment variables, sorted by name.
    pub env: Vec<LaunchField>,
    /// The address of a remote server, instead of a program.
    pub url: Option<LaunchText>,
    /// The headers for the remote server, sorted by name.
    pub headers: Vec<LaunchField>,
    /// The client and the scopes of the sign-in.
    #[serde(default)]
    pub auth: Vec<LaunchField>,
    /// The container, instead of a program: its image and its permissions.
    #[serde(default)]
    pub container: Vec<LaunchField>,
}

/// A string of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchText {
    /// The string as the manifest contains it, or `•••` if it may be a secret.
    pub text: String,
    /// A digest that distinguishes strings even if they are masked.
    pub digest: String,
}

/// A variable or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchField {
    pub name: String,
    pub value: LaunchText,
}

/// A member's accepted command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedLaunch {
    /// When the user accepted the command.
    pub at_ms: u64,
    /// The command.
    pub launch: LaunchView,
}

/// A member's command and tools, with the accepted versions for comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberReview {
    pub member: MemberName,
    pub trust: Trust,
    /// The member's command. `None` if the manifest can't be used.
    pub launch: Option<LaunchView>,
    /// The command that the user accepted last, if any.
    pub accepted: Option<AcceptedLaunch>,
    /// The fields that differ between the two commands: `command`, `args[2]`, `env.TOKEN`,
    /// `origin.at`, …
    pub launch_changes: Vec<String>,
    /// A digest of the tool list in this review. A request to accept the tools contains it.
    pub list: String,
    /// The current number of the member's tools.
    pub count: usize,
    /// When the user last accepted tools. `None` if no list was accepted.
    pub reviewed_at_ms: Option<u64>,
    /// The tools that differ from their accepted versions, and tools with suspicious passages. The
    /// withheld tools come first.
    pub tools: Vec<ToolReview>,
    /// The number of further tools that belong in `tools` but were left out, because the list is
    /// limited.
    pub more: usize,
    /// The problem with the files that store accepted commands and tools.
    pub warning: Option<Report>,
}

/// The difference between a tool and the tool with the same name in another list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolDifference {
    /// Unchanged.
    Same,
    /// Added: the other list does not have the tool.
    New,
    /// The two versions differ.
    Changed,
    /// Removed: only the other list has the tool.
    Gone,
}

/// A tool, compared with its earlier version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolReview {
    pub name: ToolName,
    pub difference: ToolDifference,
    /// The parts of the tool that differ. All parts for a new tool, none for a removed one.
    pub parts: Vec<PartDifference>,
    /// Passages that may be meant to deceive a person or a model.
    pub suspicions: Vec<Suspicion>,
    /// Saved calls, policies and profiles that no longer work with the changed tool.
    pub breaks: Vec<Breakage>,
}

/// One part of a tool that differs, such as its description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartDifference {
    /// The part's name in the tool's JSON: `description`, `inputSchema`, …
    pub part: String,
    /// The old and the new text of the part as a diff. For a schema, the texts are its JSON, line
    /// by line.
    pub text: Vec<TextPiece>,
    /// The effects of a changed schema, the breaking ones first.
    pub schema: Vec<SchemaChange>,
}

/// A piece of text in a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextPiece {
    /// The texts that contain the piece.
    pub side: TextSide,
    pub text: String,
}

/// The side of a comparison: the old text, the new text or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextSide {
    /// In both texts.
    Both,
    /// Only in the old text: it was removed.
    Old,
    /// Only in the new text: it was added.
    New,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchemaChange {
    /// The changed position, as a JSON Pointer into the schema.
    pub pointer: String,
    /// The change's effect on users of the tool.
    pub effect: SchemaEffect,
    /// The change in words.
    pub what: String,
}

/// The effect of a changed schema on users of the tool.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaEffect {
    /// Arguments that were valid before may be invalid now.
    Breaking,
    /// All arguments that were valid before are still valid, and further arguments are too.
    Widened,
    /// Only the wording changed. The same arguments are valid.
    Words,
}

/// A passage in a tool that may be meant to deceive a person or a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suspicion {
    /// The position of the passage, as a JSON Pointer into the tool.
    pub place: String,
    pub kind: SuspicionKind,
    /// A description of the suspicion.
    pub what: String,
    /// The passage with its surroundings. Invisible characters are written as `⟨U+200B⟩`.
    pub quote: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SuspicionKind {
    /// Characters that are invisible or that change the order of other characters.
    Invisible,
    /// Instructions that address a model instead of a person.
    Instruction,
    /// A name that can be mistaken for another one.
    LookAlike,
    /// A name that a tool of another member also has.
    Shadows,
}

/// A saved call, a policy or a profile that a changed tool breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breakage {
    pub kind: BreakageKind,
    /// The name of the saved call or the profile, or the place where the policy is set.
    pub name: String,
    /// The reason.
    pub what: String,
    /// The id of the saved call. `None` for a policy or a profile.
    pub saved: Option<SavedId>,
}

/// The kinds of settings and data that a changed tool may break.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BreakageKind {
    /// A saved call.
    SavedCall,
    /// A policy in the manifest or in the gateway's settings.
    Policy,
    /// A profile.
    Profile,
}

/// A request to accept a member's command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptMember {
    pub member: MemberName,
    /// The hash from the review. The request fails if the command has changed since.
    pub hash: String,
}

/// A request to accept a member's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptTools {
    pub member: MemberName,
    /// The digest of the list from the review. The request fails if the list has changed since.
    pub list: String,
    /// The tools to accept, including removed ones. `None` for all.
    pub tools: Option<Vec<ToolName>>,
}

/// A request to withhold a member's changed tools from agents, or to stop withholding them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldChanges {
    pub member: MemberName,
    /// Whether to withhold changed tools. If so, the current list counts as accepted.
    pub hold: bool,
}

/// The id of a revision of a member's tool list. A later revision has a higher id.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct RevisionId(pub i64);

/// A request for a member's revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionsOf {
    pub member: MemberName,
    /// Only revisions before this revision, which is the last of the previous page.
    pub before: Option<RevisionId>,
    /// The maximum number of revisions, at most 100.
    pub limit: usize,
}

/// One page of the revisions of a member's tool list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revisions {
    pub member: MemberName,
    /// The revisions, the newest first.
    pub revisions: Vec<RevisionView>,
    /// Whether older revisions exist.
    pub more: bool,
    /// Why the revisions could not be read.
    pub trouble: Option<Report>,
}

/// One revision as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionView {
    pub id: RevisionId,
    /// When the server sent the list.
    pub at_ms: u64,
    /// The number of tools in the list.
    pub count: usize,
    /// The added tools, at most 1,000.
    pub added: Vec<ToolName>,
    /// The removed tools, at most 1,000.
    pub removed: Vec<ToolName>,
    /// The changed tools, at most 1,000.
    pub changed: Vec<ToolSpecDiff>,
    /// The number of further added, removed or changed tools.
    pub more: usize,
    /// Whether the list was too large to be stored in full, so that only the names are known.
    pub names_only: bool,
}

/// A request for one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionRef {
    pub member: MemberName,
    pub id: RevisionId,
}

/// One revision with the differences of its tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    pub member: MemberName,
    /// The revision as a list shows it.
    pub view: RevisionView,
    /// The added, changed and removed tools, compared with their earlier versions.
    pub tools: Vec<ToolReview>,
}
