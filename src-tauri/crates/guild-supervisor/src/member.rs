//! One member: an actor that owns its process, its session and its tool list.
//!
//! [`MemberHandle`] sends commands to the actor's loop. The loop never awaits slow work: starting,
//! listing and stopping run in tasks that the actor's state owns, and report back with
//! [`ActorEvent`]s. So a slow member delays no other, and dropping the state ends all its tasks.

mod discovery;
mod identity;
mod launch;
mod list;
mod session_slot;
mod start_deadline;
mod state;

use std::net::IpAddr;
use std::sync::Arc;

use crate::messages::StartError;
use guild_api::wire::MemberView;
use guild_mcp_client::{SessionEvent, ToolList};
use guild_model::discovery::FoundBy;
use guild_model::manifest::{Manifest, Transport};
use guild_model::protocol::{Era, ServerInfo};
use guild_model::status::StartStep;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use guild_process::{Exit, Output};
use tokio::sync::{mpsc, oneshot};

pub use self::session_slot::SessionLease;
use self::session_slot::SessionSlot;
use crate::cache::ToolCache;
use crate::context::Context;
use guild_files::members_folder::MemberFolder;

/// Maximum number of commands that wait for a member's actor.
const COMMANDS_WAITING: usize = 64;

/// A command to a member's actor.
pub enum MemberCommand {
    /// Starts the member. Replies when its tools were listed, or when that has failed.
    Start {
        /// Decides whether an on-demand member stays up afterwards.
        by: StartedBy,
        /// Receives the member's state after the start.
        reply: MemberReplySender<MemberView>,
    },
    /// Stops the member. Replies when its processes have ended.
    Stop {
        /// Receives the member's state after the stop.
        reply: MemberReplySender<MemberView>,
    },
    /// Restarts the member, because its files changed. Waiting callers wait for the new start, and
    /// earlier failures no longer count. Replies when the tools were listed, or when that has
    /// failed.
    Restart {
        /// Receives the member's state after the new start.
        reply: MemberReplySender<MemberView>,
    },
    /// Lists the tools again, and starts the member if needed. Replies with the new list.
    Refresh {
        /// Receives the member's state with the new list.
        reply: MemberReplySender<MemberView>,
    },
    /// Leases the session for a call, and starts the member if needed.
    Lease {
        /// Receives the session, or the reason why the call gets none.
        reply: MemberReplySender<SessionLease>,
    },
    /// A call failed because the server no longer answers.
    Unreachable {
        /// The error of the call, which becomes the member's error.
        report: Report,
        /// The generation of the failed session: a number that grows with each start and stop. The
        /// command is ignored if a newer generation has begun.
        generation: u64,
    },
    /// The folder's content changed.
    Reconfigure(Box<MemberFolderUpdate>),
    /// A person approved something of the member, or withdrew an approval.
    Reviewed {
        /// Whether a member that becomes approved is started.
        start: bool,
        /// Receives the member's state after the review.
        reply: MemberReplySender<MemberView>,
    },
    /// A model predicted the member's tools.
    Predicted {
        /// The tools and the manifest that they were predicted from.
        predicted: Box<Predicted>,
        /// Receives the member's state with the tools, or the reason that they were rejected.
        reply: MemberReplySender<MemberView>,
    },
    /// Returns the data that only the actor has.
    Inspect {
        /// Receives a copy of the actor's data.
        reply: MemberReplySender<Inspection>,
    },
    /// Stops the member and ends its actor. Later commands fail.
    Leave {
        /// The reason, which decides when the member is removed from the roster.
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
    /// Guild Hall itself. An on-demand member is stopped again when its tools are listed.
    Roster,
    /// A person. The member stays up until it is stopped.
    Person,
}

/// The result of a new scan of a member's folder.
#[derive(Debug)]
pub struct MemberFolderUpdate {
    found: MemberFolder,
    /// The cached tools. They are read only if the member had no usable manifest until this scan.
    cached: Option<list::KnownList>,
}

impl MemberFolderUpdate {
    /// Creates an update without cached tools.
    pub fn of(found: MemberFolder) -> Self {
        Self {
            found,
            cached: None,
        }
    }

    /// Creates the update for a manifest that could not be used before. Reads the member's cached
    /// tool list. Blocking.
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
    /// Whether the tools are saved for the next start.
    pub keep: bool,
    /// The manifest from which the request to the model was made.
    pub of: Manifest,
}

/// The reason why a member leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberShutdownReason {
    /// The folder is gone. The member leaves the roster at once and stops in the background.
    Removed,
    /// Guild Hall closes. The member stays in the roster until it has stopped.
    Closing,
}

