//! The background tasks of a connection.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, RunningService, SubscriptionEnd};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::SharedSessionState;
use crate::notify::{Outlet, ServerRequestHandler};

/// Timeout for a server's acknowledgment of `subscriptions/listen`.
pub(super) const ACKNOWLEDGE: Duration = Duration::from_secs(10);
/// The pauses before each attempt to restore a subscription that has ended.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(16),
    Duration::from_secs(60),
];
/// If a subscription has worked for this time, its pauses start with the first one again. Servers
/// and proxies end streams from time to time.
const STEADY: Duration = Duration::from_secs(60);

/// The pauses that are left for a subscription.
pub(super) struct Pauses {
    left: std::array::IntoIter<Duration, 4>,
    began: Instant,
}

impl Pauses {
    pub(super) fn new() -> Self {
        Self {
            left: PAUSES.into_iter(),
            began: Instant::now(),
        }
    }

    /// Records that the subscription works from now on.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Waits before the next attempt. Returns `None` if no attempt is left.
    pub(super) async fn wait(&mut self) -> Option<()> {
        if self.began.elapsed() >= STEADY {
            self.left = PAUSES.into_iter();
        }
        sleep(self.left.next()?).await;
        // The time of failed attempts does not count as time in which the subscription worked.
        self.began = Instant::now();
        Some(())
    }
}

/// Waits until the connection has ended, and reports the end.
pub(super) async fn until_gone(
    running: RunningService<RoleClient, ServerRequestHandler>,
    parts: SharedSessionState,
    gone: CancellationToken,
) {
    if let Err(error) = running.waiting().await {
        tracing::warn!(%error, "a session's task failed");
    }
    let asked = parts.cut.is_cancelled();
    parts.cut.cancel();
    parts.calls.end();
    gone.cancel();
    let reason = parts.end.get().filter(|_| !asked).cloned();
    parts.outlet.closed(reason).await;
}

/// Follows changes of the server's lists on a modern connection. If the server has no such
/// subscription, the lists are only read at the start and on demand.
pub(super) async fn list_changes(peer: Peer<RoleClient>, outlet: Outlet, gone: CancellationToken) {
    let listening = async {
        let mut missed = false;
        let mut pauses = Pauses::new();
        loop {
            let filter = SubscriptionFilter::builder()
                .tools_list_changed()
                .resources_list_changed()
                .prompts_list_changed()
                .build();
            let Ok(Ok(mut subscription)) = timeout(ACKNOWLEDGE, peer.listen(filter)).await else {
                return;
            };
            pauses.begin();
            if missed {
                // Changes that happened during the interruption caused no notification, so the
                // lists are reported as changed.
                outlet.tools_changed();
            }
            while let Ok(Some(notification)) = subscription.next().await {
                outlet.list_changed(&notification);
            }
            if matches!(subscription.end(), Some(SubscriptionEnd::Cancelled)) {
                return;
            }
            missed = true;
            if pauses.wait().await.is_none() {
                return;
            }
        }
    };
    tokio::select! {
        () = listening => {}
        () = gone.cancelled() => {}
    }
}
