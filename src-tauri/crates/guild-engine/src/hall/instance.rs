//! Holds the lock of the data folder, and accepts connections of other programs to the hall.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::control::{OPENED_FILES_MAX, RunningHall, ShowWindow};
use guild_ipc::messages::HallError;
use guild_model::holder::HallRole;
use guild_model::messages::CallError;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::{GuildHall, HallState};
use guild_ipc::{InstanceLock, LockMode, listen};

/// How often the hall checks that its data folder still exists.
const FOLDER_CHECKED_EVERY: Duration = Duration::from_secs(5);

/// The lock on the data folder, and requests from other programs.
#[derive(Debug)]
pub(super) struct InstanceState {
    role: Option<HallRole>,
    held: Mutex<InstanceResources>,
    /// Whether the program is shutting down and is about to close the hall.
    ends_soon: AtomicBool,
    /// Notified when another program requests the window.
    window_wanted: Notify,
    /// The link and the files that other programs have asked the window to show.
    to_show: Mutex<ShowWindow>,
}

#[derive(Debug)]
struct InstanceResources {
    // The fields are dropped in this order, so that a hall without its lock accepts no connections.
    server: Option<AbortOnDropHandle<()>>,
    claim: Option<InstanceLock>,
}

impl InstanceState {
    pub(super) fn new(tenure: LockMode, claim: Option<InstanceLock>) -> Self {
        let role = match tenure {
            LockMode::Serve(role) => Some(role),
            LockMode::Exclusive | LockMode::None => None,
        };
        Self {
            role,
            held: Mutex::new(InstanceResources {
                server: None,
                claim,
            }),
            ends_soon: AtomicBool::new(false),
            window_wanted: Notify::new(),
            to_show: Mutex::default(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct WeakHall(Weak<HallState>);

impl WeakHall {
    /// Returns the hall if it still exists.
    pub(super) fn upgrade(&self) -> Option<GuildHall> {
        self.0.upgrade().map(|inner| GuildHall { inner })
    }
}

impl GuildHall {
    /// Accepts connections of other programs, if the hall has a role. If that fails, the hall still
    /// works, and other programs get an error.
    pub(super) async fn accept_connections(&self) {
        let instance = &self.inner.instance;
        let (Some(role), true) = (instance.role, instance.held.lock().claim.is_some()) else {
            return;
        };
        let paths = self.paths();
        match listen(self.weak(), role, &paths.data_dir, &paths.members_dir).await {
            Ok(server) => {
                instance.held.lock().server = Some(server);
                self.inner.context.elicitations.opened_door();
            }
            Err(error) => {
                tracing::warn!(%error, "other programs can't connect to this one");
            }
        }
    }

    /// Publishes a warning if the data folder is removed or replaced. The lock and the files are
    /// then in the old folder, and a second hall could open on the new folder.
    pub(super) fn follow_data_folder(&self) {
        let instance = &self.inner.instance;
        if instance.role.is_none() || instance.held.lock().claim.is_none() {
            return;
        }
        let (hall, closing) = (self.weak(), self.inner.closing.clone());
        self.inner.context.tasks.spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(FOLDER_CHECKED_EVERY) => {}
                    () = closing.cancelled() => return,
                }
                let Some(hall) = hall.upgrade() else { return };
                let checking = tokio::task::spawn_blocking(move || {
                    let is_there = hall.has_its_folder();
                    (hall, is_there)
                });
                let Ok((hall, is_there)) = checking.await else {
                    return;
                };
                if !is_there {
                    let trouble = HallError::FolderGone(hall.paths().data_dir.clone());
                    let report = Report::from_error(Code::DataUnwritable, &trouble);
                    tracing::error!("{report}");
                    hall.inner
                        .context
                        .roster
                        .tell(HallEvent::Warning { report });
                    return;
                }
            }
        });
    }

    /// Whether the data folder is still the locked one. Blocking, for microseconds.
    fn has_its_folder(&self) -> bool {
        let held = self.inner.instance.held.lock();
        held.claim.as_ref().is_none_or(InstanceLock::is_there)
    }

    /// Whether this hall holds the lock of the data folder.
    pub(super) fn keeps_folder(&self) -> bool {
        self.inner.instance.held.lock().claim.is_some()
    }

    pub(super) fn weak(&self) -> WeakHall {
        WeakHall(Arc::downgrade(&self.inner))
    }

    /// Releases the data folder for the next hall.
    pub(super) fn release_folder(&self) {
        let mut held = self.inner.instance.held.lock();
        held.server = None;
        held.claim = None;
    }

    /// Describes this hall to another program.
    pub(crate) async fn who(&self) -> RunningHall {
        let gateway = match self.inner.agents.get() {
            Some(_) => self.gateway().await.address,
            None => None,
        };
        RunningHall {
            pid: std::process::id(),
            role: self.inner.instance.role.unwrap_or(HallRole::Serve),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            members_dir: self.paths().members_dir.display().to_string(),
            gateway,
            closing: self.is_ending(),
        }
    }

