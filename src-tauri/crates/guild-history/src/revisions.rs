//! Stores the changes of members' tool lists, with the previous and the new version of each tool.

use std::collections::HashMap;

use guild_api::wire::{
    MARKED_MAX, REVISIONS_MAX, RevisionId, RevisionRef, RevisionView, Revisions, RevisionsOf,
};
use guild_model::diff::ToolListDiff;
use guild_model::tool::{ToolDigest, ToolSpec};
use guild_model::{MemberName, Report, ToolName};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::calls::{json_in, to_json};
use super::database::Stop;
use super::writer::in_transaction;
use super::{History, READ_LIMIT, WRITE_LIMIT, gone, with_trouble};
use guild_secrets::mask::SecretMatcher;

/// Maximum number of stored revisions of one member.
const KEPT_MAX: usize = 100;
/// Maximum total size of one member's revisions, in bytes.
const KEPT_BYTES_MAX: u64 = 16 << 20;
/// Maximum total size of all members' revisions, in bytes.
const ALL_BYTES_MAX: u64 = 256 << 20;
/// Maximum size of the tools in one revision, in bytes. Of a larger revision, only the names are
/// stored.
const ONE_BYTES_MAX: usize = 4 << 20;

/// A change of a tool list.
#[derive(Debug)]
pub struct NewRevision {
    /// The member that has the list.
    pub member: MemberName,
    /// Time of the new list, in milliseconds since 1970.
    pub at_ms: u64,
    /// The added, removed and changed tools by name.
    pub diff: ToolListDiff,
    /// The full list before the change.
    pub before: Vec<ToolSpec>,
    /// The full list after the change.
    pub after: Vec<ToolSpec>,
}

/// A tool's name, its previous version and its new version. The previous version is `None` for an
/// added tool, and the new version is `None` for a removed tool.
pub type ToolRevision = (ToolName, Option<ToolSpec>, Option<ToolSpec>);

#[derive(Serialize)]
struct RevisionJson<'a> {
    old: Option<&'a serde_json::Map<String, serde_json::Value>>,
    new: Option<&'a serde_json::Map<String, serde_json::Value>>,
}

#[derive(Deserialize)]
struct RawRevision<'a> {
    #[serde(borrow)]
    old: Option<&'a RawValue>,
    #[serde(borrow)]
    new: Option<&'a RawValue>,
}

impl NewRevision {
    /// Returns a digest of the new list.
    fn list(&self) -> String {
        let mut digests: Vec<ToolDigest> = self.after.iter().map(ToolSpec::digest).collect();
        digests.sort_unstable();
        ToolDigest::of_list(digests)
    }

    /// Returns the changed tools as JSON, without secrets. `None` if they are too large.
    fn tools(&self, secrets: &SecretMatcher) -> Option<String> {
        let named = |tools: &'_ [ToolSpec]| -> HashMap<ToolName, ToolSpec> {
            let named = |tool: &ToolSpec| (tool.name().clone(), tool.clone());
            tools.iter().map(named).collect()
        };
        let (before, after) = (named(&self.before), named(&self.after));
        let changed = self.diff.changed.iter().map(|change| &change.name);
        let names = self
            .diff
            .added
            .iter()
            .chain(changed)
            .chain(&self.diff.removed);
        let mut text = String::from("[");
        for name in names {
            let written = serde_json::to_string(&RevisionJson {
                old: before.get(name).map(ToolSpec::raw),
                new: after.get(name).map(ToolSpec::raw),
            });
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&written.ok()?);
            if text.len() > ONE_BYTES_MAX {
                return None;
            }
        }
        text.push(']');
        let hidden = secrets.hide(&text).into_owned();
        // Masking the digits of a number may have made the JSON invalid.
        serde_json::from_str::<Vec<RawRevision<'_>>>(&hidden).ok()?;
        Some(hidden)
    }
}

impl History {
    /// Records a change of a member's tool list.
    ///
    /// # Errors
    /// The errors of the database.
    pub async fn record_revision(&self, revision: NewRevision) -> Result<(), Report> {
        let values = self.inner.values.clone();
        self.write(WRITE_LIMIT, move |connection| {
            let secrets = SecretMatcher::new(values.known());
            in_transaction(connection, |transaction| {
                record(transaction, &revision, &secrets)
            })
        })
        .await
    }

    /// Returns the changes of a member's tool list, newest first. If they can't be read, the result
    /// has the error and no changes.
    pub async fn revisions(&self, of: RevisionsOf) -> Revisions {
        let member = of.member.clone();
        let listed = self.read(READ_LIMIT, move |connection| list(connection, &of));
        let ((revisions, more), trouble) = with_trouble(listed.await);
        Revisions {
            member,
            revisions,
            more,
            trouble,
        }
    }

