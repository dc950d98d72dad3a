//! The id of a member's start, and the identity of a process.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The id of one start of one member, unique over all Guild Halls on this machine.
///
/// Each process of the start has the id in its environment, from which a program may remove it. On
/// Linux, the id is also the value of an inherited resource limit that the kernel no longer
/// enforces. The limit survives `env -i`, `setsid` and every fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RunId(u64);

/// The highest byte of every id, which distinguishes an id from other values of the resource limit.
/// As a number of bytes, an id is larger than any real memory.
const TAG: u64 = 0x47;
const TAG_SHIFT: u32 = 56;
/// Number of digits of an id as text.
#[cfg(unix)]
const DIGITS: usize = 16;

impl RunId {
    /// The environment variable that has the id.
    pub(crate) const VARIABLE: &str = "GUILD_HALL_RUN";

    pub(crate) fn new() -> Self {
        // The operating system seeds the hasher differently each time.
        let random = RandomState::new().hash_one(std::process::id());
        Self((TAG << TAG_SHIFT) | (random & !(u64::MAX << TAG_SHIFT)))
    }

    /// Returns the id that a value of the resource limit contains. `None` if the value is not an
    /// id.
    #[cfg(unix)]
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        (number >> TAG_SHIFT == TAG).then_some(Self(number))
    }

    /// Returns the value of the resource limit that contains the id.
    #[cfg(target_os = "linux")]
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    #[cfg(unix)]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() != DIGITS {
            return None;
        }
        u64::from_str_radix(text, 16)
            .ok()
            .and_then(Self::from_number)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A process, identified by its pid and its start time. The start time distinguishes it from later
/// processes with the same pid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity {
    pub(crate) pid: u32,
    /// The start time in clock ticks since the system booted. Zero if the system does not report
    /// it.
    pub(crate) start: u64,
}

/// The first process of a run, and the processes that the run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunRoot {
    /// The run covers the process's group, all processes with the run's mark, and the descendants
    /// of all these.
    ProcessTree(Identity),
    /// The run covers only the process's session. Its processes don't carry the mark, and a process
    /// that left the session did so on purpose.
    Session(Identity),
}

impl RunRoot {
    #[cfg(unix)]
    pub(crate) fn leader(self) -> Identity {
        match self {
            Self::ProcessTree(leader) | Self::Session(leader) => leader,
        }
    }
}

impl Identity {
    /// Parses a pid and a start time, separated by a space. Rejects pid 0, because a signal to it
    /// would go to a whole process group, and pid 1, which is init.
    #[cfg(unix)]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (pid, start) = text.split_once(' ')?;
        let pid = pid.parse().ok().filter(|pid| *pid > 1)?;
        let start = start.parse().ok()?;
        Some(Self { pid, start })
    }

    /// Returns the identity of a child whose exit was not collected yet, so that its pid can't have
    /// been reused.
    pub(crate) fn of_unread(pid: u32) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(identity) = Self::of(pid) {
            return identity;
        }
        Self { pid, start: 0 }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn run_ids_are_unique_and_round_trip() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10_000 {
            let run = RunId::new();
            assert!(seen.insert(run));
            assert_eq!(RunId::parse(&run.to_string()), Some(run));
            assert_eq!(RunId::from_number(run.number()), Some(run));
        }
    }

    #[test]
    fn foreign_name_is_not_a_run() {
        for text in [
            "",
            "47",
            "ffffffffffffffff",
            "0000000000000001",
            "47zzzzzzzzzzzzzz",
            "+7000000000000000",
        ] {
            assert_eq!(RunId::parse(text), None, "{text}");
        }
        assert_eq!(RunId::from_number(u64::MAX), None, "no limit at all");
        assert_eq!(RunId::from_number(8 << 30), None, "somebody's real limit");
    }
}
