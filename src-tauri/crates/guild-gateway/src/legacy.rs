//! Features of the versions up to 2025-11-25 only: the handshake, sessions and their streams,
//! batches, and cancellation by a notification.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use futures::{StreamExt, stream};
use guild_model::protocol::ProtocolVersion;
use http::header::ALLOW;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::answer::{GatewayResponse, Responder, error_text, one_part};
use super::backend::{EndpointInfo, GatewayError, GatewayRequestContext};
use super::envelope::{elicitation_modes, name_of_client, text_of};
use super::post::ReceivedPost;
use super::request::{GatewayRequest, invalid};
use super::server::{AuthContext, GatewayServer, SESSION, VERSION, single_header};
use super::session::{GatewaySession, SessionHandshake};

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

/// The newest version with `initialize`.
const NEWEST: ProtocolVersion = ProtocolVersion::V2025_11_25;
/// Limit of the messages of a batch that are handled concurrently.
const BATCH_AT_ONCE: usize = 16;

/// The extension for tools whose user interface is a resource (MCP Apps), and the MIME type of such
/// a resource.
const APPS: &str = "io.modelcontextprotocol/ui";
const APP: &str = "text/html;profile=mcp-app";

/// The extension for skills (SEP-2640).
const SKILLS: &str = "io.modelcontextprotocol/skills";

/// Whether a client declares that it shows MCP Apps.
pub(super) fn shows_apps(capabilities: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    struct ClientExtensions {
        #[serde(default)]
        extensions: HashMap<String, IgnoredAny>,
    }
    let capabilities = capabilities.map(|it| serde_json::from_str::<ClientExtensions>(it.get()));
    capabilities.is_some_and(|it| it.is_ok_and(|it| it.extensions.contains_key(APPS)))
}

/// Returns the gateway's capabilities for a client with the capabilities `of_client`.
pub(super) fn capabilities(info: &EndpointInfo, of_client: Option<&RawValue>) -> Value {
    let mut capabilities = json!({"tools": {"listChanged": true}, "logging": {}});
    let further = [
        (
            info.resources,
            "resources",
            json!({"listChanged": true, "subscribe": true}),
        ),
        (info.prompts, "prompts", json!({"listChanged": true})),
        (info.completions, "completions", json!({})),
    ];
    if let Value::Object(capabilities) = &mut capabilities {
        for (_, name, value) in further.into_iter().filter(|(there, ..)| *there) {
            capabilities.insert(name.into(), value);
        }
        let apps = info.apps && shows_apps(of_client);
        let apps = apps.then(|| (APPS.to_owned(), json!({"mimeTypes": [APP]})));
        let skills = info.skills.then(|| (SKILLS.to_owned(), json!({})));
        let extensions: Map<String, Value> = apps.into_iter().chain(skills).collect();
        if !extensions.is_empty() {
            capabilities.insert("extensions".into(), extensions.into());
        }
    }
    capabilities
}

/// Returns the gateway's name and version.
pub(super) fn server_info(info: &EndpointInfo) -> Value {
    json!({"name": info.name, "version": env!("CARGO_PKG_VERSION")})
}

impl GatewayServer {
    /// Handles `initialize`: agrees on a version and opens a session.
    pub(super) fn initialize(
        &self,
        request: &mut GatewayRequest,
        headers: &HeaderMap,
        params: Option<&RawValue>,
    ) -> GatewayResponse {
        let opened = self.open(request, headers, params);
        if let Ok((_, Some(session))) = &opened
            && session.handshake.shows_apps
        {
            request.exchange.context = Arc::new(GatewayRequestContext {
                shows_apps: true,
                ..GatewayRequestContext::clone(&request.exchange.context)
            });
        }
        request.record(opened.as_ref().map(|(result, _)| result.clone()));
        match opened {
            Ok((result, session)) => {
                let mut response = request.respond(Ok(result.into()));
                if let Some(id) = session.and_then(|it| HeaderValue::from_str(&it.id).ok()) {
                    response.headers_mut().insert(SESSION, id);
                }
                response
            }
            Err(refusal) => {
                let parts = request.parts(Err(refusal));
                request.responder.json(StatusCode::BAD_REQUEST, parts)
            }
        }
    }

    fn open(
        &self,
        request: &GatewayRequest,
        headers: &HeaderMap,
        params: Option<&RawValue>,
    ) -> Result<(Bytes, Option<Arc<GatewaySession>>), GatewayError> {
        let params: Initialize<'_> = params
            .map_or(Ok(Initialize::default()), |params| {
                serde_json::from_str(params.get())
            })
            .map_err(|_| invalid("Duplicate field in params."))?;
        let wanted = params.version.and_then(text_of);
        let wanted =
            wanted.ok_or_else(|| invalid("protocolVersion is missing or not a string."))?;
        let header = single_header(headers, &VERSION).map_err(|(_, why)| invalid(why))?;
        if header.is_some_and(|header| header.as_bytes() != wanted.as_bytes()) {
            return Err(invalid(
                "MCP-Protocol-Version and the version of initialize differ.",
            ));
        }
        let version = ProtocolVersion::parse(&wanted).map_or(NEWEST, |version| version.min(NEWEST));
        let context = &request.exchange.context;
        let info = self
            .backend
            .info(&context.endpoint)
            .ok_or_else(|| GatewayError::new(GatewayError::INTERNAL, "The endpoint is gone."))?;
        let opening = SessionHandshake {
            client: context.client.id.clone(),
            endpoint: context.endpoint.clone(),
            version,
            calls_itself: name_of_client(params.client_info).into(),
            modes: elicitation_modes(params.capabilities).unwrap_or_default(),
            shows_apps: shows_apps(params.capabilities),
            known_changes: *self.changes.borrow(),
        };
        let session = self.sessions.open(opening, request.exchange.since);
        let mut result = json!({
            "protocolVersion": version.as_str(),
            "capabilities": capabilities(&info, params.capabilities),
            "serverInfo": server_info(&info),
        });
        if let (Value::Object(result), Some(instructions)) = (&mut result, info.instructions) {
            result.insert("instructions".into(), instructions.into());
        }
        Ok((Bytes::from(result.to_string()), session))
    }

