//! Leases the session of a member that is up, without asking its actor.
//!
//! The actor opens the slot when the session is up, and closes it before it stops anything. Calls
//! are counted under the slot's lock. So closing an idle slot never interrupts a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

use guild_mcp_client::Session;
use guild_trace::StartTimes;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::MemberHandle;

/// Maximum number of calls that a member runs at the same time.
pub(super) const CALLS_MAX: usize = 64;

/// The session of a member, and the number of calls that use it.
#[derive(Debug, Default)]
pub(super) struct SessionSlot {
    open: Mutex<Option<OpenSession>>,
    running: AtomicUsize,
    /// Whether calls began or ended since the actor last checked.
    changed: AtomicBool,
    /// Wakes the actor only for the first change since the actor last checked.
    wake: Notify,
}

#[derive(Debug)]
struct OpenSession {
    session: Arc<Session>,
    gone: CancellationToken,
    generation: u64,
    start: StartTimes,
    served: bool,
}

/// A session that is leased for one call. Dropping it notifies the member that the call is over.
#[derive(Debug)]
pub struct SessionLease {
    /// The connection to the member's server.
    pub session: Arc<Session>,
    /// Cancelled as soon as the member's process or connection has ended.
    pub gone: CancellationToken,
    pub(crate) generation: u64,
    /// When the start of the member began, and when the member was ready.
    pub start: StartTimes,
    _call: CallGuard,
}

/// Counts one call as running until it is dropped.
#[derive(Debug)]
struct CallGuard(Arc<SessionSlot>);

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::AcqRel);
        self.0.tell();
    }
}

impl SessionSlot {
    /// Leases the session. `None` if there is none, or if the limit of calls is reached.
    pub(super) fn lease(self: &Arc<Self>) -> Option<SessionLease> {
        let mut slot = self.open.lock();
        let open = slot.as_mut()?;
        if self.running() >= CALLS_MAX {
            return None;
        }
        self.running.fetch_add(1, Ordering::AcqRel);
        open.served = true;
        let lease = SessionLease {
            session: Arc::clone(&open.session),
            gone: open.gone.clone(),
            generation: open.generation,
            start: open.start,
            _call: CallGuard(Arc::clone(self)),
        };
        drop(slot);
        self.tell();
        Some(lease)
    }

    /// Makes a new session available for calls. `began` is the time at which the start of the
    /// member began.
    pub(super) fn open(
        &self,
        session: Arc<Session>,
        gone: CancellationToken,
        generation: u64,
        began: SystemTime,
    ) {
        let ready = SystemTime::now();
        *self.open.lock() = Some(OpenSession {
            session,
            gone,
            generation,
            start: StartTimes { began, ready },
            served: false,
        });
    }

    /// Closes the slot before the session is stopped, even if a call still uses the session.
    pub(super) fn close(&self) {
        *self.open.lock() = None;
    }

    /// Closes the slot unless a call runs. Returns whether it was closed.
    pub(super) fn close_if_idle(&self) -> bool {
        let mut slot = self.open.lock();
        let idle = self.running() == 0;
        if idle {
            *slot = None;
        }
        idle
    }

    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::Acquire)
    }

    /// Whether the current session has been leased.
    pub(super) fn has_served(&self) -> bool {
        self.open.lock().as_ref().is_some_and(|open| open.served)
    }

    /// Whether calls began or ended since the last [`SessionSlot::look`].
    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Acquire)
    }

    /// Marks all changes as seen. The next change wakes the actor again.
    pub(super) fn look(&self) {
        self.changed.store(false, Ordering::Release);
    }

    /// Waits for the first change since the actor last checked.
    pub(super) async fn first_change(&self) {
        self.wake.notified().await;
    }

    fn tell(&self) {
        if !self.changed.swap(true, Ordering::AcqRel) {
            self.wake.notify_one();
        }
    }
}

impl MemberHandle {
    /// Leases the session without asking the actor, if the member is up and can take another call.
    /// Otherwise `MemberCommand::Lease` has to be sent.
    pub fn try_lease(&self) -> Option<SessionLease> {
        self.slot.lease()
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests;
