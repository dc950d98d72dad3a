//! One member: an actor that owns its process, its session and its tool list.
//!
//! The handle sends commands; the loop decides and the methods do. The loop never awaits slow
//! work: starting, listing and stopping run in tasks that the actor's state owns, and come back
//! as [`Happening`]s. So one member's slowness delays no other, and dropping the state ends it all.

mod identity;
mod ladder;
mod launch;
mod lending;
mod list;
mod overtime;
mod state;

use std::net::IpAddr;
use std::sync::Arc;

use guild_core::ladder::FoundBy;
use guild_core::manifest::Manifest;
use guild_core::note::StartTrouble;
use guild_core::protocol::{Era, ServerInfo};
use guild_core::status::StartStep;
use guild_core::tool::ToolSpec;
use guild_core::wire::MemberView;
use guild_core::{Code, MemberName, Report};
use guild_mcp::{SessionEvent, ToolList};
use guild_process::{Exit, Output};
use tokio::sync::{mpsc, oneshot};

use self::lending::Lending;
pub(crate) use self::lending::Loan;
use crate::cache::CacheFiles;
use crate::context::Context;
use crate::members_folder::MemberFolder;

/// How many commands may wait for a member.
const COMMANDS_WAITING: usize = 64;

/// A request to a member.
pub(crate) enum Command {
    /// Be up; answered when the tool list is there, or when that has failed.
    Start {
        by: StartedBy,
        reply: Reply<MemberView>,
    },
    /// Be down; answered when the processes are gone.
    Stop { reply: Reply<MemberView> },
    /// Be down and up again, with all that was asked of it before: its files are others. That it
    /// failed before no longer counts. Answered when the tool list is there, or when that has failed.
    Restart { reply: Reply<MemberView> },
    /// Read the tool list again, starting if need be; answered when it is there.
    Refresh { reply: Reply<MemberView> },
    /// Lend the session for a call, starting if need be.
    Lend { reply: Reply<Loan> },
    /// A call found that the server answers no longer.
    Unreachable { report: Report, generation: u64 },
    /// The folder's content changed.
    Reconfigure(Box<Change>),
    /// A person has accepted something of it, or taken it back; `start` where it is to run then.
    Reviewed {
        start: bool,
        reply: oneshot::Sender<MemberView>,
    },
    /// A model has said which tools it probably has.
    Predicted {
        predicted: Box<Predicted>,
        reply: Reply<MemberView>,
    },
    /// Returns what only the actor has.
    Inspect { reply: oneshot::Sender<Inspection> },
    /// Be down for good and take no more commands.
    Leave {
        leaving: Leaving,
        reply: oneshot::Sender<()>,
    },
}

pub(crate) type Reply<T> = oneshot::Sender<Result<T, Report>>;

/// The origin of a request to start a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartedBy {
    /// The roster's opening: an on-demand member is stopped again when its tools are listed.
    Roster,
    /// A person: it stays up until it is stopped.
    Person,
}

/// A new look at a member's folder.
#[derive(Debug)]
pub(crate) struct Change {
    found: MemberFolder,
    /// Its cached tools, where the manifest could not be used before.
    cached: Option<list::KnownList>,
}

impl Change {
    /// A change of the manifest alone.
    pub(crate) fn of(found: MemberFolder) -> Self {
        Self {
            found,
            cached: None,
        }
    }

    /// A manifest that can be used at last: its cache is read. Blocking.
    pub(crate) fn with_cache(found: MemberFolder, context: &Context) -> Self {
        let files = CacheFiles::of(&found.name, &found.folder, &context.paths);
        let manifest = found.parsed.manifest.as_ref().ok();
        let cached = manifest.map(|manifest| list::KnownList::from_cache(&files, manifest));
        if let Some(list) = &cached {
            let changes = context.reviews.standing(&found.name, manifest).changes;
            let tools = list.tools.tools().iter().map(|tool| &tool.spec);
            context.reviews.make_ready(&found.name, changes, tools);
        }
        Self { found, cached }
    }
}

/// A tool list that a model predicted.
#[derive(Debug)]
pub(crate) struct Predicted {
    pub(crate) list: ToolList,
    pub(crate) found: FoundBy,
    /// Whether it is to be kept for the next start.
    pub(crate) keep: bool,
    /// The manifest that the model was asked about.
    pub(crate) of: Manifest,
}

/// Why a member leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// Its folder is gone: it is off the roster at once, and ends out of sight.
    Removed,
    /// The hall closes: it stays to be seen until it is down.
    Closing,
}

