//! What a running hall does for other programs: the commands of the table, by their names.

use std::sync::Arc;

use guild_core::event::{Envelope, HallEvent};
use guild_core::note::HallTrouble;
use guild_core::wire::control::{
    AT_REST, Ask, EXPORT_LIST, EXPORT_PREVIEW, EXPORT_UNDO, EXPORT_WRITE, FOLLOW_DEV, FOUND_ADOPT,
    FOUND_LIST, LIST_TOOLS, SHOW_WINDOW, ShowWindow, WHO,
};
use guild_core::wire::{
    AcceptMember, AcceptTools, AdoptBrought, AdoptServers, Brought, CallOutcome, Caller,
    ChangeDiscovery, ChangeSettings, CheckArguments, ConfirmReadOnly, DecideApproval,
    ExportHistory, ExportTeam, HoldChanges, ImportSettings, InstallMcpb, InstallRegistryServer,
    InvokeTool, Nothing, OfAgentClient, OfCall, OfCatalog, OfClientConfig, OfEndpoint, OfEntry,
    OfFoundFolder, OfMcpb, OfMember, OfRegistryServer, OfRegistrySource, OfRevision,
    OfSettingsFile, OfTool, PolicyRulesOf, PredictTools, ReadRegistry, RevisionsOf, RunExamples,
    SaveExample, SearchHistory, SearchRegistry, SearchTools, SetEmbeddings, SetToolPolicies,
    TestEmbeddings, UndoClientConfig, WriteBundle, WriteClientConfig, WriteTeamExport,
};
use guild_core::{CallId, Code, MemberName, Report};
use guild_process::Lineage;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use super::{Hall, WeakHall, member_requests};
use crate::control::Keeper;
use crate::index::Subscription;

impl Keeper for WeakHall {
    async fn identify(&self, pid: Option<u32>) -> Lineage {
        let Some(hall) = self.upgrade() else {
            return Lineage::Unknown;
        };
        let custody = hall.inner.context.custody.clone();
        drop(hall);
        member_requests::identify(custody, pid).await
    }

    async fn serve<T>(
        &self,
        ask: &Ask<Box<RawValue>>,
        from: &Lineage,
        asker: &CancellationToken,
        tell: impl Fn(Arc<Envelope>) -> T + Send + Sync,
    ) -> Option<Result<Box<RawValue>, Report>>
    where
        T: Future<Output = ()> + Send,
    {
        let hall = self.upgrade()?;
        if let Err(refusal) = member_requests::permit(&ask.command, from) {
            return Some(Err(refusal));
        }
        let asker = Asker {
            gone: asker,
            member: member_requests::caller_of(from),
        };
        Some(serve(&hall, &ask.command, &ask.request, &asker, tell).await)
    }
}

/// The caller of a command.
struct Asker<'a> {
    /// Cancelled when the asking program is gone.
    gone: &'a CancellationToken,
    /// The name of a member's process; `None` for a person's program.
    member: Option<String>,
}

/// Does one command. `tell` hears what happens on the way to the answer.
async fn serve<T>(
    hall: &Hall,
    command: &str,
    request: &RawValue,
    asker: &Asker<'_>,
    tell: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    if command == "invoke_tool" {
        return invoke(hall, read(request)?, asker, tell).await;
    }
    if command == FOLLOW_DEV {
        let OfMember { member } = read(request)?;
        return follow_dev(hall, &member, asker.gone, tell).await;
    }
    tokio::select! {
        answered = answer(hall, command, request) => answered,
        () = asker.gone.cancelled() => Err(Report::told(Code::CallCancelled, &HallTrouble::NobodyWaits)),
    }
}

