//! The protocol between the program and the watchdog: one line of text for each change.
//!
//! The watchdog's binary may be from another version than the program, so unknown lines are
//! ignored.

use std::fmt;

use crate::process_registry::container::{CONTAINER_LINE_MAX, ContainerHandle};
use crate::process_registry::run::{Identity, RunId, RunRoot};

/// Limit of a line including its line end, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 128 + CONTAINER_LINE_MAX;

/// First words of the lines that report the leader of a group, the leader of a session, or a
/// container.
const LEADS: &str = "leads";
const LEADS_SESSION: &str = "leads-session";
const CONTAINS: &str = "contains";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WatchdogLine {
    /// The run will have processes.
    Begun(RunId),
    /// The first process of the run: the leader of a group or of a session.
    Leads(RunId, RunRoot),
    Contains(RunId, ContainerHandle),
    /// All processes of the run are gone.
    Ended(RunId),
}

impl fmt::Display for WatchdogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun(run) => writeln!(f, "begun {run}"),
            Self::Leads(run, head) => {
                let what = match head {
                    RunRoot::ProcessTree(_) => LEADS,
                    RunRoot::Session(_) => LEADS_SESSION,
                };
                let Identity { pid, start } = head.leader();
                writeln!(f, "{what} {run} {pid} {start}")
            }
            // If the container's description is too long for a line, only the program itself can
            // remove the container.
            Self::Contains(run, contained) => match contained.to_line() {
                Some(line) => writeln!(f, "{CONTAINS} {run} {line}"),
                None => writeln!(f, "begun {run}"),
            },
            Self::Ended(run) => writeln!(f, "ended {run}"),
        }
    }
}

impl WatchdogLine {
    /// Parses a line. A line without its line end was truncated and is ignored.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
        if let Some(rest) = line.strip_prefix(CONTAINS) {
            let (run, line) = rest.strip_prefix(' ')?.split_once(' ')?;
            return Some(Self::Contains(
                RunId::parse(run)?,
                ContainerHandle::parse(line)?,
            ));
        }
        let (what, rest) = line.split_once(' ')?;
        if matches!(what, "begun" | "ended") {
            let run = RunId::parse(rest)?;
            return Some(match what {
                "begun" => Self::Begun(run),
                _ => Self::Ended(run),
            });
        }
        let (run, leader) = rest.split_once(' ')?;
        let (run, leader) = (RunId::parse(run)?, Identity::parse(leader)?);
        match what {
            LEADS => Some(Self::Leads(run, RunRoot::ProcessTree(leader))),
            LEADS_SESSION => Some(Self::Leads(run, RunRoot::Session(leader))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn contained() -> ContainerHandle {
        let line = format!(
            "docker guild-hall-notes-{}\t/usr/bin/docker\tPATH=/bin",
            RunId::new()
        );
        ContainerHandle::parse(&line).expect("a container")
    }

    #[test]
    fn each_line_is_read_as_it_was_written() {
        let run = RunId::new();
        let leader = Identity {
            pid: u32::MAX,
            start: u64::MAX,
        };
        for line in [
            WatchdogLine::Begun(run),
            WatchdogLine::Leads(run, RunRoot::ProcessTree(leader)),
            WatchdogLine::Leads(run, RunRoot::Session(leader)),
            WatchdogLine::Contains(run, contained()),
            WatchdogLine::Ended(run),
        ] {
            let text = line.to_string();
            assert!(text.len() <= LINE_BYTES_MAX, "{text}");
            assert_eq!(WatchdogLine::parse(text.as_bytes()), Some(line));
            let cut = &text.as_bytes()[..text.len() - 1];
            assert_eq!(WatchdogLine::parse(cut), None, "it was cut off");
        }
    }

    #[test]
    fn nobody_is_made_to_end_by_a_line_that_makes_no_sense() {
        let run = RunId::new();
        for line in [
            format!("contains {run} docker postgres\t/usr/bin/docker\n"),
            format!("contains {run}\n"),
            format!("leads {run}\n"),
            format!("leads {run} 1 5\n"),
            format!("leads {run} 0 5\n"),
            format!("leads-session {run} 1 5\n"),
            format!("leads {run} -5 5\n"),
            format!("leads {run} 5 5 5\n"),
            format!("lead {run} 5 5\n"),
            "begun 1\n".to_owned(),
            "\n".to_owned(),
        ] {
            assert_eq!(WatchdogLine::parse(line.as_bytes()), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(line) = WatchdogLine::parse(&bytes) {
                prop_assert_eq!(WatchdogLine::parse(line.to_string().as_bytes()), Some(line));
            }
        }
    }
}
