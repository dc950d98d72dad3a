//! `settings.json` of the data folder: read, watched and changed.
//!
//! It may be edited by hand at any time. What can be read holds at once and is told; a text that
//! can't be read changes nothing: what held before it goes on, over restarts too, by a copy of the
//! last text that nothing was wrong with. Changes are made in the text, so that whatever else stands
//! there stays, and never over a text that came in between.

mod file;
mod undo;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::event::HallEvent;
use guild_core::note::{FolderTrouble, SettingsTrouble};
use guild_core::settings::fields::{FIELDS, KEYS};
use guild_core::settings::{
    GatewaySettings, Limits, ProblemEffect, Read, SETTINGS_FILE, SettingChange, Settings,
    SettingsProblem, read,
};
use guild_core::wire::{SETTING_CHANGES_MAX, SettingsState};
use guild_core::{Code, Report};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

use self::file::SettingsFile;
pub(crate) use self::undo::{Undo, undo_cut_off};
use self::undo::{text_once_undone, undo_where_nobody_keeps};
use crate::files::watch::FilesWatch;
use crate::index::Index;
use crate::lull::Lull;

/// Editors write in several steps.
const LULL: Lull = Lull {
    quiet: Duration::from_millis(120),
    patience: Duration::from_millis(500),
};

/// The settings of a hall.
#[derive(Debug)]
pub(crate) struct SettingsBook {
    file: SettingsFile,
    index: Arc<Index>,
    /// Whether the data folder is this hall's: only then is anything of it written unasked.
    keeps: bool,
    held: watch::Sender<Arc<Settings>>,
    /// What is wrong with the file. Locked as long as it is read or changed, so that what is told
    /// comes in the order of the changes.
    problems: Mutex<Vec<SettingsProblem>>,
    /// One import at a time.
    importing: tokio::sync::Mutex<()>,
}

impl SettingsBook {
    /// Reads the settings of a data folder. Blocking.
    pub(crate) fn open(data_dir: &Path, index: Arc<Index>, keeps: bool) -> Self {
        undo_left(data_dir, keeps);
        let file = SettingsFile::new(data_dir);
        let (Read { settings, problems }, text) = file.read_text();
        let last = || file.last_good().unwrap_or_default();
        let book = Self {
            held: watch::Sender::new(Arc::new(settings.unwrap_or_else(last))),
            file,
            index,
            keeps,
            problems: Mutex::new(problems),
            importing: tokio::sync::Mutex::default(),
        };
        if keeps {
            book.file.renew_schema();
            book.keep_copy(&book.problems(), text.as_deref());
        }
        book
    }

    /// What holds, now and whenever it changes.
    pub(crate) fn held(&self) -> watch::Receiver<Arc<Settings>> {
        self.held.subscribe()
    }

    /// The time limits of members whose manifest leaves them open.
    pub(crate) fn limits(&self) -> Limits {
        self.held.borrow().limits
    }

    /// The gateway's port and listing mode.
    pub(crate) fn gateway(&self) -> GatewaySettings {
        self.held.borrow().gateway
    }

    /// Whether this hall may write unasked in the data folder.
    pub(crate) fn keeps(&self) -> bool {
        self.keeps
    }

    /// Whether they name this folder as the members'.
    pub(crate) fn name_members(&self, folder: &Path) -> bool {
        let held = self.held.borrow();
        let named = held.members_dir.as_ref();
        let named = named.map(|dir| self.file.data_dir().join(dir));
        named.is_some_and(|named| std::path::absolute(&named).unwrap_or(named) == folder)
    }

    /// All that is known of them. Blocking for as long as the file is read.
    pub(crate) fn state(&self) -> SettingsState {
        self.state_with(&self.problems())
    }

    /// Changes settings, all of them or none. Blocking.
    ///
    /// # Errors
    /// `setting-unknown`, `setting-refused`, `settings-unusable` where the file can't be read,
    /// `settings-changed` where somebody else writes it again and again, `data-unwritable`.
    pub(crate) fn change(&self, changes: &[SettingChange]) -> Result<SettingsState, Report> {
        if changes.len() > SETTING_CHANGES_MAX {
            let trouble = SettingsTrouble::TooMany(SETTING_CHANGES_MAX);
            return Err(Report::told(Code::SettingRefused, &trouble));
        }
        let mut problems = self.problems();
        self.undo_left();
        self.file.change(changes)?;
        self.take_in_with(&mut problems);
        Ok(self.state_with(&problems))
    }

    /// Has an import put another text in the file's place, in turn with all who change it. Blocking.
    ///
    /// # Errors
    /// Those of `put`; `settings-changed` where another program does not come to its end.
    pub(crate) fn put(&self, put: impl FnOnce() -> Result<(), Report>) -> Result<(), Report> {
        let mut problems = self.problems();
        let turn = self.file.turn()?;
        self.file.put_schema_beside_a_new_one();
        put()?;
        drop(turn);
        self.take_in_with(&mut problems);
        Ok(())
    }

