//! A file of another program: read whole, replaced whole.

use std::io;
use std::path::{Path, PathBuf};

use guild_core::client_config::{FILE_MAX, Untouchable};
use guild_core::note::{ClientFileTrouble, Told};
use guild_core::{Code, Report};

use crate::files::read_bounded;
use crate::files::replacing::{Replaced, real, replace_unchanged};

/// A file as it was found.
#[derive(Debug)]
pub(super) struct Target {
    /// Where the program looks for it.
    pub(super) path: PathBuf,
    /// Where it is, if that is a link.
    pub(super) real: PathBuf,
    /// What stands in it; `None` where there is none.
    pub(super) text: Option<String>,
}

impl Target {
    /// Reads a file, wherever a link leads.
    ///
    /// # Errors
    /// `client-config-refused` when it is there and can't be read as text.
    pub(super) fn read(path: &Path) -> Result<Self, Report> {
        let refused = |error: io::Error| refused(path, &error);
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
            let trouble = ClientFileTrouble::NoText(path.to_owned());
            Report::told(Code::ClientConfigRefused, &trouble)
        })?;
        Ok(Self {
            path: path.to_owned(),
            real,
            text: Some(text),
        })
    }

    /// Why the text is not touched.
    pub(super) fn refused(&self, error: &Untouchable) -> Report {
        refused(&self.path, error)
    }

    /// Replaces the file whole or not at all. Its permissions stay; a new one is for its user
    /// alone, since there is a token in it.
    ///
    /// # Errors
    /// `client-config-changed` where its program wrote to it since it was read, `file-unwritable`;
    /// the file then stands as it was.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Report> {
        let before = self.text.as_deref().map(str::as_bytes);
        match replace_unchanged(&self.real, before, bytes, FILE_MAX as u64) {
            Ok(Replaced::Done) => Ok(()),
            Ok(Replaced::Changed) => Err(self.changed()),
            Ok(Replaced::Beside(kept)) => Err(self.kept_beside(&kept)),
            Err(error) => Err(self.unwritable(&error)),
        }
    }

    /// It is another than it was when a person saw it.
    pub(super) fn changed(&self) -> Report {
        let trouble = ClientFileTrouble::Changed(self.path.clone());
        Report::told(Code::ClientConfigChanged, &trouble)
    }

    /// Two texts of it were written in the moment that it was to be replaced.
    fn kept_beside(&self, kept: &Path) -> Report {
        let trouble = ClientFileTrouble::WrittenByTwo(self.path.clone(), kept.to_owned());
        Report::told(Code::ClientConfigChanged, &trouble)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// `file-unwritable`.
    pub(super) fn remove(&self) -> Result<(), Report> {
        std::fs::remove_file(&self.real).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &io::Error) -> Report {
        let trouble = ClientFileTrouble::Unwritable(self.path.clone(), error.told());
        Report::told(Code::FileUnwritable, &trouble)
    }
}

fn refused(path: &Path, problem: &impl Told) -> Report {
    let trouble = ClientFileTrouble::Refused(path.to_owned(), problem.told());
    Report::told(Code::ClientConfigRefused, &trouble)
}
