//! The settings file. A write replaces the file atomically and never overwrites another program's
//! changes.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use guild_model::messages::{SettingsError, io_message};
use guild_model::settings::{
    ParsedSettings, ProblemEffect, SCHEMA_FILE, SETTINGS_BYTES_MAX, SETTINGS_FILE, SettingChange,
    Settings, SettingsProblem, json_schema, read, rewritten,
};
use guild_model::{Code, Report};

use guild_files::files::replacing::{Replaced, real, replace_unchanged};
use guild_files::files::{read_bounded, write_atomically};

/// The copy of the last `settings.json` that had no error.
const LAST_GOOD_FILE: &str = "settings.last-good.json";
/// The copy of the `settings.json` that the last import replaced.
const BACKUP_FILE: &str = "settings.backup.json";
/// Maximum size of the schema file, in bytes.
const SCHEMA_BYTES_MAX: u64 = 1 << 20;
/// Number of attempts to write a change, if another program changes the file at the same time.
const TRIES: usize = 3;
/// How long a change waits for another process of Guild Hall.
const LOCK_LIMIT: Duration = Duration::from_secs(5);
/// How often a waiting change checks whether the other process has finished.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// The settings file of a data folder.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    data_dir: PathBuf,
}

impl SettingsFile {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join(SETTINGS_FILE),
            data_dir: data_dir.to_owned(),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Returns the paths to watch: the file and, for a link, its target.
    pub(super) fn watched_paths(&self) -> Vec<PathBuf> {
        let mut paths = vec![self.path.clone()];
        paths.extend(real(&self.path).ok().filter(|real| *real != self.path));
        paths
    }

    /// Reads the file. A missing file means the default settings.
    pub(super) fn read(&self) -> ParsedSettings {
        self.read_text().0
    }

    /// Reads the file and returns its settings and its text. The text is `None` if the file is
    /// missing or unreadable.
    pub(super) fn read_text(&self) -> (ParsedSettings, Option<Vec<u8>>) {
        match self.bytes() {
            Ok(text) => (
                read(text.as_deref().unwrap_or_default(), SETTINGS_FILE),
                text,
            ),
            Err(error) => {
                let problem = SettingsProblem {
                    effect: ProblemEffect::Unread,
                    line: None,
                    column: None,
                    field: None,
                    report: self.unreadable(&error),
                };
                let read = ParsedSettings {
                    settings: None,
                    has_settings: false,
                    problems: vec![problem],
                };
                (read, None)
            }
        }
    }

    /// Returns the settings from the copy of the last file without an error.
    pub(super) fn last_good(&self) -> Option<Settings> {
        let bytes = read_bounded(&self.data_dir.join(LAST_GOOD_FILE), SETTINGS_BYTES_MAX).ok()?;
        read(&bytes, LAST_GOOD_FILE).settings
    }

