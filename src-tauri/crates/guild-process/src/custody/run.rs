//! The name of one start of one member, and of a process.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// One start of one member, told apart from every other start of any Guild Hall on this machine.
///
/// Each process that the start led to carries it twice: in its environment, where a program may
/// clear it, and (on Linux) as the value of a limit that the system hands down and no longer
/// enforces, which outlives `env -i`, `setsid` and every fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Run(u64);

/// What tells a run from any other number that somebody may have set as a limit. As a number of
/// bytes it is beyond everything that a machine could have.
const TAG: u64 = 0x47;
const TAG_SHIFT: u32 = 56;
/// The digits of a run as text.
#[cfg(unix)]
const DIGITS: usize = 16;

impl Run {
    /// The variable in the environment of each process.
    pub(crate) const VARIABLE: &str = "GUILD_HALL_RUN";

    /// One that nothing else has.
    pub(crate) fn new() -> Self {
        // Seeded by the operating system, and different each time that it is asked.
        let random = RandomState::new().hash_one(std::process::id());
        Self((TAG << TAG_SHIFT) | (random & !(u64::MAX << TAG_SHIFT)))
    }

    /// The run that a limit stands for, if it stands for one.
    #[cfg(unix)]
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        (number >> TAG_SHIFT == TAG).then_some(Self(number))
    }

    /// The run as a limit.
    #[cfg(target_os = "linux")]
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    /// The run that a text names.
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

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A process, with the moment of its start, which the next holder of its number does not share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity {
    pub(crate) pid: u32,
    /// In ticks of the system's clock since it booted; zero where the system does not tell.
    pub(crate) start: u64,
}

/// The first process of a run, and how far the run reaches from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// To its group, and to all that carry the mark or descend from these.
    Family(Identity),
    /// To those of its session, and no further: nobody carries the mark, and who left the session
    /// did so on purpose.
    Session(Identity),
}

impl Head {
    /// The first process.
    #[cfg(unix)]
    pub(crate) fn leader(self) -> Identity {
        match self {
            Self::Family(leader) | Self::Session(leader) => leader,
        }
    }
}

impl Identity {
    /// A child of ours whose end nobody has read, so that its number is its own.
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
    fn no_two_runs_are_equal_and_each_survives_its_text_and_its_number() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10_000 {
            let run = Run::new();
            assert!(seen.insert(run));
            assert_eq!(Run::parse(&run.to_string()), Some(run));
            assert_eq!(Run::from_number(run.number()), Some(run));
        }
    }

    #[test]
    fn what_is_no_run_is_not_taken_for_one() {
        for text in [
            "",
            "47",
            "ffffffffffffffff",
            "0000000000000001",
            "47zzzzzzzzzzzzzz",
            "+7000000000000000",
        ] {
            assert_eq!(Run::parse(text), None, "{text}");
        }
        assert_eq!(Run::from_number(u64::MAX), None, "no limit at all");
        assert_eq!(Run::from_number(8 << 30), None, "somebody's real limit");
    }
}