    pub(super) fn on_notification(
        &self,
        auth: &AuthContext,
        method: &str,
        params: Option<&RawValue>,
    ) {
        if method != "notifications/cancelled" {
            return;
        }
        let cancelled = params.and_then(|it| serde_json::from_str::<Cancelled<'_>>(it.get()).ok());
        if let (Some(session), Some(cancelled)) = (&auth.session, cancelled) {
            session.cancel(cancelled.request.get());
        }
    }

    /// Delivers the client's answer to a question. Returns false if the request has no session.
    pub(super) fn on_response(
        &self,
        auth: &AuthContext,
        id: &str,
        result: Option<&RawValue>,
    ) -> bool {
        let Some(session) = &auth.session else {
            return false;
        };
        // If the question is no longer pending, the answer is dropped.
        if let Some((number, questions)) = session.take_question(id) {
            questions.answer(number, result);
        }
        true
    }

    /// Answers a batch (2025-03-26).
    pub(super) async fn batch(
        self: &Arc<Self>,
        post: &ReceivedPost<'_>,
        messages: Vec<&RawValue>,
    ) -> GatewayResponse {
        let room = AtomicUsize::new(self.options.together_max);
        let answers: Vec<_> = messages
            .into_iter()
            .map(|message| self.one_of_batch(post, message.get(), &room))
            .collect();
        let mut answers = stream::iter(answers).buffered(BATCH_AT_ONCE);
        // Each answer is appended once it is ready, so that no answer is in memory twice.
        let mut text = Vec::new();
        while let Some(answer) = answers.next().await {
            if let Some(answer) = answer {
                text.push(if text.is_empty() { b'[' } else { b',' });
                text.extend_from_slice(&answer);
            }
        }
        let responder = &post.responder;
        if text.is_empty() {
            return responder.empty(StatusCode::ACCEPTED);
        }
        text.push(b']');
        let parts = one_part(Bytes::from(text));
        if post.formats.json {
            responder.json(StatusCode::OK, parts)
        } else {
            responder.one_event(&parts)
        }
    }

    /// Handles `DELETE`: ends the client's session.
    pub(super) fn delete(&self, responder: &Responder, auth: &AuthContext) -> GatewayResponse {
        let Some(session) = &auth.session else {
            return responder.refuse(StatusCode::BAD_REQUEST, "The Mcp-Session-Id is missing.");
        };
        self.sessions.end(session);
        responder.empty(StatusCode::NO_CONTENT)
    }

    /// Handles `GET`: opens a session's stream of changes.
    pub(super) fn listen(
        &self,
        responder: Responder,
        auth: &AuthContext,
        headers: &HeaderMap,
    ) -> GatewayResponse {
        if headers
            .get(VERSION)
            .is_some_and(|header| header == ProtocolVersion::V2026_07_28.as_str())
        {
            return responder.not_allowed("POST");
        }
        if !super::security::accepts(headers).events {
            return responder.refuse(
                StatusCode::NOT_ACCEPTABLE,
                "The Accept header must include text/event-stream.",
            );
        }
        let Some(session) = &auth.session else {
            let mut refused =
                responder.refuse(StatusCode::BAD_REQUEST, "The Mcp-Session-Id is missing.");
            let allowed = HeaderValue::from_static("GET, POST, DELETE");
            refused.headers_mut().insert(ALLOW, allowed);
            return refused;
        };
        let connection = Arc::clone(&responder.connection);
        let context = Arc::clone(&auth.context);
        responder.stream(self.session_stream(connection, context, session, headers))
    }
}

/// Returns the request's context, with the name and the capabilities that the client declared.
pub(super) fn with_client(
    context: &Arc<GatewayRequestContext>,
    name: &str,
    capabilities: Option<&RawValue>,
) -> Arc<GatewayRequestContext> {
    let shows_apps = shows_apps(capabilities);
    let calls_itself = match name.is_empty() || *context.calls_itself == *name {
        true => Arc::clone(&context.calls_itself),
        false => name.into(),
    };
    if Arc::ptr_eq(&calls_itself, &context.calls_itself) && shows_apps == context.shows_apps {
        return Arc::clone(context);
    }
    Arc::new(GatewayRequestContext {
        calls_itself,
        shows_apps,
        ..GatewayRequestContext::clone(context)
    })
}

/// Returns the error for an invalid message.
pub(super) fn envelope_error(id: Option<&str>, code: i64, why: &str, without_null: bool) -> Bytes {
    error_text(
        id.map(str::as_bytes),
        &GatewayError::new(code, why),
        without_null,
    )
}
