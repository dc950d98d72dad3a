//! What the hall has to do with the history.

use guild_core::tool::ToolSpec;
use guild_core::wire::{CallOutcome, Caller};
use guild_core::{MemberName, ToolName};

use super::Hall;
use crate::store::{Ended, History};

impl Hall {
    /// The calls of the past, saved calls, and drafts.
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// Has a call that ended written down, whatever its end was. `spec` is its tool as it was known
    /// when the call began; what that marks as secret is masked, whatever became of it since.
    pub(super) fn record(
        &self,
        (caller, client): (Caller, Option<&str>),
        outcome: &CallOutcome,
        arguments: &str,
        spec: Option<ToolSpec>,
    ) {
        let spec = spec.or_else(|| self.spec_of(&outcome.member, &outcome.tool));
        let ended = Ended::new(outcome, caller, arguments, spec);
        self.inner.history.record(match client {
            Some(client) => ended.by(client),
            None => ended,
        });
    }

    /// A tool as it is known now.
    pub(super) fn spec_of(&self, member: &MemberName, tool: &ToolName) -> Option<ToolSpec> {
        let tools = self.tools_with(member, tool)?;
        Some(tools.get(tool)?.spec.clone())
    }

    /// Waits until the calls that end now are in the history, and closes it.
    pub(super) async fn close_history(&self) {
        self.inner.ending.close();
        self.inner.ending.wait().await;
        self.inner.history.close().await;
    }
}
