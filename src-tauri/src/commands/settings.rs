//! What a person set.

use guild_core::wire::{
    ChangeSettings, ImportSettings, Nothing, OfSettingsFile, SettingsImport, SettingsState,
};
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

#[tauri::command]
pub(super) async fn export_settings(
    request: OfSettingsFile,
    hall: State<'_, Hall>,
) -> Answer<OfSettingsFile> {
    hall.export_settings(request).await
}

#[tauri::command]
pub(super) async fn preview_settings_import(
    request: OfSettingsFile,
    hall: State<'_, Hall>,
) -> Answer<SettingsImport> {
    hall.preview_settings_import(request).await
}

#[tauri::command]
pub(super) async fn import_settings(
    request: ImportSettings,
    hall: State<'_, Hall>,
) -> Answer<SettingsImport> {
    hall.import_settings(request).await
}
