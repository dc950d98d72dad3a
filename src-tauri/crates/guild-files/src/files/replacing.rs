//! Replaces a file that other programs may write too, without losing their changes.
//!
//! First the new text is written to the disk as a temporary file. Then the file is compared with
//! its last known content, the two files exchange their names atomically, and the old file is
//! compared again. If another program wrote the file between the comparison and the exchange, the
//! exchange is undone. If that program's version can't be restored, it stays beside the file, and
//! the caller gets its path. On a disk that can't exchange names, a rename replaces the file right
//! after the comparison.
//!
//! A program that still has the old file open and writes to it later can't be detected.

#[cfg(any(test, feature = "test-util"))]
pub mod between;
mod exchange;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::messages::FileFault;
use guild_model::messages::SettingsError;
use guild_model::{Code, Report};
use tempfile::{NamedTempFile, TempPath};

use self::exchange::{exchange, rename_to_free};
use super::{aside, read_bounded, sync_folder};

/// Part of the name of a preserved version, between the file's name and a number.
const KEPT: &str = ".kept-";
/// Highest number in the name of a preserved version.
const KEPT_MAX: u32 = 999;

/// The handling of the old text if the program is killed after the exchange of the names and before
/// the removal of the old file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterKill {
    /// The old text stays beside the file, since another program may have written it.
    Stays,
    /// The old text is later removed like a temporary file, since Guild Hall nearly always wrote
    /// it.
    Goes,
}

/// The result of replacing a file.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub enum Replaced {
    /// The file has the new text, and no other program wrote it at the same moment.
    Done,
    /// Another program wrote the file, and its version was not replaced.
    Changed,
    /// Another program wrote the file at the same moment. Its version is in the file at this path.
    Beside(PathBuf),
}

impl Replaced {
    /// Returns an error unless the file at `path` was replaced.
    ///
    /// # Errors
    /// `settings-changed` if another program wrote it.
    pub fn checked(self, path: &Path) -> Result<(), Report> {
        let trouble = match self {
            Self::Done => return Ok(()),
            Self::Changed => SettingsError::ChangedElsewhere(path.to_owned()),
            Self::Beside(kept) => SettingsError::WrittenByTwo(path.to_owned(), kept),
        };
        Err(Report::from_error(Code::SettingsChanged, &trouble))
    }
}

/// Resolves a symbolic link. Returns the path itself if no file exists there.
///
/// # Errors
/// I/O errors, and `InvalidInput` for a link whose target is missing.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    match std::fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => match path.is_symlink() {
            true => Err(io::Error::new(
                ErrorKind::InvalidInput,
                FileFault::LeadsNowhere,
            )),
            false => Ok(path.to_owned()),
        },
        found => found,
    }
}

/// Replaces a file that people edit, if its content is still `before`. `None` means that the file
/// did not exist. Keeps the file's permissions, and makes a new file private. Blocking.
///
/// # Errors
/// I/O errors, and `FileTooLarge` if the file exceeds `max` bytes. The file then stays unchanged.
pub fn replace_unchanged(
    real: &Path,
    before: Option<&[u8]>,
    bytes: &[u8],
    max: u64,
) -> io::Result<Replaced> {
    replace(real, before, bytes, max, AfterKill::Stays)
}

/// Replaces a file that is nearly always written by Guild Hall, under the conditions of
/// [`replace_unchanged`]. Blocking.
///
/// # Errors
/// The errors of [`replace_unchanged`].
pub fn replace_own_unchanged(
    real: &Path,
    before: Option<&[u8]>,
    bytes: &[u8],
    max: u64,
) -> io::Result<Replaced> {
    replace(real, before, bytes, max, AfterKill::Goes)
}

fn replace(
    real: &Path,
    before: Option<&[u8]>,
    bytes: &[u8],
    max: u64,
    after_kill: AfterKill,
) -> io::Result<Replaced> {
    let file = written(real, bytes)?;
    let replaced = match before {
        Some(before) => exchanged(file, real, before, bytes, max, after_kill),
        None => begun(file, real),
    };
    real.parent().map(sync_folder);
    replaced
}

