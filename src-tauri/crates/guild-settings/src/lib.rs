//! Reads, watches and changes `settings.json` in the data folder.
//!
//! The user may edit the file at any time. Each valid field takes effect at once. If the text can't
//! be parsed, the last settings stay in force, even after a restart, because Guild Hall keeps a
//! copy of the last text without an error. Guild Hall changes only the affected fields of the text,
//! and keeps comments and layout. It never overwrites a text that another program has saved in the
//! meantime.

pub mod data_format;
mod file;
pub mod paths;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::{SETTING_CHANGES_MAX, SettingsState};
use guild_files::messages::FolderError;
use guild_model::messages::SettingsError;
use guild_model::settings::{
    GatewaySettings, Limits, ParsedSettings, ProblemEffect, SettingChange, Settings,
    SettingsProblem,
};
use guild_model::{Code, Report};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

use self::file::SettingsFile;
use guild_files::files::waiting::Debounce;
use guild_files::files::watch::FilesWatch;
use guild_roster::Roster;

/// Debounce of changes of the file, because editors save in several steps.
const DEBOUNCE: Debounce = Debounce {
    quiet: Duration::from_millis(120),
    max_wait: Duration::from_millis(500),
};

/// The settings in force of a data folder, and the errors in its `settings.json`.
#[derive(Debug)]
pub struct SettingsBook {
    file: SettingsFile,
    roster: Arc<Roster>,
    /// Whether this hall holds the data folder's lock. Without the lock, the hall writes to the
    /// folder only when the user requests a change.
    keeps: bool,
    held: watch::Sender<Arc<Settings>>,
    /// The errors in the file. This mutex is held while the file is read or changed, so that events
    /// have the order of the changes.
    problems: Mutex<Vec<SettingsProblem>>,
}

impl SettingsBook {
    /// Reads the settings of a data folder. Blocking.
    pub fn open(data_dir: &Path, roster: Arc<Roster>, keeps: bool) -> Self {
        let file = SettingsFile::new(data_dir);
        let (
            ParsedSettings {
                settings, problems, ..
            },
            text,
        ) = file.read_text();
        let last = || file.last_good().unwrap_or_default();
        let book = Self {
            held: watch::Sender::new(Arc::new(settings.unwrap_or_else(last))),
            file,
            roster,
            keeps,
            problems: Mutex::new(problems),
        };
        if keeps {
            book.file.renew_schema();
            book.keep_copy(&book.problems.lock(), text.as_deref());
        }
        book
    }

    /// Returns a receiver of the current and all later settings in force.
    pub fn held(&self) -> watch::Receiver<Arc<Settings>> {
        self.held.subscribe()
    }

    /// Returns the default time limits, for members whose manifests set none.
    pub fn limits(&self) -> Limits {
        self.held.borrow().limits
    }

    /// Whether Guild Hall uses proxies to reach members on other machines.
    pub fn uses_proxies(&self) -> bool {
        self.held.borrow().network.proxies
    }

    /// Returns the gateway's port, listing mode and result limit.
    pub fn gateway(&self) -> GatewaySettings {
        self.held.borrow().gateway
    }

    /// Whether this hall holds the data folder's lock, so that the hall may write to the folder
    /// without a request of the user.
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Whether `folder` is the members' folder according to the settings.
    pub fn name_members(&self, folder: &Path) -> bool {
        let held = self.held.borrow();
        let named = held.members_dir.as_ref();
        let named = named.map(|dir| self.file.data_dir().join(dir));
        named.is_some_and(|named| std::path::absolute(&named).unwrap_or(named) == folder)
    }

    /// Returns the settings, the defaults and the file's errors. Blocks while the file is read.
    pub fn state(&self) -> SettingsState {
        self.state_with(&self.problems.lock())
    }

    /// Changes settings, all of them or none. Blocking.
    ///
    /// # Errors
    /// `setting-unknown`, `setting-refused`, `settings-unusable` if the file can't be read,
    /// `settings-changed` if another program rewrites it repeatedly, `data-unwritable`.
    pub fn change(&self, changes: &[SettingChange]) -> Result<SettingsState, Report> {
        if changes.len() > SETTING_CHANGES_MAX {
            let trouble = SettingsError::TooMany(SETTING_CHANGES_MAX);
            return Err(Report::from_error(Code::SettingRefused, &trouble));
        }
        let mut problems = self.problems.lock();
        self.file.change(changes)?;
        self.reload_with(&mut problems);
        Ok(self.state_with(&problems))
    }

    /// Returns the file's text, or `{}` if the file is missing. Blocking.
    ///
    /// # Errors
    /// `settings-unusable`.
    pub fn text(&self) -> Result<String, Report> {
        self.file.text()
    }

