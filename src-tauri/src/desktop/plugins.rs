//! The tray, notifications and the shortcut on macOS and Windows, through Tauri's tray and plugins.

pub(super) mod tray {
    use std::sync::Arc;

    use guild_api::desktop::tray::TrayStatus;
    use guild_api::messages::DesktopError;
    use guild_model::{Code, Report};
    use parking_lot::Mutex;
    use tauri::image::Image;
    use tauri::menu::{Menu, MenuId, MenuItem, PredefinedMenuItem};
    use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
    use tauri::{AppHandle, async_runtime};
    use tokio::sync::{mpsc, watch};

    use crate::desktop::icon;
    use crate::desktop::menu::{DesktopAction, TrayContent, TrayMenuItem};

    const ID: &str = "guild-hall";
    /// The size of the icon in pixels. The system scales it.
    const SIZE: u16 = icon::SIZES[icon::SIZES.len() - 1];

    /// The action of each menu item. Each new menu gets new ids, so that a click in an outdated
    /// menu has no effect.
    type TrayMenuActions = Arc<Mutex<Vec<(MenuId, DesktopAction)>>>;

    pub(in crate::desktop) struct Tray {
        app: AppHandle,
        icon: TrayIcon,
        choices: TrayMenuActions,
        host: watch::Sender<bool>,
    }

    impl Tray {
        /// Adds the icon to the tray. On these systems a tray always exists.
        pub(in crate::desktop) async fn offer(
            app: &AppHandle,
            content: TrayContent,
            actions: mpsc::Sender<DesktopAction>,
        ) -> Result<Self, Report> {
            let app = app.clone();
            // The icon is built on a blocking thread, because building it waits for the main
            // thread.
            let building =
                async_runtime::spawn_blocking(move || Self::build(app, &content, actions));
            let built = building.await.unwrap_or_else(Err);
            built.map_err(|error| missing(&error.to_string()))
        }

        fn build(
            app: AppHandle,
            content: &TrayContent,
            actions: mpsc::Sender<DesktopAction>,
        ) -> tauri::Result<Self> {
            let choices = TrayMenuActions::default();
            let (offered, chosen) = (Arc::clone(&choices), actions.clone());
            let icon = TrayIconBuilder::with_id(ID)
                .icon(picture(content.mood))
                .tooltip(&content.state)
                .menu(&menu(&app, &content.menu, &choices)?)
                .show_menu_on_left_click(cfg!(target_os = "macos"))
                .on_menu_event(move |_, event| {
                    let offered = offered.lock();
                    if let Some((_, action)) = offered.iter().find(|(id, _)| id == event.id()) {
                        send(&chosen, action.clone());
                    }
                })
                .on_tray_icon_event(move |_, event| {
                    let is_click = matches!(
                        event,
                        TrayIconEvent::Click {
                            button: MouseButton::Left,
                            button_state: MouseButtonState::Up,
                            ..
                        }
                    );
                    // On macOS, a click opens the menu instead.
                    if is_click && cfg!(windows) {
                        send(&actions, DesktopAction::Open);
                    }
                })
                .build(&app)?;
            let host = watch::Sender::new(true);
            Ok(Self {
                app,
                icon,
                choices,
                host,
            })
        }

        /// Returns a receiver of whether the tray shows the icon.
        pub(in crate::desktop) fn host(&self) -> watch::Receiver<bool> {
            self.host.subscribe()
        }

        /// Updates the icon and its menu.
        pub(in crate::desktop) async fn show(&self, content: TrayContent) {
            let (app, icon) = (self.app.clone(), self.icon.clone());
            let choices = Arc::clone(&self.choices);
            let showing = async_runtime::spawn_blocking(move || {
                icon.set_icon(Some(picture(content.mood)))?;
                icon.set_tooltip(Some(&content.state))?;
                icon.set_menu(Some(menu(&app, &content.menu, &choices)?))
            });
            if let Err(error) = showing.await.unwrap_or_else(Err) {
                tracing::warn!(%error, "the tray does not show the current state");
            }
        }

        /// Removes the icon.
        pub(in crate::desktop) async fn leave(self) {
            // Tauri does not drop the listener for menu items. Without actions, it does nothing.
            self.choices.lock().clear();
            let leaving = async_runtime::spawn_blocking(move || {
                drop(self.icon);
                self.app.remove_tray_by_id(ID);
            });
            let _ = leaving.await;
        }
    }

    /// Returns the report for a missing tray.
    pub(in crate::desktop) fn missing(problem: &impl ToString) -> Report {
        let trouble = DesktopError::Tray(problem.to_string());
        Report::from_error(Code::TrayMissing, &trouble)
    }

    fn send(actions: &mpsc::Sender<DesktopAction>, action: DesktopAction) {
        if let Err(error) = actions.try_send(action) {
            tracing::warn!(%error, "an action from the tray was dropped");
        }
    }

    fn picture(mood: TrayStatus) -> Image<'static> {
        Image::new_owned(icon::rgba(mood, SIZE), SIZE.into(), SIZE.into())
    }

    fn menu(
        app: &AppHandle,
        lines: &[TrayMenuItem],
        choices: &TrayMenuActions,
    ) -> tauri::Result<Menu<tauri::Wry>> {
        let menu = Menu::new(app)?;
        let mut actions = Vec::new();
        for line in lines {
            match line {
                TrayMenuItem::Separator => menu.append(&PredefinedMenuItem::separator(app)?)?,
                TrayMenuItem::Text(text) => {
                    menu.append(&MenuItem::new(app, label(text), false, None::<&str>)?)?;
                }
                TrayMenuItem::Choice(text, action) => {
                    let item = MenuItem::new(app, label(text), true, None::<&str>)?;
                    menu.append(&item)?;
                    actions.push((item.id().clone(), action.clone()));
                }
            }
        }
        *choices.lock() = actions;
        Ok(menu)
    }

    /// Returns the label of a menu item, in which `&` is doubled. A single `&` would mark a
    /// shortcut key.
    fn label(text: &str) -> String {
        text.replace('&', "&&")
    }
}

