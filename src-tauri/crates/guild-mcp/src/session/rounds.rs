//! One thing that is asked of a server, from the first request to the result.
//!
//! Up to 2025-11-25 that is one request and its answer. In 2026-07-28 the answer may say what the
//! server needs of a person first; the request is then made again with it, a bounded number of
//! times.
//!
//! An error that wants a person to visit an address first (2025-11-25) is met in the same way.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures::future::join_all;
use guild_core::note::{AnswerFault, JsonKind, LargePart};
use guild_core::protocol::Era;
use guild_core::wire::{ElicitationAction, RpcError};
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::clock::Clock;
use super::unread::value_of;
use super::{CallOptions, Session};
use crate::asking::{self, ELICIT, Question, Reply, Wanted};
use crate::calls::Waiting;
use crate::error::McpError;
use crate::lane::Answered;
use crate::lane::compose::{Given, Request};
use crate::news::{Hearing, Level};
use crate::questions::Held;
use crate::text;

/// The error of a server that wants a person to visit an address first.
///
/// A server gives it where it can't process a request before the visit, for no other reason, and
/// the request is then to be made again: one that was answered with it has not run. So making it
/// again, with the same arguments, does the one call that was asked for, and not a second one. It
/// is made only once each visit was accepted, or the server has said that it was done; where a
/// person declines, or nobody can be asked, the error is the call's end. Nothing else that a call
/// may end with has it made again: not a broken connection, not a time limit, not any other error,
/// after which it may have run.
const VISIT_FIRST: i64 = -32042;
/// How often a server may say that it needs more.
const ROUNDS_MAX: usize = 16;
/// How many questions it may ask at once.
const QUESTIONS_MAX: usize = 64;
/// The largest state that is sent back to it, in bytes.
const STATE_MAX: usize = 4 << 20;
/// From which level on a server of 2026-07-28 logs for whoever hears it and names none.
const LEVEL: Level = Level::Info;
/// The first pause before a request that was only to be made again; it doubles up to the longest.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_millis(800);

/// What a server needs.
struct Needed {
    questions: Vec<(String, Question)>,
    state: Option<String>,
}

/// The one field of a result that is always looked at.
#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow, rename = "resultType", default)]
    kind: Option<&'a RawValue>,
}

static KIND: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"resultType\""));

/// What a result says of itself, where it says that it is not complete.
fn unfinished(result: &RawValue) -> Option<String> {
    // A result that says nothing is not read.
    KIND.find(result.get().as_bytes())?;
    let kind = serde_json::from_str::<Kind<'_>>(result.get()).ok()?.kind?;
    // What is no text says nothing.
    let kind: String = serde_json::from_str(kind.get()).ok()?;
    (kind != "complete").then_some(kind)
}

impl Session {
    /// Asks something of the server and waits for its result, whatever it needs on the way.
    pub(super) async fn converse(
        &self,
        mut request: Request<'_>,
        mut options: CallOptions,
    ) -> Answered {
        let hearing = options.hearing.take();
        if self.server.era == Era::Modern {
            let level = |hearing: &Arc<dyn Hearing>| hearing.level().unwrap_or(LEVEL);
            request.log = hearing.as_ref().map(level);
        }
        let call = Arc::new(Waiting {
            label: options.label.take(),
            progress: options.progress.take(),
            asking: options.asking.take(),
            hearing: hearing.clone(),
            ..Waiting::default()
        });
        let _over = call.over.clone().drop_guard();
        let mut clock = Clock::start(options.limit, call.held.subscribe());
        let talk = async {
            if let Some(level) = hearing.and_then(|hearing| hearing.level()) {
                self.tell_level(level, &options).await;
            }
            self.rounds(request, &call, &options).await
        };
        tokio::pin!(talk);
        loop {
            tokio::select! {
                biased;
                result = &mut talk => return result,
                () = options.cancel.cancelled() => {
                    let _ = call.reason.set("cancelled by the user");
                    return Err(McpError::Cancelled);
                }
                () = call.moved.notified() => clock.moved(),
                limit = clock.up() => {
                    let _ = call.reason.set("time limit reached");
                    return Err(McpError::CallTimeout { limit });
                }
            }
        }
    }

