//! Tests of removing many calls while other calls end, and while the program ends.

use std::pin::pin;
use std::sync::mpsc;

use futures::FutureExt;

use super::*;
use crate::writer::WriterQueueSize;

/// Runs a removal step by step over a separate connection.
struct ByHand<'a> {
    archive: &'a Archive,
    removal: HistoryDeletion,
    opened: Option<DatabaseConnection>,
}

impl<'a> ByHand<'a> {
    fn of(archive: &'a Archive, filter: HistoryFilter, waiting: &Arc<WriterQueueSize>) -> Self {
        Self {
            archive,
            removal: HistoryDeletion::of(filter, Arc::clone(waiting)),
            opened: None,
        }
    }

    fn step(&mut self) -> Option<Cleared> {
        let Self {
            archive,
            removal,
            opened,
        } = self;
        let database = &archive.history.inner.database;
        let done = database.with(opened, writer::PATIENCE, |connection| {
            removal.step(connection, true)
        });
        done.expect("a step")
    }
}

fn of_even() -> HistoryFilter {
    HistoryFilter {
        member: Some(member("even")),
        ..HistoryFilter::default()
    }
}

/// Returns calls of two members, alternating. The answer of one of them must not be found after its
/// removal.
async fn with_two_members(calls: usize) -> Archive {
    let archive = Archive::new();
    for at in 0..calls {
        let (who, words) = if at % 2 == 0 {
            ("even", "mostsecretive")
        } else {
            ("odd", "harmless")
        };
        let call = call(&format!("c{at}"))
            .of(who, "forge")
            .answers(&format!("{words} {at}"));
        call.into(&archive);
    }
    archive.written().await;
    archive
}

#[tokio::test]
async fn calls_during_a_removal_are_written() {
    for filter in [HistoryFilter::default(), of_even()] {
        let archive = with_two_members(200).await;
        let all = filter == HistoryFilter::default();
        let waiting = Arc::default();
        let mut by_hand = ByHand::of(&archive, filter, &waiting);
        // The first step determines the range of calls.
        assert_eq!(by_hand.step(), None);
        let mut came = 0;
        let cleared = loop {
            // Each new call matches the filter as well.
            let new = call(&format!("new{came}")).of("even", "forge");
            new.answers("harmless").into(&archive);
            archive.written().await;
            came += 1;
            if let Some(cleared) = by_hand.step() {
                break cleared;
            }
        };
        let (removed, stays) = if all { (200, 0) } else { (100, 100) };
        assert_eq!(cleared.count, removed);
        assert!(came > 5, "it had steps: {came}");
        let entries = archive.find(HistoryFilter::default()).await;
        let new = ids(&entries).into_iter().filter(|id| id.starts_with("new"));
        assert_eq!((new.count(), entries.len()), (came, came + stays));
        assert!(
            !archive.holds("mostsecretive"),
            "neither in the texts nor in the index"
        );
        assert_eq!(archive.words("harmless").await.len(), came + stays);
        let sound: String = Connection::open(archive.path("history.db"))
            .expect("opened")
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("checked");
        assert_eq!(sound, "ok");
    }
}

#[tokio::test]
async fn history_rewrite_waits_for_the_queue() {
    let archive = with_two_members(400).await;
    let waiting = Arc::new(WriterQueueSize::default());
    waiting.jobs.store(1_000, Ordering::Relaxed);
    assert!(waiting.presses());
    let mut by_hand = ByHand::of(&archive, of_even(), &waiting);
    for _ in 0..100 {
        assert_eq!(by_hand.step(), None, "its last step but one is broken off");
    }
    assert_eq!(archive.find(of_even()).await, []);
    assert_eq!(archive.words("harmless").await.len(), 200);
    waiting.jobs.store(0, Ordering::Relaxed);
    let cleared = [by_hand.step(), by_hand.step()];
    assert_eq!(cleared, [None, Some(Cleared { count: 200 })]);
    assert!(!archive.holds("mostsecretive"));
    assert_eq!(archive.words("harmless").await.len(), 200);
}

#[tokio::test]
async fn unfinished_clearing_resumes_at_next_start() {
    let mut archive = with_two_members(400).await;
    let mut by_hand = ByHand::of(&archive, of_even(), &Arc::default());
    while !archive.find(of_even()).await.is_empty() {
        assert_eq!(by_hand.step(), None);
    }
    drop(by_hand);
    assert!(archive.holds("mostsecretive"), "its words are in the index");
    archive.restart().await;
    assert!(archive.holds("mostsecretive"), "nothing was called yet");
    call("next").answers("harmless").into(&archive);
    let gone = async {
        while archive.holds("mostsecretive") {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, gone).await.expect("the rest is done");
    assert_eq!(archive.words("harmless").await.len(), 201);
    archive.restart().await;
    call("last").answers("harmless").into(&archive);
    archive.written().await;
    assert_eq!(archive.words("harmless").await.len(), 202);
}

#[tokio::test]
async fn stepwise_work_lets_others_write() {
    let mut archive = Archive::new();
    let (go_on, held) = mpsc::channel::<()>();
    let (begun, mut began) = tokio::sync::mpsc::channel(1);
    // This job never finishes. When the test releases it, its steps continue.
    let endless = Job::Slow(Box::new(move |_, _| {
        let _ = begun.try_send(());
        let _ = held.recv();
        true
    }));
    assert_eq!(archive.history.inner.writer.send(endless), Ok(()));
    let first = timeout(LIMIT, began.recv()).await.expect("in time");
    first.expect("a step");
    {
        call("between").into(&archive);
        let mut settled = pin!(archive.history.settled());
        assert_eq!(settled.as_mut().now_or_never(), None, "a step is done now");
        go_on.send(()).expect("it waits");
        settled.await.expect("the step is over");
    }
    let all = HistoryFilter::default;
    assert_eq!(ids(&archive.find(all()).await), ["between"]);
    call("last").into(&archive);
    drop(go_on);
    let ended = timeout(LIMIT, archive.restart()).await;
    ended.expect("the rest of it is left");
    assert_eq!(ids(&archive.find(all()).await), ["last", "between"]);
}

#[tokio::test]
async fn shutdown_during_removal_loses_no_call() {
    let mut archive = with_two_members(900).await;
    let history = archive.history.clone();
    let clearing = tokio::spawn(async move { history.clear(HistoryFilter::default()).await });
    let begun = async {
        while archive.history.state().await.calls == 900 {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, begun).await.expect("it begins");
    for at in 0..500 {
        call(&format!("new{at}")).into(&archive);
    }
    let unrecorded = archive.history.inner.health.unrecorded();
    archive.restart().await;
    // The removal finished before the end, or was reported as incomplete.
    match clearing.await.expect("no panic") {
        Ok(cleared) => assert_eq!(cleared.count, 900),
        Err(report) => assert_eq!(report.code, Code::ShuttingDown, "{report}"),
    }
    let entries = archive.find(HistoryFilter::default()).await;
    let new = ids(&entries).into_iter().filter(|id| id.starts_with("new"));
    assert_eq!((new.count(), unrecorded), (500, 0));
}
