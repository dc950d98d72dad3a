//! The run's processes and ports, read from `/proc`.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};

use crate::Outcome;
use crate::cast::Stage;

/// The environment variable that marks all processes of a run, unless they clear their environment.
pub(crate) const MARK: &str = "GUILD_CHAOS";
/// The clock ticks per second in which `/proc` gives the start of a process.
const TICKS_A_SECOND: f64 = 100.0;
/// The state of a listening socket in `/proc/net/tcp`.
const LISTENING: &str = "0A";

/// A live process of the run.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// The time of the start, in clock ticks since the system's start.
    pub(crate) start: u64,
    words: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.words)
    }
}

/// Returns the present time in clock ticks since the system's start.
pub(crate) fn now() -> Outcome<u64> {
    let text = fs::read_to_string("/proc/uptime")?;
    let seconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a system that runs for millions of years"
    )]
    let ticks = (seconds * TICKS_A_SECOND) as u64;
    Ok(ticks)
}

/// Returns all live processes of the run: those with its mark in their environment, and those that
/// run one of its programs.
pub(crate) fn all(stage: &Stage, mark: &str) -> Vec<Process> {
    let own = std::process::id();
    pids()
        .filter(|pid| *pid != own && belongs(*pid, stage, mark))
        .filter_map(|pid| {
            Some(Process {
                pid,
                start: start_of(pid)?,
                words: words_of(pid),
            })
        })
        .collect()
}

fn pids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn belongs(pid: u32, stage: &Stage, mark: &str) -> bool {
    let program = fs::read_link(format!("/proc/{pid}/exe"));
    if program.is_ok_and(|program| stage.owns(&program)) {
        return true;
    }
    let entry = format!("{MARK}={mark}");
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|all| {
        all.split(|byte| *byte == 0)
            .any(|one| one == entry.as_bytes())
    })
}

/// Returns the start time of a process. `None` if it has ended or is a zombie.
fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may contain any characters.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    if matches!(*fields.first()?, "Z" | "X") {
        return None;
    }
    fields.get(19)?.parse().ok()
}

fn words_of(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&bytes).replace('\0', " ");
    words.chars().take(200).collect()
}

/// Sends a signal to a process of this run. Returns whether the process existed.
pub(crate) fn signal(stage: &Stage, mark: &str, pid: u32, signal: Signal) -> bool {
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    belongs(pid, stage, mark) && number.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

/// Returns the watchdog processes of the running program.
pub(crate) fn watchdogs(stage: &Stage, mark: &str) -> Vec<u32> {
    let named = |process: &Process| {
        let name = fs::read_to_string(format!("/proc/{}/comm", process.pid));
        name.is_ok_and(|name| name.trim() == "guild-watchdog")
    };
    let all = all(stage, mark).into_iter();
    all.filter(named).map(|process| process.pid).collect()
}

/// Returns the peak memory of a process, in KiB.
pub(crate) fn peak_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the ports that have a listener. Leaves out ports whose listener is certainly a foreign
/// process.
pub(crate) fn listened(ports: &BTreeSet<u16>, stage: &Stage, mark: &str) -> Vec<u16> {
    let mut found = Vec::new();
    for list in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = fs::read_to_string(list).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (Some(place), Some(&LISTENING), Some(inode)) =
                (fields.get(1), fields.get(3), fields.get(9))
            else {
                continue;
            };
            let port = place.rsplit_once(':').map(|(_, port)| port);
            let Some(Ok(port)) = port.map(|port| u16::from_str_radix(port, 16)) else {
                continue;
            };
            if ports.contains(&port) && holder(inode).is_none_or(|pid| belongs(pid, stage, mark)) {
                found.push(port);
            }
        }
    }
    found
}

fn holder(inode: &str) -> Option<u32> {
    let socket = PathBuf::from(format!("socket:[{inode}]"));
    pids().find(|pid| {
        let files = fs::read_dir(Path::new("/proc").join(pid.to_string()).join("fd"));
        let files = files.into_iter().flatten().flatten();
        files
            .filter_map(|file| fs::read_link(file.path()).ok())
            .any(|to| to == socket)
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use guild_tests::fixture_bin;

    use super::*;

    #[test]
    fn process_is_found_by_its_port_until_it_ends() -> Outcome<()> {
        let folder = tempfile::tempdir()?;
        let stage = Stage::set(folder.path(), &std::env::current_exe()?, &fixture_bin())?;
        let before = now()?;
        let mut child = Command::new(&stage.fixture)
            .args(["--port", "0"])
            .env_clear()
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let stderr = child.stderr.take().ok_or("no stderr")?;
        BufReader::new(stderr).read_line(&mut line)?;
        let place = line.rsplit_once(':').ok_or("no address")?.1;
        let port = place.split('/').next().ok_or("no port")?.parse()?;
        let ports = BTreeSet::from([port]);

        let found = all(&stage, "a mark");
        assert_eq!(found.len(), 1, "{line}");
        assert_eq!(found[0].pid, child.id());
        assert!(found[0].start >= before && found[0].start <= now()?);
        assert_eq!(listened(&ports, &stage, "a mark"), [port]);

        assert!(signal(&stage, "a mark", child.id(), Signal::KILL));
        child.wait()?;
        assert!(all(&stage, "a mark").is_empty());
        assert!(listened(&ports, &stage, "a mark").is_empty());
        Ok(())
    }

    #[test]
    fn a_process_of_nobody_here_is_neither_counted_nor_ended() -> Outcome<()> {
        let folder = tempfile::tempdir()?;
        let stage = Stage::set(folder.path(), &std::env::current_exe()?, &fixture_bin())?;
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        let ports = BTreeSet::from([listener.local_addr()?.port()]);
        assert!(listened(&ports, &stage, "a mark").is_empty());
        assert!(!signal(&stage, "a mark", std::process::id(), Signal::KILL));
        Ok(())
    }
}
