//! A server's notifications about log messages and changed resources.
//!
//! A notification that belongs to a call is delivered to the call's [`NotificationSink`]. All
//! others are broadcast to the subscribers of the connection. If a subscriber is slow, it misses
//! the oldest notifications.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::broadcast;

/// Limit of the notifications of a connection that wait for delivery.
const WAITING_MAX: usize = 64;
/// Limit of a forwarded log message, in bytes of JSON.
const LOG_MAX: usize = 64 << 10;
/// Limit of a resource's URI, in bytes.
pub const URI_MAX: usize = 8 << 10;

/// The severity of a log message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the protocol defines the levels")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    /// All levels, the least severe first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Returns the name of the level in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// Parses the name of a level. `None` if it is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }
}

/// Receives a server's notifications. Implementations must not block. If they have no room for a
/// notification, they drop it.
pub trait NotificationSink: Send + Sync + fmt::Debug {
    /// Returns the least severe level that the sink wants to receive. `None` leaves the choice to
    /// the server.
    fn level(&self) -> Option<Level>;

    /// Receives a log message: its level, and the parameters of the `notifications/message`.
    fn log(&self, level: Level, params: &RawValue);

    /// Called when a resource has changed.
    fn updated(&self, uri: &str);
}

/// A notification that does not belong to a call.
#[derive(Debug, Clone)]
pub enum SessionNotification {
    /// The server sent a log message.
    Log {
        /// The severity.
        level: Level,
        /// The parameters of the `notifications/message`.
        params: Arc<RawValue>,
    },
    /// A resource to which the client subscribed has changed.
    Updated {
        /// The URI of the resource, or of a part of it.
        uri: Arc<str>,
    },
}

/// Broadcasts a connection's notifications to its subscribers.
#[derive(Debug, Clone)]
pub(crate) struct NotificationBroadcast(broadcast::Sender<SessionNotification>);

impl Default for NotificationBroadcast {
    fn default() -> Self {
        Self(broadcast::channel(WAITING_MAX).0)
    }
}

impl NotificationBroadcast {
    pub(crate) fn listen(&self) -> broadcast::Receiver<SessionNotification> {
        self.0.subscribe()
    }

    pub(crate) fn send(&self, notification: SessionNotification) {
        // An error means that the channel has no subscribers.
        let _ = self.0.send(notification);
    }
}

/// Returns the level of a log message. `None` if the message is invalid or too large to forward.
pub(crate) fn level_of(params: &RawValue) -> Option<Level> {
    #[derive(Deserialize)]
    struct LogMessageLevel {
        level: Level,
    }
    if params.get().len() > LOG_MAX {
        return None;
    }
    serde_json::from_str::<LogMessageLevel>(params.get())
        .ok()
        .map(|params| params.level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_levels_and_small_logs_pass() {
        let level = |params: String| level_of(&RawValue::from_string(params).expect("JSON"));
        for known in Level::ALL {
            let params = format!(r#"{{"level":"{}","data":[1]}}"#, known.as_str());
            assert_eq!(level(params), Some(known));
            assert_eq!(Level::parse(known.as_str()), Some(known));
        }
        assert!(Level::ALL.is_sorted());
        assert_eq!(level(r#"{"level":"loud","data":1}"#.into()), None);
        assert_eq!(level(r#"{"data":1}"#.into()), None);
        let long = "x".repeat(LOG_MAX);
        assert_eq!(
            level(format!(r#"{{"level":"info","data":"{long}"}}"#)),
            None
        );
    }
}
