//! Waiting for a program that imports settings: it keeps the data folder for as long as it writes, and
//! can't be asked.

use std::io;
use std::path::Path;
use std::time::Duration;

use guild_core::note::HallTrouble;
use guild_core::{Code, Report};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::lock::is_taken;
use super::note::{BYTES_MAX, NOTE_FILE};
use super::visit::{Presence, Visit};
use crate::files::{read_bounded, write_atomically};

/// How long an import may take: five small files, and the calls of the history that are too many by
/// its settings.
const IMPORT_MAX: Duration = Duration::from_secs(60);
/// After so long whoever waits is told what for. Within it a program of which nothing is known goes
/// away, or says who it is.
pub(super) const MOMENT: Duration = Duration::from_millis(500);
/// How often it is looked again. Nobody tells when a folder is given back.
pub(super) const AGAIN: Duration = Duration::from_millis(25);

/// What an importing program leaves in the place of a hall's note.
#[derive(Debug, Serialize, Deserialize)]
struct Importing {
    /// Its process.
    importing: u32,
}

/// Says that this program keeps the folder to import settings. Blocking.
pub(super) fn say(data_dir: &Path) -> io::Result<()> {
    let note = Importing {
        importing: std::process::id(),
    };
    let text = serde_json::to_vec(&note).map_err(io::Error::other)?;
    write_atomically(&data_dir.join(NOTE_FILE), &text)
}

/// The process that imports into a folder now. Blocking.
fn importer(data_dir: &Path) -> Option<u32> {
    if !is_taken(data_dir) {
        return None;
    }
    let bytes = read_bounded(&data_dir.join(NOTE_FILE), BYTES_MAX).ok()?;
    let note: Importing = serde_json::from_slice(&bytes).ok()?;
    Some(note.importing)
}

/// One wait for all imports that are in the way of one program.
#[derive(Debug)]
pub(super) struct Wait {
    begun: Option<Instant>,
    tell: Option<fn(u32)>,
}

impl Wait {
    /// `tell` is called once with the process that is waited for.
    pub(super) fn telling(tell: Option<fn(u32)>) -> Self {
        let log = |pid| tracing::warn!(pid, "that process imports settings, and is waited for");
        Self {
            begun: None,
            tell: Some(tell.unwrap_or(log)),
        }
    }

    /// Waits until nobody imports; whether there was anybody.
    ///
    /// # Errors
    /// `hall-unreachable` where that takes longer than an import may.
    pub(super) async fn over(&mut self, data_dir: &Path) -> Result<bool, Report> {
        let mut waited = false;
        loop {
            let folder = data_dir.to_owned();
            let looked = tokio::task::spawn_blocking(move || importer(&folder)).await;
            let Some(pid) = looked.ok().flatten() else {
                return Ok(waited);
            };
            let since = self.begun.get_or_insert_with(Instant::now).elapsed();
            if since >= IMPORT_MAX {
                return Err(still_imports(data_dir, pid));
            }
            if since >= MOMENT
                && let Some(tell) = self.tell.take()
            {
                tell(pid);
            }
            waited = true;
            sleep(AGAIN).await;
        }
    }
}

impl Visit {
    /// Looks for a hall as [`Visit::find`] does, once nobody imports settings into the folder any
    /// more; `tell` is called with the process that does where that takes longer than a moment.
    /// Takes a minute at most. One of which nothing is known yet is given the moment too.
    pub async fn find_after_import(data_dir: &Path, tell: Option<fn(u32)>) -> Presence {
        let mut wait = Wait::telling(tell);
        let mut begun = Instant::now();
        loop {
            match wait.over(data_dir).await {
                Ok(true) => begun = Instant::now(),
                Ok(false) => {}
                Err(report) => return Presence::Unreachable(report),
            }
            match Self::find(data_dir).await {
                Presence::Unreachable(_) if begun.elapsed() < MOMENT => sleep(AGAIN).await,
                presence => return presence,
            }
        }
    }
}

fn still_imports(data_dir: &Path, pid: u32) -> Report {
    let trouble = HallTrouble::StillImports(pid, data_dir.to_owned(), IMPORT_MAX.as_secs());
    Report::told(Code::HallUnreachable, &trouble)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::control::Claim;

    #[tokio::test(start_paused = true)]
    async fn an_import_that_does_not_end_is_waited_for_as_long_as_one_may_take() {
        static TOLD: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().expect("a folder");
        let importing = Claim::take_to_import(folder.path(), None).await;
        let importing = importing.expect("nobody has it").expect("it has locks");
        let tell: fn(u32) = |pid| TOLD.store(pid, Ordering::Relaxed);
        let begun = Instant::now();
        let taken = Claim::take(folder.path(), Some(tell)).await;
        let report = taken.expect_err("somebody imports");
        let own = std::process::id();
        assert_eq!(report.code, Code::HallUnreachable);
        assert!(
            report.message.contains(&format!("Process {own} imports")),
            "{report}"
        );
        assert_eq!(TOLD.load(Ordering::Relaxed), own);
        assert!(begun.elapsed() >= IMPORT_MAX && begun.elapsed() < 2 * IMPORT_MAX);
        let Presence::Unreachable(same) = Visit::find_after_import(folder.path(), None).await
        else {
            panic!("it imports still");
        };
        assert_eq!(same.message, report.message);
        drop(importing);
        let taken = Claim::take(folder.path(), None).await;
        assert!(taken.expect("it is free").is_some());
    }

    #[tokio::test]
    async fn an_import_that_ends_is_waited_for_and_told_only_where_that_takes_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let importing = Claim::take_to_import(folder.path(), None).await;
        let importing = importing.expect("nobody has it").expect("it has locks");
        let never: fn(u32) = |pid| panic!("{pid} is soon done");
        let (taken, ()) = tokio::join!(Claim::take(folder.path(), Some(never)), async {
            sleep(2 * AGAIN).await;
            drop(importing);
        });
        let kept = taken.expect("it waits").expect("it has locks");
        // What one that was killed had said holds for nobody who comes after it.
        assert!(!folder.path().join(NOTE_FILE).exists());
        say(folder.path()).expect("said");
        drop(kept);
        say(folder.path()).expect("said");
        let found = Visit::find_after_import(folder.path(), Some(never)).await;
        assert!(matches!(found, Presence::Nobody));
    }
}
