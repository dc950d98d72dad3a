//! Applies changes of `gateway.json`, and of the gateway's settings in `settings.json`, while the
//! gateway is open.
//!
//! The operating system reports changes of the data folder. If it can't, `gateway.json` is read
//! periodically. An invalid `gateway.json` changes nothing: the last valid settings stay active,
//! and a warning names the error and its position.

use std::sync::{Arc, Weak};
use std::time::Duration;

use guild_model::settings::{GatewaySettings, Settings};
use guild_model::{Code, Report};
use tokio::sync::watch;

use super::Agents;
use guild_files::files::waiting::Debounce;
use guild_files::files::watch::FilesWatch;

/// Changes are applied after a pause, because editors write in several steps.
const DEBOUNCE: Debounce = Debounce {
    quiet: Duration::from_millis(120),
    max_wait: Duration::from_millis(500),
};

/// Applies changes of the file until the gateway closes.
pub(super) async fn follow(agents: Weak<Agents>) {
    let Some(path) = agents.upgrade().map(|agents| agents.file.path().to_owned()) else {
        return;
    };
    let mut watch = FilesWatch::new(DEBOUNCE);
    loop {
        let file = path.clone();
        let watching = tokio::task::spawn_blocking(move || {
            // If the folder was replaced, it needs a new watch.
            watch.watch(vec![file]);
            watch
        });
        let Ok(started) = watching.await else { return };
        watch = started;
        // The file is read now, because changes from before the watch began were not reported.
        let Some(agents) = agents.upgrade() else {
            return;
        };
        agents.reload().await;
        drop(agents);
        watch.changed().await;
    }
}

/// Applies changes of the gateway's settings in `settings.json` until the gateway closes.
pub(super) async fn follow_settings(
    agents: Weak<Agents>,
    mut settings: watch::Receiver<Arc<Settings>>,
) {
    // The values that are already set are applied when `gateway.json` is read.
    while settings.changed().await.is_ok() {
        let set = settings.borrow_and_update().gateway;
        let Some(agents) = agents.upgrade() else {
            return;
        };
        agents.apply_settings(set).await;
    }
}

impl Agents {
    /// Applies the gateway's settings from `settings.json`.
    async fn apply_settings(self: &Arc<Self>, set: GatewaySettings) {
        let before = Arc::clone(&self.settings.borrow());
        if before.set == set {
            return;
        }
        let now = self.activate_settings();
        match self.follows_port() && now.port() != before.port() {
            true => drop(self.listen().await),
            false => drop(self.publish_state()),
        }
    }

    /// Whether the port is that of the settings. A port that was given at the program's start takes
    /// precedence.
    fn follows_port(&self) -> bool {
        let options = self.running.lock().options;
        options.is_none_or(|options| options.port.is_none())
    }

    /// Reads and applies the current file.
    async fn reload(self: &Arc<Self>) {
        let agents = Arc::clone(self);
        let follows_port = self.follows_port();
        let reading = tokio::task::spawn_blocking(move || {
            agents.file.take(|settings| {
                let before = Arc::clone(&agents.settings.borrow());
                let settings = settings.with(agents.book.gateway());
                let changed = *before != settings;
                let moved = before.enabled != settings.enabled
                    || (follows_port && before.port() != settings.port());
                if changed {
                    agents.activate(settings);
                }
                (changed, moved)
            })
        });
        let Ok(read) = reading.await else {
            return;
        };
        let of_settings = |report: &Report| report.code == Code::GatewaySettings;
        let (is_changed, moved) = {
            let mut running = self.running.lock();
            let at = running.warnings.iter().position(of_settings);
            match read {
                Ok((changed, moved)) => {
                    let repaired = at.is_some();
                    running.warnings.retain(|report| !of_settings(report));
                    if running.error.as_ref().is_some_and(of_settings) {
                        running.error = None;
                    }
                    (changed || repaired, moved)
                }
                Err(report) => {
                    let known = at.is_some_and(|at| running.warnings[at] == report);
                    running.warnings.retain(|report| !of_settings(report));
                    running.warnings.push(report);
                    (!known, false)
                }
            }
        };
        if moved {
            self.listen().await;
        } else if is_changed {
            self.publish_state();
        }
    }
}
