//! Finds processes that were left by programs that have ended, without ending these processes.

use std::fs;
use std::path::Path;

use super::{HALLS_MAX, RunJournalEntry, abandoned, boot_id, entries};
use crate::descendants::ProcessTree;
use crate::lineage::KnownRuns;
use crate::process_registry::run::RunRoot;
use crate::processes::Table;

/// The processes that are left of one start of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanedProcesses {
    /// The member's name.
    pub member: String,
    /// The pids of the processes.
    pub processes: Vec<u32>,
}

/// Returns the living processes that were left by programs that have ended. Reads the journals in
/// the folder `running`, and blocks for a scan of all processes.
pub fn orphaned_processes(running: &Path) -> Vec<OrphanedProcesses> {
    let (Ok(halls), Ok(boot)) = (fs::read_dir(running), boot_id()) else {
        return Vec::new();
    };
    let mut left = Vec::new();
    for hall in halls.flatten().take(HALLS_MAX) {
        let folder = hall.path();
        let Some(_lock) = abandoned(&folder) else {
            continue;
        };
        let Ok(table) = Table::take(0) else {
            return left;
        };
        for (run, text) in entries(&folder) {
            let entry = RunJournalEntry::parse(&text);
            if entry.boot != boot {
                continue;
            }
            let processes: Vec<u32> = ProcessTree::new(run, entry.head)
                .find(&table)
                .iter()
                .map(|process| process.identity.pid)
                .collect();
            if !processes.is_empty() {
                left.push(OrphanedProcesses {
                    member: entry.member.to_owned(),
                    processes,
                });
            }
        }
    }
    left
}

/// Returns the runs of all members since the last boot, from all journals in `running`.
pub(crate) fn known_runs(running: &Path) -> KnownRuns {
    let mut known = KnownRuns::default();
    let (Ok(halls), Ok(boot)) = (fs::read_dir(running), boot_id()) else {
        return known;
    };
    for hall in halls.flatten().take(HALLS_MAX) {
        for (run, text) in entries(&hall.path()) {
            let entry = RunJournalEntry::parse(&text);
            // A session belongs to a short command of Guild Hall, not to a member.
            if entry.boot != boot || matches!(entry.head, Some(RunRoot::Session(_))) {
                continue;
            }
            known.begin(run, entry.member);
            if let Some(head) = entry.head {
                known.leads(run, head.leader());
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::process::{Command, Stdio};

    use super::super::LOCK;
    use super::*;
    use crate::process_registry::run::{Identity, RunId};

    #[test]
    fn orphan_of_a_dead_hall_is_named_and_kept() {
        let running = tempfile::tempdir().expect("a folder");
        let hall = running.path().join("hall");
        fs::create_dir(&hall).expect("made");
        let lock = File::create(hall.join(LOCK)).expect("made");
        let mut child = Command::new("sleep")
            .arg("60")
            .stdin(Stdio::null())
            .spawn()
            .expect("started");
        let Identity { pid, start } = Identity::of(child.id()).expect("it lives");
        let boot = boot_id().expect("told");
        let entry = format!("boot {boot}\nmember forge\nleader {pid} {start}\n");
        fs::write(hall.join(RunId::new().to_string()), entry).expect("written");
        lock.lock().expect("locked");
        assert_eq!(orphaned_processes(running.path()), [], "its hall lives");
        lock.unlock().expect("unlocked");
        let left = OrphanedProcesses {
            member: "forge".to_owned(),
            processes: vec![pid],
        };
        assert_eq!(orphaned_processes(running.path()), [left]);
        assert!(child.try_wait().expect("ours").is_none(), "it goes on");
        child.kill().expect("killed");
        child.wait().expect("waited for");
        assert_eq!(orphaned_processes(running.path()), []);
    }
}
