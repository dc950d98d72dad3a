//! A text that a person edits in their own editor, for the command line.

use std::path::PathBuf;

use guild_core::note::{ManagingTrouble, io_message};
use guild_core::{Code, Report};
use tempfile::TempDir;

use crate::files::{read_bounded, write_atomically};

/// A copy of a text in a private folder, which is removed with it.
#[derive(Debug)]
pub struct EditedCopy {
    folder: TempDir,
    file: PathBuf,
}

impl EditedCopy {
    /// Writes the text to a file with this name. Blocking.
    ///
    /// # Errors
    /// `file-unwritable`.
    pub fn begin(name: &str, text: &str) -> Result<Self, Report> {
        let begun = || {
            let folder = tempfile::Builder::new().prefix("guild-hall-").tempdir()?;
            let file = folder.path().join(name);
            write_atomically(&file, text.as_bytes())?;
            Ok(Self { folder, file })
        };
        begun().map_err(|error: std::io::Error| {
            let folder = std::env::temp_dir();
            let trouble = ManagingTrouble::NotCopied(folder, io_message(&error));
            Report::from_error(Code::FileUnwritable, &trouble)
        })
    }

    /// Opens the copy in an editor, waits until the editor is closed, and returns the text of at most
    /// `max` bytes. Blocking.
    ///
    /// # Errors
    /// `file-unwritable` if the editor can't be started or fails.
    pub fn edit(&self, editor: &str, max: u64) -> Result<String, Report> {
        let failed = |why: String| {
            let trouble = ManagingTrouble::EditorFailed(editor.to_owned(), why);
            Report::from_error(Code::FileUnwritable, &trouble)
        };
        let status = guild_process::editor::edit(editor, &self.file)
            .map_err(|error| failed(io_message(&error)))?;
        if !status.success() {
            return Err(failed(status.to_string()));
        }
        let bytes = read_bounded(&self.file, max).map_err(|error| failed(io_message(&error)))?;
        String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
    }

    /// Keeps the copy, and returns its path.
    pub fn keep(self) -> PathBuf {
        let _ = self.folder.keep();
        self.file
    }
}
