//! The catalogue, whether agents may call what stands in it, and how they find it by meaning.

use guild_core::agents::policy::PolicyRules;
use guild_core::wire::{
    Catalog, ConfirmReadOnly, EmbeddingsTested, GatewayState, OfCatalog, PoliciesSet,
    PolicyPreview, PolicyRulesOf, SetEmbeddings, SetToolPolicies, TestEmbeddings,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn catalog(request: OfCatalog, hall: State<'_, Hall>) -> Answer<Catalog> {
    hall.catalog(request).await
}

#[tauri::command]
pub(super) async fn set_tool_policies(
    request: SetToolPolicies,
    hall: State<'_, Hall>,
) -> Answer<PoliciesSet> {
    hall.set_tool_policies(request).await
}

#[tauri::command]
pub(super) async fn preview_policy_rules(
    request: PolicyRulesOf,
    hall: State<'_, Hall>,
) -> Answer<PolicyPreview> {
    hall.preview_policy_rules(request).await
}

#[tauri::command]
pub(super) async fn save_policy_rules(
    request: PolicyRulesOf,
    hall: State<'_, Hall>,
) -> Answer<PolicyRules> {
    hall.save_policy_rules(request).await
}

#[tauri::command]
pub(super) async fn confirm_read_only(
    request: ConfirmReadOnly,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.confirm_read_only(request).await
}

#[tauri::command]
pub(super) async fn set_embeddings(
    request: SetEmbeddings,
    hall: State<'_, Hall>,
) -> Answer<GatewayState> {
    hall.set_embeddings(request).await
}

#[tauri::command]
pub(super) async fn test_embeddings(
    request: TestEmbeddings,
    hall: State<'_, Hall>,
) -> Answer<EmbeddingsTested> {
    hall.test_embeddings(request).await
}
