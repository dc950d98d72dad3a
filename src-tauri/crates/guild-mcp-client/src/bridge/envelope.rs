//! Parses the parts of a message that the proxy needs.

use std::borrow::Cow;

use guild_model::tool::ToolSpec;
use http::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::gateway_client::RequestHeaders;
use crate::header_params::{HeaderParams, encoded};
use crate::raw_requests::RawResponse;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CANCELLED: &str = "notifications/cancelled";

#[derive(Debug)]
pub(super) struct BridgeEnvelope {
    pub(super) kind: BridgeMessageKind,
    /// The HTTP headers of a modern message. `None` for a legacy message.
    pub(super) headers: Option<RequestHeaders>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum BridgeMessageKind {
    /// A request, with its id as JSON text.
    Request {
        id: String,
        method: String,
    },
    Cancel {
        id: String,
    },
    /// A batch with the ids of its requests as JSON text (2025-03-26).
    Batch {
        ids: Vec<String>,
    },
    /// A notification, an answer, or a batch of these.
    Other,
}

#[derive(Deserialize)]
struct EnvelopeFields<'m> {
    #[serde(borrow, default)]
    id: Option<&'m RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'m, str>>,
    #[serde(borrow, default)]
    params: Option<&'m RawValue>,
}

#[derive(Deserialize, Default)]
struct BridgeMessageParams<'m> {
    #[serde(borrow, default, rename = "requestId")]
    request_id: Option<&'m RawValue>,
    #[serde(borrow, default)]
    name: Option<&'m RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'m RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'m RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BridgeInitializeResult {
    protocol_version: String,
}

impl BridgeEnvelope {
    /// Parses a message from the program.
    pub(super) fn read(line: &[u8], header_params: &HeaderParams) -> Result<Self, String> {
        let problem = |error: serde_json::Error| format!("the message is not JSON-RPC: {error}");
        if line.starts_with(b"[") {
            let messages: Vec<&RawValue> = serde_json::from_slice(line).map_err(problem)?;
            let asks = |message: &&RawValue| {
                let written: EnvelopeFields<'_> = serde_json::from_str(message.get()).ok()?;
                written.method?;
                Some(written.id?.get().to_owned()).filter(|id| id != "null")
            };
            let ids: Vec<String> = messages.iter().filter_map(asks).collect();
            let kind = match ids.is_empty() {
                true => BridgeMessageKind::Other,
                false => BridgeMessageKind::Batch { ids },
            };
            return Ok(Self {
                kind,
                headers: None,
            });
        }
        let written: EnvelopeFields<'_> = serde_json::from_slice(line).map_err(problem)?;
        let id = written.id.filter(|id| id.get() != "null");
        let Some(method) = written.method else {
            return Ok(Self {
                kind: BridgeMessageKind::Other,
                headers: None,
            });
        };
        let params: BridgeMessageParams<'_> = written
            .params
            .and_then(|params| serde_json::from_str(params.get()).ok())
            .unwrap_or_default();
        let kind = match (id, params.request_id) {
            (Some(id), _) => BridgeMessageKind::Request {
                id: id.get().to_owned(),
                method: method.clone().into_owned(),
            },
            (None, Some(id)) if method == CANCELLED => BridgeMessageKind::Cancel {
                id: id.get().to_owned(),
            },
            (None, _) => BridgeMessageKind::Other,
        };
        let headers = modern_version(params.meta).map(|version| {
            let name = match &*method {
                "tools/call" | "prompts/get" => params.name,
                "resources/read" => params.uri,
                _ => None,
            };
            RequestHeaders {
                session: None,
                version: Some(version),
                method: header(&Value::from(&*method)),
                name: name
                    .and_then(|name| serde_json::from_str::<Value>(name.get()).ok())
                    .and_then(|name| header(&name)),
                mirrored: match &*method {
                    "tools/call" => mirrored(header_params, &params),
                    _ => Vec::new(),
                },
            }
        });
        Ok(Self { kind, headers })
    }
}

fn mirrored(
    header_params: &HeaderParams,
    params: &BridgeMessageParams<'_>,
) -> Vec<(HeaderName, HeaderValue)> {
    let name = params.name.map(RawValue::get);
    let Some(name) = name.and_then(|name| serde_json::from_str::<String>(name).ok()) else {
        return Vec::new();
    };
    let arguments = || serde_json::from_str(params.arguments?.get()).ok();
    header_params.of_call(&name, arguments)
}

