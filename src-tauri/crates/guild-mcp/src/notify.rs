//! What a server says on its own: list changes, log messages, progress, and its requests.
//!
//! Events go through one bounded channel. Messages and noise are dropped when it fills; a list
//! change is not, because part of the channel is kept for it, and one that still waits there
//! stands for all that follow.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use guild_core::event::Progress;
use guild_core::{CallId, ToolName};
use rmcp::ErrorData;
use rmcp::RoleClient;
use rmcp::model::{
    ClientConfig, ClientResult, CustomResult, ErrorCode, ProgressNotificationParam, ProgressToken,
    RequestId, ServerNotification, ServerRequest,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext, Service};
use serde_json::Value;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::asking::{ELICIT, Questions, Reply};
use crate::text;
use crate::wire::ELICIT_RAW;

/// How many events wait at the most.
const EVENTS_MAX: usize = 64;
/// How many places are kept for what must not be lost.
const RESERVED: usize = 16;
/// The longest log message that is passed on, in characters.
const MESSAGE_MAX: usize = 2_000;
/// The longest progress message that is passed on, in characters.
const PROGRESS_MESSAGE_MAX: usize = 1_000;
/// The longest sample of noise that is passed on, in characters.
const SAMPLE_MAX: usize = 300;

/// What a session tells without being asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEvent {
    /// The server says that its tool list changed.
    ToolsChanged,
    /// The server logged something.
    Message {
        /// Its level: `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or
        /// `emergency`.
        level: String,
        /// What it logged, cut to 2,000 characters.
        text: String,
    },
    /// The server wrote lines to its standard output that are no JSON-RPC; they were skipped.
    Noise {
        /// How many lines since the last such event.
        lines: u64,
        /// The first of them, cut to 300 characters.
        sample: String,
    },
    /// The connection ended; this is the last event.
    Closed {
        /// Why, where it is known.
        reason: Option<String>,
    },
}

/// The sending end of a session's events.
#[derive(Debug, Clone)]
pub(crate) struct Outlet {
    events: mpsc::Sender<SessionEvent>,
}

impl Outlet {
    pub(crate) fn new() -> (Self, mpsc::Receiver<SessionEvent>) {
        let (events, receiver) = mpsc::channel(EVENTS_MAX);
        (Self { events }, receiver)
    }

    pub(crate) fn tools_changed(&self) {
        // Full means that another change still waits: see above.
        let _ = self.events.try_send(SessionEvent::ToolsChanged);
    }

    /// Reports noise; false when there is no room for it now.
    pub(crate) fn noise(&self, lines: u64, sample: &str) -> bool {
        let sample = text::cut_chars(sample, SAMPLE_MAX);
        self.offer(SessionEvent::Noise { lines, sample })
    }

    /// Tells the end, waiting for room.
    pub(crate) async fn closed(&self, reason: Option<String>) {
        // Nobody may be listening any more.
        let _ = self.events.send(SessionEvent::Closed { reason }).await;
    }

    fn offer(&self, event: SessionEvent) -> bool {
        self.events.capacity() > RESERVED && self.events.try_send(event).is_ok()
    }
}

/// What a person knows a call by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The call.
    pub call: CallId,
    /// Its tool; `None` for a resource or a prompt.
    pub tool: Option<ToolName>,
}

/// A call that waits for its answer, as the server's messages reach it.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) label: Option<Label>,
    /// The request that is under way.
    pub(crate) request: Mutex<Option<RequestId>>,
    pub(crate) progress: Option<mpsc::Sender<Progress>>,
    /// How many questions to a person its clock stands still for.
    pub(crate) held: watch::Sender<usize>,
    /// Cancelled when nobody waits for the answer any more.
    pub(crate) over: CancellationToken,
    /// Wakes the caller when the server told of progress.
    pub(crate) moved: Notify,
    /// Why the caller stopped waiting, for the server to know.
    pub(crate) reason: OnceLock<&'static str>,
}

impl Waiting {
    /// Takes note of the request that is under way now.
    pub(crate) fn begin(&self, request: RequestId) {
        *self.request.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
    }
}

/// The calls that wait, by the token that the server repeats in its progress.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<HashMap<ProgressToken, Arc<Waiting>>>>);

impl Calls {
    pub(crate) fn insert(&self, token: ProgressToken, call: Arc<Waiting>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(token, call);
    }

