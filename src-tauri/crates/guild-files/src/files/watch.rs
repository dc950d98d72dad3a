//! Detects changes of single files, such as the settings and other programs' files.

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::folders::PathWatcher;
use super::waiting::{Late, changed_or_again};
use crate::files::waiting::Debounce;

/// Maximum number of watched folders. If there are more, all files are also polled.
const FOLDERS_MAX: usize = 256;

/// Reports when one of several files may have changed. If the system can't watch all of them, the
/// files are also polled, and each poll tries to start the watch again.
pub struct FilesWatch {
    system: Late<PathWatcher>,
    noticed: Arc<FileChanges>,
    watched: HashSet<PathBuf>,
    /// Whether the system reports all changes.
    is_whole: bool,
    debounce: Debounce,
}

#[derive(Default)]
struct FileChanges {
    changed: Notify,
    files: Mutex<HashSet<PathBuf>>,
}

impl FilesWatch {
    /// Creates a watch without files. `debounce` determines how soon a change is reported.
    pub fn new(debounce: Debounce) -> Self {
        Self {
            system: Late::default(),
            noticed: Arc::default(),
            watched: HashSet::new(),
            is_whole: false,
            debounce,
        }
    }

    /// Watches files through the nearest existing parent folder of each. Blocking.
    ///
    /// If a folder was created, removed or replaced, it gets a new watch, since a watch follows the
    /// original folder instead of the path.
    pub fn watch(&mut self, files: Vec<PathBuf>) {
        let notifier = Arc::clone(&self.noticed);
        self.watch_by(files, || {
            PathWatcher::begin(move |path| {
                if concerns(path, &notifier.files.lock()) {
                    notifier.changed.notify_one();
                }
            })
        });
    }

    fn watch_by(&mut self, files: Vec<PathBuf>, begin: impl FnOnce() -> io::Result<PathWatcher>) {
        let place = files.first().cloned().unwrap_or_default();
        let mut left_out = false;
        let mut folders = HashSet::new();
        let mut concerned = HashSet::new();
        for file in &files {
            let Some(folder) = file.ancestors().skip(1).find(|folder| folder.is_dir()) else {
                continue;
            };
            let inner = file.strip_prefix(folder).unwrap_or(file);
            // If several paths lead to a folder, the system reports its changes under one of them.
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            concerned.insert(folder.join(inner));
            if folders.len() < FOLDERS_MAX || folders.contains(&folder) {
                folders.insert(folder);
            } else {
                left_out = true;
            }
        }
        *self.noticed.files.lock() = concerned;
        let Some(system) = self.system.begun(&place, begin) else {
            self.is_whole = false;
            return;
        };
        for gone in self.watched.difference(&folders) {
            system.unwatch(gone);
        }
        self.is_whole = !left_out;
        for folder in &folders {
            // Existing watches are renewed too, since the path may lead to another folder now.
            if let Err(error) = system.watch(folder) {
                tracing::debug!(folder = %folder.display(), %error, "not watched");
                // Polling would not help with a folder that this program may not enter.
                let inside = folder.join(".").metadata();
                let is_closed = |error: io::Error| error.kind() == ErrorKind::PermissionDenied;
                self.is_whole &= inside.is_err_and(is_closed);
            }
        }
        self.watched = folders;
    }

    /// Waits for a change, then until changes stop. If the system can't report all changes, the
    /// wait ends after the polling interval at the latest.
    pub async fn changed(&self) {
        let changed = self.debounce.after(&self.noticed.changed);
        changed_or_again(self.is_whole, changed).await;
    }
}

/// Whether a change of `path` concerns one of the files: the path is a file, or a folder above one.
/// `None` means dropped events, and concerns all files.
fn concerns(path: Option<&Path>, files: &HashSet<PathBuf>) -> bool {
    path.is_none_or(|path| files.contains(path) || files.iter().any(|file| file.starts_with(path)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// Timeout for a reported change, much longer than a system takes.
    const LIMIT: Duration = Duration::from_secs(60);

    fn watch_of(folder: &Path) -> (FilesWatch, PathBuf) {
        let debounce = Debounce {
            quiet: Duration::from_millis(1),
            max_wait: Duration::from_millis(10),
        };
        let folder = folder.canonicalize().expect("its path");
        (FilesWatch::new(debounce), folder.join("settings.json"))
    }

    #[tokio::test]
    async fn folders_beyond_the_bound_are_looked_at_by_the_clock() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut watch, file) = watch_of(folder.path());
        let root = file.parent().expect("its folder");
        let files = |count: usize| -> Vec<PathBuf> {
            let in_folders = (0..count).flat_map(|at| {
                let folder = root.join(at.to_string());
                std::fs::create_dir_all(&folder).expect("a folder");
                [folder.join("a.json"), folder.join("b.json")]
            });
            in_folders.collect()
        };
        watch.watch(files(FOLDERS_MAX));
        assert!(watch.is_whole, "it is the folders that count");
        watch.watch(files(FOLDERS_MAX + 1));
        assert!(!watch.is_whole, "one is left out");
    }

    #[tokio::test]
    async fn a_file_is_watched_as_soon_as_the_system_lets_it_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut watch, file) = watch_of(folder.path());
        watch.watch_by(vec![file.clone()], || {
            Err(io::Error::other("too many instances"))
        });
        assert!(!watch.is_whole, "the clock triggers the checks");
        watch.watch(vec![file.clone()]);
        assert!(watch.is_whole, "it is reported");
        std::fs::write(&file, "{}").expect("written");
        let change = timeout(LIMIT, watch.changed());
        change.await.expect("it is reported");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn folder_with_two_paths_reports_both_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut watch, file) = watch_of(folder.path());
        let root = file.parent().expect("its folder");
        let real = root.join("real");
        std::fs::create_dir(&real).expect("a folder");
        std::os::unix::fs::symlink(&real, root.join("link")).expect("a link");
        watch.watch(vec![real.join("a"), root.join("link").join("b")]);
        for name in ["a", "b"] {
            std::fs::write(real.join(name), "").expect("written");
            let change = timeout(LIMIT, watch.changed());
            change.await.expect("it is reported");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn broken_watch_falls_back_to_polling() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut watch, file) = watch_of(folder.path());
        watch.watch_by(vec![file.clone()], || {
            Err(io::Error::other("too many instances"))
        });
        let look = timeout(LIMIT, watch.changed());
        look.await.expect("it is time to look");
        watch.watch(vec![file]);
        let woken = timeout(LIMIT * 60, watch.changed());
        assert!(woken.await.is_err(), "nothing changed");
    }

    #[test]
    fn neighboring_files_are_not_changes() {
        let files = HashSet::from([PathBuf::from("/home/me/.cursor/mcp.json")]);
        for (path, expect) in [
            ("/home/me/.cursor/mcp.json", true),
            ("/home/me/.cursor/other.json", false),
            ("/home/me/.cursor", true),
            ("/home/me/.other", false),
        ] {
            assert_eq!(concerns(Some(Path::new(path)), &files), expect, "{path}");
        }
        assert!(concerns(None, &files));
    }
}
