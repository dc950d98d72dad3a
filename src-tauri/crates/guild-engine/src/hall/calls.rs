//! Tool calls by the window, by commands, and by processes and apps of members.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{AppError, CallNote};
use guild_api::event::{HallEvent, Progress};
use guild_api::wire::{ArgumentCheck, CallEnd, CallOutcome, Caller, InvokeTool};
use guild_mcp_client::{CallOptions, RequestMeta, SentRequest};
use guild_model::manifest::Manifest;
use guild_model::messages::CallError;
use guild_model::status::Status;
use guild_model::{CallId, Code, MemberName, Report, ToolName};
use guild_schema::messages::{SchemaNote, ValueProblem};
use guild_schema::validate::{ArgumentError, CheckedArguments};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::GuildHall;
use super::member_requests::{UNKNOWN_PROCESS, own_caller};
use guild_agents::Agents;
use guild_roster::{Roster, ToolSet};
use guild_supervisor::calls::{
    CallClock, CallFailure, CallOrigin, RawArguments, Requester, ToolCall, cancelled,
};

/// Maximum number of calls that run at the same time. Further calls are rejected.
const CALLS_MAX: usize = 1_000;
/// Maximum number of progress messages of a call that wait to be published. Further messages are
/// dropped.
const PROGRESS_WAITING: usize = 64;
/// How long a call's result waits for earlier progress messages to be published.
const LAST_PROGRESS: Duration = Duration::from_millis(250);

/// How long the hall waits at its close until the cancelled calls have ended. A member that does
/// not read its input can't be notified of the cancellation.
const CALLS_END_LIMIT: Duration = Duration::from_millis(500);

impl GuildHall {
    /// Calls a tool and waits for the result. Starts the member if needed. Never sends a request
    /// again that the member may already have executed.
    ///
    /// An error that the tool itself reports is a result (REQ-MCP-HTTP-43).
    pub async fn invoke(&self, request: InvokeTool) -> CallOutcome {
        self.invoke_for(self.inner.caller, request).await
    }

    /// Calls a tool for a caller other than this hall's own program.
    pub(crate) async fn invoke_for(&self, caller: Caller, request: InvokeTool) -> CallOutcome {
        self.invoke_by(caller, None, request).await
    }

    /// Calls a tool for a process of a member. The policies for agents apply to the call. `from` is
    /// the name of that process in the history.
    pub(super) async fn invoke_for_process(&self, from: &str, request: InvokeTool) -> CallOutcome {
        self.invoke_by(Caller::Agent, Some(from), request).await
    }

    /// Calls a tool for a command that has opened a hall because none was running. If the command
    /// is itself a process of a member, the policies for agents apply to the call, as they do at
    /// the socket of a running hall.
    pub async fn invoke_alone(&self, request: InvokeTool) -> CallOutcome {
        let data_dir = self.paths().data_dir.clone();
        let inspecting = tokio::task::spawn_blocking(move || own_caller(&data_dir));
        match inspecting.await {
            Ok(None) => self.invoke(request).await,
            Ok(Some(from)) => self.invoke_for_process(&from, request).await,
            Err(_) => self.invoke_for_process(UNKNOWN_PROCESS, request).await,
        }
    }

    /// Calls a tool for an app of the tool's member. `from` is the app's name in the history.
    pub(super) async fn invoke_by_app(&self, from: &str, request: InvokeTool) -> CallOutcome {
        self.invoke_by(Caller::App, Some(from), request).await
    }

