//! Calls that the server runs as tasks. The server answers such a call at once with a task, and the
//! client requests the task's state until it has ended.
//!
//! In 2025-11-25 the client decides which call becomes a task, and gets the result with
//! `tasks/result`. In 2026-07-28 (extension `io.modelcontextprotocol/tasks`) the server decides,
//! and the state contains the result and the questions to the person.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::Progress;
use guild_model::protocol::Era;
use rmcp::model::{ErrorData, ProgressToken};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::request::raw;
use super::rounds::questions;
use super::{CANCELLATIONS_MAX, CallOptions, Session};
use crate::error::{McpError, bounded_rpc};
use crate::messages::AnswerFault;
use crate::pending_requests::PendingRequest;
use crate::raw_requests::RawRequestResult;
use crate::raw_requests::compose::{RawRequestParams, Request};
use crate::text;

/// The name of the extension of 2026-07-28.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// Limit of a task's id, in bytes.
const ID_MAX: usize = 1 << 10;
/// Limit of a task's status message, in characters.
const MESSAGE_MAX: usize = 1_000;
/// The pause between two requests for the state, if the server suggests none.
const PAUSE: Duration = Duration::from_secs(1);
/// The shortest and the longest pause that a server can suggest.
const PAUSE_LIMITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));
/// How often in a row a request for the state may fail.
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
        let malformed = |reason: String| {
            let wrong = AnswerFault::TaskUnread(text::cut_chars(&reason, MESSAGE_MAX));
            McpError::malformed(&wrong, text.get().as_bytes())
        };
        let state: Self =
            serde_json::from_str(text.get()).map_err(|error| malformed(error.to_string()))?;
        match state.task_id.len() {
            1..=ID_MAX => Ok(state),
            _ => Err(malformed(format!("taskId has not 1 to {ID_MAX} bytes"))),
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

    fn pause(&self) -> Duration {
        let (shortest, longest) = PAUSE_LIMITS;
        let suggested = self
            .poll_interval_ms
            .or(self.poll_interval)
            .map(|ms| Duration::try_from_secs_f64(ms / 1_000.0));
        match suggested {
            None => PAUSE,
            Some(pause) => pause.unwrap_or(longest).clamp(shortest, longest),
        }
    }

    fn message(&self) -> Option<String> {
        let message = self.status_message.as_deref()?;
        Some(text::cut_chars(message, MESSAGE_MAX))
    }
}

impl Session {
    /// Whether the server runs calls as tasks if the client requests it (2025-11-25).
    pub(super) fn runs_tasks(&self) -> bool {
        let calls = "/tasks/requests/tools/call";
        self.server.era == Era::Legacy && self.server.capabilities.pointer(calls).is_some()
    }

    /// Waits for the result of a call that the client requested as a task (2025-11-25).
    pub(super) async fn requested_task(
        &self,
        answer: Box<RawValue>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        match TaskState::created(&answer)? {
            Some(state) => self.follow_task(state, call, options).await,
            // The server has answered the call itself.
            None => Ok(answer),
        }
    }

    /// Waits for the result of a call that the server has made a task (2026-07-28).
    pub(super) async fn server_task(
        &self,
        answer: &RawValue,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        self.follow_task(TaskState::read(answer)?, call, options)
            .await
    }

    async fn follow_task(
        &self,
        first: TaskState<'_>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let id = first.task_id.clone();
        let mut running = RunningTask::new(self, id.clone(), call)?;
        let params = &*running.params.clone();
        let mut answered = HashSet::new();
        let mut reported = None;
        let mut polled: Box<RawValue>;
        let mut state = first;
        let mut steps = 0.0;
        loop {
            // The server has answered, so the time limit is restarted.
            call.moved.notify_one();
            running.is_over = state.status.is_over();
            let message = state.message();
            if message.is_some() && message != reported {
                steps += 1.0;
                report(call, steps, message.clone());
                reported = message;
            }
            match (state.status, self.server.era) {
                (TaskStatus::Working, _) => {}
                // Questions arrive as requests while the result is requested.
                (_, Era::Legacy) => {
                    let request = Request::new("tasks/result", RawRequestParams::Text(params));
                    let result = self.ask_once(&request, call, options).await;
                    running.is_over |= result.is_ok();
                    return result;
                }
                (TaskStatus::InputRequired, Era::Modern) => {
                    let asked = state.input_requests.take().unwrap_or_default();
                    self.answer_task(&id, asked, &mut answered, call, options)
                        .await?;
                }
                (TaskStatus::Completed, Era::Modern) => {
                    let result = state.result.filter(|result| result.get().starts_with('{'));
                    let missing = AnswerFault::TaskUnread("it has no result".to_owned());
                    return result
                        .map(ToOwned::to_owned)
                        .ok_or_else(|| McpError::malformed(&missing, b""));
                }
                (TaskStatus::Failed, Era::Modern) => {
                    let missing = AnswerFault::TaskUnread("it has no error".to_owned());
                    return Err(match &state.error {
                        Some(error) => McpError::Rpc(bounded_rpc(error)),
                        None => McpError::malformed(&missing, b""),
                    });
                }
                (TaskStatus::Cancelled, Era::Modern) => {
                    return Err(McpError::TaskCancelled {
                        reason: state.message(),
                    });
                }
            }
            polled = self
                .task_state(params, state.pause(), call, options)
                .await?;
            state = TaskState::read(&polled)?;
        }
    }

