//! Leases ports of the managed range, each port to one member (REQ-MCP-HTTP-5 to -8, -32).
//!
//! The pool knows only its own leases. It checks whether another program uses a port by binding
//! that port. So a free port can still be lost to another program before the member binds it. The
//! member's start then fails, and the next lease excludes that port through `avoid`.

mod owner;
mod probe;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use guild_model::MemberName;
use guild_text::number::grouped;
use parking_lot::Mutex;

use crate::error::ProcessError;

pub use owner::{PortOwner, PortOwnership, ProcessOrigin, foreign_user, holder, owner, ports_of};
pub use probe::{Exposure, exposure};

/// The inclusive range of members' ports.
pub const RANGE: RangeInclusive<u16> = guild_model::endpoint::MEMBER_PORTS;

/// Limit of the members that an error about exhausted ports names.
const NAMED_MAX: usize = 20;

/// The leases of a range of ports. Clones share them.
#[derive(Debug, Clone)]
pub struct PortPool {
    shared: Arc<PortPoolState>,
}

#[derive(Debug)]
struct PortPoolState {
    range: RangeInclusive<u16>,
    lent: Mutex<BTreeMap<u16, MemberName>>,
}

impl Default for PortPool {
    fn default() -> Self {
        Self::new()
    }
}

impl PortPool {
    /// Returns a pool of the managed [`RANGE`].
    pub fn new() -> Self {
        Self::with_range(RANGE)
    }

    /// Returns a pool of another range, for tests.
    pub fn with_range(range: RangeInclusive<u16>) -> Self {
        let lent = Mutex::default();
        Self {
            shared: Arc::new(PortPoolState { range, lent }),
        }
    }

    /// Leases a port to `member`: `preferred` (the member's last port) if it is free, or else the
    /// lowest free port. Ports in `avoid` are excluded.
    ///
    /// A port is free if it is not leased and can be bound. If most ports are used, this function
    /// makes tens of thousands of non-waiting system calls. So call it on a blocking thread
    /// (`spawn_blocking`).
    ///
    /// # Errors
    /// [`ProcessError::PortsExhausted`] when no port is free, [`ProcessError::PortProbe`] when the
    /// system can't create a socket.
    pub fn lease(
        &self,
        member: &MemberName,
        preferred: Option<u16>,
        avoid: &[u16],
    ) -> Result<PortLease, ProcessError> {
        let range = self.shared.range.clone();
        let sticky = preferred.filter(|port| range.contains(port));
        for port in sticky.into_iter().chain(range.clone()) {
            if avoid.contains(&port) {
                continue;
            }
            // The port is reserved before it is probed. So two members never get the same port, and
            // the lock is not held during a probe.
            let Some(lease) = self.reserve(member, port) else {
                continue;
            };
            if probe::is_bindable(port).map_err(ProcessError::PortProbe)? {
                return Ok(lease);
            }
        }
        let usage = PortRangeUsage::of(&range, &self.shared.lent.lock(), avoid);
        Err(ProcessError::PortsExhausted(usage))
    }

    /// Returns the range of the pool.
    pub fn range(&self) -> RangeInclusive<u16> {
        self.shared.range.clone()
    }

    /// Whether `port` is in the range, is not leased, and can be bound now.
    pub fn is_free(&self, port: u16) -> bool {
        self.shared.range.contains(&port)
            && !self.shared.lent.lock().contains_key(&port)
            && probe::is_bindable(port).unwrap_or(false)
    }

    /// Returns the leased ports and their members, lowest port first.
    pub fn holders(&self) -> Vec<(u16, MemberName)> {
        let lent = self.shared.lent.lock();
        lent.iter()
            .map(|(&port, member)| (port, member.clone()))
            .collect()
    }

    /// Reserves `port` for `member`, unless it is leased.
    fn reserve(&self, member: &MemberName, port: u16) -> Option<PortLease> {
        let mut lent = self.shared.lent.lock();
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

/// A port that is leased to one member while this value exists (REQ-MCP-HTTP-10, -11).
#[derive(Debug)]
pub struct PortLease {
    port: u16,
    shared: Arc<PortPoolState>,
}

impl PortLease {
    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the port can be bound now. If it can't be bound after its member has ended, another
    /// program uses it. Blocks for microseconds.
    pub fn is_bindable(&self) -> bool {
        probe::is_bindable(self.port).unwrap_or(true)
    }
}

impl Drop for PortLease {
    fn drop(&mut self) {
        self.shared.lent.lock().remove(&self.port);
    }
}

/// The use of a range in which no port is free (REQ-MCP-HTTP-7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortRangeUsage {
    /// The first port of the range.
    pub first: u16,
    /// The last port of the range.
    pub last: u16,
    /// The number of leased ports.
    pub lent: usize,
    /// The members that have leases, without duplicates, in the order of their ports.
    pub members: Vec<MemberName>,
    /// The number of ports that other programs use.
    pub foreign: usize,
    /// The number of ports that were excluded through `avoid`, because another program had taken
    /// them before the member.
    pub(crate) avoided: usize,
}

impl PortRangeUsage {
    pub(crate) fn of(
        range: &RangeInclusive<u16>,
        lent: &BTreeMap<u16, MemberName>,
        avoid: &[u16],
    ) -> Self {
        let mut members: Vec<MemberName> = Vec::new();
        for member in lent.values() {
            if !members.contains(member) {
                members.push(member.clone());
            }
        }
        let lost = |port: &u16| avoid.contains(port) && !lent.contains_key(port);
        let avoided = range.clone().filter(lost).count();
        Self {
            first: *range.start(),
            last: *range.end(),
            lent: lent.len(),
            members,
            foreign: range.len().saturating_sub(lent.len() + avoided),
            avoided,
        }
    }
}

impl fmt::Display for PortRangeUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.members.iter().take(NAMED_MAX);
        let mut named = named.map(MemberName::as_str).collect::<Vec<_>>().join(", ");
        let unnamed = self.members.len().saturating_sub(NAMED_MAX);
        if unnamed > 0 {
            let more = grouped(unnamed);
            named.push_str(&format!(" and {more} more"));
        }
        if !named.is_empty() {
            named = format!(" ({named})");
        }
        let (first, last) = (self.first, self.last);
        let (lent, foreign) = (grouped(self.lent), grouped(self.foreign));
        let lost = match self.avoided {
            0 => String::new(),
            avoided => format!(", {} just lost to them", grouped(avoided)),
        };
        write!(
            f,
            "All ports from {first} to {last} are taken: {lent} by members{named}, {foreign} by other \
             programs{lost}."
        )
    }
}

#[cfg(test)]
mod tests;
