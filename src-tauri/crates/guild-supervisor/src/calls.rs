//! Runs every call of a tool: by a person with a form, by an agent through the gateway, or by a
//! check of examples.
//!
//! [`CallService`] parses and validates the arguments before it starts anything ([`arguments`]),
//! and returns a report if a call has no result.

mod arguments;
mod recording;
mod service;
mod token_bucket;

use guild_api::wire::{CallEnd, LogLine, RpcError};
use guild_mcp_client::McpError;
use guild_model::manifest::Manifest;
use guild_model::messages::CallError;
use guild_model::settings::Limits;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_schema::validate::ArgumentError;
use guild_trace::TraceError;
use std::time::Duration;

pub use self::arguments::{ArgumentsRejection, RawArguments, admit, check, check_answer, unfit};
pub use self::service::{
    CallClock, CallOrigin, CallService, Requester, STILL_WAITING, ToolCall, cancelled,
};
pub use self::token_bucket::TokenBucket;
use crate::member::{MemberCommand, MemberHandle, SessionLease};
use crate::members::Supervisor;
use guild_roster::{Roster, Snapshot};

/// Maximum time limit of a call.
pub const LIMIT_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum wait for the exit of a process after its connection broke.
const NEWS_OF_END: Duration = Duration::from_millis(700);
/// Number of stderr lines in the error of a failed call.
const STDERR_SHOWN: usize = 20;

/// The reason why a call has no result.
#[derive(Debug, Clone)]
pub struct CallFailure {
    /// The error for the caller.
    pub report: Report,
    /// The JSON-RPC error that the member sent, if any.
    pub rpc: Option<RpcError>,
    arguments: Vec<ArgumentError>,
    stderr: Vec<LogLine>,
}

impl From<Report> for CallFailure {
    fn from(report: Report) -> Self {
        Self {
            report,
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        }
    }
}

impl From<McpError> for CallFailure {
    fn from(error: McpError) -> Self {
        Self {
            rpc: error.rpc(),
            ..error.report().into()
        }
    }
}

impl CallFailure {
    /// Creates the failure of a call whose arguments were rejected.
    pub(crate) fn for_arguments(report: Report, arguments: Vec<ArgumentError>) -> Self {
        Self {
            arguments,
            ..report.into()
        }
    }

    /// Returns the failure in the form that a trace records.
    pub fn trace_error(&self) -> TraceError {
        let rpc = self.rpc.as_ref();
        rpc.map_or(TraceError::Code(self.report.code), |rpc| {
            TraceError::Rpc(rpc.code)
        })
    }

    /// Returns only the report, without the other data of the failure.
    pub fn into_report(self) -> Report {
        self.report
    }

    /// Replaces the failure by `shutting-down` if Guild Hall is closing and that may be the cause.
    pub fn or_closing(self, members: &Supervisor) -> Self {
        let may_be_of_closing = matches!(
            self.report.code,
            Code::CallCancelled | Code::CallInterrupted | Code::ConnectionFailed
        );
        match may_be_of_closing && members.is_closing() {
            true => Report::from_error(Code::ShuttingDown, &CallError::ClosedMeanwhile).into(),
            false => self,
        }
    }

    /// Returns the errors of rejected arguments, each with its JSON Pointer.
    pub fn wrong_arguments(&self) -> Vec<ArgumentError> {
        self.arguments.clone()
    }

    /// Converts the failure to the outcome of a call to this member.
    pub fn into_end(self, member: &MemberName) -> CallEnd {
        let arguments = self.wrong_arguments();
        let Self {
            report,
            rpc,
            stderr,
            ..
        } = self;
        CallEnd::Failed {
            report: report.of(member),
            rpc,
            arguments,
            stderr,
        }
    }
}

/// Returns the error of a call whose member ended while it ran. The call is not repeated.
pub fn interrupted(snapshot: &Snapshot, handle: &MemberHandle) -> CallFailure {
    let cause = snapshot
        .members
        .get(&handle.name)
        .and_then(|entry| entry.view.error.clone());
    let trouble = match cause {
        Some(cause) => CallError::EndedMeanwhile(cause.message.clone()),
        None => CallError::StoppedMeanwhile,
    };
    CallFailure {
        stderr: handle.output.last(STDERR_SHOWN),
        ..Report::from_error(Code::CallInterrupted, &trouble).into()
    }
}

/// Returns the failure of a call for which the session returned `error` instead of an answer.
pub async fn no_answer(
    roster: &Roster,
    handle: &MemberHandle,
    lease: &SessionLease,
    error: McpError,
) -> CallFailure {
    if matches!(error.code(), Code::ConnectionFailed | Code::CallInterrupted) {
        // Usually the process has just ended, which explains more than the broken connection.
        if tokio::time::timeout(NEWS_OF_END, lease.gone.cancelled())
            .await
            .is_ok()
        {
            return interrupted(&roster.snapshot(), handle);
        }
    }
    if error.code() == Code::ConnectionFailed {
        // REQ-MCP-HTTP-41: the port is unreachable, although the process lives.
        let generation = lease.generation;
        let report = error.report().of(&handle.name);
        handle
            .tell(MemberCommand::Unreachable { report, generation })
            .await;
    }
    error.into()
}

/// Returns the time limit of a tool's calls: from the manifest, or else from `limits`.
pub fn limit_of(manifest: Option<&Manifest>, tool: &ToolName, limits: &Limits) -> Duration {
    let of_tool = manifest
        .and_then(|manifest| manifest.tools.get(tool.as_str()))
        .and_then(|settings| settings.timeout_ms);
    of_tool.map_or_else(|| call_limit(manifest, limits), Duration::from_millis)
}

/// Returns the time limit of a member's calls: from the manifest, or else from `limits`.
pub fn call_limit(manifest: Option<&Manifest>, limits: &Limits) -> Duration {
    let timeouts = manifest.map(|manifest| manifest.timeouts);
    Duration::from_millis(timeouts.unwrap_or_default().or(limits).call_ms)
}
