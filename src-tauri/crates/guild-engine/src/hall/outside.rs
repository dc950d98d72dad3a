//! Keeps the window's place.

use guild_api::event::HallEvent;
use guild_api::presence::frame::WindowGeometryHistory;

use super::GuildHall;
use guild_files::files::{read_bounded, write_atomically};

/// The file's name in the data folder.
const FILE: &str = "window.json";
/// The largest file that is read, in bytes.
const BYTES_MAX: u64 = 64 * 1024;

impl GuildHall {
    /// Where the window was; a file that is missing or broken is as good as none. Blocks.
    pub fn window_frames(&self) -> WindowGeometryHistory {
        let file = self.paths().data_dir.join(FILE);
        let bytes = read_bounded(&file, BYTES_MAX);
        bytes.map_or_else(
            |_| WindowGeometryHistory::default(),
            |bytes| WindowGeometryHistory::read(&bytes),
        )
    }

    /// Sends all listeners an event from outside the hall.
    pub(crate) fn tell_listeners(&self, event: HallEvent) {
        self.inner.context.roster.tell(event);
    }

    /// Keeps where the window is. A file that can't be written costs that, nothing else. Blocks.
    pub fn keep_window_frames(&self, frames: &WindowGeometryHistory) {
        let file = self.paths().data_dir.join(FILE);
        if let Err(error) = write_atomically(&file, frames.text().as_bytes()) {
            tracing::warn!(file = %file.display(), %error, "the window's place is not kept");
        }
    }
}
