//! Groups agents' calls into sessions.

use std::collections::HashMap;

use guild_api::wire::{AgentSession, AgentSessions, EntryId, OutcomeKind, SessionRef};
use guild_model::MemberName;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::calls::word_in;
use super::database::Stop;

/// Maximum pause between the beginnings of two calls of a session, in milliseconds.
const PAUSE_MAX_MS: u64 = 30 * 60 * 1_000;
/// Maximum number of calls that a list of sessions reads.
const CALLS_READ: usize = 50_000;
/// Maximum number of members that a session names.
const MEMBERS_NAMED: usize = 20;
const COLUMNS: &str = "id, at_ms, client, session, member, outcome";

/// A call of an agent, as far as it matters here.
struct AgentCall {
    id: EntryId,
    at_ms: u64,
    client: Option<String>,
    session: Option<String>,
    member: MemberName,
    outcome: OutcomeKind,
}

fn call(row: &Row<'_>) -> rusqlite::Result<AgentCall> {
    Ok(AgentCall {
        id: EntryId(row.get(0)?),
        at_ms: row.get(1)?,
        client: row.get(2)?,
        session: row.get(3)?,
        member: word_in(row, 4)?,
        outcome: word_in(row, 5)?,
    })
}

/// Creates a session of one call.
fn begin(call: &AgentCall) -> AgentSession {
    let mut session = AgentSession {
        of: SessionRef {
            client: call.client.clone(),
            session: call.session.clone(),
            first: call.id,
            last: call.id,
        },
        began_ms: call.at_ms,
        last_call_ms: call.at_ms,
        calls: 0,
        failed: 0,
        members: vec![],
    };
    add(&mut session, call);
    session
}

fn belongs(session: &AgentSession, call: &AgentCall) -> bool {
    // Calls are stored in the order of their ends, so an earlier row may have begun later.
    call.at_ms.saturating_add(PAUSE_MAX_MS) >= session.began_ms
        && call.at_ms <= session.last_call_ms.saturating_add(PAUSE_MAX_MS)
}

fn add(session: &mut AgentSession, call: &AgentCall) {
    session.of.first = session.of.first.min(call.id);
    session.of.last = session.of.last.max(call.id);
    session.began_ms = session.began_ms.min(call.at_ms);
    session.last_call_ms = session.last_call_ms.max(call.at_ms);
    session.calls += 1;
    session.failed += u64::from(call.outcome != OutcomeKind::Ok);
    if let Err(at) = session.members.binary_search(&call.member)
        && session.members.len() < MEMBERS_NAMED
    {
        session.members.insert(at, call.member.clone());
    }
}

/// Returns the newest sessions, the one with the latest call first.
pub(super) fn list(connection: &Connection, limit: usize) -> Result<AgentSessions, Stop> {
    let mut statement = connection.prepare(&format!(
        "SELECT {COLUMNS} FROM calls WHERE caller = 'agent' ORDER BY id DESC LIMIT ?1"
    ))?;
    let mut sessions: Vec<AgentSession> = Vec::new();
    // The earliest known session of each agent. Earlier calls may belong to it.
    let mut open: HashMap<(Option<String>, Option<String>), usize> = HashMap::new();
    let mut more = false;
    let mut read = 0;
    for call in statement.query_map([CALLS_READ], call)? {
        let call = call?;
        read += 1;
        let key = (call.client.clone(), call.session.clone());
        let known = open.get(&key).copied();
        let known = known.and_then(|at| sessions.get_mut(at));
        if let Some(session) = known.filter(|session| belongs(session, &call)) {
            add(session, &call);
        } else if sessions.len() < limit {
            open.insert(key, sessions.len());
            sessions.push(begin(&call));
        } else {
            more = true;
            open.remove(&key);
            let mut known = open.values().filter_map(|&at| sessions.get(at));
            if !known.any(|session| belongs(session, &call)) {
                break;
            }
        }
    }
    Ok(AgentSessions {
        sessions,
        more: more || read == CALLS_READ,
    })
}

/// Returns the session of a call. `None` if the call does not exist or is not an agent's.
pub(super) fn of(connection: &Connection, id: EntryId) -> Result<Option<AgentSession>, Stop> {
    let sql = format!("SELECT {COLUMNS} FROM calls WHERE id = ?1 AND caller = 'agent'");
    let Some(anchor) = connection.query_row(&sql, [id.0], call).optional()? else {
        return Ok(None);
    };
    let mut session = begin(&anchor);
    for (side, direction) in [("<", "DESC"), (">", "ASC")] {
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM calls WHERE caller = 'agent' AND client IS ?1 \
             AND session IS ?2 AND id {side} ?3 ORDER BY id {direction}"
        ))?;
        let of_agent = params![anchor.client, anchor.session, id.0];
        for call in statement.query_map(of_agent, call)? {
            let call = call?;
            if !belongs(&session, &call) {
                break;
            }
            add(&mut session, &call);
        }
    }
    Ok(Some(session))
}
