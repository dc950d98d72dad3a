//! Queues an agent's notifications outside of its calls, for its session's stream or the stream of
//! its `subscriptions/listen`.

use std::collections::VecDeque;

use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use guild_mcp_client::{Hearing, Level};

/// Limit of the log messages that wait to be sent.
const LOGS_MAX: usize = 64;
/// Limit of the resource updates that wait to be sent.
const UPDATES_MAX: usize = 256;

/// A received notification.
#[derive(Debug)]
pub(super) enum QueuedNotification {
    /// The parameters of a `notifications/message`.
    Log(Box<RawValue>),
    /// A resource changed.
    Updated(String),
}

/// Notifications that wait to be sent.
#[derive(Debug, Default)]
pub(super) struct NotificationQueue {
    waits: Mutex<NotificationQueueState>,
    told: Notify,
}

#[derive(Debug, Default)]
struct NotificationQueueState {
    /// The lowest log level that the client wants. `None`: no log messages.
    level: Option<Level>,
    logs: usize,
    heard: VecDeque<QueuedNotification>,
}

impl NotificationQueue {
    /// Sets the lowest level of log messages that the client wants.
    pub(super) fn listen_from(&self, level: Level) {
        self.waits.lock().level = Some(level);
    }

    /// Waits for the next notification.
    pub(super) async fn next(&self) -> QueuedNotification {
        loop {
            let told = self.told.notified();
            let next = {
                let mut waits = self.waits.lock();
                let next = waits.heard.pop_front();
                waits.logs -= usize::from(matches!(next, Some(QueuedNotification::Log(_))));
                next
            };
            match next {
                Some(heard) => return heard,
                None => told.await,
            }
        }
    }
}

impl Hearing for NotificationQueue {
    fn level(&self) -> Option<Level> {
        self.waits.lock().level
    }

    fn log(&self, level: Level, params: &RawValue) {
        let mut waits = self.waits.lock();
        if waits.logs >= LOGS_MAX || waits.level.is_none_or(|least| level < least) {
            return;
        }
        waits.logs += 1;
        waits
            .heard
            .push_back(QueuedNotification::Log(params.to_owned()));
        drop(waits);
        self.told.notify_one();
    }

    fn updated(&self, uri: &str) {
        let mut waits = self.waits.lock();
        let same = |heard: &QueuedNotification| matches!(heard, QueuedNotification::Updated(known) if known == uri);
        // A waiting notification covers all later ones.
        if waits.heard.iter().any(same) || waits.heard.len() - waits.logs >= UPDATES_MAX {
            return;
        }
        waits
            .heard
            .push_back(QueuedNotification::Updated(uri.to_owned()));
        drop(waits);
        self.told.notify_one();
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
        let ear = NotificationQueue::default();
        ear.log(Level::Emergency, &params("nobody asked for it"));
        ear.listen_from(Level::Warning);
        ear.log(Level::Notice, &params("too quiet"));
        for _ in 0..LOGS_MAX + 5 {
            ear.log(Level::Error, &params("loud"));
        }
        for n in 0..UPDATES_MAX + 5 {
            ear.updated(&format!("a://{n}"));
            ear.updated("a://0");
        }
        for _ in 0..LOGS_MAX {
            let QueuedNotification::Log(said) = ear.next().await else {
                panic!("the log comes first");
            };
            assert_eq!(said.get(), "\"loud\"");
        }
        for n in 0..UPDATES_MAX {
            let QueuedNotification::Updated(uri) = ear.next().await else {
                panic!("no log is left");
            };
            assert_eq!(uri, format!("a://{n}"), "each once");
        }
        assert!(ear.next().now_or_never().is_none());
        ear.updated("a://0");
        assert!(ear.next().now_or_never().is_some(), "it may be told again");
    }
}
