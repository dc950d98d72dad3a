//! The hall that a command speaks to: the one that runs on the data folder, or one of its own.

mod agents;
mod programs;

use std::path::Path;
use std::time::Duration;

use guild_core::event::{Envelope, HallEvent};
use guild_core::note::{CliTrouble, HallTrouble};
use guild_core::wire::control::{AT_REST, LIST_TOOLS, ListTools, ListedTool};
use guild_core::wire::{
    AcceptMember, AcceptTools, AdoptBrought, Adopted, Brought, BroughtServers, Bundled,
    CallOutcome, Catalog, DevRound, DevState, ExportHistory, ExportTeam, Exported, FoundServers,
    GatewayState, HistoryPage, HoldChanges, InvokeTool, MemberReview, MemberTools, MemberView,
    Nothing, OfAgentClient, OfCall, OfCatalog, OfFoundFolder, OfMember, OfTool, Roster,
    RunExamples, SearchHistory, TeamExport, ToolDetail, WriteBundle, WriteTeamExport,
    WrittenTeamExport,
};
use guild_core::{Code, MemberName, Report, ToolName};
use guild_engine::{CallsInOvertime, Hall, Options, Paths, Presence, Tenure, Visit, Watch};
use tokio::sync::Mutex;

pub(crate) use self::programs::from_here;
use crate::interrupts::Interrupts;
use crate::{starting, tell};

/// How long a result waits for the last progress to be shown.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The hall that a command speaks to.
pub(crate) enum Reach {
    /// Its own: nobody else runs on the data folder.
    Own(Hall),
    /// The one that runs.
    Running(Box<Mutex<Visit>>),
}

/// What a command does with its hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It reads what is known.
    Looks,
    /// It starts members.
    Starts,
    /// It acts on the members of the hall that runs.
    Tends,
}

impl Reach {
    /// Finds the hall that runs on the data folder with these members, or opens one.
    pub(crate) async fn find(
        paths: Paths,
        purpose: Purpose,
        options: Options,
    ) -> Result<Self, Report> {
        let found = Visit::find_after_import(&paths.data_dir, options.import_awaited).await;
        let presence = match found {
            Presence::Running(mut visit) => match visit.answers().await {
                Ok(()) => Presence::Running(visit),
                Err(report) => Presence::Unreachable(report),
            },
            other => other,
        };
        match presence {
            // The members of another folder are no business of the one that runs.
            Presence::Running(visit) if is_same(visit.members_dir(), &paths.members_dir) => {
                return Ok(Self::Running(Box::new(Mutex::new(visit))));
            }
            // Started from here, they would run twice.
            Presence::Unreachable(report) if purpose != Purpose::Looks => return Err(report),
            Presence::Unreachable(report) => {
                tell(format_args!("{report}\nThis is what is known without it."));
            }
            Presence::Running(_) | Presence::Nobody => {}
        }
        if purpose == Purpose::Tends {
            let trouble = CliTrouble::NoHall(paths.data_dir.clone());
            return Err(Report::told(Code::HallNotRunning, &trouble));
        }
        let options = Options {
            tenure: Tenure::Passes,
            watch: Watch::Once,
            calls_in_overtime: CallsInOvertime::Wait,
            ..options
        };
        Hall::open(paths, options).await.map(Self::Own)
    }

    /// Ends what was started for the command; a hall that runs goes on.
    pub(crate) async fn leave(self) {
        if let Self::Own(hall) = self {
            hall.shutdown().await;
        }
    }

    /// All members as they are now.
    pub(crate) async fn roster(&self) -> Result<Roster, Report> {
        match self {
            Self::Own(hall) => Ok(hall.roster()),
            Self::Running(visit) => visit.lock().await.ask("roster", &Nothing {}).await,
        }
    }

    /// Has each member listed: waits until each is up or has failed, and until those that were
    /// started only to be listed are stopped again. What runs is only waited for: there, whoever
    /// stopped a member wants it stopped.
    pub(crate) async fn settled(&self) -> Result<(), Report> {
        match self {
            Self::Own(hall) => {
                hall.start_all().settled().await;
                hall.at_rest().await;
                Ok(())
            }
            Self::Running(visit) => {
                let asked = visit
                    .lock()
                    .await
                    .ask::<_, Nothing>(AT_REST, &Nothing {})
                    .await;
                asked.map(|_| ())
            }
        }
    }

    /// One member's tools.
    pub(crate) async fn member_tools(&self, member: &MemberName) -> Result<MemberTools, Report> {
        match self {
            Self::Own(hall) => hall.member_tools(member),
            Self::Running(visit) => visit.lock().await.ask("member_tools", &of(member)).await,
        }
    }

    /// One member's tools as a command prints them.
    pub(crate) async fn list_tools(&self, request: ListTools) -> Result<Vec<ListedTool>, Report> {
        match self {
            Self::Own(hall) => hall.list_tools(request).await,
            Self::Running(visit) => visit.lock().await.ask(LIST_TOOLS, &request).await,
        }
    }

