//! Servers that MCP registries list.

use guild_core::wire::{
    InstallRegistryServer, InstalledRegistryServer, Nothing, OfRegistryServer, OfRegistrySource,
    ReadRegistry, RegistryPage, RegistryServer, RegistrySource, RegistrySources, SearchRegistry,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn registry_sources(
    request: Nothing,
    hall: State<'_, Hall>,
) -> Answer<RegistrySources> {
    let Nothing {} = request;
    hall.registry_sources().await
}

#[tauri::command]
pub(super) async fn add_registry_source(
    request: OfRegistrySource,
    hall: State<'_, Hall>,
) -> Answer<RegistrySources> {
    hall.add_registry_source(request).await
}

#[tauri::command]
pub(super) async fn remove_registry_source(
    request: OfRegistrySource,
    hall: State<'_, Hall>,
) -> Answer<RegistrySources> {
    hall.remove_registry_source(request).await
}

#[tauri::command]
pub(super) async fn read_registry(
    request: ReadRegistry,
    hall: State<'_, Hall>,
) -> Answer<RegistrySource> {
    hall.read_registry(request).await
}

#[tauri::command]
pub(super) async fn search_registry(
    request: SearchRegistry,
    hall: State<'_, Hall>,
) -> Answer<RegistryPage> {
    hall.search_registry(request).await
}

#[tauri::command]
pub(super) async fn registry_server(
    request: OfRegistryServer,
    hall: State<'_, Hall>,
) -> Answer<RegistryServer> {
    hall.registry_server(request).await
}

#[tauri::command]
pub(super) async fn install_registry_server(
    request: InstallRegistryServer,
    hall: State<'_, Hall>,
) -> Answer<InstalledRegistryServer> {
    hall.install_registry_server(request).await
}
