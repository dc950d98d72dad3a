//! Handles requests about tools of a member that has not listed its tools yet. An agent may know
//! such a tool from an earlier session or from a cached list.

use std::sync::Arc;
use std::time::Duration;

use crate::messages::AgentsError;
use futures::future::join_all;
use guild_catalog::menu::{self, NotDescribed, ToolDescriptionResult};
use guild_gateway::{GatewayError, GatewayRequestContext, ResponseChannels};
use guild_model::status::{Freshness, Status};
use guild_model::{Code, MemberName, Report};
use tokio::time::{Instant, interval, timeout, timeout_at};

use super::TASK_CHARS_MAX;
use super::backend::{AgentBackend, refusal};
use super::forwarding::cancelled;
use super::tool_calls::report_progress;
use super::view::{ExposedTool, View};
use super::withheld;
use guild_files::clock::now_ms;
use guild_roster::{RosterEntry, Snapshot};
use guild_supervisor::calls::STILL_WAITING;
use guild_supervisor::member::MemberCommand;

/// Timeout for a running member to list its tools.
const LISTING_LIMIT: Duration = Duration::from_secs(10);
/// Timeout for describing a tool of a starting member. It is shorter than the request timeout of
/// clients that don't use progress notifications.
const DESCRIBE_LIMIT: Duration = Duration::from_secs(50);
/// How long a search waits for members whose tool lists are unknown.
const SEARCH_LIMIT: Duration = Duration::from_secs(10);
/// How long a list request waits for a starting member, counted from the member's start.
const FIRST_LIST_LIMIT: Duration = Duration::from_secs(1);
/// How long such a request waits for further members after one has listed its tools.
const FIRST_LIST_LULL: Duration = Duration::from_millis(100);

impl AgentBackend {
    /// Waits until the view contains the tool, or until each member that the name may belong to has
    /// listed its tools, and returns the view. Members whose tool lists are unknown are started.
    ///
    /// # Errors
    /// When a member that may have the tool could not list its tools.
    pub(super) async fn view_with(
        &self,
        context: &GatewayRequestContext,
        name: &str,
        back: &ResponseChannels,
    ) -> Result<Arc<View>, GatewayError> {
        let mut roster = self.agents.roster.watch();
        let view = self.view(context)?;
        if view.has(name) {
            return Ok(view);
        }
        let awaited: Vec<&MemberName> = view
            .owners(name)
            .filter(|member| self.is_awaited(member))
            .collect();
        if awaited.is_empty() {
            return Ok(view);
        }
        let listed = join_all(awaited.iter().map(|member| self.listed(member)));
        tokio::pin!(listed);
        let mut ticks = interval(STILL_WAITING);
        let mut steps = 0.0;
        let all = loop {
            tokio::select! {
                biased;
                () = back.cancel.cancelled() => {
                    return Err(cancelled());
                }
                all = &mut listed => break all,
                // The view is checked after each change, so that one slow member does not delay the
                // tools of others.
                Ok(()) = roster.changed() => {
                    let view = self.view(context)?;
                    if view.has(name) {
                        return Ok(view);
                    }
                }
                _ = ticks.tick() => {
                    steps += 1.0;
                    report_progress(back, steps, format!("{} is listing its tools", awaited[0]));
                }
            }
        };
        let view = self.view(context)?;
        match all.into_iter().find_map(Result::err) {
            Some(report) if !view.knows(name) => Err(refusal(&report)),
            _ => Ok(view),
        }
    }

