//! What every call has, whoever makes it: a person by a form, or an agent by the gateway.
//!
//! Its arguments are read and checked before anything is started for it ([`admitting`]), it has a time
//! limit, and where it has no result that is said in words.

mod admitting;

use guild_core::manifest::Manifest;
use guild_core::note::CallTrouble;
use guild_core::settings::Limits;
use guild_core::validate::Misfit;
use guild_core::wire::{ArgumentError, CallEnd, LogLine, RpcError};
use guild_core::{Code, MemberName, Report, ToolName};
use guild_mcp::McpError;
use std::time::Duration;

pub(crate) use self::admitting::{Refused, admit, check, check_answer, unfit};
use crate::index::{Index, Snapshot};
use crate::member::{Command, Loan, MemberHandle};

/// The longest time limit that a call may be given.
pub(crate) const LIMIT_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// How long it is waited for the news of a process's end after its connection broke.
const NEWS_OF_END: Duration = Duration::from_millis(700);
/// How many lines of stderr a failed call brings along.
const STDERR_TOLD: usize = 20;

/// A failed call in the making.
pub(crate) struct Failed {
    pub(crate) report: Report,
    rpc: Option<RpcError>,
    arguments: Vec<Misfit>,
    stderr: Vec<LogLine>,
}

impl From<Report> for Failed {
    fn from(report: Report) -> Self {
        Self {
            report,
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        }
    }
}

impl Failed {
    /// Arguments were not sent, for what is wrong with them.
    pub(crate) fn for_arguments(report: Report, arguments: Vec<Misfit>) -> Self {
        Self {
            arguments,
            ..report.into()
        }
    }

    /// Why, in one report.
    pub(crate) fn into_report(self) -> Report {
        self.report
    }

    /// What is wrong with arguments that were refused, each at its place.
    fn wrong_arguments(&self) -> Vec<ArgumentError> {
        self.arguments.iter().map(|one| one.told()).collect()
    }

    /// The failure as the end of a call to this member.
    pub(crate) fn into_end(self, member: &MemberName) -> CallEnd {
        let arguments = self.wrong_arguments();
        let Self {
            report,
            rpc,
            stderr,
            ..
        } = self;
        let report = report.of(member);
        // The words may be the server's own, and hold what a log must not.
        tracing::warn!(%member, code = %report.code, "a call has no result");
        CallEnd::Failed {
            report,
            rpc,
            arguments,
            stderr,
        }
    }
}

/// What it means that the member ended while a call ran, which is not repeated.
pub(crate) fn interrupted(snapshot: &Snapshot, handle: &MemberHandle) -> Failed {
    let cause = snapshot
        .members
        .get(&handle.name)
        .and_then(|entry| entry.view.error.clone());
    let trouble = match cause {
        Some(cause) => CallTrouble::EndedMeanwhile(cause.message.clone()),
        None => CallTrouble::StoppedMeanwhile,
    };
    Failed {
        stderr: handle.output.last(STDERR_TOLD),
        ..Report::told(Code::CallInterrupted, &trouble).into()
    }
}

/// Whether a call that failed so while the hall closed was broken off by that.
pub(crate) fn may_be_of_closing(code: Code) -> bool {
    matches!(
        code,
        Code::CallCancelled | Code::CallInterrupted | Code::ConnectionFailed
    )
}

/// What it means that the session had no answer.
pub(crate) async fn no_answer(
    index: &Index,
    handle: &MemberHandle,
    loan: &Loan,
    error: McpError,
) -> Failed {
    let report = error.report();
    if matches!(error.code(), Code::ConnectionFailed | Code::CallInterrupted) {
        // Most often the process has just ended, which says more than the broken connection.
        if tokio::time::timeout(NEWS_OF_END, loan.gone.cancelled())
            .await
            .is_ok()
        {
            return interrupted(&index.snapshot(), handle);
        }
    }
    if error.code() == Code::ConnectionFailed {
        // REQ-MCP-HTTP-41: nobody answers there, though the process lives.
        let generation = loan.generation;
        let report = report.clone().of(&handle.name);
        handle
            .tell(Command::Unreachable { report, generation })
            .await;
    }
    Failed {
        rpc: error.rpc(),
        ..report.into()
    }
}

/// The time limit of a tool's calls; `limits` where its manifest says none.
pub(crate) fn limit_of(manifest: Option<&Manifest>, tool: &ToolName, limits: &Limits) -> Duration {
    let of_tool = manifest
        .and_then(|manifest| manifest.tools.get(tool.as_str()))
        .and_then(|settings| settings.timeout_ms);
    of_tool.map_or_else(|| call_limit(manifest, limits), Duration::from_millis)
}

/// The time limit of a member's calls; `limits` where its manifest says none.
pub(crate) fn call_limit(manifest: Option<&Manifest>, limits: &Limits) -> Duration {
    let timeouts = manifest.map(|manifest| manifest.timeouts);
    Duration::from_millis(timeouts.unwrap_or_default().or(limits).call_ms)
}
