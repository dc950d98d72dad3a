//! The contract between Rust and its users: the window and the command line.
//!
//! One table of commands with a request and a response each. `cargo xtask codegen` writes the
//! TypeScript side and `docs/commands.md` from it. Times are milliseconds since 1970, durations
//! milliseconds. Whatever a server or a person wrote as JSON crosses as **text**, so that neither
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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::agents::{
    AddAgentClient, AddedAgentClient, AgentClient, AgentTool, AgentView, Approval, Approvals,
    ChangeGateway, ClientConfig, ClientConfigPreview, ClientConfigs, DecideApproval, Decision,
    Exchange, FindForTask, FoundAgentTool, FoundForTask, GatewayState, MemberTokens, ModeTokens,
    OfAgentClient, OfClientConfig, OfEndpoint, OfProfile, ProgramChoice, SaveProfile, Traffic,
    UndoClientConfig, UndoneClientConfig, ViewAsAgent, WithheldTool, WriteClientConfig,
    WrittenClientConfig,
};
pub use self::beginnings::{BeginMember, Beginning, Beginnings, BegunMember, OneBeginning};
pub use self::brought::{AdoptBrought, Brought, BroughtServers};
pub use self::catalog::{
    Catalog, CatalogMember, CatalogTool, DiscoveryStatus, OfCatalog, ReadOnlyClaim, ToolKind,
};
pub use self::copies::{Copied, CopyAs, CopyForm};
pub use self::dev::{
    DEV_FILES_MAX, DEV_ROUNDS_MAX, DEV_TOOLS_MAX, DevBuild, DevRound, DevState, DevStep, DevWatch,
    ExampleDifference, ExampleEnd, ExamplePart, ExampleRun, ExampleView, RunExamples, SaveExample,
};
pub use self::doctor::{Check, Examination, Examine, Finding, Verdict};
pub use self::elicitation::{
    AnswerElicitation, CheckElicitation, Elicitation, ElicitationAction, ElicitationMode,
    Elicitations,
};
pub use self::embeddings::{EmbeddingsEndpoint, EmbeddingsTested, SetEmbeddings, TestEmbeddings};
pub use self::found::{
    AdoptServer, AdoptServers, Adopted, AdoptedServer, AdoptionEnd, FOUND_FOLDERS_MAX,
    FOUND_INPUT_MAX, FoundContainer, FoundFile, FoundInput, FoundLaunch, FoundPlace, FoundScope,
    FoundServer, FoundServers, FoundState, FoundValue, GivenInput, HandingOver, OfFoundFolder,
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
pub use self::mcpb::{
    CheckAnswers, InstallMcpb, InstalledMcpb, McpbAbout, McpbAsks, McpbChange, McpbDeclared,
    McpbInstalled, McpbLook, McpbSuspicion, OfMcpb,
};
pub use self::offers::{
    Answered, CompleteArgument, CompletedThing, Completions, GetPrompt, MemberOffers, OfferList,
    OfferProblem, PromptArgument, PromptView, ReadResource, ResourceTemplateView, ResourceView,
};
pub use self::policies::{
    ConfirmReadOnly, POLICIES_MAX, PREVIEWED_MAX, PoliciesSet, PolicyChange, PolicyPreview,
    PolicyRulesOf, SetToolPolicies, ToolPolicy,
};
pub use self::prediction::{ChangeDiscovery, DiscoveryState, PredictTools, PredictionRequest};
pub use self::registry::{
    InstallRegistryServer, InstalledRegistryServer, OfRegistryServer, RegistryInstall,
    RegistryLeftOut, RegistryMember, RegistryPage, RegistryRow, RegistryServer, RegistrySource,
    RegistryStanding, RegistryWay, SearchRegistry,
};
pub use self::secrets::{
    KeptSecret, KeychainState, OfSecret, SECRET_NAME_MAX, SECRET_VALUE_MAX, SecretPlace,
    SecretView, Secrets, SetSecret,
};
pub use self::settings::{
    ChangeSettings, ImportChange, ImportSettings, OfSettingsFile, SETTING_CHANGES_MAX,
    SettingsImport, SettingsState,
};
pub use self::sign_in::{GrantView, SignInAddress, SignInClient, SignInStage, SignInView};
pub use self::table::{CommandSpec, command_names, commands, is_engine_command};
pub use self::team::{
    ExportTeam, LeftOut, TeamExport, TeamFile, TeamTarget, ToSet, WriteTeamExport,
    WrittenTeamExport,
};
pub use self::trust::{
    AcceptMember, AcceptTools, AcceptedLaunch, Breakage, BreakageKind, HELD_NAMES_MAX, HoldChanges,
    LaunchField, LaunchText, LaunchTrust, LaunchView, MARKED_MAX, MemberReview, OfRevision,
    PartDifference, REVISIONS_MAX, Revision, RevisionId, RevisionView, Revisions, RevisionsOf,
    SchemaChange, SchemaEffect, Suspicion, SuspicionKind, TextPiece, TextSide, ToolDifference,
    ToolMark, ToolReview, Trust,
};
pub use self::updates::{LastUpdate, NewVersion, UpdateStage, UpdateState, UpdateWay};

use crate::error::Report;
use crate::id::{CallId, MemberName, ToolName};
use crate::ladder::FoundBy;
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
    /// How it stands with its review.
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
    /// What the server says it does.
    pub hints: ToolHints,
    /// Why agents do not get it, where its member holds changes back and nobody accepted it as it is.
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
    /// What was left out of the list, and why.
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
    /// How the list it stands in was found, where the server did not say that in the protocol's way.
    pub found: Option<FoundBy>,
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
    /// What about it looks as if it were to deceive.
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

impl From<CheckedArguments> for StructuredCheck {
    fn from(checked: CheckedArguments) -> Self {
        let CheckedArguments { errors, notes } = checked;
        Self { errors, notes }
    }
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
    /// The file with the licences of others' works in it; a program that was built here has none.
    pub licences: Option<String>,
}
