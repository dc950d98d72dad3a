//! Finds the policy of a tool for agents, and the reason for that policy. [`guild_model::policy`]
//! combines the policies from the different sources.

mod changing;
mod loosening;
mod preview;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use guild_api::wire::ReadOnlyClaim;
use guild_catalog::claim::judged_hints;
use guild_model::manifest::{Manifest, Policy, ToolSettings};
use guild_model::policy::{PolicyDecision, PolicyRules};
use guild_model::profile::{MountedMember, Profile, ProfileName, ToolChange};
use guild_model::tool::{ToolHints, ToolSpec};
use guild_model::{MemberName, Report, ToolName};
use guild_review::trust::is_offer;

pub(super) use self::loosening::loosened;
use super::Agents;
use super::settings::{GatewayConfig, unknown_profile};

/// The current policies: those of all endpoints, or those of a profile.
#[derive(Debug)]
pub struct EffectivePolicies {
    settings: Arc<GatewayConfig>,
    profile: Option<ProfileName>,
}

/// The sources of the policies for one member's tools, optionally in a profile.
#[derive(Debug, Clone, Copy)]
pub struct MemberPolicies<'a> {
    /// Policies that a person set for individual tools, prompts or resources.
    by_hand: Option<&'a BTreeMap<ToolName, Policy>>,
    /// Rules for kinds of tools. `None` without rules.
    rules: Option<&'a PolicyRules>,
    manifest: Option<&'a BTreeMap<String, ToolSettings>>,
    /// The tools whose read-only claim a person confirmed.
    confirmed: Option<&'a BTreeSet<ToolName>>,
    profile: Option<InProfile<'a>>,
}

/// A profile's policies for a member's tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct InProfile<'a> {
    pub(super) rules: &'a PolicyRules,
    pub(super) mounted: &'a MountedMember,
}

impl<'a> InProfile<'a> {
    /// Returns a profile's policies for a member. `None` if the profile does not include the
    /// member.
    pub(super) fn of(profile: &'a Profile, member: &MemberName) -> Option<Self> {
        let mounted = profile.members.iter().find(|one| one.member == *member)?;
        let rules = &profile.rules;
        Some(Self { rules, mounted })
    }
}

impl Agents {
    /// Returns the current policies.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub fn policies(&self, profile: Option<ProfileName>) -> Result<EffectivePolicies, Report> {
        let settings = self.settings();
        if let Some(name) = &profile {
            settings
                .profile(name)
                .ok_or_else(|| unknown_profile(name))?;
        }
        Ok(EffectivePolicies { settings, profile })
    }
}

impl EffectivePolicies {
    /// Returns the policies of one member's tools. `None` if the profile does not include the
    /// member.
    pub fn of<'a>(
        &'a self,
        member: &MemberName,
        manifest: Option<&'a Manifest>,
    ) -> Option<MemberPolicies<'a>> {
        let everywhere = MemberPolicies::new(&self.settings, member, manifest);
        let Some(name) = &self.profile else {
            return Some(everywhere);
        };
        let own = InProfile::of(self.settings.profile(name)?, member)?;
        Some(everywhere.in_profile(Some(own)))
    }
}

impl<'a> MemberPolicies<'a> {
    pub(super) fn new(
        settings: &'a GatewayConfig,
        member: &MemberName,
        manifest: Option<&'a Manifest>,
    ) -> Self {
        Self {
            by_hand: settings.policies.get(member),
            rules: (!settings.rules.is_empty()).then_some(&settings.rules),
            manifest: manifest
                .map(|manifest| &manifest.tools)
                .filter(|tools| !tools.is_empty()),
            confirmed: settings.read_only_confirmed.get(member),
            profile: None,
        }
    }

    /// Returns the hints on which policies are based: those of the server, without a read-only
    /// claim that the tool's text contradicts and that no person has confirmed.
    pub(super) fn hints(self, tool: &ToolSpec) -> ToolHints {
        match self.claim(tool.name()) {
            ReadOnlyClaim::Confirmed => tool.hints(),
            ReadOnlyClaim::Doubted => judged_hints(tool),
        }
    }

    /// Returns whether a person has confirmed the tool's read-only claim. The result matters only
    /// if the tool's text contradicts the claim.
    pub fn claim(self, tool: &ToolName) -> ReadOnlyClaim {
        match self.confirmed.is_some_and(|set| set.contains(tool)) {
            true => ReadOnlyClaim::Confirmed,
            false => ReadOnlyClaim::Doubted,
        }
    }

