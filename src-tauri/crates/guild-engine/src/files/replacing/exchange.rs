//! Two files that change places in one step, on the systems that can do it.

use std::io;
use std::path::Path;

/// Gives each of two files the other's name; `false` where the system, or the disk, has no way to.
///
/// # Errors
/// Those of the system; both then have their own names still.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    // Two of them are the same on some systems.
    let no_way = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if no_way.contains(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The same: there is no way to.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
