//! The gateway: its clients, its view of the tools, approvals, traffic, and the configuration files
//! of client programs.

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
    /// Whether the user has enabled the gateway.
    pub enabled: bool,
    /// The configured port.
    pub port: u16,
    /// The address of the endpoint with all members, while the gateway listens:
    /// `http://127.0.0.1:19999/mcp`.
    pub address: Option<String>,
    /// Why an enabled gateway does not listen.
    pub error: Option<Report>,
    /// Whether a client must send a token.
    pub tokens_required: bool,
    /// The listing mode of a client that requests none.
    pub listing: Listing,
    /// The policy rules for the kinds of tools.
    pub rules: PolicyRules,
    /// The endpoint that ranks tools by meaning; `null` if search compares words only.
    #[serde(default)]
    pub embeddings: Option<EmbeddingsEndpoint>,
    /// The profiles, by name.
    pub profiles: Vec<Profile>,
    /// The clients that have a token, the oldest first.
    pub clients: Vec<AgentClient>,
    /// Problems of the gateway, such as an invalid settings file. While that file is invalid, its
    /// last valid settings stay in force.
    pub warnings: Vec<Report>,
}

/// A client with access to the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentClient {
    pub id: ClientId,
    /// The name that the user gave the client.
    pub name: String,
    /// The last characters of the token, for recognition.
    pub token_end: String,
    /// When the token was created.
    pub created_at_ms: u64,
    /// When the client last sent the token, to the minute.
    pub last_used_ms: Option<u64>,
    /// The only endpoints at which its token is accepted. `null` for all endpoints.
    #[serde(default)]
    pub endpoints: Option<Vec<Endpoint>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddAgentClient {
    /// The client's name, at most 80 characters.
    pub name: String,
    /// The only endpoints at which its token is accepted, at most 32. `null` for all endpoints.
    #[serde(default)]
    pub endpoints: Option<Vec<Endpoint>>,
}

/// A request to bind a client's token to endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindAgentClient {
    pub client: ClientId,
    /// The only endpoints at which its token is accepted, at most 32. `null` for all endpoints.
    pub endpoints: Option<Vec<Endpoint>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedAgentClient {
    pub client: AgentClient,
    /// The client's token. Guild Hall does not store the token, so only this answer contains it.
    pub token: String,
}

/// A request about one client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentClientRef {
    pub client: ClientId,
}

/// New settings of the gateway. A missing field keeps its value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeGateway {
    /// Whether the gateway runs.
    pub enabled: Option<bool>,
    pub port: Option<u16>,
    /// The listing mode of a client that requests none.
    pub listing: Option<Listing>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveProfile {
    pub profile: Profile,
    /// The former name of a renamed profile. The profile's former address keeps working. `null` for
    /// a new profile, and for a profile that keeps its name.
    pub instead_of: Option<ProfileName>,
}

/// A request about one profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileRef {
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

/// An agent's view of the tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// The listing mode of this view.
    pub listing: Listing,
    /// The exact result of `tools/list` as JSON text, at most 1 MiB.
    pub payload: String,
    /// The size of the whole result, in bytes.
    pub payload_bytes: usize,
    /// The number of listed tools, including the menu tools.
    pub listed: usize,
    /// The cost of the list for a model in each listing mode, in tokens (o200k).
    pub tokens: ModeTokens,
    /// The cost of each member that offers a tool.
    pub members: Vec<MemberTokens>,
    /// The callable tools by their names for agents, in the list's order.
    pub tools: Vec<AgentTool>,
    /// The withheld tools, with the reasons.
    pub withheld: Vec<WithheldTool>,
}

/// The cost of a list in each listing mode, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeTokens {
    /// The cost with full descriptions and schemas.
    pub full: usize,
    /// The cost as stubs: names and first sentences.
    pub lazy: usize,
    /// The cost of the menu: a few tools that search and call all other tools. 0 in the costs of a
    /// single member.
    pub search: usize,
}

