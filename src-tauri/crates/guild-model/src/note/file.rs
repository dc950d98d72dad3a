//! Errors of files that the system itself does not report.

use guild_text::number::grouped;
use std::path::PathBuf;
use thiserror::Error;

/// A problem of a file. An `io::Error` carries it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileFault {
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it is larger than {most} bytes, which is the limit", most = grouped(.0))]
    TooLarge(u64),
    #[error("it has more than {most} files and folders, which is the limit", most = grouped(.0))]
    ManyEntries(usize),
    #[error("its folders are nested deeper than {most} levels, which is the limit", most = grouped(.0))]
    DeepFolder(usize),
    #[error("not an object of strings at {0}:{1}")]
    NoTexts(usize, usize),
    #[error("it is a broken link")]
    LeadsNowhere,
    #[error("it is marked as read-only")]
    ReadOnly,
    #[error("the files {0}.kept-1 to {0}.kept-{1} already exist")]
    ManyKept(PathBuf, u32),
    #[error("another app keeps removing the file")]
    Removed,
    #[error("another app is changing it")]
    Held,
    #[error("it is not a file")]
    PlaceTaken,
    #[error("it is not a file")]
    NoFile,
    #[error("reading it was cancelled")]
    BrokenOff,
    #[error("a name is too long")]
    LongName,
    #[error("a line is longer than {most} bytes", most = grouped(.0))]
    LongLine(usize),
}

/// The text of an error of the system, which names the limit of open files where that is reached.
pub fn io_message(error: &std::io::Error) -> String {
    match is_files_limit(error) {
        true => format!(
            "{error}; Guild Hall has reached its limit of open files and connections \
             (`ulimit -n`)"
        ),
        false => error.to_string(),
    }
}

/// Whether an operation failed because this process has as many files open as it may.
pub fn is_files_limit(error: &std::io::Error) -> bool {
    // EMFILE has the same number on all Unix systems; ERROR_TOO_MANY_OPEN_FILES.
    let code = if cfg!(unix) { 24 } else { 4 };
    error.raw_os_error() == Some(code)
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        let message = io_message(&Error::from_raw_os_error(24));
        assert!(message.contains("ulimit -n"), "{message}");
        // ENFILE is the limit of the whole system.
        let message = io_message(&Error::from_raw_os_error(23));
        assert!(!message.contains("ulimit -n"), "{message}");
    }
}
