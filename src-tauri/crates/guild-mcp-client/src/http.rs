//! Streamable HTTP: sends one request and reads one bounded response. The older transport is in
//! [`sse`].
//!
//! rmcp manages the session, resumes streams and orders the requests. This module does the network
//! access. It follows no redirect, so that requests to a member, which may have secrets in their
//! headers, are sent only to that member. It uses proxies only for members on other machines, and
//! only if the setting allows that.

mod answer;
mod answer_tracker;
mod fetch;
mod keep_alive;
mod loopback;
mod peer_check;
mod post;
mod raw_requests;
mod redirect;
mod reply;
mod sse;
mod stream;
mod tls;

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use crate::messages::AnswerFault;
use bytes::Bytes;
use futures::stream::BoxStream;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use parking_lot::Mutex;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;

pub(crate) use self::answer_tracker::AnswerTracker;
pub use self::fetch::{Document, DocumentRequest, Documents, FetchError, may_be_read};
pub use self::loopback::loopback_port;
pub(crate) use self::loopback::{is_here, literal};
pub use self::peer_check::PeerCheck;
use self::peer_check::PeerCheckLayer;
pub use self::post::{PostError, PostRequest, PostResponse, post};
pub(crate) use self::raw_requests::HttpRequestSender;
use self::reply::HttpResponse;
pub(crate) use self::sse::{
    SseConnection, SseRequestSender, SseTransport, may_use_sse, sse_beside,
};
pub(crate) use self::tls::config as tls_config;
use crate::challenge::{AuthDecision, SignedIn, want_of};
use crate::decoder::MessageDecoder;
use crate::error::McpError;
use crate::fault::ResponseError;
use crate::header_params::HeaderParams;
use crate::text;

/// Limit of the body of a response, in bytes.
pub(crate) const BODY_MAX: usize = 64 << 20;
/// Limit of the body of an error response, in bytes.
const ERROR_BODY_MAX: usize = 64 << 10;
/// Limit of one event of a stream, in bytes.
const EVENT_MAX: usize = 16 << 20;

/// Limit of the concurrent requests of one session. The engine applies a lower limit.
pub(crate) const REQUESTS_MAX: usize = 64;
/// Limits for resuming a broken stream: the number of attempts, and the pause between them.
pub(crate) const STREAM_TRIES: usize = 8;
pub(crate) const STREAM_PAUSE_MAX: Duration = Duration::from_secs(30);

pub(crate) const AGENT: &str = concat!("guild-hall/", env!("CARGO_PKG_VERSION"));
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const ACCEPTED: &str = "application/json, text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

pub(crate) type Headers = HashMap<HeaderName, HeaderValue>;
type HttpTransportError = StreamableHttpError<McpError>;

fn failed(error: impl Into<McpError>) -> HttpTransportError {
    StreamableHttpError::Client(error.into())
}

/// Sends the messages of one connection over HTTP, and receives the responses.
#[derive(Debug, Clone)]
pub(crate) struct Carrier {
    client: reqwest::Client,
    decoder: MessageDecoder,
    pub(crate) header_params: Option<HeaderParams>,
    /// The pinned protocol version. If set, every request has it instead of the negotiated version,
    /// and only POST is used.
    pub(crate) pin: Option<HeaderValue>,
    /// Checks each new connection before anything is written to it.
    peer_check: Option<PeerCheck>,
    /// Supplies the access tokens for requests.
    signed: Option<Arc<dyn SignedIn>>,
    /// The session id that rmcp has used last.
    session: Arc<Mutex<Option<Arc<str>>>>,
}

/// Returns the HTTP client for an address. With `proxies`, it uses the proxies that the environment
/// and the system configure, except for addresses on this machine.
pub async fn client(
    url: &str,
    peer_check: Option<PeerCheck>,
    proxies: bool,
) -> Result<reqwest::Client, McpError> {
    let connect = |reason: String| McpError::Connect { reason };
    let is_direct = !proxies || loopback_port(url).is_some();
    let url = reqwest::Url::parse(url)
        .map_err(|error| connect(format!("the address is not valid ({error})")))?;
    let tls = tls::config(url.scheme() == "https").await?;
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls)
        // Connections are not reused. The server may close an idle connection at the moment when it
        // is reused, and a call that fails this way must not be repeated.
        .pool_max_idle_per_host(0)
        .user_agent(AGENT);
    let builder = match is_direct {
        true => builder.no_proxy(),
        false => builder,
    };
    let builder = match peer_check {
        Some(peer_check) => builder.connector_layer(PeerCheckLayer(peer_check)),
        None => builder,
    };
    builder
        .build()
        .map_err(|error| connect(text::causes(&error)))
}

