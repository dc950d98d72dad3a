//! Atomic exchange of file names, on systems that support it.

use std::io;
use std::path::Path;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

/// The errors of systems or disks that don't support this kind of rename. On some systems, two of
/// these constants have the same value.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const NO_WAY: [Errno; 4] = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];

/// Exchanges the names of two files. Returns `false` if the system or disk does not support it.
///
/// # Errors
/// I/O errors. Both files then keep their names.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if NO_WAY.contains(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns false: other systems do not support an exchange.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Renames a file to an unused name. If the disk can't do that atomically, the name is checked just
/// before the rename.
///
/// # Errors
/// `AlreadyExists` if the name is taken, or another I/O error. The file then keeps its name.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(error) if NO_WAY.contains(&error) => rename_looking(from, to),
        renamed => Ok(renamed?),
    }
}

/// Checks the new name and then renames the file, since these systems can't do both atomically.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    rename_looking(from, to)
}

fn rename_looking(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::fs::rename(from, to),
        Err(error) => Err(error),
    }
}
