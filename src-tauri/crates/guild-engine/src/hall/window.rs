//! Stores the position of the window.

use guild_api::desktop::window_geometry::WindowGeometryHistory;
use guild_api::event::HallEvent;

use super::GuildHall;
use guild_files::files::{read_bounded, write_atomically};

/// The file's name in the data folder.
const FILE: &str = "window.json";
/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 64 * 1024;

impl GuildHall {
    /// Returns the saved positions of the window. Empty if the file is missing or broken. Blocking.
    pub fn window_frames(&self) -> WindowGeometryHistory {
        let file = self.paths().data_dir.join(FILE);
        let bytes = read_bounded(&file, BYTES_MAX);
        bytes.map_or_else(
            |_| WindowGeometryHistory::default(),
            |bytes| WindowGeometryHistory::read(&bytes),
        )
    }

    /// Publishes an event that does not come from the hall itself.
    pub(crate) fn tell_listeners(&self, event: HallEvent) {
        self.inner.context.roster.tell(event);
    }

    /// Saves the positions of the window. Logs a warning if the file can't be written. Blocking.
    pub fn keep_window_frames(&self, frames: &WindowGeometryHistory) {
        let file = self.paths().data_dir.join(FILE);
        if let Err(error) = write_atomically(&file, frames.text().as_bytes()) {
            tracing::warn!(file = %file.display(), %error, "the window position could not be saved");
        }
    }
}
