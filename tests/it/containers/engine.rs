//! A stand-in for a container engine. Its containers outlive its clients, as with Docker.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use guild_tests::{LIMIT, bin, eventually, fixture_bin, processes_of};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::guildhall::{CliHarness, Ended, Running};

/// A daemon, and a folder with its client under the name `docker`.
pub(super) struct Engine {
    dir: tempfile::TempDir,
    daemon: Option<Child>,
}

impl Engine {
    /// Starts an engine that has these images.
    pub(super) async fn new(images: &[&str]) -> Self {
        let mut engine = Self::down();
        std::fs::write(engine.dir.path().join("images"), images.join("\n") + "\n")
            .expect("written");
        let mut daemon = Command::new(bin("fake-docker"))
            .arg("daemon")
            .arg(engine.dir.path())
            .arg(fixture_bin())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the daemon starts");
        let said = daemon.stdout.take().expect("its stdout");
        let ready = tokio::time::timeout(LIMIT, BufReader::new(said).lines().next_line()).await;
        assert_eq!(
            ready.expect("in time").expect("read").as_deref(),
            Some("ready")
        );
        engine.daemon = Some(daemon);
        engine
    }

    /// Returns an engine whose daemon does not run.
    pub(super) fn down() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("bin")).expect("made");
        std::os::unix::fs::symlink(bin("fake-docker"), dir.path().join("bin/docker"))
            .expect("linked");
        Self { dir, daemon: None }
    }

    /// Makes the socket refuse every client.
    pub(super) fn deny(&self) {
        std::fs::write(self.dir.path().join("denied"), "").expect("written");
    }

    pub(super) fn path(&self) -> PathBuf {
        self.dir.path().join("bin")
    }

    fn socket(&self) -> String {
        format!("unix://{}", self.dir.path().join("docker.sock").display())
    }

    /// Returns a `guildhall` command whose PATH has no other engine.
    pub(super) fn command(&self, cli: &CliHarness, words: &[&str]) -> Command {
        self.reached_by(cli.command(words))
    }

    /// Changes the command's PATH so that it has only this engine.
    pub(super) fn reached_by(&self, mut command: Command) -> Command {
        command
            .env("PATH", self.path())
            .env("DOCKER_HOST", self.socket());
        command
    }

    pub(super) fn serve(&self, cli: &CliHarness) -> Running {
        cli.started(self.command(cli, &["serve", "--no-gateway"]))
    }

    pub(super) async fn run(&self, cli: &CliHarness, words: &[&str]) -> Ended {
        cli.output(self.command(cli, words)).await
    }

    /// Returns the arguments of each call of the client so far.
    pub(super) fn calls(&self) -> Vec<Vec<String>> {
        let calls =
            std::fs::read_to_string(self.dir.path().join("calls.jsonl")).unwrap_or_default();
        let words = calls
            .lines()
            .map(|line| serde_json::from_str(line).expect("words"));
        words.collect()
    }

    /// Returns the arguments of the container that was started last.
    pub(super) fn run_words(&self) -> Vec<String> {
        let mut runs = self.calls().into_iter().filter(|words| words[0] == "run");
        runs.next_back().expect("a container was started")
    }

    /// Returns the names of Guild Hall's containers that the engine has.
    pub(super) async fn containers(&self) -> Vec<String> {
        let listed = Command::new(bin("fake-docker"))
            .args(["ps", "--all", "--filter", "label=guild-hall.run"])
            .env("DOCKER_HOST", self.socket())
            .output();
        let listed = tokio::time::timeout(LIMIT, listed).await;
        let listed = listed.expect("in time").expect("it runs");
        assert!(listed.status.success(), "{listed:?}");
        let names = String::from_utf8(listed.stdout).expect("UTF-8");
        names.lines().map(str::to_owned).collect()
    }

    /// Waits until the engine has no more containers of Guild Hall.
    pub(super) async fn emptied(&self) {
        let deadline = tokio::time::Instant::now() + LIMIT;
        loop {
            let left = self.containers().await;
            if left.is_empty() {
                return;
            }
            assert!(
                tokio::time::Instant::now() < deadline,
                "still there: {left:?}"
            );
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

/// Returns the processes of this test that run the program.
pub(super) fn processes(cli: &CliHarness, program: &Path) -> Vec<u32> {
    let real = program.canonicalize().expect("a program");
    let of =
        |pid: &u32| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == real);
    processes_of(&cli.env.nonce)
        .into_iter()
        .filter(of)
        .collect()
}

/// Returns the servers that run in containers.
pub(super) fn servers(cli: &CliHarness) -> Vec<u32> {
    processes(cli, &fixture_bin())
}

/// Waits until no server runs.
pub(super) async fn no_server(cli: &CliHarness) {
    eventually(LIMIT, "no server is left", || {
        servers(cli).is_empty().then_some(())
    })
    .await;
}

/// Waits until a member has a status. Returns its view.
pub(super) async fn member(running: &mut Running, name: &str, status: &str) -> Value {
    let line = running
        .line_where(&format!("{name} is {status}"), |line| {
            let member = &line["event"]["member"];
            member["name"] == name && member["status"] == status
        })
        .await;
    line["event"]["member"].clone()
}
