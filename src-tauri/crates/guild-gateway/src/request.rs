//! Handles one request, for all versions.

use std::sync::Arc;

use bytes::Bytes;
use guild_model::endpoint::Listing;
use guild_model::protocol::{Era, ProtocolVersion};
use http::StatusCode;
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use super::adapt::adapt;
use super::answer::{
    Adapted, GatewayResponse, Responder, code, error_text, one_part, quoted, result_parts,
};
use super::backend::{
    AgentCall, FORWARDED_METHODS, ForwardedRequest, GatewayBackend, GatewayError,
    GatewayRequestContext, GatewayResultFuture, ResponseChannels,
};
use super::elicitation::{CallElicitations, EarlyInputResponses};
use super::envelope::{Meta, RequestParams, elicitation_modes, text_of};
use super::in_flight::InFlight;
use super::modern::early_responses;
use super::post::part_of;
use super::security;
use super::server::GatewayServer;
use super::session::{GatewaySession, InFlightGuard};
use super::traffic::ExchangeMeta;
use guild_mcp_client::{Level, NotificationSink as _, RequestMeta};

/// Limit of the tools in one `tools/describe_batch`.
const DESCRIBED_MAX: usize = 200;
/// Methods that 2026-07-28 removed.
const LEGACY_ONLY: [&str; 4] = [
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
];

#[derive(Debug, Clone)]
pub(super) struct GatewayRequest {
    /// The HTTP body that contains the request.
    pub(super) body: Bytes,
    /// The request's data for the traffic view.
    pub(super) exchange: ExchangeMeta,
    /// The id in its original text.
    pub(super) id: Bytes,
    /// The request's protocol version.
    pub(super) version: ProtocolVersion,
    /// The formats that the client accepts for the answer.
    pub(super) formats: security::ResponseFormats,
    pub(super) session: Option<Arc<GatewaySession>>,
    /// Token for progress notifications.
    pub(super) progress: Option<Bytes>,
    /// Sends the answer.
    pub(super) responder: Responder,
}

/// The result of dispatching a request.
pub(super) enum Dispatch {
    Answer(Adapted),
    /// A member answers the request.
    InFlight(InFlight),
}

impl GatewayRequest {
    /// Whether the request's version has no `initialize`.
    pub(super) fn is_modern(&self) -> bool {
        self.version.era() == Era::Modern
    }

    pub(super) fn method(&self) -> &str {
        std::str::from_utf8(&self.exchange.method).unwrap_or_default()
    }

    /// Returns the answer as JSON-RPC text.
    pub(super) fn parts(&self, answer: Result<Adapted, GatewayError>) -> [Bytes; 3] {
        match answer {
            Ok(result) => result_parts(&self.id, result),
            Err(refusal) => {
                let refusal = self.in_its_version(refusal);
                one_part(error_text(Some(&self.id), &refusal, false))
            }
        }
    }

    fn in_its_version(&self, mut refusal: GatewayError) -> GatewayError {
        if self.is_modern() && refusal.code == code::NO_RESOURCE {
            refusal.code = GatewayError::INVALID_PARAMS;
        }
        refusal
    }

    /// Records the answer for the traffic view.
    pub(super) fn record(&self, answer: Result<Bytes, &GatewayError>) {
        let exchange = self.exchange.clone().answered(answer);
        self.responder.connection.queue_exchange(exchange);
    }

    /// Adapts a member's answer to the request's protocol version, and records the answer for the
    /// traffic view.
    pub(super) fn finish(
        &self,
        answer: Result<Bytes, GatewayError>,
    ) -> Result<Adapted, GatewayError> {
        self.record(answer.as_ref().cloned());
        answer.map(|result| adapt(result, self.is_modern(), self.method()))
    }

    /// Returns the HTTP response with an answer.
    pub(super) fn respond(&self, answer: Result<Adapted, GatewayError>) -> GatewayResponse {
        let status = match &answer {
            Err(refusal) if self.is_modern() => match refusal.code {
                code::UNSUPPORTED_VERSION | code::MISSING_CAPABILITY | code::HEADER_MISMATCH => {
                    StatusCode::BAD_REQUEST
                }
                GatewayError::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                _ => StatusCode::OK,
            },
            _ => StatusCode::OK,
        };
        let parts = self.parts(answer);
        if self.formats.json || status != StatusCode::OK {
            self.responder.json(status, parts)
        } else {
            self.responder.one_event(&parts)
        }
    }
}

