//! Forwards members' notifications to clients: log messages and changes of resources.
//!
//! All clients that subscribe to a resource share one subscription at its member, which ends with
//! the last client's subscription. After a restart of the member, its subscriptions are requested
//! again, and its watched resources are reported as changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::future::join_all;
use guild_api::wire::OfferList;
use guild_gateway::{GatewayError, GatewayRequestContext, ResourceSubscription, ResponseChannels};
use guild_mcp_client::{Level, NotificationSink, SessionNotification};
use guild_model::MemberName;
use guild_model::endpoint::Endpoint;
use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast, oneshot};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Agents;
use super::apps::RenamedResource;
use super::backend::AgentBackend;
use super::forwarding::cancelled;
use super::tool_calls::refused;
use guild_supervisor::notifications::{MemberNotification, MemberNotificationKind};

/// Timeout of requests to a member for subscriptions and log levels.
const LIMIT: Duration = Duration::from_secs(10);
/// Delay between missed notifications and the refresh of all subscriptions, so that a flood of
/// notifications causes only one refresh.
const MISSED_GATHERED: Duration = Duration::from_millis(500);
/// Maximum number of watched resources of one member, and of subscriptions in total.
const WATCHED_MAX: usize = 200;
const WATCHES_MAX: usize = 2_000;

/// The subscriptions of all clients.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Mutex<Listeners>);

#[derive(Debug, Default)]
struct Listeners {
    next: u64,
    logs: HashMap<u64, LogListener>,
    watches: HashMap<u64, ResourceListener>,
}

#[derive(Debug)]
struct LogListener {
    endpoint: Endpoint,
    hearing: Arc<dyn NotificationSink>,
}

#[derive(Debug)]
struct ResourceListener {
    member: MemberName,
    uri: String,
    hearing: Arc<dyn NotificationSink>,
}

impl Subscriptions {
    fn add_log(&self, endpoint: Endpoint, hearing: Arc<dyn NotificationSink>) -> u64 {
        let mut listeners = self.0.lock();
        let id = listeners.number();
        let listener = LogListener { endpoint, hearing };
        listeners.logs.insert(id, listener);
        id
    }

    fn remove_log(&self, id: u64) {
        self.0.lock().logs.remove(&id);
    }

    /// Adds a client's subscription to a resource and returns its number. Returns `None` if there
    /// are too many.
    fn add_watch(&self, listener: ResourceListener) -> Option<u64> {
        let mut listeners = self.0.lock();
        let uris = listeners.uris(&listener.member);
        let full = uris.len() >= WATCHED_MAX && !uris.contains(&listener.uri);
        if full || listeners.watches.len() >= WATCHES_MAX {
            return None;
        }
        let id = listeners.number();
        listeners.watches.insert(id, listener);
        Some(id)
    }

    fn remove_watch(&self, id: u64) {
        self.0.lock().watches.remove(&id);
    }

    /// Returns the watched resources of a member.
    fn uris(&self, member: &MemberName) -> BTreeSet<String> {
        self.0.lock().uris(member)
    }

    /// Returns the members with watched resources.
    fn members(&self) -> BTreeSet<MemberName> {
        let listeners = self.0.lock();
        let watches = listeners.watches.values();
        watches.map(|it| it.member.clone()).collect()
    }

    /// Returns the lowest log level that any client wants from a member.
    fn level(&self, includes: impl Fn(&Endpoint) -> bool) -> Option<Level> {
        let listeners = self.0.lock();
        let included = listeners.logs.values().filter(|it| includes(&it.endpoint));
        included.filter_map(|it| it.hearing.level()).min()
    }

