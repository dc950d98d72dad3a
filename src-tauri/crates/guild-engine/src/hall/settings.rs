//! What a person set.

use guild_core::note::SettingsTrouble;
use guild_core::settings::{Limits, Settings};
use guild_core::wire::{ChangeSettings, SettingsState};
use guild_core::{Code, Report};
use std::sync::Arc;
use tokio::sync::watch;

use super::Hall;
use crate::settings::SettingsBook;

impl Hall {
    /// What a person set, now and whenever it changes.
    pub fn settings(&self) -> watch::Receiver<Arc<Settings>> {
        self.inner.context.settings.held()
    }

    /// The time limits of members whose manifest leaves them open.
    pub(super) fn limits(&self) -> Limits {
        self.inner.members.limits()
    }

    /// What `settings.json` says, what holds, and what is wrong with it.
    ///
    /// # Errors
    /// Only where the program is about to end.
    pub async fn settings_state(&self) -> Result<SettingsState, Report> {
        self.about_settings(|book| Ok(book.state())).await
    }

    /// Changes settings, all of them or none; whatever else stands in the file stays as it is.
    ///
    /// # Errors
    /// `setting-unknown`, `setting-refused`, `settings-unusable`, `settings-changed`,
    /// `data-unwritable`.
    pub async fn change_settings(&self, request: ChangeSettings) -> Result<SettingsState, Report> {
        self.about_settings(move |book| book.change(&request.changes))
            .await
    }

    /// Works with the file, on a thread that may block.
    pub(super) async fn about_settings<T: Send + 'static>(
        &self,
        work: impl FnOnce(&SettingsBook) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let book = Arc::clone(&self.inner.context.settings);
        let working = tokio::task::spawn_blocking(move || work(&book));
        working.await.unwrap_or_else(|error| {
            let trouble = SettingsTrouble::NotCarriedOut(error.to_string());
            Err(Report::told(Code::DataUnwritable, &trouble))
        })
    }
}
