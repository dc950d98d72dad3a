//! Waiting for a start's turn in the queue of all starts.

use guild_core::manifest::Launch;
use guild_core::status::StartStep;

use super::{LaunchFailure, Plan, cancelled};
use crate::member::Happening;
use crate::places::{Place, Turn};

/// Waits for the turn of a member that can be started at once. A container has its turn when it is
/// prepared: fetching its image may take half an hour, and is in nobody's way.
pub(in crate::member) async fn early_place(plan: &Plan) -> Result<Option<Place>, LaunchFailure> {
    match plan.manifest.launch {
        Launch::Container(_) => Ok(None),
        Launch::Command { .. } | Launch::Url { .. } => place(plan).await.map(Some),
    }
}

/// Waits for the member's turn to start.
pub(super) async fn place(plan: &Plan) -> Result<Place, LaunchFailure> {
    let places = &plan.context.places;
    let turn = match plan.alone {
        true => places.alone(&plan.name),
        false => places.in_turn(&plan.name),
    };
    let turn = match turn {
        Turn::Now(place) => return Ok(place),
        Turn::Later(turn) => turn,
    };
    let step = async |step| {
        let _ = plan.happenings.send(Happening::Step(step)).await;
    };
    step(Some(StartStep::Queued)).await;
    let place = tokio::select! {
        biased;
        () = plan.cancel.cancelled() => return Err(cancelled()),
        turn = turn => turn.unwrap_or_else(|_| places.at_once()),
        () = plan.hurry.cancelled() => places.at_once(),
    };
    step(None).await;
    Ok(place)
}
