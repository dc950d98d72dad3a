//! Shows notifications on a freedesktop desktop through `org.freedesktop.Notifications` on the
//! session bus.
//!
//! The connection to the bus is opened for the first notification. At most one notification of each
//! kind is shown. A click on it opens the page of its event.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use guild_api::desktop::notifications::{DesktopNotification, NotificationKind};
use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_model::link::Link;
use guild_model::{Code, Report};
use parking_lot::{Mutex, MutexGuard};
use tauri::AppHandle;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use zbus::zvariant::Value;

use crate::markup::escape;
use crate::words;

/// Timeout of a request on the bus.
const LIMIT: Duration = Duration::from_secs(10);
/// The action id that the desktop sends for a click on the notification itself.
const DEFAULT: &str = "default";
/// The reason that the desktop sends when a person has closed a notification.
const CLOSED_BY_PERSON: u32 = 2;

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications"
)]
trait Desktop {
    #[expect(
        clippy::too_many_arguments,
        reason = "the Desktop Notifications Specification has it so"
    )]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;

    fn close_notification(&self, id: u32) -> zbus::Result<()>;

    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;

    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action_key: String) -> zbus::Result<()>;

    #[zbus(signal)]
    fn notification_closed(&self, id: u32, reason: u32) -> zbus::Result<()>;
}

/// A person's action on a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotificationAction {
    /// The person clicked the notification or one of its buttons.
    Show(Link),
    /// The person closed the notification.
    Dismissed(NotificationKind),
}

/// Shows notifications on the desktop.
pub(super) struct Notifier {
    answers: mpsc::Sender<NotificationAction>,
    connected: Option<NotifierConnection>,
}

/// The notifications that are shown, by their kind.
type ShownNotifications = Arc<Mutex<HashMap<NotificationKind, ShownNotification>>>;

struct NotifierConnection {
    desktop: DesktopProxy<'static>,
    has_markup: bool,
    has_buttons: bool,
    shown: ShownNotifications,
    /// Whether the ids of all shown notifications are known.
    known: watch::Sender<bool>,
    listening: tokio::task::JoinHandle<()>,
}

impl Drop for NotifierConnection {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

#[derive(Debug, Clone, Default)]
struct ShownNotification {
    id: u32,
    /// The links of the notification's events. A click on the notification itself opens the first
    /// link.
    links: Vec<Link>,
}

impl Notifier {
    /// Sends clicks and dismissals of shown notifications to `answers`.
    pub(super) fn new(_: &AppHandle, answers: mpsc::Sender<NotificationAction>) -> Self {
        Self {
            answers,
            connected: None,
        }
    }

    /// Shows a notification. Replaces the shown notification of the same kind.
    ///
    /// # Errors
    /// `notifications-missing`.
    pub(super) async fn show(&mut self, notice: &DesktopNotification) -> Result<(), Report> {
        let shown = timeout(LIMIT, self.try_to_show(notice)).await;
        let shown = shown.unwrap_or_else(|_| Err(missing(&DesktopErrorCause::NoDesktop)));
        if shown.is_err() {
            // The next notification opens a new connection, because the desktop's notification
            // service may be running by then.
            self.connected = None;
        }
        shown
    }

    /// Closes the notification of a kind.
    pub(super) async fn withdraw(&mut self, kind: NotificationKind) {
        let Some(connected) = &self.connected else {
            return;
        };
        let Some(shown) = connected.shown().remove(&kind) else {
            return;
        };
        let closed = timeout(LIMIT, connected.desktop.close_notification(shown.id)).await;
        if let Ok(Err(error)) = closed {
            // The error usually means that the notification is already closed.
            tracing::debug!(%error, "a notification could not be closed");
        }
    }

