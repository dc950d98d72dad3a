//! Servers that a person brings in.

use guild_core::wire::{AdoptBrought, Adopted, Brought, BroughtServers};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn read_brought(
    request: Brought,
    hall: State<'_, Hall>,
) -> Answer<BroughtServers> {
    hall.read_brought(request).await
}

#[tauri::command]
pub(super) async fn adopt_brought(request: AdoptBrought, hall: State<'_, Hall>) -> Answer<Adopted> {
    hall.adopt_brought(request).await
}
