//! Folders of our own that come to be whole or not at all.

use std::fs::File;
use std::io;
use std::path::Path;

use guild_core::note::FileFault;
use tempfile::TempDir;

use super::sync_folder;

/// How often a folder is begun that is taken for one that was left.
const TRIES: usize = 3;
/// The most entries of a folder that are looked at for folders that were left.
const ENTRIES_MAX: usize = 20_000;

/// A folder that is put together beside its place. Dropped before it is there, it is removed.
#[derive(Debug)]
pub(crate) struct FolderAside {
    folder: TempDir,
    /// As long as it is held, the folder is not taken for one that was left. Where folders can't be
    /// locked, none is taken for that.
    lock: Option<File>,
}

impl FolderAside {
    /// Begins one in `parent`, with a name that begins so.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn begin(parent: &Path, prefix: &str) -> io::Result<Self> {
        for _ in 0..TRIES {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
            // Looked at between its making and its locking, it is removed.
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

    /// Where it is now.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// Those of the system; then it is removed.
    pub(crate) fn put_in_place(self, place: &Path) -> io::Result<()> {
        sync_folder(self.path());
        std::fs::rename(self.path(), place)?;
        // It has gone to its place, and is not to be removed.
        let _ = self.folder.keep();
        drop(self.lock);
        place.parent().map(sync_folder);
        Ok(())
    }

    /// Leaves it as a program does that is killed.
    #[cfg(test)]
    pub(crate) fn left(self) -> std::path::PathBuf {
        self.folder.keep()
    }
}

/// Removes what programs left that were killed while they put such a folder together.
pub(crate) fn clear_folders(parent: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.take(ENTRIES_MAX).flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // Whoever puts it together has it locked as long as it lives.
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
