//! The machine's processes as the kernel tells of them (Linux).
//!
//! A look at all of them is no single moment: a process may fork, end and be replaced by another
//! of the same number while the list is read. Whoever acts on what was seen names a process by its
//! number *and* the moment of its start, and looks at that again before sending anything
//! ([`signal`]).

mod stat;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};

use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use rustix::time::{ClockId, clock_gettime};

use crate::custody::run::{Identity, Run};

pub(crate) use stat::Stat;

/// The most processes of the machine that are looked at.
const PROCESSES_MAX: usize = 100_000;
/// The most threads of a process that are looked at.
const THREADS_MAX: usize = 10_000;
/// How much of a process's limits is read, in bytes; all of them are 1.4 KB.
const LIMITS_BYTES: u64 = 4 * 1024;
/// How much of a process's environment is looked through, in bytes.
const ENVIRONMENT_BYTES: u64 = 1024 * 1024;

/// Now, as the moment of a process's start is told: in ticks of the system's clock since it booted.
pub(crate) fn now() -> u64 {
    const SECOND: u64 = 1_000_000_000;
    let now = clock_gettime(ClockId::Boottime);
    let (seconds, rest) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    let ticks = clock_ticks_per_second();
    seconds * ticks + rest * ticks / SECOND
}

impl Identity {
    /// The process that has this number now.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let start = Stat::read(pid)?.start;
        Some(Self { pid, start })
    }

    /// Whether it lives, as more than an entry that waits to be collected.
    #[cfg(test)]
    pub(crate) fn is_alive(self) -> bool {
        Stat::read(self.pid).is_some_and(|stat| stat.start == self.start && !stat.has_ended())
    }

    /// Whether it may have open what it had: the kernel closes that when the last thread has begun
    /// to end, which is before the process counts as ended.
    pub(crate) fn has_its_files(self) -> bool {
        let Some(stat) = Stat::read(self.pid).filter(|stat| stat.start == self.start) else {
            return false;
        };
        if !stat.is_ending() {
            return true;
        }
        // The first thread may end before the others.
        let pid = self.pid;
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter();
        let mut text = Vec::new();
        threads.flatten().take(THREADS_MAX).flatten().any(|entry| {
            let thread = entry.file_name();
            let path = format!("/proc/{pid}/task/{}", thread.to_string_lossy());
            Stat::read_at(&path, &mut text).is_some_and(|thread| !thread.is_ending())
        })
    }
}

/// A process as it was seen.
#[derive(Debug, Clone, Copy)]
struct Seen {
    identity: Identity,
    stat: Stat,
    run: Option<Run>,
}

/// All processes, as they were seen one after the other.
#[derive(Debug, Default)]
pub(crate) struct Table {
    seen: Vec<Seen>,
    children: HashMap<u32, Vec<usize>>,
}

/// Those of a group that are left, the ended apart from the living.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GroupCount {
    pub(crate) living: usize,
    pub(crate) ended: usize,
}

impl Table {
    /// Looks at all processes. Which run one belongs to is asked only of those that started at
    /// `since` or later.
    ///
    /// # Errors
    /// When the system has no list of processes, or it is longer than any that is read.
    pub(crate) fn take(since: u64) -> io::Result<Self> {
        let mut table = Self::default();
        let mut text = Vec::new();
        for entry in fs::read_dir("/proc")? {
            let Some(pid) = entry
                .ok()
                .and_then(|entry| entry.file_name().to_str()?.parse().ok())
            else {
                continue;
            };
            // One that is gone by now has no line any more.
            let Some(stat) = Stat::read_into(pid, &mut text) else {
                continue;
            };
            if table.seen.len() == PROCESSES_MAX {
                return Err(io::Error::other("there are too many processes to look at"));
            }
            let asked = stat.start >= since && !stat.has_ended() && !stat.is_kernel();
            let run = if asked { run_of(pid, &mut text) } else { None };
            let start = stat.start;
            table
                .children
                .entry(stat.parent)
                .or_default()
                .push(table.seen.len());
            table.seen.push(Seen {
                identity: Identity { pid, start },
                stat,
                run,
            });
        }
        Ok(table)
    }

    /// Whether this process was there, ended or not.
    pub(crate) fn has(&self, process: Identity) -> bool {
        self.seen.iter().any(|seen| seen.identity == process)
    }

    /// The processes of a group.
    pub(crate) fn group(&self, group: u32) -> GroupCount {
        let mut count = GroupCount::default();
        for seen in self.seen.iter().filter(|seen| seen.stat.group == group) {
            if seen.stat.has_ended() {
                count.ended += 1;
            } else {
                count.living += 1;
            }
        }
        count
    }

