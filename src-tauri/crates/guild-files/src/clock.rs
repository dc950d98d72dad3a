//! Wall-clock time as milliseconds since 1970, the format of files and events.

use std::time::{SystemTime, UNIX_EPOCH};

/// Converts a time to milliseconds since 1970.
pub fn millis_since_1970(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the current time, in milliseconds since 1970.
pub fn now_ms() -> u64 {
    millis_since_1970(SystemTime::now())
}
