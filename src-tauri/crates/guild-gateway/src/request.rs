//! Handles one request, for all versions.

use std::sync::Arc;

use bytes::Bytes;
use guild_model::endpoint::Listing;
use http::{Response, StatusCode};
use serde_json::value::RawValue;

use super::answer::{
    Fitted, GatewayResponseBody, Responder, code, error_text, quoted, result_parts,
};
use super::directory::{AgentCall, GatewayError, GatewayRequestContext, PASSED_ON, PassedOn};
use super::door::GatewayServer;
use super::fit::fit;
use super::flight::Flight;
use super::modern::given;
use super::outline::{Meta, RequestParams, takes, text_of};
use super::post::part_of;
use super::questions::{CallElicitations, EarlyInputResponses};
use super::security;
use super::seen::ExchangeMeta;
use super::session::GatewaySession;
use super::version::RequestVersion;
use guild_mcp_client::{Hearing as _, Level};

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
    /// Data for the traffic view.
    pub(super) told: ExchangeMeta,
    /// The id in its original text.
    pub(super) id: Bytes,
    /// The request's protocol version.
    pub(super) era: RequestVersion,
    /// The formats that the client accepts for the answer.
    pub(super) takes: security::ResponseFormats,
    pub(super) session: Option<Arc<GatewaySession>>,
    /// Token for progress notifications.
    pub(super) progress: Option<Bytes>,
    /// Sends the answer.
    pub(super) responder: Responder,
}

/// The next step after a request was read.
pub(super) enum Course {
    Answer(Result<Fitted, GatewayError>),
    /// A member answers the request.
    Flight(Flight),
}

impl GatewayRequest {
    pub(super) fn method(&self) -> &str {
        std::str::from_utf8(&self.told.method).unwrap_or_default()
    }

    /// Returns the answer as JSON-RPC text.
    pub(super) fn parts(&self, answer: Result<Fitted, GatewayError>) -> [Bytes; 3] {
        match answer {
            Ok(result) => result_parts(&self.id, result),
            Err(refusal) => {
                let refusal = self.in_its_version(refusal);
                [
                    error_text(Some(&self.id), &refusal, false),
                    Bytes::new(),
                    Bytes::new(),
                ]
            }
        }
    }

    fn in_its_version(&self, mut refusal: GatewayError) -> GatewayError {
        if self.era.is_modern() && refusal.code == code::NO_RESOURCE {
            refusal.code = GatewayError::INVALID_PARAMS;
        }
        refusal
    }

    /// Adapts a member's answer to this version and reports it to the traffic view.
    pub(super) fn settle(
        &self,
        answer: Result<Bytes, GatewayError>,
    ) -> Result<Fitted, GatewayError> {
        let exchange = self.told.clone().answered(&answer);
        self.responder.0.keep(exchange);
        answer.map(|result| fit(result, self.era.is_modern(), self.method()))
    }

    /// Returns the HTTP response with an answer.
    pub(super) fn respond(
        &self,
        answer: Result<Fitted, GatewayError>,
    ) -> Response<GatewayResponseBody> {
        let status = match &answer {
            Err(refusal) if self.era.is_modern() => match refusal.code {
                code::UNSUPPORTED_VERSION | code::MISSING_CAPABILITY | code::HEADER_MISMATCH => {
                    StatusCode::BAD_REQUEST
                }
                GatewayError::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                _ => StatusCode::OK,
            },
            _ => StatusCode::OK,
        };
        let parts = self.parts(answer);
        if self.takes.json || status != StatusCode::OK {
            self.responder.json(status, parts)
        } else {
            self.responder.one_event(&parts)
        }
    }
}

pub(super) fn invalid(why: impl Into<String>) -> GatewayError {
    GatewayError::new(GatewayError::INVALID_PARAMS, why)
}

