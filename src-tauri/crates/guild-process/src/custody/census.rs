//! Looks at all processes that are shared by whoever needs one at the same time.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::processes::{Stat, Table};

/// Where members that are stopped at once find their processes with a look or two for all of them.
#[derive(Debug)]
pub(crate) struct Census {
    /// When this program started: what is older is nobody's child here.
    since: u64,
    last: Mutex<Option<(Instant, Arc<Table>)>>,
}

impl Default for Census {
    fn default() -> Self {
        Self {
            since: Stat::read(std::process::id()).map_or(0, |own| own.start),
            last: Mutex::default(),
        }
    }
}

impl Census {
    /// Everybody who is there now: a look that begins no sooner than this call. Takes milliseconds,
    /// and waits for a look that has begun already.
    ///
    /// # Errors
    /// As [`Table::take`].
    pub(crate) fn look(&self) -> io::Result<Arc<Table>> {
        let asked = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
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
