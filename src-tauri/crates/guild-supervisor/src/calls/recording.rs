//! Records each call once, even if its caller has disconnected. Agents' calls above a rate limit
//! are only counted.

use std::sync::Arc;
use std::time::Instant;

use guild_api::wire::{CallEnd, CallOutcome, Caller};
use guild_model::messages::CallError;
use guild_model::tool::ToolSpec;
use guild_model::{CallId, Code, MemberName, Report, ToolName};
use guild_trace::{TraceError, TraceSpan};
use serde_json::value::RawValue;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::service::{CallClock, CallOrigin, Requester, ToolCall, cancelled};
use super::token_bucket::TokenBucket;
use super::{CallFailure, RawArguments};
use crate::members::Supervisor;
use guild_history::{FinishedCall, History};
use guild_roster::ToolSet;

/// Rate limit for recording agents' calls: calls per second, and burst. The history stores a
/// limited number of calls, so the calls of a busy agent would otherwise displace a person's calls.
const RECORDED: (u32, u32) = (50, 500);
/// Maximum size of a result that is read on a thread of the runtime, in bytes.
const READ_HERE_MAX: usize = 64 << 10;

/// Writes calls into the history.
#[derive(Debug)]
pub(super) struct Recorder {
    members: Arc<Supervisor>,
    history: History,
    limiter: Arc<TokenBucket>,
    /// Tracks the calls that are not in the history yet. The history closes only after them.
    ending: TaskTracker,
}

impl Recorder {
    pub(super) fn new(members: Arc<Supervisor>, history: History, ending: TaskTracker) -> Self {
        let limiter = Arc::new(TokenBucket::new(RECORDED.0, RECORDED.1));
        Self {
            members,
            history,
            limiter,
            ending,
        }
    }

    pub(super) fn begin(
        &self,
        by: &impl Requester,
        call: &ToolCall,
        arguments: RawArguments,
        trace: TraceSpan,
    ) -> Recording {
        let CallOrigin {
            caller,
            client,
            session,
        } = by.origin();
        Recording {
            members: Arc::clone(&self.members),
            history: self.history.clone(),
            limiter: by.is_paced().then(|| Arc::clone(&self.limiter)),
            caller,
            client: client.map(str::to_owned),
            session: session.map(str::to_owned),
            call: call.id.clone(),
            member: call.member.clone(),
            tool: call.tool.clone(),
            spec: None,
            arguments,
            clock: Arc::clone(&call.clock),
            trace,
            is_recorded: false,
            _ending: self.ending.token(),
        }
    }
}

/// A started call. If it is dropped before its end, it is recorded as cancelled.
#[derive(Debug)]
pub(super) struct Recording {
    members: Arc<Supervisor>,
    history: History,
    limiter: Option<Arc<TokenBucket>>,
    caller: Caller,
    client: Option<String>,
    session: Option<String>,
    call: CallId,
    member: MemberName,
    tool: ToolName,
    /// The tool's definition when the call began. Its secret fields stay masked, even if the server
    /// changes the definition later.
    spec: Option<ToolSpec>,
    arguments: RawArguments,
    clock: Arc<CallClock>,
    /// The trace span of the whole call. It ends with the recording.
    pub(super) trace: TraceSpan,
    is_recorded: bool,
    _ending: TaskTrackerToken,
}

impl Recording {
    /// Stores the tool's definition from `tools`, for masking.
    pub(super) fn set_spec(&mut self, tools: &ToolSet, tool: &ToolName) {
        self.spec = tools.get(tool).map(|tool| tool.spec.clone());
    }

    /// Records a result, and returns it.
    ///
    /// # Errors
    /// `shutting-down` if the program ends first.
    pub(super) async fn answered(mut self, result: Box<RawValue>) -> Result<Box<RawValue>, Report> {
        if result.get().len() <= READ_HERE_MAX {
            self.record_result(result.get());
            return Ok(result);
        }
        let reading = tokio::task::spawn_blocking(move || {
            self.record_result(result.get());
            result
        });
        reading.await.map_err(|error| {
            let trouble = CallError::Lost(error.to_string());
            Report::from_error(Code::ShuttingDown, &trouble)
        })
    }

    pub(super) fn failed(mut self, failed: CallFailure) {
        self.record_failure(failed);
    }

    fn record_result(&mut self, result: &str) {
        self.trace
            .end(|| says_error(result).then_some(TraceError::Tool));
        // The history copies the result up to its own limit.
        let end = || CallEnd::Result {
            result: String::new(),
            is_error: says_error(result),
        };
        self.record(result, end);
    }

    fn record_failure(&mut self, failed: CallFailure) {
        self.trace.end(|| Some(failed.trace_error()));
        let member = self.member.clone();
        self.record("", || {
            // The message may come from the server, and contain data that must not be logged.
            tracing::warn!(%member, code = %failed.report.code, "a call has no result");
            failed.into_end(&member)
        });
    }

    fn record(&mut self, result: &str, end: impl FnOnce() -> CallEnd) {
        self.is_recorded = true;
        if self
            .limiter
            .as_ref()
            .is_some_and(|limiter| !limiter.take(Instant::now()))
        {
            self.history.passed_over();
            return;
        }
        let outcome = CallOutcome {
            call: self.call.clone(),
            member: self.member.clone(),
            tool: self.tool.clone(),
            started_at_ms: self.clock.started_at_ms,
            duration_ms: self.clock.end(),
            request: None,
            structured: None,
            end: end(),
        };
        let ended = FinishedCall::new(
            &outcome,
            self.caller,
            self.arguments.text(),
            self.spec.clone(),
        );
        let ended = ended.with_result(result).traced(self.trace.trace_id());
        self.history.record(match &self.client {
            Some(client) => ended.by(client, self.session.as_deref()),
            None => ended,
        });
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if !self.is_recorded {
            let failed = cancelled().or_closing(&self.members);
            self.record_failure(failed);
        }
    }
}

/// Whether a result reports that the tool failed.
pub(super) fn says_error(result: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct ResultErrorFlag {
        #[serde(default, rename = "isError")]
        is_error: Option<bool>,
    }
    result.contains("\"isError\"")
        && serde_json::from_str::<ResultErrorFlag>(result)
            .is_ok_and(|head| head.is_error == Some(true))
}
