//! Copies and moves folders within limits.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::messages::FileFault;

use super::folder::{FolderAside, clear_folders};
use super::sync_folder;

/// Maximum number of entries of a folder that is copied.
const ENTRIES_MAX: usize = 100_000;
/// Maximum size of a folder that is copied, in bytes.
const BYTES_MAX: u64 = 4 << 30;
/// Maximum nesting depth of a folder that is copied.
const DEPTH_MAX: usize = 100;
/// Prefix of the temporary name of a folder that is being moved to another disk.
const ASIDE: &str = ".guild-hall-moved-";

/// Copies the content of a folder into an existing folder. Symbolic links are copied as links.
/// Pipes, sockets and devices are left out. Blocking.
///
/// # Errors
/// I/O errors, and `FileTooLarge` if the folder exceeds the limits.
pub fn copy_content(from: &Path, to: &Path) -> io::Result<()> {
    Copying::new(false).copy(from, to, DEPTH_MAX)
}

/// Moves a folder, or a symbolic link to one. A folder that moves to another disk is copied and
/// then removed. Blocking.
///
/// # Errors
/// I/O errors. The folder then still exists completely at its old path.
pub fn move_folder(from: &Path, to: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        moved => {
            from.parent().map(sync_folder);
            to.parent().map(sync_folder);
            return moved;
        }
    }
    move_by_copy(from, to)
}

/// Moves a folder, or a symbolic link to one, to another disk.
fn move_by_copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_symlink() {
        link(&std::fs::read_link(from)?, to)?;
        return std::fs::remove_file(from).inspect_err(|_| {
            let _ = std::fs::remove_file(to);
        });
    }
    let parents = from.parent().zip(to.parent());
    let (from_parent, to_parent) = parents.ok_or(ErrorKind::InvalidInput)?;
    clear_folders(to_parent, ASIDE);
    let aside = FolderAside::begin(to_parent, ASIDE)?;
    Copying::new(true).copy(from, aside.path(), DEPTH_MAX)?;
    aside.put_in_place(to)?;
    // Until this rename, the folder exists completely at its old path. After it, only the copy is
    // valid.
    let leftover = tempfile::Builder::new()
        .prefix(ASIDE)
        .tempdir_in(from_parent)
        .and_then(|hidden| std::fs::rename(from, hidden.path().join("folder")).map(|()| hidden))
        .inspect_err(|_| {
            let _ = std::fs::remove_dir_all(to);
        })?;
    sync_folder(from_parent);
    let path = leftover.path().to_owned();
    if let Err(error) = leftover.close() {
        tracing::warn!(folder = %path.display(), %error, "the rest of a moved folder stays");
    }
    Ok(())
}

/// A copy in progress, with the remaining limits.
struct Copying {
    entries: usize,
    bytes: u64,
    /// Whether each file is synced to the disk before the copy counts as complete.
    is_synced: bool,
}

impl Copying {
    fn new(is_synced: bool) -> Self {
        Self {
            entries: ENTRIES_MAX,
            bytes: BYTES_MAX,
            is_synced,
        }
    }

    fn copy(&mut self, from: &Path, to: &Path, depth: usize) -> io::Result<()> {
        let past = |fault| move || io::Error::new(ErrorKind::FileTooLarge, fault);
        let too_deep = past(FileFault::DeepFolder(DEPTH_MAX));
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            let too_many = past(FileFault::ManyEntries(ENTRIES_MAX));
            self.entries = self.entries.checked_sub(1).ok_or_else(too_many)?;
            let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
            if kind.is_symlink() {
                link(&std::fs::read_link(entry.path())?, &target)?;
            } else if kind.is_dir() {
                std::fs::create_dir(&target)?;
                self.copy(&entry.path(), &target, depth)?;
            } else if kind.is_file() {
                let length = entry.metadata()?.len();
                let too_large = past(FileFault::TooLarge(BYTES_MAX));
                self.bytes = self.bytes.checked_sub(length).ok_or_else(too_large)?;
                match self.is_synced {
                    true => copy_synced(&entry.path(), &target)?,
                    false => std::fs::copy(entry.path(), &target).map(drop)?,
                }
            }
        }
        if self.is_synced {
            sync_folder(to);
        }
        let permissions = std::fs::metadata(from)?.permissions();
        match permissions.readonly() {
            // The copied folder is made writable for its owner, so that it can be changed and
            // removed.
            true => Ok(()),
            false => std::fs::set_permissions(to, permissions),
        }
    }
}

/// Copies a file with its permissions, and waits until it is on the disk.
fn copy_synced(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::create_new(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()?;
    target.set_permissions(source.metadata()?.permissions())
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_keeps_content_and_nesting() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("a/b")).expect("made");
        std::fs::create_dir(&to).expect("made");
        std::fs::write(from.join("a/b/file"), [0, 1, 255]).expect("written");
        #[cfg(unix)]
        link(Path::new("a/b/file"), &from.join("link")).expect("linked");
        copy_content(&from, &to).expect("copied");
        assert_eq!(
            std::fs::read(to.join("a/b/file")).expect("read"),
            [0, 1, 255]
        );
        #[cfg(unix)]
        assert!(to.join("link").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn moved_copy_stays_when_old_folder_is_stuck() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("old/m"), folder.path().join("new/m"));
        std::fs::create_dir_all(from.join("stuck")).expect("made");
        std::fs::create_dir_all(folder.path().join("new")).expect("made");
        std::fs::write(from.join("stuck/file"), "a").expect("written");
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("set");
        };
        set(&from.join("stuck/file"), 0o640);
        // A user other than root can't remove its file.
        set(&from.join("stuck"), 0o555);
        move_by_copy(&from, &to).expect("moved");
        assert_eq!(std::fs::read(to.join("stuck/file")).expect("read"), b"a");
        let copied = std::fs::metadata(to.join("stuck/file")).expect("there");
        assert_eq!(copied.permissions().mode() & 0o777, 0o640);
        assert!(!from.exists());
    }

    #[test]
    fn failed_move_keeps_old_folder_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("old/m"), folder.path().join("new/m"));
        let deep = from.join(["a"; DEPTH_MAX].join("/"));
        std::fs::create_dir_all(&deep).expect("made");
        std::fs::create_dir_all(folder.path().join("new")).expect("made");
        let error = move_by_copy(&from, &to).expect_err("too deep");
        assert!(error.to_string().contains("nested"), "{error}");
        assert!(deep.is_dir() && !to.exists());
        let left = std::fs::read_dir(folder.path().join("new")).expect("read");
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn move_to_existing_folder_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir(&from).expect("made");
        std::fs::create_dir(&to).expect("made");
        let error = move_folder(&from, &to).expect_err("taken");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        std::fs::remove_dir(&to).expect("removed");
        move_folder(&from, &to).expect("moved");
        assert!(to.is_dir() && !from.exists());
    }
}
