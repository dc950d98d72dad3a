//! Follows a child's processes that left its group (Linux).

#[cfg(target_os = "linux")]
use std::sync::Arc;

#[cfg(target_os = "linux")]
use tokio::task::{JoinHandle, spawn_blocking};

use crate::process_registry::RunLease;
use crate::process_registry::run::{Identity, RunRoot};
#[cfg(target_os = "linux")]
use crate::process_registry::scan_cache::ProcessScanCache;
#[cfg(target_os = "linux")]
use crate::strays::Family;

/// The action on processes outside the group. The group is signaled as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopSignal {
    /// Request the end of each process once.
    Terminate,
    Kill,
}

/// The result of a scan.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    /// Whether the group is not empty, but all its processes have ended and only wait to be
    /// collected.
    pub(super) group_is_over: bool,
    /// The number of living processes, inside and outside the group.
    pub(super) living: usize,
}

#[cfg(target_os = "linux")]
impl Sight {
    /// The result of an aborted scan: processes may exist.
    const NONE: Self = Self {
        group_is_over: false,
        living: 1,
    };
}

/// The known processes of a child.
#[derive(Debug)]
pub(super) struct Trail {
    lease: RunLease,
    leader: Identity,
    /// `None` during a scan.
    #[cfg(target_os = "linux")]
    family: Option<Family>,
    #[cfg(target_os = "linux")]
    look: Option<JoinHandle<(Family, Sight)>>,
}

impl Trail {
    pub(super) fn new(lease: RunLease, leader: Identity) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            family: Some(Family::new(lease.run(), Some(RunRoot::Family(leader)))),
            #[cfg(target_os = "linux")]
            look: None,
            lease,
            leader,
        }
    }

    /// Reports the first process to the watchdog and the journal.
    pub(super) async fn begin(&self) {
        self.lease.leads(RunRoot::Family(self.leader)).await;
    }

    /// Removes the child's container, if any. Returns true if no container is left.
    pub(super) async fn clear(&self) -> bool {
        self.lease.clear().await
    }

    /// Reports that all processes of the child are gone.
    pub(super) async fn end(self) {
        self.lease.ended().await;
    }

    /// Scans for processes, and signals those outside the group (`deed`). Cancel-safe: the scan
    /// continues, and the next call waits for it.
    #[cfg(target_os = "linux")]
    pub(super) async fn follow(&mut self, deed: StopSignal) -> Sight {
        // Waits for an earlier scan that was not awaited.
        self.sight().await;
        // An aborted scan lost its known processes. The mark and the leader remain.
        let family = self
            .family
            .take()
            .unwrap_or_else(|| Family::new(self.lease.run(), Some(RunRoot::Family(self.leader))));
        let scan_cache = Arc::clone(self.lease.scan_cache());
        let group = self.leader.pid;
        self.look = Some(spawn_blocking(move || {
            look(family, &scan_cache, group, deed)
        }));
        // A scan aborts when the runtime is closing.
        self.sight().await.unwrap_or(Sight::NONE)
    }

    /// Waits for the running scan. Its result is read once, since a finished handle must not be
    /// polled again.
    #[cfg(target_os = "linux")]
    async fn sight(&mut self) -> Option<Sight> {
        let looked = self.look.as_mut()?.await;
        self.look = None;
        let (family, sight) = looked.ok()?;
        self.family = Some(family);
        Some(sight)
    }

    /// Returns no process: on this system, only the group or the job is known.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn follow(&mut self, _deed: StopSignal) -> Sight {
        Sight::default()
    }
}

#[cfg(target_os = "linux")]
fn look(
    mut family: Family,
    scan_cache: &ProcessScanCache,
    group: u32,
    deed: StopSignal,
) -> (Family, Sight) {
    let table = match scan_cache.look() {
        Ok(table) => table,
        Err(error) => {
            tracing::warn!(%error, "processes can't be looked at");
            return (family, Sight::default());
        }
    };
    let count = table.group(group);
    let living = family.find(&table);
    let outside = living.iter().filter(|kin| kin.group != group);
    let strays = outside.map(|kin| kin.identity);
    match deed {
        StopSignal::Terminate => family.terminate(strays),
        StopSignal::Kill => family.kill(strays),
    }
    let sight = Sight {
        group_is_over: count.ended > 0 && count.living == 0,
        living: living.len(),
    };
    (family, sight)
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
        // A process that does not exist.
        let nobody = Identity {
            pid: 1 << 30,
            start: 1,
        };
        let mut trail = Trail::new(lease, nobody);
        let closing = runtime.handle().clone();
        runtime.shutdown_background();
        let _within = closing.enter();
        for _ in 0..3 {
            let mut context = Context::from_waker(Waker::noop());
            let looked = pin!(trail.follow(StopSignal::Kill)).poll(&mut context);
            let Poll::Ready(sight) = looked else {
                panic!("nobody would wake it");
            };
            assert!(sight.living > 0, "nobody was seen to be gone");
        }
    }
}
