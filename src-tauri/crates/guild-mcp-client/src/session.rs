//! One connection to one server.

mod clock;
mod list;
mod news;
mod offers;
mod request;
mod rounds;
mod tasks;
mod watch;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt;
use futures::future::join;
use guild_api::event::Progress;
use guild_model::ToolName;
use guild_model::protocol::{Era, ServerInfo};
use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientNotification, ClientRequest,
    ProgressToken, RequestId, ServerPeerInfo,
};
use rmcp::service::{Peer, PeerRequestOptions, RunningService};
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::sync::{broadcast, mpsc};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

pub use self::list::ToolList;
use self::news::{SentLogLevel, SessionSubscriptions};
pub use self::offers::{Offers, is_usable};
pub(crate) use self::request::RequestSender;

use crate::decoder::MessageDecoder;
use crate::elicitation::ElicitationHandler;
use crate::error::McpError;
use crate::failure;
use crate::header_params::HeaderParams;
use crate::meta::RequestMeta;
use crate::news::{NotificationSink, SessionNotification};
use crate::notify::{Outlet, ServerRequestHandler, SessionEvent};
use crate::pending_requests::{Label, PendingRequest, PendingRequests};
use crate::questions::ConnectionElicitations;
use crate::raw::RawResult;
use crate::raw_requests::compose::Introduction;
use crate::raw_requests::{another, no_object};
use crate::text;

/// Limit of a server's name and version, in bytes.
const NAME_MAX: usize = 256;
/// Limit of a server's instructions, in bytes.
const INSTRUCTIONS_MAX: usize = 16 << 10;

/// Receives the text of the request that was sent. If a call sends several requests, the last one
/// is stored.
#[derive(Debug, Clone, Default)]
pub struct SentRequest(Arc<Mutex<Option<String>>>);

impl SentRequest {
    /// Returns the JSON-RPC message. `None` if none was sent yet.
    pub fn text(&self) -> Option<String> {
        self.0.lock().clone()
    }

    /// Stores the text, if another clone exists that can read it.
    pub fn keep(&self, text: &[u8]) {
        if Arc::strong_count(&self.0) > 1 {
            let text = String::from_utf8_lossy(text).into_owned();
            *self.0.lock() = Some(text);
        }
    }
}

/// Options of a call.
#[derive(Debug, Clone)]
pub struct CallOptions {
    /// How long the call waits for the server. Without progress, this is the limit of the whole
    /// call. Each progress notification restarts the limit, but the call takes at most ten times
    /// the limit in total, or `task_limit` if that is longer and the server runs it as a task.
    pub limit: Duration,
    /// Receives progress. A progress message is dropped when the channel is full.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Cancels the call. The server is then notified, and the call fails with
    /// [`McpError::Cancelled`].
    pub cancel: CancellationToken,
    /// The call's id and tool, with which the server's questions are shown. The call's time limit
    /// is paused while a question is pending.
    pub label: Option<Label>,
    /// Receives the text of the message that was sent.
    pub sent: SentRequest,
    /// Handles the server's questions during this call. `None` uses the session's handler.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the server's log messages during the call.
    pub hearing: Option<Arc<dyn NotificationSink>>,
    /// The caller's `_meta`. `None` keeps the `_meta` in the parameters.
    pub meta: Option<RequestMeta>,
    /// Whether the tool can only be called as a task (2025-11-25, `execution.taskSupport`). The
    /// call then waits for the task's result. In 2026-07-28 the server decides.
    pub task: bool,
    /// The total limit of a call that the server runs as a task. Each answer about the task
    /// restarts `limit`.
    pub task_limit: Duration,
}

/// How long a session that is being closed waits until its server has received the pending
/// cancellations.
const CANCELLATION_WAIT: Duration = Duration::from_millis(250);
/// Limit of the pending cancellations. Above it, the server evidently does not read, so further
/// cancellations are dropped.
const CANCELLATIONS_MAX: usize = 64;

