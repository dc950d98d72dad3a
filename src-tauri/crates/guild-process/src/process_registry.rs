//! Tracks every process that is started for a member, so that all of them are ended.
//!
//! Before a process starts, its [`RunLease`] (one start of a member) is recorded on disk
//! ([`run_journal`](crate::run_journal)) and at the watchdog ([`watchdog`](crate::watchdog)). Both
//! records are removed after the last process of the run has ended. If this program ends before
//! that, for any reason, the watchdog ends the processes, or else the next start of the program
//! does. A watchdog that ends is replaced, and the new one gets all records.
//!
//! If a lease is dropped before the end of its processes was observed, its records remain, unless
//! no process was started.

mod actor;
pub(crate) mod container;
#[cfg(target_os = "linux")]
mod journal;
pub(crate) mod run;
#[cfg(target_os = "linux")]
pub(crate) mod scan_cache;
mod watchdog_keeper;

use guild_model::container::Engine;
#[cfg(target_os = "linux")]
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

pub use container::ContainerHandle;
use run::{RunId, RunRoot};

use crate::lineage::Lineage;
#[cfg(target_os = "linux")]
use crate::lineage::{KnownRuns, RunMarkFilter};
#[cfg(target_os = "linux")]
use crate::{processes, run_mark};

/// Limit of the queued commands for the registry's task.
const ORDERS_MAX: usize = 1024;

/// Options of [`ProcessRegistry::open`]: the watchdog and the journal, which record the processes.
#[derive(Debug, Clone, Default)]
pub struct ProcessRegistryOptions {
    /// The program that runs as the watchdog. It must call
    /// [`watchdog_from_args`](crate::watchdog_from_args). Without a watchdog, the processes survive
    /// if this program is killed.
    pub watchdog: Option<PathBuf>,
    /// The folder for the run journal. Without it, processes that this program leaves are not ended
    /// at its next start.
    pub journal: Option<PathBuf>,
}

/// Tracks all processes that one hall (one running Guild Hall) starts. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ProcessRegistry {
    inner: Arc<ProcessRegistryState>,
}

#[derive(Debug)]
struct ProcessRegistryState {
    orders: mpsc::Sender<ProcessRegistryCommand>,
    #[cfg(target_os = "linux")]
    scan_cache: Arc<scan_cache::ProcessScanCache>,
    #[cfg(target_os = "linux")]
    runs: Mutex<KnownRuns>,
    /// The run that this program itself belongs to, if a member of another Guild Hall started it.
    #[cfg(target_os = "linux")]
    own_run: Option<RunId>,
}

/// A command for the registry's task, which updates the watchdog and the journal.
enum ProcessRegistryCommand {
    Begin {
        run: RunId,
        member: String,
        known: oneshot::Sender<()>,
    },
    Contains {
        run: RunId,
        contained: ContainerHandle,
        known: oneshot::Sender<()>,
    },
    Leads(RunId, RunRoot),
    Ended(RunId),
    /// Requests a notification when the processes that an earlier program left are ended.
    Swept(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}

impl ProcessRegistry {
    /// Starts the registry's task. It first ends the processes that an earlier program left,
    /// according to the same journal. Returns at once. Must be called within a tokio runtime.
    pub fn open(options: ProcessRegistryOptions) -> Self {
        let (orders, ordered) = mpsc::channel(ORDERS_MAX);
        tokio::spawn(actor::run(options, ordered));
        Self {
            inner: Arc::new(ProcessRegistryState {
                orders,
                #[cfg(target_os = "linux")]
                scan_cache: Arc::default(),
                #[cfg(target_os = "linux")]
                runs: Mutex::default(),
                // While a process is being started, this program itself carries the mark of that
                // start.
                #[cfg(target_os = "linux")]
                own_run: run_mark::unmarked(|| {
                    processes::run_of(std::process::id(), &mut Vec::new())
                }),
            }),
        }
    }

    /// Returns the member that a process belongs to. Blocks for about a millisecond.
    #[cfg(target_os = "linux")]
    pub fn lineage_of(&self, pid: u32) -> Lineage {
        let marks = RunMarkFilter::AllBut(self.inner.own_run);
        let root = Some(std::process::id());
        let runs = self.inner.runs.lock().clone();
        runs.lineage_of(pid, root, marks)
    }

    /// Returns [`Lineage::Outside`] for every process, because this system does not show which
    /// member started it.
    #[cfg(not(target_os = "linux"))]
    pub fn lineage_of(&self, _pid: u32) -> Lineage {
        Lineage::Outside
    }

    /// Creates the lease for a process that will be started. Waits until the lease is recorded. For
    /// the first lease, this includes ending the processes that an earlier program left, and
    /// starting the watchdog.
    pub async fn take(&self, member: &str) -> RunLease {
        let run = RunId::new();
        // The lease is created before the wait, so that cancelling the wait drops the lease.
        let lease = RunLease {
            run,
            registry: Arc::clone(&self.inner),
            is_used: false,
            contained: None,
        };
        #[cfg(target_os = "linux")]
        self.inner.runs.lock().begin(run, member);
        let member = member.to_owned();
        let begin = |known| ProcessRegistryCommand::Begin { run, member, known };
        self.inner.ask(begin).await;
        lease
    }

