//! The tests of containers with Podman, if it is installed and can run containers on this machine.
//!
//! Runs only on request. Each test first runs a container with the fixture's image, and fails
//! without one.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use guild_tests::{LIMIT, fixture_bin};
use rustix::process::Signal;
use serde_json::json;
use tokio::process::Command;

use crate::guildhall::CliHarness;

/// The variable with the path of a working Podman, e.g. of a script that prepares the environment.
const NAMED: &str = "GUILD_HALL_PODMAN";
const IMAGE: &str = "localhost/guild-hall-fixture:test";

/// A folder with a program named `podman`.
struct Podman {
    folder: tempfile::TempDir,
}

impl Podman {
    async fn here() -> Self {
        match Self::that_works().await {
            Ok(podman) => podman,
            Err(why) => panic!("podman runs no containers here: {}", why.trim()),
        }
    }

    /// Returns a Podman that has run a container, or the reason why there is none.
    async fn that_works() -> Result<Self, String> {
        let named = std::env::var_os(NAMED).map(PathBuf::from);
        let program = match named {
            Some(named) => named,
            None => on_path("podman").ok_or("podman is not installed")?,
        };
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(program, folder.path().join("podman")).expect("linked");
        let podman = Self { folder };
        podman.build().await?;
        let tried = podman
            .run(&[
                "run",
                "--rm",
                "--pull",
                "never",
                "--network",
                "none",
                IMAGE,
                "--help",
            ])
            .await;
        match tried.status.success() {
            true => Ok(podman),
            false => Err(String::from_utf8_lossy(&tried.stderr).into_owned()),
        }
    }

    /// Builds an image with the fixture and the libraries that it is linked to.
    async fn build(&self) -> Result<(), String> {
        let root = tempfile::tempdir().expect("a folder");
        let fixture = fixture_bin();
        copy(&fixture, &root.path().join("fixture"));
        let linked = Command::new("ldd").arg(&fixture).output().await;
        let linked = linked.map_err(|error| format!("ldd: {error}"))?;
        for word in String::from_utf8_lossy(&linked.stdout).split_whitespace() {
            if let Some(place) = word.strip_prefix('/') {
                copy(Path::new(word), &root.path().join(place));
            }
        }
        let file = "FROM scratch\nCOPY . /\nENTRYPOINT [\"/fixture\"]\n";
        std::fs::write(root.path().join("Containerfile"), file).expect("written");
        let place = root.path().display().to_string();
        let built = self
            .run(&["build", "--quiet", "--tag", IMAGE, &place])
            .await;
        match built.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
        }
    }

    async fn run(&self, words: &[&str]) -> Output {
        let running = Command::new(self.folder.path().join("podman"))
            .args(words)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let ran = tokio::time::timeout(LIMIT, running).await;
        ran.expect("podman ends").expect("podman runs")
    }

    async fn containers(&self) -> String {
        let format = [
            "ps",
            "--all",
            "--filter",
            "label=guild-hall.run",
            "--format",
            "{{.Names}}",
        ];
        let listed = self.run(&format).await;
        assert!(listed.status.success(), "{listed:?}");
        String::from_utf8_lossy(&listed.stdout).into_owned()
    }

    fn serve(&self, cli: &CliHarness) -> crate::guildhall::Running {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let first = std::iter::once(self.folder.path().to_owned());
        let path = std::env::join_paths(first.chain(std::env::split_paths(&path)));
        let mut command = cli.command(&["serve", "--no-gateway"]);
        command.env("PATH", path.expect("a PATH"));
        cli.started(command)
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn copy(from: &Path, to: &Path) {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).expect("made");
    }
    std::fs::copy(from, to).expect("copied");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "wants a Podman that can run containers on this machine: --ignored, GUILD_HALL_PODMAN"]
async fn podman_container_is_removed_after_any_end() {
    let podman = Podman::here().await;
    for signal in [Signal::TERM, Signal::KILL] {
        let cli = CliHarness::new("podman").await;
        let container = |words: &[&str]| {
            json!({"container": {
                "image": IMAGE, "engine": "podman", "args": words, "pull": "never", "network": "none",
            }})
        };
        cli.env
            .member("meek")
            .manifest(container(&["--stdio"]))
            .write();
        let deaf = container(&["--stdio", "--ignore-term", "--ignore-eof"]);
        cli.env.member("deaf").manifest(deaf).write();
        let mut running = podman.serve(&cli);
        running.all_up(&["meek", "deaf"]).await;
        let called = cli
            .run_beside(&["call", "meek", "echo", "--args", r#"{"text":"x"}"#])
            .await;
        assert_eq!(called.code, Some(0), "{called:?}");
        assert_eq!(podman.containers().await.lines().count(), 2);
        let began = std::time::Instant::now();
        running.signal(signal);
        running.gone().await;
        let deadline = tokio::time::Instant::now() + LIMIT;
        while !podman.containers().await.is_empty() {
            assert!(
                tokio::time::Instant::now() < deadline,
                "containers are left"
            );
        }
        println!(
            "{signal:?}: podman has no container after {:?}",
            began.elapsed()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "wants a Podman that can run containers on this machine: --ignored, GUILD_HALL_PODMAN"]
async fn podman_mounts_bounds_and_publishes_what_the_manifest_says() {
    let podman = Podman::here().await;
    let cli = CliHarness::new("podman's mounts").await;
    let manifest = json!({"transport": "http", "container": {
        "image": IMAGE, "engine": "podman", "pull": "never", "network": "bridge", "port": 8080,
        "args": ["--host", "0.0.0.0", "--port", "8080", "--tools-json", "/data/tools.json"],
        "mounts": [{"source": "${PLUGIN_DIR}", "target": "/data"}],
        "memory": "64m", "pids_limit": 32,
    }});
    let folder = cli.env.member("shop").manifest(manifest).write();
    let tools = json!([{"name": "of_the_mount", "inputSchema": {"type": "object"}}]);
    std::fs::write(folder.join("tools.json"), tools.to_string()).expect("written");

    let mut running = podman.serve(&cli);
    running.all_up(&["shop"]).await;
    // The server was reached through the published port, and has read its tools from the mount.
    let listed = cli.run_beside(&["tools", "shop"]).await;
    assert!(listed.stdout.contains("of_the_mount"), "{listed:?}");
    let name = podman.containers().await;
    let format = "{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}} {{range .Mounts}}{{.Destination}} {{.RW}}{{end}}";
    let asked = podman
        .run(&["inspect", "--format", format, name.trim()])
        .await;
    let bounds = String::from_utf8_lossy(&asked.stdout).into_owned();
    assert_eq!(bounds.trim(), "67108864 32 /data false", "{asked:?}");
    running.signal(Signal::TERM);
    running.gone().await;
    assert_eq!(podman.containers().await, "");
}
