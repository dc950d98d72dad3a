//! The history: calls with their results, saved calls, and drafts.
//!
//! Guild Hall masks secrets before it writes anything, so no value of these types contains a
//! recorded secret. [`MASK`] replaces each one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CallEnd, SessionRef};
use guild_model::error::{Code, Report};
use guild_model::id::{CallId, MemberName, ToolName};

/// The text that replaces a secret.
pub const MASK: &str = "•••";
/// Maximum number of entries on one page of the history.
pub const PAGE_MAX: usize = 500;
/// Maximum size of a saved draft, in bytes.
pub const DRAFT_BYTES_MAX: usize = 1 << 20;
/// Maximum length of a saved call's name, in characters.
pub const SAVED_NAME_MAX: usize = 120;

/// The id of a history entry. A later entry has a higher id.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct EntryId(pub i64);

/// The id of a saved call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SavedId(pub i64);

/// The kind of a call's outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// The tool returned a result.
    Ok,
    /// The tool reported a failure (`isError`).
    ToolError,
    /// The call has no result: it was rejected, not sent, or not answered.
    Failed,
    /// The caller cancelled the call.
    Cancelled,
}

impl OutcomeKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Ok, Self::ToolError, Self::Failed, Self::Cancelled];

    /// Returns the kind of a call's end.
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

    /// Returns the identifier used in files and on the command line.
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
    /// The user, through a form in the window.
    #[default]
    Window,
    /// `guildhall call`.
    CommandLine,
    /// A client program, through the gateway.
    Agent,
    /// Guild Hall, for an example in a member's manifest.
    Example,
    /// An MCP app of the tool's member, in the window.
    App,
}

impl Caller {
    /// Returns the identifier used in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::CommandLine => "command-line",
            Self::Agent => "agent",
            Self::Example => "example",
            Self::App => "app",
        }
    }
}

/// The calls to find. A missing field matches every call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HistoryFilter {
    /// Words that must all occur in the call's member, tool, agent, trace id, arguments, error or
    /// the first 4 KiB of its result. The last word may be incomplete.
    pub text: Option<String>,
    /// Only calls of this member.
    pub member: Option<MemberName>,
    /// Only calls of tools with this name.
    pub tool: Option<ToolName>,
    /// Only calls with this outcome.
    pub outcome: Option<OutcomeKind>,
    /// Only calls by this kind of caller.
    pub caller: Option<Caller>,
    /// Only calls that began at this time or later.
    pub since_ms: Option<u64>,
    /// Only calls that began before this time.
    pub until_ms: Option<u64>,
    /// Only this entry.
    pub entry: Option<EntryId>,
    /// Only calls of this session.
    pub session: Option<SessionRef>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHistory {
    /// The calls to include.
    pub filter: HistoryFilter,
    /// Only calls before this entry, which is the last one of the previous page.
    pub before: Option<EntryId>,
    /// The maximum number of calls, at most 500.
    pub limit: usize,
}

/// One page of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// The calls, the last one to end first.
    pub entries: Vec<HistoryEntry>,
    /// Whether older matching calls exist.
    pub more: bool,
    /// Why the calls could not be read, or another problem with the history.
    pub trouble: Option<Report>,
}

/// One call as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    pub id: EntryId,
    /// The id that the call had while it ran.
    pub call: CallId,
    /// When the call began.
    pub at_ms: u64,
    pub caller: Caller,
    /// The agent's name, if an agent made the call.
    pub client: Option<String>,
    pub member: MemberName,
    pub tool: ToolName,
    pub outcome: OutcomeKind,
    /// The error's code, if the call has no result.
    pub code: Option<Code>,
    pub duration_ms: u64,
    /// The original size of the result, in bytes of JSON.
    pub size: u64,
    /// The arguments on one line, cut to 200 characters.
    pub summary: String,
    /// The id of the call's trace, in 32 hexadecimal digits. `None` for a call of an earlier
    /// version.
    pub trace_id: Option<String>,
    /// The agent's MCP session, as a digest of its id. `None` without a session, and for a call of
    /// an earlier version.
    pub session: Option<String>,
}

/// A request about one entry of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntryRef {
    pub id: EntryId,
}

