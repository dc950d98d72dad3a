//! One call from its arguments to its outcome, by form or by command.

use std::sync::Arc;
use std::time::Duration;

use guild_core::event::{HallEvent, Progress};
use guild_core::manifest::Manifest;
use guild_core::note::{CallNote, CallTrouble, Told as _};
use guild_core::status::Status;
use guild_core::wire::{ArgumentCheck, CallEnd, CallOutcome, Caller, InvokeTool, StructuredCheck};
use guild_core::{CallId, Code, MemberName, Report, ToolName};
use guild_mcp::{CallOptions, Label, McpError, SentRequest, Session};
use serde_json::value::{RawValue, to_raw_value};

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Hall;
use super::ending::{ended, given_up};
use super::member_requests::{UNKNOWN_PROCESS, own_caller};
use crate::calls::{Failed, LIMIT_MAX, admit, interrupted, limit_of, no_answer};
use crate::clock::now_ms;
use crate::index::ToolSet;
use crate::member::{Command, Loan, MemberHandle, StartedBy};

/// How many calls the hall runs at once over all members.
const CALLS_MAX: usize = 1_000;
/// How many progress messages of a call may wait to be passed on; more are dropped.
const PROGRESS_WAITING: usize = 64;
/// How long an answer waits for the progress that came before it.
const LAST_PROGRESS: Duration = Duration::from_millis(250);

/// How a session is asked something.
pub(super) struct Errand {
    pub(super) label: Label,
    pub(super) limit: Duration,
    pub(super) cancel: CancellationToken,
    pub(super) sent: SentRequest,
}

impl Hall {
    /// Calls a tool: starts the member if it is down, waits for the answer, and never repeats what
    /// may have run.
    ///
    /// What the tool itself calls an error is a result (REQ-MCP-HTTP-43).
    pub async fn invoke(&self, request: InvokeTool) -> CallOutcome {
        self.invoke_for(self.inner.caller, request).await
    }

    /// The same for somebody else than this hall's own caller.
    pub(crate) async fn invoke_for(&self, caller: Caller, request: InvokeTool) -> CallOutcome {
        self.invoke_by(caller, None, request).await
    }

    /// The same for a process of a member, which the policies for agents bind; `from` is its name in
    /// the history.
    pub(super) async fn invoke_bound(&self, from: &str, request: InvokeTool) -> CallOutcome {
        self.invoke_by(Caller::Agent, Some(from), request).await
    }

    /// Invokes a tool for a command in a hall of its own. A command that is a process of a member is
    /// bound by the policies for agents, as it is at the socket of a hall that runs.
    pub async fn invoke_alone(&self, request: InvokeTool) -> CallOutcome {
        let data_dir = self.paths().data_dir.clone();
        let inspecting = tokio::task::spawn_blocking(move || own_caller(&data_dir));
        match inspecting.await {
            Ok(None) => self.invoke(request).await,
            Ok(Some(from)) => self.invoke_bound(&from, request).await,
            Err(_) => self.invoke_bound(UNKNOWN_PROCESS, request).await,
        }
    }

