//! Sessions of agents.

use guild_api::wire::{AgentSession, ListSessions, SessionRef};

use super::*;

const MINUTE: u64 = 60_000;

/// Records a call of an agent that begins at this minute.
fn by(archive: &Archive, client: &str, session: Option<&str>, minute: u64) {
    let of = call("agent-1").at(minute * MINUTE).outcome;
    let ended = FinishedCall::new(&of, Caller::Agent, "{}", None);
    archive.history.record(ended.by(client, session));
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
    // Each call leads to its session, and the filter returns exactly its calls.
    for session in &listed.sessions {
        for id in [session.of.first, session.of.last] {
            let of = archive.history.session_of(HistoryEntryRef { id }).await;
            assert_eq!(of.as_ref(), Ok(session));
        }
        let filter = HistoryFilter {
            session: Some(session.of.clone()),
            ..HistoryFilter::default()
        };
        let calls = archive.find(filter).await;
        assert_eq!(calls.len() as u64, session.calls);
        assert!(calls.iter().all(|call| call.session == session.of.session));
    }
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
