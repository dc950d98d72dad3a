//! Sessions of agents.

use std::ops::Range;

use guild_api::wire::{AgentSession, ListSessions, SessionRef};

use super::*;

const MINUTE: u64 = 60_000;

/// Records a call of an agent that begins at this minute.
fn by(archive: &Archive, client: &str, session: Option<&str>, minute: u64) {
    during(archive, client, session, minute..minute);
}

/// Records a call of an agent that begins and ends at these minutes.
fn during(archive: &Archive, client: &str, session: Option<&str>, minutes: Range<u64>) {
    let mut of = call("agent-1").at(minutes.start * MINUTE).outcome;
    of.duration_ms = (minutes.end - minutes.start) * MINUTE;
    let ended = FinishedCall::new(&of, Caller::Agent, "{}", None);
    archive.history.record(ended.by(client, session));
}

/// Checks that each call leads to its session, and that a filter returns exactly its calls.
async fn each_call_leads_to_its_session(archive: &Archive, sessions: &[AgentSession]) {
    for session in sessions {
        let filter = HistoryFilter {
            session: Some(session.of.clone()),
            ..HistoryFilter::default()
        };
        let calls = archive.find(filter).await;
        assert_eq!(calls.len() as u64, session.calls);
        for call in calls {
            assert_eq!(call.session, session.of.session);
            let of = HistoryEntryRef { id: call.id };
            let of = archive.history.session_of(of).await;
            assert_eq!(of.as_ref(), Ok(session));
        }
    }
}

/// Returns client, MCP session, first and last minute and the number of calls of each session.
fn shown(sessions: &[AgentSession]) -> Vec<(&str, Option<&str>, u64, u64, u64)> {
    let each = sessions.iter().map(|session| {
        let SessionRef {
            client,
            session: id,
            ..
        } = &session.of;
        (
            client.as_deref().unwrap_or_default(),
            id.as_deref(),
            session.began_ms / MINUTE,
            session.last_call_ms / MINUTE,
            session.calls,
        )
    });
    each.collect()
}

#[tokio::test]
async fn pause_and_agent_separate_sessions() {
    let archive = Archive::new();
    by(&archive, "codex", None, 0);
    by(&archive, "claude", Some("a"), 10);
    call("window").at(11 * MINUTE).into(&archive);
    by(&archive, "claude", Some("b"), 12);
    by(&archive, "claude", Some("a"), 40);
    by(&archive, "codex", None, 41);
    archive.written().await;
    let list = |limit| archive.history.sessions(ListSessions { limit });
    let listed = list(10).await.expect("sessions");
    assert!(!listed.more);
    let expected = [
        ("codex", None, 41, 41, 1),
        ("claude", Some("a"), 10, 40, 2),
        ("claude", Some("b"), 12, 12, 1),
        ("codex", None, 0, 0, 1),
    ];
    assert_eq!(shown(&listed.sessions), expected);
    for limit in 1..4 {
        let fewer = list(limit).await.expect("sessions");
        assert!(fewer.more);
        assert_eq!(shown(&fewer.sessions), expected[..limit]);
    }
    each_call_leads_to_its_session(&archive, &listed.sessions).await;
}

#[tokio::test]
async fn long_call_does_not_split_a_session() {
    let archive = Archive::new();
    by(&archive, "codex", None, 0);
    during(&archive, "codex", None, 20..21);
    during(&archive, "codex", None, 1..50);
    by(&archive, "codex", None, 80);
    // The calls of this agent overlap, and the pause after them is too long.
    during(&archive, "claude", None, 60..90);
    during(&archive, "claude", None, 70..100);
    during(&archive, "claude", None, 131..132);
    archive.written().await;
    let listed = archive.history.sessions(ListSessions { limit: 9 }).await;
    let sessions = listed.expect("sessions").sessions;
    let expected = [
        ("claude", None, 131, 131, 1),
        ("claude", None, 60, 70, 2),
        ("codex", None, 0, 80, 4),
    ];
    assert_eq!(shown(&sessions), expected);
    each_call_leads_to_its_session(&archive, &sessions).await;
}

#[tokio::test]
async fn session_counts_failures_and_names_members() {
    let archive = Archive::new();
    for (minute, of_member, code) in [
        (1, "smith", None),
        (2, "anvil", Some(Code::RpcError)),
        (3, "smith", Some(Code::CallTimeout)),
    ] {
        let mut made = call("agent-1").of(of_member, "forge").at(minute * MINUTE);
        if let Some(code) = code {
            made = made.fails(code, "no");
        }
        let ended = FinishedCall::new(&made.outcome, Caller::Agent, "{}", None);
        archive.history.record(ended.by("codex", None));
    }
    archive.written().await;
    let listed = archive.history.sessions(ListSessions { limit: 1 }).await;
    let [session] = listed.expect("sessions").sessions.try_into().expect("one");
    assert_eq!((session.calls, session.failed), (3, 2));
    assert_eq!(session.members, [member("anvil"), member("smith")]);
}

#[tokio::test]
async fn call_of_a_person_has_no_session() {
    let archive = Archive::new();
    call("window").into(&archive);
    archive.written().await;
    for id in [EntryId(1), EntryId(99)] {
        let of = archive.history.session_of(HistoryEntryRef { id }).await;
        assert_eq!(of.expect_err("none").code, Code::HistoryEntryUnknown);
    }
    let listed = archive.history.sessions(ListSessions { limit: 5 }).await;
    assert_eq!(listed.expect("sessions").sessions, []);
}
