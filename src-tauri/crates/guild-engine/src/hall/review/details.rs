//! Compares a member with what a person accepted.

use guild_api::wire::{MARKED_MAX, MemberReview, SavedCall, ToolDifference, ToolReview};
use guild_model::manifest::Policy;
use guild_model::tool::{ToolDigest, ToolSpec};
use guild_model::{MemberName, ToolName};
use guild_review::messages::PolicyPlace;
use guild_review::trust::{
    NameProbe, OtherTool, ToolUses, breakages, difference, is_offer, launch_changes, launch_view,
    suspicions,
};
use std::collections::{BTreeMap, HashSet};

use guild_agents::GatewayConfig;
use guild_history::ToolRevision;
use guild_roster::{RosterEntry, Snapshot};
use guild_supervisor::reviews::{ReviewedList, Reviews, ToolChangeMode};

pub(super) struct ReviewInput<'a> {
    pub(super) member: &'a MemberName,
    pub(super) entry: &'a RosterEntry,
    pub(super) snapshot: &'a Snapshot,
    pub(super) saved: &'a [SavedCall],
    pub(super) settings: &'a GatewayConfig,
}

impl ReviewInput<'_> {
    /// Returns the whole review. Blocking.
    pub(super) fn review(&self, reviews: &Reviews, changes: ToolChangeMode) -> MemberReview {
        let Self { member, entry, .. } = self;
        let launch = entry.manifest.as_deref().map(launch_view);
        let accepted = reviews.accepted(member);
        let launch_changes = match (&accepted, &launch) {
            (Some(accepted), Some(launch)) => launch_changes(&accepted.launch, launch),
            _ => vec![],
        };
        let (list, warning) = match changes {
            ToolChangeMode::Held => match reviews.list(member) {
                Ok(list) => (Some(list), None),
                Err(report) => (None, Some(report)),
            },
            ToolChangeMode::First | ToolChangeMode::Pass => (None, None),
        };
        let mut tools = self.tools(changes, list.as_ref());
        let more = tools.len().saturating_sub(MARKED_MAX);
        tools.truncate(MARKED_MAX);
        MemberReview {
            member: (*member).clone(),
            trust: entry.view.trust.clone(),
            launch,
            accepted,
            launch_changes,
            list: list_digest(entry),
            count: entry.tools.tools().len(),
            reviewed_at_ms: list.as_ref().map(|list| list.reviewed_at_ms),
            tools,
            more,
            warning: reviews.trouble().or(warning),
        }
    }

    /// Returns the tools that differ from the accepted ones, the tools that were removed, and the
    /// tools with suspicious passages.
    fn tools(&self, changes: ToolChangeMode, list: Option<&ReviewedList>) -> Vec<ToolReview> {
        let before = list.map(ReviewedList::by_name).unwrap_or_default();
        let compared = changes.withholds();
        let policies = self.policies();
        let now = specs(self.entry);
        let mut tools: Vec<ToolReview> = now
            .map(|tool| {
                let old = match before.get(tool.name().as_str()) {
                    // If changes are not withheld, there is no comparison, and every tool counts as
                    // unchanged.
                    None if !compared => Some(tool),
                    old => old.copied(),
                };
                self.tool(tool.name(), old, Some(tool), &policies)
            })
            .collect();
        let there: HashSet<&ToolName> = specs(self.entry).map(ToolSpec::name).collect();
        let is_known = |tool: &ToolSpec| self.entry.offers.is_some() || !is_offer(tool.name());
        let gone = before
            .values()
            .filter(|tool| !there.contains(tool.name()) && is_known(tool));
        tools.extend(gone.map(|tool| self.tool(tool.name(), Some(tool), None, &policies)));
        tools.retain(|tool| tool.difference != ToolDifference::Same || !tool.suspicions.is_empty());
        tools.sort_by_key(|tool| match tool.difference {
            ToolDifference::Changed | ToolDifference::New => 0,
            ToolDifference::Gone => 1,
            ToolDifference::Same => 2,
        });
        tools
    }

    /// Returns the tools of a revision, each compared with its previous version.
    pub(super) fn steps(&self, steps: &[ToolRevision]) -> Vec<ToolReview> {
        let policies = self.policies();
        let tool = |(name, old, new): &ToolRevision| {
            self.tool(name, old.as_ref(), new.as_ref(), &policies)
        };
        steps.iter().map(tool).collect()
    }

    fn tool(
        &self,
        name: &ToolName,
        old: Option<&ToolSpec>,
        new: Option<&ToolSpec>,
        policies: &BTreeMap<ToolName, (Policy, PolicyPlace)>,
    ) -> ToolReview {
        let (difference, parts) = difference(old, new);
        let suspicions = new.map(|tool| {
            let probe = NameProbe::of(tool);
            let others = others(self.snapshot, self.member, &probe);
            suspicions(self.member, tool, others)
        });
        let breaks = match difference {
            ToolDifference::Same => vec![],
            _ => {
                let uses = ToolUses {
                    member: self.member,
                    saved: self.saved,
                    policies,
                    profiles: &self.settings.profiles,
                };
                breakages(name, old, new, uses)
            }
        };
        ToolReview {
            name: name.clone(),
            difference,
            parts,
            suspicions: suspicions.unwrap_or_default(),
            breaks,
        }
    }

    /// Returns the policies that are set for the member's individual tools. A policy that a person
    /// set takes precedence over that of the manifest.
    fn policies(&self) -> BTreeMap<ToolName, (Policy, PolicyPlace)> {
        let manifest = self.entry.manifest.iter();
        let of_manifest = manifest.flat_map(|manifest| &manifest.tools);
        let of_manifest = of_manifest.filter_map(|(name, settings)| {
            let name = ToolName::parse(name).ok()?;
            Some((name, (settings.policy?, PolicyPlace::Manifest)))
        });
        let set = self
            .settings
            .policies
            .get(self.member)
            .into_iter()
            .flatten();
        let set =
            set.map(|(name, policy)| (name.clone(), (*policy, PolicyPlace::File("gateway.json"))));
        of_manifest.chain(set).collect()
    }
}

/// Returns the tools of other members whose names are similar to the name in `probe`, or occur in
/// the text of `probe`.
pub(crate) fn others<'a>(
    snapshot: &'a Snapshot,
    member: &'a MemberName,
    probe: &'a NameProbe,
) -> impl Iterator<Item = OtherTool<'a>> {
    let others = snapshot
        .members
        .iter()
        .filter(move |(name, _)| *name != member);
    others.flat_map(|(member, entry)| {
        let named = move |tool: &'a guild_roster::IndexedTool| OtherTool {
            member,
            name: tool.spec.name(),
        };
        entry.tools.like(probe).map(named)
    })
}

/// Returns a member's tools and, if their changes are withheld too, its prompts, resources and
/// templates.
fn specs(entry: &RosterEntry) -> impl Iterator<Item = &ToolSpec> {
    let tools = entry.tools.tools().iter().map(|tool| &tool.spec);
    tools.chain(entry.offers.iter().flat_map(|offers| offers.iter()))
}

/// Returns a digest of a tool list that does not depend on the order of the tools.
pub(super) fn list_digest(entry: &RosterEntry) -> String {
    let mut digests: Vec<ToolDigest> = specs(entry).map(ToolSpec::digest).collect();
    digests.sort_unstable();
    ToolDigest::of_list(digests)
}
