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

use guild_mcp_client::ElicitationHandler;
use guild_mcp_client::{Hearing, Level};

/// A result on its way, as the member wrote it.
pub type GatewayResultFuture = BoxFuture<'static, Result<Box<RawValue>, GatewayError>>;

/// The hall as the gateway sees it.
///
/// A function that returns no future does no I/O and waits for nothing. Used as a trait object, so that the code of
/// each request is compiled in this crate, which is optimized for speed.
pub trait Directory: Send + Sync + 'static {
    /// Returns the client of a token. `None` if no client has it.
    fn client(&self, token: Option<&str>) -> Option<GatewayClient>;

    /// Returns an endpoint's description. `None` if it does not exist.
    fn face(&self, endpoint: &Endpoint) -> Option<EndpointInfo>;

    /// Whether there is such an endpoint; asked with each request.
    fn has(&self, endpoint: &Endpoint) -> bool {
        self.face(endpoint).is_some()
    }

    /// Waits before a list while members have just begun to start and become ready one after another.
    /// It waits 100 ms after the last one, and 1 s at most.
    fn until_first_lists<'a>(&'a self, visit: &'a GatewayRequestContext) -> BoxFuture<'a, ()>;

    /// The tools that the visitor is to see.
    ///
    /// # Errors
    /// When the endpoint is gone.
    fn tools(&self, visit: &GatewayRequestContext) -> Result<GatewayToolList, GatewayError>;

    /// One tool as its member describes it, as JSON text: `tools/describe`.
    ///
    /// # Errors
    /// When there is none of that name, or it is withheld; similar names are suggested.
    fn describe(&self, visit: &GatewayRequestContext, name: &str) -> Result<Bytes, GatewayError>;

    /// Checks whether a tool requires arguments in headers and the visitor's list showed that. A
    /// stub of the tool does not show it.
    fn mirrors(&self, visit: &GatewayRequestContext, name: &str) -> bool;

    /// Calls a tool: one of the menu, or one of a member, which is started if it is down.
    fn call(
        self: Arc<Self>,
        visit: Arc<GatewayRequestContext>,
        call: AgentCall,
    ) -> GatewayResultFuture;

    /// Forwards requests for resources, prompts and completion to a member. The method is
    /// one of [`PASSED_ON`]; the answer is the result to send.
    fn pass_on(
        self: Arc<Self>,
        visit: Arc<GatewayRequestContext>,
        request: PassedOn,
    ) -> GatewayResultFuture;

    /// Sets the log level of the endpoint's members. Members that are not running get it with the
    /// visitor's next call.
    ///
    /// # Errors
    /// When the endpoint is gone.
    fn log_from<'a>(
        &'a self,
        visit: &'a GatewayRequestContext,
        level: Level,
    ) -> BoxFuture<'a, Result<(), GatewayError>>;

    /// Has a visitor hear what the endpoint's members log outside of calls, until `over` is
    /// cancelled.
    fn hear(
        &self,
        visit: &GatewayRequestContext,
        hearing: Arc<dyn Hearing>,
        over: CancellationToken,
    );

    /// Subscribes a visitor to changes of a resource.
    ///
    /// # Errors
    /// When no member has the resource, or its member sends no updates.
    fn watch<'a>(
        &'a self,
        visit: &'a GatewayRequestContext,
        watch: ResourceSubscription,
    ) -> BoxFuture<'a, Result<(), GatewayError>>;

    /// Reports an answered request to the traffic view. Must not block.
    fn seen(&self, visit: &GatewayRequestContext, exchange: TrafficExchange<'_>);

    /// How often the lists have changed.
    fn changes(&self) -> watch::Receiver<ListChangeCounts>;
}

/// The methods that [`Directory::pass_on`] takes.
pub const PASSED_ON: [&str; 6] = [
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
    /// The client that the token was made for; `None` where no token is wanted.
    pub id: Option<ClientId>,
    /// Its name. Empty if no token is required.
    pub name: Arc<str>,
    /// Cancelled when its token is no longer valid.
    pub revoked: CancellationToken,
}