    async fn invoke_by(
        &self,
        caller: Caller,
        bound: Option<&str>,
        request: InvokeTool,
    ) -> CallOutcome {
        let started_at_ms = now_ms();
        let started = Instant::now();
        let InvokeTool {
            call,
            member,
            tool,
            arguments,
            ..
        } = request.clone();
        let ending = self.inner.ending.token();
        let index = &self.inner.context.index;
        let sent = SentRequest::default();
        // As it is known now: when the call has ended, its tool may be gone.
        let spec = self.spec_of(&member, &tool);
        // Before anybody hears of it, so that whoever does can cancel it.
        let registered = self.register(&call);
        let told = registered.is_ok();
        let end = match registered {
            Ok(registered) => {
                index.tell(HallEvent::CallStarted {
                    call: call.clone(),
                    member: member.clone(),
                    tool: tool.clone(),
                });
                let ended = tokio::select! {
                    ended = self.permitted(bound, request, &registered.token, &sent) => ended,
                    // What runs is told by its own token; this ends what only waits.
                    failed = given_up(&registered.token) => Err(failed),
                };
                drop(registered);
                ended
            }
            Err(report) => Err(report.into()),
        };
        let duration_ms = millis(started.elapsed());
        let (mut end, structured) = match end {
            Ok(result) => {
                let tools = self.tools_with(&member, &tool);
                let promised = tools.map(|tools| (tools, tool.clone()));
                let ended = ended(result, promised).await;
                let structured = ended.structured.map(|checked| checked.told());
                (ended.end, structured.map(StructuredCheck::from))
            }
            Err(failed) => {
                let failed = self.or_closing(failed);
                (failed.into_end(&member), None)
            }
        };
        index.hide_in(&mut end);
        let (is_error, error) = match &end {
            CallEnd::Result { is_error, .. } => (*is_error, None),
            CallEnd::Failed { report, .. } => (false, Some(report.clone())),
        };
        // One that was never begun may have the id of one that runs.
        if told {
            index.tell(HallEvent::CallFinished {
                call: call.clone(),
                member: member.clone(),
                tool: tool.clone(),
                duration_ms,
                is_error,
                error,
            });
        }
        let outcome = CallOutcome {
            call,
            member,
            tool,
            started_at_ms,
            duration_ms,
            request: sent.text(),
            structured,
            end,
        };
        self.record((caller, bound), &outcome, &arguments, spec);
        drop(ending);
        outcome
    }

    /// Cancels a call that runs; one that has ended is left alone.
    pub fn cancel_call(&self, call: &CallId) {
        if let Some(token) = self.running().get(call) {
            token.cancel();
        }
    }

    pub(super) fn register(&self, call: &CallId) -> Result<Registered, Report> {
        let mut running = self.running();
        if self.inner.closing.is_cancelled() {
            return Err(Report::told(Code::ShuttingDown, &CallTrouble::Closing));
        }
        if running.len() >= CALLS_MAX {
            let trouble = CallTrouble::TooMany(CALLS_MAX);
            return Err(Report::told(Code::TooManyCalls, &trouble));
        }
        if running.contains_key(call) {
            let trouble = CallTrouble::SameId(format!("{:?}", call.as_str()));
            return Err(Report::told(Code::TooManyCalls, &trouble));
        }
        let token = self.inner.closing.child_token();
        running.insert(call.clone(), token.clone());
        Ok(Registered {
            hall: self.clone(),
            call: call.clone(),
            token,
        })
    }

    /// Carries a call out, unless it is bound by policies that do not allow it.
    async fn permitted(
        &self,
        bound: Option<&str>,
        mut request: InvokeTool,
        cancel: &CancellationToken,
        sent: &SentRequest,
    ) -> Result<Box<RawValue>, Failed> {
        if let Some(from) = bound {
            let agents = self.agents().await;
            let called = (&request.member, &request.tool);
            let changed = agents
                .permit_bound(from, called, &request.arguments)
                .await?;
            request.arguments = changed.unwrap_or(request.arguments);
            // Only a person sends what does not fit.
            request.check = ArgumentCheck::Refuse;
        }
        self.carry_out(request, cancel, sent).await
    }

    async fn carry_out(
        &self,
        request: InvokeTool,
        cancel: &CancellationToken,
        sent: &SentRequest,
    ) -> Result<Box<RawValue>, Failed> {
        let InvokeTool {
            call,
            member,
            tool,
            arguments,
            check,
            timeout_ms,
        } = request;
        let handle = self.member(&member)?;
        let known = self.tools_with(&member, &tool);
        if let Some(report) = known.as_ref().and_then(|tools| tools.unconfirmed()) {
            return Err(report.into());
        }
        // Refused before anything is started, where the schema is known.
        let checked = match known {
            Some(tools) => Some(admit(tools, &tool, arguments.clone(), check).await?),
            None => None,
        };
        let loan = self.borrow(&handle, &call).await?;
        let checked = match checked {
            Some(checked) => checked,
            None => {
                // The list of last time doesn't have it: the one of this start may.
                handle
                    .ask(|reply| Command::Start {
                        by: StartedBy::Roster,
                        reply,
                    })
                    .await?;
                let tools = self
                    .tools_with(&member, &tool)
                    .ok_or_else(|| self.snapshot().unknown_tool(&member, &tool))?;
                admit(tools, &tool, arguments, check).await?
            }
        };
        let manifest = self.manifest(&member);
        let limit = timeout_ms
            .map_or_else(
                || limit_of(manifest.as_deref(), &tool, &self.limits()),
                Duration::from_millis,
            )
            .min(LIMIT_MAX);
        let errand = Errand {
            label: Label {
                call,
                tool: Some(tool.clone()),
            },
            limit,
            cancel: cancel.clone(),
            sent: sent.clone(),
        };
        let arguments = to_raw_value(&checked).map_err(|error| {
            let trouble = CallTrouble::Unwritable(error.to_string());
            Report::told(Code::ArgumentsNotJson, &trouble).of(&member)
        })?;
        // The result stays text: read, one of many short values would take twenty times its size.
        let ask = async |session: &Session, options| {
            session.call_text(&tool, Some(&arguments), options).await
        };
        self.ask_session(&handle, &loan, errand, ask).await
    }

