//! Handles a start of the program while it is already running: the existing window is shown,
//! instead of opening a second hall.

use guild_engine::{GuildHall, InstanceStatus, IpcClient, Paths};
use guild_model::holder::HallRole;
use tauri::{AppHandle, async_runtime};

use crate::AppArguments;
use crate::showing;

/// Asks the app that runs on the data folder to show its window, unless this start is hidden.
/// Returns true if such an app exists and has answered. Otherwise this start continues, and its
/// window shows why the hall can't be opened.
pub(crate) fn hand_over(arguments: &AppArguments) -> bool {
    let paths = Paths::resolve_beside_hall(arguments.members.clone(), arguments.data.clone());
    // When this start continues, it reports the error of the folders.
    let Ok(paths) = paths else { return false };
    async_runtime::block_on(async {
        match IpcClient::find(&paths.data_dir).await {
            InstanceStatus::Running(mut visit) if visit.role() == HallRole::App => {
                arguments.is_hidden() || visit.show_window(&arguments.to_show()).await.is_ok()
            }
            _ => false,
        }
    })
}

/// Shows the window whenever another start of the program requests it, with the link and the files
/// of that start.
pub(crate) fn welcome(app: &AppHandle, hall: GuildHall) {
    let app = app.clone();
    async_runtime::spawn(async move {
        loop {
            let wanted = hall.window_wanted().await;
            showing::open(&app, wanted);
        }
    });
}
