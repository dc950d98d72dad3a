//! A `guildhall serve` with members, and the clients that nobody here wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::tally::Tally;
use crate::mark::Mark;
use crate::program::{self, Ended, Program};
use crate::programs::Programs;
use crate::setup;

/// The gateway's address is the first line that is printed.
const ADDRESS_LIMIT: Duration = Duration::from_secs(90);
/// How long its members may take until all are up.
const READY_LIMIT: Duration = Duration::from_secs(120);
const STOP_LIMIT: Duration = Duration::from_secs(15);
/// All clients together.
const CLIENTS_LIMIT: Duration = Duration::from_secs(15 * 60);

/// The name of the data folder.
const DATA: &str = "data";

/// A running gateway over folders of its own; it and its members end with it.
pub(super) struct Serving {
    /// The gateway's address without a path.
    pub(super) origin: String,
    process: Ended,
    _events: Receiver<String>,
    folder: tempfile::TempDir,
}

impl Serving {
    /// Starts the gateway with members that run the fixture (name, transport, switches) and waits
    /// until they are up: the tools of one that never was are not known yet. `settings` is the
    /// content of `gateway.json`.
    pub(super) fn start(
        programs: &Programs,
        members: &[(&str, &str, &[&str])],
        settings: &Value,
        mark: &Mark,
    ) -> Result<Self> {
        let folder = tempfile::tempdir().context("a folder for the members")?;
        for (name, transport, switches) in members {
            member(
                &folder.path().join("members"),
                programs,
                name,
                transport,
                switches,
            )?;
        }
        let data = folder.path().join(DATA);
        fs::create_dir_all(&data).with_context(|| format!("creating {}", data.display()))?;
        let settings = settings.to_string();
        fs::write(data.join("gateway.json"), settings).context("writing gateway.json")?;
        let mut program = Program::new(programs.guildhall())
            .args(["serve", "--gateway-port", "0", "--no-token"])
            .args(["--members".into(), folder.path().join("members")])
            .args(["--data".into(), data])
            .env("GUILD_HALL_LOG", "error")
            .marked(mark)
            .stdout_piped();
        let mut child = program.spawn()?;
        let stdout = child.stdout.take().context("no stdout")?;
        let process = program::wait_aside(child);
        let (sender, lines) = mpsc::sync_channel(256);
        program::pass_lines(stdout, sender);
        let first = lines.recv_timeout(ADDRESS_LIMIT);
        let line = match first {
            Ok(line) => line,
            Err(_) => {
                process.stop(STOP_LIMIT);
                bail!("guildhall serve said nothing within {ADDRESS_LIMIT:?}");
            }
        };
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let address = said["gateway"].as_str().unwrap_or_default();
        let Some(origin) = address.strip_suffix("/mcp").map(str::to_owned) else {
            process.stop(STOP_LIMIT);
            bail!("the first line of guildhall serve names no gateway: {line}");
        };
        if let Err(error) = until_ready(&lines, members.iter().map(|(name, _, _)| *name)) {
            process.stop(STOP_LIMIT);
            return Err(error);
        }
        // The events that follow are read and let go, so that nobody waits for a reader.
        let (keep, events) = mpsc::sync_channel(1);
        std::thread::spawn(move || {
            for line in lines {
                if keep
                    .try_send(line)
                    .is_err_and(|e| matches!(e, mpsc::TrySendError::Disconnected(_)))
                {
                    break;
                }
            }
        });
        Ok(Self {
            origin,
            process,
            _events: events,
            folder,
        })
    }

    /// Its data folder.
    fn data(&self) -> PathBuf {
        self.folder.path().join(DATA)
    }

    /// Ends it as a user does, and fails where it does not end well.
    pub(super) fn stop(self) -> Result<()> {
        let status = self.process.stop(STOP_LIMIT);
        let status = status.context("guildhall serve did not end")?;
        ensure!(status.success(), "guildhall serve ended with {status}");
        Ok(())
    }
}

/// Waits until all these members are up and known by their tools.
fn until_ready<'a>(lines: &Receiver<String>, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut missing: BTreeSet<&str> = names.collect();
    let until = Instant::now() + READY_LIMIT;
    while !missing.is_empty() {
        let line = lines.recv_timeout(until.saturating_duration_since(Instant::now()));
        let line = line.with_context(|| format!("not up within {READY_LIMIT:?}: {missing:?}"))?;
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let event = &said["event"];
        let views = match event["roster"]["members"].as_array() {
            Some(views) => views.as_slice(),
            None => std::slice::from_ref(&event["member"]),
        };
        for view in views {
            if view["status"] == "ready" && view["tools"].as_u64().is_some_and(|tools| tools > 0) {
                missing.remove(view["name"].as_str().unwrap_or_default());
            }
        }
    }
    Ok(())
}

fn member(
    members: &Path,
    programs: &Programs,
    name: &str,
    transport: &str,
    switches: &[&str],
) -> Result<()> {
    let way: &[&str] = match transport {
        "http" => &["--port", "${PORT}"],
        _ => &["--stdio"],
    };
    let args = [way, switches].concat();
    let manifest = json!({
        "name": name,
        "version": "1.0.0",
        "transport": transport,
        "command": programs.fixture(),
        "args": args,
    });
    let folder = members.join(name);
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    fs::write(folder.join("plugin.json"), manifest.to_string()).context("writing a manifest")
}

/// Real clients list, describe and call through a gateway with one member of each era and
/// transport.
pub(super) fn clients(mark: &Mark, programs: &Programs, tally: &mut Tally) -> Result<()> {
    let installed = setup::clients()?;
    setup::real_servers()?;
    let members: [(&str, &str, &[&str]); 2] = [
        ("desk", "stdio", &["--asks", "--max-life-ms", "600000"]),
        (
            "shop",
            "http",
            &[
                "--asks",
                "--era",
                "modern",
                "--answer",
                "sse",
                "--max-life-ms",
                "600000",
            ],
        ),
    ];
    let serving = Serving::start(programs, &members, &json!({}), mark)?;
    let ran = Program::new(setup::clients_node(&installed))
        .args([crate::root().join("tests/clients/run.mjs")])
        .args([format!("{}/mcp", serving.origin)])
        .args([installed, setup::python_program("python")])
        .args([programs.guildhall(), serving.data()])
        .marked(mark)
        .limit(CLIENTS_LIMIT)
        .watched(|line| tally.read(line));
    let stopped = serving.stop();
    ran?;
    stopped
}