/// The cost of a member's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTokens {
    pub member: MemberName,
    /// The number of the member's tools that agents get.
    pub tools: usize,
    /// The cost of the tools that `tools` counts.
    pub tokens: ModeTokens,
}

/// A tool as agents see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentTool {
    /// The tool's name for agents.
    pub name: String,
    pub member: MemberName,
    /// The tool's name on its server.
    pub tool: ToolName,
    /// The policy of agents' calls.
    pub policy: Policy,
    /// The origin of the policy.
    pub policy_reason: PolicyReason,
    /// The server's hints about the tool.
    pub hints: ToolHints,
}

/// A tool that agents do not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithheldTool {
    pub member: MemberName,
    /// The tool's name on its server.
    pub tool: ToolName,
    /// The policy of agents' calls at an endpoint that includes the tool.
    pub policy: Policy,
    /// The origin of the policy.
    pub policy_reason: PolicyReason,
    /// The server's hints about the tool.
    pub hints: ToolHints,
    /// The reason, with a hint.
    pub report: Report,
}

/// A task, to test which tools an agent's search finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindForTask {
    /// The agent's endpoint.
    pub endpoint: Endpoint,
    /// The task, in plain language.
    pub task: String,
    /// The maximum number of results, at most 50.
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
    /// The tool's name for agents.
    pub name: String,
    /// The first sentence of the tool's description.
    pub summary: String,
    /// The rank value. Only the order of the values has a meaning.
    pub score: f64,
    /// The matching words per field, such as `name: issue, create`.
    pub why: Vec<String>,
}

/// An agent's call that waits for the user's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The call's id, for the decision.
    pub id: ApprovalId,
    /// The calling client.
    pub client: String,
    pub member: MemberName,
    pub tool: ToolName,
    /// The arguments as JSON text.
    pub arguments: String,
    /// When the agent made the call.
    pub asked_at_ms: u64,
    /// When the agent gets a denial, unless the user decides before.
    pub expires_at_ms: u64,
}

/// The waiting calls of agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approvals {
    /// The waiting calls, the oldest first.
    pub approvals: Vec<Approval>,
}

/// A request to decide about an agent's call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecideApproval {
    pub id: ApprovalId,
    pub decision: Decision,
    /// The arguments as edited by the user, as JSON text. `null` to send the original arguments.
    pub arguments: Option<String>,
    /// The treatment of edited arguments that don't match the schema.
    pub check: ArgumentCheck,
}

/// The user's decision about an agent's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Allow this call.
    Once,
    /// Allow this call and all later calls of the tool.
    Always,
    /// Deny this call.
    Deny,
}

/// The newest requests of agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Traffic {
    /// The newest exchanges in chronological order. Guild Hall keeps the last 500.
    pub exchanges: Vec<Exchange>,
}

/// One request of an agent and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The exchange's number. Later requests have higher numbers.
    pub seq: u64,
    /// When the request arrived.
    pub at_ms: u64,
    /// The client's name in Guild Hall, or else the name that the client reports.
    pub client: String,
    pub endpoint: Endpoint,
    /// The JSON-RPC method.
    pub method: String,
    /// The called member, if any.
    pub member: Option<MemberName>,
    /// The called tool, if any.
    pub tool: Option<String>,
    /// The time to the answer, in microseconds.
    pub duration_us: u64,
    /// The size of the request, in bytes.
    pub request_bytes: usize,
    /// The size of the answer, in bytes.
    pub response_bytes: usize,
    /// The protocol error. `null` if there is a result, even one that reports a failure of the
    /// tool.
    pub error: Option<String>,
    /// The argument fields that this client adds to every call. Guild Hall removes them before it
    /// checks the arguments.
    pub dropped: Vec<String>,
    /// The start of the request's parameters, at most 2 KiB. Secrets are masked.
    pub request: String,
    /// The start of the answer, at most 2 KiB. Secrets are masked.
    pub response: String,
}

