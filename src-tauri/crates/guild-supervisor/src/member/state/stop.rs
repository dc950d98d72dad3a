//! Stops a member: after a failure, on request, or because it is idle. Decides what happens next.

use std::time::Duration;

use crate::messages::{AfterCrashes, StartError};
use guild_api::wire::MemberView;
use guild_model::manifest::{Lifecycle, RestartPolicy};
use guild_model::status::Status;
use guild_model::{Code, Report};
use guild_process::{Next, StopSequence};
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::super::launch::Process;
use super::super::{ActorEvent, MemberReplySender};
use super::discovery::FallbackDiscovery;
use super::start::is_late;
use super::{AfterStop, MemberActor, MemberPhase, Up, WAITERS_MAX};
use guild_files::clock::now_ms;

/// Timeout for closing a session.
const CLOSE_LIMIT: Duration = Duration::from_millis(500);
/// Minimum time between two checks of the running calls.
const LOOK_PAUSE: Duration = Duration::from_millis(100);
/// Time for a process to end after its connection broke.
const EXIT_AFTER_CLOSE: Duration = Duration::from_millis(500);

impl MemberActor {
    /// Publishes the failure of a member that is up. Its calls end at once, and then its processes.
    /// After that, the restart policy decides.
    pub(super) fn fail_up(&mut self, report: Report, crashed: bool) {
        if !matches!(self.phase, MemberPhase::Up(_)) {
            return;
        }
        self.show_failure(report);
        self.begin_stop(AfterStop::Fail { crashed });
    }

    /// Publishes a failure after which no process runs. Then begins fallback discovery, or applies
    /// the restart policy.
    pub(super) fn failed(&mut self, report: Report, crashed: bool, violates_protocol: bool) {
        tracing::warn!("{report}");
        if !self.needs_discovery(violates_protocol) {
            self.show_failure(report);
            self.after_failure(crashed);
            return;
        }
        // Begins first, so that callers who receive the failure see that the tools are being
        // discovered.
        let is_late = is_late(report.code);
        self.begin_discovery(
            crashed,
            is_late && self.fallback != FallbackDiscovery::Requested,
        );
        if report.code == Code::StartTimeout {
            self.show_failure(report);
            return;
        }
        // If fallback discovery gets an answer, the server is started again, so the callers keep
        // waiting.
        self.error = Some(report);
        self.enter(Status::Error);
    }

    /// Publishes the failure before the callers receive it, since they may read the roster next.
    fn show_failure(&mut self, report: Report) {
        self.error = Some(report.clone());
        self.enter(Status::Error);
        self.fail_waiters(&report);
    }

