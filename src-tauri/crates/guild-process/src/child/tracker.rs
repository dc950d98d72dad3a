//! Finds and signals a child's processes that left its process group (Linux).

#[cfg(target_os = "linux")]
use std::sync::Arc;

#[cfg(target_os = "linux")]
use tokio::task::{JoinHandle, spawn_blocking};

#[cfg(target_os = "linux")]
use crate::descendants::ProcessTree;
use crate::process_registry::RunLease;
use crate::process_registry::run::{Identity, RunRoot};
#[cfg(target_os = "linux")]
use crate::process_registry::scan_cache::ProcessScanCache;

/// The signal for processes outside the group. The group itself is signaled as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopSignal {
    /// SIGTERM, which each process gets only once.
    Terminate,
    Kill,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScanResult {
    /// Whether the group has processes, but all of them have ended and are zombies.
    pub(super) group_is_over: bool,
    /// The number of living processes, inside and outside the group.
    pub(super) living: usize,
}

#[cfg(target_os = "linux")]
impl ScanResult {
    /// The result of a scan that was aborted or has failed. One process counts as living, because
    /// it is unknown whether any exist.
    const NONE: Self = Self {
        group_is_over: false,
        living: 1,
    };
}

/// The known processes of a child.
#[derive(Debug)]
pub(super) struct ProcessTracker {
    lease: RunLease,
    leader: Identity,
    /// The known processes. `None` during a scan, which owns them.
    #[cfg(target_os = "linux")]
    tree: Option<ProcessTree>,
    #[cfg(target_os = "linux")]
    look: Option<JoinHandle<(ProcessTree, ScanResult)>>,
}

impl ProcessTracker {
    pub(super) fn new(lease: RunLease, leader: Identity) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            tree: Some(ProcessTree::new(
                lease.run(),
                Some(RunRoot::ProcessTree(leader)),
            )),
            #[cfg(target_os = "linux")]
            look: None,
            lease,
            leader,
        }
    }

    /// Records the child's first process at the watchdog and in the journal.
    pub(super) async fn begin(&self) {
        self.lease.leads(RunRoot::ProcessTree(self.leader)).await;
    }

    /// Removes the child's container, if any. Returns true if no container is left.
    pub(super) async fn clear(&self) -> bool {
        self.lease.clear().await
    }

    /// Records at the watchdog and in the journal that all processes of the child are gone.
    pub(super) async fn end(self) {
        self.lease.ended().await;
    }

    /// Scans for processes, and sends `signal` to those outside the group. Cancel-safe: the scan
    /// continues, and the next call waits for it.
    #[cfg(target_os = "linux")]
    pub(super) async fn follow(&mut self, signal: StopSignal) -> ScanResult {
        // Waits for an earlier scan, in case a previous call was cancelled.
        self.scan().await;
        // The processes that an aborted scan knew are lost. The run's mark and the leader still
        // identify most of them.
        let tree = self.tree.take().unwrap_or_else(|| {
            ProcessTree::new(self.lease.run(), Some(RunRoot::ProcessTree(self.leader)))
        });
        let scan_cache = Arc::clone(self.lease.scan_cache());
        let group = self.leader.pid;
        self.look = Some(spawn_blocking(move || {
            look(tree, &scan_cache, group, signal)
        }));
        // A scan is aborted when the runtime shuts down.
        self.scan().await.unwrap_or(ScanResult::NONE)
    }

    /// Waits for the running scan. The finished handle is dropped, because it must not be polled
    /// again.
    #[cfg(target_os = "linux")]
    async fn scan(&mut self) -> Option<ScanResult> {
        let looked = self.look.as_mut()?.await;
        self.look = None;
        let (tree, scan) = looked.ok()?;
        self.tree = Some(tree);
        Some(scan)
    }

    /// Returns no processes, because this system only knows the processes of the group or job.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn follow(&mut self, _deed: StopSignal) -> ScanResult {
        ScanResult::default()
    }
}

#[cfg(target_os = "linux")]
fn look(
    mut tree: ProcessTree,
    scan_cache: &ProcessScanCache,
    group: u32,
    signal: StopSignal,
) -> (ProcessTree, ScanResult) {
    let table = match scan_cache.look() {
        Ok(table) => table,
        Err(error) => {
            tracing::warn!(%error, "processes can't be looked at");
            return (tree, ScanResult::NONE);
        }
    };
    let living = tree.find(&table);
    let outside = living.iter().filter(|process| process.stat.group != group);
    let escaped = outside.map(|process| process.identity);
    match signal {
        StopSignal::Terminate => tree.terminate(escaped),
        StopSignal::Kill => tree.kill(escaped),
    }
    let scan = ScanResult {
        group_is_over: table.group_has_ended(group),
        living: living.len(),
    };
    (tree, scan)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::process_registry::{ProcessRegistry, ProcessRegistryOptions};

    #[test]
    fn unfinished_looks_at_shutdown_find_nothing() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let lease = runtime.block_on(async {
            let registry = ProcessRegistry::open(ProcessRegistryOptions::default());
            registry.take("member").await
        });
        // No process has this pid.
        let nobody = Identity {
            pid: 1 << 30,
            start: 1,
        };
        let mut tracker = ProcessTracker::new(lease, nobody);
        let closing = runtime.handle().clone();
        runtime.shutdown_background();
        let _within = closing.enter();
        for _ in 0..3 {
            let mut context = Context::from_waker(Waker::noop());
            let looked = pin!(tracker.follow(StopSignal::Kill)).poll(&mut context);
            let Poll::Ready(scan) = looked else {
                panic!("nothing would wake it");
            };
            assert!(scan.living > 0, "a living process was not found");
        }
    }
}
