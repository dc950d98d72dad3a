//! The commands of the window. The engine runs the commands of the table ([`guild_api::wire`]) by
//! their names. The shell runs the commands about the window, the desktop and updates.
//!
//! All commands are asynchronous, so that Tauri runs them on its runtime and never on the main
//! thread.

mod updates;

use std::sync::Arc;

use guild_api::desktop::PresenceState;
use guild_api::wire::{SHELL_COMMANDS, ToolRef, is_engine_command};
use guild_api::{for_each_shell_command, for_each_update_command};
use guild_engine::GuildHall;
use guild_model::error::Report;
use serde_json::Value;
use serde_json::value::to_raw_value;
use tauri::ipc::{Invoke, InvokeBody, InvokeError, Response};
use tauri::{AppHandle, Emitter, Manager, State, WebviewWindow};

use self::updates::*;
use crate::Signals;
use crate::apps::{AppDocuments, OpenedApp};
use crate::desktop::Outside;
use crate::dialogs::{self, PickPath, SaveFile};
use crate::listener::PageListener;
use crate::opening::{self, Openable};
use crate::{showing, window};

type CommandResult<T> = Result<T, Report>;

/// Creates the handler of a table's commands.
macro_rules! handler {
    ($($(#[doc = $doc:literal])+ $name:ident($request:ty) -> $response:ty;)+) => {
        tauri::generate_handler![$($name),+]
    };
}

/// Handles all commands from the window, after Tauri has checked their permissions.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    let shell: fn(Invoke) -> bool = for_each_shell_command!(tauri::generate_handler);
    let updates: fn(Invoke) -> bool = for_each_update_command!(handler);
    move |invoke| {
        let name = invoke.message.command();
        if is_engine_command(name) {
            run_in_engine(invoke);
            true
        } else if SHELL_COMMANDS.contains(&name) {
            shell(invoke)
        } else {
            updates(invoke)
        }
    }
}

fn run_in_engine(invoke: Invoke) {
    let Invoke {
        message, resolver, ..
    } = invoke;
    resolver.respond_async(async move {
        let hall = message.webview_ref().try_state::<GuildHall>();
        let hall = hall.ok_or_else(|| InvokeError::from("the engine is not open"))?;
        let request = match message.payload() {
            InvokeBody::Json(payload) => payload.get("request").unwrap_or(&Value::Null),
            InvokeBody::Raw(_) => return Err("a request is JSON".into()),
        };
        let request =
            to_raw_value(request).map_err(|error| InvokeError::from(error.to_string()))?;
        let answer = hall.answer(message.command(), &request).await;
        let answer = answer.map_err(InvokeError::from)?;
        Ok(Response::new(String::from(Box::<str>::from(answer))))
    });
}

/// Pushes rare events to the calling page, and collects all others for `next_events`. The first
/// event is the whole roster. Returns the number that the page has to pass to `next_events`.
#[tauri::command]
async fn subscribe(
    app: AppHandle,
    hall: State<'_, GuildHall>,
    listener: State<'_, PageListener>,
    signals: State<'_, Arc<Signals>>,
) -> CommandResult<u64> {
    signals.page_runs.notify_one();
    Ok(listener.listen(&hall, move |name, events| {
        app.emit_to(window::LABEL, name, events)
    }))
}

/// Waits for events and returns a list of [`guild_api::event::Envelope`]. The list is empty if no
/// further events will come.
#[tauri::command]
async fn next_events(listening: u64, listener: State<'_, PageListener>) -> CommandResult<Response> {
    Ok(Response::new(listener.next(listening).await))
}

/// The page calls this after its first paint, and again once it listens for events and has shown
/// the launch commands.
#[tauri::command]
async fn window_ready(
    listens: bool,
    app: AppHandle,
    signals: State<'_, Arc<Signals>>,
) -> CommandResult<()> {
    signals.window_ready.notify_one();
    if listens {
        signals.page_listens.notify_one();
        showing::page_is_ready(&app);
    }
    Ok(())
}

/// The page calls this after it has saved its drafts, because the program is about to end.
#[tauri::command]
async fn drafts_flushed(signals: State<'_, Arc<Signals>>) -> CommandResult<()> {
    signals.drafts_flushed.notify_one();
    Ok(())
}

/// Asks the user for a path, and writes a file to it. Returns `None` if the user cancels.
#[tauri::command]
async fn save_file(
    request: SaveFile,
    window: WebviewWindow,
    hall: State<'_, GuildHall>,
) -> CommandResult<Option<String>> {
    dialogs::save(window, &hall, request).await
}

/// Asks the user for a path. Returns `None` if the user cancels.
#[tauri::command]
async fn pick_path(request: PickPath, window: WebviewWindow) -> CommandResult<Option<String>> {
    Ok(dialogs::pick(window, request).await)
}

/// Opens a member's folder, manifest or log, a terminal, the data folder or a web page.
#[tauri::command]
async fn open(request: Openable, app: AppHandle, hall: State<'_, GuildHall>) -> CommandResult<()> {
    opening::open(&app, &hall, request).await
}

/// Reads the app of a tool from its member. Returns the address of the app's page.
#[tauri::command]
async fn open_app(
    request: ToolRef,
    hall: State<'_, GuildHall>,
    documents: State<'_, AppDocuments>,
) -> CommandResult<OpenedApp> {
    Ok(documents.keep(hall.tool_app(request).await?))
}

/// Returns the state of the features outside the window: the tray icon, the shortcut, start at
/// login, and notifications.
#[tauri::command]
async fn presence(
    outside: State<'_, Outside>,
    hall: State<'_, GuildHall>,
) -> CommandResult<PresenceState> {
    Ok(crate::desktop::state(&outside, &hall).await)
}

#[cfg(test)]
mod tests {
    use guild_api::wire::command_names;

    #[test]
    fn window_may_use_commands_events_and_zoom_only() {
        let capability: serde_json::Value =
            serde_json::from_str(include_str!("../capabilities/main.json")).expect("JSON");
        assert_eq!(
            capability["windows"],
            serde_json::json!([crate::window::LABEL])
        );
        let commands = command_names().map(|name| format!("allow-{}", name.replace('_', "-")));
        let of_tauri = [
            "core:event:allow-listen",
            "core:event:allow-unlisten",
            "core:webview:allow-set-webview-zoom",
        ];
        let of_tauri = of_tauri.iter().map(|name| (*name).to_owned());
        let expected: Vec<String> = of_tauri.chain(commands).collect();
        assert_eq!(capability["permissions"], serde_json::json!(expected));
    }
}