impl GatewayServer {
    /// Answers a request, or starts a member's answer to it.
    pub(super) fn begin(
        self: &Arc<Self>,
        asked: &mut GatewayRequest,
        raw: Option<&RawValue>,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Course {
        let modern = asked.era.is_modern();
        let method = asked.told.method.clone();
        let method = std::str::from_utf8(&method).unwrap_or_default();
        if modern && LEGACY_ONLY.contains(&method) {
            return self.unknown(asked, method);
        }
        let visit = &asked.told.visit;
        let result = match method {
            "ping" => Ok("{}".into()),
            "tools/list" => self.list(visit, params, modern),
            "tools/describe" => self.describe(asked, params),
            "tools/describe_batch" => self.describe_batch(asked, params),
            "tools/call" => return self.call(asked, params, meta),
            "server/discover" if modern => self.discover(asked, meta),
            "resources/subscribe" => return self.watch(asked, params),
            "resources/unsubscribe" => return self.unwatch(asked, params),
            "logging/setLevel" => return self.set_level(asked, raw),
            _ => match PASSED_ON.into_iter().find(|known| *known == method) {
                Some(known) => return self.pass_on(asked, known, raw, params, meta),
                None => return self.unknown(asked, method),
            },
        };
        let seen = match &result {
            Ok(fitted) => Ok(fitted.rest.clone()),
            Err(refusal) => Err(refusal.clone()),
        };
        let exchange = asked.told.clone().answered(&seen);
        asked.responder.0.keep(exchange);
        Course::Answer(result)
    }

    fn unknown(&self, asked: &GatewayRequest, method: &str) -> Course {
        let shown: String = method.chars().take(80).collect();
        let refusal = GatewayError::new(
            GatewayError::METHOD_NOT_FOUND,
            format!("Unknown method {shown:?}."),
        );
        let exchange = asked.told.clone().answered(&Err(refusal.clone()));
        asked.responder.0.keep(exchange);
        Course::Answer(Err(refusal))
    }

    fn list(
        &self,
        visit: &Arc<GatewayRequestContext>,
        params: &RequestParams<'_>,
        modern: bool,
    ) -> Result<Fitted, GatewayError> {
        if params.cursor.is_some() {
            return Err(invalid("Unknown cursor; the list has one page."));
        }
        let listed = match params.lazy.map(RawValue::get) {
            None => self.directory.tools(visit)?,
            Some(lazy) => {
                let listing = match lazy {
                    "true" => Listing::Lazy,
                    "false" => Listing::Full,
                    _ => return Err(invalid("lazy is true or false.")),
                };
                let visit = GatewayRequestContext {
                    listing: Some(listing),
                    ..GatewayRequestContext::clone(visit)
                };
                self.directory.tools(&visit)?
            }
        };
        let lead = if modern {
            let ttl = listed.ttl.as_millis();
            format!(r#"{{"resultType":"complete","ttlMs":{ttl},"cacheScope":"private","tools":"#)
                .into()
        } else {
            r#"{"tools":"#.into()
        };
        Ok(Fitted {
            lead,
            rest: listed.tools,
            tail: "}",
        })
    }

    fn describe(
        &self,
        asked: &mut GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Fitted, GatewayError> {
        let name = params.name.and_then(text_of);
        let name = name.ok_or_else(|| invalid("name, a text, is missing."))?;
        asked.told.subject = Some(part_of(&asked.body, &name));
        let rest = self.directory.describe(&asked.told.visit, &name)?;
        Ok(Fitted {
            lead: if asked.era.is_modern() {
                r#"{"resultType":"complete","tool":"#.into()
            } else {
                r#"{"tool":"#.into()
            },
            rest,
            tail: "}",
        })
    }

    /// Describes several tools. A missing one is an error for that entry only.
    fn describe_batch(
        &self,
        asked: &GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Fitted, GatewayError> {
        let names: Vec<String> = params
            .names
            .and_then(|names| serde_json::from_str(names.get()).ok())
            .ok_or_else(|| invalid("names, a list of texts, is missing."))?;
        if names.len() > DESCRIBED_MAX {
            let why = format!(
                "names has {}; at most {DESCRIBED_MAX} are described at once.",
                names.len()
            );
            return Err(invalid(why));
        }
        let mut text = String::from(if asked.era.is_modern() {
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
                self.directory.describe(&asked.told.visit, name)
            } else {
                let why = "The answer is too large already; ask for this one alone.";
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

    /// Creates the channels to the agent, and the flight that holds the gateway's ends.
    fn take_off(
        &self,
        asked: &mut GatewayRequest,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> (super::directory::WayBack, Flight) {
        let modern = asked.era.is_modern();
        asked.progress = meta
            .token()
            .filter(|_| asked.takes.events)
            .map(|token| part_of(&asked.body, token));
        let taken = match &asked.session {
            _ if modern => takes(meta.capabilities).unwrap_or_default(),
            // The question is sent on this answer's stream, and its answer arrives over the
            // session.
            Some(session) if asked.takes.events => session.takes,
            _ => super::outline::ElicitationModes::default(),
        };
        let level = match &asked.session {
            _ if modern => meta
                .log_level
                .and_then(text_of)
                .and_then(|it| Level::parse(&it)),
            Some(session) => session.ear.level(),
            None => None,
        };
        // Up to 2025-11-25 a server may choose its log level if the client set none.
        let hears = asked.takes.events && (!modern || level.is_some());
        let given = if modern {
            given(params)
        } else {
            EarlyInputResponses::new()
        };
        let questions = (taken.any() || hears).then(|| {
            let questions = CallElicitations::new(taken, self.options.answer_limit, level, given);
            (questions, taken.any(), hears)
        });
        let revoked = &asked.told.visit.client.revoked;
        Flight::begin(revoked, asked.progress.is_some(), questions)
    }

    fn call(
        self: &Arc<Self>,
        asked: &mut GatewayRequest,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Course {
        let Some(name) = params.name.and_then(text_of) else {
            return Course::Answer(Err(invalid("name, a text, is missing.")));
        };
        let arguments = match params.arguments {
            Some(arguments) if !arguments.get().starts_with('{') => {
                return Course::Answer(Err(invalid("arguments is not an object.")));
            }
            arguments => arguments.map(ToOwned::to_owned),
        };
        asked.told.subject = Some(part_of(&asked.body, &name));
        if let Some(state) = params.request_state.filter(|_| asked.era.is_modern()) {
            return self.resume(asked, state, params, meta);
        }
        let (back, mut flight) = self.take_off(asked, params, meta);
        let flying = fly(asked, &back.cancel);
        let call = AgentCall {
            name: name.into_owned(),
            arguments,
            back,
        };
        let (directory, visit) = (Arc::clone(&self.directory), Arc::clone(&asked.told.visit));
        flight.send(directory.call(visit, call), flying);
        Course::Flight(flight)
    }

    fn pass_on(
        self: &Arc<Self>,
        asked: &mut GatewayRequest,
        method: &'static str,
        raw: Option<&RawValue>,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Course {
        let subject = params.name.or(params.uri).and_then(text_of);
        asked.told.subject = subject.map(|text| part_of(&asked.body, &text));
        if let Some(state) = params.request_state.filter(|_| asked.era.is_modern()) {
            return self.resume(asked, state, params, meta);
        }
        let (back, mut flight) = self.take_off(asked, params, meta);
        let flying = fly(asked, &back.cancel);
        let request = PassedOn {
            method,
            params: raw.map(ToOwned::to_owned),
            back,
        };
        let (directory, visit) = (Arc::clone(&self.directory), Arc::clone(&asked.told.visit));
        flight.send(directory.pass_on(visit, request), flying);
        Course::Flight(flight)
    }
}

/// Registers a session's request, so that it can be cancelled by its id.
pub(super) fn fly(
    asked: &GatewayRequest,
    cancel: &tokio_util::sync::CancellationToken,
) -> Option<super::session::Flying> {
    let session = asked.session.as_ref()?;
    Some(session.fly(asked.id.clone(), cancel.clone()))
}
