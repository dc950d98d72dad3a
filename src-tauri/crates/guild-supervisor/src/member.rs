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

use crate::messages::StartTrouble;
use guild_api::wire::MemberView;
use guild_mcp_client::{SessionEvent, ToolList};
use guild_model::discovery::FoundBy;
use guild_model::manifest::Manifest;
use guild_model::protocol::{Era, ServerInfo};
use guild_model::status::StartStep;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use guild_process::{Exit, Output};
use tokio::sync::{mpsc, oneshot};

use self::lending::Lending;
pub use self::lending::Loan;
use crate::cache::ToolCache;
use crate::context::Context;
use guild_files::members_folder::MemberFolder;

/// How many commands may wait for a member.
const COMMANDS_WAITING: usize = 64;

/// A request to a member.
pub enum MemberCommand {
    /// Be up; answered when the tool list is there, or when that has failed.
    Start {
        /// Decides whether an on-demand member stays up afterwards.
        by: StartedBy,
        /// Receives the member's state after the start.
        reply: MemberReplySender<MemberView>,
    },
    /// Be down; answered when the processes are gone.
    Stop {
        /// Receives the member's state after the stop.
        reply: MemberReplySender<MemberView>,
    },
    /// Be down and up again, with all that was asked of it before: its files are others. That it
    /// failed before no longer counts. Answered when the tool list is there, or when that has failed.
    Restart {
        /// Receives the member's state after the new start.
        reply: MemberReplySender<MemberView>,
    },
    /// Read the tool list again, starting if need be; answered when it is there.
    Refresh {
        /// Receives the member's state with the new list.
        reply: MemberReplySender<MemberView>,
    },
    /// Lend the session for a call, starting if need be.
    Lend {
        /// Receives the session, or the reason that there is none.
        reply: MemberReplySender<Loan>,
    },
    /// A call found that the server answers no longer.
    Unreachable {
        /// The error of the call, which becomes the member's error.
        report: Report,
        /// The generation of the failed session. Ignored unless it is the current one.
        generation: u64,
    },
    /// The folder's content changed.
    Reconfigure(Box<MemberFolderUpdate>),
    /// A person has accepted something of it, or taken it back; `start` where it is to run then.
    Reviewed {
        /// Whether a member that becomes accepted is started.
        start: bool,
        /// Receives the member's state after the review.
        reply: oneshot::Sender<MemberView>,
    },
    /// A model has said which tools it probably has.
    Predicted {
        /// The tools and the manifest that they were predicted from.
        predicted: Box<Predicted>,
        /// Receives the member's state with the tools, or the reason that they were rejected.
        reply: MemberReplySender<MemberView>,
    },
    /// Returns what only the actor has.
    Inspect {
        /// Receives a copy of the actor's data.
        reply: oneshot::Sender<Inspection>,
    },
    /// Be down for good and take no more commands.
    Leave {
        /// The reason, which decides when it is removed from the roster.
        leaving: MemberShutdownReason,
        /// Notified when all processes have ended.
        reply: oneshot::Sender<()>,
    },
}

/// Sends the result of a command to its caller.
pub type MemberReplySender<T> = oneshot::Sender<Result<T, Report>>;

/// The origin of a request to start a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartedBy {
    /// The roster's opening: an on-demand member is stopped again when its tools are listed.
    Roster,
    /// A person: it stays up until it is stopped.
    Person,
}

/// A new look at a member's folder.
#[derive(Debug)]
pub struct MemberFolderUpdate {
    found: MemberFolder,
    /// Its cached tools, where the manifest could not be used before.
    cached: Option<list::KnownList>,
}

impl MemberFolderUpdate {
    /// A change of the manifest alone.
    pub fn of(found: MemberFolder) -> Self {
        Self {
            found,
            cached: None,
        }
    }

