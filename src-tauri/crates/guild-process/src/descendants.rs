//! Finds and ends all processes of a run, including those that left its process group (Linux).
//!
//! A process belongs to a run if it carries the run's mark ([`run_mark`](crate::run_mark)), or is
//! the leader, or is in the leader's group. The group does not count if the leader's pid was
//! reused. The descendants of such processes belong to the run too. Once found, a process stays
//! known, even if its parent ends. A run whose root is a session ([`RunRoot::Session`]) covers only
//! that session.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::process_registry::run::{Identity, RunId, RunRoot};
use crate::processes::{ProcessInfo, Signalled, Table, signal};

/// First and maximum pause between scans.
const LOOK_FIRST: Duration = Duration::from_millis(5);
const LOOK_MAX: Duration = Duration::from_millis(50);
/// Number of consecutive scans that must find no process, because a process may fork and end during
/// a scan.
const LOOKS: u32 = 2;
/// Limit of the stored processes of one run.
const KNOWN_MAX: usize = 10_000;

/// The known processes of one run.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    run: RunId,
    head: Option<RunRoot>,
    known: HashSet<Identity>,
    asked: HashSet<Identity>,
    /// Processes of other users, which can't be ended and are not awaited.
    beyond: HashSet<Identity>,
}

impl ProcessTree {
    pub(crate) fn new(run: RunId, head: Option<RunRoot>) -> Self {
        Self {
            run,
            head,
            known: HashSet::new(),
            asked: HashSet::new(),
            beyond: HashSet::new(),
        }
    }

    /// Returns the living processes of the run, and stores them as known.
    pub(crate) fn find(&mut self, table: &Table) -> Vec<ProcessInfo> {
        let mut living = match self.head {
            Some(RunRoot::Session(leader)) => table.session(leader),
            Some(RunRoot::ProcessTree(leader)) => self.led_by(Some(leader), table),
            None => self.led_by(None, table),
        };
        living.retain(|process| !self.beyond.contains(&process.identity));
        // Ended processes are removed, and so are the records of the signals that they got.
        self.known.clear();
        self.known.extend(
            living
                .iter()
                .take(KNOWN_MAX)
                .map(|process| process.identity),
        );
        self.asked.retain(|one| self.known.contains(one));
        living
    }

    fn led_by(&self, leader: Option<Identity>, table: &Table) -> Vec<ProcessInfo> {
        let group = leader
            .filter(|leader| table.has(*leader))
            .map(|leader| leader.pid);
        table.trees(|process| {
            process.run == Some(self.run)
                || Some(process.identity) == leader
                || Some(process.stat.group) == group
                || self.known.contains(&process.identity)
        })
    }

    /// Whether the run's processes get SIGTERM before SIGKILL. The processes of a session don't: a
    /// shell that reads the user's startup files has nothing to clean up, and an interactive shell
    /// ignores SIGTERM.
    fn is_asked(&self) -> bool {
        !matches!(self.head, Some(RunRoot::Session(_)))
    }

    /// Sends SIGTERM to each process once.
    pub(crate) fn terminate(&mut self, living: impl IntoIterator<Item = Identity>) {
        for process in living {
            if self.asked.insert(process) {
                self.send(process, Signal::TERM);
            }
        }
    }

    pub(crate) fn kill(&mut self, living: impl IntoIterator<Item = Identity>) {
        for process in living {
            self.send(process, Signal::KILL);
        }
    }

    fn send(&mut self, process: Identity, which: Signal) {
        if signal(process, which) == Signalled::Refused && self.beyond.len() < KNOWN_MAX {
            tracing::warn!(
                pid = process.pid,
                "a process of another user is left running"
            );
            self.beyond.insert(process);
        }
    }
}

/// The timeouts of [`end`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopTimeouts {
    /// The time from SIGTERM to SIGKILL.
    pub(crate) term: Duration,
    /// The time from the start of the stop until remaining processes are abandoned.
    pub(crate) all: Duration,
}

/// Ends all processes of several runs with SIGTERM and then SIGKILL, until no process is left or
/// the time is up. Returns the number of remaining processes.
pub(crate) fn end(trees: &mut [ProcessTree], timeouts: StopTimeouts) -> usize {
    let began = Instant::now();
    let mut quiet = 0;
    let mut pause = LOOK_FIRST;
    let mut killing = false;
    loop {
        let mut left = 0;
        match Table::take(0) {
            Ok(table) => {
                for tree in &mut *trees {
                    let living = tree.find(&table);
                    left += living.len();
                    let living = living.iter().map(|process| process.identity);
                    if killing || !tree.is_asked() {
                        tree.kill(living);
                    } else {
                        tree.terminate(living);
                    }
                }
                quiet = if left == 0 { quiet + 1 } else { 0 };
            }
            Err(error) => {
                tracing::warn!(%error, "processes can't be looked at");
                return left;
            }
        }
        if quiet == LOOKS || began.elapsed() >= timeouts.all {
            return left;
        }
        if left == 0 {
            continue;
        }
        if !killing && began.elapsed() >= timeouts.term {
            killing = true;
            // The scan that kills follows at once, without a pause in which processes could fork.
            pause = LOOK_FIRST;
            continue;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK_MAX);
    }
}
