//! Messages to an agent during its call: the member's questions to the user, and its log messages.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use futures::task::AtomicWaker;
use guild_api::wire::ElicitationAction;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use guild_mcp_client::{ElicitationHandler, ElicitationPrompt, ElicitationReply, RequestedInput};
use guild_mcp_client::{Level, NotificationSink};

use super::envelope::ElicitationModes;

/// Limit of the unanswered questions of one call.
const WAITING_MAX: usize = 16;
/// Limit of the log messages of one call that wait to be sent.
const LOGS_MAX: usize = 64;
/// Limit of a question's key, in bytes. A longer key from a member is replaced.
const KEY_MAX: usize = 256;

/// The number of the gateway's next request to a client.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A member's message during its call.
#[derive(Debug)]
pub(super) enum CallMessage {
    /// The member asks the user a question.
    Question(SentQuestion),
    /// The member no longer waits for the answer.
    Withdrawn(u64),
    /// The parameters of a `notifications/message`.
    Log(Box<RawValue>),
}

/// A question as sent to the agent.
#[derive(Debug)]
pub(super) struct SentQuestion {
    /// The question's number.
    pub(super) number: u64,
    /// The question's key (2026-07-28). This is the member's own key for the question, if that is
    /// unique within the call.
    pub(super) key: String,
    /// The parameters of an `elicitation/create`.
    pub(super) params: Value,
}

/// Answers that came with a request before the questions were asked, by question key.
pub(super) type EarlyInputResponses = HashMap<String, Box<RawValue>>;

/// The questions and log messages of one call.
#[derive(Debug)]
pub(super) struct CallElicitations {
    modes: ElicitationModes,
    limit: Duration,
    /// The lowest log level that the agent wants. `None` for all log messages.
    level: Option<Level>,
    early: Mutex<EarlyInputResponses>,
    weak_self: Weak<Self>,
    messages: Mutex<VecDeque<CallMessage>>,
    waker: AtomicWaker,
    waiting: Mutex<HashMap<u64, PendingQuestion>>,
}

/// A question that waits for its answer.
#[derive(Debug)]
struct PendingQuestion {
    key: String,
    answer: oneshot::Sender<ElicitationReply>,
}

impl CallElicitations {
    /// Creates the queue for a client with these elicitation modes, a time limit for each answer,
    /// and a lowest log level.
    pub(super) fn new(
        modes: ElicitationModes,
        limit: Duration,
        level: Option<Level>,
        early: EarlyInputResponses,
    ) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            modes,
            limit,
            level,
            early: Mutex::new(early),
            weak_self: Weak::clone(myself),
            messages: Mutex::default(),
            waker: AtomicWaker::new(),
            waiting: Mutex::default(),
        })
    }

    pub(super) fn poll_message(&self, cx: &mut Context<'_>) -> Poll<CallMessage> {
        self.waker.register(cx.waker());
        match self.messages.lock().pop_front() {
            Some(message) => Poll::Ready(message),
            None => Poll::Pending,
        }
    }

    /// Removes the queued messages, and returns the questions among them that are still unanswered.
    pub(super) fn further(&self) -> Vec<SentQuestion> {
        let messages = std::mem::take(&mut *self.messages.lock());
        let waiting = self.waiting.lock();
        messages
            .into_iter()
            .filter_map(|message| match message {
                CallMessage::Question(question) if waiting.contains_key(&question.number) => {
                    Some(question)
                }
                _ => None,
            })
            .collect()
    }

    /// Delivers an answer. Returns whether the question was still unanswered. An invalid answer
    /// counts as no decision.
    pub(super) fn answer(&self, number: u64, result: Option<&RawValue>) -> bool {
        let Some(waiting) = self.waiting.lock().remove(&number) else {
            return false;
        };
        let reply = result.and_then(reply).unwrap_or(ElicitationReply::CANCEL);
        waiting.answer.send(reply).is_ok()
    }

    fn send(&self, message: CallMessage) {
        self.messages.lock().push_back(message);
        self.waker.wake();
    }

    fn can_ask(&self, wanted: &RequestedInput) -> bool {
        match wanted {
            RequestedInput::Values { .. } => self.modes.values,
            RequestedInput::Visit { .. } => self.modes.visits,
        }
    }

    /// Returns the answer that the agent gave before the question. Each answer is used once.
    fn early_reply(&self, question: &ElicitationPrompt) -> Option<ElicitationReply> {
        let early = self.early.lock().remove(question.key.as_deref()?)?;
        reply(&early).filter(|_| self.can_ask(&question.wanted))
    }

    fn begin(
        &self,
        question: ElicitationPrompt,
    ) -> Option<(Arc<Self>, u64, oneshot::Receiver<ElicitationReply>)> {
        let myself = self.weak_self.upgrade()?;
        if !self.can_ask(&question.wanted) {
            return None;
        }
        let mut waiting = self.waiting.lock();
        if waiting.len() >= WAITING_MAX {
            return None;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        let free = |key: &String| key.len() <= KEY_MAX && waiting.values().all(|it| it.key != *key);
        let key = question.key.filter(free);
        let key = key.unwrap_or_else(|| format!("question-{number}"));
        let waits = PendingQuestion {
            key: key.clone(),
            answer,
        };
        waiting.insert(number, waits);
        drop(waiting);
        let mut params = match question.wanted {
            RequestedInput::Values { schema } => json!({"mode": "form", "requestedSchema": schema}),
            RequestedInput::Visit { url, id } => {
                json!({"mode": "url", "url": url, "elicitationId": id})
            }
        };
        if let Value::Object(params) = &mut params {
            params.insert("message".into(), question.message.into());
        }
        self.send(CallMessage::Question(SentQuestion {
            number,
            key,
            params,
        }));
        Some((myself, number, answered))
    }
}

