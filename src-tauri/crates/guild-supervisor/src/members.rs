//! Keeps the members on the roster in sync with the members folder.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::stream::{self, StreamExt};
use guild_files::messages::FolderError;
use guild_model::manifest::Manifest;
use guild_model::messages::CallError;
use guild_model::settings::Limits;
use guild_model::{Code, MemberName, Report};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, broadcast, oneshot};
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::dev::DevService;
use crate::member::{
    MemberCommand, MemberFolderUpdate, MemberHandle, MemberShutdownReason, StartedBy,
};
use crate::notifications::MemberNotification;
use guild_files::files::waiting::changed_or_again;
use guild_files::members_folder::{FolderWatch, MemberFolder, Scan, scan};

/// The members of a running Guild Hall, kept up to date with the members folder.
#[derive(Debug)]
pub struct Supervisor {
    context: Arc<Context>,
    /// The state of members in dev mode. Receives the folders that each scan finds.
    dev: Arc<DevService>,
    /// Cancelled when Guild Hall closes.
    closing: CancellationToken,
    members: Mutex<BTreeMap<MemberName, SupervisedMember>>,
    /// Allows one scan of the folder at a time. Concurrent scans could add the same new member
    /// twice, and an older scan could overwrite a newer one.
    looks: Semaphore,
    /// Whether [`Self::open`] was called. Since then, members are started once they are
    /// added.
    opened: AtomicBool,
}

#[derive(Debug, Clone)]
struct SupervisedMember {
    handle: MemberHandle,
    folder: PathBuf,
    /// Whether the name came from a manifest in this folder, and not from the folder's name.
    is_named: bool,
}