    /// Waits until the processes that an earlier program left are ended, and their ports are free.
    pub async fn swept(&self) {
        self.inner.ask(ProcessRegistryCommand::Swept).await;
    }

    /// Closes the watchdog's pipe, so that the watchdog ends the remaining processes. Waits for its
    /// end, until `until` at the latest.
    pub async fn close(&self, until: Instant) {
        let closing = self.inner.ask(ProcessRegistryCommand::Close);
        if timeout_at(until, closing).await.is_err() {
            tracing::warn!("the watchdog is still at work");
        }
    }
}

impl ProcessRegistryState {
    /// Sends a command and waits until it is executed. Returns at once if the registry's task has
    /// ended, as at the end of the program.
    async fn ask(&self, change: impl FnOnce(oneshot::Sender<()>) -> ProcessRegistryCommand) {
        let (done, answer) = oneshot::channel();
        if self.orders.send(change(done)).await.is_ok() {
            let _ = answer.await;
        }
    }
}

/// One start of a member. It is recorded from before its first process starts until after its last
/// process has ended.
#[derive(Debug)]
pub struct RunLease {
    run: RunId,
    registry: Arc<ProcessRegistryState>,
    /// Whether a process may have been started.
    is_used: bool,
    /// The container of this start, if any.
    contained: Option<ContainerHandle>,
}

impl RunLease {
    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    /// Returns the run's id, which is unique.
    pub fn name(&self) -> String {
        self.run.to_string()
    }

    /// Records the container that the first process will create through a container engine. The
    /// container is removed once all processes of the run are gone, no matter how this program
    /// ends.
    pub async fn contains(&mut self, contained: ContainerHandle) {
        self.contained = Some(contained.clone());
        let run = self.run;
        let contains = |known| ProcessRegistryCommand::Contains {
            run,
            contained,
            known,
        };
        self.registry.ask(contains).await;
    }

    pub(crate) fn engine(&self) -> Option<Engine> {
        self.contained.as_ref().map(ContainerHandle::engine)
    }

    /// Removes the container, if any. Returns true if no container is left.
    pub(crate) async fn clear(&self) -> bool {
        match &self.contained {
            Some(contained) => contained.remove().await,
            None => true,
        }
    }

    /// Marks the lease as used. Must be called before a process is started.
    pub(crate) fn begin(&mut self) {
        self.is_used = true;
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn scan_cache(&self) -> &Arc<scan_cache::ProcessScanCache> {
        &self.registry.scan_cache
    }

    /// Records the run's first process.
    pub(crate) async fn leads(&self, head: RunRoot) {
        #[cfg(target_os = "linux")]
        match head {
            RunRoot::ProcessTree(leader) => self.registry.runs.lock().leads(self.run, leader),
            // A session belongs to a short command, not to a member.
            RunRoot::Session(_) => self.registry.runs.lock().ended(self.run),
        }
        let leads = ProcessRegistryCommand::Leads(self.run, head);
        let _ = self.registry.orders.send(leads).await;
    }

    /// Records that the run has no more processes.
    pub(crate) async fn ended(self) {
        #[cfg(target_os = "linux")]
        self.registry.runs.lock().ended(self.run);
        let ended = ProcessRegistryCommand::Ended(self.run);
        let _ = self.registry.orders.send(ended).await;
    }

    /// Records that the run has no processes: none was started, or all have ended. Does not wait.
    pub(crate) fn has_none(mut self) {
        self.is_used = false;
    }
}

impl Drop for RunLease {
    fn drop(&mut self) {
        if !self.is_used {
            #[cfg(target_os = "linux")]
            self.registry.runs.lock().ended(self.run);
            // If the queue is full, the record remains, and the next sweep finds no processes for
            // it.
            let ended = ProcessRegistryCommand::Ended(self.run);
            let _ = self.registry.orders.try_send(ended);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;

    /// Returns the number of recorded runs in the journals.
    fn known(running: &Path) -> usize {
        let halls = std::fs::read_dir(running).into_iter().flatten().flatten();
        let files = halls.flat_map(|hall| std::fs::read_dir(hall.path()).into_iter().flatten());
        let names = files.flatten().map(|file| file.file_name());
        names.filter(|name| name != "lock").count()
    }

    #[tokio::test]
    async fn given_up_start_leaves_no_record() {
        let running = tempfile::tempdir().expect("a folder");
        let registry = ProcessRegistry::open(ProcessRegistryOptions {
            watchdog: None,
            journal: Some(running.path().to_owned()),
        });
        let mut begun = registry.take("begun").await;
        begun.begin();
        drop(begun);
        for _ in 0..20 {
            drop(registry.take("given up").await);
            // A lease is also removed if its caller stops waiting for it.
            let _ = tokio::time::timeout(Duration::ZERO, registry.take("given up")).await;
        }
        // The registry's task executes commands one after the other.
        registry.swept().await;
        assert_eq!(known(running.path()), 1, "what may have processes stays");
    }
}
