//! The contract between Rust and its users: the window and the command line.
//!
//! One table of commands with a request and a response each. `cargo xtask codegen` writes the
//! TypeScript side and `docs/commands.md` from it. Times are milliseconds since 1970, durations
//! milliseconds. Whatever a server or a person wrote as JSON crosses as **text**, so that neither
//! the order of fields nor a digit of a number is lost on the way.

mod agents;
pub mod control;
mod copies;
mod doctor;
mod elicitation;
mod history;
mod logs;
mod offers;
mod secrets;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

pub use self::agents::{
    AddAgentClient, AddedAgentClient, AgentClient, AgentTool, AgentView, Approval, Approvals,
    ChangeGateway, ClientConfig, ClientConfigPreview, ClientConfigs, DecideApproval, Decision,
    Exchange, FindForTask, FoundAgentTool, FoundForTask, GatewayState, MemberTokens, ModeTokens,
    OfAgentClient, OfClientConfig, OfEndpoint, OfProfile, SaveProfile, SetToolPolicy, Traffic,
    UndoClientConfig, ViewAsAgent, WithheldTool, WriteClientConfig, WrittenClientConfig,
};
pub use self::copies::{Copied, CopyAs, CopyForm};
pub use self::doctor::{Check, Examination, Examine, Finding, Verdict};
pub use self::elicitation::{
    AnswerElicitation, CheckElicitation, Elicitation, ElicitationAction, ElicitationMode,
    Elicitations,
};
pub use self::history::{
    Caller, Cleared, DRAFT_BYTES_MAX, EntryId, ExistingName, ExportHistory, Exported, HistoryEntry,
    HistoryFilter, HistoryPage, HistorySettings, HistoryState, KeepDraft, KeptDraft, MASK, OfEntry,
    OfSavedCall, OutcomeKind, PAGE_MAX, RecordedCall, RenameSavedCall, SAVED_NAME_MAX, SaveCall,
    SavedCall, SavedCalls, SavedCallsOf, SavedId, SchemaSince, SearchHistory,
};
pub use self::logs::{
    Bundled, BundledFile, LOG_PAGE_MAX, LOG_QUERY_MAX, LogFilter, LogPage, ReadMemberLog,
    SaveMemberLog, SavedMemberLog, WriteBundle,
};
pub use self::offers::{
    Answered, CompleteArgument, CompletedThing, Completions, GetPrompt, MemberOffers, OfferList,
    OfferProblem, PromptArgument, PromptView, ReadResource, ResourceTemplateView, ResourceView,
};
pub use self::secrets::{
    KeptSecret, KeychainState, OfSecret, SECRET_NAME_MAX, SECRET_VALUE_MAX, SecretPlace,
    SecretView, Secrets, SetSecret,
};

use crate::error::Report;
use crate::id::{CallId, MemberName, ToolName};
use crate::manifest::{Lifecycle, Transport};
use crate::protocol::ServerInfo;
use crate::status::{Freshness, StartStep, Status};
use crate::tool::{ListProblem, Provenance, ToolHints};

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

/// What a person looks at.
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

/// All members as they are now, sorted by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Roster {
    /// The revision of the newest event that this roster includes.
    pub revision: u64,
    /// The folder that the members were found in.
    pub members_dir: String,
    /// All members, sorted by name.
    pub members: Vec<MemberView>,
    /// What is wrong with the folder itself.
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
    /// What it is doing.
    pub status: Status,
    /// What its start is waiting for, while the status is `starting`.
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
    /// What is odd and stops nothing: unknown manifest fields, malformed tools, a wide-open port.
    pub warnings: Vec<Report>,
    /// How many calls run now.
    pub calls: usize,
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
    /// What the server says it does.
    pub hints: ToolHints,
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
    /// What was left out of the list, and why.
    pub problems: Vec<ListProblem>,
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
    /// How far the list it stands in can be trusted.
    pub freshness: Freshness,
    /// The bounded input schema, as JSON text.
    pub input_schema: String,
    /// The bounded output schema, as JSON text.
    pub output_schema: Option<String>,
    /// What was cut off the schemas, and why; empty for nearly all tools.
    pub schema_notes: Vec<String>,
    /// The tool exactly as the server sent it, as JSON text.
    pub raw: String,
    /// The time limit of a call, in milliseconds.
    pub call_timeout_ms: u64,
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

