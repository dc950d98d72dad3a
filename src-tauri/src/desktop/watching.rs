//! The task that shows the hall's state and events outside the window.

use std::sync::Arc;
use std::time::Duration;

use guild_api::desktop::Standing;
use guild_api::desktop::notifications::{
    NotificationCommand, NotificationKind, PendingNotifications,
};
use guild_api::desktop::tray::{HallStateTracker, NotificationEvent};
use guild_api::event::HallEvent;
use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_api::wire::MemberView;
use guild_engine::{GuildHall, LoginItem, LoginItemTrigger};
use guild_model::MemberName;
use guild_model::error::{Code, Report};
use guild_model::link::{Link, Page};
use guild_model::settings::Settings;
use parking_lot::Mutex;
use tauri::{AppHandle, Manager, async_runtime};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::Outside;
use super::menu::{DesktopAction, TrayContent, menu};
use super::notifying::{NotificationAction, Notifier};
use super::shortcut::{ShortcutBinding, ShortcutChange};
use super::tray::Tray;
use crate::words;
use crate::{quit, showing, window};

/// How long changes are collected before the tray is updated.
const REDRAW: Duration = Duration::from_millis(200);
/// How long the window stays hidden after the tray has stopped showing the icon. A desktop shell
/// that restarts has its tray again within this time.
const VANISHED: Duration = Duration::from_secs(10);
/// Maximum number of queued notifications. Further ones are dropped.
const ORDERS_MAX: usize = 16;

/// Creates the login entry of this program, with or without `--hidden`.
type OfLogin = Box<dyn Fn(bool) -> Option<LoginItem> + Send>;

pub(super) struct DesktopWatcher {
    app: AppHandle,
    hall: GuildHall,
    watched: HallStateTracker,
    notices: PendingNotifications,
    settings: watch::Receiver<Arc<Settings>>,
    /// The settings that have taken effect.
    followed: Option<Arc<Settings>>,
    actions: mpsc::Sender<DesktopAction>,
    orders: mpsc::Sender<NotificationCommand>,
    answers: mpsc::Receiver<NotificationAction>,
    tray: Option<Tray>,
    content: Option<TrayContent>,
    redraw_at: Option<Instant>,
    /// The time at which the hidden window is shown again. Set only while no tray shows the icon.
    back_at: Option<Instant>,
    shortcut: Arc<Mutex<ShortcutBinding>>,
    shortcut_changes: mpsc::Receiver<ShortcutChange>,
    login: OfLogin,
    began: Instant,
}

impl DesktopWatcher {
    pub(super) fn new(
        app: AppHandle,
        hall: GuildHall,
        actions: mpsc::Sender<DesktopAction>,
        login: impl Fn(bool) -> Option<LoginItem> + Send + 'static,
    ) -> Self {
        let (answered, answers) = mpsc::channel(ORDERS_MAX);
        let (orders, ordered) = mpsc::channel(ORDERS_MAX);
        let (changes, shortcut_changes) = mpsc::channel(1);
        let palette = DesktopAction::Show(Link::Page {
            page: Page::Palette,
        });
        let shortcut = ShortcutBinding::new(&app, actions.clone(), palette, changes);
        async_runtime::spawn(send(app.clone(), Notifier::new(&app, answered), ordered));
        Self {
            settings: hall.settings(),
            app,
            hall,
            watched: HallStateTracker::default(),
            notices: PendingNotifications::default(),
            followed: None,
            actions,
            orders,
            answers,
            tray: None,
            content: None,
            redraw_at: None,
            back_at: None,
            shortcut: Arc::new(Mutex::new(shortcut)),
            shortcut_changes,
            login: Box::new(login),
            began: Instant::now(),
        }
    }

    /// Handles all events until the hall is dropped.
    pub(super) async fn follow(mut self, mut chosen: mpsc::Receiver<DesktopAction>) {
        let mut events = self.hall.subscribe();
        let Some(mut looked_at) = self.outside(|outside| outside.looked_at.subscribe()) else {
            return;
        };
        let mut host = None;
        self.settings_changed(&mut host).await;
        loop {
            let due = self
                .notices
                .due()
                .map(|ms| self.began + Duration::from_millis(ms));
            tokio::select! {
                event = events.next() => match event {
                    Some(event) => self.take(&event.event).await,
                    None => return,
                },
                Some(action) = chosen.recv() => self.perform(action),
                Some(answer) = self.answers.recv() => self.answered(answer),
                Some(change) = self.shortcut_changes.recv() => {
                    let keys = self.settings.borrow().shortcut.palette.clone();
                    self.follow_shortcut(keys, Some(change)).await;
                }
                Ok(()) = looked_at.changed() => {
                    if *looked_at.borrow_and_update() {
                        self.seen();
                    }
                }
                Ok(()) = self.settings.changed() => self.settings_changed(&mut host).await,
                shown = host_changes(&mut host) => {
                    self.set_tray_state(shown.map(|shown| (shown, DesktopErrorCause::NotShown)));
                }
                () = at(self.redraw_at) => self.redraw().await,
                () = at(self.back_at) => {
                    self.back_at = None;
                    if window::is_hidden(&self.app) {
                        window::bring_up(&self.app);
                    }
                }
                () = at(due) => self.notify_due(),
            }
        }
    }

