//! The program started while it runs already: the window that there is comes up, and no second hall
//! is opened.

use guild_engine::{GuildHall, IpcClient, Paths, Presence};
use guild_model::holder::HallRole;
use tauri::{AppHandle, async_runtime};

use crate::AppArguments;
use crate::showing;

/// Has the app that runs on the data folder show its window, unless this start is a hidden one; whether
/// there is such an app and it did. Where none runs, or something else does, the start goes on, and what
/// keeps the hall from being opened is shown in the window.
pub(crate) fn hand_over(arguments: &AppArguments) -> bool {
    let paths = Paths::resolve_beside_hall(arguments.members.clone(), arguments.data.clone());
    // The start that goes on reports the problem of the folders.
    let Ok(paths) = paths else { return false };
    async_runtime::block_on(async {
        match IpcClient::find(&paths.data_dir).await {
            Presence::Running(mut visit) if visit.role() == HallRole::App => {
                arguments.is_hidden() || visit.show_window(&arguments.to_show()).await.is_ok()
            }
            _ => false,
        }
    })
}

/// Brings the window up whenever another start of the program asks for it, and shows what that was
/// asked for.
pub(crate) fn welcome(app: &AppHandle, hall: GuildHall) {
    let app = app.clone();
    async_runtime::spawn(async move {
        loop {
            let wanted = hall.window_wanted().await;
            showing::open(&app, wanted);
        }
    });
}
