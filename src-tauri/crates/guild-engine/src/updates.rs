//! Newer versions of the program itself: told of at an address, fetched, checked, put in its place,
//! and taken back where they do not come up.
//!
//! What is a release, which one is newer and whether it is signed by the right key is decided by
//! [`Releases`], which the program hands in: its window toolkit knows. What is moved, and who watches
//! over the first start, stands in [`placing`] and [`warden`].

mod fetching;
mod place;
mod placing;
mod warden;

use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::event::HallEvent;
use guild_core::note::{Told, UpdateTrouble, UpdateWrong};
use guild_core::settings::UpdateSettings;
use guild_core::updates::{Change, Step};
use guild_core::wire::{LastUpdate, NewVersion, UpdateStage, UpdateState, UpdateWay};
use guild_core::{Code, Report};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub use self::place::Place;
pub use self::warden::run_from_args as warden;
use crate::clock::now_ms;
use crate::hall::Hall;

/// How often it is looked for newer versions, where the settings want that.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long after the start it is looked first: members come up before.
const FIRST: Duration = Duration::from_secs(60);
/// Where what was fetched lies, in the data folder.
const FOLDER: &str = "updates";

/// Who can tell what a release is.
pub trait Releases: Send + Sync {
    /// The release that is told of, if it is newer than this program. `key` is the public key that it
    /// has to be signed by.
    ///
    /// # Errors
    /// In words, when what is told is no release, or not one for this machine.
    fn newer(&self, told: Value, key: &str) -> Result<Option<Arc<dyn Release>>, String>;
}

/// A newer version of the program.
pub trait Release: Send + Sync {
    /// What is told of it; its texts are of any length.
    fn told(&self) -> NewVersion;

    /// Whether these bytes are that version, signed by the key.
    ///
    /// # Errors
    /// In words, when they are not.
    fn check(&self, bytes: &[u8]) -> Result<(), String>;
}

/// Newer versions of the program. Cheap to clone.
#[derive(Clone)]
pub struct Updates {
    inner: Arc<Inner>,
}

struct Inner {
    hall: Hall,
    /// `None` where this program does not replace itself.
    place: Option<Place>,
    releases: Box<dyn Releases>,
    held: Mutex<Held>,
}

struct Held {
    state: UpdateState,
    /// The release that the stage is about.
    release: Option<Arc<dyn Release>>,
    /// The file that it was fetched to, once it was checked.
    fetched: Option<PathBuf>,
    /// Ends what is under way.
    ending: CancellationToken,
}

impl Debug for Updates {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Updates").finish_non_exhaustive()
    }
}

impl Updates {
    /// What is known at the start: how the last change ended, too. Blocking.
    pub fn of(hall: Hall, place: Option<Place>, releases: impl Releases + 'static) -> Self {
        let last = place
            .as_ref()
            .and_then(|place| placing::last(&hall.paths().data_dir, &place.program));
        let state = UpdateState {
            version: hall.info().version,
            way: match place {
                Some(_) => UpdateWay::Itself,
                None => UpdateWay::Elsewhere,
            },
            address: None,
            looked_at_ms: None,
            stage: UpdateStage::Idle,
            problem: None,
            last: last.as_ref().and_then(told),
        };
        Self {
            inner: Arc::new(Inner {
                hall,
                place,
                releases: Box::new(releases),
                held: Mutex::new(Held {
                    state,
                    release: None,
                    fetched: None,
                    ending: CancellationToken::new(),
                }),
            }),
        }
    }

    /// How it stands.
    pub fn state(&self) -> UpdateState {
        self.state_of(&self.held())
    }

