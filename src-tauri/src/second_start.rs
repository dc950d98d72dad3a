//! The program started while it runs already: the window that there is comes up, and no second hall
//! is opened.

use guild_core::wire::control::{HallRole, ShowWindow};
use guild_engine::{Hall, Paths, Presence, Visit};
use tauri::{AppHandle, Manager, async_runtime};

use crate::Arguments;
use crate::window;

/// Has the app that runs on the data folder show its window; whether it did. Where none runs, or
/// something else does, the start goes on, and what keeps the hall from being opened is told in the
/// window.
pub(crate) fn hand_over(arguments: &Arguments) -> bool {
    let paths = Paths::resolve(arguments.members.clone(), arguments.data.clone());
    // What is wrong with the folders is told by the start that goes on.
    let Ok(paths) = paths else { return false };
    async_runtime::block_on(async {
        match Visit::find(&paths.data_dir).await {
            Presence::Running(mut visit) if visit.role() == HallRole::App => {
                visit.show_window(&ShowWindow::default()).await.is_ok()
            }
            _ => false,
        }
    })
}

/// Brings the window up whenever another start of the program asks for it.
pub(crate) fn welcome(app: &AppHandle, hall: Hall) {
    let app = app.clone();
    async_runtime::spawn(async move {
        loop {
            hall.window_wanted().await;
            bring_up(&app);
        }
    });
}

fn bring_up(app: &AppHandle) {
    let Some(window) = app.get_webview_window(window::LABEL) else {
        return;
    };
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be brought up");
    }
}
