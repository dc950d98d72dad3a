//! Checks whether a child's leader is alive, before its exit is observed.

use tokio::sync::watch;

use super::exit::Exit;
use crate::process_registry::run::Identity;

/// The first process of a [`Child`](super::Child). Dropping it has no effect.
#[derive(Debug, Clone)]
pub struct Leader {
    identity: Identity,
    exited: watch::Receiver<Option<Exit>>,
}

impl Leader {
    pub(super) fn new(identity: Identity, exited: watch::Receiver<Option<Exit>>) -> Self {
        Self { identity, exited }
    }

    /// Whether the process is alive and has not begun to end. Linux queries the kernel, which takes
    /// microseconds and reports the end before the process's port is free. Other systems use the
    /// observed exit.
    pub fn is_alive(&self) -> bool {
        if self.exited.borrow().is_some() {
            return false;
        }
        #[cfg(target_os = "linux")]
        if self.identity.start != 0 {
            return self.identity.has_its_files();
        }
        true
    }
}
