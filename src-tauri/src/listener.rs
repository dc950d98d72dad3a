//! Sends the hall's events to the window.
//!
//! Tauri passes each message to the web view as a script, and WebKit keeps all these scripts in
//! memory. Therefore only rare events are pushed as Tauri events ([`Subscription::push`]). The page
//! requests all others: logs, calls and traffic ([`pulled`]). The pushed and the requested events
//! come from two separate subscriptions. Each returns the whole roster if events were missed. The
//! page keeps the highest revision of each member, so the order between the two subscriptions does
//! not matter.

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

/// A source of events: a subscription to the hall, or a test's own. Its first event is the whole
/// roster.
trait EventSource: Send + 'static {
    fn next(&mut self) -> impl Future<Output = Option<Arc<Envelope>>> + Send;
}

impl EventSource for Subscription {
    fn next(&mut self) -> impl Future<Output = Option<Arc<Envelope>>> + Send {
        Self::next(self)
    }
}

/// The subscriptions of the current page. When a page is reloaded, it replaces the previous one.
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
    /// Starts to push rare events of `hall` with `emit`, and to collect the other events. The first
    /// event is the whole roster. Returns the number that the page has to pass to `next_events`.
    pub(crate) fn listen(
        &self,
        hall: &GuildHall,
        emit: impl Fn(&'static str, Vec<&Envelope>) -> tauri::Result<()> + Send + 'static,
    ) -> u64 {
        // The new page is registered before the old one is removed, so that waiting questions of
        // servers are not cancelled.
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
                // If the page has stopped waiting, the batch is kept for the next request.
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

    /// Waits for collected events, and returns them as a JSON array. The array is empty if another
    /// page has subscribed since.
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
