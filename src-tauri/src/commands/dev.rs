//! A server author's loop.

use guild_core::wire::{DevRound, DevState, OfMember, RunExamples, SaveExample};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn dev_state(request: OfMember, hall: State<'_, Hall>) -> Answer<DevState> {
    hall.dev_state(&request.member)
}

#[tauri::command]
pub(super) async fn run_examples(request: RunExamples, hall: State<'_, Hall>) -> Answer<DevRound> {
    hall.run_examples(request).await
}

#[tauri::command]
pub(super) async fn save_example(request: SaveExample, hall: State<'_, Hall>) -> Answer<DevState> {
    hall.save_example(request).await
}
