//! The history: calls with their results, saved calls, and drafts.
//!
//! Guild Hall masks secrets before it writes anything, so no value of these types contains a
//! recorded secret. [`MASK`] replaces each one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallEnd;
use guild_model::error::{Code, Report};
use guild_model::id::{CallId, MemberName, ToolName};

/// The text in the place of a secret.
pub const MASK: &str = "•••";
/// The most entries that one page of the history has.
pub const PAGE_MAX: usize = 500;
/// The most bytes of a kept draft.
pub const DRAFT_BYTES_MAX: usize = 1 << 20;
/// The longest name of a saved call, in characters.
pub const SAVED_NAME_MAX: usize = 120;

/// Names one entry of the history; a later entry has a higher one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct EntryId(pub i64);

/// Names one saved call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SavedId(pub i64);

/// How a call ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// The tool answered.
    Ok,
    /// The tool answered that it failed (`isError`).
    ToolError,
    /// No result: refused, not sent, or not answered.
    Failed,
    /// The caller cancelled it.
    Cancelled,
}

impl OutcomeKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ok, Self::ToolError, Self::Failed, Self::Cancelled];

    /// The kind of an end.
    pub fn of(end: &CallEnd) -> Self {
        match end {
            CallEnd::Result {
                is_error: false, ..
            } => Self::Ok,
            CallEnd::Result { is_error: true, .. } => Self::ToolError,
            CallEnd::Failed { report, .. } if report.code == Code::CallCancelled => Self::Cancelled,
            CallEnd::Failed { .. } => Self::Failed,
        }
    }

    /// Its word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool-error",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The caller of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// A person, by a form of the window.
    #[default]
    Window,
    /// `guildhall call`.
    CommandLine,
    /// A program, by the gateway.
    Agent,
    /// A member's manifest, where the call is an example of it.
    Example,
}

impl Caller {
    /// Its word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::CommandLine => "command-line",
            Self::Agent => "agent",
            Self::Example => "example",
        }
    }
}

/// The calls to find; a missing field matches every call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HistoryFilter {
    /// Words that the call has to have, in its member, tool, agent, arguments, error, or the first 4 KiB
    /// of its result; of the last one the beginning is enough.
    pub text: Option<String>,
    /// Only this member's.
    pub member: Option<MemberName>,
    /// Only of tools of this name.
    pub tool: Option<ToolName>,
    /// Only those that ended so.
    pub outcome: Option<OutcomeKind>,
    /// Only this one's.
    pub caller: Option<Caller>,
    /// Only those that began then or later.
    pub since_ms: Option<u64>,
    /// Only those that began before then.
    pub until_ms: Option<u64>,
    /// Only this entry.
    pub entry: Option<EntryId>,
}

/// A search of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHistory {
    /// Which calls.
    pub filter: HistoryFilter,
    /// Only those before this entry: the last one of the page before.
    pub before: Option<EntryId>,
    /// At most so many; 500 are the most.
    pub limit: usize,
}

/// One page of the history, the newest call first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// The calls, in the reverse of the order in which they ended.
    pub entries: Vec<HistoryEntry>,
    /// Whether there are more behind the last one.
    pub more: bool,
    /// The reason for a missing answer, or the problem with the history.
    pub trouble: Option<Report>,
}

/// One call as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The entry's id.
    pub id: EntryId,
    /// The id that the call had while it ran.
    pub call: CallId,
    /// When it began.
    pub at_ms: u64,
    /// The caller.
    pub caller: Caller,
    /// The agent's name, where it was one.
    pub client: Option<String>,
    /// Its member.
    pub member: MemberName,
    /// Its tool.
    pub tool: ToolName,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The error's code, if there is no result.
    pub code: Option<Code>,
    /// How long it took.
    pub duration_ms: u64,
    /// How large the result was when it came, in bytes of JSON.
    pub size: u64,
    /// The arguments on one line, cut to 200 characters.
    pub summary: String,
}

/// A request about one entry of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfEntry {
    /// The entry.
    pub id: EntryId,
}

