//! Telling a group that has ended from one that lives, where nobody collects the ended.
//!
//! A process that has ended keeps its place in the group until its parent collects it. An orphan's
//! new parent should be the system's first process, and in a container that is often a program
//! that collects nobody. Such a group is over, though a signal still finds it.

use std::fs::{self, File};
use std::io::Read;

/// The most processes of the machine that are looked at; beyond, the group counts as living.
const LOOKED_AT_MAX: usize = 20_000;
/// As much of a process's line is read as holds what is asked for, in bytes.
const STAT_BYTES: u64 = 1024;

/// Whether the group has members of which all have ended.
///
/// It reads a few hundred small files that the kernel makes up on the spot; milliseconds.
pub(super) fn all_ended(group: u32) -> bool {
    // Twice, because a member may fork and end while the list is being read.
    scan(group) && scan(group)
}

fn scan(group: u32) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        return false;
    };
    let mut ended = 0;
    for (index, process) in processes.enumerate() {
        if index == LOOKED_AT_MAX {
            return false;
        }
        let pid = process
            .ok()
            .and_then(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        // One that is gone by now has no line any more.
        let Some(stat) = pid.and_then(stat).filter(|stat| stat.group == group) else {
            continue;
        };
        if !stat.has_ended() {
            return false;
        }
        ended += 1;
    }
    ended > 0
}

/// What the kernel says of a process.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    state: char,
    group: u32,
    threads: u32,
}

impl Stat {
    /// The state is that of the first thread, which may have ended before the others.
    fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X') && self.threads <= 1
    }

    fn parse(line: &str) -> Option<Self> {
        // The name, in brackets, may hold anything, spaces and brackets included.
        let (_, rest) = line.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        Some(Self {
            state: fields.next()?.chars().next()?,
            group: fields.nth(1)?.parse().ok()?,
            threads: fields.nth(14)?.parse().ok()?,
        })
    }
}

fn stat(pid: u32) -> Option<Stat> {
    let mut line = Vec::new();
    let file = File::open(format!("/proc/{pid}/stat")).ok()?;
    file.take(STAT_BYTES).read_to_end(&mut line).ok()?;
    Stat::parse(&String::from_utf8_lossy(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whatever_the_name_is() {
        let line = "42 (a) Z 7 (b) Z 1 40 40 0 -1 4228364 0 0 0 0 0 0 0 0 20 0 1 0 99 0 0";
        let stat = Stat {
            state: 'Z',
            group: 40,
            threads: 1,
        };
        assert_eq!(Stat::parse(line), Some(stat));
        for line in ["", "42 (a", "42 (a)", "42 (a) Z", "42 (a) Z 1 x 1"] {
            assert_eq!(Stat::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_process_whose_first_thread_alone_has_ended_lives() {
        let stat = |state, threads| Stat {
            state,
            group: 1,
            threads,
        };
        assert!(stat('Z', 1).has_ended());
        assert!(!stat('Z', 2).has_ended());
        assert!(!stat('S', 1).has_ended());
    }

    #[test]
    fn we_are_alive() {
        let own = stat(std::process::id()).expect("our own line");
        assert!(!own.has_ended());
        assert!(!all_ended(own.group));
    }
}