/// A request's circumstances.
#[derive(Debug, Clone)]
pub struct GatewayRequestContext {
    /// The requesting client.
    pub client: GatewayClient,
    /// Name in `clientInfo`, at most 80 characters. Empty if missing.
    pub calls_itself: Arc<str>,
    /// Where it asks.
    pub endpoint: Endpoint,
    /// How it wants its list (`?mode=`, `params.lazy`); `None` for what the endpoint has.
    pub listing: Option<Listing>,
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
    /// Whether any member behind it has resources.
    pub resources: bool,
    /// Whether any member behind it has prompts.
    pub prompts: bool,
    /// Whether any member behind it completes arguments.
    pub completions: bool,
    /// Whether any tool behind it is shown by a resource (MCP Apps).
    pub apps: bool,
}

/// A list of tools.
#[derive(Debug, Clone)]
pub struct GatewayToolList {
    /// The tools as JSON text: an array.
    pub tools: Bytes,
    /// For how long the list may be kept (`ttlMs`).
    pub ttl: Duration,
}

/// A call as an agent made it.
#[derive(Debug)]
pub struct AgentCall {
    /// The tool's name for agents.
    pub name: String,
    /// The arguments as they were written; `None` where there were none.
    pub arguments: Option<Box<RawValue>>,
    /// The way back to the agent while it waits.
    pub back: WayBack,
}

/// A request that is passed on to a member.
#[derive(Debug)]
pub struct PassedOn {
    /// The method, one of [`PASSED_ON`].
    pub method: &'static str,
    /// The parameters as they were written.
    pub params: Option<Box<RawValue>>,
    /// The way back to the agent while it waits.
    pub back: WayBack,
}

/// The way back to an agent that waits for an answer.
#[derive(Debug, Clone, Default)]
pub struct WayBack {
    /// Receives progress. `None` if the agent did not ask for it. A step is dropped when the
    /// channel is full.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Puts a member's questions to the agent's user. `None` if the agent does not support that:
    /// then the window asks.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the member's log messages during the call. `None` if the agent does not want them.
    pub hearing: Option<Arc<dyn Hearing>>,
    /// Cancelled when the agent stops waiting.
    pub cancel: CancellationToken,
}

/// A resource that a visitor wants to hear of.
#[derive(Debug)]
pub struct ResourceSubscription {
    /// Its address, at most 8 KiB.
    pub uri: String,
    /// Receives change notifications.
    pub hearing: Arc<dyn Hearing>,
    /// Cancelled when the subscription ends.
    pub over: CancellationToken,
}

/// A JSON-RPC error in place of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct GatewayError {
    /// Its code.
    pub code: i64,
    /// Its message, which names the member where there is one.
    pub message: String,
    /// Its data as JSON text.
    pub data: Option<String>,
}

impl GatewayError {
    /// No such method, tool, resource or prompt, or parameters that do not fit.
    pub const INVALID_PARAMS: i64 = -32_602;
    /// The method is not known.
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    /// An internal failure that the caller did not cause.
    pub const INTERNAL: i64 = -32_603;

    /// A refusal without data.
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
    /// The tools.
    pub tools: u64,
    /// The resources and their templates.
    pub resources: u64,
    /// The prompts.
    pub prompts: u64,
}

/// A request and its answer, for the view of the traffic.
#[derive(Debug, Clone, Copy)]
pub struct TrafficExchange<'a> {
    /// The method.
    pub method: &'a str,
    /// The name of the tool, resource or prompt, where there is one.
    pub subject: Option<&'a str>,
    /// The parameters as they were written.
    pub params: Option<&'a str>,
    /// The result, or the error's message.
    pub answer: Result<&'a str, &'a str>,
    /// How long it took.
    pub duration: Duration,
    /// How large the request's body was, in bytes.
    pub request_bytes: usize,
}
