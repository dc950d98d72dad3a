//! `guildhall dev`: rebuilds, restarts and checks a member after each change of its files.

mod once;
mod rounds;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::{DevRound, DevState, RunExamples};
use guild_engine::messages::CliError;
use guild_engine::{GuildHall, InstanceStatus, IpcClient, LockMode};
use guild_model::holder::HallRole;
use guild_model::{CallId, Code, MemberName, Report};
use tokio::sync::mpsc;

use self::rounds::Rounds;
use crate::endpoint::wrong_usage;
use crate::engine_client::{EngineClient, is_same, of};
use crate::interrupts::{Interrupts, interrupted};
use crate::session::{CliContext, Need};
use crate::terminal::{counted, is_json};
use crate::{eprint_line, help, print_line};

/// Maximum number of updates of rounds that wait to be printed. A slow reader of the output misses
/// steps, but never the last step of a round.
const ROUNDS_WAITING: usize = 256;

#[derive(Debug, Args)]
#[command(
    after_help = help::DEV,
    override_usage = "guildhall dev [OPTIONS] MEMBER\n       guildhall dev --once [OPTIONS] [MEMBER]...\n       guildhall dev --once [OPTIONS] --suite FILE"
)]
pub(crate) struct DevArgs {
    /// The member. With --once: one or more members [default with --once: all members that you
    /// wrote and that have examples]
    #[arg(value_name = "MEMBER", required_unless_present = "once")]
    named: Vec<String>,
    /// Run the examples in the members' manifests once, and exit
    #[arg(long)]
    once: bool,
    /// With --once: run only examples with this name; may be repeated
    #[arg(long = "example", value_name = "NAME", requires = "once")]
    examples: Vec<String>,
    /// With --once: run the checks of a suite, which `guildhall history checks` writes
    #[arg(long, value_name = "FILE", requires = "once", conflicts_with_all = ["named", "examples"])]
    suite: Option<PathBuf>,
    /// With --suite: take the values that the history has masked from this JSON file [default:
    /// prompt for them]
    #[arg(long, value_name = "FILE", requires = "suite")]
    values: Option<PathBuf>,
    /// With --once: write the results to a file as JUnit XML
    #[arg(long, value_name = "FILE", requires = "once")]
    junit: Option<PathBuf>,
}

/// Runs the examples once, or follows a member's files until SIGINT or SIGTERM. Uses the running
/// hall, or a temporary hall that starts only this member.
pub(crate) async fn dev(mut session: CliContext, args: DevArgs) -> Result<ExitCode, Report> {
    if args.once {
        // The checks of a suite are calls that a person wants, so the policies for agents don't
        // apply.
        let need = Need::either(args.suite.is_some(), Need::DECIDE, Need::START);
        let once = async |engine: &EngineClient, interrupts: &mut Interrupts| {
            once::once(engine, args, interrupts).await
        };
        return session.with_signals(need, once).await;
    }
    let [member] = args.named.as_slice() else {
        wrong_usage("name one member, or --once");
    };
    let member = MemberName::parse(member)
        .map_err(|error| Report::from_error(Code::MemberUnknown, &CliError::NoName(error.0)))?;
    let paths = &session.paths;
    let finding = IpcClient::find_started(&paths.data_dir);
    let presence = tokio::select! {
        presence = finding => presence,
        () = session.interrupts.next() => return Err(interrupted()),
    };
    match presence {
        // A hall with another members folder can't be used.
        InstanceStatus::Running(visit) if is_same(visit.members_dir(), &paths.members_dir) => {
            in_running(visit, &member, &mut session.interrupts).await
        }
        InstanceStatus::Unreachable(report) => Err(report),
        InstanceStatus::Running(_) | InstanceStatus::NotRunning => {
            let tenure = LockMode::Serve(HallRole::Dev);
            let follow = async |hall: &GuildHall, interrupts: &mut Interrupts| {
                in_own(hall, &member, interrupts).await
            };
            session.with_own_engine(tenure, follow).await
        }
    }
}

