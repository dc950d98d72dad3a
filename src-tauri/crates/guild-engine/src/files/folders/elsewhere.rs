//! By what `notify` finds on macOS and Windows.

use std::io;
use std::path::Path;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// Folders that are watched until this is dropped.
pub(crate) struct Folders {
    watcher: RecommendedWatcher,
}

impl Folders {
    /// Begins with none. `told` hears of each path where something may have changed, and of none where
    /// the system has lost count. It is called on a thread of its own.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn begin(told: impl Fn(Option<&Path>) + Send + Sync + 'static) -> io::Result<Self> {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if event.kind.is_access() {
                return;
            }
            if event.paths.is_empty() {
                told(None);
            }
            for path in &event.paths {
                told(Some(path));
            }
        });
        Ok(Self {
            watcher: watcher.map_err(io::Error::other)?,
        })
    }

    /// Watches a folder. Blocking.
    ///
    /// What happened there until this returns may be told or not: whoever calls looks for themselves then.
    ///
    /// # Errors
    /// Those of the system: there is no such folder, or no more are watched.
    pub(crate) fn watch(&mut self, folder: &Path) -> io::Result<()> {
        // Beside a watch that there is already another one would be begun.
        self.unwatch(folder);
        let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
        watched.map_err(io::Error::other)
    }

    /// Watches a folder no more.
    pub(crate) fn unwatch(&mut self, folder: &Path) {
        // One that was removed is no longer watched anyway.
        let _ = self.watcher.unwatch(folder);
    }
}
