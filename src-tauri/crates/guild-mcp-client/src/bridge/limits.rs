//! Time limits of the proxy.

use std::time::Duration;

/// How long the proxy waits for data before it checks that the gateway still answers. A gateway
/// that passes the check may take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BridgeLimits {
    /// The limit for answers to `initialize` and to notifications, which are immediate.
    pub opening: Duration,
    /// The limit for the next data of any other answer. The gateway sends data at least every 15 s.
    pub silence: Duration,
    /// The limit for the answer to the check.
    pub check: Duration,
}

impl Default for BridgeLimits {
    fn default() -> Self {
        Self {
            opening: Duration::from_secs(5),
            silence: Duration::from_secs(30),
            check: Duration::from_secs(5),
        }
    }
}
