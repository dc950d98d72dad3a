//! Prints lines on stdout for programs that measure or wait: `cargo xtask bench`, `run
//! --screenshot`.
//!
//! Printed only with `GUILD_HALL_MILESTONES=1`, one JSON object per line: `window-ready` when the
//! roster was painted, `roster-settled` when each member is ready or its first attempt has failed.

use std::io::Write;
use std::time::Instant;

/// Prints milestones, measured from one instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Milestones {
    started: Instant,
}

impl Milestones {
    /// Creates milestones from `started` on. `None` if the environment does not request them.
    pub(crate) fn from_environment(started: Instant) -> Option<Self> {
        (std::env::var_os("GUILD_HALL_MILESTONES")? == "1").then_some(Self { started })
    }

    /// Prints that `milestone` was reached, with the elapsed milliseconds.
    pub(crate) fn announce(&self, milestone: &str) {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = serde_json::json!({ "milestone": milestone, "ms": ms });
        let mut stdout = std::io::stdout().lock();
        // If stdout is closed, no program waits for the line.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }
}
