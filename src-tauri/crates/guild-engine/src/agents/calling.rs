//! A call of an agent, from its name to its result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use guild_core::agents::menu::{self, MenuCall, MenuTool};
use guild_core::arguments::parse_exact;
use guild_core::event::Progress;
use guild_core::manifest::Policy;
use guild_core::note::CallTrouble;
use guild_core::wire::{ArgumentError, RpcError};
use guild_core::{CallId, Code, Report};
use guild_mcp::gateway::{AgentCall, Refusal, Visit, WayBack};
use guild_mcp::{CallOptions, Label, McpError, SentRequest};
use serde_json::Value;
use serde_json::value::RawValue;

use super::added::without_added;
use super::approvals::{Asked, Consent};
use super::directory::{Door, refusal};
use super::recording::Begun;
use super::structured::with_structure;
use super::traffic::name_of;
use super::view::Offered;
use crate::calls::{self, LIMIT_MAX, limit_of};
use crate::member::{Command, Loan, MemberHandle};

/// Arguments of up to so many bytes are checked where they are; longer ones on a thread that may
/// be busy.
const CHECKED_HERE: usize = 16 << 10;
/// How often an agent hears that its call waits for a person, so that it does not give up.
pub(super) const STILL_WAITING: Duration = Duration::from_secs(10);

impl Door {
    /// Calls a tool of the menu or of a member; the result is one that the client accepts.
    pub(super) async fn call_tool(
        &self,
        visit: &Visit,
        call: AgentCall,
    ) -> Result<Box<RawValue>, Refusal> {
        let result = self.call_named(visit, call).await?;
        Ok(with_structure(result, &visit.calls_itself))
    }

    async fn call_named(&self, visit: &Visit, call: AgentCall) -> Result<Box<RawValue>, Refusal> {
        let AgentCall {
            name,
            arguments,
            back,
        } = call;
        if let Some(menu) = MenuTool::by_name(&name) {
            let client = &visit.calls_itself;
            let arguments = arguments.map(|arguments| without_added(arguments, client, None));
            return self.call_menu(visit, menu, arguments, back).await;
        }
        let view = self.view_with(visit, &name, &back).await?;
        match view.get(&name) {
            Some(tool) => self.call_member(visit, tool, arguments, back).await,
            None => Err(refusal(&view.why_not(&name))),
        }
    }

    async fn call_menu(
        &self,
        visit: &Visit,
        tool: MenuTool,
        arguments: Option<Box<RawValue>>,
        back: WayBack,
    ) -> Result<Box<RawValue>, Refusal> {
        let asked = match tool.read(arguments.as_deref()) {
            Ok(asked) => asked,
            Err(wrong) => return raw(menu::tool_error(&wrong)),
        };
        match asked {
            MenuCall::Search { task, limit } => {
                raw(self.searched(visit, &task, limit, &back).await?)
            }
            MenuCall::Describe { name } => {
                raw(menu::described(&self.described(visit, &name, &back).await))
            }
            MenuCall::DescribeBatch { names } => {
                let each = names.iter().map(|name| self.described(visit, name, &back));
                raw(menu::described_batch(&join_all(each).await).0)
            }
            MenuCall::CallRead { name, arguments } | MenuCall::CallWrite { name, arguments } => {
                let view = self.view_with(visit, &name, &back).await?;
                let Some(called) = view.get(&name) else {
                    let not = view.describe(&name).outcome.err();
                    return raw(menu::tool_error(
                        &not.map(|not| not.text()).unwrap_or_default(),
                    ));
                };
                if tool == MenuTool::CallRead && !called.reads {
                    let why = match called.is_doubted() {
                        true => {
                            "says that it only reads, but its name or description says otherwise"
                        }
                        false => "does not say that it only reads",
                    };
                    return raw(menu::tool_error(&format!(
                        "{name} {why}: call it by {}.",
                        MenuTool::CallWrite.name()
                    )));
                }
                self.call_member(visit, called, arguments, back).await
            }
        }
    }

