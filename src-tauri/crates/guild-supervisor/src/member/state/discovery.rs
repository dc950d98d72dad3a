//! Fallback discovery of the tools of a server that did not start because it violates the protocol.
//! The member stays in the error state.

use crate::messages::{ListAdvice, PredictionError};
use guild_api::event::HallEvent;
use guild_api::wire::{DiscoveryStatus, MemberView};
use guild_mcp_client::ToolList;
use guild_model::diff::ToolListDiff;
use guild_model::discovery::{FoundBy, Rung};
use guild_model::manifest::{Launch, Transport};
use guild_model::status::{Freshness, Status};
use guild_model::{Code, Report};
use tokio_util::task::AbortOnDropHandle;

use super::super::discovery::{DiscoveryOutcome, discover};
use super::super::launch::LaunchInput;
use super::super::list::to_cached;
use super::super::{ActorEvent, Predicted};
use super::{AfterStop, MemberActor, MemberPhase};
use crate::cache::CachedList;
use guild_files::clock::now_ms;

/// When fallback discovery runs after a failed start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FallbackDiscovery {
    /// Fallback discovery runs once, if the server violates the protocol.
    Due,
    /// Fallback discovery runs once after any failure, because a caller requested the tools.
    Requested,
    /// Fallback discovery does not run, because it has already run for this configuration.
    Done,
}

impl FallbackDiscovery {
    /// Returns the initial value for a member with this cached list. If the list is from fallback
    /// discovery, the discovery is not repeated.
    pub(super) fn for_list(list: &super::KnownList) -> Self {
        match list.found().is_some_and(|found| !found.rung.is_confirmed()) {
            true if !list.is_outdated() => Self::Done,
            _ => Self::Due,
        }
    }
}

impl MemberActor {
    /// Whether fallback discovery runs now, after the server did not start, or did not list its
    /// tools.
    pub(super) fn needs_discovery(&self, violates_protocol: bool) -> bool {
        let wanted = match self.fallback {
            FallbackDiscovery::Due => violates_protocol,
            FallbackDiscovery::Requested => true,
            FallbackDiscovery::Done => false,
        };
        // If the server has ever returned a list, that list is better than one from fallback
        // discovery.
        wanted && self.has_pipes() && self.may_start().is_ok() && self.list.is_wanting()
    }

    /// Whether the member is a process whose output can be searched for tools.
    fn has_pipes(&self) -> bool {
        self.manifest().is_some_and(|manifest| {
            matches!(
                (manifest.transport, &manifest.launch),
                (
                    Transport::Stdio,
                    Launch::Command { .. } | Launch::Container(_)
                )
            )
        })
    }

    /// Begins fallback discovery, and handles the failure afterwards. With `alone`, waits until no
    /// other member is starting.
    pub(super) fn begin_discovery(&mut self, crashed: bool, alone: bool) {
        let Some(manifest) = self.manifest().cloned() else {
            return;
        };
        self.fallback = FallbackDiscovery::Done;
        let plan = LaunchInput {
            era: None,
            bare: false,
            alone,
            last_start: None,
            ..self.launch_input(manifest)
        };
        let cancel = plan.cancel.clone();
        let remembered = self.list.found().filter(|_| !self.list.is_outdated());
        let events = self.events.clone();
        let task = tokio::spawn(async move {
            let outcome = discover(plan, remembered).await;
            let _ = events.send(ActorEvent::Discovered(Box::new(outcome))).await;
        });
        self.phase = MemberPhase::Discovering {
            cancel,
            _task: AbortOnDropHandle::new(task),
        };
        self.then = AfterStop::Fail { crashed };
        self.publish();
    }

