//! Ending everybody of a session, by the kernel's own list of processes.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// How often the list is read at most: whoever is about to be ended may have forked meanwhile.
const PASSES_MAX: usize = 10;
/// The most processes of the machine that are looked at.
const LOOKED_AT_MAX: usize = 20_000;

/// Ends all processes of a session, and says whether nobody is left. Reads a few hundred small files for each pass; milliseconds.
pub(super) fn end(session: u32) -> bool {
    for _ in 0..PASSES_MAX {
        let members = members(session);
        if members.is_empty() {
            return true;
        }
        for pid in members {
            kill(pid, session);
        }
    }
    tracing::debug!(session, "processes of the session are left");
    false
}

fn members(session: u32) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .take(LOOKED_AT_MAX)
        .filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid| lives_in(pid, session))
        .collect()
}

/// The handle is opened before the look, so that the look and the signal are about the same
/// process even where the number is given away again in between.
fn kill(pid: u32, session: u32) {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return;
    };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    if lives_in(pid.as_raw_nonzero().get().unsigned_abs(), session) {
        // It may have ended by itself.
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

/// Whether a process is in the session and has not ended.
fn lives_in(pid: u32, session: u32) -> bool {
    let line = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    parse(&String::from_utf8_lossy(&line))
        .is_some_and(|(state, of)| of == session && !matches!(state, 'Z' | 'X'))
}

/// A process's state and session. Its name, in brackets, may hold anything.
fn parse(line: &str) -> Option<(char, u32)> {
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(2)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whatever_the_name_is() {
        let line = "42 (a) Z 7 (b) S 1 40 39 0 -1 4228364 0 0 0";
        assert_eq!(parse(line), Some(('S', 39)));
        for line in ["", "42 (a", "42 (a) S 1 40 x"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn whoever_lives_in_a_session_is_found_and_ended() {
        let mut leader = std::process::Command::new("setsid")
            .args(["sleep", "1000"])
            .spawn()
            .expect("it starts");
        let session = leader.id();
        while members(session).is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(members(session), [session]);
        assert!(end(session));
        assert!(!leader.wait().expect("it ends").success());
    }
}
