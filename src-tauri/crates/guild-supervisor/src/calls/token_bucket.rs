//! Token bucket that limits how many events are recorded.

use std::time::Instant;

use parking_lot::Mutex;

/// Token bucket that limits events per second, with a burst.
#[derive(Debug)]
pub struct TokenBucket {
    per_second: f64,
    at_once: f64,
    state: Mutex<(f64, Option<Instant>)>,
}

impl TokenBucket {
    /// Returns a full bucket of `at_once` tokens, refilled with `per_second` tokens a second.
    pub fn new(per_second: u32, at_once: u32) -> Self {
        Self {
            per_second: f64::from(per_second),
            at_once: f64::from(at_once),
            state: Mutex::new((f64::from(at_once), None)),
        }
    }

    /// Takes a token for one event. Returns `false` if no token is left.
    pub fn take(&self, now: Instant) -> bool {
        let mut state = self.state.lock();
        let (left, last) = *state;
        let since = last.map_or(0.0, |last| {
            now.saturating_duration_since(last).as_secs_f64()
        });
        let left = (left + since * self.per_second).min(self.at_once);
        let goes = left >= 1.0;
        *state = (if goes { left - 1.0 } else { left }, Some(now));
        goes
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn so_many_at_once_and_then_so_many_a_second() {
        let limiter = TokenBucket::new(10, 3);
        let start = Instant::now();
        let taken = |at: Duration| (0..100).filter(|_| limiter.take(start + at)).count();
        assert_eq!(taken(Duration::ZERO), 3);
        assert_eq!(taken(Duration::from_millis(50)), 0);
        assert_eq!(taken(Duration::from_millis(250)), 2);
        assert_eq!(taken(Duration::from_secs(60)), 3);
    }
}
