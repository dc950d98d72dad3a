//! The hall that a command uses: the running hall of the data folder, or a hall that the command
//! opens.

mod progress;
mod requests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::control::FromCaller;
use guild_api::wire::{
    CallOutcome, CallRef, GatewayState, InvokeTool, MemberRef, MemberView, Nothing,
};
use guild_engine::messages::CliError;
use guild_engine::{
    CallsDuringLateStart, FolderWatchMode, GuildHall, GuildHallOptions, InstanceStatus, IpcClient,
    LockMode, Paths, caller_folders,
};
use guild_model::endpoint::Listing;
use guild_model::{CallId, Code, MemberName, Report};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use tokio::sync::Mutex;

use crate::eprint_line;
use crate::interrupts::Interrupts;

/// Maximum wait for the last progress output before the result of a call is printed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The hall that a command uses.
pub(crate) enum EngineClient {
    /// A hall that the command opened, because no other hall runs on the data folder.
    Own(GuildHall),
    /// The hall that runs on the data folder in another process.
    Running(Box<Mutex<IpcClient>>),
}

/// The purpose for which a command uses the hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The command reads data, and starts no member. If the running hall is unreachable, the
    /// command reads the stored data.
    Reads,
    /// The command starts members.
    Starts,
    /// The command acts on members of the running hall.
    Controls,
}

impl EngineClient {
    /// Finds the running hall of the data folder and members folder, or opens one.
    pub(crate) async fn find(
        paths: Paths,
        purpose: Purpose,
        options: GuildHallOptions,
    ) -> Result<Self, Report> {
        let found = IpcClient::find_started(&paths.data_dir).await;
        let presence = match found {
            InstanceStatus::Running(mut visit) => match visit.answers().await {
                Ok(()) => InstanceStatus::Running(visit),
                Err(report) => InstanceStatus::Unreachable(report),
            },
            other => other,
        };
        match presence {
            // A running hall with another members folder is not used.
            InstanceStatus::Running(visit) if is_same(visit.members_dir(), &paths.members_dir) => {
                return Ok(Self::Running(Box::new(Mutex::new(visit))));
            }
            // Otherwise the members would run twice.
            InstanceStatus::Unreachable(report) if purpose != Purpose::Reads => return Err(report),
            InstanceStatus::Unreachable(report) => {
                eprint_line(format_args!("{report}\nThe output is from stored data."));
            }
            InstanceStatus::Running(_) | InstanceStatus::NotRunning => {}
        }
        if purpose == Purpose::Controls {
            let trouble = CliError::NoHall(paths.data_dir.clone());
            return Err(Report::from_error(Code::HallNotRunning, &trouble));
        }
        let options = GuildHallOptions {
            tenure: LockMode::None,
            watch: FolderWatchMode::Once,
            calls_during_late_start: CallsDuringLateStart::Wait,
            ..options
        };
        GuildHall::open(paths, options).await.map(Self::Own)
    }

    /// Closes the command's own hall. A running hall continues.
    pub(crate) async fn leave(self) {
        if let Self::Own(hall) = self {
            hall.shutdown().await;
        }
    }

    /// Sends a command to the hall by name.
    pub(crate) async fn ask<Q: Serialize, A: DeserializeOwned>(
        &self,
        command: &str,
        request: &Q,
    ) -> Result<A, Report> {
        let hall = match self {
            Self::Own(hall) => hall,
            Self::Running(visit) => return visit.lock().await.ask(command, request).await,
        };
        let unreadable = |error: serde_json::Error| {
            let trouble = CliError::Unread(error.to_string());
            Report::from_error(Code::HallUnreachable, &trouble)
        };
        let request = to_raw_value(request).map_err(unreadable)?;
        let answer = hall.answer_program(command, &request).await?;
        serde_json::from_str(answer.get()).map_err(unreadable)
    }

    /// Waits until each member's tools are listed, or can't be listed. If this command opened the
    /// hall, the members are started for that. A running hall starts no members, since the user may
    /// have stopped them.
    pub(crate) async fn settled(&self) -> Result<(), Report> {
        if let Self::Own(hall) = self {
            hall.start_all().settled().await;
        }
        self.at_rest(Nothing {}).await.map(|_| ())
    }

