//! The events that the page asks for: logs, calls with their progress, and the traffic of agents.
//!
//! A question is answered once anything has happened, with all of it but what later events took back. A page
//! that is slow or hidden gets larger batches, and not more of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::{Envelope, HallEvent};
use tokio::time::{self, Instant};

use super::EventSource;
use super::digest::digest;

/// The most events in one batch: as many as the hall keeps for a listener.
const EVENTS_MAX: usize = 512;
/// The length of text, in bytes, from which on a batch gets no further event.
const FULL: usize = 1 << 20;
/// The wait for events that follow the first one: a quick call ends within it.
const GATHER: Duration = Duration::from_millis(20);

/// A JSON array of envelopes, empty once no others will come.
pub(super) type EventBatch = String;

pub(super) fn over() -> EventBatch {
    "[]".to_owned()
}

/// The events that the page has not read yet.
pub(super) struct Pulled<S> {
    all: S,
    /// The events that did not fit into the batch before.
    left: VecDeque<Arc<Envelope>>,
}

impl<S: EventSource> Pulled<S> {
    pub(super) fn new(all: S) -> Self {
        Self {
            all,
            left: VecDeque::new(),
        }
    }

    /// Waits for events, and returns them.
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

    /// Waits for an event and those that follow it closely. Returns none once no others will come.
    async fn gather(&mut self) -> Vec<Arc<Envelope>> {
        let Some(first) = self.next().await else {
            return Vec::new();
        };
        // A page waits for the roster before it shows anything.
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

    /// Waits for the next event that is not pushed, or for the roster after events were missed.
    async fn next(&mut self) -> Option<Arc<Envelope>> {
        loop {
            let envelope = self.all.next().await?;
            let is_roster = matches!(envelope.event, HallEvent::Roster { .. });
            if is_roster || envelope.event.pushed_as().is_none() {
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
