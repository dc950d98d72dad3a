//! A person's reviews: the accepted commands and tool descriptions of members, and the changes of
//! tool lists over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SavedId;
use guild_model::diff::ToolSpecDiff;
use guild_model::error::Report;
use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::Origin;

/// The most tools that one review or revision shows in full; of more it says how many.
pub const MARKED_MAX: usize = 1_000;
/// The most tools of a member that are known by name as held back within the program.
pub const HELD_NAMES_MAX: usize = 200;
/// The most revisions that one answer has.
pub const REVISIONS_MAX: usize = 100;

/// The review of a member.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// Where its manifest says that it comes from; `None` for one that its user wrote.
    pub origin: Option<Origin>,
    /// Whether what it runs was accepted.
    pub launch: LaunchTrust,
    /// Whether changed tools need review from agents until they are accepted.
    pub holds: bool,
    /// The number of its tools that agents do not get before a review.
    pub held: usize,
    /// Which those are, in their order, where they are `HELD_NAMES_MAX` at most; within the program
    /// alone.
    #[serde(skip)]
    pub held_names: Vec<ToolName>,
}

/// Whether what a member runs was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchTrust {
    /// Its user wrote it: it needs no review.
    #[default]
    Own,
    /// It comes from elsewhere, and a person accepted exactly what it runs.
    Accepted,
    /// It comes from elsewhere and was not reviewed: it is never started.
    Unreviewed,
    /// It comes from elsewhere, and its command differs from the accepted one: it is never started.
    Changed,
}

/// Why agents do not get a tool, while its member holds changes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolMark {
    /// It was not in the list that was accepted.
    New,
    /// It is not as it was accepted.
    Changed,
}

/// A member's command or address as its manifest has it: variables are not filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchView {
    /// A digest of the command, the origin included.
    pub hash: String,
    /// Where the manifest says that it comes from.
    pub origin: Option<Origin>,
    /// The program that is run.
    pub command: Option<LaunchText>,
    /// Its arguments.
    pub args: Vec<LaunchText>,
    /// The folder that it runs in instead of the member's own.
    pub cwd: Option<LaunchText>,
    /// The variables that are set for it, by name.
    pub env: Vec<LaunchField>,
    /// The address that is reached instead of a program.
    pub url: Option<LaunchText>,
    /// The headers that are sent there, by name.
    pub headers: Vec<LaunchField>,
    /// The client and the scopes of its sign-in.
    #[serde(default)]
    pub auth: Vec<LaunchField>,
    /// The container that is run instead of a program: its image, and what it may do.
    #[serde(default)]
    pub container: Vec<LaunchField>,
}

/// A text of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchText {
    /// The text as the manifest has it; `•••` where that may be a secret.
    pub text: String,
    /// A digest that distinguishes it from others, also where both are masked.
    pub digest: String,
}

/// A variable or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchField {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: LaunchText,
}

/// A member's command at the time when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedLaunch {
    /// When that was.
    pub at_ms: u64,
    /// The command.
    pub launch: LaunchView,
}

/// A member's command and tools, beside the accepted ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberReview {
    /// The member.
    pub member: MemberName,
    /// Its review.
    pub trust: Trust,
    /// Its command; `None` where its manifest can't be used.
    pub launch: Option<LaunchView>,
    /// Its command when it was accepted last.
    pub accepted: Option<AcceptedLaunch>,
    /// The differences between the two: `command`, `args[2]`, `env.TOKEN`, `origin.at`, …
    pub launch_changes: Vec<String>,
    /// A digest of the tool list in this review, by which it is accepted.
    pub list: String,
    /// How many tools it has now.
    pub count: usize,
    /// When tools were accepted last; `None` where no list was.
    pub reviewed_at_ms: Option<u64>,
    /// The tools that are not as they were accepted, and those with something suspicious; the
    /// held ones first.
    pub tools: Vec<ToolReview>,
    /// How many more there are.
    pub more: usize,
    /// The problem with the files that keep accepted commands and tools.
    pub warning: Option<Report>,
}

/// The difference of a tool from the one of the same name in another list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolDifference {
    /// Unchanged.
    Same,
    /// The other list does not have it.
    New,
    /// It differs.
    Changed,
    /// Removed: only the other list has it.
    Gone,
}

/// One tool, beside how it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolReview {
    /// The tool.
    pub name: ToolName,
    /// The difference.
    pub difference: ToolDifference,
    /// The parts of it that differ; all of them for a new tool, none for one that is gone.
    pub parts: Vec<PartDifference>,
    /// The words in it that look like an attempt to deceive.
    pub suspicions: Vec<Suspicion>,
    /// The uses that no longer work.
    pub breaks: Vec<Breakage>,
}

