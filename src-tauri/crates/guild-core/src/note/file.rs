//! Why a file is not read, or not written, where the system itself has nothing against it.

use std::path::PathBuf;

use super::{Told, Ungrouped, notes};

notes! {
    /// Why a file is not read, or not written: the rest of a sentence. It goes where errors of the system
    /// go, within one of those, and is told by it.
    FileFault;
    /// It is a folder, a pipe or a device.
    NotRegular
        "it is no regular file";
    /// It has too many bytes.
    TooLarge(most: u64)
        "it is larger than {most} bytes, the most that is read";
    /// It is no text.
    NoText
        "it is no text in UTF-8";
    /// It has no names with texts; what stands there is not told.
    NoTexts(line: Ungrouped<usize>, column: Ungrouped<usize>)
        "no object of texts at {line}:{column}";
    /// Its link ends at no file.
    LeadsNowhere
        "it is a link that leads nowhere";
    /// Nobody may write it.
    ReadOnly
        "it is marked as read-only";
    /// Nothing more can be kept beside it.
    ManyKept(file: PathBuf, most: u32)
        "there are files {file}.kept-1 to {file}.kept-{most} already";
    /// What is begun is taken for what was left.
    Removed
        "other programs remove what is written";
    /// It is not to be had.
    Held
        "another program is changing it";
    /// Two wrote it at once.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written at the same moment, and a text of it is kept in {kept}";
    /// It does not come to rest.
    Restless(file: PathBuf)
        "{file} is written again and again";
    /// A folder, a pipe or a device is where it should be.
    PlaceTaken
        "something else than a file stands in its place";
    /// It is a folder, a pipe or a device, and should be a log.
    NoFile
        "it is no file";
    /// Somebody stopped listening while it was read.
    BrokenOff
        "its reading was broken off";
    /// An archive has no place for it.
    LongName
        "a name is too long";
    /// A line that another program sends has too many bytes.
    LongLine(most: usize)
        "a line is longer than {most} bytes";
    /// One of several.
    Of(file: String, why: String)
        "{file}: {why}";
}

impl std::error::Error for FileFault {}

/// Its own words, where it has a [`FileFault`] within; the system's otherwise.
impl Told for std::io::Error {
    fn told(&self) -> String {
        let within = self.get_ref();
        match within.and_then(|within| within.downcast_ref::<FileFault>()) {
            Some(fault) => fault.told(),
            None if is_files_limit(self) => FilesLimit::Reached(self.to_string()).told(),
            None => self.to_string(),
        }
    }
}

/// Whether an operation failed because this process has as many files open as it may.
pub fn is_files_limit(error: &std::io::Error) -> bool {
    // EMFILE has the same number on all Unix systems; ERROR_TOO_MANY_OPEN_FILES.
    let code = if cfg!(unix) { 24 } else { 4 };
    error.raw_os_error() == Some(code)
}

notes! {
    /// What the system says where a process has as many files open as it may: a part of a sentence.
    FilesLimit;
    /// The limit is reached.
    Reached(error: String)
        "{error}; Guild Hall has as many files and connections open as the limit (`ulimit -n`) allows";
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        let message = Error::from_raw_os_error(24).told();
        assert!(message.contains("ulimit -n"), "{message}");
        // ENFILE is the limit of the whole system.
        let message = Error::from_raw_os_error(23).told();
        assert!(!message.contains("ulimit -n"), "{message}");
    }

    #[test]
    fn system_error_has_the_fault_within() {
        let error = Error::new(ErrorKind::FileTooLarge, FileFault::TooLarge(9));
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        let expected = "it is larger than 9 bytes, the most that is read";
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.told(), expected);
        let of = FileFault::Of("a.json".to_owned(), error.told());
        assert_eq!(
            Error::other(of).told(),
            "a.json: it is larger than 9 bytes, the most that is read"
        );
        let others = Error::other("disk on fire");
        assert_eq!(others.told(), "disk on fire");
    }
}
