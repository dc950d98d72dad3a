//! The servers that other programs have in their files: looked for, told apart, and made members.
//!
//! Finding reads and starts nothing. All files are read side by side, off the runtime and each with
//! a time limit of its own: one that hangs (a network's folder) keeps nothing else from being
//! shown. Nothing of what was read is kept but what stands for it; whoever adopts has everything
//! read again, so that what is written is what stands in the file then, by the id that stands for
//! all of it.

mod adopting;
mod brought;
mod folders;
mod handing;
mod look;
mod merge;
mod names;
mod showing;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use guild_core::client_config::Folders;
use guild_core::note::InstallTrouble;
use guild_core::wire::FoundServers;
use guild_core::{Code, Report};
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

pub(crate) use self::adopting::adoption;
pub(crate) use self::brought::{BroughtIn, beside_members};
use self::folders::Remembered;
pub(crate) use self::handing::Members;
pub(crate) use self::look::Looked;
pub(crate) use self::names::Names;
pub(crate) use self::showing::Showing;

/// The files of other programs, as far as a hall knows them. A clone is the same.
#[derive(Debug, Clone)]
pub(crate) struct Finds(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Where the programs' files are; `None` where the system names no home folder.
    programs: Option<Folders>,
    remembered: Remembered,
    /// The files whose reading has not come to its end.
    reading: Mutex<HashMap<PathBuf, look::Reading>>,
    /// What was told last.
    told: Mutex<Option<FoundServers>>,
    /// Whether changes are to be told, and who does.
    follows: bool,
    following: Mutex<Option<AbortOnDropHandle<()>>>,
    /// Other files are to be followed than before.
    renewed: Notify,
    /// One adoption at a time: a name is free until the one before has taken it.
    adopting: tokio::sync::Mutex<()>,
}

impl Finds {
    /// The files in `programs`, or those of the user.
    pub(crate) fn new(programs: Option<Folders>, data_dir: &Path, follows: bool) -> Self {
        Self(Arc::new(Inner {
            programs: programs.or_else(crate::client_configs::folders_of_user),
            remembered: Remembered::new(data_dir),
            reading: Mutex::default(),
            told: Mutex::default(),
            follows,
            following: Mutex::default(),
            renewed: Notify::new(),
            adopting: tokio::sync::Mutex::default(),
        }))
    }

    /// Where the programs' files are.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder.
    pub(crate) fn programs(&self) -> Result<&Folders, Report> {
        self.0
            .programs
            .as_ref()
            .ok_or_else(|| Report::told(Code::DataUnwritable, &InstallTrouble::NoHome))
    }

    /// The user's home folder; empty where the system names none.
    pub(crate) fn home(&self) -> String {
        let programs = self.0.programs.as_ref();
        programs.map_or_else(String::new, |known| known.home.display().to_string())
    }

    /// The folders that a person named.
    pub(crate) fn remembered(&self) -> &Remembered {
        &self.0.remembered
    }

    /// Waits until nobody else adopts.
    pub(crate) async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.0.adopting.lock().await
    }

    /// Takes note of what is told now; whether that is something else than was told last.
    pub(crate) fn is_news(&self, found: FoundServers) -> bool {
        let mut told = lock(&self.0.told);
        let is_other = told.as_ref().is_some_and(|before| *before != found);
        *told = Some(found);
        is_other
    }

    /// Has changes followed by what `follow` gives, once, where they are to be.
    pub(crate) fn follow(&self, follow: impl FnOnce() -> AbortOnDropHandle<()>) {
        if !self.0.follows {
            return;
        }
        let mut following = lock(&self.0.following);
        if following.is_none() {
            *following = Some(follow());
        }
    }

    /// Says that there are other files to be followed than before.
    pub(crate) fn renew(&self) {
        self.0.renewed.notify_one();
    }

    /// Waits until there are.
    pub(crate) async fn renewed(&self) {
        self.0.renewed.notified().await;
    }

    /// Follows nothing any more.
    pub(crate) fn close(&self) {
        lock(&self.0.following).take();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
