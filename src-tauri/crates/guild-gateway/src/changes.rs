//! Event streams with notifications of changes: a session's stream (`GET`) and
//! `subscriptions/listen`.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::join_all;
use futures::stream::{self, BoxStream, Stream, StreamExt as _};
use guild_model::protocol::ProtocolVersion;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::{GatewayResponse, event, quoted};
use super::backend::{GatewayRequestContext, ListChangeCounts, ResourceSubscription};
use super::connection::ConnectionState;
use super::envelope::RequestParams;
use super::in_flight::{COMMENT, is_due};
use super::notification_queue::{NotificationQueue, QueuedNotification};
use super::request::{GatewayRequest, invalid};
use super::server::GatewayServer;
use super::session::{GatewaySession, InUse, NO_KNOWN_CHANGES, WATCHED_MAX};
use guild_mcp_client::URI_MAX;

/// Changes within this time are reported together.
const SETTLE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListenFilter {
    tools_list_changed: Option<bool>,
    prompts_list_changed: Option<bool>,
    resources_list_changed: Option<bool>,
    resource_subscriptions: Option<Vec<String>>,
}

impl ListenFilter {
    /// Returns the resources that the client wants to watch, without duplicates.
    fn uris(&self) -> BTreeSet<String> {
        let uris = self.resource_subscriptions.iter().flatten();
        uris.cloned().collect()
    }

    /// Returns the supported part of the requested subscription as JSON, for the acknowledgement.
    fn accepted(&self, watched: &[String]) -> String {
        let fields = [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ];
        let mut fields: Vec<String> = fields
            .into_iter()
            .filter(|(_, wanted)| *wanted == Some(true))
            .map(|(name, _)| format!("\"{name}\":true"))
            .collect();
        if !watched.is_empty() {
            let uris = Value::from(watched);
            fields.push(format!("\"resourceSubscriptions\":{uris}"));
        }
        format!("{{{}}}", fields.join(","))
    }

    /// Returns the notification methods for the lists that changed and that the client wants to
    /// watch.
    fn changed_methods(
        &self,
        before: ListChangeCounts,
        now: ListChangeCounts,
    ) -> impl Iterator<Item = &'static str> + use<> {
        let wanted = |flag: Option<bool>| flag == Some(true);
        [
            (wanted(self.tools_list_changed) && before.tools != now.tools)
                .then_some("notifications/tools/list_changed"),
            (wanted(self.resources_list_changed) && before.resources != now.resources)
                .then_some("notifications/resources/list_changed"),
            (wanted(self.prompts_list_changed) && before.prompts != now.prompts)
                .then_some("notifications/prompts/list_changed"),
        ]
        .into_iter()
        .flatten()
    }
}

/// The recipient of an event stream with changes.
enum ChangeRecipient {
    /// A session. Its stream can be resumed after the last event.
    Session(InUse),
    /// A `subscriptions/listen` request with this id.
    Subscription(Bytes),
}

impl ChangeRecipient {
    /// Converts a notification to an event.
    fn notification(&self, notification: QueuedNotification) -> Bytes {
        let (method, params) = match notification {
            QueuedNotification::Log(params) => ("message", String::from(Box::<str>::from(params))),
            QueuedNotification::Updated(uri) => {
                let uri = quoted(&uri);
                let params = match self {
                    Self::Session(_) => format!(r#"{{"uri":{uri}}}"#),
                    Self::Subscription(id) => format!(r#"{{"uri":{uri},{}}}"#, subscription(id)),
                };
                ("resources/updated", params)
            }
        };
        event(&[Bytes::from(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}"#
        ))])
    }

