//! Waiting until files that change have been left alone for a moment.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// Debounce before files are read again: the quiet period, and the longest wait for it.
#[derive(Debug, Clone, Copy)]
pub struct Lull {
    /// Required quiet period, because writers write in several steps.
    pub quiet: Duration,
    /// After this they are read all the same: some are never quiet.
    pub patience: Duration,
}

impl Lull {
    /// Waits for a change, then until changes stop. A caller that drops the future has to check for
    /// changes, because the notification may be consumed.
    pub async fn after(&self, changed: &Notify) {
        changed.notified().await;
        let quiet = async { while timeout(self.quiet, changed.notified()).await.is_ok() {} };
        // Either way it is time.
        let _ = timeout(self.patience, quiet).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::time::Instant;

    use super::*;

    const LULL: Lull = Lull {
        quiet: Duration::from_millis(100),
        patience: Duration::from_secs(1),
    };

    /// How long it takes until a change counts that is followed by others every so often.
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
        LULL.after(&changed).await;
        let took = begun.elapsed();
        writing.abort();
        took
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_counts_once_it_is_quiet() {
        assert_eq!(waits(Duration::from_millis(50), 1).await, LULL.quiet);
        let took = waits(Duration::from_millis(50), 4).await;
        assert_eq!(took, Duration::from_millis(150) + LULL.quiet);
    }

    #[tokio::test(start_paused = true)]
    async fn constant_changes_still_end_the_lull() {
        assert_eq!(
            waits(Duration::from_millis(50), u32::MAX).await,
            LULL.patience
        );
    }
}
