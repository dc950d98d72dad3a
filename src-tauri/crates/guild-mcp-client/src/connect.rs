//! Opens a connection within one time limit. Chooses the era to try first: legacy (with
//! `initialize`) or modern (without).
//!
//! In a test of 60 servers, all answered `initialize`, but some exited on an unknown first request
//! or misunderstood it. So Guild Hall asks a server for the newest version only once, see
//! [`first`], and the caller stores the era that worked. Later connections try the stored era
//! first. They try the other era only if the answer suggests that it may work. rmcp's automatic
//! mode is not used, because it waits 10 seconds for a silent server, and does not handle a server
//! that ends.

mod bare;
mod first;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::messages::AnswerFault;
use guild_model::protocol::{Era, ProtocolVersion};
use http::HeaderValue;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitationCapability, ExtensionCapabilities,
    FormElicitationCapability, Implementation, SKILLS_EXTENSION_ID, TASKS_EXTENSION_ID,
    UrlElicitationCapability,
};
use rmcp::service::{
    ClientCacheConfig, ClientInitializeError, ClientLifecycleMode,
    serve_client_with_lifecycle_and_ct,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, transport::Transport};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::challenge::SignedIn;
use crate::decoder::MessageDecoder;
use crate::elicitation::ElicitationHandler;
use crate::error::McpError;
use crate::failure::{self, EraFailure};
use crate::header_params::HeaderParams;
use crate::http::{
    AnswerTracker, Carrier, Headers, HttpRequestSender, PeerCheck, REQUESTS_MAX, STREAM_PAUSE_MAX,
    STREAM_TRIES, SseConnection, SseTransport, client, may_use_sse, own_headers, sse_beside,
};
use crate::lines::StdioTransport;
use crate::notify::{Outlet, ServerRequestHandler};
use crate::questions::ConnectionElicitations;
use crate::raw_requests::compose::Introduction;
use crate::session::{RequestSender, Session, SharedSessionState};

pub use self::bare::connect_bare;
pub use self::first::{DiscoverFirst, Idle};
use self::first::{ServerDiscoverOutcome, StdioProbeResult};

/// The transport to a server.
pub enum ServerTransport {
    /// Streamable HTTP or HTTP+SSE.
    Http {
        /// The address of the MCP endpoint.
        url: String,
        /// Headers that are sent with every request. Headers that the protocol itself sets are
        /// ignored.
        headers: Vec<(String, String)>,
    },
    /// Standard input and output of a process. The caller owns the process.
    Stdio {
        /// The server's standard output.
        reader: Box<dyn AsyncRead + Send + Unpin>,
        /// The server's standard input. It is closed when the session is closed.
        writer: Box<dyn AsyncWrite + Send + Unpin>,
    },
}

/// Options of a connection.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// Asks a person the server's questions. With `None`, the client does not declare elicitation
    /// to the server.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Whether to declare that the client shows MCP Apps (since 2025-11-25). True if the window or
    /// an agent shows them.
    pub apps: bool,
    /// The only allowed protocol version. Over HTTP, every request then has the version header,
    /// including `initialize`, and only POST is used (REQ-MCP-HTTP-24, -25).
    pub pin: Option<ProtocolVersion>,
    /// The era of the last connection to this server. It is tried first.
    pub remembered: Option<Era>,
    /// How the client asks a server of unknown era for the newest version first. With `None`, the
    /// connection begins with `initialize`.
    pub discover_first: Option<DiscoverFirst>,
    /// The expected time for opening the connection, including a second attempt. A modern attempt
    /// without an answer is ended after half of this time.
    pub handshake: Duration,
    /// The limit for opening the connection: `handshake`, or more if the caller observes the
    /// server's progress and cancels the opening itself.
    pub longest: Duration,
    /// Whether to use only HTTP+SSE, the transport of 2024-11-05, on an HTTP connection. Otherwise,
    /// this transport is only used if the server rejects Streamable HTTP.
    pub sse_only: bool,
    /// Checks each new HTTP connection before anything is written to it. If the check finds that
    /// the server has ended, the request fails as if the server's port were closed.
    pub peer_check: Option<PeerCheck>,
    /// Whether to use the proxies that the environment and the system configure, for a server on
    /// another machine.
    pub proxies: bool,
    /// Supplies the access tokens for HTTP requests. `None` if the headers authenticate the client,
    /// or if no authentication is needed.
    pub signed: Option<Arc<dyn SignedIn>>,
}

