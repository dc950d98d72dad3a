//! The actor's private state: what it owns, and the loop that decides.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use guild_core::manifest::{Lifecycle, Manifest, RestartPolicy};
use guild_core::protocol::ServerInfo;
use guild_core::status::Status;
use guild_core::wire::MemberView;
use guild_core::{Code, MemberName, Report};
use guild_mcp::Session;
use guild_process::{Next, Output, Restart};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::launch::{self, LADDER, LADDER_HTTP, LaunchFailure, Launched, Plan, Process};
use super::list::KnownList;
use super::{
    CALLS_MAX, COMMANDS_WAITING, Calls, Command, Happening, Inspection, Leaving, Loan, Reply,
    StartedBy,
};
use crate::cache::{CacheFiles, now_ms};
use crate::context::Context;
use crate::discovery::Found;
use crate::index::Entry;

/// How long an on-demand member stays up after its last call.
pub(super) const IDLE_LINGER: Duration = Duration::from_secs(30);
/// How long a server may take to say goodbye.
const CLOSE_LIMIT: Duration = Duration::from_millis(500);
/// How long a process may take to end after its connection has broken.
const EXIT_AFTER_CLOSE: Duration = Duration::from_millis(500);
/// How many waiters of one kind a member keeps.
const WAITERS_MAX: usize = 256;

/// What the member is doing, with what that owns.
pub(super) enum Phase {
    Down,
    /// Tried again when the moment comes.
    Backoff(Instant),
    Starting {
        cancel: CancellationToken,
        _task: AbortOnDropHandle<()>,
    },
    Up(Box<Up>),
    Stopping {
        _task: AbortOnDropHandle<()>,
    },
}

/// A member that is up.
pub(super) struct Up {
    pub(super) session: Arc<Session>,
    process: Option<Process>,
    pub(super) server: ServerInfo,
    /// Cancelled when process or connection is gone: ends the calls that run.
    pub(super) gone: CancellationToken,
    /// Whether the list has been read since the start.
    pub(super) listed: bool,
    /// The reading of the list that runs.
    pub(super) listing: Option<AbortOnDropHandle<()>>,
    /// Whether the list changed while it was being read.
    pub(super) list_again: bool,
    /// When the list is to be read again after the server said that it changed.
    pub(super) relist_at: Option<Instant>,
    /// When a broken connection is taken for a failure, unless the process ends first.
    broken_at: Option<Instant>,
    /// When an on-demand member that has served a call is stopped.
    idle_at: Option<Instant>,
    served_calls: bool,
    _watchers: Vec<AbortOnDropHandle<()>>,
}

/// What follows once everything that ran is gone.
enum Then {
    Rest,
    Start,
    /// It failed; `crashed` counts towards the crash loop.
    Fail {
        crashed: bool,
    },
}

pub(super) struct Member {
    pub(super) name: MemberName,
    pub(super) found: Found,
    /// The found manifest, shared with the index.
    manifest: Option<Arc<Manifest>>,
    pub(super) context: Arc<Context>,
    pub(super) output: Output,
    pub(super) files: CacheFiles,
    pub(super) phase: Phase,
    pub(super) list: KnownList,
    pub(super) calls: Arc<Calls>,
    pub(super) generation: u64,
    pub(super) happenings: mpsc::Sender<Happening>,
    happened: mpsc::Receiver<Happening>,
    restart: Restart,
    born: Instant,
    status: Status,
    since_ms: u64,
    pub(super) error: Option<Report>,
    attempt: u32,
    retry_at_ms: Option<u64>,
    pid: Option<u32>,
    pub(super) port: Option<u16>,
    /// What is odd about the process that runs now.
    pub(super) oddities: Vec<Report>,
    /// Lines on stdout that were no protocol.
    pub(super) noise: u64,
    then: Then,
    /// A person wants the member up: it is not stopped for being idle.
    held: bool,
    pub(super) starts: VecDeque<Reply<MemberView>>,
    lends: VecDeque<Reply<Loan>>,
    stops: VecDeque<Reply<MemberView>>,
    leaving: Option<(Leaving, oneshot::Sender<()>)>,
    _log: AbortOnDropHandle<()>,
}

