//! Installs a new version over the old one, and rolls it back.
//!
//! Each step is a rename or a link within one folder. The record of the update ([`VersionChange`])
//! is written before the first step. At any moment, the path of the program leads to a complete
//! program. All functions block.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::messages::{UpdateError, UpdateProblem};
use guild_model::messages::io_message;
use guild_model::updates::{CHANGE_BYTES_MAX, UpdateStep, VersionChange};
use guild_model::{Code, Report};

use super::{UpdateTarget, download, folder, unplaced};
use guild_files::clock::now_ms;
use guild_files::files::{aside, put_in_place, read_bounded, sync_folder, write_atomically};

/// The environment variable that marks the first start of a new version.
pub(super) const TOKEN: &str = "GUILD_HALL_UPDATE_TOKEN";

/// Returns the record of the last update, if it is about this program.
pub(super) fn last(data_dir: &Path, program: &Path) -> Option<VersionChange> {
    read(data_dir).filter(|change| change.program == program)
}

/// Returns the record of the last update.
pub(super) fn read(data_dir: &Path) -> Option<VersionChange> {
    let bytes = read_bounded(&note(data_dir), CHANGE_BYTES_MAX).ok()?;
    VersionChange::read(&bytes)
}

/// Checks that a new version can be written to the program's folder.
///
/// # Errors
/// `update-unplaced`.
pub(super) fn can_be_placed(place: &UpdateTarget) -> Result<(), Report> {
    let folder = place.program.parent().ok_or(io::ErrorKind::InvalidInput);
    let begun = folder.map_err(io::Error::from).and_then(aside);
    begun
        .map(drop)
        .map_err(|error| not_placed(&place.program, &error))
}

/// Installs a new version. The old one stays in the same folder under another name.
///
/// # Errors
/// `update-unplaced`. The program then stays unchanged.
pub(super) fn place(
    data_dir: &Path,
    place: &UpdateTarget,
    bytes: &[u8],
    from: String,
    to: String,
) -> Result<VersionChange, Report> {
    let change = prepare(place, from, to).map_err(|error| unplaced(&io_message(&error)))?;
    if VersionChange::read(change.to_text().as_bytes()).as_ref() != Some(&change) {
        // The watchdog could not read such a path from the record.
        return Err(unplaced(&UpdateProblem::OddName));
    }
    write(data_dir, &change).map_err(|error| unplaced(&io_message(&error)))?;
    let placed = put(&change, bytes);
    placed.map_err(|error| {
        remove_file(&note(data_dir));
        // Removes the link or copy of the old program, which is still at its usual path.
        let _ = fs::remove_file(&change.previous);
        not_placed(&change.program, &error)
    })?;
    Ok(change)
}

/// Returns the report for a program file that can't be replaced.
fn not_placed(program: &Path, error: &io::Error) -> Report {
    let (program, why) = (program.to_owned(), io_message(error));
    let trouble = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            UpdateError::NoRoom(program, why)
        }
        _ => UpdateError::NotPlaced(program, why),
    };
    Report::from_error(Code::UpdateUnplaced, &trouble)
}

fn prepare(place: &UpdateTarget, from: String, to: String) -> io::Result<VersionChange> {
    let program = place.program.clone();
    let mut token = [0; 16];
    getrandom::fill(&mut token).map_err(io::Error::other)?;
    Ok(VersionChange {
        from,
        to,
        previous: previous_of(&program),
        program,
        token: token.iter().map(|byte| format!("{byte:02x}")).collect(),
        step: UpdateStep::Placed,
        at_ms: now_ms(),
    })
}

