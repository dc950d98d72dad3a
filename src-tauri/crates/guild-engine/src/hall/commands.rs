//! Runs the commands of the table in `guild_api::wire` by name, for the window and for programs at
//! the control socket.
//!
//! Each command has a method of [`GuildHall`] with the same name. [`Commands`] adapts the methods
//! with another signature.

use std::ops::Deref;

use futures::FutureExt;
use futures::future::BoxFuture;
use guild_api::wire::*;
use guild_ipc::messages::HallError;
use guild_model::manifest::SaveExample;
use guild_model::policy::PolicyRules;
use guild_model::{Code, Report};
use guild_schema::validate::CheckedArguments;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::GuildHall;

/// Methods with the names and signatures of the commands. If [`GuildHall`] has a method with the
/// same name, the method here is used.
struct Commands<'a>(&'a GuildHall);

impl Deref for Commands<'_> {
    type Target = GuildHall;

    fn deref(&self) -> &GuildHall {
        self.0
    }
}

/// Generates methods of [`Commands`], each from an expression that uses the hall and the request.
macro_rules! adapters {
    ($($name:ident($hall:ident, $request:tt: $type:ty) -> $response:ty = $answer:expr;)+) => {
        impl Commands<'_> {
            $(async fn $name(&self, $request: $type) -> Result<$response, Report> {
                let $hall = self.0;
                $answer
            })+
        }
    };
}

adapters! {
    app_info(hall, _: Nothing) -> AppInfo = Ok(hall.info());
    roster(hall, _: Nothing) -> RosterView = Ok(hall.roster());
    member_tools(hall, of: MemberRef) -> MemberTools = hall.member_tools(&of.member);
    search_tools(hall, search: SearchTools) -> FoundTools = Ok(hall.search_tools(&search));
    tool_detail(hall, of: ToolRef) -> ToolDetail = hall.tool_detail(&of.member, &of.tool);
    member_detail(hall, of: MemberRef) -> MemberDetail = hall.member_detail(&of.member).await;
    check_arguments(hall, check: CheckArguments) -> CheckedArguments = hall.check_arguments(&check).await;
    invoke_tool(hall, request: InvokeTool) -> CallOutcome = Ok(hall.invoke(request).await);
    invoke_tool_for_app(hall, request: InvokeTool) -> CallOutcome = Ok(hall.invoke_tool_for_app(request).await);
    cancel_call(hall, of: CallRef) -> Nothing = {
        hall.cancel_call(&of.call);
        Ok(Nothing {})
    };
    report_visible_members(hall, look: VisibleMembers) -> Nothing = {
        hall.report_visible_members(look);
        Ok(Nothing {})
    };
    start_member(hall, of: MemberRef) -> MemberView = hall.start_member(&of.member).await;
    stop_member(hall, of: MemberRef) -> MemberView = hall.stop_member(&of.member).await;
    restart_member(hall, of: MemberRef) -> MemberView = hall.restart_member(&of.member).await;
    refresh_member(hall, of: MemberRef) -> MemberTools = hall.refresh_member(&of.member).await;
    refresh_tool_caches(hall, _: Nothing) -> Refreshed = Ok(hall.refresh_tool_caches().await);
    elicitations(hall, _: Nothing) -> Elicitations = Ok(hall.elicitations());
    answer_elicitation(hall, answer: AnswerElicitation) -> Nothing = hall.answer_elicitation(answer).await.map(|()| Nothing {});
    member_offers(hall, of: MemberRef) -> MemberOffers = hall.member_offers(&of.member).await;
    read_resource(hall, request: ReadResource) -> Answered = Ok(hall.read_resource(request).await);
    get_prompt(hall, request: GetPrompt) -> Answered = Ok(hall.get_prompt(request).await);
    search_history(hall, search: SearchHistory) -> HistoryPage = Ok(hall.history().search(search).await);
    history_entry(hall, of: HistoryEntryRef) -> RecordedCall = hall.history().entry(of).await;
    clear_history(hall, filter: HistoryFilter) -> Cleared = hall.history().clear(filter).await;
    export_history(hall, export: ExportHistory) -> Exported = hall.history().export(export).await;
    agent_sessions(hall, list: ListSessions) -> AgentSessions = hall.history().sessions(list).await;
    agent_session(hall, of: HistoryEntryRef) -> AgentSession = hall.history().session_of(of).await;
    create_checks(hall, create: CreateChecks) -> CreatedChecks = hall.create_checks(create).await;
    run_suite(hall, run: RunSuite) -> SuiteRun = hall.run_suite(run).await;
    create_mock(hall, create: CreateMock) -> CreatedMock = hall.create_mock(create).await;
    save_call(hall, save: SaveCall) -> SavedCall = hall.history().save_call(save).await;
    saved_calls(hall, of: SavedCallsOf) -> SavedCalls = Ok(hall.history().saved_calls(of).await);
    rename_saved_call(hall, rename: RenameSavedCall) -> SavedCall = hall.history().rename_saved_call(rename).await;
    delete_saved_call(hall, of: SavedCallRef) -> Nothing = hall.history().delete_saved_call(of).await.map(|()| Nothing {});
    keep_draft(hall, keep: KeepDraft) -> Nothing = hall.history().keep_draft(keep).await.map(|()| Nothing {});
    kept_draft(hall, of: ToolRef) -> KeptDraft = Ok(hall.history().kept_draft(of).await);
    history_settings(hall, _: Nothing) -> HistoryState = Ok(hall.history().state().await);
    change_history_settings(hall, change: HistorySettings) -> HistoryState = hall.history().change_settings(change).await;
    gateway(hall, _: Nothing) -> GatewayState = Ok(hall.gateway().await);
    approvals(hall, _: Nothing) -> Approvals = Ok(hall.approvals().await);
    decide_approval(hall, decide: DecideApproval) -> Nothing = hall.decide_approval(decide).await.map(|()| Nothing {});
    gateway_traffic(hall, _: Nothing) -> Traffic = Ok(hall.gateway_traffic().await);
    crash_reports(hall, _: Nothing) -> CrashReports = hall.crash_reports().await;
    dismiss_crash_reports(hall, _: Nothing) -> Nothing = hall.dismiss_crash_reports().await.map(|()| Nothing {});
    preview_bundle(hall, _: Nothing) -> Bundled = hall.preview_bundle().await;
    member_review(hall, of: MemberRef) -> MemberReview = hall.member_review(&of.member).await;
    revisions(hall, of: RevisionsOf) -> Revisions = Ok(hall.revisions(of).await);
    dev_state(hall, of: MemberRef) -> DevState = hall.dev_state(&of.member);
    sign_in_state(hall, of: MemberRef) -> SignInView = hall.sign_in_state(&of.member).await;
    sign_in(hall, of: MemberRef) -> SignInAddress = hall.sign_in(&of.member).await;
    sign_in_with_code(hall, of: MemberRef) -> SignInAddress = hall.sign_in_with_code(&of.member).await;
    paste_sign_in(hall, of: PasteSignIn) -> Nothing = hall.paste_sign_in(of).await.map(|()| Nothing {});
    open_sign_in(hall, of: MemberRef) -> Nothing = hall.open_sign_in(&of.member).await.map(|()| Nothing {});
    sign_in_ended(hall, of: MemberRef) -> SignInView = hall.sign_in_ended(&of.member).await;
    cancel_sign_in(hall, of: MemberRef) -> SignInView = hall.cancel_sign_in(&of.member).await;
    sign_out(hall, of: MemberRef) -> SignInView = hall.sign_out(&of.member).await;
    secrets(hall, _: Nothing) -> Secrets = Ok(hall.secrets().await);
    found_servers(hall, _: Nothing) -> FoundServers = hall.found_servers().await;
    beginnings(hall, _: Nothing) -> MemberTemplates = Ok(hall.beginnings());
    discovery_settings(hall, _: Nothing) -> DiscoveryState = Ok(hall.discovery_settings().await);
    prediction_request(hall, of: MemberRef) -> PredictionRequest = hall.prediction_request(&of.member).await;
    forget_prediction(hall, of: MemberRef) -> PredictionRequest = hall.forget_prediction(&of.member).await;
    settings(hall, _: Nothing) -> SettingsState = hall.settings_state().await;
}