    /// Requests a task's state after a pause. Repeats a failed request, since it changes nothing.
    async fn task_state(
        &self,
        params: &RawValue,
        pause: Duration,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let request = Request::new("tasks/get", RawRequestParams::Text(params));
        let mut failures = 0;
        loop {
            sleep(pause).await;
            match self.ask_once(&request, call, options).await {
                Err(McpError::Connect { .. } | McpError::HttpStatus { .. })
                    if failures < FAILURES_MAX =>
                {
                    failures += 1;
                }
                answered => return answered,
            }
        }
    }

    /// Asks a person a task's new questions, and sends the answers.
    async fn answer_task(
        &self,
        id: &str,
        asked: Value,
        answered: &mut HashSet<String>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> Result<(), McpError> {
        if !self.accepts_elicitation() {
            let wrong = AnswerFault::NotAskedFor("input_required".to_owned());
            return Err(McpError::malformed(&wrong, b""));
        }
        let mut new = questions(asked, call)?;
        new.retain(|(key, _)| !answered.contains(key));
        if new.is_empty() {
            return Ok(());
        }
        answered.extend(new.iter().map(|(key, _)| key.clone()));
        if answered.len() > QUESTIONS_MAX {
            let wrong = AnswerFault::ManyQuestions(QUESTIONS_MAX);
            return Err(McpError::malformed(&wrong, b""));
        }
        let responses = self.answers(new, call).await;
        let params = raw(&json!({"taskId": id, "inputResponses": responses}))?;
        let request = Request::new("tasks/update", RawRequestParams::Text(&params));
        match self.ask_once(&request, call, options).await {
            // The task may have ended before the person answered. Its state has the reason.
            Ok(_) | Err(McpError::Rpc(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn report(call: &PendingRequest, steps: f64, message: Option<String>) {
    if let Some(progress) = &call.progress {
        // A slow receiver misses progress, but never the result.
        let _ = progress.try_send(Progress {
            progress: steps,
            total: None,
            message,
        });
    }
}

/// A task whose result the client waits for. If this value is dropped before the task has ended,
/// the server is asked to cancel the task.
struct RunningTask<'a> {
    session: &'a Session,
    params: Arc<RawValue>,
    /// The token of the first request. The server may use it while the task runs.
    token: Option<ProgressToken>,
    is_over: bool,
}

impl<'a> RunningTask<'a> {
    fn new(session: &'a Session, id: String, call: &Arc<PendingRequest>) -> Result<Self, McpError> {
        let params = raw(&json!({"taskId": id}))?;
        let token = call.request.lock().clone().map(ProgressToken);
        if let Some(token) = &token {
            session.calls.insert(token.clone(), Arc::clone(call));
        }
        // A call creates at most one task.
        let _ = call.task.set(id);
        Ok(Self {
            session,
            params: params.into(),
            token,
            is_over: false,
        })
    }
}

impl Drop for RunningTask<'_> {
    fn drop(&mut self) {
        let session = self.session;
        if let Some(token) = &self.token {
            session.calls.remove(token);
        }
        if self.is_over || session.cancellations.len() >= CANCELLATIONS_MAX {
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
            let call = Arc::new(PendingRequest::default());
            let mut waits = calls.begin_raw_request(&call)?;
            let message = request.compose(waits.id, &introduction, None).ok()?;
            let asking = sender.ask(&request, message, &mut waits, &peer);
            timeout(CANCEL_LIMIT, asking).await.ok()?
        };
        session.cancellations.spawn_on(
            async {
                if let Some(Err(error)) = cancelling.await {
                    tracing::debug!(%error, "a task was not cancelled");
                }
            },
            &runtime,
        );
    }
}
