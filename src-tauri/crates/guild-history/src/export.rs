//! Exports the history as JSON Lines.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::messages::HistoryError;
use guild_api::wire::{EntryId, Exported, RecordedCall};
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use rusqlite::Connection;

use super::calls::{self, HistoryOrder, Selection, StoredCall, to_json};
use super::database::Stop;
use guild_files::files::{aside, put_in_place};

/// Number of calls that one step looks up. Each call is read and written separately.
const STEP: usize = 256;

/// Writes calls to a file, oldest first. The file is written under a temporary name, synced and
/// renamed.
///
/// # Errors
/// `file-unwritable`, the errors of the database, and `history-busy` after the deadline.
pub(super) fn export(
    connection: &Connection,
    selection: impl Fn(&Connection) -> Result<Selection, Stop>,
    path: &Path,
    mut recorded: impl FnMut(StoredCall) -> RecordedCall,
    go_on: impl Fn() -> Result<(), Report>,
) -> Result<Exported, Stop> {
    let unwritable = |error: &io::Error| {
        let trouble = HistoryError::NotExported(path.to_owned(), io_message(error));
        Report::from_error(Code::FileUnwritable, &trouble)
    };
    let folder = path
        .parent()
        .filter(|_| path.file_name().is_some())
        .ok_or_else(|| unwritable(&io::ErrorKind::InvalidFilename.into()))?;
    let mut file = BufWriter::new(aside(folder).map_err(|error| unwritable(&error))?);
    let (mut count, mut last) = (0, EntryId(0));
    loop {
        // Each step is a separate read transaction, because a long one would prevent checkpoints of
        // the write-ahead log.
        let ids = selection(connection)?
            .behind(last, HistoryOrder::OldestFirst)
            .ids(connection, HistoryOrder::OldestFirst, STEP)?;
        for &id in &ids {
            go_on()?;
            last = id;
            // The call has been removed since the step looked up its ID.
            let Some(call) = calls::read(connection, id)? else {
                continue;
            };
            let line = to_json(&recorded(call))?;
            writeln!(file, "{line}").map_err(|error| unwritable(&error))?;
            count += 1;
        }
        if ids.len() < STEP {
            break;
        }
    }
    let written = file
        .into_inner()
        .map_err(io::IntoInnerError::into_error)
        .and_then(|file| put_in_place(file, path));
    written.map_err(|error| unwritable(&error))?;
    Ok(Exported {
        path: path.display().to_string(),
        count,
    })
}
