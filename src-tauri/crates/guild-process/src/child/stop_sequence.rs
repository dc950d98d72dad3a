//! The steps in which a process group is stopped, with their deadlines.

use std::time::Duration;

use tokio::time::Instant;

/// The timeouts of the steps of a stop: stdin is closed, then SIGTERM is sent, then SIGKILL.
/// Windows can't request the end of a process, so the second step kills it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopSequence {
    /// The time from closing stdin, which ends a well-behaved stdio server, to SIGTERM.
    pub stdin_grace: Duration,
    /// The time from SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// The time from SIGKILL until the processes that still exist are abandoned.
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
    /// The sequence for a child with [`StdioMode::Closed`](super::StdioMode::Closed), whose stdin
    /// is closed from the start.
    pub const CLOSED: Self = Self {
        stdin_grace: Duration::ZERO,
        ..Self::PIPED
    };
    /// The sequence for a child whose handle was dropped, and for processes that remain after their
    /// leader.
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

/// Returns `from` plus a timeout of at most one hour, so that the addition can't overflow.
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
    /// Combines two sets of deadlines. For each step, the earlier deadline applies.
    pub(super) fn sooner(self, other: Self) -> Self {
        Self {
            term: self.term.min(other.term),
            kill: self.kill.min(other.kill),
            give_up: self.give_up.min(other.give_up),
        }
    }
}
