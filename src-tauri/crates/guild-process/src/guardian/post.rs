//! The guardian as the program sees it.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::line::Line;
use super::{READY, SUBCOMMAND};
use crate::custody::run::Run;
use crate::mark;

/// How long it may take to say that it is ready.
const START_LIMIT: Duration = Duration::from_secs(2);
/// How long a line may wait for room in the pipe, which holds a thousand: past this nobody reads.
const TELL_LIMIT: Duration = Duration::from_secs(1);

/// A guardian that stands at its post. Dropping this closes its pipe, and it acts on what it knows.
#[derive(Debug)]
pub(crate) struct Post {
    guardian: Child,
    lines: ChildStdin,
    words: ChildStdout,
}

impl Post {
    /// Starts one and waits until it can be relied on.
    pub(crate) async fn raise(program: PathBuf) -> io::Result<Self> {
        let spawning = tokio::task::spawn_blocking(move || {
            let mut command = Command::new(program);
            command
                .arg(SUBCOMMAND)
                // It belongs to no member of a hall that this program may itself be a member of.
                .env_remove(Run::VARIABLE)
                .current_dir("/")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                // Whoever reads ours must not have to wait for its end.
                .stderr(Stdio::null());
            mark::unmarked(|| command.spawn())
        });
        let mut guardian = spawning.await.map_err(io::Error::other)??;
        let (Some(lines), Some(mut words)) = (guardian.stdin.take(), guardian.stdout.take()) else {
            return Err(io::Error::other("it was started without pipes"));
        };
        let mut ready = [0; READY.len()];
        match timeout(START_LIMIT, words.read_exact(&mut ready)).await {
            Ok(Ok(_)) if ready == READY => Ok(Self {
                guardian,
                lines,
                words,
            }),
            said => {
                // Whatever was started in its place is no guardian.
                let _ = guardian.start_kill();
                Err(match said {
                    Ok(Err(error)) => error,
                    Ok(Ok(_)) => io::Error::other("it said something else than that it is ready"),
                    Err(elapsed) => elapsed.into(),
                })
            }
        }
    }

    /// Tells it something; it has it, whatever becomes of this program now.
    pub(crate) async fn tell(&mut self, line: Line) -> io::Result<()> {
        let text = line.to_string();
        timeout(TELL_LIMIT, self.lines.write_all(text.as_bytes())).await?
    }

    /// Waits until it is gone. May be dropped and called again.
    pub(crate) async fn falls(&mut self) {
        let mut words = [0; 64];
        // It says nothing more as long as it lives.
        while matches!(self.words.read(&mut words).await, Ok(length) if length > 0) {}
    }

    /// Gives it up: it does not read, or is gone already.
    pub(crate) async fn relieve(mut self) {
        let _ = self.guardian.start_kill();
        let _ = timeout(TELL_LIMIT, self.guardian.wait()).await;
    }

    /// Lets it go, and waits until it has: at once, unless something is left for it to end.
    pub(crate) async fn dismiss(self) {
        let Self {
            mut guardian,
            lines,
            words,
        } = self;
        drop((lines, words));
        let _ = guardian.wait().await;
    }
}
