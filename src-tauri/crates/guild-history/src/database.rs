//! Opens the database file, and handles damaged, newer and removed files.
//!
//! Connections of several processes may use the file at the same time (WAL mode). A damaged file is
//! renamed and kept. A file of a newer version is not changed. A removed file is created again. All
//! functions block, so they run on blocking threads.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::messages::HistoryError;
use guild_files::messages::FileFault;
use guild_model::messages::{io_message, is_files_limit};
use guild_model::{Code, Report};
use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, ffi};

use super::health::Health;

/// The migrations of the database, in order. A released migration never changes, and new ones are
/// appended.
const STEPS: &[&str] = &[
    include_str!("tables/1.sql"),
    include_str!("tables/2.sql"),
    include_str!("tables/3.sql"),
    include_str!("tables/4.sql"),
    include_str!("tables/5.sql"),
    include_str!("tables/6.sql"),
    include_str!("tables/7.sql"),
    include_str!("tables/8.sql"),
];
/// Maximum size of the write-ahead log between checkpoints, in bytes.
const LOG_BYTES: i64 = 16 << 20;
/// Cache size of the writing connection, in KiB (negative, as SQLite expects it).
const CACHE_KIB: i64 = -512;

/// The reason why a database operation ended early.
#[derive(Debug)]
pub(super) enum Stop {
    Sql(rusqlite::Error),
    /// An error that is already a report for the user.
    Report(Report),
}

impl From<rusqlite::Error> for Stop {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Report> for Stop {
    fn from(report: Report) -> Self {
        Self::Report(report)
    }
}

#[derive(Debug)]
pub(super) struct Database {
    file: PathBuf,
    health: Arc<Health>,
    /// The number of damaged files that were renamed. The mutex is held while a file is opened or
    /// renamed.
    generation: Mutex<u64>,
    /// Limits the file's size, for tests of a full file.
    #[cfg(test)]
    pub(super) pages_max: std::sync::atomic::AtomicU32,
}

/// A connection, with the identity of the file that it opened.
#[derive(Debug)]
pub(super) struct DatabaseConnection {
    connection: Connection,
    generation: u64,
    id: Option<FileId>,
}

/// Distinguishes successive files at the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileId(u64, u64);

impl Database {
    pub(super) fn new(file: PathBuf, health: Arc<Health>) -> Self {
        Self {
            file,
            health,
            generation: Mutex::new(0),
            #[cfg(test)]
            pages_max: std::sync::atomic::AtomicU32::new(u32::MAX),
        }
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Runs `work` with the connection in `kept`. Opens a new connection if `kept` has none, or if
    /// the file has been replaced since.
    ///
    /// If the file is damaged, renames it and runs `work` once more with the new file.
    ///
    /// # Errors
    /// The errors of `work`. `history-unreadable`, `history-newer`, `history-busy`, `history-full`.
    pub(super) fn with<T>(
        &self,
        kept: &mut Option<DatabaseConnection>,
        patience: Duration,
        mut work: impl FnMut(&mut Connection) -> Result<T, Stop>,
    ) -> Result<T, Report> {
        let mut tries = 2;
        loop {
            tries -= 1;
            if kept.as_ref().is_some_and(|opened| !self.is_current(opened)) {
                *kept = None;
            }
            let opened = match kept {
                Some(opened) => opened,
                None => kept.insert(self.connect(patience).map_err(|stop| self.report(stop))?),
            };
            match work(&mut opened.connection) {
                Err(Stop::Sql(error)) if is_damage(&error) && tries > 0 => {
                    if let Some(opened) = kept.take() {
                        self.give_up(opened, &error)?;
                    }
                }
                done => return done.map_err(|stop| self.report(stop)),
            }
        }
    }

    fn is_current(&self, opened: &DatabaseConnection) -> bool {
        let generation = *self.generation.lock();
        opened.generation == generation && opened.id == file_id(&self.file)
    }

    fn connect(&self, patience: Duration) -> Result<DatabaseConnection, Stop> {
        let mut generation = self.generation.lock();
        let connection = match self.open(patience) {
            Err(Stop::Sql(error)) if is_damage(&error) => {
                self.move_aside(&mut generation, &error)?;
                self.open(patience)
            }
            opened => opened,
        }?;
        Ok(DatabaseConnection {
            connection,
            generation: *generation,
            id: file_id(&self.file),
        })
    }

    /// Opens the file and runs missing migrations.
    fn open(&self, patience: Duration) -> Result<Connection, Stop> {
        self.prepare_file().map_err(|error| self.no_file(&error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&self.file, flags)?;
        connection.busy_timeout(patience)?;
        // Without this setting, the last connection would write to the file when it closes. A file
        // of a newer version must not be written. If the file was replaced, closing would also
        // remove the write-ahead log of the new file.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let version = version_of(&connection)?;
        if version > STEPS.len() {
            return Err(self.newer(version).into());
        }
        if version == 0 {
            connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "cache_size", CACHE_KIB)?;
        connection.pragma_update(None, "secure_delete", "FAST")?;
        #[cfg(test)]
        {
            let max = self.pages_max.load(std::sync::atomic::Ordering::Relaxed);
            connection.pragma_update(None, "max_page_count", max)?;
        }
        if version < STEPS.len() {
            bring_up_to_date(&mut connection)?;
        }
        Ok(connection)
    }

    /// Creates the file if it is missing. Only its owner can read it.
    ///
    /// An existing file is not opened here: closing it again would release the locks that other
    /// connections of this process hold on it.
    fn prepare_file(&self) -> io::Result<()> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        match std::fs::metadata(&self.file) {
            Ok(metadata) if metadata.is_file() => return keep_private(&self.file, &metadata),
            Ok(_) => return Err(io::Error::other(FileFault::NotRegular)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
            opened => opened?,
        };
        // Companion files that were left by a removed database with the same name must not be used.
        for companion in ["-wal", "-shm"] {
            remove_if_there(&beside(&self.file, companion))?;
        }
        Ok(())
    }

    /// Renames a file that a connection reported as damaged.
    fn give_up(&self, opened: DatabaseConnection, error: &rusqlite::Error) -> Result<(), Report> {
        let mut generation = self.generation.lock();
        // Another thread or process may already have replaced the file.
        let same = opened.generation == *generation && opened.id == file_id(&self.file);
        drop(opened);
        if same {
            self.move_aside(&mut generation, error)?;
        }
        Ok(())
    }

    fn move_aside(&self, generation: &mut u64, error: &rusqlite::Error) -> Result<(), Report> {
        let aside = self.free_name();
        let moved = std::fs::rename(&self.file, &aside)
            .and_then(|()| rename_if_there(&beside(&self.file, "-wal"), &beside(&aside, "-wal")))
            .and_then(|()| remove_if_there(&beside(&self.file, "-shm")));
        if let Err(problem) = moved {
            let (file, said) = (self.file.clone(), error.to_string());
            let trouble = HistoryError::Stuck(file, said, problem.to_string());
            return Err(Report::from_error(Code::HistoryUnreadable, &trouble));
        }
        *generation += 1;
        let trouble = HistoryError::Damaged(error.to_string(), aside);
        self.health
            .warn(Report::from_error(Code::HistoryUnreadable, &trouble));
        Ok(())
    }

    /// Returns `history.corrupt-20260131T120000Z.db`, with a number if that name is taken.
    fn free_name(&self) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let time: String = now.chars().filter(|c| !"-:".contains(*c)).collect();
        (1..)
            .map(|turn: u32| match turn {
                1 => format!("{stem}.corrupt-{time}.db"),
                _ => format!("{stem}.corrupt-{time}-{turn}.db"),
            })
            .map(|name| self.file.with_file_name(name))
            .find(|path| !path.exists())
            .unwrap_or_else(|| self.file.with_extension("corrupt"))
    }

    fn newer(&self, version: usize) -> Report {
        let (version, known) = (version, STEPS.len());
        let trouble = HistoryError::Newer(self.file.clone(), version, known);
        Report::from_error(Code::HistoryNewer, &trouble)
    }

    fn no_file(&self, error: &io::Error) -> Report {
        if matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        ) {
            return self.full();
        }
        let trouble = HistoryError::NoFile(self.file.clone(), io_message(error));
        Report::from_error(Code::HistoryUnreadable, &trouble)
    }

