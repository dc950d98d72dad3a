//! Lists a member's tools, and handles the server's notifications.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{ListAdvice, PortAddresses, StartError};
use guild_api::event::HallEvent;
use guild_mcp_client::{McpError, SessionEvent, ToolList};
use guild_model::diff::ToolListDiff;
use guild_model::discovery::{FoundBy, Rung};
use guild_model::tool::{ListProblem, ToolSpec};
use guild_model::{Code, Report};
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::super::launch::Home;
use super::super::list::{odd_tools, to_cached};
use super::super::{ActorEvent, identity};
use super::offers::{OFFERS_LIMIT, offers_of};
use super::{MemberActor, MemberPhase};
use crate::cache::CachedList;
use guild_files::clock::now_ms;
use guild_history::NewRevision;
use guild_logs::app::SERVER;

/// Wait after a change notification before the tools are listed. Servers send bursts of
/// notifications, one per tool.
pub(super) const CHANGE_SETTLES: Duration = Duration::from_millis(200);
/// Maximum wait for a server that repeatedly notifies without a change.
const CHANGE_SETTLES_MAX: Duration = Duration::from_secs(10);
impl MemberActor {
    /// Lists the tools. If they are already being listed, lists them once more afterwards.
    pub(super) fn begin_list(&mut self) {
        let limits = self.context.settings.limits();
        let Some(limit) = self
            .manifest()
            .map(|manifest| manifest.timeouts.or(&limits).discovery_ms)
        else {
            return;
        };
        let (generation, events) = (self.generation, self.events.clone());
        let reviewing = self.reviewing();
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        if up.listing.is_some() {
            up.list_again = true;
            return;
        }
        let session = Arc::clone(&up.session);
        let home = up.home;
        let redactor = self.context.values.redactor().clone();
        up.listing = Some(AbortOnDropHandle::new(tokio::spawn(async move {
            if let Some(Home { port, host, leader }) = home
                && let Some(holder) = identity::stranger(port, host, leader).await
            {
                let report = identity::port_taken(port, &holder);
                let taken = ActorEvent::PortTaken { generation, report };
                let _ = events.send(taken).await;
                return;
            }
            let list = match session.list_tools(Duration::from_millis(limit)).await {
                Ok(list) => redactor.list(list).await,
                failed => failed,
            };
            let mut offers = None;
            if let (Ok(list), true) = (&list, reviewing.holds()) {
                let limit = Duration::from_millis(limit).min(OFFERS_LIMIT);
                offers = offers_of(&session, limit, &redactor).await;
                reviewing
                    .list_came(list.tools.clone(), offers.clone())
                    .await;
            }
            let exposed = match home {
                Some(home) => identity::exposed_at(home.port).await,
                None => None,
            };
            let _ = events
                .send(ActorEvent::Listed {
                    generation,
                    list,
                    offers,
                    exposed,
                })
                .await;
        })));
        self.list.refreshing = true;
        self.publish();
    }

    /// Stores the listed tools (REQ-MCP-TOOL-7, -15, -16), or handles the failure.
    pub(super) fn listed(
        &mut self,
        list: Result<ToolList, McpError>,
        offers: Option<Vec<ToolSpec>>,
        exposed: Option<IpAddr>,
    ) {
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        up.listing = None;
        let again = std::mem::take(&mut up.list_again);
        let first = !up.listed;
        match list {
            Ok(list) => {
                up.listed = true;
                up.unread = false;
                let found = up.bare.then(|| FoundBy::new(Rung::NoHandshake, None));
                let list = CachedList {
                    start_ms: self.list.start_ms,
                    opens_with: up.opens_next,
                    ..to_cached(list, Some(&up.server), found, now_ms())
                };
                self.update_warnings(&list.problems, exposed);
                let before = self.list.tools.specs();
                // The first list of a member is not a change.
                let was_known = self.list.tools.listed_at_ms.is_some();
                let diff = ToolListDiff::between(&before, &list.tools);
                up_settles(&mut self.phase, first || !diff.is_empty());
                self.list.take(&list);
                let were_unknown = self.offers.is_none() && offers.is_some();
                self.offers_came(offers);
                if were_unknown {
                    self.publish_offers_soon();
                }
                self.judge();
                self.publish();
                self.context.roster.tell(HallEvent::ToolsUpdated {
                    member: self.name.clone(),
                    count: list.tools.len(),
                    diff: diff.clone(),
                });
                let revision = (was_known && !diff.is_empty()).then(|| NewRevision {
                    member: self.name.clone(),
                    at_ms: list.listed_at_ms,
                    diff,
                    before,
                    after: list.tools.clone(),
                });
                self.keep(list, revision);
                self.begin_offers();
                if again {
                    self.begin_list();
                }
                // Prompts and resources are read before an on-demand member is stopped.
                if !self.is_on_demand() || !self.reads_offers() {
                    self.answer_starts();
                }
                return;
            }
            // Only if the connection still exists. A broken connection is reported later, with its
            // cause.
            Err(error) if first && !up.session.is_closed() => {
                let report = self.list_failed(&error);
                self.unlisted = true;
                self.fail_up(report, false);
                return;
            }
            Err(_) if first => {
                self.connection_broke();
                return;
            }
            Err(error) => {
                up.unread = true;
                let report = self.list_failed(&error);
                tracing::warn!("{report}");
                self.list.refreshing = false;
                self.list.warning = Some(report.clone());
                self.publish();
                for reply in self.starts.drain(..) {
                    let _ = reply.send(Err(report.clone()));
                }
            }
        }
        if again {
            self.begin_list();
        }
        self.stop_if_idle();
    }

