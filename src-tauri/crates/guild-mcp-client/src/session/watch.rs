//! The background tasks of a connection.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, RunningService, SubscriptionEnd};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::SharedSessionState;
use crate::notify::{Outlet, ServerRequestHandler};

/// Timeout for a server's acknowledgment of a subscription.
pub(super) const ACKNOWLEDGE: Duration = Duration::from_secs(10);
/// Pauses before attempts to restore an ended subscription.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(16),
    Duration::from_secs(60),
];
/// Duration after which a subscription counts as stable, so that its pauses restart. Servers and
/// proxies end streams from time to time.
const STEADY: Duration = Duration::from_secs(60);

/// The remaining pauses of a subscription.
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

    /// Marks the start of a working subscription.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Waits before the next attempt. `None` after the last one.
    pub(super) async fn wait(&mut self) -> Option<()> {
        if self.began.elapsed() >= STEADY {
            self.left = PAUSES.into_iter();
        }
        sleep(self.left.next()?).await;
        // A failed attempt does not count as stable time.
        self.began = Instant::now();
        Some(())
    }
}

/// Waits for the end of the connection and reports it.
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

/// Follows changes of the lists on a modern connection. Without a subscription, lists are only read
/// at the start and on demand.
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
                // Changes during the interruption caused no notification.
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
