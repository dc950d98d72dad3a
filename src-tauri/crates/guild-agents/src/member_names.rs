//! Copies or moves policies, profile entries and token bindings when a member is copied or renamed.

use std::collections::BTreeMap;
use std::sync::Arc;

use guild_model::profile::Profile;
use guild_model::{MemberName, Report};
use parking_lot::Mutex;

use super::Agents;
use super::settings::GatewayConfig;

/// A change of the settings for a renamed or copied member, with the values that it replaced.
#[derive(Debug)]
pub struct NameChange {
    name: MemberName,
    before: GatewayConfig,
    /// The profiles after the change.
    profiles: Vec<Profile>,
}

impl Agents {
    /// Copies a member's policies to the name of its copy, before the copy is created. Removes the
    /// name of the copy from all profiles, since they may still have an entry of a removed member.
    ///
    /// # Errors
    /// The errors of the gateway's settings.
    pub async fn copy_policies(
        self: &Arc<Self>,
        from: &MemberName,
        to: &MemberName,
    ) -> Result<NameChange, Report> {
        self.bind_member_name(None, to).await?;
        self.give_name(from, to, GatewayConfig::copy_policies).await
    }

    /// Copies a member's policies and bindings to its new name, and renames the member in profiles.
    /// The policies and bindings of the old name stay until [`Self::forget_policies`], since agents
    /// can still call the member by that name.
    ///
    /// # Errors
    /// The errors of [`Self::copy_policies`].
    pub async fn rename_member(
        self: &Arc<Self>,
        from: &MemberName,
        to: &MemberName,
    ) -> Result<NameChange, Report> {
        let rename = |settings: &mut GatewayConfig, from: &MemberName, to: &MemberName| {
            settings.copy_policies(from, to);
            settings.rename_in_profiles(from, to);
        };
        self.bind_member_name(Some(from), to).await?;
        let given = self.give_name(from, to, rename).await;
        if given.is_err() {
            self.unbind_member(to).await?;
        }
        given
    }

    /// Undoes a name change. Later changes of other settings stay.
    ///
    /// # Errors
    /// The errors of [`Self::copy_policies`].
    pub async fn undo_name(self: &Arc<Self>, change: NameChange) -> Result<(), Report> {
        self.unbind_member(&change.name).await?;
        self.change_members(move |settings| settings.undo_name(&change))
            .await
    }

    /// Removes the policies and bindings of a name that no member has any more.
    ///
    /// # Errors
    /// The errors of [`Self::copy_policies`].
    pub async fn forget_policies(self: &Arc<Self>, of: &MemberName) -> Result<(), Report> {
        self.unbind_member(of).await?;
        let of = of.clone();
        self.change_members(move |settings| {
            settings.policies.remove(&of);
            settings.read_only_confirmed.remove(&of);
        })
        .await
    }

    async fn give_name(
        self: &Arc<Self>,
        from: &MemberName,
        to: &MemberName,
        give: impl FnOnce(&mut GatewayConfig, &MemberName, &MemberName) + Send + 'static,
    ) -> Result<NameChange, Report> {
        let (from, name) = (from.clone(), to.clone());
        let before = Arc::new(Mutex::new(GatewayConfig::default()));
        let replaced = Arc::clone(&before);
        let changing = self.change(move |settings| {
            *replaced.lock() = settings.clone();
            give(settings, &from, &name);
            Ok(())
        });
        let profiles = changing.await?.profiles.clone();
        let before = before.lock().clone();
        Ok(NameChange {
            name: to.clone(),
            before,
            profiles,
        })
    }

    async fn change_members(
        self: &Arc<Self>,
        change: impl FnOnce(&mut GatewayConfig) + Send + 'static,
    ) -> Result<(), Report> {
        let changing = self.change(move |settings| {
            change(settings);
            Ok(())
        });
        changing.await.map(drop)
    }
}

