//! Ports of the managed range, lent to one member each (REQ-MCP-HTTP-5 to -8, -32).
//!
//! The book only knows what it has lent; what other programs hold is found out by binding. So a
//! port that was free a moment ago can still be lost to another program before the member binds it:
//! the member's start fails then, and the next lease names that port in `avoid`.

mod owner;
mod probe;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use guild_core::MemberName;
use guild_core::note::Told;

use crate::error::ProcessError;

pub use owner::{Holder, Origin, Owner, foreign_user, holder, owner, ports_of};
pub use probe::{Exposure, exposure};

/// The ports that members are given, both ends included.
pub const RANGE: RangeInclusive<u16> = guild_core::agents::MEMBER_PORTS;

/// The most members that an error about exhausted ports names.
const NAMED_MAX: usize = 20;

/// Which port is lent to which member. Clones share one book.
#[derive(Debug, Clone)]
pub struct PortBook {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    range: RangeInclusive<u16>,
    lent: Mutex<BTreeMap<u16, MemberName>>,
}

impl Shared {
    fn lent(&self) -> MutexGuard<'_, BTreeMap<u16, MemberName>> {
        // The map is whole after each single insert or remove, so a panic elsewhere spoils nothing.
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for PortBook {
    fn default() -> Self {
        Self::new()
    }
}

impl PortBook {
    /// A book of the managed [`RANGE`].
    pub fn new() -> Self {
        Self::with_range(RANGE)
    }

    /// A book of another range, for tests.
    pub fn with_range(range: RangeInclusive<u16>) -> Self {
        let lent = Mutex::default();
        Self {
            shared: Arc::new(Shared { range, lent }),
        }
    }

    /// Lends `member` a port: `preferred` (the one it had last time) if that is free, else the
    /// lowest that is free. Ports in `avoid` are left out.
    ///
    /// Free means lent to nobody and bindable. This makes up to some tens of thousands of system
    /// calls, without waiting, when most ports are taken: call it where blocking is allowed
    /// (`spawn_blocking`).
    ///
    /// # Errors
    /// [`ProcessError::PortsExhausted`] when no port is left, [`ProcessError::PortProbe`] when the
    /// system gives no socket to look with.
    pub fn lease(
        &self,
        member: &MemberName,
        preferred: Option<u16>,
        avoid: &[u16],
    ) -> Result<PortLease, ProcessError> {
        let range = self.shared.range.clone();
        let sticky = preferred.filter(|port| range.contains(port));
        let mut census = Census::of(&range);
        for port in sticky.into_iter().chain(range.clone()) {
            if avoid.contains(&port) {
                continue;
            }
            // Reserved first and looked at afterwards: no two members are ever given the same port,
            // and nobody who gives one back waits for somebody else's search.
            let Some(lease) = self.reserve(member, port) else {
                continue;
            };
            if probe::is_bindable(port).map_err(ProcessError::PortProbe)? {
                return Ok(lease);
            }
        }
        census.count(&self.shared.lent(), avoid, &range);
        Err(ProcessError::PortsExhausted(census))
    }

    /// The range that ports are lent from.
    pub fn range(&self) -> RangeInclusive<u16> {
        self.shared.range.clone()
    }

    /// Whether `port` is in the range, lent to nobody and bindable now.
    pub fn is_free(&self, port: u16) -> bool {
        self.shared.range.contains(&port)
            && !self.shared.lent().contains_key(&port)
            && probe::is_bindable(port).unwrap_or(false)
    }

    /// The ports that are lent and who has them, lowest first.
    pub fn holders(&self) -> Vec<(u16, MemberName)> {
        let lent = self.shared.lent();
        lent.iter()
            .map(|(&port, member)| (port, member.clone()))
            .collect()
    }

    /// Puts `port` down for `member`, unless somebody has it.
    fn reserve(&self, member: &MemberName, port: u16) -> Option<PortLease> {
        let mut lent = self.shared.lent();
        if lent.contains_key(&port) {
            return None;
        }
        lent.insert(port, member.clone());
        Some(PortLease {
            port,
            shared: Arc::clone(&self.shared),
        })
    }
}

/// A port that is one member's for as long as this value lives (REQ-MCP-HTTP-10, -11).
#[derive(Debug)]
pub struct PortLease {
    port: u16,
    shared: Arc<Shared>,
}

impl PortLease {
    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether nobody listens on the port now: once its member has ended, another program does if
    /// not. Blocking, for microseconds.
    pub fn is_bindable(&self) -> bool {
        probe::is_bindable(self.port).unwrap_or(true)
    }
}

impl Drop for PortLease {
    fn drop(&mut self) {
        self.shared.lent().remove(&self.port);
    }
}

/// Who holds the ports of a range that has none left (REQ-MCP-HTTP-7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The first port of the range.
    pub first: u16,
    /// The last port of the range.
    pub last: u16,
    /// How many are lent to members.
    pub lent: usize,
    /// Those members, each once, in the order of their first port.
    pub members: Vec<MemberName>,
    /// How many other programs hold.
    pub foreign: usize,
    /// How many were left out because another program has just been quicker there.
    pub avoided: usize,
}

impl Census {
    fn of(range: &RangeInclusive<u16>) -> Self {
        Self {
            first: *range.start(),
            last: *range.end(),
            lent: 0,
            members: Vec::new(),
            foreign: 0,
            avoided: 0,
        }
    }

    fn count(
        &mut self,
        lent: &BTreeMap<u16, MemberName>,
        avoid: &[u16],
        range: &RangeInclusive<u16>,
    ) {
        self.lent = lent.len();
        for member in lent.values() {
            if !self.members.contains(member) {
                self.members.push(member.clone());
            }
        }
        self.avoided = range
            .clone()
            .filter(|port| avoid.contains(port) && !lent.contains_key(port))
            .count();
        self.foreign = range.len().saturating_sub(self.lent + self.avoided);
    }
}

impl Told for Census {
    fn told(&self) -> String {
        let number = |number: usize| number.told();
        let named = self.members.iter().take(NAMED_MAX);
        let mut named = named.map(MemberName::as_str).collect::<Vec<_>>().join(", ");
        let unnamed = self.members.len().saturating_sub(NAMED_MAX);
        if unnamed > 0 {
            let more = number(unnamed);
            named.push_str(&format!(" and {more} more"));
        }
        if !named.is_empty() {
            named = format!(" ({named})");
        }
        let (first, last) = (self.first, self.last);
        let (lent, foreign) = (number(self.lent), number(self.foreign));
        let lost = match self.avoided {
            0 => String::new(),
            avoided => format!(", {} just lost to them", number(avoided)),
        };
        format!(
            "All ports from {first} to {last} are taken: {lent} by members{named}, {foreign} by other \
             programs{lost}."
        )
    }
}

#[cfg(test)]
mod tests;
