//! Handles `POST` requests: determines their protocol version and dispatches them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use bytes::Bytes;
use futures::future::BoxFuture;
use guild_model::protocol::ProtocolVersion;
use http::{HeaderMap, StatusCode};
use serde_json::value::RawValue;

use super::answer::{GatewayResponse, Responder, code, one_part};
use super::backend::GatewayError;
use super::envelope::{self, EnvelopeError, GatewayMessage, RequestParams, name_of_client};
use super::legacy::{envelope_error, with_client};
use super::modern;
use super::request::{Dispatch, GatewayRequest, invalid};
use super::security::ResponseFormats;
use super::server::{AuthContext, GatewayServer, VERSION, single_header};
use super::traffic::ExchangeMeta;

/// A `POST` request whose head was read.
pub(super) struct ReceivedPost<'a> {
    pub(super) responder: Responder,
    pub(super) auth: Arc<AuthContext>,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a Bytes,
    pub(super) since: Instant,
    pub(super) formats: ResponseFormats,
    /// The version in the request's header.
    version_header: Option<&'a str>,
}

impl ReceivedPost<'_> {
    /// Returns the version in the request's header, if it is supported.
    fn version(&self) -> Option<ProtocolVersion> {
        self.version_header.and_then(ProtocolVersion::parse)
    }

    fn is_modern(&self) -> bool {
        self.version() == Some(ProtocolVersion::V2026_07_28)
    }

    fn json(&self, status: StatusCode, text: Bytes) -> GatewayResponse {
        self.responder.json(status, one_part(text))
    }

    fn error(&self, error: &EnvelopeError<'_>) -> Bytes {
        match error {
            EnvelopeError::NoJson => {
                envelope_error(None, code::PARSE, "The body is not JSON.", self.is_modern())
            }
            EnvelopeError::NoMessage { id, what } => {
                envelope_error(*id, code::INVALID_REQUEST, what, self.is_modern())
            }
        }
    }

    /// Builds the request's context.
    fn to_request(&self, id: &str, method: &str, params: Option<&RawValue>) -> GatewayRequest {
        let part = |text: &str| part_of(self.body, text);
        let session = self.auth.session.clone();
        let version = match &session {
            Some(session) => session.handshake.version,
            None => self.version().unwrap_or(ProtocolVersion::V2025_03_26),
        };
        GatewayRequest {
            body: self.body.clone(),
            exchange: ExchangeMeta {
                context: Arc::clone(&self.auth.context),
                method: part(method),
                subject: None,
                params: params.map(|params| part(params.get())),
                since: self.since,
                request_bytes: self.body.len(),
            },
            id: part(id),
            version,
            formats: self.formats,
            session,
            progress: None,
            responder: self.responder.clone(),
        }
    }
}

impl GatewayServer {
    /// Answers a message, or a batch of them.
    pub(super) async fn post(
        self: &Arc<Self>,
        responder: Responder,
        auth: Arc<AuthContext>,
        headers: &HeaderMap,
        body: Bytes,
        (formats, since): (ResponseFormats, Instant),
    ) -> GatewayResponse {
        let version_header = match single_header(headers, &VERSION) {
            Ok(version_header) => version_header.map(|value| value.to_str().unwrap_or_default()),
            Err((status, why)) => return responder.refuse(status, why),
        };
        let post = ReceivedPost {
            formats,
            responder,
            auth,
            headers,
            body: &body,
            since,
            version_header,
        };
        let Ok(text) = std::str::from_utf8(&body) else {
            return post.json(StatusCode::BAD_REQUEST, post.error(&EnvelopeError::NoJson));
        };
        if let Some(batch) = envelope::batch(text) {
            let version = match &post.auth.session {
                Some(session) => Some(session.handshake.version),
                None => version_header
                    .map_or(Some(ProtocolVersion::V2025_03_26), ProtocolVersion::parse),
            };
            return match batch {
                Ok(messages) if version == Some(ProtocolVersion::V2025_03_26) => {
                    self.batch(&post, messages).await
                }
                Ok(_) => {
                    let error = EnvelopeError::NoMessage {
                        id: None,
                        what: "batches are of version 2025-03-26 only",
                    };
                    post.json(StatusCode::BAD_REQUEST, post.error(&error))
                }
                Err(error) => post.json(StatusCode::BAD_REQUEST, post.error(&error)),
            };
        }
        match envelope::read(text) {
            Ok(GatewayMessage::Request { id, method, params }) => {
                self.request(&post, id, &method, params).await
            }
            Ok(GatewayMessage::Notification { method, params }) => {
                if let Some(refused) = unsupported_version(&post, None) {
                    return refused;
                }
                self.on_notification(&post.auth, &method, params);
                post.responder.empty(StatusCode::ACCEPTED)
            }
            Ok(GatewayMessage::Response { id, result }) => {
                if self.on_response(&post.auth, id, result) {
                    return post.responder.empty(StatusCode::ACCEPTED);
                }
                let why = "A response must name its session in Mcp-Session-Id.";
                post.responder.refuse(StatusCode::BAD_REQUEST, why)
            }
            Err(error) => post.json(StatusCode::BAD_REQUEST, post.error(&error)),
        }
    }

