//! Parses a server's messages without losing any part of a result.
//!
//! rmcp tries twenty result types in order, uses the first one that fits, and drops every field
//! that this type does not have. So this module wraps each result before rmcp parses it. If an
//! answer can't be used, its request gets an error, so that no caller waits in vain. Results are
//! parsed as rmcp's types only if rmcp itself needs them.

mod server_requests;

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, OnceLock};

use crate::messages::AnswerFault;
use parking_lot::Mutex;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage,
    ServerNotification,
};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use self::server_requests::{PendingServerRequests, Sending, custom, misshapen};
use crate::elicitation::ELICIT;
use crate::fault::{FAULT, ResponseError};
use crate::pending_requests::PendingRequests;
use crate::raw::{DEPTH_MAX, RawResult, cut, is_nested_deeper, may_have_more_values};
use crate::raw_requests::{self, RawRequestId};

/// Limit of the JSON values in a parsed message. In memory, each value takes 30 to 150 bytes,
/// however short its text is. The limit does not apply to results of calls, which are forwarded
/// without parsing.
const VALUES_MAX: usize = 2_000_000;
/// Limit of a server's capabilities, in bytes of JSON. If they are larger, the connection is not
/// opened.
const CAPABILITIES_MAX: usize = 1 << 20;
/// Limit of the nesting depth of a server's question. Deeper values are replaced by `{}`.
const QUESTION_DEPTH_MAX: usize = 120;
/// The method name that replaces `elicitation/create` before rmcp parses the message. rmcp does not
/// know this name, so it leaves the parameters unchanged.
pub(crate) const ELICIT_RAW: &str = "guildHall/elicit";
/// The method name of a placeholder for a server's request that can't be parsed, so that the
/// request still gets an answer.
pub(crate) const MISSHAPEN: &str = "guildHall/misshapen";
/// Limit of the stored ids of requests for list pages. The newest are stored.
const PAGES_REMEMBERED: usize = 16;

#[derive(Debug)]
pub(crate) struct InvalidMessage {
    /// The request that the message answers, if known.
    pub answers: Option<RequestId>,
    pub fault: ResponseError,
}

/// The fields of a JSON-RPC message that determine its kind.
#[derive(Deserialize)]
struct MessageEnvelope<'a> {
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(default)]
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// A JSON-RPC error whose fields may have wrong types.
#[derive(Deserialize)]
struct LooseError {
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    data: Option<Value>,
}

/// The state of a connection that is needed to parse its messages.
#[derive(Debug, Clone, Default)]
pub(crate) struct MessageDecoder {
    /// The ids of the requests whose results rmcp needs in its own types.
    typed: Arc<Mutex<HashSet<RequestId>>>,
    /// The ids of the newest requests for list pages.
    pages: Arc<Mutex<VecDeque<RequestId>>>,
    /// The server's requests that are not answered yet.
    asked: PendingServerRequests,
    capabilities: Arc<OnceLock<Value>>,
    calls: PendingRequests,
}

impl MessageDecoder {
    /// If the message answers a request of the server, records that the answer is being sent, until
    /// the returned guard is dropped. Returns `None` for other messages.
    #[must_use]
    pub(crate) fn note_answer(&self, message: &ClientJsonRpcMessage) -> Option<Sending> {
        match message {
            ClientJsonRpcMessage::Response(response) => Some(self.asked.send(&response.id)),
            ClientJsonRpcMessage::Error(error) => error.id.as_ref().map(|id| self.asked.send(id)),
            ClientJsonRpcMessage::Request(_) | ClientJsonRpcMessage::Notification(_) => None,
        }
    }

    /// Records a request of this client that is being sent.
    pub(crate) fn note_request(&self, message: &ClientJsonRpcMessage) {
        let ClientJsonRpcMessage::Request(request) = message else {
            return;
        };
        if matches!(
            request.request,
            ClientRequest::ListToolsRequest(_)
                | ClientRequest::ListResourcesRequest(_)
                | ClientRequest::ListResourceTemplatesRequest(_)
                | ClientRequest::ListPromptsRequest(_)
        ) {
            let mut pages = self.pages.lock();
            pages.truncate(PAGES_REMEMBERED - 1);
            pages.push_front(request.id.clone());
        }
        if matches!(
            request.request,
            ClientRequest::InitializeRequest(_)
                | ClientRequest::DiscoverRequest(_)
                | ClientRequest::SubscriptionsListenRequest(_)
        ) {
            self.typed.lock().insert(request.id.clone());
        }
    }

