//! The actor's private state, and its event loop.

mod discovery;
mod offers;
mod publish;
mod refresh;
mod review;
mod start;
mod stop;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::StartError;
use guild_api::wire::MemberView;
use guild_mcp_client::Session;
use guild_model::manifest::Manifest;
use guild_model::protocol::{Era, ServerInfo};
use guild_model::status::{StartStep, Status};
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use guild_process::{Output, Restart};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use self::discovery::FallbackDiscovery;
use super::launch::{self, Home, Process};
use super::list::KnownList;
use super::session_slot::SessionSlot;
use super::{
    ActorEvent, COMMANDS_WAITING, MemberCommand, MemberFolderUpdate, MemberReplySender,
    MemberShutdownReason, SessionLease, StartedBy,
};
use crate::cache::{Latest, ToolCache};
use crate::context::Context;
use crate::reviews::ReviewState;
use guild_files::clock::now_ms;
use guild_files::members_folder::MemberFolder;
use guild_roster::ReviewMarks;

/// Maximum number of waiting callers of each kind.
const WAITERS_MAX: usize = 256;

/// The phase of a member, with the tasks and processes that it owns.
pub(super) enum MemberPhase {
    Down,
    /// The start is retried at this time.
    Backoff(Instant),
    Starting {
        cancel: CancellationToken,
        /// Cancelled as soon as a caller needs the member.
        hurry: CancellationToken,
        _task: AbortOnDropHandle<()>,
    },
    Up(Box<Up>),
    Stopping {
        _task: AbortOnDropHandle<()>,
    },
    /// The member is stopped, and fallback discovery searches for its tools.
    Discovering {
        cancel: CancellationToken,
        _task: AbortOnDropHandle<()>,
    },
}

/// A member that has started.
pub(super) struct Up {
    pub(super) session: Arc<Session>,
    process: Option<Process>,
    /// The address at which the member's own process listens. `None` without HTTP.
    home: Option<Home>,
    /// Whether the session has no handshake.
    bare: bool,
    /// The protocol era for opening the next session.
    opens_next: Option<Era>,
    pub(super) server: ServerInfo,
    /// Cancelled when the process or the connection is gone, which ends the running calls.
    pub(super) gone: CancellationToken,
    /// Whether the list has been read since the start.
    pub(super) listed: bool,
    /// Whether the last request for the list failed.
    pub(super) unread: bool,
    pub(super) listing: Option<AbortOnDropHandle<()>>,
    /// The task that is reading prompts and resources, if they are not read with the tools.
    pub(super) offering: Option<AbortOnDropHandle<()>>,
    /// Whether prompts or resources changed while they were being read.
    pub(super) offer_again: bool,
    /// Whether the list changed while it was being read.
    pub(super) list_again: bool,
    /// The wait between the server's change notification and listing the tools again.
    settles: Duration,
    /// The time of the next listing after a change notification.
    pub(super) relist_at: Option<Instant>,
    /// Whether the resources changed, and whether the prompts changed, since the last event.
    pub(super) offers: (bool, bool),
    /// When the changes in `offers` are published.
    pub(super) publish_offers_at: Option<Instant>,
    /// When a broken connection counts as a failure, unless the process ends first.
    broken_at: Option<Instant>,
    /// The time at which an idle on-demand member is stopped, if it has served a call.
    idle_at: Option<Instant>,
    _watchers: Vec<AbortOnDropHandle<()>>,
}

/// The next step of the actor once all processes of the member have ended.
enum AfterStop {
    Rest,
    Start,
    /// Handle a failure. If `crashed`, the failure counts towards the crash loop.
    Fail {
        crashed: bool,
    },
}