    async fn invoke_by(
        &self,
        caller: Caller,
        bound: Option<&str>,
        request: InvokeTool,
    ) -> CallOutcome {
        let InvokeTool {
            call,
            member,
            tool,
            arguments,
            check,
            timeout_ms,
        } = request;
        let clock = CallClock::start();
        let ending = self.inner.ending.token();
        let roster = &self.inner.context.roster;
        let sent = SentRequest::default();
        let request = ToolCall {
            id: call.clone(),
            member: member.clone(),
            tool: tool.clone(),
            arguments: RawArguments::Text(arguments),
            // Only a person may send arguments that don't match the schema, so this call is
            // checked.
            check: match bound {
                Some(_) => ArgumentCheck::Refuse,
                None => check,
            },
            limit: timeout_ms.map(Duration::from_millis),
            clock: Arc::clone(&clock),
            meta: RequestMeta::default(),
        };
        let agents = match bound {
            Some(_) => Some(self.agents().await),
            None => None,
        };
        let policy = agents.zip(bound).map(|(agents, from)| ProcessPolicies {
            agents,
            from,
            called: (&member, &tool),
        });
        let (progress, relay) = ProgressRelay::start(self, call.clone());
        // The call is registered before its event is published, so that a listener can cancel it.
        let registered = self.register(&call);
        let is_announced = registered.is_ok();
        let token = match &registered {
            Ok(registered) => registered.token.clone(),
            Err(_) => CancellationToken::new(),
        };
        let local = LocalCaller {
            roster,
            call: &call,
            member: &member,
            caller,
            bound: policy,
            options: options(progress, &token, &sent),
        };
        let end = match &registered {
            Ok(_) => {
                roster.tell(HallEvent::CallStarted {
                    call: call.clone(),
                    member: member.clone(),
                    tool: tool.clone(),
                });
                tokio::select! {
                    ended = self.inner.service.call(&local, request) => ended,
                    // This ends the call if its request was not sent yet. A request that was sent
                    // is cancelled with its own token.
                    failed = given_up(&token) => Err(failed),
                }
            }
            Err(report) => {
                let failed = CallFailure::from(report.clone());
                self.inner
                    .service
                    .record_refused(&local, &request, failed.clone());
                Err(failed)
            }
        };
        drop(local);
        relay.finish().await;
        drop(registered);
        let duration_ms = clock.end();
        let (mut end, structured) = match end {
            Ok(result) => {
                let tools = self.tools_with(&member, &tool);
                let promised = tools.map(|tools| (tools, tool.clone()));
                let ended = ended(result, promised).await;
                let structured = ended.structured;
                (ended.end, structured)
            }
            Err(failed) => {
                let failed = failed.or_closing(&self.inner.members);
                (failed.into_end(&member), None)
            }
        };
        roster.hide_in(&mut end);
        let (is_error, error) = match &end {
            CallEnd::Result { is_error, .. } => (*is_error, None),
            CallEnd::Failed { report, .. } => (false, Some(report.clone())),
        };
        // A call that was rejected may have the id of another, running call, so no event is
        // published for it.
        if is_announced {
            roster.tell(HallEvent::CallFinished {
                call: call.clone(),
                member: member.clone(),
                tool: tool.clone(),
                duration_ms,
                is_error,
                error,
            });
        }
        drop(ending);
        CallOutcome {
            call,
            member,
            tool,
            started_at_ms: clock.started_at_ms,
            duration_ms,
            request: sent.text(),
            structured,
            end,
        }
    }

    /// Cancels a running call. Does nothing for a finished call.
    pub fn cancel_call(&self, call: &CallId) {
        if let Some(token) = self.running().get(call) {
            token.cancel();
        }
    }

    pub(super) fn register(&self, call: &CallId) -> Result<Registered, Report> {
        let mut running = self.running();
        if self.inner.closing.is_cancelled() {
            return Err(Report::from_error(Code::ShuttingDown, &CallError::Closing));
        }
        if running.len() >= CALLS_MAX {
            let trouble = CallError::TooMany(CALLS_MAX);
            return Err(Report::from_error(Code::TooManyCalls, &trouble));
        }
        if running.contains_key(call) {
            let trouble = CallError::SameId(format!("{:?}", call.as_str()));
            return Err(Report::from_error(Code::TooManyCalls, &trouble));
        }
        let token = self.inner.closing.child_token();
        running.insert(call.clone(), token.clone());
        Ok(Registered {
            hall: self.clone(),
            call: call.clone(),
            token,
        })
    }

    /// Returns the member's manifest. `None` if it can't be used.
    pub(super) fn manifest(&self, member: &MemberName) -> Option<Arc<Manifest>> {
        self.inner.members.manifest(member)
    }

    /// Returns the member's tools if the tool is one of them.
    pub(super) fn tools_with(&self, member: &MemberName, tool: &ToolName) -> Option<Arc<ToolSet>> {
        self.snapshot().tools_with(member, tool)
    }

    pub(super) fn is_ready(&self, member: &MemberName) -> bool {
        let snapshot = self.snapshot();
        let entry = snapshot.members.get(member);
        entry.is_some_and(|entry| entry.view.status == Status::Ready)
    }
}

