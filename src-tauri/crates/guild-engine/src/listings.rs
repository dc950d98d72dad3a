//! What MCP registries list, from files and addresses that a person named.
//!
//! Nothing is fetched by itself: an address is read when somebody asks for it, page after page,
//! and what it lists is kept in the data folder, so that it opens again without a network, with
//! its date. A file is read anew whenever it changed. One listing at a time is held in memory.

mod reading;
mod shelf;
mod sources;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::listing::{Shelf, Unlisted};
use guild_core::note::RegistryTrouble;
use guild_core::{Code, Report};

pub(crate) use self::reading::{Outcome, Reading, read};
pub(crate) use self::shelf::Kept;
pub(crate) use self::sources::{Place, Sources};

/// The listings that a hall knows.
#[derive(Debug)]
pub(crate) struct Listings {
    pub(crate) sources: Sources,
    /// What was looked at last.
    open: Mutex<Option<Arc<Kept>>>,
    /// One reading at a time: two of a source would write the same file.
    pub(crate) reading: tokio::sync::Mutex<()>,
}

impl Listings {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            sources: Sources::new(data_dir),
            open: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
        }
    }

    /// What a source lists, as it is known now. Blocking.
    ///
    /// # Errors
    /// `registry-unknown` where nobody named the source; `registry-unread` where its file can't be
    /// read.
    pub(crate) fn open(&self, source: &str) -> Result<Arc<Kept>, Report> {
        let place = self.sources.place(source)?;
        let stamp = self.sources.stamp(&place)?;
        if let Some(open) = self.now().as_ref()
            && open.place == place
            && open.stamp == stamp
        {
            return Ok(Arc::clone(open));
        }
        let kept = Arc::new(Kept::open(&self.sources, place, stamp)?);
        *self.now() = Some(Arc::clone(&kept));
        Ok(kept)
    }

    /// What was kept of an address, for somebody who changes it; `None` where nothing was, or where
    /// some of it can't be read any more: then it is read anew. Blocking.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn taken(&self, source: &str) -> Result<Option<Shelf>, Report> {
        let place = self.sources.place(source)?;
        let stamp = self.sources.stamp(&place)?;
        if stamp.as_of.is_none() {
            return Ok(None);
        }
        let kept = Kept::open(&self.sources, place, stamp)?;
        Ok(kept.whole.then_some(kept.shelf))
    }

    /// Holds nothing of a source any more.
    pub(crate) fn shut(&self, source: &str) {
        let mut now = self.now();
        if now.as_ref().is_some_and(|open| open.place.text() == source) {
            *now = None;
        }
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Option<Arc<Kept>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A source could not be read.
pub(crate) fn unread(source: &str, why: Unlisted) -> Report {
    let trouble = RegistryTrouble::Unread(source.to_owned(), why);
    Report::told(Code::RegistryUnread, &trouble)
}
