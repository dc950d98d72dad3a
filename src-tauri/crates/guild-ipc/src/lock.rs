//! The lock on a data folder. The system releases it however the program ends.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use guild_files::files;

/// A lock that is released on drop.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Checks whether the locked file is still in the folder. Blocking, for microseconds.
    pub(super) fn is_in(&self, data_dir: &Path) -> bool {
        is_same_file(&self.0, &data_dir.join(LOCK_FILE))
    }
}

#[cfg(unix)]
fn is_same_file(held: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(held), Ok(there)) = (held.metadata(), std::fs::metadata(path)) else {
        return false;
    };
    (held.dev(), held.ino()) == (there.dev(), there.ino())
}

/// Returns whether the path exists. On these systems a locked file can't be removed or replaced.
#[cfg(not(unix))]
fn is_same_file(_held: &File, path: &Path) -> bool {
    path.exists()
}

/// Returns the uid of the lock file's owner, if that is another user. Blocking.
#[cfg(unix)]
pub(super) fn foreign_user(data_dir: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::symlink_metadata(data_dir.join(LOCK_FILE)).ok()?;
    let own = rustix::process::geteuid().as_raw();
    (file.uid() != own).then(|| file.uid())
}

#[cfg(not(unix))]
pub(super) fn foreign_user(_data_dir: &Path) -> Option<u32> {
    None
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file does not release the lock at once if a child process is being spawned:
        // the child has a copy of the file descriptor until it executes its program.
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the lock is only released when its file is closed");
        }
    }
}

/// The lock file. It is empty, and remains in the folder when no hall runs.
const LOCK_FILE: &str = "hall.lock";

/// Checks whether a hall owns the folder. A hall of another user, whose lock file can't be opened,
/// counts too. Blocking, for microseconds.
pub fn is_locked(data_dir: &Path) -> bool {
    let file = match File::open(data_dir.join(LOCK_FILE)) {
        Ok(file) => file,
        Err(error) => {
            let denied = error.kind() == io::ErrorKind::PermissionDenied;
            return denied && foreign_user(data_dir).is_some();
        }
    };
    // A shared lock, so that concurrent checks don't disturb each other.
    match file.try_lock_shared() {
        Ok(()) => {
            drop(Lock(file));
            false
        }
        Err(error) => matches!(error, TryLockError::WouldBlock),
    }
}

/// Takes the lock and creates the folder if necessary. `None` if the lock is taken. Blocking.
pub(super) fn try_lock(data_dir: &Path) -> io::Result<Option<Lock>> {
    files::create_own_folder(data_dir)?;
    // This fails if another user owns the folder.
    if let Err(error) = files::close_to_others(data_dir) {
        tracing::warn!(folder = %data_dir.display(), %error, "others may look into the data folder");
    }
    let file = files::open_lock(&data_dir.join(LOCK_FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inherited_lock_file_does_not_lock_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = try_lock(folder.path()).expect("it has locks");
        let lock = taken.expect("the lock is free");
        assert!(is_locked(folder.path()));
        let copy = lock.0.try_clone().expect("a copy");
        drop(lock);
        assert!(!is_locked(folder.path()));
        let again = try_lock(folder.path()).expect("it has locks");
        assert!(again.is_some());
        drop(copy);
        assert!(is_locked(folder.path()), "it is another's");
    }
}
