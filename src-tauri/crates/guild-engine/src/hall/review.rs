//! Lets a person review the commands and tools of members.

mod details;

use std::sync::Arc;

use guild_api::wire::{
    AcceptMember, AcceptTools, HoldChanges, MemberReview, MemberView, Revision, RevisionRef,
    Revisions, RevisionsOf, SavedCallsOf, ToolReview,
};
use guild_model::manifest::launch_hash;
use guild_model::status::Freshness;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use guild_supervisor::messages::ReviewError;

pub(super) use self::details::others;
use self::details::{ReviewInput, list_digest};
use super::GuildHall;
use guild_files::blocking::blocking;
use guild_history::ToolRevision;
use guild_roster::RosterEntry;
use guild_supervisor::reviews::{Reviews, ToolChangeMode};

impl GuildHall {
    /// Accepts a member's launch command. Also starts the member if this hall starts members.
    ///
    /// # Errors
    /// `member-unknown`, `review-outdated` if the command differs from the reviewed one, the errors
    /// of the member's manifest, `data-unwritable`.
    pub async fn accept_member(&self, request: AcceptMember) -> Result<MemberView, Report> {
        let AcceptMember { member, hash } = request;
        let handle = self.member(&member)?;
        let manifest = self.read_manifest(&member).await?;
        if launch_hash(&manifest) != hash {
            return Err(outdated(&member, &ReviewError::OtherLaunch));
        }
        if manifest.origin.is_some() {
            let of = member.clone();
            self.reviewing(move |reviews| reviews.accept(&of, &manifest))
                .await?;
        }
        handle.reviewed(self.inner.members.is_open()).await
    }

    /// Accepts a member's tools as reviewed. From now on, changes of its tools need a review.
    ///
    /// # Errors
    /// `member-unknown`, `member-unreviewed`, `review-outdated` if the tools differ from the
    /// reviewed ones, `tool-unknown`, `data-unwritable`.
    pub async fn accept_tools(&self, request: AcceptTools) -> Result<MemberReview, Report> {
        let AcceptTools {
            member,
            list,
            tools: chosen,
        } = request;
        let entry = self.reviewable(&member)?;
        let (of, changes) = (member.clone(), self.changes_of(&member, &entry));
        self.reviewing(move |reviews| {
            if list_digest(&entry) != list {
                return Err(outdated(&of, &ReviewError::OtherTools));
            }
            // If the accepted list can't be read, no tool counts as previously accepted.
            let before = match changes {
                ToolChangeMode::Held => reviews.list(&of).ok(),
                ToolChangeMode::First | ToolChangeMode::Pass => None,
            };
            let (before, offers_before) =
                before.map_or_else(Default::default, |list| (list.tools, list.offers));
            let now = entry.tools.specs();
            let offers_now = entry.offers.as_deref().cloned();
            let Some(chosen) = chosen else {
                // If prompts and resources can't be read now, the accepted ones stay.
                return reviews.hold_to(&of, now, offers_now.or(offers_before));
            };
            let all = [
                Some(&now),
                Some(&before),
                offers_now.as_ref(),
                offers_before.as_ref(),
            ];
            let unknown = chosen.iter().find(|name| {
                let mut all = all.iter().copied().flatten().flatten();
                !all.any(|tool: &ToolSpec| tool.name() == *name)
            });
            if let Some(unknown) = unknown {
                let trouble = ReviewError::NoTool(format!("{:?}", unknown.as_str()));
                return Err(Report::from_error(Code::ToolUnknown, &trouble).of(&of));
            }
            let merged = |before: Vec<ToolSpec>, now: Vec<ToolSpec>| -> Vec<ToolSpec> {
                let others = before.into_iter();
                let others = others.filter(|tool| !chosen.contains(tool.name()));
                let accepted = now.into_iter();
                let accepted = accepted.filter(|tool| chosen.contains(tool.name()));
                others.chain(accepted).collect()
            };
            let offers = match (offers_before, offers_now) {
                (before, None) => before,
                (before, Some(now)) => Some(merged(before.unwrap_or_default(), now)),
            };
            reviews.hold_to(&of, merged(before, now), offers)
        })
        .await?;
        self.member(&member)?.reviewed(false).await?;
        self.member_review(&member).await
    }