    /// Looks for a newer version. Where one is being fetched or is there, nothing is done; one that is
    /// known stays known where the look comes to nothing.
    ///
    /// # Errors
    /// `update-unplaced` where this program does not replace itself. Why a look came to nothing is
    /// part of the state.
    pub async fn look(&self) -> Result<UpdateState, Report> {
        self.place()?;
        let Some((_, ending)) = self.begin(|stage| match stage {
            UpdateStage::Idle | UpdateStage::Offered { .. } => Some(UpdateStage::Looking),
            _ => None,
        }) else {
            return Ok(self.state());
        };
        let found = tokio::select! {
            found = self.newer() => found,
            () = ending.cancelled() => return Ok(self.state()),
        };
        Ok(self.change(&ending, |held| {
            held.state.looked_at_ms = Some(now_ms());
            match found {
                Ok(release) => held.release = release,
                Err(report) => held.state.problem = Some(report),
            }
            held.state.stage = held.offered();
        }))
    }

    /// Fetches the version that was found, and checks it; nothing is fetched that could not be put in
    /// this program's place.
    ///
    /// # Errors
    /// `update-unplaced` as with [`look`](Self::look). Why it is not there is part of the state.
    pub async fn fetch(&self) -> Result<UpdateState, Report> {
        self.place()?;
        let begun = self.begin(|stage| match stage {
            UpdateStage::Offered { new } => {
                let (new, done, of) = (new.clone(), 0, None);
                Some(UpdateStage::Fetching { new, done, of })
            }
            _ => None,
        });
        let Some((Some(release), ending)) = begun else {
            return Ok(self.state());
        };
        let new = bounded(release.told());
        let file = fetching::file(&self.inner.hall.paths().data_dir);
        let fetched = tokio::select! {
            fetched = self.fetched(&new, &file, release, &ending) => fetched,
            () = ending.cancelled() => {
                throw_away(file).await;
                return Ok(self.state());
            }
        };
        if fetched.is_err() || ending.is_cancelled() {
            throw_away(file.clone()).await;
        }
        Ok(self.change(&ending, |held| match fetched {
            Ok(()) => {
                held.fetched = Some(file);
                held.state.stage = UpdateStage::Ready { new };
            }
            Err(report) => {
                held.state.stage = held.offered();
                held.state.problem = Some(report);
            }
        }))
    }

    /// Ends what is under way, or throws away what was fetched.
    pub async fn cancel(&self) -> UpdateState {
        let fetched = {
            let mut held = self.held();
            if let UpdateStage::Changing { .. } = held.state.stage {
                return self.state_of(&held);
            }
            held.ending.cancel();
            held.state.stage = held.offered();
            held.state.problem = None;
            self.tell(&held);
            held.fetched.take()
        };
        if let Some(file) = fetched {
            throw_away(file).await;
        }
        self.state()
    }

    /// Puts what was fetched in this program's place, and starts who watches over its first start:
    /// that waits for the end of this program, which is the caller's to begin.
    ///
    /// # Errors
    /// `update-refused` when what was fetched is not what was checked any more, `update-unplaced` when
    /// it can't be put there. The program is then as it was.
    pub async fn change_over(&self) -> Result<UpdateState, Report> {
        let place = self.place()?.clone();
        let (new, release, file) = {
            let mut held = self.held();
            let (UpdateStage::Ready { new }, Some(release), Some(file)) = (
                held.state.stage.clone(),
                held.release.clone(),
                held.fetched.clone(),
            ) else {
                return Ok(self.state_of(&held));
            };
            let version = new.version.clone();
            held.state.stage = UpdateStage::Changing { version };
            held.state.problem = None;
            self.tell(&held);
            (new, release, file)
        };
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let from = self.inner.hall.info().version;
        let to = new.version.clone();
        let placed = tokio::task::spawn_blocking(move || {
            let bytes = fetching::read(&file)?;
            release.check(&bytes).map_err(|why| refused(&why))?;
            let change = placing::place(&data_dir, &place, &bytes, from, to)?;
            warden::begin(&data_dir, &place).map_err(|error| {
                let why = error.to_string();
                unplaced(&match placing::undo(&data_dir, &change) {
                    Ok(()) => UpdateWrong::Unwatched(why),
                    Err(error) => {
                        let previous = change.previous.clone();
                        UpdateWrong::NotUndone(why, previous, error.to_string())
                    }
                })
            })
        });
        let placed = placed
            .await
            .unwrap_or_else(|error| Err(unplaced(&error.to_string())));
        let mut held = self.held();
        if let Err(report) = placed {
            held.state.stage = UpdateStage::Ready { new };
            self.tell(&held);
            return Err(report);
        }
        Ok(self.state_of(&held))
    }