/// A message from one of the tasks that the actor owns.
enum ActorEvent {
    /// A launch has started its process.
    Spawned { pid: u32, port: Option<u16> },
    /// A launch waits for something other than its server, such as a download. `None` when this
    /// wait has ended.
    Step(Option<StartStep>),
    /// The protocol era for opening sessions from now on.
    OpensWith(Era),
    /// A launch has ended.
    Launched(Result<Box<launch::Launched>, launch::LaunchFailure>),
    /// The fallback discovery of the tools has finished.
    Discovered(Box<discovery::DiscoveryOutcome>),
    /// The process of this generation ended.
    Exited { generation: u64, exit: Exit },
    /// The session of this generation reported an event.
    FromSession {
        generation: u64,
        event: SessionEvent,
    },
    /// Listing the tools has finished, or failed.
    Listed {
        generation: u64,
        list: Result<ToolList, guild_mcp_client::McpError>,
        /// The prompts and resources, if changes are withheld until a review and the lists could be
        /// read.
        offers: Option<Vec<ToolSpec>>,
        exposed: Option<IpAddr>,
    },
    /// Reading the prompts and resources has finished, or failed. Only sent if changes of the
    /// member need no review.
    OffersRead {
        generation: u64,
        offers: Option<Vec<ToolSpec>>,
    },
    /// Another program answers on the port of this generation.
    PortTaken { generation: u64, report: Report },
    /// A cache was written, or writing it failed.
    CacheWritten(Result<(), Report>),
    /// All processes of the member have ended.
    Stopped,
}

/// A member's data beyond what the roster contains.
#[derive(Debug, Clone)]
pub struct Inspection {
    /// The newest scan of the member's folder.
    pub found: MemberFolder,
    /// The transport in use, or the manifest's transport while the server is down.
    pub transport: Option<Transport>,
    /// The server's HTTP address. `None` while it is down or uses stdio.
    pub url: Option<String>,
    /// The connected server. `None` while it is down.
    pub server: Option<ServerInfo>,
    /// The location of the member's tool cache.
    pub files: ToolCache,
    /// `Ok` if a model may be asked for the member's tools. The error is the reason why not.
    pub may_predict: Result<(), Report>,
}

/// A handle that sends commands to a member's actor.
#[derive(Debug, Clone)]
pub struct MemberHandle {
    /// The member's name, unique in the roster.
    pub name: MemberName,
    /// The member's stderr, which stays readable while the member is down.
    pub output: Output,
    commands: mpsc::Sender<MemberCommand>,
    slot: Arc<SessionSlot>,
}

/// The receiving end of a handle, which becomes the member's actor.
pub struct MemberActorInit {
    output: Output,
    inbox: mpsc::Receiver<MemberCommand>,
    slot: Arc<SessionSlot>,
}

impl MemberActorInit {
    /// Adds the member to the roster, with its cached tools. Starts no process. Blocks while the
    /// cache is read.
    pub fn open(self, found: MemberFolder, context: Arc<Context>) {
        let member = state::MemberActor::new(found, context, self.output, self.slot);
        tokio::spawn(member.run(self.inbox));
    }
}

impl MemberHandle {
    /// Creates the handle of a member before its actor runs. Commands are queued until then.
    pub fn prepare(name: MemberName) -> (Self, MemberActorInit) {
        let (commands, inbox) = mpsc::channel(COMMANDS_WAITING);
        let handle = Self {
            name,
            output: Output::new(),
            commands,
            slot: Arc::default(),
        };
        let opening = MemberActorInit {
            output: handle.output.clone(),
            inbox,
            slot: Arc::clone(&handle.slot),
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
        // Sending fails only if the member has left the roster. Then it needs no command.
        let _ = self.commands.send(command).await;
    }

    /// Returns the data that only the actor has.
    pub async fn inspect(&self) -> Result<Inspection, Report> {
        self.ask(|reply| MemberCommand::Inspect { reply }).await
    }

    /// Makes the member read its review state again. With `start`, a member that becomes approved
    /// is started.
    pub async fn reviewed(&self, start: bool) -> Result<MemberView, Report> {
        self.ask(|reply| MemberCommand::Reviewed { start, reply })
            .await
    }

    /// Ends the member and all its processes.
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
        Report::from_error(Code::ShuttingDown, &StartError::Gone).of(&self.name)
    }
}