/// Writes the new text to a temporary file with the old file's permissions.
fn written(real: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = real.parent().ok_or(ErrorKind::InvalidInput)?;
    let permissions = match std::fs::metadata(real) {
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(io::Error::new(
                ErrorKind::PermissionDenied,
                FileFault::ReadOnly,
            ));
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
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
    Ok(file)
}

/// Renames a file to `NAME.kept-1`, or to the next unused number. `NAME` is the file name of
/// `beside`.
fn move_beside(path: &Path, beside: &Path) -> io::Result<PathBuf> {
    for number in 1..=KEPT_MAX {
        let kept = kept_name(beside, number);
        match rename_to_free(path, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(too_many(beside))
}

/// Gives the temporary file its final name, under which no file existed before.
fn begun(file: NamedTempFile, real: &Path) -> io::Result<Replaced> {
    if std::fs::symlink_metadata(real).is_ok() {
        return Ok(Replaced::Changed);
    }
    #[cfg(any(test, feature = "test-util"))]
    between::pass(real);
    match file.persist_noclobber(real) {
        Ok(_) => Ok(Replaced::Done),
        Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(Replaced::Changed),
        // The disk may not support a rename that fails if the name is used, so the name is checked
        // first.
        Err(failed) => match std::fs::symlink_metadata(real) {
            Err(error) if error.kind() == ErrorKind::NotFound => put(failed.file, real),
            _ => Err(failed.error),
        },
    }
}

/// Renames the temporary file, replacing any existing file.
fn put(file: NamedTempFile, real: &Path) -> io::Result<Replaced> {
    file.persist(real)
        .map(|_| Replaced::Done)
        .map_err(|failed| failed.error)
}

/// Replaces a file whose content is expected to be `before`.
fn exchanged(
    file: NamedTempFile,
    real: &Path,
    before: &[u8],
    bytes: &[u8],
    max: u64,
    after_kill: AfterKill,
) -> io::Result<Replaced> {
    if !has(real, before, max)? {
        return Ok(Replaced::Changed);
    }
    let (_locked, named) = match after_kill {
        // Files with this name are not removed as orphans.
        AfterKill::Stays => (None, kept_beside(file, real)?),
        AfterKill::Goes => {
            let (file, path) = file.into_parts();
            (Some(file), Ok(path))
        }
    };
    if !has(real, before, max)? {
        return Ok(Replaced::Changed);
    }
    let aside = match named {
        Ok(aside) => aside,
        // A disk that can't rename a file to an unused name atomically can't exchange names either.
        Err(file) => return put(file, real),
    };
    #[cfg(any(test, feature = "test-util"))]
    between::pass(real);
    match exchange(&aside, real) {
        Ok(true) => {}
        Ok(false) => {
            return aside
                .persist(real)
                .map(|()| Replaced::Done)
                .map_err(|failed| failed.error);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
        Err(error) => return Err(error),
    }
    if has(&aside, before, max).unwrap_or(false) {
        return Ok(Replaced::Done);
    }
    #[cfg(any(test, feature = "test-util"))]
    between::pass(real);
    // If another program saved the file again before this exchange, its newest text is in `aside`
    // now.
    let is_ours = |path: &Path| has(path, bytes, bytes.len() as u64).unwrap_or(false);
    if is_ours(real) && matches!(exchange(&aside, real), Ok(true)) && is_ours(&aside) {
        return Ok(Replaced::Changed);
    }
    let kept = match after_kill {
        AfterKill::Stays => aside.keep().map_err(|failed| failed.error)?,
        AfterKill::Goes => {
            let kept = move_beside(&aside, real)?;
            // The file was renamed, so dropping the temporary path removes nothing.
            drop(aside);
            kept
        }
    };
    tracing::warn!(file = %real.display(), kept = %kept.display(), "two programs wrote the file at once, the other version was kept");
    Ok(Replaced::Beside(kept))
}

/// Renames the temporary file to `NAME.kept-1`, or to the next unused number. Returns the temporary
/// file if the disk can't do that without the risk of replacing another file.
fn kept_beside(
    mut file: NamedTempFile,
    real: &Path,
) -> io::Result<Result<TempPath, NamedTempFile>> {
    for number in 1..=KEPT_MAX {
        let kept = kept_name(real, number);
        match file.persist_noclobber(&kept) {
            Ok(_) => return TempPath::try_from_path(kept).map(Ok),
            Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => file = failed.file,
            Err(failed) => return Ok(Err(failed.file)),
        }
    }
    Err(too_many(real))
}

fn kept_name(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!("{KEPT}{number}"));
    name.into()
}

/// Whether `name` is that of a preserved version of the file `other`, or of a new version that is
/// about to replace it.
pub fn is_kept_beside(name: &str, other: &str) -> bool {
    let rest = name.strip_prefix(other);
    rest.is_some_and(|rest| rest.starts_with(KEPT))
}

fn too_many(path: &Path) -> io::Error {
    io::Error::other(FileFault::ManyKept(path.to_owned(), KEPT_MAX))
}

/// Whether the content of a file equals `bytes`.
fn has(path: &Path, bytes: &[u8], max: u64) -> io::Result<bool> {
    match read_bounded(path, max) {
        Ok(now) => Ok(now == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
