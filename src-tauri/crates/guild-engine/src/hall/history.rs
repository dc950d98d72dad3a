//! What the hall has to do with the history.

use guild_core::wire::CallOutcome;

use super::Hall;
use crate::store::{Ended, History};

impl Hall {
    /// The calls of the past, saved calls, and drafts.
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// Has a call that ended written down, whatever its end was.
    pub(super) fn record(&self, outcome: &CallOutcome, arguments: &str) {
        let tools = self.tools_with(&outcome.member, &outcome.tool);
        let spec = tools.and_then(|tools| Some(tools.get(&outcome.tool)?.spec.clone()));
        let ended = Ended::new(outcome, self.inner.caller, arguments, spec);
        self.inner.history.record(ended);
    }

    /// Waits until the calls that end now are in the history, and closes it.
    pub(super) async fn close_history(&self) {
        self.inner.ending.close();
        self.inner.ending.wait().await;
        self.inner.history.close().await;
    }
}
