//! The way of events into the window: in order, in batches, each asked for by the page.
//!
//! A page that asks is answered as soon as anything has happened, with all that has by then; it asks
//! again once it has taken that in. So nothing is sent that is not read, and a page that is slow or
//! hidden gets more at once instead of more often. What it leaves lying for too long the hall
//! replaces by the whole roster.
//!
//! Tauri's own channels are not used for it: they hand each message to the web view as a script of
//! its own, whose text and code the engine of the page keeps for later, megabytes of them.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use guild_core::event::Envelope;
use guild_engine::{Hall, Subscription};
use tauri::async_runtime::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// So many events are in one batch at most: as many as the hall keeps for a listener.
const EVENTS_MAX: usize = 512;
/// A batch that is as long as this, as text, gets no further event.
const FULL: usize = 1 << 20;

/// A JSON array of envelopes; empty once no others will come.
type Batch = String;

/// Who listens now. The page may be loaded anew; the new page then takes the place of the old one.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    now: Mutex<Option<Listening>>,
    /// The number of the next page.
    next: AtomicU64,
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
        let mut events = hall.subscribe();
        // A new page is there before the old one goes: its questions go on waiting.
        let attendance = hall.attend();
        let (questions, mut asked) = mpsc::channel::<oneshot::Sender<Batch>>(1);
        let answering = async_runtime::spawn(async move {
            let _attendance = attendance;
            while let Some(question) = asked.recv().await {
                // A page that is gone takes nothing: what happens is kept for the next question.
                let _ = question.send(batch(&mut events).await);
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

/// Waits for an event, and takes what has come with it.
async fn batch(events: &mut Subscription) -> Batch {
    let mut texts = Vec::new();
    let mut length = 0;
    let mut next = events.next().await;
    while let Some(event) = next {
        match serde_json::to_string(&*event) {
            Ok(text) => {
                length += text.len();
                texts.push(text);
            }
            // The page sees that one is missing, and reads the roster anew.
            Err(error) => tracing::error!(%error, "the window can not be told of an event"),
        }
        next = match texts.len() {
            0 => events.next().await,
            EVENTS_MAX.. => None,
            _ if length >= FULL => None,
            _ => at_hand(events),
        };
    }
    format!("[{}]", texts.join(","))
}

/// The next event, where it is there already.
fn at_hand(events: &mut Subscription) -> Option<Arc<Envelope>> {
    let next = pin!(events.next());
    match next.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(event) => event,
        Poll::Pending => None,
    }
}

#[cfg(test)]
mod tests;
