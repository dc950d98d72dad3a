//! The declaration of each command, from which everything that repeats it is generated: the engine's
//! dispatch for the window and the socket, the window's permissions, the TypeScript bindings and the
//! reference in `docs/commands.md`.

use guild_model::manifest::SaveExample;
use guild_schema::validate::CheckedArguments;
use schemars::{Schema, SchemaGenerator};

use super::*;
use guild_model::policy::PolicyRules;

/// One command of the contract.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The schema of its request.
    pub request: Schema,
    /// The schema of its response.
    pub response: Schema,
}

/// Hands the table of the engine's commands to a macro: for each its documentation, name, request and
/// response.
#[macro_export]
macro_rules! for_each_command {
    ($with:ident) => {
        $with! {
            /// Returns version and folders of the program.
            app_info(Nothing) -> AppInfo;
            /// The current state of all members.
            roster(Nothing) -> RosterView;
            /// One member's tools.
            member_tools(OfMember) -> MemberTools;
            /// The tools of all members that match some words.
            search_tools(SearchTools) -> FoundTools;
            /// Every tool, with whether agents may call it and how it was found out; nothing is started.
            catalog(OfCatalog) -> Catalog;
            /// Everything about one tool.
            tool_detail(OfTool) -> ToolDetail;
            /// Everything about one member.
            member_detail(OfMember) -> MemberDetail;
            /// Whether arguments fit a tool's schema.
            check_arguments(CheckArguments) -> CheckedArguments;
            /// Calls a tool and answers when the call has ended.
            invoke_tool(InvokeTool) -> CallOutcome;
            /// Cancels a call that runs.
            cancel_call(OfCall) -> Nothing;
            /// Sets the members in view: of those that wait to start, these start first.
            look_at(LookAt) -> Nothing;
            /// Starts a member; answers when it is ready or has failed.
            start_member(OfMember) -> MemberView;
            /// Stops a member; answers when its processes are gone.
            stop_member(OfMember) -> MemberView;
            /// Stops a member if it runs, and starts it.
            restart_member(OfMember) -> MemberView;
            /// Reads one member's tool list again, and starts the member if needed.
            refresh_member(OfMember) -> MemberTools;
            /// Reads all members' tool lists again (REQ-MCP-TOOL-14).
            refresh_tool_caches(Nothing) -> Refreshed;
            /// Enables or disables a member in its `plugin.json`.
            set_member_enabled(SetMemberEnabled) -> MemberView;
            /// Stops a member and moves its folder to the trash. Its secrets, permissions and history stay.
            remove_member(OfMember) -> RemovedMember;
            /// Returns the members in the trash, the newest first.
            removed_members(Nothing) -> RemovedMembers;
            /// Moves a member's folder from the trash back to its place.
            restore_member(OfRemoval) -> MemberView;
            /// Renames a member, with its permissions, profiles, saved calls and reviews.
            rename_member(RenameMember) -> MemberView;
            /// Copies a member's folder under a new name, with its permissions and reviews.
            duplicate_member(RenameMember) -> MemberView;
            /// Returns the text of a member's `plugin.json`.
            member_file(OfMember) -> MemberFile;
            /// Checks a text for `plugin.json`; nothing is saved.
            check_member_file(CheckMemberFile) -> CheckedMemberFile;
            /// Sets or removes one field in a text for `plugin.json`; nothing is saved.
            edit_manifest_text(EditManifestText) -> ManifestText;
            /// Saves a member's `plugin.json`, unless another program has changed the file. An accepted
            /// member stays accepted.
            save_member_file(SaveMemberFile) -> MemberFile;
            /// The questions of servers that wait for a person.
            elicitations(Nothing) -> Elicitations;
            /// Whether values fit what an elicitation wants.
            check_elicitation(CheckElicitation) -> CheckedArguments;
            /// Answers an elicitation; values that do not fit are refused and it goes on waiting.
            answer_elicitation(AnswerElicitation) -> Nothing;
            /// A member's resources, templates and prompts, read from its server.
            member_offers(OfMember) -> MemberOffers;
            /// Reads a resource and answers when that has ended.
            read_resource(ReadResource) -> Answered;
            /// Gets a prompt filled in and answers when that has ended.
            get_prompt(GetPrompt) -> Answered;
            /// Values that an argument of a prompt or a template may have.
            complete_argument(CompleteArgument) -> Completions;
            /// A call as text to be used elsewhere.
            copy_as(CopyAs) -> Copied;
            /// The calls of the past that fit a filter, the newest first.
            search_history(SearchHistory) -> HistoryPage;
            /// Everything that was kept of one call.
            history_entry(OfEntry) -> RecordedCall;
            /// Removes calls from the history.
            clear_history(HistoryFilter) -> Cleared;
            /// Writes calls of the history to a file, as JSON Lines.
            export_history(ExportHistory) -> Exported;
            /// Keeps a call under a name.
            save_call(SaveCall) -> SavedCall;
            /// The calls that were kept under a name.
            saved_calls(SavedCallsOf) -> SavedCalls;
            /// Gives a saved call another name.
            rename_saved_call(RenameSavedCall) -> SavedCall;
            /// Removes a saved call.
            delete_saved_call(OfSavedCall) -> Nothing;
            /// Keeps what a person typed into a tool's form.
            keep_draft(KeepDraft) -> Nothing;
            /// Returns the kept draft of a tool's form.
            kept_draft(OfTool) -> KeptDraft;
            /// How the history is kept, and how it fares.
            history_settings(Nothing) -> HistoryState;
            /// Changes how the history is kept.
            change_history_settings(HistorySettings) -> HistoryState;
            /// The gateway, its clients and its profiles.
            gateway(Nothing) -> GatewayState;
            /// Changes how the gateway is; answers when it listens so, or could not.
            change_gateway(ChangeGateway) -> GatewayState;
            /// Adds a client and returns its token, which no later answer contains.
            add_agent_client(AddAgentClient) -> AddedAgentClient;
            /// Revokes a client's access and cancels its running requests.
            revoke_agent_client(OfAgentClient) -> GatewayState;
            /// Keeps a profile, in the place of one of the same name, or of the one that is named so now.
            save_profile(SaveProfile) -> GatewayState;
            /// Removes a profile.
            delete_profile(OfProfile) -> GatewayState;
            /// Sets policies on many tools by hand, everywhere or in a profile; says what was set before.
            set_tool_policies(SetToolPolicies) -> PoliciesSet;
            /// Returns the changes that rules for kinds of tools would make; nothing is saved.
            preview_policy_rules(PolicyRulesOf) -> PolicyPreview;
            /// Saves rules for kinds of tools, everywhere or of a profile; gives those that were there before.
            save_policy_rules(PolicyRulesOf) -> PolicyRules;
            /// Confirms a server's claim that a tool only reads, or takes that back.
            confirm_read_only(ConfirmReadOnly) -> GatewayState;
            /// Sets the endpoint that ranks tools by meaning, or removes it.
            set_embeddings(SetEmbeddings) -> GatewayState;
            /// Asks an endpoint for one vector; nothing is saved.
            test_embeddings(TestEmbeddings) -> EmbeddingsTested;
            /// A profile as files that run its members for a team, behind a gateway that it has; nothing is
            /// written.
            export_team(ExportTeam) -> TeamExport;
            /// Writes such files into a folder, in the place of none.
            write_team_export(WriteTeamExport) -> WrittenTeamExport;
            /// Returns an agent's view at an endpoint, and its cost in tokens.
            view_as_agent(ViewAsAgent) -> AgentView;
            /// Which tools an agent's search would find for a task.
            find_for_task(FindForTask) -> FoundForTask;
            /// The agents' calls that wait for a person.
            approvals(Nothing) -> Approvals;
            /// Decides about an agent's call.
            decide_approval(DecideApproval) -> Nothing;
            /// The newest of what agents asked.
            gateway_traffic(Nothing) -> Traffic;
            /// The programs whose configuration can name the gateway.
            client_configs(OfEndpoint) -> ClientConfigs;
            /// Returns the changes to a program's configuration; nothing is written.
            preview_client_config(OfClientConfig) -> ClientConfigPreview;
            /// Writes the previewed changes, with a token for this program alone.
            write_client_config(WriteClientConfig) -> WrittenClientConfig;
            /// Puts a program's configuration back to what it was before.
            undo_client_config(UndoClientConfig) -> UndoneClientConfig;
            /// Lines that a member wrote to stderr, from the newest backwards, files included.
            read_member_log(ReadMemberLog) -> LogPage;
            /// Writes all that is kept of a member's log to a file.
            save_member_log(SaveMemberLog) -> SavedMemberLog;
            /// Returns the content of a bundle for a bug report; nothing is written.
            preview_bundle(Nothing) -> Bundled;
            /// Writes a bundle for a bug report, secrets removed.
            write_bundle(WriteBundle) -> Bundled;
            /// Checks this machine: programs, ports, folders, secrets, members' commands; sends
            /// each finding as an event, and `cancel_call` cancels it.
            doctor(OfCall) -> Examination;
            /// Returns a member's command and tools, beside the accepted ones; nothing is changed.
            member_review(OfMember) -> MemberReview;
            /// Accepts what a member runs, by the hash that the review showed, and starts it.
            accept_member(AcceptMember) -> MemberView;
            /// Accepts a member's tools as the review showed them: agents get them from now on.
            accept_tools(AcceptTools) -> MemberReview;
            /// Holds changes of a member's tools back from agents until they are accepted, or lets them pass.
            hold_changes(HoldChanges) -> MemberView;
            /// How a member's tool list changed over time, the newest first.
            revisions(RevisionsOf) -> Revisions;
            /// One change of a member's tool list, readable.
            revision(OfRevision) -> Revision;
            /// Returns the watched files of a member in development, its examples, and the results
            /// of the last changes.
            dev_state(OfMember) -> DevState;
            /// Runs a member's examples, starting it if need be; `cancel_call` breaks it off.
            run_examples(RunExamples) -> DevRound;
            /// Puts a call into a member's manifest as an example; nothing else in the file changes.
            save_example(SaveExample) -> DevState;
            /// Returns the sign-in of a member.
            sign_in_state(OfMember) -> SignInView;
            /// Finds the address where a person signs in to a member and returns it without opening
            /// it. Events report the result.
            sign_in(OfMember) -> SignInAddress;
            /// Opens the address of a sign-in under way in the system's browser.
            open_sign_in(OfMember) -> Nothing;
            /// Answers when the current sign-in has ended, with or without success.
            sign_in_ended(OfMember) -> SignInView;
            /// Gives a sign-in up.
            cancel_sign_in(OfMember) -> SignInView;
            /// Gives a member's tokens back where that is possible, and forgets them.
            sign_out(OfMember) -> SignInView;
            /// The names of all secrets, and which members use them; never a value.
            secrets(Nothing) -> Secrets;
            /// Keeps a secret, in the place of one of the same name.
            set_secret(SetSecret) -> KeptSecret;
            /// Removes a secret wherever it is kept.
            remove_secret(OfSecret) -> Secrets;
            /// The servers that other programs have in their configuration files; nothing is started.
            found_servers(Nothing) -> FoundServers;
            /// Looks in a project folder or a workspace file too, from now on.
            look_for_servers(OfFoundFolder) -> FoundServers;
            /// Looks in a project folder or a workspace file no more.
            forget_found_folder(OfFoundFolder) -> FoundServers;
            /// Makes members of servers whose command a person has seen.
            adopt_servers(AdoptServers) -> Adopted;
            /// Returns the servers in a pasted text, in a file or in a command; nothing is started.
            read_brought(Brought) -> BroughtServers;
            /// Makes members of servers that a person brought and whose command they have seen.
            adopt_brought(AdoptBrought) -> Adopted;
            /// Returns the templates of new members.
            beginnings(Nothing) -> Beginnings;
            /// Creates a member from a template for a person to develop; answers when it is in the
            /// roster.
            begin_member(BeginMember) -> BegunMember;
            /// Searches a registry, or a file in its format; `cancel_call` cancels it. An answer is
            /// cached for a few minutes; for an unreachable registry it returns an earlier answer.
            search_registry(SearchRegistry) -> RegistryPage;
            /// Everything about one server of a registry, and what each way to run it would run.
            registry_server(OfRegistryServer) -> RegistryServer;
            /// Makes a member of a server, one way to run it, as it was shown. The member runs when what it
            /// runs was accepted.
            install_registry_server(InstallRegistryServer) -> InstalledRegistryServer;
            /// Returns the content and the command of an MCPB bundle; nothing is written, and nothing started.
            look_into_mcpb(OfMcpb) -> McpbLook;
            /// Makes a member of a bundle, or puts it in the place of an older one; `cancel_call` ends it as
            /// long as nothing is in its place. The member runs when what it runs was accepted.
            install_mcpb(InstallMcpb) -> InstalledMcpb;
            /// Checks answers against the inputs of an install.
            check_answers(CheckAnswers) -> CheckedArguments;
            /// Whether and how servers that speak badly are asked in other ways: `config.yml`.
            discovery_settings(Nothing) -> DiscoveryState;
            /// Changes that file, line by line; refused where it has other settings than were seen.
            change_discovery_settings(ChangeDiscovery) -> DiscoveryState;
            /// Returns the request to a model for a member; nothing is sent.
            prediction_request(OfMember) -> PredictionRequest;
            /// Sends the shown request, and lists the model's answer; `cancel_call` ends it.
            predict_tools(PredictTools) -> MemberTools;
            /// Takes a remembered yes back.
            forget_prediction(OfMember) -> PredictionRequest;
            /// Returns the content of `settings.json`, the settings in force, and the problems of the file.
            settings(Nothing) -> SettingsState;
            /// Changes settings, all of them or none; the rest of the file stays the same.
            change_settings(ChangeSettings) -> SettingsState;
            /// Copies `settings.json` to another file.
            export_settings(OfSettingsFile) -> OfSettingsFile;
            /// The settings that an import of such a file would change; nothing is written.
            preview_settings_import(OfSettingsFile) -> SettingsImport;
            /// Puts the file that was shown in the place of `settings.json`, and keeps a backup.
            import_settings(ImportSettings) -> SettingsImport;
        }
    };
}

