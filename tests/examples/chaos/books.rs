//! Checks the files after the run: the rows of the history, and whether every file is complete.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::Outcome;
use crate::world::{Call, End, Way, World};

/// A call is in the history at most this long after its answer.
pub(crate) const BOUND: Duration = Duration::from_secs(2);

/// Missing and repeated rows of the history.
pub(crate) struct History {
    /// The number of calls that must be in the history.
    pub(crate) owed: usize,
    pub(crate) lost: Vec<String>,
    pub(crate) twice: Vec<String>,
}

/// Compares the history with the calls.
pub(crate) fn history(world: &World) -> Outcome<History> {
    let file = world.stage.data.join("history.db");
    let connection = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut by_id: HashMap<String, usize> = HashMap::new();
    let mut by_text: HashMap<String, usize> = HashMap::new();
    let rows = "SELECT calls.call, contents.arguments FROM calls JOIN contents USING (id)";
    let mut statement = connection.prepare(rows)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        *by_id.entry(row.get(0)?).or_default() += 1;
        let arguments: String = row.get(1)?;
        let arguments: Value = serde_json::from_str(&arguments)?;
        if let Some(text) = arguments["text"].as_str() {
            *by_text.entry(text.to_owned()).or_default() += 1;
        }
    }
    let mut found = History {
        owed: 0,
        lost: vec![],
        twice: vec![],
    };
    for call in world.calls() {
        let written = match call.way {
            Way::Control => by_id.get(&call.nonce),
            Way::Gateway | Way::Command => by_text.get(&call.nonce),
        };
        if written.is_some_and(|rows| *rows > 1) {
            found.twice.push(format!("{call:?}"));
        }
        if is_owed(world, &call) {
            found.owed += 1;
            if written.is_none() {
                found.lost.push(format!("{call:?}"));
            }
        }
    }
    Ok(found)
}

/// Whether a call must be in the history. A call that was answered less than [`BOUND`] before a
/// kill may be missing. If the program ends on request, it writes all calls.
fn is_owed(world: &World, call: &Call) -> bool {
    let is_recorded = match call.way {
        // All finished calls are recorded, except calls that were refused because the program was
        // ending.
        Way::Control => match &call.why {
            None => call.end == End::Right,
            Some(why) => !why.starts_with("shutting-down"),
        },
        // The rows of these calls are found by the call's unique text, which only `echo` contains.
        Way::Gateway | Way::Command => call.end == End::Right && call.is_echo,
    };
    let in_time = world
        .closing(call.generation)
        .is_none_or(|closed| call.ended + BOUND <= closed);
    is_recorded && in_time
}

/// Returns every damaged or partial file of these folders.
pub(crate) fn damaged(folders: &[&Path]) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    let mut open: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if let Some(fault) = fault(&path)? {
                found.push(format!("{}: {fault}", path.display()));
            }
        }
    }
    Ok(found)
}

fn fault(path: &Path) -> Outcome<Option<String>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with(".guild-hall-") || name.starts_with(".tmp") || name.ends_with(".tmp") {
        return Ok(Some("begun, and left".to_owned()));
    }
    if name.contains("damaged") || name.contains("corrupt") {
        return Ok(Some("moved aside".to_owned()));
    }
    if name.ends_with(".sock") || name == "hall.json" {
        return Ok(Some("stays, though nobody runs".to_owned()));
    }
    if name.ends_with(".json") {
        let read = serde_json::from_slice::<Value>(&fs::read(path)?);
        return Ok(read.err().map(|error| error.to_string()));
    }
    if name.ends_with(".db") {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(path, flags)?;
        let check = "PRAGMA integrity_check";
        let said: String = connection.query_row(check, [], |row| row.get(0))?;
        return Ok((said != "ok").then_some(said));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use guild_tests::fixture_bin;

    use super::*;
    use crate::cast::Stage;

    #[test]
    fn call_without_a_row_is_lost_two_rows_reported() -> Outcome<()> {
        let folder = tempfile::tempdir()?;
        let stage = Stage::set(folder.path(), &std::env::current_exe()?, &fixture_bin())?;
        let world = World::new(stage, "a mark".to_owned());
        fs::create_dir_all(&world.stage.data)?;
        let database = Connection::open(world.stage.data.join("history.db"))?;
        database.execute_batch(
            r#"CREATE TABLE calls (id INTEGER PRIMARY KEY, call TEXT);
               CREATE TABLE contents (id INTEGER PRIMARY KEY, arguments TEXT);
               INSERT INTO calls VALUES (1, 'one'), (2, 'two'), (3, 'two'), (4, 'four');
               INSERT INTO contents VALUES
                   (1, '{}'), (2, '{}'), (3, '{}'), (4, '{"text": "three"}');"#,
        )?;
        let answered = Instant::now();
        let call = |nonce: &str, way, end| Call {
            nonce: nonce.to_owned(),
            way,
            generation: 1,
            is_echo: true,
            ended: answered,
            end,
            why: None,
        };
        world.ended(call("one", Way::Control, End::Right));
        world.ended(call("two", Way::Control, End::Right));
        world.ended(call("three", Way::Gateway, End::Right));
        world.ended(call("nowhere", Way::Gateway, End::Right));
        world.ended(call("cut off", Way::Control, End::Broken));
        world.closed(1, answered + BOUND);
        let found = history(&world)?;
        assert_eq!(found.owed, 4);
        assert_eq!(found.lost.len(), 1, "{:?}", found.lost);
        assert!(found.lost[0].contains("nowhere"));
        assert_eq!(found.twice.len(), 1, "{:?}", found.twice);
        // A call that was answered less than `BOUND` before the end may be missing.
        world.closed(1, answered + BOUND / 2);
        assert_eq!(history(&world)?.owed, 0);
        Ok(())
    }

    #[test]
    fn a_damaged_file_and_one_that_was_only_begun_are_found() -> Outcome<()> {
        let folder = tempfile::tempdir()?;
        let inner = folder.path().join("member");
        fs::create_dir(&inner)?;
        fs::write(inner.join("plugin.json"), "{}")?;
        let database = Connection::open(folder.path().join("history.db"))?;
        database.execute_batch("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('x');")?;
        drop(database);
        assert_eq!(damaged(&[folder.path()])?, [""; 0]);

        fs::write(inner.join("tools-cache.json"), "{\"tools\": [")?;
        fs::write(inner.join(".guild-hall-a1b2"), "")?;
        let found = damaged(&[folder.path()])?;
        assert_eq!(found.len(), 2, "{found:?}");
        Ok(())
    }
}
