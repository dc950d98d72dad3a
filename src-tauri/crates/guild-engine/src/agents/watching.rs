//! Taking in what a person changes in `gateway.json` by hand, while the gateway is open.
//!
//! The system tells when the data folder changes; nobody looks again and again. A file that can't
//! be used changes nothing: what held before it goes on, and the warning says what is wrong where.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use guild_core::{Code, Report};
use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::Agents;

/// How long the file has to be quiet before it is read: editors write in several steps.
const QUIET: Duration = Duration::from_millis(120);
/// How long that is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// Follows the file until the gateway closes. Where the system can't watch it, the log says so; it
/// is read before each change all the same.
pub(super) async fn follow(agents: Weak<Agents>) {
    let Some(path) = agents.upgrade().map(|agents| agents.file.path().to_owned()) else {
        return;
    };
    let changed = Arc::new(Notify::new());
    let begun = {
        let (path, changed) = (path.clone(), Arc::clone(&changed));
        tokio::task::spawn_blocking(move || watch(&path, &changed)).await
    };
    let _watcher = match begun {
        Ok(Ok(watcher)) => watcher,
        Ok(Err(error)) => {
            tracing::warn!(%error, "{} is not watched", path.display());
            return;
        }
        Err(_) => return,
    };
    // What was written between the first reading and now was told to nobody.
    changed.notify_one();
    loop {
        changed.notified().await;
        let quiet = async {
            while tokio::time::timeout(QUIET, changed.notified())
                .await
                .is_ok()
            {}
        };
        // A file that is never quiet is read all the same.
        let _ = tokio::time::timeout(PATIENCE, quiet).await;
        let Some(agents) = agents.upgrade() else {
            return;
        };
        agents.take_in().await;
    }
}

/// Watches the folder: editors put another file in the place of the one that was there.
fn watch(path: &Path, changed: &Arc<Notify>) -> notify::Result<notify::RecommendedWatcher> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(notify::Error::io)?;
    let (name, changed) = (path.file_name().map(OsStr::to_owned), Arc::clone(changed));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        let about = |path: &std::path::PathBuf| path.file_name() == name.as_deref();
        // Without a path the system has lost count of what changed.
        let ours = event.paths.is_empty() || event.paths.iter().any(about);
        if ours && !event.kind.is_access() {
            changed.notify_one();
        }
    })?;
    watcher.watch(folder, RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

impl Agents {
    /// Takes in the file as it is now.
    pub(crate) async fn take_in(self: &Arc<Self>) {
        let agents = Arc::clone(self);
        let options = self.running().options;
        // A port that the program was started with holds whatever the file says.
        let follows_port = options.is_none_or(|options| options.port.is_none());
        let reading = tokio::task::spawn_blocking(move || {
            agents.file.take(|settings| {
                let before = Arc::clone(&agents.settings.borrow());
                let changed = *before != settings;
                let moved = before.enabled != settings.enabled
                    || (follows_port && before.port != settings.port);
                if changed {
                    agents.settings.send_replace(Arc::new(settings));
                }
                (changed, moved)
            })
        });
        let Ok(read) = reading.await else {
            return;
        };
        let of_settings = |report: &Report| report.code == Code::GatewaySettings;
        let (news, moved) = {
            let mut running = self.running();
            let at = running.warnings.iter().position(of_settings);
            match read {
                Ok((changed, moved)) => {
                    let mended = at.is_some();
                    running.warnings.retain(|report| !of_settings(report));
                    if running.error.as_ref().is_some_and(of_settings) {
                        running.error = None;
                    }
                    (changed || mended, moved)
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
        } else if news {
            self.told();
        }
    }
}
