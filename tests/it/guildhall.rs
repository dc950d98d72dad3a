//! Runs the command line as a separate program.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use guild_tests::{LIMIT, Nonce, eventually, processes_of};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::sync::{RwLock, RwLockReadGuard, watch};
use tokio::task::JoinHandle;

use crate::test_env::TestEnv;

/// Lock of the ports 20000 to 30000, which the program assigns to HTTP members. Tests with such
/// members take a read lock. The test that depends on specific ports takes the write lock.
pub(crate) static ALL_PORTS: RwLock<()> = RwLock::const_new(());

/// Time limit on a busy machine for the program to end, including its members. The product's limit
/// is five seconds.
const END: Duration = Duration::from_secs(40);

/// Time limit of a command on a busy machine. Some commands forward a hundred thousand messages.
const COMMAND: Duration = Duration::from_secs(240);

/// Returns the path of the program: the one in `GUILD_HALL_BINARY`, or else a new build.
///
/// Cargo can't make the tests of a package depend on the program of another package. A program
/// beside the tests may be older than its sources.
pub(crate) fn guildhall_bin() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match std::env::var_os("GUILD_HALL_BINARY") {
        Some(named) => {
            let named = PathBuf::from(named);
            assert!(
                named.is_file(),
                "GUILD_HALL_BINARY names {}, where no file is; build it: cargo build -p guild-cli",
                named.display()
            );
            named
        }
        None => build(),
    })
}