/// Records which arguments of tools must be repeated in headers, from the answer to `tools/list`.
pub(super) fn learn(header_params: &HeaderParams, answer: &str) {
    #[derive(Deserialize)]
    struct ToolsListResponse {
        result: Tools,
    }
    #[derive(Deserialize)]
    struct Tools {
        tools: Vec<Value>,
    }
    // A list without header parameters is not parsed, since it may be long.
    let tools = match answer.contains("x-mcp-header") {
        true => serde_json::from_str(answer)
            .map_or(vec![], |listed: ToolsListResponse| listed.result.tools),
        false => vec![],
    };
    let specs = tools
        .into_iter()
        .filter_map(|tool| ToolSpec::from_raw(tool).ok());
    // A tool with an invalid declaration has no header parameters. The program receives the list
    // unchanged.
    header_params.learn(specs.collect(), &mut vec![]);
}

/// Returns the protocol version in the `_meta` of a modern message. `None` for a legacy message.
fn modern_version(meta: Option<&RawValue>) -> Option<HeaderValue> {
    let meta: Value = serde_json::from_str(meta?.get()).ok()?;
    HeaderValue::from_str(meta.get(VERSION_KEY)?.as_str()?).ok()
}

fn header(value: &Value) -> Option<HeaderValue> {
    HeaderValue::try_from(encoded(value)?).ok()
}

/// Whether a message from the gateway answers the request with this id.
pub(super) fn answers(message: &str, id: &str) -> bool {
    serde_json::from_str::<RawResponse<'_>>(message).is_ok_and(|answer| {
        answer.method.is_none()
            && (answer.result.is_some() || answer.error.is_some())
            && answer.id.is_some_and(|answered| same(answered.get(), id))
    })
}

/// Returns those of the `ids` that a message from the gateway answers. The message may be a batch.
pub(super) fn answered(message: &str, ids: &[String]) -> Vec<String> {
    let one = |message: &str| {
        ids.iter()
            .filter(|id| answers(message, id))
            .cloned()
            .collect()
    };
    if !message.trim_start().starts_with('[') {
        return one(message);
    }
    let messages: Vec<&RawValue> = serde_json::from_str(message).unwrap_or_default();
    let answered = messages
        .iter()
        .flat_map(|message| -> Vec<String> { one(message.get()) });
    answered.collect()
}

/// Whether two ids are equal as JSON values, regardless of escapes.
fn same(one: &str, other: &str) -> bool {
    let read = |id: &str| serde_json::from_str::<Value>(id).ok();
    one == other || (read(one).is_some() && read(one) == read(other))
}

/// Returns the protocol version in the answer to `initialize`.
pub(super) fn agreed_version(message: &str) -> Option<HeaderValue> {
    let answer: RawResponse<'_> = serde_json::from_str(message).ok()?;
    let opened: BridgeInitializeResult = serde_json::from_str(answer.result?.get()).ok()?;
    HeaderValue::try_from(opened.protocol_version).ok()
}

/// Converts the body of a response with an error status to an answer to the request with this id.
pub(super) fn error_for(body: &[u8], id: &str) -> Option<String> {
    let mut message: Value = serde_json::from_slice(body).ok()?;
    message.get("error").filter(|error| error.is_object())?;
    message["id"] = serde_json::from_str(id).ok()?;
    Some(message.to_string())
}