    /// Waits for the first tool lists of starting members, up to [`FIRST_LIST_LIMIT`]. Ends
    /// earlier if no list arrives for [`FIRST_LIST_LULL`], so that a slow member does not delay the
    /// others.
    pub(super) async fn wait_for_lists_of(&self, view: &View) {
        let until = Instant::now() + FIRST_LIST_LIMIT;
        let mut roster = self.agents.roster.watch();
        loop {
            let snapshot = self.agents.roster.snapshot();
            let entries = view.members().filter_map(|it| snapshot.members.get(it));
            let (mut started, mut listed) = (None, None);
            for entry in entries.filter(|entry| withheld::whole(entry).is_none()) {
                if !is_unlisted(entry) {
                    listed = listed.max(entry.tools.listed_at_ms);
                } else if is_listing(entry) {
                    started = started.max(Some(entry.view.since_ms));
                }
            }
            let pause = started.and_then(|started| first_list_pause(now_ms(), started, listed));
            let Some(pause) = pause else {
                return;
            };
            let wake = until.min(Instant::now() + pause);
            let _ = timeout_at(wake, roster.changed()).await;
            if Instant::now() >= until {
                return;
            }
        }
    }

    /// Returns a tool in full, or the reason why it is unavailable. If a member that has never
    /// listed its tools may have the tool, the member is started.
    pub(super) async fn describe_tool(
        &self,
        context: &GatewayRequestContext,
        name: &str,
        back: &ResponseChannels,
    ) -> ToolDescriptionResult {
        let (view, refused) =
            match timeout(DESCRIBE_LIMIT, self.view_with(context, name, back)).await {
                Ok(Ok(view)) => (Ok(view), None),
                Ok(Err(refusal)) => (
                    self.agents.view(&context.endpoint),
                    Some(self.redacted(refusal)),
                ),
                Err(_) => (self.agents.view(&context.endpoint), None),
            };
        let not = |reason| ToolDescriptionResult {
            name: name.to_owned(),
            outcome: Err(NotDescribed {
                reason,
                near: vec![],
            }),
        };
        match (view, refused) {
            (Ok(_), Some(refused)) => not(refused.message),
            (Err(report), _) => not(refusal(&report).message),
            (Ok(view), None) => {
                let mut described = view.describe(name);
                let unlisted: Vec<String> = self
                    .unlisted(&view)
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                described.outcome = described.outcome.map_err(|it| it.while_unlisted(&unlisted));
                described
            }
        }
    }

    /// Searches the tools of an endpoint. If the task names a member whose tool list is unknown,
    /// starts the member and waits for the list. If no tool matches well, also waits for members
    /// that are starting.
    ///
    /// # Errors
    /// When the endpoint does not exist, or the request was cancelled.
    pub(super) async fn search_tools(
        &self,
        context: &GatewayRequestContext,
        task: &str,
        limit: usize,
        back: &ResponseChannels,
    ) -> Result<String, GatewayError> {
        let until = Instant::now() + SEARCH_LIMIT;
        let mut view = self.view(context)?;
        let mut awaited = self.unlisted(&view);
        let begun: String = task.chars().take(TASK_CHARS_MAX).collect();
        let begun = words(&begun);
        awaited.retain(|member| begun.contains(&words(member.as_str())));
        if !awaited.is_empty() {
            self.report_waiting(&awaited, back);
            let listed = join_all(awaited.iter().map(|member| self.listed(member)));
            tokio::select! {
                _ = timeout_at(until, listed) => view = self.view(context)?,
                () = back.cancel.cancelled() => return Err(cancelled()),
            }
        }
        loop {
            let (close, note) = self.agents.close_to(&view, task).await;
            let (searched, text) = (Arc::clone(&view), task.to_owned());
            let finding = tokio::task::spawn_blocking(move || searched.find(&text, &close, limit));
            let hits = finding.await.map_err(|error| {
                GatewayError::new(
                    GatewayError::INTERNAL,
                    format!("The search failed: {error}."),
                )
            })?;
            let unlisted = self.unlisted(&view);
            let fits = hits.iter().any(|hit| !hit.weak);
            awaited = match fits || Instant::now() >= until {
                true => vec![],
                false => self.listing_members(&unlisted),
            };
            if awaited.is_empty() {
                let unlisted: Vec<String> = unlisted.iter().map(ToString::to_string).collect();
                return Ok(menu::with_unlisted(view.found(&hits, note), &unlisted));
            }
            self.report_waiting(&awaited, back);
            // The wait ends with each new list, so that one slow member does not delay the tools of
            // others.
            let roster = &self.agents.roster;
            let one_listed = roster.until(|now| {
                awaited
                    .iter()
                    .any(|it| !now.members.get(it).is_some_and(is_listing))
            });
            tokio::select! {
                _ = timeout_at(until, one_listed) => view = self.view(context)?,
                () = back.cancel.cancelled() => return Err(cancelled()),
            }
        }
    }

