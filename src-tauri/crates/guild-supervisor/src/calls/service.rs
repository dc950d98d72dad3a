//! The steps of every call: validate the arguments, check the policy, lease a session, send the
//! request, record the result.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use guild_api::wire::{ArgumentCheck, Caller};
use guild_mcp_client::{CallOptions, Label, McpError, RequestMeta};
use guild_model::messages::CallError;
use guild_model::{CallId, Code, MemberName, Report, ToolName};
use guild_trace::{TraceError, TraceSpan, TraceTarget, TracedRequest, Tracer};
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::recording::{Recorder, Recording, says_error};
use super::{CallFailure, LIMIT_MAX, RawArguments, admit, interrupted, limit_of, no_answer};
use crate::member::{MemberCommand, MemberHandle, SessionLease, StartedBy};
use crate::members::Supervisor;
use guild_files::clock::now_ms;
use guild_history::History;
use guild_roster::{Roster, ToolSet};

/// Interval for reporting that a call still waits, so that an agent does not give up.
pub const STILL_WAITING: Duration = Duration::from_secs(10);

/// A tool to call, with its arguments.
#[derive(Debug)]
pub struct ToolCall {
    /// Identifies the call in events and for its cancellation.
    pub id: CallId,
    /// The member whose server gets the call.
    pub member: MemberName,
    /// The tool's name on its server.
    pub tool: ToolName,
    /// The arguments before validation.
    pub arguments: RawArguments,
    /// The handling of invalid arguments: they are rejected, or sent anyway.
    pub check: ArgumentCheck,
    /// The time limit. `None` uses the limit of the manifest or the settings.
    pub limit: Option<Duration>,
    /// Measures the duration for the caller and the history.
    pub clock: Arc<CallClock>,
    /// The caller's `_meta`, with its position in a trace.
    pub meta: RequestMeta,
}

/// Measures a call's duration once, so that its caller and the history get the same value.
#[derive(Debug)]
pub struct CallClock {
    /// Start of the call, in milliseconds since 1970.
    pub started_at_ms: u64,
    started: Instant,
    duration_ms: OnceLock<u64>,
}

impl CallClock {
    /// Starts the measurement now.
    pub fn start() -> Arc<Self> {
        Arc::new(Self {
            started_at_ms: now_ms(),
            started: Instant::now(),
            duration_ms: OnceLock::new(),
        })
    }

    /// Ends the measurement, and returns the duration in milliseconds. Later calls return the same
    /// duration.
    pub fn end(&self) -> u64 {
        let elapsed = || u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        *self.duration_ms.get_or_init(elapsed)
    }
}

/// The origin of a call, for the history.
#[derive(Debug, Clone, Copy)]
pub struct CallOrigin<'a> {
    /// The kind of the caller.
    pub caller: Caller,
    /// The agent's name.
    pub client: Option<&'a str>,
    /// A digest of the agent's MCP session.
    pub session: Option<&'a str>,
}

/// A caller: a person, an agent, a process of a member, or a check of examples.
pub trait Requester: Sync {
    /// Returns the caller for the history.
    fn origin(&self) -> CallOrigin<'_>;

    /// Whether the history only counts this caller's calls above a rate limit, and does not record
    /// rejected calls.
    fn is_paced(&self) -> bool {
        false
    }

    /// Rejects a tool that the caller may never call, before its arguments are read.
    fn refuse(&self) -> Result<(), Report> {
        Ok(())
    }

    /// Waits for a person's decision if the policy requires one. Returns the arguments if the
    /// person changed them.
    fn consent(
        &self,
        arguments: &str,
    ) -> impl Future<Output = Result<Option<String>, CallFailure>> + Send;

    /// Rejects a tool that the caller may no longer call. Called after the member has started.
    fn refuse_again(&self) -> impl Future<Output = Result<(), CallFailure>> + Send;

    /// Reports to the caller that the member is still being started. `step` counts these reports
    /// from 1.
    fn starting(&self, step: u32);

    /// Returns the caller's options for the request. The service adds the time limit and the label.
    fn options(&self) -> CallOptions;
}

/// Makes calls for every kind of caller.
#[derive(Debug)]
pub struct CallService {
    members: Arc<Supervisor>,
    roster: Arc<Roster>,
    recorder: Recorder,
    tracer: Tracer,
}

impl CallService {
    /// Creates the service. `ending` tracks calls that are not in the history yet.
    pub fn new(
        members: Arc<Supervisor>,
        roster: Arc<Roster>,
        history: History,
        ending: TaskTracker,
        tracer: Tracer,
    ) -> Self {
        let recorder = Recorder::new(Arc::clone(&members), history, ending);
        Self {
            members,
            roster,
            recorder,
            tracer,
        }
    }