    /// Sets whether a member's changed tools are withheld from agents until a review.
    ///
    /// # Errors
    /// `member-unknown`, `data-unwritable`.
    pub async fn hold_changes(&self, request: HoldChanges) -> Result<MemberView, Report> {
        let HoldChanges { member, hold } = request;
        let entry = self.entry(&member)?;
        let (of, changes) = (member.clone(), self.changes_of(&member, &entry));
        self.reviewing(move |reviews| match (hold, changes) {
            (false, _) => reviews.let_pass(&of),
            // Changes are already withheld, and those that wait for a review still need it.
            (true, ToolChangeMode::Held | ToolChangeMode::First) => Ok(()),
            (true, ToolChangeMode::Pass) if entry.view.freshness == Freshness::Unknown => {
                reviews.hold_to_next(&of)
            }
            // The member's current prompts and resources are not known here. The first lists that
            // are read count as accepted.
            (true, ToolChangeMode::Pass) => reviews.hold_to(&of, entry.tools.specs(), None),
        })
        .await?;
        self.member(&member)?.reviewed(false).await
    }

    /// Returns the command and the tools of a member, compared with the accepted ones.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn member_review(&self, member: &MemberName) -> Result<MemberReview, Report> {
        let changes = self.changes_of(member, &self.entry(member)?);
        let review = move |look: &ReviewInput<'_>, reviews: &Reviews| look.review(reviews, changes);
        self.looking(member, review).await
    }

    /// Compares some of a member's tools with their other versions, and returns the differences and
    /// the uses that each change breaks.
    ///
    /// # Errors
    /// `member-unknown`.
    pub(super) async fn tool_steps(
        &self,
        member: &MemberName,
        steps: Vec<ToolRevision>,
    ) -> Result<Vec<ToolReview>, Report> {
        self.looking(member, move |look, _| look.steps(&steps))
            .await
    }

    /// Runs `look` with a member and with the saved calls, policies and profiles that a change of
    /// its tools may break.
    async fn looking<T: Send + 'static>(
        &self,
        member: &MemberName,
        look: impl FnOnce(&ReviewInput<'_>, &Reviews) -> T + Send + 'static,
    ) -> Result<T, Report> {
        let entry = self.entry(member)?;
        let saved = self.inner.history.saved_calls(SavedCallsOf {
            member: Some(member.clone()),
            tool: None,
        });
        let saved = saved.await.calls;
        let settings = self.agents().await.settings();
        let (snapshot, of) = (self.snapshot(), member.clone());
        self.reviewing(move |reviews| {
            let at = ReviewInput {
                member: &of,
                entry: &entry,
                snapshot: &snapshot,
                saved: &saved,
                settings: &settings,
            };
            Ok(look(&at, reviews))
        })
        .await
    }

    /// Returns the changes of a member's tool list over time, newest first.
    pub async fn revisions(&self, of: RevisionsOf) -> Revisions {
        self.inner.history.revisions(of).await
    }

    /// Returns one change of a member's tool list, with the uses that it breaks.
    ///
    /// # Errors
    /// `member-unknown`, `history-entry-unknown`, and the errors of the history.
    pub async fn revision(&self, of: RevisionRef) -> Result<Revision, Report> {
        let member = of.member.clone();
        let (view, steps) = self.inner.history.revision(of).await?;
        self.looking(&member, move |look, _| Revision {
            member: look.member.clone(),
            view,
            tools: look.steps(&steps),
        })
        .await
    }

    fn changes_of(&self, member: &MemberName, entry: &RosterEntry) -> ToolChangeMode {
        let manifest = entry.manifest.as_deref();
        let standing = self.inner.context.reviews.standing(member, manifest);
        standing.changes
    }

    /// Returns the roster's entry of a member, if its tools may be accepted.
    fn reviewable(&self, member: &MemberName) -> Result<RosterEntry, Report> {
        let entry = self.entry(member)?;
        let manifest = entry.manifest.as_deref();
        let standing = self.inner.context.reviews.standing(member, manifest);
        if standing.is_unreviewed() {
            let trouble = ReviewError::Unreviewed(member.clone());
            return Err(Report::from_error(Code::MemberUnreviewed, &trouble).of(member));
        }
        Ok(entry)
    }

    pub(super) async fn reviewing<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Reviews) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let reviews = Arc::clone(&self.inner.context.reviews);
        blocking(move || work(&reviews)).await?
    }
}

fn outdated(member: &MemberName, trouble: &ReviewError) -> Report {
    Report::from_error(Code::ReviewOutdated, trouble).of(member)
}
