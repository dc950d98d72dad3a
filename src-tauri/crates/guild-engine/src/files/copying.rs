//! Copies and moves folders with bounds.

use std::io::{self, ErrorKind};
use std::path::Path;

use guild_core::note::FileFault;

use super::folder::FolderAside;
use super::sync_folder;

/// Most entries of a folder that is copied.
const ENTRIES_MAX: usize = 100_000;
/// Most bytes of a folder that is copied.
const BYTES_MAX: u64 = 4 << 30;
/// Deepest nesting of a folder that is copied.
const DEPTH_MAX: usize = 100;
/// Prefix of the copy while a folder moves to another disk.
const ASIDE: &str = ".guild-hall-moved-";

/// Copies the content of a folder into an existing one. Links stay links; pipes, sockets and devices
/// are left out. Blocking.
///
/// # Errors
/// I/O errors, and `FileTooLarge` past the bounds.
pub(crate) fn copy_content(from: &Path, to: &Path) -> io::Result<()> {
    let mut bounds = Bounds {
        entries: ENTRIES_MAX,
        bytes: BYTES_MAX,
    };
    bounds.copy(from, to, DEPTH_MAX)
}

/// Moves a folder, or a link to one. A folder on another disk is copied, then removed. Blocking.
///
/// # Errors
/// I/O errors. The folder then stays in its old place.
pub(crate) fn move_folder(from: &Path, to: &Path) -> io::Result<()> {
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
    if from.is_symlink() {
        link(&std::fs::read_link(from)?, to)?;
        return std::fs::remove_file(from);
    }
    let parent = to.parent().ok_or(ErrorKind::InvalidInput)?;
    let aside = FolderAside::begin(parent, ASIDE)?;
    copy_content(from, aside.path())?;
    aside.put_in_place(to)?;
    std::fs::remove_dir_all(from)
}

struct Bounds {
    entries: usize,
    bytes: u64,
}

impl Bounds {
    fn copy(&mut self, from: &Path, to: &Path, depth: usize) -> io::Result<()> {
        let past = || io::Error::new(ErrorKind::FileTooLarge, FileFault::TooLarge(BYTES_MAX));
        let depth = depth.checked_sub(1).ok_or_else(past)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            self.entries = self.entries.checked_sub(1).ok_or_else(past)?;
            let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
            if kind.is_symlink() {
                link(&std::fs::read_link(entry.path())?, &target)?;
            } else if kind.is_dir() {
                std::fs::create_dir(&target)?;
                self.copy(&entry.path(), &target, depth)?;
            } else if kind.is_file() {
                let length = entry.metadata()?.len();
                self.bytes = self.bytes.checked_sub(length).ok_or_else(past)?;
                std::fs::copy(entry.path(), &target)?;
            }
        }
        let permissions = std::fs::metadata(from)?.permissions();
        match permissions.readonly() {
            // The copy can be changed and removed.
            true => Ok(()),
            false => std::fs::set_permissions(to, permissions),
        }
    }
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