    /// Starts the trace of a request, or continues the caller's trace.
    pub fn trace(&self, request: TracedRequest<'_>) -> TraceSpan {
        self.tracer.begin(request)
    }

    fn trace_call(&self, by: &impl Requester, call: &ToolCall) -> TraceSpan {
        let client = by.origin().client;
        self.trace(TracedRequest {
            method: "tools/call",
            target: TraceTarget::Tool(call.tool.as_str()),
            member: &call.member,
            client,
            meta: &call.meta,
        })
    }

    /// Calls a tool: starts the member if it is down, waits for the answer, and never repeats a
    /// request that the server may have executed.
    ///
    /// Each started call is recorded in the history, even if its caller has disconnected. Above a
    /// rate limit, calls of agents are only counted. Rejected calls are recorded too, except those
    /// of agents. An error of the tool itself is a result (REQ-MCP-HTTP-43).
    pub async fn call(
        &self,
        by: &impl Requester,
        mut call: ToolCall,
    ) -> Result<Box<RawValue>, CallFailure> {
        let trace = self.trace_call(by, &call);
        let (handle, listed, arguments) = match self.admitted(by, &mut call).await {
            Ok(admitted) => admitted,
            Err(failed) => {
                let failed = failed.or_closing(&self.members);
                self.refused(by, &call, trace, failed.clone());
                return Err(failed);
            }
        };
        let json = RawArguments::Json(Arc::clone(&arguments));
        let mut recording = self.recorder.begin(by, &call, json, trace);
        if let Some(tools) = &listed {
            recording.set_spec(tools, &call.tool);
        }
        let asked = self.ask(by, &handle, &call, listed, &arguments, &mut recording);
        match asked.await {
            Ok(result) => Ok(recording.answered(result).await?),
            Err(failed) => {
                let failed = failed.or_closing(&self.members);
                recording.failed(failed.clone());
                Err(failed)
            }
        }
    }

    /// Records a call that was rejected before it started.
    pub fn record_refused(&self, by: &impl Requester, call: &ToolCall, failed: CallFailure) {
        self.refused(by, call, self.trace_call(by, call), failed);
    }

    fn refused(
        &self,
        by: &impl Requester,
        call: &ToolCall,
        mut trace: TraceSpan,
        failed: CallFailure,
    ) {
        trace.end(|| Some(failed.trace_error()));
        if by.is_paced() {
            return;
        }
        let mut recording = self.recorder.begin(by, call, call.arguments.clone(), trace);
        if let Some(tools) = self.listed(call) {
            recording.set_spec(&tools, &call.tool);
        }
        recording.failed(failed);
    }

    /// Returns the member, its tool list if the list contains the tool, and the validated and
    /// permitted arguments.
    async fn admitted(
        &self,
        by: &impl Requester,
        call: &mut ToolCall,
    ) -> Result<(MemberHandle, Option<Arc<ToolSet>>, Arc<RawValue>), CallFailure> {
        let handle = self.members.member(&call.member)?;
        by.refuse()?;
        let listed = self.listed(call);
        if let Some(report) = listed.as_ref().and_then(|tools| tools.unconfirmed()) {
            return Err(report.into());
        }
        let written = call.arguments.clone();
        let mut arguments = admit(listed.as_ref(), &call.tool, written, call.check).await?;
        if let Some(changed) = by.consent(arguments.get()).await? {
            call.arguments = RawArguments::Text(changed);
            // The changed arguments are only parsed here: the approval form has already validated
            // them, or the person chose to send invalid ones.
            arguments = admit(None, &call.tool, call.arguments.clone(), call.check).await?;
        }
        Ok((handle, listed, arguments))
    }

