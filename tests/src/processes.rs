//! Finds the processes that a test has started, with all descendants, and checks that they are
//! gone.
//!
//! An inherited environment variable identifies the processes. They are read from `/proc`. On
//! systems without `/proc`, the list is empty and the check is weaker.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// How long a process may take to end after the test, on a loaded machine.
const GRACE: Duration = Duration::from_secs(30);

/// The mark of one test's processes: `GUILD_TEST=<nonce>` in their environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nonce(String);

impl Nonce {
    /// The environment variable.
    pub const VARIABLE: &str = "GUILD_TEST";

    /// Returns a mark that no other test has, in this process or another.
    #[expect(clippy::new_without_default, reason = "two of them are never equal")]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |since| since.as_nanos());
        Self(format!("{}-{number}-{nanos}", std::process::id()))
    }

    /// Returns the value of the variable.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the pids of all processes with the mark that are alive. A zombie is not alive.
pub fn processes_of(nonce: &Nonce) -> Vec<u32> {
    let mark = format!("{}={}", Nonce::VARIABLE, nonce.0).into_bytes();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            // Processes of other users can't be read, and don't belong to the test.
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let marked = environment.split(|byte| *byte == 0).any(|one| one == mark);
            (marked && pid != std::process::id()).then_some(pid)
        })
        .collect()
}

/// Whether a process with this pid is alive. A zombie is not alive.
pub fn is_alive(pid: u32) -> bool {
    if let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The name in brackets may itself contain brackets and spaces.
        let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
        return !state.is_some_and(|rest| rest.starts_with(['Z', 'X']));
    }
    pid_of(pid).is_some_and(|pid| test_kill_process(pid).is_ok())
}

fn pid_of(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}

fn command_line(pid: u32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&bytes).replace('\0', " ");
    format!("{pid} {words}")
}

/// Ends a test that hangs, and checks at the end of each test that no process is left.
///
/// Create this value first, so that it is dropped last. After the drop, every process with the mark
/// must end within a grace period. Remaining processes are killed, and the test fails. If the limit
/// passes before the drop, the processes and the whole test run end with a message.
#[derive(Debug)]
pub struct Watchdog {
    nonce: Nonce,
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts to watch the processes of `nonce`.
    pub fn start(nonce: &Nonce, test: &str, limit: Duration) -> Self {
        let (done, waiting) = mpsc::channel();
        let (watched, test) = (nonce.clone(), test.to_owned());
        let thread = std::thread::spawn(move || {
            if waiting.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                let left: Vec<_> = processes_of(&watched)
                    .into_iter()
                    .map(command_line)
                    .collect();
                eprintln!("{test} hangs: {limit:?} are over; running: {left:#?}");
                end(&watched);
                std::process::exit(101);
            }
        });
        Self {
            nonce: nonce.clone(),
            done: Some(done),
            thread: Some(thread),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let start = Instant::now();
        while !processes_of(&self.nonce).is_empty() && start.elapsed() < GRACE {
            // Polls, since a process that ends only notifies its parent.
            std::thread::sleep(Duration::from_millis(5));
        }
        let left: Vec<_> = processes_of(&self.nonce)
            .into_iter()
            .map(command_line)
            .collect();
        end(&self.nonce);
        // A test that has already failed keeps its own message.
        if !std::thread::panicking() {
            assert!(left.is_empty(), "processes outlived the test: {left:#?}");
        }
    }
}

/// Kills all processes with the mark. Only the test's processes can carry it.
fn end(nonce: &Nonce) {
    for pid in processes_of(nonce).into_iter().filter_map(pid_of) {
        // An error means that the process has ended in between.
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::LIMIT;

    #[test]
    fn a_marked_process_is_found_until_it_is_gone() {
        let nonce = Nonce::new();
        let mut child = Command::new("sleep")
            .arg("60")
            .env(Nonce::VARIABLE, nonce.as_str())
            .spawn()
            .expect("a child");
        // The system shows the environment of a new program shortly after its start.
        let limit = Instant::now() + LIMIT;
        while processes_of(&nonce).is_empty() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(processes_of(&nonce), [child.id()]);
        assert!(is_alive(child.id()));
        child.kill().expect("the child ends");
        child.wait().expect("the child has ended");
        assert!(processes_of(&nonce).is_empty());
        assert!(!is_alive(child.id()));
    }

    #[test]
    fn two_marks_are_never_equal() {
        assert_ne!(Nonce::new(), Nonce::new());
    }
}
