//! Features of the versions up to 2025-11-25 only: the handshake, sessions and their streams,
//! batches, and cancelling by a notification.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use futures::{StreamExt, stream};
use http::header::ALLOW;
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::answer::{GatewayResponseBody, Responder, error_text};
use super::directory::{EndpointInfo, GatewayError, GatewayRequestContext};
use super::door::{AuthContext, GatewayServer, SESSION, VERSION, only};
use super::outline::{name_of_client, takes, text_of};
use super::post::Arrival;
use super::request::GatewayRequest;
use super::session::{GatewaySession, SessionHandshake};
use super::version::{Legacy, MODERN};

#[derive(Default, Deserialize)]
struct Initialize<'a> {
    #[serde(borrow, default, rename = "protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default)]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "clientInfo")]
    client_info: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow, rename = "requestId")]
    request: &'a RawValue,
}

/// Limit of the messages of a batch that are handled at once.
const BATCH_AT_ONCE: usize = 16;

/// The extension for tools that a resource renders, and the MIME type of such a resource.
const APPS: &str = "io.modelcontextprotocol/ui";
const APP: &str = "text/html;profile=mcp-app";

/// Whether a client declares that it renders tools by resources.
fn shows_apps(capabilities: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    struct ClientExtensions {
        #[serde(default)]
        extensions: HashMap<String, IgnoredAny>,
    }
    let capabilities = capabilities.map(|it| serde_json::from_str::<ClientExtensions>(it.get()));
    capabilities.is_some_and(|it| it.is_ok_and(|it| it.extensions.contains_key(APPS)))
}

/// Returns the gateway's capabilities for a client with the given ones.
pub(super) fn capabilities(face: &EndpointInfo, of_client: Option<&RawValue>) -> Value {
    let mut capabilities = json!({"tools": {"listChanged": true}, "logging": {}});
    let further = [
        (
            face.resources,
            "resources",
            json!({"listChanged": true, "subscribe": true}),
        ),
        (face.prompts, "prompts", json!({"listChanged": true})),
        (face.completions, "completions", json!({})),
    ];
    if let Value::Object(capabilities) = &mut capabilities {
        for (_, name, value) in further.into_iter().filter(|(there, ..)| *there) {
            capabilities.insert(name.into(), value);
        }
        if face.apps && shows_apps(of_client) {
            let apps = json!({APPS: {"mimeTypes": [APP]}});
            capabilities.insert("extensions".into(), apps);
        }
    }
    capabilities
}

/// Returns the gateway's name and version.
pub(super) fn server_info(face: &EndpointInfo) -> Value {
    json!({"name": face.name, "version": env!("CARGO_PKG_VERSION")})
}

impl GatewayServer {
    /// Handles `initialize`: agrees on a version and opens a session.
    pub(super) fn initialize(
        &self,
        asked: &GatewayRequest,
        headers: &HeaderMap,
        params: Option<&RawValue>,
    ) -> Response<GatewayResponseBody> {
        let opened = self.open(asked, headers, params);
        let seen = match &opened {
            Ok((result, _)) => Ok(result.clone()),
            Err(refusal) => Err(refusal.clone()),
        };
        asked.responder.0.keep(asked.told.clone().answered(&seen));
        match opened {
            Ok((result, session)) => {
                let mut response = asked.respond(Ok(result.into()));
                if let Some(id) = session.and_then(|it| HeaderValue::from_str(&it.id).ok()) {
                    response.headers_mut().insert(SESSION, id);
                }
                response
            }
            Err(refusal) => {
                let parts = asked.parts(Err(refusal));
                asked.responder.json(StatusCode::BAD_REQUEST, parts)
            }
        }
    }

    fn open(
        &self,
        asked: &GatewayRequest,
        headers: &HeaderMap,
        params: Option<&RawValue>,
    ) -> Result<(Bytes, Option<Arc<GatewaySession>>), GatewayError> {
        let invalid = |why: &str| GatewayError::new(GatewayError::INVALID_PARAMS, why);
        let params: Initialize<'_> = params
            .map_or(Ok(Initialize::default()), |params| {
                serde_json::from_str(params.get())
            })
            .map_err(|_| invalid("Duplicate field in params."))?;
        let wanted = params.version.and_then(text_of);
        let wanted = wanted.ok_or_else(|| invalid("protocolVersion, a text, is missing."))?;
        let said = only(headers, &VERSION).map_err(|(_, why)| invalid(why))?;
        if said.is_some_and(|said| said.as_bytes() != wanted.as_bytes()) {
            return Err(invalid(
                "MCP-Protocol-Version and the version of initialize differ.",
            ));
        }
        let version = Legacy::parse(&wanted).unwrap_or(Legacy::NEWEST);
        let visit = &asked.told.visit;
        let face = self
            .directory
            .face(&visit.endpoint)
            .ok_or_else(|| GatewayError::new(GatewayError::INTERNAL, "The endpoint is gone."))?;
        let opening = SessionHandshake {
            client: visit.client.id.clone(),
            endpoint: visit.endpoint.clone(),
            version,
            calls_itself: name_of_client(params.client_info).into(),
            takes: takes(params.capabilities).unwrap_or_default(),
            knows: *self.changes.borrow(),
        };
        let session = self.sessions.open(opening, asked.told.since);
        let mut result = json!({
            "protocolVersion": version.as_str(),
            "capabilities": capabilities(&face, params.capabilities),
            "serverInfo": server_info(&face),
        });
        if let (Value::Object(result), Some(instructions)) = (&mut result, face.instructions) {
            result.insert("instructions".into(), instructions.into());
        }
        Ok((Bytes::from(result.to_string()), session))
    }

