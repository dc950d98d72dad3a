//! `guildhall history`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use guild_api::wire::{
    ExportHistory, HistoryEntry, HistoryFilter, HistoryPage, OutcomeKind, SearchHistory,
};
use guild_engine::messages::CliError;
use guild_model::id::NameError;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_text::number::grouped;
use serde_json::json;

use crate::engine_client::EngineClient;
use crate::terminal::{absolute, one_line, print, print_hint, time};
use crate::{eprint_line, help};

#[derive(Debug, Args)]
#[command(after_help = help::HISTORY)]
pub(crate) struct HistoryArgs {
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
    /// List at most this many calls, the newest first
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "export",
          value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
    /// Write all matching calls to this file as JSON Lines, the oldest first, and list none
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
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

/// Lists past calls, or exports them.
pub(crate) async fn history(
    engine: &EngineClient,
    mut args: HistoryArgs,
) -> Result<ExitCode, Report> {
    let limit = usize::from(args.limit);
    let export = args.export.take();
    let filter = filter(args)?;
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

fn filter(args: HistoryArgs) -> Result<HistoryFilter, Report> {
    let member = args.member.map(MemberName::try_from).transpose();
    let tool = args.tool.map(ToolName::try_from).transpose();
    let refused = |code, error: NameError| Report::from_error(code, &CliError::Name(error.0));
    Ok(HistoryFilter {
        text: args.search,
        member: member.map_err(|error| refused(Code::MemberUnknown, error))?,
        tool: tool.map_err(|error| refused(Code::ToolUnknown, error))?,
        outcome: args.outcome.map(OutcomeKind::from),
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
        "{at}  {outcome:<12}  {:>7} ms  {}/{}  {}",
        entry.duration_ms, entry.member, entry.tool, entry.summary
    );
    // Arguments may contain control sequences, which a terminal must not execute.
    one_line(&line)
}
