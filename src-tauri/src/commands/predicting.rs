//! Whether and how servers that speak badly are asked in other ways, at last by asking a model.

use guild_core::wire::{
    ChangeDiscovery, DiscoveryState, MemberTools, Nothing, OfMember, PredictTools,
    PredictionRequest,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn discovery_settings(
    request: Nothing,
    hall: State<'_, Hall>,
) -> Answer<DiscoveryState> {
    let Nothing {} = request;
    Ok(hall.discovery_settings().await)
}

#[tauri::command]
pub(super) async fn change_discovery_settings(
    request: ChangeDiscovery,
    hall: State<'_, Hall>,
) -> Answer<DiscoveryState> {
    hall.change_discovery_settings(request).await
}

#[tauri::command]
pub(super) async fn prediction_request(
    request: OfMember,
    hall: State<'_, Hall>,
) -> Answer<PredictionRequest> {
    hall.prediction_request(&request.member).await
}

#[tauri::command]
pub(super) async fn predict_tools(
    request: PredictTools,
    hall: State<'_, Hall>,
) -> Answer<MemberTools> {
    hall.predict_tools(request).await
}

#[tauri::command]
pub(super) async fn forget_prediction(
    request: OfMember,
    hall: State<'_, Hall>,
) -> Answer<PredictionRequest> {
    hall.forget_prediction(&request.member).await
}