impl Member {
    pub(super) fn new(found: Found, context: Arc<Context>, output: Output) -> Self {
        let (happenings, happened) = mpsc::channel(COMMANDS_WAITING);
        let name = found.name.clone();
        let files = CacheFiles::of(&name, &found.folder, &context.paths);
        let log = crate::log::follow(name.clone(), output.clone(), Arc::clone(&context.index));
        let mut member = Self {
            manifest: found.parsed.manifest.as_ref().ok().cloned().map(Arc::new),
            files,
            phase: Phase::Down,
            list: KnownList::default(),
            calls: Arc::default(),
            generation: 0,
            happenings,
            happened,
            restart: Restart::new(),
            born: Instant::now(),
            status: Status::Stopped,
            since_ms: now_ms(),
            error: None,
            attempt: 0,
            retry_at_ms: None,
            pid: None,
            port: None,
            oddities: vec![],
            noise: 0,
            then: Then::Rest,
            held: false,
            starts: VecDeque::new(),
            lends: VecDeque::new(),
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
        }
        member.rest();
        member
    }

    /// The actor's loop: ends when the member has left the roster.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        loop {
            let deadline = self.deadline();
            let timer = async {
                match deadline {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let calls = Arc::clone(&self.calls);
            tokio::select! {
                command = inbox.recv() => match command {
                    Some(command) => self.obey(command),
                    // Nobody holds the member any more: as good as leaving.
                    None if self.leaving.is_none() => {
                        let reply = oneshot::channel().0;
                        self.obey(Command::Leave { leaving: Leaving::Closing, reply });
                    }
                    None => {}
                },
                Some(happening) = self.happened.recv() => self.happen(happening),
                () = calls.changed.notified() => self.calls_changed(),
                () = timer => self.time_passed(Instant::now()),
            }
            if self.leaving.is_some() && matches!(self.phase, Phase::Down) {
                break;
            }
        }
        if let Some((_, reply)) = self.leaving.take() {
            let _ = reply.send(());
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Start { by, reply } => {
                self.held |= by == StartedBy::Person;
                self.start_for(reply, Wanting::Up);
            }
            Command::Refresh { reply } => self.start_for(reply, Wanting::NewList),
            Command::Lend { reply } => self.lend(reply),
            Command::Stop { reply } => self.stop_for(reply),
            Command::Unreachable { report, generation } if generation == self.generation => {
                self.fail_up(report, true);
            }
            Command::Unreachable { .. } => {}
            Command::Reconfigure(found) => self.reconfigure(*found),
            Command::Inspect { reply } => {
                let _ = reply.send(self.inspection());
            }
            Command::Leave { leaving, reply } => {
                self.leaving = Some((leaving, reply));
                if leaving == Leaving::Removed {
                    self.context.index.remove(&self.name);
                }
                self.stop(Then::Rest);
            }
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Spawned { pid, port } => {
                self.pid = Some(pid);
                self.port = port;
                self.publish();
            }
            Happening::Launched(Ok(launched)) => self.came_up(launched),
            Happening::Launched(Err(failure)) => self.did_not_come_up(failure),
            Happening::Exited { generation, exit } if generation == self.generation => {
                let report = launch::exit_report(&self.name, &exit, &self.output);
                self.fail_up(report, true);
            }
            Happening::Said { generation, event } if generation == self.generation => {
                self.server_said(event);
            }
            Happening::Listed {
                generation,
                list,
                exposed,
            } if generation == self.generation => {
                self.listed(list, exposed);
            }
            Happening::Exited { .. } | Happening::Said { .. } | Happening::Listed { .. } => {}
            Happening::Kept(kept) => {
                self.list.warning = kept.err();
                self.publish();
            }
            Happening::Stopped => self.stopped(),
        }
    }

    /// The next moment at which something is to be done.
    fn deadline(&self) -> Option<Instant> {
        match &self.phase {
            Phase::Backoff(at) => Some(*at),
            Phase::Up(up) => [up.relist_at, up.broken_at, up.idle_at]
                .into_iter()
                .flatten()
                .min(),
            Phase::Down | Phase::Starting { .. } | Phase::Stopping { .. } => None,
        }
    }

    fn time_passed(&mut self, now: Instant) {
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        match &mut self.phase {
            Phase::Backoff(at) if *at <= now => self.begin_start(),
            Phase::Up(up) if due(up.broken_at) => {
                let report = Report::new(
                    Code::ConnectionFailed,
                    "The connection to the member broke, and its process did not end.",
                    "Restart the member; its stderr may say why.",
                );
                self.fail_up(report.of(&self.name), true);
            }
            Phase::Up(up) if due(up.relist_at) => {
                up.relist_at = None;
                self.begin_list();
            }
            Phase::Up(up) if due(up.idle_at) => self.stop(Then::Rest),
            _ => {}
        }
    }

