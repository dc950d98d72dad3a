//! Whether a process belongs to a member.
//!
//! On Linux a process belongs to a member if it or one of its ancestors is the first process of a run,
//! shares that process's group or session, or carries a run's mark. A process that drops the mark on
//! purpose and leaves its parent, its group and its session is not recognized. Elsewhere no process is
//! recognized.

use std::path::Path;

#[cfg(target_os = "linux")]
mod runs;

#[cfg(target_os = "linux")]
pub(crate) use runs::{KnownRuns, Marks};

/// To which process tree a process belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lineage {
    /// No member started it.
    Outside,
    /// A member started it; its name, unless it is a member of another hall.
    Member(Option<String>),
    /// The process has ended, or the system does not show it.
    Unknown,
}

/// The member whose process this program is, by the ledgers of the halls that write them into
/// `running`. Blocking, for about a millisecond.
#[cfg(target_os = "linux")]
pub fn own_member(running: &Path) -> Option<String> {
    let runs = crate::ledger::left::known_runs(running);
    match runs.lineage_of(std::process::id(), None, Marks::Known) {
        Lineage::Member(member) => member,
        Lineage::Outside | Lineage::Unknown => None,
    }
}

/// The member whose process this program is: none is recognized on this system.
#[cfg(not(target_os = "linux"))]
pub fn own_member(_running: &Path) -> Option<String> {
    None
}
