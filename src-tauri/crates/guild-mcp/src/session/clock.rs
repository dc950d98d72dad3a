//! The time limit of a call, which stands still while a person is asked something.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// How often a call's limit may begin anew because its server told of progress.
const LIMITS_MAX: u32 = 10;
/// How long a call's clock may stand still in all.
const HELD_MAX: Duration = Duration::from_secs(60 * 60);

/// How much time a call has left.
#[derive(Debug)]
pub(super) struct Clock {
    limit: Duration,
    started: Instant,
    deadline: Instant,
    /// No progress moves the deadline past this.
    last: Instant,
    /// How long it has stood still.
    stood: Duration,
    /// How many questions to a person hold it now.
    held: watch::Receiver<usize>,
}

impl Clock {
    pub(super) fn start(limit: Duration, held: watch::Receiver<usize>) -> Self {
        let started = Instant::now();
        Self {
            limit,
            started,
            deadline: started + limit,
            last: started + limit.saturating_mul(LIMITS_MAX),
            stood: Duration::ZERO,
            held,
        }
    }

    /// The server showed that it is at work.
    pub(super) fn moved(&mut self) {
        self.deadline = self.last.min(Instant::now() + self.limit);
    }

    /// Waits until the time is up; gives the limit that was reached. May be dropped and called
    /// again.
    pub(super) async fn up(&mut self) -> Duration {
        loop {
            let held = *self.held.borrow_and_update() > 0 && self.stood < HELD_MAX;
            if held {
                let since = Instant::now();
                let mut standing = Standing { clock: self, since };
                standing.until_let_go().await;
                continue;
            }
            tokio::select! {
                () = sleep_until(self.deadline) => {
                    return self.deadline - self.started - self.stood;
                }
                changed = self.held.changed() => if changed.is_err() {
                    sleep_until(self.deadline).await;
                },
            }
        }
    }
}

/// A clock that stands still; it is set back by that time however the wait ends.
struct Standing<'a> {
    clock: &'a mut Clock,
    since: Instant,
}

impl Standing<'_> {
    async fn until_let_go(&mut self) {
        let longest = self.since + HELD_MAX.saturating_sub(self.clock.stood);
        tokio::select! {
            _ = self.clock.held.wait_for(|&count| count == 0) => {}
            () = sleep_until(longest) => {}
        }
    }
}

impl Drop for Standing<'_> {
    fn drop(&mut self) {
        let stood = self.since.elapsed();
        self.clock.stood += stood;
        self.clock.deadline += stood;
        self.clock.last += stood;
    }
}
