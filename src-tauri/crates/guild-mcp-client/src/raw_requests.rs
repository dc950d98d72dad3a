//! Raw requests, whose parameters and results are forwarded without parsing.
//!
//! rmcp parses every message into its own types, and passes it between several tasks. A forwarded
//! call needs neither. So this module writes a request as text to rmcp's connection, and delivers
//! the text of the result directly to the caller. The ids separate the requests: rmcp counts from
//! zero, and the ids of raw requests start at a number that rmcp never reaches.

pub(crate) mod compose;

use crate::messages::AnswerFault;
use guild_text::messages::JsonKind;
use rmcp::model::{NumberOrString, ProgressToken, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::McpError;
use crate::fault::error_of;
use crate::pending_requests::PendingRequests;
use crate::raw::{DEPTH_MAX, RawResult, is_nested_deeper};

/// The first id of raw requests. It is also the number of these ids, after which they repeat. All
/// are below 2³¹, because some servers store ids in 32 bits.
const FIRST: u32 = 1 << 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawRequestId(u32);

/// The outcome of a raw request: the text of the result, a JSON object.
pub(crate) type RawRequestResult = Result<Box<RawValue>, McpError>;

impl RawRequestId {
    /// Returns the id for the next raw request after `taken` ids were assigned.
    pub(crate) fn after(taken: u32) -> Self {
        Self(FIRST + taken % FIRST)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }

    pub(crate) fn request(self) -> RequestId {
        NumberOrString::Number(self.0.into())
    }

    pub(crate) fn token(self) -> ProgressToken {
        ProgressToken(self.request())
    }

    fn of_number(number: u32) -> Option<Self> {
        (FIRST..FIRST * 2).contains(&number).then_some(Self(number))
    }

    /// Reads the id of a raw request from an answer. Some servers return a number as a string.
    pub(crate) fn of(id: &RequestId) -> Option<Self> {
        let number = match id {
            NumberOrString::Number(number) => u32::try_from(*number).ok(),
            NumberOrString::String(text) => text.parse().ok(),
        };
        number.and_then(Self::of_number)
    }

    pub(crate) fn of_text(id: &str) -> Option<Self> {
        let digits = id.strip_prefix('"').and_then(|id| id.strip_suffix('"'));
        digits.unwrap_or(id).parse().ok().and_then(Self::of_number)
    }
}

/// The fields of a message that may be a result.
#[derive(Deserialize)]
pub(crate) struct RawResponse<'a> {
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
    #[serde(default)]
    pub method: Option<IgnoredAny>,
    #[serde(borrow, default)]
    pub result: Option<&'a RawValue>,
    #[serde(default)]
    pub error: Option<IgnoredAny>,
}

/// Delivers a result to the raw request that waits for it. Returns false for any other message,
/// which must still be parsed.
pub(crate) fn pass_result_on(calls: &PendingRequests, message: &[u8]) -> bool {
    if !calls.has_raw_requests() {
        return false;
    }
    match result_in(message) {
        Some((id, result)) => {
            calls.answer(id, Ok(result.to_owned()));
            true
        }
        None => false,
    }
}

/// Returns the id and the result of a raw request, if the message is a valid result of such a
/// request.
pub(crate) fn result_in(message: &[u8]) -> Option<(RawRequestId, &RawValue)> {
    if message.first() != Some(&b'{') {
        return None;
    }
    let reply: RawResponse<'_> = serde_json::from_slice(message).ok()?;
    let id = RawRequestId::of_text(reply.id?.get())?;
    let result = reply.result?;
    let sound = reply.method.is_none()
        && reply.error.is_none()
        && result.get().starts_with('{')
        && !is_nested_deeper(result.get(), DEPTH_MAX);
    sound.then_some((id, result))
}

/// Converts an answer that was parsed for rmcp to the outcome of a raw request.
pub(crate) fn answer_in(message: ServerJsonRpcMessage) -> RawRequestResult {
    match message {
        ServerJsonRpcMessage::Error(error) => Err(error_of(&error.error)),
        ServerJsonRpcMessage::Response(response) => match RawResult::unwrap(response.result) {
            Some(raw) if raw.value.is_object() => serde_json::value::to_raw_value(&raw.value)
                .map_err(|error| {
                    let wrong = AnswerFault::NotPassedOn(error.to_string());
                    McpError::malformed(&wrong, b"")
                }),
            Some(raw) => Err(no_object(&raw.value)),
            None => Err(another()),
        },
        _ => Err(another()),
    }
}

/// Returns the error for a result that is not an object.
pub(crate) fn no_object(result: &Value) -> McpError {
    let wrong = AnswerFault::NoObject(JsonKind::of(result));
    McpError::malformed(&wrong, result.to_string().as_bytes())
}

/// Returns the error for a result that belongs to another request.
pub(crate) fn another() -> McpError {
    McpError::malformed(&AnswerFault::OtherResult, b"")
}

/// Returns the raw request that a message answers.
pub(crate) fn answered_by(message: &ServerJsonRpcMessage) -> Option<RawRequestId> {
    match message {
        ServerJsonRpcMessage::Response(response) => RawRequestId::of(&response.id),
        ServerJsonRpcMessage::Error(error) => error.id.as_ref().and_then(RawRequestId::of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lane_ids_are_recognized_in_any_notation() {
        for taken in [0, 1, FIRST - 1, FIRST, u32::MAX] {
            let id = RawRequestId::after(taken);
            assert_eq!(RawRequestId::of(&id.request()), Some(id));
            let number = id.number();
            assert_eq!(RawRequestId::of_text(&number.to_string()), Some(id));
            assert_eq!(RawRequestId::of_text(&format!("\"{number}\"")), Some(id));
            assert!(i32::try_from(number).is_ok());
        }
        for other in ["1", "\"1\"", "null", "2147483648", "1073741824.0", "-1"] {
            assert_eq!(RawRequestId::of_text(other), None, "{other}");
        }
    }

    #[test]
    fn only_sound_results_of_the_lane_are_taken() {
        let id = RawRequestId::after(7);
        let number = id.number();
        let result = |text: String| {
            result_in(text.as_bytes()).map(|(id, result)| (id, result.get().to_owned()))
        };
        assert_eq!(
            result(format!(
                r#"{{"id": {number}, "x": 1, "result": {{"a" : [1]}}, "error": null}}"#
            )),
            Some((id, r#"{"a" : [1]}"#.to_owned()))
        );
        let deep = "[".repeat(DEPTH_MAX) + &"]".repeat(DEPTH_MAX);
        for other in [
            r#"{"id": 7, "result": {}}"#.to_owned(),
            format!(r#"{{"id": {number}}}"#),
            format!(r#"{{"id": {number}, "result": "text"}}"#),
            format!(r#"{{"id": {number}, "result": {{}}, "error": {{}}}}"#),
            format!(r#"{{"id": {number}, "result": {{}}, "method": "m"}}"#),
            format!(r#"{{"id": {number}, "result": {{"a": {deep}}}}}"#),
            format!(r#"[{number}, {{}}]"#),
            format!(r#"{{"id": {number}, "result": {{}}"#),
        ] {
            assert_eq!(result(other.clone()), None, "{other}");
        }
    }
}
