//! Holds in memory the results that the history does not store completely.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

/// Maximum size of all held results, in bytes. The oldest are dropped first.
pub(super) const HELD_BYTES_MAX: usize = 64 << 20;

/// Results in memory, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct HeldResults {
    held: Mutex<VecDeque<HeldResult>>,
}

#[derive(Debug, Clone)]
pub(super) struct HeldResult {
    pub(super) handle: String,
    pub(super) reader: String,
    pub(super) result: Arc<str>,
}

impl HeldResults {
    pub(super) fn hold(&self, one: HeldResult) {
        let mut held = self.held.lock();
        held.push_back(one);
        let mut bytes: usize = held.iter().map(|one| one.result.len()).sum();
        while bytes > HELD_BYTES_MAX
            && let Some(oldest) = held.pop_front()
        {
            bytes -= oldest.result.len();
        }
    }

    pub(super) fn get(&self, handle: &str) -> Option<HeldResult> {
        let held = self.held.lock();
        held.iter().find(|one| one.handle == handle).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_held_results_are_dropped_first() {
        let results = HeldResults::default();
        let half: Arc<str> = " ".repeat(HELD_BYTES_MAX / 2).into();
        for handle in ["m1", "m2", "m3"] {
            results.hold(HeldResult {
                handle: handle.into(),
                reader: String::new(),
                result: Arc::clone(&half),
            });
        }
        assert!(results.get("m1").is_none());
        assert!(results.get("m2").is_some() && results.get("m3").is_some());
    }
}