    /// Passes on a notification. A log message goes to the clients of all endpoints that include
    /// the member. A changed resource goes to the clients that subscribed to its URI. If there are
    /// none, it goes to those that subscribed to a prefix of the URI.
    fn notify(
        &self,
        member: &MemberName,
        notification: &SessionNotification,
        includes: impl Fn(&Endpoint) -> bool,
    ) {
        let listeners = self.0.lock();
        match notification {
            SessionNotification::Log { level, params } => {
                let included = listeners.logs.values().filter(|it| includes(&it.endpoint));
                included.for_each(|it| it.hearing.log(*level, params));
            }
            SessionNotification::Updated { uri } => {
                let concerned =
                    |it: &&ResourceListener| it.member == *member && uri.starts_with(&it.uri);
                let watches = listeners.watches.values().filter(concerned);
                let exact = watches.clone().any(|it| *it.uri == **uri);
                watches
                    .filter(|it| !exact || *it.uri == **uri)
                    .for_each(|it| it.hearing.updated(uri));
            }
        }
    }

    /// Reports all watched resources of a member as changed.
    fn notify_all(&self, member: &MemberName) {
        let listeners = self.0.lock();
        let of_member = listeners.watches.values().filter(|it| it.member == *member);
        of_member.for_each(|it| it.hearing.updated(&it.uri));
    }
}

impl Listeners {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn uris(&self, member: &MemberName) -> BTreeSet<String> {
        let of_member = self.watches.values().filter(|it| it.member == *member);
        of_member.map(|it| it.uri.clone()).collect()
    }
}

impl AgentBackend {
    /// Sets the log level of all running members of an endpoint.
    pub(super) async fn log_from_level(
        &self,
        context: &GatewayRequestContext,
        level: Level,
    ) -> Result<(), GatewayError> {
        let members = self.members(context)?;
        let up = members
            .iter()
            .filter_map(|member| self.agents.members.member(member).ok()?.try_lease());
        let changes = up.map(async |loan| loan.session.log_from(level, LIMIT).await);
        join_all(changes).await;
        Ok(())
    }

    /// Subscribes a client to the log of an endpoint.
    pub(super) fn subscribe_log(
        &self,
        context: &GatewayRequestContext,
        hearing: Arc<dyn NotificationSink>,
        over: CancellationToken,
    ) {
        let agents = Arc::clone(&self.agents);
        let id = agents
            .subscriptions
            .add_log(context.endpoint.clone(), hearing);
        tokio::spawn(async move {
            over.cancelled().await;
            agents.subscriptions.remove_log(id);
        });
    }

    /// Subscribes a client to a resource. Starts the member if necessary.
    pub(super) async fn subscribe_resource(
        &self,
        context: &GatewayRequestContext,
        watch: ResourceSubscription,
    ) -> Result<(), GatewayError> {
        let ResourceSubscription { uri, hearing, over } = watch;
        let back = ResponseChannels {
            cancel: over.clone(),
            ..ResponseChannels::default()
        };
        let (member, uri, hearing) = match &context.endpoint {
            Endpoint::Member { member } => (member.clone(), uri, hearing),
            _ => {
                let owner = self
                    .owner(context, OfferList::Resources, &uri, &back)
                    .await?;
                let member = owner.member;
                match owner.own {
                    own if own != uri => {
                        let renamed = RenamedResource {
                            hearing,
                            member: member.clone(),
                            address: uri,
                            own: own.clone(),
                        };
                        (member, own, Arc::new(renamed) as _)
                    }
                    _ => (member, uri, hearing),
                }
            }
        };
        let loan = self.lease(&member, &back, None).await?;
        tokio::select! {
            permitted = self.check_watch(context, &member, &uri) => permitted?,
            () = back.cancel.cancelled() => return Err(cancelled()),
        }
        let listener = ResourceListener {
            member: member.clone(),
            uri: uri.clone(),
            hearing,
        };
        let agents = Arc::clone(&self.agents);
        let id = agents.subscriptions.add_watch(listener).ok_or_else(|| {
            let why = format!("{member}: too many resources are watched already.");
            GatewayError::new(GatewayError::INTERNAL, why)
        })?;
        let watched = member.clone();
        let (answer, answered) = oneshot::channel();
        let revoked = context.client.revoked.clone();
        // A separate task, so that a client that disconnects at this point does not leave a member
        // with half a subscription.
        tokio::spawn(async move {
            let session = Arc::clone(&loan.session);
            drop(loan);
            let wanted = || agents.subscriptions.uris(&member);
            let mut refused = session.watch_resources(wanted, LIMIT).await;
            drop(session);
            let refused = refused.remove(&uri);
            let watches = refused.is_none();
            // An error means that the client has disconnected, which ends the subscription.
            let _ = answer.send(refused);
            if watches {
                tokio::select! {
                    () = over.cancelled() => {}
                    () = revoked.cancelled() => {}
                }
            }
            agents.subscriptions.remove_watch(id);
            agents.restore_subscriptions(&member).await;
        });
        match answered.await {
            Ok(None) => Ok(()),
            Ok(Some(error)) => Err(refused(&watched, error.into())),
            Err(_) => Err(GatewayError::new(
                GatewayError::INTERNAL,
                "The gateway is closing.",
            )),
        }
    }
}

