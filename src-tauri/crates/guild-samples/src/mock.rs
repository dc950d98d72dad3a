//! A server that answers from recorded calls and contacts no other server.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use guild_text::number::is_same;
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, ClientNotification, ClientRequest, CustomResult, ErrorData,
    Implementation, ProtocolVersion, ServerCapabilities, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service};
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The name of the recording in a mock's folder.
pub const RECORDING_FILE: &str = "recording.json";
/// Maximum size of a recording, in bytes.
pub const RECORDING_BYTES_MAX: usize = 64 << 20;
/// The key in `_meta` of each result of a mock.
const META_KEY: &str = "guild-hall/mock";

/// The recorded calls of a member.
#[derive(Debug, Serialize, Deserialize)]
pub struct MockRecording {
    /// The name of the member that was called.
    pub member: String,
    /// The tools, as in the response to `tools/list`.
    pub tools: Vec<Value>,
    /// The calls, in the order in which they ended.
    pub calls: Vec<MockCall>,
}

/// A recorded call.
#[derive(Debug, Serialize, Deserialize)]
pub struct MockCall {
    /// The called tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// The masked arguments, as JSON Pointers. They match any value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<String>,
    /// The response.
    #[serde(flatten)]
    pub response: MockResponse,
}

/// The recorded response to a call.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MockResponse {
    /// The result of `tools/call`, also one with `isError`.
    Result(Map<String, Value>),
    /// A JSON-RPC error, with `code`, `message` and `data`.
    Error(Value),
}

/// Serves the recording in a file over stdin and stdout, until stdin ends.
///
/// # Errors
/// If the file can't be read, is too large or no recording, and the errors of stdin and stdout.
pub(super) async fn serve(file: &Path) -> io::Result<()> {
    let mock = Mock::new(read(file)?);
    let running = mock.serve(stdio()).await.map_err(io::Error::other)?;
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

fn read(file: &Path) -> io::Result<MockRecording> {
    let named = |error: &dyn std::fmt::Display| {
        io::Error::other(format!("{} can't be read: {error}", file.display()))
    };
    let size = file.metadata().map_err(|error| named(&error))?.len();
    if size > RECORDING_BYTES_MAX as u64 {
        return Err(named(&format!(
            "it is larger than {} MiB",
            RECORDING_BYTES_MAX >> 20
        )));
    }
    let text = std::fs::read(file).map_err(|error| named(&error))?;
    serde_json::from_slice(&text).map_err(|error| named(&error))
}

/// Name, version and instructions. Handles all requests that are not about tools.
struct Identity(ServerConfig);

impl ServerHandler for Identity {
    fn get_info(&self) -> ServerConfig {
        self.0.clone()
    }

    /// Recorded results have the form of the versions with sessions.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        const VERSIONS: &[ProtocolVersion] = &[
            ProtocolVersion::V_2024_11_05,
            ProtocolVersion::V_2025_03_26,
            ProtocolVersion::V_2025_06_18,
            ProtocolVersion::V_2025_11_25,
        ];
        Cow::Borrowed(VERSIONS)
    }
}

struct Mock {
    identity: Identity,
    recording: MockRecording,
    /// The calls that were already used for an equal call. Equal calls get the recorded results one
    /// after the other, and then the last one again.
    used: Mutex<BTreeSet<usize>>,
}

