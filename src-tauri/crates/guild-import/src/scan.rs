//! Scans other apps' configuration files for servers, merges duplicates, and imports them as
//! members.
//!
//! A scan reads files and starts nothing. All files are read in parallel on blocking threads, each
//! with a time limit, so that a hanging network folder delays no other file. Between a scan and an
//! import, only the hashes of the servers are known. The import reads the files again, and uses the
//! servers with these hashes.

mod display;
mod files;
mod folders;
mod import;
mod merge;
mod names;
mod pasted;
mod switch_over;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_api::wire::FoundServers;
use guild_client_config::ClientConfigFolders;
use guild_files::messages::InstallError;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

pub use self::display::ScanDisplayContext;
pub use self::files::ScanResult;
use self::folders::Remembered;
pub use self::import::adoption;
pub use self::names::UsedMemberNames;
pub use self::pasted::{BroughtIn, beside_members};
pub use self::switch_over::ReplacementMembers;

/// Scans the configuration files of other apps. Clones share the state.
#[derive(Debug, Clone)]
pub struct ServerScanner(Arc<ScannerState>);

#[derive(Debug)]
struct ScannerState {
    /// The folders that contain the apps' files. `None` if the user has no home folder.
    programs: Option<ClientConfigFolders>,
    remembered: Remembered,
    /// The files that are still being read.
    reading: Mutex<HashMap<PathBuf, files::FileReadState>>,
    /// The last published result.
    published: Mutex<Option<FoundServers>>,
    /// Whether changes are published.
    follows: bool,
    /// The task that publishes changes.
    following: Mutex<Option<AbortOnDropHandle<()>>>,
    /// Notified when the set of files changes.
    renewed: Notify,
    /// Serializes imports. Two imports at the same time could choose the same name, since a name is
    /// in use only once the member is written.
    importing: tokio::sync::Mutex<()>,
}

impl ServerScanner {
    /// Creates a scanner of the files in `programs`, or in the user's folders if `programs` is
    /// `None`. `follows` determines whether changes are published.
    pub fn new(programs: Option<ClientConfigFolders>, data_dir: &Path, follows: bool) -> Self {
        Self(Arc::new(ScannerState {
            programs: programs.or_else(crate::client_configs::folders_of_user),
            remembered: Remembered::new(data_dir),
            reading: Mutex::default(),
            published: Mutex::default(),
            follows,
            following: Mutex::default(),
            renewed: Notify::new(),
            importing: tokio::sync::Mutex::default(),
        }))
    }

    /// Returns the folders of the apps' files.
    ///
    /// # Errors
    /// `data-unwritable` if the user has no home folder.
    pub fn programs(&self) -> Result<&ClientConfigFolders, Report> {
        self.0
            .programs
            .as_ref()
            .ok_or_else(|| Report::from_error(Code::DataUnwritable, &InstallError::NoHome))
    }

    /// Returns the user's home folder, or an empty string.
    pub fn home(&self) -> String {
        let programs = self.0.programs.as_ref();
        programs.map_or_else(String::new, |known| known.home.display().to_string())
    }

    /// Returns the folders that a person added.
    pub fn remembered(&self) -> &Remembered {
        &self.0.remembered
    }

    /// Locks imports, so that only one runs at a time.
    pub async fn lock_imports(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.0.importing.lock().await
    }

    /// Stores the result of a scan. Returns whether it differs from the previous result; `false`
    /// for the first result.
    pub fn is_news(&self, found: FoundServers) -> bool {
        let mut last = self.0.published.lock();
        let is_other = last.as_ref().is_some_and(|before| *before != found);
        *last = Some(found);
        is_other
    }

    /// Starts the task from `follow`, which publishes changes. Does nothing if the task was already
    /// started, or if this scanner publishes no changes.
    pub fn follow(&self, follow: impl FnOnce() -> AbortOnDropHandle<()>) {
        if !self.0.follows {
            return;
        }
        let mut following = self.0.following.lock();
        if following.is_none() {
            *following = Some(follow());
        }
    }

    /// Notifies the task that publishes changes that the set of files to scan has changed.
    pub fn renew(&self) {
        self.0.renewed.notify_one();
    }

    /// Waits until the set of files to scan has changed.
    pub async fn renewed(&self) {
        self.0.renewed.notified().await;
    }

    /// Stops publishing changes.
    pub fn close(&self) {
        self.0.following.lock().take();
    }
}
