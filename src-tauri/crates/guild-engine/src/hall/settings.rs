//! Reads, changes, exports and imports a person's settings.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_api::wire::{
    ChangeSettings, ImportSettings, SettingsFileRef, SettingsImport, SettingsState,
};
use guild_model::messages::{SettingsError, io_message};
use guild_model::settings::{
    Limits, ProblemEffect, SETTINGS_BYTES_MAX, Settings, SettingsProblem, differences, read,
};
use guild_model::{Code, Report};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_files::files::{read_bounded, write_atomically};
use guild_settings::SettingsBook;

impl GuildHall {
    /// Returns a receiver of the current settings and their changes.
    pub fn settings(&self) -> watch::Receiver<Arc<Settings>> {
        self.inner.context.settings.held()
    }

    /// Returns the time limits of members whose manifest sets none.
    pub(super) fn limits(&self) -> Limits {
        self.inner.members.limits()
    }

    /// Returns the text of `settings.json`, the settings in force, and the errors of the file.
    ///
    /// # Errors
    /// `shutting-down` if the program ends.
    pub async fn settings_state(&self) -> Result<SettingsState, Report> {
        self.about_settings(|book| Ok(book.state())).await
    }

    /// Changes all of the given settings, or none of them. The rest of the file stays unchanged.
    ///
    /// # Errors
    /// `setting-unknown`, `setting-refused`, `settings-unusable`, `settings-changed`,
    /// `data-unwritable`.
    pub async fn change_settings(&self, request: ChangeSettings) -> Result<SettingsState, Report> {
        self.about_settings(move |book| book.change(&request.changes))
            .await
    }

    /// Copies `settings.json` to another file.
    ///
    /// # Errors
    /// `settings-unusable`. `file-unwritable`, also if the settings contain the value of a secret.
    pub async fn export_settings(
        &self,
        request: SettingsFileRef,
    ) -> Result<SettingsFileRef, Report> {
        let path = absolute(&request.path)?;
        let redactor = self.values().redactor().clone();
        self.about_settings(move |book| {
            let text = book.text()?;
            if redactor.hides(&text) {
                let trouble = SettingsError::SecretInExport;
                return Err(Report::from_error(Code::FileUnwritable, &trouble));
            }
            write_atomically(&path, text.as_bytes()).map_err(|error| {
                let trouble = SettingsError::NotExported(path, io_message(&error));
                Report::from_error(Code::FileUnwritable, &trouble)
            })?;
            Ok(request)
        })
        .await
    }

    /// Returns the settings that an import would change, and the mistakes in its file. Writes
    /// nothing.
    ///
    /// # Errors
    /// `settings-unusable` if the file can't be read.
    pub async fn preview_settings_import(
        &self,
        request: SettingsFileRef,
    ) -> Result<SettingsImport, Report> {
        let path = absolute(&request.path)?;
        self.about_settings(move |book| Ok(SettingsImportFile::read(&path, book)?.import))
            .await
    }

    /// Replaces `settings.json` by the previewed file. The old file is saved as
    /// `settings.backup.json`.
    ///
    /// # Errors
    /// `settings-changed` if the file or the settings have changed since the preview.
    /// `settings-unusable` if the file has a mistake. The errors of [`GuildHall::change_settings`].
    pub async fn import_settings(&self, request: ImportSettings) -> Result<SettingsImport, Report> {
        let path = absolute(&request.path)?;
        self.about_settings(move |book| {
            let SettingsImportFile {
                text,
                before,
                import,
            } = SettingsImportFile::read(&path, book)?;
            if import.hash != request.hash {
                let trouble = SettingsError::NotAsShown;
                return Err(Report::from_error(Code::SettingsChanged, &trouble));
            }
            let is_mistake = |problem: &&SettingsProblem| problem.effect != ProblemEffect::Kept;
            if let Some(problem) = import.problems.iter().find(is_mistake) {
                return Err(problem.report.clone());
            }
            book.replace(&text, before.as_deref())?;
            Ok(import)
        })
        .await
    }

    /// Runs `work` with the settings, on a blocking thread.
    async fn about_settings<T: Send + 'static>(
        &self,
        work: impl FnOnce(&SettingsBook) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let book = Arc::clone(&self.inner.context.settings);
        blocking(move || work(&book)).await?
    }
}

struct SettingsImportFile {
    text: String,
    /// The text of `settings.json` with which the imported file was compared.
    before: Option<Vec<u8>>,
    import: SettingsImport,
}

impl SettingsImportFile {
    /// Reads the file and compares it with the current settings. Blocking.
    fn read(path: &Path, book: &SettingsBook) -> Result<Self, Report> {
        let name = path.display().to_string();
        let unreadable = |error: &io::Error| {
            let trouble = SettingsError::Unreadable(path.to_owned(), io_message(error));
            Report::from_error(Code::SettingsUnusable, &trouble)
        };
        let bytes = read_bounded(path, SETTINGS_BYTES_MAX).map_err(|error| unreadable(&error))?;
        let imported = read(&bytes, &name);
        let before = book.reload();
        let changes = match &imported.settings {
            Some(settings) if imported.has_settings => differences(&book.held().borrow(), settings),
            Some(_) => {
                let trouble = SettingsError::NothingToImport(path.to_owned());
                return Err(Report::from_error(Code::SettingsUnusable, &trouble));
            }
            None => Vec::new(),
        };
        let hash = Sha256::new()
            .chain_update(Sha256::digest(before.as_deref().unwrap_or_default()))
            .chain_update(&bytes)
            .finalize();
        let import = SettingsImport {
            path: name,
            hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            changes,
            problems: imported.problems,
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Self {
            text,
            before,
            import,
        })
    }
}

/// Checks that a path is absolute.
fn absolute(path: &str) -> Result<PathBuf, Report> {
    let path = PathBuf::from(path);
    if path.is_absolute() {
        return Ok(path);
    }
    let trouble = SettingsError::NoWholePath(path);
    Err(Report::from_error(Code::FileUnwritable, &trouble))
}

#[cfg(test)]
mod tests {
    use guild_model::settings::SETTINGS_FILE;

    use super::*;
    use guild_roster::Roster;

    #[test]
    fn changed_settings_need_a_new_preview() {
        let data = tempfile::tempdir().expect("a folder");
        let settings = data.path().join(SETTINGS_FILE);
        let file = data.path().join("copy.json");
        std::fs::write(&file, "{\"window\": {\"onClose\": \"tray\"}}").expect("written");
        let roster = Arc::new(Roster::new(String::new()));
        let book = SettingsBook::open(data.path(), roster, true);
        let shown = SettingsImportFile::read(&file, &book)
            .expect("a preview")
            .import;
        assert_eq!(shown.changes.len(), 1);
        std::fs::write(&settings, "{\"appearance\": {\"theme\": \"dark\"}}").expect("written");
        let again = SettingsImportFile::read(&file, &book)
            .expect("a preview")
            .import;
        assert_eq!(again.changes.len(), 2, "it shows the change just made");
        assert_ne!(again.hash, shown.hash);
        let same = SettingsImportFile::read(&file, &book)
            .expect("a preview")
            .import;
        assert_eq!(same.hash, again.hash);
    }
}
