//! Tools, rights and configurations of agents, and the agents themselves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{ArgumentCheck, Copied, EmbeddingsEndpoint};
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::error::Report;
use guild_model::id::{ApprovalId, ClientId, MemberName, ToolName};
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyReason, PolicyRules};
use guild_model::profile::{Profile, ProfileName, ToolChoice};
use guild_model::tool::ToolHints;

/// The gateway as the window shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GatewayState {
    /// Whether a person has enabled it.
    pub enabled: bool,
    /// The configured port.
    pub port: u16,
    /// The address of the endpoint with all members, while the gateway listens:
    /// `http://127.0.0.1:19999/mcp`.
    pub address: Option<String>,
    /// Why an enabled gateway does not listen.
    pub error: Option<Report>,
    /// Whether a client has to show a token.
    pub tokens_required: bool,
    /// The listing mode of a client that requests none.
    pub listing: Listing,
    /// The policy rules for kinds of tools.
    pub rules: PolicyRules,
    /// The endpoint that ranks tools by meaning; `null` if search compares words only.
    #[serde(default)]
    pub embeddings: Option<EmbeddingsEndpoint>,
    /// The profiles, by name.
    pub profiles: Vec<Profile>,
    /// The clients that have a token, the oldest first.
    pub clients: Vec<AgentClient>,
    /// The problem with the settings' file; the earlier settings stay in force.
    pub warnings: Vec<Report>,
}

/// A client with access to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentClient {
    /// Its id.
    pub id: ClientId,
    /// The name that a person gave it.
    pub name: String,
    /// The last characters of its token, to recognize it by.
    pub token_end: String,
    /// When its token was made.
    pub created_at_ms: u64,
    /// When the client last sent its token, to the minute.
    pub last_used_ms: Option<u64>,
}

/// A client to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddAgentClient {
    /// Its name, at most 80 characters.
    pub name: String,
}

/// An added client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedAgentClient {
    /// The client.
    pub client: AgentClient,
    /// Its token. Guild Hall does not store it: only this answer contains it.
    pub token: String,
}

/// A request about one client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfAgentClient {
    /// The client.
    pub client: ClientId,
}

/// New settings of the gateway; a missing field keeps its value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeGateway {
    /// Whether the gateway runs.
    pub enabled: Option<bool>,
    /// Its port.
    pub port: Option<u16>,
    /// The listing mode of a client that requests none.
    pub listing: Option<Listing>,
}

/// A profile to save.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveProfile {
    /// The profile.
    pub profile: Profile,
    /// The former name of a renamed profile; its former address keeps working. `null` for a new
    /// profile, and for one that keeps its name.
    pub instead_of: Option<ProfileName>,
}

/// A request about one profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfProfile {
    /// The profile.
    pub profile: ProfileName,
}

/// A request for an agent's view of the tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewAsAgent {
    /// The agent's endpoint.
    pub endpoint: Endpoint,
    /// The listing mode; by default the endpoint's.
    pub listing: Option<Listing>,
}

/// The view of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// The listing mode of this view.
    pub listing: Listing,
    /// The exact result of `tools/list` as JSON text, at most 1 MiB.
    pub payload: String,
    /// How many bytes the result has.
    pub payload_bytes: usize,
    /// The number of listed tools, including the menu's.
    pub listed: usize,
    /// Its cost for a model in each mode, in tokens (o200k).
    pub tokens: ModeTokens,
    /// The cost of each member that offers a tool.
    pub members: Vec<MemberTokens>,
    /// The callable tools by their names for agents, in the list's order.
    pub tools: Vec<AgentTool>,
    /// The withheld tools, with the reasons.
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
    /// As a menu. The total is the menu itself; a single member costs nothing.
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
    /// Their cost.
    pub tokens: ModeTokens,
}

/// A tool as agents see it.
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
    /// The policy of agents' calls at an endpoint that includes the tool.
    pub policy: Policy,
    /// The origin of the policy.
    pub policy_reason: PolicyReason,
    /// The server's hints about it.
    pub hints: ToolHints,
    /// The reason, with advice.
    pub report: Report,
}

