//! Tests of one member's actor, step by step, so that the order of events is fixed.

use std::path::Path;

use guild_model::manifest::parse;
use serde_json::json;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::time::timeout;

use super::*;
use crate::member::launch::{LaunchFailure, Launched};
use crate::test_util::context_in;
use crate::tests::idle_session;

/// Timeout of expected events, which is long enough for a loaded machine.
const LIMIT: Duration = Duration::from_secs(30);

/// Returns a successful launch of a server without tools.
async fn launched() -> Launched {
    Launched {
        session: idle_session().await,
        process: None,
        home: None,
        bare: false,
        start_warnings: vec![],
        took: None,
    }
}

async fn next(member: &mut MemberActor) -> ActorEvent {
    let next = timeout(LIMIT, member.received_events.recv()).await;
    next.expect("in time").expect("the member has a sender too")
}

/// Creates a stopped member whose command does not exist.
fn member_in(folder: &Path) -> MemberActor {
    let manifest = json!({
        "name": "forge", "version": "1", "description": "It is started by the test.",
        "transport": "stdio", "lifecycle": "eager", "command": "no-such-program",
    });
    let found = MemberFolder {
        name: MemberName::parse("forge").expect("a name"),
        folder: folder.join("members").join("forge"),
        parsed: parse(manifest.to_string().as_bytes(), "plugin.json"),
        text: None,
    };
    MemberActor::new(found, context_in(folder), Output::new(), Arc::default())
}

/// Returns the failure of a start that ran out of time.
fn late() -> LaunchFailure {
    let trouble = StartError::NoEra;
    LaunchFailure {
        report: Report::from_error(Code::StartTimeout, &trouble),
        crashed: false,
        violates_protocol: true,
        beside: 0,
        loaded: false,
    }
}

#[tokio::test]
async fn discovery_after_a_timeout_waits_for_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut member = member_in(folder.path());
    let other = member.context.start_limiter.try_begin(false);
    member.did_not_come_up(late());
    assert!(matches!(member.phase, MemberPhase::Discovering { .. }));
    let waits = next(&mut member).await;
    assert!(matches!(waits, ActorEvent::Step(Some(StartStep::Queued))));
    drop(other.expect("a permit is free"));
    while matches!(member.phase, MemberPhase::Discovering { .. }) {
        let event = next(&mut member).await;
        member.on_event(event);
    }
}

#[tokio::test]
async fn crash_loop_keeps_the_hint_of_the_last_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut member = member_in(folder.path());
    for _ in 0..100 {
        if member.status == Status::CrashLoop {
            break;
        }
        member.phase = MemberPhase::Down;
        let trouble = StartError::NoEra;
        let report = Report::from_error(Code::MemberExited, &trouble);
        member.failed(report, true, false);
    }
    let error = member.error.clone().expect("why");
    assert_eq!(error.code, Code::CrashLoop);
    assert!(error.hint.contains("protocol_version"), "{error}");
    assert!(error.hint.contains("Then start the member"), "{error}");
}

#[tokio::test]
async fn restart_after_ended_launch_brings_member_up() {
    let folder = tempfile::tempdir().expect("a folder");
    // The tasks that the member launches are never awaited here.
    let mut member = member_in(folder.path());
    let (first, second) = (launched().await, launched().await);

    member.begin_start();
    assert_eq!(member.status, Status::Starting);
    // The launch has already ended, but its event arrives after the restart.
    let (reply, mut restarted) = oneshot::channel();
    member.restart_for(reply);
    let (reply, mut leased) = oneshot::channel();
    member.lease(reply);
    member.came_up(first);
    assert_eq!(member.status, Status::Stopping);
    assert_eq!(restarted.try_recv().err(), Some(TryRecvError::Empty));
    assert!(matches!(leased.try_recv(), Err(TryRecvError::Empty)));

    while !matches!(member.phase, MemberPhase::Starting { .. }) {
        let event = next(&mut member).await;
        member.on_event(event);
    }
    assert_eq!(restarted.try_recv().err(), Some(TryRecvError::Empty));
    member.came_up(second);
    let view = loop {
        match restarted.try_recv() {
            Err(TryRecvError::Empty) => {}
            answered => break answered.expect("an answer").expect("it is up"),
        }
        let event = next(&mut member).await;
        member.on_event(event);
    };
    assert_eq!(view.status, Status::Ready);
    assert!(
        matches!(leased.try_recv(), Ok(Ok(_))),
        "the call has it too"
    );
}