    /// Calls a member's tool: checks the arguments, asks a person where the policy wants it, starts
    /// the member if it is down.
    async fn call_member(
        &self,
        visit: &Visit,
        tool: &Offered,
        arguments: Option<Box<RawValue>>,
        back: WayBack,
    ) -> Result<Box<RawValue>, Refusal> {
        let schema = tool.tool().spec.input_schema();
        let mut arguments = match arguments {
            Some(arguments) => without_added(arguments, &visit.calls_itself, Some(schema)),
            None => RawValue::from_string("{}".to_owned()).map_err(internal)?,
        };
        let started = Instant::now();
        match self.wrong_with(tool, arguments.get()).await {
            Ok(errors) if errors.is_empty() => {}
            Ok(errors) => return self.wrong_arguments(tool, &errors),
            Err(report) => return Err(refusal(&report.of(&tool.member))),
        }
        let fresh;
        let mut tool = tool;
        if tool.ruling.policy == Policy::Ask {
            if let Some(changed) = self.consent(visit, tool, arguments.get(), &back).await? {
                arguments = RawValue::from_string(changed).map_err(internal)?;
            }
            if back.cancel.is_cancelled() {
                return Err(refusal(&cancelled(tool)));
            }
            // While a person thought, the tool may have been taken away.
            fresh = self.agents.view(&visit.endpoint);
            let fresh = fresh.as_ref().map_err(refusal)?;
            let again = fresh.get(&tool.name);
            tool = again.ok_or_else(|| refusal(&fresh.why_not(&tool.name)))?;
        }
        let arguments: Arc<RawValue> = arguments.into();
        // From here on it is in the history, whatever becomes of it and of whoever waits for it.
        let begun = Begun::new(&self.agents, visit, tool, &arguments, started);
        let asking = self.ask_member(visit, tool, &arguments, &back, begun.call());
        match asking.await {
            Ok(result) => {
                let answered = begun.answered(result).await;
                answered.map_err(|report| refusal(&report))
            }
            Err(failed) => {
                begun.failed(failed.report, failed.rpc);
                Err(failed.refusal)
            }
        }
    }

    /// What is wrong with arguments.
    async fn wrong_with(&self, tool: &Offered, text: &str) -> Result<Vec<ArgumentError>, Report> {
        if text.len() <= CHECKED_HERE && tool.tool().has_validator() {
            let read = parse_exact(text).map_err(|error| error.report())?;
            let checked = tool.tool().validator().check(&Value::Object(read));
            return Ok(checked.told().errors);
        }
        let name = tool.tool().spec.name().clone();
        let set = Arc::clone(tool.set());
        match calls::check(set, name, text.to_owned()).await {
            Ok((_, checked)) => Ok(checked.told().errors),
            Err(refused) => Err(refused.into_report()),
        }
    }

    /// The schema with what is wrong, so that an agent mends its call without asking for it.
    fn wrong_arguments(
        &self,
        tool: &Offered,
        errors: &[ArgumentError],
    ) -> Result<Box<RawValue>, Refusal> {
        let schema = tool.tool().spec.input_schema().to_string();
        raw(menu::tool_error(&menu::wrong_arguments(
            &tool.name, errors, &schema,
        )))
    }

    /// Waits for a person's consent; gives the arguments where they were changed.
    async fn consent(
        &self,
        visit: &Visit,
        tool: &Offered,
        arguments: &str,
        back: &WayBack,
    ) -> Result<Option<String>, Refusal> {
        let asked = Asked {
            client: name_of(visit).to_owned(),
            member: tool.member.clone(),
            tool: tool.tool().spec.name().clone(),
            arguments: arguments.to_owned(),
        };
        let consent = self.ask_person(asked, back).await?;
        if consent.always {
            let agents = Arc::clone(&self.agents);
            // This call goes on; the next one asks again, and the log says why.
            let manifest = self.agents.members.manifest(&tool.member);
            let allowing = agents.allow_always(&visit.endpoint, tool, manifest);
            if let Err(report) = allowing.await {
                tracing::warn!("{report}");
            }
        }
        Ok(consent.arguments)
    }

    /// Waits for a person's decision, and tells the agent so that it waits too.
    pub(super) async fn ask_person(
        &self,
        asked: Asked,
        back: &WayBack,
    ) -> Result<Consent, Refusal> {
        let desk = &self.agents.approvals;
        let member = asked.member.clone();
        let waits = match desk.has_window() {
            true => "Waiting for the user to allow this call in Guild Hall",
            false => "Waiting for the user to allow this call: guildhall approvals",
        };
        let by_client = back.asking.as_ref().filter(|_| !desk.has_window());
        let by_client = by_client.and_then(|client| asked.by_client(&**client));
        let asking = desk.ask(asked, by_client);
        tokio::pin!(asking);
        let mut told = tokio::time::interval(STILL_WAITING);
        let mut steps = 0.0;
        loop {
            tokio::select! {
                consent = &mut asking => {
                    return consent.map_err(|report| refusal(&report.of(&member)));
                }
                () = back.cancel.cancelled() => {
                    return Err(Refusal::new(Refusal::INTERNAL, "The call was cancelled."));
                }
                _ = told.tick() => {
                    steps += 1.0;
                    tell(back, steps, waits.into());
                }
            }
        }
    }

