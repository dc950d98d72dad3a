//! The gateway's interface to the hall, which manages the members.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use guild_api::event::Progress;
use guild_model::ClientId;
use guild_model::endpoint::{Endpoint, Listing};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use guild_mcp_client::{ElicitationHandler, Level, NotificationSink, RequestMeta};

/// A pending result. The result is the member's original text.
pub type GatewayResultFuture = BoxFuture<'static, Result<Box<RawValue>, GatewayError>>;

/// The gateway's access to the hall.
///
/// Functions that do not return a future do no I/O and don't wait. The trait is used as a trait
/// object, so that the code for each request is compiled in this crate, which is optimized for
/// speed.
pub trait GatewayBackend: Send + Sync + 'static {
    /// Returns the client with this token, or without a token the anonymous client. `None` if the
    /// token is unknown or missing where one is required.
    fn client(&self, token: Option<&str>) -> Option<GatewayClient>;

    /// Checks that a client may use an endpoint. The returned client's `revoked` is cancelled when
    /// the client may no longer use the endpoint. Called before it is known whether the endpoint
    /// exists.
    ///
    /// # Errors
    /// If the client's token is not accepted at the endpoint: the reason, for the client.
    fn admit(&self, client: GatewayClient, endpoint: &Endpoint) -> Result<GatewayClient, String>;

    /// Returns an endpoint's description. `None` if it does not exist.
    fn info(&self, endpoint: &Endpoint) -> Option<EndpointInfo>;

    /// Whether the endpoint exists. Called for each request.
    fn has(&self, endpoint: &Endpoint) -> bool {
        self.info(endpoint).is_some()
    }

    /// Waits before a list request is answered, while members start and become ready one after
    /// another. The wait ends 100 ms after the last member became ready, and after 1 s at the
    /// latest.
    fn wait_for_first_lists<'a>(&'a self, context: &'a GatewayRequestContext) -> BoxFuture<'a, ()>;

    /// Returns the tools that the client may see.
    ///
    /// # Errors
    /// When the endpoint does not exist any more.
    fn tools(&self, context: &GatewayRequestContext) -> Result<GatewayToolList, GatewayError>;

    /// Returns the JSON text of one tool, as its member describes it (`tools/describe`).
    fn describe(&self, context: &GatewayRequestContext, name: &str) -> Result<Bytes, GatewayError>;

    /// Whether the client must repeat some of the tool's arguments in HTTP headers. False if the
    /// client's list has only a stub of the tool, which does not contain this requirement.
    fn requires_headers(&self, context: &GatewayRequestContext, name: &str) -> bool;

    /// Calls a tool of the menu or of a member. A stopped member is started.
    fn call(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        call: AgentCall,
    ) -> GatewayResultFuture;

    /// Forwards a request for resources, prompts, skills or completion to a member. The request's method is
    /// one of [`FORWARDED_METHODS`].
    fn forward(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        request: ForwardedRequest,
    ) -> GatewayResultFuture;

    /// Sets the log level of the endpoint's members. A member that is not running gets the level
    /// with the client's next call.
    fn set_log_level<'a>(
        &'a self,
        context: &'a GatewayRequestContext,
        level: Level,
    ) -> BoxFuture<'a, Result<(), GatewayError>>;

    /// Passes the log messages that the endpoint's members send outside of calls to `hearing`,
    /// until `over` is cancelled.
    fn subscribe_logs(
        &self,
        context: &GatewayRequestContext,
        hearing: Arc<dyn NotificationSink>,
        over: CancellationToken,
    );

    /// Subscribes a client to changes of a resource.
    ///
    /// # Errors
    /// When no member has the resource, or the member that has it sends no updates.
    fn subscribe<'a>(
        &'a self,
        context: &'a GatewayRequestContext,
        watch: ResourceSubscription,
    ) -> BoxFuture<'a, Result<(), GatewayError>>;

    /// Reports an answered request to the traffic view. Must not block.
    fn record(&self, context: &GatewayRequestContext, exchange: TrafficExchange<'_>);

    /// Returns a channel with the counts of list changes.
    fn changes(&self) -> watch::Receiver<ListChangeCounts>;
}

/// The methods that [`GatewayBackend::forward`] forwards.
pub const FORWARDED_METHODS: [&str; 8] = [
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "skills/list",
    "skills/get",
];

/// An admitted client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayClient {
    /// The id of the token's client. `None` for a client without a token.
    pub id: Option<ClientId>,
    /// The client's name. Empty for a client without a token.
    pub name: Arc<str>,
    /// Cancelled when the client's token becomes invalid, or is no longer accepted at the endpoint
    /// of the request.
    pub revoked: CancellationToken,
}

