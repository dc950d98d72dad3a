//! Writes JSON-RPC answers around forwarded text, and the bodies of HTTP responses.

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{BufMut as _, Bytes, BytesMut};
use futures::Stream;
use futures::stream::BoxStream;
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use hyper::body::{Body, Frame, SizeHint};
use serde_json::value::RawValue;

use super::backend::GatewayError;
use super::connection::ConnectionState;

/// Limit of a result that is copied into its answer, in bytes. A larger result is sent as a
/// separate part, without a copy.
const COPIED_MAX: usize = 16 << 10;

/// Codes of JSON-RPC errors that the gateway itself sends.
pub(super) mod code {
    /// The body is not JSON.
    pub(crate) const PARSE: i64 = -32_700;
    /// The body is JSON, but not a message.
    pub(crate) const INVALID_REQUEST: i64 = -32_600;
    /// A header contradicts the body (2026-07-28).
    pub(crate) const HEADER_MISMATCH: i64 = -32_020;
    /// The client lacks a capability that a member needs (2026-07-28).
    pub(crate) const MISSING_CAPABILITY: i64 = -32_021;
    /// The protocol version is not supported (2026-07-28).
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32_022;
    /// The resource does not exist (before 2026-07-28).
    pub(crate) const NO_RESOURCE: i64 = -32_002;
    /// Any other rejection.
    pub(crate) const REFUSED: i64 = -32_000;
}

/// A response of the gateway.
pub(super) type GatewayResponse = Response<GatewayResponseBody>;

/// The body of a response.
#[derive(Debug)]
pub(super) struct GatewayResponseBody {
    connection: Arc<ConnectionState>,
    kind: ResponseBodyKind,
}

enum ResponseBodyKind {
    Text {
        parts: [Bytes; 3],
        next: usize,
    },
    /// A stream of events. Each item is the text of at least one event.
    Stream(BoxStream<'static, Bytes>),
}

impl std::fmt::Debug for ResponseBodyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text { .. } => "Text",
            Self::Stream(_) => "Stream",
        })
    }
}

impl Body for GatewayResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Self { connection, kind } = self.get_mut();
        match kind {
            ResponseBodyKind::Text { parts, next } => {
                while let Some(part) = parts.get_mut(*next) {
                    *next += 1;
                    if !part.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(std::mem::take(part)))));
                    }
                }
                Poll::Ready(None)
            }
            ResponseBodyKind::Stream(events) => {
                let Some(events) = std::task::ready!(events.as_mut().poll_next(cx)) else {
                    return Poll::Ready(None);
                };
                Poll::Ready(match connection.all_unread.charge(connection, events) {
                    Some(events) => Some(Ok(Frame::data(events))),
                    None => {
                        // The status was sent already, so only the end of the connection can show
                        // the error.
                        connection.end();
                        None
                    }
                })
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            ResponseBodyKind::Text { parts, next } => parts.iter().skip(*next).all(Bytes::is_empty),
            ResponseBodyKind::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            ResponseBodyKind::Text { parts, next } => {
                let left = parts.iter().skip(*next).map(Bytes::len).sum::<usize>();
                SizeHint::with_exact(left as u64)
            }
            ResponseBodyKind::Stream(_) => SizeHint::default(),
        }
    }
}

impl Drop for GatewayResponseBody {
    fn drop(&mut self) {
        self.connection.set_idle();
    }
}

/// A result in its final form: forwarded text, and the text that the gateway writes around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Adapted {
    /// Text before the forwarded part.
    pub(super) lead: Cow<'static, str>,
    /// Forwarded text.
    pub(super) rest: Bytes,
    /// Text after the forwarded part.
    pub(super) tail: &'static str,
}

impl From<Bytes> for Adapted {
    fn from(rest: Bytes) -> Self {
        Self {
            lead: Cow::Borrowed(""),
            rest,
            tail: "",
        }
    }
}

impl From<&'static str> for Adapted {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

/// Returns `{"jsonrpc":"2.0","id":…,"result":…}` in up to three parts.
pub(super) fn result_parts(id: &[u8], result: Adapted) -> [Bytes; 3] {
    const OPEN: &[u8] = br#"{"jsonrpc":"2.0","id":"#;
    const RESULT: &[u8] = br#","result":"#;
    let copied = result.rest.len() <= COPIED_MAX;
    let after = result.tail.len() + 1;
    let more = if copied { result.rest.len() + after } else { 0 };
    let head = OPEN.len() + id.len() + RESULT.len() + result.lead.len();
    let mut text = BytesMut::with_capacity(head + more);
    text.put_slice(OPEN);
    text.put_slice(id);
    text.put_slice(RESULT);
    text.put_slice(result.lead.as_bytes());
    if copied {
        text.put_slice(&result.rest);
        text.put_slice(result.tail.as_bytes());
        text.put_slice(b"}");
        return one_part(text.freeze());
    }
    let mut tail = BytesMut::with_capacity(after);
    tail.put_slice(result.tail.as_bytes());
    tail.put_slice(b"}");
    [text.freeze(), result.rest, tail.freeze()]
}

