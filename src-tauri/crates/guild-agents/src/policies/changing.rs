//! Changes policies of individual tools, and the rules for kinds of tools. Also sets the policy
//! when a person answers an approval with "always allow".

use std::sync::Arc;

use crate::messages::AgentsError;
use guild_api::wire::{
    ConfirmReadOnly, GatewayState, POLICIES_MAX, PoliciesSet, PolicyRulesOf, ToolPolicy,
};
use guild_model::endpoint::Endpoint;
use guild_model::manifest::{Manifest, Policy};
use guild_model::policy::PolicyRules;
use guild_model::profile::{MountedMember, ProfileName, ToolChange};
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};

use super::super::Agents;
use super::super::settings::{GatewayConfig, unknown_profile};
use super::{MemberPolicies, asks, set_in};

impl GatewayConfig {
    /// Sets or removes a manual policy for a tool. Returns the previous policy.
    ///
    /// # Errors
    /// `profile-unknown`. `profile-refused` if the profile does not have the member.
    fn set_policy(
        &mut self,
        profile: Option<&ProfileName>,
        member: &MemberName,
        tool: &ToolName,
        policy: Option<Policy>,
    ) -> Result<Option<Policy>, Report> {
        let Some(name) = profile else {
            return Ok(self.set_everywhere(member, tool, policy));
        };
        let profile = self
            .profile_mut(name)
            .ok_or_else(|| unknown_profile(name))?;
        let mut members = profile.members.iter_mut();
        let Some(mounted) = members.find(|one| one.member == *member) else {
            let trouble = AgentsError::NotMounted(name.to_string(), member.clone());
            return Err(Report::from_error(Code::ProfileRefused, &trouble));
        };
        Ok(set_in_profile(mounted, tool, policy))
    }

    fn set_everywhere(
        &mut self,
        member: &MemberName,
        tool: &ToolName,
        policy: Option<Policy>,
    ) -> Option<Policy> {
        if let Some(policy) = policy {
            let set = self.policies.entry(member.clone()).or_default();
            return set.insert(tool.clone(), policy);
        }
        let set = self.policies.get_mut(member)?;
        let before = set.remove(tool);
        if set.is_empty() {
            self.policies.remove(member);
        }
        before
    }

    /// Confirms or withdraws a server's read-only claim.
    fn confirm_read_only(&mut self, request: ConfirmReadOnly) {
        let ConfirmReadOnly {
            member,
            tool,
            confirmed,
        } = request;
        let of_member = self.read_only_confirmed.entry(member.clone()).or_default();
        match confirmed {
            true => of_member.insert(tool),
            false => of_member.remove(&tool),
        };
        if of_member.is_empty() {
            self.read_only_confirmed.remove(&member);
        }
    }

    /// Returns the global rules or those of a profile.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub(super) fn rules_mut(
        &mut self,
        profile: Option<&ProfileName>,
    ) -> Result<&mut PolicyRules, Report> {
        match profile {
            None => Ok(&mut self.rules),
            Some(name) => match self.profile_mut(name) {
                Some(profile) => Ok(&mut profile.rules),
                None => Err(unknown_profile(name)),
            },
        }
    }

    /// Replaces the policy `ask` of a tool by a manual `allow`, for all endpoints and in the
    /// profile. A `deny` stays effective.
    fn allow_always(
        &mut self,
        profile: Option<&ProfileName>,
        member: &MemberName,
        tool: &ToolSpec,
        manifest: Option<&Manifest>,
    ) {
        let name = tool.name();
        let of_member = MemberPolicies::new(self, member, manifest);
        let (everywhere, hints) = (of_member.everywhere(tool), of_member.hints(tool));
        if asks(everywhere.policy) {
            self.set_everywhere(member, name, Some(Policy::Allow));
        }
        let Some(profile) = profile.and_then(|name| self.profile_mut(name)) else {
            return;
        };
        let rule = profile.rules.of(hints);
        let mut members = profile.members.iter_mut();
        let Some(mounted) = members.find(|one| one.member == *member) else {
            return;
        };
        let by_hand = set_in(mounted.changes.get(name));
        if by_hand.or(rule.map(|rule| rule.0)).is_some_and(asks) {
            // If no rule of the profile asks, the profile needs no manual policy.
            set_in_profile(mounted, name, rule.map(|_| Policy::Allow));
        }
    }
}

