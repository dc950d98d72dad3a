//! Queues notifications that an agent receives outside of its calls: on its session's stream, or on
//! the stream of its `subscriptions/listen`.

use std::collections::VecDeque;

use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use guild_mcp_client::{Level, NotificationSink};

/// Limit of the log messages that wait to be sent.
const LOGS_MAX: usize = 64;
/// Limit of the resource updates that wait to be sent.
const UPDATES_MAX: usize = 256;

/// A notification in the queue.
#[derive(Debug)]
pub(super) enum QueuedNotification {
    /// The parameters of a `notifications/message`.
    Log(Box<RawValue>),
    /// The URI of a changed resource.
    Updated(String),
}

#[derive(Debug, Default)]
pub(super) struct NotificationQueue {
    state: Mutex<NotificationQueueState>,
    added: Notify,
}

#[derive(Debug, Default)]
struct NotificationQueueState {
    /// The lowest log level that the client wants. `None`: no log messages.
    level: Option<Level>,
    logs: usize,
    queue: VecDeque<QueuedNotification>,
}

impl NotificationQueue {
    /// Sets the lowest level of log messages that the client wants.
    pub(super) fn listen_from(&self, level: Level) {
        self.state.lock().level = Some(level);
    }

    /// Waits for the next notification.
    pub(super) async fn next(&self) -> QueuedNotification {
        loop {
            let added = self.added.notified();
            let next = {
                let mut state = self.state.lock();
                let next = state.queue.pop_front();
                state.logs -= usize::from(matches!(next, Some(QueuedNotification::Log(_))));
                next
            };
            match next {
                Some(notification) => return notification,
                None => added.await,
            }
        }
    }
}

impl NotificationSink for NotificationQueue {
    fn level(&self) -> Option<Level> {
        self.state.lock().level
    }

    fn log(&self, level: Level, params: &RawValue) {
        let mut state = self.state.lock();
        if state.logs >= LOGS_MAX || state.level.is_none_or(|least| level < least) {
            return;
        }
        state.logs += 1;
        state
            .queue
            .push_back(QueuedNotification::Log(params.to_owned()));
        drop(state);
        self.added.notify_one();
    }

    fn updated(&self, uri: &str) {
        let mut state = self.state.lock();
        let same = |notification: &QueuedNotification| matches!(notification, QueuedNotification::Updated(known) if known == uri);
        // An update that is already queued covers later changes of the same resource.
        if state.queue.iter().any(same) || state.queue.len() - state.logs >= UPDATES_MAX {
            return;
        }
        state
            .queue
            .push_back(QueuedNotification::Updated(uri.to_owned()));
        drop(state);
        self.added.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn params(text: &str) -> Box<RawValue> {
        RawValue::from_string(format!("\"{text}\"")).expect("JSON")
    }

    #[tokio::test]
    async fn waiting_logs_take_no_room_of_resources() {
        let queue = NotificationQueue::default();
        queue.log(Level::Emergency, &params("not requested"));
        queue.listen_from(Level::Warning);
        queue.log(Level::Notice, &params("too quiet"));
        for _ in 0..LOGS_MAX + 5 {
            queue.log(Level::Error, &params("loud"));
        }
        for n in 0..UPDATES_MAX + 5 {
            queue.updated(&format!("a://{n}"));
            queue.updated("a://0");
        }
        for _ in 0..LOGS_MAX {
            let QueuedNotification::Log(logged) = queue.next().await else {
                panic!("the log comes first");
            };
            assert_eq!(logged.get(), "\"loud\"");
        }
        for n in 0..UPDATES_MAX {
            let QueuedNotification::Updated(uri) = queue.next().await else {
                panic!("no log is left");
            };
            assert_eq!(uri, format!("a://{n}"), "each once");
        }
        assert!(queue.next().now_or_never().is_none());
        queue.updated("a://0");
        assert!(
            queue.next().now_or_never().is_some(),
            "it may be sent again"
        );
    }
}
