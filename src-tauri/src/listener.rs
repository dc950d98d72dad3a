//! The way of events into the window: in order, in batches, each asked for by the page.
//!
//! A page that asks is answered when anything has happened, with all that has by then but what was
//! taken back meanwhile; it asks again once it has taken that in. So nothing is sent that is not read,
//! and a page that is slow or hidden gets more at once instead of more often. What it leaves lying
//! for too long the hall replaces by the whole roster.
//!
//! Tauri's own channels are not used for it: they hand each message to the web view as a script of
//! its own, whose text and code the engine of the page keeps for later, megabytes of them.

mod digest;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::event::{Envelope, HallEvent};
use guild_engine::{Hall, Subscription};
use tauri::async_runtime::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{self, Instant};

use self::digest::Digest;

/// So many events are in one batch at most: as many as the hall keeps for a listener.
const EVENTS_MAX: usize = 512;
/// How long, as text, a batch is that gets no further event.
const FULL: usize = 1 << 20;
/// How long it is waited for what comes with an event: a quick call is over by then, and nobody sees
/// a frame of a state that does not last.
const GATHER: Duration = Duration::from_millis(20);

/// A JSON array of envelopes; empty once no others will come.
type Batch = String;

/// Who listens now. The page may be loaded anew; the new page then takes the place of the old one.
#[derive(Debug)]
pub(crate) struct Listener {
    now: Mutex<Option<Listening>>,
    /// The number of the next page.
    next: AtomicU64,
    /// A batch that is as long as this, as text, gets no further event.
    full: usize,
}

impl Default for Listener {
    fn default() -> Self {
        Self {
            now: Mutex::default(),
            next: AtomicU64::default(),
            full: FULL,
        }
    }
}

#[derive(Debug)]
struct Listening {
    number: u64,
    questions: mpsc::Sender<oneshot::Sender<Batch>>,
    answering: JoinHandle<()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.answering.abort();
    }
}

impl Listener {
    /// Begins to keep what happens in `hall` for a page, the whole roster first. Its number.
    pub(crate) fn listen(&self, hall: &Hall) -> u64 {
        let mut events = Events::of(hall.subscribe(), self.full);
        // A new page is there before the old one goes: its questions go on waiting.
        let attendance = hall.attend();
        let (questions, mut asked) = mpsc::channel::<oneshot::Sender<Batch>>(1);
        let answering = async_runtime::spawn(async move {
            let _attendance = attendance;
            while let Some(question) = asked.recv().await {
                // A page that is gone takes nothing: what happens is kept for the next question.
                let _ = question.send(events.batch().await);
            }
        });
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        *self.now() = Some(Listening {
            number,
            questions,
            answering,
        });
        number
    }

    /// Waits until something has happened that the page was not told of, and tells all of it, as a
    /// JSON array; an empty one once another page listens.
    pub(crate) async fn next(&self, number: u64) -> Batch {
        let questions = match &*self.now() {
            Some(now) if now.number == number => now.questions.clone(),
            _ => return over(),
        };
        let (question, answer) = oneshot::channel();
        if questions.send(question).await.is_err() {
            return over();
        }
        answer.await.unwrap_or_else(|_| over())
    }

    fn now(&self) -> MutexGuard<'_, Option<Listening>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn over() -> Batch {
    "[]".to_owned()
}

/// What a page is still to be told.
struct Events {
    all: Subscription,
    digest: Digest,
    /// What had no place in the batch before.
    left: VecDeque<Arc<Envelope>>,
    full: usize,
}

impl Events {
    fn of(all: Subscription, full: usize) -> Self {
        Self {
            all,
            digest: Digest::default(),
            left: VecDeque::new(),
            full,
        }
    }

    /// Waits until there is something to be told, and tells it.
    async fn batch(&mut self) -> Batch {
        let mut texts = Vec::new();
        let mut length = 0;
        while texts.is_empty() {
            if self.left.is_empty() {
                let gathered = self.gather().await;
                if gathered.is_empty() {
                    return over();
                }
                self.left.extend(self.digest.of(&gathered));
            }
            while length < self.full
                && let Some(envelope) = self.left.pop_front()
            {
                match serde_json::to_string(&*envelope) {
                    Ok(text) => {
                        length += text.len();
                        texts.push(text);
                    }
                    // The page sees that one is missing, and reads the roster anew.
                    Err(error) => tracing::error!(%error, "the window can not be told of an event"),
                }
            }
        }
        format!("[{}]", texts.join(","))
    }

    /// Waits for an event, and for what comes with it; none once no others will come.
    async fn gather(&mut self) -> Vec<Arc<Envelope>> {
        let Some(first) = self.all.next().await else {
            return Vec::new();
        };
        // A roster is what a page waits for before it shows anything.
        let wait = match first.event {
            HallEvent::Roster { .. } => Duration::ZERO,
            _ => GATHER,
        };
        let end = Instant::now() + wait;
        let mut gathered = vec![first];
        while gathered.len() < EVENTS_MAX
            && let Ok(Some(event)) = time::timeout_at(end, self.all.next()).await
        {
            gathered.push(event);
        }
        gathered
    }
}

#[cfg(test)]
mod tests;
