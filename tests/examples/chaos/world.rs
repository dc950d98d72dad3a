//! The state that all tasks of a run share: the members, and the observations.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use crate::app::Open;
use crate::cast::Stage;

/// Maximum number of printed examples for each kind of error.
const EXAMPLES: usize = 10;

/// The kind of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// An agent, through the gateway.
    Gateway,
    /// A program, through the socket in the data folder.
    Control,
    Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Right,
    Refused,
    Broken,
    Wrong,
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) nonce: String,
    pub(crate) way: Way,
    /// The number of the program's process that was called, from one.
    pub(crate) generation: u32,
    /// Whether the call's arguments contain its unique text.
    pub(crate) is_echo: bool,
    /// The time when the outcome was known.
    pub(crate) ended: Instant,
    pub(crate) end: End,
    /// The reason for a refusal.
    pub(crate) why: Option<String>,
}

/// A member's last reported state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) pid: Option<u32>,
    pub(crate) port: Option<u16>,
    status: String,
}

/// Counters of the run.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) crashes: usize,
    pub(crate) app_kills: usize,
    pub(crate) member_kills: usize,
    pub(crate) watchdog_kills: usize,
    pub(crate) strangers: usize,
    /// Calls of quiet members that failed while the program ran.
    pub(crate) disturbed: usize,
    pub(crate) left: usize,
    pub(crate) memory_kib: u64,
    pub(crate) longest_list: Duration,
    pub(crate) longest_end: Duration,
}

pub(crate) struct World {
    pub(crate) stage: Stage,
    /// The value that marks the processes of this run.
    pub(crate) mark: String,
    open: watch::Sender<Option<Open>>,
    members: Mutex<HashMap<String, Seen>>,
    ports: Mutex<BTreeSet<u16>>,
    calls: Mutex<Vec<Call>>,
    written: Mutex<HashMap<String, Instant>>,
    /// The time at which each process of the program was killed or had ended.
    closings: Mutex<BTreeMap<u32, Instant>>,
    counts: Mutex<Counts>,
    examples: Mutex<BTreeMap<&'static str, Vec<String>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    pub(crate) fn new(stage: Stage, mark: String) -> Self {
        Self {
            stage,
            mark,
            open: watch::Sender::new(None),
            members: Mutex::default(),
            ports: Mutex::default(),
            calls: Mutex::default(),
            written: Mutex::default(),
            closings: Mutex::default(),
            counts: Mutex::default(),
            examples: Mutex::default(),
        }
    }

    /// Returns a channel with the addresses of the program. `None` while the program can't be
    /// called.
    pub(crate) fn control(&self) -> watch::Receiver<Option<Open>> {
        self.open.subscribe()
    }

    pub(crate) fn now_open(&self) -> Option<Open> {
        self.open.borrow().clone()
    }

    /// Whether all of these members are ready.
    pub(crate) fn are_ready(&self, names: impl IntoIterator<Item = &'static str>) -> bool {
        let members = lock(&self.members);
        let is_ready = |name| {
            let seen: Option<&Seen> = members.get(name);
            seen.is_some_and(|seen| seen.status == "ready")
        };
        names.into_iter().all(is_ready)
    }

    pub(crate) fn opened(&self, open: Open) {
        self.open.send_replace(Some(open));
    }

    /// Records that the program is about to end.
    pub(crate) fn leaving(&self) {
        self.open.send_replace(None);
    }

    /// Records the end of a process of the program.
    pub(crate) fn closed(&self, generation: u32, at: Instant) {
        self.leaving();
        lock(&self.closings).insert(generation, at);
    }

    /// Returns the time at which a process of the program was killed or had ended.
    pub(crate) fn closing(&self, generation: u32) -> Option<Instant> {
        lock(&self.closings).get(&generation).copied()
    }

    /// Records the state of a member.
    pub(crate) fn seen(&self, view: &Value) {
        let Some(name) = view["name"].as_str() else {
            return;
        };
        let number = |field: &str| view[field].as_u64();
        let port = number("port").and_then(|port| u16::try_from(port).ok());
        let seen = Seen {
            pid: number("pid").and_then(|pid| u32::try_from(pid).ok()),
            // Keeps the last port of a stopped member, so that a foreign process can take it.
            port: port.or_else(|| self.member(name).port),
            status: view["status"].as_str().unwrap_or_default().to_owned(),
        };
        lock(&self.ports).extend(port);
        let status = seen.status.clone();
        let before = lock(&self.members).insert(name.to_owned(), seen);
        let before = before.map(|seen| seen.status).unwrap_or_default();
        if status == "error" && before != status && view["error"]["code"] == "member-exited" {
            self.count(|counts| counts.crashes += 1);
        }
    }

    pub(crate) fn member(&self, name: &str) -> Seen {
        lock(&self.members).get(name).cloned().unwrap_or_default()
    }

    /// Returns the number of ready members.
    pub(crate) fn ready(&self) -> usize {
        let members = lock(&self.members);
        members
            .values()
            .filter(|seen| seen.status == "ready")
            .count()
    }

    /// Returns all ports that members have had.
    pub(crate) fn ports(&self) -> BTreeSet<u16> {
        lock(&self.ports).clone()
    }

    /// Records that the program reported a call as written to the history.
    pub(crate) fn written(&self, call: &str) {
        lock(&self.written).insert(call.to_owned(), Instant::now());
    }

    /// Returns the longest time from a call's answer to the report that it was written.
    pub(crate) fn longest_unwritten(&self) -> Duration {
        let written = lock(&self.written);
        let calls = lock(&self.calls);
        let gap = |call: &Call| {
            let at = written.get(&call.nonce)?;
            Some(at.saturating_duration_since(call.ended))
        };
        calls.iter().filter_map(gap).max().unwrap_or_default()
    }

    pub(crate) fn ended(&self, call: Call) {
        lock(&self.calls).push(call);
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        lock(&self.calls).clone()
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut lock(&self.counts));
    }

    pub(crate) fn counted<T>(&self, look: impl FnOnce(&Counts) -> T) -> T {
        look(&lock(&self.counts))
    }

    /// Stores an example of an error, up to [`EXAMPLES`] of each kind.
    pub(crate) fn tell(&self, kind: &'static str, what: String) {
        let mut examples = lock(&self.examples);
        let of_kind = examples.entry(kind).or_default();
        if of_kind.len() < EXAMPLES {
            of_kind.push(what);
        }
    }

    pub(crate) fn examples(&self) -> BTreeMap<&'static str, Vec<String>> {
        lock(&self.examples).clone()
    }
}