/// Failure to open a session.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct ConnectFailure {
    /// The error.
    pub error: McpError,
    /// The era to try next, if the server may support only that era. The caller then makes one more
    /// attempt with a new transport and this value in [`ConnectOptions::remembered`]. For stdio, a
    /// new transport means a new process.
    pub retry_with: Option<Era>,
}

impl From<McpError> for ConnectFailure {
    fn from(error: McpError) -> Self {
        Self {
            error,
            retry_with: None,
        }
    }
}

/// Opens a session.
///
/// Over HTTP, this function also makes the second attempt, in the other era with a new transport.
/// Over stdio, the caller makes the second attempt, because only the caller can start a process.
///
/// # Errors
/// When the server is unreachable, does not answer in time, or does not answer with MCP.
pub async fn connect(
    link: ServerTransport,
    options: ConnectOptions,
) -> Result<Session, ConnectFailure> {
    let limit = options.longest;
    timeout(limit, open(link, &options))
        .await
        .unwrap_or(Err(McpError::HandshakeTimeout { limit }.into()))
}

async fn open(link: ServerTransport, options: &ConnectOptions) -> Result<Session, ConnectFailure> {
    let first = match (options.pin, options.remembered) {
        (Some(pin), _) => pin.era(),
        (None, remembered) => remembered.unwrap_or(Era::Legacy),
    };
    let second = match (options.pin, first) {
        (Some(_), _) => None,
        (None, Era::Legacy) => Some(Era::Modern),
        (None, Era::Modern) => Some(Era::Legacy),
    };
    let unknown = options.pin.is_none() && options.remembered.is_none();
    let discover_first = options.discover_first.as_ref().filter(|_| unknown);
    match link {
        ServerTransport::Stdio { reader, writer } => {
            if let Some(discover_first) = discover_first {
                return ask_first(reader, writer, discover_first, options).await;
            }
            stdio(reader, writer, first, options)
                .await
                .map_err(|trouble| ConnectFailure {
                    retry_with: second.filter(|_| trouble.other_era),
                    error: trouble.error,
                })
        }
        ServerTransport::Http { url, headers } => {
            let headers = own_headers(&headers)?;
            let client = client(&url, options.peer_check.clone(), options.proxies).await?;
            let carrier = || {
                let (peer_check, signed) = (options.peer_check.clone(), options.signed.clone());
                Carrier::new(client.clone(), peer_check, signed)
            };
            let attempt = |era| {
                let pin = options.pin.map(ProtocolVersion::as_str);
                let header_params = (era == Era::Modern).then(HeaderParams::default);
                let mut carrier = carrier();
                carrier.header_params.clone_from(&header_params);
                carrier.pin = pin.map(HeaderValue::from_static);
                let decoder = carrier.decoder();
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .custom_headers(headers.clone())
                    .max_concurrent_requests(REQUESTS_MAX);
                let mut backoff = ExponentialBackoff::default();
                backoff.max_times = Some(STREAM_TRIES);
                backoff.max_delay = Some(STREAM_PAUSE_MAX);
                config.retry_config = Arc::new(backoff);
                let (beside, own) = (carrier.clone(), headers.clone());
                let sender = |version: &str, listener: ServerRequestHandler| {
                    HttpRequestSender::new(beside, &url, own, version, listener)
                        .map(RequestSender::Http)
                };
                let transport = StreamableHttpClientTransport::with_client(carrier, config);
                let transport = AnswerTracker::new(transport, decoder.clone());
                shake_hands(
                    transport,
                    SessionParts::new(decoder, header_params),
                    era,
                    options,
                    sender,
                )
            };
            if options.sse_only {
                let carrier = carrier();
                let connection = SseConnection::open(&carrier, &url, &headers).await?;
                return over_sse(connection, carrier, headers, options).await;
            }
            let opened = match discover_first {
                Some(_) => self::first::over_http(&attempt).await,
                None => attempt(first).await,
            };
            let trouble = match opened {
                Ok(session) => return Ok(session),
                Err(trouble) => trouble,
            };
            let second = second.filter(|_| discover_first.is_none());
            if let Some(era) = second.filter(|_| trouble.other_era)
                && let Ok(session) = attempt(era).await
            {
                return Ok(session);
            }
            let is_legacy = options.pin.is_none_or(|pin| pin.era() == Era::Legacy);
            if is_legacy && may_use_sse(trouble.error.http_status()) {
                for url in std::iter::once(url.clone()).chain(sse_beside(&url)) {
                    let carrier = carrier();
                    match SseConnection::open(&carrier, &url, &headers).await {
                        Ok(connection) => {
                            return over_sse(connection, carrier, headers, options).await;
                        }
                        Err(error) if error.shows_sse() => return Err(error.into()),
                        Err(_) => {}
                    }
                }
            }
            // The error of the first attempt describes the server better than those of later
            // attempts.
            Err(trouble.error.into())
        }
    }
}

