//! Starts a member, answers the callers that wait for it, and handles the outcome.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use crate::messages::StartError;
use guild_api::wire::MemberView;
use guild_model::manifest::Manifest;
use guild_model::status::{StartStep, Status};
use guild_model::{Code, Failure, Report};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::super::launch::{self, LaunchFailure, LaunchInput, Launched};
use super::super::session_slot::CALLS_MAX;
use super::super::{ActorEvent, MemberReplySender, SessionLease};
use super::refresh::CHANGE_SETTLES;
use super::{AfterStop, MemberActor, MemberPhase, StartGoal, Up, WAITERS_MAX};
use crate::context::CallsDuringLateStart;
use crate::notifications::MemberNotificationKind;
use guild_files::clock::now_ms;

impl MemberActor {
    pub(super) fn start_for(&mut self, reply: MemberReplySender<MemberView>, wanting: StartGoal) {
        if let Err(report) = self.may_start() {
            let _ = reply.send(Err(report));
            return;
        }
        if self.starts.len() >= WAITERS_MAX {
            let _ = reply.send(Err(self.too_many()));
            return;
        }
        match &self.phase {
            MemberPhase::Up(up) if up.listed && wanting == StartGoal::Up => {
                let _ = reply.send(Ok(self.view()));
                return;
            }
            MemberPhase::Up(up) if up.listed => {
                self.starts.push_back(reply);
                self.begin_list();
                return;
            }
            // A person's start or a refresh: earlier failures no longer count.
            MemberPhase::Down | MemberPhase::Backoff(_) => {
                self.restart.reset();
                self.attempt = 0;
            }
            _ => {}
        }
        self.starts.push_back(reply);
        self.begin_start();
    }

    pub(super) fn lease(&mut self, reply: MemberReplySender<SessionLease>) {
        if let Err(report) = self.may_start() {
            let _ = reply.send(Err(report));
            return;
        }
        if self.slot.running() >= CALLS_MAX || self.leases.len() >= WAITERS_MAX {
            let _ = reply.send(Err(self.too_many()));
            return;
        }
        if matches!(self.phase, MemberPhase::Up(_)) {
            let _ = reply.send(self.slot.lease().ok_or_else(|| self.too_many()));
            return;
        }
        if let (Status::CrashLoop, Some(report)) = (self.status, &self.error) {
            // Only a person can end this state. A call can't, since an agent may repeat it a
            // hundred times.
            let _ = reply.send(Err(report.clone()));
            return;
        }
        if let Some(report) = self.late_start_error()
            && matches!(self.phase, MemberPhase::Starting { .. })
        {
            let _ = reply.send(Err(report));
            return;
        }
        self.leases.push_back(reply);
        self.begin_start();
        self.hurry();
    }

    /// Lets a running start continue without a start permit, since a call needs the member.
    pub(super) fn hurry(&self) {
        if let MemberPhase::Starting { hurry, .. } = &self.phase {
            hurry.cancel();
        }
    }

    /// Called when a launch begins (`Some`) or ends (`None`) to wait for something other than its
    /// server, such as a download.
    pub(super) fn step_taken(&mut self, step: Option<StartStep>) {
        if !matches!(self.phase, MemberPhase::Starting { .. }) {
            return;
        }
        let queued = self.step == Some(StartStep::Queued);
        if queued && step.is_none() {
            // The time in this state begins now.
            self.since_ms = now_ms();
        }
        self.step = step;
        self.publish();
        if let Some(report) = self.late_start_error() {
            // A call can't wait ten minutes. A caller that requested the start itself can.
            self.fail_calls(&report);
        }
    }

    /// Returns the error for calls that need this start, once the start has passed its limit.
    /// `None` if the calls wait for the start's end.
    fn late_start_error(&self) -> Option<Report> {
        let trouble = match self.step? {
            StartStep::Overtime => StartError::Installing,
            StartStep::Late => StartError::StillStarting,
            StartStep::Queued | StartStep::Pulling | StartStep::Installing => return None,
        };
        match self.context.calls_during_late_start {
            CallsDuringLateStart::Fail => {
                Some(Report::from_error(Code::StartTimeout, &trouble).of(&self.name))
            }
            CallsDuringLateStart::Wait => None,
        }
    }

