//! The contract between Rust and its users: the window and the command line.
//!
//! One table of commands with a request and a response each. `cargo xtask codegen` writes the
//! TypeScript side and `docs/commands.md` from it. Times are milliseconds since 1970, durations
//! milliseconds. JSON from a server or a person crosses as **text**, so that neither
//! the order of fields nor a digit of a number is lost on the way.

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
pub struct OfMember {
    /// The member.
    pub member: MemberName,
}

/// The part of the window in view.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LookAt {
    /// Members whose page or tools are shown, the most important first; more than 64 are not kept.
    pub members: Vec<MemberName>,
}

/// A request about one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfTool {
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
}

/// The current state of all members, sorted by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterView {
    /// The revision of the newest event that this roster includes.
    pub revision: u64,
    /// The folder that the members were found in.
    pub members_dir: String,
    /// All members, sorted by name.
    pub members: Vec<MemberView>,
    /// The problem with the folder itself.
    pub error: Option<Report>,
}

/// One member as the roster shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    /// Its name; the folder's name where the manifest gives none.
    pub name: MemberName,
    /// The version in its manifest.
    pub version: String,
    /// The description in its manifest.
    pub description: String,
    /// How it is spoken to; `None` where the manifest doesn't say.
    pub transport: Option<Transport>,
    /// When it is started.
    pub lifecycle: Lifecycle,
    /// Its status.
    pub status: Status,
    /// The step of its start, while the status is `starting`.
    pub step: Option<StartStep>,
    /// How far its tool list can be trusted.
    pub freshness: Freshness,
    /// When the tool list was last said by the server.
    pub listed_at_ms: Option<u64>,
    /// How many tools it has.
    pub tools: usize,
    /// The port it was given.
    pub port: Option<u16>,
    /// The process it runs as.
    pub pid: Option<u32>,
    /// When the present status began.
    pub since_ms: u64,
    /// When it will be tried again, while the status is `backoff`.
    pub retry_at_ms: Option<u64>,
    /// How many times in a row it has failed.
    pub attempt: u32,
    /// The protocol version agreed upon, while it is connected.
    pub protocol_version: Option<String>,
    /// Its last line on stderr, cut to 300 characters.
    pub last_stderr: Option<String>,
    /// Why it failed, or why its last refresh did.
    pub error: Option<Report>,
    /// Oddities that stop nothing: unknown manifest fields, malformed tools, a wide-open port.
    pub warnings: Vec<Report>,
    /// How many calls run now.
    pub calls: usize,
    /// Its review.
    pub trust: Trust,
}

/// One tool as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    /// Its member.
    pub member: MemberName,
    /// Its name.
    pub name: ToolName,
    /// Its title for people.
    pub title: Option<String>,
    /// The first sentence of its description, at most 200 characters.
    pub summary: String,
    /// The server's hints about it.
    pub hints: ToolHints,
    /// The reason why agents do not get it, where its member holds changes back until a review.
    #[serde(default)]
    pub mark: Option<ToolMark>,
}

/// A member's tools in the server's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTools {
    /// The member.
    pub member: MemberName,
    /// How far the list can be trusted.
    pub freshness: Freshness,
    /// When the server last said it.
    pub listed_at_ms: Option<u64>,
    /// The tools.
    pub tools: Vec<ToolSummary>,
    /// The tools that were left out of the list, with reasons.
    pub problems: Vec<ListProblem>,
    /// How the list was found, where the server did not say it in the protocol's way. Tools that it
    /// has not confirmed can't be called.
    pub found: Option<FoundBy>,
}

/// A search over all members' tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchTools {
    /// Words; each has to occur in the member's name, the tool's name, title or description.
    pub query: String,
    /// At most so many results; 500 are the most.
    pub limit: usize,
}

/// The best matches first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundTools {
    /// The best matches, best first.
    pub tools: Vec<ToolSummary>,
    /// How many matched in all.
    pub total: usize,
}