/// Returns `{"jsonrpc":"2.0","id":…,"error":{…}}`. Without an id, `id` is `null`, or missing if
/// `without_null` is set.
pub(super) fn error_text(id: Option<&[u8]>, refusal: &GatewayError, without_null: bool) -> Bytes {
    let mut text = Vec::with_capacity(128 + refusal.message.len());
    text.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    match id {
        Some(id) => {
            text.extend_from_slice(br#""id":"#);
            text.extend_from_slice(id);
            text.push(b',');
        }
        None if without_null => {}
        None => text.extend_from_slice(br#""id":null,"#),
    }
    text.extend_from_slice(br#""error":{"code":"#);
    text.extend_from_slice(refusal.code.to_string().as_bytes());
    text.extend_from_slice(br#","message":"#);
    text.extend_from_slice(quoted(&refusal.message).as_bytes());
    let data = refusal.data.as_deref();
    if let Some(data) = data.and_then(|data| serde_json::from_str::<&RawValue>(data).ok()) {
        text.extend_from_slice(br#","data":"#);
        text.extend_from_slice(data.get().as_bytes());
    }
    text.extend_from_slice(b"}}");
    Bytes::from(text)
}

/// Returns an answer that consists of one text.
pub(super) fn one_part(text: Bytes) -> [Bytes; 3] {
    [text, Bytes::new(), Bytes::new()]
}

/// Converts a text to a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a message as one event of a stream. Line ends in forwarded text are replaced by spaces,
/// because they would end the event's line.
pub(super) fn event(parts: &[Bytes]) -> Bytes {
    let length = parts.iter().map(Bytes::len).sum::<usize>();
    let mut text = BytesMut::with_capacity(length + 8);
    text.put_slice(b"data: ");
    for part in parts {
        let mut rest: &[u8] = part;
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            text.put_slice(rest.get(..at).unwrap_or_default());
            text.put_u8(b' ');
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        text.put_slice(rest);
    }
    text.put_slice(b"\n\n");
    text.freeze()
}

/// Creates the responses of one connection.
#[derive(Debug, Clone)]
pub(super) struct Responder {
    pub(super) connection: Arc<ConnectionState>,
}

impl Responder {
    fn response(&self, status: StatusCode, kind: ResponseBodyKind) -> GatewayResponse {
        let mut response = Response::new(GatewayResponseBody {
            connection: Arc::clone(&self.connection),
            kind,
        });
        *response.status_mut() = status;
        response
    }

    /// Counts the parts as unread by the client. `None` if they don't fit.
    fn charged(&self, parts: [Bytes; 3]) -> Option<[Bytes; 3]> {
        let [first, second, third] = parts;
        let charge = |part| self.connection.all_unread.charge(&self.connection, part);
        Some([charge(first)?, charge(second)?, charge(third)?])
    }

    /// Rejects a request because too many bytes of answers are unread.
    fn too_many_unread(&self) -> GatewayResponse {
        self.refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            "The gateway holds too many answers that clients have not read yet. Try again.",
        )
    }

    pub(super) fn json(&self, status: StatusCode, parts: [Bytes; 3]) -> GatewayResponse {
        let Some(parts) = self.charged(parts) else {
            return self.too_many_unread();
        };
        let mut response = self.response(status, ResponseBodyKind::Text { parts, next: 0 });
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }

    /// Returns a response without a body.
    pub(super) fn empty(&self, status: StatusCode) -> GatewayResponse {
        let parts = one_part(Bytes::new());
        self.response(status, ResponseBodyKind::Text { parts, next: 0 })
    }

    fn events(&self, kind: ResponseBodyKind) -> GatewayResponse {
        let mut response = self.response(StatusCode::OK, kind);
        let headers = response.headers_mut();
        let events = HeaderValue::from_static("text/event-stream");
        headers.insert(CONTENT_TYPE, events);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }

    pub(super) fn stream(
        &self,
        events: impl Stream<Item = Bytes> + Send + 'static,
    ) -> GatewayResponse {
        self.events(ResponseBodyKind::Stream(Box::pin(events)))
    }

    /// Returns a stream with one event, for a client that does not accept plain JSON.
    pub(super) fn one_event(&self, parts: &[Bytes]) -> GatewayResponse {
        let Some(parts) = self.charged(one_part(event(parts))) else {
            return self.too_many_unread();
        };
        self.events(ResponseBodyKind::Text { parts, next: 0 })
    }

    /// Rejects a request with a JSON-RPC error that contains the reason.
    pub(super) fn refuse(&self, status: StatusCode, why: &str) -> GatewayResponse {
        let refusal = GatewayError::new(code::REFUSED, why);
        let text = error_text(None, &refusal, false);
        let mut response = self.json(status, one_part(text));
        let headers = response.headers_mut();
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                // A client without a token can't keep a connection open.
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            StatusCode::FORBIDDEN | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }

    /// Rejects an HTTP method that the address does not accept.
    pub(super) fn not_allowed(&self, allowed: &'static str) -> GatewayResponse {
        let why = format!("This address accepts {allowed}.");
        let mut response = self.refuse(StatusCode::METHOD_NOT_ALLOWED, &why);
        let allowed = HeaderValue::from_static(allowed);
        response.headers_mut().insert(ALLOW, allowed);
        response
    }
}