    /// Asks something of a session that was lent: progress is passed on, the end of the member
    /// ends it, and what has no answer becomes a failure in words.
    pub(super) async fn ask_session<T, A>(
        &self,
        handle: &MemberHandle,
        loan: &Loan,
        errand: Errand,
        ask: A,
    ) -> Result<T, Failed>
    where
        A: AsyncFnOnce(&Session, CallOptions) -> Result<T, McpError>,
    {
        let Errand {
            label,
            limit,
            cancel,
            sent,
        } = errand;
        let (progress, passing_on) = self.pass_progress_on(label.call.clone());
        let options = CallOptions {
            limit,
            progress: Some(progress),
            cancel: cancel.child_token(),
            label: Some(label),
            sent,
            asking: None,
            hearing: None,
        };
        let answered = tokio::select! {
            // A result that is there counts, whatever became of its server since.
            biased;
            answered = ask(&loan.session, options) => answered,
            () = loan.gone.cancelled() => return Err(interrupted(&self.snapshot(), handle)),
        };
        // What the server said before its answer is told before the answer; a session that keeps
        // its end of the channel does not hold up the answer.
        let _ = tokio::time::timeout(LAST_PROGRESS, passing_on).await;
        match answered {
            Ok(result) => Ok(result),
            Err(error) => Err(no_answer(&self.inner.context.index, handle, loan, error).await),
        }
    }

    /// The member's manifest, where it can be used.
    pub(super) fn manifest(&self, member: &MemberName) -> Option<Arc<Manifest>> {
        self.inner.members.manifest(member)
    }

    /// The member's tools, if the tool is among them.
    pub(super) fn tools_with(&self, member: &MemberName, tool: &ToolName) -> Option<Arc<ToolSet>> {
        self.snapshot().tools_with(member, tool)
    }

    /// Borrows the member's session, and says so when the member has to be started for it.
    pub(super) async fn borrow(
        &self,
        handle: &MemberHandle,
        call: &CallId,
    ) -> Result<Loan, Report> {
        if !self.is_ready(&handle.name) {
            self.inner.context.index.tell(HallEvent::CallProgress {
                call: call.clone(),
                progress: Progress {
                    progress: 0.0,
                    total: None,
                    message: Some(CallNote::Starting(handle.name.clone()).told()),
                },
            });
        }
        handle.ask(|reply| Command::Lend { reply }).await
    }

    /// Whether the member is up.
    pub(super) fn is_ready(&self, member: &MemberName) -> bool {
        let snapshot = self.snapshot();
        let entry = snapshot.members.get(member);
        entry.is_some_and(|entry| entry.view.status == Status::Ready)
    }

    fn pass_progress_on(
        &self,
        call: CallId,
    ) -> (mpsc::Sender<Progress>, tokio::task::JoinHandle<()>) {
        let (sender, mut received) = mpsc::channel(PROGRESS_WAITING);
        let index = Arc::clone(&self.inner.context.index);
        let task = tokio::spawn(async move {
            while let Some(progress) = received.recv().await {
                index.tell(HallEvent::CallProgress {
                    call: call.clone(),
                    progress,
                });
            }
        });
        (sender, task)
    }
}

/// A call that can be cancelled while this lives.
pub(super) struct Registered {
    hall: Hall,
    call: CallId,
    pub(super) token: CancellationToken,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.hall.running().remove(&self.call);
        self.hall.inner.call_over.notify_one();
    }
}

/// A span of time as it is told.
pub(super) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
