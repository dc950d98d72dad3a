//! Members in dev mode: their changed files, and the results.
//!
//! `members` reports each folder with `dev`. The hall follows each by a separate task
//! ([`crate::hall`]), so that a build that hangs does not delay others. A round is shown while it
//! runs, and the last ones are kept here in memory. No file keeps them: examples are calls, and
//! calls are in the history.

mod build;
mod file;
mod sources;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use guild_core::manifest::{Dev, Manifest};
use guild_core::wire::{DEV_ROUNDS_MAX, DevRound, DevWatch};
use guild_core::{MemberName, Report};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

pub(crate) use self::build::{Building, build};
pub(crate) use self::file::edit_file;
pub(crate) use self::sources::SourceWatch;
use crate::members_folder::MemberFolder;

/// A member whose files are followed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Followed {
    pub(crate) folder: PathBuf,
    pub(crate) dev: Dev,
    pub(crate) manifest: Arc<Manifest>,
}

/// Members in dev mode.
#[derive(Debug)]
pub(crate) struct Workshop {
    followed: watch::Sender<BTreeMap<MemberName, Followed>>,
    desks: Mutex<BTreeMap<MemberName, Arc<Desk>>>,
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
    pub(crate) fn found(&self, found: &[MemberFolder]) {
        let followed: BTreeMap<MemberName, Followed> = found
            .iter()
            .filter_map(|member| {
                let manifest = member.parsed.manifest.as_ref().ok()?;
                let followed = Followed {
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
    pub(crate) fn followed(&self) -> watch::Receiver<BTreeMap<MemberName, Followed>> {
        self.followed.subscribe()
    }

    /// Has them followed until that is dropped.
    pub(crate) fn follow(&self, following: AbortOnDropHandle<()>) {
        *self.following.lock() = Some(following);
    }

    /// Stops following members.
    pub(crate) fn close(&self) {
        self.following.lock().take();
    }

    /// Waits until no other task writes a manifest.
    pub(crate) async fn writing(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    /// Returns one member's rounds.
    pub(crate) fn desk(&self, member: &MemberName) -> Arc<Desk> {
        Arc::clone(self.desks.lock().entry(member.clone()).or_default())
    }

    /// Says of a member that it is followed no more, where anything is said of it.
    pub(crate) fn unwatched(&self, member: &MemberName) {
        if let Some(desk) = self.desks.lock().get(member) {
            desk.watching(None, None);
        }
    }
}

/// One member's rounds.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    /// One round at a time: two would restart the member under each other's calls.
    alone: tokio::sync::Mutex<()>,
    shown: Mutex<Shown>,
}

/// Shown state of the rounds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    pub(crate) watch: Option<DevWatch>,
    pub(crate) problem: Option<Report>,
    /// The newest first.
    pub(crate) rounds: VecDeque<DevRound>,
    last: u32,
}

impl Desk {
    /// Waits until no round runs.
    pub(crate) async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.alone.lock().await
    }

    /// Everything that is shown.
    pub(crate) fn shown(&self) -> Shown {
        self.shown.lock().clone()
    }

    /// Says what is watched, and what is wrong with that.
    pub(crate) fn watching(&self, watch: Option<DevWatch>, problem: Option<Report>) {
        let mut shown = self.shown.lock();
        shown.watch = watch;
        shown.problem = problem;
    }

    pub(crate) fn next_number(&self) -> u32 {
        let mut shown = self.shown.lock();
        shown.last = shown.last.wrapping_add(1);
        shown.last
    }

    /// Shows a round's current state.
    pub(crate) fn show(&self, round: &DevRound) {
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
