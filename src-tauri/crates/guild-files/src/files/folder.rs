//! Creates folders atomically.

use std::fs::{File, FileType};
use std::io;
use std::path::Path;

use crate::messages::FileFault;
use tempfile::TempDir;

use super::{TRIES, remove_orphans, sync_folder};

/// A temporary folder that is filled and then renamed. It is removed if it is dropped before the
/// rename.
#[derive(Debug)]
pub struct FolderAside {
    folder: TempDir,
    /// The lock that shows other programs that the folder is not an orphan. `None` on systems that
    /// can't open folders.
    lock: Option<File>,
}

impl FolderAside {
    /// Creates a temporary folder in `parent`. Its name starts with `prefix`.
    ///
    /// # Errors
    /// I/O errors.
    pub fn begin(parent: &Path, prefix: &str) -> io::Result<Self> {
        for _ in 0..TRIES {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
            // Another program inspected the folder after its creation and before its locking, and
            // is removing it.
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

    /// Renames the folder to its final path.
    ///
    /// # Errors
    /// I/O errors. The folder is then removed.
    pub fn put_in_place(self, place: &Path) -> io::Result<()> {
        sync_folder(self.path());
        std::fs::rename(self.path(), place)?;
        // The folder has its final name now, so the drop must not remove it.
        let _ = self.folder.keep();
        drop(self.lock);
        place.parent().map(sync_folder);
        Ok(())
    }

    /// Leaves the temporary folder behind, as a killed program would.
    #[cfg(test)]
    pub fn left(self) -> std::path::PathBuf {
        self.folder.keep()
    }
}

/// Removes orphaned temporary folders of killed programs.
pub fn clear_folders(parent: &Path, prefix: &str) {
    let open = |path: &Path| File::open(path);
    remove_orphans(parent, prefix, FileType::is_dir, open, |path| {
        std::fs::remove_dir_all(path)
    });
}
