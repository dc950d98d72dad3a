//! Agents' calls as sessions, and recorded calls as checks and mocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EntryId, ExampleRun};
use guild_model::id::{CallId, MemberName, ToolName};

/// Maximum number of sessions in one list.
pub const SESSIONS_MAX: usize = 100;
/// Maximum number of recorded calls in one suite or mock.
pub const RECORDED_CALLS_MAX: usize = 200;

/// Identifies the calls of a session in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionRef {
    /// The agent's name.
    pub client: Option<String>,
    /// The MCP session, as in [`HistoryEntry::session`](super::HistoryEntry::session).
    pub session: Option<String>,
    /// The first call.
    pub first: EntryId,
    /// The last call.
    pub last: EntryId,
}

/// A session: consecutive calls by one agent, with pauses of at most 30 minutes between the end of a
/// call and the beginning of the next. The calls have the same MCP session, if the client's protocol
/// version has sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentSession {
    pub of: SessionRef,
    /// When the first call began.
    pub began_ms: u64,
    /// When the last call began.
    pub last_call_ms: u64,
    /// The number of calls.
    pub calls: u64,
    /// The number of calls without a successful result.
    pub failed: u64,
    /// The called members, sorted, at most 20.
    pub members: Vec<MemberName>,
}

/// A request for the newest sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListSessions {
    /// The maximum number of sessions, at most 100.
    pub limit: usize,
}

/// The newest sessions of agents, the one with the latest call first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentSessions {
    pub sessions: Vec<AgentSession>,
    /// Whether older sessions exist.
    pub more: bool,
}

/// A request to create checks from recorded calls. Runs the calls twice, to find the parts of their
/// results that change. `cancel_call` cancels it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateChecks {
    /// The id of this request, chosen by the caller.
    pub call: CallId,
    /// The recorded calls, at most 200. The checks run in the order in which the calls ended.
    pub calls: Vec<EntryId>,
    pub target: ChecksTarget,
    /// Whether to run tools that are not read-only, too. Without it, their calls are left out.
    pub changing: bool,
}

/// Where checks are saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ChecksTarget {
    /// A suite: a file for `guildhall dev --once --suite`. An existing file is replaced.
    Suite {
        /// The file's absolute path.
        path: String,
    },
    /// The examples in the manifests of the members.
    Manifests,
}

/// The created checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedChecks {
    /// The changed files.
    pub files: Vec<String>,
    pub checks: Vec<CreatedCheck>,
    /// The calls for which no check was created.
    pub left_out: Vec<UnusedCall>,
    /// The number of calls that the history no longer has.
    pub missing: usize,
}

/// A check that was created from a recorded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedCheck {
    pub member: MemberName,
    pub tool: ToolName,
    /// The check's name, unique in the member.
    pub name: String,
    /// The conditions that the result has to meet, in words.
    pub expects: Vec<String>,
    /// The parts of the result that the check does not compare: JSON Pointers into the structured
    /// content, `structuredContent` for all of it, or `text`, of which at most one line is compared.
    /// They differed between the recording and the two runs, or the text is too long.
    pub volatile: Vec<String>,
    /// The arguments that the history has masked, as JSON Pointers. A run of the suite asks for
    /// their values. Such a call was not run.
    pub asks: Vec<String>,
}

/// A recorded call that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnusedCall {
    pub entry: EntryId,
    pub member: MemberName,
    pub tool: ToolName,
    /// The reason, such as `it has no result`.
    pub why: String,
}

/// A request to run the checks of a suite. `cancel_call` cancels it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunSuite {
    /// The id of the run, chosen by the caller.
    pub call: CallId,
    /// The absolute path of the suite.
    pub path: String,
    /// The values of masked arguments: a JSON object with the names from the suite.
    pub values: String,
}

/// The results of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuiteRun {
    /// The results for each member, sorted by name.
    pub members: Vec<MemberChecks>,
}

/// The results of a member's checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberChecks {
    pub member: MemberName,
    /// The duration of all checks, in milliseconds.
    pub took_ms: u64,
    /// The result of each check, in their order.
    pub checks: Vec<ExampleRun>,
}

/// A request to create a member that answers from recorded calls and contacts no server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateMock {
    /// The recorded calls, at most 200. Only those of `of` are used.
    pub calls: Vec<EntryId>,
    /// The member that was called.
    pub of: MemberName,
    /// The name of the new member.
    pub member: MemberName,
}

/// The created mock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedMock {
    pub member: MemberName,
    /// The folder of the new member.
    pub folder: String,
    /// The number of calls that it answers from.
    pub calls: usize,
    /// The tools that it lists.
    pub tools: Vec<ToolName>,
    /// The calls that it can't answer from.
    pub left_out: Vec<UnusedCall>,
    /// The number of calls that the history no longer has.
    pub missing: usize,
}
