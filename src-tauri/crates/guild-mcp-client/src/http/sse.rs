//! HTTP+SSE, the transport of 2024-11-05, for servers without Streamable HTTP.
//!
//! A GET request opens an event stream. Its first event names the address for messages. The client
//! sends each message in a separate POST to that address, and everything that the server sends
//! arrives on the stream. The transport can't resume a stream, so the session ends with its stream.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, Method};
use reqwest::Url;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::reply::HttpResponse;
use super::{
    Carrier, ERROR_BODY_MAX, EVENT_MAX, EVENTS, Headers, HttpTransportError, JSON, REQUESTS_MAX,
    content_type, failed, no_json, redirect,
};
use crate::error::McpError;
use crate::events::{Event, SseParser, TooLarge};
use crate::fault::ResponseError;
use crate::messages::EndpointFault;
use crate::pending_requests::PendingRawRequest;
use crate::raw_requests::RawRequestResult;
use crate::session::SharedSessionState;

/// Timeout for the response to the GET and its first event.
const ENDPOINT_WAIT: Duration = Duration::from_secs(5);
/// Limit of the first event, in bytes.
const ENDPOINT_MAX: usize = 4 << 10;
/// Timeout for posting a notification or an answer.
const POST_WAIT: Duration = Duration::from_secs(30);
/// Limit of the messages that wait to be handled. It is low because each message may be large.
const QUEUE: usize = 4;
/// The statuses with which a server without Streamable HTTP rejects a POST to its stream or to an
/// unknown address.
const REFUSALS: [u16; 5] = [400, 404, 405, 406, 415];

/// Whether a server that rejected the first POST with this status may support HTTP+SSE.
pub(crate) fn may_use_sse(status: Option<u16>) -> bool {
    status.is_some_and(|status| REFUSALS.contains(&status))
}

/// Returns the usual address of the HTTP+SSE stream for an address whose path ends with `/mcp`.
pub(crate) fn sse_beside(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    let path = format!("{}/sse", url.path().strip_suffix("/mcp")?);
    url.set_path(&path);
    Some(url.into())
}

/// An open stream, and the address to which messages are posted.
pub(crate) struct SseConnection {
    events: SseEvents,
    endpoint: Url,
}

impl SseConnection {
    /// Opens the stream at an address, and reads its first event.
    ///
    /// # Errors
    /// [`McpError::Endpoint`] if the event stream does not begin with a usable address for
    /// messages.
    pub(crate) async fn open(
        carrier: &Carrier,
        url: &str,
        headers: &Headers,
    ) -> Result<Self, McpError> {
        let late = McpError::Endpoint(EndpointFault::Late(ENDPOINT_WAIT));
        timeout(ENDPOINT_WAIT, Self::opened(carrier, url, headers))
            .await
            .unwrap_or(Err(late))
    }

    async fn opened(carrier: &Carrier, url: &str, headers: &Headers) -> Result<Self, McpError> {
        let base = Url::parse(url).map_err(|error| McpError::Connect {
            reason: format!("the address is not valid ({error})"),
        })?;
        let getting = |token: HeaderMap| {
            let request = carrier
                .request(Method::GET, url, None, headers.clone())
                .headers(token)
                .header(ACCEPT, EVENTS);
            async { Ok(HttpResponse::Remote(request.send().await?)) }
        };
        let response = carrier.send_signed(url, getting).await?;
        if !response.status().is_success() {
            return Err(status_error(carrier, response, &base).await);
        }
        if !response.is(EVENTS) {
            let kind = content_type(response.headers());
            let body = response.beginning(ERROR_BODY_MAX).await;
            return Err(ResponseError::malformed(&no_json(&kind), &body).into());
        }
        let mut events = SseEvents {
            response,
            parser: SseParser::up_to(ENDPOINT_MAX),
        };
        let fault = match events.next().await {
            Ok(Some(event)) if event.name == b"endpoint" => match endpoint_at(&base, &event.data) {
                Ok(endpoint) => {
                    events.parser.set_max(EVENT_MAX);
                    return Ok(Self { events, endpoint });
                }
                Err(fault) => fault,
            },
            Ok(_) => EndpointFault::Missing,
            Err(McpError::TooLarge { .. }) => EndpointFault::TooLong(ENDPOINT_MAX),
            Err(error) => return Err(error),
        };
        Err(McpError::Endpoint(fault))
    }
}