/// Hands the table of the commands that replace the running program to a macro. The desktop app
/// answers them, and no other program.
#[macro_export]
macro_rules! for_each_update_command {
    ($with:ident) => {
        $with! {
            /// Returns the state of updates.
            updates(Nothing) -> UpdateState;
            /// Looks for a newer version at the address of the settings; nothing of it is fetched.
            look_for_update(Nothing) -> UpdateState;
            /// Fetches the newer version that was shown, and checks its signature.
            fetch_update(Nothing) -> UpdateState;
            /// Ends the current step, or discards the fetched version.
            cancel_update(Nothing) -> UpdateState;
            /// Replaces this program with the downloaded version and restarts it. If the new
            /// version does not come up, this version is restored.
            change_to_update(Nothing) -> UpdateState;
            /// How the last change of version ended has been seen.
            forget_last_update(Nothing) -> UpdateState;
        }
    };
}

/// Hands the names of the commands that the desktop shell answers itself to a macro: for events, for the
/// system's dialogs and programs, and for the state outside the window.
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
            presence
        ]
    }};
}

macro_rules! names {
    ($($name:ident),+) => { &[$(stringify!($name)),+] };
}

/// The names of the commands that the desktop shell answers itself.
pub const SHELL_COMMANDS: &[&str] = for_each_shell_command!(names);

/// Makes the list of specifications and the list of names of a table.
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

/// All commands of the window. Each fails with a [`Report`].
pub fn commands(generator: &mut SchemaGenerator) -> Vec<CommandSpec> {
    let mut all = of_engine::specify(generator);
    all.extend(of_app::specify(generator));
    all
}

/// The names of all commands that the window may use.
pub fn command_names() -> impl Iterator<Item = &'static str> {
    let names = [of_engine::NAMES, of_app::NAMES, SHELL_COMMANDS];
    names.into_iter().flatten().copied()
}

/// Whether the engine has a command of this name.
pub fn is_engine_command(name: &str) -> bool {
    of_engine::NAMES.contains(&name)
}