    /// Handles a notification.
    pub(super) fn notified(&self, known: &AuthContext, method: &str, params: Option<&RawValue>) {
        if method != "notifications/cancelled" {
            return;
        }
        let cancelled = params.and_then(|it| serde_json::from_str::<Cancelled<'_>>(it.get()).ok());
        if let (Some(session), Some(cancelled)) = (&known.session, cancelled) {
            session.cancel(cancelled.request.get());
        }
    }

    /// Delivers the answer to a question. Returns false if the request has no session.
    pub(super) fn answered(
        &self,
        known: &AuthContext,
        id: &str,
        result: Option<&RawValue>,
    ) -> bool {
        let Some(session) = &known.session else {
            return false;
        };
        // An answer that arrives too late is dropped.
        if let Some((number, questions)) = session.asked(id) {
            questions.answer(number, result);
        }
        true
    }

    /// Answers a batch (2025-03-26).
    pub(super) async fn batch(
        self: &Arc<Self>,
        arrival: &Arrival<'_>,
        messages: Vec<&RawValue>,
    ) -> Response<GatewayResponseBody> {
        let room = AtomicUsize::new(self.options.together_max);
        let answers: Vec<_> = messages
            .into_iter()
            .map(|message| self.one_of_batch(arrival, message.get(), &room))
            .collect();
        let mut answers = stream::iter(answers).buffered(BATCH_AT_ONCE);
        // Each answer is appended at once, so that none is in memory twice.
        let mut text = Vec::new();
        while let Some(answer) = answers.next().await {
            if let Some(answer) = answer {
                text.push(if text.is_empty() { b'[' } else { b',' });
                text.extend_from_slice(&answer);
            }
        }
        let responder = &arrival.responder;
        if text.is_empty() {
            return responder.empty(StatusCode::ACCEPTED);
        }
        text.push(b']');
        let parts = [Bytes::from(text), Bytes::new(), Bytes::new()];
        if arrival.takes.json {
            responder.json(StatusCode::OK, parts)
        } else {
            responder.one_event(&parts)
        }
    }

    /// Handles `DELETE`: ends the client's session.
    pub(super) fn delete(
        &self,
        responder: &Responder,
        known: &AuthContext,
    ) -> Response<GatewayResponseBody> {
        let Some(session) = &known.session else {
            return responder.refuse(StatusCode::BAD_REQUEST, "The Mcp-Session-Id is missing.");
        };
        self.sessions.end(session);
        responder.empty(StatusCode::NO_CONTENT)
    }

    /// Handles `GET`: opens a session's stream of changes.
    pub(super) fn listen(
        &self,
        responder: Responder,
        known: &AuthContext,
        headers: &HeaderMap,
    ) -> Response<GatewayResponseBody> {
        if headers.get(VERSION).is_some_and(|said| said == MODERN) {
            return responder.not_allowed("POST");
        }
        if !super::security::accepts(headers).events {
            return responder.refuse(
                StatusCode::NOT_ACCEPTABLE,
                "The stream is text/event-stream; accept it.",
            );
        }
        let Some(session) = &known.session else {
            let mut refused =
                responder.refuse(StatusCode::BAD_REQUEST, "The Mcp-Session-Id is missing.");
            let allowed = HeaderValue::from_static("GET, POST, DELETE");
            refused.headers_mut().insert(ALLOW, allowed);
            return refused;
        };
        let line = Arc::clone(&responder.0);
        let visit = Arc::clone(&known.visit);
        responder.stream(self.session_stream(line, visit, session, headers))
    }
}

/// Returns the request's context with another client name.
pub(super) fn named(visit: &Arc<GatewayRequestContext>, name: &str) -> Arc<GatewayRequestContext> {
    if name.is_empty() || *visit.calls_itself == *name {
        return Arc::clone(visit);
    }
    Arc::new(GatewayRequestContext {
        calls_itself: name.into(),
        ..GatewayRequestContext::clone(visit)
    })
}

/// Returns the error for an invalid message.
pub(super) fn flawed(id: Option<&str>, code: i64, why: &str, without_null: bool) -> Bytes {
    error_text(
        id.map(str::as_bytes),
        &GatewayError::new(code, why),
        without_null,
    )
}
