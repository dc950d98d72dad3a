//! Reads small files with a size limit, and writes them atomically.

pub mod copying;
pub mod folder;
pub mod folders;
pub mod replacing;
pub mod waiting;
pub mod watch;

use std::collections::HashSet;
use std::fs::{DirBuilder, File, FileType, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::messages::FileFault;
use parking_lot::Mutex;
use tempfile::{Builder, NamedTempFile};

/// Read and write permission for the user only.
#[cfg(unix)]
const OWN_FILE: u32 = 0o600;
#[cfg(unix)]
const OWN_FOLDER: u32 = 0o700;
/// The permission bits of the group and of other users.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// Prefix of the names of temporary files.
const ASIDE: &str = ".guild-hall-";
/// Maximum number of attempts to create a temporary file or folder. Another program may remove a
/// new one because it takes the file for an orphan.
const TRIES: usize = 3;
/// Maximum number of entries of a folder that are inspected for orphans.
const ENTRIES_MAX: usize = 20_000;
/// Maximum number of folders that are remembered as inspected.
const FOLDERS_MAX: usize = 10_000;

/// Reads a regular file of at most `max` bytes.
///
/// A pipe or a device is rejected before it is opened, since reading one may never end.
///
/// # Errors
/// I/O errors. `FileTooLarge` above the limit, `InvalidInput` for other kinds of files.
pub fn read_bounded(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            FileFault::NotRegular,
        ));
    }
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, FileFault::TooLarge(max));
    if metadata.len() > max {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Writes a file of Guild Hall atomically: writes and syncs a temporary file in the same folder,
/// and renames it (REQ-MCP-TOOL-12). Only the user can read the file.
///
/// # Errors
/// I/O errors. The old file then stays unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, &beside())
}

/// Atomically writes a file that the user requested, such as an export. The file has the user's
/// default permissions.
///
/// # Errors
/// The errors of [`write_atomically`].
pub fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "Windows has no modes"))]
    let mut temporary = beside();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system removes the bits of the user's umask.
        temporary.permissions(std::fs::Permissions::from_mode(0o666));
    }
    replace(path, bytes, &temporary)
}

/// Creates a new file that only the user can read and write.
///
/// # Errors
/// I/O errors.
pub fn create_own(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWN_FILE);
    options.open(path)
}

/// Opens or creates a lock file, which only the user can open.
///
/// # Errors
/// I/O errors.
pub fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWN_FILE);
    options.open(path)
}

/// Creates a folder of Guild Hall and its missing parents. Only the user can access them.
///
/// # Errors
/// I/O errors.
pub fn create_own_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, OWN_FOLDER);
    builder.create(path)
}

/// Removes the permissions of other users from a folder of Guild Hall.
///
/// # Errors
/// I/O errors, for example if another user owns the folder.
#[cfg(unix)]
pub fn close_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(folder)?.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(());
    }
    std::fs::set_permissions(
        folder,
        std::fs::Permissions::from_mode(mode & !OTHERS & 0o7777),
    )
}

/// Does nothing: on other systems a folder inherits its parent's permissions.
#[cfg(not(unix))]
pub fn close_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether other users can read a file.
#[cfg(unix)]
pub fn others_may_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o044 != 0)
}

/// Returns false: on other systems file modes do not show who may read a file.
#[cfg(not(unix))]
pub fn others_may_read(_: &Path) -> bool {
    false
}

/// Lets all users read a file or access a folder, regardless of the umask. Only the owner can
/// write.
///
/// # Errors
/// I/O errors.
#[cfg(unix)]
pub fn let_all_read(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match path.is_dir() {
        true => 0o755,
        false => 0o644,
    };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// Does nothing: on other systems the folder's permissions apply.
#[cfg(not(unix))]
pub fn let_all_read(_: &Path) -> io::Result<()> {
    Ok(())
}

fn beside() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(ASIDE);
    builder
}

fn replace(path: &Path, bytes: &[u8], temporary: &Builder<'_, '_>) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = begin(folder, temporary)?;
    file.write_all(bytes)?;
    put_in_place(file, path)
}

/// Creates a temporary file in a folder. [`put_in_place`] renames it to its final name.
///
/// # Errors
/// I/O errors.
pub fn aside(folder: &Path) -> io::Result<NamedTempFile> {
    begin(folder, &beside())
}

/// Syncs a temporary file and renames it, replacing an existing file.
///
/// # Errors
/// I/O errors. The old file then stays unchanged.
pub fn put_in_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    path.parent().map(sync_folder);
    Ok(())
}

