//! Decides when a crashed member is started again.
//!
//! This module does no I/O and does not read the clock. The caller passes the time since any fixed
//! point.

use std::time::Duration;

/// Limit of consecutive restarts before a crashed member is left stopped.
pub(crate) const TRIES_MAX: u32 = 5;
/// The pause before the first attempt. Each further pause is twice as long.
pub const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// How long a member must be ready until its earlier crashes are forgotten.
pub(crate) const STABLE_AFTER: Duration = Duration::from_secs(5 * 60);

/// The reaction to a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Start the member again after a pause.
    Retry {
        /// The pause before the start.
        after: Duration,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// Leave the member stopped until a person acts, for example starts it.
    CrashLoop,
}

/// The restart state of one member. The pauses between restarts are 1, 2, 4, 8 and 16 s.
#[derive(Debug, Clone)]
pub struct Restart {
    first_pause: Duration,
    tries: u32,
    ready_since: Option<Duration>,
}

impl Default for Restart {
    fn default() -> Self {
        Self::with_first_pause(FIRST_PAUSE)
    }
}

impl Restart {
    /// Returns the state of a member without crashes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Like [`new`](Self::new), with another first pause. Each further pause is twice as long as
    /// the one before.
    pub fn with_first_pause(first_pause: Duration) -> Self {
        Self {
            first_pause,
            tries: 0,
            ready_since: None,
        }
    }

    /// Records that the member is ready.
    pub fn on_ready(&mut self, now: Duration) {
        self.ready_since = Some(now);
    }

    /// Records an unexpected end or a failed start, and returns the reaction.
    pub fn on_crash(&mut self, now: Duration) -> Next {
        if let Some(since) = self.ready_since.take()
            && now.saturating_sub(since) >= STABLE_AFTER
        {
            self.tries = 0;
        }
        if self.tries >= TRIES_MAX {
            return Next::CrashLoop;
        }
        let after = self.first_pause * 2u32.pow(self.tries);
        self.tries += 1;
        Next::Retry {
            after,
            attempt: self.tries,
        }
    }

    /// Forgets earlier crashes, because a person started, stopped or changed the member.
    pub fn reset(&mut self) {
        *self = Self::with_first_pause(self.first_pause);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    fn pause(next: Next) -> Option<u64> {
        match next {
            Next::Retry { after, .. } => Some(after.as_secs()),
            Next::CrashLoop => None,
        }
    }

    #[test]
    fn req_mcp_http_16_five_tries_then_crash_loop() {
        let mut restart = Restart::new();
        let pauses: Vec<_> = (0..7)
            .map(|s| pause(restart.on_crash(seconds(s))))
            .collect();
        let expected = [Some(1), Some(2), Some(4), Some(8), Some(16), None, None];
        assert_eq!(pauses, expected);
    }

    #[test]
    fn an_attempt_has_its_number() {
        let mut restart = Restart::new();
        restart.on_crash(seconds(0));
        let next = restart.on_crash(seconds(1));
        assert_eq!(
            next,
            Next::Retry {
                after: seconds(2),
                attempt: 2
            }
        );
    }

    #[test]
    fn five_stable_minutes_are_forgiving_and_a_second_less_is_not() {
        for (stable, expected) in [(300, Some(1)), (299, Some(4))] {
            let mut restart = Restart::new();
            restart.on_crash(seconds(0));
            restart.on_crash(seconds(1));
            restart.on_ready(seconds(10));
            let next = restart.on_crash(seconds(10 + stable));
            assert_eq!(pause(next), expected, "ready for {stable} s");
        }
    }

    #[test]
    fn time_spent_starting_is_not_stable() {
        let mut restart = Restart::new();
        restart.on_ready(seconds(0));
        assert_eq!(pause(restart.on_crash(seconds(1))), Some(1));
        assert_eq!(
            pause(restart.on_crash(seconds(10_000))),
            Some(2),
            "it was never ready in between"
        );
    }

    #[test]
    fn another_first_pause_stays_when_someone_acts() {
        let mut restart = Restart::with_first_pause(seconds(3));
        assert_eq!(pause(restart.on_crash(seconds(0))), Some(3));
        assert_eq!(pause(restart.on_crash(seconds(0))), Some(6));
        restart.reset();
        assert_eq!(pause(restart.on_crash(seconds(0))), Some(3));
    }

    #[test]
    fn someone_who_acts_begins_anew() {
        let mut restart = Restart::new();
        for s in 0..6 {
            restart.on_crash(seconds(s));
        }
        restart.reset();
        assert_eq!(pause(restart.on_crash(seconds(7))), Some(1));
    }

    proptest! {
        /// Property: without five stable minutes, there are at most five consecutive restarts.
        #[test]
        fn never_more_than_five_tries_in_a_row(
            steps in prop::collection::vec((any::<bool>(), 0u64..1_000), 1..200)
        ) {
            let mut restart = Restart::new();
            let mut now = 0;
            let mut ready_since = None;
            let mut tries = 0u32;
            for (ready, passed) in steps {
                now += passed;
                if ready {
                    restart.on_ready(seconds(now));
                    ready_since = Some(now);
                    continue;
                }
                if ready_since.take().is_some_and(|since| now - since >= 300) {
                    tries = 0;
                }
                match restart.on_crash(seconds(now)) {
                    Next::Retry { after, attempt } => {
                        tries += 1;
                        prop_assert_eq!(attempt, tries);
                        prop_assert!(tries <= TRIES_MAX);
                        prop_assert!(after >= FIRST_PAUSE && after <= seconds(16));
                    }
                    Next::CrashLoop => prop_assert_eq!(tries, TRIES_MAX),
                }
            }
        }

        /// A clock that runs backwards neither panics nor clears crashes.
        #[test]
        fn a_clock_that_runs_backwards_is_survived(times in prop::collection::vec(0u64..100, 6)) {
            let mut restart = Restart::new();
            let mut last = None;
            for time in times {
                restart.on_ready(seconds(100));
                last = Some(restart.on_crash(seconds(time)));
            }
            prop_assert_eq!(last, Some(Next::CrashLoop));
        }
    }
}
