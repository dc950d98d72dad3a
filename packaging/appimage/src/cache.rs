//! Keeps unpacked files for the next start. Another version removes them when it starts and no
//! process uses them.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustix::io::{FdFlags, fcntl_setfd};

use crate::image::Image;

/// The lock file, which a process holds while it unpacks or removes files.
const LOCK: &str = "lock";

/// Unpacks `file` below `root`, unless that was done before. Returns the folder. It is not removed
/// as long as this process or a descendant lives, because they inherit its descriptor.
pub(crate) fn unpacked(file: &Path, root: &Path) -> Result<PathBuf> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(root)
        .with_context(|| format!("creating {}", root.display()))?;
    let lock = File::create(root.join(LOCK)).context("opening the cache")?;
    lock.lock().context("waiting for the cache")?;

    let folder = root.join(identity(file)?);
    if !folder.exists() {
        let part = folder.with_extension("part");
        remove(&part)?;
        Image::of(file)?.unpack(&part)?;
        fs::rename(&part, &folder).with_context(|| format!("keeping {}", folder.display()))?;
    }
    let held = File::open(&folder).with_context(|| format!("opening {}", folder.display()))?;
    held.lock_shared().context("holding what was unpacked")?;
    fcntl_setfd(&held, FdFlags::empty()).context("handing on what was unpacked")?;
    // It lives as long as the process that takes this one's place.
    std::mem::forget(held);
    sweep(root, &folder);
    Ok(folder)
}

/// Returns a string that distinguishes this file from another version of it.
fn identity(file: &Path) -> Result<String> {
    let of = fs::metadata(file).with_context(|| format!("looking at {}", file.display()))?;
    Ok(format!(
        "{:x}-{:x}-{:x}-{:x}{:08x}",
        of.dev(),
        of.ino(),
        of.size(),
        of.mtime(),
        of.mtime_nsec()
    ))
}

/// Removes unused folders. A failed removal is tried again at the next start.
fn sweep(root: &Path, but: &Path) {
    let Ok(entries) = fs::read_dir(root) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path == but || !path.is_dir() {
            continue;
        }
        let idle = File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok());
        if idle && let Err(error) = remove(&path) {
            eprintln!("{error:#}");
        }
    }
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::appimage;

    #[test]
    fn it_is_unpacked_once_and_an_older_one_goes_unless_it_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("cache");
        let [first, second, third] = ["first", "second", "third"].map(|name| {
            let file = folder.path().join(name);
            fs::write(&file, appimage(&[("AppRun", name)])).expect("an AppImage");
            file
        });
        let one = unpacked(&first, &root).expect("unpacked");
        assert_eq!(
            fs::read_to_string(one.join("AppRun")).expect("a file"),
            "first"
        );
        fs::write(one.join("mark"), "").expect("a mark");
        assert_eq!(unpacked(&first, &root).expect("again"), one);
        assert!(one.join("mark").exists(), "it was not unpacked again");

        // An unused folder, and an incomplete one.
        let idle = root.join("1-2-3-4");
        fs::create_dir(&idle).expect("a folder");
        fs::create_dir(root.join("5-6-7-8.part")).expect("a folder");
        let two = unpacked(&second, &root).expect("unpacked");
        assert!(one.exists(), "this process holds it");
        assert!(!idle.exists());
        assert!(!root.join("5-6-7-8.part").exists());
        let three = unpacked(&third, &root).expect("unpacked");
        assert!(two.exists() && three.exists());
    }

    #[test]
    fn a_file_that_changed_is_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "one").expect("a file");
        let before = identity(&file).expect("its identity");
        assert_eq!(identity(&file).expect("its identity"), before);
        fs::write(&file, "other").expect("a file");
        assert_ne!(identity(&file).expect("its identity"), before);
    }
}
