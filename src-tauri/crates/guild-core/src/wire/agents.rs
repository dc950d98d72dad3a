//! Tools, rights and configurations of agents, and the agents themselves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agents::policy::{PolicyReason, PolicyRules};
use crate::agents::{Endpoint, Listing, Profile, ProfileName, ToolChoice};
use crate::error::Report;
use crate::id::{ApprovalId, ClientId, MemberName, ToolName};
use crate::manifest::Policy;
use crate::tool::ToolHints;
use crate::wire::{ArgumentCheck, Copied, EmbeddingsEndpoint};

/// The gateway as the window shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GatewayState {
    /// Whether it is to run.
    pub enabled: bool,
    /// The port it is to listen on.
    pub port: u16,
    /// The address of all members' endpoint, while it listens: `http://127.0.0.1:19999/mcp`.
    pub address: Option<String>,
    /// Why it does not listen, though it is to.
    pub error: Option<Report>,
    /// Whether a client has to show a token.
    pub tokens_required: bool,
    /// The listing mode of a client that requests none.
    pub listing: Listing,
    /// The policy rules for kinds of tools.
    pub rules: PolicyRules,
    /// The endpoint that ranks tools by meaning; `null` where words alone do.
    #[serde(default)]
    pub embeddings: Option<EmbeddingsEndpoint>,
    /// The profiles, by name.
    pub profiles: Vec<Profile>,
    /// The clients that have a token, the oldest first.
    pub clients: Vec<AgentClient>,
    /// The problem with the settings' file; the earlier settings stay in force.
    pub warnings: Vec<Report>,
}

/// A client that may come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentClient {
    /// Its id.
    pub id: ClientId,
    /// The name that a person gave it.
    pub name: String,
    /// The last characters of its token, to tell it by.
    pub token_end: String,
    /// When its token was made.
    pub created_at_ms: u64,
    /// When its token was last shown to the gateway, to the minute.
    pub last_used_ms: Option<u64>,
}

/// A client to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddAgentClient {
    /// Its name, at most 80 characters.
    pub name: String,
}

/// A client that was let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedAgentClient {
    /// The client.
    pub client: AgentClient,
    /// Its token. It is kept nowhere: only this answer contains it.
    pub token: String,
}

/// A request about one client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfAgentClient {
    /// The client.
    pub client: ClientId,
}

/// New settings of the gateway; a missing field stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeGateway {
    /// Whether it is to run.
    pub enabled: Option<bool>,
    /// Its port.
    pub port: Option<u16>,
    /// The listing mode of a client that requests none.
    pub listing: Option<Listing>,
}

/// A profile to be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveProfile {
    /// The profile.
    pub profile: Profile,
    /// The profile that it takes the place of, under another name until now: its address goes on.
    /// `null` for a new one, and for one that keeps its name.
    pub instead_of: Option<ProfileName>,
}

/// A request about one profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfProfile {
    /// The profile.
    pub profile: ProfileName,
}

/// A question for an agent's view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewAsAgent {
    /// Where it asks.
    pub endpoint: Endpoint,
    /// In which mode; the endpoint's own by default.
    pub listing: Option<Listing>,
}

/// The view of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// The mode it is shown in.
    pub listing: Listing,
    /// The result of `tools/list` exactly as it is sent, as JSON text, at most 1 MiB of it.
    pub payload: String,
    /// How many bytes the result has.
    pub payload_bytes: usize,
    /// How many tools it lists, the menu's included.
    pub listed: usize,
    /// Its cost for a model in each mode, in tokens (o200k).
    pub tokens: ModeTokens,
    /// The same by member, for those that give any tool.
    pub members: Vec<MemberTokens>,
    /// The tools that can be called, by their names for agents, in the order of the list.
    pub tools: Vec<AgentTool>,
    /// The tools that are withheld, and why.
    pub withheld: Vec<WithheldTool>,
}

