//! The events that the page requests: logs, calls and their progress, and the traffic of agents.
//!
//! A request is answered as soon as there is an event. The answer has all collected events except
//! obsolete ones. A slow or hidden page therefore gets larger batches, not more of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::{Envelope, HallEvent};
use guild_engine::pushed_as;
use tokio::time::{self, Instant};

use super::EventSource;
use super::digest::digest;

/// Maximum number of events in one batch: as many as the hall keeps for a subscriber.
const EVENTS_MAX: usize = 512;
/// Once a batch has reached this size in bytes, no further event is added.
const FULL: usize = 1 << 20;
/// How long to wait for further events after the first one. Most short calls end within this time.
const GATHER: Duration = Duration::from_millis(20);

/// A JSON array of envelopes, as text. `[]` means that no further events will come.
pub(super) type EventBatch = String;

pub(super) fn over() -> EventBatch {
    "[]".to_owned()
}

/// The events that the page has not read yet.
pub(super) struct Pulled<S> {
    all: S,
    /// The events that did not fit into the previous batch.
    left: VecDeque<Arc<Envelope>>,
}

impl<S: EventSource> Pulled<S> {
    pub(super) fn new(all: S) -> Self {
        Self {
            all,
            left: VecDeque::new(),
        }
    }

    /// Waits for events, and returns a batch of them.
    pub(super) async fn batch(&mut self) -> EventBatch {
        let mut texts = Vec::new();
        let mut length = 0;
        while texts.is_empty() {
            if self.left.is_empty() {
                let gathered = self.gather().await;
                if gathered.is_empty() {
                    return over();
                }
                self.left.extend(digest(&gathered));
            }
            while length < FULL
                && let Some(envelope) = self.left.pop_front()
            {
                match serde_json::to_string(&*envelope) {
                    Ok(text) => {
                        length += text.len();
                        texts.push(text);
                    }
                    Err(error) => tracing::error!(%error, "an event could not be written as JSON"),
                }
            }
        }
        format!("[{}]", texts.join(","))
    }

    /// Waits for an event and those that follow within [`GATHER`]. Returns an empty list if no
    /// further events will come.
    async fn gather(&mut self) -> Vec<Arc<Envelope>> {
        let Some(first) = self.next().await else {
            return Vec::new();
        };
        // The whole roster is sent without this delay, because the page shows nothing without it.
        let wait = match first.event {
            HallEvent::Roster { .. } => Duration::ZERO,
            _ => GATHER,
        };
        let end = Instant::now() + wait;
        let mut gathered = vec![first];
        while gathered.len() < EVENTS_MAX
            && let Ok(Some(event)) = time::timeout_at(end, self.next()).await
        {
            gathered.push(event);
        }
        gathered
    }

    /// Waits for the next event that is not pushed, or for the whole roster if events were missed.
    async fn next(&mut self) -> Option<Arc<Envelope>> {
        loop {
            let envelope = self.all.next().await?;
            let is_roster = matches!(envelope.event, HallEvent::Roster { .. });
            if is_roster || pushed_as(&envelope.event).is_none() {
                return Some(envelope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::sync::mpsc;

    use super::*;
    use crate::listener::tests::{event, send};

    #[tokio::test]
    async fn full_batch_leaves_rest_for_the_next() {
        let (events, source) = mpsc::unbounded_channel();
        let mut pulled = Pulled::new(source);
        let text = "x".repeat(FULL / 2 + 1);
        for revision in 1..=5 {
            let line = json!({"seq": revision, "start": 1, "atMs": 0, "text": text});
            let stderr = json!({"kind": "stderr", "member": "a", "lines": [line], "skipped": 0});
            send(&events, revision, event(stderr));
        }
        drop(events);
        let mut batches = Vec::new();
        loop {
            let batch: Vec<Envelope> = serde_json::from_str(&pulled.batch().await).expect("JSON");
            if batch.is_empty() {
                break;
            }
            batches.push(batch.iter().map(|one| one.revision).collect::<Vec<_>>());
        }
        assert_eq!(batches, [vec![1, 2], vec![3, 4], vec![5]]);
    }
}
