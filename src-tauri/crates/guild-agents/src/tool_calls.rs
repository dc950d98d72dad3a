//! Executes an agent's call, from the tool's name to the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::join_all;
use guild_api::event::Progress;
use guild_api::wire::{ArgumentCheck, Caller};
use guild_catalog::menu::{self, MenuCall, MenuTool};
use guild_gateway::{AgentCall, GatewayError, GatewayRequestContext, ResponseChannels};
use guild_mcp_client::{CallOptions, RequestMeta, SentRequest};
use guild_model::manifest::Policy;
use guild_model::{CallId, MemberName};
use serde_json::value::RawValue;

use super::added_fields::without_added;
use super::approvals::{ApprovalConsent, ApprovalRequest};
use super::backend::{AgentBackend, refusal};
use super::structured_content::with_structure;
use super::traffic::name_of;
use super::view::{ExposedTool, View};
use super::withheld::denied;
use guild_supervisor::calls::{
    CallClock, CallFailure, CallOrigin, RawArguments, Requester, STILL_WAITING, ToolCall, cancelled,
};

impl AgentBackend {
    /// Returns the current view of the requested endpoint.
    ///
    /// # Errors
    /// When the endpoint does not exist.
    pub(super) fn view(&self, context: &GatewayRequestContext) -> Result<Arc<View>, GatewayError> {
        let view = self.agents.view(&context.endpoint);
        view.map_err(|report| refusal(&report))
    }

    /// Calls a menu tool or a member's tool. The result has the form that the client requires.
    pub(super) async fn call_tool(
        &self,
        context: &GatewayRequestContext,
        call: AgentCall,
    ) -> Result<Box<RawValue>, GatewayError> {
        let result = self.call_named(context, call).await?;
        Ok(with_structure(result, &context.calls_itself))
    }

    async fn call_named(
        &self,
        context: &GatewayRequestContext,
        call: AgentCall,
    ) -> Result<Box<RawValue>, GatewayError> {
        let AgentCall {
            name,
            arguments,
            meta,
            back,
        } = call;
        if let Some(menu) = MenuTool::by_name(&name) {
            let client = &context.calls_itself;
            let arguments = arguments.map(|arguments| without_added(arguments, client, None));
            return self.call_menu(context, menu, arguments, meta, back).await;
        }
        let mut view = self.view(context)?;
        if !view.has(&name) {
            view = self.view_with(context, &name, &back).await?;
        }
        match view.callable(&name, context.shows_apps) {
            Some(tool) => {
                self.call_member(context, (&view, tool), arguments, meta, back)
                    .await
            }
            None => Err(refusal(&view.why_not(&name))),
        }
    }

    async fn call_menu(
        &self,
        context: &GatewayRequestContext,
        tool: MenuTool,
        arguments: Option<Box<RawValue>>,
        meta: RequestMeta,
        back: ResponseChannels,
    ) -> Result<Box<RawValue>, GatewayError> {
        let asked = match tool.read(arguments.as_deref()) {
            Ok(asked) => asked,
            Err(wrong) => return raw(menu::tool_error(&wrong)),
        };
        match asked {
            MenuCall::Search { task, limit } => {
                raw(self.search_tools(context, &task, limit, &back).await?)
            }
            MenuCall::Describe { name } => raw(menu::described(
                &self.describe_tool(context, &name, &back).await,
            )),
            MenuCall::DescribeBatch { names } => {
                let each = names
                    .iter()
                    .map(|name| self.describe_tool(context, name, &back));
                raw(menu::described_batch(&join_all(each).await).0)
            }
            MenuCall::CallRead { name, arguments } | MenuCall::CallWrite { name, arguments } => {
                let view = self.view_with(context, &name, &back).await?;
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
                        "{name} {why}. Call it with {}.",
                        MenuTool::CallWrite.name()
                    )));
                }
                self.call_member(context, (&view, called), arguments, meta, back)
                    .await
            }
            MenuCall::ReadResult { handle, part } => {
                raw(self.read_result(context, &handle, part).await?)
            }
        }
    }

    /// Calls a member's tool. The error for invalid arguments contains the tool's schema, so that
    /// the agent can correct its call at once. A result that exceeds the endpoint's limit is cut.
    async fn call_member(
        &self,
        context: &GatewayRequestContext,
        (view, tool): (&View, &ExposedTool),
        arguments: Option<Box<RawValue>>,
        meta: RequestMeta,
        back: ResponseChannels,
    ) -> Result<Box<RawValue>, GatewayError> {
        let spec = &tool.tool().spec;
        let schema = spec.input_schema();
        let arguments = match arguments {
            Some(arguments) => without_added(arguments, &context.calls_itself, Some(schema)),
            None => RawValue::from_string("{}".to_owned()).map_err(unserialized)?,
        };
        let call = ToolCall {
            id: new_call(),
            member: tool.member.clone(),
            tool: spec.name().clone(),
            arguments: RawArguments::Json(arguments.into()),
            check: ArgumentCheck::Refuse,
            limit: None,
            clock: CallClock::start(),
            meta,
        };
        let agent = AgentRequester {
            backend: self,
            context,
            tool,
            back: &back,
        };
        let recorded = (call.id.clone(), call.clock.started_at_ms);
        let failed = match self.agents.calls.call(&agent, call).await {
            Ok(result) => return self.limited(context, (view, tool), recorded, result).await,
            Err(failed) => failed,
        };
        match failed.wrong_arguments().as_slice() {
            [] => Err(refused(&tool.member, failed)),
            errors => {
                let wrong = menu::wrong_arguments(&tool.name, errors, &schema.to_string());
                raw(menu::tool_error(&wrong))
            }
        }
    }

    /// Waits for a person's decision and reports progress, so that the agent continues to
    /// wait.
    pub(super) async fn ask_person(
        &self,
        asked: ApprovalRequest,
        back: &ResponseChannels,
    ) -> Result<ApprovalConsent, CallFailure> {
        let approvals = &self.agents.approvals;
        let waits = match approvals.has_window() {
            true => "Waiting for the user to allow this call in Guild Hall",
            false => "Waiting for the user to allow this call: guildhall approvals",
        };
        let by_client = back.asking.as_ref().filter(|_| !approvals.has_window());
        let by_client = by_client.and_then(|client| asked.by_client(&**client));
        let asking = approvals.ask(asked, by_client);
        tokio::pin!(asking);
        let mut ticks = tokio::time::interval(STILL_WAITING);
        let mut steps = 0.0;
        loop {
            tokio::select! {
                consent = &mut asking => {
                    return Ok(consent?);
                }
                () = back.cancel.cancelled() => {
                    return Err(cancelled());
                }
                _ = ticks.tick() => {
                    steps += 1.0;
                    report_progress(back, steps, waits.into());
                }
            }
        }
    }
}