async fn in_running(
    mut visit: IpcClient,
    member: &MemberName,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let data_dir = visit.data_dir().clone();
    let state: DevState = visit.ask("dev_state", &of(member)).await?;
    let (rounds, printing) = printing();
    let hear = |envelope: &Envelope| queue_round(&rounds, envelope, member);
    let following = visit.follow_dev(member, hear);
    print_watched(&state);
    let first = async {
        // A second connection, since the first connection receives the events.
        if let InstanceStatus::Running(mut beside) = IpcClient::find(&data_dir).await {
            let request = all_of(member);
            let running = beside.ask::<_, DevRound>("run_examples", &request);
            if let Err(report) = running.await {
                eprint_line(report.to_string());
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        followed = following => {
            followed?;
            eprint_line(format!("{member} was removed, or Guild Hall has quit."));
        }
        () = first => {}
        () = printing => {}
        () = interrupts.next() => {}
    }
    Ok(ExitCode::SUCCESS)
}

async fn in_own(
    hall: &GuildHall,
    member: &MemberName,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    hall.is_developed(member).await?;
    let mut events = hall.subscribe();
    // The roster is the first event. Later changes arrive as single events.
    events.next().await;
    let (rounds, printing) = printing();
    print_watched(&hall.dev_state(member)?);
    let following = async {
        while let Some(envelope) = events.next().await {
            queue_round(&rounds, &envelope, member);
            if matches!(&envelope.event, HallEvent::MemberRemoved { member: gone } if gone == member)
            {
                eprint_line(format!("{member} was removed."));
                return;
            }
        }
    };
    let first = async {
        // A failed start is not an error here, since the next change may fix it.
        match hall.start_member(member).await {
            Ok(_) => {
                if let Err(report) = hall.run_examples(all_of(member)).await {
                    eprint_line(report.to_string());
                }
            }
            Err(report) => eprint_line(report.to_string()),
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = following => {}
        () = first => {}
        () = printing => {}
        () = interrupts.next() => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn all_of(member: &MemberName) -> RunExamples {
    RunExamples {
        call: CallId::numbered("dev", u64::from(std::process::id())),
        member: member.clone(),
        names: None,
    }
}

/// Prints which files are watched.
fn print_watched(state: &DevState) {
    let patterns = match state.watch.as_ref().map(|watch| watch.patterns.as_slice()) {
        // A hall that was just opened has not determined the patterns yet.
        None => "its files".to_owned(),
        Some([]) => "all files that people write".to_owned(),
        Some(patterns) => patterns.join(", "),
    };
    let examples = counted(state.examples.len(), "example", "examples");
    let member = &state.member;
    eprint_line(format!(
        "{member}: watching {patterns}; {examples}. Ctrl-C ends it."
    ));
    if let Some(report) = &state.problem {
        eprint_line(report.to_string());
    }
}

/// Queues a step of a round for printing. If the queue is more than half full, the step is dropped,
/// unless it is the last step of its round. The last step contains all earlier steps.
fn queue_round(rounds: &mpsc::Sender<DevRound>, envelope: &Envelope, member: &MemberName) {
    if let HallEvent::DevRound { round } = &envelope.event
        && round.member == *member
    {
        let room = rounds.capacity() > ROUNDS_WAITING / 2 || round.step.is_over();
        if room && rounds.try_send((**round).clone()).is_err() {
            eprint_line("A round was not printed because the output is not read.");
        }
    }
}

/// Prints queued steps. Ends when stdout is closed.
fn printing() -> (mpsc::Sender<DevRound>, impl Future<Output = ()>) {
    let (rounds, mut waiting) = mpsc::channel::<DevRound>(ROUNDS_WAITING);
    let printing = async move {
        let mut shown = Rounds::default();
        while let Some(round) = waiting.recv().await {
            let lines = match is_json() {
                false => shown.lines(&round),
                true if round.step.is_over() => serde_json::to_string(&round).into_iter().collect(),
                true => vec![],
            };
            // On a blocking thread, since a reader of stdout may be slow.
            let printed =
                tokio::task::spawn_blocking(move || lines.iter().all(|line| print_line(line)));
            if !printed.await.unwrap_or(false) {
                return;
            }
        }
    };
    (rounds, printing)
}
