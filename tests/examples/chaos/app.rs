//! Starts, kills and ends `guildhall serve`, one process after the other.

use std::fs::OpenOptions;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::world::World;
use crate::{Outcome, processes};

/// Time limit for the program to print the address of its gateway.
const START: Duration = Duration::from_secs(90);
/// Time limit for the program to end after a request: its own limit of 5 s, and 3 s for a busy
/// machine.
const END: Duration = Duration::from_secs(8);
/// A D-Bus address that does not exist, so that no keychain is used.
const NO_BUS: (&str, &str) = ("DBUS_SESSION_BUS_ADDRESS", "disabled:");

/// The addresses of one run of the program.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    /// Counts the runs of the program, from one.
    pub(crate) generation: u32,
    pub(crate) pid: u32,
    /// Host and port of the gateway.
    pub(crate) host: String,
    pub(crate) token: String,
}

/// One process of the program.
pub(crate) struct App {
    child: Child,
    pub(crate) open: Open,
}

/// Returns a command of `guildhall`. Its processes carry the mark of this run.
pub(crate) fn command(world: &World, words: &[&str]) -> Command {
    let mut command = Command::new(&world.stage.guildhall);
    command
        .args(words)
        .arg("--members")
        .arg(&world.stage.members)
        .arg("--data")
        .arg(&world.stage.data)
        .env(processes::MARK, &world.mark)
        .env(NO_BUS.0, NO_BUS.1)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    command
}

impl App {
    /// Starts the program, and waits until its gateway listens.
    pub(crate) async fn start(world: &Arc<World>, generation: u32) -> Outcome<Self> {
        let log = world.stage.root.join(format!("logs/app-{generation}.log"));
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        let mut child = command(world, &["serve", "--gateway-port", "0"])
            .stderr(log)
            .spawn()?;
        let pid = child.id().ok_or("the program has no number")?;
        let stdout = child.stdout.take().ok_or("no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let first = timeout(START, lines.next_line()).await;
        let first = first.map_err(|_| format!("no gateway within {START:?}"))??;
        let said: Value = serde_json::from_str(&first.ok_or("the program ended at its start")?)?;
        let address = said["gateway"].as_str().unwrap_or_default();
        let host = address
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .ok_or_else(|| format!("no gateway: {said}"))?;
        let open = Open {
            generation,
            pid,
            host: host.to_owned(),
            token: said["token"].as_str().unwrap_or_default().to_owned(),
        };
        tokio::spawn(listen(Arc::clone(world), lines));
        Ok(Self { child, open })
    }

    /// Publishes the addresses, so that the callers begin.
    pub(crate) fn admit(&self, world: &World) {
        world.opened(self.open.clone());
    }

    /// Kills the program. Returns the time of the kill, in clock ticks since the system's start.
    pub(crate) async fn kill(mut self, world: &World) -> Outcome<u64> {
        world.closed(self.open.generation, Instant::now());
        let ticks = processes::now()?;
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(ticks)
    }

    /// Asks the program to end. Returns the time that it takes.
    pub(crate) async fn quit(mut self, world: &World) -> Outcome<Duration> {
        let asked = Instant::now();
        let pid = i32::try_from(self.open.pid).ok().and_then(Pid::from_raw);
        world.leaving();
        kill_process(pid.ok_or("no number")?, Signal::TERM)?;
        let ended = timeout(END, self.child.wait()).await;
        world.closed(self.open.generation, Instant::now() + END);
        let status = ended.map_err(|_| format!("the program did not end within {END:?}"))??;
        if !status.success() {
            return Err(format!("the program ended with {status}").into());
        }
        Ok(asked.elapsed())
    }
}

/// Reads the program's events until it ends.
async fn listen(world: Arc<World>, mut lines: Lines<BufReader<ChildStdout>>) {
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            // The program was killed while it wrote this line.
            continue;
        };
        let event = &message["event"];
        match event["kind"].as_str() {
            Some("roster") => {
                let members = event["roster"]["members"].as_array();
                members
                    .into_iter()
                    .flatten()
                    .for_each(|view| world.seen(view));
            }
            Some("member_added" | "member_changed") => world.seen(&event["member"]),
            Some("call_recorded") => {
                if let Some(call) = event["entry"]["call"].as_str() {
                    world.written(call);
                }
            }
            _ => {}
        }
    }
}
