//! Binds clients' tokens to endpoints, and updates the bindings when members and profiles are
//! renamed.
//!
//! A binding contains the current names. If a member or profile is removed, its name stays in the
//! binding and has no effect until a member or profile with this name exists again.

use std::sync::Arc;

use guild_api::wire::{BindAgentClient, GatewayState};
use guild_files::blocking::blocking;
use guild_gateway::GatewayClient;
use guild_model::endpoint::Endpoint;
use guild_model::profile::ProfileName;
use guild_model::{ClientId, MemberName, Report};
use guild_text::messages::joined;
use tokio_util::sync::CancellationToken;

use super::Agents;
use super::settings::GatewayConfig;
use crate::messages::AgentsError;

impl Agents {
    /// Binds a client's token to endpoints, and ends the client's requests and streams at all
    /// others.
    pub async fn bind_agent_client(
        self: &Arc<Self>,
        request: BindAgentClient,
    ) -> Result<GatewayState, Report> {
        let BindAgentClient { client, endpoints } = request;
        let agents = Arc::clone(self);
        blocking(move || agents.clients.bind(&client, endpoints)).await??;
        self.enforce_bindings();
        Ok(self.publish_state())
    }

    /// Checks that a client may use an endpoint. Returns a cancellation token, which is cancelled
    /// when the client may no longer use it.
    pub(super) fn admit(
        &self,
        client: &GatewayClient,
        id: &ClientId,
        endpoint: &Endpoint,
        exists: bool,
    ) -> Result<CancellationToken, AgentsError> {
        let settings = self.settings();
        let same = |bound: &Endpoint, used: &Endpoint| settings.is_same_endpoint(bound, used);
        self.clients
            .admit(id, endpoint, exists, same)
            .map_err(|only| {
                let (name, endpoint) = (client.name.to_string(), endpoint.to_string());
                match only.as_slice() {
                    [] => AgentsError::AcceptedNowhere(name, endpoint),
                    only => AgentsError::NotAccepted(name, endpoint, joined(only)),
                }
            })
    }

    /// Ends the requests and streams of clients at endpoints that they may no longer use.
    pub(super) fn enforce_bindings(&self) {
        let settings = self.settings();
        self.clients
            .enforce(|bound, used| settings.is_same_endpoint(bound, used));
    }

    /// Adds a member's new name to the bindings with its old name. The old name stays callable
    /// until [`Self::unbind_member`]. If `from` is `None`, the member is new: its name is only
    /// removed from all bindings, so that tokens that were bound to a removed member with the same
    /// name don't get access to it.
    ///
    /// # Errors
    /// `data-unwritable`. In this case nothing has changed.
    pub(super) async fn bind_member_name(
        self: &Arc<Self>,
        from: Option<&MemberName>,
        to: &MemberName,
    ) -> Result<(), Report> {
        let (from, to) = (from.map(member), member(to));
        self.change_bindings(move |endpoints| {
            endpoints.retain(|bound| *bound != to);
            if from.as_ref().is_some_and(|from| endpoints.contains(from)) {
                endpoints.push(to.clone());
            }
        })
        .await
    }

    /// Removes a member's former name from all bindings.
    ///
    /// # Errors
    /// `data-unwritable`. In this case nothing has changed.
    pub(super) async fn unbind_member(self: &Arc<Self>, name: &MemberName) -> Result<(), Report> {
        let gone = member(name);
        self.change_bindings(move |endpoints| endpoints.retain(|bound| *bound != gone))
            .await
    }

    /// Prepares the bindings for a profile that gets the unused name `name`. If `name` is the
    /// former name of another profile, bindings with it get that profile's current name. Otherwise,
    /// if `is_renamed` is true, `name` is removed from all bindings, so that clients of a removed
    /// profile with this name don't get access to the renamed profile.
    ///
    /// # Errors
    /// `data-unwritable`. In this case nothing has changed.
    pub(super) async fn free_profile_name(
        self: &Arc<Self>,
        name: &ProfileName,
        is_renamed: bool,
    ) -> Result<(), Report> {
        let settings = self.settings();
        let owner = settings.profile(name).map(|profile| profile.name.clone());
        let to = match owner {
            Some(owner) if owner == *name => return Ok(()),
            None if !is_renamed => return Ok(()),
            owner => owner.map(profile),
        };
        self.rename_bound(profile(name.clone()), to).await
    }

    /// Replaces an endpoint in all bindings, or removes it from them.
    ///
    /// # Errors
    /// `data-unwritable`. In this case nothing has changed.
    pub(super) async fn rename_bound(
        self: &Arc<Self>,
        from: Endpoint,
        to: Option<Endpoint>,
    ) -> Result<(), Report> {
        self.change_bindings(move |endpoints| {
            let Some(at) = endpoints.iter().position(|bound| *bound == from) else {
                return;
            };
            endpoints.remove(at);
            if let Some(to) = to.clone().filter(|to| !endpoints.contains(to)) {
                endpoints.insert(at, to);
            }
        })
        .await
    }

    async fn change_bindings(
        self: &Arc<Self>,
        mut change: impl FnMut(&mut Vec<Endpoint>) + Send + 'static,
    ) -> Result<(), Report> {
        let agents = Arc::clone(self);
        let changing = move || {
            agents.clients.change_bindings(|_, endpoints| {
                if let Some(endpoints) = endpoints {
                    change(endpoints);
                }
            })
        };
        blocking(changing).await??;
        self.enforce_bindings();
        self.publish_state();
        Ok(())
    }
}

