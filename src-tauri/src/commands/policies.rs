//! The catalogue, and whether agents may call what stands in it.

use guild_core::agents::policy::PolicyRules;
use guild_core::wire::{
    Catalog, OfCatalog, PoliciesSet, PolicyPreview, PolicyRulesOf, SetToolPolicies,
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