    pub(super) fn in_profile(self, profile: Option<InProfile<'a>>) -> Self {
        Self { profile, ..self }
    }

    /// Whether the profile includes a tool.
    pub fn chooses(self, tool: &ToolName) -> bool {
        self.profile
            .is_none_or(|profile| profile.mounted.tools.has(tool))
    }

    /// Returns a tool's policy and its reason.
    pub fn of(self, tool: &ToolSpec) -> PolicyDecision {
        let everywhere = self.everywhere(tool);
        let Some(InProfile { rules, mounted }) = self.profile else {
            return everywhere;
        };
        let by_hand = set_in(mounted.changes.get(tool.name()));
        let rule = (!rules.is_empty())
            .then(|| rules.of(self.hints(tool)))
            .flatten();
        everywhere.within(PolicyDecision::of_profile(by_hand, rule))
    }

    /// Returns the policy of a prompt, a resource or a template: the one that a person set, or else
    /// that of the manifest. Policy rules apply only to tools.
    pub fn of_offer(self, name: &ToolName) -> PolicyDecision {
        let by_hand = self.by_hand.and_then(|set| set.get(name).copied());
        let manifest = self.manifest.and_then(|tools| tools.get(name.as_str()));
        let everywhere = PolicyDecision::everywhere(
            by_hand,
            None,
            manifest.and_then(|settings| settings.policy),
        );
        let by_hand = self
            .profile
            .and_then(|profile| set_in(profile.mounted.changes.get(name)));
        everywhere.within(PolicyDecision::of_profile(by_hand, None))
    }

    /// Whether the profile includes the prompt, resource or template with these names.
    pub fn chooses_offer(self, names: &[ToolName]) -> bool {
        self.profile
            .is_none_or(|profile| profile.mounted.offers.has_by(names))
    }

    /// Returns the names of prompts, resources and templates that have a policy or that the profile
    /// selects.
    pub fn named_offers(self) -> BTreeSet<ToolName> {
        let by_hand = self.by_hand.into_iter().flat_map(BTreeMap::keys).cloned();
        let manifest = self.manifest.into_iter().flat_map(BTreeMap::keys);
        let manifest = manifest.filter_map(|name| ToolName::parse(name).ok());
        let changes = self.profile.map(|profile| &profile.mounted.changes);
        let changes = changes.into_iter().flat_map(BTreeMap::keys).cloned();
        let chosen = self.profile.map(|profile| profile.mounted.offers.named());
        let chosen = chosen.unwrap_or_default().iter().cloned();
        by_hand
            .chain(manifest)
            .chain(changes)
            .chain(chosen)
            .filter(is_offer)
            .collect()
    }

    /// Returns the policy that applies to all endpoints, without that of the profile.
    pub(super) fn everywhere(self, tool: &ToolSpec) -> PolicyDecision {
        let name = tool.name();
        let by_hand = self.by_hand.and_then(|set| set.get(name).copied());
        let manifest = self.manifest.and_then(|tools| tools.get(name.as_str()));
        PolicyDecision::everywhere(
            by_hand,
            self.rules.and_then(|rules| rules.of(self.hints(tool))),
            manifest.and_then(|settings| settings.policy),
        )
    }
}

/// Whether a person has to approve each use under this policy.
pub(super) fn asks(policy: Policy) -> bool {
    match policy {
        Policy::Ask => true,
        Policy::Allow | Policy::Deny => false,
    }
}

fn set_in(change: Option<&ToolChange>) -> Option<Policy> {
    change.and_then(|change| change.policy)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn claim_is_doubted_until_it_is_confirmed() {
        let member = MemberName::parse("forge").expect("a name");
        let send = ToolSpec::from_raw(json!({
            "name": "email_send",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true},
        }))
        .expect("a tool");
        let read_only = |settings: serde_json::Value| {
            let settings: GatewayConfig = serde_json::from_value(settings).expect("settings");
            MemberPolicies::new(&settings, &member, None)
                .hints(&send)
                .read_only
        };
        assert_eq!(read_only(json!({})), Some(false));
        let confirmed = json!({"readOnlyConfirmed": {"forge": ["email_send"]}});
        assert_eq!(read_only(confirmed), Some(true));
        let policy = |settings: serde_json::Value| {
            let settings: GatewayConfig = serde_json::from_value(settings).expect("settings");
            MemberPolicies::new(&settings, &member, None)
                .of(&send)
                .policy
        };
        assert_eq!(
            policy(json!({"rules": {"destructive": "ask"}})),
            Policy::Ask
        );
    }
}