    /// Stores the tools that a discovery run found, or publishes the failure.
    pub(super) fn discovered(&mut self, outcome: DiscoveryOutcome) {
        let MemberPhase::Discovering { cancel, .. } = &self.phase else {
            return;
        };
        let broken_off = cancel.is_cancelled();
        self.phase = MemberPhase::Down;
        self.pid = None;
        if broken_off {
            // A search that was cancelled is not marked as done, so that it is repeated later.
            if self.fallback == FallbackDiscovery::Done {
                self.fallback = FallbackDiscovery::Due;
            }
            self.stopped();
            return;
        }
        let DiscoveryOutcome {
            found,
            keep,
            trouble,
            predictable,
        } = outcome;
        self.warnings
            .extend(trouble.into_iter().map(|report| report.of(&self.name)));
        let Some((list, found)) = found else {
            if let Some(error) = self.error.as_mut().filter(|_| predictable) {
                let next = ListAdvice::AskModel(error.hint.clone(), self.name.clone());
                *error = error.advising(&next);
            }
            self.publish_failure();
            self.stopped();
            return;
        };
        let (count, confirmed) = (list.tools.len(), found.rung.is_confirmed());
        self.take_found(list, found, keep);
        if confirmed {
            // The server answers after all, so it is started.
            self.then = AfterStop::Start;
            self.stopped();
            return;
        }
        if let Some(error) = &mut self.error {
            let hint = error.hint.clone();
            let next = match count {
                1 => ListAdvice::OneFound(found, hint),
                _ => ListAdvice::Found(count, found, hint),
            };
            *error = error.advising(&next);
        }
        // Starting the server again would not bring a better answer.
        self.then = AfterStop::Fail { crashed: false };
        self.publish_failure();
        self.stopped();
    }

    /// Stores tools that were not read from the running server.
    fn take_found(&mut self, list: ToolList, found: FoundBy, keep: bool) {
        let list = CachedList {
            start_ms: self.list.start_ms,
            ..to_cached(list, None, Some(found), now_ms())
        };
        let diff = ToolListDiff::between(&self.list.tools.specs(), &list.tools);
        self.list.take_found(&list);
        self.judge();
        self.context.roster.tell(HallEvent::ToolsUpdated {
            member: self.name.clone(),
            count: list.tools.len(),
            diff,
        });
        if keep {
            self.keep(list, None);
        }
    }

    /// Checks whether a model may be asked for the member's tools. The error is the reason why not,
    /// such as that other ways found tools.
    pub(super) fn may_predict(&self) -> Result<(), Report> {
        let refused =
            |trouble| Err(Report::from_error(Code::PredictionRefused, &trouble).of(&self.name));
        self.may_start()?;
        if !self.has_pipes() {
            return refused(PredictionError::NoPipes);
        }
        let found = self.list.found().map(|found| found.rung);
        if !self.list.is_wanting() || found.is_some_and(|rung| rung != Rung::Prediction) {
            return refused(PredictionError::Known);
        }
        if self.fallback != FallbackDiscovery::Done
            || matches!(self.phase, MemberPhase::Discovering { .. })
        {
            return refused(PredictionError::NotYet(self.name.clone()));
        }
        Ok(())
    }

    /// Publishes the tools that a model predicted, unless the manifest changed or the server's own
    /// tools became known after the request.
    pub(super) fn predicted(&mut self, predicted: Predicted) -> Result<MemberView, Report> {
        let Predicted {
            list,
            found,
            keep,
            of,
        } = predicted;
        if self.manifest().is_none_or(|now| *now != of) {
            let trouble = PredictionError::Outdated;
            return Err(Report::from_error(Code::ReviewOutdated, &trouble).of(&self.name));
        }
        self.may_predict()?;
        self.take_found(list, found, keep);
        self.publish();
        Ok(self.view())
    }

    /// Publishes the failure, and sends it to the callers that still wait: the server did not
    /// answer in fallback discovery either.
    fn publish_failure(&mut self) {
        self.publish();
        if let Some(report) = self.error.clone() {
            self.fail_waiters(&report);
        }
    }

    /// Whether the session is opened without a handshake, because the server answered only that
    /// way.
    pub(super) fn is_bare(&self) -> bool {
        let found = self.list.found().map(|found| found.rung);
        found == Some(Rung::NoHandshake) && !self.list.is_outdated()
    }

    /// Returns the state of the search for the member's tools.
    pub(super) fn discovery(&self) -> DiscoveryStatus {
        let listing = matches!(&self.phase, MemberPhase::Up(up) if up.listing.is_some());
        let about_to = self.unlisted && self.needs_discovery(true);
        let looking = listing
            || about_to
            || matches!(self.phase, MemberPhase::Discovering { .. })
            || self.status == Status::Starting;
        let found = self
            .list
            .found()
            .is_some_and(|found| !found.rung.is_confirmed());
        let failed = |report: &Report| report.code == Code::ListFailed;
        match self.list.freshness() {
            _ if looking => DiscoveryStatus::Discovering,
            _ if self.error.is_some() && !found => DiscoveryStatus::Failed,
            _ if self.list.warning.as_ref().is_some_and(failed) => DiscoveryStatus::Failed,
            Freshness::Unknown => DiscoveryStatus::Never,
            _ => DiscoveryStatus::Success,
        }
    }
}
