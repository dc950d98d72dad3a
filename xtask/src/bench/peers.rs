//! Measures Guild Hall and other gateways: calls and lists through each of them in one run,
//! compared with the server itself and with a byte relay. All programs run on one processor.

mod install;
mod running;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use self::running::{Front, PeerRun, RunningServer};
use super::BenchRow;
use crate::folder::Folder;
use crate::program::Program;
use crate::serving::Serving;

/// The number of tools in the measured list.
const TOOLS: usize = 1_000;
/// Time limit of one load run.
const LOAD_LIMIT: Duration = Duration::from_secs(120);
/// The duration of one load run, in seconds. A shorter run is not useful.
const LOAD_SECONDS: &str = "1";

/// The server behind a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upstream {
    /// A server that already runs and listens on a port.
    Http,
    /// A server that the gateway starts, and that uses stdio.
    Pipes,
}

/// A third-party gateway.
struct Peer {
    name: &'static str,
    /// The servers that the gateway supports.
    upstreams: &'static [Upstream],
    start: fn(&PeerRun<'_>) -> Result<(Program, Front)>,
}

/// The pinned peers; `install.rs` has their versions.
const PEERS: &[Peer] = &[
    Peer {
        name: "mcp-proxy (crate)",
        upstreams: &[Upstream::Http, Upstream::Pipes],
        start: mcp_proxy,
    },
    Peer {
        name: "mcp-hub (crate)",
        upstreams: &[Upstream::Pipes],
        start: mcp_hub_crate,
    },
    Peer {
        name: "mcp-hub (npm)",
        upstreams: &[Upstream::Http, Upstream::Pipes],
        start: mcp_hub_npm,
    },
    Peer {
        name: "fastmcp (PyPI)",
        upstreams: &[Upstream::Http, Upstream::Pipes],
        start: fastmcp,
    },
];

fn mcp_proxy(run: &PeerRun<'_>) -> Result<(Program, Front)> {
    let port = run.port;
    let backend = match run.upstream_url() {
        Some(url) => format!("transport = \"http\"\nurl = \"{url}\"\n"),
        None => {
            let (command, args) = run.upstream_command();
            format!("transport = \"stdio\"\ncommand = {command:?}\nargs = {args:?}\n")
        }
    };
    let config = run.write(
        "proxy.toml",
        &format!(
            "[proxy]\nname = \"bench\"\nseparator = \"__\"\n[proxy.listen]\nhost = \"127.0.0.1\"\n\
             port = {port}\n[observability]\nlog_level = \"error\"\n[[backends]]\n\
             name = \"server\"\n{backend}"
        ),
    )?;
    let program = Program::pinned(&install::cargo_program("mcp-proxy"));
    let program = program.args(["--config".into(), config]);
    Ok((program, Front::http(port, "")))
}

fn mcp_hub_crate(run: &PeerRun<'_>) -> Result<(Program, Front)> {
    let (command, args) = run.upstream_command();
    let config = run.write(
        "hub.toml",
        &format!("[servers.server]\nprefix = \"server\"\ncommand = {command:?}\nargs = {args:?}\n"),
    )?;
    let program = install::cargo_program("mcp-hub");
    let front = Front::Pipes(
        program.display().to_string(),
        vec![config.display().to_string()],
    );
    // This program does nothing, since each client starts its own hub.
    Ok((Program::new("true"), front))
}

fn mcp_hub_npm(run: &PeerRun<'_>) -> Result<(Program, Front)> {
    let config = run.write("hub.json", &mcp_servers(run).to_string())?;
    let program = Program::pinned(Path::new("node"))
        .args([install::npm_script("mcp-hub", "dist/cli.js")])
        .args(["--port", &run.port.to_string(), "--config"])
        .args([config]);
    Ok((
        program,
        Front::Legacy(format!("http://127.0.0.1:{}/mcp", run.port)),
    ))
}

fn fastmcp(run: &PeerRun<'_>) -> Result<(Program, Front)> {
    let config = run.write("mcp.json", &mcp_servers(run).to_string())?;
    let program = Program::pinned(&install::python_program("fastmcp"))
        .args(["run".into(), config])
        .args(["--transport", "http", "--host", "127.0.0.1", "--no-banner"])
        .args(["--log-level", "ERROR", "--port", &run.port.to_string()])
        .env("FASTMCP_CHECK_FOR_UPDATES", "off");
    Ok((program, Front::http(run.port, "mcp")))
}

/// Returns the configuration that most clients and gateways read.
fn mcp_servers(run: &PeerRun<'_>) -> Value {
    let server = match run.upstream_url() {
        Some(url) => json!({ "url": url }),
        None => {
            let (command, args) = run.upstream_command();
            json!({ "command": command, "args": args })
        }
    };
    json!({ "mcpServers": { "server": server } })
}

/// The figures of one gateway, in microseconds and answers per second.
#[derive(Debug, Clone, Copy)]
struct PeerStats {
    p50: f64,
    rate: Option<f64>,
}

/// The programs of this repository that are measured or used.
struct PeerBench {
    guildhall: PathBuf,
    fixture: PathBuf,
    load: PathBuf,
    relay: PathBuf,
    runs: usize,
}

/// Installs the peers, and measures them.
pub(super) fn measure(programs: &Path, runs: usize) -> Result<Vec<BenchRow>> {
    install::all()?;
    let path = |name| crate::app::program_in(programs, name);
    let bench = PeerBench {
        guildhall: path("guildhall"),
        fixture: path("fixture"),
        load: path("load"),
        relay: path("relay"),
        runs,
    };
    let mut rows = Vec::new();
    for upstream in [Upstream::Http, Upstream::Pipes] {
        rows.extend(bench.calls(upstream)?);
    }
    rows.extend(bench.lists()?);
    Ok(rows)
}

impl PeerBench {
    /// Measures calls of one tool through each gateway.
    fn calls(&self, upstream: Upstream) -> Result<Vec<BenchRow>> {
        let server = RunningServer::of_fixture(&self.fixture, &[])?;
        let find = ["--find", "echo"];
        let (title, direct) = match upstream {
            Upstream::Http => (
                "a call of a server over HTTP: direct",
                self.stats(&Front::http(server.port, "mcp"), &find)?,
            ),
            Upstream::Pipes => (
                "a call of a server on pipes: direct",
                self.stats(&self.pipes(), &find)?,
            ),
        };
        let mut rows = vec![row(title, direct, direct, None)];
        let mut relay = None;
        if upstream == Upstream::Http {
            let running = RunningServer::relay(&self.relay, server.port)?;
            let stats = self.stats(&Front::http(running.port, "mcp"), &find)?;
            rows.push(row("  byte relay", stats, direct, Some(stats)));
            relay = Some(stats);
        }
        let folder = Folder::of_echoes(&self.fixture)?;
        let serving = Serving::start_pinned(&self.guildhall, &folder)?;
        serving.all_ready(2)?;
        let tool = match upstream {
            Upstream::Http => "member-000__echo",
            Upstream::Pipes => "member-001__echo",
        };
        let front = Front::Http(serving.address.clone());
        let stats = self.stats(&front, &["--tool", tool])?;
        serving.stop()?;
        rows.push(row("  Guild Hall", stats, direct, relay));
        for peer in PEERS {
            if peer.upstreams.contains(&upstream) {
                let run = PeerRun::new(&self.fixture, upstream, server.port, &[])?;
                let running = run.start(peer.start, &self.load)?;
                let stats = self.stats(&running.front, &find);
                let stats = stats.with_context(|| format!("calls through {}", peer.name))?;
                rows.push(row(&format!("  {}", peer.name), stats, direct, relay));
            }
        }
        Ok(rows)
    }