/// Returns the address for messages. It must have the same origin as the stream, because headers
/// with secrets are sent to it.
fn endpoint_at(base: &Url, named: &[u8]) -> Result<Url, EndpointFault> {
    let named = std::str::from_utf8(named.trim_ascii())
        .map_err(|error| EndpointFault::Invalid(error.to_string()))?;
    let mut endpoint = base
        .join(named)
        .map_err(|error| EndpointFault::Invalid(error.to_string()))?;
    if endpoint.origin() != base.origin() {
        let _ = endpoint.set_username("");
        let _ = endpoint.set_password(None);
        return Err(EndpointFault::Foreign(redirect::reported(endpoint)));
    }
    endpoint.set_fragment(None);
    Ok(endpoint)
}

async fn status_error(carrier: &Carrier, response: HttpResponse, asked: &Url) -> McpError {
    let status = response.status();
    let leads_to = redirect::target(status, response.headers(), asked);
    let body = response.beginning(ERROR_BODY_MAX).await;
    carrier.status_error(status, &body, asked, leads_to).await
}

struct SseEvents {
    response: HttpResponse,
    parser: SseParser,
}

impl SseEvents {
    /// Returns the next event. `None` when the server ended the stream.
    async fn next(&mut self) -> Result<Option<Event>, McpError> {
        loop {
            match self.parser.next() {
                Ok(Some(event)) => return Ok(Some(event)),
                Ok(None) => {}
                Err(TooLarge) => return Err(ResponseError::TooLarge(EVENT_MAX).into()),
            }
            match self.response.chunk().await? {
                Some(chunk) => self.parser.push(&chunk),
                None => return Ok(None),
            }
        }
    }
}

/// Posts messages: those of rmcp, and raw requests.
#[derive(Debug, Clone)]
pub(crate) struct SseRequestSender(Arc<PostContext>);

#[derive(Debug)]
struct PostContext {
    carrier: Carrier,
    endpoint: Url,
    /// The manifest's headers.
    headers: Headers,
    slots: Semaphore,
}

impl SseRequestSender {
    /// Sends a raw request and waits for its answer. `None` when the stream ends first.
    pub(crate) async fn ask(
        &self,
        message: Vec<u8>,
        waits: &mut PendingRawRequest,
    ) -> Option<RawRequestResult> {
        let _slot = self.0.slots.acquire().await.ok()?;
        let posting = async {
            match self.post(message.into()).await {
                // The answer arrives on the stream, and is delivered from there.
                Ok(()) => std::future::pending().await,
                Err(error) => error,
            }
        };
        tokio::select! {
            biased;
            answered = &mut waits.answer => answered.ok(),
            error = posting => Some(Err(error)),
        }
    }

    async fn post(&self, body: Bytes) -> Result<(), McpError> {
        let PostContext {
            carrier,
            endpoint,
            headers,
            ..
        } = &*self.0;
        let posting = |token: HeaderMap| {
            let request = carrier
                .request(Method::POST, endpoint.as_str(), None, headers.clone())
                .headers(token)
                .header(CONTENT_TYPE, JSON)
                .body(body.clone());
            async { Ok(HttpResponse::Remote(request.send().await?)) }
        };
        let response = carrier.send_signed(endpoint.as_str(), posting).await?;
        match response.status().is_success() {
            true => Ok(()),
            false => Err(status_error(carrier, response, endpoint).await),
        }
    }
}

/// The transport for rmcp.
pub(crate) struct SseTransport {
    received: mpsc::Receiver<ServerJsonRpcMessage>,
    sender: SseRequestSender,
    reader: AbortOnDropHandle<()>,
}

