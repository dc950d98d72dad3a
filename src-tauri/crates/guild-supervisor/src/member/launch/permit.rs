//! Waits until a member may start.

use guild_model::manifest::Launch;
use guild_model::status::StartStep;

use super::{LaunchFailure, LaunchInput, cancelled};
use crate::member::ActorEvent;
use crate::start_limiter::StartPermit;

/// Waits until a member may start, and begins its start. Returns `None` at once for a container:
/// its start begins when its image is present, and pulling the image may take half an hour.
pub(crate) async fn early_start(plan: &LaunchInput) -> Result<Option<StartPermit>, LaunchFailure> {
    match plan.manifest.launch {
        Launch::Container(_) => Ok(None),
        Launch::Command { .. } | Launch::Url { .. } => start(plan).await.map(Some),
    }
}

/// Waits until the member may start, and begins its start.
pub(super) async fn start(plan: &LaunchInput) -> Result<StartPermit, LaunchFailure> {
    let limiter = &plan.context.start_limiter;
    if let Some(start) = limiter.try_begin(plan.alone) {
        return Ok(start);
    }
    plan.notify(ActorEvent::Step(Some(StartStep::Queued))).await;
    let start = tokio::select! {
        biased;
        () = plan.cancel.cancelled() => return Err(cancelled()),
        start = limiter.begin(&plan.name, plan.alone) => start,
        () = plan.hurry.cancelled() => limiter.begin_now(),
    };
    plan.notify(ActorEvent::Step(None)).await;
    Ok(start)
}
