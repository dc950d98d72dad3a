//! Determines which member a process belongs to, if any.
//!
//! On Linux, a process belongs to a member if it is the first process of a run, is in the same
//! group or session as that process, or carries a run's mark. Its descendants belong to the member
//! too. A process is not recognized if it removes the mark on purpose and leaves its parent, its
//! group and its session. On other systems, no process is recognized.

use std::path::Path;

#[cfg(target_os = "linux")]
mod runs;

#[cfg(target_os = "linux")]
pub(crate) use runs::{KnownRuns, RunMarkFilter};

/// The origin of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lineage {
    /// No member started the process.
    Outside,
    /// A member started the process. The name is `None` for a member of another Guild Hall.
    Member(Option<String>),
    /// The process has ended, or the system hides it.
    Unknown,
}

/// Returns the member that started this program, according to the run journals in the folder
/// `running`. Blocks for about a millisecond.
#[cfg(target_os = "linux")]
pub fn own_member(running: &Path) -> Option<String> {
    let runs = crate::run_journal::orphans::known_runs(running);
    match runs.lineage_of(std::process::id(), None, RunMarkFilter::Known) {
        Lineage::Member(member) => member,
        Lineage::Outside | Lineage::Unknown => None,
    }
}

/// Returns `None`, because this system does not show which member started a process.
#[cfg(not(target_os = "linux"))]
pub fn own_member(_running: &Path) -> Option<String> {
    None
}