    async fn take(&mut self, event: &HallEvent) {
        let (mut changed, mut news) = self.watched.take(event);
        if matches!(event, HallEvent::Roster { .. }) {
            // The whole roster means that events were missed, or that this is the first event.
            let approvals = self.hall.approvals().await.approvals;
            let questions = self.hall.elicitations().elicitations;
            let waiting = self.watched.waiting(&approvals, &questions);
            changed |= !waiting.is_empty();
            news.extend(waiting);
        }
        let now = self.now();
        let looks = self.outside(|outside| *outside.looked_at.borrow());
        for news in news {
            match news {
                // A person who looks at the window needs no notification.
                NotificationEvent::Arose(matter) if looks != Some(true) => {
                    self.notices.arose(matter, now)
                }
                NotificationEvent::Arose(_) => {}
                NotificationEvent::Settled(matter) => {
                    let order = self.notices.settled(&matter);
                    self.order(order);
                }
            }
        }
        if changed && self.tray.is_some() {
            self.redraw_at.get_or_insert(Instant::now() + REDRAW);
        }
    }

    fn perform(&mut self, action: DesktopAction) {
        match action {
            DesktopAction::Open => window::bring_up(&self.app),
            DesktopAction::Show(link) => showing::show(&self.app, &link),
            // A member that a person starts keeps running, even if it is an on-demand member.
            DesktopAction::StartAll => self
                .of_each(self.watched.startable(), |hall, member| async move {
                    hall.start_member(&member).await
                }),
            DesktopAction::StopAll => self
                .of_each(self.watched.running(), |hall, member| async move {
                    hall.stop_member(&member).await
                }),
            DesktopAction::Quit => {
                quit::begin(&self.app);
            }
        }
    }

    /// Sends a request to each of the members in parallel. The results appear in the roster.
    fn of_each<A>(&self, members: Vec<MemberName>, ask: impl Fn(GuildHall, MemberName) -> A)
    where
        A: Future<Output = Result<MemberView, Report>> + Send + 'static,
    {
        for member in members {
            let asked = ask(self.hall.clone(), member);
            async_runtime::spawn(async move {
                if let Err(report) = asked.await {
                    tracing::warn!("{}", report.message);
                }
            });
        }
    }

    fn answered(&mut self, answer: NotificationAction) {
        match answer {
            NotificationAction::Show(link) => {
                showing::show(&self.app, &link);
                self.seen();
            }
            NotificationAction::Dismissed(kind) => self.notices.dismissed(kind),
        }
    }

    fn seen(&mut self) {
        let orders = self.notices.seen();
        self.order(orders);
    }

    /// Queues the notifications that are due.
    fn notify_due(&mut self) {
        let wanted = self.settings.borrow().notifications.clone();
        let orders = self.notices.take(self.now(), |kind| match kind {
            NotificationKind::CrashLoop => wanted.crash_loop,
            NotificationKind::Waiting => wanted.approval,
            NotificationKind::ChangedTools => wanted.changed_tools,
        });
        self.order(orders);
    }

    fn order(&self, orders: impl IntoIterator<Item = NotificationCommand>) {
        for order in orders {
            if let Err(error) = self.orders.try_send(order) {
                tracing::warn!(%error, "a notification is not sent");
            }
        }
    }

    /// Applies the settings that changed.
    async fn settings_changed(&mut self, host: &mut Option<watch::Receiver<bool>>) {
        let settings = Arc::clone(&self.settings.borrow_and_update());
        let before = self.followed.replace(Arc::clone(&settings));
        let before = before.as_deref();
        let window = &settings.window;
        if before.is_none_or(|before| before.window.tray != window.tray) {
            self.follow_tray(window.tray, host).await;
        }
        if before.is_none_or(|before| before.shortcut != settings.shortcut) {
            self.follow_shortcut(settings.shortcut.palette.clone(), None)
                .await;
        }
        let of_login =
            |settings: &Settings| (settings.window.start_at_login, settings.window.start_hidden);
        if before.is_none_or(|before| of_login(before) != of_login(&settings)) {
            let asked = before.map_or(LoginItemTrigger::AtStart, |_| LoginItemTrigger::ByPerson);
            self.follow_login(&settings, asked).await;
        }
        let wanted = &settings.notifications;
        let any = wanted.crash_loop || wanted.approval || wanted.changed_tools;
        self.outside(|outside| {
            let standing = &mut outside.state.lock().notifications;
            match (any, &standing) {
                (false, _) => *standing = Standing::Off,
                (true, Standing::Off) => *standing = Standing::Waiting,
                (true, _) => {}
            }
        });
        self.outside(|outside| outside.followed.send_replace(Some(settings)));
    }