    /// The window's page runs: a version whose first start this is has come up, and what earlier ones
    /// left is cleared.
    pub async fn came_up(&self) {
        let Some(place) = self.inner.place.clone() else {
            return;
        };
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let version = self.inner.hall.info().version;
        let settling =
            tokio::task::spawn_blocking(move || placing::came_up(&data_dir, &place, &version));
        if let Ok(Some(change)) = settling.await {
            let mut held = self.held();
            held.state.last = told(&change);
            self.tell(&held);
        }
    }

    /// How the last change ended has been seen.
    pub async fn forget_last(&self) -> UpdateState {
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let forgetting = tokio::task::spawn_blocking(move || placing::forget(&data_dir));
        if let Err(error) = forgetting.await {
            tracing::warn!(%error, "how the last update ended is not forgotten");
        }
        let mut held = self.held();
        held.state.last = None;
        self.tell(&held)
    }

    /// Tells of an address that was set, and looks by itself as long as the settings want it. Ends with
    /// the task that it runs in.
    pub async fn follow_settings(self) {
        let mut settings = self.inner.hall.settings();
        let mut known = settings.borrow_and_update().updates.clone();
        let mut next = Instant::now() + FIRST;
        loop {
            tokio::select! {
                changed = settings.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let now = settings.borrow_and_update().updates.clone();
                    if now != known {
                        known = now;
                        self.tell(&self.held());
                    }
                }
                () = tokio::time::sleep_until(next), if known.check => {
                    next = Instant::now() + EVERY;
                    // Why it came to nothing stands in the state.
                    let _ = self.look().await;
                }
            }
        }
    }

    fn place(&self) -> Result<&Place, Report> {
        let place = self.inner.place.as_ref();
        place.ok_or_else(|| unplaced(&UpdateWrong::Packaged))
    }

    /// Where newer versions are told of, and the key that they are signed by.
    fn source(&self) -> (Option<String>, Option<String>) {
        let UpdateSettings { address, key, .. } =
            self.inner.hall.settings().borrow().updates.clone();
        let preset = self
            .inner
            .place
            .as_ref()
            .and_then(|place| place.preset.clone());
        let (preset_address, preset_key) = match preset {
            Some(preset) => (Some(preset.address), Some(preset.key)),
            None => (None, None),
        };
        (address.or(preset_address), key.or(preset_key))
    }

    async fn newer(&self) -> Result<Option<Arc<dyn Release>>, Report> {
        let (address, key) = self.source();
        let address =
            address.ok_or_else(|| Report::told(Code::UpdateUnread, &UpdateTrouble::NoAddress))?;
        let key = key.ok_or_else(|| refused(&UpdateWrong::NoKey))?;
        let told = fetching::told(&address).await?;
        let this = Arc::clone(&self.inner);
        // A toolkit of others, and what others have written.
        let judging = tokio::task::spawn_blocking(move || this.releases.newer(told, &key));
        match judging.await {
            Ok(Ok(release)) => Ok(release),
            Ok(Err(why)) => Err(fetching::unread(&address, &why)),
            Err(error) => Err(fetching::unread(&address, &error.to_string())),
        }
    }

    async fn fetched(
        &self,
        new: &NewVersion,
        file: &Path,
        release: Arc<dyn Release>,
        ending: &CancellationToken,
    ) -> Result<(), Report> {
        let place = self.place()?.clone();
        let looking = tokio::task::spawn_blocking(move || placing::can_be_placed(&place));
        looking
            .await
            .unwrap_or_else(|error| Err(unplaced(&error.to_string())))?;
        // The address as it was told; the one that is shown may be cut.
        let address = release.told().address;
        fetching::fetch(file, &address, |done, of| {
            self.change(ending, |held| {
                let new = new.clone();
                held.state.stage = UpdateStage::Fetching { new, done, of };
            });
        })
        .await?;
        let file = file.to_owned();
        let checking = tokio::task::spawn_blocking(move || {
            let bytes = fetching::read(&file)?;
            release.check(&bytes).map_err(|why| refused(&why))
        });
        checking
            .await
            .unwrap_or_else(|error| Err(refused(&error.to_string())))
    }

    /// Goes to another stage, where the one that it is at allows that; gives the release that is known,
    /// and what ends it.
    fn begin(
        &self,
        next: impl FnOnce(&UpdateStage) -> Option<UpdateStage>,
    ) -> Option<(Option<Arc<dyn Release>>, CancellationToken)> {
        let mut held = self.held();
        held.state.stage = next(&held.state.stage)?;
        held.state.problem = None;
        held.ending = CancellationToken::new();
        self.tell(&held);
        Some((held.release.clone(), held.ending.clone()))
    }

    /// Changes what is held and tells of it, unless what asks for that was ended.
    fn change(&self, ending: &CancellationToken, change: impl FnOnce(&mut Held)) -> UpdateState {
        let mut held = self.held();
        if ending.is_cancelled() {
            return self.state_of(&held);
        }
        change(&mut held);
        self.tell(&held)
    }

    /// Tells all listeners what is held; that it is held keeps what is told in its order.
    fn tell(&self, held: &Held) -> UpdateState {
        let state = self.state_of(held);
        self.inner.hall.tell_listeners(HallEvent::UpdatesChanged {
            updates: Box::new(state.clone()),
        });
        state
    }

    fn state_of(&self, held: &Held) -> UpdateState {
        UpdateState {
            address: self.source().0,
            ..held.state.clone()
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.inner
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// The stage at which nothing is under way.
    fn offered(&self) -> UpdateStage {
        match &self.release {
            Some(release) => UpdateStage::Offered {
                new: bounded(release.told()),
            },
            None => UpdateStage::Idle,
        }
    }
}

async fn throw_away(file: PathBuf) {
    let clearing = tokio::task::spawn_blocking(move || fetching::throw_away(&file));
    if let Err(error) = clearing.await {
        tracing::warn!(%error, "what was fetched of an update stays");
    }
}

/// What is shown of a change that is over.
fn told(change: &Change) -> Option<LastUpdate> {
    let taken_back = match &change.step {
        Step::Placed => return None,
        Step::Up => None,
        Step::TakenBack { why } => Some(why.clone()),
    };
    Some(LastUpdate {
        from: change.from.clone(),
        to: change.to.clone(),
        taken_back,
        at_ms: change.at_ms,
    })
}

/// Its texts, as long as they may be.
fn bounded(new: NewVersion) -> NewVersion {
    use guild_core::updates::{NOTES_MAX, VERSION_MAX};

    let cut = |text: String, most: usize| text.chars().take(most).collect::<String>();
    NewVersion {
        version: cut(new.version, VERSION_MAX),
        notes: new
            .notes
            .map(|notes| cut(notes, NOTES_MAX))
            .filter(|notes| !notes.trim().is_empty()),
        address: cut(new.address, NOTES_MAX),
    }
}

fn refused(why: &impl Told) -> Report {
    let trouble = UpdateTrouble::Refused(why.told().trim_end_matches('.').to_owned());
    Report::told(Code::UpdateRefused, &trouble)
}

fn unplaced(why: &impl Told) -> Report {
    let trouble = UpdateTrouble::Unplaced(why.told());
    Report::told(Code::UpdateUnplaced, &trouble)
}

fn folder(data_dir: &Path) -> PathBuf {
    data_dir.join(FOLDER)
}

#[cfg(test)]
mod tests;