    async fn rounds(
        &self,
        mut request: Request<'_>,
        call: &Arc<Waiting>,
        options: &CallOptions,
    ) -> Answered {
        let mut pause = PAUSE;
        for _ in 0..ROUNDS_MAX {
            let result = match self.ask_once(&request, call, options).await {
                Err(McpError::Rpc(error)) if error.code == VISIT_FIRST => {
                    let visits = visits(&error, call);
                    if visits.is_empty() || !self.all_visited(visits, call).await {
                        return Err(McpError::Rpc(error));
                    }
                    // It has not run, and can now.
                    call.moved.notify_one();
                    continue;
                }
                result => result?,
            };
            let Some(kind) = unfinished(&result) else {
                return Ok(result);
            };
            if kind != "input_required" || !self.takes_questions() {
                let wrong = AnswerFault::NotAskedFor(text::cut_chars(&kind, 80));
                return Err(McpError::malformed(&wrong, result.get().as_bytes()));
            }
            let needed = needed(&mut value_of(&result)?, call)?;
            if needed.questions.is_empty() {
                sleep(pause).await;
                pause = PAUSE_MAX.min(pause * 2);
            } else {
                pause = PAUSE;
            }
            let responses = self.answers(needed.questions, call).await;
            // The server has shown that it is there.
            call.moved.notify_one();
            request.given = Given {
                responses: (!responses.is_empty()).then(|| Value::Object(responses).to_string()),
                state: needed.state.map(|state| Value::String(state).to_string()),
            };
        }
        Err(McpError::malformed(&AnswerFault::NoResult(ROUNDS_MAX), b""))
    }

    /// Sends a person to all addresses; whether each was accepted.
    async fn all_visited(&self, visits: Vec<Question>, call: &Arc<Waiting>) -> bool {
        let _held = Held::new(call);
        let visited = visits
            .into_iter()
            .map(|visit| self.questions.put(visit, call.asking.as_ref()));
        let replies = join_all(visited).await;
        let accepted = |reply: &Reply| reply.action == ElicitationAction::Accept;
        replies.iter().all(accepted)
    }

    fn takes_questions(&self) -> bool {
        self.server.era == Era::Modern && self.questions.are_taken()
    }

    /// Puts all questions at once; the call's clock stands still until the last is answered.
    async fn answers(
        &self,
        questions: Vec<(String, Question)>,
        call: &Arc<Waiting>,
    ) -> Map<String, Value> {
        let _held = (!questions.is_empty()).then(|| Held::new(call));
        let asked = questions.into_iter().map(async |(key, question)| {
            let reply = self.questions.put(question, call.asking.as_ref()).await;
            (key, reply.into_result())
        });
        join_all(asked).await.into_iter().collect()
    }
}

/// The addresses that a server wants a person to go to before it takes the call.
fn visits(error: &RpcError, call: &Waiting) -> Vec<Question> {
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
        let (message, wanted) = asking::read(&mut visit).ok()?;
        matches!(wanted, Wanted::Visit { .. }).then(|| question_of(call, message, wanted))
    });
    // One that can't be made is none that can be left out.
    visits.collect::<Option<_>>().unwrap_or_default()
}

fn question_of(call: &Waiting, message: String, wanted: Wanted) -> Question {
    Question {
        key: None,
        call: call.label.as_ref().map(|label| label.call.clone()),
        tool: call.label.as_ref().and_then(|label| label.tool.clone()),
        message,
        wanted,
    }
}

/// Reads what a server needs.
fn needed(result: &mut Value, call: &Waiting) -> Result<Needed, McpError> {
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
    let requests = match result.get_mut("inputRequests").map(Value::take) {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(requests)) => requests,
        Some(other) => {
            let wrong = AnswerFault::FieldNoObject("inputRequests", JsonKind::of(&other));
            return Err(malformed(&wrong, &other));
        }
    };
    if requests.is_empty() && state.is_none() {
        return Err(malformed(&AnswerFault::NeedsNothing, result));
    }
    if requests.len() > QUESTIONS_MAX {
        let wrong = AnswerFault::ManyQuestions(QUESTIONS_MAX);
        return Err(McpError::malformed(&wrong, b""));
    }
    let questions = requests
        .into_iter()
        .map(|(key, request)| {
            let question = Question {
                key: Some(key.clone()),
                ..question(request, call)?
            };
            Ok((key, question))
        })
        .collect::<Result<_, McpError>>()?;
    Ok(Needed { questions, state })
}

fn question(mut request: Value, call: &Waiting) -> Result<Question, McpError> {
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
    let read = asking::read(&mut params);
    let (message, wanted) =
        read.map_err(|wrong| malformed(&AnswerFault::Question(wrong), &params))?;
    Ok(question_of(call, message, wanted))
}

fn malformed(wrong: &AnswerFault, value: &Value) -> McpError {
    McpError::malformed(wrong, value.to_string().as_bytes())
}