impl Mock {
    fn new(recording: MockRecording) -> Self {
        let MockRecording { member, calls, .. } = &recording;
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let config = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(
                format!("{member} (mock)"),
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions(format!(
                "A mock of the MCP server {member}. Recorded calls: {}. It contacts no server.",
                calls.len()
            ));
        Self {
            identity: Identity(config),
            recording,
            used: Mutex::default(),
        }
    }

    /// Returns the recorded response to a call with these arguments, or with the closest ones.
    fn respond(&self, params: &CallToolRequestParams) -> Result<Value, ErrorData> {
        let arguments = Value::Object(params.arguments.clone().unwrap_or_default());
        let calls = self.recording.calls.iter().enumerate();
        let mut used = self.used.lock();
        let closest = calls
            .filter(|(_, call)| call.tool == params.name)
            .map(|(at, call)| (call.distance(&arguments), used.contains(&at), at, call))
            .min_by_key(|&(distance, was_used, at, _)| {
                // Among used calls the last one comes first.
                let order = if was_used { usize::MAX - at } else { at };
                (distance, was_used, order)
            });
        let Some((distance, _, at, call)) = closest else {
            let text = format!(
                "This mock of {} has no recorded call of {}.",
                self.recording.member, params.name
            );
            return Ok(json!({"content": [{"type": "text", "text": text}], "isError": true}));
        };
        let is_exact = distance == 0;
        if is_exact {
            used.insert(at);
        }
        drop(used);
        match &call.response {
            MockResponse::Error(error) => Err(error_of(error, call, is_exact)),
            MockResponse::Result(result) => Ok(marked(result.clone(), call, is_exact)),
        }
    }
}

/// Returns a recorded error. Without a valid code it becomes an internal error. If the recorded
/// arguments differ, the message says so.
fn error_of(error: &Value, call: &MockCall, is_exact: bool) -> ErrorData {
    let mut error: ErrorData = serde_json::from_value(error.clone())
        .unwrap_or_else(|_| ErrorData::internal_error("The recorded error is invalid.", None));
    if !is_exact {
        error.message = format!("{} {}", error.message, inexact(call)).into();
    }
    error
}

/// Returns the note on a response to other arguments.
fn inexact(call: &MockCall) -> String {
    let recorded = Value::Object(call.arguments.clone());
    format!("Mock: no recorded call has these arguments. This is the response to {recorded}.")
}

/// Marks a result as a mock's. If the recorded arguments differ, adds a text that says so.
fn marked(result: Map<String, Value>, call: &MockCall, is_exact: bool) -> Value {
    let mut result = Value::Object(result);
    let mut mark = json!({"match": if is_exact { "exact" } else { "closest" }});
    if !is_exact {
        let note = json!({"type": "text", "text": inexact(call)});
        match result.get_mut("content").and_then(Value::as_array_mut) {
            Some(content) => content.push(note),
            None => result["content"] = json!([note]),
        }
        mark["arguments"] = call.arguments.clone().into();
    }
    if !result["_meta"].is_object() {
        result["_meta"] = json!({});
    }
    result["_meta"][META_KEY] = mark;
    result
}

impl MockCall {
    /// Returns the number of values that differ from the recorded arguments.
    fn distance(&self, arguments: &Value) -> usize {
        let none = Value::Object(Map::new());
        let recorded = Value::Object(self.arguments.clone());
        match arguments.is_object() {
            true => self.difference("", &recorded, arguments),
            false => self.difference("", &recorded, &none),
        }
    }