impl SseTransport {
    pub(crate) fn new(
        connection: SseConnection,
        carrier: Carrier,
        headers: Headers,
        session: SharedSessionState,
    ) -> Self {
        let (messages, received) = mpsc::channel(QUEUE);
        let reader = tokio::spawn(read(connection.events, messages, session));
        let sender = SseRequestSender(Arc::new(PostContext {
            carrier,
            endpoint: connection.endpoint,
            headers,
            slots: Semaphore::new(REQUESTS_MAX),
        }));
        Self {
            received,
            sender,
            reader: AbortOnDropHandle::new(reader),
        }
    }

    pub(crate) fn sender(&self) -> SseRequestSender {
        self.sender.clone()
    }
}

impl Transport<RoleClient> for SseTransport {
    type Error = HttpTransportError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), HttpTransportError>> + Send + 'static {
        let sender = self.sender.clone();
        let decoder = &sender.0.carrier.decoder;
        let sending = decoder.note_answer(&message);
        decoder.note_request(&message);
        async move {
            let _sending = sending;
            let post = sender.post(serde_json::to_vec(&message)?.into());
            let posted = match message {
                ClientJsonRpcMessage::Request(_) => post.await,
                _ => timeout(POST_WAIT, post).await.unwrap_or_else(|_| {
                    let reason = "the server does not accept messages".to_owned();
                    Err(McpError::Connect { reason })
                }),
            };
            posted.map_err(failed)
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.received.recv().await
    }

    async fn close(&mut self) -> Result<(), HttpTransportError> {
        self.reader.abort();
        Ok(())
    }
}

/// Reads the stream to its end, and forwards its messages.
async fn read(
    mut events: SseEvents,
    messages: mpsc::Sender<ServerJsonRpcMessage>,
    session: SharedSessionState,
) {
    let reason = loop {
        let event = match events.next().await {
            Ok(Some(event)) => event,
            Ok(None) => break "the server ended the stream of its answers".to_owned(),
            Err(McpError::Connect { reason }) => break reason,
            Err(error) => break error.to_string().trim_end_matches('.').to_owned(),
        };
        if !matches!(event.name.as_slice(), b"" | b"message") {
            continue;
        }
        match session.decoder.receive(event.data.trim_ascii(), None) {
            Ok(Some(message)) => {
                if messages.send(message).await.is_err() {
                    // The client has closed the session.
                    return;
                }
            }
            Ok(None) => {}
            Err(fault) => {
                let error = McpError::from(fault);
                tracing::debug!(%error, "an event of an HTTP+SSE stream was skipped");
            }
        }
    };
    // An error means that an earlier reason was already recorded.
    let _ = session.end.set(reason);
    session.over.cancel();
    session.decoder.calls().end();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_must_have_the_streams_origin() {
        let base = Url::parse("https://mcp.example/a/sse?key=1").expect("an address");
        let at = |named: &str| endpoint_at(&base, named.as_bytes()).map(String::from);
        let same = |path: &str| Ok(format!("https://mcp.example{path}"));
        assert_eq!(at("/messages?s=1"), same("/messages?s=1"));
        assert_eq!(at(" messages/#x\n"), same("/a/messages/"));
        assert_eq!(at("https://mcp.example:443/m"), same("/m"));
        for foreign in [
            "https://other.example/m",
            "//other.example/m",
            "http://mcp.example/m",
            "https://mcp.example:8443/m",
            "https://me:pw@other.example/m?token=1",
            "file:///etc/passwd",
        ] {
            let fault = at(foreign).expect_err("another origin");
            assert!(matches!(fault, EndpointFault::Foreign(_)), "{foreign}");
            let shown = fault.to_string();
            assert!(!shown.contains("pw") && !shown.contains("token"), "{shown}");
        }
        let named = endpoint_at(&base, b"https://[");
        assert!(matches!(named, Err(EndpointFault::Invalid(_))), "{named:?}");
    }

    #[test]
    fn usual_stream_is_beside_mcp_only() {
        let beside = |url: &str| sse_beside(url);
        assert_eq!(
            beside("http://127.0.0.1:1/a/mcp?x=1").as_deref(),
            Some("http://127.0.0.1:1/a/sse?x=1")
        );
        assert_eq!(beside("http://127.0.0.1:1/sse"), None);
    }
}
