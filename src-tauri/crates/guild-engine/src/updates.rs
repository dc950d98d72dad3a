//! Updates of Guild Hall itself: checks for a new release, downloads, verifies and installs it, and
//! rolls back if it does not start.
//!
//! [`Releases`] parses releases, compares versions and verifies signatures. The desktop shell
//! implements it with Tauri's updater. [`install`] moves the files, and [`watchdog`] supervises the
//! first start of the new version.

mod download;
mod install;
mod target;
mod watchdog;

use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{UpdateError, UpdateProblem};
use guild_api::event::HallEvent;
use guild_api::wire::{LastUpdate, NewVersion, UpdateStage, UpdateState, UpdateWay};
use guild_model::settings::UpdateSettings;
use guild_model::updates::{UpdateStep, VersionChange};
use guild_model::{Code, Report};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub use self::target::UpdateTarget;
pub use self::watchdog::run_from_args as update_watchdog;
use crate::hall::GuildHall;
use guild_files::clock::now_ms;

/// Interval of automatic checks.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Delay of the first check, so that it does not slow down the start of members.
const FIRST: Duration = Duration::from_secs(60);
/// The folder of downloads in the data folder.
const FOLDER: &str = "updates";

/// Parses and verifies releases.
pub trait Releases: Send + Sync {
    /// Returns the announced release, if it is newer than this program. `key` is the public key for
    /// the release's signature.
    ///
    /// # Errors
    /// An error text, if the announcement is invalid or not for this machine.
    fn newer(&self, announcement: Value, key: &str) -> Result<Option<Arc<dyn Release>>, String>;
}

/// A newer version of the program.
pub trait Release: Send + Sync {
    /// Returns the description of the version. Its texts may have any length.
    fn describe(&self) -> NewVersion;

    /// Checks the signature of the downloaded bytes of this version.
    ///
    /// # Errors
    /// An error text, if the signature is not valid.
    fn check(&self, bytes: &[u8]) -> Result<(), String>;
}

/// The updater. Cheap to clone.
#[derive(Clone)]
pub struct Updates {
    inner: Arc<UpdaterContext>,
}

struct UpdaterContext {
    hall: GuildHall,
    /// The file that an update replaces. `None` if this program does not update itself.
    place: Option<UpdateTarget>,
    releases: Box<dyn Releases>,
    held: Mutex<UpdaterState>,
}

struct UpdaterState {
    state: UpdateState,
    /// The release that the current stage is about.
    release: Option<Arc<dyn Release>>,
    /// The downloaded and verified file.
    fetched: Option<PathBuf>,
    /// Cancels the operation that is running.
    ending: CancellationToken,
}

impl Debug for Updates {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Updates").finish_non_exhaustive()
    }
}

