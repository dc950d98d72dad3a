//! Configures which notifications a server sends: its log level and the resource subscriptions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use guild_api::wire::RpcError;
use guild_model::protocol::Era;
use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, Subscription, SubscriptionEnd};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::list::METHOD_NOT_FOUND;
use super::request::raw;
use super::watch::{ACKNOWLEDGE, Pauses};
use super::{CallOptions, SentRequest, Session};
use crate::error::McpError;
use crate::news::Level;
use crate::pending_requests::{PendingRequest, PendingRequests};
use crate::raw_requests::compose::{RawRequestParams, Request};

/// The log level that was last requested from the server. `None` before the first request.
#[derive(Debug, Default)]
pub(super) struct SentLogLevel(Mutex<Option<Level>>);

impl SentLogLevel {
    /// Records a level. Returns true if it must be requested, because the server does not log at
    /// this or a more verbose level yet. If there are several receivers, the server uses the most
    /// verbose of their levels, and each receiver filters.
    fn lowers_to(&self, level: Level) -> bool {
        let mut known = self.0.lock();
        let grows = known.is_none_or(|known| level < known);
        if grows {
            *known = Some(level);
        }
        grows
    }
}

#[derive(Debug, Default)]
pub(super) struct SessionSubscriptions(tokio::sync::Mutex<ResourceSubscriptions>);

#[derive(Debug, Default)]
struct ResourceSubscriptions {
    uris: BTreeSet<String>,
    /// The task that follows the stream of resource updates (2026-07-28).
    stream: Option<AbortOnDropHandle<()>>,
}

impl ResourceSubscriptions {
    /// Whether the stream has ended and is no longer restored.
    fn is_deaf(&self) -> bool {
        self.stream
            .as_ref()
            .is_some_and(|stream| stream.is_finished())
    }
}

impl Session {
    /// Requests a log level from a server up to 2025-11-25, if the server does not log at this or a
    /// more verbose level yet. In 2026-07-28, each request has its own level.
    pub async fn log_from(&self, level: Level, limit: Duration) {
        let options = own_options(limit);
        // A server that does not answer keeps its level.
        let _ = timeout(limit, self.send_log_level(level, &options)).await;
    }

    pub(super) async fn send_log_level(&self, level: Level, options: &CallOptions) {
        let has = self.server.era == Era::Legacy && self.declares("logging");
        if !has || !self.sent_log_level.lowers_to(level) {
            return;
        }
        let Ok(params) = raw(&json!({"level": level.as_str()})) else {
            return;
        };
        let request = Request::new("logging/setLevel", RawRequestParams::Text(&params));
        let call = Arc::new(PendingRequest::default());
        if let Err(error) = self.ask_once(&request, &call, options).await {
            tracing::debug!(%error, "a server does not change what it logs");
        }
    }

    /// Subscribes to exactly the resources that `wanted` returns. `wanted` is called after any
    /// running update has ended. Changes of the resources arrive as notifications of the session.
    /// Returns the resources that the server rejected, with the errors.
    pub async fn watch_resources(
        &self,
        wanted: impl FnOnce() -> BTreeSet<String> + Send,
        limit: Duration,
    ) -> BTreeMap<String, McpError> {
        let mut watching = self.watched.0.lock().await;
        let wanted = wanted();
        if wanted == watching.uris && !watching.is_deaf() {
            return BTreeMap::new();
        }
        if !self.has_subscriptions() {
            return refused(wanted, &unsupported());
        }
        match self.server.era {
            Era::Legacy => self.subscribe(&mut watching, wanted, limit).await,
            Era::Modern => self.listen_again(&mut watching, wanted, limit).await,
        }
    }

    /// Whether the server supports resource subscriptions.
    fn has_subscriptions(&self) -> bool {
        let resources = self.server.capabilities.get("resources");
        resources.and_then(|resources| resources.get("subscribe")) == Some(&Value::Bool(true))
    }

    async fn subscribe(
        &self,
        watching: &mut ResourceSubscriptions,
        wanted: BTreeSet<String>,
        limit: Duration,
    ) -> BTreeMap<String, McpError> {
        let ask = async |method: &str, uri: &str| {
            let params = raw(&json!({"uri": uri}))?;
            let asked = self.ask_text(method, Some(&params), own_options(limit));
            asked.await.map(drop)
        };
        let gone = watching.uris.difference(&wanted);
        // Errors are ignored. Further notifications about these resources are ignored too.
        join_all(gone.map(|uri| ask("resources/unsubscribe", uri))).await;
        let new: Vec<&String> = wanted.difference(&watching.uris).collect();
        let answers = join_all(new.iter().map(|uri| ask("resources/subscribe", uri))).await;
        let refused: BTreeMap<String, McpError> = new
            .into_iter()
            .zip(answers)
            .filter_map(|(uri, answer)| Some((uri.clone(), answer.err()?)))
            .collect();
        watching.uris = wanted;
        watching.uris.retain(|uri| !refused.contains_key(uri));
        refused
    }

