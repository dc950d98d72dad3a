//! MCPB bundles.

use guild_core::wire::{
    CheckAnswers, CheckedArguments, InstallMcpb, InstalledMcpb, McpbLook, OfMcpb,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn look_into_mcpb(request: OfMcpb, hall: State<'_, Hall>) -> Answer<McpbLook> {
    hall.look_into_mcpb(request).await
}

#[tauri::command]
pub(super) async fn install_mcpb(
    request: InstallMcpb,
    hall: State<'_, Hall>,
) -> Answer<InstalledMcpb> {
    hall.install_mcpb(request).await
}

#[tauri::command]
pub(super) async fn check_answers(
    request: CheckAnswers,
    hall: State<'_, Hall>,
) -> Answer<CheckedArguments> {
    hall.check_answers(request).await
}
