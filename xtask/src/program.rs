//! Programs that a task starts and waits for, each with a time limit.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::mark::Mark;

/// Maximum length of a line of a program's output, in bytes. Longer lines are split.
const LINE_MAX: u64 = 1024 * 1024;

/// A program with its arguments and its time limit.
pub(crate) struct Program {
    command: Command,
    /// The command line, for messages.
    text: String,
    limit: Duration,
    mark: Option<Mark>,
}

impl Program {
    /// Returns a program with a time limit of a minute, started in the repository's root.
    pub(crate) fn new(name: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(name.as_ref());
        command.current_dir(crate::root()).stdin(Stdio::null());
        Self {
            command,
            text: name.as_ref().to_string_lossy().into_owned(),
            limit: Duration::from_secs(60),
            mark: None,
        }
    }

    /// Returns a program that runs only on the first processor.
    pub(crate) fn pinned(program: &Path) -> Self {
        Self::new("taskset").args(["-c".as_ref(), "0".as_ref(), program.as_os_str()])
    }

    /// Returns the cargo that runs this task. It does not get the variables with which `cargo run`
    /// describes this package, because build scripts that read them would run again, and their
    /// dependents would be compiled again, after each cargo command from a shell.
    pub(crate) fn cargo() -> Self {
        let mut cargo = Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                cargo.command.env_remove(&name);
            }
        }
        cargo
    }

    /// Returns npm, which is a script on Windows.
    pub(crate) fn npm() -> Self {
        Self::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        for arg in args {
            self.text.push(' ');
            self.text.push_str(&arg.as_ref().to_string_lossy());
            self.command.arg(arg);
        }
        self
    }

    /// Adds arguments that have no spaces, separated by spaces.
    pub(crate) fn words(self, words: &str) -> Self {
        self.args(words.split_whitespace())
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Marks the program and all processes that it starts. The time limit ends all of them.
    pub(crate) fn marked(mut self, mark: &Mark) -> Self {
        self.command.env(Mark::VARIABLE, mark.value());
        self.mark = Some(mark.clone());
        self
    }

    /// Hides the program's stderr, for programs that may fail.
    pub(crate) fn quiet(mut self) -> Self {
        self.command.stderr(Stdio::null());
        self
    }

    /// Runs the program, with output to the terminal. Fails unless it succeeds.
    pub(crate) fn run(mut self) -> Result<()> {
        let child = self.spawn()?;
        let status = self.wait(child)?;
        self.expect_success(status)
    }

    /// Runs the program, and returns its stdout, at most 64 MiB.
    pub(crate) fn text(mut self) -> Result<String> {
        self.command.stdout(Stdio::piped());
        let mut child = self.spawn()?;
        let stdout = child.stdout.take().context("no stdout")?;
        let reader = thread::spawn(move || {
            let mut text = String::new();
            stdout
                .take(64 << 20)
                .read_to_string(&mut text)
                .map(|_| text)
        });
        let status = self.wait(child)?;
        self.expect_success(status)?;
        match reader.join() {
            Ok(text) => text.with_context(|| format!("reading what `{}` printed", self.text)),
            Err(_) => bail!("reading what `{}` printed failed", self.text),
        }
    }

    /// Runs the program, prints its output, and passes each line to `look`.
    pub(crate) fn watched(mut self, mut look: impl FnMut(&str)) -> Result<()> {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.spawn()?;
        let (lines, printed) = mpsc::sync_channel(256);
        if let Some(stdout) = child.stdout.take() {
            pass_lines(stdout, lines.clone());
        }
        if let Some(stderr) = child.stderr.take() {
            pass_lines(stderr, lines);
        }
        let ended = wait_aside(child);
        let start = Instant::now();
        let status = loop {
            // The lines end when the last process closes the pipe, but the wait ends with the
            // program.
            let left = self.limit.saturating_sub(start.elapsed());
            match printed.recv_timeout(left) {
                Ok(line) => {
                    println!("{line}");
                    look(&line);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let left = self.limit.saturating_sub(start.elapsed());
                    break ended.recv_timeout(left).ok();
                }
                Err(mpsc::RecvTimeoutError::Timeout) => break None,
            }
        };
        match status {
            Some(status) => self.expect_success(status.context("waiting for the program")?),
            None => Err(self.give_up(&ended)),
        }
    }

    fn spawn(&mut self) -> Result<Child> {
        self.command.spawn().with_context(|| {
            format!(
                "starting `{}`\nhint: see whether it is installed and on the PATH",
                self.text
            )
        })
    }

    /// Starts the program. The caller reads its lines and waits for its end.
    pub(crate) fn start(mut self) -> Result<RunningProgram> {
        self.command.stdout(Stdio::piped());
        let mut child = self.spawn()?;
        let stdout = child.stdout.take().context("no stdout")?;
        let stdin = child.stdin.take();
        let (sender, lines) = mpsc::sync_channel(256);
        pass_lines(stdout, sender);
        Ok(RunningProgram {
            stdin,
            lines,
            process: wait_aside(child),
        })
    }

    /// Starts the program without its output. The caller waits for its end.
    pub(crate) fn start_silent(mut self) -> Result<ChildWaiter> {
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(wait_aside(self.spawn()?))
    }

    /// Connects stdin to a pipe that the caller writes.
    pub(crate) fn stdin_piped(mut self) -> Self {
        self.command.stdin(Stdio::piped());
        self
    }

    fn wait(&self, child: Child) -> Result<ExitStatus> {
        let ended = wait_aside(child);
        match ended.recv_timeout(self.limit) {
            Ok(status) => status.with_context(|| format!("waiting for `{}`", self.text)),
            Err(_) => Err(self.give_up(&ended)),
        }
    }

    fn give_up(&self, ended: &ChildWaiter) -> anyhow::Error {
        ended.kill();
        if let Some(mark) = &self.mark {
            mark.end_all(Duration::from_secs(5));
        }
        anyhow::anyhow!(
            "`{}` was ended: it took longer than {} s",
            self.text,
            self.limit.as_secs()
        )
    }

    fn expect_success(&self, status: ExitStatus) -> Result<()> {
        if !status.success() {
            bail!("`{}` failed ({status})", self.text);
        }
        Ok(())
    }
}

