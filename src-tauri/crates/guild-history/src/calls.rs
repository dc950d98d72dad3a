//! Writes, lists, reads and removes calls in the database.

use crate::messages::HistoryError;
use guild_api::wire::{CallEnd, Caller, EntryId, HistoryEntry, HistoryFilter, OutcomeKind};
use guild_model::{CallId, Code, MemberName, Report, ToolName};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::de::DeserializeOwned;

use super::database::Stop;
use super::tokens::{self, IndexTerms, Query};

/// Maximum size of the part of the arguments that the search index includes, in bytes.
const ARGUMENTS_SEARCHED: usize = 64 * 1024;
/// Maximum size of the part of the result that the search index includes, in bytes.
const RESULT_SEARCHED: usize = 4 * 1024;
/// Maximum length of the arguments in a list, in characters.
const SUMMARY_CHARS: usize = 200;
/// Approximate size of a call's row without its texts, in bytes.
const ROW_BYTES: usize = 512;
/// The columns for a list, in the order in which [`entry`] reads them.
const ENTRY: &str = "calls.id, calls.call, calls.at_ms, calls.caller, calls.member, calls.tool, \
                     calls.outcome, calls.code, calls.duration_ms, calls.size, calls.summary, calls.client, \
                     calls.trace_id, calls.session";

/// A call as the database stores it, with its secrets masked.
#[derive(Debug)]
pub(super) struct StoredCall {
    /// The list entry. The database assigns its ID.
    pub(super) entry: HistoryEntry,
    pub(super) arguments: String,
    pub(super) masked: Vec<String>,
    pub(super) schema: Option<String>,
    pub(super) end: CallEnd,
    pub(super) truncated: bool,
}

/// Returns the arguments on one line, for a list.
pub(super) fn summary(arguments: &str) -> String {
    let mut summary = String::new();
    let mut left = SUMMARY_CHARS;
    for word in arguments.split_whitespace() {
        let space = usize::from(!summary.is_empty());
        if left <= space {
            break;
        }
        if space > 0 {
            summary.push(' ');
        }
        let from = summary.len();
        summary.extend(word.chars().take(left - space));
        left -= space + summary[from..].chars().count();
    }
    summary
}

/// Inserts a call and sets its ID.
pub(super) fn insert(transaction: &Transaction<'_>, call: &mut StoredCall) -> Result<(), Stop> {
    let StoredCall { entry, .. } = &*call;
    let (result, failure) = match &call.end {
        CallEnd::Result { result, .. } => (Some(result.as_str()), None),
        failed @ CallEnd::Failed { .. } => (None, Some(to_json(failed)?)),
    };
    let words = words_of(call).text();
    let bytes = ROW_BYTES
        + call.arguments.len()
        + result.map_or(0, str::len)
        + failure.as_ref().map_or(0, String::len)
        + words.len();
    transaction
        .prepare(
            "INSERT INTO calls (call, at_ms, caller, member, tool, outcome, code, duration_ms, \
             size, summary, bytes, client, trace_id, session) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            entry.call.as_str(),
            entry.at_ms,
            entry.caller.as_str(),
            entry.member.as_str(),
            entry.tool.as_str(),
            entry.outcome.as_str(),
            entry.code.map(Code::as_str),
            entry.duration_ms,
            entry.size,
            entry.summary,
            bytes,
            entry.client,
            entry.trace_id,
            entry.session,
        ])?;
    let id = transaction.last_insert_rowid();
    transaction
        .prepare(
            "INSERT INTO contents (id, arguments, masked, schema, result, truncated, failure) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            id,
            call.arguments,
            to_json(&call.masked)?,
            call.schema,
            result,
            call.truncated,
            failure,
        ])?;
    transaction
        .prepare("INSERT INTO words (rowid, of_call) VALUES (?1, ?2)")?
        .execute(params![id, words])?;
    transaction
        .prepare("UPDATE totals SET calls = calls + 1, bytes = bytes + ?1")?
        .execute([bytes])?;
    call.entry.id = EntryId(id);
    Ok(())
}

