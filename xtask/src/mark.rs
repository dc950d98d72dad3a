//! A mark that identifies all processes that a task has started, including all descendants.
//!
//! The mark is an environment variable. Processes inherit it unless their environment is cleared,
//! and Linux shows it in `/proc`. Process groups would not suffice, since the tested programs
//! create groups themselves. On other systems no processes are found, so checks that use the mark
//! pass.

use std::thread;
use std::time::{Duration, Instant, SystemTime};

use fs_err as fs;

/// The unique value that one run of a task gives to the processes that it starts.
#[derive(Debug, Clone)]
pub(crate) struct Mark(String);

/// A process that carries a mark.
#[derive(Debug, Clone)]
pub(crate) struct TaggedProcess {
    pid: u32,
    command_line: String,
}

/// Lists processes for a message, one per line.
pub(crate) fn listed(processes: &[TaggedProcess]) -> String {
    let line = |process: &TaggedProcess| format!("\n  {} {}", process.pid, process.command_line);
    processes.iter().map(line).collect()
}

impl Mark {
    /// The environment variable with the mark.
    pub(crate) const VARIABLE: &'static str = "GUILD_XTASK";

    /// Returns a mark that no other run has.
    pub(crate) fn new() -> Self {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self(format!("{}-{}", std::process::id(), now.as_nanos()))
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }

    /// Returns the processes that carry the mark now.
    pub(crate) fn holders(&self) -> Vec<TaggedProcess> {
        let entry = format!("{}={}", Self::VARIABLE, self.0);
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok())
            .filter(|pid| {
                // This fails if the process has ended or belongs to another user. A zombie's
                // environment is empty.
                fs::read(format!("/proc/{pid}/environ")).is_ok_and(|all| {
                    all.split(|&byte| byte == 0)
                        .any(|one| one == entry.as_bytes())
                })
            })
            .map(|pid: u32| TaggedProcess {
                pid,
                command_line: command_line_of(pid),
            })
            .collect()
    }

    /// Waits until no process carries the mark. After the limit, returns the processes that still
    /// do.
    pub(crate) fn wait_until_gone(&self, limit: Duration) -> Vec<TaggedProcess> {
        self.watch_until_gone(limit, |_| ())
    }

    /// Ends all processes with the mark. Returns the processes that had to be killed after the
    /// limit.
    pub(crate) fn end_all(&self, limit: Duration) -> Vec<TaggedProcess> {
        // The signal is repeated, since a process that forks while it is sent may have a new child.
        let stubborn = self.watch_until_gone(limit, |holders| {
            for holder in holders {
                signal(holder.pid, Signal::Terminate);
            }
        });
        for holder in &stubborn {
            signal(holder.pid, Signal::Kill);
        }
        stubborn
    }

    /// Polls until no process carries the mark, and passes the processes to `seen` each time. After
    /// the limit, returns the processes that still carry the mark.
    fn watch_until_gone(
        &self,
        limit: Duration,
        seen: impl Fn(&[TaggedProcess]),
    ) -> Vec<TaggedProcess> {
        let start = Instant::now();
        loop {
            let holders = self.holders();
            if holders.is_empty() || start.elapsed() >= limit {
                return holders;
            }
            seen(&holders);
            thread::sleep(Duration::from_millis(50));
        }
    }
}

fn command_line_of(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words: Vec<_> = bytes
        .split(|&byte| byte == 0)
        .filter(|word| !word.is_empty())
        .map(String::from_utf8_lossy)
        .collect();
    words.join(" ").chars().take(200).collect()
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Signal {
    Terminate,
    Kill,
}

/// Signals a process to end. If the process is already gone, this is not an error.
#[cfg(unix)]
pub(crate) fn signal(pid: u32, signal: Signal) {
    use nix::sys::signal::{Signal as Number, kill};
    use nix::unistd::Pid;
    let number = match signal {
        Signal::Terminate => Number::SIGTERM,
        Signal::Kill => Number::SIGKILL,
    };
    if let Ok(pid) = i32::try_from(pid) {
        let _ = kill(Pid::from_raw(pid), number);
    }
}

/// Kills a process, since Windows can't ask a program without a console to end.
#[cfg(windows)]
pub(crate) fn signal(pid: u32, _signal: Signal) {
    let pid = pid.to_string();
    let _ = std::process::Command::new("taskkill")
        .args(["/F", "/T", "/PID", pid.as_str()])
        .output();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn marked_descendants_are_found_and_ended() {
        let mark = Mark::new();
        let mut child = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .env(Mark::VARIABLE, mark.value())
            .stdin(Stdio::null())
            .spawn()
            .expect("sh starts");
        let reaper = std::thread::spawn(move || child.wait());
        let start = Instant::now();
        while mark.holders().len() < 2 && start.elapsed() < Duration::from_secs(60) {
            thread::yield_now();
        }
        assert_eq!(
            mark.holders().len(),
            2,
            "the shell and its child carry the mark"
        );
        let stubborn = mark.end_all(Duration::from_secs(10));
        assert!(stubborn.is_empty(), "SIGTERM was enough: {stubborn:?}");
        assert!(mark.holders().is_empty());
        assert!(reaper.join().is_ok());
    }
}