fn put(change: &VersionChange, bytes: &[u8]) -> io::Result<()> {
    let VersionChange {
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
    // Creates a hard link to the same file, or a copy on disks without hard links.
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

/// Rolls back to the old version, and adds the reason to the record.
///
/// # Errors
/// I/O errors. The record then stays unchanged.
pub(super) fn take_back(data_dir: &Path, change: VersionChange, why: &str) -> io::Result<()> {
    put_back(&change)?;
    let why = why.to_owned();
    write(
        data_dir,
        &change.at(UpdateStep::TakenBack { why }, now_ms()),
    )
}

/// Rolls back to the old version, and removes the record.
///
/// # Errors
/// I/O errors. The record then stays unchanged.
pub(super) fn undo(data_dir: &Path, change: &VersionChange) -> io::Result<()> {
    put_back(change)?;
    remove_file(&note(data_dir));
    Ok(())
}

fn put_back(change: &VersionChange) -> io::Result<()> {
    fs::rename(&change.previous, &change.program)?;
    change.program.parent().map(sync_folder);
    Ok(())
}

/// Confirms that this program has started. Returns the update that this completes.
pub(super) fn came_up(
    data_dir: &Path,
    place: &UpdateTarget,
    version: &str,
) -> Option<VersionChange> {
    download::clear(data_dir);
    let noted = read(data_dir);
    if noted
        .as_ref()
        .is_some_and(|change| change.program != place.program)
    {
        // The record belongs to another copy of the program.
        return None;
    }
    let placed = noted.filter(|change| change.step == UpdateStep::Placed);
    let token = std::env::var(TOKEN).ok();
    let Some(change) = placed else {
        remove_file(&previous_of(&place.program));
        remove_file(&said(data_dir));
        return None;
    };
    if token.as_deref() != Some(&change.token) && change.to != version {
        // The update was interrupted before the new version was installed.
        remove_file(&note(data_dir));
        remove_file(&change.previous);
        return None;
    }
    if token.is_some()
        && let Err(error) = guild_process::detached::silence_output()
    {
        tracing::debug!(%error, "the output could not be redirected");
    }
    let change = change.at(UpdateStep::Up, now_ms());
    if let Err(error) = write(data_dir, &change) {
        // The watchdog will roll back. That is right, because a program that can't write its files
        // is not usable.
        tracing::error!(%error, "the start of the new version could not be noted");
        return None;
    }
    remove_file(&change.previous);
    Some(change)
}

/// Clears the result of the last update, unless an update is in progress.
pub(super) fn forget(data_dir: &Path) {
    if read(data_dir).is_none_or(|change| change.step != UpdateStep::Placed) {
        remove_file(&note(data_dir));
    }
}

fn remove_file(file: &Path) {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, file = %file.display(), "a file of an update could not be removed");
        }
        _ => {}
    }
}

fn previous_of(program: &Path) -> PathBuf {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    program.with_file_name(format!(".{name}.previous"))
}

/// Returns the file with the output of a new version's first start.
pub(super) fn said(data_dir: &Path) -> PathBuf {
    folder(data_dir).join("first-start.log")
}

fn write(data_dir: &Path, change: &VersionChange) -> io::Result<()> {
    write_atomically(&note(data_dir), change.to_text().as_bytes())
}