    // ---- starting -------------------------------------------------------------------------

    fn start_for(&mut self, reply: Reply<MemberView>, wanting: Wanting) {
        if let Err(report) = self.may_start() {
            let _ = reply.send(Err(report));
            return;
        }
        if self.starts.len() >= WAITERS_MAX {
            let _ = reply.send(Err(self.too_many()));
            return;
        }
        match &self.phase {
            Phase::Up(up) if up.listed && wanting == Wanting::Up => {
                let _ = reply.send(Ok(self.view()));
                return;
            }
            Phase::Up(up) if up.listed => {
                self.starts.push_back(reply);
                self.begin_list();
                return;
            }
            // A person or a refresh acts: what failed before no longer counts.
            Phase::Down => self.restart.reset(),
            _ => {}
        }
        self.starts.push_back(reply);
        self.begin_start();
    }

    fn lend(&mut self, reply: Reply<Loan>) {
        if let Err(report) = self.may_start() {
            let _ = reply.send(Err(report));
            return;
        }
        if self.calls.running() >= CALLS_MAX || self.lends.len() >= WAITERS_MAX {
            let _ = reply.send(Err(self.too_many()));
            return;
        }
        if let Phase::Up(up) = &mut self.phase {
            up.served_calls = true;
            let _ = reply.send(Ok(Loan {
                session: Arc::clone(&up.session),
                gone: up.gone.clone(),
                generation: self.generation,
                _call: self.calls.begin(),
            }));
            return;
        }
        if let (Status::CrashLoop, Some(report)) = (self.status, &self.error) {
            // Left only when someone acts; a call, perhaps an agent's hundredth, is no such act.
            let _ = reply.send(Err(report.clone()));
            return;
        }
        self.lends.push_back(reply);
        self.begin_start();
    }

    fn may_start(&self) -> Result<(), Report> {
        if self.leaving.is_some() {
            let report = Report::new(Code::ShuttingDown, "The member is leaving the roster.", "");
            return Err(report.of(&self.name));
        }
        let manifest = self.found.parsed.manifest.as_ref().map_err(Report::clone)?;
        if !manifest.enabled {
            return Err(Report::new(
                Code::MemberDisabled,
                "The member is switched off.",
                "Set \"enabled\": true in its plugin.json.",
            )
            .of(&self.name));
        }
        Ok(())
    }

    fn too_many(&self) -> Report {
        Report::new(
            Code::TooManyCalls,
            format!("The member has {CALLS_MAX} calls running or too many waiting."),
            "Wait until some have ended, or cancel them.",
        )
        .of(&self.name)
    }

    /// Starts a member that is down; one that is being stopped starts again afterwards.
    fn begin_start(&mut self) {
        match &self.phase {
            Phase::Starting { cancel, .. } if !cancel.is_cancelled() => return,
            Phase::Starting { .. } | Phase::Stopping { .. } => {
                self.then = Then::Start;
                return;
            }
            Phase::Up(_) => return,
            Phase::Down | Phase::Backoff(_) => {}
        }
        let Ok(manifest) = &self.found.parsed.manifest else {
            return;
        };
        self.generation += 1;
        let cancel = CancellationToken::new();
        let plan = Plan {
            name: self.name.clone(),
            folder: self.found.folder.clone(),
            manifest: manifest.clone(),
            era: self.list.era,
            output: self.output.clone(),
            context: Arc::clone(&self.context),
            happenings: self.happenings.clone(),
            cancel: cancel.clone(),
        };
        let happenings = self.happenings.clone();
        let task = tokio::spawn(async move {
            let launched = launch::launch(plan).await;
            let _ = happenings.send(Happening::Launched(launched)).await;
        });
        self.phase = Phase::Starting {
            cancel,
            _task: AbortOnDropHandle::new(task),
        };
        self.then = Then::Rest;
        self.retry_at_ms = None;
        self.oddities.clear();
        self.noise = 0;
        self.list.refreshing = true;
        self.enter(Status::Starting);
    }

