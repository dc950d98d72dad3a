//! A `guildhall serve` that is measured.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::folder::Folder;
use crate::mark::{self, Mark};
use crate::program::{self, Ended, Program};

const READY_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(15);

/// Where agents find an engine.
#[derive(Default)]
pub(crate) struct Gateway {
    /// The endpoint of all members.
    pub(crate) address: String,
}

impl Gateway {
    /// Its host and port.
    pub(crate) fn host(&self) -> Result<&str> {
        let rest = self.address.strip_prefix("http://");
        rest.and_then(|rest| rest.strip_suffix("/mcp"))
            .context("no address of an endpoint")
    }
}

/// What became of starts.
pub(crate) struct Settled {
    pub(crate) ready: usize,
    /// Those that are not ready, each with its error's code.
    pub(crate) failed: Vec<String>,
    /// How many had to be tried again.
    pub(crate) late: usize,
    /// How long it took until the last of them.
    pub(crate) took: Duration,
}

/// A running engine; it and all that it started end with this value.
pub(crate) struct Serving {
    started: Instant,
    pid: u32,
    lines: Receiver<String>,
    gateway: Gateway,
    /// The ports of the members that were seen to be ready.
    ports: RefCell<HashMap<String, u64>>,
    process: Ended,
    mark: Mark,
}

impl Serving {
    pub(crate) fn start(guildhall: &Path, folder: &Folder) -> Result<Self> {
        Self::spawn(Program::new(guildhall), folder)
    }

    /// The same on one processor, members included.
    pub(crate) fn start_pinned(guildhall: &Path, folder: &Folder) -> Result<Self> {
        Self::spawn(Program::pinned(guildhall), folder)
    }

    /// The same in the folder's own home, as windows are measured.
    pub(crate) fn start_at_home(guildhall: &Path, folder: &Folder) -> Result<Self> {
        Self::spawn(folder.at_home(guildhall.to_owned()), folder)
    }

    fn spawn(program: Program, folder: &Folder) -> Result<Self> {
        let mark = Mark::new();
        let mut program = program
            .args(folder.options())
            .args(["--json", "serve", "--gateway-port", "0", "--no-token"])
            .marked(&mark)
            .quiet()
            .stdout_piped();
        let started = Instant::now();
        let mut child = program.spawn()?;
        let pid = child.id();
        let stdout = child.stdout.take().context("no stdout")?;
        let (sender, lines) = mpsc::sync_channel(256);
        program::pass_lines(stdout, sender);
        let mut serving = Self {
            started,
            pid,
            lines,
            gateway: Gateway::default(),
            ports: RefCell::default(),
            process: program::wait_aside(child),
            mark,
        };
        // The first line says where agents find it.
        let line = serving.lines.recv_timeout(READY_LIMIT);
        let line: Value = serde_json::from_str(&line.unwrap_or_default()).unwrap_or_default();
        let address = line["gateway"]
            .as_str()
            .context("no address of a gateway")?;
        serving.gateway.address = address.to_owned();
        Ok(serving)
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Where agents find it.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// The port of a member that is ready.
    pub(crate) fn port_of(&self, member: &str) -> Result<u64> {
        let ports = self.ports.borrow();
        ports
            .get(member)
            .copied()
            .with_context(|| format!("{member} has no port"))
    }

    /// The processor time of the engine alone, without its members.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        // Each thread tells its own.
        let tasks = fs::read_dir(format!("/proc/{}/task", self.pid)).context("its threads")?;
        let mut nanos = 0;
        for task in tasks.flatten() {
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let first = text
                .split_whitespace()
                .next()
                .and_then(|first| first.parse::<u64>().ok());
            nanos += first.unwrap_or_default();
        }
        ensure!(nanos > 0, "the system tells no processor time of threads");
        Ok(Duration::from_nanos(nanos))
    }

    /// Waits until so many members are ready; says how long after the start of the process.
    pub(crate) fn all_ready(&self, members: usize) -> Result<Duration> {
        let mut ready = HashSet::new();
        while ready.len() < members {
            let left = READY_LIMIT.saturating_sub(self.started.elapsed());
            let Ok(line) = self.lines.recv_timeout(left) else {
                bail!(
                    "{} of {members} members are ready after {READY_LIMIT:?}",
                    ready.len()
                );
            };
            let line: Value = serde_json::from_str(&line).unwrap_or_default();
            for member in told(&line["event"]) {
                if member["status"] == "ready" {
                    if let (Some(name), Some(port)) =
                        (member["name"].as_str(), member["port"].as_u64())
                    {
                        self.ports.borrow_mut().insert(name.to_owned(), port);
                    }
                    ready.extend(member["name"].as_str().map(str::to_owned));
                }
            }
        }
        Ok(self.started.elapsed())
    }

    /// Waits until so many members are ready and listed, or in error.
    pub(crate) fn all_settled(&self, members: usize, limit: Duration) -> Result<Settled> {
        let mut known: HashMap<String, (bool, Option<String>)> = HashMap::new();
        let mut late = HashSet::new();
        while known.len() < members {
            let left = limit.saturating_sub(self.started.elapsed());
            let Ok(line) = self.lines.recv_timeout(left) else {
                bail!(
                    "{} of {members} members have settled after {limit:?}",
                    known.len()
                );
            };
            let line: Value = serde_json::from_str(&line).unwrap_or_default();
            for member in told(&line["event"]) {
                let name = member["name"].as_str().unwrap_or_default().to_owned();
                let code = member["error"]["code"].as_str().map(str::to_owned);
                match member["status"].as_str() {
                    Some("ready") if member["freshness"] == "live" => {
                        known.insert(name, (true, None));
                    }
                    Some("error" | "backoff" | "crash-loop") => {
                        known.insert(name, (false, code));
                    }
                    Some("starting") if code.is_some() => {
                        late.insert(name);
                    }
                    _ => {}
                }
            }
        }
        let failed = known.iter().filter(|(_, (ready, _))| !ready);
        let failed = failed.map(|(name, (_, code))| {
            let code = code.as_deref().unwrap_or("no code");
            format!("{name} ({code})")
        });
        let failed: Vec<String> = failed.collect();
        Ok(Settled {
            ready: members - failed.len(),
            failed,
            late: late.len(),
            took: self.started.elapsed(),
        })
    }

    /// The engine's own share of memory, and what of it is resident, in KiB.
    pub(crate) fn memory(&self) -> Result<(u64, u64)> {
        let path = format!("/proc/{}/smaps_rollup", self.pid);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
            number.with_context(|| format!("{path} has no {name}"))
        };
        Ok((field("Pss:")?, field("Rss:")?))
    }

    /// Ends it, and fails where something of it is left.
    pub(crate) fn stop(self) -> Result<()> {
        let status = self
            .process
            .stop(STOP_LIMIT)
            .context("the engine did not end")?;
        ensure!(status.success(), "the engine ended with {status}");
        let left = self.mark.wait_until_gone(Duration::from_secs(2));
        ensure!(
            left.is_empty(),
            "the engine left processes behind:{}",
            mark::listed(&left)
        );
        Ok(())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.mark.end_all(Duration::from_secs(3));
    }
}

/// The members that an event tells of.
fn told(event: &Value) -> Vec<&Value> {
    match event["kind"].as_str() {
        Some("roster") => event["roster"]["members"]
            .as_array()
            .into_iter()
            .flatten()
            .collect(),
        Some("member_added" | "member_changed") => vec![&event["member"]],
        _ => Vec::new(),
    }
}
