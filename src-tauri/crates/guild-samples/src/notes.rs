//! `notes`: lists, reads, writes and searches the Markdown files in one folder.
//!
//! The name of a note has no `.md`. The server rejects names that could lead out of the folder.
//! Links and other entries that are not regular files are not notes.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use jiff::Timestamp;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::JsonSchema;
use rmcp::{Json, ServerHandler, schemars, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use tokio::fs;

use super::as_text;

/// Maximum number of notes that are listed and searched.
const NOTES_MAX: usize = 1_000;
/// Maximum number of lines that a search returns.
const MATCHES_MAX: usize = 200;
/// Maximum length of a line that a search returns, in characters.
const LINE_MAX: usize = 500;
/// Maximum size of a note that is read or written, in bytes.
const NOTE_BYTES_MAX: u64 = 1 << 20;
/// Maximum length of a note's name, in bytes.
const NAME_BYTES_MAX: usize = 100;

#[derive(Clone)]
pub(super) struct Notes {
    folder: PathBuf,
}

#[derive(Serialize, JsonSchema)]
struct NoteList {
    /// The notes, by name
    notes: Vec<NoteSummary>,
    /// Whether there are more notes
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct NoteSummary {
    name: String,
    bytes: u64,
    /// When the note was last changed
    #[schemars(extend("format" = "date-time"))]
    modified: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"name": "welcome"}]))]
struct ReadNote {
    /// Name of the note
    #[schemars(length(min = 1, max = 100))]
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [
    {"name": "meeting", "text": "# Meeting\n\n- [ ] Agenda\n- [ ] Room\n"},
    {"name": "meeting", "text": "# Meeting\n\nCancelled.\n", "overwrite": true},
]))]
struct WriteNote {
    /// Name of the note: letters, digits, spaces, dots, hyphens and underscores
    #[schemars(length(min = 1, max = 100))]
    name: String,
    /// The whole text of the note, in Markdown
    #[schemars(length(max = 1_000_000))]
    text: String,
    /// Replace a note that has this name
    #[serde(default)]
    overwrite: bool,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"text": "guild"}]))]
struct SearchNotes {
    /// The text to find within a line
    #[schemars(length(min = 1, max = 200))]
    text: String,
    /// Distinguish uppercase and lowercase letters
    #[serde(default)]
    match_case: bool,
    /// Maximum number of lines to return
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
}

fn default_limit() -> usize {
    20
}

#[derive(Serialize, JsonSchema)]
struct Matches {
    matches: Vec<Match>,
    /// Whether there are more matches than the limit, or more notes than are searched
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Match {
    note: String,
    line: usize,
    /// The line, or its first 500 characters
    text: String,
}

#[tool_router]
impl Notes {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    #[tool(
        title = "List notes",
        description = "Lists all notes with their sizes and the times of their last changes.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn list_notes(&self) -> Result<Json<NoteList>, String> {
        let (names, truncated) = self.names().await.map_err(as_text)?;
        let mut notes = Vec::new();
        for name in names {
            // A note may be removed at any time.
            let Ok(metadata) = fs::symlink_metadata(self.path(&name)?).await else {
                continue;
            };
            let modified = metadata.modified().map_err(as_text)?;
            notes.push(NoteSummary {
                name,
                bytes: metadata.len(),
                modified: Timestamp::try_from(modified).map_err(as_text)?.to_string(),
            });
        }
        Ok(Json(NoteList { notes, truncated }))
    }

