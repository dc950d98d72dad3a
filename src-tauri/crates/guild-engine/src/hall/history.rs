//! Access to the history.

use super::GuildHall;
use guild_history::History;

impl GuildHall {
    /// Returns the history: past calls, saved calls, and drafts.
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// Waits until the calls that are ending are recorded, then closes the history.
    pub(super) async fn close_history(&self) {
        self.inner.ending.close();
        self.inner.ending.wait().await;
        self.inner.history.close().await;
    }
}
