//! The pending calls of one connection, and the delivery of the server's messages to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use guild_api::event::Progress;
use guild_model::{CallId, ToolName};
use parking_lot::{Mutex, MutexGuard};
use rmcp::model::{ProgressNotificationParam, ProgressToken, RequestId};
use serde_json::value::RawValue;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::elicitation::ElicitationHandler;
use crate::news::{
    NotificationBroadcast, NotificationSink, SessionNotification, URI_MAX, level_of,
};
use crate::raw_requests::{RawRequestId, RawRequestResult};
use crate::text;

/// Limit of a forwarded progress message, in characters.
const PROGRESS_MESSAGE_MAX: usize = 1_000;

/// The id and the tool of a call, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The call's id.
    pub call: CallId,
    /// The called tool. `None` for a resource or a prompt.
    pub tool: Option<ToolName>,
}

/// A call that waits for its answer.
#[derive(Debug, Default)]
pub(crate) struct PendingRequest {
    pub label: Option<Label>,
    /// The call's current request. A repeated call sends several requests in turn.
    pub request: Mutex<Option<RequestId>>,
    pub progress: Option<mpsc::Sender<Progress>>,
    /// Number of open questions to a person. The call's time limit is paused while there are any.
    pub held: watch::Sender<usize>,
    /// Cancelled when the caller no longer waits for the answer.
    pub over: CancellationToken,
    /// Wakes the caller on a progress notification.
    pub moved: Notify,
    /// The reason why the caller stopped waiting, for the server.
    pub reason: OnceLock<&'static str>,
    /// Answers this call's questions instead of the session's handler.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the server's log messages during the call.
    pub hearing: Option<Arc<dyn NotificationSink>>,
    /// Receives the answer, if the current request is a raw request.
    pub answer: Mutex<Option<oneshot::Sender<RawRequestResult>>>,
}

impl PendingRequest {
    /// Sets the current request.
    pub(crate) fn begin(&self, request: RequestId) {
        *self.request.lock() = Some(request);
    }

    /// Whether a person or an agent made the call, unlike an internal list request.
    fn is_external(&self) -> bool {
        self.label.is_some() || self.asking.is_some() || self.hearing.is_some()
    }

    /// Whether this is the call's current request.
    fn is_current(&self, id: &RequestId) -> bool {
        let request = self.request.lock();
        request.as_ref() == Some(id)
    }

    fn take_sender(&self) -> Option<oneshot::Sender<RawRequestResult>> {
        let mut sender = self.answer.lock();
        sender.take()
    }
}

/// The pending calls, by progress token. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingRequests(Arc<PendingRequestsState>);

#[derive(Debug, Default)]
struct PendingRequestsState {
    waiting: Mutex<HashMap<ProgressToken, Arc<PendingRequest>>>,
    /// Number of assigned raw request ids.
    taken: AtomicU32,
    raw_requests: AtomicUsize,
    /// Set under the lock of `waiting` when no answer can arrive any more.
    ended: AtomicBool,
    /// Receives notifications that belong to no call.
    notifications: NotificationBroadcast,
}

/// A pending raw request. Dropping it ends the wait for its answer.
#[derive(Debug)]
pub(crate) struct PendingRawRequest {
    calls: PendingRequests,
    pub id: RawRequestId,
    /// Closes without an answer when the connection ends.
    pub answer: oneshot::Receiver<RawRequestResult>,
}

impl Drop for PendingRawRequest {
    fn drop(&mut self) {
        self.calls.remove(&self.id.token());
        self.calls.0.raw_requests.fetch_sub(1, Ordering::AcqRel);
    }
}

impl PendingRequests {
    pub(crate) fn insert(&self, token: ProgressToken, call: Arc<PendingRequest>) {
        self.waiting().insert(token, call);
    }

    pub(crate) fn remove(&self, token: &ProgressToken) {
        self.waiting().remove(token);
    }

