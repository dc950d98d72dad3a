//! The commands that the window and the command line send to the hall, with their requests and
//! responses.
//!
//! One table declares each command with its request and its response. `cargo xtask codegen` writes
//! the TypeScript bindings and `docs/commands.md` from it. Times are milliseconds since 1970, and
//! durations are milliseconds. JSON from a server or a user is sent as **text**, so that the order
//! of its fields and every digit of its numbers are preserved.

#![expect(
    missing_docs,
    reason = "a field without a comment is described by its name and type"
)]

mod agents;
mod beginnings;
mod brought;
mod catalog;
pub mod control;
mod copies;
mod dev;
mod doctor;
mod elicitation;
mod embeddings;
mod found;
mod history;
mod logs;
mod managing;
mod mcpb;
mod offers;
mod policies;
mod prediction;
mod recordings;
mod registry;
mod secrets;
mod settings;
mod sign_in;
mod table;
mod team;
mod trust;
mod updates;

use guild_schema::validate::{ArgumentError, CheckedArguments};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::agents::*;
pub use self::beginnings::*;
pub use self::brought::*;
pub use self::catalog::*;
pub use self::copies::*;
pub use self::dev::*;
pub use self::doctor::*;
pub use self::elicitation::*;
pub use self::embeddings::*;
pub use self::found::*;
pub use self::history::*;
pub use self::logs::*;
pub use self::managing::*;
pub use self::mcpb::*;
pub use self::offers::*;
pub use self::policies::*;
pub use self::prediction::*;
pub use self::recordings::*;
pub use self::registry::*;
pub use self::secrets::*;
pub use self::settings::*;
pub use self::sign_in::*;
pub use self::table::*;
pub use self::team::*;
pub use self::trust::*;
pub use self::updates::*;

use guild_model::discovery::FoundBy;
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName, ToolName};
use guild_model::manifest::{Lifecycle, Transport};
use guild_model::protocol::ServerInfo;
use guild_model::status::{Freshness, StartStep, Status};
use guild_model::tool::{ListProblem, Provenance, ToolHints};

/// A request without fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}

/// A request about one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberRef {
    pub member: MemberName,
}

/// The members that the window currently shows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisibleMembers {
    /// The members whose page or tools are shown, the most important first. Members after the first
    /// 64 are ignored.
    pub members: Vec<MemberName>,
}

/// A request about one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolRef {
    pub member: MemberName,
    pub tool: ToolName,
}

/// The current state of all members, sorted by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterView {
    /// The revision of the newest event that this roster includes.
    pub revision: u64,
    /// The members' folder.
    pub members_dir: String,
    /// All members, sorted by name.
    pub members: Vec<MemberView>,
    /// Why the members' folder can't be read.
    pub error: Option<Report>,
}

/// One member as the roster shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    /// The member's name, or the folder's name if the manifest has none.
    pub name: MemberName,
    /// The version in the manifest.
    pub version: String,
    /// The description in the manifest.
    pub description: String,
    /// The transport in use, or the manifest's transport while the server is down. `None` if the
    /// manifest's transport is invalid.
    pub transport: Option<Transport>,
    /// When Guild Hall starts the member.
    pub lifecycle: Lifecycle,
    pub status: Status,
    /// The current step of the start, while the status is `starting`.
    pub step: Option<StartStep>,
    /// How current the tool list is.
    pub freshness: Freshness,
    /// When the server last sent the tool list.
    pub listed_at_ms: Option<u64>,
    /// The number of tools.
    pub tools: usize,
    /// The port that Guild Hall assigned to the member.
    pub port: Option<u16>,
    /// The id of the member's process.
    pub pid: Option<u32>,
    /// When the current status began.
    pub since_ms: u64,
    /// When Guild Hall will restart the member, while the status is `backoff`.
    pub retry_at_ms: Option<u64>,
    /// The number of consecutive failures.
    pub attempt: u32,
    /// The negotiated MCP version, while the member is connected.
    pub protocol_version: Option<String>,
    /// The last line on stderr, cut to 300 characters.
    pub last_stderr: Option<String>,
    /// Why the member failed, or why the last refresh of the tools failed.
    pub error: Option<Report>,
    /// Problems that don't prevent a start: unknown manifest fields, malformed tools, a port that
    /// other machines can reach.
    pub warnings: Vec<Report>,
    /// The number of running calls.
    pub calls: usize,
    /// The review state.
    pub trust: Trust,
}

/// One tool as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    pub member: MemberName,
    pub name: ToolName,
    pub title: Option<String>,
    /// The first sentence of the description, at most 200 characters.
    pub summary: String,
    /// The server's hints about the tool.
    pub hints: ToolHints,
    /// Why the tool is withheld from agents until a review. `None` if it is not withheld.
    #[serde(default)]
    pub mark: Option<ToolMark>,
}

/// A member's tools in the server's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTools {
    pub member: MemberName,
    /// How current the list is.
    pub freshness: Freshness,
    /// When the server last sent the list.
    pub listed_at_ms: Option<u64>,
    pub tools: Vec<ToolSummary>,
    /// The entries that were left out of the list, with reasons.
    pub problems: Vec<ListProblem>,
    /// How Guild Hall found the list. `None` if the server sent it by the MCP protocol. Tools that
    /// the server has not confirmed can't be called.
    pub found: Option<FoundBy>,
}

/// A search over all members' tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchTools {
    /// Words that must all occur in the member's name or in the tool's name, title or description.
    pub query: String,
    /// The maximum number of results, at most 500.
    pub limit: usize,
}

