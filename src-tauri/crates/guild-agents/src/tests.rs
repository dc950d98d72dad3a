//! Helpers for tests of several modules.

use std::path::Path;
use std::sync::Arc;

use guild_supervisor::calls::CallService;
use guild_supervisor::members::Supervisor;
use guild_supervisor::test_util::context_in;
use guild_trace::Tracer;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Agents;

/// Returns the gateway's state for a hall in `folder`. The members are not read yet.
pub(crate) fn agents_in(folder: &Path) -> Arc<Agents> {
    let context = context_in(folder);
    let members = Supervisor::new(
        Arc::clone(&context),
        Arc::default(),
        CancellationToken::new(),
    );
    let members = Arc::new(members);
    let tasks = TaskTracker::new();
    let calls = CallService::new(
        Arc::clone(&members),
        Arc::clone(&context.roster),
        context.history.clone(),
        tasks.clone(),
        Tracer::default(),
    );
    Arc::new(Agents::read(&context, members, Arc::new(calls), tasks))
}