impl Supervisor {
    /// Returns an empty set. [`Self::reconcile`] adds the members.
    pub fn new(context: Arc<Context>, dev: Arc<DevService>, closing: CancellationToken) -> Self {
        Self {
            context,
            dev,
            closing,
            members: Mutex::default(),
            looks: Semaphore::new(1),
            opened: AtomicBool::new(false),
        }
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Returns a member's handle.
    ///
    /// # Errors
    /// `member-unknown`, `shutting-down`.
    pub fn member(&self, member: &MemberName) -> Result<MemberHandle, Report> {
        if self.is_closing() {
            return Err(Report::from_error(Code::ShuttingDown, &CallError::Closing).of(member));
        }
        let known = self
            .members
            .lock()
            .get(member)
            .map(|known| known.handle.clone());
        known.ok_or_else(|| self.context.roster.snapshot().unknown_member(member))
    }

    /// Returns a member's manifest. `None` if it can't be used.
    pub fn manifest(&self, member: &MemberName) -> Option<Arc<Manifest>> {
        let snapshot = self.context.roster.snapshot();
        snapshot.members.get(member)?.manifest.clone()
    }

    /// Returns the time limits for members whose manifest doesn't set them.
    pub fn limits(&self) -> Limits {
        self.context.settings.limits()
    }

    /// Subscribes to members' notifications that belong to no call.
    pub fn notifications(&self) -> broadcast::Receiver<MemberNotification> {
        self.context.notifications.subscribe()
    }

    /// Returns a member's folder. `None` for an unknown member.
    pub fn folder(&self, member: &MemberName) -> Option<PathBuf> {
        self.members
            .lock()
            .get(member)
            .map(|known| known.folder.clone())
    }

    /// Returns the handles of all members, ordered by name.
    pub fn all(&self) -> Vec<MemberHandle> {
        self.members
            .lock()
            .values()
            .map(|known| known.handle.clone())
            .collect()
    }

    /// Whether new members are started when they are added.
    pub fn is_open(&self) -> bool {
        self.opened.load(Ordering::Acquire)
    }

    /// From now on, starts new members when they are added.
    pub fn open(&self) {
        self.opened.store(true, Ordering::Release);
    }

    /// Scans the members folder and updates the roster. Unchanged members are not touched. Returns
    /// `None` and changes nothing if the folder can't be read now.
    ///
    /// The scan sees everything that was written before this call, since it begins after any
    /// running scan has ended.
    pub async fn reconcile(&self) -> Option<Vec<MemberFolder>> {
        // The semaphore is never closed.
        let _alone = self.looks.acquire().await;
        let members_dir = self.context.paths.members_dir.clone();
        let holders: HashMap<PathBuf, MemberName> = self
            .members
            .lock()
            .iter()
            .filter(|(_, known)| known.is_named)
            .map(|(name, known)| (known.folder.clone(), name.clone()))
            .collect();
        let scanned = tokio::task::spawn_blocking(move || scan(&members_dir, &holders)).await;
        let Scan {
            found,
            error,
            unreadable: said,
        } = scanned.ok()?;
        let unreadable = error.is_some() && found.is_empty();
        let members_dir = &self.context.paths.members_dir;
        let error = match said {
            Some(said) if self.context.settings.name_members(members_dir) => {
                let trouble = FolderError::UnreadableAsSet(members_dir.clone(), said);
                Some(Report::from_error(Code::MembersFolderUnreadable, &trouble))
            }
            _ => error,
        };
        self.context.roster.set_error(error);
        if unreadable && self.context.paths.members_dir.exists() {
            // The error may be temporary, so the members stay.
            return None;
        }
        self.remove_absent(&found);
        // Limited to the number of cores: reading caches needs processor time, and more threads
        // would only compete.
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        stream::iter(found.clone())
            .for_each_concurrent(cores, |member| self.add_or_change(member))
            .await;
        // Called after the members received their new folders.
        self.dev.found(&found);
        Some(found)
    }

    fn remove_absent(&self, found: &[MemberFolder]) {
        let mut members = self.members.lock();
        let gone: Vec<MemberName> = members
            .keys()
            .filter(|name| !found.iter().any(|found| found.name == **name))
            .cloned()
            .collect();
        for name in gone {
            if let Some(known) = members.remove(&name) {
                self.context.tasks.spawn(async move {
                    known.handle.leave(MemberShutdownReason::Removed).await;
                });
            }
        }
    }

    async fn add_or_change(&self, found: MemberFolder) {
        let is_named = found.parsed.name.as_ref() == Some(&found.name);
        let existing = {
            let mut members = self.members.lock();
            let existing = members.get_mut(&found.name);
            existing.map(|known| {
                // While its manifest can't be read, the folder keeps the name that the manifest
                // had.
                known.is_named = is_named || known.is_named && known.folder == found.folder;
                known.folder.clone_from(&found.folder);
                known.handle.clone()
            })
        };
        if let Some(handle) = existing {
            let change = self.change(found).await;
            if let Some(change) = change {
                handle
                    .tell(MemberCommand::Reconfigure(Box::new(change)))
                    .await;
            }
            return;
        }
        let (name, folder) = (found.name.clone(), found.folder.clone());
        let context = Arc::clone(&self.context);
        // Registered before the roster shows the member, so that every visible member can be
        // started.
        let (handle, opening) = MemberHandle::prepare(name.clone());
        self.members.lock().insert(
            name.clone(),
            SupervisedMember {
                handle: handle.clone(),
                folder,
                is_named,
            },
        );
        // The cache is read here, before anything is started (REQ-MCP-TOOL-4).
        let runtime = tokio::runtime::Handle::current();
        let opened = tokio::task::spawn_blocking(move || {
            let _guard = runtime.enter();
            opening.open(found, context);
        });
        if opened.await.is_err() {
            self.members.lock().remove(&name);
            return;
        }
        if self.is_open() {
            // No caller waits for the reply: the roster shows the progress.
            let (reply, _) = oneshot::channel();
            handle
                .tell(MemberCommand::Start {
                    by: StartedBy::Roster,
                    reply,
                })
                .await;
        }
    }

    /// Returns the update for a scanned folder. Reads the member's cache, unless the roster has a
    /// valid manifest of the member. `None` if the program ends.
    async fn change(&self, found: MemberFolder) -> Option<MemberFolderUpdate> {
        let snapshot = self.context.roster.snapshot();
        let known = snapshot.members.get(&found.name);
        if known.is_some_and(|entry| entry.manifest.is_some()) {
            return Some(MemberFolderUpdate::of(found));
        }
        let context = Arc::clone(&self.context);
        let read = move || MemberFolderUpdate::with_cache(found, &context);
        tokio::task::spawn_blocking(read).await.ok()
    }

    /// Watches the folder and reconciles after each change, until the future is dropped.
    pub async fn follow_folder(self: Arc<Self>, found: Option<Vec<MemberFolder>>) {
        let members_dir = self.context.paths.members_dir.clone();
        let mut watch = FolderWatch::new(members_dir);
        let mut seen = found.is_some();
        let mut found = found.unwrap_or_default();
        loop {
            // After a new watch has started, another scan finds the changes from before its start.
            while watch.follow(&found) {
                seen = self.look(&mut found).await;
            }
            // Without a complete watch, the folder is scanned periodically as well.
            changed_or_again(seen && watch.is_whole(), watch.changed()).await;
            seen = self.look(&mut found).await;
        }
    }

    /// Reconciles and updates `found`. Returns whether the folder could be read.
    async fn look(&self, found: &mut Vec<MemberFolder>) -> bool {
        let looked = self.reconcile().await;
        let seen = looked.is_some();
        if let Some(looked) = looked {
            *found = looked;
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::context_in;
    use guild_files::members_folder::MANIFEST_FILE;

    #[tokio::test]
    async fn a_look_at_the_members_begins_once_the_one_before_has_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let member = folder.path().join("members/late");
        std::fs::create_dir_all(&member).expect("made");
        let closing = CancellationToken::new();
        let members = Supervisor::new(context_in(folder.path()), Arc::default(), closing.clone());
        let members = Arc::new(members);
        let before = members.looks.acquire().await.expect("no other look");
        let mut looks = std::pin::pin!(futures::future::join(
            members.reconcile(),
            members.reconcile()
        ));
        assert!(futures::poll!(looks.as_mut()).is_pending(), "they wait");
        // Each waiting scan sees the changes that are written during its wait.
        let manifest = r#"{"name": "late", "version": "1", "transport": "stdio", "command": "x"}"#;
        std::fs::write(member.join(MANIFEST_FILE), manifest).expect("written");
        drop(before);
        let (one, other) = looks.await;
        for found in [one, other] {
            let found = found.expect("the folder is read");
            assert_eq!(found.len(), 1);
            assert!(found[0].parsed.manifest.is_ok(), "{:?}", found[0]);
        }
        closing.cancel();
    }
}
