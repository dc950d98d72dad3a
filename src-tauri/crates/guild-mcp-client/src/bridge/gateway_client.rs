//! The HTTP client with which the proxy accesses the gateway.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{BridgeFault, BridgeNote, BridgeProblem};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use parking_lot::Mutex;
use tokio::time::timeout;

use super::BridgeOptions;
use super::envelope;
use super::limits::BridgeLimits;
use super::relocation::Relocation;
use super::verifier::{Connector, GatewayVerifier};
use crate::events::SseParser;
use crate::http::content_type;
use crate::text;

/// Limit of an answer, or of one event of a stream, in bytes.
const ANSWER_MAX: usize = 64 << 20;
/// Limit of the body of an error response, in bytes.
const ERROR_MAX: usize = 64 << 10;
const CONNECT: Duration = Duration::from_secs(5);
/// How long an idle connection is kept open. This is shorter than any server's timeout.
const IDLE: Duration = Duration::from_secs(3);

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

#[derive(Debug, Clone, Default)]
pub(super) struct RequestHeaders {
    pub(super) session: Option<HeaderValue>,
    pub(super) version: Option<HeaderValue>,
    pub(super) method: Option<HeaderValue>,
    pub(super) name: Option<HeaderValue>,
    /// The headers that repeat arguments of a tool call.
    pub(super) mirrored: Vec<(HeaderName, HeaderValue)>,
}

/// The reason that a request got no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum GatewayRequestError {
    /// No process listens at the address, or the connection broke.
    #[error("{0}")]
    Unreachable(String),
    #[error("the session is unknown")]
    Forgotten,
    /// A response with an error status. Its body may be a JSON-RPC error.
    #[error("HTTP {status}")]
    Status { status: StatusCode, body: Bytes },
    /// A response that is not a valid message.
    #[error("{0}")]
    Answer(String),
}

impl GatewayRequestError {
    /// Returns the text of the error for the program.
    pub(super) fn to_message(&self, gateway: &BridgeEndpoint) -> String {
        let place = &gateway.place();
        match self {
            Self::Unreachable(why) => gateway.unanswered(why.clone()).to_string(),
            Self::Forgotten => format!("Guild Hall's gateway at {place} forgot the session."),
            Self::Status { status, .. } if *status == StatusCode::UNAUTHORIZED => format!(
                "Guild Hall's gateway at {place}: Missing or invalid token. Add a client on the \
                 Agents page, and pass its token with --token or GUILD_HALL_TOKEN."
            ),
            Self::Status { status, body } => format!(
                "Guild Hall's gateway at {place} answered HTTP {}: {}",
                status.as_u16(),
                text::excerpt(body)
            ),
            Self::Answer(problem) => {
                format!("Guild Hall's gateway at {place} can't be understood: {problem}.")
            }
        }
    }

    /// Returns the JSON-RPC error for the program's request with this id.
    pub(super) fn answer(&self, gateway: &BridgeEndpoint, id: &str) -> String {
        if let Self::Status { body, status } = self
            && *status != StatusCode::UNAUTHORIZED
            && let Some(answer) = envelope::error_for(body, id)
        {
            return answer;
        }
        envelope::refusal(id, -32_000, &self.to_message(gateway))
    }
}

/// The gateway's endpoint, with an HTTP client for it. Clones share the address.
#[derive(Clone)]
pub(super) struct BridgeEndpoint {
    client: Client<Connector, Full<Bytes>>,
    /// The last known address of the endpoint.
    uri: Arc<Mutex<Uri>>,
    relocation: Relocation,
    token: Option<HeaderValue>,
    pub(super) limits: BridgeLimits,
}