/// One part of a tool that differs, such as its description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartDifference {
    /// The part by its name in the tool's JSON: `description`, `inputSchema`, …
    pub part: String,
    /// The texts of both sides, piece by piece; for a schema, its JSON line by line.
    pub text: Vec<TextPiece>,
    /// The effects of a changed schema, the breaking ones first.
    pub schema: Vec<SchemaChange>,
}

/// A piece of a text, and its side in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextPiece {
    /// On which side.
    pub side: TextSide,
    /// The text.
    pub text: String,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextSide {
    /// On both.
    Both,
    /// Only in the old text: it was removed.
    Old,
    /// Only in the new text: it was added.
    New,
}

/// One change of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchemaChange {
    /// Where, as a JSON Pointer into the schema.
    pub pointer: String,
    /// Its effect on users of the tool.
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
    /// Arguments that fitted before may not fit now.
    Breaking,
    /// All arguments that fit before still fit, and more do.
    Widened,
    /// Only its wording changed; the same arguments fit.
    Words,
}

/// Something about a tool that looks as if it were to deceive a person or a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suspicion {
    /// Where, as a JSON Pointer into the tool.
    pub place: String,
    /// Of which kind.
    pub kind: SuspicionKind,
    /// The description.
    pub what: String,
    /// The words around it, characters that can't be seen written as `⟨U+200B⟩`.
    pub quote: String,
}

/// Kinds of suspicion.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SuspicionKind {
    /// Characters that can't be seen, or that change the order of others.
    Invisible,
    /// Words that are meant for a model and not for a person.
    Instruction,
    /// A name that can be taken for another.
    LookAlike,
    /// A name that a tool of another member has too.
    Shadows,
}

/// Something of a person's that does not work as it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breakage {
    /// The kind.
    pub kind: BreakageKind,
    /// The name of a saved call or of a profile, or the place of a policy.
    pub name: String,
    /// Why, in words.
    pub what: String,
    /// The saved call, where it is one.
    pub saved: Option<SavedId>,
}

/// A use that a change of tools may break.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BreakageKind {
    /// A call that was saved.
    SavedCall,
    /// A policy in the manifest or in the gateway's settings.
    Policy,
    /// A profile.
    Profile,
}

/// Accepts what a member runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptMember {
    /// The member.
    pub member: MemberName,
    /// The hash of what was shown; refused where it runs something else by now.
    pub hash: String,
}

/// Accepts a member's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptTools {
    /// The member.
    pub member: MemberName,
    /// The list that was shown; refused where the member has another by now.
    pub list: String,
    /// Which tools, those that are gone included; all where none are named.
    pub tools: Option<Vec<ToolName>>,
}

/// Says whether changes of a member's tools are held back from agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldChanges {
    /// The member.
    pub member: MemberName,
    /// Whether they are held back. If so, the current list counts as accepted.
    pub hold: bool,
}

/// Names one revision of a member's tool list; a later one has a higher number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct RevisionId(pub i64);

/// A question for a member's revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionsOf {
    /// The member.
    pub member: MemberName,
    /// Only older ones than this: where the page before ended.
    pub before: Option<RevisionId>,
    /// At most so many; 100 are the most.
    pub limit: usize,
}

/// Revisions of a member's tool list, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revisions {
    /// The member.
    pub member: MemberName,
    /// The revisions, the newest first.
    pub revisions: Vec<RevisionView>,
    /// Whether there are older ones.
    pub more: bool,
    /// Why they can't be read.
    pub trouble: Option<Report>,
}

/// One revision as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionView {
    /// Its id.
    pub id: RevisionId,
    /// When the list was said.
    pub at_ms: u64,
    /// How many tools the list had then.
    pub count: usize,
    /// The tools that were new, at most 1,000.
    pub added: Vec<ToolName>,
    /// The tools that were gone, at most 1,000.
    pub removed: Vec<ToolName>,
    /// The tools that changed, at most 1,000.
    pub changed: Vec<ToolSpecDiff>,
    /// How many more were added, removed or changed.
    pub more: usize,
    /// Whether what the tools said was too large to be kept: then only their names are.
    pub names_only: bool,
}

/// A question for one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfRevision {
    /// The member.
    pub member: MemberName,
    /// The revision.
    pub id: RevisionId,
}

/// One revision, readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The member.
    pub member: MemberName,
    /// As a list shows it.
    pub view: RevisionView,
    /// Each tool that was added, changed or removed, beside how it was.
    pub tools: Vec<ToolReview>,
}