/// Opens a session over HTTP+SSE, the transport of 2024-11-05.
async fn over_sse(
    connection: SseConnection,
    carrier: Carrier,
    headers: Headers,
    options: &ConnectOptions,
) -> Result<Session, ConnectFailure> {
    let shared = SessionParts::new(carrier.decoder(), None);
    let transport = SseTransport::new(connection, carrier, headers, shared.parts.clone());
    let sender = RequestSender::Sse(transport.sender());
    let opened = shake_hands(transport, shared, Era::Legacy, options, |_, _| Ok(sender)).await;
    opened.map_err(|trouble| trouble.error.into())
}

/// Sends `server/discover` to a server over stdio, and opens a session in the era that the answer
/// shows. If this request makes the server exit, the caller has to start the server once more.
async fn ask_first(
    reader: Box<dyn AsyncRead + Send + Unpin>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    discover_first: &DiscoverFirst,
    options: &ConnectOptions,
) -> Result<Session, ConnectFailure> {
    let asks = options.asking.is_some();
    let client = described(
        options,
        capabilities(asks, options.apps, ProtocolVersion::V2026_07_28),
    );
    let limit = options.handshake / 2;
    let ServerDiscoverOutcome {
        reaction,
        reader,
        writer,
    } = self::first::ask(reader, writer, &client, discover_first, limit).await;
    let era = match reaction {
        StdioProbeResult::Modern => Era::Modern,
        StdioProbeResult::Other => Era::Legacy,
        StdioProbeResult::Ended => {
            return Err(ConnectFailure {
                error: McpError::Connect {
                    reason: "the connection ended before the handshake was done".into(),
                },
                retry_with: Some(Era::Legacy),
            });
        }
    };
    let opened = stdio(reader, writer, era, options).await;
    opened.map_err(|EraFailure { error, other_era }| {
        let retry_with = match era {
            // The server may have ended because of the `server/discover` request, even after its
            // answer.
            Era::Legacy if matches!(error, McpError::Connect { .. }) => Some(Era::Legacy),
            Era::Legacy => other_era.then_some(Era::Modern),
            Era::Modern => other_era.then_some(Era::Legacy),
        };
        ConnectFailure { error, retry_with }
    })
}

async fn stdio(
    reader: Box<dyn AsyncRead + Send + Unpin>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    era: Era,
    options: &ConnectOptions,
) -> Result<Session, EraFailure> {
    let shared = SessionParts::new(MessageDecoder::default(), None);
    let (lines, sender) = on_pipes(reader, writer, &shared);
    shake_hands(lines, shared, era, options, |_, _| Ok(sender)).await
}

/// Returns rmcp's transport over pipes, and the sender for raw requests over the same pipes.
fn on_pipes(
    reader: Box<dyn AsyncRead + Send + Unpin>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    shared: &SessionParts,
) -> (StdioTransport, RequestSender) {
    let lines = StdioTransport::new(reader, writer, shared.parts.clone());
    let sender = RequestSender::Lines(lines.outbound());
    (lines, sender)
}

/// The state that a session and its transport share.
struct SessionParts {
    parts: SharedSessionState,
    events: tokio::sync::mpsc::Receiver<crate::notify::SessionEvent>,
}

impl SessionParts {
    fn new(decoder: MessageDecoder, header_params: Option<HeaderParams>) -> Self {
        let (outlet, events) = Outlet::new();
        let cut = CancellationToken::new();
        let parts = SharedSessionState {
            calls: decoder.calls().clone(),
            decoder,
            header_params,
            outlet,
            end: Arc::new(OnceLock::new()),
            over: cut.child_token(),
            cut,
        };
        Self { parts, events }
    }
}

fn capabilities(asks: bool, apps: bool, version: ProtocolVersion) -> ClientCapabilities {
    let mut capabilities = ClientCapabilities::default();
    if asks {
        let elicitation = ElicitationCapability::new();
        // Before elicitation modes existed, an empty object meant the only mode, forms.
        capabilities.elicitation = Some(match version {
            ProtocolVersion::V2025_03_26 | ProtocolVersion::V2025_06_18 => elicitation,
            ProtocolVersion::V2025_11_25 | ProtocolVersion::V2026_07_28 => elicitation
                .with_form(FormElicitationCapability::new())
                .with_url(UrlElicitationCapability::new()),
        });
    }
    let mut extensions = ExtensionCapabilities::new();
    if apps && version >= ProtocolVersion::V2025_11_25 {
        let kinds = serde_json::json!({"mimeTypes": ["text/html;profile=mcp-app"]});
        if let serde_json::Value::Object(kinds) = kinds {
            extensions.insert("io.modelcontextprotocol/ui".to_owned(), kinds);
        }
    }
    // A server may serve skills and create tasks only for clients that declare these extensions.
    if version.era() == Era::Modern {
        for id in [SKILLS_EXTENSION_ID, TASKS_EXTENSION_ID] {
            extensions.insert(id.to_owned(), serde_json::Map::new());
        }
    }
    capabilities.extensions = (!extensions.is_empty()).then_some(extensions);
    capabilities
}