impl Agents {
    /// Whether an endpoint includes a member.
    pub fn includes(&self, endpoint: &Endpoint, member: &MemberName) -> bool {
        match endpoint {
            Endpoint::All => true,
            Endpoint::Member { member: own } => own == member,
            Endpoint::Profile { profile } => {
                let settings = self.settings.borrow();
                let profile = settings.profile(profile);
                profile.is_some_and(|it| it.members.iter().any(|it| it.member == *member))
            }
        }
    }

    /// Sets the log level and the subscriptions of a running member again.
    async fn restore_subscriptions(&self, member: &MemberName) {
        let handle = self.members.member(member).ok();
        let Some(loan) = handle.and_then(|it| it.try_lease()) else {
            return;
        };
        let level = self
            .subscriptions
            .level(|endpoint| self.includes(endpoint, member));
        if let Some(level) = level {
            loan.session.log_from(level, LIMIT).await;
        }
        let wanted = || self.subscriptions.uris(member);
        for (uri, error) in loan.session.watch_resources(wanted, LIMIT).await {
            tracing::debug!(%member, uri, %error, "the subscription to a resource could not be restored");
        }
    }

    /// Forwards members' notifications. If notifications were lost in a flood, refreshes all
    /// subscriptions.
    pub(super) async fn follow_notifications(
        agents: Weak<Self>,
        posted: broadcast::Receiver<MemberNotification>,
    ) {
        let missed = Notify::new();
        tokio::select! {
            () = Self::forward_notifications(&agents, posted, &missed) => {}
            () = Self::refresh_after_loss(&agents, &missed) => {}
        }
    }

    async fn forward_notifications(
        agents: &Weak<Self>,
        mut posted: broadcast::Receiver<MemberNotification>,
        missed: &Notify,
    ) {
        loop {
            let MemberNotification { member, kind } = match posted.recv().await {
                Ok(posted) => posted,
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    missed.notify_one();
                    continue;
                }
                Err(broadcast::error::RecvError::Closed) => return,
            };
            let Some(agents) = agents.upgrade() else {
                return;
            };
            match kind {
                MemberNotificationKind::FromServer(notification) => {
                    let includes = |endpoint: &Endpoint| agents.includes(endpoint, &member);
                    agents
                        .subscriptions
                        .notify(&member, &notification, includes);
                }
                MemberNotificationKind::SessionReady => {
                    tokio::spawn(async move { agents.refresh_subscriptions(&member).await });
                }
            }
        }
    }

    /// Refreshes all subscriptions after notifications were lost. A lost notification may have
    /// reported a started member or a changed resource.
    async fn refresh_after_loss(agents: &Weak<Self>, missed: &Notify) {
        loop {
            missed.notified().await;
            sleep(MISSED_GATHERED).await;
            let Some(agents) = agents.upgrade() else {
                return;
            };
            let members = agents.subscriptions.members();
            join_all(
                members
                    .iter()
                    .map(|member| agents.refresh_subscriptions(member)),
            )
            .await;
        }
    }

    /// Sets a member's subscriptions again, and reports its watched resources as changed.
    async fn refresh_subscriptions(&self, member: &MemberName) {
        self.restore_subscriptions(member).await;
        self.subscriptions.notify_all(member);
    }
}

#[cfg(test)]
mod tests;