fn words_of(call: &StoredCall) -> IndexTerms {
    let StoredCall { entry, .. } = call;
    let mut words = IndexTerms::default();
    words.take(entry.member.as_str());
    words.take(entry.tool.as_str());
    words.take(entry.client.as_deref().unwrap_or_default());
    words.take(entry.trace_id.as_deref().unwrap_or_default());
    words.take_json(head(&call.arguments, ARGUMENTS_SEARCHED));
    match &call.end {
        CallEnd::Result { result, .. } => words.take_json(head(result, RESULT_SEARCHED)),
        CallEnd::Failed { report, rpc, .. } => {
            words.take(report.code.as_str());
            words.take(head(&report.message, RESULT_SEARCHED));
            if let Some(rpc) = rpc {
                words.take(head(&rpc.message, RESULT_SEARCHED));
            }
        }
    }
    words.mark('m', entry.member.as_str());
    words.mark('t', entry.tool.as_str());
    words.mark('o', entry.outcome.as_str());
    words.mark('c', entry.caller.as_str());
    words
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HistoryOrder {
    NewestFirst,
    OldestFirst,
}

/// A query for the calls that match a filter.
#[derive(Debug)]
pub(super) struct Selection {
    query: Query,
    /// The lowest and the highest ID that can match.
    ids: (i64, i64),
    /// The earliest and the latest matching time, in milliseconds since 1970.
    times: (i64, i64),
    /// The agent and the MCP session of the calls, if only one session matches.
    session: Option<(Option<String>, Option<String>)>,
}

impl Selection {
    /// Builds the query for a filter.
    pub(super) fn of(connection: &Connection, filter: &HistoryFilter) -> Result<Self, Stop> {
        let bound = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
        let times = (
            filter.since_ms.map_or(i64::MIN, bound),
            filter
                .until_ms
                .map_or(i64::MAX, |until| bound(until).saturating_sub(1)),
        );
        let ids = if times == (i64::MIN, i64::MAX) {
            (i64::MIN, i64::MAX)
        } else {
            // IDs grow roughly with time, so this range of IDs excludes most calls outside the
            // range of times.
            let found: (Option<i64>, Option<i64>) = connection.query_row(
                "SELECT min(id), max(id) FROM calls WHERE at_ms BETWEEN ?1 AND ?2",
                [times.0, times.1],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            (found.0.unwrap_or(i64::MAX), found.1.unwrap_or(i64::MIN))
        };
        let within = |ids: (i64, i64), first: EntryId, last: EntryId| {
            (ids.0.max(first.0), ids.1.min(last.0))
        };
        let ids = filter.entry.map_or(ids, |id| within(ids, id, id));
        let session = filter.session.as_ref();
        Ok(Self {
            query: tokens::query(filter),
            ids: session.map_or(ids, |of| within(ids, of.first, of.last)),
            times,
            session: session.map(|of| (of.client.clone(), of.session.clone())),
        })
    }

    /// Restricts the selection to the calls that follow this entry in the given order.
    pub(super) fn behind(mut self, entry: EntryId, order: HistoryOrder) -> Self {
        match order {
            HistoryOrder::NewestFirst => self.ids.1 = self.ids.1.min(entry.0.saturating_sub(1)),
            HistoryOrder::OldestFirst => self.ids.0 = self.ids.0.max(entry.0.saturating_add(1)),
        }
        self
    }

    /// Returns the SQL statement, and the words to search for in the index. `None` if nothing can
    /// match.
    fn sql(&self, columns: &str, order: HistoryOrder) -> Option<(String, &str)> {
        if self.ids.0 > self.ids.1 {
            return None;
        }
        let (words, matching, from, id) = match &self.query {
            Query::Nothing => return None,
            Query::Anything => ("", "?1 = ''", "calls", "calls.id"),
            // The query first searches the index and then reads the table for each match. The
            // opposite order is slow.
            Query::Words(words) => (
                words.as_str(),
                "words MATCH ?1",
                "words CROSS JOIN calls ON calls.id = words.rowid",
                "words.rowid",
            ),
        };
        let direction = match order {
            HistoryOrder::NewestFirst => "DESC",
            HistoryOrder::OldestFirst => "ASC",
        };
        let session = match self.session {
            Some(_) => "calls.caller = 'agent' AND calls.client IS ?7 AND calls.session IS ?8",
            None => "?7 IS NULL AND ?8 IS NULL",
        };
        let sql = format!(
            "SELECT {columns} FROM {from} WHERE {matching} AND {id} BETWEEN ?2 AND ?3 \
             AND calls.at_ms BETWEEN ?4 AND ?5 AND {session} ORDER BY {id} {direction} LIMIT ?6"
        );
        Some((sql, words))
    }

    fn ask<T>(
        &self,
        connection: &Connection,
        sql: Option<(String, &str)>,
        limit: usize,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Stop> {
        let Some((sql, words)) = sql else {
            return Ok(vec![]);
        };
        let mut statement = connection.prepare(&sql)?;
        let (ids, times) = (self.ids, self.times);
        let (client, session) = self.session.clone().unwrap_or_default();
        let rows = statement.query_map(
            params![
                words, ids.0, ids.1, times.0, times.1, limit, client, session
            ],
            read,
        )?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns one page of the list, and whether there is more.
    pub(super) fn page(
        &self,
        connection: &Connection,
        limit: usize,
    ) -> Result<(Vec<HistoryEntry>, bool), Stop> {
        let sql = self.sql(ENTRY, HistoryOrder::NewestFirst);
        let mut entries = self.ask(connection, sql, limit + 1, entry)?;
        let more = entries.len() > limit;
        entries.truncate(limit);
        Ok((entries, more))
    }

    pub(super) fn ids(
        &self,
        connection: &Connection,
        order: HistoryOrder,
        limit: usize,
    ) -> Result<Vec<EntryId>, Stop> {
        let sql = self.sql("calls.id", order);
        self.ask(connection, sql, limit, |row| row.get(0).map(EntryId))
    }

    /// Returns SQLite's query plan for a page.
    #[cfg(test)]
    pub(super) fn plan(&self, connection: &Connection) -> Result<Vec<String>, Stop> {
        let explained = self
            .sql(ENTRY, HistoryOrder::NewestFirst)
            .map(|(sql, words)| (format!("EXPLAIN QUERY PLAN {sql}"), words));
        self.ask(connection, explained, 50, |row| row.get("detail"))
    }
}

/// Returns everything that is stored about one call.
pub(super) fn read(connection: &Connection, id: EntryId) -> Result<Option<StoredCall>, Stop> {
    let mut statement = connection.prepare(&format!(
        "SELECT {ENTRY}, arguments, masked, schema, result, truncated, failure \
         FROM calls JOIN contents USING (id) WHERE calls.id = ?1"
    ))?;
    let read = |row: &Row<'_>| {
        let entry = entry(row)?;
        let end = match row.get::<_, Option<String>>("result")? {
            Some(result) => CallEnd::Result {
                result,
                is_error: entry.outcome == OutcomeKind::ToolError,
            },
            None => json_in(row, "failure")?,
        };
        Ok(StoredCall {
            arguments: row.get("arguments")?,
            masked: json_in(row, "masked")?,
            schema: row.get("schema")?,
            truncated: row.get("truncated")?,
            end,
            entry,
        })
    };
    Ok(statement.query_row([id.0], read).optional()?)
}

/// A recorded result that an agent may read again.
#[derive(Debug)]
pub struct ReadableResult {
    /// The agent, as given to [`History::make_readable`](super::History::make_readable).
    pub reader: String,
    /// The MCP result as JSON text, with its secrets masked.
    pub result: String,
}

/// Allows `reader` to read the result of a call, if the whole result is stored. Returns the call's
/// ID in that case.
pub(super) fn make_readable(
    transaction: &Transaction<'_>,
    call: &CallId,
    at_ms: u64,
    reader: &str,
) -> Result<Option<EntryId>, Stop> {
    let sql = "UPDATE calls SET reader = ?3 WHERE id = (SELECT max(calls.id) FROM calls \
               JOIN contents USING (id) WHERE at_ms = ?1 AND call = ?2 AND truncated = 0 \
               AND result IS NOT NULL) RETURNING id";
    let mut statement = transaction.prepare(sql)?;
    let id = statement.query_row(params![at_ms, call.as_str(), reader], |row| {
        row.get(0).map(EntryId)
    });
    Ok(id.optional()?)
}

/// Returns the result of a call for which a reader was set.
pub(super) fn readable(
    connection: &Connection,
    id: EntryId,
) -> Result<Option<ReadableResult>, Stop> {
    let sql = "SELECT reader, result FROM calls JOIN contents USING (id) \
               WHERE calls.id = ?1 AND reader IS NOT NULL AND result IS NOT NULL";
    let read = |row: &Row<'_>| {
        Ok(ReadableResult {
            reader: row.get(0)?,
            result: row.get(1)?,
        })
    };
    Ok(connection.query_row(sql, [id.0], read).optional()?)
}

pub(super) fn remove(transaction: &Transaction<'_>, ids: &[EntryId]) -> Result<u64, Stop> {
    let mut size = transaction.prepare("SELECT bytes FROM calls WHERE id = ?1")?;
    let mut call = transaction.prepare("DELETE FROM calls WHERE id = ?1")?;
    let mut content = transaction.prepare("DELETE FROM contents WHERE id = ?1")?;
    let mut words = transaction.prepare("DELETE FROM words WHERE rowid = ?1")?;
    let (mut removed, mut bytes) = (0, 0);
    for id in ids {
        let Some(of_call) = size
            .query_row([id.0], |row| row.get::<_, i64>(0))
            .optional()?
        else {
            continue;
        };
        call.execute([id.0])?;
        content.execute([id.0])?;
        words.execute([id.0])?;
        removed += 1;
        bytes += of_call;
    }
    transaction.execute(
        "UPDATE totals SET calls = calls - ?1, bytes = bytes - ?2",
        [removed, bytes],
    )?;
    Ok(u64::try_from(removed).unwrap_or_default())
}

/// Returns an ID higher than those of all current calls.
pub(super) fn next_id(connection: &Connection) -> Result<EntryId, Stop> {
    let sql = "SELECT coalesce(max(id), 0) + 1 FROM calls";
    Ok(connection.query_row(sql, [], |row| row.get(0).map(EntryId))?)
}

/// Returns the number of calls and their approximate size in bytes.
pub(super) fn totals(connection: &Connection) -> Result<(u64, u64), Stop> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    Ok(connection.query_row("SELECT calls, bytes FROM totals", [], read)?)
}

/// Returns the oldest calls that exceed the limits of count or size, at most as many as one short
/// transaction can remove.
pub(super) fn too_many(
    connection: &Connection,
    keep_calls: u64,
    keep_bytes: u64,
    (calls_max, bytes_max): (usize, u64),
) -> Result<Vec<EntryId>, Stop> {
    let (calls, bytes) = totals(connection)?;
    let (mut calls, mut bytes) = (
        calls.saturating_sub(keep_calls),
        bytes.saturating_sub(keep_bytes),
    );
    if calls == 0 && bytes == 0 {
        return Ok(vec![]);
    }
    let mut statement = connection.prepare("SELECT id, bytes FROM calls ORDER BY id LIMIT ?1")?;
    let mut rows = statement.query([calls_max])?;
    let (mut ids, mut taken) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        if (calls == 0 && bytes == 0) || taken >= bytes_max {
            break;
        }
        let size: u64 = row.get(1)?;
        ids.push(EntryId(row.get(0)?));
        taken += size;
        calls = calls.saturating_sub(1);
        bytes = bytes.saturating_sub(size);
    }
    Ok(ids)
}

