//! The mark that every process of a run carries and none can lose by accident (Linux).
//!
//! Limits are handed down from process to process through every fork, `exec`, `setsid` and emptied
//! environment. The one on resident memory has had no effect since Linux 2.6, so its soft value is
//! free to carry a name. It is set on ourselves for the moment of a start, because there is no safe
//! code between fork and exec to set it in. What else this program may have started in that moment
//! gets rid of it again at once.
//!
//! Elsewhere the name in the environment is all there is.

use std::sync::{Mutex, PoisonError};

use crate::custody::run::Run;

/// One start at a time: the limit is the whole program's.
static STARTING: Mutex<()> = Mutex::new(());

/// Runs `start` such that the processes that it starts carry the mark of `run`.
pub(crate) fn marked<T>(run: Run, start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let _marked = limit::Marked::with(run);
    start()
}

/// Runs `start` such that no mark of a member that is started at the same time gets into it.
pub(crate) fn unmarked<T>(start: impl FnOnce() -> T) -> T {
    let _one = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    start()
}

/// Takes the mark off whatever else this program started while its limit was the mark of `run`,
/// which was not before `since` ([`now`](crate::processes::now)): children of ours that are not the
/// `leader`, if there is one, and all that descends from them.
#[cfg(target_os = "linux")]
pub(crate) fn clear_bystanders(
    run: Run,
    leader: Option<crate::custody::run::Identity>,
    since: u64,
) {
    use crate::processes::Table;

    let table = match Table::take(since) {
        Ok(table) => table,
        Err(error) => {
            tracing::debug!(%error, "whoever was marked by mistake can't be looked for");
            return;
        }
    };
    let own = std::process::id();
    let ours_but_not_it = table
        .families(|kin| kin.parent == own && kin.run == Some(run) && Some(kin.identity) != leader);
    for kin in ours_but_not_it {
        if kin.run == Some(run) {
            limit::clear(Some(kin.identity.pid));
        }
    }
}

/// Takes the mark off this process, which inherited one from whoever started it.
#[cfg(unix)]
pub(crate) fn clear() {
    limit::clear(None);
}

#[cfg(target_os = "linux")]
mod limit {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

    use crate::custody::run::Run;

    /// Our own limit while it is a mark. It gets its value back also when the start panics.
    pub(super) struct Marked {
        before: Rlimit,
    }

    impl Marked {
        pub(super) fn with(run: Run) -> Option<Self> {
            let before = getrlimit(Resource::Rss);
            let marked = Rlimit {
                current: Some(run.number()),
                maximum: before.maximum,
            };
            match setrlimit(Resource::Rss, marked) {
                Ok(()) => Some(Self { before }),
                // The administrator has set a lower one: the environment alone has to do.
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

    /// Takes the mark off a process, or ourselves.
    pub(super) fn clear(pid: Option<u32>) {
        let maximum = getrlimit(Resource::Rss).maximum;
        let unmarked = Rlimit {
            current: maximum,
            maximum,
        };
        let pid = pid.and_then(|pid| i32::try_from(pid).ok().and_then(Pid::from_raw));
        // It may be gone by now.
        let _ = prlimit(pid, Resource::Rss, unmarked);
    }
}

#[cfg(not(target_os = "linux"))]
mod limit {
    use crate::custody::run::Run;

    pub(super) struct Marked;

    impl Marked {
        pub(super) fn with(_run: Run) -> Option<Self> {
            Some(Self)
        }
    }

    #[cfg(unix)]
    pub(super) fn clear(_pid: Option<u32>) {}
}