/// A task to test the search with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindForTask {
    /// The agent's endpoint.
    pub endpoint: Endpoint,
    /// The task, in a person's words.
    pub task: String,
    /// The most results; at most 50.
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
    /// The rank value; only the order has a meaning.
    pub score: f64,
    /// The matching words with their places: `name: issue, create`.
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
    /// The arguments that the person changed, as JSON text; by default the original ones.
    pub arguments: Option<String>,
    /// How changed arguments that don't fit the schema are handled.
    pub check: ArgumentCheck,
}

/// A person's decision about an agent's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Allow this call.
    Once,
    /// Allow this call and, from now on, the tool.
    Always,
    /// Deny this call.
    Deny,
}

/// An excerpt of the traffic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Traffic {
    /// The newest exchanges in their order; Guild Hall keeps the last 500.
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
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The method.
    pub method: String,
    /// The called member, if any.
    pub member: Option<MemberName>,
    /// The tool.
    pub tool: Option<String>,
    /// How long the answer took, in microseconds.
    pub duration_us: u64,
    /// How large the request was, in bytes.
    pub request_bytes: usize,
    /// How large the answer was, in bytes.
    pub response_bytes: usize,
    /// The protocol error. `null` for a result, even if the tool reports a failure in it.
    pub error: Option<String>,
    /// The argument fields that this client adds to every call. Guild Hall removes them before it
    /// checks the arguments.
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
    /// The program's id: `claude-code`.
    pub client: String,
    /// Its name: `Claude Code`.
    pub title: String,
    /// The file that it reads.
    pub path: String,
    /// Whether the file is there.
    pub exists: bool,
    /// Whether the file names the gateway.
    pub connected: bool,
    /// Whether a backup can be restored.
    pub can_undo: bool,
    /// The gateway's entry in the file, ready to copy.
    pub snippet: String,
    /// The user's next step after the file has changed.
    pub then: String,
    /// For a member's endpoint: the entry with which the program runs the member itself, without
    /// Guild Hall.
    pub direct: Option<Copied>,
}

/// The known programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigs {
    /// The programs; those with an existing file come first.
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
    /// One of the scanned files; `null` for the file that the program reads for this user.
    pub path: Option<String>,
    /// The endpoint to connect to.
    pub endpoint: Endpoint,
    /// Whether to remove servers that the endpoint has too.
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
    /// The file's current text, its secrets masked; `null` if the file doesn't exist.
    pub before: Option<String>,
    /// The file's new text, without the token and with other secrets masked.
    pub after: String,
    /// A digest of the current file. A changed file is not overwritten.
    pub precondition: String,
    /// The names of the removed servers.
    pub taken_out: Vec<String>,
    /// The number of comments inside the removed entries. An undo restores them.
    pub comments: usize,
    /// The members of which the program offers only some tools until now.
    pub choices: Vec<ProgramChoice>,
    /// The profile that keeps these choices, to which the program is connected; `null` without
    /// choices, or if the program gets all tools.
    pub profile: Option<ProfileName>,
    /// The project's folder, if the file belongs to a project; others may share it.
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
    /// The tools; none for a server that is switched off.
    pub tools: ToolChoice,
}

/// A previewed change to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteClientConfig {
    /// The program.
    pub client: String,
    /// The same file as in the preview's request.
    pub path: Option<String>,
    /// The endpoint to connect to.
    pub endpoint: Endpoint,
    /// The same choice as in the preview's request.
    pub hand_over: bool,
    /// The same choice as in the preview's request.
    #[serde(default)]
    pub all_tools: bool,
    /// From the preview.
    pub precondition: String,
}

/// A written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenClientConfig {
    /// The file.
    pub path: String,
    /// The path of the backup; `null` if there was no file.
    pub backup: Option<String>,
}

/// A restored file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneClientConfig {
    /// The file.
    pub path: String,
    /// Whether the file has exactly its original bytes. If not, it still contains changes that
    /// others made since.
    pub as_before: bool,
    /// The clients whose tokens were written into it and that still have access.
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
