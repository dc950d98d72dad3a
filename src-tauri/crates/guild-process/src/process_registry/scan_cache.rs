//! Shares scans of all processes between concurrent callers.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::processes::{Stat, Table};

/// Shares scans of all processes. If many members stop at the same time, one or two scans are
/// enough.
#[derive(Debug)]
pub(crate) struct ProcessScanCache {
    /// The start time of this program. Older processes can't be its descendants.
    since: u64,
    last: Mutex<Option<(Instant, Arc<Table>)>>,
}

impl Default for ProcessScanCache {
    fn default() -> Self {
        Self {
            since: Stat::read(std::process::id()).map_or(0, |own| own.start),
            last: Mutex::default(),
        }
    }
}

impl ProcessScanCache {
    /// Returns a scan that began after this call. Takes milliseconds, and waits for a running scan.
    ///
    /// # Errors
    /// The errors of [`Table::take`].
    pub(crate) fn look(&self) -> io::Result<Arc<Table>> {
        let asked = Instant::now();
        let mut last = self.last.lock();
        if let Some((began, table)) = &*last
            && *began >= asked
        {
            return Ok(Arc::clone(table));
        }
        let began = Instant::now();
        let table = Arc::new(Table::take(self.since)?);
        *last = Some((began, Arc::clone(&table)));
        Ok(table)
    }
}