impl BridgeEndpoint {
    pub(super) fn new(options: &BridgeOptions) -> Result<Self, BridgeProblem> {
        let uri = local(&options.url)?;
        let token = options.token.as_ref().map(|token| {
            let mut value = HeaderValue::try_from(format!("Bearer {token}"))
                .map_err(|_| BridgeProblem::Token)?;
            value.set_sensitive(true);
            Ok::<_, BridgeProblem>(value)
        });
        let token = token.transpose()?;
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT));
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(Connector {
                inner: connector,
                known: match token {
                    Some(_) => options.known.clone(),
                    None => GatewayVerifier::anybody(),
                },
            });
        Ok(Self {
            client,
            uri: Arc::new(Mutex::new(uri)),
            relocation: options.relocation.clone(),
            token,
            limits: options.limits,
        })
    }

    fn uri(&self) -> Uri {
        let uri = self.uri.lock();
        uri.clone()
    }

    /// Returns the address without its query, for messages.
    fn place(&self) -> String {
        let uri = self.uri().to_string();
        uri.split('?').next().unwrap_or_default().to_owned()
    }

    /// Returns the endpoint's current address, if it differs from `before`.
    async fn moved_from(&self, before: &Uri) -> Option<Uri> {
        let now = local(&self.relocation.find().await?).ok()?;
        if now == *before {
            return None;
        }
        let mut uri = self.uri.lock();
        uri.clone_from(&now);
        Some(now)
    }

    /// Returns the notice for the user that the gateway does not answer.
    pub(super) fn unanswered(&self, why: String) -> BridgeNote {
        BridgeNote::Unanswered(self.place(), why)
    }

    async fn send(
        &self,
        method: Method,
        body: Bytes,
        headers: Option<&RequestHeaders>,
        more: &[(HeaderName, HeaderValue)],
    ) -> Result<Response<Incoming>, GatewayRequestError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        let uri = self.uri();
        *request.uri_mut() = uri.clone();
        let sent = request.headers_mut();
        let own = headers.cloned().unwrap_or_default();
        let named = [
            (AUTHORIZATION, self.token.clone()),
            (SESSION, own.session),
            (VERSION, own.version),
            (METHOD, own.method),
            (NAME, own.name),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                sent.insert(name, value);
            }
        }
        sent.extend(own.mirrored);
        sent.extend(more.iter().cloned());
        let mut again = request.clone();
        let error = match self.client.request(request).await {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        // If no connection was opened, the request was not executed, so it can be sent again.
        if error.is_connect()
            && let Some(uri) = self.moved_from(&uri).await
        {
            *again.uri_mut() = uri;
            let sent = self.client.request(again).await;
            return sent.map_err(|error| GatewayRequestError::Unreachable(text::causes(&error)));
        }
        Err(GatewayRequestError::Unreachable(text::causes(&error)))
    }

    /// Waits for `work`. Each time that `silence` has passed, checks that the gateway still
    /// answers, and fails if it does not.
    async fn watched<T>(
        &self,
        silence: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, GatewayRequestError> {
        let mut work = pin!(work);
        loop {
            if let Ok(done) = timeout(silence, &mut work).await {
                return Ok(done);
            }
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                answered = self.answers() => answered?,
            }
        }
    }

    /// Checks that the gateway answers a test request, with any status.
    async fn answers(&self) -> Result<(), GatewayRequestError> {
        let limit = self.limits.check;
        let asking = self.send(Method::HEAD, Bytes::new(), None, &[]);
        match timeout(limit, asking).await {
            Ok(answered) => answered.map(drop),
            Err(_) => {
                let late = BridgeFault::Late(limit.as_secs());
                Err(GatewayRequestError::Unreachable(late.to_string()))
            }
        }
    }

    /// Posts a message and returns the messages in the response. Each time that no data arrived for
    /// `silence`, checks that the gateway still answers.
    pub(super) async fn post(
        &self,
        line: Bytes,
        headers: Option<&RequestHeaders>,
        silence: Duration,
    ) -> Result<Messages, GatewayRequestError> {
        let both = HeaderValue::from_static("application/json, text/event-stream");
        let kind = HeaderValue::from_static(JSON);
        let more = [(ACCEPT, both), (CONTENT_TYPE, kind)];
        let sending = self.send(Method::POST, line, headers, &more);
        let response = self.watched(silence, sending).await??;
        let watch = GatewayCheck::Gate(Box::new(self.clone()), silence);
        messages(response, headers, watch).await
    }

    /// Opens the session's event stream. `None` if the gateway does not offer one.
    pub(super) async fn stream(
        &self,
        headers: &RequestHeaders,
        last_event: Option<&str>,
    ) -> Result<Option<Messages>, GatewayRequestError> {
        let mut more = vec![(ACCEPT, HeaderValue::from_static(EVENTS))];
        if let Some(last) = last_event.and_then(|last| HeaderValue::from_str(last).ok()) {
            more.push((LAST_EVENT, last));
        }
        let response = self
            .send(Method::GET, Bytes::new(), Some(headers), &more)
            .await?;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Ok(None);
        }
        messages(response, Some(headers), GatewayCheck::Nothing)
            .await
            .map(Some)
    }

    pub(super) async fn delete(&self, headers: &RequestHeaders) -> Result<(), GatewayRequestError> {
        self.send(Method::DELETE, Bytes::new(), Some(headers), &[])
            .await
            .map(drop)
    }
}

