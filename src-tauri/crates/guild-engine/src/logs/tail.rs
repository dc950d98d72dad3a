//! New lines of a member's file, for another process than the hall's: the system tells when the
//! file changes, nobody asks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use guild_core::note::{FileFault, HistoryTrouble, Told as _};
use guild_core::wire::{LogFilter, LogLine};
use guild_core::{Code, MemberName, Report};
use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::line::{self, Wanted};
use super::page::MemberLogs;
use crate::files::folders::watcher;

/// How much is read at a time, in bytes.
const CHUNK: u64 = 1 << 20;
/// The longest beginning of a line that is kept until its end comes, in bytes.
const BEGUN_MAX: usize = 256 << 10;

/// Follows the end of a member's log.
pub struct LogTail {
    changed: Arc<Notify>,
    _watcher: notify::RecommendedWatcher,
    wanted: Wanted,
    reading: Option<Reading>,
}

struct Reading {
    path: PathBuf,
    file: Option<File>,
    /// A line whose end has not come.
    begun: Vec<u8>,
}

impl MemberLogs {
    /// Follows what is written from now on. Blocking.
    ///
    /// # Errors
    /// `log-unwritable` when the folder can't be made or watched.
    pub fn follow(&self, member: &MemberName, filter: &LogFilter) -> Result<LogTail, Report> {
        let changed = Arc::new(Notify::new());
        let notifier = Arc::clone(&changed);
        let begun = || -> notify::Result<_> {
            crate::files::create_own_folder(self.folder())?;
            let mut watcher = watcher(move |_| notifier.notify_one())?;
            watcher.watch(self.folder(), RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let watcher = begun().map_err(|error| {
            let folder = self.folder().to_owned();
            let trouble = HistoryTrouble::LogUnwatched(folder, error.to_string());
            Report::told(Code::LogUnwritable, &trouble)
        })?;
        let path = self.files(member).current();
        let mut file = File::open(&path).ok();
        if let Some(file) = &mut file {
            // What is there already is another's to show.
            let _ = file.seek(SeekFrom::End(0));
        }
        Ok(LogTail {
            changed,
            _watcher: watcher,
            wanted: Wanted::new(filter),
            reading: Some(Reading {
                path,
                file,
                begun: vec![],
            }),
        })
    }
}

impl LogTail {
    /// The next lines, as soon as there are any.
    ///
    /// # Errors
    /// `log-unwritable` when the file can't be read any more.
    pub async fn next(&mut self) -> Result<Vec<LogLine>, Report> {
        loop {
            let Some(mut reading) = self.reading.take() else {
                // A read was given up half-way: nothing is known of where it stood.
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
    let trouble = HistoryTrouble::LogEnded(error.told());
    Report::told(Code::LogUnwritable, &trouble)
}

impl Reading {
    /// Reads some of what is new; nothing where there is nothing.
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
            // All of the old file is read only once the new one has been seen.
            if !moved_on {
                return Ok(vec![]);
            }
            self.begun.clear();
            self.file = Some(File::open(&self.path)?);
        }
    }

    /// Whether another file has the name now.
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
