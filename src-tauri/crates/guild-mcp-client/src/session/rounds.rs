//! Input that a server requests before it returns a result: answers to questions (2026-07-28), or
//! visits to web addresses (2025-11-25).

use std::sync::Arc;

use crate::messages::{AnswerFault, LargePart};
use futures::future::join_all;
use guild_api::wire::{ElicitationAction, RpcError};
use guild_model::protocol::Era;
use guild_text::messages::JsonKind;
use serde_json::{Map, Value};

use super::Session;
use crate::elicitation::{self, ELICIT, ElicitationPrompt, ElicitationReply, RequestedInput};
use crate::error::McpError;
use crate::pending_requests::PendingRequest;
use crate::questions::CallTimeoutPause;
use crate::text;

/// Limit of the questions that a server asks at once.
const QUESTIONS_MAX: usize = 64;
/// Limit of the state that a server sends and gets back, in bytes.
const STATE_MAX: usize = 4 << 20;
pub(super) struct Needed {
    pub(super) questions: Vec<(String, ElicitationPrompt)>,
    pub(super) state: Option<String>,
}

impl Session {
    /// Asks a person to visit all addresses. Returns whether the person accepted all visits.
    pub(super) async fn all_visited(
        &self,
        visits: Vec<ElicitationPrompt>,
        call: &Arc<PendingRequest>,
    ) -> bool {
        let _held = CallTimeoutPause::new(call);
        let visited = visits
            .into_iter()
            .map(|visit| self.questions.put(visit, call.asking.as_ref()));
        let replies = join_all(visited).await;
        let accepted = |reply: &ElicitationReply| reply.action == ElicitationAction::Accept;
        replies.iter().all(accepted)
    }

    pub(super) fn accepts_elicitation(&self) -> bool {
        self.server.era == Era::Modern && self.questions.are_taken()
    }

    /// Asks a person all questions at the same time. The call's time limit is paused until the last
    /// answer.
    pub(super) async fn answers(
        &self,
        questions: Vec<(String, ElicitationPrompt)>,
        call: &Arc<PendingRequest>,
    ) -> Map<String, Value> {
        let _held = (!questions.is_empty()).then(|| CallTimeoutPause::new(call));
        let asked = questions.into_iter().map(async |(key, question)| {
            let reply = self.questions.put(question, call.asking.as_ref()).await;
            (key, reply.into_result())
        });
        join_all(asked).await.into_iter().collect()
    }
}

/// Returns the addresses that a person must visit before the server executes the call.
pub(super) fn visits(error: &RpcError, call: &PendingRequest) -> Vec<ElicitationPrompt> {
    let data = error
        .data
        .as_deref()
        .and_then(|data| serde_json::from_str(data).ok());
    let mut data: Value = data.unwrap_or_default();
    let Some(Value::Array(visits)) = data.get_mut("elicitations").map(Value::take) else {
        return vec![];
    };
    if visits.len() > QUESTIONS_MAX {
        return vec![];
    }
    let visits = visits.into_iter().map(|mut visit| {
        let (message, wanted) = elicitation::read(&mut visit).ok()?;
        let is_visit = matches!(wanted, RequestedInput::Visit { .. });
        is_visit.then(|| ElicitationPrompt::of_call(call.label.as_ref(), message, wanted))
    });
    // If one visit is invalid, the result is empty, because all visits are required.
    visits.collect::<Option<_>>().unwrap_or_default()
}

/// Reads the requested input from a result.
pub(super) fn needed(result: &mut Value, call: &PendingRequest) -> Result<Needed, McpError> {
    let state = match result.get_mut("requestState").map(Value::take) {
        None | Some(Value::Null) => None,
        Some(Value::String(state)) if state.len() <= STATE_MAX => Some(state),
        Some(Value::String(_)) => {
            return Err(McpError::TooLarge {
                what: LargePart::State,
                limit: STATE_MAX,
            });
        }
        Some(other) => {
            let wrong = AnswerFault::FieldNoText("requestState", JsonKind::of(&other));
            return Err(malformed(&wrong, &other));
        }
    };
    let requests = result.get_mut("inputRequests").map(Value::take);
    let questions = questions(requests.unwrap_or_default(), call)?;
    if questions.is_empty() && state.is_none() {
        return Err(malformed(&AnswerFault::NeedsNothing, result));
    }
    Ok(Needed { questions, state })
}

/// Reads the questions in `inputRequests`, each with its key.
pub(super) fn questions(
    requests: Value,
    call: &PendingRequest,
) -> Result<Vec<(String, ElicitationPrompt)>, McpError> {
    let requests = match requests {
        Value::Null => Map::new(),
        Value::Object(requests) => requests,
        other => {
            let wrong = AnswerFault::FieldNoObject("inputRequests", JsonKind::of(&other));
            return Err(malformed(&wrong, &other));
        }
    };
    if requests.len() > QUESTIONS_MAX {
        let wrong = AnswerFault::ManyQuestions(QUESTIONS_MAX);
        return Err(McpError::malformed(&wrong, b""));
    }
    let questions = requests.into_iter().map(|(key, request)| {
        let question = ElicitationPrompt {
            key: Some(key.clone()),
            ..question(request, call)?
        };
        Ok((key, question))
    });
    questions.collect()
}

fn question(mut request: Value, call: &PendingRequest) -> Result<ElicitationPrompt, McpError> {
    let method = request.get("method").and_then(Value::as_str);
    if method != Some(ELICIT) {
        let wrong = match method {
            Some(method) => AnswerFault::NotOffered(text::cut_chars(method, 80)),
            None => AnswerFault::NoMethod,
        };
        return Err(malformed(&wrong, &request));
    }
    let mut params = request
        .get_mut("params")
        .map(Value::take)
        .unwrap_or_default();
    let read = elicitation::read(&mut params);
    let (message, wanted) =
        read.map_err(|wrong| malformed(&AnswerFault::Question(wrong), &params))?;
    let label = call.label.as_ref();
    Ok(ElicitationPrompt::of_call(label, message, wanted))
}

fn malformed(wrong: &AnswerFault, value: &Value) -> McpError {
    McpError::malformed(wrong, value.to_string().as_bytes())
}
