//! The declaration of each command. Other code is generated from it: the engine's dispatch for the
//! window and the socket, the window's permissions, the TypeScript bindings, and the reference in
//! `docs/commands.md`.

use guild_model::manifest::SaveExample;
use guild_schema::validate::CheckedArguments;
use schemars::{Schema, SchemaGenerator};

use super::*;
use guild_model::policy::PolicyRules;

/// The declaration of one command.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    pub name: &'static str,
    /// The command's description.
    pub doc: &'static str,
    pub request: Schema,
    pub response: Schema,
}

/// Passes the table of the engine's commands to a macro: the documentation, name, request and
/// response of each.
#[macro_export]
macro_rules! for_each_command {
    ($with:ident) => {
        $with! {
            /// Returns the version and the folders of the program.
            app_info(Nothing) -> AppInfo;
            /// Returns the current state of all members.
            roster(Nothing) -> RosterView;
            /// Returns one member's tools.
            member_tools(MemberRef) -> MemberTools;
            /// Searches the tools of all members.
            search_tools(SearchTools) -> FoundTools;
            /// Returns all tools with their policies and their sources. Starts no member.
            catalog(CatalogRequest) -> Catalog;
            /// Returns all data of one tool.
            tool_detail(ToolRef) -> ToolDetail;
            /// Returns all data of one member.
            member_detail(MemberRef) -> MemberDetail;
            /// Checks arguments against a tool's schema.
            check_arguments(CheckArguments) -> CheckedArguments;
            /// Calls a tool and waits for the end of the call.
            invoke_tool(InvokeTool) -> CallOutcome;
            /// Calls a tool for an MCP app of the tool's member. The policies for agents apply, and
            /// the arguments must match the schema.
            invoke_tool_for_app(InvokeTool) -> CallOutcome;
            /// Cancels a running call.
            cancel_call(CallRef) -> Nothing;
            /// Sets the members that the window shows. They start before other members that wait to
            /// start.
            report_visible_members(VisibleMembers) -> Nothing;
            /// Starts a member and waits until it is ready or has failed.
            start_member(MemberRef) -> MemberView;
            /// Stops a member and waits until its processes have ended.
            stop_member(MemberRef) -> MemberView;
            /// Restarts a member, or starts it if it does not run.
            restart_member(MemberRef) -> MemberView;
            /// Reads one member's tool list again, and starts the member if needed.
            refresh_member(MemberRef) -> MemberTools;
            /// Reads all members' tool lists again (REQ-MCP-TOOL-14).
            refresh_tool_caches(Nothing) -> Refreshed;
            /// Enables or disables a member in its `plugin.json`.
            set_member_enabled(SetMemberEnabled) -> MemberView;
            /// Stops a member and moves its folder to the trash. Its secrets, permissions and
            /// history are kept.
            remove_member(MemberRef) -> RemovedMember;
            /// Returns the members in the trash, the newest first.
            removed_members(Nothing) -> RemovedMembers;
            /// Moves a member's folder from the trash back to the members' folder.
            restore_member(RemovalRef) -> MemberView;
            /// Renames a member, with its permissions, profiles, saved calls and reviews.
            rename_member(RenameMember) -> MemberView;
            /// Copies a member's folder under a new name, with its permissions and reviews.
            duplicate_member(RenameMember) -> MemberView;
            /// Returns the text of a member's `plugin.json`.
            member_file(MemberRef) -> MemberFile;
            /// Checks a text for `plugin.json`. Nothing is saved.
            check_member_file(CheckMemberFile) -> CheckedMemberFile;
            /// Sets or removes one field in a text for `plugin.json`. Nothing is saved.
            edit_manifest_text(EditManifestText) -> ManifestText;
            /// Saves a member's `plugin.json`, unless another program has changed the file. An
            /// accepted member stays accepted.
            save_member_file(SaveMemberFile) -> MemberFile;
            /// Returns the servers' questions that wait for the user.
            elicitations(Nothing) -> Elicitations;
            /// Checks values against an elicitation's schema.
            check_elicitation(CheckElicitation) -> CheckedArguments;
            /// Answers an elicitation. Invalid values are rejected, and the elicitation keeps
            /// waiting.
            answer_elicitation(AnswerElicitation) -> Nothing;
            /// Reads a member's resources, templates and prompts from its server.
            member_offers(MemberRef) -> MemberOffers;
            /// Reads a resource.
            read_resource(ReadResource) -> Answered;
            /// Gets a prompt with its arguments filled in.
            get_prompt(GetPrompt) -> Answered;
            /// Returns suggested values for an argument of a prompt or a template.
            complete_argument(CompleteArgument) -> Completions;
            /// Returns a call as text for another program.
            copy_as(CopyAs) -> Copied;
            /// Returns the recorded calls that match a filter, the newest first.
            search_history(SearchHistory) -> HistoryPage;
            /// Returns all recorded data of one call.
            history_entry(HistoryEntryRef) -> RecordedCall;
            /// Removes the calls that match a filter from the history.
            clear_history(HistoryFilter) -> Cleared;
            /// Writes recorded calls to a file as JSON Lines.
            export_history(ExportHistory) -> Exported;
            /// Returns the newest sessions of agents.
            agent_sessions(ListSessions) -> AgentSessions;
            /// Returns the session of an agent's call.
            agent_session(HistoryEntryRef) -> AgentSession;
            /// Creates checks from recorded calls.
            create_checks(CreateChecks) -> CreatedChecks;
            /// Runs the checks of a suite.
            run_suite(RunSuite) -> SuiteRun;
            /// Creates a member that answers from recorded calls.
            create_mock(CreateMock) -> CreatedMock;
            /// Saves a call under a name.
            save_call(SaveCall) -> SavedCall;
            /// Returns the saved calls.
            saved_calls(SavedCallsOf) -> SavedCalls;
            /// Renames a saved call.
            rename_saved_call(RenameSavedCall) -> SavedCall;
            /// Removes a saved call.
            delete_saved_call(SavedCallRef) -> Nothing;
            /// Saves the draft of a tool's form.
            keep_draft(KeepDraft) -> Nothing;
            /// Returns the saved draft of a tool's form.
            kept_draft(ToolRef) -> KeptDraft;
            /// Returns the settings and the state of the history.
            history_settings(Nothing) -> HistoryState;
            /// Changes the settings of the history.
            change_history_settings(HistorySettings) -> HistoryState;
            /// Returns the state of the gateway, its clients and its profiles.
            gateway(Nothing) -> GatewayState;
            /// Changes the gateway's settings, and waits until the gateway listens with the new
            /// settings, or has failed to.
            change_gateway(ChangeGateway) -> GatewayState;
            /// Adds a client and returns its token, which no later answer contains.
            add_agent_client(AddAgentClient) -> AddedAgentClient;
            /// Binds a client's token to endpoints. Ends its requests and streams at all other
            /// endpoints.
            bind_agent_client(BindAgentClient) -> GatewayState;
            /// Revokes a client's access and cancels its running requests.
            revoke_agent_client(AgentClientRef) -> GatewayState;
            /// Saves a profile. It replaces the profile with the same name or with the given former
            /// name.
            save_profile(SaveProfile) -> GatewayState;
            /// Removes a profile.
            delete_profile(ProfileRef) -> GatewayState;
            /// Sets policies on individual tools, for all endpoints or in a profile. Returns the
            /// previous policies.
            set_tool_policies(SetToolPolicies) -> PoliciesSet;
            /// Returns the changes that policy rules would make. Nothing is saved.
            preview_policy_rules(PolicyRulesOf) -> PolicyPreview;
            /// Saves policy rules, for all endpoints or for a profile. Returns the previous rules.
            save_policy_rules(PolicyRulesOf) -> PolicyRules;
            /// Confirms a server's claim that a tool only reads, or withdraws the confirmation.
            confirm_read_only(ConfirmReadOnly) -> GatewayState;
            /// Sets or removes the endpoint that ranks tools by meaning.
            set_embeddings(SetEmbeddings) -> GatewayState;
            /// Tests an endpoint with one query. Nothing is saved.
            test_embeddings(TestEmbeddings) -> EmbeddingsTested;
            /// Returns a profile as files that run its members for a team, behind a shared gateway.
            /// Writes no files.
            export_team(ExportTeam) -> TeamExport;
            /// Writes the files of a profile's export into a folder. Fails if one of the files
            /// exists.
            write_team_export(WriteTeamExport) -> WrittenTeamExport;
            /// Returns an agent's view of the tools at an endpoint, and the view's cost in tokens.
            view_as_agent(ViewAsAgent) -> AgentView;
            /// Returns the tools that an agent's search would find for a task.
            find_for_task(FindForTask) -> FoundForTask;
            /// Returns the agents' calls that wait for the user.
            approvals(Nothing) -> Approvals;
            /// Allows or denies a waiting call of an agent.
            decide_approval(DecideApproval) -> Nothing;
            /// Returns the newest requests of agents.
            gateway_traffic(Nothing) -> Traffic;
            /// Returns the programs that can connect to the gateway.
            client_configs(EndpointRef) -> ClientConfigs;
            /// Returns the changes to a program's configuration. Nothing is written.
            preview_client_config(ClientConfigRef) -> ClientConfigPreview;
            /// Writes the previewed changes, with a separate token for the program.
            write_client_config(WriteClientConfig) -> WrittenClientConfig;
            /// Restores a program's earlier configuration.
            undo_client_config(UndoClientConfig) -> UndoneClientConfig;
            /// Returns a member's stderr lines in memory and in log files, page by page from the
            /// newest.
            read_member_log(ReadMemberLog) -> LogPage;
            /// Writes a member's whole log to a file.
            save_member_log(SaveMemberLog) -> SavedMemberLog;
            /// Returns the reports of crashes of this and earlier runs.
            crash_reports(Nothing) -> CrashReports;
            /// Hides the current crash reports. Their files stay.
            dismiss_crash_reports(Nothing) -> Nothing;
            /// Returns the content of a bundle for a bug report. Nothing is written.
            preview_bundle(Nothing) -> Bundled;
            /// Writes a bundle for a bug report, without secrets.
            write_bundle(WriteBundle) -> Bundled;
            /// Checks this machine: programs, ports, folders, secrets, members' commands. Sends
            /// each finding as an event. `cancel_call` cancels the checks.
            doctor(CallRef) -> Examination;
            /// Returns a member's command and tools, with the accepted versions. Nothing is
            /// changed.
            member_review(MemberRef) -> MemberReview;
            /// Accepts a member's command, by the hash from the review, and starts the member.
            accept_member(AcceptMember) -> MemberView;
            /// Accepts a member's tools as the review showed them. Agents get them from now on.
            accept_tools(AcceptTools) -> MemberReview;
            /// Withholds a member's changed tools from agents until the user accepts the changes,
            /// or stops withholding them.
            hold_changes(HoldChanges) -> MemberView;
            /// Returns the changes of a member's tool list over time, the newest first.
            revisions(RevisionsOf) -> Revisions;
            /// Returns one change of a member's tool list in detail.
            revision(RevisionRef) -> Revision;
            /// Returns the watched files of a member in development, its examples, and the last
            /// rounds.
            dev_state(MemberRef) -> DevState;
            /// Runs a member's examples, and starts the member if needed. `cancel_call` cancels the
            /// run.
            run_examples(RunExamples) -> DevRound;
            /// Adds a call to a member's manifest as an example. The rest of the file is unchanged.
            save_example(SaveExample) -> DevState;
            /// Returns the state of a member's sign-in.
            sign_in_state(MemberRef) -> SignInView;
            /// Finds the address where the user signs in to a member, and returns it without
            /// opening it. Events report the result.
            sign_in(MemberRef) -> SignInAddress;
            /// As `sign_in`, but the user enters a code at the address, on any device. Replaces a
            /// running sign-in.
            sign_in_with_code(MemberRef) -> SignInAddress;
            /// Passes the address of the browser's redirect to the running sign-in. Needed if the
            /// browser runs on another computer.
            paste_sign_in(PasteSignIn) -> Nothing;
            /// Opens the address of the running sign-in in the system's browser.
            open_sign_in(MemberRef) -> Nothing;
            /// Waits until the current sign-in has ended, with or without success.
            sign_in_ended(MemberRef) -> SignInView;
            /// Cancels a sign-in.
            cancel_sign_in(MemberRef) -> SignInView;
            /// Signs out of a member: revokes its tokens if the server supports that, and deletes
            /// them.
            sign_out(MemberRef) -> SignInView;
            /// Returns the names of all secrets and the members that use them, but no values.
            secrets(Nothing) -> Secrets;
            /// Saves a secret. An existing secret with the same name is replaced.
            set_secret(SetSecret) -> KeptSecret;
            /// Removes a secret from the keychain and from `secrets.json`.
            remove_secret(SecretRef) -> Secrets;
            /// Returns the servers in other programs' configuration files. Starts no server.
            found_servers(Nothing) -> FoundServers;
            /// Adds a project folder or a workspace file to the scan for servers.
            look_for_servers(ScanFolderRef) -> FoundServers;
            /// Removes a project folder or a workspace file from the scan.
            forget_found_folder(ScanFolderRef) -> FoundServers;
            /// Imports servers as members. The user must have seen their commands.
            adopt_servers(AdoptServers) -> Adopted;
            /// Returns the servers in a pasted text, a file or a command. Starts no server.
            read_brought(Brought) -> BroughtServers;
            /// Imports servers from a text, a file or a command. The user must have seen their
            /// commands.
            adopt_brought(AdoptBrought) -> Adopted;
            /// Returns the templates of new members.
            beginnings(Nothing) -> MemberTemplates;
            /// Creates a member from a template for the user to develop, and waits until it is in
            /// the roster.
            begin_member(CreateMember) -> CreatedMember;
            /// Searches a registry or a file in its format. An answer is cached for a few minutes.
            /// For an unreachable registry, returns an earlier answer. `cancel_call` cancels the
            /// search.
            search_registry(SearchRegistry) -> RegistryPage;
            /// Returns one server of a registry, and the command of each way to run it.
            registry_server(RegistryServerRef) -> RegistryServer;
            /// Installs a registry's server as a member, in the way that the user chose. The member
            /// starts only after the user has accepted its command.
            install_registry_server(InstallRegistryServer) -> InstalledRegistryServer;
            /// Returns the content and the command of an MCPB bundle. Writes and starts nothing.
            look_into_mcpb(BundleFileRef) -> McpbLook;
            /// Installs a bundle as a new member or as an update. The member starts only after the
            /// user has accepted its command. `cancel_call` cancels the install until the new files
            /// are in place.
            install_mcpb(InstallMcpb) -> InstalledMcpb;
            /// Checks answers against the inputs of an install.
            check_answers(CheckAnswers) -> CheckedArguments;
            /// Returns the settings in `config.yml`: how Guild Hall finds the tools of servers that
            /// don't follow the MCP protocol.
            discovery_settings(Nothing) -> DiscoveryState;
            /// Changes `config.yml`, and keeps its other lines. Fails if its settings have changed
            /// since they were read.
            change_discovery_settings(ChangeDiscovery) -> DiscoveryState;
            /// Returns the prediction request to a model for a member. Nothing is sent.
            prediction_request(MemberRef) -> PredictionRequest;
            /// Sends the shown request, and lists the tools in the model's answer. `cancel_call`
            /// cancels the request.
            predict_tools(PredictTools) -> MemberTools;
            /// Withdraws the user's stored consent to send a prediction request.
            forget_prediction(MemberRef) -> PredictionRequest;
            /// Returns the content of `settings.json`, the settings in force, and the problems of
            /// the file.
            settings(Nothing) -> SettingsState;
            /// Changes settings, all of them or none. The rest of the file is unchanged.
            change_settings(ChangeSettings) -> SettingsState;
            /// Copies `settings.json` to another file.
            export_settings(SettingsFileRef) -> SettingsFileRef;
            /// Returns the settings that an import of a settings file would change. Nothing is
            /// written.
            preview_settings_import(SettingsFileRef) -> SettingsImport;
            /// Replaces `settings.json` with the previewed file, and keeps a backup.
            import_settings(ImportSettings) -> SettingsImport;
        }
    };
}

