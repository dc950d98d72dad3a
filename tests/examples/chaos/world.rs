//! State that all parts of a run share: the members, and the observations.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use crate::app::Open;
use crate::cast::Stage;

/// Most printed examples of each kind of error.
const EXAMPLES: usize = 10;

/// By which way a call was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// An agent's, through the gateway.
    Gateway,
    /// A program's, through the socket in the data folder.
    Control,
    /// A command's.
    Command,
}

/// Outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Right,
    Refused,
    Broken,
    Wrong,
}

/// A call.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) nonce: String,
    pub(crate) way: Way,
    /// Which run of the program was asked.
    pub(crate) generation: u32,
    /// Whether its arguments bear its words.
    pub(crate) is_echo: bool,
    /// When its end was known.
    pub(crate) ended: Instant,
    pub(crate) end: End,
    /// Why it was refused.
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
    pub(crate) guardian_kills: usize,
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
    /// Marks the run's processes.
    pub(crate) mark: String,
    open: watch::Sender<Option<Open>>,
    members: Mutex<HashMap<String, Seen>>,
    ports: Mutex<BTreeSet<u16>>,
    calls: Mutex<Vec<Call>>,
    written: Mutex<HashMap<String, Instant>>,
    /// When each run of the program was killed, or had ended.
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

    /// Returns the program's address while it can be called.
    pub(crate) fn control(&self) -> watch::Receiver<Option<Open>> {
        self.open.subscribe()
    }

    /// Returns the addresses of the program, if it runs.
    pub(crate) fn now_open(&self) -> Option<Open> {
        self.open.borrow().clone()
    }

    /// Whether these members are up.
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

    /// The program is about to end.
    pub(crate) fn leaving(&self) {
        self.open.send_replace(None);
    }

    /// A run of the program is over.
    pub(crate) fn closed(&self, generation: u32, at: Instant) {
        self.leaving();
        lock(&self.closings).insert(generation, at);
    }

    /// When a run of the program was killed, or ended.
    pub(crate) fn closing(&self, generation: u32) -> Option<Instant> {
        lock(&self.closings).get(&generation).copied()
    }

    /// Takes in a member's state.
    pub(crate) fn seen(&self, view: &Value) {
        let Some(name) = view["name"].as_str() else {
            return;
        };
        let number = |field: &str| view[field].as_u64();
        let port = number("port").and_then(|port| u16::try_from(port).ok());
        let seen = Seen {
            pid: number("pid").and_then(|pid| u32::try_from(pid).ok()),
            // The member's last port, so that a foreign process can take it.
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

    /// Returns a member's last reported state.
    pub(crate) fn member(&self, name: &str) -> Seen {
        lock(&self.members).get(name).cloned().unwrap_or_default()
    }

    /// How many members are up.
    pub(crate) fn ready(&self) -> usize {
        let members = lock(&self.members);
        members
            .values()
            .filter(|seen| seen.status == "ready")
            .count()
    }

    /// All ports that members have had.
    pub(crate) fn ports(&self) -> BTreeSet<u16> {
        lock(&self.ports).clone()
    }

    /// Records that the program reported a call as written to the history.
    pub(crate) fn written(&self, call: &str) {
        lock(&self.written).insert(call.to_owned(), Instant::now());
    }

    /// The longest time from an answer to its row.
    pub(crate) fn longest_unwritten(&self) -> Duration {
        let written = lock(&self.written);
        let calls = lock(&self.calls);
        let gap = |call: &Call| {
            let at = written.get(&call.nonce)?;
            Some(at.saturating_duration_since(call.ended))
        };
        calls.iter().filter_map(gap).max().unwrap_or_default()
    }

    /// A call has ended.
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

    /// Keeps an example of something that should not be.
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