/// The results of a search over all members' tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundTools {
    /// The best matches, best first.
    pub tools: Vec<ToolSummary>,
    /// The total number of matching tools.
    pub total: usize,
}

/// The details of one tool, as a form needs them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolDetail {
    /// The tool as a list shows it.
    pub summary: ToolSummary,
    /// The whole description.
    pub description: String,
    /// The source of this description.
    pub provenance: Provenance,
    /// How Guild Hall found the member's list. `None` if the server sent it by the MCP protocol.
    pub found: Option<FoundBy>,
    /// How current the member's list is.
    pub freshness: Freshness,
    /// The input schema, limited in size, as JSON text.
    pub input_schema: String,
    /// The output schema, limited in size, as JSON text.
    pub output_schema: Option<String>,
    /// The schema parts that were removed because of the size limit, with reasons. Empty for nearly
    /// all tools.
    pub schema_notes: Vec<String>,
    /// The tool exactly as the server sent it, as JSON text.
    pub raw: String,
    /// The time limit of a call, in milliseconds.
    pub call_timeout_ms: u64,
    /// Passages that may be meant to deceive a person or a model.
    #[serde(default)]
    pub suspicions: Vec<Suspicion>,
    /// The URI of the resource that shows the tool's results (MCP Apps). `None` without an app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
}

/// Arguments to check against a tool's input schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckArguments {
    pub member: MemberName,
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
}

/// A request to call a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvokeTool {
    /// The call's id, chosen by the caller. Events about the call contain it.
    pub call: CallId,
    pub member: MemberName,
    pub tool: ToolName,
    /// The arguments as JSON text: an object.
    pub arguments: String,
    /// Whether arguments that don't match the schema are rejected or sent anyway.
    pub check: ArgumentCheck,
    /// A time limit in milliseconds that replaces the manifest's.
    pub timeout_ms: Option<u64>,
}

/// The treatment of arguments that don't match the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArgumentCheck {
    /// Rejected with the error `arguments-invalid`.
    Refuse,
    /// Sent unchanged, to test how the server reacts.
    SendAnyway,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallOutcome {
    pub call: CallId,
    pub member: MemberName,
    pub tool: ToolName,
    /// When the call began.
    pub started_at_ms: u64,
    /// The duration in milliseconds, including a start of the member.
    pub duration_ms: u64,
    /// The exact JSON-RPC message of the call, as JSON text. `None` if nothing was sent. If the
    /// server requested further input, this is the last message that was sent.
    pub request: Option<String>,
    /// The check of the result against the tool's output schema. `None` without a schema or a
    /// result.
    pub structured: Option<CheckedArguments>,
    /// The result, or the reason for a missing one.
    pub end: CallEnd,
}

/// The end of a call: a result, even if it reports a failure, or the reason for a missing one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum CallEnd {
    /// The tool returned a result.
    Result {
        /// The MCP result as the server sent it, as JSON text.
        result: String,
        /// Whether the tool reports a failure (`isError`). Such a failure never changes the
        /// member's status.
        is_error: bool,
    },
    /// The call has no result.
    Failed {
        /// The reason for the missing result.
        report: Report,
        /// The JSON-RPC error, if the server sent one.
        rpc: Option<RpcError>,
        /// The errors per field, if the arguments were rejected.
        arguments: Vec<ArgumentError>,
        /// The last lines of the member's stderr, if its process ended.
        stderr: Vec<LogLine>,
    },
}

/// A JSON-RPC error as the server sent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RpcError {
    pub code: i64,
    /// The message, at most 16 KiB.
    pub message: String,
    /// The data as JSON text, at most 64 KiB.
    pub data: Option<String>,
}

/// A request about one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallRef {
    pub call: CallId,
}

/// The details of one member, as its page shows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberDetail {
    /// The member as the roster shows it.
    pub view: MemberView,
    pub folder: String,
    /// The text of the manifest file, at most 256 KiB.
    pub manifest: Option<String>,
    /// The whole command line. Secrets appear as `${secret:NAME}`.
    pub command: Option<String>,
    /// The server's HTTP address. `None` while the server is down or uses stdio.
    pub url: Option<String>,
    /// The names of the manifest's environment variables, or for a remote server of its headers.
    /// The values may be secret and are left out.
    pub env_names: Vec<String>,
    /// The server's information about itself.
    pub server: Option<ServerInfo>,
    /// The file that caches the tool list.
    pub cache_file: String,
    /// The last lines on stderr.
    pub stderr: Vec<LogLine>,
}

/// One line of a member's stderr.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// The line's number among all lines that the member ever wrote. A gap means that lines are
    /// missing.
    pub seq: u64,
    /// The number of the member's start that wrote the line, from 1. 0 if unknown.
    #[serde(default)]
    #[schemars(required)]
    pub start: u64,
    /// When Guild Hall read the line.
    pub at_ms: u64,
    /// The line without its line break, at most 8 KiB. Color codes are kept.
    pub text: String,
}

/// The result of refreshing all members.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    /// The members whose tool list was read.
    pub updated: Vec<MemberName>,
    /// The members that failed, each with its reason.
    pub failed: Vec<Report>,
}

/// Version and folders of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    /// The version of Guild Hall.
    pub version: String,
    /// The members' folder.
    pub members_dir: String,
    /// The data folder.
    pub data_dir: String,
    /// The file with the licenses of third-party software. `None` if no package installed one.
    pub licences: Option<String>,
}