    async fn ask(
        &self,
        by: &impl Requester,
        handle: &MemberHandle,
        call: &ToolCall,
        listed: Option<Arc<ToolSet>>,
        arguments: &Arc<RawValue>,
        recording: &mut Recording,
    ) -> Result<Box<RawValue>, CallFailure> {
        let options = by.options();
        let cancel = options.cancel.clone();
        let starting = |step| by.starting(step);
        let trace = &recording.trace;
        let lease = self.lease(handle, &cancel, starting, Some(trace)).await?;
        let mut tools = listed;
        if tools.is_none() {
            // The known list lacks the tool, but the list after this start may contain it.
            let listing = handle.ask(|reply| MemberCommand::Start {
                by: StartedBy::Roster,
                reply,
            });
            tokio::select! {
                listed = listing => drop(listed?),
                () = cancel.cancelled() => return Err(cancelled()),
            }
            let new = self.listed(call).ok_or_else(|| {
                self.roster
                    .snapshot()
                    .unknown_tool(&call.member, &call.tool)
            })?;
            // Set before the arguments are validated, so that the history masks the fields that the
            // schema marks as secret.
            recording.set_spec(&new, &call.tool);
            let json = RawArguments::Json(Arc::clone(arguments));
            admit(Some(&new), &call.tool, json, call.check).await?;
            tools = Some(new);
        }
        tokio::select! {
            refused = by.refuse_again() => refused?,
            () = cancel.cancelled() => return Err(cancelled()),
        }
        let tool = tools.as_ref().and_then(|tools| tools.get(&call.tool));
        let mut meta = call.meta.clone();
        let mut span = recording.trace.send(&lease.session, &mut meta);
        let options = CallOptions {
            limit: self.limit(call),
            meta: Some(meta),
            task: tool.is_some_and(|tool| tool.spec.requires_task()),
            // The caller's own limit bounds a task too.
            task_limit: call.limit.map_or(LIMIT_MAX, |_| Duration::ZERO),
            label: Some(Label {
                call: call.id.clone(),
                tool: Some(call.tool.clone()),
            }),
            ..options
        };
        let asking = lease
            .session
            .call_text(&call.tool, Some(arguments), options);
        let answered = self.answer(handle, &lease, asking).await;
        span.end(|| match &answered {
            Ok(result) => says_error(result.get()).then_some(TraceError::Tool),
            Err(failed) => Some(failed.trace_error()),
        });
        answered
    }

    /// Leases the member's session, and starts the member if it is down. During the start, calls
    /// `starting` at once and then every ten seconds. `trace` records the wait.
    pub async fn lease(
        &self,
        handle: &MemberHandle,
        cancel: &CancellationToken,
        starting: impl Fn(u32),
        trace: Option<&TraceSpan>,
    ) -> Result<SessionLease, CallFailure> {
        if let Some(lease) = handle.try_lease() {
            return Ok(lease);
        }
        let since = SystemTime::now();
        let leased = self.lease_later(handle, cancel, starting).await;
        if let Some(trace) = trace {
            let error = leased.as_ref().err().map(|failed| failed.report.code);
            trace.waited(since, leased.as_ref().ok().map(|lease| lease.start), error);
        }
        leased
    }

    async fn lease_later(
        &self,
        handle: &MemberHandle,
        cancel: &CancellationToken,
        starting: impl Fn(u32),
    ) -> Result<SessionLease, CallFailure> {
        let leasing = handle.ask(|reply| MemberCommand::Lease { reply });
        tokio::pin!(leasing);
        let mut waiting = tokio::time::interval(STILL_WAITING);
        let mut step = 0;
        loop {
            tokio::select! {
                biased;
                lease = &mut leasing => return Ok(lease?),
                () = cancel.cancelled() => return Err(cancelled()),
                _ = waiting.tick() => {
                    step += 1;
                    starting(step);
                }
            }
        }
    }

    /// Waits for a session's answer, or until the member ends.
    pub async fn answer<T>(
        &self,
        handle: &MemberHandle,
        lease: &SessionLease,
        asking: impl Future<Output = Result<T, McpError>>,
    ) -> Result<T, CallFailure> {
        let answered = tokio::select! {
            // A result that has arrived counts, even if its server has ended.
            biased;
            answered = asking => answered,
            () = lease.gone.cancelled() => {
                return Err(interrupted(&self.roster.snapshot(), handle));
            }
        };
        match answered {
            Ok(answer) => Ok(answer),
            Err(error) => Err(no_answer(&self.roster, handle, lease, error).await),
        }
    }

    fn listed(&self, call: &ToolCall) -> Option<Arc<ToolSet>> {
        self.roster.snapshot().tools_with(&call.member, &call.tool)
    }

    fn limit(&self, call: &ToolCall) -> Duration {
        let usual = || {
            let manifest = self.members.manifest(&call.member);
            limit_of(manifest.as_deref(), &call.tool, &self.members.limits())
        };
        call.limit.unwrap_or_else(usual).min(LIMIT_MAX)
    }
}

/// Returns the failure of a call that its caller cancelled.
pub fn cancelled() -> CallFailure {
    Report::from_error(Code::CallCancelled, &CallError::Cancelled).into()
}
