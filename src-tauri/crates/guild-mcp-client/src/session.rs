//! One connection to one server.

mod clock;
mod list;
mod news;
mod offers;
mod request;
mod rounds;
mod watch;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt;
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
pub use self::offers::Offers;
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

/// The text of a sent request. If there were several, the last one.
#[derive(Debug, Clone, Default)]
pub struct SentRequest(Arc<Mutex<Option<String>>>);

impl SentRequest {
    /// Returns the JSON-RPC message. `None` until one was sent.
    pub fn text(&self) -> Option<String> {
        self.0.lock().clone()
    }

    /// Stores the text, unless no other owner is left to read it.
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
    /// How long the server may send nothing. Each progress notification restarts the limit, up to
    /// ten times the limit in total. Without progress, it is the total limit.
    pub limit: Duration,
    /// Receives progress. A step is dropped when the channel is full.
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Cancels the call: the server is notified, and the call fails with [`McpError::Cancelled`].
    pub cancel: CancellationToken,
    /// The call's display name. The server's elicitations contain the name, and the call's limit is
    /// paused while an elicitation is pending.
    pub label: Option<Label>,
    /// Receives the text of the sent message.
    pub sent: SentRequest,
    /// Handles elicitations of this call. `None` uses the session's handler.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the server's log messages during the call.
    pub hearing: Option<Arc<dyn NotificationSink>>,
    /// The caller's `_meta`. `None` keeps that of the parameters.
    pub meta: Option<RequestMeta>,
}

/// How long a closing session waits until its server has received pending cancellations.
const CANCELLATION_WAIT: Duration = Duration::from_millis(250);
/// Limit of the pending cancellations. Further cancellations are dropped, since the server does not
/// read.
const CANCELLATIONS_MAX: usize = 64;

/// The state that a session shares with its transport and its tasks.
#[derive(Debug, Clone)]
pub(crate) struct SharedSessionState {
    pub decoder: MessageDecoder,
    /// Set on modern connections over HTTP.
    pub header_params: Option<HeaderParams>,
    pub(crate) outlet: Outlet,
    pub calls: PendingRequests,
    /// The reason that the connection ended.
    pub end: Arc<OnceLock<String>>,
    /// Closes the connection.
    pub cut: CancellationToken,
    /// Cancelled when no answer can arrive or be sent any more.
    pub over: CancellationToken,
}

/// An open connection. Dropping it closes it without waiting.
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
    /// The reason that the connection ended.
    end: Arc<OnceLock<String>>,
    events: Option<mpsc::Receiver<SessionEvent>>,
    /// Cancelled once the connection is closed and cleaned up.
    gone: CancellationToken,
    cut: CancellationToken,
    _cut_on_drop: DropGuard,
    /// Pending cancellation notifications.
    cancellations: TaskTracker,
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
        };
        tokio::spawn(watch::until_gone(running, parts, gone));
        session
    }

    /// Clears the session's protocol version, for a server without version negotiation.
    pub(crate) fn without_agreement(mut self) -> Self {
        self.server.protocol_version.clear();
        self
    }

    /// Returns the server's information.
    pub fn server(&self) -> &ServerInfo {
        &self.server
    }

    /// Whether the connection uses HTTP+SSE, the transport of 2024-11-05.
    pub fn uses_sse(&self) -> bool {
        matches!(self.sender, RequestSender::Sse(_))
    }

    /// Whether the connection uses HTTP. Otherwise it uses pipes.
    pub fn uses_http(&self) -> bool {
        matches!(self.sender, RequestSender::Http(_) | RequestSender::Sse(_))
    }

    /// Returns the session's events. `None` after the first call. The channel is bounded, and ends
    /// after [`SessionEvent::Closed`].
    pub fn take_events(&mut self) -> Option<mpsc::Receiver<SessionEvent>> {
        self.events.take()
    }

    /// Calls a tool and returns the server's result, including a tool error (`isError`,
    /// REQ-MCP-HTTP-29). A call is never repeated. If the server requests input first (2026-07-28),
    /// it gets the input and continues.
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

    /// Subscribes to the server's notifications outside calls. A slow receiver misses the oldest
    /// notifications.
    pub fn notifications(&self) -> broadcast::Receiver<SessionNotification> {
        self.calls.notifications().listen()
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.cut.is_cancelled() || self.peer.is_transport_closed()
    }

    /// Closes the connection. The standard input of a server over stdio is closed, and a server
    /// over HTTP is asked to delete the session. Pending cancellations are sent first, if the
    /// server accepts them soon. Returns when all is done, or at the limit.
    pub async fn close(&self, limit: Duration) {
        self.cancellations.close();
        let farewell = CANCELLATION_WAIT.min(limit);
        if timeout(farewell, self.cancellations.wait()).await.is_err() {
            tracing::debug!(server = %self.server.name, "not all requests were called off");
        }
        self.cut.cancel();
        if timeout(limit, self.gone.cancelled()).await.is_err() {
            tracing::debug!(server = %self.server.name, ?limit, "closing took longer than its limit");
        }
    }

    /// Sends a request and waits for its result. Dropping the future cancels the request at the
    /// server.
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

/// A pending request. Dropping it before the answer cancels the request.
struct CancelOnDrop<'a> {
    session: &'a Session,
    id: Option<RequestId>,
    /// The progress token. `None` for a raw request, which removes its token itself.
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
        // The first poll queues the notification. Only a closing session waits for the rest.
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