fn build() -> PathBuf {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo
        // The tests were built with the features of the whole workspace, so this build reuses their
        // crates.
        .args(["build", "--quiet", "--workspace"])
        .args(["--bin", "guildhall", "--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let built = cargo.output().expect("cargo runs");
    assert!(
        built.status.success(),
        "cargo build -p guild-cli failed:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    String::from_utf8_lossy(&built.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "guildhall")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo says where it put guildhall")
}

/// The exit code and the output of a command.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Returns the single line of JSON on stdout. Fails if the exit code is another one.
    pub(crate) fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stdout.lines().count(), 1, "one line: {self:#?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// Runs the program with the folders of a test environment, and marks all its processes.
pub(crate) struct CliHarness {
    pub(crate) env: TestEnv,
    _ports: RwLockReadGuard<'static, ()>,
}

impl CliHarness {
    pub(crate) async fn new(test: &str) -> Self {
        // Built before the environment's watchdog starts.
        guildhall_bin();
        let ports = ALL_PORTS.read().await;
        let env = TestEnv::new(test);
        std::fs::create_dir_all(env.members_dir()).expect("the members' folder");
        Self { env, _ports: ports }
    }

    /// Returns the command with these arguments and without folders.
    pub(crate) fn bare(&self, words: &[&str]) -> Command {
        let mut command = Command::new(guildhall_bin());
        command
            .args(words)
            .env(Nonce::VARIABLE, self.env.nonce.as_str())
            .env_remove("GUILD_HALL_MEMBERS")
            .env_remove("GUILD_HALL_DATA")
            .env_remove("GUILD_HALL_LOG")
            // These tests do not run the user's shell.
            .env("GUILD_HALL_LOGIN_SHELL", "off")
            // English, independent of this machine's language.
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Returns the command with these arguments and the environment's folders.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.bare(words);
        command
            .arg("--members")
            .arg(self.env.members_dir())
            .arg("--data")
            .arg(self.env.data_dir());
        command
    }

    /// Runs a command with the environment's folders to its end. Checks that no process is left.
    pub(crate) async fn run(&self, words: &[&str]) -> Ended {
        self.ended(self.command(words)).await
    }

    /// Runs a command to its end. Checks that no process is left.
    pub(crate) async fn ended(&self, command: Command) -> Ended {
        let ended = self.output(command).await;
        self.nothing_left();
        ended
    }

    /// Runs a command to its end beside a hall with the same folders, whose members keep running.
    pub(crate) async fn run_beside(&self, words: &[&str]) -> Ended {
        self.output(self.command(words)).await
    }

    /// Runs a command to its end, while other commands of this environment may run.
    pub(crate) async fn output(&self, mut command: Command) -> Ended {
        let running = tokio::time::timeout(COMMAND, command.output());
        let output = running
            .await
            .unwrap_or_else(|_| panic!("{command:?} did not end in {COMMAND:?}"))
            .expect("guildhall runs");
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Starts a command that runs until it is stopped.
    pub(crate) fn start(&self, words: &[&str]) -> Running {
        self.started(self.command(words))
    }

    pub(crate) fn started(&self, mut command: Command) -> Running {
        let mut child = command.spawn().expect("guildhall runs");
        let stdout = child.stdout.take().expect("its stdout");
        let stderr = child.stderr.take().expect("its stderr");
        let (saying, said) = watch::channel(String::new());
        Running {
            lines: BufReader::new(stdout).lines(),
            stderr: tokio::spawn(all_of(stderr, saying)),
            said,
            child,
        }
    }

    /// Checks that no process of this environment runs.
    pub(crate) fn nothing_left(&self) {
        let left = processes_of(&self.env.nonce);
        assert!(left.is_empty(), "still running: {left:?}");
    }
}

async fn all_of(mut stderr: ChildStderr, said: watch::Sender<String>) -> String {
    let mut bytes = Vec::new();
    // Publishes everything that was read so far.
    while let Ok(1..) = stderr.read_buf(&mut bytes).await {
        said.send_replace(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The running program.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    stderr: JoinHandle<String>,
    /// Its stderr so far.
    said: watch::Receiver<String>,
}

impl Running {
    /// Waits until `fits` accepts the program's stderr. Returns all of it.
    pub(crate) async fn said_where(&mut self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let fitting = self.said.wait_for(|said| fits(said));
        let said = tokio::time::timeout(LIMIT, fitting).await;
        said.expect(what).expect("it runs").clone()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Sends a signal to the program, but not to its members.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self.child.id().and_then(|pid| i32::try_from(pid).ok());
        let pid = pid.and_then(Pid::from_raw).expect("it runs");
        kill_process(pid, signal).expect("the signal is sent");
    }

    /// Returns the next line of stdout as JSON. `None` if stdout has ended.
    pub(crate) async fn line(&mut self) -> Option<Value> {
        let next = tokio::time::timeout(LIMIT, self.lines.next_line()).await;
        let line = next.expect("a line comes").expect("UTF-8")?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Reads lines until `fits` accepts one. Returns this line.
    pub(crate) async fn line_where(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let mut passed = Vec::new();
        loop {
            let Some(line) = self.line().await else {
                panic!("stdout ended before {what}; seen: {passed:#?}");
            };
            if fits(&line) {
                return line;
            }
            passed.push(line);
        }
    }

    /// Reads lines until each of these members is reported as ready.
    #[cfg(target_os = "linux")]
    pub(crate) async fn all_up(&mut self, members: &[&str]) {
        let mut waiting = members.to_vec();
        while !waiting.is_empty() {
            let line = self
                .line_where("a member that is up", |line| {
                    line["event"]["member"]["status"] == "ready"
                })
                .await;
            waiting.retain(|name| line["event"]["member"]["name"] != *name);
        }
    }

    /// Closes the pipe of the program's stdout.
    pub(crate) fn deaf(self) -> Deaf {
        drop(self.lines);
        Deaf {
            child: self.child,
            stderr: self.stderr,
        }
    }

    /// Waits until the killed program has ended, but not for the processes that it started.
    pub(crate) async fn gone(mut self) {
        let ended = tokio::time::timeout(END, self.child.wait()).await;
        ended.expect("it ends").expect("it is ours to wait for");
    }

    /// Waits until the program has ended, and reads the rest of stdout.
    pub(crate) async fn ended(mut self, cli: &CliHarness) -> Ended {
        let mut stdout = String::new();
        let reading = async {
            while let Ok(Some(line)) = self.lines.next_line().await {
                stdout.push_str(&line);
                stdout.push('\n');
            }
            self.child.wait().await
        };
        let status = tokio::time::timeout(END, reading).await;
        finish(cli, status, self.stderr, stdout).await
    }
}

/// A running program whose stdout has no reader.
pub(crate) struct Deaf {
    child: Child,
    stderr: JoinHandle<String>,
}

impl Deaf {
    pub(crate) async fn ended(mut self, cli: &CliHarness) -> Ended {
        let status = tokio::time::timeout(END, self.child.wait()).await;
        finish(cli, status, self.stderr, String::new()).await
    }
}

async fn finish(
    cli: &CliHarness,
    status: Result<std::io::Result<ExitStatus>, tokio::time::error::Elapsed>,
    stderr: JoinHandle<String>,
    stdout: String,
) -> Ended {
    let status = status.unwrap_or_else(|_| panic!("it did not end in {END:?}"));
    let code = status.expect("it is ours to wait for").code();
    // All processes that the program started must have ended before the program.
    cli.nothing_left();
    Ended {
        code,
        stdout,
        stderr: stderr.await.expect("its stderr was read"),
    }
}

/// Waits until a fixture's record has an entry that `look` accepts.
pub(crate) async fn recorded(path: &Path, what: &str, look: impl Fn(&Value) -> bool) {
    let record = guild_tests::RecordFile::new(path);
    eventually(LIMIT, what, || {
        record.entries().iter().any(&look).then_some(())
    })
    .await;
}
