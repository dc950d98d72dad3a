//! Real servers that are started with `npx` and `uvx`. Counts the processes that remain after the
//! program was killed.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::app::App;
use crate::gate::{Gate, Heard};
use crate::processes::{self, Process};
use crate::world::World;
use crate::{Outcome, line};

/// The number of servers for each of the two commands.
const EACH: usize = 10;
/// Time limit for all servers to start at once on a small machine.
const START: Duration = Duration::from_secs(240);
/// Time limit for the remaining processes to end.
const GONE: Duration = Duration::from_secs(5);
/// The program is killed for the second time when more processes than this run.
const HALFWAY: usize = EACH * 2;
const LOOK: Duration = Duration::from_millis(20);

/// A server, and one of its tools that can be called without arguments from the user.
struct Server {
    command: String,
    words: Vec<String>,
    tool: &'static str,
    arguments: Value,
}

/// Returns servers from npm and PyPI, as `cargo xtask test --only set-up` installs them. They use
/// no network.
fn servers(installed: &Path, home: &Path) -> Outcome<Vec<(String, Server)>> {
    let place = |file: &str| -> Outcome<String> {
        let path = installed.join(file);
        if !path.exists() {
            let hint = "install the servers: cargo xtask test --only set-up";
            return Err(format!("{} is not there; {hint}", path.display()).into());
        }
        Ok(path.display().to_string())
    };
    let npm = place("node_modules/.bin/mcp-server-memory")
        .and_then(|_| place("node_modules/.bin/mcp-server-filesystem"))
        .and(place("."))?;
    let uvx = place("venv/bin/uvx")?;
    let (cache, python) = (place("uv")?, place("venv/bin/python")?);
    let constraints = place("requirements.txt")?;
    let home = home.display().to_string();
    let mut all = Vec::new();
    for number in 0..EACH {
        let (package, tool, more) = match number % 2 {
            0 => ("mcp-server-memory", "read_graph", vec![]),
            _ => (
                "mcp-server-filesystem",
                "list_allowed_directories",
                vec![home.as_str()],
            ),
        };
        let words = ["--offline", "--no", "--prefix", &npm, "--", package];
        let words = words.into_iter().chain(more);
        let server = Server {
            command: "npx".to_owned(),
            words: words.map(str::to_owned).collect(),
            tool,
            arguments: json!({}),
        };
        all.push((format!("npx-{number}"), server));
        let words = [
            "--offline",
            "--quiet",
            "--cache-dir",
            &cache,
            "--constraints",
            &constraints,
            "--python",
            &python,
            "mcp-server-time",
        ];
        let server = Server {
            command: uvx.clone(),
            words: words.map(str::to_owned).to_vec(),
            tool: "get_current_time",
            arguments: json!({"timezone": "Etc/UTC"}),
        };
        all.push((format!("uvx-{number}"), server));
    }
    Ok(all)
}

/// Starts all servers, calls each one, kills the program, and counts the remaining processes.
/// Repeats this with a kill during the start. Returns whether no process remained and each server
/// answered.
pub(crate) async fn run(world: &Arc<World>, installed: &Path) -> Outcome<bool> {
    let home = world.stage.root.join("home");
    fs::create_dir_all(&home)?;
    let servers = servers(&installed.canonicalize()?, &home)?;
    for (name, server) in &servers {
        let folder = world.stage.members.join(name);
        fs::create_dir_all(&folder)?;
        let manifest = json!({
            "name": name,
            "version": "1.0.0",
            "transport": "stdio",
            "command": server.command,
            "args": server.words,
            "env": {"npm_config_cache": home.join("npm"), "npm_config_update_notifier": "false"},
            "timeouts": {"start_ms": 180_000},
        });
        fs::write(folder.join("plugin.json"), manifest.to_string())?;
    }

    let begun = Instant::now();
    let app = App::start(world, 1).await?;
    until("all servers are up", || world.ready() == servers.len()).await?;
    let up = begun.elapsed();
    let mut answered = 0;
    for (name, server) in &servers {
        let mut gate = Gate::open(&app.open).await.ok_or("no gateway")?;
        match gate
            .call(&app.open, name, server.tool, &server.arguments)
            .await
        {
            Heard::Result(_) => answered += 1,
            Heard::Refusal(why) | Heard::Wrong(why) => eprintln!("{name}: {why}"),
            Heard::Broken => eprintln!("{name}: no answer"),
        }
    }
    let running = all(world).len();
    let memory = processes::peak_kib(app.open.pid).unwrap_or_default();
    app.kill(world).await?;
    let (first, soon) = left(world).await;

    let app = App::start(world, 2).await?;
    until("half of them run", || all(world).len() > HALFWAY).await?;
    let starting = all(world).len();
    app.kill(world).await?;
    let (second, sooner) = left(world).await;

    line("servers behind npx and uvx", servers.len().to_string());
    line("  up after", format!("{} ms", up.as_millis()));
    line("  that answered a call", answered.to_string());
    line(
        "processes, the program's own two included",
        running.to_string(),
    );
    line(
        "largest memory of the program",
        format!("{} MiB", memory / 1024),
    );
    for (what, count, left, gone) in [
        ("killed while all were up", running, first, soon),
        (
            "killed in the middle of their start",
            starting,
            second,
            sooner,
        ),
    ] {
        line(what, format!("{count} processes"));
        line("  processes left after 5 s", left.to_string());
        if let Some(gone) = gone {
            line(
                "  the last had gone after",
                format!("{} ms", gone.as_millis()),
            );
        }
    }
    Ok(answered == servers.len() && first + second == 0)
}

fn all(world: &World) -> Vec<Process> {
    processes::all(&world.stage, &world.mark)
}

/// Returns the number of processes that remain after five seconds. If all end earlier, returns 0
/// and the time until the last one ended.
async fn left(world: &World) -> (usize, Option<Duration>) {
    let killed = Instant::now();
    loop {
        let left = all(world);
        if left.is_empty() {
            return (0, Some(killed.elapsed()));
        }
        if killed.elapsed() >= GONE {
            left.iter().for_each(|process| eprintln!("left: {process}"));
            return (left.len(), None);
        }
        sleep(LOOK).await;
    }
}

async fn until(what: &str, mut done: impl FnMut() -> bool) -> Outcome<()> {
    let begun = Instant::now();
    while !done() {
        if begun.elapsed() > START {
            return Err(format!("{what}: not within {START:?}").into());
        }
        sleep(LOOK).await;
    }
    Ok(())
}
