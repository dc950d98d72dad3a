//! Removing calls by a filter, in steps: each is short, and the calls that end meanwhile are written
//! between them.
//!
//! What is removed is gone from the file too: its bytes are overwritten, its words are merged out of
//! the index, and the file is written anew where that does not take too long. That last step is none
//! of several: it is begun only while nothing waits, and it is broken off where too much comes, or
//! the program ends. Only its end, when the new pages are put into the file, can't be broken off.
//!
//! The file says itself that something of removed calls may be left in it, from the first of them until
//! there is nothing left. Where the program ends before that, or the file can't be written anew now, that is
//! done once the next program writes to it.

use std::sync::Arc;

use guild_core::wire::{Cleared, EntryId, HistoryFilter};
use rusqlite::{Connection, ErrorCode};

use super::calls::{self, Order, Selection};
use super::database::Stop;
use super::writer::{Waiting, empty_log, in_transaction};

/// How large the rest of the history may be for its file to be written anew after a removal, in
/// bytes: others who write wait for it.
const REWRITTEN_MAX: u64 = 128 << 20;
/// How many calls are removed in one step.
const CALLS: usize = 32;
/// How many pages of the index are merged in one step.
const PAGES: i64 = 500;
/// How often the index is merged into one part. The first time may only end a merge that had begun
/// before, whose part has words of calls that were removed since.
const MERGES: u32 = 2;
/// How often the file's rewriting is begun; it is broken off where calls come faster than it gets on.
const REWRITES: u32 = 3;
/// How often it is looked whether the file's rewriting is to be broken off, in operations of SQLite;
/// one may copy a large result.
const OPERATIONS: i32 = 100;

/// A removal of calls, as far as it has come.
#[derive(Debug)]
pub(super) struct Removal {
    filter: HistoryFilter,
    waiting: Arc<Waiting>,
    stage: Stage,
    count: u64,
}

/// What is done first once the calls are removed.
const FIRST_MERGE: Stage = Stage::Index {
    merge: 1,
    begun: false,
};

/// What is done next.
#[derive(Debug, Clone, Copy)]
enum Stage {
    /// To see which calls there are.
    Begin,
    /// To remove calls before this one.
    Calls(EntryId),
    /// To merge the index, for the time that is given.
    Index { merge: u32, begun: bool },
    /// To write the file anew, for the time that is given.
    File(u32),
    /// To empty the log; whether nothing is left but what it has.
    Log { clean: bool },
}

/// How it went to write the file anew.
#[derive(Debug, Clone, Copy)]
enum Rewriting {
    /// It is done, or what is left is too large for it.
    Over,
    /// Something else had to be done first.
    BrokenOff,
    /// It can't be done now.
    Failed,
}

impl Removal {
    /// A removal of the calls that fit a filter; nothing is done yet.
    pub(super) fn of(filter: HistoryFilter, waiting: Arc<Waiting>) -> Self {
        Self {
            filter,
            waiting,
            stage: Stage::Begin,
            count: 0,
        }
    }

    /// What an earlier removal left to do, whose calls are removed already.
    pub(super) fn rest(waiting: Arc<Waiting>) -> Self {
        Self {
            stage: FIRST_MERGE,
            ..Self::of(HistoryFilter::default(), waiting)
        }
    }

    /// Whether the file may have something of calls that were removed.
    ///
    /// # Errors
    /// Those of the database.
    pub(super) fn is_left(connection: &Connection) -> Result<bool, Stop> {
        let asked = "SELECT EXISTS (SELECT 1 FROM leavings)";
        Ok(connection.query_row(asked, [], |row| row.get(0))?)
    }

    /// Does one step; what was removed, once there is none left to do. What is not short is done only
    /// where the thread is `idle`.
    ///
    /// # Errors
    /// Those of the database.
    pub(super) fn step(
        &mut self,
        connection: &mut Connection,
        idle: bool,
    ) -> Result<Option<Cleared>, Stop> {
        connection.pragma_update(None, "secure_delete", "ON")?;
        let done = self.advance(connection, idle);
        connection.pragma_update(None, "secure_delete", "FAST")?;
        done
    }

