//! Policies and profiles of a member that gets another name, or a copy.

use std::collections::BTreeMap;
use std::sync::Arc;

use guild_core::{MemberName, Report};

use super::Agents;
use super::settings::Settings;

impl Agents {
    /// Gives a copy of a member the member's policies, before the copy is there.
    ///
    /// # Errors
    /// Those of the gateway's settings.
    pub(crate) async fn copy_policies(
        self: &Arc<Self>,
        from: &MemberName,
        to: &MemberName,
    ) -> Result<(), Report> {
        let (from, to) = (from.clone(), to.clone());
        self.change_members(move |settings| settings.copy_policies(&from, &to))
            .await
    }

    /// Gives the new name of a member its policies, and its place in profiles. The policies of the
    /// old name stay until [`Self::forget_policies`], since agents can still call it.
    ///
    /// # Errors
    /// As [`Self::copy_policies`].
    pub(crate) async fn rename_member(
        self: &Arc<Self>,
        from: &MemberName,
        to: &MemberName,
    ) -> Result<(), Report> {
        let (from, to) = (from.clone(), to.clone());
        self.change_members(move |settings| {
            settings.copy_policies(&from, &to);
            settings.rename_in_profiles(&from, &to);
        })
        .await
    }

    /// Removes the policies of a name that no member has any more.
    ///
    /// # Errors
    /// As [`Self::copy_policies`].
    pub(crate) async fn forget_policies(self: &Arc<Self>, of: &MemberName) -> Result<(), Report> {
        let of = of.clone();
        self.change_members(move |settings| {
            settings.policies.remove(&of);
            settings.read_only_confirmed.remove(&of);
        })
        .await
    }

    async fn change_members(
        self: &Arc<Self>,
        change: impl FnOnce(&mut Settings) + Send + 'static,
    ) -> Result<(), Report> {
        let changing = Arc::clone(self).change(move |settings| {
            change(settings);
            Ok(())
        });
        changing.await.map(|_| ())
    }
}

impl Settings {
    fn copy_policies(&mut self, from: &MemberName, to: &MemberName) {
        copy(&mut self.policies, from, to);
        copy(&mut self.read_only_confirmed, from, to);
    }

    fn rename_in_profiles(&mut self, from: &MemberName, to: &MemberName) {
        for profile in &mut self.profiles {
            if profile
                .members
                .iter()
                .any(|mounted| mounted.member == *from)
            {
                // A removed member may have had the new name.
                profile.members.retain(|mounted| mounted.member != *to);
            }
            for mounted in &mut profile.members {
                if mounted.member == *from {
                    mounted.member = to.clone();
                }
            }
        }
    }
}

/// Copies the entry of one name to another. A missing entry removes the other.
fn copy<T: Clone>(all: &mut BTreeMap<MemberName, T>, from: &MemberName, to: &MemberName) {
    match all.get(from).cloned() {
        Some(of) => all.insert(to.clone(), of),
        None => all.remove(to),
    };
}
