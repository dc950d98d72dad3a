//! The way of the hall's events into the window.
//!
//! Tauri hands each message to the web view as a script, and WebKit keeps the scripts. So rare events are
//! pushed as Tauri events ([`Subscription::push`]), and the page asks for all others: logs, calls and traffic
//! ([`pulled`]).
//! Each side follows the hall by itself, and gets the whole roster where it fell behind. The page keeps the
//! newest revision of each member, so that the order of the two sides does not matter.

mod digest;
mod pulled;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use guild_api::event::Envelope;
use guild_engine::{GuildHall, Subscription};
use parking_lot::Mutex;
use tauri::async_runtime::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};

use self::pulled::{EventBatch, Pulled, over};

/// The hall's events, or those of a test: a stream that begins with the roster.
trait EventSource: Send + 'static {
    fn next(&mut self) -> impl Future<Output = Option<Arc<Envelope>>> + Send;
}

impl EventSource for Subscription {
    fn next(&mut self) -> impl Future<Output = Option<Arc<Envelope>>> + Send {
        Self::next(self)
    }
}

/// The page that listens. A page that is loaded again takes the place of the one before.
#[derive(Debug, Default)]
pub(crate) struct PageListener {
    now: Mutex<Option<PageSubscription>>,
    /// The number of the next page.
    next: AtomicU64,
}

#[derive(Debug)]
struct PageSubscription {
    number: u64,
    questions: mpsc::Sender<oneshot::Sender<EventBatch>>,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for PageSubscription {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl PageListener {
    /// Begins to push the events of `hall` by `emit`, and to keep the pulled ones, the whole roster first.
    /// Returns the number that the page asks by.
    pub(crate) fn listen(
        &self,
        hall: &GuildHall,
        emit: impl Fn(&'static str, Vec<&Envelope>) -> tauri::Result<()> + Send + 'static,
    ) -> u64 {
        // The new page attends before the old one leaves: its questions keep waiting.
        let attendance = hall.attend();
        self.begin(hall.subscribe().push(emit), hall.subscribe(), attendance)
    }

    fn begin(
        &self,
        pushing: impl Future<Output = ()> + Send + 'static,
        pulled: impl EventSource,
        attendance: impl Send + 'static,
    ) -> u64 {
        let pushing = async_runtime::spawn(pushing);
        let mut pulled = Pulled::new(pulled);
        let (questions, mut asked) = mpsc::channel::<oneshot::Sender<EventBatch>>(1);
        let answering = async_runtime::spawn(async move {
            let _attendance = attendance;
            let mut unsent = None;
            while let Some(question) = asked.recv().await {
                let batch = match unsent.take() {
                    Some(batch) => batch,
                    None => pulled.batch().await,
                };
                // A page that is gone takes nothing. The next question gets the batch.
                unsent = question.send(batch).err();
            }
        });
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        *self.now.lock() = Some(PageSubscription {
            number,
            questions,
            tasks: [pushing, answering],
        });
        number
    }

    /// Waits for pulled events, and returns all of them as a JSON array. It is empty once another page
    /// listens.
    pub(crate) async fn next(&self, number: u64) -> EventBatch {
        let questions = match &*self.now.lock() {
            Some(now) if now.number == number => now.questions.clone(),
            _ => return over(),
        };
        let (question, answer) = oneshot::channel();
        if questions.send(question).await.is_err() {
            return over();
        }
        answer.await.unwrap_or_else(|_| over())
    }
}

#[cfg(test)]
mod tests;
