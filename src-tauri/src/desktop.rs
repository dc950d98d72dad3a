//! The features of Guild Hall outside its window: the tray icon, notifications, the global
//! shortcut, and start at login.
//!
//! One task handles the hall's events, changes of the settings, and a person's clicks.
//! [`guild_api::desktop`] determines the content. The modules here show it: with their own code on
//! Linux, and with Tauri plugins on other systems (ADR 43). The task starts once the page listens
//! for events, or after a time limit.

mod closing;
mod icon;
#[cfg(target_os = "linux")]
mod keys;
mod menu;
#[cfg(target_os = "linux")]
mod notifying;
#[cfg(not(target_os = "linux"))]
mod plugins;
#[cfg(target_os = "linux")]
mod shortcut;
#[cfg(target_os = "linux")]
mod tray;
mod watching;

use std::sync::Arc;
use std::time::Duration;

use guild_api::desktop::{PresenceState, Standing};
use guild_engine::{AppImage, GuildHall, LoginItem};
use guild_model::settings::Settings;
use parking_lot::Mutex;
use tauri::{AppHandle, async_runtime};
use tokio::sync::{mpsc, watch};

#[cfg(not(target_os = "linux"))]
use self::plugins::{notifying, shortcut, tray};
use self::watching::DesktopWatcher;
use crate::AppArguments;

pub(crate) use self::closing::close;

/// Maximum number of clicks that wait to be handled. Further clicks are dropped.
const ACTIONS_MAX: usize = 16;
/// How long a request for the state waits until changed settings have taken effect.
const PATIENCE: Duration = Duration::from_secs(30);

/// The state that this module shares with the rest of the shell.
#[derive(Debug)]
pub(crate) struct Outside {
    /// Whether a person is looking at the window.
    looked_at: watch::Sender<bool>,
    /// The settings that are in effect.
    followed: watch::Sender<Option<Arc<Settings>>>,
    state: Mutex<PresenceState>,
}

impl Outside {
    /// Creates the state in which no feature has started.
    pub(crate) fn new() -> Self {
        Self {
            looked_at: watch::Sender::new(false),
            followed: watch::Sender::new(None),
            state: Mutex::new(PresenceState {
                tray: Standing::Waiting,
                shortcut: Standing::Off,
                login: Standing::Off,
                notifications: Standing::Waiting,
            }),
        }
    }

    /// Returns the state of each feature.
    pub(crate) fn state(&self) -> PresenceState {
        self.state.lock().clone()
    }

    /// Sets whether a person is looking at the window.
    pub(crate) fn look(&self, looks: bool) {
        self.looked_at.send_if_modified(|now| {
            let changed = *now != looks;
            *now = looks;
            changed
        });
    }
}

/// Starts the features, and updates them until the program ends.
pub(crate) fn begin(app: &AppHandle, hall: GuildHall, arguments: &AppArguments) {
    let login = login_item(arguments);
    let app = app.clone();
    async_runtime::spawn(async move {
        let (actions, chosen) = mpsc::channel(ACTIONS_MAX);
        DesktopWatcher::new(app, hall, actions, login)
            .follow(chosen)
            .await;
    });
}

/// Returns the state of each feature, once the current settings have taken effect.
pub(crate) async fn state(outside: &Outside, hall: &GuildHall) -> PresenceState {
    let settings = Arc::clone(&hall.settings().borrow());
    let mut followed = outside.followed.subscribe();
    let follows = followed.wait_for(|now| now.as_ref() == Some(&settings));
    // If the desktop does not respond within the time limit, the state may not match the settings
    // yet.
    if tokio::time::timeout(PATIENCE, follows).await.is_err() {
        tracing::warn!("the features outside the window have not applied the settings yet");
    }
    outside.state()
}

/// Returns a function that creates this program's login entry with the folders of this process.
fn login_item(arguments: &AppArguments) -> impl Fn(bool) -> Option<LoginItem> + Send + 'static {
    let over = arguments.folders();
    move |hidden| {
        // The executable inside an AppImage is removed when the AppImage ends, so the entry starts
        // the AppImage itself.
        let image = AppImage::of_this_program().map(|image| image.file.clone());
        let program = image.or_else(|| std::env::current_exe().ok())?;
        let mut arguments = over.clone();
        if hidden {
            arguments.push("--hidden".to_owned());
        }
        LoginItem::of_user(program, arguments)
    }
}
