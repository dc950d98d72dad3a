//! Starts servers and gateways, which end when their values are dropped.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::Upstream;
use crate::mark::Mark;
use crate::program::{ChildWaiter, Program, RunningProgram};

const START_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(10);
/// The pause between two attempts to reach a gateway that is starting.
const PAUSE: Duration = Duration::from_millis(200);

/// The way in which clients reach a server.
pub(super) enum Front {
    /// Streamable HTTP at this address.
    Http(String),
    /// The HTTP+SSE transport of 2024-11-05 at this address.
    Legacy(String),
    /// Each client starts this program with these arguments.
    Pipes(String, Vec<String>),
}

impl Front {
    pub(super) fn http(port: u16, path: &str) -> Self {
        Self::Http(format!("http://127.0.0.1:{port}/{path}"))
    }
}

/// Returns the program that puts load on a server.
pub(super) fn load(load: &Path, front: &Front, options: &[&str]) -> Program {
    let program = Program::pinned(load).args(options);
    match front {
        Front::Http(url) => program.args([url]),
        Front::Legacy(url) => program.args(["--legacy", url]),
        Front::Pipes(server, arguments) => program.args(["--stdio", server, "--"]).args(arguments),
    }
}

pub(super) struct RunningServer {
    pub(super) port: u16,
    process: ChildWaiter,
    mark: Mark,
}

impl RunningServer {
    /// Starts the fixture on a free port.
    pub(super) fn of_fixture(fixture: &Path, switches: &[&str]) -> Result<Self> {
        let port = free_port()?;
        let program = Program::pinned(fixture)
            .args(["--port", &port.to_string(), "--max-life-ms", "100000000"])
            .args(switches);
        Self::spawn(program, port)
    }

    /// Starts a relay that forwards to a port.
    pub(super) fn relay(relay: &Path, port: u16) -> Result<Self> {
        let mark = Mark::new();
        let RunningProgram { lines, process, .. } = Program::pinned(relay)
            .args([port.to_string()])
            .marked(&mark)
            .start()?;
        let line = lines
            .recv_timeout(START_LIMIT)
            .context("the relay's port")?;
        Ok(Self {
            port: line.trim().parse().context("the relay's port")?,
            process,
            mark,
        })
    }

    fn spawn(program: Program, port: u16) -> Result<Self> {
        let mark = Mark::new();
        let server = Self {
            port,
            process: program.marked(&mark).start_silent()?,
            mark,
        };
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > START_LIMIT {
                bail!("nothing listens on port {port}");
            }
            thread::sleep(PAUSE);
        }
        Ok(server)
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.process.stop(STOP_LIMIT);
        self.mark.end_all(STOP_LIMIT);
    }
}

pub(super) struct RunningPeer {
    pub(super) front: Front,
    _server: Option<RunningServer>,
    _folder: tempfile::TempDir,
}

/// The settings for starting one gateway with one server.
pub(super) struct PeerRun<'a> {
    folder: tempfile::TempDir,
    /// The port for the gateway.
    pub(super) port: u16,
    fixture: &'a Path,
    upstream: Upstream,
    upstream_port: u16,
    switches: &'a [&'a str],
}

impl<'a> PeerRun<'a> {
    pub(super) fn new(
        fixture: &'a Path,
        upstream: Upstream,
        upstream_port: u16,
        switches: &'a [&'a str],
    ) -> Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir().context("a folder for a gateway")?,
            port: free_port()?,
            fixture,
            upstream,
            upstream_port,
            switches,
        })
    }

    /// Returns the address of the server. `None` if the gateway starts the server.
    pub(super) fn upstream_url(&self) -> Option<String> {
        let url = || format!("http://127.0.0.1:{}/mcp", self.upstream_port);
        (self.upstream == Upstream::Http).then(url)
    }

    /// Returns the command that starts the server.
    pub(super) fn upstream_command(&self) -> (String, Vec<String>) {
        let mut args = vec!["--stdio".to_owned()];
        args.extend(self.switches.iter().map(|&word| word.to_owned()));
        (self.fixture.display().to_string(), args)
    }

    /// Writes a file of the gateway's configuration.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    }

    /// Starts the gateway and waits until it lists a tool.
    pub(super) fn start(
        self,
        start: fn(&PeerRun<'_>) -> Result<(Program, Front)>,
        loader: &Path,
    ) -> Result<RunningPeer> {
        let (program, front) = start(&self)?;
        let server = match &front {
            Front::Pipes(..) => None,
            Front::Http(_) | Front::Legacy(_) => {
                let program = program.env("HOME", self.folder.path());
                Some(RunningServer::spawn(program, self.port)?)
            }
        };
        let begin = Instant::now();
        while let Err(error) = load(loader, &front, &["--list", "--answers", "1"])
            .quiet()
            .limit(START_LIMIT)
            .text()
        {
            if begin.elapsed() > START_LIMIT {
                return Err(error.context("the gateway lists no tools"));
            }
            thread::sleep(PAUSE);
        }
        Ok(RunningPeer {
            front,
            _server: server,
            _folder: self.folder,
        })
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("a free port")?;
    Ok(listener.local_addr().context("its number")?.port())
}