async fn answer(hall: &Hall, command: &str, request: &RawValue) -> Result<Box<RawValue>, Report> {
    match command {
        WHO => written(hall.who().await),
        SHOW_WINDOW => {
            let request: ShowWindow = read(request)?;
            written(hall.want_window(request).map(|()| Nothing {})?)
        }
        AT_REST => {
            hall.at_rest().await;
            written(Nothing {})
        }
        "app_info" => written(hall.info()),
        "roster" => written(hall.roster()),
        "member_tools" => written(hall.member_tools(&read::<OfMember>(request)?.member)?),
        "catalog" => written(hall.catalog(read::<OfCatalog>(request)?).await?),
        "set_tool_policies" => {
            let request: SetToolPolicies = read(request)?;
            written(hall.set_tool_policies(request).await?)
        }
        "confirm_read_only" => {
            let request: ConfirmReadOnly = read(request)?;
            written(hall.confirm_read_only(request).await?)
        }
        "set_embeddings" => {
            let request: SetEmbeddings = read(request)?;
            written(hall.set_embeddings(request).await?)
        }
        "test_embeddings" => {
            let request: TestEmbeddings = read(request)?;
            written(hall.test_embeddings(request).await?)
        }
        "preview_policy_rules" => {
            let request: PolicyRulesOf = read(request)?;
            written(hall.preview_policy_rules(request).await?)
        }
        "save_policy_rules" => {
            let request: PolicyRulesOf = read(request)?;
            written(hall.save_policy_rules(request).await?)
        }
        "export_team" => {
            let request: ExportTeam = read(request)?;
            written(hall.export_team(request).await?)
        }
        "write_team_export" => {
            let request: WriteTeamExport = read(request)?;
            written(hall.write_team_export(request).await?)
        }
        "gateway" => written(hall.gateway().await),
        "revoke_agent_client" => {
            let request: OfAgentClient = read(request)?;
            written(hall.revoke_agent_client(request).await?)
        }
        "approvals" => written(hall.approvals().await),
        "decide_approval" => {
            let request: DecideApproval = read(request)?;
            written(hall.decide_approval(request).await.map(|()| Nothing {})?)
        }
        "search_tools" => written(hall.search_tools(&read::<SearchTools>(request)?)),
        "tool_detail" => {
            let OfTool { member, tool } = read(request)?;
            written(hall.tool_detail(&member, &tool)?)
        }
        EXPORT_LIST => written(hall.client_configs_for(read(request)?).await?),
        EXPORT_PREVIEW => written(hall.preview_client_config_for(read(request)?).await?),
        EXPORT_WRITE => written(hall.write_client_config_for(read(request)?).await?),
        EXPORT_UNDO => written(hall.undo_client_config_for(read(request)?).await?),
        FOUND_LIST => written(hall.found_servers_for(read(request)?).await?),
        FOUND_ADOPT => written(hall.adopt_servers_for(read(request)?).await?),
        LIST_TOOLS => written(hall.list_tools(read(request)?).await?),
        "member_detail" => {
            let OfMember { member } = read(request)?;
            written(hall.member_detail(&member).await?)
        }
        "check_arguments" => {
            let request: CheckArguments = read(request)?;
            written(hall.check_arguments(&request).await?)
        }
        "cancel_call" => {
            hall.cancel_call(&read::<OfCall>(request)?.call);
            written(Nothing {})
        }
        "start_member" => {
            let OfMember { member } = read(request)?;
            written(hall.start_member(&member).await?)
        }
        "stop_member" => {
            let OfMember { member } = read(request)?;
            written(hall.stop_member(&member).await?)
        }
        "restart_member" => {
            let OfMember { member } = read(request)?;
            written(hall.restart_member(&member).await?)
        }
        "refresh_member" => {
            let OfMember { member } = read(request)?;
            written(hall.refresh_member(&member).await?)
        }
        "member_review" => {
            let OfMember { member } = read(request)?;
            written(hall.member_review(&member).await?)
        }
        "accept_member" => {
            let request: AcceptMember = read(request)?;
            written(hall.accept_member(request).await?)
        }
        "accept_tools" => {
            let request: AcceptTools = read(request)?;
            written(hall.accept_tools(request).await?)
        }
        "hold_changes" => {
            let request: HoldChanges = read(request)?;
            written(hall.hold_changes(request).await?)
        }
        "revisions" => {
            let request: RevisionsOf = read(request)?;
            written(hall.revisions(request).await)
        }
        "revision" => {
            let request: OfRevision = read(request)?;
            written(hall.revision(request).await?)
        }
        "discovery_settings" => written(hall.discovery_settings().await),
        "change_discovery_settings" => {
            let request: ChangeDiscovery = read(request)?;
            written(hall.change_discovery_settings(request).await?)
        }
        "settings" => written(hall.settings_state().await?),
        "change_settings" => {
            let request: ChangeSettings = read(request)?;
            written(hall.change_settings(request).await?)
        }
        "export_settings" => {
            let request: OfSettingsFile = read(request)?;
            written(hall.export_settings(request).await?)
        }
        "preview_settings_import" => {
            let request: OfSettingsFile = read(request)?;
            written(hall.preview_settings_import(request).await?)
        }
        "import_settings" => {
            let request: ImportSettings = read(request)?;
            written(hall.import_settings(request).await?)
        }
        "prediction_request" => {
            let OfMember { member } = read(request)?;
            written(hall.prediction_request(&member).await?)
        }
        "predict_tools" => {
            let request: PredictTools = read(request)?;
            written(hall.predict_tools(request).await?)
        }
        "forget_prediction" => {
            let OfMember { member } = read(request)?;
            written(hall.forget_prediction(&member).await?)
        }
        "dev_state" => written(hall.dev_state(&read::<OfMember>(request)?.member)?),
        "run_examples" => {
            let request: RunExamples = read(request)?;
            written(hall.run_examples(request).await?)
        }
        "save_example" => {
            let request: SaveExample = read(request)?;
            written(hall.save_example(request).await?)
        }
        "refresh_tool_caches" => written(hall.refresh_tool_caches().await),
        "preview_bundle" => written(hall.preview_bundle().await?),
        "write_bundle" => {
            let request: WriteBundle = read(request)?;
            written(hall.write_bundle(request).await?)
        }
        "sign_in_state" => {
            let OfMember { member } = read(request)?;
            written(hall.sign_in_state(&member).await?)
        }
        "sign_in" => {
            let OfMember { member } = read(request)?;
            written(hall.sign_in(&member).await?)
        }
        "sign_in_ended" => {
            let OfMember { member } = read(request)?;
            written(hall.sign_in_ended(&member).await?)
        }
        "cancel_sign_in" => {
            let OfMember { member } = read(request)?;
            written(hall.cancel_sign_in(&member).await?)
        }
        "sign_out" => {
            let OfMember { member } = read(request)?;
            written(hall.sign_out(&member).await?)
        }
        "found_servers" => written(hall.found_servers().await?),
        "look_for_servers" => {
            let request: OfFoundFolder = read(request)?;
            written(hall.look_for_servers(request).await?)
        }
        "forget_found_folder" => {
            let request: OfFoundFolder = read(request)?;
            written(hall.forget_found_folder(request).await?)
        }
        "adopt_servers" => {
            let request: AdoptServers = read(request)?;
            written(hall.adopt_servers(request).await?)
        }
        "read_brought" => {
            let request: Brought = read(request)?;
            written(hall.read_brought(request).await?)
        }
        "adopt_brought" => {
            let request: AdoptBrought = read(request)?;
            written(hall.adopt_brought(request).await?)
        }
        "client_configs" => {
            let request: OfEndpoint = read(request)?;
            written(hall.client_configs(request).await?)
        }
        "preview_client_config" => {
            let request: OfClientConfig = read(request)?;
            written(hall.preview_client_config(request).await?)
        }
        "write_client_config" => {
            let request: WriteClientConfig = read(request)?;
            written(hall.write_client_config(request).await?)
        }
        "undo_client_config" => {
            let request: UndoClientConfig = read(request)?;
            written(hall.undo_client_config(request).await?)
        }
        "registry_sources" => written(hall.registry_sources().await?),
        "add_registry_source" => {
            let request: OfRegistrySource = read(request)?;
            written(hall.add_registry_source(request).await?)
        }
        "remove_registry_source" => {
            let request: OfRegistrySource = read(request)?;
            written(hall.remove_registry_source(request).await?)
        }
        "read_registry" => {
            let request: ReadRegistry = read(request)?;
            written(hall.read_registry(request).await?)
        }
        "search_registry" => {
            let request: SearchRegistry = read(request)?;
            written(hall.search_registry(request).await?)
        }
        "registry_server" => {
            let request: OfRegistryServer = read(request)?;
            written(hall.registry_server(request).await?)
        }
        "install_registry_server" => {
            let request: InstallRegistryServer = read(request)?;
            written(hall.install_registry_server(request).await?)
        }
        "look_into_mcpb" => {
            let request: OfMcpb = read(request)?;
            written(hall.look_into_mcpb(request).await?)
        }
        "install_mcpb" => {
            let request: InstallMcpb = read(request)?;
            written(hall.install_mcpb(request).await?)
        }
        "search_history" => {
            let request: SearchHistory = read(request)?;
            written(hall.history().search(request).await)
        }
        "history_entry" => {
            let request: OfEntry = read(request)?;
            written(hall.history().entry(request).await?)
        }
        "export_history" => {
            let request: ExportHistory = read(request)?;
            written(hall.history().export(request).await?)
        }
        _ => {
            let asked: String = command.chars().take(100).collect();
            let version = env!("CARGO_PKG_VERSION");
            let trouble = HallTrouble::NoRequest(version, format!("{asked:?}"));
            Err(Report::told(Code::HallUnreachable, &trouble))
        }
    }
}