/// Returns a client for addresses that are not MCP servers. It follows no redirects, and does not
/// use the environment's proxies.
fn direct_client(tls: rustls::ClientConfig) -> reqwest::ClientBuilder {
    let here = [
        SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, 0)),
    ];
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .tls_backend_preconfigured(tls)
        // This name always means this machine, even if a name lookup returns another address.
        .resolve_to_addrs("localhost", &here)
        .user_agent(AGENT)
}

/// Returns the headers in the manifest that are sent with requests. Headers that the protocol
/// itself sets are left out.
pub(crate) fn own_headers(headers: &[(String, String)]) -> Result<Headers, McpError> {
    let mut own = Headers::new();
    for (name, value) in headers {
        let invalid = || McpError::Connect {
            reason: format!("the header {} is not valid", text::cut_chars(name, 80)),
        };
        let name = HeaderName::try_from(name.as_str()).map_err(|_| invalid())?;
        let mut value = HeaderValue::try_from(value.as_str()).map_err(|_| invalid())?;
        value.set_sensitive(true);
        if ![ACCEPT, CONTENT_TYPE, SESSION, LAST_EVENT, VERSION].contains(&name) {
            own.insert(name, value);
        }
    }
    Ok(own)
}

impl Carrier {
    /// Returns a carrier without header parameters and without a pinned version.
    pub(crate) fn new(
        client: reqwest::Client,
        peer_check: Option<PeerCheck>,
        signed: Option<Arc<dyn SignedIn>>,
    ) -> Self {
        Self {
            client,
            decoder: MessageDecoder::default(),
            header_params: None,
            pin: None,
            peer_check,
            signed,
            session: Arc::default(),
        }
    }

    pub(crate) fn decoder(&self) -> MessageDecoder {
        self.decoder.clone()
    }

    fn session(&self) -> Option<Arc<str>> {
        let session = self.session.lock();
        session.clone()
    }

    fn note_session(&self, named: Option<&str>) {
        let mut session = self.session.lock();
        if session.as_deref() != named {
            *session = named.map(Arc::from);
        }
    }

    fn request(
        &self,
        method: http::Method,
        uri: &str,
        session: Option<&str>,
        mut headers: Headers,
    ) -> reqwest::RequestBuilder {
        if let Some(pin) = &self.pin {
            headers.insert(VERSION, pin.clone());
        }
        let mut request = self
            .client
            .request(method, uri)
            .headers(headers.into_iter().collect());
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        request
    }

