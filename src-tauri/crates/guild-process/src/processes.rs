//! Lists and signals the processes of the machine (Linux).
//!
//! A scan is not atomic: during it, a process may fork, end, or be replaced by another process with
//! the same pid. So a process is identified by its pid *and* its start time, and both are checked
//! again before a signal is sent ([`signal`]).

mod stat;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use crate::process_registry::run::{Identity, RunId};

pub(crate) use stat::Stat;

/// Limit of the inspected processes on the machine.
const PROCESSES_MAX: usize = 100_000;
/// Limit of the inspected threads of one process.
const THREADS_MAX: usize = 10_000;
/// Bytes that are read from the limits file of a process, which is about 1.4 KB long.
const LIMITS_BYTES: u64 = 4 * 1024;
/// Bytes of a process's environment that are searched.
const ENVIRONMENT_BYTES: u64 = 1024 * 1024;

impl Identity {
    /// Returns the identity of the process that has this pid now.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let start = Stat::read(pid)?.start;
        Some(Self { pid, start })
    }

    /// Whether the process is alive, and not a zombie.
    #[cfg(test)]
    pub(crate) fn is_alive(self) -> bool {
        Stat::read(self.pid).is_some_and(|stat| stat.start == self.start && !stat.has_ended())
    }

    /// Whether the process may still have open files. The kernel closes the files when the last
    /// thread begins to exit, which is before the process counts as ended.
    pub(crate) fn has_its_files(self) -> bool {
        let Some(stat) = Stat::read(self.pid).filter(|stat| stat.start == self.start) else {
            return false;
        };
        if !stat.is_ending() {
            return true;
        }
        // The first thread may exit before the others.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessInfo {
    pub(crate) identity: Identity,
    pub(crate) stat: Stat,
    /// The run whose mark the process carries.
    pub(crate) run: Option<RunId>,
}

/// All processes, which are read one after the other.
#[derive(Debug, Default)]
pub(crate) struct Table {
    seen: Vec<ProcessInfo>,
    children: HashMap<u32, Vec<usize>>,
}

impl Table {
    /// Scans all processes. Reads the run's mark only of processes that started at `since` or
    /// later.
    ///
    /// # Errors
    /// When the system has no process list, or the list exceeds the limit.
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
            // The process ended during the scan.
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
            table.seen.push(ProcessInfo {
                identity: Identity { pid, start },
                stat,
                run,
            });
        }
        Ok(table)
    }

    /// Whether the scan contains a process, living or as a zombie.
    pub(crate) fn has(&self, process: Identity) -> bool {
        self.seen.iter().any(|seen| seen.identity == process)
    }

    /// Whether a group has processes, but all of them have ended and are zombies.
    pub(crate) fn group_has_ended(&self, group: u32) -> bool {
        let mut members = self.seen.iter().filter(|seen| seen.stat.group == group);
        members.next().is_some_and(|first| first.stat.has_ended())
            && members.all(|other| other.stat.has_ended())
    }

    /// Returns the living processes of the session whose leader is `leader`, even if the leader has
    /// ended. Empty if the leader's pid was reused. Never contains this program.
    pub(crate) fn session(&self, leader: Identity) -> Vec<ProcessInfo> {
        let given_away = |seen: &ProcessInfo| {
            seen.identity.pid == leader.pid && seen.identity.start != leader.start
        };
        if self.seen.iter().any(given_away) {
            return Vec::new();
        }
        let own = std::process::id();
        self.seen
            .iter()
            .filter(|ProcessInfo { identity, stat, .. }| {
                stat.session == leader.pid
                    && identity.start >= leader.start
                    && identity.pid != own
                    && !stat.has_ended()
            })
            .copied()
            .collect()
    }

    /// Returns the living processes for which `is_root` is true, and their descendants. Never
    /// contains this program or init.
    pub(crate) fn trees(&self, is_root: impl Fn(&ProcessInfo) -> bool) -> Vec<ProcessInfo> {
        let own = std::process::id();
        let mut found = HashSet::new();
        let mut open: Vec<usize> = (0..self.seen.len())
            .filter(|&index| is_root(&self.seen[index]))
            .collect();
        let mut living = Vec::new();
        while let Some(index) = open.pop() {
            let process = self.seen[index];
            let ProcessInfo { identity, stat, .. } = process;
            if identity.pid == own || identity.pid == 1 || !found.insert(index) {
                continue;
            }
            if !stat.has_ended() {
                living.push(process);
            }
            let children = self.children.get(&identity.pid).into_iter().flatten();
            // A child is at least as young as its parent. An older process has another parent, so
            // its `parent` is a reused pid.
            open.extend(children.filter(|&&child| self.seen[child].stat.start >= stat.start));
        }
        living
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signalled {
    /// The signal was sent, or the process is gone.
    Done,
    /// The process belongs to another user.
    Refused,
}

/// Sends a signal to `process`, and never to a later process with the same pid. To ensure this, the
/// identity is checked after the pidfd was opened.
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
        // Linux before 5.3 has no pidfds, and this process may have no free file descriptor.
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

/// Returns the run whose mark a process carries, if any.
pub(crate) fn run_of(pid: u32, text: &mut Vec<u8>) -> Option<RunId> {
    read(&format!("/proc/{pid}/limits"), LIMITS_BYTES, text)
        .and_then(run_in_limits)
        .or_else(|| {
            read(&format!("/proc/{pid}/environ"), ENVIRONMENT_BYTES, text)
                .and_then(run_in_environment)
        })
}

fn run_in_limits(limits: &[u8]) -> Option<RunId> {
    let line = limits
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(b"Max resident set"))?;
    let soft = std::str::from_utf8(line)
        .ok()?
        .split_ascii_whitespace()
        .next()?;
    RunId::from_number(soft.parse().ok()?)
}

fn run_in_environment(environment: &[u8]) -> Option<RunId> {
    environment
        .split(|byte| *byte == 0)
        .filter_map(|one| std::str::from_utf8(one).ok())
        .find_map(|one| RunId::parse(one.strip_prefix(RunId::VARIABLE)?.strip_prefix('=')?))
}

/// Reads at most `max` bytes of a file in `/proc`.
fn read<'a>(path: &str, max: u64, text: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    text.clear();
    File::open(path).ok()?.take(max).read_to_end(text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests;
