//! Waits for changes of files: a watcher, repeated attempts to start a watch that the system
//! refused, and a debounce.
//!
//! The watcher reports changes but not openings of files, because files in a home folder are opened
//! many times a minute. Until a refused watch succeeds, the files are polled.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use notify::{Config, Event, EventKind, EventKindMask, RecommendedWatcher, Watcher};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Interval for polling files without complete change notifications.
const AGAIN: Duration = Duration::from_secs(5);

/// Returns a watcher that reports changes but not openings. An event without a path means that the
/// system dropped events, or that the watcher failed.
///
/// # Errors
/// Errors of the watcher.
pub fn watcher(noticed: impl Fn(&Event) + Send + 'static) -> notify::Result<RecommendedWatcher> {
    let mut is_logged = false;
    let handler = move |event: notify::Result<Event>| match event {
        Ok(event) => noticed(&event),
        Err(error) => {
            if !is_logged {
                tracing::warn!(%error, "changes of files may be missed");
                is_logged = true;
            }
            noticed(&Event::new(EventKind::Other));
        }
    };
    let config = Config::default().with_event_kinds(EventKindMask::CORE);
    RecommendedWatcher::new(handler, config)
}

/// A watch that may be refused by the system at first. Each call of [`Self::begun`] tries again.
pub struct Late<W> {
    begun: Option<W>,
    is_logged: bool,
}

impl<W> Default for Late<W> {
    fn default() -> Self {
        Self {
            begun: None,
            is_logged: false,
        }
    }
}

impl<W> Late<W> {
    /// Returns the watch, and starts it if needed. `place` is only used in the log. `None` if the
    /// watch can't be started. The first failure is logged as a warning.
    pub fn begun<E: Display>(
        &mut self,
        place: &Path,
        begin: impl FnOnce() -> Result<W, E>,
    ) -> Option<&mut W> {
        if self.begun.is_none() {
            let place = place.display();
            match begin() {
                Ok(begun) => {
                    if self.is_logged {
                        tracing::info!(%place, "changes are watched from now on");
                    }
                    self.begun = Some(begun);
                }
                Err(error) if !self.is_logged => {
                    let every = AGAIN.as_secs();
                    tracing::warn!(%place, %error, "changes can't be watched: polling every {every} s");
                    self.is_logged = true;
                }
                Err(error) => tracing::debug!(%place, %error, "still not watched"),
            }
        }
        self.begun.as_mut()
    }
}

/// Waits for `changed`. If the notifications are not complete, the wait ends after the polling
/// interval at the latest. In both cases the caller reads the files again.
pub async fn changed_or_again(is_complete: bool, changed: impl Future<Output = ()>) {
    if is_complete {
        changed.await;
    } else {
        let _ = timeout(AGAIN, changed).await;
    }
}

/// The timing of a debounce: how long changes must have stopped, and how long to wait at most.
#[derive(Debug, Clone, Copy)]
pub struct Debounce {
    /// How long no change may occur before the wait ends. A program may write a file in several
    /// steps.
    pub quiet: Duration,
    /// Maximum wait after the first change, since some files never stop changing.
    pub max_wait: Duration,
}

impl Debounce {
    /// Waits for a change, then until changes stop. If the future is dropped, the notification of a
    /// change may be lost, so the caller has to read the files.
    pub async fn after(&self, changed: &Notify) {
        changed.notified().await;
        let quiet = async { while timeout(self.quiet, changed.notified()).await.is_ok() {} };
        // The files are read after the quiet period as well as after the maximum wait.
        let _ = timeout(self.max_wait, quiet).await;
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;

    use tokio::time::Instant;

    use super::*;

    const DEBOUNCE: Debounce = Debounce {
        quiet: Duration::from_millis(100),
        max_wait: Duration::from_secs(1),
    };

    /// Returns the duration of a debounced wait during `times` notifications, `pause` apart.
    async fn waits(pause: Duration, times: u32) -> Duration {
        let changed = Arc::new(Notify::new());
        let writer = Arc::clone(&changed);
        let writing = tokio::spawn(async move {
            for _ in 0..times {
                writer.notify_one();
                tokio::time::sleep(pause).await;
            }
        });
        let begun = Instant::now();
        DEBOUNCE.after(&changed).await;
        let took = begun.elapsed();
        writing.abort();
        took
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_counts_once_it_is_quiet() {
        assert_eq!(waits(Duration::from_millis(50), 1).await, DEBOUNCE.quiet);
        let took = waits(Duration::from_millis(50), 4).await;
        assert_eq!(took, Duration::from_millis(150) + DEBOUNCE.quiet);
    }

    #[tokio::test(start_paused = true)]
    async fn constant_changes_still_end_the_lull() {
        assert_eq!(
            waits(Duration::from_millis(50), u32::MAX).await,
            DEBOUNCE.max_wait
        );
    }

    #[test]
    fn failed_watch_is_retried() {
        let mut late = Late::default();
        let place = Path::new("/members");
        for _ in 0..3 {
            assert!(late.begun(place, || Err::<u8, _>("no more")).is_none());
        }
        assert_eq!(late.begun(place, || Ok::<_, &str>(7)), Some(&mut 7));
        let again = late.begun(place, || -> Result<u8, &str> { panic!("it was started") });
        assert_eq!(again, Some(&mut 7));
    }

    #[tokio::test(start_paused = true)]
    async fn only_what_is_not_told_is_looked_at_by_the_clock() {
        let asked = Instant::now();
        changed_or_again(false, pending()).await;
        assert_eq!(asked.elapsed(), AGAIN);
        let change = changed_or_again(true, pending());
        assert!(
            timeout(AGAIN * 100, change).await.is_err(),
            "nothing woke it"
        );
    }
}
