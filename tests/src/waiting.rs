//! Waits for expected events and states, with a limit, instead of sleeping for a guessed time.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, timeout};

/// Timeout for expected events, long enough for a loaded machine.
pub const LIMIT: Duration = Duration::from_secs(120);

/// Poll interval for states without an event.
const LOOK: Duration = Duration::from_millis(5);

/// A stream of events that a test waits on.
pub trait Events {
    /// The event's payload.
    type Event;

    /// Returns the next event. `None` at the end of the events.
    fn next(&mut self) -> impl Future<Output = Option<Self::Event>>;
}

impl<T> Events for mpsc::Receiver<T> {
    type Event = T;

    async fn next(&mut self) -> Option<T> {
        self.recv().await
    }
}

impl<T: Clone> Events for broadcast::Receiver<T> {
    type Event = T;

    async fn next(&mut self) -> Option<T> {
        match self.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Closed) => None,
            // The awaited event may be among the lost ones.
            Err(error) => panic!("the test reads its events too slowly: {error}"),
        }
    }
}

/// Reads events until `pick` returns a value, and returns that value.
///
/// # Panics
/// When the limit passes or the events end. The message contains `what` and all skipped events.
pub async fn wait_for<E, R>(
    events: &mut E,
    limit: Duration,
    what: &str,
    mut pick: impl FnMut(&E::Event) -> Option<R>,
) -> R
where
    E: Events,
    E::Event: std::fmt::Debug,
{
    let deadline = Instant::now() + limit;
    let mut passed = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let event = match timeout(left, events.next()).await {
            Ok(Some(event)) => event,
            Ok(None) => panic!("the events ended before {what}; seen: {passed:#?}"),
            Err(_) => panic!("{what} did not happen in {limit:?}; seen: {passed:#?}"),
        };
        if let Some(found) = pick(&event) {
            return found;
        }
        passed.push(event);
    }
}

/// Polls until `look` returns a value. For files and other processes, which send no events.
///
/// # Panics
/// When the limit passes. The message contains `what`.
pub async fn eventually<R>(limit: Duration, what: &str, mut look: impl FnMut() -> Option<R>) -> R {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            Instant::now() < deadline,
            "{what} did not happen in {limit:?}"
        );
        tokio::time::sleep(LOOK).await;
    }
}

/// The records of a fixture (`--record FILE`).
#[derive(Debug, Clone)]
pub struct RecordFile(PathBuf);

impl RecordFile {
    /// Refers to a file, which may not exist yet.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Returns all entries so far.
    ///
    /// # Panics
    /// When a line is not JSON.
    pub fn entries(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole
            .lines()
            .map(|line| {
                serde_json::from_str(line)
                    .unwrap_or_else(|error| panic!("{}: {error}: {line}", self.0.display()))
            })
            .collect()
    }

    /// Returns the messages (and HTTP requests) of one JSON-RPC method so far.
    pub fn of_method(&self, method: &str) -> Vec<Value> {
        let mut entries = self.entries();
        entries.retain(|entry| entry["message"]["method"] == method);
        entries
    }

    /// Returns the pids of all starts so far, in order.
    pub fn starts(&self) -> Vec<u32> {
        self.entries()
            .iter()
            .filter(|entry| entry["event"] == "started")
            .filter_map(|entry| u32::try_from(entry["pid"].as_u64()?).ok())
            .collect()
    }

    /// Waits for an entry.
    ///
    /// # Panics
    /// When the entry does not arrive within the limit. The message contains `what`.
    pub async fn wait_for(
        &self,
        limit: Duration,
        what: &str,
        pick: impl Fn(&Value) -> bool,
    ) -> Value {
        eventually(limit, what, || self.entries().into_iter().find(&pick)).await
    }

    /// Waits for a message with this method.
    pub async fn wait_for_method(&self, method: &str) -> Value {
        self.wait_for(LIMIT, method, |entry| entry["message"]["method"] == method)
            .await
    }

    /// Waits for a call of this tool.
    pub async fn wait_for_call(&self, tool: &str) -> Value {
        self.wait_for(LIMIT, tool, |entry| {
            entry["message"]["params"]["name"] == tool
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_event_is_picked() {
        let (send, mut events) = mpsc::channel(4);
        for number in [1, 2, 3] {
            send.send(number).await.expect("room");
        }
        let found = wait_for(&mut events, LIMIT, "a two", |n| (*n == 2).then_some("two")).await;
        assert_eq!(found, "two");
        assert_eq!(events.recv().await, Some(3), "later events stay");
    }

    #[tokio::test(start_paused = true)]
    #[should_panic(expected = "a three did not happen in 120s; seen: [")]
    async fn seen_values_are_in_the_message() {
        let (send, mut events) = mpsc::channel(4);
        send.send(1).await.expect("room");
        wait_for(&mut events, LIMIT, "a three", |n| (*n == 3).then_some(())).await;
    }
}