/// What is wrong with arguments; empty when they fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedArguments {
    /// Every error found, at most 100.
    pub errors: Vec<ArgumentError>,
    /// Parts of the schema that could not be used for checking.
    pub notes: Vec<String>,
}

/// One thing that is wrong with arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArgumentError {
    /// Where, as a JSON Pointer into the arguments; a missing property is named by its own place.
    pub pointer: String,
    /// What, in words.
    pub message: String,
    /// The keyword of the schema that says so, e.g. `required`.
    pub keyword: String,
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

/// What is done with arguments that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArgumentCheck {
    /// Refused with `arguments-invalid`.
    Refuse,
    /// Sent as they are: this is a debugger too.
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
    /// What the tool's output schema says of the result; `None` where it has none, or there is no
    /// result.
    pub structured: Option<StructuredCheck>,
    /// What came back.
    pub end: CallEnd,
}

/// What a tool's output schema says of `structuredContent`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StructuredCheck {
    /// Where it does not fit, as JSON Pointers into `structuredContent`; at most 100.
    pub errors: Vec<ArgumentError>,
    /// Parts of the schema that could not be used for checking.
    pub notes: Vec<String>,
}

/// What came back of a call: a result, also where the tool says it failed, or why there is none.
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
    /// There is no result.
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
    /// Its manifest file as it stands on the disk, at most 256 KiB.
    pub manifest: Option<String>,
    /// The whole command as it is run, secrets left as `${secret:NAME}`.
    pub command: Option<String>,
    /// The address it is spoken to at.
    pub url: Option<String>,
    /// The names of the variables that its manifest sets; values may be secret.
    pub env_names: Vec<String>,
    /// What the server said of itself.
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

/// What a refresh of all members did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    /// The members whose list was read anew.
    pub updated: Vec<MemberName>,
    /// The members that failed, each with its reason.
    pub failed: Vec<Report>,
}

/// What the window says of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    /// Guild Hall's version.
    pub version: String,
    /// The folder of the members.
    pub members_dir: String,
    /// The folder of Guild Hall's own data.
    pub data_dir: String,
}

/// One command of the contract.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The schema of its request.
    pub request: Schema,
    /// The schema of its response.
    pub response: Schema,
}

macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $name:ident($request:ty) -> $response:ty;)+) => {
        /// The table of commands. Each fails with a [`Report`].
        pub fn commands(generator: &mut SchemaGenerator) -> Vec<CommandSpec> {
            vec![$(CommandSpec {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+).trim_ascii(),
                request: generator.subschema_for::<$request>(),
                response: generator.subschema_for::<$response>(),
            },)+]
        }

        /// The names of all commands, in the table's order.
        pub const COMMAND_NAMES: &[&str] = &[$(stringify!($name),)+];
    };
}