    fn list_failed(&self, error: &McpError) -> Report {
        if matches!(error.code(), Code::SignInNeeded | Code::SignInFailed) {
            // The cause is a missing sign-in, so the advice about lists does not apply.
            return error.report().of(&self.name);
        }
        let report = error.report();
        let next = match report.hint.as_str() {
            "" => ListAdvice::Refresh.to_string(),
            _ => report.hint.clone(),
        };
        let trouble = StartError::ListFailed(report.message.clone(), next);
        Report::from_error(Code::ListFailed, &trouble).of(&self.name)
    }

    /// Writes the cache in the background. A failure is a warning (REQ-MCP-TOOL-8, -18). A change
    /// of the list is recorded before the cache is written. If the program is killed in between,
    /// the next start finds the change again.
    pub(super) fn keep(&self, list: CachedList, revision: Option<NewRevision>) {
        let Some(manifest) = self.manifest().cloned() else {
            return;
        };
        self.to_keep.put(manifest, list);
        let (to_keep, files) = (Arc::clone(&self.to_keep), self.files.clone());
        let events = self.events.clone();
        let history = self.context.history.clone();
        self.context.tasks.spawn(async move {
            if let Some(revision) = revision
                && let Err(report) = history.record_revision(revision).await
            {
                tracing::warn!("a change of a tool list was not recorded: {report}");
            }
            let kept = tokio::task::spawn_blocking(move || to_keep.write(&files)).await;
            let kept = kept.unwrap_or(Ok(()));
            if let Err(report) = &kept {
                tracing::warn!("{report}");
            }
            let _ = events.send(ActorEvent::CacheWritten(kept)).await;
        });
    }

    fn update_warnings(&mut self, problems: &[ListProblem], exposed: Option<IpAddr>) {
        self.warnings.retain(|report| match report.code {
            Code::AnswerMalformed => self.noise > 0,
            // A warning about the start stays true.
            Code::PortHeld => true,
            _ => false,
        });
        if !problems.is_empty() {
            let report = Report::from_error(Code::ListFailed, &odd_tools(problems));
            self.warnings.push(report.of(&self.name));
        }
        if let (Some(address), Some(port)) = (exposed, self.port) {
            let place = match address.is_unspecified() {
                true => PortAddresses::Everywhere(address.to_string()),
                false => PortAddresses::At(address.to_string()),
            };
            let report = Report::from_error(Code::PortExposed, &StartError::Exposed(place, port));
            self.warnings.push(report.of(&self.name));
        }
    }

    pub(super) fn on_session_event(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::ToolsChanged => {
                if let MemberPhase::Up(up) = &mut self.phase {
                    // An earlier time stays, so that a server that never stops notifying can't
                    // delay the listing.
                    let at = Instant::now() + up.settles;
                    up.relist_at.get_or_insert(at);
                }
            }
            SessionEvent::OffersChanged(offer) => self.offers_changed(offer),
            SessionEvent::Message { level, text } => {
                tracing::info!(target: SERVER, member = %self.name, level, "{text}");
            }
            SessionEvent::Noise { lines, sample } => {
                self.noise += lines;
                let noise = StartError::Noise(self.noise, format!("{sample:?}"));
                let report = Report::from_error(Code::AnswerMalformed, &noise);
                self.warnings
                    .retain(|report| report.code != Code::AnswerMalformed);
                self.warnings.push(report.of(&self.name));
                self.publish();
            }
            SessionEvent::Closed { reason } => {
                tracing::debug!(member = %self.name, ?reason, "the connection is closed");
                self.connection_broke();
            }
        }
    }
}

/// Doubles the wait after a notification without a change, else resets it.
fn up_settles(phase: &mut MemberPhase, changed: bool) {
    if let MemberPhase::Up(up) = phase {
        up.settles = match changed {
            true => CHANGE_SETTLES,
            false => (up.settles * 2).min(CHANGE_SETTLES_MAX),
        };
    }
}