/// A program that can connect to the gateway, and its configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfig {
    /// The program's id, such as `claude-code`.
    pub client: String,
    /// The program's name, such as `Claude Code`.
    pub title: String,
    /// The path of the program's configuration file.
    pub path: String,
    /// Whether the file exists.
    pub exists: bool,
    /// Whether the file connects the program to the gateway at its current port.
    pub connected: bool,
    /// Whether a backup can be restored.
    pub can_undo: bool,
    /// The gateway's entry in the file, ready to copy.
    pub snippet: String,
    /// The user's next step after the file has changed.
    pub then: String,
    /// For a member's endpoint: the entry that lets the program run the member itself, without
    /// Guild Hall.
    pub direct: Option<Copied>,
}

/// The known programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigs {
    /// The programs. Those with an existing file come first.
    pub clients: Vec<ClientConfig>,
}

/// A request about one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndpointRef {
    pub endpoint: Endpoint,
}

/// A request about one program's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigRef {
    /// The program.
    pub client: String,
    /// One of the scanned files. `null` for the program's default file for this user.
    pub path: Option<String>,
    /// The endpoint to connect to.
    pub endpoint: Endpoint,
    /// Whether to remove the servers that the endpoint also offers.
    pub hand_over: bool,
    /// Whether the program gets all tools of each member, even if the program's file currently
    /// enables only some of them.
    #[serde(default)]
    pub all_tools: bool,
}

/// A preview of a change to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfigPreview {
    pub path: String,
    /// The file's current text with masked secrets. `null` if the file doesn't exist.
    pub before: Option<String>,
    /// The file's new text, without the token and with masked secrets.
    pub after: String,
    /// A digest of the current file. Guild Hall does not overwrite the file if it has changed
    /// since.
    pub precondition: String,
    /// The names of the removed servers.
    pub taken_out: Vec<String>,
    /// The number of comments inside the removed entries. An undo restores them.
    pub comments: usize,
    /// The members of which the program's file currently enables only some tools.
    pub choices: Vec<ProgramChoice>,
    /// The profile that the program gets connected to. It contains the tools in `choices`. `null`
    /// if `choices` is empty, or if the program gets all tools.
    pub profile: Option<ProfileName>,
    /// The project's folder, if the file belongs to a project. Other users may share that file.
    pub project: Option<String>,
}

/// The tools of a member that are enabled in a program's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgramChoice {
    /// The server's name in the program.
    pub server: String,
    /// The member that replaces the server.
    pub member: MemberName,
    /// The enabled tools. An empty list if the server is disabled.
    pub tools: ToolChoice,
}

/// A previewed change to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteClientConfig {
    /// The program.
    pub client: String,
    /// The file, which must be the same as in the preview's request.
    pub path: Option<String>,
    /// The endpoint to connect to.
    pub endpoint: Endpoint,
    /// Whether to remove the servers that the endpoint also offers, as in the preview's request.
    pub hand_over: bool,
    /// Whether the program gets all tools of each member, even if the program's file enabled only
    /// some of them before. The same value as in the preview's request.
    #[serde(default)]
    pub all_tools: bool,
    /// The digest from the preview.
    pub precondition: String,
}

/// A written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenClientConfig {
    pub path: String,
    /// The path of the backup. `null` if the file didn't exist before.
    pub backup: Option<String>,
}

/// A restored file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneClientConfig {
    pub path: String,
    /// Whether the file has exactly its original bytes. If not, it still contains later changes by
    /// other programs or people.
    pub as_before: bool,
    /// The clients whose tokens Guild Hall had written into the file and that still have access.
    pub clients: Vec<AgentClient>,
}

/// A request to restore a program's configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoClientConfig {
    /// The program.
    pub client: String,
    /// One of the scanned files. `null` for the program's default file for this user.
    pub path: Option<String>,
}
