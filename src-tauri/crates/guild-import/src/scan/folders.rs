//! The project folders and workspace files that a person added, stored in the data folder.

use std::io;
use std::path::{Path, PathBuf};

use guild_api::wire::FOUND_FOLDERS_MAX;
use guild_files::messages::InstallError;
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 256 * 1024;
/// File extension of VS Code workspace files.
const WORKSPACE: &str = "code-workspace";

/// The content of `found.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ScanFoldersFile {
    folders: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct Remembered {
    file: PathBuf,
    /// Serializes changes.
    changing: Mutex<()>,
}

impl Remembered {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            file: data_dir.join("found.json"),
            changing: Mutex::default(),
        }
    }

    /// Returns the folders in the order in which they were added. Blocking.
    pub fn all(&self) -> Vec<PathBuf> {
        let kept = match read_bounded(&self.file, BYTES_MAX) {
            Ok(bytes) => {
                serde_json::from_slice::<ScanFoldersFile>(&bytes).map_err(io::Error::other)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ScanFoldersFile::default()),
            Err(error) => Err(error),
        };
        let mut folders = match kept {
            Ok(kept) => kept.folders,
            Err(error) => {
                tracing::warn!(file = %self.file.display(), %error, "no folders are remembered");
                Vec::new()
            }
        };
        folders.retain(|folder| folder.is_absolute());
        folders.truncate(FOUND_FOLDERS_MAX);
        folders
    }

    /// Adds a folder. Blocking.
    ///
    /// # Errors
    /// `project-unknown` if the folder does not exist, or there are too many folders.
    /// `data-unwritable`.
    pub fn add(&self, folder: &str) -> Result<(), Report> {
        let _one = self.changing.lock();
        let folder = wanted(folder)?;
        let mut folders = self.all();
        if folders.contains(&folder) {
            return Ok(());
        }
        if folders.len() >= FOUND_FOLDERS_MAX {
            let trouble = InstallError::ManyFolders(FOUND_FOLDERS_MAX);
            return Err(Report::from_error(Code::ProjectUnknown, &trouble));
        }
        folders.push(folder);
        self.write(folders)
    }

    /// Removes a folder. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub fn remove(&self, folder: &str) -> Result<(), Report> {
        let _one = self.changing.lock();
        let mut folders = self.all();
        folders.retain(|known| known != Path::new(folder));
        self.write(folders)
    }

    fn write(&self, folders: Vec<PathBuf>) -> Result<(), Report> {
        let written = || {
            self.file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            let bytes = serde_json::to_vec_pretty(&ScanFoldersFile { folders })
                .map_err(io::Error::other)?;
            write_atomically(&self.file, &bytes)
        };
        written().map_err(|error| {
            let trouble = InstallError::ListUnwritable(self.file.clone(), io_message(&error));
            Report::from_error(Code::DataUnwritable, &trouble)
        })
    }
}

pub(super) fn is_workspace(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == WORKSPACE)
}

fn wanted(folder: &str) -> Result<PathBuf, Report> {
    let unknown = |trouble| Report::from_error(Code::ProjectUnknown, &trouble);
    let named = folder.to_owned();
    let path = PathBuf::from(folder);
    if !path.is_absolute() {
        return Err(unknown(InstallError::NotWhole(named)));
    }
    match std::fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() || is_workspace(&path) => Ok(path),
        Ok(_) => Err(unknown(InstallError::NoFolder(named))),
        Err(error) => Err(unknown(InstallError::NotSearched(named, error.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_folders_are_as_good_as_none_and_are_written_anew() {
        let data = tempfile::tempdir().expect("a folder");
        let remembered = Remembered::new(data.path());
        let named = data.path().display().to_string();
        guild_tests::mangled::each("found-folders", |bytes| {
            std::fs::write(&remembered.file, bytes).expect("written");
            let before = remembered.all();
            assert!(before.len() <= FOUND_FOLDERS_MAX);
            assert!(before.iter().all(|folder| folder.is_absolute()));
            match remembered.add(&named) {
                Ok(()) => assert!(remembered.all().contains(&data.path().to_owned())),
                Err(report) => assert_eq!(report.code, Code::ProjectUnknown),
            }
        });
    }

    #[test]
    fn no_more_folders_are_remembered_than_are_searched() {
        let data = tempfile::tempdir().expect("a folder");
        let remembered = Remembered::new(data.path());
        let folder = |at: usize| data.path().join(at.to_string());
        for at in 0..=FOUND_FOLDERS_MAX {
            std::fs::create_dir(folder(at)).expect("made");
            let added = remembered.add(&folder(at).display().to_string());
            assert_eq!(added.is_ok(), at < FOUND_FOLDERS_MAX, "{added:?}");
        }
        remembered
            .remove(&folder(0).display().to_string())
            .expect("written");
        let last = folder(FOUND_FOLDERS_MAX);
        remembered
            .add(&last.display().to_string())
            .expect("there is room");
        assert_eq!(remembered.all().last(), Some(&last));
    }
}