pub(super) struct MemberActor {
    pub(super) name: MemberName,
    pub(super) found: MemberFolder,
    /// The found manifest, shared with the roster.
    manifest: Option<Arc<Manifest>>,
    pub(super) context: Arc<Context>,
    pub(super) output: Output,
    pub(super) files: ToolCache,
    pub(super) to_keep: Arc<Latest>,
    pub(super) phase: MemberPhase,
    pub(super) list: KnownList,
    /// The approval of the launch, and the handling of changes of the tools.
    standing: ReviewState,
    /// The tools that agents do not get, because a person has not approved them.
    withheld: Arc<ReviewMarks>,
    /// The prompts, resources and templates. `None` if they are unknown.
    offers: Option<Arc<Vec<ToolSpec>>>,
    pub(super) slot: Arc<SessionSlot>,
    /// When the actor last checked the running calls.
    looked_at: Option<Instant>,
    /// When the actor checks the running calls next, if a check is planned.
    look_at: Option<Instant>,
    pub(super) generation: u64,
    pub(super) events: mpsc::Sender<ActorEvent>,
    received_events: mpsc::Receiver<ActorEvent>,
    restart: Restart,
    born: Instant,
    status: Status,
    since_ms: u64,
    step: Option<StartStep>,
    pub(super) error: Option<Report>,
    attempt: u32,
    retry_at_ms: Option<u64>,
    pid: Option<u32>,
    pub(super) port: Option<u16>,
    /// Warnings about the running process.
    pub(super) warnings: Vec<Report>,
    /// Lines on stdout that were not protocol messages.
    pub(super) noise: u64,
    then: AfterStop,
    /// When fallback discovery runs after a failed start.
    fallback: FallbackDiscovery,
    /// Whether the member started, but did not list its tools.
    unlisted: bool,
    /// Whether the current start is the second attempt after a start that ran out of time. The
    /// second attempt runs while no other member is starting.
    second_try: bool,
    /// Whether a person wants the member up, so that it is not stopped when idle.
    held: bool,
    pub(super) starts: VecDeque<MemberReplySender<MemberView>>,
    leases: VecDeque<MemberReplySender<SessionLease>>,
    stops: VecDeque<MemberReplySender<MemberView>>,
    leaving: Option<(MemberShutdownReason, oneshot::Sender<()>)>,
    _log: AbortOnDropHandle<()>,
}

impl MemberActor {
    pub(super) fn new(
        found: MemberFolder,
        context: Arc<Context>,
        output: Output,
        slot: Arc<SessionSlot>,
    ) -> Self {
        let (events, received_events) = mpsc::channel(COMMANDS_WAITING);
        let name = found.name.clone();
        let files = ToolCache::of(&name, &found.folder, &context.paths);
        let log = Arc::clone(&context.logs).follow(name.clone(), output.clone());
        let mut member = Self {
            manifest: manifest_of(&found),
            files,
            to_keep: Arc::default(),
            phase: MemberPhase::Down,
            list: KnownList::default(),
            standing: context.reviews.standing(&name, None),
            withheld: Arc::default(),
            offers: None,
            slot,
            looked_at: None,
            look_at: None,
            generation: 0,
            events,
            received_events,
            restart: context.restart.clone(),
            born: Instant::now(),
            status: Status::Stopped,
            since_ms: now_ms(),
            step: None,
            error: None,
            attempt: 0,
            retry_at_ms: None,
            pid: None,
            port: None,
            warnings: vec![],
            noise: 0,
            then: AfterStop::Rest,
            fallback: FallbackDiscovery::Due,
            unlisted: false,
            second_try: false,
            held: false,
            starts: VecDeque::new(),
            leases: VecDeque::new(),
            stops: VecDeque::new(),
            leaving: None,
            _log: AbortOnDropHandle::new(tokio::spawn(log)),
            name,
            found,
            context,
            output,
        };
        if let Ok(manifest) = &member.found.parsed.manifest {
            member.list = KnownList::from_cache(&member.files, manifest);
            member.fallback = FallbackDiscovery::for_list(&member.list);
        }
        member.judge_at_first();
        member.rest();
        member
    }

