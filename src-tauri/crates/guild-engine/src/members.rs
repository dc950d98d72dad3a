//! Which members should be, against which are: the folder's content brought onto the roster.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::stream::{self, StreamExt};
use guild_core::manifest::Manifest;
use guild_core::note::{CallTrouble, FolderTrouble};
use guild_core::settings::Limits;
use guild_core::{Code, MemberName, Report};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, broadcast, oneshot};
use tokio_util::sync::CancellationToken;

use crate::bulletin::Posted;
use crate::context::Context;
use crate::dev::Workshop;
use crate::files::late::changed_or_again;
use crate::member::{Change, Command, Leaving, MemberHandle, StartedBy};
use crate::members_folder::{FolderWatch, MemberFolder, Scan, scan};

#[derive(Debug)]
pub(crate) struct Members {
    context: Arc<Context>,
    /// Gets each found folder, for members in dev mode.
    workshop: Arc<Workshop>,
    /// Cancelled when the hall closes.
    closing: CancellationToken,
    members: Mutex<BTreeMap<MemberName, Known>>,
    /// One look at the folder at a time: two would each put the same newcomer on the roster, and the one
    /// that read first might have the last word.
    looks: Semaphore,
    /// Whether the roster has been opened: members that come later are started at once.
    opened: AtomicBool,
}

#[derive(Debug, Clone)]
struct Known {
    handle: MemberHandle,
    folder: PathBuf,
    /// Whether a manifest of the folder has given the name, and not the folder.
    is_named: bool,
}

impl Members {
    pub(crate) fn new(
        context: Arc<Context>,
        workshop: Arc<Workshop>,
        closing: CancellationToken,
    ) -> Self {
        Self {
            context,
            workshop,
            closing,
            members: Mutex::default(),
            looks: Semaphore::new(1),
            opened: AtomicBool::new(false),
        }
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// One member's handle.
    ///
    /// # Errors
    /// `member-unknown`, `shutting-down`.
    pub(crate) fn member(&self, member: &MemberName) -> Result<MemberHandle, Report> {
        if self.is_closing() {
            return Err(Report::from_error(Code::ShuttingDown, &CallTrouble::Closing).of(member));
        }
        let known = self
            .members
            .lock()
            .get(member)
            .map(|known| known.handle.clone());
        known.ok_or_else(|| self.context.index.snapshot().unknown_member(member))
    }

    /// One member's manifest, where it can be used.
    pub(crate) fn manifest(&self, member: &MemberName) -> Option<Arc<Manifest>> {
        let snapshot = self.context.index.snapshot();
        snapshot.members.get(member)?.manifest.clone()
    }

    /// The time limits of members whose manifest leaves them open.
    pub(crate) fn limits(&self) -> Limits {
        self.context.settings.limits()
    }

    /// Subscribes to members' notifications that belong to no call.
    pub(crate) fn news(&self) -> broadcast::Receiver<Posted> {
        self.context.bulletin.follow()
    }

    pub(crate) fn folder(&self, member: &MemberName) -> Option<PathBuf> {
        self.members
            .lock()
            .get(member)
            .map(|known| known.folder.clone())
    }

    pub(crate) fn all(&self) -> Vec<MemberHandle> {
        self.members
            .lock()
            .values()
            .map(|known| known.handle.clone())
            .collect()
    }

    /// Whether members are started as they come.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.load(Ordering::Acquire)
    }

    /// From now on, members are started as they come.
    pub(crate) fn open(&self) {
        self.opened.store(true, Ordering::Release);
    }

    /// Has all looks at the folder wait until what is given is dropped.
    #[cfg(test)]
    pub(crate) async fn hold_looks(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        self.looks.acquire().await.ok()
    }

    /// Reads the folder and updates the roster: unchanged members stay untouched. `None` if the
    /// folder can't be read now; then nothing changes.
    ///
    /// It sees everything written before the call: it begins after a running scan has ended.
    pub(crate) async fn reconcile(&self) -> Option<Vec<MemberFolder>> {
        // It is never closed.
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
                let trouble = FolderTrouble::UnreadableAsSet(members_dir.clone(), said);
                Some(Report::from_error(Code::MembersFolderUnreadable, &trouble))
            }
            _ => error,
        };
        self.context.index.set_error(error);
        if unreadable && self.context.paths.members_dir.exists() {
            // A folder that can't be read for a moment does not end its members.
            return None;
        }
        self.remove_absent(&found);
        // As many at once as there are cores: reading caches is work, and more threads than that
        // only get into each other's way.
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        stream::iter(found.clone())
            .for_each_concurrent(cores, |member| self.add_or_change(member))
            .await;
        // From now on, members know their folders.
        self.workshop.found(&found);
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
                    known.handle.leave(Leaving::Removed).await;
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
                // A manifest that can't be read for now gives no other name.
                known.is_named = is_named || known.is_named && known.folder == found.folder;
                known.folder.clone_from(&found.folder);
                known.handle.clone()
            })
        };
        if let Some(handle) = existing {
            let change = self.change(found).await;
            if let Some(change) = change {
                handle.tell(Command::Reconfigure(Box::new(change))).await;
            }
            return;
        }
        let (name, folder) = (found.name.clone(), found.folder.clone());
        let context = Arc::clone(&self.context);
        // Registered before it is shown, so that a visible member can be started.
        let (handle, opening) = MemberHandle::prepare(name.clone());
        self.members.lock().insert(
            name.clone(),
            Known {
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
                .tell(Command::Start {
                    by: StartedBy::Roster,
                    reply,
                })
                .await;
        }
    }

    /// Returns the folder's change for a known member.
    async fn change(&self, found: MemberFolder) -> Option<Change> {
        let snapshot = self.context.index.snapshot();
        let known = snapshot.members.get(&found.name);
        if known.is_some_and(|entry| entry.manifest.is_some()) {
            return Some(Change::of(found));
        }
        let context = Arc::clone(&self.context);
        let read = move || Change::with_cache(found, &context);
        tokio::task::spawn_blocking(read).await.ok()
    }

    /// Follows the folder until it is dropped.
    pub(crate) async fn follow_folder(self: Arc<Self>, found: Option<Vec<MemberFolder>>) {
        let members_dir = self.context.paths.members_dir.clone();
        let mut watch = FolderWatch::new(members_dir);
        let mut seen = found.is_some();
        let mut found = found.unwrap_or_default();
        loop {
            // Another scan finds changes from between the last scan and the watch's start.
            while watch.follow(&found) {
                seen = self.look(&mut found).await;
            }
            // Without a complete watch, the folder is scanned periodically as well.
            changed_or_again(seen && watch.is_whole(), watch.changed()).await;
            seen = self.look(&mut found).await;
        }
    }

    /// Reconciles, and says whether the folder was seen.
    async fn look(&self, found: &mut Vec<MemberFolder>) -> bool {
        let looked = self.reconcile().await;
        let seen = looked.is_some();
        if let Some(looked) = looked {
            *found = looked;
        }
        seen
    }
}