/// Parses an address, which must be on this machine.
fn local(url: &str) -> Result<Uri, BridgeProblem> {
    let uri = url.parse::<Uri>();
    let uri = uri.map_err(|error| BridgeProblem::Address(error.to_string()))?;
    let host = uri.host().unwrap_or_default();
    let here = matches!(host, "127.0.0.1" | "localhost" | "[::1]");
    match uri.scheme_str() == Some("http") && here {
        true => Ok(uri),
        false => Err(BridgeProblem::NotLocal),
    }
}

/// The check that the gateway still answers while a response is read.
enum GatewayCheck {
    /// No check, because a session's stream may be silent for any time.
    Nothing,
    /// Check this endpoint whenever no data has arrived for this time.
    Gate(Box<BridgeEndpoint>, Duration),
}

impl GatewayCheck {
    /// Returns the next frame of a body. `None` after the last one.
    async fn frame(
        &self,
        body: &mut Incoming,
    ) -> Result<Option<Frame<Bytes>>, GatewayRequestError> {
        let frame = match self {
            Self::Nothing => body.frame().await,
            Self::Gate(gateway, silence) => gateway.watched(*silence, body.frame()).await?,
        };
        frame
            .transpose()
            .map_err(|error| GatewayRequestError::Unreachable(text::causes(&error)))
    }
}

async fn messages(
    response: Response<Incoming>,
    headers: Option<&RequestHeaders>,
    watch: GatewayCheck,
) -> Result<Messages, GatewayRequestError> {
    let status = response.status();
    let in_session = headers.is_some_and(|headers| headers.session.is_some());
    if status == StatusCode::NOT_FOUND && in_session {
        return Err(GatewayRequestError::Forgotten);
    }
    let session = response.headers().get(SESSION).cloned();
    let kind = content_type(response.headers());
    let empty = response.headers().get(CONTENT_LENGTH) == Some(&HeaderValue::from_static("0"));
    let body = response.into_body();
    if !status.is_success() {
        let body = whole(body, ERROR_MAX, &watch).await.unwrap_or_default();
        return Err(GatewayRequestError::Status { status, body });
    }
    let rest = match status {
        StatusCode::ACCEPTED | StatusCode::NO_CONTENT => Rest::None,
        _ if kind.starts_with(EVENTS) => Rest::Events(body, SseParser::up_to(ANSWER_MAX)),
        _ if kind.starts_with(JSON) => Rest::Json(body),
        _ if empty => Rest::None,
        _ => {
            let kind = text::cut_chars(&kind, 80);
            return Err(GatewayRequestError::Answer(format!(
                "it answered with {kind:?}"
            )));
        }
    };
    Ok(Messages {
        session,
        last_event: None,
        watch,
        rest,
    })
}

async fn whole(
    mut body: Incoming,
    max: usize,
    watch: &GatewayCheck,
) -> Result<Bytes, GatewayRequestError> {
    let mut read = Vec::new();
    while let Some(frame) = watch.frame(&mut body).await? {
        if let Ok(data) = frame.into_data() {
            if read.len() + data.len() > max {
                let message = format!("an answer of more than {max} bytes");
                return Err(GatewayRequestError::Answer(message));
            }
            read.extend_from_slice(&data);
        }
    }
    Ok(read.into())
}

/// The messages of a response or a stream.
pub(super) struct Messages {
    /// The session that the response opened.
    pub(super) session: Option<HeaderValue>,
    pub(super) last_event: Option<String>,
    watch: GatewayCheck,
    rest: Rest,
}

enum Rest {
    None,
    Json(Incoming),
    Events(Incoming, SseParser),
}

impl Messages {
    /// Returns the next message. `None` after the last one.
    pub(super) async fn next(&mut self) -> Result<Option<String>, GatewayRequestError> {
        match &mut self.rest {
            Rest::None => Ok(None),
            Rest::Json(_) => {
                let Rest::Json(body) = std::mem::replace(&mut self.rest, Rest::None) else {
                    return Ok(None);
                };
                let body = whole(body, ANSWER_MAX, &self.watch).await?;
                let text = String::from_utf8(body.into()).map_err(|_| {
                    GatewayRequestError::Answer("an answer that is not UTF-8".into())
                })?;
                Ok(Some(text).filter(|text| !text.trim().is_empty()))
            }
            Rest::Events(body, reader) => loop {
                let event = reader.next().map_err(|_| {
                    GatewayRequestError::Answer(format!("an event of more than {ANSWER_MAX} bytes"))
                })?;
                if let Some(event) = event {
                    self.last_event.clone_from(&reader.last_id);
                    return Ok(Some(String::from_utf8_lossy(&event.data).into_owned()));
                }
                let Some(frame) = self.watch.frame(body).await? else {
                    return Ok(None);
                };
                if let Ok(piece) = frame.into_data() {
                    reader.push(&piece);
                }
            },
        }
    }
}