/// An agent's call of a member's tool.
struct AgentRequester<'a> {
    backend: &'a AgentBackend,
    context: &'a GatewayRequestContext,
    tool: &'a ExposedTool,
    back: &'a ResponseChannels,
}

impl Requester for AgentRequester<'_> {
    fn origin(&self) -> CallOrigin<'_> {
        CallOrigin {
            caller: Caller::Agent,
            client: Some(name_of(self.context)),
            session: self.context.session.as_deref(),
        }
    }

    fn is_paced(&self) -> bool {
        true
    }

    async fn consent(&self, arguments: &str) -> Result<Option<String>, CallFailure> {
        let ruling = self.tool.ruling;
        match ruling.policy {
            Policy::Allow => return Ok(None),
            Policy::Ask => {}
            Policy::Deny => return Err(denied(ruling).of(&self.tool.member).into()),
        }
        let asked = ApprovalRequest {
            client: name_of(self.context).to_owned(),
            member: self.tool.member.clone(),
            tool: self.tool.tool().spec.name().clone(),
            arguments: arguments.to_owned(),
        };
        let consent = self.backend.ask_person(asked, self.back).await?;
        let agents = &self.backend.agents;
        if consent.always {
            // If the policy can't be saved, this call still continues, and the next call asks
            // again. The log has the reason.
            let spec = self.tool.tool().spec.clone();
            let allowing = agents.allow_always(&self.context.endpoint, &self.tool.member, spec);
            if let Err(report) = allowing.await {
                tracing::warn!("{report}");
            }
        }
        if self.back.cancel.is_cancelled() {
            return Err(cancelled());
        }
        // While the person decided, the tool may have been removed, or another tool may have got
        // its name.
        let view = agents.view(&self.context.endpoint)?;
        match view.callable(&self.tool.name, self.context.shows_apps) {
            Some(tool) if tool.is_same_as(self.tool) => Ok(consent.arguments),
            Some(_) | None => Err(view.why_not(&self.tool.name).into()),
        }
    }

    async fn refuse_again(&self) -> Result<(), CallFailure> {
        let snapshot = self.backend.agents.roster.snapshot();
        let entry = snapshot.members.get(&self.tool.member);
        // If the member's changes are withheld, a tool that has just changed must not be called.
        if entry.is_some_and(|entry| entry.view.trust.holds) {
            self.backend.still_offered(self.context, self.tool).await?;
        }
        Ok(())
    }

    fn starting(&self, step: u32) {
        starting(self.back, &self.tool.member, step);
    }

    fn options(&self) -> CallOptions {
        options_of(self.back)
    }
}

pub(super) fn starting(back: &ResponseChannels, member: &MemberName, step: u32) {
    report_progress(back, f64::from(step), format!("Starting {member}"));
}

/// Returns call options that report progress back to the waiting agent.
pub(super) fn options_of(back: &ResponseChannels) -> CallOptions {
    CallOptions {
        limit: Duration::MAX,
        progress: back.progress.clone(),
        cancel: back.cancel.clone(),
        label: None,
        sent: SentRequest::default(),
        asking: back.asking.clone(),
        hearing: back.hearing.clone(),
        meta: None,
        task: false,
        task_limit: Duration::ZERO,
    }
}

/// Converts a failed request to an error for the agent. A JSON-RPC error of the member stays
/// unchanged, except that the member's name is added before its message.
pub(super) fn refused(member: &MemberName, failed: CallFailure) -> GatewayError {
    match failed.rpc {
        Some(rpc) => GatewayError {
            code: rpc.code,
            message: format!("{member}: {}", rpc.message),
            data: rpc.data,
        },
        None => refusal(&failed.report.of(member)),
    }
}

fn new_call() -> CallId {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    CallId::numbered("agent", CALLS.fetch_add(1, Ordering::Relaxed))
}

pub(super) fn report_progress(back: &ResponseChannels, steps: f64, message: String) {
    if let Some(progress) = &back.progress {
        // If the channel is full, this message is dropped.
        let _ = progress.try_send(Progress {
            progress: steps,
            total: None,
            message: Some(message),
        });
    }
}

fn raw(result: String) -> Result<Box<RawValue>, GatewayError> {
    RawValue::from_string(result).map_err(unserialized)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn unserialized(error: serde_json::Error) -> GatewayError {
    GatewayError::new(
        GatewayError::INTERNAL,
        format!("The response could not be serialized: {error}."),
    )
}