    /// Requests a member's tools again, and waits until all ways to find the tools were tried.
    pub(crate) async fn discovered(&self, member: &MemberName) -> Result<(), Report> {
        let listed = self.refresh_member(of(member)).await;
        if listed.is_err() || matches!(self, Self::Own(_)) {
            self.at_rest(Nothing {}).await?;
        }
        listed.map(|_| ())
    }

    /// Returns the gateway's settings.
    ///
    /// # Errors
    /// `gateway-settings` when the file with the settings can't be read.
    pub(crate) async fn read_gateway(&self) -> Result<GatewayState, Report> {
        let gateway = self.gateway(Nothing {}).await?;
        match gateway.error {
            Some(report) if report.code == Code::GatewaySettings => Err(report),
            _ => Ok(gateway),
        }
    }

    /// Starts, stops or restarts a member of the running hall.
    pub(crate) async fn control(
        &self,
        command: &str,
        member: &MemberName,
    ) -> Result<MemberView, Report> {
        self.ask(command, &of(member)).await
    }

    /// Calls a tool. If `cancelled` completes first, cancels the call and waits for its end.
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
                let mut invoking = std::pin::pin!(visit.invoke(&request, hear));
                tokio::select! {
                    outcome = &mut invoking => outcome,
                    () = cancelled => {
                        cancel_beside(&data_dir, &request.call).await?;
                        invoking.await
                    }
                }
            }
        }
    }

    /// Waits for a request that `cancel_call` cancels. An interruption cancels it.
    pub(crate) async fn cancellable<T>(
        &self,
        call: &CallId,
        request: impl Future<Output = Result<T, Report>>,
        interrupts: &mut Interrupts,
    ) -> Result<T, Report> {
        let data_dir: Option<PathBuf> = match self {
            Self::Own(_) => None,
            Self::Running(visit) => Some(visit.lock().await.data_dir().clone()),
        };
        let mut running = std::pin::pin!(request);
        tokio::select! {
            done = &mut running => done,
            () = interrupts.next() => {
                match (self, data_dir) {
                    (_, Some(data_dir)) => cancel_beside(&data_dir, call).await?,
                    (Self::Own(hall), None) => hall.cancel_call(call),
                    (Self::Running(_), None) => {}
                }
                running.await
            }
        }
    }
}

/// Cancels a call of the running hall on a data folder. The connection that made the call waits for
/// the call's end, so this function opens another connection.
async fn cancel_beside(data_dir: &Path, call: &CallId) -> Result<(), Report> {
    if let InstanceStatus::Running(mut beside) = IpcClient::find(data_dir).await {
        let call = call.clone();
        let _: Nothing = beside.ask("cancel_call", &CallRef { call }).await?;
    }
    Ok(())
}

/// Returns a request with the member's name.
pub(crate) fn of(member: &MemberName) -> MemberRef {
    MemberRef {
        member: member.clone(),
    }
}

/// Adds the listing mode and the folders from this program's environment to a request.
pub(crate) fn from_here<R>(listing: Option<Listing>, request: R) -> FromCaller<R> {
    FromCaller {
        folders: caller_folders(),
        listing,
        request,
    }
}

/// Whether two paths refer to the same folder.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

async fn invoke_here(
    hall: &GuildHall,
    request: InvokeTool,
    cancelled: impl Future<Output = ()>,
    hear: impl Fn(&Envelope) + Send + 'static,
) -> CallOutcome {
    let call = request.call.clone();
    let starting = progress::report(hall.subscribe(), request.member.clone());
    let mut starting = std::pin::pin!(starting);
    let mut events = hall.subscribe();
    // The roster is the first event. Later changes arrive as single events.
    events.next().await;
    let listening = tokio::spawn(async move {
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
    // The task ends with the event of the call's end. If the task missed that event, the time limit
    // ends the wait.
    let _ = tokio::time::timeout(LAST_WORDS, listening).await;
    outcome
}