impl ElicitationHandler for CallElicitations {
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        if let Some(reply) = self.early_reply(&question) {
            return std::future::ready(reply).boxed();
        }
        let Some((questions, number, answered)) = self.begin(question) else {
            return std::future::ready(ElicitationReply::CANCEL).boxed();
        };
        let limit = questions.limit;
        // Created before the wait, so that a question is also withdrawn if the future is dropped
        // before its first poll.
        let open = QuestionGuard { questions, number };
        async move {
            let reply = tokio::time::timeout(limit, answered).await;
            drop(open);
            match reply {
                Ok(Ok(reply)) => reply,
                _ => ElicitationReply::CANCEL,
            }
        }
        .boxed()
    }
}

impl NotificationSink for CallElicitations {
    fn level(&self) -> Option<Level> {
        self.level
    }

    fn log(&self, level: Level, params: &RawValue) {
        if self.level.is_some_and(|least| level < least) {
            return;
        }
        let mut message = self.messages.lock();
        if message.len() < LOGS_MAX {
            message.push_back(CallMessage::Log(params.to_owned()));
        }
        drop(message);
        self.waker.wake();
    }

    /// Does nothing: changes of resources do not belong to a call.
    fn updated(&self, _uri: &str) {}
}

/// An unanswered question. Dropping this value before the answer arrives withdraws the question.
struct QuestionGuard {
    questions: Arc<CallElicitations>,
    number: u64,
}

impl Drop for QuestionGuard {
    fn drop(&mut self) {
        if self.questions.waiting.lock().remove(&self.number).is_none() {
            return;
        }
        let mut message = self.questions.messages.lock();
        let unsent = message.iter().position(
            |message| matches!(message, CallMessage::Question(question) if question.number == self.number),
        );
        // A question that was not sent is removed from the queue without a withdrawal. So a member
        // that asks and withdraws repeatedly does not fill the queue.
        match unsent {
            Some(at) => drop(message.remove(at)),
            None => {
                drop(message);
                self.questions.send(CallMessage::Withdrawn(self.number));
            }
        }
    }
}

#[derive(Deserialize)]
struct ElicitationResult {
    action: ElicitationAction,
    #[serde(default)]
    content: Option<Map<String, Value>>,
}

/// Parses a client's answer. Returns `None` if it is invalid.
pub(super) fn reply(result: &RawValue) -> Option<ElicitationReply> {
    let decided: ElicitationResult = serde_json::from_str(result.get()).ok()?;
    Some(ElicitationReply {
        content: decided
            .content
            .filter(|_| decided.action == ElicitationAction::Accept),
        action: decided.action,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn withdrawn_questions_leave_nothing() {
        let modes = ElicitationModes {
            values: true,
            visits: false,
        };
        let questions = CallElicitations::new(
            modes,
            Duration::from_secs(1),
            None,
            EarlyInputResponses::new(),
        );
        let question = || ElicitationPrompt {
            call: None,
            tool: None,
            key: None,
            message: "Who?".into(),
            wanted: RequestedInput::Values { schema: json!({}) },
        };
        for _ in 0..100 {
            drop(questions.ask(question()));
        }
        assert_eq!(questions.messages.lock().len(), 0);
        assert!(questions.waiting.lock().is_empty());
    }
}
