//! Calls that the server runs as tasks. The server answers such a call at once with a task, and the
//! client requests the task's state until it has ended.
//!
//! In 2025-11-25 the client decides which call becomes a task, and gets the result and the questions
//! to the person with `tasks/result`. In 2026-07-28 (extension `io.modelcontextprotocol/tasks`) the server decides,
//! and the state contains the result and the questions to the person.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::Progress;
use guild_model::protocol::Era;
use rmcp::model::{ErrorData, ProgressToken};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::request::raw;
use super::rounds::questions;
use super::{CANCELLATIONS_MAX, CallOptions, SentRequest, Session};
use crate::elicitation::ElicitationPrompt;
use crate::error::{McpError, bounded_rpc};
use crate::messages::AnswerFault;
use crate::pending_requests::PendingRequest;
use crate::raw_requests::RawRequestResult;
use crate::raw_requests::compose::{RawRequestParams, Request};
use crate::text;

/// Limit of a task's id, in bytes.
const ID_MAX: usize = 1 << 10;
/// Limit of a task's status message, in characters.
const MESSAGE_MAX: usize = 1_000;
/// The pause between two requests for the state, if the server suggests none.
const PAUSE: Duration = Duration::from_secs(1);
/// The shortest and the longest pause that a server can suggest.
const PAUSE_LIMITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));
/// How often in a row a request about a task may fail.
const FAILURES_MAX: u32 = 5;
/// How many questions a task can ask in total.
const QUESTIONS_MAX: usize = 256;
/// How long the cancellation of a task waits for its acknowledgement.
const CANCEL_LIMIT: Duration = Duration::from_secs(5);