impl GatewayConfig {
    /// Whether both are the same endpoint. A profile's former name means the same endpoint as its
    /// current name.
    fn is_same_endpoint(&self, one: &Endpoint, other: &Endpoint) -> bool {
        match (one, other) {
            (Endpoint::Profile { profile: one }, Endpoint::Profile { profile: other }) => {
                let now = |name| self.profile(name).map_or(name, |profile| &profile.name);
                now(one) == now(other)
            }
            (one, other) => one == other,
        }
    }
}

fn member(member: &MemberName) -> Endpoint {
    Endpoint::Member {
        member: member.clone(),
    }
}

pub(super) fn profile(profile: ProfileName) -> Endpoint {
    Endpoint::Profile { profile }
}

#[cfg(test)]
mod tests {
    use guild_api::wire::{ProfileRef, SaveProfile};
    use serde_json::json;

    use super::*;
    use crate::tests::agents_in;

    fn endpoint(path: &str) -> Endpoint {
        Endpoint::parse(path).expect("an endpoint").expect("a name")
    }

    async fn save(agents: &Arc<Agents>, name: &str, instead_of: Option<&str>) {
        let request: SaveProfile = serde_json::from_value(json!({
            "profile": {"name": name, "members": []}, "insteadOf": instead_of,
        }))
        .expect("a request");
        agents.save_profile(request).await.expect("saved");
    }

    /// A client that is bound to endpoints.
    struct Bound {
        agents: Arc<Agents>,
        client: GatewayClient,
    }

    impl Bound {
        fn to(agents: &Arc<Agents>, paths: &[&str]) -> Self {
            let only = paths.iter().map(|path| endpoint(path)).collect();
            let added = agents.clients.add("a", Some(only));
            let (_, token) = added.expect("added");
            let client = agents.clients.by_token(&token).expect("let in");
            let agents = Arc::clone(agents);
            Self { agents, client }
        }

        fn at(&self, path: &str) -> Result<CancellationToken, AgentsError> {
            let id = self.client.id.as_ref().expect("an id");
            self.agents.admit(&self.client, id, &endpoint(path), true)
        }

        fn endpoints(&self) -> Vec<String> {
            let only = self.agents.clients.all()[0].endpoints.clone();
            only.expect("bound")
                .iter()
                .map(ToString::to_string)
                .collect()
        }
    }

    #[tokio::test]
    async fn renamed_profile_keeps_its_bindings() {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = agents_in(folder.path());
        save(&agents, "writing", None).await;
        let bound = Bound::to(&agents, &["/profiles/writing/mcp"]);
        let stream = bound.at("/profiles/writing/mcp").expect("in");
        save(&agents, "notes", Some("writing")).await;
        assert_eq!(bound.endpoints(), ["/profiles/notes/mcp"]);
        assert!(bound.at("/profiles/notes/mcp").is_ok() && !stream.is_cancelled());
        assert!(bound.at("/profiles/writing/mcp").is_ok(), "a former name");
        save(&agents, "writing", None).await;
        assert!(stream.is_cancelled(), "it is another profile's now");
        assert!(bound.at("/profiles/writing/mcp").is_err());
    }

    #[tokio::test]
    async fn removed_profile_leaves_no_access() {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = agents_in(folder.path());
        for name in ["writing", "notes"] {
            save(&agents, name, None).await;
        }
        let bound = Bound::to(&agents, &["/profiles/writing/mcp"]);
        let profile = ProfileName::parse("writing").expect("a name");
        let deleted = agents.delete_profile(ProfileRef { profile });
        deleted.await.expect("deleted");
        let refused = bound.at("/mcp").expect_err("refused").to_string();
        assert!(
            refused.contains("only at /profiles/writing/mcp, not at /mcp"),
            "{refused}"
        );
        // The binding does not apply to another profile that gets the name.
        save(&agents, "writing", Some("notes")).await;
        let refused = bound.at("/profiles/writing/mcp").expect_err("refused");
        assert!(
            matches!(refused, AgentsError::AcceptedNowhere(..)),
            "{refused}"
        );
    }

    #[tokio::test]
    async fn renamed_member_is_bound_by_both_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = agents_in(folder.path());
        let name = |text: &str| MemberName::parse(text).expect("a name");
        let bound = Bound::to(&agents, &["/members/forge/mcp", "/members/gone/mcp"]);
        let copied = agents.copy_policies(&name("other"), &name("gone")).await;
        copied.expect("copied");
        assert_eq!(bound.endpoints(), ["/members/forge/mcp"]);
        let undone = agents.rename_member(&name("forge"), &name("anvil")).await;
        agents
            .undo_name(undone.expect("renamed"))
            .await
            .expect("undone");
        assert_eq!(bound.endpoints(), ["/members/forge/mcp"]);
        let renamed = agents.rename_member(&name("forge"), &name("anvil")).await;
        renamed.expect("renamed");
        assert!(bound.at("/members/forge/mcp").is_ok() && bound.at("/members/anvil/mcp").is_ok());
        agents
            .forget_policies(&name("forge"))
            .await
            .expect("forgotten");
        assert_eq!(bound.endpoints(), ["/members/anvil/mcp"]);
    }
}