    fn difference(&self, place: &str, recorded: &Value, asked: &Value) -> usize {
        if self.masked.iter().any(|masked| masked == place) {
            return 0;
        }
        match (recorded, asked) {
            (Value::Object(recorded), Value::Object(asked)) => {
                let keys: BTreeSet<&String> = recorded.keys().chain(asked.keys()).collect();
                let each = keys.into_iter().map(|key| {
                    let place = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
                    match (recorded.get(key), asked.get(key)) {
                        (Some(recorded), Some(asked)) => self.difference(&place, recorded, asked),
                        _ => 1,
                    }
                });
                each.sum()
            }
            (Value::Array(recorded), Value::Array(asked)) => {
                let pairs = recorded.iter().zip(asked).enumerate();
                let each = pairs.map(|(at, (recorded, asked))| {
                    self.difference(&format!("{place}/{at}"), recorded, asked)
                });
                each.sum::<usize>() + recorded.len().abs_diff(asked.len())
            }
            (Value::Number(recorded), Value::Number(asked)) => {
                usize::from(!is_same(recorded, asked))
            }
            _ => usize::from(recorded != asked),
        }
    }
}

impl Service<RoleServer> for Mock {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        // The typed results of the library would drop fields that it does not know.
        let raw = |value| ServerResult::CustomResult(CustomResult::new(value));
        match request {
            ClientRequest::ListToolsRequest(_) => Ok(raw(json!({"tools": self.recording.tools}))),
            ClientRequest::CallToolRequest(call) => self.respond(&call.params).map(raw),
            other => self.identity.handle_request(other, context).await,
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.identity
            .handle_notification(notification, context)
            .await
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&self.identity)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        ServerHandler::supported_protocol_versions(&self.identity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mock(calls: &Value) -> Mock {
        let recording = json!({"member": "notes", "tools": [], "calls": calls});
        Mock::new(serde_json::from_value(recording).expect("a recording"))
    }

    fn ask(mock: &Mock, tool: &str, arguments: &Value) -> Result<Value, ErrorData> {
        let params = json!({"name": tool, "arguments": arguments});
        mock.respond(&serde_json::from_value(params).expect("parameters"))
    }

    fn text(result: Result<Value, ErrorData>) -> String {
        let result = result.expect("a result");
        result["content"][0]["text"]
            .as_str()
            .expect("a text")
            .to_owned()
    }

    fn call(arguments: &Value, text: &str) -> Value {
        let result = json!({"content": [{"type": "text", "text": text}], "x": 1});
        json!({"tool": "read", "arguments": arguments, "result": result})
    }

    #[test]
    fn exact_match_returns_the_recorded_result() {
        let mock = mock(&json!([
            call(&json!({"a": 1}), "one"),
            call(&json!({"a": 2}), "two")
        ]));
        let result = ask(&mock, "read", &json!({"a": 2})).expect("a result");
        assert_eq!(
            result,
            json!({"content": [{"type": "text", "text": "two"}], "x": 1,
            "_meta": {"guild-hall/mock": {"match": "exact"}}})
        );
    }

    #[test]
    fn equal_calls_get_the_results_in_order() {
        let mock = mock(&json!([call(&json!({}), "one"), call(&json!({}), "two")]));
        let texts = [(); 4].map(|()| text(ask(&mock, "read", &json!({}))));
        assert_eq!(texts, ["one", "two", "two", "two"]);
    }

    #[test]
    fn closest_match_says_that_it_is_not_exact() {
        let mock = mock(&json!([
            call(&json!({"path": "a", "lines": [1, 2]}), "far"),
            call(&json!({"path": "b", "lines": [1, 2]}), "near"),
        ]));
        let result = ask(&mock, "read", &json!({"path": "b", "lines": [1, 2, 3]}));
        let result = result.expect("a result");
        assert_eq!(result["content"][0]["text"], "near");
        let note = result["content"][1]["text"].as_str().expect("a note");
        assert!(note.starts_with("Mock: no recorded call"), "{note}");
        let mark = &result["_meta"]["guild-hall/mock"];
        assert_eq!(mark["match"], "closest");
        assert_eq!(mark["arguments"]["path"], "b");
    }

    #[test]
    fn masked_argument_matches_any_value() {
        let mut masked = call(&json!({"a/b": "•••", "n": 1}), "one");
        masked["masked"] = json!(["/a~1b"]);
        let mock = mock(&json!([call(&json!({"a/b": "x", "n": 2}), "two"), masked]));
        let result = ask(&mock, "read", &json!({"a/b": "secret", "n": 1})).expect("a result");
        assert_eq!(result["content"][0]["text"], "one");
        assert_eq!(result["_meta"]["guild-hall/mock"]["match"], "exact");
    }

    #[test]
    fn equal_number_may_be_written_differently() {
        let mock = mock(&json!([call(&json!({"n": 1}), "one")]));
        let result = ask(&mock, "read", &json!({"n": 1.0})).expect("a result");
        assert_eq!(result["_meta"]["guild-hall/mock"]["match"], "exact");
    }

    #[test]
    fn mock_identifies_itself() {
        let info = ServerHandler::get_info(&mock(&json!([call(&json!({}), "one")])).identity);
        assert_eq!(info.server_info.name, "notes (mock)");
        let instructions = info.instructions.expect("instructions");
        assert!(
            instructions.contains("Recorded calls: 1."),
            "{instructions}"
        );
    }

    #[test]
    fn unrecorded_tool_is_an_error_result() {
        let result = ask(&mock(&json!([])), "write", &json!({})).expect("a result");
        assert_eq!(result["isError"], true);
    }

    #[test]
    fn closest_match_uses_up_no_exact_result() {
        let mock = mock(&json!([call(&json!({}), "one"), call(&json!({}), "two")]));
        let other = || text(ask(&mock, "read", &json!({"n": 1})));
        assert_eq!([other(), other()], ["one", "one"]);
        assert_eq!(text(ask(&mock, "read", &json!({}))), "one");
    }

    #[test]
    fn closest_error_says_that_it_is_not_exact() {
        let error = json!({"code": -32602, "message": "no such note"});
        let mock = mock(&json!([{"tool": "read", "arguments": {"n": 1}, "error": error}]));
        let returned = ask(&mock, "read", &json!({"n": 2})).expect_err("an error");
        let message = returned.message;
        assert!(
            message.starts_with("no such note Mock: no recorded call"),
            "{message}"
        );
    }

    #[test]
    fn recorded_protocol_error_is_returned() {
        let error = json!({"code": -32602, "message": "no such note", "data": {"n": 1}});
        let mock = mock(&json!([{"tool": "read", "arguments": {}, "error": error}]));
        let returned = ask(&mock, "read", &json!({})).expect_err("an error");
        assert_eq!(serde_json::to_value(returned).expect("JSON"), error);
    }
}