    async fn ask_member(
        &self,
        visit: &Visit,
        tool: &Offered,
        arguments: &RawValue,
        back: &WayBack,
        call: &CallId,
    ) -> Result<Box<RawValue>, Failed> {
        let name = tool.tool().spec.name();
        let handle = self
            .agents
            .members
            .member(&tool.member)
            .map_err(Failed::of)?;
        let loan = match handle.borrow_now() {
            Some(loan) => loan,
            None => {
                let starting = self.start_for(tool, &handle, back);
                tokio::select! {
                    loan = starting => loan.map_err(|report| Failed::of(report.of(&tool.member)))?,
                    () = back.cancel.cancelled() => return Err(Failed::of(cancelled(tool))),
                }
            }
        };
        tokio::select! {
            offered = self.still_offered(visit, tool) => offered.map_err(Failed::of)?,
            () = back.cancel.cancelled() => return Err(Failed::of(cancelled(tool))),
        }
        let members = &self.agents.members;
        let manifest = members.manifest(&tool.member);
        let options = CallOptions {
            limit: limit_of(manifest.as_deref(), name, &members.limits()).min(LIMIT_MAX),
            progress: back.progress.clone(),
            cancel: back.cancel.clone(),
            label: Some(Label {
                call: call.clone(),
                tool: Some(name.clone()),
            }),
            // Nobody looks at it.
            sent: SentRequest::default(),
            asking: back.asking.clone(),
            hearing: back.hearing.clone(),
        };
        let answered = tokio::select! {
            // A result that is there counts, whatever became of its server since.
            biased;
            answered = loan.session.call_text(name, Some(arguments), options) => answered,
            () = loan.gone.cancelled() => {
                let report = calls::interrupted(&self.agents.index.snapshot(), &handle).into_report();
                return Err(Failed::of(report.of(&tool.member)));
            }
        };
        match answered {
            Ok(result) => Ok(result),
            Err(error @ McpError::Rpc(_)) => Err(Failed::rpc(tool, &error)),
            Err(error) => {
                let failed = calls::no_answer(&self.agents.index, &handle, &loan, error).await;
                Err(Failed::of(failed.into_report().of(&tool.member)))
            }
        }
    }

    /// Has the member started, and tells the agent so that it waits.
    async fn start_for(
        &self,
        tool: &Offered,
        handle: &MemberHandle,
        back: &WayBack,
    ) -> Result<Loan, Report> {
        let lending = handle.ask(|reply| Command::Lend { reply });
        tokio::pin!(lending);
        let mut told = tokio::time::interval(STILL_WAITING);
        let mut steps = 0.0;
        loop {
            tokio::select! {
                biased;
                loan = &mut lending => return loan,
                _ = told.tick() => {
                    steps += 1.0;
                    tell(back, steps, format!("{} is being started", tool.member));
                }
            }
        }
    }
}

/// A call without a result.
struct Failed {
    refusal: Refusal,
    report: Report,
    rpc: Option<RpcError>,
}

impl Failed {
    fn of(report: Report) -> Self {
        Self {
            refusal: refusal(&report),
            report,
            rpc: None,
        }
    }

    /// The member's own error goes to the agent as it is.
    fn rpc(tool: &Offered, error: &McpError) -> Self {
        let report = error.report().of(&tool.member);
        let rpc = error.rpc();
        let refusal = match &rpc {
            Some(rpc) => Refusal {
                code: rpc.code,
                message: format!("{}: {}", tool.member, rpc.message),
                data: rpc.data.clone(),
            },
            None => refusal(&report),
        };
        Self {
            refusal,
            report,
            rpc,
        }
    }
}

fn cancelled(tool: &Offered) -> Report {
    Report::told(Code::CallCancelled, &CallTrouble::Cancelled).of(&tool.member)
}

pub(super) fn tell(back: &WayBack, steps: f64, message: String) {
    if let Some(progress) = &back.progress {
        // A step that finds no room is dropped, like any other.
        let _ = progress.try_send(Progress {
            progress: steps,
            total: None,
            message: Some(message),
        });
    }
}

fn raw(result: String) -> Result<Box<RawValue>, Refusal> {
    RawValue::from_string(result).map_err(internal)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn internal(error: serde_json::Error) -> Refusal {
    Refusal::new(
        Refusal::INTERNAL,
        format!("The answer could not be written: {error}."),
    )
}
