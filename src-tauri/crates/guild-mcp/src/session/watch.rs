//! The tasks that live as long as a connection.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ServerNotification, SubscriptionFilter};
use rmcp::service::{Peer, RunningService, SubscriptionEnd};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Parts;
use crate::notify::{Listener, Offer, Outlet};

/// How long a server may take to acknowledge a subscription.
pub(super) const ACKNOWLEDGE: Duration = Duration::from_secs(10);
/// The pauses before a subscription that ended is asked for again.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(16),
    Duration::from_secs(60),
];
/// How long a subscription has to hold for its pauses to begin anew: servers and what stands
/// before them end streams every now and then.
const STEADY: Duration = Duration::from_secs(60);

/// The pauses of one subscription, of which there are so many in a row.
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

    /// The subscription holds from now on.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Waits before it is asked for again; `None` when it is not.
    pub(super) async fn wait(&mut self) -> Option<()> {
        if self.began.elapsed() >= STEADY {
            self.left = PAUSES.into_iter();
        }
        sleep(self.left.next()?).await;
        // What was tried in vain held for no time.
        self.began = Instant::now();
        Some(())
    }
}

/// Waits for the end of the connection and tells of it.
pub(super) async fn until_gone(
    running: RunningService<RoleClient, Listener>,
    parts: Parts,
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

/// Listens for changes of the lists on a modern connection. A server that does not take the
/// subscription is left alone: its list is read anew on start and on demand.
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
                // Whatever changed in between was told to nobody.
                outlet.tools_changed();
            }
            while let Ok(Some(notification)) = subscription.next().await {
                match notification {
                    ServerNotification::ToolListChangedNotification(_) => outlet.tools_changed(),
                    ServerNotification::ResourceListChangedNotification(_) => {
                        outlet.offers_changed(Offer::Resources);
                    }
                    ServerNotification::PromptListChangedNotification(_) => {
                        outlet.offers_changed(Offer::Prompts);
                    }
                    _ => {}
                }
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