    async fn try_to_show(&mut self, notice: &DesktopNotification) -> Result<(), Report> {
        let connected = match self.connected.take() {
            Some(connected) => connected,
            None => NotifierConnection::to_the_desktop(self.answers.clone())
                .await
                .map_err(|error| missing(&error.to_string()))?,
        };
        let connected = self.connected.insert(connected);
        let links: Vec<Link> = notice.named.iter().map(|matter| matter.link()).collect();
        let replaces = connected
            .shown()
            .get(&notice.kind)
            .map_or(0, |shown| shown.id);
        let mut body = words::body(notice);
        if connected.has_markup {
            body = escape(&body);
        }
        let keys: Vec<String> = (0..links.len()).map(|place| place.to_string()).collect();
        let names: Vec<String> = notice.named.iter().map(words::named).collect();
        let mut actions = vec![DEFAULT, words::OPEN];
        if connected.has_buttons && notice.count() > 1 {
            for (key, name) in keys.iter().zip(&names) {
                actions.extend([key.as_str(), name.as_str()]);
            }
        }
        let hints = HashMap::from([
            ("desktop-entry", Value::from("guild-hall")),
            ("urgency", Value::from(1_u8)),
        ]);
        let title = words::title(notice);
        connected.known.send_replace(false);
        let shown = connected.desktop.notify(
            "Guild Hall",
            replaces,
            "guild-hall",
            &title,
            &body,
            &actions,
            hints,
            -1,
        );
        let id = shown.await.map_err(|error| missing(&error.to_string()))?;
        connected
            .shown()
            .insert(notice.kind, ShownNotification { id, links });
        connected.known.send_replace(true);
        Ok(())
    }
}

impl NotifierConnection {
    async fn to_the_desktop(answers: mpsc::Sender<NotificationAction>) -> zbus::Result<Self> {
        let bus = zbus::Connection::session().await?;
        let desktop = DesktopProxy::builder(&bus)
            .cache_properties(zbus::proxy::CacheProperties::No)
            .build()
            .await?;
        let capabilities = desktop.get_capabilities().await?;
        let has = |name: &str| capabilities.iter().any(|one| one == name);
        let (has_markup, has_buttons) = (has("body-markup"), has("actions"));
        let clicks = desktop.receive_action_invoked().await?;
        let closed = desktop.receive_notification_closed().await?;
        let shown = ShownNotifications::default();
        let (known, settled) = watch::channel(true);
        let signals = NotificationSignals {
            clicks,
            closed,
            settled,
        };
        let listening = tokio::spawn(signals.listen(Arc::clone(&shown), answers));
        Ok(Self {
            desktop,
            has_markup,
            has_buttons,
            shown,
            known,
            listening,
        })
    }

    fn shown(&self) -> MutexGuard<'_, HashMap<NotificationKind, ShownNotification>> {
        locked(&self.shown)
    }
}

fn locked(
    shown: &ShownNotifications,
) -> MutexGuard<'_, HashMap<NotificationKind, ShownNotification>> {
    shown.lock()
}

/// The desktop's signals about notifications.
struct NotificationSignals {
    clicks: ActionInvokedStream,
    closed: NotificationClosedStream,
    settled: watch::Receiver<bool>,
}

impl NotificationSignals {
    /// Handles clicks and closed notifications, until the bus disconnects.
    async fn listen(
        mut self,
        shown: ShownNotifications,
        answers: mpsc::Sender<NotificationAction>,
    ) {
        loop {
            let answer = tokio::select! {
                // The desktop sends the signal of a click before that of the closed notification.
                biased;
                Some(click) = self.clicks.next() => {
                    // The signal of a click may arrive before the response with the notification's
                    // id. If the notification is being replaced at that moment, the click opens the
                    // page of the new notification.
                    if self.settled.wait_for(|known| *known).await.is_err() {
                        return;
                    }
                    let Ok(click) = click.args() else { continue };
                    clicked(&locked(&shown), &click)
                }
                Some(signal) = self.closed.next() => {
                    if self.settled.wait_for(|known| *known).await.is_err() {
                        return;
                    }
                    let Ok(signal) = signal.args() else { continue };
                    put_away(&mut locked(&shown), &signal)
                }
                else => return,
            };
            if let Some(answer) = answer
                && answers.send(answer).await.is_err()
            {
                return;
            }
        }
    }
}

/// Returns the action of a click.
fn clicked(
    shown: &HashMap<NotificationKind, ShownNotification>,
    click: &ActionInvokedArgs<'_>,
) -> Option<NotificationAction> {
    let meant = shown.values().find(|shown| shown.id == click.id)?;
    let place = click.action_key.parse().unwrap_or(0);
    let link = meant.links.get::<usize>(place).or(meant.links.first())?;
    Some(NotificationAction::Show(link.clone()))
}

/// Returns the action for a notification that a person has closed. An expired notification stays in
/// `shown`, since its id can still be used to replace or withdraw it.
fn put_away(
    shown: &mut HashMap<NotificationKind, ShownNotification>,
    signal: &NotificationClosedArgs<'_>,
) -> Option<NotificationAction> {
    if signal.reason != CLOSED_BY_PERSON {
        return None;
    }
    let (&kind, _) = shown.iter().find(|(_, shown)| shown.id == signal.id)?;
    shown.remove(&kind);
    Some(NotificationAction::Dismissed(kind))
}

fn missing(problem: &impl ToString) -> Report {
    let trouble = DesktopError::Notifications(problem.to_string());
    Report::from_error(Code::NotificationsMissing, &trouble)
}