/// Returns the protocol version to request with `initialize`.
fn version_of(options: &ConnectOptions) -> ProtocolVersion {
    let legacy = options.pin.filter(|pin| pin.era() == Era::Legacy);
    legacy.unwrap_or(ProtocolVersion::V2025_11_25)
}

/// Returns the client's description that is sent with `initialize`.
fn described(options: &ConnectOptions, capabilities: ClientCapabilities) -> ClientConfig {
    let client = Implementation::new("guild-hall", env!("CARGO_PKG_VERSION"));
    // rmcp's own default is a version that has no `initialize`.
    ClientConfig::new(capabilities, client.with_title("Guild Hall"))
        .with_protocol_version(failure::version(version_of(options)))
}

/// Returns the handlers of the server's requests and questions, for a given protocol version.
fn introduced(
    options: &ConnectOptions,
    version: ProtocolVersion,
    parts: &SharedSessionState,
) -> (ServerRequestHandler, ConnectionElicitations) {
    let asking = options.asking.clone();
    let asking = asking.filter(|_| version >= ProtocolVersion::V2025_06_18);
    let capabilities = capabilities(asking.is_some(), options.apps, version);
    let questions = ConnectionElicitations::new(asking, parts.calls.clone(), parts.over.clone());
    let listener = ServerRequestHandler {
        config: described(options, capabilities),
        outlet: parts.outlet.clone(),
        questions: questions.clone(),
    };
    (listener, questions)
}

async fn shake_hands<T>(
    transport: T,
    shared: SessionParts,
    era: Era,
    options: &ConnectOptions,
    sender: impl FnOnce(&str, ServerRequestHandler) -> Result<RequestSender, McpError>,
) -> Result<Session, EraFailure>
where
    T: Transport<RoleClient> + 'static,
{
    let SessionParts { parts, events } = shared;
    let legacy = version_of(options);
    let lifecycle = match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => ClientLifecycleMode::Discover {
            preferred_versions: vec![failure::version(ProtocolVersion::V2026_07_28)],
        },
    };
    let version = if era == Era::Modern {
        ProtocolVersion::V2026_07_28
    } else {
        legacy
    };
    let (listener, questions) = introduced(options, version, &parts);
    let beside = listener.clone();
    // rmcp gets a child token, because it cancels its token at the end, and the parent must only be
    // cancelled by this crate.
    let token = parts.cut.child_token();
    let opening = serve_client_with_lifecycle_and_ct(listener, transport, lifecycle, token);
    let opened = match era {
        // If `server/discover` gets no answer, time must remain for `initialize`.
        Era::Modern if options.pin.is_none() => timeout(options.handshake / 2, opening).await,
        _ => Ok(opening.await),
    };
    let running = match opened {
        Ok(Ok(running)) => running,
        Ok(Err(error)) => return Err(failure::of_opening(error, era, parts.end.get())),
        Err(_) => {
            let limit = options.handshake / 2;
            return Err(EraFailure {
                error: McpError::HandshakeTimeout { limit },
                other_era: true,
            });
        }
    };
    running
        .peer()
        .set_response_cache_config(ClientCacheConfig::disabled())
        .await;
    let Some(info) = running.peer().peer_info() else {
        let error = ClientInitializeError::ConnectionClosed("no server info".into());
        return Err(failure::of_opening(error, era, parts.end.get()));
    };
    let spoken = &info.protocol_version;
    let sender = sender(spoken.as_str(), beside.clone())?;
    let introduction = if spoken.has_initialize() {
        Introduction::default()
    } else {
        let ClientConfig {
            client_info,
            capabilities,
            ..
        } = &beside.config;
        Introduction::new(spoken.as_str(), client_info, capabilities).map_err(|error| {
            let wrong = AnswerFault::ClientUnwritten(error.to_string());
            McpError::malformed(&wrong, b"")
        })?
    };
    let beside = (sender, introduction);
    Ok(Session::start(
        running, &info, era, questions, parts, beside, events,
    ))
}