    /// Decides whether a failed member is started again.
    pub(super) fn after_failure(&mut self, crashed: bool) {
        let Ok(manifest) = &self.found.parsed.manifest else {
            return;
        };
        if !crashed || self.leaving.is_some() {
            return;
        }
        let stays_up = match manifest.lifecycle {
            Lifecycle::Eager => true,
            Lifecycle::OnDemand => self.held,
        };
        let comes_back = match manifest.restart {
            RestartPolicy::OnCrash => stays_up,
            RestartPolicy::Never => false,
        };
        match self.restart.on_crash(self.born.elapsed()) {
            Next::Retry { after, attempt } => {
                self.attempt = attempt;
                if comes_back {
                    self.retry_at_ms =
                        Some(now_ms() + u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
                    self.phase = MemberPhase::Backoff(Instant::now() + after);
                    self.enter(Status::Backoff);
                }
            }
            Next::CrashLoop => {
                let last = self.error.take();
                let next = match &last {
                    Some(report) if !report.hint.is_empty() => {
                        AfterCrashes::Own(report.hint.clone())
                    }
                    _ => AfterCrashes::FixCause,
                };
                let last = last.map_or_else(String::new, |report| report.message.clone());
                let report =
                    Report::from_error(Code::CrashLoop, &StartError::CrashLoop(last, next));
                self.error = Some(report.of(&self.name));
                self.enter(Status::CrashLoop);
            }
        }
    }

    /// Sends the error to all callers that wait for the member to be up.
    pub(super) fn fail_waiters(&mut self, report: &Report) {
        for reply in self.starts.drain(..) {
            let _ = reply.send(Err(report.clone()));
        }
        self.fail_calls(report);
    }

    /// Sends the error to the calls that wait for the member to be up.
    pub(super) fn fail_calls(&mut self, report: &Report) {
        for reply in self.leases.drain(..) {
            let _ = reply.send(Err(report.clone()));
        }
    }

    pub(super) fn stop_for(&mut self, reply: MemberReplySender<MemberView>) {
        self.held = false;
        self.restart.reset();
        self.attempt = 0;
        self.stops.push_back(reply);
        if self.stops.len() > WAITERS_MAX {
            self.stops.pop_front();
        }
        self.stop(AfterStop::Rest);
    }

    /// Restarts the member. A member that a person started is still not stopped when idle.
    pub(super) fn restart_for(&mut self, reply: MemberReplySender<MemberView>) {
        if let Err(report) = self.may_start() {
            let _ = reply.send(Err(report));
            return;
        }
        if self.starts.len() >= WAITERS_MAX {
            let _ = reply.send(Err(self.too_many()));
            return;
        }
        self.restart.reset();
        self.attempt = 0;
        // Callers that wait for a start get the new process.
        let starts = std::mem::take(&mut self.starts);
        let leases = std::mem::take(&mut self.leases);
        self.stop(AfterStop::Start);
        self.starts.extend(starts);
        self.starts.push_back(reply);
        self.leases.extend(leases);
    }

    /// Ends any running process, and continues with `then`.
    pub(super) fn stop(&mut self, then: AfterStop) {
        let report = Report::from_error(Code::CallInterrupted, &StartError::Stopped).of(&self.name);
        match &self.phase {
            MemberPhase::Down | MemberPhase::Backoff(_) => {
                self.phase = MemberPhase::Down;
                self.then = then;
                self.stopped();
            }
            MemberPhase::Starting { cancel, .. } => {
                cancel.cancel();
                self.then = then;
                self.fail_waiters(&report);
                self.enter(Status::Stopping);
            }
            MemberPhase::Discovering { cancel, .. } => {
                cancel.cancel();
                self.then = then;
                self.fail_waiters(&report);
            }
            MemberPhase::Stopping { .. } => {
                if matches!(then, AfterStop::Rest) {
                    self.fail_waiters(&report);
                }
                self.then = then;
            }
            MemberPhase::Up(_) => {
                self.fail_waiters(&report);
                self.enter(Status::Stopping);
                self.begin_stop(then);
            }
        }
    }

    /// Ends the calls, closes the session, and ends the processes.
    pub(super) fn begin_stop(&mut self, then: AfterStop) {
        self.slot.close();
        let MemberPhase::Up(up) = std::mem::replace(&mut self.phase, MemberPhase::Down) else {
            return;
        };
        let Up {
            session,
            process,
            gone,
            ..
        } = *up;
        gone.cancel();
        // Later events of this generation are ignored.
        self.generation += 1;
        let events = self.events.clone();
        let task = tokio::spawn(async move {
            session.close(CLOSE_LIMIT).await;
            drop(session);
            if let Some(Process { child, lease }) = process {
                let sequence = match lease {
                    Some(_) => StopSequence::CLOSED,
                    None => StopSequence::PIPED,
                };
                child.stop(sequence).await;
                drop(lease);
            }
            let _ = events.send(ActorEvent::Stopped).await;
        });
        self.phase = MemberPhase::Stopping {
            _task: AbortOnDropHandle::new(task),
        };
        self.then = then;
        self.list.server_gone();
        self.publish();
    }

    /// Called when all processes have ended. Continues with the planned next step, and answers the
    /// callers that requested the stop.
    pub(super) fn stopped(&mut self) {
        self.phase = MemberPhase::Down;
        self.pid = None;
        self.port = None;
        self.list.server_gone();
        match std::mem::replace(&mut self.then, AfterStop::Rest) {
            AfterStop::Rest => self.rest(),
            AfterStop::Start => {
                self.rest();
                self.begin_start();
            }
            AfterStop::Fail { crashed } => {
                self.publish();
                if std::mem::take(&mut self.unlisted) && self.needs_discovery(true) {
                    self.begin_discovery(crashed, false);
                } else {
                    self.after_failure(crashed);
                }
                self.serve_waiters();
            }
        }
        let view = self.view();
        for reply in self.stops.drain(..) {
            let _ = reply.send(Ok(view.clone()));
        }
    }

    /// Starts the member for the callers that arrived while it was being ended after a failure. In
    /// a crash loop, they get the error instead.
    fn serve_waiters(&mut self) {
        if self.leases.is_empty() && self.starts.is_empty() {
            return;
        }
        match (self.status, self.error.clone()) {
            (Status::CrashLoop, Some(report)) => self.fail_waiters(&report),
            _ => self.begin_start(),
        }
    }

    /// Sets the status of a member that is down and has nothing to do.
    pub(super) fn rest(&mut self) {
        let (status, error) = match &self.found.parsed.manifest {
            Err(report) => (Status::Error, Some(report.clone())),
            Ok(manifest) if !manifest.enabled => (Status::Disabled, None),
            Ok(_) if self.standing.is_unreviewed() => (Status::Unreviewed, None),
            Ok(_) => (Status::Stopped, None),
        };
        self.error = error;
        self.retry_at_ms = None;
        self.enter(status);
    }

    /// Called when calls have begun or ended. The actor checks the calls now, or once
    /// [`LOOK_PAUSE`] has passed since its last check, so that many short calls don't wake it each
    /// time.
    pub(super) fn plan_look(&mut self, now: Instant) {
        match self.looked_at.map(|at| at + LOOK_PAUSE) {
            Some(at) if at > now => self.look_at = Some(at),
            _ => self.look_at_calls(now),
        }
    }

    /// Updates the state to the calls that run now: the published number, and the time of an idle
    /// stop.
    pub(super) fn look_at_calls(&mut self, now: Instant) {
        self.looked_at = Some(now);
        self.look_at = None;
        self.slot.look();
        if let MemberPhase::Up(up) = &mut self.phase {
            up.idle_at = None;
        }
        self.stop_if_idle();
        self.publish();
    }

    /// Whether a caller needs the member to be up now.
    pub(super) fn is_needed(&self) -> bool {
        self.held || self.slot.running() > 0 || !self.starts.is_empty()
    }

    /// Answers the callers that wait for the member's start, with its current status.
    pub(super) fn answer_starts(&mut self) {
        let waiting = std::mem::take(&mut self.starts);
        self.stop_if_idle();
        let view = self.view();
        for reply in waiting {
            let _ = reply.send(Ok(view.clone()));
        }
    }

    /// Whether the tools of the running server are known and not being read again.
    pub(super) fn has_current_list(&self) -> bool {
        matches!(&self.phase, MemberPhase::Up(up) if up.listed && up.listing.is_none())
    }

    pub(super) fn is_on_demand(&self) -> bool {
        self.manifest()
            .is_some_and(|manifest| match manifest.lifecycle {
                Lifecycle::OnDemand => true,
                Lifecycle::Eager => false,
            })
    }

    /// Stops an on-demand member that no caller needs: at once if its tools were listed, or some
    /// time after its last call.
    pub(super) fn stop_if_idle(&mut self) {
        let on_demand = self.is_on_demand();
        let needed = self.is_needed();
        let has_served = self.slot.has_served();
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        if !on_demand || needed || !up.listed || up.offering.is_some() {
            up.idle_at = None;
        } else if has_served {
            let at = Instant::now() + self.context.idle_linger;
            up.idle_at.get_or_insert(at);
        } else if self.slot.close_if_idle() {
            self.stop(AfterStop::Rest);
        }
    }

    pub(super) fn connection_broke(&mut self) {
        if let MemberPhase::Up(up) = &mut self.phase {
            up.broken_at = Some(Instant::now() + EXIT_AFTER_CLOSE);
        }
    }
}
