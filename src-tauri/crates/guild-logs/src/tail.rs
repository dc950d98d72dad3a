//! Follows a member's log file from another process. The operating system reports changes of the
//! file, without polling.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use crate::messages::LogError;
use guild_api::wire::{LogFilter, LogLine};
use guild_files::messages::FileFault;
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};
use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::line::{self, LogLineMatcher};
use super::page::MemberLogs;
use guild_files::files::waiting::watcher;

/// Number of bytes that are read at once.
const CHUNK: u64 = 1 << 20;
/// Maximum size of an incomplete line, in bytes. A longer one is dropped.
const BEGUN_MAX: usize = 256 << 10;

/// Follows the end of a member's log.
pub struct LogTail {
    changed: Arc<Notify>,
    _watcher: notify::RecommendedWatcher,
    wanted: LogLineMatcher,
    reading: Option<LogFileReader>,
}

struct LogFileReader {
    path: PathBuf,
    file: Option<File>,
    /// The bytes of an incomplete line at the end of the file.
    begun: Vec<u8>,
}

impl MemberLogs {
    /// Follows new lines from now on. Blocking.
    ///
    /// # Errors
    /// `log-unwritable` when the folder can't be created or watched.
    pub fn follow(&self, member: &MemberName, filter: &LogFilter) -> Result<LogTail, Report> {
        let changed = Arc::new(Notify::new());
        let notifier = Arc::clone(&changed);
        let begun = || -> notify::Result<_> {
            guild_files::files::create_own_folder(self.folder())?;
            let mut watcher = watcher(move |_| notifier.notify_one())?;
            watcher.watch(self.folder(), RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let watcher = begun().map_err(|error| {
            let folder = self.folder().to_owned();
            let trouble = LogError::LogUnwatched(folder, error.to_string());
            Report::from_error(Code::LogUnwritable, &trouble)
        })?;
        let path = self.files(member).current();
        let mut file = File::open(&path).ok();
        if let Some(file) = &mut file {
            // Only new lines are followed, since callers read existing lines as a page.
            let _ = file.seek(SeekFrom::End(0));
        }
        Ok(LogTail {
            changed,
            _watcher: watcher,
            wanted: LogLineMatcher::new(filter),
            reading: Some(LogFileReader {
                path,
                file,
                begun: vec![],
            }),
        })
    }
}

impl LogTail {
    /// Waits for the next lines.
    ///
    /// # Errors
    /// `log-unwritable` when the file can't be read any longer.
    pub async fn next(&mut self) -> Result<Vec<LogLine>, Report> {
        loop {
            let Some(mut reading) = self.reading.take() else {
                // An earlier read was cancelled, so the position in the file is unknown.
                return Err(unreadable(&io::Error::other(FileFault::BrokenOff)));
            };
            let task = tokio::task::spawn_blocking(move || {
                let read = reading.read();
                (reading, read)
            });
            let (reading, read) = task
                .await
                .map_err(|error| unreadable(&io::Error::other(error)))?;
            self.reading = Some(reading);
            let mut lines = read.map_err(|error| unreadable(&error))?;
            let nothing_new = lines.is_empty();
            lines.retain(|line| self.wanted.fits(line));
            if !lines.is_empty() {
                return Ok(lines);
            }
            if nothing_new {
                self.changed.notified().await;
            }
        }
    }
}

fn unreadable(error: &io::Error) -> Report {
    let trouble = LogError::LogEnded(io_message(error));
    Report::from_error(Code::LogUnwritable, &trouble)
}

impl LogFileReader {
    /// Reads new lines. Empty if there are none.
    fn read(&mut self) -> io::Result<Vec<LogLine>> {
        loop {
            let moved_on = self.has_moved_on();
            if let Some(file) = &mut self.file {
                let mut chunk = Vec::new();
                file.take(CHUNK).read_to_end(&mut chunk)?;
                if !chunk.is_empty() {
                    self.begun.extend_from_slice(&chunk);
                    let lines = self.whole_lines();
                    if lines.is_empty() {
                        continue;
                    }
                    return Ok(lines);
                }
            }
            // The file was replaced before the last read began, so that read has reached the end of
            // the old file.
            if !moved_on {
                return Ok(vec![]);
            }
            self.begun.clear();
            self.file = Some(File::open(&self.path)?);
        }
    }

    /// Checks whether the path leads to another file than the open one.
    fn has_moved_on(&self) -> bool {
        let Ok(there) = self.path.metadata() else {
            return false;
        };
        let Some(Ok(here)) = self.file.as_ref().map(File::metadata) else {
            return true;
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            (here.dev(), here.ino()) != (there.dev(), there.ino())
        }
        #[cfg(not(unix))]
        {
            here.created().ok() != there.created().ok()
        }
    }

    fn whole_lines(&mut self) -> Vec<LogLine> {
        let Some(end) = self.begun.iter().rposition(|&byte| byte == b'\n') else {
            if self.begun.len() > BEGUN_MAX {
                self.begun.clear();
            }
            return vec![];
        };
        let rest = self.begun.split_off(end + 1);
        let whole = std::mem::replace(&mut self.begun, rest);
        whole
            .split(|&byte| byte == b'\n')
            .filter_map(line::read)
            .collect()
    }
}
