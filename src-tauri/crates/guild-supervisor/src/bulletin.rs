//! Collects all members' notifications that belong to no call.

use guild_mcp_client::SessionNotification;
use guild_model::MemberName;
use tokio::sync::broadcast;

/// Most notifications that wait for a follower. Beyond it, the oldest are lost.
const NEWS_MAX: usize = 256;

/// Where the news of all members are posted.
#[derive(Debug)]
pub struct Bulletin(broadcast::Sender<MemberNotification>);

/// One of them.
#[derive(Debug, Clone)]
pub struct MemberNotification {
    /// The member that the notification is about.
    pub member: MemberName,
    /// The content of the notification.
    pub news: MemberNotificationKind,
}

/// A notification.
#[derive(Debug, Clone)]
pub enum MemberNotificationKind {
    /// The session is up, without the subscriptions of the one before.
    Up,
    /// A notification of the server.
    Told(SessionNotification),
}

impl Default for Bulletin {
    fn default() -> Self {
        Self(broadcast::channel(NEWS_MAX).0)
    }
}

impl Bulletin {
    /// All that is posted from now on.
    pub fn follow(&self) -> broadcast::Receiver<MemberNotification> {
        self.0.subscribe()
    }

    /// A member is up.
    pub fn is_up(&self, member: &MemberName) {
        self.post(member, MemberNotificationKind::Up);
    }

    /// Posts a session's notifications until it ends.
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
        // Having no follower is fine.
        let _ = self.0.send(MemberNotification {
            member: member.clone(),
            news,
        });
    }
}