/// The cost of a list in each mode, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeTokens {
    /// With all schemas.
    pub full: usize,
    /// As stubs.
    pub lazy: usize,
    /// As a menu; the menu itself, which no single member costs.
    pub search: usize,
}

/// The cost of a member's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTokens {
    /// The member.
    pub member: MemberName,
    /// How many of its tools are offered.
    pub tools: usize,
    /// The cost.
    pub tokens: ModeTokens,
}

/// A tool as agents know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentTool {
    /// Its name for agents.
    pub name: String,
    /// Its member.
    pub member: MemberName,
    /// Its own name.
    pub tool: ToolName,
    /// The policy of agents' calls.
    pub policy: Policy,
    /// The origin of the policy.
    pub policy_reason: PolicyReason,
    /// The server's hints about it.
    pub hints: ToolHints,
}

/// A tool that agents do not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithheldTool {
    /// Its member.
    pub member: MemberName,
    /// Its own name.
    pub tool: ToolName,
    /// The policy of agents' calls at an endpoint that has it.
    pub policy: Policy,
    /// The origin of the policy.
    pub policy_reason: PolicyReason,
    /// The server's hints about it.
    pub hints: ToolHints,
    /// Why, and what to do about it.
    pub report: Report,
}

/// A task to try the search with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindForTask {
    /// Where the agent asks.
    pub endpoint: Endpoint,
    /// The task, in a person's words.
    pub task: String,
    /// At most so many; 50 are the most.
    pub limit: usize,
}

/// The tools that search finds for a task, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundForTask {
    /// The tools, the best first.
    pub found: Vec<FoundAgentTool>,
}

/// A tool that search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundAgentTool {
    /// Its name for agents.
    pub name: String,
    /// The first sentence of its description.
    pub summary: String,
    /// How well it fits; only the order means something.
    pub score: f64,
    /// The words that were found, and where: `name: issue, create`.
    pub why: Vec<String>,
}

/// A call of an agent that waits for a person's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Its id, by which it is decided.
    pub id: ApprovalId,
    /// The calling client.
    pub client: String,
    /// The member.
    pub member: MemberName,
    /// The tool.
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
    /// When it was asked.
    pub asked_at_ms: u64,
    /// The time at which the agent gets a denial.
    pub expires_at_ms: u64,
}

/// The calls that wait, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approvals {
    /// All that wait, the oldest first.
    pub approvals: Vec<Approval>,
}

/// A person's decision about an agent's call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecideApproval {
    /// The approval.
    pub id: ApprovalId,
    /// The decision.
    pub decision: Decision,
    /// The arguments as the person changed them, as JSON text; as they were by default.
    pub arguments: Option<String>,
    /// The action on changed arguments that do not fit.
    pub check: ArgumentCheck,
}

/// A person's decision about an agent's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// This call goes on.
    Once,
    /// This call goes on, and the tool is allowed from now on.
    Always,
    /// It is not made.
    Deny,
}

/// A part of the traffic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Traffic {
    /// Its newest exchanges, in their order; the last 500 are kept.
    pub exchanges: Vec<Exchange>,
}

/// One request of an agent and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// Its number, growing.
    pub seq: u64,
    /// When it came.
    pub at_ms: u64,
    /// The client's name, or the name that it gives itself.
    pub client: String,
    /// Where.
    pub endpoint: Endpoint,
    /// The method.
    pub method: String,
    /// The member it went to, where it went to one.
    pub member: Option<MemberName>,
    /// The tool.
    pub tool: Option<String>,
    /// How long the answer took, in microseconds.
    pub duration_us: u64,
    /// How large the request was, in bytes.
    pub request_bytes: usize,
    /// How large the answer was, in bytes.
    pub response_bytes: usize,
    /// Why there was no result; a tool's own failure is none.
    pub error: Option<String>,
    /// The fields of a call's arguments that its client adds to every call, and that were taken out
    /// before the arguments were checked.
    pub dropped: Vec<String>,
    /// The beginning of the request's parameters with secrets masked, at most 2 KiB.
    pub request: String,
    /// The beginning of the answer with secrets masked, at most 2 KiB.
    pub response: String,
}