    /// Saves `text` as the copy for [`Self::last_good`], even if the file has changed since it was
    /// read. Removes the copy if `text` is `None`, which means a missing file.
    pub(super) fn keep_copy(&self, text: Option<&[u8]>) {
        let copy = self.data_dir.join(LAST_GOOD_FILE);
        let kept = match text {
            None => match std::fs::remove_file(&copy) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
            Some(text) => match read_bounded(&copy, SETTINGS_BYTES_MAX) {
                Ok(known) if known == text => Ok(()),
                _ => write_atomically(&copy, text),
            },
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "the copy of the settings could not be saved");
        }
    }

    /// Updates the JSON Schema file in the data folder, if it exists.
    pub(super) fn renew_schema(&self) {
        if self.data_dir.join(SCHEMA_FILE).exists() {
            self.put_schema();
        }
    }

    /// Returns the file's text, or `{}` if the file is missing.
    pub(super) fn text(&self) -> Result<String, Report> {
        let bytes = self.bytes().map_err(|error| self.unreadable(&error))?;
        String::from_utf8(bytes.unwrap_or_else(|| b"{}\n".to_vec()))
            .map_err(|_| self.unreadable(&ErrorKind::InvalidData.into()))
    }

    /// Replaces the file's text, if the file still has the text `seen`, and saves the old text as a
    /// backup.
    pub(super) fn replace(&self, text: &str, seen: Option<&[u8]>) -> Result<(), Report> {
        let _lock = self.lock()?;
        let place = real(&self.path).map_err(|error| self.unreadable(&error))?;
        let before = self.bytes().map_err(|error| self.unreadable(&error))?;
        if before.as_deref() != seen {
            return Replaced::Changed.checked(&self.path);
        }
        match &before {
            Some(before) => write_atomically(&self.data_dir.join(BACKUP_FILE), before)
                .map_err(|error| self.unwritable(&error))?,
            None => self.put_schema(),
        }
        replace_unchanged(
            &place,
            before.as_deref(),
            text.as_bytes(),
            SETTINGS_BYTES_MAX,
        )
        .map_err(|error| self.unwritable(&error))?
        .checked(&self.path)
    }

    /// Applies the changes to the text, and keeps everything else.
    pub(super) fn change(&self, changes: &[SettingChange]) -> Result<(), Report> {
        let _lock = self.lock()?;
        for _ in 0..TRIES {
            let place = real(&self.path).map_err(|error| self.unreadable(&error))?;
            let before = self.bytes().map_err(|error| self.unreadable(&error))?;
            let text = before.as_deref().map(std::str::from_utf8);
            let Ok(text) = text.transpose() else {
                let problem = self.read().problems.into_iter().next();
                return Err(problem.map_or_else(
                    || self.unreadable(&ErrorKind::InvalidData.into()),
                    |problem| problem.report,
                ));
            };
            let new = rewritten(text.unwrap_or_default(), changes, SETTINGS_FILE)?;
            if before.is_none() {
                self.put_schema();
            }
            if text == Some(new.as_str()) {
                return Ok(());
            }
            let replaced = replace_unchanged(
                &place,
                before.as_deref(),
                new.as_bytes(),
                SETTINGS_BYTES_MAX,
            );
            match replaced {
                Ok(Replaced::Changed) => {}
                Ok(replaced) => return replaced.checked(&self.path),
                Err(error) => return Err(self.unwritable(&error)),
            }
        }
        Replaced::Changed.checked(&self.path)
    }

    fn bytes(&self) -> io::Result<Option<Vec<u8>>> {
        match read_bounded(&self.path, SETTINGS_BYTES_MAX) {
            Ok(bytes) => Ok(Some(bytes)),
            // The path of the data folder is that of a file. Other code reports this error.
            Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(None),
            // A symbolic link with a missing target is an error, not a missing file.
            Err(error) if error.kind() == ErrorKind::NotFound => real(&self.path).map(|_| None),
            Err(error) => Err(error),
        }
    }

    fn put_schema(&self) {
        let path = self.data_dir.join(SCHEMA_FILE);
        let text = format!("{:#}\n", json_schema());
        let is_there =
            read_bounded(&path, SCHEMA_BYTES_MAX).is_ok_and(|bytes| bytes == text.as_bytes());
        if is_there {
            return;
        }
        let written = guild_files::files::create_own_folder(&self.data_dir)
            .and_then(|()| write_atomically(&path, text.as_bytes()));
        if let Err(error) = written {
            tracing::warn!(%error, "the schema of the settings could not be written");
        }
    }

    /// Waits until no other process of Guild Hall changes the file, and locks the data folder.
    /// Returns `None` if the system can't lock folders.
    fn lock(&self) -> Result<Option<File>, Report> {
        guild_files::files::create_own_folder(&self.data_dir)
            .map_err(|error| self.unwritable(&error))?;
        let Ok(folder) = File::open(&self.data_dir) else {
            return Ok(None);
        };
        let until = Instant::now() + LOCK_LIMIT;
        loop {
            match folder.try_lock() {
                Ok(()) => return Ok(Some(folder)),
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    std::thread::sleep(LOCK_POLL);
                }
                Err(TryLockError::WouldBlock) => {
                    let trouble = SettingsError::NoTurn;
                    return Err(Report::from_error(Code::SettingsChanged, &trouble));
                }
            }
        }
    }

    fn unreadable(&self, error: &io::Error) -> Report {
        let trouble = SettingsError::Unreadable(self.path.clone(), io_message(error));
        Report::from_error(Code::SettingsUnusable, &trouble)
    }

    fn unwritable(&self, error: &io::Error) -> Report {
        let trouble = SettingsError::Unwritable(self.path.clone(), io_message(error));
        Report::from_error(Code::DataUnwritable, &trouble)
    }
}