    /// Announces that the program is shutting down and will close the hall. If the program is
    /// started again from now on, the new process waits for the end of this process. It does not
    /// request a window that is about to close.
    pub fn ends_soon(&self) {
        self.inner.instance.ends_soon.store(true, Ordering::Relaxed);
    }

    /// Whether new processes have to wait for the end of the hall.
    fn is_ending(&self) -> bool {
        self.inner.closing.is_cancelled() || self.inner.instance.ends_soon.load(Ordering::Relaxed)
    }

    /// Requests that the app shows its window, with a link or files.
    ///
    /// # Errors
    /// `hall-runs` if the hall has no window, `shutting-down`.
    pub(crate) fn request_window(&self, request: ShowWindow) -> Result<(), Report> {
        if self.is_ending() {
            return Err(closing());
        }
        let instance = &self.inner.instance;
        if instance.role != Some(HallRole::App) {
            return Err(Report::from_error(Code::HallRuns, &HallError::NoWindow));
        }
        let ShowWindow { link, mut files } = request;
        files.truncate(OPENED_FILES_MAX);
        {
            let mut to_show = instance.to_show.lock();
            // If this request contains no link or no files, those of an earlier request are kept.
            to_show.link = link.or(to_show.link.take());
            if !files.is_empty() {
                to_show.files = files;
            }
        }
        instance.window_wanted.notify_one();
        Ok(())
    }

    /// Waits until another program requests the window. Returns the link and the files to show.
    pub async fn window_wanted(&self) -> ShowWindow {
        let instance = &self.inner.instance;
        instance.window_wanted.notified().await;
        let mut to_show = instance.to_show.lock();
        std::mem::take(&mut *to_show)
    }
}

fn closing() -> Report {
    Report::from_error(Code::ShuttingDown, &CallError::Closing)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::hall::{FolderWatchMode, GuildHallOptions};
    use crate::tests::paths_in;
    use guild_settings::paths::Paths;

    async fn receiving(paths: Paths) -> GuildHall {
        let options = GuildHallOptions {
            watch: FolderWatchMode::Once,
            own_binary: Some(String::new()),
            tenure: LockMode::Serve(HallRole::Serve),
            ..GuildHallOptions::default()
        };
        GuildHall::open(paths, options)
            .await
            .expect("the hall opens")
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn command_uses_the_members_of_the_running_hall() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = paths_in(folder.path());
        let hall = receiving(paths.clone()).await;
        let beside = Paths::resolve_beside_hall(None, Some(paths.data_dir.clone()));
        assert_eq!(beside.expect("the folders").members_dir, paths.members_dir);
        let samples = paths.data_dir.join("guild-members");
        assert!(!samples.exists(), "no samples are written");
        // A second hall is refused before it writes anything.
        let second = Paths::resolve(None, Some(paths.data_dir.clone())).expect("the folders");
        let options = GuildHallOptions {
            own_binary: Some(String::new()),
            ..GuildHallOptions::default()
        };
        let refused = GuildHall::open(second, options)
            .await
            .expect_err("one runs");
        assert_eq!(refused.code, Code::HallRuns);
        assert!(!samples.exists(), "a second hall writes no samples");
        let named = Paths::resolve_beside_hall(Some("/mine".into()), Some(paths.data_dir.clone()));
        assert_eq!(
            named.expect("the folders").members_dir,
            std::path::Path::new("/mine")
        );
        hall.shutdown().await;
        let after = Paths::resolve_beside_hall(None, Some(paths.data_dir));
        assert_eq!(after.expect("the folders").members_dir, samples);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn hall_after_another_installs_the_samples() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = paths_in(folder.path());
        let hall = receiving(paths.clone()).await;
        let next = Paths::resolve(None, Some(paths.data_dir.clone())).expect("the folders");
        hall.shutdown().await;
        let next = receiving(next).await;
        let samples = paths.data_dir.join("guild-members");
        assert!(samples.join("notes").exists());
        next.shutdown().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn removed_data_folder_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = paths_in(folder.path());
        let hall = receiving(paths.clone()).await;
        let mut events = hall.subscribe();
        // A second hall could lock the new folder.
        std::fs::rename(&paths.data_dir, folder.path().join("elsewhere")).expect("moved");
        std::fs::create_dir(&paths.data_dir).expect("made");
        let reported = async {
            while let Some(envelope) = events.next().await {
                if let HallEvent::Warning { report } = &envelope.event
                    && report.message.contains("was removed or replaced")
                {
                    return report.code;
                }
            }
            panic!("the hall is gone");
        };
        let reported = tokio::time::timeout(Duration::from_secs(60), reported).await;
        assert_eq!(reported.expect("in time"), Code::DataUnwritable);
        hall.shutdown().await;
    }
}
