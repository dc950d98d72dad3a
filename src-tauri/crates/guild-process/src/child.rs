//! A child process with everything that it starts, from its start to the end of the last of them.
//!
//! A task of its own owns the process, so that its end is seen whoever is busy, and so that dropping
//! [`Child`] ends it in the same orderly way as [`Child::stop`] does. If the runtime goes away
//! first, what is left of the group is killed at once, and the rest is the guardian's.

mod exit;
mod ladder;
mod leader;
mod task;
mod trail;
mod tree;

use std::io;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};

use guild_core::container::Engine;
use process_wrap::tokio::CommandWrap;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::command::{self, CommandSpec};
use crate::custody::Charge;
use crate::custody::run::{Identity, Run};
use crate::error::ProcessError;
use crate::output::Output;

pub use exit::Exit;
pub use ladder::StopLadder;
pub use leader::Leader;

use ladder::Deadlines;
use task::Task;
use tree::Tree;

/// What becomes of the child's stdin and stdout. Its stderr always goes to the [`Output`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdioMode {
    /// Both are pipes, lent by [`Child::take_stdio`]: the protocol is spoken over them.
    Piped,
    /// There is no stdin, and stdout goes to the [`Output`] too: the protocol goes elsewhere.
    Closed,
}

/// A running child, the leader of a process group (on Windows: of a job).
///
/// When the leader ends by itself, all that it led to is ended too: the rest of its group and, on
/// Linux, whatever left the group. Dropping this value stops all with [`StopLadder::DROPPED`].
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
    /// Starts a command in its folder, with our environment and its own variables on top. The secrets of
    /// a team's members are no part of ours.
    ///
    /// Must be called within a tokio runtime. It looks for files and forks, which takes
    /// milliseconds; it may be called within `spawn_blocking`.
    ///
    /// # Errors
    /// When the program is not found or may not be run, the folder is missing, a variable can't be
    /// set, or the operating system refuses.
    pub fn spawn(
        spec: &CommandSpec,
        stdio: StdioMode,
        output: &Output,
        mut charge: Charge,
    ) -> Result<Self, ProcessError> {
        charge.begin();
        match Self::start(spec, stdio, charge.run()) {
            Ok(tree) => Ok(Self::follow(tree, stdio, output, charge)),
            Err(error) => {
                charge.has_none();
                Err(error)
            }
        }
    }

    fn start(spec: &CommandSpec, stdio: StdioMode, run: Run) -> Result<Tree, ProcessError> {
        spec.check_env()?;
        if !spec.cwd.is_dir() {
            return Err(ProcessError::NoWorkingDirectory(spec.cwd.clone()));
        }
        let program = command::resolve(&spec.program, &spec.cwd, spec.search_path().as_deref())?;
        let command = CommandWrap::with_new(&program, |command| {
            command::hand_on(command.as_std_mut());
            command
                .args(&spec.args)
                .envs(spec.env.iter().map(|(name, value)| (name, value)))
                .env(Run::VARIABLE, run.to_string())
                .current_dir(&spec.cwd)
                .stdin(match stdio {
                    StdioMode::Piped => Stdio::piped(),
                    StdioMode::Closed => Stdio::null(),
                })
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        Tree::spawn(command, run).map_err(|source| match source.kind() {
            // The program itself was there a moment ago.
            io::ErrorKind::NotFound if program.exists() => {
                ProcessError::InterpreterMissing(program.clone())
            }
            _ => ProcessError::SpawnFailed {
                program: program.clone(),
                source,
            },
        })
    }

    fn follow(mut tree: Tree, stdio: StdioMode, output: &Output, charge: Charge) -> Self {
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
        let engine = charge.engine();
        let (orders, ordered) = watch::channel(None);
        let (exit, exited) = watch::channel(None);
        let (end, gone) = watch::channel(false);
        tokio::spawn(Task::new(tree, charge, leader, ordered, readers, exit, end).run());
        Self {
            leader,
            engine,
            pipes: Mutex::new(pipes),
            orders,
            exited,
            gone,
        }
    }

    /// The leader's process id, which on Unix is its group's id too.
    pub fn pid(&self) -> u32 {
        self.leader.pid
    }

    /// The container engine whose program it is, where it was started for a container.
    pub fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// Whoever has to know whether the leader lives, and not to wait for its end.
    pub fn leader(&self) -> Leader {
        Leader::new(self.leader, self.exited())
    }

    /// Lends the child's stdout and stdin, once, if it was started with [`StdioMode::Piped`].
    /// Dropping them closes them.
    pub fn take_stdio(&self) -> Option<(ChildStdout, ChildStdin)> {
        self.pipes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// How the leader ended, as soon as it has: `None` until then. What it wrote before is in the
    /// [`Output`] by then; others of its group may still be about to be ended.
    pub fn exited(&self) -> watch::Receiver<Option<Exit>> {
        self.exited.clone()
    }

    /// Waits for the leader's end. May be dropped and called again.
    pub async fn wait_exit(&self) -> Exit {
        let mut exited = self.exited.clone();
        match exited.wait_for(Option::is_some).await {
            Ok(exit) => exit.unwrap_or(Exit::UNSEEN),
            // The runtime is closing and took the task away.
            Err(_) => Exit::UNSEEN,
        }
    }

    /// Ends the whole group, step by step, and waits until all of it is gone or the last limit has
    /// passed. The caller has closed the child's stdin; pipes that were never taken are closed here.
    ///
    /// It may be called several times, also at once: of two ladders the sooner step counts. If the
    /// future is dropped, the stop goes on.
    pub async fn stop(&self, ladder: StopLadder) -> Exit {
        drop(self.take_stdio());
        let wanted = ladder.from(Instant::now());
        self.orders.send_modify(|orders| {
            *orders = Some(orders.map_or(wanted, |known| known.sooner(wanted)));
        });
        let mut gone = self.gone.clone();
        // An error means that the task was taken away with its runtime, and the group with it.
        let _ = gone.wait_for(|gone| *gone).await;
        self.wait_exit().await
    }
}
