//! Time limits of the proxy.

use std::time::Duration;

/// Timeouts without data, after which the proxy checks that the gateway still answers. If it does,
/// the proxy continues to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BridgeLimits {
    /// The timeout for answers to `initialize` and to notifications, which the gateway sends at
    /// once.
    pub opening: Duration,
    /// The timeout for the next data of any other answer. The gateway sends data at least every 15
    /// s.
    pub silence: Duration,
    /// The timeout for the gateway's response to the check.
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