    /// The living processes of the session that a process began, whether that lives or not. None
    /// where its number is another's by now; this process is never among them.
    pub(crate) fn session(&self, leader: Identity) -> Vec<Kin> {
        let given_away =
            |seen: &Seen| seen.identity.pid == leader.pid && seen.identity.start != leader.start;
        if self.seen.iter().any(given_away) {
            return Vec::new();
        }
        let own = std::process::id();
        self.seen
            .iter()
            .filter(|Seen { identity, stat, .. }| {
                stat.session == leader.pid
                    && identity.start >= leader.start
                    && identity.pid != own
                    && !stat.has_ended()
            })
            .map(Kin::of)
            .collect()
    }

    /// The living processes that `is_root` holds for, and all that descend from them. This
    /// process, and the system's first, are never among them.
    pub(crate) fn families(&self, is_root: impl Fn(&Kin) -> bool) -> Vec<Kin> {
        let own = std::process::id();
        let mut found = HashSet::new();
        let mut open: Vec<usize> = (0..self.seen.len())
            .filter(|&index| is_root(&Kin::of(&self.seen[index])))
            .collect();
        let mut living = Vec::new();
        while let Some(index) = open.pop() {
            let Seen { identity, stat, .. } = self.seen[index];
            if identity.pid == own || identity.pid == 1 || !found.insert(index) {
                continue;
            }
            if !stat.has_ended() {
                living.push(Kin::of(&self.seen[index]));
            }
            let children = self.children.get(&identity.pid).into_iter().flatten();
            // A child is no older than its parent; one that is has lost that parent meanwhile.
            open.extend(children.filter(|&&child| self.seen[child].stat.start >= stat.start));
        }
        living
    }
}

/// What tells whose a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kin {
    pub(crate) identity: Identity,
    pub(crate) run: Option<Run>,
    pub(crate) group: u32,
    pub(crate) parent: u32,
}

impl Kin {
    fn of(seen: &Seen) -> Self {
        Self {
            identity: seen.identity,
            run: seen.run,
            group: seen.stat.group,
            parent: seen.stat.parent,
        }
    }
}

/// What came of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signalled {
    /// It was sent, or there is nobody any more to send it to.
    Done,
    /// The process is another user's.
    Refused,
}

/// Sends a signal to the process that was seen, and to none that has got its number since: the
/// handle is taken first, and what it stands for is looked at after that.
pub(crate) fn signal(process: Identity, signal: Signal) -> Signalled {
    let Some(pid) = i32::try_from(process.pid).ok().and_then(Pid::from_raw) else {
        return Signalled::Done;
    };
    let handle = pidfd_open(pid, PidfdFlags::empty());
    if Identity::of(process.pid) != Some(process) {
        return Signalled::Done;
    }
    let sent = match handle {
        Ok(handle) => pidfd_send_signal(handle, signal),
        // Systems before Linux 5.3 have no such handles, and there may be no room for one.
        Err(_) => kill_process(pid, signal),
    };
    match sent {
        Err(Errno::PERM) => Signalled::Refused,
        Ok(()) | Err(Errno::SRCH) => Signalled::Done,
        Err(error) => {
            tracing::debug!(pid = process.pid, %error, "a process could not be signalled");
            Signalled::Done
        }
    }
}

/// Which run a process belongs to, as far as it says so itself.
pub(crate) fn run_of(pid: u32, text: &mut Vec<u8>) -> Option<Run> {
    read(&format!("/proc/{pid}/limits"), LIMITS_BYTES, text)
        .and_then(run_in_limits)
        .or_else(|| {
            read(&format!("/proc/{pid}/environ"), ENVIRONMENT_BYTES, text)
                .and_then(run_in_environment)
        })
}

fn run_in_limits(limits: &[u8]) -> Option<Run> {
    let line = limits
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(b"Max resident set"))?;
    let soft = std::str::from_utf8(line)
        .ok()?
        .split_ascii_whitespace()
        .next()?;
    Run::from_number(soft.parse().ok()?)
}

fn run_in_environment(environment: &[u8]) -> Option<Run> {
    environment
        .split(|byte| *byte == 0)
        .filter_map(|one| std::str::from_utf8(one).ok())
        .find_map(|one| Run::parse(one.strip_prefix(Run::VARIABLE)?.strip_prefix('=')?))
}

/// Reads a file of the kernel, at most `max` bytes of it.
fn read<'a>(path: &str, max: u64, text: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    text.clear();
    File::open(path).ok()?.take(max).read_to_end(text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests;