impl GatewayConfig {
    /// Replaces the policy `ask` of a prompt, a resource or a template by a manual `allow` for all
    /// endpoints, and removes it from the profile.
    fn allow_offer_always(
        &mut self,
        profile: Option<&ProfileName>,
        member: &MemberName,
        name: &ToolName,
        manifest: Option<&Manifest>,
    ) {
        let ruling = MemberPolicies::new(self, member, manifest).of_offer(name);
        if asks(ruling.policy) {
            self.set_everywhere(member, name, Some(Policy::Allow));
        }
        let Some(profile) = profile.and_then(|name| self.profile_mut(name)) else {
            return;
        };
        let mut members = profile.members.iter_mut();
        if let Some(mounted) = members.find(|one| one.member == *member)
            && set_in(mounted.changes.get(name)).is_some_and(asks)
        {
            set_in_profile(mounted, name, None);
        }
    }
}

/// Sets or removes a manual policy of a profile. Returns the previous one.
fn set_in_profile(
    mounted: &mut MountedMember,
    tool: &ToolName,
    policy: Option<Policy>,
) -> Option<Policy> {
    let mut change = mounted.changes.remove(tool).unwrap_or_default();
    let before = std::mem::replace(&mut change.policy, policy);
    if change != ToolChange::default() {
        mounted.changes.insert(tool.clone(), change);
    }
    before
}

fn profile_of(endpoint: &Endpoint) -> Option<ProfileName> {
    match endpoint {
        Endpoint::Profile { profile } => Some(profile.clone()),
        Endpoint::All | Endpoint::Member { .. } => None,
    }
}

impl Agents {
    /// Lets agents use a prompt or a resource at an endpoint without approval from now on.
    pub(in super::super) async fn allow_offer_always(
        self: &Arc<Self>,
        endpoint: &Endpoint,
        member: &MemberName,
        name: ToolName,
    ) -> Result<(), Report> {
        let (profile, member) = (profile_of(endpoint), member.clone());
        let manifest = self.members.manifest(&member);
        let changing = self.change_and_publish(move |settings| {
            let manifest = manifest.as_deref();
            settings.allow_offer_always(profile.as_ref(), &member, &name, manifest);
            Ok(())
        });
        changing.await.map(drop)
    }

    /// Lets agents call a tool at an endpoint without approval from now on, if a policy still asks.
    pub(in super::super) async fn allow_always(
        self: &Arc<Self>,
        endpoint: &Endpoint,
        member: &MemberName,
        tool: ToolSpec,
    ) -> Result<(), Report> {
        let (profile, member) = (profile_of(endpoint), member.clone());
        let manifest = self.members.manifest(&member);
        let changing = self.change_and_publish(move |settings| {
            settings.allow_always(profile.as_ref(), &member, &tool, manifest.as_deref());
            Ok(())
        });
        changing.await.map(drop)
    }

    /// Sets manual policies for many tools. If one is invalid, none is set. Returns the previous
    /// policies.
    pub async fn set_policies(
        self: &Arc<Self>,
        profile: Option<ProfileName>,
        mut tools: Vec<ToolPolicy>,
    ) -> Result<PoliciesSet, Report> {
        if tools.len() > POLICIES_MAX {
            let trouble = AgentsError::ManyPolicies(tools.len(), POLICIES_MAX);
            return Err(Report::from_error(Code::GatewaySettings, &trouble));
        }
        let (replaced, before) = tokio::sync::oneshot::channel();
        self.change_and_publish(move |settings| {
            for one in &mut tools {
                let ToolPolicy {
                    member,
                    tool,
                    policy,
                } = one;
                *policy = settings.set_policy(profile.as_ref(), member, tool, *policy)?;
            }
            // The order is reversed: if the request contains a tool twice, setting the returned
            // policies in order ends with the original one.
            tools.reverse();
            // The receiver may be gone.
            let _ = replaced.send(tools);
            Ok(())
        })
        .await?;
        let before = before.await.unwrap_or_default();
        Ok(PoliciesSet { before })
    }

    /// Confirms or withdraws a server's read-only claim.
    pub async fn confirm_read_only(
        self: &Arc<Self>,
        request: ConfirmReadOnly,
    ) -> Result<GatewayState, Report> {
        self.change_and_publish(move |settings| {
            settings.confirm_read_only(request);
            Ok(())
        })
        .await
    }

    /// Saves rules for kinds of tools. Returns the previous rules.
    pub async fn save_rules(
        self: &Arc<Self>,
        request: PolicyRulesOf,
    ) -> Result<PolicyRules, Report> {
        let PolicyRulesOf { profile, rules } = request;
        let (replaced, before) = tokio::sync::oneshot::channel();
        self.change_and_publish(move |settings| {
            let place = settings.rules_mut(profile.as_ref())?;
            // The receiver may be gone.
            let _ = replaced.send(std::mem::replace(place, rules));
            Ok(())
        })
        .await?;
        Ok(before.await.unwrap_or_default())
    }
}
