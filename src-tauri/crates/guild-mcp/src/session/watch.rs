//! The tasks that live as long as a connection.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ServerNotification, SubscriptionFilter};
use rmcp::service::{Peer, RunningService, SubscriptionEnd};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Parts;
use crate::notify::{Listener, Offer, Outlet};

/// How long a server may take to acknowledge a subscription.
pub(super) const ACKNOWLEDGE: Duration = Duration::from_secs(10);
/// The pauses before a subscription that ended is asked for again.
pub(super) const PAUSES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(16),
    Duration::from_secs(60),
];

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
        let mut pauses = PAUSES.into_iter();
        loop {
            let filter = SubscriptionFilter::builder()
                .tools_list_changed()
                .resources_list_changed()
                .prompts_list_changed()
                .build();
            let Ok(Ok(mut subscription)) = timeout(ACKNOWLEDGE, peer.listen(filter)).await else {
                return;
            };
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
            let Some(pause) = pauses.next() else { return };
            sleep(pause).await;
        }
    };
    tokio::select! {
        () = listening => {}
        () = gone.cancelled() => {}
    }
}
