//! Creates folders atomically.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::messages::FileFault;
use tempfile::TempDir;

use super::sync_folder;

/// Most attempts to create a temporary folder that another program may remove as an orphan.
const TRIES: usize = 3;
/// Most entries of a folder that are inspected for orphans.
const ENTRIES_MAX: usize = 20_000;

/// A temporary folder that is filled and then renamed. Dropping it first removes it.
#[derive(Debug)]
pub struct FolderAside {
    folder: TempDir,
    /// While held, the folder does not count as an orphan. Without folder locks, no folder does.
    lock: Option<File>,
}

impl FolderAside {
    /// Creates one in `parent` with a name prefix.
    ///
    /// # Errors
    /// I/O errors.
    pub fn begin(parent: &Path, prefix: &str) -> io::Result<Self> {
        for _ in 0..TRIES {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
            // Another program inspected it between creation and locking, and removes it.
            let lock = match File::open(folder.path()) {
                Ok(lock) => lock,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => return Ok(Self { folder, lock: None }),
            };
            if lock.lock().is_err() || folder.path().exists() {
                let lock = Some(lock);
                return Ok(Self { folder, lock });
            }
        }
        Err(io::Error::other(FileFault::Removed))
    }

    /// Returns the temporary path, where the caller writes the content.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Renames the folder to its final place.
    ///
    /// # Errors
    /// I/O errors. The folder is then removed.
    pub fn put_in_place(self, place: &Path) -> io::Result<()> {
        sync_folder(self.path());
        std::fs::rename(self.path(), place)?;
        // It has been renamed and must not be removed.
        let _ = self.folder.keep();
        drop(self.lock);
        place.parent().map(sync_folder);
        Ok(())
    }

    /// Leaves the folder like a killed program.
    #[cfg(test)]
    pub fn left(self) -> std::path::PathBuf {
        self.folder.keep()
    }
}

/// Removes orphaned temporary folders of killed programs.
pub fn clear_folders(parent: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.take(ENTRIES_MAX).flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // A living creator holds the lock.
        let Ok(folder) = File::open(entry.path()) else {
            continue;
        };
        if folder.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(folder = %entry.path().display(), %error, "an old folder stays");
        }
    }
}
