//! `guildhall history`.

mod recordings;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use guild_api::wire::{
    EntryId, ExportHistory, HistoryEntry, HistoryEntryRef, HistoryFilter, HistoryPage, OutcomeKind,
    SearchHistory,
};
use guild_engine::messages::CliError;
use guild_model::id::NameError;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_text::number::grouped;
use serde_json::json;

use self::recordings::{ChecksArgs, MockArgs, SessionsArgs};
use crate::engine_client::EngineClient;
use crate::interrupts::{Interrupts, interrupted};
use crate::session::Need;
use crate::terminal::{absolute, one_line, print, print_hint, time};
use crate::{eprint_line, help};

#[derive(Debug, Args)]
#[command(after_help = help::HISTORY, args_conflicts_with_subcommands = true)]
pub(crate) struct HistoryArgs {
    #[command(subcommand)]
    action: Option<HistoryAction>,
    /// List only calls with all these words in the member, tool, arguments, result or error
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// List only calls of this member, even if the member was removed
    #[arg(long)]
    member: Option<String>,
    /// List only calls of tools with this name
    #[arg(long)]
    tool: Option<String>,
    /// List only calls with this outcome
    #[arg(long, value_enum)]
    outcome: Option<HistoryOutcome>,
    /// List only the calls of the session with this call
    #[arg(long, value_name = "ID")]
    session: Option<i64>,
    /// List at most this many calls, the newest first
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "export",
          value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
    /// Write all matching calls to this file as JSON Lines, the oldest first, and list none
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum HistoryAction {
    /// List the sessions of agents: calls without a pause of more than 30 minutes
    Sessions(SessionsArgs),
    /// Make checks of recorded calls, for a suite or the manifests of the members
    Checks(ChecksArgs),
    /// Create a member that answers from recorded calls and contacts no server
    Mock(MockArgs),
}

impl HistoryArgs {
    /// Returns the requirements for the hall.
    pub(crate) fn need(&self) -> Need {
        match self.action {
            None | Some(HistoryAction::Sessions(_)) => Need::READ,
            Some(HistoryAction::Checks(_) | HistoryAction::Mock(_)) => Need::DECIDE,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum HistoryOutcome {
    /// The tool returned a result
    Ok,
    /// The tool returned a result that reports a failure
    ToolError,
    /// The call has no result
    Failed,
    /// The caller cancelled the call
    Cancelled,
}

impl From<HistoryOutcome> for OutcomeKind {
    fn from(outcome: HistoryOutcome) -> Self {
        match outcome {
            HistoryOutcome::Ok => Self::Ok,
            HistoryOutcome::ToolError => Self::ToolError,
            HistoryOutcome::Failed => Self::Failed,
            HistoryOutcome::Cancelled => Self::Cancelled,
        }
    }
}

/// Lists or exports past calls, or makes checks or a mock of them.
pub(crate) async fn history(
    engine: &EngineClient,
    mut args: HistoryArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    match args.action.take() {
        // The engine ends cancelled requests itself.
        Some(HistoryAction::Checks(args)) => recordings::checks(engine, args, interrupts).await,
        action => {
            let done = async {
                match action {
                    Some(HistoryAction::Sessions(args)) => recordings::sessions(engine, args).await,
                    Some(HistoryAction::Mock(args)) => recordings::mock(engine, args).await,
                    _ => past_calls(engine, args).await,
                }
            };
            tokio::select! {
                done = done => done,
                () = interrupts.next() => Err(interrupted()),
            }
        }
    }
}

async fn past_calls(engine: &EngineClient, mut args: HistoryArgs) -> Result<ExitCode, Report> {
    let limit = usize::from(args.limit);
    let export = args.export.take();
    let filter = filter(engine, args).await?;
    let Some(file) = export else {
        return list(engine, filter, limit).await;
    };
    let path = absolute(&file);
    let exported = engine
        .export_history(ExportHistory { filter, path })
        .await?;
    print(&exported, || match exported.count {
        1 => format!("1 call in {}", exported.path),
        count => format!("{} calls in {}", grouped(count), exported.path),
    });
    Ok(ExitCode::SUCCESS)
}

async fn filter(engine: &EngineClient, args: HistoryArgs) -> Result<HistoryFilter, Report> {
    let session = match args.session.map(EntryId) {
        Some(id) => Some(engine.agent_session(HistoryEntryRef { id }).await?.of),
        None => None,
    };
    let member = args.member.map(MemberName::try_from).transpose();
    let tool = args.tool.map(ToolName::try_from).transpose();
    let refused = |code, error: NameError| Report::from_error(code, &CliError::Name(error.0));
    Ok(HistoryFilter {
        text: args.search,
        member: member.map_err(|error| refused(Code::MemberUnknown, error))?,
        tool: tool.map_err(|error| refused(Code::ToolUnknown, error))?,
        outcome: args.outcome.map(OutcomeKind::from),
        session,
        ..HistoryFilter::default()
    })
}

async fn list(
    engine: &EngineClient,
    filter: HistoryFilter,
    limit: usize,
) -> Result<ExitCode, Report> {
    let search = SearchHistory {
        filter,
        before: None,
        limit,
    };
    let HistoryPage {
        entries,
        more,
        trouble,
    } = engine.search_history(search).await?;
    match trouble {
        // An empty list would be wrong if the calls can't be read.
        Some(report) if entries.is_empty() => return Err(report),
        Some(report) => eprint_line(format_args!("warning: {report}")),
        None => {}
    }
    let page = json!({ "entries": entries, "more": more });
    print(&page, || {
        entries.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    if more {
        print_hint("More calls match; use --limit and filters, or --export for all.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats a call as one line.
fn line(entry: &HistoryEntry) -> String {
    let at = time(entry.at_ms);
    let outcome = match entry.code {
        Some(code) if entry.outcome == OutcomeKind::Failed => code.as_str(),
        _ => entry.outcome.as_str(),
    };
    let line = format!(
        "{:>6}  {at}  {outcome:<12}  {:>7} ms  {}/{}  {}",
        entry.id.0, entry.duration_ms, entry.member, entry.tool, entry.summary
    );
    // Arguments may contain control sequences, which a terminal must not execute.
    one_line(&line)
}
