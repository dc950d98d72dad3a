//! Broadcasts all members' notifications that belong to no call.

use guild_mcp_client::SessionNotification;
use guild_model::MemberName;
use tokio::sync::broadcast;

/// Limit of the notifications that wait for a subscriber. Beyond it, the oldest are lost.
const NEWS_MAX: usize = 256;

/// Broadcasts the notifications of all members.
#[derive(Debug)]
pub struct Bulletin(broadcast::Sender<MemberNotification>);

/// A notification from one member.
#[derive(Debug, Clone)]
pub struct MemberNotification {
    /// The member that the notification is about.
    pub member: MemberName,
    /// The content of the notification.
    pub news: MemberNotificationKind,
}

/// Kind of a member's notification.
#[derive(Debug, Clone)]
pub enum MemberNotificationKind {
    /// A new session is ready, without the subscriptions of the previous session.
    Up,
    /// A notification from the server.
    Told(SessionNotification),
}

impl Default for Bulletin {
    fn default() -> Self {
        Self(broadcast::channel(NEWS_MAX).0)
    }
}

impl Bulletin {
    /// Subscribes to the notifications from now on.
    pub fn follow(&self) -> broadcast::Receiver<MemberNotification> {
        self.0.subscribe()
    }

    /// Announces that a member's new session is ready.
    pub fn is_up(&self, member: &MemberName) {
        self.post(member, MemberNotificationKind::Up);
    }

    /// Broadcasts a session's notifications until the session ends.
    pub(crate) fn of_session(
        &self,
        member: &MemberName,
        mut told: broadcast::Receiver<SessionNotification>,
    ) -> impl Future<Output = ()> + use<> {
        let (bulletin, member) = (Self(self.0.clone()), member.clone());
        async move {
            loop {
                match told.recv().await {
                    Ok(told) => bulletin.post(&member, MemberNotificationKind::Told(told)),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return,
                }
            }
        }
    }

    fn post(&self, member: &MemberName, news: MemberNotificationKind) {
        // Sending fails without subscribers, which is fine.
        let _ = self.0.send(MemberNotification {
            member: member.clone(),
            news,
        });
    }
}
