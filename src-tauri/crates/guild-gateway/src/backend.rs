//! The gateway's interface to the hall.

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

/// A pending result, in the member's original text.
pub type GatewayResultFuture = BoxFuture<'static, Result<Box<RawValue>, GatewayError>>;

/// The gateway's access to the hall.
///
/// Functions that do not return a future do no I/O and don't wait. The trait is used as an object,
/// so that the code of each request is compiled in this crate, which is optimized for speed.
pub trait GatewayBackend: Send + Sync + 'static {
    /// Returns the client with this token, or the client without a token. `None` if that client is
    /// not admitted.
    fn client(&self, token: Option<&str>) -> Option<GatewayClient>;

    /// Admits a client at an endpoint. The returned client's `revoked` is cancelled when the client
    /// may no longer use the endpoint. Called before it is known whether the endpoint exists.
    ///
    /// # Errors
    /// The reason, for the client, if its token is not accepted at the endpoint.
    fn admit(&self, client: GatewayClient, endpoint: &Endpoint) -> Result<GatewayClient, String>;

    /// Returns an endpoint's description. `None` if it does not exist.
    fn info(&self, endpoint: &Endpoint) -> Option<EndpointInfo>;

    /// Whether the endpoint exists. Called for each request.
    fn has(&self, endpoint: &Endpoint) -> bool {
        self.info(endpoint).is_some()
    }

    /// Waits before a list while members start and become ready one after another. The wait ends
    /// 100 ms after the last member became ready, and after 1 s at the latest.
    fn wait_for_first_lists<'a>(&'a self, context: &'a GatewayRequestContext) -> BoxFuture<'a, ()>;

    /// Returns the tools that the client may see.
    ///
    /// # Errors
    /// When the endpoint does not exist any more.
    fn tools(&self, context: &GatewayRequestContext) -> Result<GatewayToolList, GatewayError>;

    /// Returns one tool as its member describes it, as JSON text (`tools/describe`).
    ///
    /// # Errors
    /// When no tool has the name, or the tool is withheld. Similar names are suggested.
    fn describe(&self, context: &GatewayRequestContext, name: &str) -> Result<Bytes, GatewayError>;

    /// Whether a tool requires arguments in headers and the client's list showed that. A stub of
    /// the tool does not show it.
    fn requires_headers(&self, context: &GatewayRequestContext, name: &str) -> bool;

    /// Calls a tool of the menu or of a member. A stopped member is started.
    fn call(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        call: AgentCall,
    ) -> GatewayResultFuture;

    /// Forwards a request for resources, prompts or completion to a member. The request's method is
    /// one of [`FORWARDED_METHODS`].
    fn forward(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        request: ForwardedRequest,
    ) -> GatewayResultFuture;

    /// Sets the log level of the endpoint's members. Members that are not running get it with the
    /// client's next call.
    ///
    /// # Errors
    /// When the endpoint does not exist any more.
    fn set_log_level<'a>(
        &'a self,
        context: &'a GatewayRequestContext,
        level: Level,
    ) -> BoxFuture<'a, Result<(), GatewayError>>;

    /// Passes log messages of the endpoint's members outside of calls to `hearing`, until `over` is
    /// cancelled.
    fn subscribe_logs(
        &self,
        context: &GatewayRequestContext,
        hearing: Arc<dyn NotificationSink>,
        over: CancellationToken,
    );

    /// Subscribes a client to changes of a resource.
    ///
    /// # Errors
    /// When no member has the resource, or its member sends no updates.
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
pub const FORWARDED_METHODS: [&str; 6] = [
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// An admitted client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayClient {
    /// The id of the token's client. `None` for a client without a token.
    pub id: Option<ClientId>,
    /// The client's name. Empty for a client without a token.
    pub name: Arc<str>,
    /// Cancelled when the client's token is no longer valid, or no longer accepted at the endpoint
    /// of the request.
    pub revoked: CancellationToken,
}

/// The context of a request: client, endpoint and listing.
#[derive(Debug, Clone)]
pub struct GatewayRequestContext {
    /// The requesting client.
    pub client: GatewayClient,
    /// Name in `clientInfo`, at most 80 characters. Empty if missing.
    pub calls_itself: Arc<str>,
    /// The requested endpoint.
    pub endpoint: Endpoint,
    /// The requested listing mode (`?mode=`, `params.lazy`). `None` for the endpoint's own.
    pub listing: Option<Listing>,
    /// Whether the client declares that it shows MCP Apps (`io.modelcontextprotocol/ui`).
    pub shows_apps: bool,
    /// Whether the client wants members' original schemas (`?schemas=raw`), independent of its
    /// kind.
    pub raw_schemas: bool,
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
    /// Whether a resource renders any tool of the endpoint (MCP Apps).
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

/// A call as an agent made it.
#[derive(Debug)]
pub struct AgentCall {
    /// The tool's name for agents.
    pub name: String,
    /// The arguments in their original text. `None` if missing.
    pub arguments: Option<Box<RawValue>>,
    /// The fields of `_meta` that pass to the member.
    pub meta: RequestMeta,
    /// The channels to the waiting agent.
    pub back: WayBack,
}

/// A request that is forwarded to a member.
#[derive(Debug)]
pub struct ForwardedRequest {
    /// The method, one of [`FORWARDED_METHODS`].
    pub method: &'static str,
    /// The parameters in their original text.
    pub params: Option<Box<RawValue>>,
    /// The fields of `_meta` that pass to the member.
    pub meta: RequestMeta,
    /// The channels to the waiting agent.
    pub back: WayBack,
}

/// The channels to an agent that waits for an answer.
#[derive(Debug, Clone, Default)]
pub struct WayBack {
    /// Receives progress. `None` if the agent did not ask for it. A step is dropped when the
    /// channel is full.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Puts a member's questions to the agent's user. `None` if the agent does not support that.
    /// Then the window asks.
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

/// How often each list has changed since the start. Listeners are notified of each change.
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