impl Updates {
    /// Creates the updater. Its state has the result of the last update. Blocking.
    pub fn of(
        hall: GuildHall,
        place: Option<UpdateTarget>,
        releases: impl Releases + 'static,
    ) -> Self {
        let last = place
            .as_ref()
            .and_then(|place| install::last(&hall.paths().data_dir, &place.program));
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
            last: last.as_ref().and_then(last_update),
        };
        Self {
            inner: Arc::new(UpdaterContext {
                hall,
                place,
                releases: Box::new(releases),
                held: Mutex::new(UpdaterState {
                    state,
                    release: None,
                    fetched: None,
                    ending: CancellationToken::new(),
                }),
            }),
        }
    }

    /// Returns the current state.
    pub fn state(&self) -> UpdateState {
        self.state_of(&self.held())
    }

    /// Checks for a newer version. Does nothing while another operation runs, or after a version
    /// was downloaded. If the check fails, the version that an earlier check found stays known.
    ///
    /// # Errors
    /// `update-unplaced` if this program does not update itself. The state contains the error of a
    /// failed check.
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

    /// Downloads and verifies the version that the last check found. Does nothing without such a
    /// version.
    ///
    /// # Errors
    /// `update-unplaced` like [`look`](Self::look). The state contains the error of a failed
    /// download, or of a program folder that can't be written.
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
        let new = bounded(release.describe());
        let file = download::file(&self.inner.hall.paths().data_dir);
        let fetched = tokio::select! {
            fetched = self.fetched(&new, &file, release, &ending) => fetched,
            () = ending.cancelled() => {
                discard(file).await;
                return Ok(self.state());
            }
        };
        if fetched.is_err() || ending.is_cancelled() {
            discard(file.clone()).await;
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

    /// Cancels a check or a download, or discards the downloaded version. An installation
    /// continues.
    pub async fn cancel(&self) -> UpdateState {
        let fetched = {
            let mut held = self.held();
            if let UpdateStage::Changing { .. } = held.state.stage {
                return self.state_of(&held);
            }
            held.ending.cancel();
            held.state.stage = held.offered();
            held.state.problem = None;
            self.publish(&held);
            held.fetched.take()
        };
        if let Some(file) = fetched {
            discard(file).await;
        }
        self.state()
    }

    /// Installs the downloaded version, if any, and starts the watchdog that supervises the first
    /// start of the new version. The watchdog first waits until this program has exited. The caller
    /// has to exit.
    ///
    /// # Errors
    /// `update-refused` if the file is no longer the verified one. `update-unplaced` if it can't be
    /// installed. The program then stays unchanged.
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
            self.publish(&held);
            (new, release, file)
        };
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let from = self.inner.hall.info().version;
        let to = new.version.clone();
        let placed = tokio::task::spawn_blocking(move || {
            let bytes = download::read(&file)?;
            release.check(&bytes).map_err(|why| refused(&why))?;
            let change = install::place(&data_dir, &place, &bytes, from, to)?;
            watchdog::begin(&data_dir, &place).map_err(|error| {
                let why = error.to_string();
                unplaced(&match install::undo(&data_dir, &change) {
                    Ok(()) => UpdateProblem::Unwatched(why),
                    Err(error) => {
                        let previous = change.previous.clone();
                        UpdateProblem::NotUndone(why, previous, error.to_string())
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
            self.publish(&held);
            return Err(report);
        }
        Ok(self.state_of(&held))
    }

    /// Confirms that a new version has started, and removes files that earlier updates left. Called
    /// once the window's page runs.
    pub async fn came_up(&self) {
        let Some(place) = self.inner.place.clone() else {
            return;
        };
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let version = self.inner.hall.info().version;
        let settling =
            tokio::task::spawn_blocking(move || install::came_up(&data_dir, &place, &version));
        if let Ok(Some(change)) = settling.await {
            let mut held = self.held();
            held.state.last = last_update(&change);
            self.publish(&held);
        }
    }

    /// Clears the result of the last update, once the person has seen it.
    pub async fn forget_last(&self) -> UpdateState {
        let data_dir = self.inner.hall.paths().data_dir.clone();
        let forgetting = tokio::task::spawn_blocking(move || install::forget(&data_dir));
        if let Err(error) = forgetting.await {
            tracing::warn!(%error, "the result of the last update could not be cleared");
        }
        let mut held = self.held();
        held.state.last = None;
        self.publish(&held)
    }

    /// Publishes changes of the update address, and checks for releases automatically while the
    /// settings allow it. Runs until the future is dropped.
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
                        self.publish(&self.held());
                    }
                }
                () = tokio::time::sleep_until(next), if known.check => {
                    next = Instant::now() + EVERY;
                    // An error of the check is part of the published state.
                    let _ = self.look().await;
                }
            }
        }
    }

    fn place(&self) -> Result<&UpdateTarget, Report> {
        let place = self.inner.place.as_ref();
        place.ok_or_else(|| unplaced(&UpdateProblem::Packaged))
    }

    /// Returns the address of the release description, and the public key.
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
        let address = address
            .ok_or_else(|| Report::from_error(Code::UpdateUnread, &UpdateError::NoAddress))?;
        let key = key.ok_or_else(|| refused(&UpdateProblem::NoKey))?;
        let announcement = download::announcement(&address).await?;
        let this = Arc::clone(&self.inner);
        // The updater's library parses untrusted input, so this runs on a blocking thread.
        let judging = tokio::task::spawn_blocking(move || this.releases.newer(announcement, &key));
        match judging.await {
            Ok(Ok(release)) => Ok(release),
            Ok(Err(why)) => Err(download::unread(&address, &why)),
            Err(error) => Err(download::unread(&address, &error.to_string())),
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
        let looking = tokio::task::spawn_blocking(move || install::can_be_placed(&place));
        looking
            .await
            .unwrap_or_else(|error| Err(unplaced(&error.to_string())))?;
        // The address is taken from the release itself, since the one in the state may be truncated
        // for display.
        let address = release.describe().address;
        download::fetch(file, &address, |done, of| {
            self.change(ending, |held| {
                let new = new.clone();
                held.state.stage = UpdateStage::Fetching { new, done, of };
            });
        })
        .await?;
        let file = file.to_owned();
        let checking = tokio::task::spawn_blocking(move || {
            let bytes = download::read(&file)?;
            release.check(&bytes).map_err(|why| refused(&why))
        });
        checking
            .await
            .unwrap_or_else(|error| Err(refused(&error.to_string())))
    }

    /// Changes to the stage that `next` returns for the current stage. Returns the known release
    /// and the cancellation token of the new operation, or `None` if `next` returns none.
    fn begin(
        &self,
        next: impl FnOnce(&UpdateStage) -> Option<UpdateStage>,
    ) -> Option<(Option<Arc<dyn Release>>, CancellationToken)> {
        let mut held = self.held();
        held.state.stage = next(&held.state.stage)?;
        held.state.problem = None;
        held.ending = CancellationToken::new();
        self.publish(&held);
        Some((held.release.clone(), held.ending.clone()))
    }

    /// Changes the state and publishes it, unless the operation was cancelled.
    fn change(
        &self,
        ending: &CancellationToken,
        change: impl FnOnce(&mut UpdaterState),
    ) -> UpdateState {
        let mut held = self.held();
        if ending.is_cancelled() {
            return self.state_of(&held);
        }
        change(&mut held);
        self.publish(&held)
    }

    /// Publishes the state. The caller holds the lock, so that events are in the order of the
    /// changes.
    fn publish(&self, held: &UpdaterState) -> UpdateState {
        let state = self.state_of(held);
        self.inner.hall.tell_listeners(HallEvent::UpdatesChanged {
            updates: Box::new(state.clone()),
        });
        state
    }

    fn state_of(&self, held: &UpdaterState) -> UpdateState {
        UpdateState {
            address: self.source().0,
            ..held.state.clone()
        }
    }

    fn held(&self) -> MutexGuard<'_, UpdaterState> {
        self.inner.held.lock()
    }
}

