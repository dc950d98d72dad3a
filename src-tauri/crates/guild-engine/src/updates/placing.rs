//! Moving files: the new version into the place of the old one, and back.
//!
//! Each step is a rename or a link within one folder, and the note is written before the first: at any
//! moment the program's name leads to one whole program. All of it blocks.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guild_core::Report;
use guild_core::updates::{CHANGE_BYTES_MAX, Change, Step};

use super::{Place, fetching, folder, unplaced};
use crate::cache::now_ms;
use crate::files::{aside, put_in_place, read_bounded, sync_folder, write_atomically};

/// The variable that tells a new program that this is its first start.
pub(super) const TOKEN: &str = "GUILD_HALL_UPDATE_TOKEN";

/// The note of the last change, where it is of this program.
pub(super) fn last(data_dir: &Path, program: &Path) -> Option<Change> {
    read(data_dir).filter(|change| change.program == program)
}

/// The note of the last change.
pub(super) fn read(data_dir: &Path) -> Option<Change> {
    let bytes = read_bounded(&note(data_dir), CHANGE_BYTES_MAX).ok()?;
    Change::read(&bytes)
}

/// Puts a new version in the program's place; the old one stays beside it.
///
/// # Errors
/// `update-unplaced`; the program is then as it was.
pub(super) fn place(
    data_dir: &Path,
    place: &Place,
    bytes: &[u8],
    from: String,
    to: String,
) -> Result<Change, Report> {
    let change = prepare(place, from, to).map_err(|error| unplaced(&error.to_string()))?;
    write(data_dir, &change).map_err(|error| unplaced(&error.to_string()))?;
    let placed = put(&change, bytes);
    placed.map_err(|error| {
        forget(data_dir);
        // Its name is not needed where the program has its own.
        let _ = fs::remove_file(&change.previous);
        unplaced(&error.to_string())
    })?;
    Ok(change)
}

fn prepare(place: &Place, from: String, to: String) -> io::Result<Change> {
    let program = place.program.clone();
    let name = program.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let previous = format!(".{}.previous", name.to_string_lossy());
    let mut token = [0; 16];
    getrandom::fill(&mut token).map_err(io::Error::other)?;
    Ok(Change {
        from,
        to,
        previous: program.with_file_name(previous),
        program,
        token: token.iter().map(|byte| format!("{byte:02x}")).collect(),
        step: Step::Placed,
        at_ms: now_ms(),
    })
}

fn put(change: &Change, bytes: &[u8]) -> io::Result<()> {
    let Change {
        program, previous, ..
    } = change;
    let folder = program.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let permissions = fs::metadata(program)?.permissions();
    let mut file = aside(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(runnable(permissions))?;
    match fs::remove_file(previous) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // The same file under a second name; where the disk has no such thing, a copy.
    if fs::hard_link(program, previous).is_err() {
        fs::copy(program, previous)?;
    }
    put_in_place(file, program)
}

#[cfg(unix)]
fn runnable(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;

    Permissions::from_mode(permissions.mode() | 0o100)
}

#[cfg(not(unix))]
fn runnable(permissions: Permissions) -> Permissions {
    permissions
}

/// Puts the old version back, and notes why.
pub(super) fn take_back(data_dir: &Path, change: Change, why: &str) {
    if let Err(error) = fs::rename(&change.previous, &change.program) {
        tracing::error!(%error, program = %change.program.display(), "the version before is not put back");
    }
    change.program.parent().map(sync_folder);
    let why = why.to_owned();
    let change = change.at(Step::TakenBack { why }, now_ms());
    if let Err(error) = write(data_dir, &change) {
        tracing::error!(%error, "why the version before was put back is not noted");
    }
    fetching::clear(data_dir);
}

/// This program has come up. Gives the change that is over by that.
pub(super) fn came_up(data_dir: &Path, place: &Place, version: &str) -> Option<Change> {
    let change = last(data_dir, &place.program).filter(|change| change.step == Step::Placed)?;
    let told = std::env::var(TOKEN).ok();
    let is_new = told.as_deref() == Some(&change.token) || change.to == version;
    fetching::clear(data_dir);
    if !is_new {
        // A change that was cut off before the new version had its place.
        forget(data_dir);
        return remove(&change.previous, None);
    }
    if told.is_some()
        && let Err(error) = guild_process::apart::fall_silent()
    {
        tracing::debug!(%error, "what is said is still kept");
    }
    let change = change.at(Step::Up, now_ms());
    match write(data_dir, &change) {
        Ok(()) => remove(&change.previous.clone(), Some(change)),
        // Whoever watches will put the old one back, and is right to: nothing can be kept here.
        Err(error) => {
            tracing::error!(%error, "that the new version is up is not noted");
            None
        }
    }
}

fn remove(previous: &Path, change: Option<Change>) -> Option<Change> {
    match fs::remove_file(previous) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, file = %previous.display(), "the version before stays");
        }
        _ => {}
    }
    change
}

/// Forgets how the last change ended.
pub(super) fn forget(data_dir: &Path) {
    match fs::remove_file(note(data_dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "how the last update ended is not forgotten");
        }
        _ => {}
    }
}

/// Where what a new version says at its first start is kept.
pub(super) fn said(data_dir: &Path) -> PathBuf {
    folder(data_dir).join("first-start.log")
}

fn write(data_dir: &Path, change: &Change) -> io::Result<()> {
    write_atomically(&note(data_dir), change.to_text().as_bytes())
}

fn note(data_dir: &Path) -> PathBuf {
    data_dir.join(Change::FILE)
}
