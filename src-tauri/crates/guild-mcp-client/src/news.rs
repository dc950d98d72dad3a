//! A server's notifications about logs and changed resources.
//!
//! A notification that belongs to a call goes to that call's handler. All others go to every
//! listener of the connection. A slow listener misses the oldest.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::broadcast;

/// Most notifications of a connection that wait for delivery.
const TOLD_MAX: usize = 64;
/// The largest log message that is passed on, in bytes of JSON.
const LOG_MAX: usize = 64 << 10;
/// The longest address of a resource, in bytes.
pub const URI_MAX: usize = 8 << 10;

/// How grave a log message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `debug`
    Debug,
    /// `info`
    Info,
    /// `notice`
    Notice,
    /// `warning`
    Warning,
    /// `error`
    Error,
    /// `critical`
    Critical,
    /// `alert`
    Alert,
    /// `emergency`
    Emergency,
}

impl Level {
    /// All levels, the least grave first.
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

    /// The level as the protocol writes it.
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

    /// Reads a level.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }
}

/// Receives a server's notifications. Implementations must not block, and drop items without room.
pub trait Hearing: Send + Sync + fmt::Debug {
    /// The least grave level that is wanted; `None` where that is left to the server.
    fn level(&self) -> Option<Level>;

    /// Takes the parameters of a `notifications/message`.
    fn log(&self, level: Level, params: &RawValue);

    /// A resource has changed.
    fn updated(&self, uri: &str);
}

/// Something that belongs to no call.
#[derive(Debug, Clone)]
pub enum SessionNotification {
    /// The server logged something.
    Log {
        /// How grave it is.
        level: Level,
        /// The parameters of the `notifications/message`.
        params: Arc<RawValue>,
    },
    /// A resource that is watched has changed.
    Updated {
        /// Its address, or that of a part of it.
        uri: Arc<str>,
    },
}

/// Broadcasts a connection's notifications.
#[derive(Debug, Clone)]
pub(crate) struct Ticker(broadcast::Sender<SessionNotification>);

impl Default for Ticker {
    fn default() -> Self {
        Self(broadcast::channel(TOLD_MAX).0)
    }
}

impl Ticker {
    pub(crate) fn listen(&self) -> broadcast::Receiver<SessionNotification> {
        self.0.subscribe()
    }

    pub(crate) fn tell(&self, told: SessionNotification) {
        // Having no listener is fine.
        let _ = self.0.send(told);
    }
}

/// The level of a log message that may be passed on; `None` for one that may not.
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
