use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::MemberView;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time;

use super::*;

/// Upper bound for an answer, far longer than expected.
const PATIENCE: Duration = Duration::from_secs(30);

type Events = UnboundedSender<Arc<Envelope>>;

impl EventSource for mpsc::UnboundedReceiver<Arc<Envelope>> {
    fn next(&mut self) -> impl Future<Output = Option<Arc<Envelope>>> + Send {
        self.recv()
    }
}

pub(super) fn send(events: &Events, revision: u64, event: HallEvent) {
    let sent = events.send(Arc::new(Envelope { revision, event }));
    sent.expect("the listener runs");
}

pub(super) fn event(json: Value) -> HallEvent {
    serde_json::from_value(json).expect("an event")
}

pub(super) fn member(name: &str, tools: usize) -> MemberView {
    let view = json!({
        "name": name, "version": "1", "description": "", "transport": null, "lifecycle": "eager",
        "status": "ready", "step": null, "freshness": "unknown", "listedAtMs": null, "tools": tools,
        "port": null, "pid": null, "sinceMs": 0, "retryAtMs": null, "attempt": 0,
        "protocolVersion": null, "lastStderr": null, "error": null, "warnings": [], "calls": 0,
        "trust": {"origin": null, "launch": "own", "holds": false, "held": 0},
    });
    serde_json::from_value(view).expect("a member")
}

pub(super) fn member_changed(name: &str, tools: usize, is_activity: bool) -> HallEvent {
    HallEvent::MemberChanged {
        member: Box::new(member(name, tools)),
        is_activity,
    }
}

fn roster() -> HallEvent {
    let roster = json!({"revision": 1, "membersDir": "", "members": [], "error": null});
    event(json!({"kind": "roster", "roster": roster}))
}

fn found(new: usize) -> HallEvent {
    event(json!({"kind": "found_changed", "new": new}))
}

fn unpacking(done: u64) -> HallEvent {
    event(json!({"kind": "unpacking", "call": "c", "done": done, "of": 9}))
}

/// Registers a page as a listener. Returns the listener's number and the sender of its events.
fn listen(listener: &PageListener) -> (u64, Events) {
    let (events, pulled) = mpsc::unbounded_channel();
    (listener.begin(std::future::pending(), pulled, ()), events)
}

async fn next(listener: &PageListener, number: u64) -> Vec<u64> {
    let batch = time::timeout(PATIENCE, listener.next(number)).await;
    let batch: Vec<Envelope> = serde_json::from_str(&batch.expect("an answer")).expect("JSON");
    batch.iter().map(|envelope| envelope.revision).collect()
}

#[tokio::test]
async fn page_pulls_roster_then_streams_alone() {
    let listener = PageListener::default();
    let (page, pulled) = listen(&listener);
    send(&pulled, 1, roster());
    assert_eq!(next(&listener, page).await, [1]);
    send(&pulled, 2, found(1));
    send(&pulled, 3, unpacking(1));
    send(&pulled, 4, member_changed("a", 1, false));
    send(&pulled, 5, member_changed("a", 2, true));
    assert_eq!(next(&listener, page).await, [3, 5]);
}

#[tokio::test]
async fn page_that_fell_behind_pulls_the_roster() {
    let listener = PageListener::default();
    let (page, pulled) = listen(&listener);
    for (revision, event) in [(1, roster()), (2, unpacking(1)), (9, roster())] {
        send(&pulled, revision, event);
    }
    assert_eq!(next(&listener, page).await, [1, 2, 9]);
}

#[tokio::test]
async fn question_waits_for_an_event() {
    let listener = PageListener::default();
    let (page, pulled) = listen(&listener);
    let mut question = Box::pin(next(&listener, page));
    let soon = Duration::from_millis(100);
    assert!(time::timeout(soon, &mut question).await.is_err());
    send(&pulled, 1, unpacking(1));
    assert_eq!(question.await, [1]);
}

#[tokio::test]
async fn page_that_another_follows_gets_nothing() {
    let listener = PageListener::default();
    let (old, old_pulled) = listen(&listener);
    let mut question = Box::pin(next(&listener, old));
    let soon = Duration::from_millis(100);
    assert!(time::timeout(soon, &mut question).await.is_err());
    let (new, pulled) = listen(&listener);
    assert!(question.await.is_empty(), "the old page's question ends");
    assert!(next(&listener, old).await.is_empty());
    let closed = time::timeout(PATIENCE, old_pulled.closed()).await;
    closed.expect("the old task ends");
    send(&pulled, 1, roster());
    assert_eq!(next(&listener, new).await, [1]);
}
