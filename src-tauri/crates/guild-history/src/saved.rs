//! Stores named calls and drafts of forms.

use crate::messages::{HistoryError, SavedNameProblem};
use guild_api::wire::{
    DRAFT_BYTES_MAX, ExistingName, SAVED_NAME_MAX, SavedCall, SavedCallsOf, SavedId, ToolRef,
};
use guild_model::{Code, MemberName, Report};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use super::calls::{json_in, to_json, word_in};
use super::database::Stop;

/// Maximum number of saved calls in one response.
const SAVED_MAX: usize = 1_000;
/// Maximum total size of the arguments in one response, in bytes.
const SAVED_BYTES_MAX: usize = 32 << 20;
/// Maximum number of drafts.
const DRAFTS_MAX: usize = 500;

const SAVED: &str = "id, name, member, tool, arguments, masked, saved_at_ms";

/// Validates and trims a saved call's name.
///
/// # Errors
/// `saved-name-refused`.
pub(super) fn name(text: &str) -> Result<String, Report> {
    let name = text.trim();
    let length = name.chars().count();
    let problem = if name.is_empty() {
        SavedNameProblem::Empty
    } else if length > SAVED_NAME_MAX {
        SavedNameProblem::Long(length, SAVED_NAME_MAX)
    } else if name.chars().any(char::is_control) {
        SavedNameProblem::Control
    } else {
        return Ok(name.to_owned());
    };
    let trouble = HistoryError::SavedName(problem);
    Err(Report::from_error(Code::SavedNameRefused, &trouble))
}

/// Saves a call. The database assigns its ID.
pub(super) fn save(
    connection: &Connection,
    mut call: SavedCall,
    existing: ExistingName,
) -> Result<SavedCall, Stop> {
    let or_replace = match existing {
        ExistingName::Keep => "",
        ExistingName::Replace => {
            "ON CONFLICT (member, tool, name) DO UPDATE SET arguments = excluded.arguments, \
             masked = excluded.masked, saved_at_ms = excluded.saved_at_ms"
        }
    };
    let sql = format!(
        "INSERT INTO saved_calls (name, member, tool, arguments, masked, saved_at_ms) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) {or_replace} RETURNING id"
    );
    let id = connection.query_row(
        &sql,
        params![
            call.name,
            call.member.as_str(),
            call.tool.as_str(),
            call.arguments,
            to_json(&call.masked)?,
            call.saved_at_ms,
        ],
        |row| row.get(0),
    );
    call.id = SavedId(id.map_err(|error| taken(error, &call.name))?);
    Ok(call)
}

/// Returns the saved calls that match, up to the limits, and whether there are more.
pub(super) fn list(
    connection: &Connection,
    of: &SavedCallsOf,
) -> Result<(Vec<SavedCall>, bool), Stop> {
    let mut statement = connection.prepare(&format!(
        "SELECT {SAVED} FROM saved_calls WHERE member = ifnull(?1, member) \
         AND tool = ifnull(?2, tool) ORDER BY member, tool, name"
    ))?;
    let member = of.member.as_ref().map(AsRef::<str>::as_ref);
    let tool = of.tool.as_ref().map(AsRef::<str>::as_ref);
    let mut rows = statement.query([member, tool])?;
    let (mut calls, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let call = saved(row)?;
        bytes += call.arguments.len();
        if calls.len() == SAVED_MAX || (bytes > SAVED_BYTES_MAX && !calls.is_empty()) {
            return Ok((calls, true));
        }
        calls.push(call);
    }
    Ok((calls, false))
}

pub(super) fn rename(connection: &Connection, id: SavedId, name: &str) -> Result<SavedCall, Stop> {
    let renamed = connection
        .query_row(
            &format!("UPDATE saved_calls SET name = ?2 WHERE id = ?1 RETURNING {SAVED}"),
            params![id.0, name],
            saved,
        )
        .optional()
        .map_err(|error| taken(error, name))?;
    renamed.ok_or_else(|| super::gone().into())
}

/// Moves the saved calls, drafts and tool list changes of a member to another name. Entries of an
/// earlier member with the new name are replaced.
pub(super) fn rename_member(
    connection: &Connection,
    from: &MemberName,
    to: &MemberName,
) -> Result<(), Stop> {
    for table in ["saved_calls", "drafts", "revisions"] {
        let sql = format!("UPDATE OR REPLACE {table} SET member = ?2 WHERE member = ?1");
        connection.execute(&sql, [from.as_str(), to.as_str()])?;
    }
    Ok(())
}

/// Removes a saved call. A missing one is not an error.
pub(super) fn delete(connection: &Connection, id: SavedId) -> Result<(), Stop> {
    connection.execute("DELETE FROM saved_calls WHERE id = ?1", [id.0])?;
    Ok(())
}

fn saved(row: &Row<'_>) -> rusqlite::Result<SavedCall> {
    Ok(SavedCall {
        id: SavedId(row.get(0)?),
        name: row.get(1)?,
        member: word_in(row, 2)?,
        tool: word_in(row, 3)?,
        arguments: row.get(4)?,
        masked: json_in(row, "masked")?,
        saved_at_ms: row.get(6)?,
    })
}

/// Converts the database error for a name that is already used to a report. Other errors stay
/// unchanged.
fn taken(error: rusqlite::Error, name: &str) -> Stop {
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return error.into();
    }
    let trouble = HistoryError::SavedTaken(format!("{name:?}"));
    Report::from_error(Code::SavedNameRefused, &trouble).into()
}

/// Checks the size of a draft.
///
/// # Errors
/// `history-too-large`.
pub(super) fn check_draft(draft: &str) -> Result<(), Report> {
    if draft.len() <= DRAFT_BYTES_MAX {
        return Ok(());
    }
    let trouble = HistoryError::LongDraft(draft.len(), DRAFT_BYTES_MAX);
    Err(Report::from_error(Code::HistoryTooLarge, &trouble))
}

/// Saves or removes a draft. If there are too many drafts, the oldest are removed.
pub(super) fn keep_draft(
    connection: &Connection,
    of: &ToolRef,
    draft: Option<&str>,
    now_ms: u64,
) -> Result<(), Stop> {
    let (member, tool) = (of.member.as_str(), of.tool.as_str());
    let Some(draft) = draft else {
        connection.execute(
            "DELETE FROM drafts WHERE member = ?1 AND tool = ?2",
            [member, tool],
        )?;
        return Ok(());
    };
    connection.execute(
        "INSERT OR REPLACE INTO drafts (member, tool, draft, kept_at_ms) VALUES (?1, ?2, ?3, ?4)",
        params![member, tool, draft, now_ms],
    )?;
    connection.execute(
        "DELETE FROM drafts WHERE rowid IN \
         (SELECT rowid FROM drafts ORDER BY rowid DESC LIMIT -1 OFFSET ?1)",
        [DRAFTS_MAX],
    )?;
    Ok(())
}

/// Returns the draft of a tool's form, and its time.
pub(super) fn draft(connection: &Connection, of: &ToolRef) -> Result<Option<(String, u64)>, Stop> {
    let kept = connection.query_row(
        "SELECT draft, kept_at_ms FROM drafts WHERE member = ?1 AND tool = ?2",
        [of.member.as_str(), of.tool.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    );
    Ok(kept.optional()?)
}
