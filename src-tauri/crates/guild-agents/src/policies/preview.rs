//! Previews the effect of rules before they are saved.

use std::sync::Arc;

use guild_api::wire::{PREVIEWED_MAX, PolicyChange, PolicyPreview, PolicyRulesOf};
use guild_model::Report;

use super::super::Agents;
use super::EffectivePolicies;
use guild_roster::Snapshot;

impl Agents {
    /// Returns the changes that rules for kinds of tools would cause. Saves nothing.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub fn preview_rules(&self, request: &PolicyRulesOf) -> Result<PolicyPreview, Report> {
        let now = self.policies(request.profile.clone())?;
        let mut settings = (*now.settings).clone();
        *settings.rules_mut(request.profile.as_ref())? = request.rules;
        let then = EffectivePolicies {
            settings: Arc::new(settings),
            profile: request.profile.clone(),
        };
        Ok(preview(&self.roster.snapshot(), &now, &then, request))
    }
}

fn preview(
    snapshot: &Snapshot,
    now: &EffectivePolicies,
    then: &EffectivePolicies,
    request: &PolicyRulesOf,
) -> PolicyPreview {
    let mut preview = PolicyPreview {
        changes: vec![],
        total: 0,
        unheld: vec![],
    };
    for (member, entry) in snapshot.members.iter() {
        let manifest = entry.manifest.as_deref();
        let (Some(now), Some(then)) = (now.of(member, manifest), then.of(member, manifest)) else {
            continue;
        };
        let mut governed = false;
        for tool in entry.tools.tools() {
            let name = tool.spec.name();
            if !now.chooses(name) {
                continue;
            }
            governed |= request.rules.of(now.hints(&tool.spec)).is_some();
            let (before, after) = (now.of(&tool.spec), then.of(&tool.spec));
            if before == after {
                continue;
            }
            preview.total += 1;
            if preview.changes.len() < PREVIEWED_MAX {
                preview.changes.push(PolicyChange {
                    member: member.clone(),
                    tool: name.clone(),
                    before,
                    after,
                });
            }
        }
        if governed && !entry.view.trust.holds {
            preview.unheld.push(member.clone());
        }
    }
    preview
}