    /// Takes in the file as it is now. Blocking.
    pub(crate) fn take_in(&self) {
        self.take_in_with(&mut self.problems());
    }

    /// Waits until no other import is under way; none begins until what is given is dropped.
    pub(crate) async fn import_turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.importing.lock().await
    }

    /// Undoes an import that was cut off since the book was opened, before anything is changed: what
    /// is set anew is then no part of it. One of our own that is under way goes on.
    fn undo_left(&self) {
        if let Ok(_no_import) = self.importing.try_lock() {
            undo_left(self.file.data_dir(), self.keeps);
        }
    }

    /// Follows the file until it is dropped.
    pub(crate) fn follow(self: Arc<Self>) -> AbortOnDropHandle<()> {
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut watch = FilesWatch::new(LULL);
            loop {
                let (book, watched) = (Arc::clone(&self), watch);
                let reading = tokio::task::spawn_blocking(move || {
                    let mut watch = watched;
                    // A link may lead elsewhere by now.
                    watch.watch(book.file.places());
                    // What was written before the watch began was told to nobody.
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

    fn take_in_with(&self, problems: &mut Vec<SettingsProblem>) {
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
            self.index.tell(HallEvent::SettingsChanged {
                settings: Box::new(Settings::clone(&settings)),
                problems: problems.clone(),
            });
            if settings.members_dir != members_before {
                self.warn_of_missing_members(&settings);
            }
        }
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
            let report = Report::told(Code::MembersFolderUnreadable, &trouble);
            self.index.tell(HallEvent::Warning { report });
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

    fn problems(&self) -> MutexGuard<'_, Vec<SettingsProblem>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Undoes what an import has left that was cut off. Blocking.
fn undo_left(data_dir: &Path, keeps: bool) {
    match keeps {
        // What keeps it from being undone is told in the log.
        true => drop(undo_cut_off(data_dir)),
        false => undo_where_nobody_keeps(data_dir),
    }
}

/// The changes that make some settings of others.
pub(crate) fn changes_to(from: &Settings, to: &Settings) -> Vec<SettingChange> {
    let values = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    let (now, wanted, usual) = (values(from), values(to), values(&Settings::default()));
    let fields = FIELDS.iter().filter_map(|field| {
        let pointer = format!("/{}", field.key.replace('.', "/"));
        let value = wanted.pointer(&pointer);
        // What is at its default says nothing in the file.
        let written = value.filter(|value| usual.pointer(&pointer) != Some(value));
        let change = || SettingChange::new(field.key, written.cloned().unwrap_or_default());
        (now.pointer(&pointer) != value).then(change)
    });
    let gone = from.keys.keys().filter(|id| !to.keys.contains_key(*id));
    let gone = gone.map(|id| SettingChange::new(format!("{KEYS}.{id}"), serde_json::Value::Null));
    let new = to.keys.iter();
    let new = new.filter(|(id, keys)| from.keys.get(*id) != Some(keys));
    let new = new.map(|(id, keys)| SettingChange::new(format!("{KEYS}.{id}"), keys.as_str()));
    fields.chain(gone).chain(new).collect()
}

/// The gateway's port and listing mode of a data folder, for those without a hall. Blocking.
pub(crate) fn gateway_settings(data_dir: &Path) -> GatewaySettings {
    let file = SettingsFile::new(data_dir);
    let settings = file.read().settings.or_else(|| file.last_good());
    settings.unwrap_or_default().gateway
}

/// The members' folder that a data folder's settings name; `None` for the one in it. Blocking.
///
/// # Errors
/// `settings-unusable` where that can't be read, and no earlier text says it: other members than
/// their user's are not started in their place.
pub(crate) fn members_dir(data_dir: &Path) -> Result<Option<PathBuf>, Report> {
    let file = SettingsFile::new(data_dir);
    let read = match text_once_undone(data_dir) {
        Some(text) => read(text.as_bytes(), SETTINGS_FILE),
        None => file.read(),
    };
    let settings = match (read.holds("membersDir"), read.settings) {
        (true, Some(settings)) => settings,
        (_, _) => match file.last_good() {
            Some(settings) => settings,
            None => {
                let named = |problem: &&SettingsProblem| {
                    problem.effect == ProblemEffect::Unread
                        || problem.field.as_deref() == Some("membersDir")
                };
                let problem = read.problems.iter().find(named);
                return match problem {
                    Some(problem) => Err(problem.report.clone()),
                    None => Ok(None),
                };
            }
        },
    };
    Ok(settings.members_dir.map(|dir| data_dir.join(dir)))
}

#[cfg(test)]
mod tests;
