//! The window's commands for updates of the program.

use guild_api::wire::{UpdateStage, UpdateState};
use guild_engine::Updates;
use tauri::{AppHandle, State};

use super::CommandResult;
use crate::quit;

#[tauri::command]
pub(super) async fn updates(updates: State<'_, Updates>) -> CommandResult<UpdateState> {
    Ok(updates.state())
}

#[tauri::command]
pub(super) async fn look_for_update(updates: State<'_, Updates>) -> CommandResult<UpdateState> {
    updates.look().await
}

#[tauri::command]
pub(super) async fn fetch_update(updates: State<'_, Updates>) -> CommandResult<UpdateState> {
    updates.fetch().await
}

#[tauri::command]
pub(super) async fn cancel_update(updates: State<'_, Updates>) -> CommandResult<UpdateState> {
    Ok(updates.cancel().await)
}

#[tauri::command]
pub(super) async fn change_to_update(
    updates: State<'_, Updates>,
    app: AppHandle,
) -> CommandResult<UpdateState> {
    let state = updates.change_over().await?;
    if matches!(state.stage, UpdateStage::Changing { .. }) {
        quit::begin(&app);
    }
    Ok(state)
}

#[tauri::command]
pub(super) async fn forget_last_update(updates: State<'_, Updates>) -> CommandResult<UpdateState> {
    Ok(updates.forget_last().await)
}
