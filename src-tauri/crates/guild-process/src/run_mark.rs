//! Marks every process of a run so that none can lose the mark by accident (Linux).
//!
//! Resource limits are inherited through every fork, `exec`, `setsid` and emptied environment. The
//! limit of resident memory has had no effect since Linux 2.6, so its soft value can carry an id.
//! It is set on this process during a start, because no safe code can run between fork and exec.
//! Other processes that start at that moment lose the mark again at once.
//!
//! On other systems only the environment carries the id.

use parking_lot::Mutex;

use crate::process_registry::run::RunId;

/// Serializes starts, since the limit applies to the whole program.
static STARTING: Mutex<()> = Mutex::new(());

/// Runs `start` so that the processes it starts carry the mark of `run`.
pub(crate) fn marked<T>(run: RunId, start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock();
    let _marked = limit::Marked::with(run);
    start()
}

/// Runs `start` so that the processes it starts carry no mark of a concurrent start.
pub(crate) fn unmarked<T>(start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock();
    start()
}

/// Removes the mark of `run` from other processes that this program started while this program's
/// own limit carried the mark. These are this program's children except `leader`, and their
/// descendants. Concurrent calls share a scan of all processes.
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

/// Removes an inherited mark from this process.
#[cfg(unix)]
pub(crate) fn clear() {
    limit::clear(None);
}

#[cfg(target_os = "linux")]
mod limit {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

    use crate::process_registry::run::RunId;

    /// The changed limit of this process. It is restored even if the start panics.
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
                // The administrator has set a lower maximum, so only the environment carries the
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

    /// Removes the mark from a process. `None` is this process.
    pub(super) fn clear(pid: Option<u32>) {
        let maximum = getrlimit(Resource::Rss).maximum;
        let unmarked = Rlimit {
            current: maximum,
            maximum,
        };
        let pid = pid.and_then(|pid| i32::try_from(pid).ok().and_then(Pid::from_raw));
        // The process may have ended.
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