/// The context of a request: client, endpoint and listing mode.
#[derive(Debug, Clone)]
pub struct GatewayRequestContext {
    /// The requesting client.
    pub client: GatewayClient,
    /// The name in the client's `clientInfo`, at most 80 characters. Empty if missing.
    pub calls_itself: Arc<str>,
    /// The requested endpoint.
    pub endpoint: Endpoint,
    /// The requested listing mode (`?mode=`, `params.lazy`). `None` selects the endpoint's own
    /// mode.
    pub listing: Option<Listing>,
    /// Whether the client declares that it shows MCP Apps (`io.modelcontextprotocol/ui`).
    pub shows_apps: bool,
    /// Whether the client wants members' original schemas (`?schemas=raw`), even if schemas are
    /// adapted for this kind of client.
    pub raw_schemas: bool,
    /// A digest of the MCP session's id. `None` without a session.
    pub session: Option<Arc<str>>,
}

/// Description of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointInfo {
    /// The server's name.
    pub name: String,
    /// Instructions for a model.
    pub instructions: Option<String>,
    /// Whether any member of the endpoint has resources.
    pub resources: bool,
    /// Whether any member of the endpoint has prompts.
    pub prompts: bool,
    /// Whether any member of the endpoint completes arguments.
    pub completions: bool,
    /// Whether any member of the endpoint has skills (SEP-2640).
    pub skills: bool,
    /// Whether any tool of the endpoint has a user interface that is a resource (MCP Apps).
    pub apps: bool,
}

/// A list of tools.
#[derive(Debug, Clone)]
pub struct GatewayToolList {
    /// The tools as a JSON array.
    pub tools: Bytes,
    /// How long clients may cache the list (`ttlMs`).
    pub ttl: Duration,
}

/// A tool call as the agent sent it.
#[derive(Debug)]
pub struct AgentCall {
    /// The tool's exposed name, under which agents see it.
    pub name: String,
    /// The arguments in their original text. `None` if missing.
    pub arguments: Option<Box<RawValue>>,
    /// The fields of `_meta` that are forwarded to the member.
    pub meta: RequestMeta,
    /// The channels to the waiting agent.
    pub back: ResponseChannels,
}

/// A request that is forwarded to a member.
#[derive(Debug)]
pub struct ForwardedRequest {
    /// The method, one of [`FORWARDED_METHODS`].
    pub method: &'static str,
    /// The parameters in their original text.
    pub params: Option<Box<RawValue>>,
    /// The fields of `_meta` that are forwarded to the member.
    pub meta: RequestMeta,
    /// The channels to the waiting agent.
    pub back: ResponseChannels,
}

/// The channels to an agent that waits for an answer.
#[derive(Debug, Clone, Default)]
pub struct ResponseChannels {
    /// Receives progress. `None` if the agent did not request progress. A progress message is
    /// dropped when the channel is full.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Forwards the member's questions (elicitation) to the agent. `None` if the agent does not
    /// support them. Guild Hall's window then asks the user instead.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the member's log messages during the call. `None` if the agent does not want them.
    pub hearing: Option<Arc<dyn NotificationSink>>,
    /// Cancelled when the agent stops waiting.
    pub cancel: CancellationToken,
}

/// A client's subscription to changes of a resource.
#[derive(Debug)]
pub struct ResourceSubscription {
    /// The resource's URI, at most 8 KiB.
    pub uri: String,
    /// Receives change notifications.
    pub hearing: Arc<dyn NotificationSink>,
    /// Cancelled when the subscription ends.
    pub over: CancellationToken,
}

/// A JSON-RPC error in place of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct GatewayError {
    /// The error's code.
    pub code: i64,
    /// The error's message. It names the member that caused the error, if any.
    pub message: String,
    /// Additional data as JSON text.
    pub data: Option<String>,
}

impl GatewayError {
    /// Unknown tool, resource or prompt, or invalid parameters.
    pub const INVALID_PARAMS: i64 = -32_602;
    /// Unknown method.
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    /// An internal failure that the caller did not cause.
    pub const INTERNAL: i64 = -32_603;

    /// Creates an error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}

/// The number of changes of each list since the start. Subscribers are notified of each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListChangeCounts {
    /// Changes of the tool list.
    pub tools: u64,
    /// Changes of the lists of resources and templates.
    pub resources: u64,
    /// Changes of the prompt list.
    pub prompts: u64,
}

/// A request and its answer, for the traffic view.
#[derive(Debug, Clone, Copy)]
pub struct TrafficExchange<'a> {
    /// The method.
    pub method: &'a str,
    /// The name of the tool, resource or prompt, if any.
    pub subject: Option<&'a str>,
    /// The parameters in their original text.
    pub params: Option<&'a str>,
    /// The result, or the error's message.
    pub answer: Result<&'a str, &'a str>,
    /// The time from the request to its answer.
    pub duration: Duration,
    /// The size of the request's body, in bytes.
    pub request_bytes: usize,
}
