//! The lock on a data folder, which the system gives back however a program ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// The file that is locked. It stays, empty, when nobody holds it.
const LOCK_FILE: &str = "hall.lock";

/// Whether a hall keeps the folder now. Blocking, for microseconds.
pub(crate) fn is_taken(data_dir: &Path) -> bool {
    // Shared, so that two that look are not in each other's way.
    File::open(data_dir.join(LOCK_FILE))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Takes the lock, making the folder where it is not there yet; `None` where somebody has it. Blocking.
pub(super) fn try_lock(data_dir: &Path) -> io::Result<Option<File>> {
    std::fs::create_dir_all(data_dir)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(data_dir.join(LOCK_FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
