//! The steps by which a group is ended, and when each is due.

use std::time::Duration;

use tokio::time::Instant;

/// How long each step of a stop may take: the child's stdin is closed, then it is asked to end
/// (SIGTERM), then it is ended (SIGKILL). Windows knows no asking, so there the second step ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopLadder {
    /// From the closing of stdin, which ends a well-behaved stdio server, to SIGTERM.
    pub stdin_grace: Duration,
    /// From SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// From SIGKILL until nobody waits any more for processes that the system can't end.
    pub kill_grace: Duration,
}

impl StopLadder {
    /// For a child with [`StdioMode::Piped`](super::StdioMode::Piped): 4 s in the worst case, within
    /// the 5 s that a quit may take.
    pub(crate) const PIPED: Self = Self {
        stdin_grace: Duration::from_millis(1_000),
        term_grace: Duration::from_millis(2_000),
        kill_grace: Duration::from_millis(1_000),
    };
    /// For a child with [`StdioMode::Closed`](super::StdioMode::Closed).
    pub const CLOSED: Self = Self {
        stdin_grace: Duration::ZERO,
        ..Self::PIPED
    };
    /// For a child that nobody holds any more, and for what a leader leaves behind.
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

/// A grace of more than an hour is an hour, so that no sum can overflow.
fn later(from: Instant, grace: Duration) -> Instant {
    from + grace.min(Duration::from_secs(3600))
}

/// When each step is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadlines {
    pub(super) term: Instant,
    pub(super) kill: Instant,
    pub(super) give_up: Instant,
}

impl Deadlines {
    /// Of two plans the sooner step each.
    pub(super) fn sooner(self, other: Self) -> Self {
        Self {
            term: self.term.min(other.term),
            kill: self.kill.min(other.kill),
            give_up: self.give_up.min(other.give_up),
        }
    }
}