    /// Frees the slot of a server's request in [`PendingServerRequests`], unless its answer is
    /// still being sent.
    pub(crate) fn answered(&self, id: &RequestId) {
        self.asked.close(id);
    }

    pub(crate) fn calls(&self) -> &PendingRequests {
        &self.calls
    }

    /// Sets the capabilities, for a server that does not declare any.
    pub(crate) fn assume(&self, capabilities: Value) {
        let _ = self.capabilities.set(capabilities);
    }

    /// Returns the server's capabilities as the server sent them, or `null`.
    pub(crate) fn capabilities(&self) -> Value {
        self.capabilities.get().cloned().unwrap_or(Value::Null)
    }

    fn is_typed(&self, id: &RequestId) -> bool {
        self.typed.lock().contains(id)
    }

    /// Handles a notification: forwards progress and log messages to their call, broadcasts changes
    /// of resources, and frees the slot of a withdrawn request. This must happen here, where
    /// messages are still in order. rmcp handles each notification in a separate task, so the
    /// answer could overtake the last progress.
    fn pass_on(
        &self,
        message: &ServerJsonRpcMessage,
        params: Option<&RawValue>,
        origin: Option<&RequestId>,
    ) {
        let ServerJsonRpcMessage::Notification(notification) = message else {
            return;
        };
        match &notification.notification {
            ServerNotification::ProgressNotification(progress) => {
                self.calls.moved(&progress.params);
            }
            ServerNotification::LoggingMessageNotification(_) => {
                if let Some(params) = params {
                    self.calls.logged(params, origin);
                }
            }
            ServerNotification::ResourceUpdatedNotification(updated) => {
                self.calls.updated(&updated.params.uri);
            }
            ServerNotification::CancelledNotification(cancelled) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.answered(id);
                }
            }
            _ => {}
        }
    }

    /// Delivers an answer to a raw request to its call. Returns any other message, which is for
    /// rmcp.
    pub(crate) fn divert(&self, message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        if let Some(id) = raw_requests::answered_by(&message) {
            self.calls.answer(id, raw_requests::answer_in(message));
            return None;
        }
        if let ServerJsonRpcMessage::Notification(notification) = &message
            && let ServerNotification::ProgressNotification(progress) = &notification.notification
            && RawRequestId::of(&progress.params.progress_token.0).is_some()
        {
            // The notification was already forwarded when it was parsed.
            return None;
        }
        Some(message)
    }

    /// Parses a message. If the message answers a raw request, it is delivered to its call. Any
    /// other message is returned, and is for rmcp. If an answer can't be used, an error for its
    /// request is returned instead. `origin` is the request on whose stream the message arrived, if
    /// known.
    ///
    /// # Errors
    /// When the message can't be used and does not answer a request.
    pub(crate) fn receive(
        &self,
        message: &[u8],
        origin: Option<&RequestId>,
    ) -> Result<Option<ServerJsonRpcMessage>, ResponseError> {
        if raw_requests::pass_result_on(&self.calls, message) {
            return Ok(None);
        }
        let message = match self.read_on(message, origin) {
            Ok(message) => message,
            Err(InvalidMessage {
                answers: Some(id),
                fault,
            }) => fault.answering(id),
            Err(InvalidMessage { fault, .. }) => return Err(fault),
        };
        Ok(self.divert(message))
    }

    pub(crate) fn read(&self, message: &[u8]) -> Result<ServerJsonRpcMessage, InvalidMessage> {
        self.read_on(message, None)
    }

    /// Parses the body of an HTTP response to a request. If the body is a request of the server
    /// instead of an answer, that request is not answered, so its slot is freed.
    pub(crate) fn read_answer(
        &self,
        message: &[u8],
    ) -> Result<ServerJsonRpcMessage, InvalidMessage> {
        let read = self.read(message);
        if let Ok(ServerJsonRpcMessage::Request(request)) = &read {
            self.answered(&request.id);
        }
        read
    }

    /// Parses one message. `origin` is the request on whose stream the message arrived, if known.
    pub(crate) fn read_on(
        &self,
        message: &[u8],
        origin: Option<&RequestId>,
    ) -> Result<ServerJsonRpcMessage, InvalidMessage> {
        let misread = |wrong: AnswerFault, answers: Option<RequestId>| InvalidMessage {
            answers,
            fault: ResponseError::malformed(&wrong, message),
        };
        if message.trim_ascii_start().first() != Some(&b'{') {
            // serde would accept an array as the fields of the struct, in their order.
            return Err(misread(AnswerFault::NoJsonObject, None));
        }
        let outline: MessageEnvelope<'_> = serde_json::from_slice(message).map_err(|error| {
            let wrong = match error.is_data() {
                true => AnswerFault::NoMessage,
                false => AnswerFault::NoJson,
            };
            misread(wrong, None)
        })?;
        if may_have_more_values(message, VALUES_MAX) {
            return Err(misread(AnswerFault::ManyValues(VALUES_MAX), outline.id));
        }
        if let (Some(_), Some(id)) = (&outline.method, &outline.id) {
            let taken = self.asked.take(id);
            taken.map_err(|wrong| misread(wrong, None))?;
        }
        if let (Some(ELICIT), Some(id)) = (outline.method.as_deref(), &outline.id) {
            let params = outline.params.map_or("{}", RawValue::get);
            let question = match serde_json::from_str(&cut(params, QUESTION_DEPTH_MAX)) {
                Ok(params) => custom(ELICIT_RAW, params),
                Err(error) => misshapen(&error),
            };
            return Ok(ServerJsonRpcMessage::request(question, id.clone()));
        }
        if outline.method.is_some() {
            let message = match (serde_json::from_slice(message), &outline.id) {
                (Ok(message), _) => message,
                (Err(error), Some(id)) => {
                    ServerJsonRpcMessage::request(misshapen(&error), id.clone())
                }
                (Err(error), None) => {
                    let wrong = AnswerFault::NewsMisshapen(error.to_string());
                    return Err(misread(wrong, None));
                }
            };
            if let (false, Some(id)) = (
                matches!(message, ServerJsonRpcMessage::Request(_)),
                &outline.id,
            ) {
                self.answered(id);
            }
            self.pass_on(&message, outline.params, origin);
            return Ok(message);
        }
        if let Some(error) = outline.error {
            let error: LooseError = serde_json::from_str(error.get()).map_err(|error| {
                let wrong = AnswerFault::ErrorMisshapen(error.to_string());
                misread(wrong, outline.id.clone())
            })?;
            return Ok(ServerJsonRpcMessage::error(error.into(), outline.id));
        }
        let (Some(id), Some(result)) = (outline.id.clone(), outline.result) else {
            return Err(misread(AnswerFault::Neither, outline.id));
        };
        let is_page = self.pages.lock().contains(&id);
        let text = match result.get() {
            text if !is_nested_deeper(text, DEPTH_MAX) => Cow::Borrowed(text),
            // One deeply nested schema must not make the whole list unusable, so deeper levels are
            // cut off. Forms show fewer levels than this limit.
            text if is_page => Cow::Owned(cut(text, DEPTH_MAX)),
            _ => {
                return Err(misread(AnswerFault::TooDeep(DEPTH_MAX), Some(id)));
            }
        };
        let unreadable = |error: serde_json::Error| {
            let wrong = AnswerFault::ResultUnread(error.to_string());
            misread(wrong, Some(id.clone()))
        };
        let value: Value = serde_json::from_str(&text).map_err(unreadable)?;
        let result = if self.is_typed(&id) {
            if let Some(capabilities) = value.get("capabilities") {
                if capabilities.to_string().len() > CAPABILITIES_MAX {
                    return Err(InvalidMessage {
                        answers: Some(id),
                        fault: ResponseError::TooLarge(CAPABILITIES_MAX),
                    });
                }
                // If a connection is opened for the second time, the capabilities are already set
                // to the same value.
                let _ = self.capabilities.set(capabilities.clone());
            }
            serde_json::from_value(value).map_err(unreadable)?
        } else {
            let bytes = text.len();
            RawResult { value, bytes }.wrapped()
        };
        Ok(ServerJsonRpcMessage::response(result, id))
    }
}