/// All recorded data of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedCall {
    /// The call as a list shows it.
    pub entry: HistoryEntry,
    /// The arguments as the original JSON text, with masked secrets. Invalid JSON is recorded
    /// unchanged.
    pub arguments: String,
    /// The masked arguments, as JSON Pointers. A replay has to ask for these values again.
    pub masked: Vec<String>,
    /// The result. A truncated result is not valid JSON.
    pub end: CallEnd,
    /// Whether the recorded result was cut to 1 MiB.
    pub truncated: bool,
    /// The change of the tool's input schema since the call.
    pub schema: SchemaSince,
}

/// The change of a tool's input schema since a recorded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaSince {
    /// The schema is the same.
    Same,
    /// The schema has changed.
    Changed,
    /// One of the two schemas is unknown: the tool is not listed now, or was not listed then.
    Unknown,
}

/// A call to save under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveCall {
    pub member: MemberName,
    pub tool: ToolName,
    /// The call's name: 1 to 120 characters on one line, unique among the tool's saved calls.
    pub name: String,
    /// The arguments as JSON text: an object. Guild Hall masks secrets before it saves them.
    pub arguments: String,
    /// Whether to keep or replace an existing saved call with the same name.
    pub existing: ExistingName,
}

/// The treatment of an existing saved call with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExistingName {
    /// The existing call stays, and the request fails with `saved-name-refused`.
    Keep,
    /// The new call replaces the existing call.
    Replace,
}

/// A call saved under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCall {
    pub id: SavedId,
    pub name: String,
    pub member: MemberName,
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
    /// The masked arguments, as JSON Pointers.
    pub masked: Vec<String>,
    /// When the call was saved.
    pub saved_at_ms: u64,
}

/// A filter for saved calls.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SavedCallsOf {
    /// Only calls of this member.
    pub member: Option<MemberName>,
    /// Only calls of tools with this name.
    pub tool: Option<ToolName>,
}

/// At most 1,000 saved calls, sorted by member, tool and name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCalls {
    pub calls: Vec<SavedCall>,
    /// Whether more saved calls match.
    pub more: bool,
    /// Why the data could not be read.
    pub trouble: Option<Report>,
}

/// A request about one saved call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCallRef {
    pub id: SavedId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenameSavedCall {
    pub id: SavedId,
    /// The new name of the saved call.
    pub name: String,
}

/// The result of removing calls from the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cleared {
    /// The number of removed calls.
    pub count: u64,
}

/// A request to export the history as JSON Lines: one [`RecordedCall`] per line, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportHistory {
    /// The calls to include.
    pub filter: HistoryFilter,
    /// The file's absolute path. An existing file is replaced once the new one is complete.
    pub path: String,
}

/// The exported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    pub path: String,
    /// The number of calls in the file.
    pub count: u64,
}

/// The unsent input in a tool's form, to save for the next start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeepDraft {
    pub member: MemberName,
    pub tool: ToolName,
    /// The draft without secrets, at most 1 MiB, in a format that the window chooses. `None`
    /// deletes it. Guild Hall keeps the newest 500 drafts.
    pub draft: Option<String>,
}

/// The saved draft of a tool's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptDraft {
    /// The draft, if one is saved.
    pub draft: Option<String>,
    /// When the draft was saved.
    pub kept_at_ms: Option<u64>,
    /// Why the data could not be read.
    pub trouble: Option<Report>,
}

/// The settings of the history: whether and how long calls are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HistorySettings {
    /// Whether calls are recorded. Saved calls and drafts are kept in any case.
    pub recording: bool,
    /// Maximum number of calls, 1 to 10,000,000. The oldest calls are removed first.
    pub keep_calls: u64,
    /// Maximum size of the calls in bytes, 1 MiB to 1 TiB. The oldest calls are removed first.
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

/// The settings and the state of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryState {
    pub settings: HistorySettings,
    /// The path of the database file.
    pub file: String,
    /// The number of recorded calls.
    pub calls: u64,
    /// The size of the recorded calls, in bytes.
    pub size: u64,
    /// The number of calls in this run that were not recorded, because they came too fast or
    /// because of `trouble`.
    pub unrecorded: u64,
    /// The problem with the history, if any.
    pub trouble: Option<Report>,
}
