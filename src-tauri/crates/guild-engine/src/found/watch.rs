//! Noticing that other programs' files may have changed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::lock;
use crate::lull::Lull;

/// Some programs write their file with every word.
const LULL: Lull = Lull {
    quiet: Duration::from_millis(300),
    patience: Duration::from_secs(2),
};
/// The most folders that are watched; what changes elsewhere is seen by the next look.
const FOLDERS_MAX: usize = 256;

/// Tells when one of the files may have changed.
pub(crate) struct FilesWatch {
    watcher: notify::RecommendedWatcher,
    noticed: Arc<Noticed>,
    watched: HashSet<PathBuf>,
}

#[derive(Default)]
struct Noticed {
    changed: Notify,
    files: Mutex<HashSet<PathBuf>>,
}

impl FilesWatch {
    /// Begins to watch; `None` where the system can't, which is logged.
    pub(crate) fn begin() -> Option<Self> {
        let noticed = Arc::new(Noticed::default());
        let notifier = Arc::clone(&noticed);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if concerns(&event, &lock(&notifier.files)) {
                notifier.changed.notify_one();
            }
        });
        match watcher {
            Ok(watcher) => Some(Self {
                watcher,
                noticed,
                watched: HashSet::new(),
            }),
            Err(error) => {
                tracing::warn!(%error, "other programs' files can't be watched on this system");
                None
            }
        }
    }

    /// Watches these files, each by the nearest folder above it that is there. Blocking.
    ///
    /// A folder that came, went or was put in another's place is watched anew: a watch belongs to
    /// the folder that it was begun on.
    pub(crate) fn watch(&mut self, files: Vec<PathBuf>) {
        let folders: HashSet<PathBuf> = files
            .iter()
            .filter_map(|file| file.ancestors().skip(1).find(|folder| folder.is_dir()))
            .take(FOLDERS_MAX)
            .map(Path::to_path_buf)
            .collect();
        *lock(&self.noticed.files) = files.into_iter().collect();
        for gone in self.watched.difference(&folders) {
            // A folder that was removed is no longer watched anyway.
            let _ = self.watcher.unwatch(gone);
        }
        for folder in &folders {
            // Once more for what is watched already costs nothing where it is the same folder.
            if let Err(error) = self.watcher.watch(folder, RecursiveMode::NonRecursive) {
                tracing::debug!(folder = %folder.display(), %error, "not watched");
            }
        }
        self.watched = folders;
    }

    /// Waits until something changed and has been quiet for a moment.
    pub(crate) async fn changed(&self) {
        LULL.after(&self.noticed.changed).await;
    }
}

/// Whether an event is about one of the files, or a folder above one.
fn concerns(event: &notify::Event, files: &HashSet<PathBuf>) -> bool {
    if event.kind.is_access() {
        return false;
    }
    // Without a path the system has lost count of what changed.
    event.paths.is_empty()
        || event
            .paths
            .iter()
            .any(|path| files.contains(path) || files.iter().any(|file| file.starts_with(path)))
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, DataChange, ModifyKind};
    use notify::{Event, EventKind};

    use super::*;

    #[test]
    fn what_else_is_written_beside_a_file_is_no_change_of_it() {
        let files = HashSet::from([PathBuf::from("/home/me/.cursor/mcp.json")]);
        let modified = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        for (kind, path, expect) in [
            (modified, "/home/me/.cursor/mcp.json", true),
            (modified, "/home/me/.cursor/other.json", false),
            (
                EventKind::Create(CreateKind::Folder),
                "/home/me/.cursor",
                true,
            ),
            (
                EventKind::Create(CreateKind::Folder),
                "/home/me/.other",
                false,
            ),
            (
                EventKind::Access(AccessKind::Any),
                "/home/me/.cursor/mcp.json",
                false,
            ),
        ] {
            let event = Event::new(kind).add_path(path.into());
            assert_eq!(concerns(&event, &files), expect, "{event:?}");
        }
        assert!(concerns(&Event::new(EventKind::Other), &files));
    }
}
