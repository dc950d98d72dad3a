//! Access to the history.

use super::GuildHall;
use guild_history::History;

impl GuildHall {
    /// The calls of the past, saved calls, and drafts.
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// Waits until the calls that end now are in the history, and closes it.
    pub(super) async fn close_history(&self) {
        self.inner.ending.close();
        self.inner.ending.wait().await;
        self.inner.history.close().await;
    }
}
