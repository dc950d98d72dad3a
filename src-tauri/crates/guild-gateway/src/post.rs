//! Handles `POST` requests: determines the version and dispatches them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderMap, Response, StatusCode};
use serde_json::value::RawValue;

use super::answer::{GatewayResponseBody, Responder, code};
use super::directory::GatewayError;
use super::door::{AuthContext, GatewayServer, VERSION, only};
use super::legacy::{flawed, named};
use super::modern;
use super::outline::{self, Flaw, GatewayMessage, Meta, RequestParams, name_of_client};
use super::request::{Course, GatewayRequest};
use super::security::ResponseFormats;
use super::seen::ExchangeMeta;
use super::version::{Legacy, MODERN, RequestVersion};

/// A received request.
pub(super) struct Arrival<'a> {
    pub(super) responder: Responder,
    pub(super) known: Arc<AuthContext>,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a Bytes,
    pub(super) since: Instant,
    pub(super) takes: ResponseFormats,
    /// The version in the request's header.
    said: Option<&'a str>,
}

impl Arrival<'_> {
    fn is_modern(&self) -> bool {
        self.said == Some(MODERN)
    }

    fn json(&self, status: StatusCode, text: Bytes) -> Response<GatewayResponseBody> {
        self.responder
            .json(status, [text, Bytes::new(), Bytes::new()])
    }

    fn flaw(&self, flaw: &Flaw<'_>) -> Bytes {
        match flaw {
            Flaw::NoJson => flawed(None, code::PARSE, "The body is not JSON.", self.is_modern()),
            Flaw::NoMessage { id, what } => {
                flawed(*id, code::INVALID_REQUEST, what, self.is_modern())
            }
        }
    }

    /// Builds the request's context.
    fn asked(&self, id: &str, method: &str, params: Option<&RawValue>) -> GatewayRequest {
        let part = |text: &str| part_of(self.body, text);
        let session = self.known.session.clone();
        let version = match (&session, self.said.and_then(Legacy::parse)) {
            (Some(session), _) => session.version,
            (None, Some(said)) => said,
            (None, None) => Legacy::V2025_03_26,
        };
        GatewayRequest {
            body: self.body.clone(),
            told: ExchangeMeta {
                visit: Arc::clone(&self.known.visit),
                method: part(method),
                subject: None,
                params: params.map(|params| part(params.get())),
                since: self.since,
                request_bytes: self.body.len(),
            },
            id: part(id),
            era: RequestVersion::Legacy(version),
            takes: self.takes,
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
        known: Arc<AuthContext>,
        headers: &HeaderMap,
        body: Bytes,
        (takes, since): (ResponseFormats, Instant),
    ) -> Response<GatewayResponseBody> {
        let said = match only(headers, &VERSION) {
            Ok(said) => said.map(|said| said.to_str().unwrap_or_default()),
            Err((status, why)) => return responder.refuse(status, why),
        };
        let arrival = Arrival {
            takes,
            responder,
            known,
            headers,
            body: &body,
            since,
            said,
        };
        let Ok(text) = std::str::from_utf8(&body) else {
            return arrival.json(StatusCode::BAD_REQUEST, arrival.flaw(&Flaw::NoJson));
        };
        if let Some(batch) = outline::batch(text) {
            let version = match &arrival.known.session {
                Some(session) => Some(session.version),
                None => said.map_or(Some(Legacy::V2025_03_26), Legacy::parse),
            };
            return match batch {
                Ok(messages) if version == Some(Legacy::V2025_03_26) => {
                    self.batch(&arrival, messages).await
                }
                Ok(_) => {
                    let flaw = Flaw::NoMessage {
                        id: None,
                        what: "batches are of version 2025-03-26 only",
                    };
                    arrival.json(StatusCode::BAD_REQUEST, arrival.flaw(&flaw))
                }
                Err(flaw) => arrival.json(StatusCode::BAD_REQUEST, arrival.flaw(&flaw)),
            };
        }
        match outline::read(text) {
            Ok(GatewayMessage::Request { id, method, params }) => {
                self.request(&arrival, id, &method, params).await
            }
            Ok(GatewayMessage::Notification { method, params }) => {
                if let Some(refused) = unspoken(&arrival, None) {
                    return refused;
                }
                self.notified(&arrival.known, &method, params);
                arrival.responder.empty(StatusCode::ACCEPTED)
            }
            Ok(GatewayMessage::Response { id, result }) => {
                if self.answered(&arrival.known, id, result) {
                    return arrival.responder.empty(StatusCode::ACCEPTED);
                }
                let why = "An answer belongs to a session; name it in Mcp-Session-Id.";
                arrival.responder.refuse(StatusCode::BAD_REQUEST, why)
            }
            Err(flaw) => arrival.json(StatusCode::BAD_REQUEST, arrival.flaw(&flaw)),
        }
    }

    async fn request(
        self: &Arc<Self>,
        arrival: &Arrival<'_>,
        id: &str,
        method: &str,
        raw: Option<&RawValue>,
    ) -> Response<GatewayResponseBody> {
        let mut asked = arrival.asked(id, method, raw);
        let read =
            RequestParams::read(raw).and_then(|it| Meta::read(it.meta).map(|meta| (it, meta)));
        let (params, meta) = match read {
            Ok(read) => read,
            Err(why) => {
                let refusal = GatewayError::new(GatewayError::INVALID_PARAMS, why);
                let parts = asked.parts(Err(refusal));
                return asked.responder.json(StatusCode::BAD_REQUEST, parts);
            }
        };
        // The handshake belongs to the legacy versions, independent of the requested version.
        if method == "initialize" && meta.version.is_none() {
            return self.initialize(&asked, arrival.headers, raw);
        }
        if meta.version.is_some() || arrival.is_modern() || method == "server/discover" {
            let checked = modern::check(arrival.headers, method, &params, &meta)
                .and_then(|()| self.check_mirrored(&asked, arrival.headers, method, &params));
            if let Err(refusal) = checked {
                let parts = asked.parts(Err(refusal));
                return asked.responder.json(StatusCode::BAD_REQUEST, parts);
            }
            asked.era = RequestVersion::Modern;
            asked.session = None;
            let name = name_of_client(meta.client_info);
            asked.told.visit = named(&asked.told.visit, &name);
            if method == "subscriptions/listen" {
                return self.subscribe(asked, &params).await;
            }
        } else if let Some(refused) = unspoken(arrival, Some(&asked)) {
            return refused;
        }
        self.until_first_lists(&asked).await;
        match self.begin(&mut asked, raw, &params, &meta) {
            Course::Answer(answer) => asked.respond(answer),
            Course::Flight(flight) => self.follow(asked, flight).await,
        }
    }

    async fn until_first_lists(&self, asked: &GatewayRequest) {
        if asked.method() == "tools/list" {
            self.directory.until_first_lists(&asked.told.visit).await;
        }
    }

    /// Handles one message of a batch. Returns its answer, if any, and subtracts the answer's size
    /// from `room`, which the whole batch shares.
    pub(super) fn one_of_batch<'a>(
        self: &'a Arc<Self>,
        arrival: &'a Arrival<'a>,
        text: &'a str,
        room: &'a AtomicUsize,
    ) -> BoxFuture<'a, Option<Bytes>> {
        Box::pin(async move {
            let (id, method, raw) = match outline::read(text) {
                Ok(GatewayMessage::Request { id, method, params }) => (id, method, params),
                Ok(GatewayMessage::Notification { method, params }) => {
                    self.notified(&arrival.known, &method, params);
                    return None;
                }
                Ok(GatewayMessage::Response { id, result }) => {
                    self.answered(&arrival.known, id, result);
                    return None;
                }
                Err(flaw) => return Some(arrival.flaw(&flaw)),
            };
            let mut asked = arrival.asked(id, &method, raw);
            if room.load(Ordering::Relaxed) == 0 {
                let why = "The answers to the batch are already too large. This request was not started. \
                    Send it alone.";
                let parts = asked.parts(Err(GatewayError::new(code::REFUSED, why)));
                return Some(Bytes::from(parts.concat()));
            }
            // The answer is part of a batch, so nothing can be sent before it.
            asked.takes.events = false;
            self.until_first_lists(&asked).await;
            let read =
                RequestParams::read(raw).and_then(|it| Meta::read(it.meta).map(|meta| (it, meta)));
            let answer = match read {
                Err(why) => Err(GatewayError::new(GatewayError::INVALID_PARAMS, why)),
                Ok(_) if &*method == "initialize" => Err(GatewayError::new(
                    code::INVALID_REQUEST,
                    "initialize can't be in a batch.",
                )),
                Ok((params, meta)) => match self.begin(&mut asked, raw, &params, &meta) {
                    Course::Answer(answer) => answer,
                    Course::Flight(flight) => self.settled(&asked, flight).await,
                },
            };
            let mut parts = asked.parts(answer);
            let length: usize = parts.iter().map(Bytes::len).sum();
            // Once an answer does not fit, no further request is started.
            let before = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                Some(room.saturating_sub(length))
            });
            if before.is_ok_and(|room| room < length) {
                let why = "The answers to the batch are too large. This request was done, but its \
                    answer is left out.";
                parts = asked.parts(Err(GatewayError::new(code::REFUSED, why)));
            }
            Some(Bytes::from(parts.concat()))
        })
    }
}

/// Returns a text as a slice of the body. A decoded text is copied.
pub(super) fn part_of(body: &Bytes, text: &str) -> Bytes {
    let inside = body.as_ptr_range();
    let part = text.as_bytes().as_ptr_range();
    if inside.start <= part.start && part.end <= inside.end {
        return body.slice_ref(text.as_bytes());
    }
    Bytes::copy_from_slice(text.as_bytes())
}

/// Rejects an unsupported version. Returns `None` for a supported one.
fn unspoken(
    arrival: &Arrival<'_>,
    asked: Option<&GatewayRequest>,
) -> Option<Response<GatewayResponseBody>> {
    let said = arrival.said?;
    if said == MODERN || Legacy::parse(said).is_some() {
        return None;
    }
    let refusal = modern::unsupported(said);
    let text = super::answer::error_text(asked.map(|asked| &*asked.id), &refusal, false);
    Some(arrival.json(StatusCode::BAD_REQUEST, text))
}
