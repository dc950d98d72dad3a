//! The time limit of a call. It is paused while a question to a person is pending.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// The total limit of a call that reports progress, as a multiple of its limit.
const LIMITS_MAX: u32 = 10;
/// How long the time limit of a call can be paused in total.
const HELD_MAX: Duration = Duration::from_secs(60 * 60);

/// The remaining time of a call.
#[derive(Debug)]
pub(super) struct CallDeadline {
    limit: Duration,
    started: Instant,
    deadline: Instant,
    /// The latest time to which progress can move the deadline.
    last: Instant,
    /// The same, if the server runs the call as a task.
    task_last: Instant,
    /// The total duration of the pauses so far.
    paused: Duration,
    /// The number of pending questions to a person.
    held: watch::Receiver<usize>,
}

impl CallDeadline {
    /// `task_limit` is the total limit if the server runs the call as a task. It has no effect if
    /// it is shorter than that of other calls.
    pub(super) fn start(
        limit: Duration,
        task_limit: Duration,
        held: watch::Receiver<usize>,
    ) -> Self {
        let started = Instant::now();
        let last = started + limit.saturating_mul(LIMITS_MAX);
        Self {
            limit,
            started,
            deadline: started + limit,
            last,
            task_last: last.max(started + task_limit),
            paused: Duration::ZERO,
            held,
        }
    }

    /// Restarts the limit, because the server reported progress, or answered about the call's task.
    pub(super) fn moved(&mut self, is_task: bool) {
        let last = if is_task { self.task_last } else { self.last };
        self.deadline = last.min(Instant::now() + self.limit);
    }

    /// Waits until the deadline, and returns the limit that was exceeded. Cancel-safe.
    pub(super) async fn up(&mut self) -> Duration {
        loop {
            let held = *self.held.borrow_and_update() > 0 && self.paused < HELD_MAX;
            if held {
                let since = Instant::now();
                let mut standing = ClockPause { clock: self, since };
                standing.until_let_go().await;
                continue;
            }
            tokio::select! {
                () = sleep_until(self.deadline) => {
                    return self.deadline - self.started - self.paused;
                }
                changed = self.held.changed() => if changed.is_err() {
                    sleep_until(self.deadline).await;
                },
            }
        }
    }
}

/// A pause. When this value is dropped, its duration is added to the deadline.
struct ClockPause<'a> {
    clock: &'a mut CallDeadline,
    since: Instant,
}

impl ClockPause<'_> {
    async fn until_let_go(&mut self) {
        let longest = self.since + HELD_MAX.saturating_sub(self.clock.paused);
        tokio::select! {
            _ = self.clock.held.wait_for(|&count| count == 0) => {}
            () = sleep_until(longest) => {}
        }
    }
}

impl Drop for ClockPause<'_> {
    fn drop(&mut self) {
        let paused = self.since.elapsed();
        self.clock.paused += paused;
        self.clock.deadline += paused;
        self.clock.last += paused;
        self.clock.task_last += paused;
    }
}
