//! Handles a server's notifications and requests: list changes, log messages, and questions.
//!
//! Events are sent through one bounded channel. If the channel is full, log messages are dropped. A
//! change of the tool list is never lost: some slots of the channel are reserved for it, and a
//! change that still waits in the channel also covers later changes.

use rmcp::ErrorData;
use rmcp::RoleClient;
use rmcp::model::{
    ClientConfig, ClientResult, CustomResult, ErrorCode, RequestId, ServerNotification,
    ServerRequest,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext, Service};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::decoder::{ELICIT_RAW, MISSHAPEN};
use crate::elicitation::{ELICIT, ElicitationReply};
use crate::questions::ConnectionElicitations;
use crate::text;

/// Capacity of the channel of events.
const EVENTS_MAX: usize = 64;
/// Number of slots in the channel that are reserved for events that must not be lost.
const RESERVED: usize = 16;
/// Limit of a forwarded log message, in characters.
const MESSAGE_MAX: usize = 2_000;
/// Limit of the reported sample of skipped lines, in characters.
const SAMPLE_MAX: usize = 300;

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEvent {
    /// The server reported a change of its tool list.
    ToolsChanged,
    /// The server reported a change of its resources or of its prompts.
    OffersChanged(Offer),
    /// The server sent a log message.
    Message {
        /// The level: `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or
        /// `emergency`.
        level: String,
        /// The log text, cut to 2,000 characters.
        text: String,
    },
    /// The server wrote lines to its standard output that are not JSON-RPC. They were skipped.
    Noise {
        /// The number of skipped lines since the last `Noise` event.
        lines: u64,
        /// The first of the skipped lines, cut to 300 characters.
        sample: String,
    },
    /// The connection ended. This is the last event.
    Closed {
        /// The reason, if known.
        reason: Option<String>,
    },
}

/// A kind of lists that a server has besides its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Resources and their templates.
    Resources,
    /// Prompts.
    Prompts,
}

/// The sender of a session's events.
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
        // If the channel is full, it already has such an event, which also covers this change.
        let _ = self.events.try_send(SessionEvent::ToolsChanged);
    }

    /// Sends an event if the notification reports the change of a list. Ignores other
    /// notifications.
    pub(crate) fn list_changed(&self, notification: &ServerNotification) {
        match notification {
            ServerNotification::ToolListChangedNotification(_) => self.tools_changed(),
            ServerNotification::ResourceListChangedNotification(_) => {
                self.offers_changed(Offer::Resources);
            }
            ServerNotification::PromptListChangedNotification(_) => {
                self.offers_changed(Offer::Prompts);
            }
            _ => {}
        }
    }

    fn offers_changed(&self, offer: Offer) {
        // Without room, the event is dropped. Either an event that covers this change already
        // waits, or the server reports changes too fast.
        let _ = self.offer(SessionEvent::OffersChanged(offer));
    }

    /// Sends an event about skipped lines. Returns false if the channel has no room now.
    pub(crate) fn noise(&self, lines: u64, sample: &str) -> bool {
        let sample = text::cut_chars(sample, SAMPLE_MAX);
        self.offer(SessionEvent::Noise { lines, sample })
    }

    /// Sends the last event. Waits for room in the channel.
    pub(crate) async fn closed(&self, reason: Option<String>) {
        // An error means that the receiver was dropped.
        let _ = self.events.send(SessionEvent::Closed { reason }).await;
    }

    fn offer(&self, event: SessionEvent) -> bool {
        self.events.capacity() > RESERVED && self.events.try_send(event).is_ok()
    }
}

/// Handles the server's requests and notifications.
#[derive(Debug, Clone)]
pub(crate) struct ServerRequestHandler {
    pub config: ClientConfig,
    pub(crate) outlet: Outlet,
    pub questions: ConnectionElicitations,
}

impl ServerRequestHandler {
    /// Answers a request of the server: a ping, or a question, which a person is asked. Any other
    /// request gets an error, because the client declares no other capability. `origin` is the
    /// request on whose stream this one arrived, if known.
    pub(crate) async fn answer(
        &self,
        request: ServerRequest,
        origin: Option<&RequestId>,
    ) -> Result<ClientResult, ErrorData> {
        match request {
            ServerRequest::PingRequest(_) => Ok(ClientResult::empty(())),
            ServerRequest::CustomRequest(request)
                if request.method == ELICIT_RAW && self.questions.are_taken() =>
            {
                let params = request.params.unwrap_or_default();
                match self.questions.ask(params, origin).await {
                    Ok(reply) => Ok(as_result(reply)),
                    Err(wrong) => Err(ErrorData::new(ErrorCode::INVALID_PARAMS, wrong, None)),
                }
            }
            ServerRequest::CustomRequest(request) if request.method == MISSHAPEN => {
                let why = request.params.unwrap_or_default();
                let why = why.as_str().unwrap_or_default();
                let message = format!(
                    "the request is misshapen ({})",
                    text::cut_chars(why, SAMPLE_MAX)
                );
                Err(ErrorData::new(ErrorCode::INVALID_REQUEST, message, None))
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

    /// Converts a notification to an event, or records that a visit to a web address is done.
    /// Progress is ignored, because it was already forwarded to its call.
    pub(crate) fn on_notification(&self, notification: ServerNotification) {
        match notification {
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
                // If the server logs faster than the events are read, log messages are dropped.
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
            other => self.outlet.list_changed(&other),
        }
    }
}

fn as_result(reply: ElicitationReply) -> ClientResult {
    ClientResult::CustomResult(CustomResult(reply.into_result()))
}

impl Service<RoleClient> for ServerRequestHandler {
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        let origin = match context.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => Some(id),
            _ => None,
        };
        tokio::select! {
            biased;
            answer = self.answer(request, origin) => answer,
            // The server has withdrawn the question, so it no longer waits for the answer.
            () = context.ct.cancelled() => Ok(as_result(ElicitationReply::CANCEL)),
        }
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        _context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        self.on_notification(notification);
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}