    fn full(&self) -> Report {
        Report::from_error(Code::HistoryFull, &HistoryError::Full(self.file.clone()))
    }

    /// Converts an error to a report.
    fn report(&self, stop: Stop) -> Report {
        let error = match stop {
            Stop::Report(report) => return report,
            Stop::Sql(error) => error,
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => self.full(),
            Some(ErrorCode::SystemIoFailure)
                if error.sqlite_error().map(|error| error.extended_code)
                    == Some(ffi::SQLITE_IOERR_SHMSIZE) =>
            {
                self.full()
            }
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::OperationInterrupted,
            ) => busy(&self.file),
            // SQLite reports no reason if it can't open a file, so this finds the reason.
            Some(ErrorCode::CannotOpen) => match std::fs::File::open(&self.file) {
                Err(refused) if is_files_limit(&refused) => self.no_file(&refused),
                _ => self.unusable(&error),
            },
            _ => self.unusable(&error),
        }
    }

    fn unusable(&self, error: &rusqlite::Error) -> Report {
        let trouble = HistoryError::Unusable(self.file.clone(), error.to_string());
        Report::from_error(Code::HistoryUnreadable, &trouble)
    }
}

/// Returns the report for a database that another program locks, or that is too slow.
pub(super) fn busy(file: &Path) -> Report {
    Report::from_error(Code::HistoryBusy, &HistoryError::Busy(file.to_owned()))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

fn version_of(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| {
        row.get::<_, u32>(0).map(|v| v as usize)
    })
}

fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated the file in the meantime, possibly to a newer version.
    let version = version_of(&transaction)?;
    if version >= STEPS.len() {
        return Ok(());
    }
    for step in STEPS.iter().skip(version) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len())?;
    transaction.commit()
}

/// Returns the path of one of SQLite's companion files.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    absent_is_fine(std::fs::remove_file(path))
}

fn rename_if_there(from: &Path, to: &Path) -> io::Result<()> {
    absent_is_fine(std::fs::rename(from, to))
}

fn absent_is_fine(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some(FileId(metadata.dev(), metadata.ino()))
}

/// Returns `None`, since on other systems an open file can't be removed or replaced.
#[cfg(not(unix))]
fn file_id(_path: &Path) -> Option<FileId> {
    None
}

#[cfg(unix)]
fn keep_private(path: &Path, metadata: &std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = metadata.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    permissions.set_mode(0o600);
    std::fs::set_permissions(path, permissions)
}

/// Does nothing, since on other systems the user's folder keeps the file private.
#[cfg(not(unix))]
fn keep_private(_path: &Path, _metadata: &std::fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_database_is_left_alone() {
        let mut connection = Connection::open_in_memory().expect("opened");
        connection
            .pragma_update(None, "user_version", STEPS.len() + 1)
            .expect("set");
        bring_up_to_date(&mut connection).expect("nothing to be done");
        let version = version_of(&connection).expect("read");
        assert_eq!(version, STEPS.len() + 1);
    }
}
