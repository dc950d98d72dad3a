//! Detects possible changes in the members folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::{MANIFEST_FILE, MemberFolder};
use crate::files::waiting::Debounce;
use crate::files::waiting::Late;
use crate::files::waiting::watcher;

/// Debounce of changes, since editors write a file in several steps.
const DEBOUNCE: Debounce = Debounce {
    quiet: Duration::from_millis(120),
    max_wait: Duration::from_millis(500),
};

/// Reports possible changes in the members' folder. [`Self::is_whole`] shows whether the system
/// reports all of them.
pub struct FolderWatch {
    watcher: Late<notify::RecommendedWatcher>,
    members_dir: PathBuf,
    noticed: Arc<MembersFolderChanges>,
    watched: Vec<PathBuf>,
    /// Whether the watch is active, and no folder was refused by the system at the last attempt.
    whole: bool,
}

/// The notifications since the last check.
#[derive(Default)]
struct MembersFolderChanges {
    changed: Notify,
    /// Whether folders were added, removed or replaced. Their watches must then be renewed, because
    /// a watch follows the original folder instead of the path.
    moved: AtomicBool,
}

impl FolderWatch {
    /// Creates an inactive watch.
    pub fn new(members_dir: PathBuf) -> Self {
        Self {
            watcher: Late::default(),
            members_dir,
            noticed: Arc::default(),
            watched: vec![],
            whole: false,
        }
    }

    /// Watches the members' folder and each member's folder. Subfolders are not watched, because a
    /// member may have a hundred thousand files.
    ///
    /// Returns whether a new watch was added, whose folder may have changed before without a
    /// report. If the watch can't be started, the next call tries again.
    pub fn follow(&mut self, found: &[MemberFolder]) -> bool {
        let (notifier, dir) = (Arc::clone(&self.noticed), self.members_dir.clone());
        self.follow_by(found, || {
            watcher(move |event| {
                let change = change(event, &dir);
                if change == MembersFolderChange::Folders {
                    notifier.moved.store(true, Ordering::Release);
                }
                if change != MembersFolderChange::Nothing {
                    notifier.changed.notify_one();
                }
            })
        })
    }

    fn follow_by(
        &mut self,
        found: &[MemberFolder],
        begin: impl FnOnce() -> notify::Result<notify::RecommendedWatcher>,
    ) -> bool {
        let Some(watcher) = self.watcher.begun(&self.members_dir, begin) else {
            self.whole = false;
            return false;
        };
        if self.noticed.moved.swap(false, Ordering::AcqRel) {
            for path in self.watched.drain(..) {
                // An error means that the folder was removed, so that it is no longer watched.
                let _ = watcher.unwatch(&path);
            }
        }
        // While the members' folder is missing, a watch of its nearest existing ancestor reports
        // its creation.
        let top = self.members_dir.ancestors().find(|path| path.is_dir());
        let wanted: Vec<PathBuf> = top
            .into_iter()
            .map(Path::to_owned)
            .chain(found.iter().map(|member| member.folder.clone()))
            .collect();
        for gone in self.watched.iter().filter(|path| !wanted.contains(path)) {
            let _ = watcher.unwatch(gone);
        }
        let mut watches_more = false;
        let mut watched: Vec<PathBuf> = wanted
            .iter()
            .filter(|path| self.watched.contains(path))
            .cloned()
            .collect();
        self.whole = true;
        for new in wanted.iter().filter(|path| !self.watched.contains(path)) {
            match watcher.watch(new, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    watches_more = true;
                    watched.push(new.clone());
                }
                Err(error) => {
                    tracing::debug!(folder = %new.display(), %error, "not watched");
                    self.whole = false;
                }
            }
        }
        self.watched = watched;
        watches_more
    }

    /// Whether all changes are reported. The system may refuse to watch some or all folders.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Waits for a change, then until changes stop.
    pub async fn changed(&self) {
        DEBOUNCE.after(&self.noticed.changed).await;
    }
}

/// The effect of a system event on the roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MembersFolderChange {
    /// No effect, for example a change of a server's log file or of Guild Hall's tool cache.
    Nothing,
    /// A manifest may have changed.
    Manifest,
    /// A member's folder, or one above it, may have been added, removed or moved.
    Folders,
}

fn change(event: &notify::Event, members_dir: &Path) -> MembersFolderChange {
    if event.kind.is_access() {
        return MembersFolderChange::Nothing;
    }
    // An event without a path means that the system dropped events.
    if event.paths.is_empty() {
        return MembersFolderChange::Folders;
    }
    let is_folder =
        |path: &PathBuf| path.parent() == Some(members_dir) || members_dir.starts_with(path);
    if event.paths.iter().any(is_folder) {
        return MembersFolderChange::Folders;
    }
    let is_manifest = |path: &PathBuf| path.file_name().is_some_and(|name| name == MANIFEST_FILE);
    if event.paths.iter().any(is_manifest) {
        return MembersFolderChange::Manifest;
    }
    MembersFolderChange::Nothing
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    /// Timeout for a reported change, much longer than a system takes.
    const LIMIT: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn the_folder_is_watched_as_soon_as_the_system_lets_it_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let mut watch = FolderWatch::new(root.clone());
        let refused = || Err(notify::Error::generic("too many instances"));
        assert!(!watch.follow_by(&[], refused), "nothing is watched");
        assert!(!watch.is_whole(), "the clock triggers the checks");
        assert!(watch.follow(&[]), "the earlier changes were not reported");
        assert!(watch.is_whole());
        assert!(!watch.follow(&[]), "it is watched already");
        std::fs::create_dir(root.join("new")).expect("made");
        let change = timeout(LIMIT, watch.changed());
        change.await.expect("it is reported");
    }

    #[test]
    fn server_files_do_not_change_the_roster() {
        use notify::event::{AccessKind, CreateKind, DataChange, ModifyKind, RenameMode};
        use notify::{Event, EventKind};
        let check = |kind: EventKind, path: &str, expected: MembersFolderChange| {
            let event = Event::new(kind).add_path(path.into());
            assert_eq!(
                change(&event, Path::new("/guild/members")),
                expected,
                "{event:?}"
            );
        };
        let modified = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        check(
            modified,
            "/guild/members/forge/server.log",
            MembersFolderChange::Nothing,
        );
        check(
            renamed,
            "/guild/members/forge/tools-cache.json",
            MembersFolderChange::Nothing,
        );
        check(
            EventKind::Access(AccessKind::Any),
            "/guild/members/forge",
            MembersFolderChange::Nothing,
        );
        check(modified, "/guild/other", MembersFolderChange::Nothing);
        check(
            modified,
            "/guild/members/forge/plugin.json",
            MembersFolderChange::Manifest,
        );
        check(
            renamed,
            "/guild/members/forge/plugin.json",
            MembersFolderChange::Manifest,
        );
        check(
            EventKind::Create(CreateKind::Folder),
            "/guild/members/new",
            MembersFolderChange::Folders,
        );
        check(
            EventKind::Create(CreateKind::Folder),
            "/guild/members",
            MembersFolderChange::Folders,
        );
        check(
            EventKind::Create(CreateKind::Folder),
            "/guild",
            MembersFolderChange::Folders,
        );
        assert_eq!(
            change(&Event::new(EventKind::Other), Path::new("/guild")),
            MembersFolderChange::Folders
        );
    }
}
