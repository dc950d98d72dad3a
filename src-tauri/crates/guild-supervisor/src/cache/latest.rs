//! Keeps the newest list, in any order of the writes.

use guild_model::Report;
use guild_model::manifest::Manifest;
use parking_lot::Mutex;

use super::{CachedList, ToolCache};

/// The list of one member that is to be written. Lists may come faster than a disk takes them:
/// one is written at a time, and of those that wait only the newest.
#[derive(Debug, Default)]
pub(crate) struct Latest {
    waiting: Mutex<Option<(Manifest, CachedList)>>,
    turn: Mutex<()>,
}

impl Latest {
    /// Takes the place of a list that still waits.
    pub(crate) fn put(&self, manifest: Manifest, list: CachedList) {
        *self.waiting.lock() = Some((manifest, list));
    }

    /// Writes what waits, after what is being written. Blocking.
    ///
    /// # Errors
    /// As [`ToolCache::write`].
    pub(crate) fn write(&self, files: &ToolCache) -> Result<(), Report> {
        let _turn = self.turn.lock();
        let newest = self.waiting.lock().take();
        // Another turn may have written it.
        newest.map_or(Ok(()), |(manifest, list)| files.write(&manifest, &list))
    }
}