/// A caller on this machine: a person, a run of examples, or a process or an app of a member.
pub(super) struct LocalCaller<'a> {
    roster: &'a Roster,
    pub(super) member: &'a MemberName,
    call: &'a CallId,
    caller: Caller,
    bound: Option<ProcessPolicies<'a>>,
    options: CallOptions,
}

/// The policies for a call by a process or an app of a member. They are the policies for agents.
struct ProcessPolicies<'a> {
    agents: Arc<Agents>,
    /// The caller's name in the history: a process, or an MCP app.
    from: &'a str,
    called: (&'a MemberName, &'a ToolName),
}

/// Returns the options of a local caller's request.
fn options(
    progress: mpsc::Sender<Progress>,
    token: &CancellationToken,
    sent: &SentRequest,
) -> CallOptions {
    CallOptions {
        limit: Duration::MAX,
        progress: Some(progress),
        cancel: token.child_token(),
        label: None,
        sent: sent.clone(),
        asking: None,
        hearing: None,
        meta: None,
        task: false,
        task_limit: Duration::ZERO,
    }
}

impl<'a> LocalCaller<'a> {
    /// Returns the caller for a person's request that is not a tool call, and the relay that
    /// publishes its progress.
    pub(super) fn new(
        hall: &'a GuildHall,
        member: &'a MemberName,
        registered: &'a Registered,
        sent: &SentRequest,
    ) -> (Self, ProgressRelay) {
        let (progress, relay) = ProgressRelay::start(hall, registered.call.clone());
        let caller = Self {
            roster: &hall.inner.context.roster,
            member,
            call: &registered.call,
            caller: hall.inner.caller,
            bound: None,
            options: options(progress, &registered.token, sent),
        };
        (caller, relay)
    }
}

impl Requester for LocalCaller<'_> {
    fn origin(&self) -> CallOrigin<'_> {
        CallOrigin {
            caller: self.caller,
            client: self.bound.as_ref().map(|bound| bound.from),
            session: None,
        }
    }

    fn refuse(&self) -> Result<(), Report> {
        if let Some(bound) = &self.bound {
            bound.agents.process_call_ruling(bound.called)?;
        }
        let (snapshot, bound) = (self.roster.snapshot(), self.bound.as_ref());
        if let (Caller::App, Some(ProcessPolicies { called, .. })) = (self.caller, bound)
            && let Some(tools) = snapshot.tools_with(called.0, called.1)
            && tools
                .get(called.1)
                .is_some_and(|tool| !tool.spec.is_open_to_apps())
        {
            let trouble = AppError::NotOpen(called.1.clone());
            return Err(Report::from_error(Code::ToolDenied, &trouble).of(called.0));
        }
        Ok(())
    }

    async fn consent(&self, arguments: &str) -> Result<Option<String>, CallFailure> {
        let Some(bound) = &self.bound else {
            return Ok(None);
        };
        let asking = bound
            .agents
            .consent_to_process_call(bound.from, bound.called, arguments);
        Ok(asking.await?)
    }

    async fn refuse_again(&self) -> Result<(), CallFailure> {
        if let Some(bound) = &self.bound {
            bound.agents.confirm_process_call(bound.called).await?;
        }
        Ok(())
    }

    fn starting(&self, step: u32) {
        let snapshot = self.roster.snapshot();
        let entry = snapshot.members.get(self.member);
        let is_up = entry.is_some_and(|entry| entry.view.status == Status::Ready);
        if step == 1 && !is_up {
            self.roster.tell(HallEvent::CallProgress {
                call: self.call.clone(),
                progress: Progress {
                    progress: 0.0,
                    total: None,
                    message: Some(CallNote::Starting(self.member.clone()).to_string()),
                },
            });
        }
    }

    fn options(&self) -> CallOptions {
        self.options.clone()
    }
}

/// Publishes the progress of a call as events.
pub(super) struct ProgressRelay(tokio::task::JoinHandle<()>);

impl ProgressRelay {
    fn start(hall: &GuildHall, call: CallId) -> (mpsc::Sender<Progress>, Self) {
        let (sender, mut received) = mpsc::channel(PROGRESS_WAITING);
        let roster = Arc::clone(&hall.inner.context.roster);
        let task = tokio::spawn(async move {
            while let Some(progress) = received.recv().await {
                roster.tell(HallEvent::CallProgress {
                    call: call.clone(),
                    progress,
                });
            }
        });
        (sender, Self(task))
    }

