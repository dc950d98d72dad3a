//! The processes of a test: all processes that contain the path of its home folder.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: Option<u32>,
}

/// Returns all processes that have `mark` in their command, their environment or their working
/// folder.
pub(crate) fn marked(mark: &str) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != std::process::id() && names(*pid, mark))
        .filter_map(running)
        .collect()
}

/// Whether a process with this pid exists and has not ended.
pub(crate) fn runs(pid: u32) -> bool {
    running(pid).is_some()
}

fn running(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may itself have brackets and spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok();
    // A zombie has ended, but its parent has not waited for it yet.
    (state != "Z").then_some(Process { pid, parent })
}

fn names(pid: u32, mark: &str) -> bool {
    let holds = |file: &str| {
        fs::read(format!("/proc/{pid}/{file}"))
            .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(mark))
    };
    holds("cmdline")
        || holds("environ")
        || fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|path| path.starts_with(mark))
}

/// Asks a process to end, as a desktop does when its user logs out.
pub(crate) fn terminate(pid: u32) {
    send(pid, Signal::TERM);
}

/// Ends a process at once.
pub(crate) fn kill(pid: u32) {
    send(pid, Signal::KILL);
}

/// A stopped process. It continues when this value is dropped.
#[derive(Debug)]
pub(crate) struct Still(u32);

/// Stops a process, so that it seems to hang.
pub(crate) fn hold(pid: u32) -> Still {
    send(pid, Signal::STOP);
    Still(pid)
}

impl Drop for Still {
    fn drop(&mut self) {
        send(self.0, Signal::CONT);
    }
}

fn send(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // The process may have ended already.
        let _ = kill_process(pid, signal);
    }
}