/// The state that a session shares with its transport and its tasks.
#[derive(Debug, Clone)]
pub(crate) struct SharedSessionState {
    pub decoder: MessageDecoder,
    /// The arguments that headers must repeat. Set only on modern connections over HTTP.
    pub header_params: Option<HeaderParams>,
    pub(crate) outlet: Outlet,
    pub calls: PendingRequests,
    /// The reason that the connection ended, once it is known.
    pub end: Arc<OnceLock<String>>,
    /// Cancelling this token closes the connection.
    pub cut: CancellationToken,
    /// Cancelled when no message can be received or sent any more.
    pub over: CancellationToken,
}

/// An open connection to a server. Dropping it closes the connection without waiting.
#[derive(Debug)]
pub struct Session {
    server: ServerInfo,
    peer: Peer<RoleClient>,
    calls: PendingRequests,
    sender: RequestSender,
    introduction: Introduction,
    questions: ConnectionElicitations,
    header_params: Option<HeaderParams>,
    sent_log_level: SentLogLevel,
    watched: SessionSubscriptions,
    /// The reason that the connection ended, once it is known.
    end: Arc<OnceLock<String>>,
    events: Option<mpsc::Receiver<SessionEvent>>,
    /// Cancelled once the connection is closed and its tasks have ended.
    gone: CancellationToken,
    cut: CancellationToken,
    _cut_on_drop: DropGuard,
    /// The tasks that send cancellation notifications.
    cancellations: TaskTracker,
    /// The requests that cancel servers' tasks. Each waits for its answer.
    task_cancellations: TaskTracker,
}

impl Session {
    pub(crate) fn start(
        running: RunningService<RoleClient, ServerRequestHandler>,
        info: &ServerPeerInfo,
        era: Era,
        questions: ConnectionElicitations,
        parts: SharedSessionState,
        (sender, introduction): (RequestSender, Introduction),
        events: mpsc::Receiver<SessionEvent>,
    ) -> Self {
        let peer = running.peer().clone();
        let server = server_info(info, era, parts.decoder.capabilities());
        let gone = CancellationToken::new();
        if era == Era::Modern {
            tokio::spawn(watch::list_changes(
                peer.clone(),
                parts.outlet.clone(),
                gone.clone(),
            ));
        }
        let session = Self {
            server,
            peer,
            calls: parts.calls.clone(),
            sender,
            introduction,
            questions,
            header_params: parts.header_params.clone(),
            sent_log_level: SentLogLevel::default(),
            watched: SessionSubscriptions::default(),
            end: parts.end.clone(),
            events: Some(events),
            gone: gone.clone(),
            cut: parts.cut.clone(),
            _cut_on_drop: parts.cut.clone().drop_guard(),
            cancellations: TaskTracker::new(),
            task_cancellations: TaskTracker::new(),
        };
        tokio::spawn(watch::until_gone(running, parts, gone));
        session
    }

    /// Removes the protocol version, because no version was negotiated with this server.
    pub(crate) fn without_agreement(mut self) -> Self {
        self.server.protocol_version.clear();
        self
    }

    /// Returns the server's description of itself.
    pub fn server(&self) -> &ServerInfo {
        &self.server
    }

    /// Whether the connection uses the HTTP+SSE transport of 2024-11-05.
    pub fn uses_sse(&self) -> bool {
        matches!(self.sender, RequestSender::Sse(_))
    }

    /// Whether the connection uses HTTP, including HTTP+SSE. Otherwise it uses pipes.
    pub fn uses_http(&self) -> bool {
        matches!(self.sender, RequestSender::Http(_) | RequestSender::Sse(_))
    }

    /// Returns the channel of the session's events. `None` after the first call. The channel is
    /// bounded, and ends after [`SessionEvent::Closed`].
    pub fn take_events(&mut self) -> Option<mpsc::Receiver<SessionEvent>> {
        self.events.take()
    }

