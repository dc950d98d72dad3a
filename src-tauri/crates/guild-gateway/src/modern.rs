//! Features of 2026-07-28 only: no handshake, client and version in every request, and results that
//! request missing input.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use guild_model::ToolName;
use guild_model::protocol::ProtocolVersion;
use http::{HeaderMap, HeaderName};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use guild_mcp_client::mirrored_headers;

use super::answer::{Adapted, code};
use super::backend::GatewayError;
use super::elicitation::{EarlyInputResponses, SentQuestion, reply};
use super::envelope::{Meta, RequestParams, elicitation_modes, text_of};
use super::in_flight::InFlight;
use super::post::part_of;
use super::request::{Dispatch, GatewayRequest, invalid};
use super::server::{GatewayServer, VERSION, single_header};
use super::suspended::SuspendedCall;

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Checks that the version, the method and the name in the body match the headers.
pub(super) fn check(
    headers: &HeaderMap,
    method: &str,
    params: &RequestParams<'_>,
    meta: &Meta<'_>,
) -> Result<(), GatewayError> {
    let mismatch = |why: String| GatewayError::new(code::HEADER_MISMATCH, why);
    let header = |name: &HeaderName| match single_header(headers, name) {
        Ok(Some(value)) => match value.to_str() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(mismatch(format!("{name} is not plain text."))),
        },
        Ok(None) => Ok(None),
        Err(_) => Err(mismatch(format!("Duplicate {name}."))),
    };
    let version_header = header(&VERSION)?;
    let Some(version) = meta.version.and_then(text_of) else {
        return Err(missing("io.modelcontextprotocol/protocolVersion"));
    };
    match version_header {
        None => return Err(mismatch("MCP-Protocol-Version is missing.".into())),
        Some(value) if value != version => {
            return Err(mismatch(
                "MCP-Protocol-Version and the version in _meta differ.".into(),
            ));
        }
        Some(_) => {}
    }
    if ProtocolVersion::parse(&version) != Some(ProtocolVersion::V2026_07_28) {
        return Err(unsupported(&version));
    }
    if elicitation_modes(meta.capabilities).is_none() {
        return Err(missing("io.modelcontextprotocol/clientCapabilities"));
    }
    match header(&METHOD)? {
        None => return Err(mismatch("Mcp-Method is missing.".into())),
        Some(value) if value != method => {
            return Err(mismatch("Mcp-Method and the body's method differ.".into()));
        }
        Some(_) => {}
    }
    let subject = match method {
        "tools/call" | "prompts/get" => params.name,
        "resources/read" => params.uri,
        _ => None,
    };
    let Some(subject) = subject.and_then(text_of) else {
        return Ok(());
    };
    let name_header = header(&NAME)?.ok_or_else(|| mismatch("Mcp-Name is missing.".into()))?;
    match decoded(name_header) {
        Some(name) if name == subject => Ok(()),
        Some(_) => Err(mismatch("Mcp-Name and the body differ.".into())),
        None => Err(mismatch("Mcp-Name is not valid Base64.".into())),
    }
}

fn missing(field: &str) -> GatewayError {
    invalid(format!("_meta has no valid {field}."))
}

/// Returns the error for an unsupported version.
pub(super) fn unsupported(version: &str) -> GatewayError {
    let shown: String = version.chars().take(40).collect();
    GatewayError {
        code: code::UNSUPPORTED_VERSION,
        message: "Unsupported protocol version".into(),
        data: Some(format!(
            r#"{{"supported":{},"requested":{}}}"#,
            supported_versions(),
            Value::from(shown)
        )),
    }
}

/// Returns the supported versions, the newest first.
fn supported_versions() -> Value {
    let versions = ProtocolVersion::ALL.into_iter().rev();
    versions.map(ProtocolVersion::as_str).collect()
}

