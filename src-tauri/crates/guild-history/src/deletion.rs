//! Removes calls that match a filter, in short steps. Newly finished calls are written between the
//! steps.
//!
//! The data of removed calls is also removed from the file: their bytes are overwritten, merges
//! drop their words from the index, and `VACUUM` rewrites the file unless that would take too long.
//! The rewrite is not divided into steps. It begins only while no jobs wait, and is interrupted if
//! many jobs arrive or the program ends. Only its last part, which copies the new pages into the
//! file, can't be interrupted.
//!
//! The database records that it may contain remains of removed calls. If the program ends during
//! the removal, or the rewrite fails, the next program that writes to the database finishes the
//! removal.

use std::sync::Arc;

use guild_api::wire::{Cleared, EntryId, HistoryFilter};
use rusqlite::{Connection, ErrorCode};

use super::calls::{self, HistoryOrder, Selection};
use super::database::Stop;
use super::writer::{WriterQueueSize, empty_log, in_transaction};

/// Maximum size of the remaining calls for which the file is rewritten after a removal, in bytes.
/// Other writers wait for the rewrite.
const REWRITTEN_MAX: u64 = 128 << 20;
/// Number of calls that one step removes.
const CALLS: usize = 32;
/// Number of index pages that one step merges.
const PAGES: i64 = 500;
/// Number of full merges of the index. Two, because the first may merely complete an earlier
/// merge, whose segment still has words of removed calls.
const MERGES: u32 = 2;
/// Maximum number of attempts to rewrite the file. Each new wave of calls interrupts an attempt.
const REWRITES: u32 = 3;
/// Number of SQLite operations between two checks whether the rewrite should stop. The number is
/// low, because one operation may copy a large result.
const OPERATIONS: i32 = 100;

#[derive(Debug)]
pub(super) struct HistoryDeletion {
    filter: HistoryFilter,
    waiting: Arc<WriterQueueSize>,
    stage: DeletionStage,
    count: u64,
}

/// The first stage after all calls are removed.
const FIRST_MERGE: DeletionStage = DeletionStage::Index {
    merge: 1,
    begun: false,
};

#[derive(Debug, Clone, Copy)]
enum DeletionStage {
    /// Determine the range of calls.
    Begin,
    /// Remove calls with IDs lower than this ID.
    Calls(EntryId),
    /// Merge the index. `merge` is the number of the full merge, `begun` whether its first step
    /// ran.
    Index { merge: u32, begun: bool },
    /// Rewrite the file, with the number of the attempt.
    File(u32),
    /// Empty the write-ahead log. If `clean`, the removal is complete after this stage.
    Log { clean: bool },
}

/// The result of rewriting the file.
#[derive(Debug, Clone, Copy)]
enum Rewriting {
    /// The file was rewritten, or is not rewritten because the remaining history is too large.
    Over,
    /// Other work interrupted the rewriting.
    BrokenOff,
    /// The file can't be rewritten at the moment.
    Failed,
}

impl HistoryDeletion {
    /// Creates a removal of the calls that match a filter.
    pub(super) fn of(filter: HistoryFilter, waiting: Arc<WriterQueueSize>) -> Self {
        Self {
            filter,
            waiting,
            stage: DeletionStage::Begin,
            count: 0,
        }
    }

    /// Creates a removal that continues an earlier one, whose calls were already removed.
    pub(super) fn rest(waiting: Arc<WriterQueueSize>) -> Self {
        Self {
            stage: FIRST_MERGE,
            ..Self::of(HistoryFilter::default(), waiting)
        }
    }

    /// Returns whether the file may contain remains of removed calls.
    ///
    /// # Errors
    /// The errors of the database.
    pub(super) fn is_left(connection: &Connection) -> Result<bool, Stop> {
        let asked = "SELECT EXISTS (SELECT 1 FROM leavings)";
        Ok(connection.query_row(asked, [], |row| row.get(0))?)
    }

