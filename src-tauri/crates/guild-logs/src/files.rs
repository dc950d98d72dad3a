//! Append-only files with a size limit: `NAME.log`, and older ones as `NAME.log.1` and so on.
//!
//! A file is opened for each batch and closed again. Thus a thousand members need no open files,
//! and a file that was removed is created again. Written data survives a crash of this program. A
//! power failure may lose the last seconds.

use std::cmp::Reverse;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use guild_files::files::{create_own_folder, open_lock};
use guild_files::messages::FileFault;

/// Limits of the stored data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLimits {
    /// Maximum size of one file, in bytes.
    pub(crate) file_bytes: u64,
    /// Maximum number of files of one log, the current one included.
    pub files: u32,
    /// Maximum size of all members' files together, in bytes.
    pub(crate) all_bytes: u64,
}

/// The limits of a hall: 16 MiB per member, 256 MiB for all members.
pub(crate) const LIMITS: LogLimits = LogLimits {
    file_bytes: 4 << 20,
    files: 4,
    all_bytes: 256 << 20,
};

/// The lock file, which is locked during a rotation.
const LOCK_FILE: &str = ".rotating";
/// How far the clock of a file server may be ahead of the local clock.
const SKEW: Duration = Duration::from_secs(60);
/// Number of bytes at the end of a file in which its last line is searched.
const TAIL_BYTES: u64 = 64 << 10;

/// The current and the rotated files of one log.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
    name: String,
    limits: LogLimits,
}

/// The result of appending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// Appended to the current file.
    Here,
    /// Written to a new file.
    InNewFile,
}

impl Files {
    pub(crate) fn new(folder: &Path, name: String, limits: LogLimits) -> Self {
        Self {
            folder: folder.to_owned(),
            name,
            limits,
        }
    }

    /// Returns the current file's name, without the folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn current(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn older(&self, turn: u32) -> PathBuf {
        self.folder.join(format!("{}.{turn}", self.name))
    }

    /// Returns the paths of all possible files, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let older = (1..self.limits.files).map(|turn| self.older(turn));
        std::iter::once(self.current()).chain(older)
    }

    /// Appends whole lines. If an earlier write was incomplete, first adds a line end.
    ///
    /// # Errors
    /// I/O errors.
    pub fn append(&self, text: &str) -> io::Result<Appended> {
        let mut appended = Appended::Here;
        let mut file = self.open()?;
        let size = file.metadata()?.len();
        if size > 0 && size + text.len() as u64 > self.limits.file_bytes && self.rotate()? {
            file = self.open()?;
            appended = Appended::InNewFile;
        } else if size > 0 {
            let mut last = [0];
            file.seek(SeekFrom::Start(size - 1))?;
            // A full disk or a power failure may have interrupted the last write.
            if file.read(&mut last)? == 1 && last != *b"\n" {
                file.write_all(b"\n")?;
            }
        }
        file.write_all(text.as_bytes())?;
        Ok(appended)
    }

    fn open(&self) -> io::Result<File> {
        create_own_folder(&self.folder)?;
        let path = self.current();
        // Opening a pipe may block forever.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                FileFault::PlaceTaken,
            ));
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)
    }

    /// Rotates the files. Returns false if another program is rotating them.
    fn rotate(&self) -> io::Result<bool> {
        let lock = open_lock(&self.folder.join(LOCK_FILE))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        for turn in (1..self.limits.files).rev() {
            let from = match turn {
                1 => self.current(),
                _ => self.older(turn - 1),
            };
            match std::fs::rename(from, self.older(turn)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Returns the result of `read` for the last line that it accepts.
    pub fn last<T>(&self, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        // After a rotation, the newest file may have no lines yet.
        self.newest_first().take(2).find_map(|path| {
            let tail = tail(&path, TAIL_BYTES).ok()?;
            let mut lines = tail.rsplit(|&byte| byte == b'\n');
            lines.find_map(&read)
        })
    }

    /// Returns the last bytes of the log, at most `max`, and whether the log is longer.
    pub fn end(&self, max: u64) -> io::Result<(Vec<u8>, bool)> {
        let mut parts = Vec::new();
        let mut left = max;
        for path in self.newest_first() {
            match tail(&path, left) {
                Ok(bytes) => {
                    left -= bytes.len() as u64;
                    parts.push(bytes);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(error),
            }
            if left == 0 {
                break;
            }
        }
        parts.reverse();
        Ok((parts.concat(), left == 0))
    }

    /// Returns the last bytes of one file, at most twice the size limit of a file.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A file may exceed its limit by a batch while another program rotates the files.
        tail(path, 2 * self.limits.file_bytes)
    }
}

/// Returns the last bytes of a file.
fn tail(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            FileFault::NoFile,
        ));
    }
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(max)))?;
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(max)).unwrap_or(0));
    file.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Removes members' log files until the remaining files fit in `max` bytes. The least recently