/// Finds a command by its name, and runs it.
macro_rules! dispatch {
    ($($(#[doc = $doc:literal])+ $name:ident($request:ty) -> $response:ty;)+) => {
        fn run<'a>(
            hall: &'a GuildHall,
            command: &str,
            request: &'a RawValue,
        ) -> Option<BoxFuture<'a, Result<Box<RawValue>, Report>>> {
            match command {
                $(stringify!($name) => Some(async move {
                    let request: $request = read(request)?;
                    let response: $response = Commands(hall).$name(request).await?;
                    written(response)
                }.boxed()),)+
                _ => None,
            }
        }
    };
}

guild_api::for_each_command!(dispatch);

impl GuildHall {
    /// Runs a command of the table by its name. Request and response are JSON.
    ///
    /// # Errors
    /// `hall-unreachable` if no command has this name or the request is invalid. The errors of the
    /// command.
    pub async fn answer(&self, command: &str, request: &RawValue) -> Result<Box<RawValue>, Report> {
        match run(self, command, request) {
            Some(answer) => answer.await,
            None => {
                let asked: String = command.chars().take(100).collect();
                let version = env!("CARGO_PKG_VERSION");
                let trouble = HallError::NoRequest(version, format!("{asked:?}"));
                Err(Report::from_error(Code::HallUnreachable, &trouble))
            }
        }
    }
}

pub(super) fn read<R: DeserializeOwned>(request: &RawValue) -> Result<R, Report> {
    serde_json::from_str(request.get()).map_err(|error| {
        let trouble = HallError::NotUnderstood(error.to_string());
        Report::from_error(Code::HallUnreachable, &trouble)
    })
}

pub(super) fn written(answer: impl Serialize) -> Result<Box<RawValue>, Report> {
    serde_json::value::to_raw_value(&answer).map_err(unwritten)
}

pub(super) fn unwritten(error: impl std::fmt::Display) -> Report {
    let trouble = HallError::NotAnswered(error.to_string());
    Report::from_error(Code::HallUnreachable, &trouble)
}
