//! What a person accepts, and how tool lists changed.

use guild_core::wire::{
    AcceptMember, AcceptTools, HoldChanges, MemberReview, MemberView, OfMember, OfRevision,
    Revision, Revisions, RevisionsOf,
};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn member_review(
    request: OfMember,
    hall: State<'_, Hall>,
) -> Answer<MemberReview> {
    hall.member_review(&request.member).await
}

#[tauri::command]
pub(super) async fn accept_member(
    request: AcceptMember,
    hall: State<'_, Hall>,
) -> Answer<MemberView> {
    hall.accept_member(request).await
}

#[tauri::command]
pub(super) async fn accept_tools(
    request: AcceptTools,
    hall: State<'_, Hall>,
) -> Answer<MemberReview> {
    hall.accept_tools(request).await
}

#[tauri::command]
pub(super) async fn hold_changes(
    request: HoldChanges,
    hall: State<'_, Hall>,
) -> Answer<MemberView> {
    hall.hold_changes(request).await
}

#[tauri::command]
pub(super) async fn revisions(request: RevisionsOf, hall: State<'_, Hall>) -> Answer<Revisions> {
    Ok(hall.revisions(request).await)
}

#[tauri::command]
pub(super) async fn revision(request: OfRevision, hall: State<'_, Hall>) -> Answer<Revision> {
    hall.revision(request).await
}
