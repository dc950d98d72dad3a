//! Watches folders, without their subfolders, and reports each path that may have changed.

use std::io;
use std::path::Path;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::waiting::watcher;

/// Watches folders until it is dropped. A folder that was added under several paths is reported
/// under one of them.
pub struct PathWatcher {
    watcher: RecommendedWatcher,
}

impl PathWatcher {
    /// Creates a watcher without folders. It calls `changed` on a separate thread: with each path
    /// that may have changed, and with `None` if the system dropped events.
    ///
    /// # Errors
    /// Errors of the watcher.
    pub fn begin(changed: impl Fn(Option<&Path>) + Send + Sync + 'static) -> io::Result<Self> {
        let watcher = watcher(move |event| {
            if event.paths.is_empty() {
                changed(None);
            }
            for path in &event.paths {
                changed(Some(path));
            }
        });
        Ok(Self {
            watcher: watcher.map_err(io::Error::other)?,
        })
    }

    /// Watches a folder. Blocking.
    ///
    /// Changes during this call may not be reported, so the caller has to read the folder
    /// afterwards.
    ///
    /// # Errors
    /// Errors of the watcher: the folder is missing, or the limit of watches is reached.
    pub fn watch(&mut self, folder: &Path) -> io::Result<()> {
        // The watcher would add a second watch to the folder instead of replacing the first.
        self.unwatch(folder);
        let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
        watched.map_err(io::Error::other)
    }

    pub(crate) fn unwatch(&mut self, folder: &Path) {
        // An error means that the folder was removed, so that it is no longer watched.
        let _ = self.watcher.unwatch(folder);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use tokio::sync::mpsc;
    use tokio::time::timeout;

    use super::*;

    /// Timeout for a reported change, much longer than a system takes.
    const LIMIT: Duration = Duration::from_secs(60);

    fn begin() -> (PathWatcher, mpsc::UnboundedReceiver<Option<PathBuf>>) {
        let (report, changes) = mpsc::unbounded_channel();
        let folders = PathWatcher::begin(move |path: Option<&Path>| {
            let _ = report.send(path.map(Path::to_owned));
        });
        (folders.expect("the system watches folders"), changes)
    }

    async fn until(changes: &mut mpsc::UnboundedReceiver<Option<PathBuf>>, path: &Path) {
        let of_it = async {
            loop {
                let change = changes.recv().await.expect("it is still watched");
                if change.as_deref() == Some(path) {
                    return;
                }
            }
        };
        timeout(LIMIT, of_it).await.expect("it is reported");
    }

    #[tokio::test]
    async fn folder_changes_are_reported_by_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let (mut folders, mut changes) = begin();
        folders.watch(&root).expect("watched");
        let file = root.join("a");
        fs::write(&file, "1").expect("a file");
        until(&mut changes, &file).await;
        fs::write(&file, "2").expect("a file");
        until(&mut changes, &file).await;
        let other = root.join("b");
        fs::rename(&file, &other).expect("renamed");
        until(&mut changes, &other).await;
        fs::remove_file(&other).expect("removed");
        until(&mut changes, &other).await;
    }

    #[tokio::test]
    async fn a_folder_in_anothers_place_is_watched_once_that_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let inner = root.join("inner");
        fs::create_dir(&inner).expect("a folder");
        let (mut folders, mut changes) = begin();
        folders.watch(&inner).expect("watched");
        fs::rename(&inner, root.join("away")).expect("moved");
        until(&mut changes, &inner).await;
        assert!(folders.watch(&inner).is_err(), "there is none");
        fs::create_dir(&inner).expect("another one");
        folders.watch(&inner).expect("watched");
        let file = inner.join("a");
        fs::write(&file, "").expect("a file");
        until(&mut changes, &file).await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn opened_and_deeper_files_cause_no_wake_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let deeper = root.join("deeper");
        fs::create_dir(&deeper).expect("a folder");
        fs::write(root.join("a"), "1").expect("a file");
        let (mut folders, mut changes) = begin();
        folders.watch(&root).expect("watched");
        assert_eq!(fs::read(root.join("a")).expect("read"), b"1");
        fs::write(deeper.join("b"), "").expect("a file");
        let next = root.join("next");
        fs::write(&next, "").expect("a file");
        let first = timeout(LIMIT, changes.recv())
            .await
            .expect("it is reported");
        assert_eq!(first, Some(Some(next)), "nothing before it");
    }

    #[tokio::test]
    async fn a_folder_that_is_watched_no_more_is_not_told_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let [one, other] = ["one", "other"].map(|name| root.join(name));
        let (mut folders, mut changes) = begin();
        for path in [&one, &other] {
            fs::create_dir(path).expect("a folder");
            folders.watch(path).expect("watched");
        }
        folders.unwatch(&one);
        fs::write(one.join("a"), "").expect("a file");
        let file = other.join("b");
        fs::write(&file, "").expect("a file");
        loop {
            let path = timeout(LIMIT, changes.recv())
                .await
                .expect("it is reported");
            let path = path.flatten().expect("a path");
            assert!(!path.starts_with(&one), "{}", path.display());
            if path == file {
                return;
            }
        }
    }
}