    /// Calls a tool and returns the server's result, which may be a tool error (`isError`,
    /// REQ-MCP-HTTP-29). A call is never executed twice. If the server requests input before its
    /// result (2026-07-28), the input is sent and the call continues.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn call(
        &self,
        tool: &ToolName,
        arguments: Map<String, Value>,
        options: CallOptions,
    ) -> Result<Value, McpError> {
        let arguments = request::raw(&arguments)?;
        let result = self.call_text(tool, Some(&arguments), options).await?;
        request::value_of(&result)
    }

    /// Subscribes to the server's notifications outside of calls. A slow receiver misses the oldest
    /// notifications.
    pub fn notifications(&self) -> broadcast::Receiver<SessionNotification> {
        self.calls.notifications().listen()
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.cut.is_cancelled() || self.peer.is_transport_closed()
    }

    /// Closes the connection: closes the standard input of a server over stdio, or asks a server
    /// over HTTP to delete the session. Pending cancellations are sent before that, if the server
    /// receives them soon. Returns when everything is done, or when `limit` is reached.
    pub async fn close(&self, limit: Duration) {
        self.cancellations.close();
        self.task_cancellations.close();
        let farewell = CANCELLATION_WAIT.min(limit);
        let sent = join(self.cancellations.wait(), self.task_cancellations.wait());
        if timeout(farewell, sent).await.is_err() {
            tracing::debug!(server = %self.server.name, "not all requests were called off");
        }
        self.cut.cancel();
        if timeout(limit, self.gone.cancelled()).await.is_err() {
            tracing::debug!(server = %self.server.name, ?limit, "closing took longer than its limit");
        }
    }

    /// Sends a request and waits for its result. If the future is dropped, the server is notified
    /// that the request is cancelled.
    async fn request(
        &self,
        request: ClientRequest,
        call: Arc<PendingRequest>,
    ) -> Result<RawResult, McpError> {
        let error = |error| failure::of_request(error, self.end.get());
        let handle = self
            .peer
            .send_request_with_option(request, PeerRequestOptions::no_options())
            .await
            .map_err(error)?;
        call.begin(handle.id.clone());
        self.calls
            .insert(handle.progress_token.clone(), call.clone());
        let mut abandoned = CancelOnDrop {
            session: self,
            id: Some(handle.id),
            token: Some(handle.progress_token),
            call: &call,
        };
        let answer = handle.rx.await;
        abandoned.id = None;
        let result = answer
            .unwrap_or(Err(rmcp::ServiceError::TransportClosed))
            .map_err(error)?;
        match RawResult::unwrap(result) {
            Some(result) if result.value.is_object() => Ok(result),
            Some(result) => Err(no_object(&result.value)),
            None => Err(another()),
        }
    }
}

/// A pending request. If this value is dropped before the answer, the server is notified that the
/// request is cancelled.
struct CancelOnDrop<'a> {
    session: &'a Session,
    id: Option<RequestId>,
    /// The progress token to remove on drop. `None` for a raw request, which removes its token
    /// itself.
    token: Option<ProgressToken>,
    call: &'a PendingRequest,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(token) = &self.token {
            self.session.calls.remove(token);
        }
        let Some(id) = self.id.take() else { return };
        let reason = self.call.reason.get().map(|&reason| reason.to_owned());
        let notification =
            CancelledNotification::new(CancelledNotificationParam::new(Some(id), reason));
        let notification = ClientNotification::CancelledNotification(notification);
        let peer = self.session.peer.clone();
        let mut sending = Box::pin(async move { peer.send_notification(notification).await });
        // The first poll queues the notification. Only a session that is being closed waits until
        // it is sent.
        if (&mut sending).now_or_never().is_none()
            && self.session.cancellations.len() < CANCELLATIONS_MAX
            && let Ok(runtime) = Handle::try_current()
        {
            self.session.cancellations.spawn_on(sending, &runtime);
        }
    }
}

fn server_info(info: &ServerPeerInfo, era: Era, capabilities: Value) -> ServerInfo {
    let named = info.server_info.as_ref();
    let name = |text: &str| text::cut_bytes(text, NAME_MAX);
    ServerInfo {
        name: named.map(|server| name(&server.name)).unwrap_or_default(),
        version: named
            .map(|server| name(&server.version))
            .unwrap_or_default(),
        instructions: info
            .instructions
            .as_ref()
            .map(|text| text::cut_bytes(text, INSTRUCTIONS_MAX)),
        protocol_version: name(info.protocol_version.as_str()),
        era,
        capabilities,
    }
}