    /// A manifest that can be used at last: its cache is read. Blocking.
    pub(crate) fn with_cache(found: MemberFolder, context: &Context) -> Self {
        let files = ToolCache::of(&found.name, &found.folder, &context.paths);
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
pub struct Predicted {
    /// The tools as the model described them.
    pub list: ToolList,
    /// The confidence to show with the tools.
    pub found: FoundBy,
    /// Whether it is to be kept for the next start.
    pub keep: bool,
    /// The manifest that the model was asked about.
    pub of: Manifest,
}

/// Why a member leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberShutdownReason {
    /// Its folder is gone. It leaves the roster at once and stops in the background.
    Removed,
    /// The hall closes. The member stays in the roster until it has stopped.
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
        list: Result<ToolList, guild_mcp_client::McpError>,
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
pub struct Inspection {
    /// The newest scan of its folder.
    pub found: MemberFolder,
    /// The server's HTTP address. `None` while it is down or uses stdio.
    pub url: Option<String>,
    /// The connected server. `None` while it is down.
    pub server: Option<ServerInfo>,
    /// The location of its tool cache.
    pub files: ToolCache,
    /// Whether a model may be asked for its tools.
    pub may_predict: Result<(), Report>,
}

/// A member as the hall holds it.
#[derive(Debug, Clone)]
pub struct MemberHandle {
    /// The member's name, unique in the roster.
    pub name: MemberName,
    /// Its stderr, readable also while it is down.
    pub output: Output,
    commands: mpsc::Sender<MemberCommand>,
    lending: Arc<Lending>,
}

/// The other end of a handle, which becomes the member's actor.
pub struct MemberActorInit {
    output: Output,
    inbox: mpsc::Receiver<MemberCommand>,
    lending: Arc<Lending>,
}

impl MemberActorInit {
    /// Puts the member on the roster, with its cached tools. Starts no process. Blocking for as long
    /// as reading the cache takes.
    pub fn open(self, found: MemberFolder, context: Arc<Context>) {
        let member = state::MemberActor::new(found, context, self.output, self.lending);
        tokio::spawn(member.run(self.inbox));
    }
}

impl MemberHandle {
    /// Creates the handle of a member that is not open yet. Its commands wait until then.
    pub fn prepare(name: MemberName) -> (Self, MemberActorInit) {
        let (commands, inbox) = mpsc::channel(COMMANDS_WAITING);
        let handle = Self {
            name,
            output: Output::new(),
            commands,
            lending: Arc::default(),
        };
        let opening = MemberActorInit {
            output: handle.output.clone(),
            inbox,
            lending: Arc::clone(&handle.lending),
        };
        (handle, opening)
    }

    /// Sends a command and waits for its answer.
    pub async fn ask<T>(
        &self,
        command: impl FnOnce(MemberReplySender<T>) -> MemberCommand,
    ) -> Result<T, Report> {
        let (reply, answer) = oneshot::channel();
        self.commands
            .send(command(reply))
            .await
            .map_err(|_| self.gone())?;
        answer.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Sends a command that has no answer.
    pub async fn tell(&self, command: MemberCommand) {
        // A member that has left the roster needs no command.
        let _ = self.commands.send(command).await;
    }

    /// Returns what only the actor has.
    pub async fn inspect(&self) -> Result<Inspection, Report> {
        let (reply, answer) = oneshot::channel();
        let sent = self.commands.send(MemberCommand::Inspect { reply }).await;
        sent.map_err(|_| self.gone())?;
        answer.await.map_err(|_| self.gone())
    }

    /// Has the member read its review state again.
    pub async fn reviewed(&self, start: bool) -> Result<MemberView, Report> {
        let (reply, answer) = oneshot::channel();
        let sent = self
            .commands
            .send(MemberCommand::Reviewed { start, reply })
            .await;
        sent.map_err(|_| self.gone())?;
        answer.await.map_err(|_| self.gone())
    }

    /// Ends the member and everything that it runs.
    pub async fn leave(&self, leaving: MemberShutdownReason) {
        let (reply, gone) = oneshot::channel();
        if self
            .commands
            .send(MemberCommand::Leave { leaving, reply })
            .await
            .is_ok()
        {
            let _ = gone.await;
        }
    }

    fn gone(&self) -> Report {
        Report::from_error(Code::ShuttingDown, &StartTrouble::Gone).of(&self.name)
    }
}