    fn came_up(&mut self, launched: Launched) {
        let Launched {
            mut session,
            process,
        } = launched;
        let generation = self.generation;
        let mut watchers = Vec::new();
        if let Some(mut events) = session.take_events() {
            let happenings = self.happenings.clone();
            watchers.push(AbortOnDropHandle::new(tokio::spawn(async move {
                while let Some(event) = events.recv().await {
                    if happenings
                        .send(Happening::Said { generation, event })
                        .await
                        .is_err()
                    {
                        return;
                    }
                }
            })));
        }
        if let Some(process) = &process {
            let mut exited = process.child.exited();
            let happenings = self.happenings.clone();
            watchers.push(AbortOnDropHandle::new(tokio::spawn(async move {
                let exit = match exited.wait_for(Option::is_some).await {
                    Ok(exit) => exit.clone(),
                    Err(_) => None,
                };
                if let Some(exit) = exit {
                    let _ = happenings
                        .send(Happening::Exited { generation, exit })
                        .await;
                }
            })));
        }
        let cancelled =
            matches!(&self.phase, Phase::Starting { cancel, .. } if cancel.is_cancelled());
        let server = session.server().clone();
        self.phase = Phase::Up(Box::new(Up {
            session: Arc::new(session),
            process,
            server,
            gone: CancellationToken::new(),
            listed: false,
            listing: None,
            list_again: false,
            relist_at: None,
            broken_at: None,
            idle_at: None,
            served_calls: false,
            _watchers: watchers,
        }));
        if cancelled {
            let then = std::mem::replace(&mut self.then, Then::Rest);
            self.stop(then);
            return;
        }
        let now = self.born.elapsed();
        self.restart.on_ready(now);
        self.error = None;
        self.enter(Status::Ready);
        for reply in std::mem::take(&mut self.lends) {
            self.lend(reply);
        }
        self.begin_list();
    }

    fn did_not_come_up(&mut self, failure: LaunchFailure) {
        let asked = matches!(&self.phase, Phase::Starting { cancel, .. } if cancel.is_cancelled());
        self.phase = Phase::Down;
        self.pid = None;
        self.port = None;
        self.list.server_gone();
        if asked {
            self.stopped();
        } else {
            self.failed(failure.report.of(&self.name), failure.crashed);
        }
    }

    // ---- failing --------------------------------------------------------------------------

    /// What ran is no longer usable: calls end at once, the rest of it is ended, and then the
    /// restart policy decides.
    pub(super) fn fail_up(&mut self, report: Report, crashed: bool) {
        if !matches!(self.phase, Phase::Up(_)) {
            return;
        }
        self.tell_waiters(&report);
        self.error = Some(report);
        self.enter(Status::Error);
        self.begin_stop(Then::Fail { crashed });
    }

    /// Nothing runs any more because of `report`.
    fn failed(&mut self, report: Report, crashed: bool) {
        tracing::warn!("{report}");
        self.tell_waiters(&report);
        self.error = Some(report);
        self.enter(Status::Error);
        self.after_failure(crashed);
    }