/// Makes a call for the command line, and tells its progress. Whoever goes before it ends has
/// cancelled it.
async fn invoke<T>(
    hall: &Hall,
    request: InvokeTool,
    asker: &Asker<'_>,
    tell: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    let call = request.call.clone();
    let member = request.member.clone();
    let mut events = hall.subscribe();
    // The roster comes first; what happens after it is told event by event.
    events.next().await;
    let outcome = {
        let mut invoking = std::pin::pin!(invoking_for(hall, asker, request));
        let mut cancelled = false;
        loop {
            tokio::select! {
                // What was never begun could not be cancelled.
                biased;
                outcome = &mut invoking => break outcome,
                () = asker.gone.cancelled(), if !cancelled => {
                    cancelled = true;
                    // It ends by itself then, and stands in the history.
                    hall.cancel_call(&call);
                }
                Some(envelope) = events.next() => {
                    if concerns(&envelope.event, &call, &member) {
                        tell(envelope).await;
                    }
                }
            }
        }
    };
    last_words(&mut events, &call, &member, tell).await;
    // It may be of many megabytes: not on the runtime's threads.
    let writing = tokio::task::spawn_blocking(move || written(outcome));
    writing.await.unwrap_or_else(|error| Err(unwritten(error)))
}

/// The call of a person, or of a member's process.
async fn invoking_for(hall: &Hall, asker: &Asker<'_>, request: InvokeTool) -> CallOutcome {
    match &asker.member {
        Some(member) => hall.invoke_bound(member, request).await,
        None => hall.invoke_for(Caller::CommandLine, request).await,
    }
}