    /// Performs one step. Returns `None` if there are further steps, and the result after the last
    /// step. Long steps run only if the writing thread is `idle`.
    ///
    /// # Errors
    /// The errors of the database.
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
            DeletionStage::Begin => DeletionStage::Calls(calls::next_id(connection)?),
            DeletionStage::Calls(before) => self.remove(connection, before)?,
            DeletionStage::Index { merge, begun } => {
                let worked = merge_index(connection, begun)?;
                match merge {
                    _ if worked => DeletionStage::Index { merge, begun: true },
                    MERGES.. => DeletionStage::File(1),
                    _ => DeletionStage::Index {
                        merge: merge + 1,
                        begun: false,
                    },
                }
            }
            // The rewrite would be interrupted immediately, so the stage does not change.
            DeletionStage::File(time) if !idle || self.waiting.presses() => {
                DeletionStage::File(time)
            }
            DeletionStage::File(time) => match self.rewrite(connection)? {
                Rewriting::Over => DeletionStage::Log { clean: true },
                Rewriting::Failed => DeletionStage::Log { clean: false },
                Rewriting::BrokenOff if time < REWRITES => DeletionStage::File(time + 1),
                Rewriting::BrokenOff => {
                    tracing::warn!(
                        "the history was not rewritten after a removal: too many new entries"
                    );
                    DeletionStage::Log { clean: false }
                }
            },
            DeletionStage::Log { clean } => {
                if clean {
                    connection.execute("DELETE FROM leavings", [])?;
                }
                // The log still contains removed data. While other connections are reading, it
                // can't be emptied. A later checkpoint then empties it.
                empty_log(connection)?;
                return Ok(Some(Cleared { count: self.count }));
            }
        };
        Ok(None)
    }

    /// Removes some calls, beginning with the newest. Returns the next stage.
    fn remove(
        &mut self,
        connection: &mut Connection,
        before: EntryId,
    ) -> Result<DeletionStage, Stop> {
        let order = HistoryOrder::NewestFirst;
        let ids = Selection::of(connection, &self.filter)?
            .behind(before, order)
            .ids(connection, order, CALLS)?;
        let Some(last) = ids.last().copied() else {
            // Another program may have finished a removal in the meantime and recorded that no
            // remains exist. So the index is merged in any case if this removal has removed calls.
            return Ok(match self.count > 0 || Self::is_left(connection)? {
                true => FIRST_MERGE,
                false => DeletionStage::Log { clean: false },
            });
        };
        self.count += in_transaction(connection, |transaction| {
            transaction.execute("INSERT OR IGNORE INTO leavings VALUES (1)", [])?;
            calls::remove(transaction, &ids)
        })?;
        Ok(DeletionStage::Calls(last))
    }

    /// Rewrites the file, unless the remaining history is too large.
    fn rewrite(&self, connection: &mut Connection) -> Result<Rewriting, Stop> {
        let (_, left) = calls::totals(connection)?;
        if left > REWRITTEN_MAX {
            return Ok(Rewriting::Over);
        }
        // The bytes of removed data are overwritten, except for copies that SQLite made when it
        // moved data between pages. Only a rewrite removes these copies.
        let waiting = Arc::clone(&self.waiting);
        connection.progress_handler(OPERATIONS, Some(move || waiting.presses()))?;
        let written = connection.execute_batch("VACUUM");
        connection.progress_handler(0, None::<fn() -> bool>)?;
        Ok(match written {
            Ok(()) => Rewriting::Over,
            Err(error) if is_broken_off(&error) => Rewriting::BrokenOff,
            Err(error) => {
                tracing::warn!(%error, "the history could not be rewritten after a removal");
                Rewriting::Failed
            }
        })
    }
}

/// Merges some pages of the index, because only a merge drops the words of removed calls. Returns
/// true if further pages may have to be merged.
fn merge_index(connection: &Connection, begun: bool) -> Result<bool, Stop> {
    // A negative number starts a merge of all segments, as `optimize` does. Positive numbers
    // continue it.
    let pages = if begun { PAGES } else { -PAGES };
    let before = connection.total_changes();
    connection.execute(
        "INSERT INTO words (words, rank) VALUES ('merge', ?1)",
        [pages],
    )?;
    // The statement itself counts as one change, so a merge that had work to do counts at least
    // two.
    Ok(connection.total_changes().saturating_sub(before) >= 2)
}

fn is_broken_off(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}