    fn advance(
        &mut self,
        connection: &mut Connection,
        idle: bool,
    ) -> Result<Option<Cleared>, Stop> {
        self.stage = match self.stage {
            Stage::Begin => Stage::Calls(calls::next_id(connection)?),
            Stage::Calls(before) => self.remove(connection, before)?,
            Stage::Index { merge, begun } => {
                let worked = merge_index(connection, begun)?;
                match merge {
                    _ if worked => Stage::Index { merge, begun: true },
                    MERGES.. => Stage::File(1),
                    _ => Stage::Index {
                        merge: merge + 1,
                        begun: false,
                    },
                }
            }
            // It would be broken off at once.
            Stage::File(time) if !idle || self.waiting.presses() => Stage::File(time),
            Stage::File(time) => match self.rewrite(connection)? {
                Rewriting::Over => Stage::Log { clean: true },
                Rewriting::Failed => Stage::Log { clean: false },
                Rewriting::BrokenOff if time < REWRITES => Stage::File(time + 1),
                Rewriting::BrokenOff => {
                    tracing::warn!(
                        "the history was not written anew after a removal: too much came"
                    );
                    Stage::Log { clean: false }
                }
            },
            Stage::Log { clean } => {
                if clean {
                    connection.execute("DELETE FROM leavings", [])?;
                }
                // It still has what was removed. Where others read, it is emptied by a later
                // checkpoint.
                empty_log(connection)?;
                return Ok(Some(Cleared { count: self.count }));
            }
        };
        Ok(None)
    }

    /// Removes the newest of the calls that are left; what is done next.
    fn remove(&mut self, connection: &mut Connection, before: EntryId) -> Result<Stage, Stop> {
        let order = Order::NewestFirst;
        let ids = Selection::of(connection, &self.filter)?
            .behind(before, order)
            .ids(connection, order, CALLS)?;
        let Some(last) = ids.last().copied() else {
            // Another program's hall may have merged what was there before the last of these were removed,
            // and says that nothing is left.
            return Ok(match self.count > 0 || Self::is_left(connection)? {
                true => FIRST_MERGE,
                false => Stage::Log { clean: false },
            });
        };
        self.count += in_transaction(connection, |transaction| {
            transaction.execute("INSERT OR IGNORE INTO leavings VALUES (1)", [])?;
            calls::remove(transaction, &ids)
        })?;
        Ok(Stage::Calls(last))
    }

    /// Writes the file anew, if what is left is not too large.
    fn rewrite(&self, connection: &mut Connection) -> Result<Rewriting, Stop> {
        let (_, left) = calls::totals(connection)?;
        if left > REWRITTEN_MAX {
            return Ok(Rewriting::Over);
        }
        // What was removed is overwritten, but for copies that the database made of it while it
        // moved things about in its pages. Only a file that is written anew has none of those.
        let waiting = Arc::clone(&self.waiting);
        connection.progress_handler(OPERATIONS, Some(move || waiting.presses()))?;
        let written = connection.execute_batch("VACUUM");
        connection.progress_handler(0, None::<fn() -> bool>)?;
        Ok(match written {
            Ok(()) => Rewriting::Over,
            Err(error) if is_broken_off(&error) => Rewriting::BrokenOff,
            Err(error) => {
                tracing::warn!(%error, "the history could not be written anew after a removal");
                Rewriting::Failed
            }
        })
    }
}

/// Merges some of the index: it forgets words of removed calls only when it is written anew. Says
/// whether there may be more to merge.
fn merge_index(connection: &Connection, begun: bool) -> Result<bool, Stop> {
    // A negative number begins with all parts of it, as `optimize` does; others go on with that.
    let pages = if begun { PAGES } else { -PAGES };
    let before = connection.total_changes();
    connection.execute(
        "INSERT INTO words (words, rank) VALUES ('merge', ?1)",
        [pages],
    )?;
    // The command itself counts as one.
    Ok(connection.total_changes().saturating_sub(before) >= 2)
}

fn is_broken_off(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}
