//! Ensures that a member's newest list is written last, in any order of the writing tasks.

use guild_model::Report;
use guild_model::manifest::Manifest;
use parking_lot::Mutex;

use super::{CachedList, ToolCache};

/// The list of one member that waits to be written. Lists may arrive faster than a disk writes
/// them. So one list is written at a time, and a newer list replaces the waiting one.
#[derive(Debug, Default)]
pub(crate) struct Latest {
    waiting: Mutex<Option<(Manifest, CachedList)>>,
    turn: Mutex<()>,
}

impl Latest {
    /// Sets the list to write next. Replaces a list that still waits.
    pub(crate) fn put(&self, manifest: Manifest, list: CachedList) {
        *self.waiting.lock() = Some((manifest, list));
    }

    /// Writes the waiting list, if there is one, after a running write has ended. Blocking.
    ///
    /// # Errors
    /// The errors of [`ToolCache::write`].
    pub(crate) fn write(&self, files: &ToolCache) -> Result<(), Report> {
        let _turn = self.turn.lock();
        let newest = self.waiting.lock().take();
        // Another task may have written the list already.
        newest.map_or(Ok(()), |(manifest, list)| files.write(&manifest, &list))
    }
}