    #[tool(
        title = "Read a note",
        description = "Returns the text of a note, in Markdown.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn read_note(
        &self,
        Parameters(ReadNote { name }): Parameters<ReadNote>,
    ) -> Result<String, String> {
        self.read(&name).await
    }

    #[tool(
        title = "Write a note",
        description = "Creates a note, or replaces the whole text of a note if overwrite is true.",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn write_note(&self, Parameters(note): Parameters<WriteNote>) -> Result<String, String> {
        let path = self.path(&note.name)?;
        let bytes = note.text.len();
        if bytes as u64 > NOTE_BYTES_MAX {
            return Err(format!("The text is too large: {bytes} bytes."));
        }
        let folder = self.folder.clone();
        let writing = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(&folder)?;
            let mut file = NamedTempFile::new_in(&folder)?;
            file.write_all(note.text.as_bytes())?;
            let exists = path.symlink_metadata().is_ok();
            match note.overwrite {
                true => file.persist(&path)?,
                false => file.persist_noclobber(&path)?,
            };
            io::Result::Ok(exists)
        });
        let name = &note.name;
        match writing.await.map_err(as_text)? {
            Ok(exists) => {
                let verb = if exists { "Replaced" } else { "Created" };
                Ok(format!("{verb} {name} ({bytes} bytes)."))
            }
            // The text explains to the caller, which may be a model, how to avoid the error.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(format!(
                "A note named \"{name}\" exists. Set overwrite to true to replace it."
            )),
            Err(error) => Err(as_text(error)),
        }
    }

    #[tool(
        title = "Search notes",
        description = "Finds the lines of all notes that contain a text.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn search_notes(
        &self,
        Parameters(search): Parameters<SearchNotes>,
    ) -> Result<Json<Matches>, String> {
        let fold = |text: &str| match search.match_case {
            true => text.to_owned(),
            false => text.to_lowercase(),
        };
        let wanted = fold(&search.text);
        let (names, truncated) = self.names().await.map_err(as_text)?;
        let mut matches = Vec::new();
        for name in names {
            // A file that is not valid UTF-8 has no lines to find.
            let Ok(text) = self.read(&name).await else {
                continue;
            };
            for (index, line) in text.lines().enumerate() {
                if !fold(line).contains(&wanted) {
                    continue;
                }
                if matches.len() >= search.limit.min(MATCHES_MAX) {
                    let truncated = true;
                    return Ok(Json(Matches { matches, truncated }));
                }
                matches.push(Match {
                    note: name.clone(),
                    line: index + 1,
                    text: line.chars().take(LINE_MAX).collect(),
                });
            }
        }
        Ok(Json(Matches { matches, truncated }))
    }

    /// Returns the names of the first notes in alphabetical order, and whether there are more. An
    /// empty list if the folder is missing.
    async fn names(&self) -> io::Result<(BTreeSet<String>, bool)> {
        let mut names = BTreeSet::new();
        let mut truncated = false;
        let mut entries = match fs::read_dir(&self.folder).await {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((names, truncated)),
            entries => entries?,
        };
        while let Some(entry) = entries.next_entry().await? {
            let file = entry.file_name();
            let name = file.to_str().and_then(|file| file.strip_suffix(".md"));
            let Some(name) = name.filter(|name| is_name(name)) else {
                continue;
            };
            if entry.file_type().await.is_ok_and(|kind| kind.is_file()) {
                names.insert(name.to_owned());
            }
            if names.len() > NOTES_MAX {
                names.pop_last();
                truncated = true;
            }
        }
        Ok((names, truncated))
    }

    async fn read(&self, name: &str) -> Result<String, String> {
        let path = self.path(name)?;
        let missing = |_| format!("No note named \"{name}\".");
        let metadata = fs::symlink_metadata(&path).await.map_err(missing)?;
        if !metadata.is_file() {
            return Err(format!("\"{name}\" is not a regular file."));
        }
        let bytes = metadata.len();
        if bytes > NOTE_BYTES_MAX {
            return Err(format!("\"{name}\" is too large: {bytes} bytes."));
        }
        fs::read_to_string(&path).await.map_err(as_text)
    }

    fn path(&self, name: &str) -> Result<PathBuf, String> {
        match is_name(name) {
            true => Ok(self.folder.join(format!("{name}.md"))),
            false => Err(format!("\"{name}\" is not a valid name for a note.")),
        }
    }
}

/// Whether a name is valid, so that its file is directly in the folder.
fn is_name(name: &str) -> bool {
    !name.starts_with('.')
        && (1..=NAME_BYTES_MAX).contains(&name.len())
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || " ._-".contains(character))
}

#[tool_handler(
    name = "notes",
    instructions = "Markdown notes in one folder. Search before you write a new note."
)]
impl ServerHandler for Notes {}
