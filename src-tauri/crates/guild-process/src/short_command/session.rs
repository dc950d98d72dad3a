//! Ends all processes of a session (Linux).

use std::time::Duration;

use rustix::process::Signal;

use crate::process_registry::run::Identity;
use crate::processes::{Table, signal};

/// Limit of the scans. Several scans are needed, because a process may fork before it is killed.
const PASSES_MAX: u32 = 10;
/// The pause between scans grows by this time. Killed processes disappear during the pause.
const PAUSE: Duration = Duration::from_millis(1);
/// A run id that no process has in its environment. With this id, a scan does not read the
/// environments of processes.
const NOBODYS_RUN: u64 = u64::MAX;

/// Kills all processes of the session whose leader is `leader`. Returns true if no process is left.
/// Each scan reads a small file of each process, which takes milliseconds.
pub(super) fn end(leader: Identity) -> bool {
    for pass in 0..PASSES_MAX {
        std::thread::sleep(PAUSE * pass);
        let table = match Table::take(NOBODYS_RUN) {
            Ok(table) => table,
            Err(error) => {
                tracing::debug!(%error, "processes can't be looked at");
                return false;
            }
        };
        let living = table.session(leader);
        if living.is_empty() {
            return true;
        }
        for process in living {
            signal(process.identity, Signal::KILL);
        }
    }
    tracing::debug!(session = leader.pid, "processes of the session are left");
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_processes_are_found_and_ended() {
        let mut leader = std::process::Command::new("setsid")
            .args(["sh", "-c", "sleep 1000 & exec sleep 1000"])
            .spawn()
            .expect("it starts");
        let first = Identity::of(leader.id()).expect("it lives");
        let members = || {
            let table = Table::take(NOBODYS_RUN).expect("a look");
            table.session(first).len()
        };
        while members() < 2 {
            std::thread::yield_now();
        }
        assert!(end(first));
        assert_eq!(members(), 0);
        assert!(!leader.wait().expect("it ends").success());
    }

    #[test]
    fn a_session_of_a_number_that_is_anothers_by_now_has_nobody() {
        let mut leader = std::process::Command::new("setsid")
            .args(["sleep", "1000"])
            .spawn()
            .expect("it starts");
        let first = Identity::of(leader.id()).expect("it lives");
        let before = Identity {
            start: first.start - 1,
            ..first
        };
        assert!(end(before), "it is gone");
        assert!(leader.try_wait().expect("ours").is_none(), "it goes on");
        leader.kill().expect("killed");
        leader.wait().expect("it ends");
    }
}