    /// Every tool, and how it stands with finding the others out.
    pub(crate) async fn catalog(&self, of: OfCatalog) -> Result<Catalog, Report> {
        match self {
            Self::Own(hall) => hall.catalog(of).await,
            Self::Running(visit) => visit.lock().await.ask("catalog", &of).await,
        }
    }

    /// Everything about one tool.
    pub(crate) async fn tool_detail(
        &self,
        member: &MemberName,
        tool: &ToolName,
    ) -> Result<ToolDetail, Report> {
        match self {
            Self::Own(hall) => hall.tool_detail(member, tool),
            Self::Running(visit) => {
                let request = OfTool {
                    member: member.clone(),
                    tool: tool.clone(),
                };
                visit.lock().await.ask("tool_detail", &request).await
            }
        }
    }

    /// What a member runs and what its tools say, beside what was accepted.
    pub(crate) async fn member_review(&self, member: &MemberName) -> Result<MemberReview, Report> {
        match self {
            Self::Own(hall) => hall.member_review(member).await,
            Self::Running(visit) => visit.lock().await.ask("member_review", &of(member)).await,
        }
    }

    /// Accepts what a member runs.
    pub(crate) async fn accept_member(&self, request: AcceptMember) -> Result<MemberView, Report> {
        match self {
            Self::Own(hall) => hall.accept_member(request).await,
            Self::Running(visit) => visit.lock().await.ask("accept_member", &request).await,
        }
    }

    /// Accepts a member's tools.
    pub(crate) async fn accept_tools(&self, request: AcceptTools) -> Result<MemberReview, Report> {
        match self {
            Self::Own(hall) => hall.accept_tools(request).await,
            Self::Running(visit) => visit.lock().await.ask("accept_tools", &request).await,
        }
    }

    /// Says whether changes of a member's tools are held back.
    pub(crate) async fn hold_changes(&self, request: HoldChanges) -> Result<MemberView, Report> {
        match self {
            Self::Own(hall) => hall.hold_changes(request).await,
            Self::Running(visit) => visit.lock().await.ask("hold_changes", &request).await,
        }
    }

    /// Starts, stops or restarts a member of the hall that runs.
    pub(crate) async fn tend(
        &self,
        command: &'static str,
        member: &MemberName,
    ) -> Result<MemberView, Report> {
        match self {
            Self::Running(visit) => visit.lock().await.ask(command, &of(member)).await,
            Self::Own(_) => Err(Report::told(
                Code::HallNotRunning,
                &HallTrouble::NobodyTends,
            )),
        }
    }

