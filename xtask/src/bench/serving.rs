//! A `guildhall serve` that is measured.

use std::collections::HashSet;
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

/// A running engine; it and all that it started end with this value.
pub(crate) struct Serving {
    started: Instant,
    pid: u32,
    lines: Receiver<String>,
    process: Ended,
    mark: Mark,
}

impl Serving {
    pub(crate) fn start(guildhall: &Path, folder: &Folder) -> Result<Self> {
        let mark = Mark::new();
        let mut program = Program::new(guildhall)
            .args(folder.options())
            .args(["--json", "serve", "--gateway-port", "0"])
            .marked(&mark)
            .quiet()
            .stdout_piped();
        let started = Instant::now();
        let mut child = program.spawn()?;
        let pid = child.id();
        let stdout = child.stdout.take().context("no stdout")?;
        let (sender, lines) = mpsc::sync_channel(256);
        program::pass_lines(stdout, sender);
        Ok(Self {
            started,
            pid,
            lines,
            process: program::wait_aside(child),
            mark,
        })
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
                    ready.extend(member["name"].as_str().map(str::to_owned));
                }
            }
        }
        Ok(self.started.elapsed())
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
