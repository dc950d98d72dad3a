//! Features of 2026-07-28 only: no handshake, every request carries client and version, and a
//! result can request missing input.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use guild_model::ToolName;
use http::{HeaderMap, HeaderName};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use guild_mcp_client::mirrored_headers;

use super::answer::{Fitted, code};
use super::directory::GatewayError;
use super::door::{GatewayServer, VERSION, only};
use super::flight::Flight;
use super::outline::{Meta, RequestParams, takes, text_of};
use super::parked::Parked;
use super::post::part_of;
use super::questions::{EarlyInputResponses, Put, reply};
use super::request::{Course, GatewayRequest};
use super::version::{MODERN, SUPPORTED};

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Compares the version, the method and the name in the body with the headers.
pub(super) fn check(
    headers: &HeaderMap,
    method: &str,
    params: &RequestParams<'_>,
    meta: &Meta<'_>,
) -> Result<(), GatewayError> {
    let mismatch = |why: String| GatewayError::new(code::HEADER_MISMATCH, why);
    let header = |name: &HeaderName| match only(headers, name) {
        Ok(Some(value)) => match value.to_str() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(mismatch(format!("{name} is not plain text."))),
        },
        Ok(None) => Ok(None),
        Err(_) => Err(mismatch(format!("Duplicate {name}."))),
    };
    let said = header(&VERSION)?;
    let Some(version) = meta.version.and_then(text_of) else {
        return Err(missing("io.modelcontextprotocol/protocolVersion"));
    };
    match said {
        None => return Err(mismatch("MCP-Protocol-Version is missing.".into())),
        Some(said) if said != version => {
            return Err(mismatch(
                "MCP-Protocol-Version and the version in _meta differ.".into(),
            ));
        }
        Some(_) => {}
    }
    if version != MODERN {
        return Err(unsupported(&version));
    }
    if takes(meta.capabilities).is_none() {
        return Err(missing("io.modelcontextprotocol/clientCapabilities"));
    }
    match header(&METHOD)? {
        None => return Err(mismatch("Mcp-Method is missing.".into())),
        Some(said) if said != method => {
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
    let said = header(&NAME)?.ok_or_else(|| mismatch("Mcp-Name is missing.".into()))?;
    match decoded(said) {
        Some(said) if said == subject => Ok(()),
        Some(_) => Err(mismatch("Mcp-Name and the body differ.".into())),
        None => Err(mismatch("Mcp-Name is not valid Base64.".into())),
    }
}

fn missing(field: &str) -> GatewayError {
    let why = format!("_meta has no valid {field}.");
    GatewayError::new(GatewayError::INVALID_PARAMS, why)
}

/// Returns the error for an unsupported version.
pub(super) fn unsupported(version: &str) -> GatewayError {
    let shown: String = version.chars().take(40).collect();
    GatewayError {
        code: code::UNSUPPORTED_VERSION,
        message: "Unsupported protocol version".into(),
        data: Some(format!(
            r#"{{"supported":{SUPPORTED},"requested":{}}}"#,
            Value::from(shown)
        )),
    }
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
        asked: &GatewayRequest,
        meta: &Meta<'_>,
    ) -> Result<Fitted, GatewayError> {
        let endpoint = &asked.told.visit.endpoint;
        let face = self
            .directory
            .face(endpoint)
            .ok_or_else(|| GatewayError::new(GatewayError::INTERNAL, "The endpoint is gone."))?;
        let mut result = json!({
            "resultType": "complete",
            "supportedVersions": serde_json::from_str::<Value>(SUPPORTED).unwrap_or_default(),
            "capabilities": super::legacy::capabilities(&face, meta.capabilities),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": super::legacy::server_info(&face)},
        });
        if let (Value::Object(result), Some(instructions)) = (&mut result, face.instructions) {
            result.insert("instructions".into(), instructions.into());
        }
        Ok(Bytes::from(result.to_string()).into())
    }

    /// Checks a call's arguments that are repeated in headers. A client with only a stub of the
    /// tool does not know these headers, so a missing header is then not an error.
    pub(super) fn check_mirrored(
        &self,
        asked: &GatewayRequest,
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
        let all = self.directory.mirrors(&asked.told.visit, &name);
        if !all && !headers.keys().any(any) {
            return Ok(());
        }
        let tool = self.directory.describe(&asked.told.visit, &name).ok();
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
            let said = only(headers, name).ok().flatten();
            let said = said.and_then(|said| decoded(said.to_str().ok()?));
            if said.is_none() || said != value {
                return mismatch(name);
            }
        }
        Ok(())
    }

    /// Suspends a call until the agent's next request, and returns a result with the open
    /// questions.
    pub(super) fn park(
        &self,
        asked: &GatewayRequest,
        flight: Flight,
        mut questions: Vec<Put>,
    ) -> Result<Fitted, GatewayError> {
        if let Some(more) = flight.questions() {
            questions.extend(more.further());
        }
        let requests: Map<String, Value> = questions
            .iter()
            .map(|put| {
                let request = json!({"method": "elicitation/create", "params": put.params});
                (put.key.clone(), request)
            })
            .collect();
        let visit = &asked.told.visit;
        let state = self.parking.park(Parked {
            flight,
            client: visit.client.id.clone(),
            calls_itself: Arc::clone(&visit.calls_itself),
            revoked: visit.client.revoked.clone(),
            endpoint: visit.endpoint.clone(),
            // Copied, since a slice would keep the request's whole body in memory.
            method: Bytes::copy_from_slice(&asked.told.method),
            subject: asked.told.subject.as_deref().map(Bytes::copy_from_slice),
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

    /// Continues the parked call that a `requestState` names, with the answers of this request.
    pub(super) fn resume(
        self: &Arc<Self>,
        asked: &mut GatewayRequest,
        state: &RawValue,
        params: &RequestParams<'_>,
        meta: &Meta<'_>,
    ) -> Course {
        let visit = &asked.told.visit;
        let parked = text_of(state).and_then(|state| {
            self.parking.take(
                &state,
                visit.client.id.as_ref(),
                &visit.endpoint,
                &asked.told.method,
                asked.told.subject.as_deref(),
            )
        });
        let Some(parked) = parked else {
            return Course::Answer(Err(GatewayError::new(
                GatewayError::INVALID_PARAMS,
                "Unknown requestState; call again without it.",
            )));
        };
        let responses: InputResponses<'_> = params
            .input_responses
            .and_then(|responses| serde_json::from_str(responses.get()).ok())
            .unwrap_or(InputResponses(std::collections::HashMap::new()));
        let mut open = Vec::new();
        for put in parked.questions {
            // An invalid answer leaves its question open.
            let response = responses.0.get(put.key.as_str());
            match response.filter(|response| reply(response).is_some()) {
                Some(response) => {
                    if let Some(questions) = parked.flight.questions() {
                        questions.answer(put.number, Some(response));
                    }
                }
                None => open.push(put),
            }
        }
        if !open.is_empty() {
            return Course::Answer(self.park(asked, parked.flight, open));
        }
        asked.progress = meta
            .token()
            .filter(|_| asked.takes.events)
            .map(|token| part_of(&asked.body, token));
        Course::Flight(parked.flight)
    }
}

/// Returns a request's answers to questions that were not asked yet.
pub(super) fn given(params: &RequestParams<'_>) -> EarlyInputResponses {
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
