//! Marks every process of a run, in such a way that a process can't lose the mark by accident
//! (Linux).
//!
//! Resource limits are inherited through every fork, `exec`, `setsid` and emptied environment. The
//! limit of resident memory has had no effect since Linux 2.6, so its soft value can carry the
//! run's id. The limit is set on this program itself while it starts the process, because no safe
//! code can run between fork and exec. If this program starts other processes during that time,
//! they inherit the mark by mistake, and it is removed from them at once.
//!
//! On other systems, only the environment carries the id.

use parking_lot::Mutex;

use crate::process_registry::run::RunId;

/// Allows only one marked or unmarked start at a time, because the limit applies to the whole
/// program.
static STARTING: Mutex<()> = Mutex::new(());

/// Runs `start`. The processes that it starts carry the mark of `run`.
pub(crate) fn marked<T>(run: RunId, start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock();
    let _marked = limit::Marked::with(run);
    start()
}

/// Runs `start`. The processes that it starts don't carry the mark of a concurrent start.
pub(crate) fn unmarked<T>(start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock();
    start()
}

/// Removes the mark of `run` from processes that inherited it by mistake, because this program
/// started them while it carried the mark itself. These are the children of this program except
/// `leader`, and their descendants. Concurrent calls share one scan of all processes.
#[cfg(target_os = "linux")]
pub(crate) fn clear_bystanders(run: RunId, leader: Option<crate::process_registry::run::Identity>) {
    use std::sync::LazyLock;

    use crate::process_registry::scan_cache::ProcessScanCache;

    static CENSUS: LazyLock<ProcessScanCache> = LazyLock::new(ProcessScanCache::default);
    let table = match CENSUS.look() {
        Ok(table) => table,
        Err(error) => {
            tracing::debug!(%error, "processes that were marked by mistake can't be found");
            return;
        }
    };
    let own = std::process::id();
    let ours_but_not_it = table.trees(|process| {
        process.stat.parent == own && process.run == Some(run) && Some(process.identity) != leader
    });
    for process in ours_but_not_it {
        if process.run == Some(run) {
            limit::clear(Some(process.identity.pid));
        }
    }
}

/// Removes an inherited mark from this process itself.
#[cfg(unix)]
pub(crate) fn clear() {
    limit::clear(None);
}

#[cfg(target_os = "linux")]
mod limit {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

    use crate::process_registry::run::RunId;

    /// The changed limit of this process. Dropping this value restores the limit, even if the start
    /// panics.
    pub(super) struct Marked {
        before: Rlimit,
    }

    impl Marked {
        pub(super) fn with(run: RunId) -> Option<Self> {
            let before = getrlimit(Resource::Rss);
            let marked = Rlimit {
                current: Some(run.number()),
                maximum: before.maximum,
            };
            match setrlimit(Resource::Rss, marked) {
                Ok(()) => Some(Self { before }),
                // The administrator set a maximum below the id, so only the environment carries the
                // id.
                Err(error) => {
                    tracing::debug!(%error, "processes can't be marked by their limit");
                    None
                }
            }
        }
    }

    impl Drop for Marked {
        fn drop(&mut self) {
            if let Err(error) = setrlimit(Resource::Rss, self.before) {
                tracing::warn!(%error, "the limit on resident memory could not be given back");
            }
        }
    }

    /// Removes the mark from the process `pid`. `None` means this process.
    pub(super) fn clear(pid: Option<u32>) {
        let maximum = getrlimit(Resource::Rss).maximum;
        let unmarked = Rlimit {
            current: maximum,
            maximum,
        };
        let pid = pid.and_then(|pid| i32::try_from(pid).ok().and_then(Pid::from_raw));
        // An error means that the process may have ended.
        let _ = prlimit(pid, Resource::Rss, unmarked);
    }
}

#[cfg(not(target_os = "linux"))]
mod limit {
    use crate::process_registry::run::RunId;

    pub(super) struct Marked;

    impl Marked {
        pub(super) fn with(_run: RunId) -> Option<Self> {
            Some(Self)
        }
    }

    #[cfg(unix)]
    pub(super) fn clear(_pid: Option<u32>) {}
}