    /// Measures full lists of many tools through each gateway.
    fn lists(&self) -> Result<Vec<BenchRow>> {
        let tools = ["--tools", &TOOLS.to_string()];
        let server = RunningServer::of_fixture(&self.fixture, &tools)?;
        let direct = self.list(&Front::http(server.port, "mcp"))?;
        let mut rows = vec![list_row(
            &format!("a list of {TOOLS} tools: direct"),
            direct,
            direct,
        )];
        let folder = Folder::with_tools(&self.fixture, "stdio", 1, TOOLS)?;
        let serving = Serving::start_pinned(&self.guildhall, &folder)?;
        serving.all_ready(1)?;
        let front = Front::Http(format!("{}?mode=full", serving.address));
        let list = self.list(&front)?;
        serving.stop()?;
        rows.push(list_row("  Guild Hall", list, direct));
        for peer in PEERS {
            let upstream = peer.upstreams[0];
            let run = PeerRun::new(&self.fixture, upstream, server.port, &tools)?;
            let running = run.start(peer.start, &self.load)?;
            let list = self.list(&running.front);
            let list = list.with_context(|| format!("a list through {}", peer.name))?;
            rows.push(list_row(&format!("  {}", peer.name), list, direct));
        }
        Ok(rows)
    }

    /// Returns the fixture as a command that each client starts.
    fn pipes(&self) -> Front {
        Front::Pipes(self.fixture.display().to_string(), vec!["--stdio".into()])
    }

    /// Returns the medians of calls over one connection, and over eight connections if the gateway
    /// supports several.
    fn stats(&self, front: &Front, options: &[&str]) -> Result<PeerStats> {
        let one = ["--seconds", LOAD_SECONDS];
        let p50 = self.median(front, &[options, &one].concat(), "p50")?;
        let rate = match front {
            Front::Pipes(..) => None,
            Front::Http(_) | Front::Legacy(_) => {
                let eight = [options, &one, &["--connections", "8"]].concat();
                Some(self.median(front, &eight, "rate")?)
            }
        };
        Ok(PeerStats { p50, rate })
    }

    fn list(&self, front: &Front) -> Result<f64> {
        self.median(front, &["--list", "--answers", "50"], "p50")
    }

    fn median(&self, front: &Front, options: &[&str], figure: &str) -> Result<f64> {
        let figures = (0..self.runs).map(|_| {
            let text = running::load(&self.load, front, options)
                .limit(LOAD_LIMIT)
                .text()?;
            let figures: Value = serde_json::from_str(text.trim()).context("reading figures")?;
            let number = |name: &str| figures[name].as_f64().context("a figure is missing");
            match figure {
                "rate" => Ok(number("answers")? / number("seconds")?),
                name => number(name),
            }
        });
        let mut figures = figures.collect::<Result<Vec<f64>>>()?;
        figures.sort_by(f64::total_cmp);
        Ok(figures[figures.len() / 2])
    }
}

fn row(name: &str, stats: PeerStats, direct: PeerStats, relay: Option<PeerStats>) -> BenchRow {
    let mut value = format!(
        "{:.1} us, {:.1} x direct",
        stats.p50,
        stats.p50 / direct.p50
    );
    if let Some(relay) = relay {
        value += &format!(", {:.1} x relay", stats.p50 / relay.p50);
    }
    if let Some(rate) = stats.rate {
        value += &format!(", {rate:.0}/s with 8");
    }
    BenchRow::new(name, value)
}

fn list_row(name: &str, list: f64, direct: f64) -> BenchRow {
    let value = format!("{:.2} ms, {:.2} x direct", list / 1_000.0, list / direct);
    BenchRow::new(name, value)
}
