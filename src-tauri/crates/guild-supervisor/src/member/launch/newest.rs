//! Supports the `server/discover` request, which asks a server of unknown protocol era for the
//! newest version: detects a server that does not answer, and remembers a server that exits.

use std::sync::Arc;
use std::time::Duration;

use guild_mcp_client::Idle;
use guild_model::protocol::Era;
use guild_process::ProcessActivity;
use parking_lot::Mutex;

use super::{ActorEvent, LaunchInput};

/// A process that used less processor time than this between two samples is idle.
const IDLE: Duration = Duration::from_millis(5);

/// Returns a check of whether a process has read its input and waits for more.
pub(super) fn idle(pid: u32) -> Idle {
    let last = Arc::new(Mutex::new(None::<ProcessActivity>));
    Idle::new(move || {
        let last = Arc::clone(&last);
        let look = move || {
            if !ProcessActivity::has_read_input(pid)? {
                return Some(false);
            }
            let now = ProcessActivity::of_tree(pid)?;
            let mut last = last.lock();
            let moved = last.is_none_or(|earlier| now.has_moved_since(&earlier, IDLE));
            *last = Some(now);
            Some(!now.busy && !moved)
        };
        Box::pin(async move { tokio::task::spawn_blocking(look).await.ok().flatten() })
    })
}

/// Remembers that the `server/discover` request ended the server, so that the next start begins
/// with `initialize`.
pub(super) async fn remember_legacy(plan: &LaunchInput) {
    plan.notify(ActorEvent::OpensWith(Era::Legacy)).await;
}
