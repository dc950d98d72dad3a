//! Signing in to members that run elsewhere. The window names a member and never an address: what a
//! browser opens is what the engine found.

use guild_core::wire::{Nothing, OfMember, SignInAddress, SignInView};
use guild_engine::Hall;
use tauri::State;

use super::Answer;

#[tauri::command]
pub(super) async fn sign_in_state(request: OfMember, hall: State<'_, Hall>) -> Answer<SignInView> {
    hall.sign_in_state(&request.member).await
}

#[tauri::command]
pub(super) async fn sign_in(request: OfMember, hall: State<'_, Hall>) -> Answer<SignInAddress> {
    hall.sign_in(&request.member).await
}

#[tauri::command]
pub(super) async fn open_sign_in(request: OfMember, hall: State<'_, Hall>) -> Answer<Nothing> {
    hall.open_sign_in(&request.member).await?;
    Ok(Nothing {})
}

#[tauri::command]
pub(super) async fn sign_in_ended(request: OfMember, hall: State<'_, Hall>) -> Answer<SignInView> {
    hall.sign_in_ended(&request.member).await
}

#[tauri::command]
pub(super) async fn cancel_sign_in(request: OfMember, hall: State<'_, Hall>) -> Answer<SignInView> {
    hall.cancel_sign_in(&request.member).await
}

#[tauri::command]
pub(super) async fn sign_out(request: OfMember, hall: State<'_, Hall>) -> Answer<SignInView> {
    hall.sign_out(&request.member).await
}
