//! Newer versions of the program.

use guild_core::wire::{Nothing, UpdateStage, UpdateState};
use guild_engine::Updates;
use tauri::{AppHandle, State};

use super::Answer;
use crate::quit;

#[tauri::command]
pub(super) async fn updates(request: Nothing, updates: State<'_, Updates>) -> Answer<UpdateState> {
    let Nothing {} = request;
    Ok(updates.state())
}

#[tauri::command]
pub(super) async fn look_for_update(
    request: Nothing,
    updates: State<'_, Updates>,
) -> Answer<UpdateState> {
    let Nothing {} = request;
    updates.look().await
}

#[tauri::command]
pub(super) async fn fetch_update(
    request: Nothing,
    updates: State<'_, Updates>,
) -> Answer<UpdateState> {
    let Nothing {} = request;
    updates.fetch().await
}

#[tauri::command]
pub(super) async fn cancel_update(
    request: Nothing,
    updates: State<'_, Updates>,
) -> Answer<UpdateState> {
    let Nothing {} = request;
    Ok(updates.cancel().await)
}

#[tauri::command]
pub(super) async fn change_to_update(
    request: Nothing,
    updates: State<'_, Updates>,
    app: AppHandle,
) -> Answer<UpdateState> {
    let Nothing {} = request;
    let state = updates.change_over().await?;
    if matches!(state.stage, UpdateStage::Changing { .. }) {
        quit::begin(&app);
    }
    Ok(state)
}

#[tauri::command]
pub(super) async fn forget_last_update(
    request: Nothing,
    updates: State<'_, Updates>,
) -> Answer<UpdateState> {
    let Nothing {} = request;
    Ok(updates.forget_last().await)
}