    fn report_waiting(&self, awaited: &[MemberName], back: &ResponseChannels) {
        if let Some(first) = awaited.first() {
            report_progress(back, 1.0, format!("{first} is listing its tools"));
        }
    }

    /// Returns the members of the view whose tools are not known yet, except members whose tools
    /// are all withheld. Includes failed members, since a call starts them.
    pub(super) fn unlisted(&self, view: &View) -> Vec<MemberName> {
        let snapshot = self.agents.roster.snapshot();
        let is_wanted = |member: &&MemberName| {
            let entry = snapshot.members.get(*member);
            entry.is_some_and(|entry| is_unlisted(entry) && withheld::whole(entry).is_none())
        };
        view.members().filter(is_wanted).cloned().collect()
    }

    /// Returns the members that are starting or listing their tools.
    fn listing_members(&self, members: &[MemberName]) -> Vec<MemberName> {
        let snapshot = self.agents.roster.snapshot();
        let is_listing_now =
            |member: &&MemberName| snapshot.members.get(*member).is_some_and(is_listing);
        members.iter().filter(is_listing_now).cloned().collect()
    }

    /// For a member whose changes are withheld: waits until the member has listed its tools since
    /// its start, so that no call reaches a tool that has changed.
    ///
    /// # Errors
    /// When the tool is no longer offered, or the member does not list its tools.
    pub(super) async fn still_offered(
        &self,
        context: &GatewayRequestContext,
        tool: &ExposedTool,
    ) -> Result<(), Report> {
        let holds = |now: &Snapshot| {
            let entry = now.members.get(&tool.member);
            entry.is_some_and(|entry| entry.view.trust.holds)
        };
        self.confirmed(&tool.member).await?;
        // Checked once more, since the start of the member for this call may have fetched the list.
        if !holds(&self.agents.roster.snapshot()) {
            return Ok(());
        }
        let view = self.agents.view(&context.endpoint)?;
        match view.callable(&tool.name, context.shows_apps) {
            Some(_) => Ok(()),
            None => Err(view.why_not(&tool.name)),
        }
    }

    /// For a member whose changes are withheld: waits until the member has listed its tools since
    /// its start. Returns whether it had to wait. If the last request for the list failed, the
    /// request is repeated once.
    ///
    /// # Errors
    /// When the member does not list its tools.
    pub(super) async fn confirmed(&self, member: &MemberName) -> Result<bool, Report> {
        let roster = &self.agents.roster;
        let is_held = |entry: &&RosterEntry| entry.view.trust.holds;
        let is_unlisted_now = |now: &Snapshot| {
            let entry = now.members.get(member).filter(is_held);
            entry.is_some_and(is_listing)
        };
        let now = roster.snapshot();
        let entry = now.members.get(member).filter(is_held);
        if entry.is_none_or(|entry| entry.is_confirmed && !is_listing(entry)) {
            return Ok(false);
        }
        let listed = roster.until(|now| !is_unlisted_now(now));
        if timeout(LISTING_LIMIT, listed).await.is_err() {
            return Err(not_listed(member));
        }
        let now = roster.snapshot();
        if let Some(entry) = now.members.get(member).filter(is_held)
            && !entry.is_confirmed
        {
            if entry.view.status != Status::Ready {
                let why = entry.view.error.clone();
                return Err(why.unwrap_or_else(|| not_listed(member)));
            }
            let handle = self.agents.members.member(member)?;
            let listing = handle.ask(|reply| MemberCommand::Refresh { reply });
            let listed = timeout(LISTING_LIMIT, listing).await;
            listed.unwrap_or_else(|_| Err(not_listed(member)))?;
        }
        Ok(true)
    }

