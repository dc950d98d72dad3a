//! Groups agents' calls into sessions.

use std::collections::HashMap;

use guild_api::wire::{AgentSession, AgentSessions, EntryId, OutcomeKind, SessionRef};
use guild_model::MemberName;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::calls::word_in;
use super::database::Stop;

/// Maximum pause between the end of a call and the beginning of the next one, in milliseconds.
const PAUSE_MAX_MS: u64 = 30 * 60 * 1_000;
/// Maximum number of calls that a list of sessions reads.
const CALLS_READ: usize = 50_000;
/// Maximum number of members that a session names.
const MEMBERS_NAMED: usize = 20;
const COLUMNS: &str = "id, at_ms, client, session, member, outcome, duration_ms";

/// A call of an agent, as far as it matters here.
struct AgentCall {
    id: EntryId,
    at_ms: u64,
    ended_ms: u64,
    client: Option<String>,
    session: Option<String>,
    member: MemberName,
    outcome: OutcomeKind,
}

fn call(row: &Row<'_>) -> rusqlite::Result<AgentCall> {
    let at_ms: u64 = row.get(1)?;
    Ok(AgentCall {
        id: EntryId(row.get(0)?),
        at_ms,
        ended_ms: at_ms.saturating_add(row.get(6)?),
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

/// Whether two calls of an agent belong to the same session, if it has no call between them. Calls
/// are stored in the order of their ends.
fn is_close(earlier_end_ms: u64, later: &AgentCall) -> bool {
    later.at_ms <= earlier_end_ms.saturating_add(PAUSE_MAX_MS)
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
    // The earliest known session of each agent, with its earliest call. Earlier calls may belong to
    // it.
    let mut open: HashMap<(Option<String>, Option<String>), (usize, AgentCall)> = HashMap::new();
    let mut more = false;
    let mut read = 0;
    for call in statement.query_map([CALLS_READ], call)? {
        let call = call?;
        read += 1;
        let key = (call.client.clone(), call.session.clone());
        let known = open
            .get(&key)
            .filter(|(_, later)| is_close(call.ended_ms, later));
        if let Some(&(at, _)) = known {
            add(&mut sessions[at], &call);
            open.insert(key, (at, call));
        } else if sessions.len() < limit {
            sessions.push(begin(&call));
            open.insert(key, (sessions.len() - 1, call));
        } else {
            more = true;
            open.remove(&key);
            if !open
                .values()
                .any(|(_, later)| is_close(call.ended_ms, later))
            {
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
    for (side, direction, goes_back) in [("<", "DESC", true), (">", "ASC", false)] {
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM calls WHERE caller = 'agent' AND client IS ?1 \
             AND session IS ?2 AND id {side} ?3 ORDER BY id {direction}"
        ))?;
        let of_agent = params![anchor.client, anchor.session, id.0];
        let mut last = None;
        for call in statement.query_map(of_agent, call)? {
            let call = call?;
            let before = last.as_ref().unwrap_or(&anchor);
            let is_next = match goes_back {
                true => is_close(call.ended_ms, before),
                false => is_close(before.ended_ms, &call),
            };
            if !is_next {
                break;
            }
            add(&mut session, &call);
            last = Some(call);
        }
    }
    Ok(Some(session))
}
