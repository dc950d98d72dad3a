//! Methods of the gateway for the window and the command line. [`guild_agents`] implements them.

use guild_api::wire::{
    AddAgentClient, AddedAgentClient, AgentClientRef, AgentView, Approvals, BindAgentClient,
    ChangeGateway, ConfirmReadOnly, DecideApproval, EmbeddingsTested, FindForTask, FoundForTask,
    GatewayState, PoliciesSet, PolicyPreview, PolicyRulesOf, ProfileRef, SaveProfile,
    SetEmbeddings, SetToolPolicies, TestEmbeddings, Traffic, ViewAsAgent,
};
use guild_model::Report;
use guild_model::policy::PolicyRules;

use super::GuildHall;
use guild_agents::GatewayOptions;

/// Generates methods of [`GuildHall`], each from an expression that uses the gateway's state.
macro_rules! of_agents {
    ($($(#[doc = $doc:literal])+
    $name:ident($agents:ident $(, $argument:ident: $type:ty)*) -> $response:ty = $answer:expr;)+) => {
        impl GuildHall {
            $($(#[doc = $doc])+
            pub async fn $name(&self $(, $argument: $type)*) -> $response {
                let $agents = self.agents().await;
                $answer
            })+
        }
    };
}

of_agents! {
    /// Opens the gateway with its settings, or on the port in `options`. It stays open until the
    /// hall closes. If the port is in use, no other port is tried, and the returned state has the
    /// error.
    open_gateway(agents, options: GatewayOptions) -> GatewayState = agents.open_gateway(options).await;

    /// Returns the state of the gateway, with its clients and profiles.
    gateway(agents) -> GatewayState = agents.state();

    /// Changes the gateway's settings and returns its state. If the gateway can't open, the state
    /// has the reason.
    ///
    /// # Errors
    /// `gateway-settings`, `data-unwritable`. In these cases nothing has changed.
    change_gateway(agents, wanted: ChangeGateway) -> Result<GatewayState, Report> = agents.change_gateway(wanted).await;

    /// Registers a client. Only this function returns the client's token.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid name, `data-unwritable`.
    add_agent_client(agents, request: AddAgentClient) -> Result<AddedAgentClient, Report> = agents.add_agent_client(request).await;

    /// Accepts a token that another program created, until this program ends.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid name or token.
    admit_for_this_run(agents, name: &str, token: &str) -> Result<(), Report> = agents.admit_for_this_run(name, token);

    /// Registers a client that is valid until this program ends. Its token is in no file, so other
    /// programs on the data folder can neither accept nor revoke it.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid name.
    add_client_for_this_run(agents, request: AddAgentClient) -> Result<AddedAgentClient, Report> = agents.add_client_for_this_run(&request.name);

    /// Binds a client's token to endpoints. The client's requests and streams at all others end.
    ///
    /// # Errors
    /// `client-unknown`, `gateway-settings` for too many endpoints, `data-unwritable`.
    bind_agent_client(agents, request: BindAgentClient) -> Result<GatewayState, Report> = agents.bind_agent_client(request).await;

    /// Revokes a client. Its running requests end.
    ///
    /// # Errors
    /// `client-unknown`, `data-unwritable`.
    revoke_agent_client(agents, of: AgentClientRef) -> Result<GatewayState, Report> = agents.revoke_agent_client(of).await;

    /// Saves a profile. Replaces the profile with the same name, or renames an existing profile,
    /// whose former address then stays valid.
    ///
    /// # Errors
    /// `profile-refused`, `profile-unknown` if the profile to rename does not exist,
    /// `gateway-settings`, `data-unwritable`.
    save_profile(agents, request: SaveProfile) -> Result<GatewayState, Report> = agents.save_profile(request).await;

    /// Removes a profile.
    ///
    /// # Errors
    /// `profile-unknown`, `gateway-settings`, `data-unwritable`.
    delete_profile(agents, of: ProfileRef) -> Result<GatewayState, Report> = agents.delete_profile(of).await;

    /// Returns the tools that an agent sees at an endpoint, and their token counts.
    ///
    /// # Errors
    /// `member-unknown`, `profile-unknown`.
    view_as_agent(agents, request: ViewAsAgent) -> Result<AgentView, Report> = agents.view_as_agent(request).await;

    /// Returns the tools that an agent's search would find for a task.
    ///
    /// # Errors
    /// `member-unknown`, `profile-unknown`.
    find_for_task(agents, request: FindForTask) -> Result<FoundForTask, Report> = agents.find_for_task(request).await;

    /// Returns the agents' calls that wait for approval, oldest first.
    approvals(agents) -> Approvals = agents.open_approvals();

    /// Approves or rejects an agent's call. Arguments that don't match the schema are an error, and
    /// the call keeps waiting, unless the person sends them anyway. Arguments that are not a JSON
    /// object are always an error.
    ///
    /// # Errors
    /// `approval-ended`, `arguments-not-json`, `arguments-invalid`.
    decide_approval(agents, request: DecideApproval) -> Result<(), Report> = agents.decide_approval(request).await;

    /// Returns the latest requests of agents.
    gateway_traffic(agents) -> Traffic = agents.newest_traffic();

    /// Sets the policies of many tools. If one can't be set, none is changed.
    ///
    /// # Errors
    /// `profile-unknown`. `profile-refused` if the profile does not contain a member.
    /// `gateway-settings`, `data-unwritable`.
    set_tool_policies(agents, request: SetToolPolicies) -> Result<PoliciesSet, Report> = agents.set_policies(request.profile, request.tools).await;

    /// Confirms a server's claim that a tool only reads, or revokes the confirmation.
    ///
    /// # Errors
    /// `gateway-settings`, `data-unwritable`.
    confirm_read_only(agents, of: ConfirmReadOnly) -> Result<GatewayState, Report> = agents.confirm_read_only(of).await;

    /// Sets or removes the embeddings endpoint that ranks tools by meaning.
    ///
    /// # Errors
    /// `gateway-settings`, `data-unwritable`.
    set_embeddings(agents, request: SetEmbeddings) -> Result<GatewayState, Report> = agents.set_embeddings(request).await;

    /// Requests one vector from an embeddings endpoint. Saves nothing.
    ///
    /// # Errors
    /// `embeddings-failed`. `gateway-settings` for a missing or invalid endpoint. `secret-missing`.
    test_embeddings(agents, request: TestEmbeddings) -> Result<EmbeddingsTested, Report> = agents.test_embeddings(request).await;

    /// Saves rules for kinds of tools. Returns the previous rules.
    ///
    /// # Errors
    /// `profile-unknown`, `gateway-settings`, `data-unwritable`.
    save_policy_rules(agents, request: PolicyRulesOf) -> Result<PolicyRules, Report> = agents.save_rules(request).await;

    /// Previews the effect of rules for kinds of tools. Saves nothing.
    ///
    /// # Errors
    /// `profile-unknown`.
    preview_policy_rules(agents, request: PolicyRulesOf) -> Result<PolicyPreview, Report> = agents.preview_rules(&request);
}

#[cfg(test)]
mod tests {
    use guild_model::{Code, MemberName};
    use serde_json::json;

    use crate::tests::{open_hall, paths_in};
    use guild_agents::{GatewayOptions, Tokens};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn own_gateway_is_refused_as_a_member() {
        let folder = tempfile::tempdir().expect("a folder");
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let paths = paths_in(folder.path());
        let addresses = [
            format!("http://127.0.0.1:{port}/mcp"),
            format!("http://localhost:{port}/profiles/writing/mcp"),
            format!("http://[::1]:{port}/members/other/mcp?mode=full"),
        ];
        for (number, url) in addresses.iter().enumerate() {
            let member = paths.members_dir.join(format!("m{number}"));
            std::fs::create_dir_all(&member).expect("made");
            let manifest = json!({
                "name": format!("m{number}"), "version": "1", "description": "A gateway.",
                "transport": "http", "url": url,
            });
            std::fs::write(member.join("plugin.json"), manifest.to_string()).expect("written");
        }
        let hall = open_hall(paths).await;
        let options = GatewayOptions {
            port: Some(port),
            tokens: Tokens::NotWanted,
        };
        let state = hall.open_gateway(options).await;
        assert!(state.address.is_some(), "{:?}", state.error);
        for number in 0..addresses.len() {
            let name = MemberName::parse(&format!("m{number}")).expect("a name");
            let report = hall.start_member(&name).await.expect_err("it calls itself");
            assert_eq!(report.code, Code::ManifestField, "{report}");
            assert!(report.message.contains("own gateway"), "{report}");
        }
        hall.shutdown().await;
    }
}
