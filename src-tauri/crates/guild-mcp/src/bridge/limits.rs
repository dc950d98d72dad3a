//! Time limits of the bridge.

use std::time::Duration;

/// How long the bridge waits for bytes from the gateway before it checks that the gateway still
/// answers. A gateway that answers the check may take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BridgeLimits {
    /// For the answers to `initialize` and to notifications, which the gateway sends at once.
    pub opening: Duration,
    /// For the next bytes of any other answer. The gateway sends some every 15 s at the latest.
    pub silence: Duration,
    /// For the answer to the check itself.
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