/// A message from one of the tasks that the actor owns.
enum Happening {
    /// A launch has a process now.
    Spawned { pid: u32, port: Option<u16> },
    /// A launch waits for something else than its server, or does so no more.
    Step(Option<StartStep>),
    /// How the server is to be opened from now on.
    OpensWith(Era),
    /// A launch has ended.
    Launched(Result<Box<launch::Launched>, launch::LaunchFailure>),
    /// The other ways to find its tools are done.
    Ascended(Box<ladder::Ascended>),
    /// The process of this generation ended.
    Exited { generation: u64, exit: Exit },
    /// The session of this generation said something.
    Said {
        generation: u64,
        event: SessionEvent,
    },
    /// A tool list was read, or not.
    Listed {
        generation: u64,
        list: Result<ToolList, guild_mcp::McpError>,
        /// Its prompts and resources, where changes of them are held back and they could be read.
        offers: Option<Vec<ToolSpec>>,
        exposed: Option<IpAddr>,
    },
    /// Its prompts and resources were read, or not, where changes of them are not held back.
    Offered {
        generation: u64,
        offers: Option<Vec<ToolSpec>>,
    },
    /// Another program answers on the port of this generation.
    Usurped { generation: u64, report: Report },
    /// A cache was written, or not.
    Kept(Result<(), Report>),
    /// All processes of the member have ended.
    Stopped,
}

/// The parts of a member that are not in the index.
#[derive(Debug, Clone)]
pub(crate) struct Inspection {
    pub(crate) found: MemberFolder,
    pub(crate) url: Option<String>,
    pub(crate) server: Option<ServerInfo>,
    pub(crate) files: CacheFiles,
    /// Whether a model may be asked for its tools.
    pub(crate) may_predict: Result<(), Report>,
}

/// A member as the hall holds it.
#[derive(Debug, Clone)]
pub(crate) struct MemberHandle {
    pub(crate) name: MemberName,
    /// Its stderr, readable also while it is down.
    pub(crate) output: Output,
    commands: mpsc::Sender<Command>,
    lending: Arc<Lending>,
}

/// The other end of a handle, which becomes the member's actor.
pub(crate) struct Opening {
    output: Output,
    inbox: mpsc::Receiver<Command>,
    lending: Arc<Lending>,
}

impl Opening {
    /// Puts the member on the roster, with its cached tools. Starts no process. Blocking for as long
    /// as reading the cache takes.
    pub(crate) fn open(self, found: MemberFolder, context: Arc<Context>) {
        let member = state::Member::new(found, context, self.output, self.lending);
        tokio::spawn(member.run(self.inbox));
    }
}

impl MemberHandle {
    /// Creates the handle of a member that is not open yet. Its commands wait until then.
    pub(crate) fn prepare(name: MemberName) -> (Self, Opening) {
        let (commands, inbox) = mpsc::channel(COMMANDS_WAITING);
        let handle = Self {
            name,
            output: Output::new(),
            commands,
            lending: Arc::default(),
        };
        let opening = Opening {
            output: handle.output.clone(),
            inbox,
            lending: Arc::clone(&handle.lending),
        };
        (handle, opening)
    }

    /// Sends a command and waits for its answer.
    pub(crate) async fn ask<T>(
        &self,
        command: impl FnOnce(Reply<T>) -> Command,
    ) -> Result<T, Report> {
        let (reply, answer) = oneshot::channel();
        self.commands
            .send(command(reply))
            .await
            .map_err(|_| self.gone())?;
        answer.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Sends a command that has no answer.
    pub(crate) async fn tell(&self, command: Command) {
        // A member that has left the roster needs no command.
        let _ = self.commands.send(command).await;
    }

    /// Returns what only the actor has.
    pub(crate) async fn inspect(&self) -> Result<Inspection, Report> {
        let (reply, answer) = oneshot::channel();
        let sent = self.commands.send(Command::Inspect { reply }).await;
        sent.map_err(|_| self.gone())?;
        answer.await.map_err(|_| self.gone())
    }

    /// Has the member read its review state again.
    pub(crate) async fn reviewed(&self, start: bool) -> Result<MemberView, Report> {
        let (reply, answer) = oneshot::channel();
        let sent = self.commands.send(Command::Reviewed { start, reply }).await;
        sent.map_err(|_| self.gone())?;
        answer.await.map_err(|_| self.gone())
    }

    /// Ends the member and everything that it runs.
    pub(crate) async fn leave(&self, leaving: Leaving) {
        let (reply, gone) = oneshot::channel();
        if self
            .commands
            .send(Command::Leave { leaving, reply })
            .await
            .is_ok()
        {
            let _ = gone.await;
        }
    }

    /// Lends the session without a trip to the actor, where the member is up and may have one
    /// more call; else it is asked with [`Command::Lend`].
    pub(crate) fn borrow_now(&self) -> Option<Loan> {
        self.lending.lend()
    }

    fn gone(&self) -> Report {
        Report::from_error(Code::ShuttingDown, &StartTrouble::Gone).of(&self.name)
    }
}
