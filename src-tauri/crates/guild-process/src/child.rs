//! A child process and all processes that it starts, until the last of them has ended.
//!
//! A separate task owns the process. So its exit is always observed, and dropping [`Child`] stops
//! the process step by step, as [`Child::stop`] does. If the async runtime shuts down first, the
//! rest of the process group is killed at once, and the watchdog ends the other processes.

mod exit;
mod stop_sequence;
mod task;
mod tracker;
mod tree;

use std::io;
use std::process::Stdio;

use guild_model::container::Engine;
use parking_lot::Mutex;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::command::{self, ProcessSpec};
use crate::error::ProcessError;
use crate::output::Output;
use crate::process_registry::RunLease;
use crate::process_registry::run::{Identity, RunId};

pub use exit::Exit;
pub use stop_sequence::StopSequence;

use stop_sequence::Deadlines;
use task::ChildTask;
use tree::ChildProcessGroup;

/// The use of the child's stdin and stdout. Its stderr is always stored in the [`Output`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdioMode {
    /// Stdin and stdout are pipes for the protocol. [`Child::take_stdio`] returns them.
    Piped,
    /// Stdin is closed, and stdout is stored in the [`Output`] too. The protocol uses another
    /// transport.
    Closed,
}

/// A running child: the leader of a process group (on Windows: of a job).
///
/// When the leader ends, all processes that it left are ended too: the rest of its group and, on
/// Linux, the processes that left the group. Dropping this value stops all of them with
/// [`StopSequence::DROPPED`].
#[derive(Debug)]
pub struct Child {
    leader: Identity,
    engine: Option<Engine>,
    pipes: Mutex<Option<(ChildStdout, ChildStdin)>>,
    orders: watch::Sender<Option<Deadlines>>,
    exited: watch::Receiver<Option<Exit>>,
    gone: watch::Receiver<bool>,
}

impl Child {
    /// Starts a command in its folder. Of this program's environment, it gets all variables except
    /// the secrets of a team's members and those of an AppImage. The variables of `spec` are added.
    ///
    /// Must be called within a tokio runtime. Blocks for milliseconds, so call it in
    /// `spawn_blocking` where that matters.
    ///
    /// # Errors
    /// When the program is not found or not executable, the folder is missing, a variable is
    /// invalid, or the operating system refuses the start.
    pub fn spawn(
        spec: &ProcessSpec,
        stdio: StdioMode,
        output: &Output,
        mut lease: RunLease,
    ) -> Result<Self, ProcessError> {
        lease.begin();
        match Self::start(spec, stdio, lease.run()) {
            Ok(tree) => Ok(Self::follow(tree, stdio, output, lease)),
            Err(error) => {
                lease.has_none();
                Err(error)
            }
        }
    }

    fn start(
        spec: &ProcessSpec,
        stdio: StdioMode,
        run: RunId,
    ) -> Result<ChildProcessGroup, ProcessError> {
        spec.check_env()?;
        if !spec.cwd.is_dir() {
            return Err(ProcessError::NoWorkingDirectory(spec.cwd.clone()));
        }
        let program = command::resolve(&spec.program, &spec.cwd, spec.search_path().as_deref())?;
        let stdin = match stdio {
            StdioMode::Piped => Stdio::piped(),
            StdioMode::Closed => Stdio::null(),
        };
        let mut command = spec.to_command(&program, stdin);
        command.command_mut().env(RunId::VARIABLE, run.to_string());
        ChildProcessGroup::spawn(command, run).map_err(|source| match source.kind() {
            // The program itself exists, so the interpreter or loader that it needs is missing.
            io::ErrorKind::NotFound if program.exists() => {
                ProcessError::InterpreterMissing(program.clone())
            }
            _ => ProcessError::SpawnFailed {
                program: program.clone(),
                source,
            },
        })
    }

