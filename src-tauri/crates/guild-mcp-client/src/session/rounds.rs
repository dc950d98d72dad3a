//! One logical request, from the first message to the result.
//!
//! Up to 2025-11-25 this is one request and its answer. In 2026-07-28 the answer may request input
//! from a person. The request is then repeated with it, a bounded number of times.
//!
//! The error that requires a person to visit an address first (2025-11-25) is handled in the same
//! way.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::messages::{AnswerFault, LargePart};
use futures::future::join_all;
use guild_api::wire::{ElicitationAction, RpcError};
use guild_model::protocol::Era;
use guild_text::messages::JsonKind;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::clock::CallDeadline;
use super::unread::value_of;
use super::{CallOptions, Session};
use crate::asking::{self, ELICIT, ElicitationPrompt, ElicitationReply, RequestedInput};
use crate::calls::PendingRequest;
use crate::error::McpError;
use crate::lane::RawRequestResult;
use crate::lane::compose::{InputReply, Request};
use crate::news::{Hearing, Level};
use crate::questions::CallTimeoutPause;
use crate::text;

/// The error of a server that requires a person to visit an address first.
///
/// A server returns it only if it can't process a request before the visit, and the request must
/// then be repeated. A request with this error has not run, so repeating it with the same arguments
/// makes one call, not two. It is repeated only after each visit was accepted, or the server
/// reported completion. If a person declines or can't be asked, the error ends the call. No other
/// outcome repeats a call, such as a broken connection, a timeout or another error, since the call
/// may have run.
const VISIT_FIRST: i64 = -32042;
/// Most rounds of input for one request.
const ROUNDS_MAX: usize = 16;
/// Most elicitations in one round.
const QUESTIONS_MAX: usize = 64;
/// Largest state that is sent back, in bytes.
const STATE_MAX: usize = 4 << 20;
/// The log level of a 2026-07-28 server for a listener without a level.
const LEVEL: Level = Level::Info;
/// First pause before a repetition without input. It doubles up to the longest pause.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_millis(800);

/// The input that a server requests.
struct Needed {
    questions: Vec<(String, ElicitationPrompt)>,
    state: Option<String>,
}

/// The field of a result that is always inspected.
#[derive(Deserialize)]
struct ResultTypeField<'a> {
    #[serde(borrow, rename = "resultType", default)]
    kind: Option<&'a RawValue>,
}

static KIND: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"resultType\""));

/// Returns the type of an incomplete result.
fn unfinished(result: &RawValue) -> Option<String> {
    // Fast path: a result without this field is not parsed.
    KIND.find(result.get().as_bytes())?;
    let kind = serde_json::from_str::<ResultTypeField<'_>>(result.get())
        .ok()?
        .kind?;
    // A non-string value counts as complete.
    let kind: String = serde_json::from_str(kind.get()).ok()?;
    (kind != "complete").then_some(kind)
}

impl Session {
    /// Sends a request and waits for its result, with any number of input rounds.
    pub(super) async fn converse(
        &self,
        mut request: Request<'_>,
        mut options: CallOptions,
    ) -> RawRequestResult {
        let hearing = options.hearing.take();
        if self.server.era == Era::Modern {
            let level = |hearing: &Arc<dyn Hearing>| hearing.level().unwrap_or(LEVEL);
            request.log = hearing.as_ref().map(level);
        }
        let call = Arc::new(PendingRequest {
            label: options.label.take(),
            progress: options.progress.take(),
            asking: options.asking.take(),
            hearing: hearing.clone(),
            ..PendingRequest::default()
        });
        let _over = call.over.clone().drop_guard();
        let mut clock = CallDeadline::start(options.limit, call.held.subscribe());
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
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let mut pause = PAUSE;
        for _ in 0..ROUNDS_MAX {
            let result = match self.ask_once(&request, call, options).await {
                Err(McpError::Rpc(error)) if error.code == VISIT_FIRST => {
                    let visits = visits(&error, call);
                    if visits.is_empty() || !self.all_visited(visits, call).await {
                        return Err(McpError::Rpc(error));
                    }
                    // It has not run, and can run now.
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
            // An answer proves that the server is alive.
            call.moved.notify_one();
            request.given = InputReply {
                responses: (!responses.is_empty()).then(|| Value::Object(responses).to_string()),
                state: needed.state.map(|state| Value::String(state).to_string()),
            };
        }
        Err(McpError::malformed(&AnswerFault::NoResult(ROUNDS_MAX), b""))
    }

    /// Sends a person to all addresses. Returns whether all were accepted.
    async fn all_visited(
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

    fn takes_questions(&self) -> bool {
        self.server.era == Era::Modern && self.questions.are_taken()
    }

    /// Sends all elicitations at once. The call's limit is paused until the last answer.
    async fn answers(
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

/// Returns the addresses that a person must visit before the server accepts the call.
fn visits(error: &RpcError, call: &PendingRequest) -> Vec<ElicitationPrompt> {
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
        matches!(wanted, RequestedInput::Visit { .. }).then(|| question_of(call, message, wanted))
    });
    // If one is invalid, none is used, since all are required.
    visits.collect::<Option<_>>().unwrap_or_default()
}

fn question_of(
    call: &PendingRequest,
    message: String,
    wanted: RequestedInput,
) -> ElicitationPrompt {
    ElicitationPrompt {
        key: None,
        call: call.label.as_ref().map(|label| label.call.clone()),
        tool: call.label.as_ref().and_then(|label| label.tool.clone()),
        message,
        wanted,
    }
}

/// Parses the requested input.
fn needed(result: &mut Value, call: &PendingRequest) -> Result<Needed, McpError> {
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
            let question = ElicitationPrompt {
                key: Some(key.clone()),
                ..question(request, call)?
            };
            Ok((key, question))
        })
        .collect::<Result<_, McpError>>()?;
    Ok(Needed { questions, state })
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
    let read = asking::read(&mut params);
    let (message, wanted) =
        read.map_err(|wrong| malformed(&AnswerFault::Question(wrong), &params))?;
    Ok(question_of(call, message, wanted))
}

fn malformed(wrong: &AnswerFault, value: &Value) -> McpError {
    McpError::malformed(wrong, value.to_string().as_bytes())
}
