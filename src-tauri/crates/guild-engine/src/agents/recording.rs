//! An agent's call on its way into the history: each that was begun is there once, also where nobody
//! waits for it any more. Those that come faster than one by one is kept are counted there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use guild_core::note::CallTrouble;
use guild_core::tool::ToolSpec;
use guild_core::wire::{CallEnd, CallOutcome, Caller, RpcError};
use guild_core::{CallId, Code, MemberName, Report};
use guild_mcp::gateway::Visit;
use serde_json::value::RawValue;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::Agents;
use super::traffic::name_of;
use super::view::Offered;
use crate::calls::may_be_of_closing;
use crate::clock::now_ms;
use crate::store::Ended;

/// Results of up to so many bytes are looked at where they are; larger ones on a thread that may be
/// busy.
const LOOKED_AT_HERE: usize = 64 << 10;

/// A call that was begun. Dropped before it has ended, it is in the history as one that was
/// cancelled, or that the hall's end broke off.
#[derive(Debug)]
pub(super) struct Begun {
    agents: Arc<Agents>,
    call: CallId,
    client: String,
    member: MemberName,
    spec: ToolSpec,
    arguments: Arc<RawValue>,
    started: Instant,
    is_recorded: bool,
    /// The history is not closed before this is gone.
    _ending: TaskTrackerToken,
}

impl Begun {
    pub(super) fn new(
        agents: &Arc<Agents>,
        visit: &Visit,
        tool: &Offered,
        arguments: &Arc<RawValue>,
        started: Instant,
    ) -> Self {
        Self {
            agents: Arc::clone(agents),
            call: new_call(),
            client: name_of(visit).to_owned(),
            member: tool.member.clone(),
            spec: tool.tool().spec.clone(),
            arguments: Arc::clone(arguments),
            started,
            is_recorded: false,
            _ending: agents.ending.token(),
        }
    }

    /// Its id.
    pub(super) fn call(&self) -> &CallId {
        &self.call
    }

    /// It has a result, which is given back. The result counts also where nobody waits for it while
    /// it is looked at.
    ///
    /// # Errors
    /// `shutting-down`, where nothing is looked at any more.
    pub(super) async fn answered(mut self, result: Box<RawValue>) -> Result<Box<RawValue>, Report> {
        if result.get().len() <= LOOKED_AT_HERE {
            self.record_result(result.get());
            return Ok(result);
        }
        let member = self.member.clone();
        let looking = tokio::task::spawn_blocking(move || {
            self.record_result(result.get());
            result
        });
        looking.await.map_err(|error| {
            let trouble = CallTrouble::Lost(error.to_string());
            Report::told(Code::ShuttingDown, &trouble).of(&member)
        })
    }

    /// It has no result.
    pub(super) fn failed(mut self, report: Report, rpc: Option<RpcError>) {
        self.record_failure(report, rpc);
    }

    fn record_result(&mut self, result: &str) {
        self.record(result, || CallEnd::Result {
            // What is kept of it comes with the entry.
            result: String::new(),
            is_error: says_error(result),
        });
    }

    fn record_failure(&mut self, report: Report, rpc: Option<RpcError>) {
        let closing = self.agents.members.is_closing() && may_be_of_closing(report.code);
        let (report, rpc) = match closing {
            true => {
                let report = Report::told(Code::ShuttingDown, &CallTrouble::ClosedMeanwhile);
                (report.of(&self.member), None)
            }
            false => (report, rpc),
        };
        self.record("", || CallEnd::Failed {
            report,
            rpc,
            arguments: vec![],
            stderr: vec![],
        });
    }

    fn record(&mut self, result: &str, end: impl FnOnce() -> CallEnd) {
        self.is_recorded = true;
        let agents = &self.agents;
        if !agents.recorded.take(Instant::now()) {
            agents.history.passed_over();
            return;
        }
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let outcome = CallOutcome {
            call: self.call.clone(),
            member: self.member.clone(),
            tool: self.spec.name().clone(),
            started_at_ms: now_ms().saturating_sub(duration_ms),
            duration_ms,
            request: None,
            structured: None,
            end: end(),
        };
        let spec = Some(self.spec.clone());
        let ended = Ended::new(&outcome, Caller::Agent, self.arguments.get(), spec);
        agents
            .history
            .record(ended.with_result(result).by(&self.client));
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if !self.is_recorded {
            let report = Report::told(Code::CallCancelled, &CallTrouble::Cancelled);
            self.record_failure(report.of(&self.member), None);
        }
    }
}

/// Whether a result says that the tool failed.
fn says_error(result: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(default, rename = "isError")]
        is_error: Option<bool>,
    }
    result.contains("\"isError\"")
        && serde_json::from_str::<Head>(result).is_ok_and(|head| head.is_error == Some(true))
}

fn new_call() -> CallId {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    CallId::numbered("agent", CALLS.fetch_add(1, Ordering::Relaxed))
}
