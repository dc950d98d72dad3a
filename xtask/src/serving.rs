//! A running `guildhall serve` for measurements and for other clients.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::Value;

use crate::folder::Folder;
use crate::mark::{self, Mark};
use crate::program::{ChildWaiter, Program};
use crate::usage::number_after;

const READY_LIMIT: Duration = Duration::from_secs(120);
const STOP_LIMIT: Duration = Duration::from_secs(15);

/// The results of the starts of all members.
pub(crate) struct Settled {
    pub(crate) ready: usize,
    /// Members that are not ready, each with its error code.
    pub(crate) failed: Vec<String>,
    /// The number of starts that were retried.
    pub(crate) late: usize,
    /// The time until the last start had a result.
    pub(crate) took: Duration,
}

/// A running engine. Dropping this value ends the engine and all processes that it started.
pub(crate) struct Serving {
    /// The endpoint of all members.
    pub(crate) address: String,
    started: Instant,
    lines: Receiver<String>,
    /// The ports of the members that were ready.
    ports: RefCell<HashMap<String, u64>>,
    process: ChildWaiter,
    mark: Mark,
}

impl Serving {
    pub(crate) fn start(guildhall: &Path, folder: &Folder) -> Result<Self> {
        Self::spawn(Program::new(guildhall).quiet(), folder)
    }

    /// Starts `guildhall` and its members on one processor. The login shell is not queried, so that
    /// members start with the same variables as servers without the gateway.
    pub(crate) fn start_pinned(guildhall: &Path, folder: &Folder) -> Result<Self> {
        let program = Program::pinned(guildhall).env("GUILD_HALL_LOGIN_SHELL", "off");
        Self::spawn(program.quiet(), folder)
    }

    /// Starts a `guildhall` and waits for its address.
    pub(crate) fn spawn(program: Program, folder: &Folder) -> Result<Self> {
        let mark = Mark::new();
        let program = program
            .args(folder.options())
            .words("--json serve --gateway-port 0 --no-token")
            .marked(&mark);
        let started = Instant::now();
        let running = program.start()?;
        let mut serving = Self {
            address: String::new(),
            started,
            lines: running.lines,
            ports: RefCell::default(),
            process: running.process,
            mark,
        };
        // The first line has the gateway's address.
        let line = serving.lines.recv_timeout(READY_LIMIT);
        let line: Value = serde_json::from_str(&line.unwrap_or_default()).unwrap_or_default();
        let address = line["gateway"].as_str();
        address
            .context("guildhall serve printed no address of a gateway")?
            .clone_into(&mut serving.address);
        Ok(serving)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Returns the gateway's host and port.
    pub(crate) fn host(&self) -> Result<&str> {
        let rest = self.address.strip_prefix("http://");
        rest.and_then(|rest| rest.strip_suffix("/mcp"))
            .context("no address of an endpoint")
    }

    /// Returns the address of a ready member itself, without the gateway.
    pub(crate) fn direct(&self, member: &str) -> Result<String> {
        let ports = self.ports.borrow();
        let port = ports.get(member);
        let port = port.with_context(|| format!("{member} has no port"))?;
        Ok(format!("http://127.0.0.1:{port}/mcp"))
    }

    /// Returns the processor time of the engine, without its members.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.pid())).context("its threads")?;
        let mut nanos = 0;
        for task in tasks.flatten() {
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let first = text.split_whitespace().next();
            nanos += first.and_then(|first| first.parse().ok()).unwrap_or(0);
        }
        ensure!(nanos > 0, "the system has no processor times of threads");
        Ok(Duration::from_nanos(nanos))
    }

    /// Returns the engine's memory (PSS) without its members, in KiB.
    pub(crate) fn memory(&self) -> Result<u64> {
        let path = format!("/proc/{}/smaps_rollup", self.pid());
        let text = fs::read_to_string(&path)?;
        number_after(&text, "Pss:")
    }

    /// Waits until this number of members is ready. Returns the time since the start of the
    /// process.
    pub(crate) fn all_ready(&self, members: usize) -> Result<Duration> {
        let mut ready = HashSet::new();
        self.watch(READY_LIMIT, |member| {
            if member["status"] == "ready" {
                let name = member["name"].as_str().unwrap_or_default().to_owned();
                if let Some(port) = member["port"].as_u64() {
                    self.ports.borrow_mut().insert(name.clone(), port);
                }
                ready.insert(name);
            }
            ready.len() >= members
        })
        .with_context(|| format!("not all of {members} members are ready"))
    }

    /// Waits until this number of members is ready with listed tools, or has failed.
    pub(crate) fn all_settled(&self, members: usize, limit: Duration) -> Result<Settled> {
        let mut known: HashMap<String, Option<String>> = HashMap::new();
        let mut late = HashSet::new();
        let took = self.watch(limit, |member| {
            let name = member["name"].as_str().unwrap_or_default().to_owned();
            let code = member["error"]["code"].as_str();
            match member["status"].as_str() {
                Some("ready") if member["freshness"] == "live" => {
                    known.insert(name, None);
                }
                Some("error" | "backoff" | "crash-loop") => {
                    known.insert(name, Some(code.unwrap_or("no code").to_owned()));
                }
                Some("starting") if code.is_some() => {
                    late.insert(name);
                }
                _ => {}
            }
            known.len() >= members
        })?;
        let failed = known.iter().filter_map(|(name, code)| {
            let code = code.as_ref()?;
            Some(format!("{name} ({code})"))
        });
        let failed: Vec<String> = failed.collect();
        Ok(Settled {
            ready: members - failed.len(),
            failed,
            late: late.len(),
            took,
        })
    }

    /// Passes each member of each event to `is_done` until it returns true. Returns the time since
    /// the start of the process.
    fn watch(&self, limit: Duration, mut is_done: impl FnMut(&Value) -> bool) -> Result<Duration> {
        loop {
            let left = limit.saturating_sub(self.started.elapsed());
            let line = self.lines.recv_timeout(left);
            let line = line.with_context(|| format!("no event in time ({limit:?})"))?;
            let line: Value = serde_json::from_str(&line).unwrap_or_default();
            for member in members_of(&line["event"]) {
                if is_done(member) {
                    return Ok(self.started.elapsed());
                }
            }
        }
    }

    /// Reads and drops all further events, so that the engine never waits for a reader.
    pub(crate) fn drop_events(&mut self) {
        let (_, none) = mpsc::sync_channel(0);
        let lines = std::mem::replace(&mut self.lines, none);
        thread::spawn(move || lines.into_iter().for_each(drop));
    }

    /// Ends the engine. Fails if it exits with an error, or leaves a process.
    pub(crate) fn stop(self) -> Result<()> {
        let status = self.process.stop(STOP_LIMIT);
        let status = status.context("the engine did not end")?;
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

/// Returns the members in an event.
fn members_of(event: &Value) -> &[Value] {
    match event["kind"].as_str() {
        Some("roster") => event["roster"]["members"]
            .as_array()
            .map_or(&[], Vec::as_slice),
        Some("member_added" | "member_changed") => std::slice::from_ref(&event["member"]),
        _ => &[],
    }
}
