//! Lines on stdout for programs that measure or wait: `cargo xtask bench`, `run --screenshot`.
//!
//! Printed only with `GUILD_HALL_MILESTONES=1`, one JSON object a line: `window-ready` once the
//! roster has been painted, `roster-settled` once each member is up or its first try has failed.

use std::io::Write;
use std::time::Instant;

/// Prints milestones, counted from one instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Milestones {
    started: Instant,
}

impl Milestones {
    /// Milestones from `started` on, if the environment asks for them.
    pub(crate) fn from_environment(started: Instant) -> Option<Self> {
        (std::env::var_os("GUILD_HALL_MILESTONES")? == "1").then_some(Self { started })
    }

    /// Prints that `milestone` was reached, and after how many milliseconds.
    pub(crate) fn announce(&self, milestone: &str) {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = serde_json::json!({ "milestone": milestone, "ms": ms });
        let mut stdout = std::io::stdout().lock();
        // Without a reader, no program waits for the line.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }
}
