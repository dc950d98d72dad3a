//! Compares a member with its approved state, and withholds changed tools from agents.

use std::collections::HashMap;
use std::sync::Arc;

use crate::messages::{MemberOrigin, StartError};
use guild_api::event::HallEvent;
use guild_api::wire::{HELD_NAMES_MAX, LaunchTrust, ToolMark, Trust};
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::is_offer;

use super::{AfterStop, MemberActor, MemberPhase};
use crate::context::Context;
use crate::reviews::ToolChangeMode;
use guild_roster::ReviewMarks;

/// Compares a list with the approved state in a separate task, because this may take longer than
/// the actor's loop can wait.
pub(super) struct Reviewing {
    name: MemberName,
    changes: ToolChangeMode,
    context: Arc<Context>,
}

impl Reviewing {
    /// Whether changes of the member are withheld from agents until a review.
    pub(super) fn holds(&self) -> bool {
        self.changes.withholds()
    }

    /// Records the first lists of an approved member as reviewed, and prepares the comparison with
    /// later lists.
    pub(super) async fn list_came(self, tools: Vec<ToolSpec>, offers: Option<Vec<ToolSpec>>) {
        if !self.holds() {
            return;
        }
        let Self {
            name,
            changes,
            context,
        } = self;
        let (reviews, member) = (Arc::clone(&context.reviews), name.clone());
        let comparing = tokio::task::spawn_blocking(move || {
            let all = tools.iter().chain(offers.iter().flatten());
            reviews.make_ready(&member, changes, all);
            reviews.take_first(&member, tools, offers)
        });
        if let Ok(Err(report)) = comparing.await {
            let report = report.of(&name);
            tracing::warn!("{report}");
            context.roster.tell(HallEvent::Warning { report });
        }
    }
}

impl MemberActor {
    pub(super) fn reviewing(&self) -> Reviewing {
        Reviewing {
            name: self.name.clone(),
            changes: self.standing.changes,
            context: Arc::clone(&self.context),
        }
    }

    /// Reads the approved state for the first time. Blocking, since it reads the approved list.
    pub(super) fn judge_at_first(&mut self) {
        let standing = self.context.reviews.standing(&self.name, self.manifest());
        let tools = self.list.tools.tools().iter().map(|tool| &tool.spec);
        let reviews = &self.context.reviews;
        reviews.make_ready(&self.name, standing.changes, tools);
        self.judge();
    }

    /// Updates the approved state, and the tools that agents do not get.
    pub(super) fn judge(&mut self) {
        let reviews = Arc::clone(&self.context.reviews);
        self.standing = reviews.standing(&self.name, self.manifest());
        let offers = self.offers.as_deref().map_or(&[][..], Vec::as_slice);
        let changes = self.standing.changes;
        let marks = reviews.marks(&self.name, changes, &self.list.tools, offers);
        if *self.withheld == marks {
            return;
        }
        let of_offers = |marks: &ReviewMarks| -> HashMap<ToolName, ToolMark> {
            let marks = marks.iter().filter(|(name, _)| is_offer(name));
            marks.map(|(name, mark)| (name.clone(), *mark)).collect()
        };
        let others_held = of_offers(&self.withheld) != of_offers(&marks);
        self.withheld = Arc::new(marks);
        if others_held {
            self.publish_offers_soon();
        }
    }

    /// Applies an approval or its withdrawal. Stops a member that is no longer approved. With
    /// `start`, starts a member that became approved.
    pub(super) fn reviewed(&mut self, start: bool) {
        let was_unreviewed = self.standing.is_unreviewed();
        let withheld = self.standing.changes.withholds();
        self.judge();
        if !withheld && self.standing.changes.withholds() {
            // Until now, prompts and resources were not compared with the approved ones.
            self.begin_list();
        }
        match (was_unreviewed, self.standing.is_unreviewed()) {
            (false, true) => self.stop(AfterStop::Rest),
            (true, false) => {
                if matches!(self.phase, MemberPhase::Down) {
                    self.rest();
                }
                if start {
                    self.begin_start();
                }
            }
            (false, false) | (true, true) => self.publish(),
        }
    }

    /// Returns an error if the member's launch is not approved.
    pub(super) fn unreviewed(&self) -> Result<(), Report> {
        if !self.standing.is_unreviewed() {
            return Ok(());
        }
        let from = self
            .manifest()
            .and_then(|manifest| manifest.origin.as_ref());
        let from = match from {
            Some(origin) => MemberOrigin::Named(origin.from.chars().take(40).collect()),
            None => MemberOrigin::Elsewhere,
        };
        let name = self.name.clone();
        let trouble = match self.standing.launch {
            LaunchTrust::Changed => StartError::Changed(name),
            _ => StartError::Unreviewed(from, name),
        };
        Err(Report::from_error(Code::MemberUnreviewed, &trouble).of(&self.name))
    }

    /// Returns the review state for the roster.
    pub(super) fn trust(&self) -> Trust {
        Trust {
            origin: self.manifest().and_then(|manifest| manifest.origin.clone()),
            launch: self.standing.launch,
            holds: self.standing.changes.withholds(),
            held: self.withheld.len(),
            held_names: names_of(&self.withheld),
        }
    }
}

/// Returns the names of the withheld tools, sorted. Empty if there are too many to list.
fn names_of(withheld: &ReviewMarks) -> Vec<ToolName> {
    if withheld.len() > HELD_NAMES_MAX {
        return Vec::new();
    }
    let mut names: Vec<ToolName> = withheld.keys().cloned().collect();
    names.sort_unstable();
    names
}