    /// Replaces the file's text with `text`, if the file still has the text `before`. `None` means
    /// that the file was missing. Saves the old text in `settings.backup.json`. Blocking.
    ///
    /// # Errors
    /// The errors of [`Self::change`].
    pub fn replace(&self, text: &str, before: Option<&[u8]>) -> Result<(), Report> {
        let mut problems = self.problems.lock();
        self.file.replace(text, before)?;
        self.reload_with(&mut problems);
        Ok(())
    }

    /// Loads the current file and returns its text. `None` if the file is missing or unreadable.
    /// Blocking.
    pub fn reload(&self) -> Option<Vec<u8>> {
        self.reload_with(&mut self.problems.lock())
    }

    /// Watches the file until the returned handle is dropped.
    pub fn follow(self: Arc<Self>) -> AbortOnDropHandle<()> {
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut watch = FilesWatch::new(DEBOUNCE);
            loop {
                let (book, watched) = (Arc::clone(&self), watch);
                let reading = tokio::task::spawn_blocking(move || {
                    let mut watch = watched;
                    // The file may be a symbolic link whose target has changed.
                    watch.watch(book.file.watched_paths());
                    // Changes that were made before the watch began were not reported.
                    book.reload();
                    watch
                });
                match reading.await {
                    Ok(again) => watch = again,
                    Err(_) => return,
                }
                watch.changed().await;
            }
        }))
    }

    fn reload_with(&self, problems: &mut Vec<SettingsProblem>) -> Option<Vec<u8>> {
        let (read, text) = self.file.read_text();
        let repaired = *problems != read.problems;
        *problems = read.problems;
        let members_before = self.held.borrow().members_dir.clone();
        let changed = read.settings.is_some_and(|settings| {
            self.held.send_if_modified(|held| {
                let changed = **held != settings;
                if changed {
                    *held = Arc::new(settings);
                }
                changed
            })
        });
        if self.keeps {
            self.keep_copy(problems, text.as_deref());
        }
        if changed || repaired {
            let settings = Arc::clone(&self.held.borrow());
            self.roster.tell(HallEvent::SettingsChanged {
                settings: Box::new(Settings::clone(&settings)),
                problems: problems.clone(),
            });
            if settings.members_dir != members_before {
                self.warn_of_missing_members(&settings);
            }
        }
        text
    }

    /// Sends a [`HallEvent::Warning`] if the members' folder in the changed settings can't be read.
    /// Otherwise the error would only appear at the next start.
    fn warn_of_missing_members(&self, settings: &Settings) {
        let named = settings.members_dir.as_ref();
        let Some(folder) = named.map(|dir| self.file.data_dir().join(dir)) else {
            return;
        };
        if let Err(error) = std::fs::read_dir(&folder) {
            let trouble = FolderError::UnreadableAsSet(folder, error.to_string());
            let report = Report::from_error(Code::MembersFolderUnreadable, &trouble);
            self.roster.tell(HallEvent::Warning { report });
        }
    }

    /// If the text has no errors, saves a copy, which is used if a later text can't be read.
    fn keep_copy(&self, problems: &[SettingsProblem], text: Option<&[u8]>) {
        if problems
            .iter()
            .all(|problem| problem.effect == ProblemEffect::Kept)
        {
            self.file.keep_copy(text);
        }
    }

    fn state_with(&self, problems: &[SettingsProblem]) -> SettingsState {
        let settings = Arc::clone(&self.held.borrow());
        SettingsState {
            file: self.file.path().display().to_string(),
            settings: Settings::clone(&settings),
            defaults: Settings::default(),
            problems: problems.to_vec(),
        }
    }
}

/// Returns the gateway's settings in a data folder, for programs that run no hall. Blocking.
pub fn gateway_settings(data_dir: &Path) -> GatewaySettings {
    let file = SettingsFile::new(data_dir);
    let settings = file.read().settings.or_else(|| file.last_good());
    settings.unwrap_or_default().gateway
}

/// Returns the members' folder that the settings of a data folder set. `None` if they set none. If
/// the value is invalid, returns the value in the last text without an error. Blocking.
pub fn members_dir(data_dir: &Path) -> Option<PathBuf> {
    let file = SettingsFile::new(data_dir);
    let ParsedSettings {
        settings, problems, ..
    } = file.read();
    let is_wrong = |problem: &SettingsProblem| problem.field.as_deref() == Some("membersDir");
    let settings = settings.filter(|_| !problems.iter().any(is_wrong));
    let settings = settings.or_else(|| file.last_good());
    Some(data_dir.join(settings?.members_dir?))
}

#[cfg(test)]
mod tests;