    fn write(&self, methods: impl Iterator<Item = &'static str>, now: ListChangeCounts) -> Bytes {
        let mut text = Vec::new();
        for method in methods {
            let params = match self {
                Self::Session(session) => {
                    *session.known_changes.lock() = now;
                    text.extend_from_slice(format!("id: {}\n", event_id(now)).as_bytes());
                    String::new()
                }
                Self::Subscription(id) => format!(r#","params":{{{}}}"#, subscription(id)),
            };
            let message = format!(r#"{{"jsonrpc":"2.0","method":"{method}"{params}}}"#);
            text.extend_from_slice(&event(&[Bytes::from(message)]));
        }
        Bytes::from(text)
    }
}

fn subscription(id: &[u8]) -> String {
    let id = std::str::from_utf8(id).unwrap_or("null");
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}

/// Returns the id of an event in a session's stream. The id consists of the counts of list changes
/// up to the event.
fn event_id(at: ListChangeCounts) -> String {
    format!("{}.{}.{}", at.tools, at.resources, at.prompts)
}

fn parse_event_id(text: &str) -> Option<ListChangeCounts> {
    let mut counts = text.split('.').map(str::parse);
    let event_id = ListChangeCounts {
        tools: counts.next()?.ok()?,
        resources: counts.next()?.ok()?,
        prompts: counts.next()?.ok()?,
    };
    counts.next().is_none().then_some(event_id)
}

struct SubscriptionStream {
    changes: watch::Receiver<ListChangeCounts>,
    known: ListChangeCounts,
    wanted: ListenFilter,
    listener: ChangeRecipient,
    queue: Arc<NotificationQueue>,
    /// Dropping the guard ends the backend's subscription.
    _active: DropGuard,
    ended: CancellationToken,
    revoked: CancellationToken,
}

impl SubscriptionStream {
    /// Returns the next events. `None` when the stream has ended.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let now = *self.changes.borrow_and_update();
            let before = std::mem::replace(&mut self.known, now);
            let events = self
                .listener
                .write(self.wanted.changed_methods(before, now), now);
            if !events.is_empty() {
                return Some(events);
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                notification = self.queue.next() => return Some(self.listener.notification(notification)),
                () = self.ended.cancelled() => return None,
                () = self.revoked.cancelled() => return None,
            }
            tokio::time::sleep(SETTLE).await;
        }
    }
}

/// An event stream with changes, kept alive by comments.
struct ChangeStream {
    events: BoxStream<'static, Bytes>,
    connection: Arc<ConnectionState>,
    keep_alive: Duration,
    sent: Instant,
}

impl Stream for ChangeStream {
    type Item = Bytes;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = self.get_mut();
        if this.connection.is_stopping() {
            return Poll::Ready(None);
        }
        match this.events.poll_next_unpin(cx) {
            Poll::Ready(Some(events)) => {
                this.sent = Instant::now();
                Poll::Ready(Some(events))
            }
            Poll::Pending if is_due(this.sent, this.keep_alive) => {
                this.sent = Instant::now();
                Poll::Ready(Some(Bytes::from_static(COMMENT)))
            }
            other => other,
        }
    }
}

impl GatewayServer {
    pub(super) fn session_stream(
        &self,
        connection: Arc<ConnectionState>,
        context: Arc<GatewayRequestContext>,
        session: &Arc<GatewaySession>,
        headers: &HeaderMap,
    ) -> impl Stream<Item = Bytes> + use<> {
        let last_event = headers.get("last-event-id");
        let last_event =
            last_event.and_then(|last_event| parse_event_id(last_event.to_str().ok()?));
        let known = *session.known_changes.lock();
        // After a restart, the counts in an older event id are meaningless.
        let last_event = last_event.filter(|_| known != NO_KNOWN_CHANGES);
        // Since 2025-11-25 the first event is empty, so that the stream can be resumed from its
        // start.
        let opening = if session.handshake.version >= ProtocolVersion::V2025_11_25 {
            Bytes::from(format!(
                "id: {}\ndata: \n\n",
                event_id(last_event.unwrap_or(known))
            ))
        } else {
            Bytes::from_static(COMMENT)
        };
        let wanted = ListenFilter {
            tools_list_changed: Some(true),
            prompts_list_changed: Some(true),
            resources_list_changed: Some(true),
            resource_subscriptions: None,
        };
        let active = CancellationToken::new();
        let queue = Arc::clone(&session.notifications);
        self.backend
            .subscribe_logs(&context, Arc::clone(&queue) as _, active.clone());
        let source = SubscriptionStream {
            queue,
            _active: active.drop_guard(),
            changes: self.changes.clone(),
            known: last_event.unwrap_or(known),
            wanted,
            listener: ChangeRecipient::Session(session.hold()),
            ended: session.begin_stream(),
            revoked: context.client.revoked.clone(),
        };
        self.change_stream(connection, opening, None, source)
    }