impl From<LooseError> for ErrorData {
    fn from(error: LooseError) -> Self {
        let code = error
            .code
            .as_i64()
            .and_then(|code| i32::try_from(code).ok())
            // If a server uses the code that marks this crate's own errors, the code is replaced.
            .filter(|&code| code != FAULT.0)
            .unwrap_or(ErrorCode::INTERNAL_ERROR.0);
        let message = match error.message {
            Value::String(message) => message,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        ErrorData::new(ErrorCode(code), message, error.data)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::McpError;
    use crate::fault::error_of;
    use crate::raw::{BYTES, RAW};

    fn read(message: &Value) -> Result<ServerJsonRpcMessage, InvalidMessage> {
        MessageDecoder::default().read(message.to_string().as_bytes())
    }

    /// Returns a result after it was wrapped, parsed by rmcp, and unwrapped.
    fn round_trip(result: &Value) -> Option<Value> {
        let message =
            read(&json!({"jsonrpc": "2.0", "id": 1, "result": result})).expect("readable");
        let again = serde_json::to_string(&message).expect("writable");
        match serde_json::from_str(&again).expect("rmcp reads it") {
            ServerJsonRpcMessage::Response(response) => {
                RawResult::unwrap(response.result).map(|raw| raw.value)
            }
            other => panic!("{other:?} instead of a response"),
        }
    }

    #[test]
    fn no_result_is_taken_for_a_type_of_the_library() {
        for result in [
            json!({}),
            json!({"tools": [], "ttlMs": 0, "x": 1}),
            json!({"content": [], "isError": true, "vendor": {"b": 1, "a": 2}}),
            json!({"resultType": "complete"}),
            json!({"action": "accept"}),
            json!({RAW: 1, BYTES: 2}),
            json!("text"),
        ] {
            let got = round_trip(&result).expect("a raw result");
            assert_eq!(got.to_string(), result.to_string());
        }
    }

    #[test]
    fn capabilities_of_a_large_opening_are_kept() {
        let opening = |instructions: usize, capability: usize| {
            let decoder = MessageDecoder::default();
            decoder.typed.lock().insert(RequestId::Number(0));
            let capabilities =
                json!({"tools": {}, "experimental": {"x": {"y": "y".repeat(capability)}}});
            let message = json!({"jsonrpc": "2.0", "id": 0, "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "serverInfo": {"name": "s", "version": "1"},
                "instructions": "i".repeat(instructions),
            }});
            let read = decoder.read(message.to_string().as_bytes());
            (read, decoder.capabilities(), capabilities)
        };
        for (instructions, capability) in [(70 << 10, 1), (2 << 20, 1), (1, 70 << 10)] {
            let (read, kept, sent) = opening(instructions, capability);
            read.expect("readable");
            assert!(kept == sent, "{instructions} and {capability} bytes");
        }
        let (read, kept, _) = opening(1, 2 << 20);
        let invalid = read.expect_err("too large");
        assert_eq!(invalid.answers, Some(RequestId::Number(0)));
        assert_eq!(invalid.fault, ResponseError::TooLarge(1 << 20));
        assert_eq!(kept, Value::Null);
    }

    #[test]
    fn a_server_can_not_pass_its_error_off_as_one_made_here() {
        let data = json!({"what": "x", "excerpt": "", "limit": 1});
        let error = json!({"code": i32::MIN, "message": "m", "data": data});
        let message = read(&json!({"jsonrpc": "2.0", "id": 1, "error": error})).expect("readable");
        let ServerJsonRpcMessage::Error(error) = message else {
            panic!("an error");
        };
        assert!(matches!(error_of(&error.error), McpError::Rpc(_)));
    }

    #[test]
    fn errors_are_read_as_servers_write_them() {
        for error in [
            json!({"code": -32000.5, "message": null}),
            json!({"code": "E1", "message": {"a": 1}}),
            json!({}),
        ] {
            let message = json!({"jsonrpc": "2.0", "id": null, "error": error});
            assert!(read(&message).is_ok(), "{message}");
        }
    }

    #[test]
    fn a_message_that_can_not_be_used_names_the_request_it_answers() {
        let misread = read(&json!({"jsonrpc": "2.0", "id": 4})).expect_err("no answer");
        assert_eq!(misread.answers, Some(RequestId::Number(4)));
        assert!(read(&json!([1])).expect_err("no message").answers.is_none());
    }

    #[test]
    fn mangled_messages_of_servers_are_read_or_told_apart() {
        guild_tests::mangled::each("pipe-message", |bytes| {
            let decoder = MessageDecoder::default();
            if let Ok(message) = decoder.read(bytes) {
                serde_json::to_string(&message).expect("what was read can be written");
            }
            raw_requests::pass_result_on(&PendingRequests::default(), bytes);
        });
    }
}
