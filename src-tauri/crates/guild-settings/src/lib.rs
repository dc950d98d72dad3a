//! `settings.json` of the data folder: read, watched and changed.
//!
//! A person may edit it at any time. Every field that is right holds at once. A text that can't be
//! read changes nothing: the settings before it go on, over restarts too, by a copy of the last text
//! without a mistake. A change edits the text and keeps comments and layout; it never writes over a
//! text that another program has saved in between.

mod file;
pub mod paths;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::{SETTING_CHANGES_MAX, SettingsState};
use guild_files::messages::FolderTrouble;
use guild_model::messages::SettingsTrouble;
use guild_model::settings::{
    GatewaySettings, Limits, ParsedSettings, ProblemEffect, SettingChange, Settings,
    SettingsProblem,
};
use guild_model::{Code, Report};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

use self::file::SettingsFile;
use guild_files::files::waiting::Lull;
use guild_files::files::watch::FilesWatch;
use guild_roster::Roster;

/// Editors write in several steps.
const LULL: Lull = Lull {
    quiet: Duration::from_millis(120),
    patience: Duration::from_millis(500),
};

/// The effective settings of a data folder, and the errors in its `settings.json`.
#[derive(Debug)]
pub struct SettingsBook {
    file: SettingsFile,
    roster: Arc<Roster>,
    /// Whether the data folder is this hall's: only then is anything of it written unasked.
    keeps: bool,
    held: watch::Sender<Arc<Settings>>,
    /// Errors of the file. Locked while it is read or changed, so that events have the order of the
    /// changes.
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

    /// Returns the effective settings, now and after each change.
    pub fn held(&self) -> watch::Receiver<Arc<Settings>> {
        self.held.subscribe()
    }

    /// The time limits of members whose manifest leaves them open.
    pub fn limits(&self) -> Limits {
        self.held.borrow().limits
    }

    /// Whether members on other machines are reached through proxies.
    pub fn uses_proxies(&self) -> bool {
        self.held.borrow().network.proxies
    }

    /// The gateway's port and listing mode.
    pub fn gateway(&self) -> GatewaySettings {
        self.held.borrow().gateway
    }

    /// Whether this hall may write unasked in the data folder.
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Whether they name this folder as the members'.
    pub fn name_members(&self, folder: &Path) -> bool {
        let held = self.held.borrow();
        let named = held.members_dir.as_ref();
        let named = named.map(|dir| self.file.data_dir().join(dir));
        named.is_some_and(|named| std::path::absolute(&named).unwrap_or(named) == folder)
    }

    /// All that is known of them. Blocking for as long as the file is read.
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
            let trouble = SettingsTrouble::TooMany(SETTING_CHANGES_MAX);
            return Err(Report::from_error(Code::SettingRefused, &trouble));
        }
        let mut problems = self.problems.lock();
        self.file.change(changes)?;
        self.take_in_with(&mut problems);
        Ok(self.state_with(&problems))
    }

    /// Returns the file's text, `{}` without a file. Blocking.
    ///
    /// # Errors
    /// `settings-unusable`.
    pub fn text(&self) -> Result<String, Report> {
        self.file.text()
    }

    /// Puts another text in the file's place if the file still has the text `before`; `None` for no
    /// file. The text that was there stays in `settings.backup.json`. Blocking.
    ///
    /// # Errors
    /// Those of [`Self::change`].
    pub fn replace(&self, text: &str, before: Option<&[u8]>) -> Result<(), Report> {
        let mut problems = self.problems.lock();
        self.file.replace(text, before)?;
        self.take_in_with(&mut problems);
        Ok(())
    }

    /// Loads the current file, and returns its text. `None` if it is missing or unreadable.
    /// Blocking.
    pub fn take_in(&self) -> Option<Vec<u8>> {
        self.take_in_with(&mut self.problems.lock())
    }

    /// Follows the file until it is dropped.
    pub fn follow(self: Arc<Self>) -> AbortOnDropHandle<()> {
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut watch = FilesWatch::new(LULL);
            loop {
                let (book, watched) = (Arc::clone(&self), watch);
                let reading = tokio::task::spawn_blocking(move || {
                    let mut watch = watched;
                    // A link may lead elsewhere by now.
                    watch.watch(book.file.places());
                    // Changes from before the watch were not reported.
                    book.take_in();
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

    fn take_in_with(&self, problems: &mut Vec<SettingsProblem>) -> Option<Vec<u8>> {
        let (read, text) = self.file.read_text();
        let mended = *problems != read.problems;
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
        if changed || mended {
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

    /// Says at once that the members' folder that was just named can't be read: it is needed only at
    /// the next start.
    fn warn_of_missing_members(&self, settings: &Settings) {
        let named = settings.members_dir.as_ref();
        let Some(folder) = named.map(|dir| self.file.data_dir().join(dir)) else {
            return;
        };
        if let Err(error) = std::fs::read_dir(&folder) {
            let trouble = FolderTrouble::UnreadableAsSet(folder, error.to_string());
            let report = Report::from_error(Code::MembersFolderUnreadable, &trouble);
            self.roster.tell(HallEvent::Warning { report });
        }
    }

    /// Keeps a copy of a text that nothing is wrong with, for the day when something is.
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

/// The gateway's port and listing mode of a data folder, for those without a hall. Blocking.
pub fn gateway_settings(data_dir: &Path) -> GatewaySettings {
    let file = SettingsFile::new(data_dir);
    let settings = file.read().settings.or_else(|| file.last_good());
    settings.unwrap_or_default().gateway
}

/// The members' folder that a data folder's settings name; `None` for the one in it. A value that is
/// wrong leaves the folder of the last text without a mistake. Blocking.
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