    /// Returns one change of a member's tool list.
    ///
    /// # Errors
    /// `history-entry-unknown`, and the errors of the database.
    pub async fn revision(
        &self,
        of: RevisionRef,
    ) -> Result<(RevisionView, Vec<ToolRevision>), Report> {
        self.read(READ_LIMIT, move |connection| {
            read(connection, &of)?.ok_or_else(|| gone().into())
        })
        .await
    }
}

/// Stores a revision, unless its new list equals that of the last stored revision. If there are too
/// many revisions, the oldest are removed.
pub(super) fn record(
    connection: &Connection,
    revision: &NewRevision,
    secrets: &SecretMatcher,
) -> Result<(), Stop> {
    let member = revision.member.as_str();
    let list = revision.list();
    let last: Option<String> = connection
        .query_row(
            "SELECT list FROM revisions WHERE member = ?1 ORDER BY id DESC LIMIT 1",
            [member],
            |row| row.get(0),
        )
        .optional()?;
    if last.as_ref() == Some(&list) {
        return Ok(());
    }
    let tools = revision.tools(secrets);
    let diff = secrets.hide(&to_json(&revision.diff)?).into_owned();
    let bytes = 256 + diff.len() + tools.as_ref().map_or(0, String::len);
    connection.execute(
        "INSERT INTO revisions (member, at_ms, list, count, bytes, diff, tools) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            member,
            revision.at_ms,
            list,
            revision.after.len(),
            bytes,
            diff,
            tools
        ],
    )?;
    connection.execute(
        "DELETE FROM revisions WHERE member = ?1 AND id NOT IN \
         (SELECT id FROM revisions WHERE member = ?1 ORDER BY id DESC LIMIT ?2)",
        params![member, KEPT_MAX],
    )?;
    let newest = connection.last_insert_rowid();
    trim(connection, Some(member), KEPT_BYTES_MAX, newest)?;
    trim(connection, None, ALL_BYTES_MAX, newest)
}

/// Removes the oldest revisions of `member`, or of all members, until the size limit is met. The
/// revision `newest` always stays.
fn trim(connection: &Connection, member: Option<&str>, max: u64, newest: i64) -> Result<(), Stop> {
    connection.execute(
        "DELETE FROM revisions WHERE id IN (SELECT id FROM \
         (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS behind FROM revisions \
          WHERE member = ifnull(?1, member)) WHERE behind > ?2 AND id <> ?3)",
        params![member, max, newest],
    )?;
    Ok(())
}

/// Returns a member's revisions, newest first, and whether there are more.
pub(super) fn list(
    connection: &Connection,
    of: &RevisionsOf,
) -> Result<(Vec<RevisionView>, bool), Stop> {
    let limit = of.limit.clamp(1, REVISIONS_MAX);
    let mut statement = connection.prepare(
        "SELECT id, at_ms, count, diff, tools IS NULL AS names_only FROM revisions \
         WHERE member = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
    )?;
    let before = of.before.map_or(i64::MAX, |before| before.0);
    let rows = statement.query_map(params![of.member.as_str(), before, limit + 1], view)?;
    let mut views = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let more = views.len() > limit;
    views.truncate(limit);
    Ok((views, more))
}

/// Returns one revision, with the previous and the new versions of its tools.
pub(super) fn read(
    connection: &Connection,
    of: &RevisionRef,
) -> Result<Option<(RevisionView, Vec<ToolRevision>)>, Stop> {
    let found = connection
        .query_row(
            "SELECT id, at_ms, count, diff, tools IS NULL AS names_only, tools FROM revisions \
             WHERE member = ?1 AND id = ?2",
            params![of.member.as_str(), of.id.0],
            |row| Ok((view(row)?, row.get::<_, Option<String>>("tools")?)),
        )
        .optional()?;
    Ok(found.map(|(view, tools)| {
        let tools = tools.as_deref().unwrap_or("[]");
        let kept: Vec<RawRevision<'_>> = serde_json::from_str(tools).unwrap_or_default();
        (
            view,
            kept.iter().filter_map(step).take(MARKED_MAX).collect(),
        )
    }))
}

fn step(kept: &RawRevision<'_>) -> Option<ToolRevision> {
    let tool = |text: Option<&RawValue>| text.and_then(|text| ToolSpec::from_text(text).ok());
    let (old, new) = (tool(kept.old), tool(kept.new));
    let name = new.as_ref().or(old.as_ref())?.name().clone();
    Some((name, old, new))
}

fn view(row: &Row<'_>) -> rusqlite::Result<RevisionView> {
    let ToolListDiff {
        mut added,
        mut removed,
        mut changed,
    } = json_in(row, "diff")?;
    let all = added.len() + removed.len() + changed.len();
    added.truncate(MARKED_MAX);
    removed.truncate(MARKED_MAX);
    changed.truncate(MARKED_MAX);
    Ok(RevisionView {
        id: RevisionId(row.get("id")?),
        at_ms: row.get("at_ms")?,
        count: row.get("count")?,
        more: all - added.len() - removed.len() - changed.len(),
        added,
        removed,
        changed,
        names_only: row.get("names_only")?,
    })
}