impl UpdaterState {
    /// Returns the stage of an updater that runs no operation.
    fn offered(&self) -> UpdateStage {
        match &self.release {
            Some(release) => UpdateStage::Offered {
                new: bounded(release.describe()),
            },
            None => UpdateStage::Idle,
        }
    }
}

async fn discard(file: PathBuf) {
    let clearing = tokio::task::spawn_blocking(move || download::discard(&file));
    if let Err(error) = clearing.await {
        tracing::warn!(%error, "a downloaded update could not be removed");
    }
}

/// Returns a completed update for display.
fn last_update(change: &VersionChange) -> Option<LastUpdate> {
    let taken_back = match &change.step {
        UpdateStep::Placed => return None,
        UpdateStep::Up => None,
        UpdateStep::TakenBack { why } => Some(why.clone()),
    };
    Some(LastUpdate {
        from: change.from.clone(),
        to: change.to.clone(),
        taken_back,
        at_ms: change.at_ms,
    })
}

/// Truncates the texts of a version.
fn bounded(new: NewVersion) -> NewVersion {
    use guild_model::updates::{NOTES_MAX, VERSION_MAX};

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

fn refused(why: &impl ToString) -> Report {
    let trouble = UpdateError::Refused(why.to_string().trim_end_matches('.').to_owned());
    Report::from_error(Code::UpdateRefused, &trouble)
}

fn unplaced(why: &impl ToString) -> Report {
    let trouble = UpdateError::Unplaced(why.to_string());
    Report::from_error(Code::UpdateUnplaced, &trouble)
}

fn folder(data_dir: &Path) -> PathBuf {
    data_dir.join(FOLDER)
}

#[cfg(test)]
mod tests;
