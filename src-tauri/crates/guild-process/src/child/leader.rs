//! Whether a child's leader still lives, for those that have to know before its end was seen.

use tokio::sync::watch;

use super::exit::Exit;
use crate::custody::run::Identity;

/// The first process of a [`Child`](super::Child). It ends nothing when it is dropped.
#[derive(Debug, Clone)]
pub struct Leader {
    identity: Identity,
    exited: watch::Receiver<Option<Exit>>,
}

impl Leader {
    pub(super) fn new(identity: Identity, exited: watch::Receiver<Option<Exit>>) -> Self {
        Self { identity, exited }
    }

    /// Whether it has not begun to end. On Linux that is asked of the kernel, which takes some
    /// microseconds and tells it before a port that the process had is free; elsewhere it is what
    /// was seen of its end.
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
