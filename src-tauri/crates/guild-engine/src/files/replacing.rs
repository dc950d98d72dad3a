//! Replacing a file that others may write too.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{aside, put_in_place, read_bounded};

/// Where a file is, if its path is a link; the path itself where nothing is there.
///
/// # Errors
/// Those of the system, and `InvalidInput` for a link that leads nowhere.
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
    match std::fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.is_symlink() {
            true => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is a link that leads nowhere",
            )),
            false => Ok(path.to_owned()),
        },
        found => found,
    }
}

/// Replaces a file whole, where it still has the bytes that were read (`None` where there was none);
/// says whether it had. Its permissions stay; a new one is for its user alone.
///
/// # Errors
/// Those of the system; the file then stands as it was.
pub(crate) fn replace_unchanged(
    real: &Path,
    before: Option<&[u8]>,
    bytes: &[u8],
    max: u64,
) -> io::Result<bool> {
    let folder = real.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let permissions = match std::fs::metadata(real) {
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it is marked as read-only",
            ));
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder)?;
            None
        }
        Err(error) => return Err(error),
    };
    let mut file = aside(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    // What somebody else has written in the meantime is not lost.
    let is_as_read = match read_bounded(real, max) {
        Ok(now) => before == Some(now.as_slice()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => before.is_none(),
        Err(error) => return Err(error),
    };
    if is_as_read {
        put_in_place(file, real)?;
    }
    Ok(is_as_read)
}