/// Everything that was kept of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedCall {
    /// The call as a list shows it.
    pub entry: HistoryEntry,
    /// Its arguments as the typed JSON text, with masked secrets. Invalid JSON is kept unchanged.
    pub arguments: String,
    /// The places of the masked arguments, as JSON Pointers: a replay has to ask for these values
    /// again.
    pub masked: Vec<String>,
    /// The result. A truncated result is not valid JSON.
    pub end: CallEnd,
    /// Whether the result was longer than what is kept of one, which is 1 MiB.
    pub truncated: bool,
    /// The change of the tool's input schema since the call.
    pub schema: SchemaSince,
}

/// The change of a tool's input schema since a recorded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaSince {
    /// It is the same.
    Same,
    /// The schema has changed.
    Changed,
    /// One of the two is not known: the tool is not listed now, or was not then.
    Unknown,
}

/// A call to be kept under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveCall {
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// Its name, 1 to 120 characters on one line; unique among the tool's saved calls.
    pub name: String,
    /// The arguments as JSON text: an object. Secrets in it are masked before it is kept.
    pub arguments: String,
    /// The action where the tool has a saved call of that name.
    pub existing: ExistingName,
}

/// The action on a saved call that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExistingName {
    /// It stays, and the new one is refused with `saved-name-refused`.
    Keep,
    /// The new one takes its place.
    Replace,
}

/// A call that was kept under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCall {
    /// Its id.
    pub id: SavedId,
    /// Its name.
    pub name: String,
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
    /// The places of the arguments that were masked, as JSON Pointers.
    pub masked: Vec<String>,
    /// When it was saved.
    pub saved_at_ms: u64,
}

/// Which saved calls are meant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SavedCallsOf {
    /// Only this member's.
    pub member: Option<MemberName>,
    /// Only of tools of this name.
    pub tool: Option<ToolName>,
}

/// Saved calls, sorted by member, tool and name; at most 1,000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCalls {
    /// The calls.
    pub calls: Vec<SavedCall>,
    /// Whether there are more.
    pub more: bool,
    /// The reason for a missing answer.
    pub trouble: Option<Report>,
}

/// A request about one saved call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfSavedCall {
    /// The saved call.
    pub id: SavedId,
}

/// Another name for a saved call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenameSavedCall {
    /// The saved call.
    pub id: SavedId,
    /// Its new name.
    pub name: String,
}

/// The removed part of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cleared {
    /// How many calls.
    pub count: u64,
}

/// An export of the history as JSON Lines, one [`RecordedCall`] a line, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportHistory {
    /// Which calls.
    pub filter: HistoryFilter,
    /// The file's full path. An existing file is replaced after the new one is complete.
    pub path: String,
}

/// The exported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    /// The file.
    pub path: String,
    /// How many calls are in it.
    pub count: u64,
}

/// The draft in a tool's form, to be kept over a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeepDraft {
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// The draft, without secrets, in a format that the window chooses, at most 1 MiB; `None`
    /// deletes it. Guild Hall keeps the newest 500.
    pub draft: Option<String>,
}

/// The kept draft of a tool's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptDraft {
    /// The draft, where there is one.
    pub draft: Option<String>,
    /// When it was kept.
    pub kept_at_ms: Option<u64>,
    /// The reason for a missing answer.
    pub trouble: Option<Report>,
}

/// The recorded calls, and how long they are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HistorySettings {
    /// Whether calls are recorded. Saved calls and drafts are kept in any case.
    pub recording: bool,
    /// How many calls are kept; the oldest go first. 1 to 10,000,000.
    pub keep_calls: u64,
    /// How many bytes the calls may take; the oldest go first. 1 MiB to 1 TiB.
    pub keep_bytes: u64,
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self {
            recording: true,
            keep_calls: 100_000,
            keep_bytes: 512 << 20,
        }
    }
}

/// How the history is kept, and how it fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryState {
    /// The recorded calls, and how long they are kept.
    pub settings: HistorySettings,
    /// The database file.
    pub file: String,
    /// How many calls are kept.
    pub calls: u64,
    /// How many bytes they take.
    pub size: u64,
    /// How many calls of this run were not recorded, because they came too fast or for the reason
    /// in `trouble`.
    pub unrecorded: u64,
    /// The problem with it.
    pub trouble: Option<Report>,
}