impl GatewayConfig {
    /// Copies the policies of `from` to `to`. Removes entries for `to` from profiles: they belong
    /// to a removed member with that name, and must not apply to the copy.
    fn copy_policies(&mut self, from: &MemberName, to: &MemberName) {
        copy(&mut self.policies, from, to);
        copy(&mut self.read_only_confirmed, from, to);
        for profile in &mut self.profiles {
            profile.members.retain(|mounted| mounted.member != *to);
        }
    }

    fn rename_in_profiles(&mut self, from: &MemberName, to: &MemberName) {
        let mounted = self.profiles.iter_mut().flat_map(|of| &mut of.members);
        for mounted in mounted.filter(|mounted| mounted.member == *from) {
            mounted.member = to.clone();
        }
    }

    fn undo_name(&mut self, change: &NameChange) {
        let NameChange {
            name,
            before,
            profiles,
        } = change;
        restore(&mut self.policies, &before.policies, name);
        restore(
            &mut self.read_only_confirmed,
            &before.read_only_confirmed,
            name,
        );
        for profile in &mut self.profiles {
            let of = |all: &[Profile]| all.iter().find(|other| other.name == profile.name).cloned();
            if let (Some(before), Some(after)) = (of(&before.profiles), of(profiles))
                && profile.members == after.members
            {
                profile.members = before.members;
            }
        }
    }
}

/// Copies the entry of `from` to `to`, or removes the entry of `to` if `from` has none.
fn copy<T: Clone>(all: &mut BTreeMap<MemberName, T>, from: &MemberName, to: &MemberName) {
    match all.get(from).cloned() {
        Some(of) => all.insert(to.clone(), of),
        None => all.remove(to),
    };
}

/// Restores the entry of `name` from `before`, or removes it if `before` has none.
fn restore<T: Clone>(
    all: &mut BTreeMap<MemberName, T>,
    before: &BTreeMap<MemberName, T>,
    name: &MemberName,
) {
    match before.get(name).cloned() {
        Some(of) => all.insert(name.clone(), of),
        None => all.remove(name),
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn name(text: &str) -> MemberName {
        MemberName::parse(text).expect("a name")
    }

    fn settings() -> GatewayConfig {
        serde_json::from_value(json!({
            "policies": {"a": {"t": "deny"}},
            "profiles": [
                {"name": "one", "members": [{"member": "a"}, {"member": "b"}]},
                {"name": "two", "members": [{"member": "b"}]},
            ],
        }))
        .expect("settings")
    }

    fn mounted(settings: &GatewayConfig) -> Vec<Vec<&str>> {
        settings
            .profiles
            .iter()
            .map(|profile| {
                let members = profile.members.iter();
                members.map(|mounted| mounted.member.as_str()).collect()
            })
            .collect()
    }

    #[test]
    fn copy_is_in_no_profile_of_a_removed_member() {
        let mut changed = settings();
        changed.copy_policies(&name("a"), &name("b"));
        assert_eq!(mounted(&changed), [vec!["a"], vec![]]);
        assert_eq!(changed.policies[&name("b")], changed.policies[&name("a")]);
        changed.rename_in_profiles(&name("a"), &name("b"));
        assert_eq!(mounted(&changed), [vec!["b"], vec![]]);
    }

    #[test]
    fn undone_rename_restores_profiles() {
        let before = settings();
        let mut changed = before.clone();
        changed.copy_policies(&name("a"), &name("b"));
        changed.rename_in_profiles(&name("a"), &name("b"));
        let change = NameChange {
            name: name("b"),
            before: before.clone(),
            profiles: changed.profiles.clone(),
        };
        changed.enabled = !changed.enabled;
        changed.undo_name(&change);
        assert_eq!(changed.policies, before.policies);
        assert_eq!(changed.profiles, before.profiles);
        assert_ne!(changed.enabled, before.enabled, "other changes stay");
    }
}
