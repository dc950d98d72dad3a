//! Ends all processes of a session (Linux).

use std::time::Duration;

use rustix::process::Signal;

use crate::process_registry::run::Identity;
use crate::processes::{Table, signal};

/// Limit of the scans. Several are needed, since a process may fork before it is ended.
const PASSES_MAX: u32 = 10;
/// Increment of the pause between scans, in which ended processes disappear.
const PAUSE: Duration = Duration::from_millis(1);
/// A run id that no process carries, so that the scan does not look for marks.
const NOBODYS_RUN: u64 = u64::MAX;

/// Ends all processes of the session that `leader` began. Returns true if none is left. Each scan
/// reads a small file of each process, which takes milliseconds.
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