pub(super) fn invalid(why: impl Into<String>) -> GatewayError {
    GatewayError::new(GatewayError::INVALID_PARAMS, why)
}

fn unknown(request: &GatewayRequest, method: &str) -> GatewayError {
    let shown: String = method.chars().take(80).collect();
    let refusal = GatewayError::new(
        GatewayError::METHOD_NOT_FOUND,
        format!("Unknown method {shown:?}."),
    );
    request.record(Err(&refusal));
    refusal
}

impl GatewayServer {
    /// Answers a request, or forwards it to a member and returns the running request.
    pub(super) fn begin(
        self: &Arc<Self>,
        request: &mut GatewayRequest,
        raw: Option<&RawValue>,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let modern = request.is_modern();
        let method = request.exchange.method.clone();
        let method = std::str::from_utf8(&method).unwrap_or_default();
        if modern && LEGACY_ONLY.contains(&method) {
            return Err(unknown(request, method));
        }
        let context = &request.exchange.context;
        let result = match method {
            "ping" => Ok("{}".into()),
            "tools/list" => self.list(context, params, modern),
            "tools/describe" => self.describe(request, params),
            "tools/describe_batch" => self.describe_batch(request, params),
            "tools/call" => return self.call(request, params, meta),
            "server/discover" if modern => self.discover(request, meta),
            "resources/subscribe" => return self.watch(request, params),
            "resources/unsubscribe" => return self.unwatch(request, params),
            "logging/setLevel" => return self.set_level(request, raw),
            _ => match FORWARDED_METHODS.into_iter().find(|known| *known == method) {
                Some(known) => return self.forward(request, known, raw, params, meta),
                None => return Err(unknown(request, method)),
            },
        };
        request.record(result.as_ref().map(|adapted| adapted.rest.clone()));
        result.map(Dispatch::Answer)
    }