pub(super) mod notifying {
    use std::collections::HashMap;
    use std::sync::Arc;

    use guild_api::desktop::notifications::{DesktopNotification, NotificationKind};
    use guild_api::messages::DesktopError;
    use guild_model::link::Link;
    use guild_model::{Code, Report};
    use parking_lot::Mutex;
    use tauri::AppHandle;
    use tauri_plugin_notification::NotificationExt;
    use tokio::sync::mpsc;

    use crate::words;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(in crate::desktop) enum NotificationAction {
        Show(Link),
        #[expect(
            dead_code,
            reason = "the plugin reports no notification as closed here"
        )]
        Dismissed(NotificationKind),
    }

    /// The links that clicks on notifications open, by the id of the notification.
    type Links = Arc<Mutex<HashMap<i32, Link>>>;

    /// Shows notifications on the system.
    pub(in crate::desktop) struct Notifier {
        app: AppHandle,
        links: Links,
    }

    impl Notifier {
        pub(in crate::desktop) fn new(
            app: &AppHandle,
            answers: mpsc::Sender<NotificationAction>,
        ) -> Self {
            let links = Links::default();
            // On macOS, a thread would have to wait for as long as a notification exists. There, a
            // click activates the program, which then shows its window.
            if cfg!(windows) {
                let known = Arc::clone(&links);
                let listening = app.notification().on_action(move |action| {
                    let known = known.lock();
                    let link = action.notification().and_then(|it| known.get(&it.id()));
                    if let Some(link) = link {
                        let _ = answers.try_send(NotificationAction::Show(link.clone()));
                    }
                });
                if let Err(error) = listening {
                    tracing::warn!(%error, "clicks on notifications have no effect");
                }
            }
            Self {
                app: app.clone(),
                links,
            }
        }

        /// Shows a notification.
        ///
        /// # Errors
        /// `notifications-missing`.
        pub(in crate::desktop) async fn show(
            &mut self,
            notice: &DesktopNotification,
        ) -> Result<(), Report> {
            let number = number(notice.kind);
            {
                let mut links = self.links.lock();
                match notice.named.first() {
                    Some(matter) => links.insert(number, matter.link()),
                    None => links.remove(&number),
                };
            }
            let notification = self.app.notification().builder().id(number);
            let notification = notification
                .title(words::title(notice))
                .body(words::body(notice));
            notification.show().map_err(|error| {
                let trouble = DesktopError::Notifications(error.to_string());
                Report::from_error(Code::NotificationsMissing, &trouble)
            })
        }

        /// Does nothing, since the plugin can't remove notifications on these systems.
        pub(in crate::desktop) async fn withdraw(&mut self, _: NotificationKind) {}
    }

    fn number(kind: NotificationKind) -> i32 {
        match kind {
            NotificationKind::CrashLoop => 1,
            NotificationKind::Waiting => 2,
            NotificationKind::ChangedTools => 3,
        }
    }
}

pub(super) mod shortcut {
    use guild_api::messages::{DesktopError, DesktopErrorCause};
    use guild_model::{Code, Report};
    use tauri::AppHandle;
    use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};
    use tokio::sync::mpsc;

    use crate::desktop::menu::DesktopAction;

    /// The current shortcut, if any.
    pub(in crate::desktop) struct ShortcutBinding {
        app: AppHandle,
        pressed: mpsc::Sender<DesktopAction>,
        action: DesktopAction,
    }

    /// Has no variants, since on these systems a shortcut stays valid when the keyboard layout
    /// changes.
    pub(in crate::desktop) enum ShortcutChange {}

    impl ShortcutBinding {
        pub(in crate::desktop) fn new(
            app: &AppHandle,
            pressed: mpsc::Sender<DesktopAction>,
            action: DesktopAction,
            _: mpsc::Sender<ShortcutChange>,
        ) -> Self {
            Self {
                app: app.clone(),
                pressed,
                action,
            }
        }

        pub(in crate::desktop) fn follow(
            &mut self,
            change: ShortcutChange,
            _: Option<&str>,
        ) -> Result<(), Report> {
            match change {}
        }

        /// Registers a new shortcut instead of the current one. `None` registers none. Blocking.
        ///
        /// # Errors
        /// `shortcut-unavailable`. No shortcut is registered in that case.
        pub(in crate::desktop) fn set(&mut self, keys: Option<&str>) -> Result<(), Report> {
            let shortcuts = self.app.global_shortcut();
            if let Err(error) = shortcuts.unregister_all() {
                tracing::debug!(%error, "the shortcut before could not be removed");
            }
            let Some(keys) = keys else { return Ok(()) };
            let (pressed, action) = (self.pressed.clone(), self.action.clone());
            let registered = shortcuts.on_shortcut(keys, move |_, _, event| {
                if event.state == ShortcutState::Pressed {
                    let _ = pressed.try_send(action.clone());
                }
            });
            registered.map_err(|error| {
                let problem = DesktopErrorCause::Refused(error.to_string());
                let trouble = DesktopError::Shortcut(keys.to_owned(), problem);
                Report::from_error(Code::ShortcutUnavailable, &trouble)
            })
        }
    }
}
