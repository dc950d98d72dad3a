//! Noticing that single files may have changed: those of other programs, and the settings.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::folders::Folders;
use crate::lull::Lull;

/// The most folders that are watched; what changes elsewhere is seen by the next look.
const FOLDERS_MAX: usize = 256;

/// Tells when one of the files may have changed.
pub(crate) struct FilesWatch {
    system: Folders,
    noticed: Arc<Noticed>,
    watched: HashSet<PathBuf>,
    lull: Lull,
}

#[derive(Default)]
struct Noticed {
    changed: Notify,
    files: Mutex<HashSet<PathBuf>>,
}

impl FilesWatch {
    /// Begins to watch; a change counts once its file was quiet for so long. `None` where the system
    /// can't, which is logged.
    pub(crate) fn begin(lull: Lull) -> Option<Self> {
        let noticed = Arc::new(Noticed::default());
        let notifier = Arc::clone(&noticed);
        let system = Folders::begin(move |path| {
            if concerns(path, &lock(&notifier.files)) {
                notifier.changed.notify_one();
            }
        });
        match system {
            Ok(system) => Some(Self {
                system,
                noticed,
                watched: HashSet::new(),
                lull,
            }),
            Err(error) => {
                tracing::warn!(%error, "files can't be watched on this system");
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
            self.system.unwatch(gone);
        }
        for folder in &folders {
            // Once more for what is watched already costs nothing where it is the same folder.
            if let Err(error) = self.system.watch(folder) {
                tracing::debug!(folder = %folder.display(), %error, "not watched");
            }
        }
        self.watched = folders;
    }

    /// Waits until something changed and has been quiet for a moment.
    pub(crate) async fn changed(&self) {
        self.lull.after(&self.noticed.changed).await;
    }
}

fn lock(files: &Mutex<HashSet<PathBuf>>) -> MutexGuard<'_, HashSet<PathBuf>> {
    files.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a path is one of the files, or a folder above one. Without a path the system has lost count
/// of what changed.
fn concerns(path: Option<&Path>, files: &HashSet<PathBuf>) -> bool {
    path.is_none_or(|path| files.contains(path) || files.iter().any(|file| file.starts_with(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_else_is_written_beside_a_file_is_no_change_of_it() {
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