    /// Runs the actor's loop until the member has left the roster.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<MemberCommand>) {
        let mut open = true;
        loop {
            let deadline = self.deadline();
            let timer = async {
                match deadline {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let slot = Arc::clone(&self.slot);
            tokio::select! {
                command = inbox.recv(), if open => match command {
                    Some(command) => self.on_command(command),
                    // All handles of the member were dropped, so it leaves.
                    None => {
                        open = false;
                        if self.leaving.is_none() {
                            let reply = oneshot::channel().0;
                            self.on_command(MemberCommand::Leave { leaving: MemberShutdownReason::Closing, reply });
                        }
                    }
                },
                Some(event) = self.received_events.recv() => self.on_event(event),
                () = slot.first_change() => self.plan_look(Instant::now()),
                () = timer => self.time_passed(Instant::now()),
            }
            if self.leaving.is_some() && matches!(self.phase, MemberPhase::Down) {
                break;
            }
        }
        if let Some((_, reply)) = self.leaving.take() {
            let _ = reply.send(());
        }
    }

    fn on_command(&mut self, command: MemberCommand) {
        match command {
            MemberCommand::Start { by, reply } => {
                self.held |= by == StartedBy::Person;
                self.start_for(reply, StartGoal::Up);
                if by == StartedBy::Person {
                    self.hurry();
                }
            }
            MemberCommand::Restart { reply } => self.restart_for(reply),
            MemberCommand::Refresh { reply } => {
                self.fallback = FallbackDiscovery::Requested;
                self.start_for(reply, StartGoal::NewList);
            }
            MemberCommand::Lease { reply } => self.lease(reply),
            MemberCommand::Stop { reply } => self.stop_for(reply),
            MemberCommand::Unreachable { report, generation } if generation == self.generation => {
                self.fail_up(report, true);
            }
            MemberCommand::Unreachable { .. } => {}
            // A member that is leaving ignores changes of its folder.
            MemberCommand::Reconfigure(_) if self.leaving.is_some() => {}
            MemberCommand::Reconfigure(change) => self.reconfigure(*change),
            MemberCommand::Reviewed { start, reply } => {
                self.reviewed(start);
                let _ = reply.send(Ok(self.view()));
            }
            MemberCommand::Predicted { predicted, reply } => {
                let _ = reply.send(self.predicted(*predicted));
            }
            MemberCommand::Inspect { reply } => {
                let _ = reply.send(Ok(self.inspection()));
            }
            MemberCommand::Leave { leaving, reply } => {
                self.leaving = Some((leaving, reply));
                if leaving == MemberShutdownReason::Removed {
                    self.context.roster.remove(&self.name);
                }
                self.stop(AfterStop::Rest);
            }
        }
    }

    fn on_event(&mut self, event: ActorEvent) {
        match event {
            ActorEvent::Spawned { pid, port } => {
                self.pid = Some(pid);
                self.port = port;
                self.publish();
            }
            ActorEvent::Step(step) => self.step_taken(step),
            ActorEvent::OpensWith(era) => self.list.found_out(era),
            ActorEvent::Launched(Ok(launched)) => self.came_up(*launched),
            ActorEvent::Launched(Err(failure)) => self.did_not_come_up(failure),
            ActorEvent::Discovered(outcome) => self.discovered(*outcome),
            ActorEvent::Exited { generation, exit } if generation == self.generation => {
                let report = launch::exit_report(&self.name, &exit, &self.output);
                self.fail_up(report, true);
            }
            ActorEvent::FromSession { generation, event } if generation == self.generation => {
                self.on_session_event(event);
            }
            ActorEvent::Listed {
                generation,
                list,
                offers,
                exposed,
            } if generation == self.generation => {
                self.listed(list, offers, exposed);
            }
            ActorEvent::OffersRead { generation, offers } if generation == self.generation => {
                self.offered(offers);
            }
            ActorEvent::PortTaken { generation, report } if generation == self.generation => {
                self.fail_up(report.of(&self.name), true);
            }
            // Events of an earlier generation change nothing.
            ActorEvent::Exited { .. }
            | ActorEvent::FromSession { .. }
            | ActorEvent::Listed { .. }
            | ActorEvent::OffersRead { .. }
            | ActorEvent::PortTaken { .. } => {}
            ActorEvent::CacheWritten(kept) => {
                self.list.kept(kept);
                self.publish();
            }
            ActorEvent::Stopped => self.stopped(),
        }
    }

    /// Returns the time of the next scheduled action.
    fn deadline(&self) -> Option<Instant> {
        let of_phase = match &self.phase {
            MemberPhase::Backoff(at) => Some(*at),
            MemberPhase::Up(up) => [up.relist_at, up.publish_offers_at, up.broken_at, up.idle_at]
                .into_iter()
                .flatten()
                .min(),
            MemberPhase::Down
            | MemberPhase::Starting { .. }
            | MemberPhase::Stopping { .. }
            | MemberPhase::Discovering { .. } => None,
        };
        [of_phase, self.look_at].into_iter().flatten().min()
    }

    fn time_passed(&mut self, now: Instant) {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if due(self.look_at) {
            self.look_at_calls(now);
            return;
        }
        match &mut self.phase {
            MemberPhase::Backoff(at) if *at <= now => self.begin_start(),
            MemberPhase::Up(up) if due(up.broken_at) => {
                let report = Report::from_error(Code::ConnectionFailed, &StartError::Broken);
                self.fail_up(report.of(&self.name), true);
            }
            MemberPhase::Up(up) if due(up.relist_at) => {
                up.relist_at = None;
                self.begin_list();
            }
            MemberPhase::Up(up) if due(up.publish_offers_at) => self.publish_offers(),
            MemberPhase::Up(up) if due(up.idle_at) => {
                if self.slot.has_changed() {
                    // A call began and ended since the last check.
                    self.look_at_calls(now);
                } else if self.is_needed() || !self.slot.close_if_idle() {
                    self.stop_if_idle();
                } else {
                    self.stop(AfterStop::Rest);
                }
            }
            _ => {}
        }
    }

    fn reconfigure(&mut self, MemberFolderUpdate { found, cached }: MemberFolderUpdate) {
        if found == self.found {
            return;
        }
        let old = std::mem::replace(&mut self.found, found);
        let was_unreviewed = self.standing.is_unreviewed();
        self.manifest = manifest_of(&self.found);
        self.files = ToolCache::of(&self.name, &self.found.folder, &self.context.paths);
        self.restart.reset();
        self.attempt = 0;
        self.judge();
        let Ok(new) = &self.found.parsed.manifest else {
            self.stop(AfterStop::Rest);
            return;
        };
        let Ok(old_manifest) = &old.parsed.manifest else {
            let then = if new.enabled {
                AfterStop::Start
            } else {
                AfterStop::Rest
            };
            self.list = cached.unwrap_or_default();
            self.fallback = FallbackDiscovery::for_list(&self.list);
            self.stop(then);
            self.judge();
            self.publish();
            return;
        };
        let runs_otherwise = new.launch != old_manifest.launch
            || new.transport != old_manifest.transport
            || new.protocol_version != old_manifest.protocol_version
            || self.found.folder != old.folder;
        if runs_otherwise || new.version != old_manifest.version {
            self.fallback = FallbackDiscovery::Due;
            self.list.outdate();
        }
        if !new.enabled || self.standing.is_unreviewed() {
            self.stop(AfterStop::Rest);
        } else if runs_otherwise || !old_manifest.enabled || was_unreviewed {
            self.stop(AfterStop::Start);
        } else if new.version != old_manifest.version && matches!(self.phase, MemberPhase::Up(_)) {
            self.begin_list();
        } else {
            self.stop_if_idle();
        }
        self.publish();
    }
}

/// Returns the manifest of a folder. `None` if it can't be used.
fn manifest_of(found: &MemberFolder) -> Option<Arc<Manifest>> {
    let manifest = found.parsed.manifest.as_ref().ok()?;
    Some(Arc::new(manifest.clone()))
}

/// The state that the caller of a start waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StartGoal {
    /// The member is up, and its tools were listed since the start.
    Up,
    /// The tools were listed after the request.
    NewList,
}

#[cfg(test)]
mod tests;
