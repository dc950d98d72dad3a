//! Members in dev mode: their changed files, and the results.
//!
//! `members` reports each folder with `dev`. The hall follows each by a separate task
//! ([`guild_engine::hall`]), so that a build that hangs does not delay others. A round is shown while it
//! runs, and the last ones are kept here in memory. No file keeps them: examples are calls, and
//! calls are in the history.

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

/// A member whose files are followed.
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
#[derive(Debug)]
pub struct Workshop {
    followed: watch::Sender<BTreeMap<MemberName, DevMember>>,
    desks: Mutex<BTreeMap<MemberName, Arc<DevSession>>>,
    /// The task that follows them.
    following: Mutex<Option<AbortOnDropHandle<()>>>,
    /// One manifest at a time is written.
    writing: tokio::sync::Mutex<()>,
}

impl Default for Workshop {
    fn default() -> Self {
        Self {
            followed: watch::Sender::new(BTreeMap::new()),
            desks: Mutex::default(),
            following: Mutex::default(),
            writing: tokio::sync::Mutex::default(),
        }
    }
}

impl Workshop {
    /// Takes note of the members' folders as they were found.
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
        self.desks
            .lock()
            .retain(|name, _| found.iter().any(|member| member.name == *name));
        self.followed.send_if_modified(|known| {
            let is_news = *known != followed;
            *known = followed;
            is_news
        });
    }

    /// Returns the members to follow, now and after each change.
    pub fn followed(&self) -> watch::Receiver<BTreeMap<MemberName, DevMember>> {
        self.followed.subscribe()
    }

    /// Has them followed until that is dropped.
    pub fn follow(&self, following: AbortOnDropHandle<()>) {
        *self.following.lock() = Some(following);
    }

    /// Stops following members.
    pub fn close(&self) {
        self.following.lock().take();
    }

    /// Waits until no other task writes a manifest.
    pub async fn writing(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    /// Returns one member's rounds.
    pub fn desk(&self, member: &MemberName) -> Arc<DevSession> {
        Arc::clone(self.desks.lock().entry(member.clone()).or_default())
    }

    /// Reports that a member is no longer watched, if anything was reported about it.
    pub fn unwatched(&self, member: &MemberName) {
        if let Some(desk) = self.desks.lock().get(member) {
            desk.watching(None, None);
        }
    }
}

/// One member's rounds.
#[derive(Debug, Default)]
pub struct DevSession {
    /// One round at a time: two would restart the member under each other's calls.
    alone: tokio::sync::Mutex<()>,
    shown: Mutex<DevSessionState>,
}

/// Shown state of the rounds.
#[derive(Debug, Clone, Default)]
pub struct DevSessionState {
    /// The watched files. `None` if the member is not followed.
    pub watch: Option<DevWatch>,
    /// The reason that changes may go unnoticed. `None` if watching works.
    pub problem: Option<Report>,
    /// The newest first.
    pub rounds: VecDeque<DevRound>,
    last: u32,
}

impl DevSession {
    /// Waits until no round runs.
    pub async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.alone.lock().await
    }

    /// Everything that is shown.
    pub fn shown(&self) -> DevSessionState {
        self.shown.lock().clone()
    }

    /// Says what is watched, and what is wrong with that.
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

    /// Shows a round's current state.
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