/// written files are removed first, and the older files of a log before its newer ones. The file
/// `written` and the files that `spare` accepts always stay.
///
/// `now` is the current wall-clock time. If the clock was set back, files may be newer than `now`.
/// Such a file was written before the clock was set back, and counts as older than all others.
pub fn prune(
    folder: &Path,
    max: u64,
    now: SystemTime,
    written: &str,
    spare: impl Fn(&str) -> bool,
) -> io::Result<()> {
    let mut files = Vec::new();
    let mut total = 0_u64;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !spare(name)) else {
            continue;
        };
        let Some((of, turn)) = turn_of(name) else {
            continue;
        };
        let metadata = entry.metadata()?;
        if metadata.is_file() {
            total += metadata.len();
            let at = metadata.modified().unwrap_or(UNIX_EPOCH);
            let at = (at <= now + SKEW, at);
            files.push((of.to_owned(), turn, at, name.to_owned(), metadata.len()));
        }
    }
    files.sort_unstable();
    let mut newer = None;
    for (of, _, at, ..) in &mut files {
        if let Some((newer_of, newer_at)) = &newer
            && newer_of == of
        {
            *at = (*at).min(*newer_at);
        }
        newer = Some((of.clone(), *at));
    }
    files.sort_by_key(|&(_, turn, at, ..)| (at, Reverse(turn)));
    for (_, _, _, name, bytes) in files {
        if total <= max {
            break;
        }
        if name == written {
            continue;
        }
        std::fs::remove_file(folder.join(name))?;
        total -= bytes;
    }
    Ok(())
}

/// Parses `NAME.log` or `NAME.log.1`. `None` for any other name.
fn turn_of(name: &str) -> Option<(&str, u32)> {
    if name.ends_with(".log") {
        return Some((name, 0));
    }
    let (of, turn) = name.rsplit_once('.')?;
    let turn = turn.parse().ok()?;
    of.ends_with(".log").then_some((of, turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: LogLimits = LogLimits {
        file_bytes: 20,
        files: 3,
        all_bytes: 50,
    };

    fn text(path: PathBuf) -> String {
        std::fs::read_to_string(path).unwrap_or_default()
    }

    #[test]
    fn old_lines_move_on_and_the_oldest_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(&folder.path().join("logs"), "forge.log".into(), SMALL);
        for number in 0..8 {
            let appended = files
                .append(&format!("line {number} --\n"))
                .expect("written");
            let new = number > 0 && number % 2 == 0;
            assert_eq!(appended == Appended::InNewFile, new, "line {number}");
        }
        let found: Vec<_> = files.newest_first().map(text).collect();
        let expected = [
            "line 6 --\nline 7 --\n",
            "line 4 --\nline 5 --\n",
            "line 2 --\nline 3 --\n",
        ];
        assert_eq!(found, expected);
        let last = files.last(|line| (!line.is_empty()).then(|| line.to_vec()));
        assert_eq!(last.as_deref(), Some(&b"line 7 --"[..]));
    }

    #[test]
    fn a_torn_line_is_ended_before_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path(), "forge.log".into(), LIMITS);
        std::fs::write(files.current(), "whole\nto").expect("written");
        files.append("next\n").expect("written");
        assert_eq!(text(files.current()), "whole\nto\nnext\n");
    }

    /// Creates 20-byte files with these ages in seconds, and returns the remaining ones.
    fn left(files: &[(i64, &str)], max: u64, written: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let now = SystemTime::now();
        for &(age, name) in files {
            let file = File::create(folder.path().join(name)).expect("made");
            file.set_len(20).expect("sized");
            let apart = Duration::from_secs(age.unsigned_abs());
            let then = if age < 0 { now + apart } else { now - apart };
            file.set_modified(then).expect("set");
        }
        prune(folder.path(), max, now, written, |name| name == "own.log").expect("pruned");
        let mut left: Vec<_> = std::fs::read_dir(folder.path())
            .expect("listed")
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("text"))
            .collect();
        left.sort();
        left
    }

    #[test]
    fn the_longest_untouched_go_first_and_others_stay() {
        let files = [
            (3, "a.log.1"),
            (1, "a.log"),
            (2, "b.log"),
            (9, "own.log"),
            (9, "x"),
            (9, "x.1"),
        ];
        let kept = ["a.log", "b.log", "own.log", "x", "x.1"];
        assert_eq!(left(&files, 45, "a.log"), kept);
    }

    #[test]
    fn newest_logs_stay_after_a_clock_reset() {
        const DAY: i64 = 24 * 60 * 60;
        // The clock was set back by a day, so files from a minute before have tomorrow's date.
        let files = [
            (60 - DAY, "a.log.2"),
            (30 - DAY, "a.log.1"),
            (5, "a.log"),
            (20 - DAY, "b.log"),
            (2, "c.log"),
        ];
        assert_eq!(left(&files, 65, "a.log"), ["a.log", "b.log", "c.log"]);
        assert_eq!(left(&files, 25, "a.log"), ["a.log"]);
        // Half a minute of skew: older files of a name still go first, and the current one never
        // goes.
        let files = [(-20, "a.log.2"), (-25, "a.log.1"), (5, "a.log")];
        assert_eq!(left(&files, 45, "a.log"), ["a.log", "a.log.1"]);
        assert_eq!(left(&[(5, "a.log"), (1, "b.log")], 25, "a.log"), ["a.log"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_log_files_are_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path(), "forge.log".into(), LIMITS);
        std::fs::create_dir(files.current()).expect("made");
        assert!(files.append("line\n").is_err());
    }
}
