//! The commands of the contract ([`guild_core::wire`]), each handed on to the hall as it is.
//!
//! All are `async`, so that Tauri runs them on its runtime and never on the thread that draws.

mod agents;
mod bringing;
mod dev;
mod mcpb;
mod policies;
mod predicting;
mod registry;
mod settings;
mod signing;
mod trust;
mod updates;

use std::sync::Arc;

use guild_core::error::Report;
use guild_core::presence::PresenceState;
use guild_core::wire::{
    AdoptServers, Adopted, AnswerElicitation, Answered, AppInfo, Bundled, CallOutcome,
    CheckArguments, CheckElicitation, CheckedArguments, Cleared, CompleteArgument, Completions,
    Copied, CopyAs, Elicitations, Examination, Examine, ExportHistory, Exported, FoundServers,
    FoundTools, GetPrompt, HistoryFilter, HistoryPage, HistorySettings, HistoryState, InvokeTool,
    KeepDraft, KeptDraft, KeptSecret, LogPage, LookAt, MemberDetail, MemberOffers, MemberTools,
    MemberView, Nothing, OfCall, OfEntry, OfFoundFolder, OfMember, OfSavedCall, OfSecret, OfTool,
    ReadMemberLog, ReadResource, RecordedCall, Refreshed, RenameSavedCall, Roster, SaveCall,
    SaveMemberLog, SavedCall, SavedCalls, SavedCallsOf, SavedMemberLog, SearchHistory, SearchTools,
    Secrets, SetSecret, ToolDetail, WriteBundle,
};
use guild_engine::Hall;
use tauri::ipc::{Invoke, Response};
use tauri::{AppHandle, State, WebviewWindow};

use self::agents::*;
use self::bringing::*;
use self::dev::*;
use self::mcpb::*;
use self::policies::*;
use self::predicting::*;
use self::registry::*;
use self::settings::*;
use self::signing::*;
use self::trust::*;
use self::updates::*;
use crate::Signals;
use crate::dialogs::{self, PickPath, SaveFile};
use crate::listener::Listener;
use crate::presence::Outside;
use crate::showing;

type Answer<T> = Result<T, Report>;

/// Takes every call of the window.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    macro_rules! commands {
        ($($name:ident),+ $(,)?) => { tauri::generate_handler![$($name),+] };
    }
    include!("command_names.rs")
}

#[tauri::command]
async fn app_info(request: Nothing, hall: State<'_, Hall>) -> Answer<AppInfo> {
    let Nothing {} = request;
    Ok(hall.info())
}

#[tauri::command]
async fn roster(request: Nothing, hall: State<'_, Hall>) -> Answer<Roster> {
    let Nothing {} = request;
    Ok(hall.roster())
}

