//! The pending calls of one connection, and the delivery of the server's messages to these calls.

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
    /// The called tool. `None` if a resource or a prompt is requested.
    pub tool: Option<ToolName>,
}

/// A call that waits for its answer.
#[derive(Debug, Default)]
pub(crate) struct PendingRequest {
    pub label: Option<Label>,
    /// The id of the call's current request. A call may send several requests one after another.
    pub request: Mutex<Option<RequestId>>,
    pub progress: Option<mpsc::Sender<Progress>>,
    /// The number of questions that a person has not answered yet. While there are any, the call's
    /// time limit is paused.
    pub held: watch::Sender<usize>,
    /// Cancelled when the caller no longer waits for the result.
    pub over: CancellationToken,
    /// Notified of each progress notification, and of each answer about the call's task.
    pub moved: Notify,
    /// Set when the server has reported progress.
    pub progressed: AtomicBool,
    /// The reason that the caller stopped waiting. It is sent to the server.
    pub reason: OnceLock<&'static str>,
    /// Handles the questions of this call. `None` uses the session's handler.
    pub asking: Option<Arc<dyn ElicitationHandler>>,
    /// Receives the server's log messages during the call.
    pub hearing: Option<Arc<dyn NotificationSink>>,
    /// The id of the task that the server runs for the call.
    pub task: OnceLock<String>,
    /// Receives the answer, if the call's current request is a raw request.
    pub answer: Mutex<Option<oneshot::Sender<RawRequestResult>>>,
}

impl PendingRequest {
    /// Sets the current request.
    pub(crate) fn begin(&self, request: RequestId) {
        *self.request.lock() = Some(request);
    }

    /// Whether the server has reported progress.
    pub(crate) fn has_progress(&self) -> bool {
        self.progressed.load(Ordering::Relaxed)
    }

    /// Passes progress to the caller. A slow receiver misses progress, but never the result.
    pub(crate) fn report(&self, progress: Progress) {
        if let Some(receiver) = &self.progress {
            let _ = receiver.try_send(progress);
        }
    }

    /// Whether a person or an agent made the call. Otherwise it is an internal request, such as for
    /// a list.
    fn is_external(&self) -> bool {
        self.label.is_some() || self.asking.is_some() || self.hearing.is_some()
    }

    /// Whether this is the id of the call's current request.
    fn is_current(&self, id: &RequestId) -> bool {
        let request = self.request.lock();
        request.as_ref() == Some(id)
    }

    fn take_sender(&self) -> Option<oneshot::Sender<RawRequestResult>> {
        let mut sender = self.answer.lock();
        sender.take()
    }
}

/// Returns the call if all these entries are the same call. A call with a task has several tokens.
fn only<'a>(
    mut calls: impl Iterator<Item = &'a Arc<PendingRequest>>,
) -> Option<Arc<PendingRequest>> {
    let first = calls.next()?;
    calls
        .all(|other| Arc::ptr_eq(first, other))
        .then(|| Arc::clone(first))
}

/// The pending calls of a connection, by progress token. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingRequests(Arc<PendingRequestsState>);

#[derive(Debug, Default)]
struct PendingRequestsState {
    waiting: Mutex<HashMap<ProgressToken, Arc<PendingRequest>>>,
    /// The number of raw request ids that were assigned.
    taken: AtomicU32,
    raw_requests: AtomicUsize,
    /// Set when no answer can arrive any more. Written with `waiting` locked.
    ended: AtomicBool,
    /// Broadcasts notifications that don't belong to a call.
    notifications: NotificationBroadcast,
}

/// A raw request that waits for its answer. Dropping this value ends the wait.
#[derive(Debug)]
pub(crate) struct PendingRawRequest {
    calls: PendingRequests,
    pub id: RawRequestId,
    /// Receives the answer. Closed without an answer when the connection ends.
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

    /// Registers a raw request for a call. `None` if the connection has ended.
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

    /// Delivers an answer to the call that waits for it. If no call waits, the answer is dropped.
    pub(crate) fn answer(&self, id: RawRequestId, answered: RawRequestResult) {
        let call = self.waiting().get(&id.token()).cloned();
        let Some(call) = call else { return };
        // A call waits only for the answer to its newest request.
        if !call.is_current(&id.request()) {
            return;
        }
        let sender = call.take_sender();
        if let Some(sender) = sender {
            let _ = sender.send(answered);
        }
    }

    /// Ends the waits of all calls, because no answer can arrive any more.
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

    /// Returns the call for which the server runs a task with this id. `None` if it uses the id for
    /// several calls.
    pub(crate) fn of_task(&self, id: &str) -> Option<Arc<PendingRequest>> {
        let calls = self.waiting();
        let has_task = |call: &&Arc<PendingRequest>| call.task.get().is_some_and(|task| task == id);
        only(calls.values().filter(has_task))
    }

    /// Returns the calls to which a question may belong: those that a person or an agent made, and
    /// those with an [`ElicitationHandler`].
    pub(crate) fn askable(&self) -> Vec<Arc<PendingRequest>> {
        let calls = self.waiting();
        let askable = |call: &&Arc<PendingRequest>| call.label.is_some() || call.asking.is_some();
        let mut found: Vec<Arc<PendingRequest>> = Vec::new();
        for call in calls.values().filter(askable) {
            // A call with a task has several tokens.
            if !found.iter().any(|known| Arc::ptr_eq(known, call)) {
                found.push(Arc::clone(call));
            }
        }
        found
    }

    /// Delivers a log message to the call on whose stream it arrived, or else to the only running
    /// call. If neither is known, the message is broadcast to the connection's subscribers.
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

    /// Broadcasts that a resource has changed.
    pub(crate) fn updated(&self, uri: &str) {
        if uri.len() <= URI_MAX {
            self.0
                .notifications
                .send(SessionNotification::Updated { uri: uri.into() });
        }
    }

    /// Returns the broadcast of notifications that don't belong to a call.
    pub(crate) fn notifications(&self) -> &NotificationBroadcast {
        &self.0.notifications
    }

    /// Returns the running call, if there is exactly one. Internal requests don't count.
    fn only_one(&self) -> Option<Arc<PendingRequest>> {
        let calls = self.waiting();
        only(calls.values().filter(|call| call.is_external()))
    }

    /// Delivers progress to its call. If the call has ended, the progress is dropped.
    pub(crate) fn moved(&self, params: &ProgressNotificationParam) {
        let call = self.waiting().get(&params.progress_token).cloned();
        let Some(call) = call else { return };
        call.moved.notify_one();
        call.progressed.store(true, Ordering::Relaxed);
        let message = params.message.as_ref();
        call.report(Progress {
            progress: params.progress,
            total: params.total,
            message: message.map(|message| text::cut_chars(message, PROGRESS_MESSAGE_MAX)),
        });
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<ProgressToken, Arc<PendingRequest>>> {
        self.0.waiting.lock()
    }
}