    fn list(
        &self,
        context: &Arc<GatewayRequestContext>,
        params: &RequestParams<'_>,
        modern: bool,
    ) -> Result<Adapted, GatewayError> {
        if params.cursor.is_some() {
            return Err(invalid("Unknown cursor; the list has one page."));
        }
        let listed = match params.lazy.map(RawValue::get) {
            None => self.backend.tools(context)?,
            Some(lazy) => {
                let listing = match lazy {
                    "true" => Listing::Lazy,
                    "false" => Listing::Full,
                    _ => return Err(invalid("lazy must be true or false.")),
                };
                let context = GatewayRequestContext {
                    listing: Some(listing),
                    ..GatewayRequestContext::clone(context)
                };
                self.backend.tools(&context)?
            }
        };
        let lead = if modern {
            let ttl = listed.ttl.as_millis();
            format!(r#"{{"resultType":"complete","ttlMs":{ttl},"cacheScope":"private","tools":"#)
                .into()
        } else {
            r#"{"tools":"#.into()
        };
        Ok(Adapted {
            lead,
            rest: listed.tools,
            tail: "}",
        })
    }

    fn describe(
        &self,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Adapted, GatewayError> {
        let name = params.name.and_then(text_of);
        let name = name.ok_or_else(|| invalid("name is missing or not a string."))?;
        request.exchange.subject = Some(part_of(&request.body, &name));
        let rest = self.backend.describe(&request.exchange.context, &name)?;
        Ok(Adapted {
            lead: if request.is_modern() {
                r#"{"resultType":"complete","tool":"#.into()
            } else {
                r#"{"tool":"#.into()
            },
            rest,
            tail: "}",
        })
    }

    /// Handles `tools/describe_batch`. A missing tool is an error for its own entry only.
    fn describe_batch(
        &self,
        request: &GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Adapted, GatewayError> {
        let names: Vec<String> = params
            .names
            .and_then(|names| serde_json::from_str(names.get()).ok())
            .ok_or_else(|| invalid("names is missing or not a list of strings."))?;
        if names.len() > DESCRIBED_MAX {
            let why = format!(
                "names has {}; at most {DESCRIBED_MAX} are described at once.",
                names.len()
            );
            return Err(invalid(why));
        }
        let mut text = String::from(if request.is_modern() {
            r#"{"resultType":"complete","tools":["#
        } else {
            r#"{"tools":["#
        });
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(r#"{"name":"#);
            text.push_str(&quoted(name));
            let described = if text.len() < self.options.together_max {
                self.backend.describe(&request.exchange.context, name)
            } else {
                let why =
                    "The answer is already too large. Describe this tool in a separate request.";
                Err(GatewayError::new(code::REFUSED, why))
            };
            match described {
                Ok(tool) => {
                    text.push_str(r#","tool":"#);
                    text.push_str(std::str::from_utf8(&tool).unwrap_or("null"));
                }
                Err(refusal) => {
                    let message = quoted(&refusal.message);
                    let code = refusal.code;
                    text.push_str(&format!(
                        r#","error":{{"code":{code},"message":{message}}}"#
                    ));
                }
            }
            text.push('}');
        }
        text.push_str("]}");
        Ok(Bytes::from(text).into())
    }

    /// Creates the channels to the agent, and the running request that holds the gateway's ends of
    /// these channels.
    fn open_channels(
        &self,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> (ResponseChannels, InFlight) {
        let modern = request.is_modern();
        request.progress = meta
            .token()
            .filter(|_| request.formats.events)
            .map(|token| part_of(&request.body, token));
        let modes = match &request.session {
            _ if modern => elicitation_modes(meta.capabilities).unwrap_or_default(),
            // The question is sent on the stream of this response, and the client posts its answer
            // to the session.
            Some(session) if request.formats.events => session.handshake.modes,
            _ => super::envelope::ElicitationModes::default(),
        };
        let level = match &request.session {
            _ if modern => meta
                .log_level
                .and_then(text_of)
                .and_then(|it| Level::parse(&it)),
            Some(session) => session.notifications.level(),
            None => None,
        };
        // Up to 2025-11-25, a server may choose the log level if the client did not set one.
        let logs = request.formats.events && (!modern || level.is_some());
        let early = if modern {
            early_responses(params)
        } else {
            EarlyInputResponses::new()
        };
        let questions = (modes.any() || logs).then(|| {
            let questions = CallElicitations::new(modes, self.options.answer_limit, level, early);
            (questions, modes.any(), logs)
        });
        let revoked = &request.exchange.context.client.revoked;
        InFlight::begin(revoked, request.progress.is_some(), questions)
    }

    fn call(
        self: &Arc<Self>,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let name = params.name.and_then(text_of);
        let name = name.ok_or_else(|| invalid("name is missing or not a string."))?;
        let arguments = match params.arguments {
            Some(arguments) if !arguments.get().starts_with('{') => {
                return Err(invalid("arguments is not an object."));
            }
            arguments => arguments.map(ToOwned::to_owned),
        };
        request.exchange.subject = Some(part_of(&request.body, &name));
        let passed_on = RequestMeta::read(params.meta).map_err(invalid)?;
        self.start(request, params, meta, |backend, context, back| {
            let call = AgentCall {
                name: name.into_owned(),
                arguments,
                meta: passed_on,
                back,
            };
            backend.call(context, call)
        })
    }

    fn forward(
        self: &Arc<Self>,
        request: &mut GatewayRequest,
        method: &'static str,
        raw: Option<&RawValue>,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let subject = params.name.or(params.uri).and_then(text_of);
        request.exchange.subject = subject.map(|text| part_of(&request.body, &text));
        let passed_on = RequestMeta::read(params.meta).map_err(invalid)?;
        self.start(request, params, meta, |backend, context, back| {
            let forwarded = ForwardedRequest {
                method,
                params: raw.map(ToOwned::to_owned),
                meta: passed_on,
                back,
            };
            backend.forward(context, forwarded)
        })
    }

    /// Starts a call or a forwarded request in the backend, or continues a suspended call.
    fn start(
        self: &Arc<Self>,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
        run: impl FnOnce(
            Arc<dyn GatewayBackend>,
            Arc<GatewayRequestContext>,
            ResponseChannels,
        ) -> GatewayResultFuture,
    ) -> Result<Dispatch, GatewayError> {
        if let Some(state) = params.request_state.filter(|_| request.is_modern()) {
            return self.resume(request, state, params, meta);
        }
        let (back, mut in_flight) = self.open_channels(request, params, meta);
        let guard = register(request, &back.cancel);
        let backend = Arc::clone(&self.backend);
        let context = Arc::clone(&request.exchange.context);
        in_flight.start(run(backend, context, back), guard);
        Ok(Dispatch::InFlight(in_flight))
    }
}

/// Registers a running request with its session, so that it can be cancelled by its id.
pub(super) fn register(
    request: &GatewayRequest,
    cancel: &CancellationToken,
) -> Option<InFlightGuard> {
    let session = request.session.as_ref()?;
    Some(session.register(request.id.clone(), cancel.clone()))
}