    /// Calls a tool. Where `cancelled` comes first, the call is cancelled, and its end waited for.
    pub(crate) async fn invoke(
        &self,
        request: InvokeTool,
        cancelled: impl Future<Output = ()>,
        hear: impl Fn(&Envelope) + Send + 'static,
    ) -> Result<CallOutcome, Report> {
        match self {
            Self::Own(hall) => Ok(invoke_here(hall, request, cancelled, hear).await),
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                let data_dir = visit.data_dir().clone();
                let call = request.call.clone();
                let mut invoking = std::pin::pin!(visit.invoke(&request, hear));
                tokio::select! {
                    outcome = &mut invoking => outcome,
                    () = cancelled => {
                        // The first connection waits for the call's end.
                        if let Presence::Running(mut beside) = Visit::find(&data_dir).await {
                            let of = OfCall { call };
                            let _: Nothing = beside.ask("cancel_call", &of).await?;
                        }
                        invoking.await
                    }
                }
            }
        }
    }

    /// What is known of a member that somebody writes.
    pub(crate) async fn dev_state(&self, member: &MemberName) -> Result<DevState, Report> {
        match self {
            Self::Own(hall) => hall.dev_state(member),
            Self::Running(visit) => visit.lock().await.ask("dev_state", &of(member)).await,
        }
    }

    /// Runs a member's examples. Interrupted, it ends with the one that runs.
    pub(crate) async fn run_examples(
        &self,
        request: RunExamples,
        interrupts: &mut Interrupts,
    ) -> Result<DevRound, Report> {
        let call = request.call.clone();
        match self {
            Self::Own(hall) => {
                let mut running = std::pin::pin!(hall.run_examples(request));
                tokio::select! {
                    round = &mut running => round,
                    () = interrupts.next() => {
                        hall.cancel_call(&call);
                        running.await
                    }
                }
            }
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                let data_dir = visit.data_dir().clone();
                let mut running = std::pin::pin!(visit.ask("run_examples", &request));
                tokio::select! {
                    round = &mut running => round,
                    () = interrupts.next() => {
                        // The first connection waits for the end.
                        if let Presence::Running(mut beside) = Visit::find(&data_dir).await {
                            let of = OfCall { call };
                            let _: Nothing = beside.ask("cancel_call", &of).await?;
                        }
                        running.await
                    }
                }
            }
        }
    }

    /// The calls of the past that fit.
    pub(crate) async fn search_history(
        &self,
        request: SearchHistory,
    ) -> Result<HistoryPage, Report> {
        match self {
            Self::Own(hall) => Ok(hall.history().search(request).await),
            Self::Running(visit) => visit.lock().await.ask("search_history", &request).await,
        }
    }

    /// Looks for them in a folder too.
    pub(crate) async fn look_for_servers(
        &self,
        request: OfFoundFolder,
    ) -> Result<FoundServers, Report> {
        match self {
            Self::Own(hall) => hall.look_for_servers(request).await,
            Self::Running(visit) => visit.lock().await.ask("look_for_servers", &request).await,
        }
    }

    /// Looks for them in a folder no more.
    pub(crate) async fn forget_found_folder(
        &self,
        request: OfFoundFolder,
    ) -> Result<FoundServers, Report> {
        match self {
            Self::Own(hall) => hall.forget_found_folder(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("forget_found_folder", &request).await
            }
        }
    }

    /// The servers in what a person brings.
    pub(crate) async fn read_brought(&self, brought: Brought) -> Result<BroughtServers, Report> {
        match self {
            Self::Own(hall) => hall.read_brought(brought).await,
            Self::Running(visit) => visit.lock().await.ask("read_brought", &brought).await,
        }
    }

    /// Makes members of some.
    pub(crate) async fn adopt_brought(&self, request: AdoptBrought) -> Result<Adopted, Report> {
        match self {
            Self::Own(hall) => hall.adopt_brought(request).await,
            Self::Running(visit) => visit.lock().await.ask("adopt_brought", &request).await,
        }
    }

    /// A profile as files that run its members for a team.
    pub(crate) async fn export_team(&self, request: ExportTeam) -> Result<TeamExport, Report> {
        match self {
            Self::Own(hall) => hall.export_team(request).await,
            Self::Running(visit) => visit.lock().await.ask("export_team", &request).await,
        }
    }

    /// Writes such files.
    pub(crate) async fn write_team_export(
        &self,
        request: WriteTeamExport,
    ) -> Result<WrittenTeamExport, Report> {
        match self {
            Self::Own(hall) => hall.write_team_export(request).await,
            Self::Running(visit) => visit.lock().await.ask("write_team_export", &request).await,
        }
    }

    /// Revokes a client's token.
    pub(crate) async fn revoke_agent_client(
        &self,
        request: OfAgentClient,
    ) -> Result<GatewayState, Report> {
        match self {
            Self::Own(hall) => hall.revoke_agent_client(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("revoke_agent_client", &request).await
            }
        }
    }

    /// What a bundle for a bug report would hold.
    pub(crate) async fn preview_bundle(&self) -> Result<Bundled, Report> {
        match self {
            Self::Own(hall) => hall.preview_bundle().await,
            Self::Running(visit) => visit.lock().await.ask("preview_bundle", &Nothing {}).await,
        }
    }

    /// Writes a bundle for a bug report.
    pub(crate) async fn write_bundle(&self, request: WriteBundle) -> Result<Bundled, Report> {
        match self {
            Self::Own(hall) => hall.write_bundle(request).await,
            Self::Running(visit) => visit.lock().await.ask("write_bundle", &request).await,
        }
    }

    /// Writes the calls of the past that fit to a file.
    pub(crate) async fn export_history(&self, request: ExportHistory) -> Result<Exported, Report> {
        match self {
            Self::Own(hall) => hall.history().export(request).await,
            Self::Running(visit) => visit.lock().await.ask("export_history", &request).await,
        }
    }
}

/// Whether two names lead to the same folder.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

async fn invoke_here(
    hall: &Hall,
    request: InvokeTool,
    cancelled: impl Future<Output = ()>,
    hear: impl Fn(&Envelope) + Send + 'static,
) -> CallOutcome {
    let call = request.call.clone();
    let starting = starting::told(hall.subscribe(), request.member.clone());
    let mut starting = std::pin::pin!(starting);
    let mut events = hall.subscribe();
    // The roster comes first; what happens after it is told event by event.
    events.next().await;
    let hearing = tokio::spawn(async move {
        while let Some(envelope) = events.next().await {
            hear(&envelope);
            if matches!(envelope.event, HallEvent::CallFinished { .. }) {
                return;
            }
        }
    });
    let mut invoking = std::pin::pin!(hall.invoke_alone(request));
    let outcome = tokio::select! {
        outcome = &mut invoking => outcome,
        never = &mut starting => match never {},
        () = cancelled => {
            hall.cancel_call(&call);
            invoking.await
        }
    };
    // It ends by itself with the event of the call's end, unless it was too slow to hear of it.
    let _ = tokio::time::timeout(LAST_WORDS, hearing).await;
    outcome
}

fn of(member: &MemberName) -> OfMember {
    OfMember {
        member: member.clone(),
    }
}