    pub(super) fn may_start(&self) -> Result<(), Report> {
        if self.leaving.is_some() {
            let report = Report::from_error(Code::ShuttingDown, &StartError::Leaving);
            return Err(report.of(&self.name));
        }
        let manifest = self.found.parsed.manifest.as_ref().map_err(Report::clone)?;
        if !manifest.enabled {
            let report = Report::from_error(Code::MemberDisabled, &StartError::SwitchedOff);
            return Err(report.of(&self.name));
        }
        self.unreviewed()
    }

    pub(super) fn too_many(&self) -> Report {
        let trouble = StartError::ManyCalls(CALLS_MAX);
        Report::from_error(Code::TooManyCalls, &trouble).of(&self.name)
    }

    /// Starts a stopped member. A member that is being stopped is started again afterwards.
    pub(super) fn begin_start(&mut self) {
        match &self.phase {
            MemberPhase::Starting { cancel, .. } if !cancel.is_cancelled() => return,
            MemberPhase::Starting { .. } | MemberPhase::Stopping { .. } => {
                // If the process crashed, the crash is counted before the next start. The callers
                // keep waiting.
                if !matches!(self.then, AfterStop::Fail { crashed: true }) {
                    self.then = AfterStop::Start;
                }
                return;
            }
            MemberPhase::Discovering { cancel, .. } => {
                cancel.cancel();
                self.then = AfterStop::Start;
                return;
            }
            MemberPhase::Up(_) => return,
            MemberPhase::Down | MemberPhase::Backoff(_) => {}
        }
        if let Err(report) = self.may_start() {
            self.fail_waiters(&report);
            return;
        }
        let Ok(manifest) = &self.found.parsed.manifest else {
            return;
        };
        let plan = self.launch_input(manifest.clone());
        self.generation += 1;
        let (cancel, hurry) = (plan.cancel.clone(), plan.hurry.clone());
        if !self.leases.is_empty() {
            hurry.cancel();
        }
        let events = self.events.clone();
        let task = tokio::spawn(async move {
            let context = Arc::clone(&plan.context);
            let mut launched = launch::launch(plan).await;
            if let (Err(failure), Some(redactor)) = (&mut launched, context.roster.redactor()) {
                redactor.report(&mut failure.report);
            }
            let _ = events.send(ActorEvent::Launched(launched)).await;
        });
        self.phase = MemberPhase::Starting {
            cancel,
            hurry,
            _task: AbortOnDropHandle::new(task),
        };
        self.then = AfterStop::Rest;
        self.retry_at_ms = None;
        self.step = None;
        self.warnings.clear();
        self.noise = 0;
        self.unlisted = false;
        self.list.refreshing = true;
        self.enter(Status::Starting);
    }

    pub(super) fn launch_input(&self, manifest: Manifest) -> LaunchInput {
        LaunchInput {
            name: self.name.clone(),
            folder: self.found.folder.clone(),
            limits: manifest.timeouts.or(&self.context.settings.limits()),
            manifest,
            era: self.list.opens_with,
            bare: self.is_bare(),
            output: self.output.clone(),
            context: Arc::clone(&self.context),
            events: self.events.clone(),
            cancel: CancellationToken::new(),
            hurry: CancellationToken::new(),
            alone: self.second_try,
            last_start: self.list.last_start(),
        }
    }