    async fn request(
        self: &Arc<Self>,
        post: &ReceivedPost<'_>,
        id: &str,
        method: &str,
        raw: Option<&RawValue>,
    ) -> GatewayResponse {
        let mut request = post.to_request(id, method, raw);
        let (params, meta) = match RequestParams::with_meta(raw) {
            Ok(read) => read,
            Err(why) => {
                let parts = request.parts(Err(invalid(why)));
                return request.responder.json(StatusCode::BAD_REQUEST, parts);
            }
        };
        // `initialize` exists only in the legacy versions, so the version that the client requests
        // with it does not matter here.
        if method == "initialize" && meta.version.is_none() {
            return self.initialize(&mut request, post.headers, raw);
        }
        if meta.version.is_some() || post.is_modern() || method == "server/discover" {
            let checked = modern::check(post.headers, method, &params, &meta)
                .and_then(|()| self.check_mirrored(&request, post.headers, method, &params));
            if let Err(refusal) = checked {
                let parts = request.parts(Err(refusal));
                return request.responder.json(StatusCode::BAD_REQUEST, parts);
            }
            request.version = ProtocolVersion::V2026_07_28;
            request.session = None;
            let name = name_of_client(meta.client_info);
            request.exchange.context =
                with_client(&request.exchange.context, &name, meta.capabilities);
            if method == "subscriptions/listen" {
                return self.subscribe(request, &params).await;
            }
        } else if let Some(refused) = unsupported_version(post, Some(&request)) {
            return refused;
        }
        self.wait_for_first_lists(&request).await;
        match self.begin(&mut request, raw, &params, &meta) {
            Ok(Dispatch::Answer(answer)) => request.respond(Ok(answer)),
            Ok(Dispatch::InFlight(in_flight)) => self.follow(request, in_flight).await,
            Err(refusal) => request.respond(Err(refusal)),
        }
    }

    async fn wait_for_first_lists(&self, request: &GatewayRequest) {
        if request.method() == "tools/list" {
            self.backend
                .wait_for_first_lists(&request.exchange.context)
                .await;
        }
    }

    /// Handles one message of a batch. Returns the message's answer, if any. The answer's size is
    /// subtracted from `room`, the number of bytes that remain for the whole batch.
    pub(super) fn one_of_batch<'a>(
        self: &'a Arc<Self>,
        post: &'a ReceivedPost<'a>,
        text: &'a str,
        room: &'a AtomicUsize,
    ) -> BoxFuture<'a, Option<Bytes>> {
        Box::pin(async move {
            let (id, method, raw) = match envelope::read(text) {
                Ok(GatewayMessage::Request { id, method, params }) => (id, method, params),
                Ok(GatewayMessage::Notification { method, params }) => {
                    self.on_notification(&post.auth, &method, params);
                    return None;
                }
                Ok(GatewayMessage::Response { id, result }) => {
                    self.on_response(&post.auth, id, result);
                    return None;
                }
                Err(error) => return Some(post.error(&error)),
            };
            let mut request = post.to_request(id, &method, raw);
            if room.load(Ordering::Relaxed) == 0 {
                let why = "The answers to the batch are already too large. This request was not started. \
                    Send it alone.";
                let parts = request.parts(Err(GatewayError::new(code::REFUSED, why)));
                return Some(Bytes::from(parts.concat()));
            }
            // The answer is part of the batch's answer, so nothing can be sent before it.
            request.formats.events = false;
            self.wait_for_first_lists(&request).await;
            let answer = match RequestParams::with_meta(raw) {
                Err(why) => Err(invalid(why)),
                Ok(_) if &*method == "initialize" => Err(GatewayError::new(
                    code::INVALID_REQUEST,
                    "initialize can't be in a batch.",
                )),
                Ok((params, meta)) => match self.begin(&mut request, raw, &params, &meta) {
                    Ok(Dispatch::Answer(answer)) => Ok(answer),
                    Ok(Dispatch::InFlight(in_flight)) => {
                        self.wait_for_answer(&request, in_flight).await
                    }
                    Err(refusal) => Err(refusal),
                },
            };
            let mut parts = request.parts(answer);
            let length: usize = parts.iter().map(Bytes::len).sum();
            // Once an answer does not fit, no further request is started.
            let before = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                Some(room.saturating_sub(length))
            });
            if before.is_ok_and(|room| room < length) {
                let why = "The answers to the batch are too large. This request was done, but its \
                    answer is left out.";
                parts = request.parts(Err(GatewayError::new(code::REFUSED, why)));
            }
            Some(Bytes::from(parts.concat()))
        })
    }
}

/// Returns a text as a slice of the body that contains it. A text that is not part of the body,
/// because it was decoded, is copied.
pub(super) fn part_of(body: &Bytes, text: &str) -> Bytes {
    let inside = body.as_ptr_range();
    let part = text.as_bytes().as_ptr_range();
    if inside.start <= part.start && part.end <= inside.end {
        return body.slice_ref(text.as_bytes());
    }
    Bytes::copy_from_slice(text.as_bytes())
}

/// Rejects an unsupported version. Returns `None` for a supported one.
fn unsupported_version(
    post: &ReceivedPost<'_>,
    request: Option<&GatewayRequest>,
) -> Option<GatewayResponse> {
    let version_header = post.version_header?;
    if post.version().is_some() {
        return None;
    }
    let refusal = modern::unsupported(version_header);
    let text = super::answer::error_text(request.map(|request| &*request.id), &refusal, false);
    Some(post.json(StatusCode::BAD_REQUEST, text))
}