/// The state of a task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskState<'a> {
    task_id: String,
    status: TaskStatus,
    #[serde(default)]
    status_message: Option<String>,
    /// The suggested pause in milliseconds, in 2025-11-25.
    #[serde(default)]
    poll_interval: Option<f64>,
    /// The same in 2026-07-28.
    #[serde(default)]
    poll_interval_ms: Option<f64>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<ErrorData>,
    #[serde(default)]
    input_requests: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TaskStatus {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

impl TaskStatus {
    fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

impl<'a> TaskState<'a> {
    fn read(text: &'a RawValue) -> Result<Self, McpError> {
        let state: Self =
            serde_json::from_str(text.get()).map_err(|error| unread(&error.to_string(), text))?;
        match state.task_id.len() {
            1..=ID_MAX => Ok(state),
            _ => Err(unread(
                &format!("taskId must have 1 to {ID_MAX} bytes"),
                text,
            )),
        }
    }

    /// Returns the state from the answer to a call of 2025-11-25. `None` if the server has not
    /// created a task.
    fn created(result: &'a RawValue) -> Result<Option<Self>, McpError> {
        #[derive(Deserialize)]
        struct Created<'a> {
            #[serde(borrow, default)]
            task: Option<&'a RawValue>,
        }
        let created: Created<'_> =
            serde_json::from_str(result.get()).unwrap_or(Created { task: None });
        created.task.map(Self::read).transpose()
    }

    /// Returns the pause before the next request for the state. It is shorter than the time limit
    /// of the call, which each answer restarts.
    fn pause(&self, limit: Duration) -> Duration {
        let (shortest, longest) = PAUSE_LIMITS;
        let suggested = self.poll_interval_ms.or(self.poll_interval);
        let suggested = suggested.map(|ms| Duration::try_from_secs_f64(ms / 1_000.0));
        let pause = match suggested {
            None => PAUSE,
            Some(pause) => pause.unwrap_or(longest).clamp(shortest, longest),
        };
        pause.min(limit / 3)
    }

    fn message(&self) -> Option<String> {
        let message = self.status_message.as_deref()?;
        Some(text::cut_chars(message, MESSAGE_MAX))
    }
}

impl Session {
    /// Whether the server runs calls as tasks if the client requests it (2025-11-25).
    pub(super) fn runs_tasks(&self) -> bool {
        self.server.era == Era::Legacy && self.has_capability("/tasks/requests/tools/call")
    }

    fn has_capability(&self, pointer: &str) -> bool {
        self.server.capabilities.pointer(pointer).is_some()
    }

    /// Waits for the result of a call that the client requested as a task (2025-11-25).
    pub(super) async fn requested_task(
        &self,
        answer: Box<RawValue>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let Some(first) = TaskState::created(&answer)? else {
            // The server has answered the call itself.
            return Ok(answer);
        };
        let mut task = RunningTask::new(self, &first, call, options)?;
        task.report(&first);
        let mut pause = first.pause(options.limit);
        let mut status = first.status;
        while status == TaskStatus::Working {
            let polled = task.poll(pause).await?;
            let state = task.read(&polled)?;
            pause = state.pause(options.limit);
            status = state.status;
        }
        task.is_over = status.is_over();
        let result = task.result_beside(pause).await;
        task.is_over |= matches!(result, Ok(_) | Err(McpError::Rpc(_)));
        result
    }

    /// Waits for the result of a call that the server has made a task (2026-07-28).
    pub(super) async fn server_task(
        &self,
        answer: &RawValue,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        // The first state has neither a result nor questions.
        let first = TaskState::read(answer)?;
        let mut task = RunningTask::new(self, &first, call, options)?;
        task.report(&first);
        let mut pause = first.pause(options.limit);
        let mut answered = HashSet::new();
        let mut rejected = None;
        loop {
            let polled = task.poll(pause).await?;
            let mut state = task.read(&polled)?;
            pause = state.pause(options.limit);
            task.is_over = state.status.is_over();
            match state.status {
                TaskStatus::Working => {}
                TaskStatus::InputRequired => {
                    let asked = state.input_requests.take().unwrap_or_default();
                    let questions = self.new_questions(asked, &mut answered, call)?;
                    if !questions.is_empty() {
                        let responses = self.answers(questions, call).await;
                        rejected = task.send(responses).await?;
                    } else if let Some(error) = rejected {
                        // The server has not taken the answer, and waits for another one.
                        return Err(error);
                    }
                }
                TaskStatus::Completed => {
                    let result = state.result.filter(|result| result.get().starts_with('{'));
                    return result
                        .map(ToOwned::to_owned)
                        .ok_or_else(|| unread("it has no result", &polled));
                }
                TaskStatus::Failed => {
                    return Err(match &state.error {
                        Some(error) => McpError::Rpc(bounded_rpc(error)),
                        None => unread("it has no error", &polled),
                    });
                }
                TaskStatus::Cancelled => {
                    let reason = state.message();
                    return Err(McpError::TaskCancelled { reason });
                }
            }
        }
    }

    /// Returns the questions of a task that a person was not asked yet.
    fn new_questions(
        &self,
        asked: Value,
        answered: &mut HashSet<String>,
        call: &PendingRequest,
    ) -> Result<Vec<(String, ElicitationPrompt)>, McpError> {
        if !self.accepts_elicitation() {
            let wrong = AnswerFault::NotAskedFor("input_required".to_owned());
            return Err(McpError::malformed(&wrong, b""));
        }
        let mut new = questions(asked, call)?;
        new.retain(|(key, _)| answered.insert(key.clone()));
        if answered.len() > QUESTIONS_MAX {
            let wrong = AnswerFault::ManyQuestions(QUESTIONS_MAX);
            return Err(McpError::malformed(&wrong, b""));
        }
        Ok(new)
    }
}

fn unread(reason: &str, answer: &RawValue) -> McpError {
    let wrong = AnswerFault::TaskUnread(text::cut_chars(reason, MESSAGE_MAX));
    McpError::malformed(&wrong, answer.get().as_bytes())
}

/// Whether a request that changes nothing may be repeated after this error.
fn is_temporary(error: &McpError) -> bool {
    match error {
        McpError::Connect { .. } => true,
        McpError::HttpStatus { status, .. } => *status >= 500 || matches!(status, 408 | 429),
        _ => false,
    }
}

/// A task whose result the client waits for. If this value is dropped before the task has ended,
/// the server is asked to cancel the task.
struct RunningTask<'a> {
    session: &'a Session,
    call: &'a Arc<PendingRequest>,
    id: String,
    /// The parameters with the id.
    params: Arc<RawValue>,
    /// The requests for the state. They don't replace the call's current request, to whose stream
    /// questions may belong.
    polls: Arc<PendingRequest>,
    /// The options of all requests about the task.
    options: CallOptions,
    /// The token of the first request. The server may use it while the task runs.
    token: Option<ProgressToken>,
    /// The status messages that were reported as progress, and the last one.
    reported: (f64, Option<String>),
    is_over: bool,
}

impl<'a> RunningTask<'a> {
    fn new(
        session: &'a Session,
        first: &TaskState<'_>,
        call: &'a Arc<PendingRequest>,
        options: &CallOptions,
    ) -> Result<Self, McpError> {
        let id = first.task_id.clone();
        let params = raw(&json!({"taskId": id}))?;
        let token = call.request.lock().clone().map(ProgressToken);
        if let Some(token) = &token {
            session.calls.insert(token.clone(), Arc::clone(call));
        }
        // A call creates at most one task.
        let _ = call.task.set(id.clone());
        Ok(Self {
            session,
            call,
            id,
            params: params.into(),
            polls: Arc::default(),
            // People see the request of the call, not those about its task.
            options: CallOptions {
                sent: SentRequest::default(),
                ..options.clone()
            },
            token,
            reported: (0.0, None),
            is_over: false,
        })
    }