fn note(data_dir: &Path) -> PathBuf {
    data_dir.join(VersionChange::FILE)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A program in a temporary folder, and a data folder.
    struct UpdateTestEnv {
        folder: tempfile::TempDir,
        place: UpdateTarget,
    }

    impl UpdateTestEnv {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let program = folder.path().join("a.AppImage");
            fs::write(&program, "first").expect("a program");
            fs::create_dir(folder.path().join("data")).expect("a folder");
            let place = UpdateTarget {
                running: program.clone(),
                program,
                arguments: Vec::new(),
                preset: None,
                patience: Duration::ZERO,
            };
            Self { folder, place }
        }

        fn data(&self) -> PathBuf {
            self.folder.path().join("data")
        }

        fn put_second(&self) -> VersionChange {
            let (from, to) = ("0.1.0".to_owned(), "0.2.0".to_owned());
            place(&self.data(), &self.place, b"second", from, to).expect("placed")
        }

        fn program(&self) -> String {
            fs::read_to_string(&self.place.program).expect("the program")
        }

        /// Returns the file names next to the program.
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).expect("the folder");
            let name = |entry: io::Result<fs::DirEntry>| {
                let name = entry.expect("an entry").file_name();
                name.into_string().expect("UTF-8")
            };
            let mut names: Vec<String> = entries.map(name).collect();
            names.sort();
            names
        }
    }

    #[test]
    fn update_keeps_the_old_version_until_it_is_up() {
        let room = UpdateTestEnv::new();
        let change = room.put_second();
        assert_eq!(room.program(), "second");
        let previous = fs::read_to_string(&change.previous).expect("the one before");
        assert_eq!(previous, "first");
        assert_eq!(read(&room.data()), Some(change.clone()));

        let up = came_up(&room.data(), &room.place, "0.2.0").expect("it is up");
        assert_eq!(up.step, UpdateStep::Up);
        assert_eq!(room.names(), ["a.AppImage", "data"]);
        assert_eq!(last(&room.data(), &room.place.program), Some(up));
        assert_eq!(last(&room.data(), Path::new("/other")), None);
        assert_eq!(came_up(&room.data(), &room.place, "0.2.0"), None, "once");
        assert!(read(&room.data()).is_some(), "until the user has seen it");
        forget(&room.data());
        assert_eq!(read(&room.data()), None);
    }

    #[test]
    fn a_version_that_is_taken_back_leaves_the_old_one_and_why() {
        let room = UpdateTestEnv::new();
        let change = room.put_second();
        take_back(&room.data(), change, "it ended").expect("taken back");
        assert_eq!(room.program(), "first");
        assert_eq!(room.names(), ["a.AppImage", "data"]);
        let last = last(&room.data(), &room.place.program).expect("a note");
        let why = "it ended".to_owned();
        assert_eq!(last.step, UpdateStep::TakenBack { why });
        assert_eq!(came_up(&room.data(), &room.place, "0.1.0"), None);
        assert!(read(&room.data()).is_some(), "until the user has seen it");
    }

    #[test]
    fn failed_rollback_is_reported_as_failed() {
        let room = UpdateTestEnv::new();
        let change = room.put_second();
        forget(&room.data());
        assert_eq!(read(&room.data()), Some(change.clone()));
        fs::remove_file(&change.previous).expect("removed");
        assert!(take_back(&room.data(), change.clone(), "it ended").is_err());
        assert_eq!(read(&room.data()), Some(change));
    }

    #[test]
    fn leftovers_of_earlier_updates_are_removed() {
        let room = UpdateTestEnv::new();
        let left = room.folder.path().join(".a.AppImage.previous");
        let fetched = folder(&room.data()).join("fetched-1-0");
        fs::create_dir(folder(&room.data())).expect("a folder");
        for file in [&left, &fetched, &said(&room.data())] {
            fs::write(file, "").expect("a file");
        }
        assert_eq!(came_up(&room.data(), &room.place, "0.1.0"), None);
        for file in [&left, &fetched, &said(&room.data())] {
            assert!(!file.exists(), "{}", file.display());
        }
        assert_eq!(room.program(), "first");
    }

    #[test]
    fn undone_it_is_as_if_nothing_had_been() {
        let room = UpdateTestEnv::new();
        let change = room.put_second();
        undo(&room.data(), &change).expect("undone");
        assert_eq!(room.program(), "first");
        assert_eq!(read(&room.data()), None);
        assert_eq!(room.names(), ["a.AppImage", "data"]);
    }

    #[test]
    fn update_cut_off_before_placing_is_ignored() {
        let room = UpdateTestEnv::new();
        let change = prepare(&room.place, "0.1.0".into(), "0.2.0".into()).expect("a change");
        write(&room.data(), &change).expect("a note");
        fs::hard_link(&change.program, &change.previous).expect("a second name");
        assert_eq!(came_up(&room.data(), &room.place, "0.1.0"), None);
        assert_eq!(room.program(), "first");
        assert_eq!(room.names(), ["a.AppImage", "data"]);
        assert_eq!(read(&room.data()), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_version_has_the_rights_of_the_old_one_and_may_be_run() {
        use std::os::unix::fs::PermissionsExt;

        for (mode, then) in [(0o750, 0o750), (0o640, 0o740)] {
            let room = UpdateTestEnv::new();
            let rights = Permissions::from_mode(mode);
            fs::set_permissions(&room.place.program, rights).expect("its rights");
            room.put_second();
            let of = fs::metadata(&room.place.program).expect("the program");
            assert_eq!(of.permissions().mode() & 0o777, then);
        }
    }

    #[test]
    fn whether_it_can_be_placed_is_known_before_and_leaves_nothing() {
        let room = UpdateTestEnv::new();
        can_be_placed(&room.place).expect("its folder can be written to");
        assert_eq!(room.names(), ["a.AppImage", "data"]);
        let elsewhere = UpdateTarget {
            program: room.folder.path().join("gone/a.AppImage"),
            ..room.place.clone()
        };
        let report = can_be_placed(&elsewhere).expect_err("there is no such folder");
        assert_eq!(report.code, Code::UpdateUnplaced);
        assert!(report.message.contains("gone/a.AppImage"), "{report:?}");
    }

    #[test]
    fn failed_update_changes_nothing() {
        let room = UpdateTestEnv::new();
        // A folder with that name can't be replaced by a file.
        let previous = room.folder.path().join(".a.AppImage.previous");
        fs::create_dir(&previous).expect("a folder");
        let (from, to) = ("0.1.0".to_owned(), "0.2.0".to_owned());
        let refused = place(&room.data(), &room.place, b"second", from, to);
        let report = refused.expect_err("it is refused");
        assert_eq!(report.code, Code::UpdateUnplaced);
        assert!(report.message.contains("a.AppImage"), "{report:?}");
        assert_eq!(room.program(), "first");
        assert_eq!(read(&room.data()), None);
        assert_eq!(room.names(), [".a.AppImage.previous", "a.AppImage", "data"]);
    }
}