    /// Waits until the progress messages from before the result are published. Waits at most
    /// [`LAST_PROGRESS`], because a session may still hold the sender.
    pub(super) async fn finish(self) {
        let _ = tokio::time::timeout(LAST_PROGRESS, self.0).await;
    }
}

/// A running call. It can be cancelled by its id while this value exists.
pub(super) struct Registered {
    hall: GuildHall,
    pub(super) call: CallId,
    pub(super) token: CancellationToken,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.hall.running().remove(&self.call);
        self.hall.inner.call_over.notify_one();
    }
}

/// Converts a duration to whole milliseconds.
pub(super) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// A result that is ready to be published.
pub(super) struct CallCompletion {
    pub(super) end: CallEnd,
    pub(super) structured: Option<CheckedArguments>,
}

/// Maximum size of structured content that is checked against its schema, in bytes. Parsed JSON
/// with many short values takes 20 times its size in memory.
const CHECKED_MAX: usize = 8 << 20;

/// The fields of a `tools/call` result that the hall reads.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResultHead<'a> {
    #[serde(borrow, default)]
    is_error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
}

impl GuildHall {
    /// Waits until the calls that the closing hall has cancelled have ended. Their members have
    /// then been notified, and their callers have a result.
    pub(super) async fn wait_for_calls(&self) {
        let over = async {
            while !self.running().is_empty() {
                self.inner.call_over.notified().await;
            }
        };
        if tokio::time::timeout(CALLS_END_LIMIT, over).await.is_err() {
            tracing::debug!("some calls have not ended yet");
        }
    }
}

/// Waits until a call is cancelled, and then 250 ms. In this time, a session that runs the call can
/// notify its server and return its own result.
pub(super) async fn given_up(token: &CancellationToken) -> CallFailure {
    token.cancelled().await;
    tokio::time::sleep(Duration::from_millis(250)).await;
    cancelled()
}

/// Checks the structured content of a result against the tool's output schema. The result itself is
/// not parsed and is returned as one line. Runs on a blocking thread, since a result may have 64
/// MiB.
pub(super) async fn ended(
    result: Box<RawValue>,
    promised: Option<(Arc<ToolSet>, ToolName)>,
) -> CallCompletion {
    let work = tokio::task::spawn_blocking(move || {
        let text = String::from(Box::<str>::from(result));
        let head: CallResultHead<'_> = serde_json::from_str(&text).unwrap_or_default();
        let is_error = head.is_error.is_some_and(|value| value.get() == "true");
        let content = head.structured_content;
        // If the check panics, the result is returned with a note.
        let check = || promised.and_then(|(tools, tool)| check(&tools, &tool, content, is_error));
        let structured = catch_unwind(AssertUnwindSafe(check))
            .unwrap_or_else(|_| Some(unchecked(SchemaNote::Uncheckable)));
        CallCompletion {
            end: CallEnd::Result {
                result: on_one_line(text),
                is_error,
            },
            structured,
        }
    });
    work.await.unwrap_or_else(|error| CallCompletion {
        end: CallEnd::Failed {
            report: Report::from_error(Code::ShuttingDown, &CallError::Lost(error.to_string())),
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        },
        structured: None,
    })
}

fn unchecked(note: SchemaNote) -> CheckedArguments {
    CheckedArguments {
        notes: vec![note.to_string()],
        ..CheckedArguments::default()
    }
}

/// Replaces newlines by spaces. In JSON text, unescaped newlines occur only between values.
fn on_one_line(text: String) -> String {
    match text.contains(['\n', '\r']) {
        true => text.replace(['\n', '\r'], " "),
        false => text,
    }
}

fn check(
    tools: &ToolSet,
    tool: &ToolName,
    content: Option<&RawValue>,
    is_error: bool,
) -> Option<CheckedArguments> {
    let validator = tools.get(tool)?.output_validator()?;
    match content {
        Some(content) if content.get().len() > CHECKED_MAX => {
            Some(unchecked(SchemaNote::TooLarge(CHECKED_MAX >> 20)))
        }
        Some(content) => {
            let content: Value = serde_json::from_str(content.get()).unwrap_or_default();
            Some(validator.check(&content))
        }
        // A result that reports a failure need not have structured content.
        None if is_error => None,
        None => Some(CheckedArguments {
            errors: vec![ArgumentError::whole(
                ValueProblem::NothingStructured,
                "structuredContent",
            )],
            notes: vec![],
        }),
    }
}
