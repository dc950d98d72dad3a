//! Another app's configuration file, read and replaced as a whole.

use std::io;
use std::path::{Path, PathBuf};

use crate::messages::ClientFileError;
use guild_client_config::{FILE_MAX, TextEditError};
use guild_model::messages::io_message;
use guild_model::{Code, Report};

use guild_files::files::read_bounded;
use guild_files::files::replacing::{Replaced, real, replace_unchanged};

#[derive(Debug)]
pub(super) struct ResolvedConfigFile {
    /// The path at which the app reads the file.
    pub(super) path: PathBuf,
    /// The path with all links resolved, at which the file is written.
    pub(super) real: PathBuf,
    /// The text of the file. `None` if the file did not exist.
    pub(super) text: Option<String>,
}

impl ResolvedConfigFile {
    /// Reads a file. Follows links.
    ///
    /// # Errors
    /// `client-config-refused` if it exists but can't be read as text.
    pub(super) fn read(path: &Path) -> Result<Self, Report> {
        let refused = |error: io::Error| refused(path, &io_message(&error));
        let real = real(path).map_err(refused)?;
        let bytes = match read_bounded(&real, FILE_MAX as u64) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self {
                    path: path.to_owned(),
                    real,
                    text: None,
                });
            }
            Err(error) => return Err(refused(error)),
        };
        let text = String::from_utf8(bytes).map_err(|_| {
            let trouble = ClientFileError::NoText(path.to_owned());
            Report::from_error(Code::ClientConfigRefused, &trouble)
        })?;
        Ok(Self {
            path: path.to_owned(),
            real,
            text: Some(text),
        })
    }

    /// Returns the report for a text that can't be edited.
    pub(super) fn refused(&self, error: &TextEditError) -> Report {
        refused(&self.path, error)
    }

    /// Replaces the file atomically. Its permissions stay. A new file is private, because it may
    /// contain a token.
    ///
    /// # Errors
    /// `client-config-changed` if an app changed the file after it was read, `file-unwritable`. The
    /// file then stays unchanged.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Report> {
        let before = self.text.as_deref().map(str::as_bytes);
        match replace_unchanged(&self.real, before, bytes, FILE_MAX as u64) {
            Ok(Replaced::Done) => Ok(()),
            Ok(Replaced::Changed) => Err(self.changed()),
            Ok(Replaced::Beside(kept)) => Err(self.kept_beside(&kept)),
            Err(error) => Err(self.unwritable(&error)),
        }
    }

    /// Returns the report for a file that changed since the preview.
    pub(super) fn changed(&self) -> Report {
        let trouble = ClientFileError::Changed(self.path.clone());
        Report::from_error(Code::ClientConfigChanged, &trouble)
    }

    /// Returns the report for a file that another app wrote at the same moment. `kept` is the copy
    /// of that app's version.
    fn kept_beside(&self, kept: &Path) -> Report {
        let trouble = ClientFileError::WrittenByTwo(self.path.clone(), kept.to_owned());
        Report::from_error(Code::ClientConfigChanged, &trouble)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// `file-unwritable`.
    pub(super) fn remove(&self) -> Result<(), Report> {
        std::fs::remove_file(&self.real).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &io::Error) -> Report {
        let trouble = ClientFileError::Unwritable(self.path.clone(), io_message(error));
        Report::from_error(Code::FileUnwritable, &trouble)
    }
}

fn refused(path: &Path, problem: &impl ToString) -> Report {
    let trouble = ClientFileError::Refused(path.to_owned(), problem.to_string());
    Report::from_error(Code::ClientConfigRefused, &trouble)
}
