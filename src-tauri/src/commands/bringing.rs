//! Servers that a person brings in, and members that they write.

use guild_core::wire::{
    AdoptBrought, Adopted, BeginMember, Beginnings, BegunMember, Brought, BroughtServers, Nothing,
};
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

#[tauri::command]
pub(super) async fn beginnings(request: Nothing, hall: State<'_, Hall>) -> Answer<Beginnings> {
    let Nothing {} = request;
    Ok(hall.beginnings())
}

#[tauri::command]
pub(super) async fn begin_member(
    request: BeginMember,
    hall: State<'_, Hall>,
) -> Answer<BegunMember> {
    hall.begin_member(request).await
}
