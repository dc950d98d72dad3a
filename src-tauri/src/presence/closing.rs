//! The window's close button.

use guild_engine::GuildHall;
use guild_model::settings::OnClose;
use tauri::{AppHandle, Manager};

use super::Outside;
use crate::{quit, window};

/// Closes the window as the settings have it: the program ends, or goes on in the tray. Says whether
/// the window has to stay for now.
pub(crate) fn close(app: &AppHandle) -> bool {
    if goes_on(app) {
        quit::keep_drafts(app);
        window::hide(app);
        return true;
    }
    quit::begin(app)
}

/// Whether the program goes on without its window: only where there is an icon to bring it back by.
fn goes_on(app: &AppHandle) -> bool {
    let (Some(hall), Some(outside)) = (app.try_state::<GuildHall>(), app.try_state::<Outside>())
    else {
        return false;
    };
    let wanted = hall.settings().borrow().window.on_close == OnClose::Tray;
    wanted && outside.state.lock().tray.is_on() && !quit::has_begun(app)
}