    async fn follow_tray(&mut self, wanted: bool, host: &mut Option<watch::Receiver<bool>>) {
        *host = None;
        self.content = None;
        if let Some(tray) = self.tray.take() {
            tray.leave().await;
        }
        if !wanted {
            self.set_tray_state(None);
            return;
        }
        let content = self.tray_content();
        match Tray::offer(&self.app, content.clone(), self.actions.clone()).await {
            Ok(tray) => {
                let mut hosted = tray.host();
                let shown = *hosted.borrow_and_update();
                (self.tray, self.content, *host) = (Some(tray), Some(content), Some(hosted));
                self.set_tray_state(Some((shown, DesktopErrorCause::NotShown)));
            }
            Err(report) => {
                tracing::info!("{}", report.message);
                self.set_state(|state| &mut state.tray, Err(report));
                self.back_at = Some(Instant::now());
            }
        }
    }

    /// Records whether the tray shows the icon. `None` means that the tray icon is disabled in the
    /// settings.
    fn set_tray_state(&mut self, shown: Option<(bool, DesktopErrorCause)>) {
        let (standing, patience) = match shown {
            None => (Standing::Off, Some(Duration::ZERO)),
            Some((true, _)) => (Standing::On, None),
            Some((false, problem)) => {
                let report = super::tray::missing(&problem);
                (Standing::Missing { report }, Some(VANISHED))
            }
        };
        self.back_at = patience.map(|patience| Instant::now() + patience);
        self.outside(|outside| outside.state.lock().tray = standing);
    }

    /// Sets the shortcut of the settings. If there is a `change`, first handles that event of the
    /// display.
    async fn follow_shortcut(&mut self, keys: Option<String>, change: Option<ShortcutChange>) {
        let is_wanted = keys.is_some();
        let shortcut = Arc::clone(&self.shortcut);
        let setting = async_runtime::spawn_blocking(move || {
            let mut shortcut = shortcut.lock();
            match change {
                None => shortcut.set(keys.as_deref()),
                Some(change) => shortcut.follow(change, keys.as_deref()),
            }
        });
        let Ok(set) = setting.await else { return };
        self.set_state(|state| &mut state.shortcut, set.map(|()| is_wanted));
    }

    async fn follow_login(&mut self, settings: &Settings, asked: LoginItemTrigger) {
        let wanted = settings.window.start_at_login;
        let Some(item) = (self.login)(settings.window.start_hidden) else {
            let report = Report::from_error(Code::LoginItem, &DesktopError::NoLogin);
            let followed = if wanted { Err(report) } else { Ok(false) };
            self.set_state(|state| &mut state.login, followed);
            return;
        };
        let following = async_runtime::spawn_blocking(move || item.follow(wanted, asked));
        let Ok(followed) = following.await else {
            return;
        };
        self.set_state(|state| &mut state.login, followed.map(|()| wanted));
    }

    /// Records the state of a feature: in use, disabled, or the reason why it is not available.
    fn set_state(
        &self,
        part: impl Fn(&mut guild_api::desktop::PresenceState) -> &mut Standing,
        is: Result<bool, Report>,
    ) {
        let standing = match is {
            Ok(true) => Standing::On,
            Ok(false) => Standing::Off,
            Err(report) => {
                tracing::warn!("{}", report.message);
                Standing::Missing { report }
            }
        };
        self.outside(|outside| *part(&mut outside.state.lock()) = standing);
    }

    fn tray_content(&self) -> TrayContent {
        let tray = self.watched.tray_state();
        let can_start = !self.watched.startable().is_empty();
        let can_stop = !self.watched.running().is_empty();
        TrayContent {
            mood: tray.status,
            state: words::state(&tray),
            menu: menu(&tray, can_start, can_stop),
        }
    }

    async fn redraw(&mut self) {
        self.redraw_at = None;
        let content = self.tray_content();
        if let Some(tray) = &self.tray
            && self.content.as_ref() != Some(&content)
        {
            tray.show(content.clone()).await;
            self.content = Some(content);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn outside<T>(&self, with: impl FnOnce(&Outside) -> T) -> Option<T> {
        self.app
            .try_state::<Outside>()
            .map(|outside| with(&outside))
    }
}

/// Waits until an instant. `None` waits forever.
async fn at(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// Waits until the tray starts or stops showing the icon. Returns `None` if the icon was removed.
async fn host_changes(host: &mut Option<watch::Receiver<bool>>) -> Option<bool> {
    match host {
        None => std::future::pending().await,
        Some(hosted) => match hosted.changed().await {
            Ok(()) => Some(*hosted.borrow_and_update()),
            Err(_) => {
                *host = None;
                None
            }
        },
    }
}

/// Shows queued notifications one after the other.
async fn send(
    app: AppHandle,
    mut notifier: Notifier,
    mut ordered: mpsc::Receiver<NotificationCommand>,
) {
    while let Some(order) = ordered.recv().await {
        let standing = match order {
            NotificationCommand::Withdraw(kind) => {
                notifier.withdraw(kind).await;
                continue;
            }
            NotificationCommand::Show(notice) => match notifier.show(&notice).await {
                Ok(()) => Standing::On,
                Err(report) => {
                    tracing::warn!("{}", report.message);
                    Standing::Missing { report }
                }
            },
        };
        if let Some(outside) = app.try_state::<Outside>() {
            outside.state.lock().notifications = standing;
        }
    }
}