    /// Replaces the stream of resource updates. A stream's resources can't be changed, so a new
    /// stream is opened before the old stream is closed.
    async fn listen_again(
        &self,
        watching: &mut ResourceSubscriptions,
        wanted: BTreeSet<String>,
        limit: Duration,
    ) -> BTreeMap<String, McpError> {
        if wanted.is_empty() {
            *watching = ResourceSubscriptions::default();
            return BTreeMap::new();
        }
        let asked = timeout(limit, self.peer.listen(filter(&wanted))).await;
        let subscription = match asked {
            Ok(Ok(subscription)) => subscription,
            Ok(Err(error)) => {
                let error = crate::failure::of_request(error, self.end.get());
                let new = wanted.difference(&watching.uris).cloned().collect();
                return refused(new, &error);
            }
            Err(_) => {
                let new = wanted.difference(&watching.uris).cloned().collect();
                return refused(new, &McpError::CallTimeout { limit });
            }
        };
        let taken = subscription.acknowledged().resource_subscriptions.clone();
        let taken: BTreeSet<String> = taken.unwrap_or_default().into_iter().collect();
        let left_out = wanted.difference(&taken).cloned().collect();
        let following = follow(
            self.peer.clone(),
            subscription,
            taken.clone(),
            self.calls.clone(),
        );
        let gone = self.gone.clone();
        let task = tokio::spawn(async move {
            tokio::select! {
                () = following => {}
                () = gone.cancelled() => {}
            }
        });
        *watching = ResourceSubscriptions {
            uris: taken,
            stream: Some(AbortOnDropHandle::new(task)),
        };
        refused(left_out, &unsupported())
    }
}

/// Keeps the stream of resource updates open, and restores it if it ends. The updates themselves
/// are handled where messages are parsed.
async fn follow(
    peer: Peer<RoleClient>,
    mut subscription: Subscription,
    uris: BTreeSet<String>,
    calls: PendingRequests,
) {
    let mut pauses = Pauses::new();
    loop {
        while let Ok(Some(_)) = subscription.next().await {}
        if matches!(subscription.end(), Some(SubscriptionEnd::Cancelled)) {
            return;
        }
        subscription = loop {
            if pauses.wait().await.is_none() {
                return;
            }
            let asked = timeout(ACKNOWLEDGE, peer.listen(filter(&uris))).await;
            if let Ok(Ok(again)) = asked {
                break again;
            }
        };
        pauses.begin();
        // Changes that happened during the interruption caused no notification, so each resource is
        // reported as changed.
        for uri in &uris {
            calls.updated(uri);
        }
    }
}

fn filter(uris: &BTreeSet<String>) -> SubscriptionFilter {
    let filter = SubscriptionFilter::builder();
    filter.resource_subscriptions(uris.iter()).build()
}

fn own_options(limit: Duration) -> CallOptions {
    CallOptions {
        limit,
        progress: None,
        cancel: CancellationToken::new(),
        label: None,
        sent: SentRequest::default(),
        asking: None,
        hearing: None,
        meta: None,
        task: false,
        task_limit: Duration::ZERO,
    }
}

fn refused(uris: BTreeSet<String>, error: &McpError) -> BTreeMap<String, McpError> {
    uris.into_iter().map(|uri| (uri, error.clone())).collect()
}

fn unsupported() -> McpError {
    McpError::Rpc(RpcError {
        code: METHOD_NOT_FOUND,
        message: "the server does not report changes of this resource".into(),
        data: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_told_a_level_only_where_it_logs_more_then() {
        let sent_log_level = SentLogLevel::default();
        assert!(sent_log_level.lowers_to(Level::Warning));
        assert!(!sent_log_level.lowers_to(Level::Warning));
        assert!(!sent_log_level.lowers_to(Level::Error));
        assert!(sent_log_level.lowers_to(Level::Debug));
        assert!(!sent_log_level.lowers_to(Level::Info));
    }
}
