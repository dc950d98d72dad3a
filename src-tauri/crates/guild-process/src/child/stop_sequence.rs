//! The steps of stopping a group, with their deadlines.

use std::time::Duration;

use tokio::time::Instant;

/// The timeouts of a stop: closing stdin, then SIGTERM, then SIGKILL. Windows can't request an end,
/// so the second step kills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopSequence {
    /// The time from closing stdin, which ends a well-behaved stdio server, to SIGTERM.
    pub stdin_grace: Duration,
    /// The time from SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// The time from SIGKILL until unkillable processes are abandoned.
    pub kill_grace: Duration,
}

impl StopSequence {
    /// The sequence for a child with [`StdioMode::Piped`](super::StdioMode::Piped). It takes at
    /// most 4 s, less than the 5 s that quitting may take.
    pub const PIPED: Self = Self {
        stdin_grace: Duration::from_millis(1_000),
        term_grace: Duration::from_millis(2_000),
        kill_grace: Duration::from_millis(1_000),
    };
    /// The sequence for a child with [`StdioMode::Closed`](super::StdioMode::Closed).
    pub const CLOSED: Self = Self {
        stdin_grace: Duration::ZERO,
        ..Self::PIPED
    };
    /// The sequence for a child whose handle was dropped, and for processes that a leader leaves
    /// behind.
    pub const DROPPED: Self = Self {
        stdin_grace: Duration::ZERO,
        term_grace: Duration::from_millis(1_000),
        kill_grace: Duration::from_millis(1_000),
    };

    pub(super) fn from(self, now: Instant) -> Deadlines {
        let term = later(now, self.stdin_grace);
        let kill = later(term, self.term_grace);
        let give_up = later(kill, self.kill_grace);
        Deadlines {
            term,
            kill,
            give_up,
        }
    }
}

/// Limits a timeout to one hour, so that no sum can overflow.
fn later(from: Instant, grace: Duration) -> Instant {
    from + grace.min(Duration::from_secs(3600))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadlines {
    pub(super) term: Instant,
    pub(super) kill: Instant,
    pub(super) give_up: Instant,
}

impl Deadlines {
    /// Combines two plans. The earlier deadline of each step wins.
    pub(super) fn sooner(self, other: Self) -> Self {
        Self {
            term: self.term.min(other.term),
            kill: self.kill.min(other.kill),
            give_up: self.give_up.min(other.give_up),
        }
    }
}