    async fn post(
        &self,
        uri: &str,
        message: ClientJsonRpcMessage,
        session: Option<&str>,
        mut headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpTransportError> {
        self.decoder.note_request(&message);
        if let Some(header_params) = &self.header_params {
            headers.extend(header_params.headers(&message));
        }
        let asked = HttpPostedRequest::by(&message);
        if asked.as_ref().is_none_or(|asked| !asked.opening) {
            self.note_session(session);
        }
        let body = Bytes::from(serde_json::to_vec(&message)?);
        let posting = |token: HeaderMap| {
            let request = self
                .request(http::Method::POST, uri, session, headers.clone())
                .headers(token)
                .header(ACCEPT, ACCEPTED)
                .header(CONTENT_TYPE, JSON)
                .body(body.clone());
            async { Ok(HttpResponse::Remote(request.send().await?)) }
        };
        let response = self.send_signed(uri, posting).await.map_err(failed)?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refused(response, uri, asked).await;
        }
        let Some(asked) = asked else {
            return Ok(StreamableHttpPostResponse::Accepted);
        };
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            // The answer arrives on the session's stream. With a pinned version or without a
            // session, this stream does not exist, so no answer can arrive.
            return if self.pin.is_none() && session.is_some() {
                Ok(StreamableHttpPostResponse::Accepted)
            } else {
                let wrong = AnswerFault::StatusAlone(status.as_u16());
                Err(failed(ResponseError::malformed(&wrong, b"")))
            };
        }
        let new_session = response
            .headers()
            .get(SESSION)
            .and_then(|id| id.to_str().ok())
            .map(str::to_owned);
        if response.is(EVENTS) {
            let events = answer::events(response, self.decoder.clone(), Some(asked.id));
            return Ok(StreamableHttpPostResponse::Sse(events, new_session));
        }
        if !response.is(JSON) {
            let kind = content_type(response.headers());
            let body = response.beginning(ERROR_BODY_MAX).await;
            return Err(failed(ResponseError::malformed(&no_json(&kind), &body)));
        }
        let body = response.body(BODY_MAX).await.map_err(failed)?;
        let message = self
            .decoder
            .read_answer(&body)
            .map_err(|misread| failed(misread.fault))?;
        let message = asked.take(message, &body).map_err(failed)?;
        Ok(StreamableHttpPostResponse::Json(message, new_session))
    }

    /// Returns the `Authorization` header and the token in it, if there is a token.
    async fn token(&self) -> (HeaderMap, Option<Arc<str>>) {
        let mut headers = HeaderMap::new();
        let token = match &self.signed {
            Some(signed) => signed.token().await,
            None => None,
        };
        let bearer = |token: &Arc<str>| HeaderValue::from_str(&format!("Bearer {token}")).ok();
        let Some(mut value) = token.as_ref().and_then(bearer) else {
            return (headers, None);
        };
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
        (headers, token)
    }

    /// Sends a request with the current token. If the server rejects it, the request is sent once
    /// more with a new token.
    async fn send_signed<F>(
        &self,
        url: &str,
        send: impl Fn(HeaderMap) -> F,
    ) -> Result<HttpResponse, McpError>
    where
        F: Future<Output = Result<HttpResponse, McpError>>,
    {
        let (token, sent) = self.token().await;
        let response = send(token).await?;
        if !self.refusal(&response, url, sent).await? {
            return Ok(response);
        }
        response.finish();
        let (token, sent) = self.token().await;
        let response = send(token).await?;
        self.refusal(&response, url, sent).await?;
        Ok(response)
    }

    /// Handles a request that the server rejected because of its token. Returns true if the request
    /// should be sent once more, with a new token. The server has not processed the request in that
    /// case.
    ///
    /// # Errors
    /// When a person must sign in first, or the token can't be renewed now.
    async fn refusal(
        &self,
        response: &HttpResponse,
        url: &str,
        sent: Option<Arc<str>>,
    ) -> Result<bool, McpError> {
        let Some(signed) = &self.signed else {
            return Ok(false);
        };
        let Some(want) = want_of(response.status(), response.headers(), url) else {
            return Ok(false);
        };
        match signed.refused(want.clone(), sent).await {
            AuthDecision::Again => Ok(true),
            AuthDecision::SignIn => Err(McpError::SignIn(want)),
            AuthDecision::NotNow(why) => Err(McpError::Unrenewed(why)),
        }
    }

    /// Converts a response with an error status.
    async fn refused(
        &self,
        response: HttpResponse,
        url: &str,
        asked: Option<HttpPostedRequest>,
    ) -> Result<StreamableHttpPostResponse, HttpTransportError> {
        let status = response.status();
        let asked_at = reqwest::Url::parse(url).map_err(|error| {
            let reason = format!("the address is not valid ({error})");
            failed(McpError::Connect { reason })
        })?;
        let leads_to = redirect::target(status, response.headers(), &asked_at);
        let body = response.beginning(ERROR_BODY_MAX).await;
        let error = match self.decoder.read_answer(&body) {
            Ok(ServerJsonRpcMessage::Error(error)) => Some(error.error),
            _ => None,
        };
        let unauthorized = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        match (error, asked) {
            // The id is taken from the request, because a server that could not parse the request
            // can't repeat its id.
            (Some(error), Some(asked)) if !asked.opening && !unauthorized => {
                let message = ServerJsonRpcMessage::error(error, Some(asked.id));
                Ok(StreamableHttpPostResponse::Json(message, None))
            }
            _ => {
                let error = self.status_error(status, &body, &asked_at, leads_to);
                Err(failed(error.await))
            }
        }
    }

    /// Returns the error for a status. For a redirect, the error contains the last address of the
    /// redirects.
    async fn status_error(
        &self,
        status: StatusCode,
        body: &[u8],
        asked_at: &reqwest::Url,
        leads_to: Option<reqwest::Url>,
    ) -> McpError {
        McpError::HttpStatus {
            status: status.as_u16(),
            excerpt: text::excerpt(body),
            location: match leads_to {
                Some(leads_to) => Some(redirect::last(&self.client, asked_at, leads_to).await),
                None => None,
            },
        }
    }

    async fn get(
        &self,
        uri: &str,
        session: Option<&str>,
        last_event: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpTransportError> {
        if self.pin.is_some() {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        let getting = async |headers: Headers, token: HeaderMap| {
            let mut request = self
                .request(http::Method::GET, uri, session, headers)
                .headers(token)
                .header(ACCEPT, EVENTS);
            if let Some(last_event) = last_event.as_deref() {
                request = request.header(LAST_EVENT, last_event);
            }
            let sent = request.send().await.map_err(failed);
            sent.map(HttpResponse::Remote)
        };
        let (token, sent) = self.token().await;
        let is_signed = sent.is_some();
        let mut response = getting(headers.clone(), token).await?;
        // A stream may last longer than the token with which it was opened.
        if is_signed
            && response.status() == StatusCode::UNAUTHORIZED
            && self.refusal(&response, uri, sent).await.map_err(failed)?
        {
            let (token, _) = self.token().await;
            response = getting(headers, token).await?;
        }
        let status = response.status();
        // A rejected token does not mean that the server has no streams, so rmcp has to try again
        // later.
        if status.is_server_error() || (is_signed && status == StatusCode::UNAUTHORIZED) {
            return Err(failed(McpError::HttpStatus {
                status: status.as_u16(),
                excerpt: String::new(),
                location: None,
            }));
        }
        if !status.is_success() || !response.is(EVENTS) {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        Ok(answer::events(response, self.decoder.clone(), None))
    }
}

struct HttpPostedRequest {
    id: RequestId,
    /// Whether the request opens the connection. Its status then shows the era of the server.
    opening: bool,
}

impl HttpPostedRequest {
    fn by(message: &ClientJsonRpcMessage) -> Option<Self> {
        let ClientJsonRpcMessage::Request(request) = message else {
            return None;
        };
        Some(Self {
            id: request.id.clone(),
            opening: matches!(
                request.request,
                ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_)
            ),
        })
    }

    /// Checks that the message answers this request. Otherwise returns an error for the request, so
    /// that no caller waits in vain.
    fn take(
        self,
        message: ServerJsonRpcMessage,
        body: &[u8],
    ) -> Result<ServerJsonRpcMessage, ResponseError> {
        match message {
            ServerJsonRpcMessage::Response(response) if same(&response.id, &self.id) => {
                Ok(ServerJsonRpcMessage::Response(response))
            }
            ServerJsonRpcMessage::Error(error)
                if error.id.as_ref().is_none_or(|id| same(id, &self.id)) =>
            {
                Ok(ServerJsonRpcMessage::error(error.error, Some(self.id)))
            }
            _ => Err(ResponseError::malformed(&AnswerFault::OtherRequest, body)),
        }
    }
}

/// Whether two ids are equal. Some servers return a number as a string, so both forms count as
/// equal.
fn same(answered: &RequestId, asked: &RequestId) -> bool {
    answered == asked || answered.to_string() == asked.to_string()
}

/// Describes an unexpected content type.
fn no_json(kind: &str) -> AnswerFault {
    match kind {
        "" => AnswerFault::NoContentType,
        kind => AnswerFault::OtherContent(text::cut_chars(kind, 80)),
    }
}

/// Returns the content type in lower case. Empty if there is none.
pub(crate) fn content_type(headers: &HeaderMap) -> String {
    headers
        .get(CONTENT_TYPE)
        .map(|kind| String::from_utf8_lossy(kind.as_bytes()).to_ascii_lowercase())
        .unwrap_or_default()
}

impl StreamableHttpClient for Carrier {
    type Error = McpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpTransportError> {
        self.post(&uri, message, session_id.as_deref(), custom_headers)
            .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), HttpTransportError> {
        // The session is over for the client, even if the server answers with an error.
        self.request(
            http::Method::DELETE,
            &uri,
            Some(&session_id),
            custom_headers,
        )
        .headers(self.token().await.0)
        .send()
        .await
        .map(drop)
        .map_err(failed)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpTransportError> {
        let session = session_id.as_deref();
        self.get(&uri, session, last_event_id, custom_headers).await
    }
}

#[cfg(test)]
mod tests;