/// Tells the rounds of a member until nobody listens, the member is gone, or the hall closes.
async fn follow_dev<T>(
    hall: &Hall,
    member: &MemberName,
    asker: &CancellationToken,
    tell: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    let mut events = hall.subscribe();
    // The roster comes first; what happens after it is told event by event.
    events.next().await;
    hall.is_developed(member).await?;
    loop {
        let envelope = tokio::select! {
            envelope = events.next() => envelope,
            () = hall.until_closing() => None,
            () = asker.cancelled() => None,
        };
        let Some(envelope) = envelope else {
            return written(Nothing {});
        };
        match &envelope.event {
            HallEvent::DevRound { round } if round.member == *member => tell(envelope).await,
            HallEvent::MemberRemoved { member: gone } if gone == member => {
                return written(Nothing {});
            }
            // Whoever fell behind is told how it stands.
            HallEvent::Roster { .. } => {
                let newest = hall.dev_state(member)?.rounds.into_iter().next();
                if let Some(round) = newest {
                    let event = HallEvent::DevRound {
                        round: Box::new(round),
                    };
                    let revision = envelope.revision;
                    tell(Arc::new(Envelope::new(revision, event))).await;
                }
            }
            _ => {}
        }
    }
}

/// Tells what happened before the call's end and was not told yet.
async fn last_words<T>(
    events: &mut Subscription,
    call: &CallId,
    member: &MemberName,
    tell: impl Fn(Arc<Envelope>) -> T,
) where
    T: Future<Output = ()>,
{
    // The end of the call is an event too, told before its outcome; one that was never begun has
    // none, and nothing before it.
    while let Some(Some(envelope)) = futures::FutureExt::now_or_never(events.next()) {
        if matches!(&envelope.event, HallEvent::CallFinished { call: of, .. } if of == call) {
            return;
        }
        if concerns(&envelope.event, call, member) {
            tell(envelope).await;
        }
    }
}