    pub(super) fn came_up(&mut self, launched: Launched) {
        let Launched {
            mut session,
            process,
            home,
            bare,
            start_warnings,
            took,
        } = launched;
        self.second_try = false;
        self.list.start_ms = took.map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        let generation = self.generation;
        let mut watchers = Vec::new();
        if let Some(mut session_events) = session.take_events() {
            let events = self.events.clone();
            watchers.push(AbortOnDropHandle::new(tokio::spawn(async move {
                while let Some(event) = session_events.recv().await {
                    if events
                        .send(ActorEvent::FromSession { generation, event })
                        .await
                        .is_err()
                    {
                        return;
                    }
                }
            })));
        }
        let bus = &self.context.notifications;
        let forwarding = bus.forward(&self.name, session.notifications());
        watchers.push(AbortOnDropHandle::new(tokio::spawn(forwarding)));
        if let Some(process) = &process {
            let mut exited = process.child.exited();
            let events = self.events.clone();
            watchers.push(AbortOnDropHandle::new(tokio::spawn(async move {
                let exit = match exited.wait_for(Option::is_some).await {
                    Ok(exit) => *exit,
                    Err(_) => None,
                };
                if let Some(exit) = exit {
                    let _ = events.send(ActorEvent::Exited { generation, exit }).await;
                }
            })));
        }
        let cancelled =
            matches!(&self.phase, MemberPhase::Starting { cancel, .. } if cancel.is_cancelled());
        let server = self
            .context
            .values
            .redactor()
            .server(session.server().clone());
        let session = Arc::new(session);
        let gone = CancellationToken::new();
        self.phase = MemberPhase::Up(Box::new(Up {
            session: Arc::clone(&session),
            process,
            home,
            bare,
            opens_next: self.list.opens_next(&server),
            server,
            gone: gone.clone(),
            listed: false,
            unread: false,
            listing: None,
            offering: None,
            offer_again: false,
            list_again: false,
            settles: CHANGE_SETTLES,
            relist_at: None,
            offers: (false, false),
            publish_offers_at: None,
            broken_at: None,
            idle_at: None,
            _watchers: watchers,
        }));
        if cancelled {
            // The callers of the cancelled start have their answer. The callers that wait now get
            // the next start.
            let then = std::mem::replace(&mut self.then, AfterStop::Rest);
            self.begin_stop(then);
            return;
        }
        let began = UNIX_EPOCH + Duration::from_millis(self.since_ms);
        self.slot.open(session, gone, generation, began);
        let notifications = &self.context.notifications;
        notifications.publish(&self.name, MemberNotificationKind::SessionReady);
        let now = self.born.elapsed();
        self.restart.on_ready(now);
        self.warnings.extend(
            start_warnings
                .into_iter()
                .map(|warning| warning.of(&self.name)),
        );
        self.error = None;
        self.enter(Status::Ready);
        for reply in std::mem::take(&mut self.leases) {
            self.lease(reply);
        }
        self.begin_list();
    }

    pub(super) fn did_not_come_up(&mut self, failure: LaunchFailure) {
        let asked =
            matches!(&self.phase, MemberPhase::Starting { cancel, .. } if cancel.is_cancelled());
        self.phase = MemberPhase::Down;
        self.pid = None;
        self.port = None;
        self.list.server_gone();
        let was_second = std::mem::take(&mut self.second_try);
        let is_late = is_late(failure.report.code);
        if asked {
            self.stopped();
        } else if is_late && (failure.beside > 0 || failure.loaded) && !was_second {
            self.start_alone(failure.report);
        } else {
            // If a retry fails to connect, that counts as a crash too, so that the next retry
            // follows.
            let tried_again =
                self.attempt > 0 && failure.report.code.failure() == Failure::Transport;
            let violates_protocol = failure.violates_protocol;
            self.failed(
                failure.report.of(&self.name),
                failure.crashed || tried_again,
                violates_protocol,
            );
        }
    }

    /// Retries a start that ran out of time while other members were starting, or other programs
    /// kept the processors busy. The retry begins once no other member is starting. Calls that wait
    /// for the start fail now, other callers get the result of the retry.
    fn start_alone(&mut self, report: Report) {
        tracing::warn!("{report}; it is retried alone");
        self.fail_calls(&report);
        self.error = Some(report);
        self.second_try = true;
        self.begin_start();
    }
}

/// Whether a failure is about a start that took too long.
pub(super) fn is_late(code: Code) -> bool {
    matches!(code, Code::StartTimeout | Code::HandshakeTimeout)
}
