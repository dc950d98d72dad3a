//! Members in dev mode: their changed files, and the rounds of build, restart and examples.
//!
//! The supervisor passes all member folders to [`DevService::found`], which selects those whose
//! manifest has `dev`. `guild_engine::hall` watches each selected folder in a separate task, so
//! that a hanging build does not delay others. A round is shown while it runs, and the last rounds
//! stay in memory. They are not stored in a file: examples are calls, and the history stores all
//! calls.

mod build;
mod file;
mod sources;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use guild_api::wire::{DEV_ROUNDS_MAX, DevRound, DevWatch};
use guild_model::manifest::{Dev, Manifest};
use guild_model::{MemberName, Report};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

pub use self::build::{Building, build};
pub use self::file::edit_file;
pub use self::sources::SourceWatch;
use guild_files::members_folder::MemberFolder;

/// A member whose files are watched.
#[derive(Debug, Clone, PartialEq)]
pub struct DevMember {
    /// The member's folder, the base of the watched patterns.
    pub folder: PathBuf,
    /// The manifest's settings for dev mode.
    pub dev: Dev,
    /// The whole manifest.
    pub manifest: Arc<Manifest>,
}

/// Members in dev mode.
#[derive(Debug, Default)]
pub struct DevService {
    followed: watch::Sender<BTreeMap<MemberName, DevMember>>,
    sessions: Mutex<BTreeMap<MemberName, Arc<DevSession>>>,
    /// The task that watches the members' files. Dropping the handle ends it.
    following: Mutex<Option<AbortOnDropHandle<()>>>,
    /// Allows only one task at a time to write a manifest.
    writing: tokio::sync::Mutex<()>,
}

impl DevService {
    /// Updates the set of members in dev mode after a scan. `found` are all folders in the members
    /// folder.
    pub fn found(&self, found: &[MemberFolder]) {
        let followed: BTreeMap<MemberName, DevMember> = found
            .iter()
            .filter_map(|member| {
                let manifest = member.parsed.manifest.as_ref().ok()?;
                let followed = DevMember {
                    folder: member.folder.clone(),
                    dev: manifest.own_dev()?.clone(),
                    manifest: Arc::new(manifest.clone()),
                };
                Some((member.name.clone(), followed))
            })
            .collect();
        self.sessions
            .lock()
            .retain(|name, _| found.iter().any(|member| member.name == *name));
        self.followed.send_if_modified(|known| {
            let is_news = *known != followed;
            *known = followed;
            is_news
        });
    }

    /// Subscribes to the set of members whose files are to be watched.
    pub fn followed(&self) -> watch::Receiver<BTreeMap<MemberName, DevMember>> {
        self.followed.subscribe()
    }

    /// Stores the task that watches the members' files. An earlier task ends.
    pub fn follow(&self, following: AbortOnDropHandle<()>) {
        *self.following.lock() = Some(following);
    }

    /// Stops watching files.
    pub fn close(&self) {
        self.following.lock().take();
    }

    /// Waits until no other task writes a manifest. Blocks other writers until the guard is
    /// dropped.
    pub async fn writing(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    /// Returns a member's dev mode session.
    pub fn session(&self, member: &MemberName) -> Arc<DevSession> {
        Arc::clone(self.sessions.lock().entry(member.clone()).or_default())
    }

    /// Records that a member is no longer watched. Does nothing for a member without a dev session.
    pub fn unwatched(&self, member: &MemberName) {
        if let Some(session) = self.sessions.lock().get(member) {
            session.watching(None, None);
        }
    }
}

/// The dev mode session of a member.
#[derive(Debug, Default)]
pub struct DevSession {
    /// Allows one round at a time. A second round would restart the member during the calls of the
    /// first.
    alone: tokio::sync::Mutex<()>,
    shown: Mutex<DevSessionState>,
}

/// The shown state of a dev mode session.
#[derive(Debug, Clone, Default)]
pub struct DevSessionState {
    /// The watched files. `None` if the member is not watched.
    pub watch: Option<DevWatch>,
    /// The reason that changes may go unnoticed. `None` if watching works.
    pub problem: Option<Report>,
    /// The rounds, newest first.
    pub rounds: VecDeque<DevRound>,
    last: u32,
}

impl DevSession {
    /// Waits until no round runs. Blocks other rounds until the guard is dropped.
    pub async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.alone.lock().await
    }

    /// Returns everything that is shown.
    pub fn shown(&self) -> DevSessionState {
        self.shown.lock().clone()
    }

    /// Sets the watched files, and any problem with watching them.
    pub fn watching(&self, watch: Option<DevWatch>, problem: Option<Report>) {
        let mut shown = self.shown.lock();
        shown.watch = watch;
        shown.problem = problem;
    }

    /// Returns the number of the member's next round, from 1.
    pub fn next_number(&self) -> u32 {
        let mut shown = self.shown.lock();
        shown.last = shown.last.wrapping_add(1);
        shown.last
    }

    /// Adds or updates a round.
    pub fn show(&self, round: &DevRound) {
        let mut shown = self.shown.lock();
        match shown
            .rounds
            .iter_mut()
            .find(|known| known.number == round.number)
        {
            Some(known) => known.clone_from(round),
            None => {
                shown.rounds.push_front(round.clone());
                shown.rounds.truncate(DEV_ROUNDS_MAX);
            }
        }
    }
}
