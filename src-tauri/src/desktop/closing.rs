//! Handles the window's close button.

use guild_engine::GuildHall;
use guild_model::settings::OnClose;
use tauri::{AppHandle, Manager};

use super::Outside;
use crate::{quit, window};

/// Quits the program or hides the window, depending on the settings. Returns true if the window
/// must not be closed now.
pub(crate) fn close(app: &AppHandle) -> bool {
    if goes_on(app) {
        quit::keep_drafts(app);
        window::hide(app);
        return true;
    }
    quit::begin(app)
}

/// Returns whether the program continues without its window. This requires an icon in the tray,
/// which can open the window again.
fn goes_on(app: &AppHandle) -> bool {
    let (Some(hall), Some(outside)) = (app.try_state::<GuildHall>(), app.try_state::<Outside>())
    else {
        return false;
    };
    let wanted = hall.settings().borrow().window.on_close == OnClose::Tray;
    wanted && outside.state.lock().tray.is_on() && !quit::has_begun(app)
}
