//! Prints milestones on stdout for programs that measure them or wait for them: `cargo xtask
//! bench`, `run --screenshot`.
//!
//! They are printed only if `GUILD_HALL_MILESTONES` is `1`, as one JSON object per line.
//! `window-ready` means that the roster was painted. `roster-settled` means that each member is
//! ready, or that its first attempt to start has failed.

use std::io::Write;
use std::time::Instant;

/// Prints milestones, with the time since a fixed instant.
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
        // If stdout is closed, no program is waiting for the line.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }
}