fn entry(row: &Row<'_>) -> rusqlite::Result<HistoryEntry> {
    Ok(HistoryEntry {
        id: EntryId(row.get(0)?),
        call: word_in::<CallId>(row, 1)?,
        at_ms: row.get(2)?,
        caller: word_in::<Caller>(row, 3)?,
        member: word_in::<MemberName>(row, 4)?,
        tool: word_in::<ToolName>(row, 5)?,
        outcome: word_in::<OutcomeKind>(row, 6)?,
        // An error code that this version does not know is read as `None`.
        code: word_in::<Code>(row, 7).ok(),
        duration_ms: row.get(8)?,
        size: row.get(9)?,
        summary: row.get(10)?,
        client: row.get(11)?,
        trace_id: row.get(12)?,
        session: row.get(13)?,
    })
}

/// Reads an enum from the name of its variant in a column.
pub(super) fn word_in<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    let text = serde::de::value::StringDeserializer::<serde::de::value::Error>::new(text);
    T::deserialize(text).map_err(|error| malformed(at, error))
}

pub(super) fn json_in<T: DeserializeOwned>(row: &Row<'_>, name: &str) -> rusqlite::Result<T> {
    let text: String = row.get(name)?;
    let at = row.as_ref().column_index(name)?;
    serde_json::from_str(&text).map_err(|error| malformed(at, error))
}

fn malformed(at: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(at, Type::Text, Box::new(error))
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, Stop> {
    serde_json::to_string(value).map_err(|error| {
        let trouble = HistoryError::NotWritten(error.to_string());
        Report::from_error(Code::HistoryUnreadable, &trouble).into()
    })
}

/// Truncates a text to a number of bytes.
fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}