/// Creates a temporary file and locks it until it is renamed, so that other programs don't remove
/// it as an orphan.
fn begin(folder: &Path, temporary: &Builder<'_, '_>) -> io::Result<NamedTempFile> {
    clear_once(folder);
    for _ in 0..TRIES {
        let file = temporary.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            // Another program inspected the file after its creation and before its locking, and is
            // removing it.
            Ok(()) if !file.path().exists() => {}
            Err(TryLockError::WouldBlock) => {}
            // On systems or disks without locks, orphans are not removed, so the file is safe.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(io::Error::other(FileFault::Removed))
}

/// Removes orphans of killed programs from a folder, before this program writes to the folder for
/// the first time.
fn clear_once(folder: &Path) {
    static CLEARED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    {
        let mut cleared = CLEARED.lock();
        let cleared = cleared.get_or_insert_default();
        if cleared.len() >= FOLDERS_MAX || !cleared.insert(folder.to_owned()) {
            return;
        }
    }
    clear(folder);
}

fn clear(folder: &Path) {
    let open = |path: &Path| File::options().write(true).open(path);
    remove_orphans(folder, ASIDE, FileType::is_file, open, |path| {
        std::fs::remove_file(path)
    });
}

/// Removes the files or folders whose names have this prefix and that no running program has
/// locked.
fn remove_orphans(
    parent: &Path,
    prefix: &str,
    is_kind: impl Fn(&FileType) -> bool,
    open: impl Fn(&Path) -> io::Result<File>,
    remove: impl Fn(&Path) -> io::Result<()>,
) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.take(ENTRIES_MAX).flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if is_ours
            && entry.file_type().is_ok_and(|kind| is_kind(&kind))
            && let Ok(lock) = open(&path)
            && lock.try_lock().is_ok()
            && let Err(error) = remove(&path)
        {
            tracing::debug!(path = %path.display(), %error, "a temporary file or folder stays");
        }
    }
}

/// Syncs a folder, so that a rename in it survives a power failure. Does nothing on systems that
/// can't sync folders.
pub fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(folder = %folder.display(), %error, "the folder could not be synced");
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_file_past_the_limit_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, [b'x'; 100]).expect("written");
        assert_eq!(
            read_bounded(&path, 100).expect("within the limit").len(),
            100
        );
        let error = read_bounded(&path, 99).expect_err("past the limit");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("99"), "{error}");
        assert!(
            read_bounded(folder.path(), 99).is_err(),
            "a folder instead of a file"
        );
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_atomically(&path, b"old").expect("written");
        // A folder with the file's name makes the rename fail.
        let blocked = folder.path().join("blocked");
        std::fs::create_dir(&blocked).expect("made");
        std::fs::write(blocked.join("inside"), b"").expect("written");
        assert!(write_atomically(&blocked, b"new").is_err());
        assert_eq!(std::fs::read(&path).expect("read"), b"old");
        let left = std::fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(left, 2, "no temporary file is left");
    }

    #[test]
    fn only_stale_temporary_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in [".guild-hall-left", "guild-hall-other", ".guild-other"] {
            std::fs::write(at(name), b"half").expect("written");
        }
        std::fs::create_dir(at(".guild-hall-folder")).expect("made");
        let writing = begin(folder.path(), &beside()).expect("begun");
        assert!(!at(".guild-hall-left").exists(), "no writer is left");
        clear(folder.path());
        assert!(writing.path().exists(), "it is being written");
        put_in_place(writing, &at("done")).expect("put in place");
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .expect("listed")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        let kept = [
            ".guild-hall-folder",
            ".guild-other",
            "done",
            "guild-hall-other",
        ];
        assert_eq!(names, kept);
    }

    #[cfg(unix)]
    #[test]
    fn own_files_and_folders_are_their_users_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| {
            let metadata = std::fs::metadata(at(name)).expect("it is there");
            metadata.permissions().mode() & 0o777
        };
        create_own_folder(&at("a/b")).expect("made");
        assert_eq!((mode("a"), mode("a/b")), (0o700, 0o700));
        create_own_folder(&at("a/b")).expect("it is there already");
        open_lock(&at("a/lock")).expect("opened");
        open_lock(&at("a/lock")).expect("opened again");
        create_own(&at("a/own")).expect("made");
        assert!(create_own(&at("a/own")).is_err(), "it is there already");
        assert_eq!((mode("a/lock"), mode("a/own")), (0o600, 0o600));
        std::fs::set_permissions(at("a"), std::fs::Permissions::from_mode(0o755)).expect("set");
        close_to_others(&at("a")).expect("closed");
        assert_eq!(mode("a"), 0o700);
        assert!(!others_may_read(&at("a/own")));
        std::fs::write(at("other"), b"").expect("written");
        std::fs::set_permissions(at("other"), std::fs::Permissions::from_mode(0o644)).expect("set");
        assert!(others_may_read(&at("other")));
    }

    #[cfg(unix)]
    #[test]
    fn a_saved_file_is_readable_as_the_users_other_files_are() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            let metadata = std::fs::metadata(folder.path().join(name)).expect("a file");
            metadata.permissions().mode() & 0o777
        };
        std::fs::write(folder.path().join("other"), b"").expect("written");
        save(&folder.path().join("saved"), b"bytes").expect("saved");
        assert_eq!(mode("saved"), mode("other"));
        write_atomically(&folder.path().join("own"), b"bytes").expect("written");
        assert_eq!(mode("own"), 0o600);
    }
}