    /// Decides whether a member in error is tried again.
    fn after_failure(&mut self, crashed: bool) {
        let Ok(manifest) = &self.found.parsed.manifest else {
            return;
        };
        if !crashed || self.leaving.is_some() {
            return;
        }
        let comes_back = manifest.restart == RestartPolicy::OnCrash
            && (manifest.lifecycle == Lifecycle::Eager || self.held);
        match self.restart.on_crash(self.born.elapsed()) {
            Next::Retry { after, attempt } => {
                self.attempt = attempt;
                if comes_back {
                    self.retry_at_ms =
                        Some(now_ms() + u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
                    self.phase = Phase::Backoff(Instant::now() + after);
                    self.enter(Status::Backoff);
                }
            }
            Next::CrashLoop => {
                let last = self
                    .error
                    .take()
                    .map(|report| report.message)
                    .unwrap_or_default();
                self.error = Some(
                    Report::new(
                        Code::CrashLoop,
                        format!("The member ended by itself again and again. Last: {last}"),
                        "Mend the cause, then start it again; nothing is tried until then.",
                    )
                    .of(&self.name),
                );
                self.enter(Status::CrashLoop);
            }
        }
    }

    /// Answers everybody who waits for the member to be up.
    fn tell_waiters(&mut self, report: &Report) {
        for reply in self.starts.drain(..) {
            let _ = reply.send(Err(report.clone()));
        }
        for reply in self.lends.drain(..) {
            let _ = reply.send(Err(report.clone()));
        }
    }

    // ---- stopping -------------------------------------------------------------------------

    fn stop_for(&mut self, reply: Reply<MemberView>) {
        self.held = false;
        self.restart.reset();
        self.attempt = 0;
        self.stops.push_back(reply);
        if self.stops.len() > WAITERS_MAX {
            self.stops.pop_front();
        }
        self.stop(Then::Rest);
    }

    /// Ends whatever runs, and then does `then`.
    fn stop(&mut self, then: Then) {
        let report = Report::new(
            Code::CallInterrupted,
            "The member was stopped.",
            "Start it again.",
        )
        .of(&self.name);
        match &self.phase {
            Phase::Down | Phase::Backoff(_) => {
                self.phase = Phase::Down;
                self.then = then;
                self.stopped();
            }
            Phase::Starting { cancel, .. } => {
                cancel.cancel();
                self.then = then;
                self.tell_waiters(&report);
                self.enter(Status::Stopping);
            }
            Phase::Stopping { .. } => self.then = then,
            Phase::Up(_) => {
                self.tell_waiters(&report);
                self.enter(Status::Stopping);
                self.begin_stop(then);
            }
        }
    }

    /// Ends the calls, says goodbye to the server, and ends its processes.
    fn begin_stop(&mut self, then: Then) {
        let Phase::Up(up) = std::mem::replace(&mut self.phase, Phase::Down) else {
            return;
        };
        let Up {
            session,
            process,
            gone,
            ..
        } = *up;
        gone.cancel();
        // Nothing that this generation still says counts any more.
        self.generation += 1;
        let happenings = self.happenings.clone();
        let task = tokio::spawn(async move {
            session.close(CLOSE_LIMIT).await;
            drop(session);
            if let Some(Process { child, lease }) = process {
                let ladder = if lease.is_some() { LADDER_HTTP } else { LADDER };
                child.stop(ladder).await;
                drop(lease);
            }
            let _ = happenings.send(Happening::Stopped).await;
        });
        self.phase = Phase::Stopping {
            _task: AbortOnDropHandle::new(task),
        };
        self.then = then;
        self.list.server_gone();
        self.publish();
    }

    /// Everything that ran is gone.
    fn stopped(&mut self) {
        self.phase = Phase::Down;
        self.pid = None;
        self.port = None;
        self.list.server_gone();
        match std::mem::replace(&mut self.then, Then::Rest) {
            Then::Rest => self.rest(),
            Then::Start => {
                self.rest();
                self.begin_start();
            }
            Then::Fail { crashed } => {
                self.publish();
                self.after_failure(crashed);
            }
        }
        let view = self.view();
        for reply in self.stops.drain(..) {
            let _ = reply.send(Ok(view.clone()));
        }
    }

    /// The status of a member that is down and wants nothing.
    fn rest(&mut self) {
        let (status, error) = match &self.found.parsed.manifest {
            Err(report) => (Status::Error, Some(report.clone())),
            Ok(manifest) if !manifest.enabled => (Status::Disabled, None),
            Ok(_) => (Status::Stopped, None),
        };
        self.error = error;
        self.retry_at_ms = None;
        self.enter(status);
    }

    // ---- what changes while it is up ------------------------------------------------------

    fn calls_changed(&mut self) {
        let running = self.calls.running();
        if let Phase::Up(up) = &mut self.phase {
            up.idle_at = None;
            if running == 0 && up.served_calls {
                up.idle_at = Some(Instant::now() + IDLE_LINGER);
            }
        }
        self.stop_if_idle();
        self.publish();
    }

    /// Stops an on-demand member that nobody needs (after its list was read, or 30 s after its
    /// last call).
    pub(super) fn stop_if_idle(&mut self) {
        let on_demand = self
            .manifest()
            .is_some_and(|m| m.lifecycle == Lifecycle::OnDemand);
        let needed = self.held || self.calls.running() > 0 || !self.starts.is_empty();
        let Phase::Up(up) = &mut self.phase else {
            return;
        };
        if !on_demand || needed || !up.listed {
            up.idle_at = None;
        } else if !up.served_calls {
            self.stop(Then::Rest);
        }
    }

    fn reconfigure(&mut self, found: Found) {
        if found == self.found {
            return;
        }
        let old = std::mem::replace(&mut self.found, found);
        self.manifest = self
            .found
            .parsed
            .manifest
            .as_ref()
            .ok()
            .cloned()
            .map(Arc::new);
        self.files = CacheFiles::of(&self.name, &self.found.folder, &self.context.paths);
        self.restart.reset();
        self.attempt = 0;
        let Ok(new) = &self.found.parsed.manifest else {
            self.stop(Then::Rest);
            return;
        };
        let Ok(old_manifest) = &old.parsed.manifest else {
            self.list = KnownList::from_cache(&self.files, new);
            self.stop(Then::Start);
            return;
        };
        let runs_otherwise = new.launch != old_manifest.launch
            || new.transport != old_manifest.transport
            || new.protocol_version != old_manifest.protocol_version
            || self.found.folder != old.folder;
        if runs_otherwise || new.version != old_manifest.version {
            self.list.outdate();
        }
        if !new.enabled {
            self.stop(Then::Rest);
        } else if runs_otherwise || !old_manifest.enabled {
            self.stop(Then::Start);
        } else if new.version != old_manifest.version && matches!(self.phase, Phase::Up(_)) {
            self.begin_list();
        } else {
            self.stop_if_idle();
        }
        self.publish();
    }

    pub(super) fn connection_broke(&mut self) {
        if let Phase::Up(up) = &mut self.phase {
            up.broken_at = Some(Instant::now() + EXIT_AFTER_CLOSE);
        }
    }

    // ---- showing --------------------------------------------------------------------------

    pub(super) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_deref()
    }