commands! {
    /// What the window says of the program.
    app_info(Nothing) -> AppInfo;
    /// All members as they are now.
    roster(Nothing) -> Roster;
    /// One member's tools.
    member_tools(OfMember) -> MemberTools;
    /// The tools of all members that match some words.
    search_tools(SearchTools) -> FoundTools;
    /// Everything about one tool.
    tool_detail(OfTool) -> ToolDetail;
    /// Everything about one member.
    member_detail(OfMember) -> MemberDetail;
    /// Whether arguments fit a tool's schema.
    check_arguments(CheckArguments) -> CheckedArguments;
    /// Calls a tool and answers when the call has ended.
    invoke_tool(InvokeTool) -> CallOutcome;
    /// Cancels a call that runs.
    cancel_call(OfCall) -> Nothing;
    /// Says which members are in view: those that wait to be started are started first.
    look_at(LookAt) -> Nothing;
    /// Starts a member; answers when it is ready or has failed.
    start_member(OfMember) -> MemberView;
    /// Stops a member; answers when its processes are gone.
    stop_member(OfMember) -> MemberView;
    /// Stops a member if it runs, and starts it.
    restart_member(OfMember) -> MemberView;
    /// Reads one member's tool list anew, starting it if need be.
    refresh_member(OfMember) -> MemberTools;
    /// Reads all members' tool lists anew (REQ-MCP-TOOL-14).
    refresh_tool_caches(Nothing) -> Refreshed;
    /// The questions of servers that wait for a person.
    elicitations(Nothing) -> Elicitations;
    /// Whether values fit what an elicitation wants.
    check_elicitation(CheckElicitation) -> CheckedArguments;
    /// Answers an elicitation; values that do not fit are refused and it goes on waiting.
    answer_elicitation(AnswerElicitation) -> Nothing;
    /// A member's resources, templates and prompts, read from its server.
    member_offers(OfMember) -> MemberOffers;
    /// Reads a resource and answers when that has ended.
    read_resource(ReadResource) -> Answered;
    /// Gets a prompt filled in and answers when that has ended.
    get_prompt(GetPrompt) -> Answered;
    /// Values that an argument of a prompt or a template may have.
    complete_argument(CompleteArgument) -> Completions;
    /// A call as text to be used elsewhere.
    copy_as(CopyAs) -> Copied;
    /// The calls of the past that fit a filter, the newest first.
    search_history(SearchHistory) -> HistoryPage;
    /// Everything that was kept of one call.
    history_entry(OfEntry) -> RecordedCall;
    /// Removes calls from the history.
    clear_history(HistoryFilter) -> Cleared;
    /// Writes calls of the history to a file, as JSON Lines.
    export_history(ExportHistory) -> Exported;
    /// Keeps a call under a name.
    save_call(SaveCall) -> SavedCall;
    /// The calls that were kept under a name.
    saved_calls(SavedCallsOf) -> SavedCalls;
    /// Gives a saved call another name.
    rename_saved_call(RenameSavedCall) -> SavedCall;
    /// Removes a saved call.
    delete_saved_call(OfSavedCall) -> Nothing;
    /// Keeps what a person typed into a tool's form.
    keep_draft(KeepDraft) -> Nothing;
    /// What a person typed into a tool's form before.
    kept_draft(OfTool) -> KeptDraft;
    /// How the history is kept, and how it fares.
    history_settings(Nothing) -> HistoryState;
    /// Changes how the history is kept.
    change_history_settings(HistorySettings) -> HistoryState;
    /// The gateway, its clients and its profiles.
    gateway(Nothing) -> GatewayState;
    /// Changes how the gateway is; answers when it listens so, or could not.
    change_gateway(ChangeGateway) -> GatewayState;
    /// Lets a client in: makes it a token, which is told this once.
    add_agent_client(AddAgentClient) -> AddedAgentClient;
    /// Lets a client in no more; what it has under way ends.
    revoke_agent_client(OfAgentClient) -> GatewayState;
    /// Keeps a profile, in the place of one of the same name, or of the one that is named so now.
    save_profile(SaveProfile) -> GatewayState;
    /// Removes a profile.
    delete_profile(OfProfile) -> GatewayState;
    /// Says whether agents may call a tool.
    set_tool_policy(SetToolPolicy) -> GatewayState;
    /// What an agent sees at an endpoint, and what it costs.
    view_as_agent(ViewAsAgent) -> AgentView;
    /// Which tools an agent's search would find for a task.
    find_for_task(FindForTask) -> FoundForTask;
    /// The agents' calls that wait for a person.
    approvals(Nothing) -> Approvals;
    /// Decides about an agent's call.
    decide_approval(DecideApproval) -> Nothing;
    /// The newest of what agents asked.
    gateway_traffic(Nothing) -> Traffic;
    /// The programs whose configuration can name the gateway.
    client_configs(OfEndpoint) -> ClientConfigs;
    /// What would be written into a program's configuration.
    preview_client_config(OfClientConfig) -> ClientConfigPreview;
    /// Writes what was previewed, with a token of its own for the program.
    write_client_config(WriteClientConfig) -> WrittenClientConfig;
    /// Puts a program's configuration back to what it was before.
    undo_client_config(UndoClientConfig) -> WrittenClientConfig;
    /// Lines that a member wrote to stderr, from the newest backwards, files included.
    read_member_log(ReadMemberLog) -> LogPage;
    /// Writes all that is kept of a member's log to a file.
    save_member_log(SaveMemberLog) -> SavedMemberLog;
    /// What a bundle for a bug report would hold; nothing is written.
    preview_bundle(Nothing) -> Bundled;
    /// Writes a bundle for a bug report, secrets removed.
    write_bundle(WriteBundle) -> Bundled;
    /// Looks at this machine: programs, ports, folders, secrets, members' commands; each finding is
    /// told as it comes, and `cancel_call` ends it.
    doctor(Examine) -> Examination;
    /// The names of all secrets, and which members use them; never a value.
    secrets(Nothing) -> Secrets;
    /// Keeps a secret, in the place of one of the same name.
    set_secret(SetSecret) -> KeptSecret;
    /// Removes a secret wherever it is kept.
    remove_secret(OfSecret) -> Secrets;
}
