//! One request with raw parameters, from the first message to the result.
//!
//! Up to 2025-11-25, this is one message and its answer. In 2026-07-28, the answer may request
//! input from a person. The request is then repeated with the input, up to a limit.
//!
//! The error with which a server requires that a person visits a web address first (2025-11-25) is
//! handled in the same way.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::messages::AnswerFault;
use guild_model::ToolName;
use guild_model::protocol::Era;
use memchr::memmem::Finder;
use rmcp::RoleClient;
use rmcp::service::Peer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::sleep;

use super::clock::CallDeadline;
use super::rounds::{needed, visits};
use super::{CallOptions, CancelOnDrop, Session};
use crate::error::McpError;
use crate::http::{HttpRequestSender, SseRequestSender};
use crate::lines::StdioOutboundQueue;
use crate::news::{Level, NotificationSink};
use crate::pending_requests::{PendingRawRequest, PendingRequest};
use crate::raw_requests::RawRequestResult;
use crate::raw_requests::compose::{InputReply, RawRequestParams, Request};
use crate::text;

/// The error code with which a server requires that a person visits a web address first.
///
/// A server returns this error only if it can't process a request before the visit. A request that
/// got this error was not executed, so repeating it with the same arguments executes the call once,
/// not twice. The request is repeated only after each visit was accepted, or was reported as done
/// by the server. If a person declines or can't be asked, the error ends the call.
///
/// A call is not repeated after any other failure, such as a broken connection, a timeout or
/// another error, because it may have been executed.
const VISIT_FIRST: i64 = -32042;
/// Limit of how often the server may request input for one call.
const ROUNDS_MAX: usize = 16;
/// The log level that is requested from a 2026-07-28 server if the receiver of the log messages did
/// not choose one.
const LEVEL: Level = Level::Info;
/// The first pause before a request is repeated, if the server has returned `input_required`
/// without a question. Each further pause is twice as long, up to [`PAUSE_MAX`].
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_millis(800);

/// The only field of a result that is inspected.
#[derive(Deserialize)]
struct ResultTypeField<'a> {
    #[serde(borrow, rename = "resultType", default)]
    kind: Option<&'a RawValue>,
}

static KIND: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"resultType\""));

/// Returns the result type of a result that is not complete. `None` if the result is complete.
fn unfinished(result: &RawValue) -> Option<String> {
    // Fast path: a result without this field is not parsed.
    KIND.find(result.get().as_bytes())?;
    let kind = serde_json::from_str::<ResultTypeField<'_>>(result.get())
        .ok()?
        .kind?;
    // If the value is not a string, the result counts as complete.
    let kind: String = serde_json::from_str(kind.get()).ok()?;
    (kind != "complete").then_some(kind)
}

/// Returns the result of a task if it is complete.
fn complete(result: Box<RawValue>) -> RawRequestResult {
    match unfinished(&result) {
        None => Ok(result),
        Some(kind) => Err(not_asked_for(&kind, &result)),
    }
}

fn not_asked_for(kind: &str, result: &RawValue) -> McpError {
    let wrong = AnswerFault::NotAskedFor(text::cut_chars(kind, 80));
    McpError::malformed(&wrong, result.get().as_bytes())
}

/// Sends the raw requests of one connection, over its transport.
#[derive(Debug, Clone)]
pub(crate) enum RequestSender {
    Lines(StdioOutboundQueue),
    Http(HttpRequestSender),
    Sse(SseRequestSender),
}

impl RequestSender {
    /// Sends a request and waits for its answer. `None` when the connection ends first.
    pub(crate) async fn ask(
        &self,
        request: &Request<'_>,
        message: Vec<u8>,
        waits: &mut PendingRawRequest,
        peer: &Peer<RoleClient>,
    ) -> Option<RawRequestResult> {
        match self {
            Self::Lines(lines) => lines.ask(message, waits).await,
            Self::Sse(sse) => sse.ask(message, waits).await,
            Self::Http(http) => http.ask(request, message, waits, peer).await,
        }
    }
}

