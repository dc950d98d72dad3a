//! The handle with which the program starts and controls the watchdog process.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::protocol::WatchdogLine;
use super::{READY, SUBCOMMAND};
use crate::process_registry::run::RunId;
use crate::run_mark;

/// Timeout for the watchdog's ready message.
const START_LIMIT: Duration = Duration::from_secs(2);
/// How long a line may wait for space in the pipe. The pipe holds a thousand lines, so a longer
/// wait means that the watchdog does not read.
const SEND_LIMIT: Duration = Duration::from_secs(1);

/// A running watchdog. Dropping this value closes the watchdog's pipe, and the watchdog then ends
/// all active runs.
#[derive(Debug)]
pub(crate) struct WatchdogProcess {
    watchdog: Child,
    lines: ChildStdin,
    words: ChildStdout,
}

impl WatchdogProcess {
    /// Starts a watchdog and waits until it is ready.
    pub(crate) async fn start(program: PathBuf) -> io::Result<Self> {
        let spawning = tokio::task::spawn_blocking(move || {
            let mut command = Command::new(program);
            command
                .arg(SUBCOMMAND)
                // Even if a member of another Guild Hall started this program, the watchdog must
                // not belong to that member.
                .env_remove(RunId::VARIABLE)
                .current_dir("/")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                // With an inherited stderr, a reader of this program's stderr would have to wait
                // for the watchdog's end.
                .stderr(Stdio::null());
            run_mark::unmarked(|| command.spawn())
        });
        let mut watchdog = spawning.await.map_err(io::Error::other)??;
        let (Some(lines), Some(mut words)) = (watchdog.stdin.take(), watchdog.stdout.take()) else {
            return Err(io::Error::other("it was started without pipes"));
        };
        let mut ready = [0; READY.len()];
        match timeout(START_LIMIT, words.read_exact(&mut ready)).await {
            Ok(Ok(_)) if ready == READY => Ok(Self {
                watchdog,
                lines,
                words,
            }),
            other => {
                // A program that does not send the ready message is not a watchdog.
                let _ = watchdog.start_kill();
                Err(match other {
                    Ok(Err(error)) => error,
                    Ok(Ok(_)) => io::Error::other("it sent something other than the ready message"),
                    Err(elapsed) => elapsed.into(),
                })
            }
        }
    }

    /// Sends a line. After this call, the watchdog gets the line even if this program ends.
    pub(crate) async fn send(&mut self, line: WatchdogLine) -> io::Result<()> {
        let text = line.to_string();
        timeout(SEND_LIMIT, self.lines.write_all(text.as_bytes())).await?
    }

    /// Waits until the watchdog has ended. Cancel-safe.
    pub(crate) async fn ended(&mut self) {
        let mut words = [0; 64];
        // After the ready message, a running watchdog sends nothing.
        while matches!(self.words.read(&mut words).await, Ok(length) if length > 0) {}
    }

    /// Kills a watchdog that does not read.
    pub(crate) async fn kill(mut self) {
        let _ = self.watchdog.start_kill();
        let _ = timeout(SEND_LIMIT, self.watchdog.wait()).await;
    }

    /// Closes the pipe and waits for the watchdog's end, which takes long only if the watchdog must
    /// end processes.
    pub(crate) async fn close(self) {
        let Self {
            mut watchdog,
            lines,
            words,
        } = self;
        drop((lines, words));
        let _ = watchdog.wait().await;
    }
}
