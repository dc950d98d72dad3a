//! Tracks whether the history can be written. Reports each error once, and counts the calls that
//! were not recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::messages::HistoryError;
use guild_api::event::HallEvent;
use guild_model::{Code, Report};
use parking_lot::Mutex;

use guild_roster::Roster;

/// Minimum interval between warnings about calls that arrive too fast.
const PAUSE: Duration = Duration::from_secs(10);

/// The current error of the history, and the number of calls that were not recorded.
#[derive(Debug)]
pub(super) struct Health {
    roster: Arc<Roster>,
    trouble: Mutex<Option<Report>>,
    unrecorded: AtomicU64,
    warned_behind_at: Mutex<Option<Instant>>,
}

impl Health {
    pub(super) fn new(roster: Arc<Roster>) -> Self {
        Self {
            roster,
            trouble: Mutex::default(),
            unrecorded: AtomicU64::new(0),
            warned_behind_at: Mutex::default(),
        }
    }

    /// Returns the current error.
    pub(super) fn trouble(&self) -> Option<Report> {
        self.trouble.lock().clone()
    }

    /// Returns the number of calls that this run did not record.
    pub(super) fn unrecorded(&self) -> u64 {
        self.unrecorded.load(Ordering::Relaxed)
    }

    /// Records that calls could not be written and are lost. Reports the error if it is new.
    pub(super) fn failed(&self, report: &Report, calls: usize) {
        self.miss(calls);
        self.delayed(report);
    }

    /// Records that calls can't be written yet. Reports the error if it is new.
    pub(super) fn delayed(&self, report: &Report) {
        let mut trouble = self.trouble.lock();
        let news = trouble.as_ref().is_none_or(|old| old.code != report.code);
        *trouble = Some(report.clone());
        drop(trouble);
        if news {
            self.warn(report.clone());
        }
    }

    /// Clears the error after a successful write.
    pub(super) fn well(&self) {
        *self.trouble.lock() = None;
    }

    /// Counts a call that was not recorded because of a rate limit.
    pub(super) fn passed_over(&self) {
        self.miss(1);
    }

    /// Counts a call that was not recorded because the queue is full.
    pub(super) fn behind(&self) {
        self.miss(1);
        let mut warned_at = self.warned_behind_at.lock();
        if warned_at.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        *warned_at = Some(Instant::now());
        drop(warned_at);
        let count = self.unrecorded();
        self.warn(Report::from_error(
            Code::HistoryBehind,
            &HistoryError::Behind(count),
        ));
    }

    pub(super) fn warn(&self, report: Report) {
        tracing::warn!("{report}");
        self.tell(HallEvent::Warning { report });
    }

    pub(super) fn tell(&self, event: HallEvent) {
        self.roster.tell(event);
    }

    fn miss(&self, calls: usize) {
        self.unrecorded.fetch_add(calls as u64, Ordering::Relaxed);
    }
}
