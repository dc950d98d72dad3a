//! Replacing a file that others may write too: nothing of theirs is lost.
//!
//! The new text is on the disk before the file is compared with what was read of it, for the last
//! time. Then both change places where the system can do that in one step, and what came out is
//! compared as well: what somebody has written in between is put back. What can't be put back stays
//! beside the file, and whoever asked is told where. Elsewhere the file is renamed over right after
//! the comparison.
//!
//! What nobody can see from here is a program that has the old file open, and writes to it later.

#[cfg(test)]
pub(crate) mod between;
mod exchange;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use guild_core::note::{FileFault, SettingsTrouble};
use guild_core::{Code, Report};
use tempfile::{NamedTempFile, TempPath};

use self::exchange::{exchange, rename_to_free};
use super::{aside, read_bounded, sync_folder};

/// What follows a file's name in that of one that is kept beside it, before the number.
const KEPT: &str = ".kept-";
/// The highest number of a file that is kept beside another.
const KEPT_MAX: u32 = 999;

/// What becomes of the text that is not the file's, where the program is killed between exchanging two
/// and removing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterKill {
    /// It stays beside the file, where a person finds it: it may be what somebody wrote.
    Stays,
    /// It goes like everything that was merely begun: it is nearly always our own.
    Goes,
}

/// What has become of a file that was to be replaced.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Replaced {
    /// It is.
    Done,
    /// Somebody else has written it, and it is as they left it.
    Changed,
    /// The same, at the very moment: a text of theirs is in this file beside it.
    Beside(PathBuf),
}

impl Replaced {
    /// Whether the file at `path` is replaced.
    ///
    /// # Errors
    /// `settings-changed` where somebody else has written it.
    pub(crate) fn checked(self, path: &Path) -> Result<(), Report> {
        let trouble = match self {
            Self::Done => return Ok(()),
            Self::Changed => SettingsTrouble::ChangedElsewhere(path.to_owned()),
            Self::Beside(kept) => SettingsTrouble::WrittenByTwo(path.to_owned(), kept),
        };
        Err(Report::told(Code::SettingsChanged, &trouble))
    }
}

/// Where a file is, if its path is a link; the path itself where nothing is there.
///
/// # Errors
/// Those of the system, and `InvalidInput` for a link that leads nowhere.
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
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

/// Replaces a file that people write whole, where it still has the bytes that were read (`None` where
/// there was none), of which there are `max` at most. Its permissions stay; a new one is for its user
/// alone. Blocking.
///
/// # Errors
/// Those of the system; the file then stands as it was.
pub(crate) fn replace_unchanged(
    real: &Path,
    before: Option<&[u8]>,
    bytes: &[u8],
    max: u64,
) -> io::Result<Replaced> {
    replace(real, before, bytes, max, AfterKill::Stays)
}

/// The same for a file that is mostly written by us. Blocking.
///
/// # Errors
/// As [`replace_unchanged`].
pub(crate) fn replace_own_unchanged(
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

/// A text on the disk that is to replace a file, with the permissions of that.
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

/// Gives a file a name beside another: `NAME.kept-1`, or the next number that is free.
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

/// Puts a file where none was.
fn begun(file: NamedTempFile, real: &Path) -> io::Result<Replaced> {
    if std::fs::symlink_metadata(real).is_ok() {
        return Ok(Replaced::Changed);
    }
    #[cfg(test)]
    between::pass(real);
    match file.persist_noclobber(real) {
        Ok(_) => Ok(Replaced::Done),
        Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(Replaced::Changed),
        // The disk may not be able to say so.
        Err(failed) => match std::fs::symlink_metadata(real) {
            Err(error) if error.kind() == ErrorKind::NotFound => put(failed.file, real),
            _ => Err(failed.error),
        },
    }
}

/// Gives a file its name, whatever has it.
fn put(file: NamedTempFile, real: &Path) -> io::Result<Replaced> {
    file.persist(real)
        .map(|_| Replaced::Done)
        .map_err(|failed| failed.error)
}

/// Puts a file in the place of one that has the bytes `before`.
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
        // By such a name it is not cleared away.
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
        // A disk that can't name a file only where the name is free can't exchange two either.
        Err(file) => return put(file, real),
    };
    #[cfg(test)]
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
    #[cfg(test)]
    between::pass(real);
    // Who has saved it once more has their newest text there.
    let is_ours = |path: &Path| has(path, bytes, bytes.len() as u64).unwrap_or(false);
    if is_ours(real) && matches!(exchange(&aside, real), Ok(true)) && is_ours(&aside) {
        return Ok(Replaced::Changed);
    }
    let kept = match after_kill {
        AfterKill::Stays => aside.keep().map_err(|failed| failed.error)?,
        AfterKill::Goes => {
            let kept = move_beside(&aside, real)?;
            // Its own name leads nowhere any more, so that nothing is removed.
            drop(aside);
            kept
        }
    };
    tracing::warn!(file = %real.display(), kept = %kept.display(), "written by two at once, one text is kept");
    Ok(Replaced::Beside(kept))
}

/// Gives a file its name beside the one that it is to replace; gives it back where the disk can't do
/// that without the danger of another's being lost.
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

/// Whether a file of this name is kept beside `other`, or is about to take its place.
pub(crate) fn is_kept_beside(name: &str, other: &str) -> bool {
    let rest = name.strip_prefix(other);
    rest.is_some_and(|rest| rest.starts_with(KEPT))
}

fn too_many(path: &Path) -> io::Error {
    io::Error::other(FileFault::ManyKept(path.to_owned(), KEPT_MAX))
}

/// Whether these are the bytes of a file.
fn has(path: &Path, bytes: &[u8], max: u64) -> io::Result<bool> {
    match read_bounded(path, max) {
        Ok(now) => Ok(now == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
