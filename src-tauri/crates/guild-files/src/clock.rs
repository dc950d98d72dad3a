//! The time of day, as files and events have it.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in milliseconds since 1970.
pub fn millis_since_1970(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The present, in milliseconds since 1970.
pub fn now_ms() -> u64 {
    millis_since_1970(SystemTime::now())
}