/// Whether an event is told to who made the call.
fn concerns(event: &HallEvent, call: &CallId, member: &MemberName) -> bool {
    match event {
        HallEvent::CallProgress { call: of, .. } => of == call,
        HallEvent::Warning { report } => {
            report.code == Code::ElicitationUnanswered && report.member.as_ref() == Some(member)
        }
        _ => false,
    }
}

fn read<R: DeserializeOwned>(request: &RawValue) -> Result<R, Report> {
    serde_json::from_str(request.get()).map_err(|error| {
        let trouble = HallTrouble::NotUnderstood(error.to_string());
        Report::told(Code::HallUnreachable, &trouble)
    })
}

fn written(answer: impl Serialize) -> Result<Box<RawValue>, Report> {
    serde_json::value::to_raw_value(&answer).map_err(unwritten)
}

fn unwritten(error: impl std::fmt::Display) -> Report {
    let trouble = HallTrouble::NotAnswered(error.to_string());
    Report::told(Code::HallUnreachable, &trouble)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{open_hall, paths_in};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_call_of_who_is_gone_before_it_begins_is_cancelled_all_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let members_dir = folder.path().join("members");
        let silent = members_dir.join("silent");
        std::fs::create_dir_all(&silent).expect("made");
        let manifest = json!({
            "name": "silent", "version": "1", "description": "It says nothing.",
            "transport": "stdio", "command": "sleep", "args": ["1000"],
        });
        std::fs::write(silent.join("plugin.json"), manifest.to_string()).expect("written");
        let hall = open_hall(paths_in(folder.path())).await;
        let gone = CancellationToken::new();
        gone.cancel();
        for number in 0..12 {
            let request = json!({
                "call": format!("call-{number}"), "member": "silent", "tool": "any",
                "arguments": "{}", "check": "refuse",
            });
            let request = serde_json::value::to_raw_value(&request).expect("JSON");
            let asker = Asker {
                gone: &gone,
                member: None,
            };
            let answered = serve(&hall, "invoke_tool", &request, &asker, async |_| ()).await;
            let outcome = answered.expect("an outcome");
            assert!(outcome.get().contains("call-cancelled"), "{outcome}");
        }
        hall.shutdown().await;
    }
}