    /// Handles `subscriptions/listen`.
    pub(super) async fn subscribe(
        &self,
        request: GatewayRequest,
        params: &RequestParams<'_>,
    ) -> GatewayResponse {
        let wanted = params
            .notifications
            .filter(|wanted| wanted.get().starts_with('{'))
            .and_then(|wanted: &RawValue| serde_json::from_str::<ListenFilter>(wanted.get()).ok());
        let refuse = |why: &str| request.respond(Err(invalid(why)));
        let Some(wanted) = wanted else {
            return refuse("notifications is missing or not an object.");
        };
        if !request.formats.events {
            return refuse("The Accept header must include text/event-stream.");
        }
        let uris = wanted.uris();
        if uris.len() > WATCHED_MAX || uris.iter().any(|uri| uri.len() > URI_MAX) {
            return refuse("resourceSubscriptions has too many or too long URIs.");
        }
        let active = CancellationToken::new();
        let over = active.clone();
        // Also ends the subscriptions if this request is dropped before its answer.
        let active = active.drop_guard();
        let queue = Arc::new(NotificationQueue::default());
        let watched = join_all(uris.into_iter().map(async |uri| {
            let watch = ResourceSubscription {
                uri: uri.clone(),
                hearing: Arc::clone(&queue) as _,
                over: over.clone(),
            };
            let watched = self
                .backend
                .subscribe(&request.exchange.context, watch)
                .await;
            watched.is_ok().then_some(uri)
        }));
        let watched: Vec<String> = watched.await.into_iter().flatten().collect();
        let id = request.id.clone();
        let accepted = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{{},"notifications":{}}}}}"#,
            subscription(&id),
            wanted.accepted(&watched)
        );
        let result = format!(r#"{{"resultType":"complete",{}}}"#, subscription(&id));
        let last = request.parts(Ok(Bytes::from(result.clone()).into()));
        request.record(Ok(Bytes::from(result)));
        let mut changes = self.changes.clone();
        let known = *changes.borrow_and_update();
        let source = SubscriptionStream {
            queue,
            _active: active,
            known,
            changes,
            wanted,
            listener: ChangeRecipient::Subscription(id),
            ended: CancellationToken::new(),
            revoked: request.exchange.context.client.revoked.clone(),
        };
        let connection = Arc::clone(&request.responder.connection);
        let opening = event(&[Bytes::from(accepted)]);
        let change_stream = self.change_stream(connection, opening, Some(event(&last)), source);
        request.responder.stream(change_stream)
    }

    /// Returns a stream that begins with `opening`, and ends with `last`.
    fn change_stream(
        &self,
        connection: Arc<ConnectionState>,
        opening: Bytes,
        last: Option<Bytes>,
        source: SubscriptionStream,
    ) -> impl Stream<Item = Bytes> + use<> {
        let events = stream::unfold(source, async |mut source| {
            let events = source.next().await?;
            Some((events, source))
        });
        let changes = ChangeStream {
            events: events.boxed(),
            connection,
            keep_alive: self.options.keep_alive,
            sent: Instant::now(),
        };
        stream::iter([opening])
            .chain(changes)
            .chain(stream::iter(last))
    }
}
