//! Finding and ending all that a run has led to, wherever it has gone (Linux).
//!
//! A process belongs to a run when it carries the run's mark, when it is the leader, when it is in
//! the leader's group while the leader has its number, or when it descends from one of these. Once
//! seen it is known, whatever becomes of its parent. A run whose head is that of a session
//! ([`Head::Session`]) reaches no further than that session.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::custody::run::{Head, Identity, Run};
use crate::processes::{Kin, Signalled, Table, signal};

/// How long a pause between two looks is, at first and at most.
const LOOK_FIRST: Duration = Duration::from_millis(5);
const LOOK_MAX: Duration = Duration::from_millis(50);
/// How many looks in a row have to find nobody: a process may fork and end while one is taken.
const LOOKS: u32 = 2;
/// The most processes of one run that are remembered after they were seen.
const KNOWN_MAX: usize = 10_000;

/// All that is known of one run's processes.
#[derive(Debug)]
pub(crate) struct Family {
    run: Run,
    head: Option<Head>,
    known: HashSet<Identity>,
    asked: HashSet<Identity>,
    /// Other users' processes: nothing can be done about them, and nobody waits for them.
    beyond: HashSet<Identity>,
}

impl Family {
    pub(crate) fn new(run: Run, head: Option<Head>) -> Self {
        Self {
            run,
            head,
            known: HashSet::new(),
            asked: HashSet::new(),
            beyond: HashSet::new(),
        }
    }

    /// Those of the family that live, and are known from now on.
    pub(crate) fn find(&mut self, table: &Table) -> Vec<Kin> {
        let mut living = match self.head {
            Some(Head::Session(leader)) => table.session(leader),
            Some(Head::Family(leader)) => self.led_by(Some(leader), table),
            None => self.led_by(None, table),
        };
        living.retain(|kin| !self.beyond.contains(&kin.identity));
        // What has ended need not be known any more; nor asked again.
        self.known.clear();
        self.known
            .extend(living.iter().take(KNOWN_MAX).map(|kin| kin.identity));
        self.asked.retain(|one| self.known.contains(one));
        living
    }

    fn led_by(&self, leader: Option<Identity>, table: &Table) -> Vec<Kin> {
        let group = leader
            .filter(|leader| table.has(*leader))
            .map(|leader| leader.pid);
        table.families(|kin| {
            kin.run == Some(self.run)
                || Some(kin.identity) == leader
                || Some(kin.group) == group
                || self.known.contains(&kin.identity)
        })
    }

    /// Whether it may be asked first: a shell that reads the user's files is not, it has nothing to
    /// put in order, and an interactive one does not listen.
    fn is_asked(&self) -> bool {
        !matches!(self.head, Some(Head::Session(_)))
    }

    /// Asks each to end, once.
    pub(crate) fn terminate(&mut self, living: impl IntoIterator<Item = Identity>) {
        for process in living {
            if self.asked.insert(process) {
                self.send(process, Signal::TERM);
            }
        }
    }

    /// Ends each.
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

/// How long [`end`] may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// From SIGTERM to SIGKILL.
    pub(crate) term: Duration,
    /// From the beginning until what is still there is left alone.
    pub(crate) all: Duration,
}

/// Ends all of some families: SIGTERM, then SIGKILL, until nobody is left or the time is over. Gives
/// how many are left.
pub(crate) fn end(families: &mut [Family], patience: Patience) -> usize {
    let began = Instant::now();
    let mut quiet = 0;
    let mut pause = LOOK_FIRST;
    let mut killing = false;
    loop {
        let mut left = 0;
        match Table::take(0) {
            Ok(table) => {
                for family in &mut *families {
                    let living = family.find(&table);
                    left += living.len();
                    let living = living.iter().map(|kin| kin.identity);
                    if killing || !family.is_asked() {
                        family.kill(living);
                    } else {
                        family.terminate(living);
                    }
                }
                quiet = if left == 0 { quiet + 1 } else { 0 };
            }
            Err(error) => {
                tracing::warn!(%error, "processes can't be looked at");
                return left;
            }
        }
        if quiet == LOOKS || began.elapsed() >= patience.all {
            return left;
        }
        if left == 0 {
            continue;
        }
        if !killing && began.elapsed() >= patience.term {
            killing = true;
            // Those that fork while they are ended are outrun.
            pause = LOOK_FIRST;
            continue;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK_MAX);
    }
}