    /// Registers a raw request of a call. `None` when the connection has ended.
    pub(crate) fn begin_raw_request(
        &self,
        call: &Arc<PendingRequest>,
    ) -> Option<PendingRawRequest> {
        let id = RawRequestId::after(self.0.taken.fetch_add(1, Ordering::Relaxed));
        let (sender, answer) = oneshot::channel();
        call.begin(id.request());
        *call.answer.lock() = Some(sender);
        let mut waiting = self.waiting();
        if self.0.ended.load(Ordering::Acquire) {
            return None;
        }
        waiting.insert(id.token(), Arc::clone(call));
        self.0.raw_requests.fetch_add(1, Ordering::AcqRel);
        drop(waiting);
        Some(PendingRawRequest {
            calls: self.clone(),
            id,
            answer,
        })
    }

    pub(crate) fn has_raw_requests(&self) -> bool {
        self.0.raw_requests.load(Ordering::Acquire) > 0
    }

    /// Delivers an answer to its waiting call, or drops it if none waits.
    pub(crate) fn answer(&self, id: RawRequestId, answered: RawRequestResult) {
        let call = self.waiting().get(&id.token()).cloned();
        let Some(call) = call else { return };
        // A repeated call waits only for its newest request.
        if !call.is_current(&id.request()) {
            return;
        }
        let sender = call.take_sender();
        if let Some(sender) = sender {
            let _ = sender.send(answered);
        }
    }

    /// Ends all waits, because no answer can arrive any more.
    pub(crate) fn end(&self) {
        let waiting = self.waiting();
        self.0.ended.store(true, Ordering::Release);
        for call in waiting.values() {
            drop(call.take_sender());
        }
    }

    /// Returns the call whose current request has this id.
    pub(crate) fn of_request(&self, id: &RequestId) -> Option<Arc<PendingRequest>> {
        let calls = self.waiting();
        calls.values().find(|call| call.is_current(id)).cloned()
    }

    /// Returns the calls whose questions can be asked: a person's calls, and calls with an
    /// [`ElicitationHandler`].
    pub(crate) fn askable(&self) -> Vec<Arc<PendingRequest>> {
        let calls = self.waiting();
        let askable = |call: &&Arc<PendingRequest>| call.label.is_some() || call.asking.is_some();
        calls.values().filter(askable).cloned().collect()
    }

    /// Forwards a log message to the call on whose stream it arrived, or to the only running call.
    /// A message that can't be attributed to one call goes to the connection's listeners.
    pub(crate) fn logged(&self, params: &RawValue, origin: Option<&RequestId>) {
        let Some(level) = level_of(params) else {
            return;
        };
        let of_stream = origin.and_then(|id| self.of_request(id));
        if let Some(call) = of_stream.filter(|call| call.is_external()) {
            if let Some(hearing) = &call.hearing {
                hearing.log(level, params);
            }
            return;
        }
        match self.only_one().and_then(|call| call.hearing.clone()) {
            Some(hearing) => hearing.log(level, params),
            None => self.0.notifications.send(SessionNotification::Log {
                level,
                params: Arc::from(params.to_owned()),
            }),
        }
    }

    /// Publishes that a resource has changed.
    pub(crate) fn updated(&self, uri: &str) {
        if uri.len() <= URI_MAX {
            self.0
                .notifications
                .send(SessionNotification::Updated { uri: uri.into() });
        }
    }

    /// Returns the channel for notifications that belong to no call.
    pub(crate) fn notifications(&self) -> &NotificationBroadcast {
        &self.0.notifications
    }

    /// Returns the running call, if there is exactly one. Internal requests don't count.
    fn only_one(&self) -> Option<Arc<PendingRequest>> {
        let calls = self.waiting();
        let mut running = calls.values().filter(|call| call.is_external());
        let first = running.next().cloned();
        first.filter(|_| running.next().is_none())
    }

    /// Forwards progress to its call. Progress of an ended call is dropped.
    pub(crate) fn moved(&self, params: &ProgressNotificationParam) {
        let call = self.waiting().get(&params.progress_token).cloned();
        let Some(call) = call else { return };
        call.moved.notify_one();
        if let Some(progress) = &call.progress {
            // A slow listener misses progress, but never the result.
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

    fn waiting(&self) -> MutexGuard<'_, HashMap<ProgressToken, Arc<PendingRequest>>> {
        self.0.waiting.lock()
    }
}
