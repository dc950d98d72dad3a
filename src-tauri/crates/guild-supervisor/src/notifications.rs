//! Broadcasts all members' notifications that belong to no call.

use guild_mcp_client::SessionNotification;
use guild_model::MemberName;
use tokio::sync::broadcast;

/// Maximum number of notifications that wait for a slow subscriber. If more arrive, the subscriber
/// loses the oldest.
const WAITING_MAX: usize = 256;

/// Broadcasts the notifications of all members.
#[derive(Debug)]
pub struct NotificationBus(broadcast::Sender<MemberNotification>);

/// A notification from one member.
#[derive(Debug, Clone)]
pub struct MemberNotification {
    /// The member that the notification is about.
    pub member: MemberName,
    /// The content of the notification.
    pub kind: MemberNotificationKind,
}

/// Kind of a member's notification.
#[derive(Debug, Clone)]
pub enum MemberNotificationKind {
    /// A new session is ready, without the subscriptions of the previous session.
    SessionReady,
    /// A notification from the server.
    FromServer(SessionNotification),
}

impl Default for NotificationBus {
    fn default() -> Self {
        Self(broadcast::channel(WAITING_MAX).0)
    }
}

impl NotificationBus {
    /// Subscribes to the notifications from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<MemberNotification> {
        self.0.subscribe()
    }

    /// Broadcasts a notification of a member.
    pub(crate) fn publish(&self, member: &MemberName, kind: MemberNotificationKind) {
        // Sending fails without subscribers, which is fine.
        let _ = self.0.send(MemberNotification {
            member: member.clone(),
            kind,
        });
    }

    /// Broadcasts a session's notifications until the session ends.
    pub(crate) fn forward(
        &self,
        member: &MemberName,
        mut received: broadcast::Receiver<SessionNotification>,
    ) -> impl Future<Output = ()> + use<> {
        let (bus, member) = (Self(self.0.clone()), member.clone());
        async move {
            loop {
                match received.recv().await {
                    Ok(notification) => {
                        bus.publish(&member, MemberNotificationKind::FromServer(notification));
                    }
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return,
                }
            }
        }
    }
}