    pub(crate) fn remove(&self, token: &ProgressToken) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(token);
    }

    /// The call whose request this is.
    pub(crate) fn of_request(&self, id: &RequestId) -> Option<Arc<Waiting>> {
        let is_it = |call: &&Arc<Waiting>| {
            let request = call.request.lock().unwrap_or_else(PoisonError::into_inner);
            request.as_ref() == Some(id)
        };
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.values().find(is_it).cloned()
    }

    /// The calls that a person made.
    pub(crate) fn labelled(&self) -> Vec<Arc<Waiting>> {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let labelled = calls.values().filter(|call| call.label.is_some());
        labelled.cloned().collect()
    }

    /// Tells a call of its progress; that of a call which has ended is dropped.
    pub(crate) fn moved(&self, params: &ProgressNotificationParam) {
        let call = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&params.progress_token)
            .cloned();
        let Some(call) = call else { return };
        call.moved.notify_one();
        if let Some(progress) = &call.progress {
            // A listener that is behind misses a step, never the result.
            let _ = progress.try_send(Progress {
                progress: params.progress,
                total: params.total,
                message: params
                    .message
                    .as_ref()
                    .map(|message| text::cut_chars(message, PROGRESS_MESSAGE_MAX)),
            });
        }
    }
}

/// The client as the server meets it.
#[derive(Debug)]
pub(crate) struct Listener {
    pub(crate) config: ClientConfig,
    pub(crate) outlet: Outlet,
    pub(crate) questions: Questions,
}

impl Listener {
    /// Puts a server's question to a person.
    async fn elicit(
        &self,
        params: Option<Value>,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        let origin = match context.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => Some(id),
            _ => None,
        };
        let asked = self.questions.ask(params.unwrap_or_default(), origin);
        let reply = tokio::select! {
            reply = asked => reply,
            // Nobody waits for what is answered then.
            () = context.ct.cancelled() => Ok(Reply::CANCEL),
        };
        match reply {
            Ok(reply) => Ok(ClientResult::CustomResult(CustomResult(
                reply.into_result(),
            ))),
            Err(wrong) => Err(ErrorData::new(ErrorCode::INVALID_PARAMS, wrong, None)),
        }
    }
}

impl Service<RoleClient> for Listener {
    /// Answers a ping and puts questions to a person. Nothing else was declared, so nothing else
    /// is known.
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        match request {
            ServerRequest::PingRequest(_) => Ok(ClientResult::empty(())),
            ServerRequest::CustomRequest(request)
                if request.method == ELICIT_RAW && self.questions.are_taken() =>
            {
                self.elicit(request.params, context).await
            }
            other => {
                let method = serde_json::to_value(&other)
                    .ok()
                    .and_then(|request| request.get("method")?.as_str().map(str::to_owned))
                    .unwrap_or_default();
                let method = if method == ELICIT_RAW {
                    ELICIT
                } else {
                    &method
                };
                let message = format!(
                    "this client does not answer {}",
                    text::cut_chars(method, 80)
                );
                Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
            }
        }
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        _context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        match notification {
            ServerNotification::ToolListChangedNotification(_) => self.outlet.tools_changed(),
            #[expect(
                deprecated,
                reason = "servers of all versions up to 2025-11-25 log this way"
            )]
            ServerNotification::LoggingMessageNotification(message) => {
                let params = message.params;
                let level = serde_json::to_value(params.level)
                    .ok()
                    .and_then(|level| level.as_str().map(str::to_owned))
                    .unwrap_or_default();
                let data = match params.data {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                let text = match params.logger {
                    Some(logger) if !logger.is_empty() => format!("{logger}: {data}"),
                    _ => data,
                };
                let text = text::cut_chars(&text, MESSAGE_MAX);
                // A server that logs faster than it is read loses messages, not the connection.
                let _ = self.outlet.offer(SessionEvent::Message { level, text });
            }
            ServerNotification::CustomNotification(notification)
                if notification.method == "notifications/elicitation/complete" =>
            {
                let params = notification.params.unwrap_or_default();
                if let Some(id) = params.get("elicitationId").and_then(Value::as_str) {
                    self.questions.visited(id);
                }
            }
            // Progress has reached its call already, as it was read.
            _ => {}
        }
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}
