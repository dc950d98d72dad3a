//! Saves files that the user requested.

use std::path::PathBuf;

use guild_history::messages::HistoryError;
use guild_model::messages::io_message;
use guild_model::{Code, Report};

use super::GuildHall;
use guild_files::files::save;

impl GuildHall {
    /// Writes a file completely or not at all.
    ///
    /// # Errors
    /// `file-unwritable`. An existing file is then unchanged.
    pub async fn save_file(&self, path: PathBuf, bytes: Vec<u8>) -> Result<(), Report> {
        let shown = path.display().to_string();
        let written = tokio::task::spawn_blocking(move || save(&path, &bytes)).await;
        written
            .unwrap_or_else(|error| Err(std::io::Error::other(error)))
            .map_err(|error| {
                let trouble = HistoryError::Unsaved(shown, io_message(&error));
                Report::from_error(Code::FileUnwritable, &trouble)
            })
    }
}
