//! Executes an agent's call, from the tool's name to the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::join_all;
use guild_api::event::Progress;
use guild_api::wire::{ArgumentCheck, Caller};
use guild_catalog::menu::{self, MenuCall, MenuTool};
use guild_gateway::{AgentCall, GatewayError, GatewayRequestContext, WayBack};
use guild_mcp_client::{CallOptions, SentRequest};
use guild_model::manifest::Policy;
use guild_model::{CallId, MemberName};
use serde_json::value::RawValue;

use super::added::without_added;
use super::approvals::{ApprovalConsent, ApprovalRequest};
use super::directory::{Door, refusal};
use super::structured::with_structure;
use super::traffic::name_of;
use super::view::{Offered, View};
use super::withheld::denied;
use guild_supervisor::calls::{
    CallClock, CallFailure, RawArguments, Requester, STILL_WAITING, ToolCall, cancelled,
};

impl Door {
    /// Returns the current view of the requested endpoint.
    ///
    /// # Errors
    /// When the endpoint does not exist.
    pub(super) fn look(&self, visit: &GatewayRequestContext) -> Result<Arc<View>, GatewayError> {
        let view = self.agents.view(&visit.endpoint);
        view.map_err(|report| refusal(&report))
    }

    /// Calls a menu tool or a member's tool. The result has a form that the client accepts.
    pub(super) async fn call_tool(
        &self,
        visit: &GatewayRequestContext,
        call: AgentCall,
    ) -> Result<Box<RawValue>, GatewayError> {
        let result = self.call_named(visit, call).await?;
        Ok(with_structure(result, &visit.calls_itself))
    }

    async fn call_named(
        &self,
        visit: &GatewayRequestContext,
        call: AgentCall,
    ) -> Result<Box<RawValue>, GatewayError> {
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
        let mut view = self.look(visit)?;
        if !view.has(&name) {
            view = self.view_with(visit, &name, &back).await?;
        }
        match view.get(&name) {
            Some(tool) => self.call_member(visit, tool, arguments, back).await,
            None => Err(refusal(&view.why_not(&name))),
        }
    }

    async fn call_menu(
        &self,
        visit: &GatewayRequestContext,
        tool: MenuTool,
        arguments: Option<Box<RawValue>>,
        back: WayBack,
    ) -> Result<Box<RawValue>, GatewayError> {
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

    /// Calls a member's tool. The answer to invalid arguments contains the tool's schema, so that
    /// the agent can correct its call at once.
    async fn call_member(
        &self,
        visit: &GatewayRequestContext,
        tool: &Offered,
        arguments: Option<Box<RawValue>>,
        back: WayBack,
    ) -> Result<Box<RawValue>, GatewayError> {
        let spec = &tool.tool().spec;
        let schema = spec.input_schema();
        let arguments = match arguments {
            Some(arguments) => without_added(arguments, &visit.calls_itself, Some(schema)),
            None => RawValue::from_string("{}".to_owned()).map_err(internal)?,
        };
        let call = ToolCall {
            id: new_call(),
            member: tool.member.clone(),
            tool: spec.name().clone(),
            arguments: RawArguments::Json(arguments.into()),
            check: ArgumentCheck::Refuse,
            limit: None,
            clock: CallClock::start(),
        };
        let agent = AgentRequester {
            door: self,
            visit,
            tool,
            back: &back,
        };
        let failed = match self.agents.calls.call(&agent, call).await {
            Ok(result) => return Ok(result),
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

    /// Waits for a person's decision, and reports progress so that the agent keeps waiting.
    pub(super) async fn ask_person(
        &self,
        asked: ApprovalRequest,
        back: &WayBack,
    ) -> Result<ApprovalConsent, CallFailure> {
        let desk = &self.agents.approvals;
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
                    return Ok(consent?);
                }
                () = back.cancel.cancelled() => {
                    return Err(cancelled());
                }
                _ = told.tick() => {
                    steps += 1.0;
                    tell(back, steps, waits.into());
                }
            }
        }
    }
}

/// An agent's call of a member's tool.
struct AgentRequester<'a> {
    door: &'a Door,
    visit: &'a GatewayRequestContext,
    tool: &'a Offered,
    back: &'a WayBack,
}

impl Requester for AgentRequester<'_> {
    fn origin(&self) -> (Caller, Option<&str>) {
        (Caller::Agent, Some(name_of(self.visit)))
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
            client: name_of(self.visit).to_owned(),
            member: self.tool.member.clone(),
            tool: self.tool.tool().spec.name().clone(),
            arguments: arguments.to_owned(),
        };
        let consent = self.door.ask_person(asked, self.back).await?;
        let agents = &self.door.agents;
        if consent.always {
            // If this fails, this call continues, the next one asks again, and the log has the
            // reason.
            let manifest = agents.members.manifest(&self.tool.member);
            let allowing =
                Arc::clone(agents).allow_always(&self.visit.endpoint, self.tool, manifest);
            if let Err(report) = allowing.await {
                tracing::warn!("{report}");
            }
        }
        if self.back.cancel.is_cancelled() {
            return Err(cancelled());
        }
        // While the person decided, the tool may have been removed or its name reassigned.
        let view = agents.view(&self.visit.endpoint)?;
        match view.get(&self.tool.name) {
            Some(tool) if tool.is_same_as(self.tool) => Ok(consent.arguments),
            Some(_) | None => Err(view.why_not(&self.tool.name).into()),
        }
    }

    async fn refuse_again(&self) -> Result<(), CallFailure> {
        let snapshot = self.door.agents.roster.snapshot();
        let entry = snapshot.members.get(&self.tool.member);
        // Only a member under review holds changed tools back.
        if entry.is_some_and(|entry| entry.view.trust.holds) {
            self.door.still_offered(self.visit, self.tool).await?;
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

/// Reports that a member is starting.
pub(super) fn starting(back: &WayBack, member: &MemberName, step: u32) {
    tell(back, f64::from(step), format!("{member} is being started"));
}

/// Returns call options that report progress back to the waiting agent.
pub(super) fn options_of(back: &WayBack) -> CallOptions {
    CallOptions {
        limit: Duration::MAX,
        progress: back.progress.clone(),
        cancel: back.cancel.clone(),
        label: None,
        sent: SentRequest::default(),
        asking: back.asking.clone(),
        hearing: back.hearing.clone(),
    }
}

/// Converts a failed request for the agent. The member's JSON-RPC error stays unchanged except for
/// the member's name as a prefix.
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

pub(super) fn tell(back: &WayBack, steps: f64, message: String) {
    if let Some(progress) = &back.progress {
        // Progress is dropped when the channel is full.
        let _ = progress.try_send(Progress {
            progress: steps,
            total: None,
            message: Some(message),
        });
    }
}

fn raw(result: String) -> Result<Box<RawValue>, GatewayError> {
    RawValue::from_string(result).map_err(internal)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn internal(error: serde_json::Error) -> GatewayError {
    GatewayError::new(
        GatewayError::INTERNAL,
        format!("The answer could not be written: {error}."),
    )
}
