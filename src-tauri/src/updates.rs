//! Compares and verifies releases of this program with Tauri's updater.
//!
//! Tauri's updater is used for nothing else. The engine downloads a release and its description,
//! with limits for their sizes. The engine also installs the release, so that it can be rolled
//! back.

use std::ffi::OsString;
use std::sync::Arc;

use guild_api::wire::NewVersion;
use guild_engine::{GuildHall, Release, Releases, UpdateTarget, Updates};
use serde_json::Value;
use tauri::{AppHandle, Manager, Runtime, Url, async_runtime};
use tauri_plugin_updater::{Update, UpdaterExt};

use crate::AppArguments;

/// The updater requires an address. This one is never requested.
const NOWHERE: &str = "https://updates.invalid/";

/// Returns the updater plugin. It has no configuration, because the key and the address come from
/// the settings.
pub(crate) fn plugin<R: Runtime>() -> tauri::plugin::TauriPlugin<R, tauri_plugin_updater::Config> {
    tauri_plugin_updater::Builder::new().build()
}

/// Starts checking for new versions.
pub(crate) fn begin(app: &AppHandle, hall: &GuildHall, arguments: &AppArguments) {
    let place = UpdateTarget::of_this_program(started_with(arguments));
    let updates = Updates::of(hall.clone(), place, Judge { app: app.clone() });
    async_runtime::spawn(updates.clone().follow_settings());
    app.manage(updates);
}

/// Returns the arguments for starting this program again, with the same folders and a visible
/// window.
fn started_with(arguments: &AppArguments) -> Vec<OsString> {
    let folders = arguments.folders().into_iter().map(OsString::from);
    let safe = arguments.safe_render.then(|| "--safe-render".into());
    folders.chain(safe).collect()
}

struct Judge {
    app: AppHandle,
}

impl Releases for Judge {
    fn newer(&self, description: Value, key: &str) -> Result<Option<Arc<dyn Release>>, String> {
        let in_words = |error: tauri_plugin_updater::Error| error.to_string();
        let nowhere = Url::parse(NOWHERE).map_err(|error| error.to_string())?;
        let updater = self
            .app
            .updater_builder()
            .pubkey(key)
            .endpoints(vec![nowhere])
            .and_then(tauri_plugin_updater::UpdaterBuilder::build)
            .map_err(in_words)?;
        // With this format, the signature also covers the version in the description. Otherwise a
        // manipulated description could offer an old release as a new one.
        let update = updater.restore_update(description).map_err(in_words)?;
        Ok(update.map(|update| Arc::new(Judged { update }) as Arc<dyn Release>))
    }
}

struct Judged {
    update: Update,
}

impl Release for Judged {
    fn describe(&self) -> NewVersion {
        NewVersion {
            version: self.update.version.clone(),
            notes: self.update.body.clone(),
            address: self.update.download_url.to_string(),
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<(), String> {
        self.update.verify(bytes).map_err(|error| error.to_string())
    }
}