/// A program whose configuration can name the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfig {
    /// The program, as a word: `claude-code`.
    pub client: String,
    /// Its name: `Claude Code`.
    pub title: String,
    /// The file that it reads.
    pub path: String,
    /// Whether the file is there.
    pub exists: bool,
    /// Whether the file names the gateway.
    pub connected: bool,
    /// Whether there is a backup to go back to.
    pub can_undo: bool,
    /// The gateway's entry in the file, to be copied.
    pub snippet: String,
    /// The next step after the file has changed.
    pub then: String,
    /// Where the endpoint is a member's: the member itself as the program would run it, without
    /// Guild Hall.
    pub direct: Option<Copied>,
}

/// The programs that are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigs {
    /// The programs, those whose file is there first.
    pub clients: Vec<ClientConfig>,
}

/// A request about one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfEndpoint {
    /// The endpoint.
    pub endpoint: Endpoint,
}

/// A request about one program's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfClientConfig {
    /// The program.
    pub client: String,
    /// Which of its files, one that servers were looked for in; `null` for the one that it reads for
    /// the user.
    pub path: Option<String>,
    /// Which endpoint it is to use.
    pub endpoint: Endpoint,
    /// Whether the servers go that the endpoint has too.
    pub hand_over: bool,
    /// Whether the program gets all tools of members of which it offered only some until now.
    #[serde(default)]
    pub all_tools: bool,
}

/// A preview of a change to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigPreview {
    /// The file.
    pub path: String,
    /// The file's current text, its secrets masked; `null` where there is no file.
    pub before: Option<String>,
    /// The file's new text, without the token and with other secrets masked.
    pub after: String,
    /// A digest of the current file: it is written only while it is still the same.
    pub precondition: String,
    /// The names of the servers that go.
    pub taken_out: Vec<String>,
    /// The number of comments inside of their entries, which go with them until an undo.
    pub comments: usize,
    /// The members of which the program offers only some tools until now.
    pub choices: Vec<ProgramChoice>,
    /// The profile that keeps these choices, which the program is connected to; `null` where there
    /// are none, or the program gets all tools.
    pub profile: Option<ProfileName>,
    /// The project's folder, where the file is one's: it may be shared with others.
    pub project: Option<String>,
}

/// The tools of a member that a program offers, by its own file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgramChoice {
    /// The server's name in the program.
    pub server: String,
    /// The member that takes its place.
    pub member: MemberName,
    /// The tools; none where the server is switched off.
    pub tools: ToolChoice,
}

/// A change that was seen and is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteClientConfig {
    /// The program.
    pub client: String,
    /// Which of its files, as the preview was asked for.
    pub path: Option<String>,
    /// Which endpoint it is to use.
    pub endpoint: Endpoint,
    /// Whether servers go, as the preview was asked for.
    pub hand_over: bool,
    /// As the preview was asked for.
    #[serde(default)]
    pub all_tools: bool,
    /// From the preview.
    pub precondition: String,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenClientConfig {
    /// The file.
    pub path: String,
    /// Where it is kept as it was; `null` where there was none.
    pub backup: Option<String>,
}

/// A file that was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneClientConfig {
    /// The file.
    pub path: String,
    /// Whether it is to the byte what it was before the first write. Where it is not, changes that
    /// were made since are left in it.
    pub as_before: bool,
    /// The clients whose tokens were written into it, and that are let in still.
    pub clients: Vec<AgentClient>,
}

/// A request about a program's configuration as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoClientConfig {
    /// The program.
    pub client: String,
    /// Which of its files; `null` for the one that it reads for the user.
    pub path: Option<String>,
}
