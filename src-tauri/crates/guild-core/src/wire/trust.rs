//! What a person has accepted: what members run, and what their tools say. And how tool lists
//! changed over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diff::ToolChange;
use crate::error::Report;
use crate::id::{MemberName, ToolName};
use crate::manifest::Origin;
use crate::wire::SavedId;

/// The most tools that one review or revision shows in full; of more it says how many.
pub const MARKED_MAX: usize = 1_000;
/// The most tools of a member that are known by name as held back within the program.
pub const HELD_NAMES_MAX: usize = 200;
/// The most revisions that one answer has.
pub const REVISIONS_MAX: usize = 100;

/// How it stands with a member's review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// Where its manifest says that it comes from; `None` for one that its user wrote.
    pub origin: Option<Origin>,
    /// Whether what it runs was accepted.
    pub launch: LaunchTrust,
    /// Whether changes of its tools are held back from agents until they are accepted.
    pub holds: bool,
    /// How many of its tools agents do not get because nobody has accepted them as they are.
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
    /// It comes from elsewhere, and nobody has accepted it: it is never started.
    Unreviewed,
    /// What it runs is not what was accepted: it is never started.
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

/// What a member runs or reaches, as its manifest has it: variables are not filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchView {
    /// Tells what is accepted: another one for the slightest difference, the origin included.
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
    /// As whom somebody signs in there, and for what.
    #[serde(default)]
    pub auth: Vec<LaunchField>,
    /// The container that is run instead of a program: its image, and what it may do.
    #[serde(default)]
    pub container: Vec<LaunchField>,
}

/// A text of what is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaunchText {
    /// The text as the manifest has it; `•••` where that may be a secret.
    pub text: String,
    /// Tells it from another, also where both are masked.
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

/// What a member ran when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedLaunch {
    /// When that was.
    pub at_ms: u64,
    /// What it ran.
    pub launch: LaunchView,
}

/// What a member runs and what its tools say, beside what was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberReview {
    /// The member.
    pub member: MemberName,
    /// How it stands with it.
    pub trust: Trust,
    /// What it runs; `None` where its manifest can't be used.
    pub launch: Option<LaunchView>,
    /// What it ran when it was accepted last.
    pub accepted: Option<AcceptedLaunch>,
    /// What differs between the two: `command`, `args[2]`, `env.TOKEN`, `origin.at`, …
    pub launch_changes: Vec<String>,
    /// Tells the tool list that this review shows; accepting tools names it.
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
    /// What is wrong with the files that keep what was accepted.
    pub warning: Option<Report>,
}

/// How a tool stands against the one of the same name that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolDifference {
    /// It is as it was.
    Same,
    /// It was not there.
    New,
    /// It was otherwise.
    Changed,
    /// It is there no more.
    Gone,
}

/// One tool, beside how it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolReview {
    /// The tool.
    pub name: ToolName,
    /// How it stands.
    pub difference: ToolDifference,
    /// The parts of it that differ; all of them for a new tool, none for one that is gone.
    pub parts: Vec<PartDifference>,
    /// What looks as if it were to deceive.
    pub suspicions: Vec<Suspicion>,
    /// What no longer works as it did.
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
    /// What the change of a schema means; the breaking ones first.
    pub schema: Vec<SchemaChange>,
}

/// A piece of a text, and on which side of a comparison it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextPiece {
    /// On which side.
    pub side: TextSide,
    /// The text.
    pub text: String,
}

/// On which side of a comparison a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextSide {
    /// On both.
    Both,
    /// Before alone: it was taken out.
    Old,
    /// Now alone: it was put in.
    New,
}

/// One change of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchemaChange {
    /// Where, as a JSON Pointer into the schema.
    pub pointer: String,
    /// What it means for whoever uses the tool.
    pub effect: SchemaEffect,
    /// The change in words.
    pub what: String,
}

/// What the change of a schema means for whoever uses the tool.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaEffect {
    /// What fitted before may not fit now.
    Breaking,
    /// Whatever fitted before fits now, and more does.
    Widened,
    /// It is said otherwise; what fits is the same.
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
    /// What, in words.
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
    /// What kind of thing.
    pub kind: BreakageKind,
    /// Its name: of a saved call, of a profile; where a policy stands.
    pub name: String,
    /// Why, in words.
    pub what: String,
    /// The saved call, where it is one.
    pub saved: Option<SavedId>,
}

/// What a change of tools may break.
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
    /// Whether they are: then the list as it is now counts as accepted.
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
    pub changed: Vec<ToolChange>,
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