    fn follow(
        mut tree: ChildProcessGroup,
        stdio: StdioMode,
        output: &Output,
        lease: RunLease,
    ) -> Self {
        let streams = tree.take_streams();
        let mut readers = JoinSet::new();
        if let Some(stderr) = streams.stderr {
            readers.spawn(output.clone().follow(stderr));
        }
        let pipes = match (stdio, streams.stdout, streams.stdin) {
            (StdioMode::Piped, Some(stdout), Some(stdin)) => Some((stdout, stdin)),
            (StdioMode::Closed, Some(stdout), _) => {
                readers.spawn(output.clone().follow(stdout));
                None
            }
            _ => None,
        };

        let leader = Identity::of_unread(tree.pid());
        let engine = lease.engine();
        let (orders, ordered) = watch::channel(None);
        let (exit, exited) = watch::channel(None);
        let (end, gone) = watch::channel(false);
        tokio::spawn(ChildTask::new(tree, lease, leader, ordered, readers, exit, end).run());
        Self {
            leader,
            engine,
            pipes: Mutex::new(pipes),
            orders,
            exited,
            gone,
        }
    }

    /// Returns the leader's pid, which on Unix is also its group's id.
    pub fn pid(&self) -> u32 {
        self.leader.pid
    }

    /// Returns the container engine, if the child is an engine's client that runs a container.
    pub fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// Returns a handle that checks whether the leader is alive, without waiting for its exit.
    pub fn leader(&self) -> Leader {
        Leader {
            #[cfg(target_os = "linux")]
            identity: self.leader,
            exited: self.exited(),
        }
    }

    /// Returns the child's stdout and stdin. Dropping them closes them. `None` if they were taken
    /// before, or the child was not started with [`StdioMode::Piped`].
    pub fn take_stdio(&self) -> Option<(ChildStdout, ChildStdin)> {
        self.pipes.lock().take()
    }

    /// Returns a channel with the leader's exit, which is `None` while the leader runs. When the
    /// exit appears, the [`Output`] already has the leader's last lines, but other processes of the
    /// group may still be ending.
    pub fn exited(&self) -> watch::Receiver<Option<Exit>> {
        self.exited.clone()
    }

    /// Waits for the leader's exit. Cancel-safe.
    pub async fn wait_exit(&self) -> Exit {
        let mut exited = self.exited.clone();
        match exited.wait_for(Option::is_some).await {
            Ok(exit) => exit.unwrap_or(Exit::UNSEEN),
            // The runtime is shutting down and has dropped the task.
            Err(_) => Exit::UNSEEN,
        }
    }

    /// Stops the whole group step by step, and waits until it is gone or the last deadline has
    /// passed. This call closes stdin, unless the caller has taken the pipes. In that case, the
    /// caller must close stdin first.
    ///
    /// Concurrent calls are allowed: for each step, the earlier deadline applies. If the future is
    /// dropped, the stop continues.
    pub async fn stop(&self, sequence: StopSequence) -> Exit {
        drop(self.take_stdio());
        let wanted = sequence.from(Instant::now());
        self.orders.send_modify(|orders| {
            *orders = Some(orders.map_or(wanted, |known| known.sooner(wanted)));
        });
        let mut gone = self.gone.clone();
        // An error means that the task was dropped with its runtime, which killed the group.
        let _ = gone.wait_for(|gone| *gone).await;
        self.wait_exit().await
    }
}

/// The first process of a [`Child`]. Dropping this handle has no effect on the process.
#[derive(Debug, Clone)]
pub struct Leader {
    #[cfg(target_os = "linux")]
    identity: Identity,
    exited: watch::Receiver<Option<Exit>>,
}

impl Leader {
    /// Whether the process is alive and has not begun to exit. On Linux, this asks the kernel,
    /// which takes microseconds and shows the end before the process's port is free. On other
    /// systems, this uses the exit that the child's task observed.
    pub fn is_alive(&self) -> bool {
        if self.exited.borrow().is_some() {
            return false;
        }
        #[cfg(target_os = "linux")]
        if self.identity.start != 0 {
            return self.identity.has_its_files();
        }
        true
    }
}
