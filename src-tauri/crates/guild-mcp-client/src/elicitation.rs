//! Elicitation: a server's questions to a person, and the interface through which they are asked.
//!
//! Up to 2025-11-25, a server sends a request (`elicitation/create`) while a call runs. In
//! 2026-07-28, the result of the call names the missing values, and the client repeats the call
//! with them. Both forms become an [`ElicitationPrompt`]. The implementation of
//! [`ElicitationHandler`] decides how long a person may take to answer. If the future of
//! [`ElicitationHandler::ask`] is dropped, the caller no longer waits for the answer.

use std::fmt;

use crate::messages::QuestionProblem;
use futures::future::BoxFuture;
use guild_api::wire::ElicitationAction;
use guild_model::{CallId, ToolName};
use serde_json::{Map, Value, json};

use crate::pending_requests::Label;
use crate::text;

pub(crate) const ELICIT: &str = "elicitation/create";
/// Limit of a message to a person, in bytes.
const MESSAGE_MAX: usize = 16 << 10;
/// Limit of a web address that a person is asked to visit, in bytes.
const ADDRESS_MAX: usize = 8 << 10;
/// Limit of the id that a server gives to a visit to a web address, in bytes.
pub(crate) const VISIT_MAX: usize = 1 << 10;

/// Asks a person a server's questions.
pub trait ElicitationHandler: Send + Sync + fmt::Debug {
    /// Asks a question and returns the answer. The implementation chooses the time limit.
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply>;
}

/// A server's question to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct ElicitationPrompt {
    /// The call to which the question belongs, if known.
    pub call: Option<CallId>,
    /// The tool of that call, if known.
    pub tool: Option<ToolName>,
    /// The key with which the server identifies the question (2026-07-28).
    pub key: Option<String>,
    /// The server's message to the person, at most 16 KiB. It has no control characters except line
    /// ends and tabs.
    pub message: String,
    /// The input that the server requests.
    pub wanted: RequestedInput,
}

impl ElicitationPrompt {
    /// Creates a question. `label` is the label of the call to which it belongs, if known.
    pub(crate) fn of_call(label: Option<&Label>, message: String, wanted: RequestedInput) -> Self {
        Self {
            call: label.map(|label| label.call.clone()),
            tool: label.and_then(|label| label.tool.clone()),
            key: None,
            message,
            wanted,
        }
    }
}

/// The input that a server requests from a person.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestedInput {
    /// Values that match a schema.
    Values {
        /// The schema as the server sent it. It is a JSON object.
        schema: Value,
    },
    /// A visit to a web address.
    Visit {
        /// The address, with the scheme `http` or `https`, at most 8 KiB.
        url: String,
        /// The id that the server gave to the visit.
        id: String,
    },
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ElicitationReply {
    /// The person's decision.
    pub action: ElicitationAction,
    /// The values, if the decision is `accept`.
    pub content: Option<Map<String, Value>>,
}

impl ElicitationReply {
    /// The reply if the person made no decision.
    pub const CANCEL: Self = Self {
        action: ElicitationAction::Cancel,
        content: None,
    };

    /// Converts the reply to an `ElicitResult` of the protocol.
    pub fn into_result(self) -> Value {
        match self.content {
            Some(content) if self.action == ElicitationAction::Accept => {
                json!({"action": self.action, "content": content})
            }
            _ => json!({"action": self.action}),
        }
    }
}

/// Reads the message and the requested input from a server's question.
///
/// # Errors
/// When the question is invalid, so that a person can't be asked.
pub(crate) fn read(params: &mut Value) -> Result<(String, RequestedInput), QuestionProblem> {
    let message = match params.get("message") {
        Some(Value::String(message)) => plain(message),
        _ => return Err(QuestionProblem::NoMessage),
    };
    let text_of = |params: &Value, field: &str| {
        params
            .get(field)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .unwrap_or_default()
    };
    let wanted = match params.get("mode").map(Value::as_str) {
        // Before 2025-11-25, there was no other mode.
        None | Some(Some("form")) => {
            let schema = params.get_mut("requestedSchema").map(Value::take);
            match schema {
                Some(schema @ Value::Object(_)) => RequestedInput::Values { schema },
                _ => return Err(QuestionProblem::NoSchema),
            }
        }
        Some(Some("url")) => {
            let url = text_of(params, "url");
            let known = url.starts_with("https://") || url.starts_with("http://");
            if !known || url.len() > ADDRESS_MAX || url.chars().any(char::is_control) {
                return Err(QuestionProblem::NoAddress(ADDRESS_MAX));
            }
            let id = text_of(params, "elicitationId");
            if id.len() > VISIT_MAX {
                return Err(QuestionProblem::LongId);
            }
            RequestedInput::Visit { url, id }
        }
        Some(_) => return Err(QuestionProblem::OtherMode),
    };
    Ok((message, wanted))
}

/// Cuts a message to its size limit, and removes control characters except line ends and tabs.
fn plain(message: &str) -> String {
    text::cut_bytes(message, MESSAGE_MAX)
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}