/// Passes the table of the commands that update the program to a macro. Only the desktop app
/// answers them.
#[macro_export]
macro_rules! for_each_update_command {
    ($with:ident) => {
        $with! {
            /// Returns the state of updates.
            updates(Nothing) -> UpdateState;
            /// Checks for a newer version at the address in the settings. Downloads nothing.
            look_for_update(Nothing) -> UpdateState;
            /// Downloads the newer version that was shown, and checks its signature.
            fetch_update(Nothing) -> UpdateState;
            /// Cancels the current step, or discards the downloaded version.
            cancel_update(Nothing) -> UpdateState;
            /// Replaces this program with the downloaded version and restarts it. If the new
            /// version does not start, this version is restored.
            change_to_update(Nothing) -> UpdateState;
            /// Clears the outcome of the last update once the user has seen it.
            forget_last_update(Nothing) -> UpdateState;
        }
    };
}

/// Passes the names of the commands that the desktop shell answers itself to a macro: commands for
/// events, for the system's dialogs and programs, and for the state outside the window.
#[macro_export]
macro_rules! for_each_shell_command {
    ($with:path) => {{
        use $with as with;
        with![
            subscribe,
            next_events,
            window_ready,
            drafts_flushed,
            save_file,
            pick_path,
            open,
            open_app,
            presence
        ]
    }};
}

