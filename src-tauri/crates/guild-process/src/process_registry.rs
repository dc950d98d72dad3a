//! Tracks every process that is started for a member, so that all of them are ended.
//!
//! Before a process starts, its [`RunLease`] (one start of a member) is recorded on disk
//! ([`run_journal`](crate::run_journal)) and at the watchdog ([`watchdog`](crate::watchdog)). Both remove it
//! after the last process of the lease is gone. If this program ends in between for any reason,
//! one of them ends the processes. A watchdog that ends is replaced, and its successor gets all
//! data.
//!
//! A lease that is dropped early stays recorded, unless no process was started in it. Only an
//! observed end removes the record.

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

/// Limit of the queued changes for the watchdog and the disk.
const ORDERS_MAX: usize = 1024;

/// Options of [`ProcessRegistry::open`]: the watchdog and the journal that record processes.
#[derive(Debug, Clone, Default)]
pub struct ProcessRegistryOptions {
    /// The program that runs as the watchdog and calls
    /// [`watchdog_from_args`](crate::watchdog_from_args). Without it, the processes survive if this
    /// program is killed.
    pub watchdog: Option<PathBuf>,
    /// The folder for the records of runs. Without it, the next start of the program does not end
    /// leftover processes.
    pub journal: Option<PathBuf>,
}

/// Tracks all processes that one hall starts. Cheap to clone.
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
    /// The run that started this program, if it was a member of another hall.
    #[cfg(target_os = "linux")]
    own_run: Option<RunId>,
}

/// A change for the watchdog and the disk.
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
    /// Requests a notification after the sweep.
    Swept(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}

impl ProcessRegistry {
    /// Starts the tracking task. It begins to end the processes that an earlier program left in the
    /// same journal. Returns at once. Must be called within a tokio runtime.
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
                // During a start, this program itself carries the mark of that run.
                #[cfg(target_os = "linux")]
                own_run: run_mark::unmarked(|| {
                    processes::run_of(std::process::id(), &mut Vec::new())
                }),
            }),
        }
    }

    /// Returns the member whose process tree contains a process. Blocks for about a millisecond.
    /// Where the system does not show ancestors, every process counts as outside.
    #[cfg(target_os = "linux")]
    pub fn lineage_of(&self, pid: u32) -> Lineage {
        let marks = RunMarkFilter::AllBut(self.inner.own_run);
        let root = Some(std::process::id());
        let runs = self.inner.runs.lock().clone();
        runs.lineage_of(pid, root, marks)
    }

    /// Returns the member whose process tree contains a process. Where the system does not show
    /// ancestors, every process counts as outside.
    #[cfg(not(target_os = "linux"))]
    pub fn lineage_of(&self, _pid: u32) -> Lineage {
        Lineage::Outside
    }

    /// Creates the lease of a process that will be started. Waits for the sweep and the watchdog,
    /// which takes milliseconds for the first lease.
    pub async fn take(&self, member: &str) -> RunLease {
        let run = RunId::new();
        // The lease is created first, so that a cancelled wait drops it.
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

    /// Waits until the processes of an earlier program are ended and their ports are free.
    pub async fn swept(&self) {
        self.inner.ask(ProcessRegistryCommand::Swept).await;
    }

    /// Closes the watchdog's pipe, so that it ends the remaining processes. Waits for that until
    /// `until`.
    pub async fn close(&self, until: Instant) {
        let closing = self.inner.ask(ProcessRegistryCommand::Close);
        if timeout_at(until, closing).await.is_err() {
            tracing::warn!("the watchdog is still at work");
        }
    }
}

impl ProcessRegistryState {
    /// Sends a change and waits until it is done. Returns at once if the registry has ended, as at
    /// the end of the program.
    async fn ask(&self, change: impl FnOnce(oneshot::Sender<()>) -> ProcessRegistryCommand) {
        let (done, answer) = oneshot::channel();
        if self.orders.send(change(done)).await.is_ok() {
            let _ = answer.await;
        }
    }
}

/// The record of one start of a member, from before its first process until after its last one.
#[derive(Debug)]
pub struct RunLease {
    run: RunId,
    registry: Arc<ProcessRegistryState>,
    /// Whether a process may have been started.
    is_used: bool,
    /// The container of the start, if any.
    contained: Option<ContainerHandle>,
}

impl RunLease {
    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    /// Returns the unique name of the start.
    pub fn name(&self) -> String {
        self.run.to_string()
    }

    /// Records the container that the first process will request from a container engine. The
    /// container is removed once all processes are gone, however this program ends.
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

    /// Marks the lease as used. Must be called before a process starts.
    pub(crate) fn begin(&mut self) {
        self.is_used = true;
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn scan_cache(&self) -> &Arc<scan_cache::ProcessScanCache> {
        &self.registry.scan_cache
    }

    /// Records the first process.
    pub(crate) async fn leads(&self, head: RunRoot) {
        #[cfg(target_os = "linux")]
        match head {
            RunRoot::ProcessTree(leader) => self.registry.runs.lock().leads(self.run, leader),
            // The session of a short command does not belong to a member.
            RunRoot::Session(_) => self.registry.runs.lock().ended(self.run),
        }
        let leads = ProcessRegistryCommand::Leads(self.run, head);
        let _ = self.registry.orders.send(leads).await;
    }

    /// Records that no process is left.
    pub(crate) async fn ended(self) {
        #[cfg(target_os = "linux")]
        self.registry.runs.lock().ended(self.run);
        let ended = ProcessRegistryCommand::Ended(self.run);
        let _ = self.registry.orders.send(ended).await;
    }

    /// Records without waiting that no process exists.
    pub(crate) fn has_none(mut self) {
        self.is_used = false;
    }
}

impl Drop for RunLease {
    fn drop(&mut self) {
        if !self.is_used {
            #[cfg(target_os = "linux")]
            self.registry.runs.lock().ended(self.run);
            // If the queue is full, the run stays recorded, and the next sweep finds no processes.
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

    /// Returns the number of recorded runs.
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
        // Orders are processed one after the other.
        registry.swept().await;
        assert_eq!(known(running.path()), 1, "what may have processes stays");
    }
}