/// Decodes a header's value, which may be wrapped as `=?base64?…?=`.
fn decoded(value: &str) -> Option<String> {
    let wrapped = value
        .strip_prefix("=?base64?")
        .and_then(|inner| inner.strip_suffix("?="));
    match wrapped {
        Some(inner) => String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

#[derive(Deserialize)]
struct ToolInputSchema {
    #[serde(rename = "inputSchema")]
    input_schema: Value,
}

#[derive(Deserialize)]
struct InputResponses<'a>(
    #[serde(borrow)] std::collections::HashMap<std::borrow::Cow<'a, str>, &'a RawValue>,
);

impl GatewayServer {
    /// Handles `server/discover`.
    pub(super) fn discover(
        &self,
        request: &GatewayRequest,
        meta: &Meta<'_>,
    ) -> Result<Adapted, GatewayError> {
        let endpoint = &request.exchange.context.endpoint;
        let info = self
            .backend
            .info(endpoint)
            .ok_or_else(|| GatewayError::new(GatewayError::INTERNAL, "The endpoint is gone."))?;
        let mut result = json!({
            "resultType": "complete",
            "supportedVersions": supported_versions(),
            "capabilities": super::legacy::capabilities(&info, meta.capabilities),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": super::legacy::server_info(&info)},
        });
        if let (Value::Object(result), Some(instructions)) = (&mut result, info.instructions) {
            result.insert("instructions".into(), instructions.into());
        }
        Ok(Bytes::from(result.to_string()).into())
    }

    /// Checks the headers that repeat a call's arguments. A client that only has a stub of the tool
    /// does not know which headers are required, so that client may omit them.
    pub(super) fn check_mirrored(
        &self,
        request: &GatewayRequest,
        headers: &HeaderMap,
        method: &str,
        params: &RequestParams<'_>,
    ) -> Result<(), GatewayError> {
        const PREFIX: &str = "mcp-param-";
        let any = |name: &HeaderName| name.as_str().starts_with(PREFIX);
        if method != "tools/call" {
            return Ok(());
        }
        let Some(name) = params.name.and_then(text_of) else {
            return Ok(());
        };
        let all = self
            .backend
            .requires_headers(&request.exchange.context, &name);
        if !all && !headers.keys().any(any) {
            return Ok(());
        }
        let tool = self.backend.describe(&request.exchange.context, &name).ok();
        let tool = tool.and_then(|tool| serde_json::from_slice::<ToolInputSchema>(&tool).ok());
        let (Some(ToolInputSchema { input_schema }), Ok(name)) = (tool, ToolName::parse(&name))
        else {
            return Ok(());
        };
        let arguments = params
            .arguments
            .and_then(|arguments| serde_json::from_str(arguments.get()).ok())
            .unwrap_or_default();
        let expected = mirrored_headers(&name, Some(&input_schema), &arguments);
        let mismatch = |name: &HeaderName| {
            let why = format!("{name} and the arguments in the body differ.");
            Err(GatewayError::new(code::HEADER_MISMATCH, why))
        };
        let has = |name: &str| {
            headers
                .keys()
                .any(|it| name.eq_ignore_ascii_case(it.as_str()))
        };
        let missing = expected
            .iter()
            .find(|(name, _)| *name != "Mcp-Name" && !has(name));
        if let Some((name, _)) = missing.filter(|_| all) {
            let why = format!("{name} is missing: the tool requires this argument as a header.");
            return Err(GatewayError::new(code::HEADER_MISMATCH, why));
        }
        for name in headers.keys().filter(|name| any(name)) {
            let value = expected
                .iter()
                .find(|(expected, _)| expected.eq_ignore_ascii_case(name.as_str()))
                .and_then(|(_, value)| decoded(value));
            let header = single_header(headers, name).ok().flatten();
            let header = header.and_then(|header| decoded(header.to_str().ok()?));
            if header.is_none() || header != value {
                return mismatch(name);
            }
        }
        Ok(())
    }

    /// Suspends a call until the agent's next request, and returns a result with the open
    /// questions.
    pub(super) fn suspend(
        &self,
        request: &GatewayRequest,
        in_flight: InFlight,
        mut questions: Vec<SentQuestion>,
    ) -> Result<Adapted, GatewayError> {
        if let Some(more) = in_flight.questions() {
            questions.extend(more.further());
        }
        let requests: Map<String, Value> = questions
            .iter()
            .map(|question| {
                let create = json!({"method": "elicitation/create", "params": question.params});
                (question.key.clone(), create)
            })
            .collect();
        let context = &request.exchange.context;
        let state = self.suspended.suspend(SuspendedCall {
            in_flight,
            client: context.client.id.clone(),
            calls_itself: Arc::clone(&context.calls_itself),
            revoked: context.client.revoked.clone(),
            endpoint: context.endpoint.clone(),
            // Copied, because a slice would keep the whole body of the request in memory.
            method: Bytes::copy_from_slice(&request.exchange.method),
            subject: request
                .exchange
                .subject
                .as_deref()
                .map(Bytes::copy_from_slice),
            questions,
        });
        let Some(state) = state else {
            return Err(GatewayError::new(
                GatewayError::INTERNAL,
                "Too many calls wait for a person's answer.",
            ));
        };
        let result = json!({
            "resultType": "input_required",
            "inputRequests": requests,
            "requestState": state,
        });
        Ok(Bytes::from(result.to_string()).into())
    }

    /// Continues the suspended call that a `requestState` names, with the answers of this request.
    pub(super) fn resume(
        self: &Arc<Self>,
        request: &mut GatewayRequest,
        state: &RawValue,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let context = &request.exchange.context;
        let call = text_of(state).and_then(|state| {
            self.suspended.take(
                &state,
                context.client.id.as_ref(),
                &context.endpoint,
                &request.exchange.method,
                request.exchange.subject.as_deref(),
            )
        });
        let Some(call) = call else {
            return Err(invalid("Unknown requestState; call again without it."));
        };
        let responses: InputResponses<'_> = params
            .input_responses
            .and_then(|responses| serde_json::from_str(responses.get()).ok())
            .unwrap_or(InputResponses(std::collections::HashMap::new()));
        let mut open = Vec::new();
        for question in call.questions {
            // An invalid answer leaves its question open.
            let response = responses.0.get(question.key.as_str());
            match response.filter(|response| reply(response).is_some()) {
                Some(response) => {
                    if let Some(questions) = call.in_flight.questions() {
                        questions.answer(question.number, Some(response));
                    }
                }
                None => open.push(question),
            }
        }
        if !open.is_empty() {
            let suspended = self.suspend(request, call.in_flight, open);
            return suspended.map(Dispatch::Answer);
        }
        request.progress = meta
            .token()
            .filter(|_| request.formats.events)
            .map(|token| part_of(&request.body, token));
        Ok(Dispatch::InFlight(call.in_flight))
    }
}

/// Returns a request's answers to questions that were not asked yet.
pub(super) fn early_responses(params: &RequestParams<'_>) -> EarlyInputResponses {
    const GIVEN_MAX: usize = 64;
    let responses = params
        .input_responses
        .filter(|_| params.request_state.is_none())
        .and_then(|responses| serde_json::from_str::<InputResponses<'_>>(responses.get()).ok());
    let responses = responses.map(|responses| responses.0).unwrap_or_default();
    responses
        .into_iter()
        .take(GIVEN_MAX)
        .map(|(key, response)| (key.into_owned(), response.to_owned()))
        .collect()
}
