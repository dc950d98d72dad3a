//! Streams of changes: a session's stream (`GET`) and `subscriptions/listen`.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::join_all;
use futures::stream::{self, BoxStream, StreamExt as _};
use http::{HeaderMap, Response};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::{EventStream, GatewayResponseBody, event, quoted};
use super::directory::{
    GatewayError, GatewayRequestContext, ListChangeCounts, ResourceSubscription,
};
use super::door::GatewayServer;
use super::ear::{NotificationQueue, QueuedNotification};
use super::flight::{COMMENT, is_due};
use super::line::ConnectionState;
use super::outline::RequestParams;
use super::request::GatewayRequest;
use super::session::{GatewaySession, InUse, KNOWS_NOTHING, WATCHED_MAX};
use super::version::Legacy;
use guild_mcp_client::URI_MAX;

/// Changes within this time are reported as one.
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
    /// Returns the wanted resources without duplicates.
    fn uris(&self) -> BTreeSet<String> {
        let uris = self.resource_subscriptions.iter().flatten();
        uris.cloned().collect()
    }

    /// Returns the supported part of the subscription as JSON, for the acknowledgement.
    fn accepted(&self, watched: &[String]) -> String {
        let said = [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ];
        let mut said: Vec<String> = said
            .into_iter()
            .filter(|(_, wanted)| *wanted == Some(true))
            .map(|(name, _)| format!("\"{name}\":true"))
            .collect();
        if !watched.is_empty() {
            let uris = Value::from(watched);
            said.push(format!("\"resourceSubscriptions\":{uris}"));
        }
        format!("{{{}}}", said.join(","))
    }

    /// Returns the notification methods for the wanted lists that changed.
    fn told(
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

/// The recipient of a stream of changes.
enum ChangeRecipient {
    /// A session. Its stream can be resumed after the last event.
    Session(InUse),
    /// A `subscriptions/listen` request with this id.
    Subscription(Bytes),
}

impl ChangeRecipient {
    /// Converts a notification to an event.
    fn heard(&self, heard: QueuedNotification) -> Bytes {
        let (method, params) = match heard {
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
                    *session.knows.lock() = now;
                    text.extend_from_slice(format!("id: {}\n", place(now)).as_bytes());
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

/// Returns the id of an event in a session's stream: the list changes up to the event.
fn place(at: ListChangeCounts) -> String {
    format!("{}.{}.{}", at.tools, at.resources, at.prompts)
}

fn place_of(text: &str) -> Option<ListChangeCounts> {
    let mut counts = text.split('.').map(str::parse);
    let place = ListChangeCounts {
        tools: counts.next()?.ok()?,
        resources: counts.next()?.ok()?,
        prompts: counts.next()?.ok()?,
    };
    counts.next().is_none().then_some(place)
}

struct SubscriptionStream {
    changes: watch::Receiver<ListChangeCounts>,
    known: ListChangeCounts,
    wanted: ListenFilter,
    listener: ChangeRecipient,
    ear: Arc<NotificationQueue>,
    /// Ends the subscription when the listener is gone.
    _hears: DropGuard,
    ended: CancellationToken,
    revoked: CancellationToken,
}

impl SubscriptionStream {
    /// Returns the next events. `None` when the listener is gone.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let now = *self.changes.borrow_and_update();
            let before = std::mem::replace(&mut self.known, now);
            let events = self.listener.write(self.wanted.told(before, now), now);
            if !events.is_empty() {
                return Some(events);
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                heard = self.ear.next() => return Some(self.listener.heard(heard)),
                () = self.ended.cancelled() => return None,
                () = self.revoked.cancelled() => return None,
            }
            tokio::time::sleep(SETTLE).await;
        }
    }
}

/// A stream of changes, kept alive by comments.
struct ChangeStream {
    opening: Option<Bytes>,
    /// The message that ends the stream.
    last: Option<Bytes>,
    events: BoxStream<'static, Bytes>,
    line: Arc<ConnectionState>,
    keep_alive: Duration,
    sent: Instant,
    over: bool,
}

impl EventStream for ChangeStream {
    fn poll_events(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = self.get_mut();
        if let Some(opening) = this.opening.take() {
            return Poll::Ready(Some(opening));
        }
        if this.over {
            return Poll::Ready(None);
        }
        if this.line.stops() {
            this.over = true;
            return Poll::Ready(this.last.take());
        }
        match this.events.poll_next_unpin(cx) {
            Poll::Ready(Some(events)) => {
                this.sent = Instant::now();
                Poll::Ready(Some(events))
            }
            Poll::Ready(None) => {
                this.over = true;
                Poll::Ready(this.last.take())
            }
            Poll::Pending if is_due(this.sent, this.keep_alive) => {
                this.sent = Instant::now();
                Poll::Ready(Some(Bytes::from_static(COMMENT)))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl GatewayServer {
    /// Creates the stream of a session.
    pub(super) fn session_stream(
        &self,
        line: Arc<ConnectionState>,
        visit: Arc<GatewayRequestContext>,
        session: &Arc<GatewaySession>,
        headers: &HeaderMap,
    ) -> impl EventStream + use<> {
        let left = headers.get("last-event-id");
        let left = left.and_then(|left| place_of(left.to_str().ok()?));
        let knows = *session.knows.lock();
        // After a restart, the counts in an older event id are meaningless.
        let left = left.filter(|_| knows != KNOWS_NOTHING);
        // Since 2025-11-25 the first event is empty, so that the stream can be resumed from its
        // start.
        let opening = if session.version >= Legacy::V2025_11_25 {
            Bytes::from(format!("id: {}\ndata: \n\n", place(left.unwrap_or(knows))))
        } else {
            Bytes::from_static(COMMENT)
        };
        let wanted = ListenFilter {
            tools_list_changed: Some(true),
            prompts_list_changed: Some(true),
            resources_list_changed: Some(true),
            resource_subscriptions: None,
        };
        let hears = CancellationToken::new();
        let ear = Arc::clone(&session.ear);
        self.directory
            .hear(&visit, Arc::clone(&ear) as _, hears.clone());
        let watching = SubscriptionStream {
            ear,
            _hears: hears.drop_guard(),
            changes: self.changes.clone(),
            known: left.unwrap_or(knows),
            wanted,
            listener: ChangeRecipient::Session(session.hold()),
            ended: session.begin_stream(),
            revoked: visit.client.revoked.clone(),
        };
        self.listening(line, opening, None, watching)
    }

    /// Handles `subscriptions/listen`.
    pub(super) async fn subscribe(
        &self,
        asked: GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Response<GatewayResponseBody> {
        let wanted = params
            .notifications
            .filter(|wanted| wanted.get().starts_with('{'))
            .and_then(|wanted: &RawValue| serde_json::from_str::<ListenFilter>(wanted.get()).ok());
        let refuse = |why: &str| {
            let refusal = GatewayError::new(GatewayError::INVALID_PARAMS, why);
            asked.respond(Err(refusal))
        };
        let Some(wanted) = wanted else {
            return refuse("notifications, an object, is missing.");
        };
        if !asked.takes.events {
            return refuse("The answer is a stream; accept text/event-stream.");
        }
        let uris = wanted.uris();
        if uris.len() > WATCHED_MAX || uris.iter().any(|uri| uri.len() > URI_MAX) {
            return refuse("resourceSubscriptions has more than can be watched.");
        }
        let hears = CancellationToken::new();
        let over = hears.clone();
        // Also ends the subscriptions if this request is dropped before its answer.
        let hears = hears.drop_guard();
        let ear = Arc::new(NotificationQueue::default());
        let watched = join_all(uris.into_iter().map(async |uri| {
            let watch = ResourceSubscription {
                uri: uri.clone(),
                hearing: Arc::clone(&ear) as _,
                over: over.clone(),
            };
            let watched = self.directory.watch(&asked.told.visit, watch).await;
            watched.is_ok().then_some(uri)
        }));
        let watched: Vec<String> = watched.await.into_iter().flatten().collect();
        let id = asked.id.clone();
        let accepted = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{{},"notifications":{}}}}}"#,
            subscription(&id),
            wanted.accepted(&watched)
        );
        let result = format!(r#"{{"resultType":"complete",{}}}"#, subscription(&id));
        let last = asked.parts(Ok(Bytes::from(result.clone()).into()));
        let exchange = asked.told.clone().answered(&Ok(Bytes::from(result)));
        asked.responder.0.keep(exchange);
        let mut changes = self.changes.clone();
        let known = *changes.borrow_and_update();
        let watching = SubscriptionStream {
            ear,
            _hears: hears,
            known,
            changes,
            wanted,
            listener: ChangeRecipient::Subscription(id),
            ended: CancellationToken::new(),
            revoked: asked.told.visit.client.revoked.clone(),
        };
        let line = Arc::clone(&asked.responder.0);
        let opening = event(&[Bytes::from(accepted)]);
        let listening = self.listening(line, opening, Some(event(&last)), watching);
        asked.responder.stream(listening)
    }

    fn listening(
        &self,
        line: Arc<ConnectionState>,
        opening: Bytes,
        last: Option<Bytes>,
        watching: SubscriptionStream,
    ) -> ChangeStream {
        let events = stream::unfold(watching, async |mut watching| {
            let events = watching.next().await?;
            Some((events, watching))
        });
        ChangeStream {
            opening: Some(opening),
            last,
            events: events.boxed(),
            line,
            keep_alive: self.options.keep_alive,
            sent: Instant::now(),
            over: false,
        }
    }
}
