//! What a person set.

use guild_core::wire::{ChangeSettings, Nothing, SettingsState};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn settings(request: Nothing, hall: State<'_, Hall>) -> Answer<SettingsState> {
    let Nothing {} = request;
    hall.settings_state().await
}

#[tauri::command]
pub(super) async fn change_settings(
    request: ChangeSettings,
    hall: State<'_, Hall>,
) -> Answer<SettingsState> {
    hall.change_settings(request).await
}
