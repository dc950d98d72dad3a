//! Why a file is not read, or not written, where the system itself has nothing against it.

use std::path::PathBuf;

use super::{Each, Told, Ungrouped, notes};
use crate::language::Language;

notes! {
    /// Why a file is not read, or not written: the rest of a sentence. It goes where errors of the system
    /// go, within one of those, and is told by it.
    FileFault;
    /// It is a folder, a pipe or a device.
    NotRegular
        "it is no regular file"
        "es ist keine gewöhnliche Datei";
    /// It has too many bytes.
    TooLarge(most: u64)
        "it is larger than {most} bytes, the most that is read"
        "die Datei ist größer als {most} Bytes; mehr wird nicht gelesen";
    /// It is no text.
    NoText
        "it is no text in UTF-8"
        "es ist kein Text in UTF-8";
    /// It has no names with texts; what stands there is not told.
    NoTexts(line: Ungrouped<usize>, column: Ungrouped<usize>)
        "no object of texts at {line}:{column}"
        "kein Objekt mit Texten bei {line}:{column}";
    /// Its link ends at no file.
    LeadsNowhere
        "it is a link that leads nowhere"
        "es ist ein Link, der nirgendwohin führt";
    /// Nobody may write it.
    ReadOnly
        "it is marked as read-only"
        "die Datei ist als schreibgeschützt markiert";
    /// Nothing more can be kept beside it.
    ManyKept(file: PathBuf, most: u32)
        "there are files {file}.kept-1 to {file}.kept-{most} already"
        "es gibt schon die Dateien {file}.kept-1 bis {file}.kept-{most}";
    /// What is begun is taken for what was left.
    Removed
        "other programs remove what is written"
        "andere Programme entfernen, was geschrieben wird";
    /// It is not to be had.
    Held
        "another program is changing it"
        "ein anderes Programm ändert sie gerade";
    /// Two wrote it at once.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written at the same moment, and a text of it is kept in {kept}"
        "{file} wurde im selben Augenblick geschrieben, und ein Text davon liegt in {kept}";
    /// It does not come to rest.
    Restless(file: PathBuf)
        "{file} is written again and again"
        "{file} wird immer wieder geschrieben";
    /// A folder, a pipe or a device is where it should be.
    PlaceTaken
        "something else than a file stands in its place"
        "an seiner Stelle steht etwas anderes als eine Datei";
    /// It is a folder, a pipe or a device, and should be a log.
    NoFile
        "it is no file"
        "es ist keine Datei";
    /// Somebody stopped listening while it was read.
    BrokenOff
        "its reading was broken off"
        "das Lesen wurde abgebrochen";
    /// An archive has no place for it.
    LongName
        "a name is too long"
        "ein Name ist zu lang";
    /// A line that another program sends has too many bytes.
    LongLine(most: usize)
        "a line is longer than {most} bytes"
        "eine Zeile ist länger als {most} Bytes";
    /// One of several.
    Of(file: String, why: Each)
        "{file}: {why}"
        "{file}: {why}";
}

impl std::error::Error for FileFault {}

/// Its own words, where it has a [`FileFault`] within; the system's otherwise.
impl Told for std::io::Error {
    fn told(&self, language: Language) -> String {
        let within = self.get_ref();
        match within.and_then(|within| within.downcast_ref::<FileFault>()) {
            Some(fault) => fault.told(language),
            None if is_files_limit(self) => FilesLimit::Reached(self.to_string()).told(language),
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
        "{error}; Guild Hall has as many files and connections open as the limit (`ulimit -n`) allows"
        "{error}; Guild Hall hat so viele Dateien und Verbindungen offen, wie die Grenze (`ulimit -n`) erlaubt";
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        for language in [Language::En, Language::De] {
            let told = Error::from_raw_os_error(24).told(language);
            assert!(told.contains("ulimit -n"), "{told}");
            // ENFILE is the limit of the whole system.
            let told = Error::from_raw_os_error(23).told(language);
            assert!(!told.contains("ulimit -n"), "{told}");
        }
    }

    #[test]
    fn an_error_of_the_system_tells_what_is_put_into_it_in_each_language() {
        let error = Error::new(ErrorKind::FileTooLarge, FileFault::TooLarge(9));
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        let english = "it is larger than 9 bytes, the most that is read";
        assert_eq!(error.to_string(), english);
        assert_eq!(error.told(Language::En), english);
        assert_eq!(
            error.told(Language::De),
            "die Datei ist größer als 9 Bytes; mehr wird nicht gelesen"
        );
        let of = FileFault::Of("a.json".to_owned(), Each::from(&error));
        assert_eq!(
            Error::other(of).told(Language::De),
            "a.json: die Datei ist größer als 9 Bytes; mehr wird nicht gelesen"
        );
        let others = Error::other("disk on fire");
        assert_eq!(others.told(Language::De), "disk on fire");
    }
}