/// A program that runs beside the task.
pub(crate) struct RunningProgram {
    /// The pipe to the program, after [`Program::stdin_piped`].
    pub(crate) stdin: Option<ChildStdin>,
    /// The lines that the program prints.
    pub(crate) lines: mpsc::Receiver<String>,
    pub(crate) process: ChildWaiter,
}

/// A child that a separate thread waits for.
pub(crate) struct ChildWaiter {
    pid: u32,
    status: mpsc::Receiver<std::io::Result<ExitStatus>>,
}

impl ChildWaiter {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    pub(crate) fn recv_timeout(
        &self,
        limit: Duration,
    ) -> Result<std::io::Result<ExitStatus>, mpsc::RecvTimeoutError> {
        self.status.recv_timeout(limit)
    }

    /// Asks the process to end.
    pub(crate) fn terminate(&self) {
        crate::mark::signal(self.pid, crate::mark::Signal::Terminate);
    }

    fn kill(&self) {
        crate::mark::signal(self.pid, crate::mark::Signal::Kill);
        // Waits for the exit, so that no zombie remains.
        let _ = self.status.recv_timeout(Duration::from_secs(5));
    }

    /// Asks the process to end, and kills it after the limit.
    pub(crate) fn stop(&self, limit: Duration) -> Option<ExitStatus> {
        self.terminate();
        match self.status.recv_timeout(limit) {
            Ok(status) => status.ok(),
            Err(_) => {
                self.kill();
                None
            }
        }
    }
}

/// Waits for a child on a thread, so that waiting can have a limit.
fn wait_aside(mut child: Child) -> ChildWaiter {
    let pid = child.id();
    let (done, status) = mpsc::sync_channel(1);
    thread::spawn(move || {
        // The receiver is gone when the task has ended.
        let _ = done.send(child.wait());
    });
    ChildWaiter { pid, status }
}

/// Sends each line of a pipe to `lines`, until the pipe closes. A long line is split.
fn pass_lines(pipe: impl Read + Send + 'static, lines: mpsc::SyncSender<String>) {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while let Ok(1..) = (&mut pipe).take(LINE_MAX).read_until(b'\n', &mut bytes) {
            let line = String::from_utf8_lossy(&bytes)
                .trim_end_matches(['\n', '\r'])
                .to_owned();
            bytes.clear();
            if lines.send(line).is_err() {
                break;
            }
        }
    });
}
