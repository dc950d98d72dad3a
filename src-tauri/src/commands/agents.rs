//! What agents get of the hall, and who they are.

use guild_core::wire::{
    AddAgentClient, AddedAgentClient, AgentView, Approvals, ChangeGateway, ClientConfigPreview,
    ClientConfigs, DecideApproval, ExportTeam, FindForTask, FoundForTask, GatewayState, Nothing,
    OfAgentClient, OfClientConfig, OfEndpoint, OfProfile, SaveProfile, TeamExport, Traffic,
    UndoClientConfig, UndoneClientConfig, ViewAsAgent, WriteClientConfig, WriteTeamExport,
    WrittenClientConfig, WrittenTeamExport,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn gateway(request: Nothing, hall: State<'_, Hall>) -> Answer<GatewayState> {
    let Nothing {} = request;
    Ok(hall.gateway().await)
}

#[tauri::command]
pub(super) async fn change_gateway(
    request: ChangeGateway,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.change_gateway(request).await
}

#[tauri::command]
pub(super) async fn add_agent_client(
    request: AddAgentClient,
    hall: State<'_, Hall>,
) -> Answer<AddedAgentClient> {
    hall.add_agent_client(request).await
}

#[tauri::command]
pub(super) async fn revoke_agent_client(
    request: OfAgentClient,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.revoke_agent_client(request).await
}

#[tauri::command]
pub(super) async fn save_profile(
    request: SaveProfile,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.save_profile(request).await
}

#[tauri::command]
pub(super) async fn delete_profile(
    request: OfProfile,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.delete_profile(request).await
}

#[tauri::command]
pub(super) async fn view_as_agent(
    request: ViewAsAgent,
    hall: State<'_, Hall>,
) -> Answer<AgentView> {
    hall.view_as_agent(request).await
}

#[tauri::command]
pub(super) async fn find_for_task(
    request: FindForTask,
    hall: State<'_, Hall>,
) -> Answer<FoundForTask> {
    hall.find_for_task(request).await
}

#[tauri::command]
pub(super) async fn approvals(request: Nothing, hall: State<'_, Hall>) -> Answer<Approvals> {
    let Nothing {} = request;
    Ok(hall.approvals().await)
}

#[tauri::command]
pub(super) async fn decide_approval(
    request: DecideApproval,
    hall: State<'_, Hall>,
) -> Answer<Nothing> {
    hall.decide_approval(request).await?;
    Ok(Nothing {})
}

#[tauri::command]
pub(super) async fn gateway_traffic(request: Nothing, hall: State<'_, Hall>) -> Answer<Traffic> {
    let Nothing {} = request;
    Ok(hall.gateway_traffic().await)
}

#[tauri::command]
pub(super) async fn client_configs(
    request: OfEndpoint,
    hall: State<'_, Hall>,
) -> Answer<ClientConfigs> {
    hall.client_configs(request).await
}

#[tauri::command]
pub(super) async fn preview_client_config(
    request: OfClientConfig,
    hall: State<'_, Hall>,
) -> Answer<ClientConfigPreview> {
    hall.preview_client_config(request).await
}

#[tauri::command]
pub(super) async fn write_client_config(
    request: WriteClientConfig,
    hall: State<'_, Hall>,
) -> Answer<WrittenClientConfig> {
    hall.write_client_config(request).await
}

#[tauri::command]
pub(super) async fn undo_client_config(
    request: UndoClientConfig,
    hall: State<'_, Hall>,
) -> Answer<UndoneClientConfig> {
    hall.undo_client_config(request).await
}

#[tauri::command]
pub(super) async fn export_team(request: ExportTeam, hall: State<'_, Hall>) -> Answer<TeamExport> {
    hall.export_team(request).await
}

#[tauri::command]
pub(super) async fn write_team_export(
    request: WriteTeamExport,
    hall: State<'_, Hall>,
) -> Answer<WrittenTeamExport> {
    hall.write_team_export(request).await
}
