//! Names that change hands in one step, on the systems that can do it.

use std::io;
use std::path::Path;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

/// What is said by a system, or a disk, that has no way to; two of them are the same on some systems.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const NO_WAY: [Errno; 4] = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];

/// Gives each of two files the other's name; `false` where the system, or the disk, has no way to.
///
/// # Errors
/// Those of the system; both then have their own names still.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if NO_WAY.contains(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The same: there is no way to.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Gives a file a name that is free. Where the system, or the disk, can't do that in one step, the name
/// is looked at right before.
///
/// # Errors
/// `AlreadyExists` where the name is taken, and those of the system; the file then has its own name.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(error) if NO_WAY.contains(&error) => rename_looking(from, to),
        renamed => Ok(renamed?),
    }
}

/// The same, where there is no way to do it in one step.
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