macro_rules! names {
    ($($name:ident),+) => { &[$(stringify!($name)),+] };
}

/// The names of the commands that the desktop shell answers itself.
pub const SHELL_COMMANDS: &[&str] = for_each_shell_command!(names);

/// Creates the list of specifications and the list of names for a table.
macro_rules! specifications {
    ($($(#[doc = $doc:literal])+ $name:ident($request:ty) -> $response:ty;)+) => {
        pub(super) fn specify(generator: &mut SchemaGenerator) -> Vec<CommandSpec> {
            vec![$(CommandSpec {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+).trim_ascii(),
                request: generator.subschema_for::<$request>(),
                response: generator.subschema_for::<$response>(),
            },)+]
        }

        pub(super) const NAMES: &[&str] = &[$(stringify!($name),)+];
    };
}

mod of_engine {
    use super::*;

    for_each_command!(specifications);
}

mod of_app {
    use super::*;

    for_each_update_command!(specifications);
}

/// Returns all commands of the window. Each fails with a [`Report`].
pub fn commands(generator: &mut SchemaGenerator) -> Vec<CommandSpec> {
    let mut all = of_engine::specify(generator);
    all.extend(of_app::specify(generator));
    all
}

/// Returns the names of all commands that the window may use.
pub fn command_names() -> impl Iterator<Item = &'static str> {
    let names = [of_engine::NAMES, of_app::NAMES, SHELL_COMMANDS];
    names.into_iter().flatten().copied()
}

/// Whether the engine has a command of this name.
pub fn is_engine_command(name: &str) -> bool {
    of_engine::NAMES.contains(&name)
}
