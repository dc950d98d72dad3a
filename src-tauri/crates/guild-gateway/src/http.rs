//! HTTP: methods, bodies, and which status says what.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use http::header::{CONNECTION, HOST};
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::{Body, Incoming};

use super::answer::{GatewayResponseBody, Responder};
use super::door::{GatewayServer, HttpRejection};
use super::line::ConnectionState;
use super::security::{ResponseFormats, accepts, is_json};
use super::session::GatewaySession;

impl GatewayServer {
    /// Answers one request.
    pub(super) async fn handle(
        self: Arc<Self>,
        line: Arc<ConnectionState>,
        request: Request<Incoming>,
    ) -> Result<Response<GatewayResponseBody>, Infallible> {
        line.is_busy();
        let (parts, body) = request.into_parts();
        let now = Instant::now();
        let entered = self.enter(&line, &parts, now);
        let responder = Responder(line);
        let known = match entered {
            Ok(known) => known,
            Err((status, why)) => {
                let mut refused = responder.refuse(status, why);
                if !parts.headers.contains_key(HOST) {
                    // A client that names no target can't keep a connection open.
                    let close = HeaderValue::from_static("close");
                    refused.headers_mut().insert(CONNECTION, close);
                }
                return Ok(refused);
            }
        };
        // Work that continues after this answer holds the session itself.
        let _used = known.session.as_ref().map(GatewaySession::hold);
        Ok(match parts.method {
            Method::POST => {
                let takes = accepts(&parts.headers);
                let body = match self.body(&parts, takes, body).await {
                    Ok(body) => body,
                    Err((status, why)) => return Ok(responder.refuse(status, why)),
                };
                self.post(responder, known, &parts.headers, body, (takes, now))
                    .await
            }
            Method::GET => self.listen(responder, &known, &parts.headers),
            Method::DELETE => self.delete(&responder, &known),
            _ => responder.not_allowed("GET, POST, DELETE"),
        })
    }

    /// Reads a body whose headers are right.
    async fn body(
        &self,
        parts: &Parts,
        takes: ResponseFormats,
        body: Incoming,
    ) -> Result<Bytes, HttpRejection> {
        if !takes.json && !takes.events {
            return Err((
                StatusCode::NOT_ACCEPTABLE,
                "Answers are application/json or text/event-stream; accept both.",
            ));
        }
        if !is_json(&parts.headers) {
            return Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type is application/json.",
            ));
        }
        let collected = collect(body, self.options.body_max);
        match tokio::time::timeout(self.options.body_limit, collected).await {
            Ok(body) => body,
            Err(_) => Err((
                StatusCode::REQUEST_TIMEOUT,
                "The request's body took too long.",
            )),
        }
    }
}

/// Reads a body of at most `max` bytes. A body that is announced as larger is not read at all.
async fn collect(mut body: Incoming, max: usize) -> Result<Bytes, HttpRejection> {
    const TOO_LARGE: HttpRejection = (
        StatusCode::PAYLOAD_TOO_LARGE,
        "The request's body is too large.",
    );
    const BROKEN: HttpRejection = (StatusCode::BAD_REQUEST, "The request's body broke off.");
    let announced = body.size_hint();
    if announced.lower() > max as u64 {
        return Err(TOO_LARGE);
    }
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| BROKEN)?.into_data() else {
            continue;
        };
        if first.len() + rest.len() + data.len() > max {
            return Err(TOO_LARGE);
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
            continue;
        }
        if rest.is_empty() {
            // Memory is reserved for received bytes only, not for the announced length.
            rest.reserve(first.len() * 2 + data.len());
            rest.extend_from_slice(&first);
            first = Bytes::new();
        }
        rest.extend_from_slice(&data);
    }
    Ok(if rest.is_empty() {
        first
    } else {
        rest.freeze()
    })
}