impl Session {
    /// Sends a request and returns the text of the server's result. `params` is a JSON object.
    ///
    /// As with [`Session::call`], no call is executed twice, and the server's requests for input
    /// are answered.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn ask_text(
        &self,
        method: &str,
        params: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let params = params.map_or(RawRequestParams::None, RawRequestParams::Text);
        self.converse(Request::new(method, params), options).await
    }

    /// Calls a tool and returns the text of the server's result. `arguments` is a JSON object that
    /// is forwarded unchanged.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn call_text(
        &self,
        tool: &ToolName,
        arguments: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let name = tool.as_str();
        let task = options.task && self.runs_tasks();
        let params = RawRequestParams::Tool {
            name,
            arguments,
            task,
        };
        self.converse(Request::new("tools/call", params), options)
            .await
    }

    /// Sends a request and waits for its result. The server may request input up to [`ROUNDS_MAX`]
    /// times.
    async fn converse(
        &self,
        mut request: Request<'_>,
        mut options: CallOptions,
    ) -> RawRequestResult {
        let hearing = options.hearing.take();
        if self.server.era == Era::Modern {
            let level = |hearing: &Arc<dyn NotificationSink>| hearing.level().unwrap_or(LEVEL);
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
        let mut clock =
            CallDeadline::start(options.limit, options.task_limit, call.held.subscribe());
        let talk = async {
            if let Some(level) = hearing.and_then(|hearing| hearing.level()) {
                self.send_log_level(level, &options).await;
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
                () = call.moved.notified() => clock.moved(call.task.get().is_some()),
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
                    // The request was not executed before, and the server can execute it after the
                    // visits.
                    call.moved.notify_one();
                    continue;
                }
                result => result?,
            };
            if let RawRequestParams::Tool { task: true, .. } = request.params {
                return complete(self.requested_task(result, call, options).await?);
            }
            let Some(kind) = unfinished(&result) else {
                return Ok(result);
            };
            if kind == "task" && self.server.era == Era::Modern && request.method == "tools/call" {
                return complete(self.server_task(&result, call, options).await?);
            }
            if kind != "input_required" || !self.accepts_elicitation() {
                return Err(not_asked_for(&kind, &result));
            }
            let needed = needed(&mut value_of(&result)?, call)?;
            if needed.questions.is_empty() {
                sleep(pause).await;
                pause = PAUSE_MAX.min(pause * 2);
            } else {
                pause = PAUSE;
            }
            let responses = self.answers(needed.questions, call).await;
            // The server has answered, so the time limit is restarted.
            call.moved.notify_one();
            request.given = InputReply {
                responses: (!responses.is_empty()).then(|| Value::Object(responses).to_string()),
                state: needed.state.map(|state| Value::String(state).to_string()),
            };
        }
        Err(McpError::malformed(&AnswerFault::NoResult(ROUNDS_MAX), b""))
    }

    /// Sends a request once and waits for its outcome. If the future is dropped, the server is
    /// notified that the request is cancelled.
    pub(super) async fn ask_once(
        &self,
        request: &Request<'_>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let closed = || McpError::Closed {
            reason: self.end.get().cloned(),
        };
        let mut waits = self.calls.begin_raw_request(call).ok_or_else(closed)?;
        let message = request.compose(waits.id, &self.introduction, options.meta.as_ref())?;
        options.sent.keep(&message);
        let mut abandoned = CancelOnDrop {
            session: self,
            id: Some(waits.id.request()),
            token: None,
            call,
        };
        let answered = self
            .sender
            .ask(request, message, &mut waits, &self.peer)
            .await;
        abandoned.id = None;
        answered.unwrap_or_else(|| Err(closed()))
    }
}

pub(super) fn raw(value: &impl Serialize) -> Result<Box<RawValue>, McpError> {
    to_raw_value(value).map_err(|error| {
        let wrong = AnswerFault::ParamsUnwritten(error.to_string());
        McpError::malformed(&wrong, b"")
    })
}

pub(super) fn value_of(result: &RawValue) -> Result<Value, McpError> {
    serde_json::from_str(result.get()).map_err(|error| {
        let wrong = AnswerFault::ResultUnread(error.to_string());
        McpError::malformed(&wrong, result.get().as_bytes())
    })
}