/// Everything about one tool that a form needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolDetail {
    /// Name, title, hints.
    pub summary: ToolSummary,
    /// The whole description.
    pub description: String,
    /// Where the knowledge comes from.
    pub provenance: Provenance,
    /// The way in which its list was found, where the server did not list it by the protocol.
    pub found: Option<FoundBy>,
    /// The freshness of its list.
    pub freshness: Freshness,
    /// The bounded input schema, as JSON text.
    pub input_schema: String,
    /// The bounded output schema, as JSON text.
    pub output_schema: Option<String>,
    /// The parts that were cut off the schemas, with reasons; empty for nearly all tools.
    pub schema_notes: Vec<String>,
    /// The tool exactly as the server sent it, as JSON text.
    pub raw: String,
    /// The time limit of a call, in milliseconds.
    pub call_timeout_ms: u64,
    /// The words in it that look like an attempt to deceive.
    #[serde(default)]
    pub suspicions: Vec<Suspicion>,
}

/// Arguments to be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckArguments {
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvokeTool {
    /// The call's id, chosen by the caller; its progress and its end carry it.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// The arguments as JSON text: an object.
    pub arguments: String,
    /// Whether arguments that do not fit the schema are refused, or sent all the same.
    pub check: ArgumentCheck,
    /// A time limit instead of the manifest's, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// The action on arguments that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArgumentCheck {
    /// Refused with `arguments-invalid`.
    Refuse,
    /// Sent unchanged: this is a debugger too.
    SendAnyway,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallOutcome {
    /// The call.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// When it began.
    pub started_at_ms: u64,
    /// How long it took, a start of the member included.
    pub duration_ms: u64,
    /// The JSON-RPC message of the call exactly as it was sent, as JSON text; `None` where nothing
    /// was sent. Where the server asked for more before it answered, the last one.
    pub request: Option<String>,
    /// The check of the result against the tool's output schema; `None` without a schema or a
    /// result.
    pub structured: Option<CheckedArguments>,
    /// The end.
    pub end: CallEnd,
}

/// The end of a call: a result, also where the tool reports a failure, or the reason for a missing one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum CallEnd {
    /// The tool answered.
    Result {
        /// The MCP result as the server sent it, as JSON text.
        result: String,
        /// The tool says that it failed (`isError`): a result, never a change of status.
        is_error: bool,
    },
    /// No result.
    Failed {
        /// Why.
        report: Report,
        /// The JSON-RPC error, where the server sent one.
        rpc: Option<RpcError>,
        /// The errors at their fields, where the arguments were refused.
        arguments: Vec<ArgumentError>,
        /// The last lines of the member's stderr, where it ended.
        stderr: Vec<LogLine>,
    },
}

/// A JSON-RPC error as the server sent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RpcError {
    /// Its code.
    pub code: i64,
    /// Its message, bounded to 16 KiB.
    pub message: String,
    /// Its data as JSON text, bounded to 64 KiB.
    pub data: Option<String>,
}

/// A request about one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfCall {
    /// The call.
    pub call: CallId,
}

/// Everything about one member that its page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberDetail {
    /// The member as the roster shows it.
    pub view: MemberView,
    /// Its folder.
    pub folder: String,
    /// The text of its manifest file, at most 256 KiB.
    pub manifest: Option<String>,
    /// Its whole command, with secrets left as `${secret:NAME}`.
    pub command: Option<String>,
    /// The address it is spoken to at.
    pub url: Option<String>,
    /// The names of the variables that its manifest sets; values may be secret.
    pub env_names: Vec<String>,
    /// The server's information about itself.
    pub server: Option<ServerInfo>,
    /// Where its tool list is cached.
    pub cache_file: String,
    /// The last lines of its stderr.
    pub stderr: Vec<LogLine>,
}

/// One line of a member's stderr.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// Its number, over all that the member ever wrote: a gap says that lines are missing.
    pub seq: u64,
    /// The number of the start that wrote it, from 1; 0 where that is not known.
    #[serde(default)]
    #[schemars(required)]
    pub start: u64,
    /// When it was read.
    pub at_ms: u64,
    /// The line, without its end, colour codes kept, at most 8 KiB.
    pub text: String,
}

/// The result of refreshing all members.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    /// The members whose list was read.
    pub updated: Vec<MemberName>,
    /// The members that failed, each with its reason.
    pub failed: Vec<Report>,
}

/// Version and folders of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    /// Guild Hall's version.
    pub version: String,
    /// The folder of the members.
    pub members_dir: String,
    /// The folder of Guild Hall's own data.
    pub data_dir: String,
    /// The file with the licences of others' works in it; a program that was built here has none.
    pub licences: Option<String>,
}