/// Returns a JSON-RPC error of the proxy itself.
pub(super) fn refusal(id: &str, code: i64, message: &str) -> String {
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> BridgeMessageKind {
        let read = BridgeEnvelope::read(line.as_bytes(), &HeaderParams::default());
        read.expect("a message").kind
    }

    #[test]
    fn messages_are_told_apart_by_id_and_method() {
        let request = |id: &str| BridgeMessageKind::Request {
            id: id.into(),
            method: "ping".into(),
        };
        assert_eq!(kind(r#"{"id":1,"method":"ping"}"#), request("1"));
        assert_eq!(
            kind(r#"{"method":"p\u0069ng","id":"\"a"}"#),
            request(r#""\"a""#)
        );
        assert_eq!(
            kind(r#"{"method":"notifications/initialized"}"#),
            BridgeMessageKind::Other
        );
        assert_eq!(kind(r#"{"id":1,"result":{}}"#), BridgeMessageKind::Other);
        assert_eq!(
            kind(r#"[{"id":1,"method":"ping"},{"method":"x"},{"id":"b","method":"y"}]"#),
            BridgeMessageKind::Batch {
                ids: vec!["1".into(), "\"b\"".into()]
            }
        );
        assert_eq!(
            kind(r#"[{"id":1,"result":{}},{"method":"x"}]"#),
            BridgeMessageKind::Other
        );
        assert_eq!(
            kind(r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#),
            BridgeMessageKind::Cancel { id: "7".into() }
        );
        for line in ["{", "1", "{} {}", r#"{"method":1}"#, "[1"] {
            let read = BridgeEnvelope::read(line.as_bytes(), &HeaderParams::default());
            assert!(read.is_err(), "{line}");
        }
    }

    #[test]
    fn a_modern_request_says_in_headers_what_it_is() {
        let header_params = HeaderParams::default();
        let headers = |line: &str| {
            let read = BridgeEnvelope::read(line.as_bytes(), &header_params);
            read.expect("a message").headers
        };
        let line = r#"{"id":1,"method":"tools/call","params":{"name":"größe","arguments":{},
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let headers_of_call = headers(line).expect("a modern request");
        let text = |value: &Option<HeaderValue>| {
            let value = value
                .as_ref()
                .map(|value| value.to_str().expect("text").to_owned());
            value.unwrap_or_default()
        };
        assert_eq!(text(&headers_of_call.version), "2026-07-28");
        assert_eq!(text(&headers_of_call.method), "tools/call");
        assert_eq!(text(&headers_of_call.name), "=?base64?Z3LDtsOfZQ==?=");
        assert!(headers(r#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#).is_none());
        let list = r#"{"id":0,"result":{"tools":[{"name":"t","inputSchema":{"type":"object",
            "properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
        learn(&header_params, list);
        let line = r#"{"id":1,"method":"tools/call","params":{"name":"t","arguments":
            {"region":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let mirrored = headers(line).expect("a modern request").mirrored;
        assert_eq!(mirrored.len(), 1, "{mirrored:?}");
        assert_eq!(
            (mirrored[0].0.as_str(), mirrored[0].1.to_str().ok()),
            ("mcp-param-region", Some("eu"))
        );
        learn(&header_params, r#"{"id":0,"result":{"tools":[]}}"#);
        assert!(headers(line).expect("a modern request").mirrored.is_empty());
    }

    #[test]
    fn an_answer_is_one_by_its_id_and_by_what_it_has() {
        assert!(answers(r#"{"id":1,"result":{}}"#, "1"));
        assert!(answers(
            r#"{"id":"\u0061","error":{"code":1,"message":""}}"#,
            r#""a""#
        ));
        assert!(
            !answers(r#"{"id":1,"method":"ping"}"#, "1"),
            "a question of the gateway"
        );
        assert!(!answers(r#"{"id":2,"result":{}}"#, "1"));
        let ids = ["1".to_owned(), "2".to_owned()];
        assert_eq!(
            answered(r#"[{"id":2,"result":{}},{"method":"x"}]"#, &ids),
            ["2"]
        );
        assert_eq!(answered(r#"{"id":1,"result":{}}"#, &ids), ["1"]);
        assert!(!answers(r#"{"method":"notifications/progress"}"#, "1"));
    }

    #[test]
    fn mangled_message_is_refused_or_keeps_its_id() {
        guild_tests::mangled::each("bridge-message", |bytes| {
            let Ok(envelope) = BridgeEnvelope::read(bytes, &HeaderParams::default()) else {
                return;
            };
            let is_written = |id: &str| {
                bytes
                    .windows(id.len().max(1))
                    .any(|part| part == id.as_bytes())
            };
            match envelope.kind {
                BridgeMessageKind::Request { id, .. } | BridgeMessageKind::Cancel { id } => {
                    assert!(is_written(&id))
                }
                BridgeMessageKind::Batch { ids } => assert!(ids.iter().all(|id| is_written(id))),
                BridgeMessageKind::Other => {}
            }
        });
    }
}