    /// Requests the state after a pause.
    async fn poll(&self, pause: Duration) -> RawRequestResult {
        sleep(pause).await;
        self.ask("tasks/get", &self.params, &self.polls, pause)
            .await
    }

    /// Reads the state in an answer, and reports its status message.
    fn read<'t>(&mut self, answer: &'t RawValue) -> Result<TaskState<'t>, McpError> {
        let state = TaskState::read(answer)?;
        if state.task_id != self.id {
            return Err(unread("it has another taskId", answer));
        }
        self.report(&state);
        Ok(state)
    }

    /// Reports a new status message as progress, unless the server reports progress itself.
    fn report(&mut self, state: &TaskState<'_>) {
        // The server has answered, so the time limit is restarted.
        self.call.moved.notify_one();
        let message = state.message();
        let (steps, last) = &mut self.reported;
        if message.is_some() && message != *last && !self.call.has_progress() {
            *steps += 1.0;
            last.clone_from(&message);
            self.call.report(Progress {
                progress: *steps,
                total: None,
                message,
            });
        }
    }

    /// Requests the result (2025-11-25). While the server waits for input, it sends questions
    /// before the result, and its state is still requested.
    async fn result_beside(&mut self, mut pause: Duration) -> RawRequestResult {
        let (call, params) = (self.call, Arc::clone(&self.params));
        let (session, options) = (self.session, self.options.clone());
        let result = ask_again(session, "tasks/result", &params, call, &options, pause);
        tokio::pin!(result);
        while !self.is_over {
            let polled = tokio::select! {
                biased;
                result = &mut result => return result,
                polled = self.poll(pause) => polled?,
            };
            let state = self.read(&polled)?;
            pause = state.pause(options.limit);
            self.is_over = state.status.is_over();
        }
        result.await
    }

    /// Sends a person's answers. Returns the error if the server rejects them.
    async fn send(&self, responses: Map<String, Value>) -> Result<Option<McpError>, McpError> {
        let params = raw(&json!({"taskId": self.id, "inputResponses": responses}))?;
        match self.ask("tasks/update", &params, &self.polls, PAUSE).await {
            Ok(_) => Ok(None),
            // The task may have ended before the person answered. Its state has the reason.
            Err(McpError::Rpc(error)) => Ok(Some(McpError::Rpc(error))),
            Err(error) => Err(error),
        }
    }

    async fn ask(
        &self,
        method: &str,
        params: &RawValue,
        call: &Arc<PendingRequest>,
        pause: Duration,
    ) -> RawRequestResult {
        ask_again(self.session, method, params, call, &self.options, pause).await
    }
}

/// Sends a request about a task. Repeats it after a temporary error, since a second one changes
/// nothing.
async fn ask_again(
    session: &Session,
    method: &str,
    params: &RawValue,
    call: &Arc<PendingRequest>,
    options: &CallOptions,
    pause: Duration,
) -> RawRequestResult {
    let request = Request::new(method, RawRequestParams::Text(params));
    for _ in 0..FAILURES_MAX {
        match session.ask_once(&request, call, options).await {
            Err(error) if is_temporary(&error) => sleep(pause).await,
            answered => return answered,
        }
    }
    session.ask_once(&request, call, options).await
}

impl Drop for RunningTask<'_> {
    fn drop(&mut self) {
        let session = self.session;
        if let Some(token) = &self.token {
            session.calls.remove(token);
        }
        let can_cancel =
            session.server.era == Era::Modern || session.has_capability("/tasks/cancel");
        if self.is_over || !can_cancel || session.task_cancellations.len() >= CANCELLATIONS_MAX {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let (sender, calls) = (session.sender.clone(), session.calls.clone());
        let (introduction, peer) = (session.introduction.clone(), session.peer.clone());
        let params = Arc::clone(&self.params);
        let cancelling = async move {
            let request = Request::new("tasks/cancel", RawRequestParams::Text(&params));
            let call = Arc::default();
            let mut waits = calls.begin_raw_request(&call)?;
            let message = request.compose(waits.id, &introduction, None).ok()?;
            let asking = sender.ask(&request, message, &mut waits, &peer);
            timeout(CANCEL_LIMIT, asking).await.ok()?
        };
        session.task_cancellations.spawn_on(
            async {
                if let Some(Err(error)) = cancelling.await {
                    tracing::debug!(%error, "a task was not cancelled");
                }
            },
            &runtime,
        );
    }
}