    fn enter(&mut self, status: Status) {
        if !self.status.may_become(status) {
            tracing::error!(member = %self.name, from = ?self.status, to = ?status, "not a step");
        }
        if self.status != status {
            tracing::debug!(member = %self.name, status = status.as_str(), "status");
            self.status = status;
            self.since_ms = now_ms();
        }
        self.publish();
    }

    /// Shows the member on the roster as it is now.
    pub(super) fn publish(&mut self) {
        if matches!(self.leaving, Some((Leaving::Removed, _))) {
            return;
        }
        self.context.index.show(Entry {
            view: Arc::new(self.view()),
            tools: Arc::clone(&self.list.tools),
            manifest: self.manifest.clone(),
        });
    }

    pub(super) fn view(&self) -> MemberView {
        let parsed = &self.found.parsed;
        let mut warnings = parsed.warnings.clone();
        warnings.extend(self.list.warning.clone());
        warnings.extend(self.oddities.iter().cloned());
        let server = match &self.phase {
            Phase::Up(up) => Some(&up.server),
            _ => None,
        };
        MemberView {
            name: self.name.clone(),
            version: parsed.version.clone(),
            description: parsed.description.clone(),
            transport: parsed.transport,
            lifecycle: parsed.lifecycle,
            status: self.status,
            freshness: self.list.freshness(),
            listed_at_ms: self.list.tools.listed_at_ms,
            tools: self.list.tools.tools().len(),
            port: self.port,
            pid: self.pid,
            since_ms: self.since_ms,
            retry_at_ms: self.retry_at_ms,
            attempt: self.attempt,
            protocol_version: server.map(|server| server.protocol_version.clone()),
            last_stderr: self
                .output
                .last(1)
                .pop()
                .map(|line| line.text.chars().take(300).collect()),
            error: self.error.clone(),
            warnings,
            calls: self.calls.running(),
        }
    }

    fn inspection(&self) -> Inspection {
        let (url, server) = match &self.phase {
            Phase::Up(up) => (up.url(self.port, self.manifest()), Some(up.server.clone())),
            _ => (None, None),
        };
        Inspection {
            found: self.found.clone(),
            url,
            server,
            cache_file: self.files.path().to_owned(),
        }
    }
}

impl Up {
    /// The address that the server is spoken to at (REQ-MCP-HTTP-22, -33).
    fn url(&self, port: Option<u16>, manifest: Option<&Manifest>) -> Option<String> {
        use guild_core::manifest::Launch;
        match (port, manifest.map(|manifest| &manifest.launch)) {
            (Some(port), _) => Some(format!("http://127.0.0.1:{port}/mcp")),
            (None, Some(Launch::Url { url, .. })) => Some(url.clone()),
            _ => None,
        }
    }
}

/// What somebody who starts a member waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanting {
    /// That it is up and its list has been read since the start.
    Up,
    /// A list that is read from now on.
    NewList,
}