    /// Whether a member's tools are unknown or are being listed.
    fn is_awaited(&self, member: &MemberName) -> bool {
        let snapshot = self.agents.roster.snapshot();
        let entry = snapshot.members.get(member);
        entry.is_some_and(|entry| is_unlisted(entry) || is_listing(entry))
    }

    /// Waits until a member has listed its tools.
    async fn listed(&self, member: &MemberName) -> Result<(), Report> {
        let roster = &self.agents.roster;
        let snapshot = roster.snapshot();
        // A lease of the session starts the member if it is stopped, and keeps it running until the
        // call.
        let _loan = match snapshot.members.get(member).is_some_and(is_unlisted) {
            true => {
                let handle = self.agents.members.member(member)?;
                Some(handle.ask(|reply| MemberCommand::Lease { reply }).await?)
            }
            false => None,
        };
        let ended = roster.until(|now| !now.members.get(member).is_some_and(is_listing));
        let in_time = timeout(LISTING_LIMIT, ended).await;
        let snapshot = roster.snapshot();
        let unlisted = snapshot.members.get(member).filter(|it| is_unlisted(it));
        match unlisted.map(|entry| (&entry.view.error, in_time)) {
            None => Ok(()),
            Some((Some(report), Ok(()))) => Err(report.clone()),
            Some(_) => Err(not_listed(member)),
        }
    }
}

/// Returns the lowercase words of a text, each surrounded by spaces.
fn words(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

pub(super) fn not_listed(member: &MemberName) -> Report {
    Report::from_error(Code::ListFailed, &AgentsError::NotListed).of(member)
}

fn is_unlisted(entry: &RosterEntry) -> bool {
    entry.view.freshness == Freshness::Unknown
}

/// Returns how long a list request continues to wait at `now_ms`, for a member whose start began at
/// `started_ms`. `listed_ms` is the last time at which another member listed its tools. `None`
/// means that the wait is over.
fn first_list_pause(now_ms: u64, started_ms: u64, listed_ms: Option<u64>) -> Option<Duration> {
    let left = |since_ms: u64, limit: Duration| {
        let left = limit.saturating_sub(Duration::from_millis(now_ms.saturating_sub(since_ms)));
        (!left.is_zero()).then_some(left)
    };
    let pause = left(started_ms, FIRST_LIST_LIMIT)?;
    match listed_ms {
        Some(listed_ms) => Some(pause.min(left(listed_ms, FIRST_LIST_LULL)?)),
        None => Some(pause),
    }
}

/// Whether a member is starting or listing its tools.
pub(super) fn is_listing(entry: &RosterEntry) -> bool {
    let now = matches!(
        entry.view.freshness,
        Freshness::Unknown | Freshness::Refreshing
    );
    now && matches!(entry.view.status, Status::Starting | Status::Ready)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_list_waits_while_members_are_listed() {
        let at = |started, listed| first_list_pause(10_000, started, listed);
        let pause = |ms| Some(Duration::from_millis(ms));
        assert_eq!(at(9_900, None), pause(900));
        assert_eq!(at(9_000, None), None, "a slow member");
        assert_eq!(at(9_900, Some(9_950)), pause(50));
        assert_eq!(at(9_020, Some(9_950)), pause(20));
        assert_eq!(at(9_900, Some(9_900)), None, "no other came for a while");
        assert_eq!(at(9_900, Some(7)), None, "others are in the cache");
    }

    #[test]
    fn task_names_a_member_by_its_words() {
        for (task, name, is_named) in [
            ("search with brave search", "brave-search", true),
            ("Brave_Search__web", "brave-search", true),
            ("be brave, and search", "brave-search", false),
            ("open a GitHub issue", "github", true),
            ("a githubber", "github", false),
            ("", "github", false),
        ] {
            assert_eq!(words(task).contains(&words(name)), is_named, "{task}");
        }
    }
}
