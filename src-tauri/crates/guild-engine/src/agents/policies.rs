//! Which policy a tool has for agents, and what decided it. How words are weighed stands in
//! [`guild_core::agents::policy`]; here they are found.

mod changing;
mod loosening;
mod preview;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use guild_core::agents::policy::{PolicyRules, Ruling, judged_hints};
use guild_core::agents::{MountedMember, ProfileName, ToolChange};
use guild_core::manifest::{Manifest, Policy, ToolSettings};
use guild_core::tool::{ToolHints, ToolSpec};
use guild_core::trust::is_offer;
use guild_core::wire::ReadOnlyClaim;
use guild_core::{MemberName, Report, ToolName};

pub(super) use self::loosening::loosened;
use super::Agents;
use super::settings::{Settings, unknown_profile};

/// All policies as they are now, everywhere or in a profile.
#[derive(Debug)]
pub(crate) struct Policies {
    settings: Arc<Settings>,
    profile: Option<ProfileName>,
}

/// Those of one member's tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfMember<'a> {
    /// Set by a person.
    by_hand: Option<&'a BTreeMap<ToolName, Policy>>,
    /// What is said of kinds of tools; `None` where that is nothing.
    rules: Option<&'a PolicyRules>,
    manifest: Option<&'a BTreeMap<String, ToolSettings>>,
    /// The tools of which a person confirmed that they only read.
    confirmed: Option<&'a BTreeSet<ToolName>>,
    profile: Option<InProfile<'a>>,
}

/// What a profile says of a member's tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct InProfile<'a> {
    pub(super) rules: &'a PolicyRules,
    pub(super) mounted: &'a MountedMember,
}

impl Agents {
    /// All policies as they are now.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub(crate) fn policies(&self, profile: Option<ProfileName>) -> Result<Policies, Report> {
        let settings = self.settings();
        if let Some(name) = &profile {
            settings
                .profile(name)
                .ok_or_else(|| unknown_profile(name))?;
        }
        Ok(Policies { settings, profile })
    }
}

impl Policies {
    /// Those of one member's tools; `None` where the profile does not choose the member.
    pub(crate) fn of<'a>(
        &'a self,
        member: &MemberName,
        manifest: Option<&'a Manifest>,
    ) -> Option<OfMember<'a>> {
        let everywhere = OfMember::new(&self.settings, member, manifest);
        let Some(name) = &self.profile else {
            return Some(everywhere);
        };
        let profile = self.settings.profile(name)?;
        let mounted = profile.members.iter().find(|one| one.member == *member)?;
        Some(everywhere.in_profile(Some(InProfile {
            rules: &profile.rules,
            mounted,
        })))
    }
}

impl<'a> OfMember<'a> {
    pub(super) fn new(
        settings: &'a Settings,
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

    /// The hints that decide: the server's, unless the tool's own words contradict them and no
    /// person confirmed them.
    pub(super) fn hints(self, tool: &ToolSpec) -> ToolHints {
        match self.claim(tool.name()) {
            ReadOnlyClaim::Confirmed => tool.hints(),
            ReadOnlyClaim::Doubted => judged_hints(tool),
        }
    }

    /// What is made of a claim to only read, where a tool's words contradict it.
    pub(crate) fn claim(self, tool: &ToolName) -> ReadOnlyClaim {
        match self.confirmed.is_some_and(|set| set.contains(tool)) {
            true => ReadOnlyClaim::Confirmed,
            false => ReadOnlyClaim::Doubted,
        }
    }

    /// The same in a profile.
    pub(super) fn in_profile(self, profile: Option<InProfile<'a>>) -> Self {
        Self { profile, ..self }
    }

    /// Whether a tool is among those that agents may get at all.
    pub(crate) fn chooses(self, tool: &ToolName) -> bool {
        self.profile
            .is_none_or(|profile| profile.mounted.tools.has(tool))
    }

    /// A tool's policy, and what decided it.
    pub(crate) fn of(self, tool: &ToolSpec) -> Ruling {
        let everywhere = self.everywhere(tool);
        let Some(InProfile { rules, mounted }) = self.profile else {
            return everywhere;
        };
        let by_hand = set_in(mounted.changes.get(tool.name()));
        let rule = (!rules.is_empty())
            .then(|| rules.of(self.hints(tool)))
            .flatten();
        everywhere.within(Ruling::of_profile(by_hand, rule))
    }

    /// The policy of a prompt, a resource or a template: set by hand, or in the manifest. Rules are for
    /// kinds of tools.
    pub(crate) fn of_offer(self, name: &ToolName) -> Ruling {
        let by_hand = self.by_hand.and_then(|set| set.get(name).copied());
        let manifest = self.manifest.and_then(|tools| tools.get(name.as_str()));
        let everywhere =
            Ruling::everywhere(by_hand, None, manifest.and_then(|settings| settings.policy));
        let by_hand = self
            .profile
            .and_then(|profile| set_in(profile.mounted.changes.get(name)));
        everywhere.within(Ruling::of_profile(by_hand, None))
    }

    /// Whether a prompt, a resource or a template, known by these names, is among those that agents
    /// may get at all.
    pub(crate) fn chooses_offer(self, names: &[ToolName]) -> bool {
        self.profile
            .is_none_or(|profile| profile.mounted.offers.has_by(names))
    }

    /// The prompts, resources and templates that something is said of.
    pub(crate) fn named_offers(self) -> BTreeSet<ToolName> {
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

    /// What holds whatever the profile says.
    pub(super) fn everywhere(self, tool: &ToolSpec) -> Ruling {
        let name = tool.name();
        let by_hand = self.by_hand.and_then(|set| set.get(name).copied());
        let manifest = self.manifest.and_then(|tools| tools.get(name.as_str()));
        Ruling::everywhere(
            by_hand,
            self.rules.and_then(|rules| rules.of(self.hints(tool))),
            manifest.and_then(|settings| settings.policy),
        )
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
            let settings: Settings = serde_json::from_value(settings).expect("settings");
            OfMember::new(&settings, &member, None)
                .hints(&send)
                .read_only
        };
        assert_eq!(read_only(json!({})), Some(false));
        let confirmed = json!({"readOnlyConfirmed": {"forge": ["email_send"]}});
        assert_eq!(read_only(confirmed), Some(true));
        let policy = |settings: serde_json::Value| {
            let settings: Settings = serde_json::from_value(settings).expect("settings");
            OfMember::new(&settings, &member, None).of(&send).policy
        };
        assert_eq!(
            policy(json!({"rules": {"destructive": "ask"}})),
            Policy::Ask
        );
    }
}
