//! Reads pages of old lines, newest first. The lines in memory and in files count as one log.

use std::path::{Path, PathBuf};

use crate::messages::LogError;
use guild_api::wire::{LOG_PAGE_MAX, LOG_QUERY_MAX, LogFilter, LogLine, LogPage};
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};

use super::files::{Files, LIMITS};
use super::line::{self, LogLineMatcher};
use super::{FOLDER, OWN_FILE, files_of};

/// Maximum number of bytes that are searched for one page: about a tenth of a second.
const SHARE: u64 = 8 << 20;

/// The files of the members' logs. Reading them requires no running hall.
#[derive(Debug, Clone)]
pub struct MemberLogs {
    folder: PathBuf,
}

impl MemberLogs {
    /// Returns the logs of a data folder.
    pub fn of(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join(FOLDER),
        }
    }

    /// Returns the folder of the log files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a member has a log.
    pub fn has(&self, member: &MemberName) -> bool {
        self.files(member).newest_first().any(|file| file.is_file())
    }

    /// Returns the file with a member's newest lines. Blocking.
    pub fn newest_file(&self, member: &MemberName) -> Option<PathBuf> {
        self.files(member)
            .newest_first()
            .find(|file| file.is_file())
    }

    /// Returns the files of the program's log.
    pub fn own(&self) -> Files {
        Files::new(&self.folder, OWN_FILE.to_owned(), LIMITS)
    }

    /// Returns a member's current and rotated files, whether or not they exist.
    pub fn files(&self, member: &MemberName) -> Files {
        files_of(&self.folder, member, LIMITS)
    }

    /// Returns a page of a member's log. `recent` are the lines in memory, oldest first. They may
    /// also be in the files. Blocking.
    pub fn page(
        &self,
        member: &MemberName,
        filter: &LogFilter,
        before: Option<u64>,
        limit: usize,
        recent: &[LogLine],
    ) -> LogPage {
        let extent = LogSearchLimits {
            lines: limit.clamp(1, LOG_PAGE_MAX),
            bytes: SHARE,
        };
        self.search(member, filter, before, extent, recent)
    }

    fn search(
        &self,
        member: &MemberName,
        filter: &LogFilter,
        before: Option<u64>,
        extent: LogSearchLimits,
        recent: &[LogLine],
    ) -> LogPage {
        let mut page = LogPageBuilder {
            wanted: LogLineMatcher::new(&LogFilter {
                contains: filter.contains[..filter.contains.floor_char_boundary(LOG_QUERY_MAX)]
                    .to_owned(),
                start: filter.start,
            }),
            limit: extent.lines,
            before: before.unwrap_or(u64::MAX),
            newest_first: vec![],
            done: false,
        };
        page.take(recent.iter().rev().map(|line| (line.clone(), 0)), &mut 0);
        if let Some(oldest) = recent.first()
            && !page.is_full()
        {
            page.before = page.before.min(oldest.seq);
        }
        let mut answer = LogPage {
            member: member.clone(),
            lines: vec![],
            before: None,
            searched_bytes: 0,
            total_bytes: 0,
            folder: self.folder.display().to_string(),
            problem: None,
        };
        self.go_through(&self.files(member), extent.bytes, &mut page, &mut answer);
        answer.before = (!page.done).then_some(page.before);
        page.newest_first.reverse();
        answer.lines = page.newest_first;
        answer
    }

    /// Returns all lines of a member's log as text in file format, and their number. Blocking.
    ///
    /// # Errors
    /// `log-unwritable` when a file can't be read.
    pub fn whole(
        &self,
        member: &MemberName,
        filter: &LogFilter,
        recent: &[LogLine],
    ) -> Result<(String, usize), Report> {
        let all = LogSearchLimits {
            lines: usize::MAX,
            bytes: u64::MAX,
        };
        let page = self.search(member, filter, None, all, recent);
        if let Some(problem) = page.problem {
            return Err(problem);
        }
        let mut text = String::new();
        let lines = page.lines.iter();
        let count = lines.map(|each| line::write(each, &mut text)).count();
        Ok((text, count))
    }

    fn go_through(
        &self,
        files: &Files,
        mut share: u64,
        page: &mut LogPageBuilder,
        answer: &mut LogPage,
    ) {
        let sizes: Vec<(PathBuf, u64)> = files
            .newest_first()
            .filter_map(|path| {
                let size = path.metadata().ok()?.len();
                Some((path, size))
            })
            .collect();
        answer.total_bytes = sizes.iter().map(|(_, size)| size).sum();
        for (path, size) in sizes {
            if page.is_full() || page.done || share == 0 {
                return;
            }
            let bytes = match files.read(&path) {
                Ok(bytes) => bytes,
                // The file was rotated in the meantime, so the next name leads to it.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => {
                    answer.problem = Some(self.unreadable(&path, &error));
                    continue;
                }
            };
            let old = page.before;
            let mut gone_through = 0;
            page.take(lines_backwards(&bytes), &mut gone_through);
            answer.searched_bytes += if page.is_full() { gone_through } else { size };
            // If all lines of the file were already searched for earlier pages, its size does not
            // count.
            if page.before < old {
                share = share.saturating_sub(bytes.len() as u64);
            }
        }
        page.done |= !page.is_full() && share > 0 || answer.searched_bytes >= answer.total_bytes;
    }

    fn unreadable(&self, path: &Path, error: &std::io::Error) -> Report {
        let trouble = LogError::LogUnreadable(path.to_owned(), io_message(error));
        Report::from_error(Code::LogUnwritable, &trouble)
    }
}

/// Returns the lines of a file, the last one first, each with the number of bytes from the line's
/// beginning to the end of the file.
fn lines_backwards(bytes: &[u8]) -> impl Iterator<Item = (LogLine, u64)> + '_ {
    let mut far = 0;
    // Text after the last line end is still being written.
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end);
    bytes[..whole]
        .rsplit(|&byte| byte == b'\n')
        .filter_map(move |line| {
            far += line.len() as u64 + 1;
            line::read(line).map(|line| (line, far))
        })
}

#[derive(Debug, Clone, Copy)]
struct LogSearchLimits {
    lines: usize,
    bytes: u64,
}

/// A page under construction.
struct LogPageBuilder {
    wanted: LogLineMatcher,
    limit: usize,
    /// Only lines with a lower number are added to the page.
    before: u64,
    newest_first: Vec<LogLine>,
    /// Whether no further line can match: the remaining lines are of earlier starts, or none
    /// remain.
    done: bool,
}

impl LogPageBuilder {
    fn is_full(&self) -> bool {
        self.newest_first.len() >= self.limit
    }

    fn take(&mut self, lines: impl Iterator<Item = (LogLine, u64)>, gone_through: &mut u64) {
        for (line, far) in lines {
            if self.is_full() {
                return;
            }
            *gone_through = far;
            if line.seq >= self.before {
                continue;
            }
            self.before = line.seq;
            if self.wanted.start.is_some_and(|start| line.start < start) {
                self.done = true;
                return;
            }
            if self.wanted.fits(&line) {
                self.newest_first.push(line);
            }
        }
    }
}