#[tauri::command]
async fn member_tools(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberTools> {
    hall.member_tools(&request.member)
}

#[tauri::command]
async fn search_tools(request: SearchTools, hall: State<'_, Hall>) -> Answer<FoundTools> {
    Ok(hall.search_tools(&request))
}

#[tauri::command]
async fn tool_detail(request: OfTool, hall: State<'_, Hall>) -> Answer<ToolDetail> {
    hall.tool_detail(&request.member, &request.tool)
}

#[tauri::command]
async fn member_detail(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberDetail> {
    hall.member_detail(&request.member).await
}

#[tauri::command]
async fn check_arguments(
    request: CheckArguments,
    hall: State<'_, Hall>,
) -> Answer<CheckedArguments> {
    hall.check_arguments(&request).await
}

#[tauri::command]
async fn invoke_tool(request: InvokeTool, hall: State<'_, Hall>) -> Answer<CallOutcome> {
    Ok(hall.invoke(request).await)
}

#[tauri::command]
async fn cancel_call(request: OfCall, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.cancel_call(&request.call);
    Ok(Nothing {})
}

#[tauri::command]
async fn look_at(request: LookAt, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.look_at(request);
    Ok(Nothing {})
}

#[tauri::command]
async fn start_member(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberView> {
    hall.start_member(&request.member).await
}

#[tauri::command]
async fn stop_member(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberView> {
    hall.stop_member(&request.member).await
}

#[tauri::command]
async fn restart_member(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberView> {
    hall.restart_member(&request.member).await
}

#[tauri::command]
async fn refresh_member(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberTools> {
    hall.refresh_member(&request.member).await
}

#[tauri::command]
async fn refresh_tool_caches(request: Nothing, hall: State<'_, Hall>) -> Answer<Refreshed> {
    let Nothing {} = request;
    Ok(hall.refresh_tool_caches().await)
}

#[tauri::command]
async fn elicitations(request: Nothing, hall: State<'_, Hall>) -> Answer<Elicitations> {
    let Nothing {} = request;
    Ok(hall.elicitations())
}

#[tauri::command]
async fn check_elicitation(
    request: CheckElicitation,
    hall: State<'_, Hall>,
) -> Answer<CheckedArguments> {
    hall.check_elicitation(request).await
}

#[tauri::command]
async fn answer_elicitation(request: AnswerElicitation, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.answer_elicitation(request).await?;
    Ok(Nothing {})
}

#[tauri::command]
async fn member_offers(request: OfMember, hall: State<'_, Hall>) -> Answer<MemberOffers> {
    hall.member_offers(&request.member).await
}

#[tauri::command]
async fn read_resource(request: ReadResource, hall: State<'_, Hall>) -> Answer<Answered> {
    Ok(hall.read_resource(request).await)
}

#[tauri::command]
async fn get_prompt(request: GetPrompt, hall: State<'_, Hall>) -> Answer<Answered> {
    Ok(hall.get_prompt(request).await)
}

#[tauri::command]
async fn complete_argument(
    request: CompleteArgument,
    hall: State<'_, Hall>,
) -> Answer<Completions> {
    hall.complete_argument(request).await
}

#[tauri::command]
async fn copy_as(request: CopyAs, hall: State<'_, Hall>) -> Answer<Copied> {
    hall.copy_as(request).await
}

#[tauri::command]
async fn search_history(request: SearchHistory, hall: State<'_, Hall>) -> Answer<HistoryPage> {
    Ok(hall.history().search(request).await)
}

#[tauri::command]
async fn history_entry(request: OfEntry, hall: State<'_, Hall>) -> Answer<RecordedCall> {
    hall.history().entry(request).await
}

#[tauri::command]
async fn clear_history(request: HistoryFilter, hall: State<'_, Hall>) -> Answer<Cleared> {
    hall.history().clear(request).await
}

#[tauri::command]
async fn export_history(request: ExportHistory, hall: State<'_, Hall>) -> Answer<Exported> {
    hall.history().export(request).await
}

#[tauri::command]
async fn save_call(request: SaveCall, hall: State<'_, Hall>) -> Answer<SavedCall> {
    hall.history().save_call(request).await
}

#[tauri::command]
async fn saved_calls(request: SavedCallsOf, hall: State<'_, Hall>) -> Answer<SavedCalls> {
    Ok(hall.history().saved_calls(request).await)
}

#[tauri::command]
async fn rename_saved_call(request: RenameSavedCall, hall: State<'_, Hall>) -> Answer<SavedCall> {
    hall.history().rename_saved_call(request).await
}

#[tauri::command]
async fn delete_saved_call(request: OfSavedCall, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.history().delete_saved_call(request).await?;
    Ok(Nothing {})
}

#[tauri::command]
async fn keep_draft(request: KeepDraft, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.history().keep_draft(request).await?;
    Ok(Nothing {})
}

#[tauri::command]
async fn kept_draft(request: OfTool, hall: State<'_, Hall>) -> Answer<KeptDraft> {
    Ok(hall.history().kept_draft(request).await)
}

#[tauri::command]
async fn history_settings(request: Nothing, hall: State<'_, Hall>) -> Answer<HistoryState> {
    let Nothing {} = request;
    Ok(hall.history().state().await)
}

#[tauri::command]
async fn change_history_settings(
    request: HistorySettings,
    hall: State<'_, Hall>,
) -> Answer<HistoryState> {
    hall.history().change_settings(request).await
}

#[tauri::command]
async fn read_member_log(request: ReadMemberLog, hall: State<'_, Hall>) -> Answer<LogPage> {
    hall.read_member_log(request).await
}

#[tauri::command]
async fn save_member_log(request: SaveMemberLog, hall: State<'_, Hall>) -> Answer<SavedMemberLog> {
    hall.save_member_log(request).await
}

#[tauri::command]
async fn preview_bundle(request: Nothing, hall: State<'_, Hall>) -> Answer<Bundled> {
    let Nothing {} = request;
    hall.preview_bundle().await
}

#[tauri::command]
async fn write_bundle(request: WriteBundle, hall: State<'_, Hall>) -> Answer<Bundled> {
    hall.write_bundle(request).await
}

#[tauri::command]
async fn doctor(request: Examine, hall: State<'_, Hall>) -> Answer<Examination> {
    hall.doctor(request).await
}

#[tauri::command]
async fn secrets(request: Nothing, hall: State<'_, Hall>) -> Answer<Secrets> {
    let Nothing {} = request;
    Ok(hall.secrets().await)
}

#[tauri::command]
async fn set_secret(request: SetSecret, hall: State<'_, Hall>) -> Answer<KeptSecret> {
    hall.set_secret(request).await
}

#[tauri::command]
async fn remove_secret(request: OfSecret, hall: State<'_, Hall>) -> Answer<Secrets> {
    hall.remove_secret(request).await
}

#[tauri::command]
async fn found_servers(request: Nothing, hall: State<'_, Hall>) -> Answer<FoundServers> {
    let Nothing {} = request;
    hall.found_servers().await
}

#[tauri::command]
async fn look_for_servers(request: OfFoundFolder, hall: State<'_, Hall>) -> Answer<FoundServers> {
    hall.look_for_servers(request).await
}

#[tauri::command]
async fn forget_found_folder(
    request: OfFoundFolder,
    hall: State<'_, Hall>,
) -> Answer<FoundServers> {
    hall.forget_found_folder(request).await
}

#[tauri::command]
async fn adopt_servers(request: AdoptServers, hall: State<'_, Hall>) -> Answer<Adopted> {
    hall.adopt_servers(request).await
}

/// Begins to keep what happens for the page that asks, the whole roster first, and gives the number
/// that it asks by. Neither this nor the next is in the contract's table: they are how a page hears
/// of anything at all.
#[tauri::command]
async fn subscribe(
    hall: State<'_, Hall>,
    listener: State<'_, Listener>,
    signals: State<'_, Arc<Signals>>,
) -> Answer<u64> {
    signals.page_runs.notify_one();
    Ok(listener.listen(&hall))
}

/// Waits for what happens: a list of [`guild_core::event::Envelope`], empty where no others come.
#[tauri::command]
async fn next_events(listening: u64, listener: State<'_, Listener>) -> Answer<Response> {
    Ok(Response::new(listener.next(listening).await))
}

/// Told by the UI after its first paint, and once more when it listens and has said what starts.
#[tauri::command]
async fn window_ready(
    listens: bool,
    app: AppHandle,
    signals: State<'_, Arc<Signals>>,
) -> Answer<()> {
    signals.window_ready.notify_one();
    if listens {
        signals.page_listens.notify_one();
        showing::page_is_ready(&app);
    }
    Ok(())
}

/// Told by the UI when the program ends and what was typed last is kept.
#[tauri::command]
async fn drafts_flushed(signals: State<'_, Arc<Signals>>) -> Answer<()> {
    signals.drafts_flushed.notify_one();
    Ok(())
}

/// Asks the user where to, and writes a file there; nothing where they cancelled.
#[tauri::command]
async fn save_file(
    request: SaveFile,
    window: WebviewWindow,
    hall: State<'_, Hall>,
) -> Answer<Option<String>> {
    dialogs::save(window, &hall, request).await
}

/// Asks the user for a path; nothing where they cancelled.
#[tauri::command]
async fn pick_path(request: PickPath, window: WebviewWindow) -> Answer<Option<String>> {
    Ok(dialogs::pick(window, request).await)
}

/// How it stands with what there is outside the window: the tray, the shortcut, the start at login,
/// notifications.
#[tauri::command]
async fn presence(outside: State<'_, Outside>, hall: State<'_, Hall>) -> Answer<PresenceState> {
    Ok(crate::presence::state(&outside, &hall).await)
}

#[cfg(test)]
mod tests {
    use guild_core::wire::COMMAND_NAMES;

    macro_rules! commands {
        ($($name:ident),+ $(,)?) => { &[$(stringify!($name)),+] };
    }

    const NAMES: &[&str] = include!("command_names.rs");

    #[test]
    fn every_command_of_the_contract_is_registered() {
        assert_eq!(NAMES.get(..COMMAND_NAMES.len()), Some(COMMAND_NAMES));
    }

    #[test]
    fn the_window_may_use_each_command_and_its_zoom_and_nothing_else() {
        let capability: serde_json::Value =
            serde_json::from_str(include_str!("../capabilities/main.json")).expect("JSON");
        assert_eq!(
            capability["windows"],
            serde_json::json!([crate::window::LABEL])
        );
        let commands = NAMES
            .iter()
            .map(|name| format!("allow-{}", name.replace('_', "-")));
        // How large the page is drawn is the web view's matter, which Tauri has a command for.
        let zoom = "core:webview:allow-set-webview-zoom".to_owned();
        let expected: Vec<String> = std::iter::once(zoom).chain(commands).collect();
        assert_eq!(capability["permissions"], serde_json::json!(expected));
    }
}
