//! Lets the user edit a string in their own editor, for the command line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::files::{read_bounded, write_atomically};
use crate::messages::ManagingError;
use guild_model::messages::io_message;
use guild_model::{Code, Report};

/// A file with a copy of a string, in a private folder. Dropping this value keeps the file, so that
/// no edits are lost. [`Self::remove`] deletes it.
#[derive(Debug, Clone)]
pub struct EditedCopy {
    folder: PathBuf,
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
            Ok(Self {
                folder: folder.keep(),
                file,
            })
        };
        begun().map_err(|error: std::io::Error| {
            let folder = std::env::temp_dir();
            let trouble = ManagingError::NotCopied(folder, io_message(&error));
            Report::from_error(Code::FileUnwritable, &trouble)
        })
    }

    /// Opens the copy in an editor, waits until the editor is closed, and returns the edited text.
    /// Blocking.
    ///
    /// # Errors
    /// `file-unwritable` if the editor can't be started or fails, or if the text exceeds `max`
    /// bytes or is not UTF-8.
    pub fn edit(&self, editor: &str, max: u64) -> Result<String, Report> {
        let failed = |why: String| {
            let trouble = ManagingError::EditorFailed(editor.to_owned(), why);
            Report::from_error(Code::FileUnwritable, &trouble)
        };
        let status = guild_process::editor::edit(editor, &self.file)
            .map_err(|error| failed(io_message(&error)))?;
        if !status.success() {
            return Err(failed(status.to_string()));
        }
        let unusable = |why: String| {
            let trouble = ManagingError::EditedTextUnusable(self.file.clone(), why);
            Report::from_error(Code::FileUnwritable, &trouble)
        };
        let bytes = read_bounded(&self.file, max).map_err(|error| unusable(io_message(&error)))?;
        String::from_utf8(bytes).map_err(|error| unusable(error.utf8_error().to_string()))
    }

    /// Whether the file exists and its content differs from `text`. A file that is larger than
    /// `text`, or that can't be read, counts as changed. Blocking.
    pub fn is_changed_from(&self, text: &str) -> bool {
        match read_bounded(&self.file, text.len() as u64) {
            Ok(bytes) => bytes != text.as_bytes(),
            Err(error) => error.kind() != ErrorKind::NotFound,
        }
    }

    /// Returns the path of the copy.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Removes the copy. Blocking.
    pub fn remove(&self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            tracing::warn!(folder = %self.folder.display(), %error, "an edited copy stays");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn failed_editor_keeps_changed_text() {
        let copy = EditedCopy::begin("plugin.json", "old").expect("begun");
        assert!(!copy.is_changed_from("old"));
        let editor = "edit() { printf new >\"$1\"; return 1; }; edit";
        copy.edit(editor, 100).expect_err("it fails");
        assert!(copy.is_changed_from("old"));
        assert_eq!(std::fs::read(copy.path()).expect("read"), b"new");
        let report = copy.edit("true", 2).expect_err("too large");
        assert!(report.message.contains("plugin.json"), "{report}");
        copy.remove();
        assert!(!copy.path().exists());
    }
}
