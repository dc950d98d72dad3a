//! `guildhall history`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use guild_core::id::NameError;
use guild_core::note::CliTrouble;
use guild_core::wire::{
    ExportHistory, HistoryEntry, HistoryFilter, HistoryPage, OutcomeKind, SearchHistory,
};
use guild_core::{Code, MemberName, Report, ToolName};
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};
use crate::reach::Reach;
use crate::terminal::one_line;
use crate::words;
use crate::{print_line, tell};

/// Which calls are listed.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Only calls that have all of these words: in member, tool, arguments, result or error.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Only this member's calls. It need not be a member any more.
    #[arg(long)]
    member: Option<String>,
    /// Only calls of tools of this name.
    #[arg(long)]
    tool: Option<String>,
    /// Only calls that ended so.
    #[arg(long, value_enum)]
    outcome: Option<Outcome>,
    /// At most so many, the newest first.
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "export",
          value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
    /// Write all of them to a file instead, the oldest first, as JSON Lines.
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Outcome {
    /// The tool answered.
    Ok,
    /// The tool answered that it failed.
    ToolError,
    /// There is no result.
    Failed,
    /// The caller cancelled it.
    Cancelled,
}

impl From<Outcome> for OutcomeKind {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ok => Self::Ok,
            Outcome::ToolError => Self::ToolError,
            Outcome::Failed => Self::Failed,
            Outcome::Cancelled => Self::Cancelled,
        }
    }
}

/// Lists calls of the past, or exports them.
pub(crate) async fn history(
    reach: &Reach,
    args: HistoryArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let limit = usize::from(args.limit);
    let export = args.export.clone();
    let filter = filter(args)?;
    let asked = async {
        match export {
            Some(path) => export_to(reach, filter, path, as_json).await,
            None => list(reach, filter, limit, as_json).await,
        }
    };
    tokio::select! {
        done = asked => done,
        () = interrupts.next() => Err(interrupted()),
    }
}

fn filter(args: HistoryArgs) -> Result<HistoryFilter, Report> {
    let member = args.member.map(MemberName::try_from).transpose();
    let tool = args.tool.map(ToolName::try_from).transpose();
    let refused = |code, error: NameError| Report::told(code, &CliTrouble::Name(error.0));
    Ok(HistoryFilter {
        text: args.search,
        member: member.map_err(|error| refused(Code::MemberUnknown, error))?,
        tool: tool.map_err(|error| refused(Code::ToolUnknown, error))?,
        outcome: args.outcome.map(OutcomeKind::from),
        ..HistoryFilter::default()
    })
}

async fn list(
    reach: &Reach,
    filter: HistoryFilter,
    limit: usize,
    as_json: bool,
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
    } = reach.search_history(search).await?;
    match trouble {
        // No calls would be a wrong answer where they can't be read.
        Some(report) if entries.is_empty() => return Err(report),
        Some(report) => tell(format_args!("warning: {report}")),
        None => {}
    }
    if as_json {
        print_line(&json!({ "entries": entries, "more": more }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    for entry in &entries {
        if !print_line(&line(entry)) {
            break;
        }
    }
    if more {
        tell("There are more; --limit and the filters choose others, --export takes all.");
    }
    Ok(ExitCode::SUCCESS)
}

/// One call on one line.
fn line(entry: &HistoryEntry) -> String {
    let at = UNIX_EPOCH + Duration::from_millis(entry.at_ms);
    let at = humantime::format_rfc3339_seconds(at);
    let outcome = match entry.code {
        Some(code) if entry.outcome == OutcomeKind::Failed => code.as_str(),
        _ => entry.outcome.as_str(),
    };
    let line = format!(
        "{at}  {outcome:<12}  {:>7} ms  {}/{}  {}",
        entry.duration_ms, entry.member, entry.tool, entry.summary
    );
    // What was typed as arguments may be anything; a terminal must not take it for commands.
    one_line(&line)
}

async fn export_to(
    reach: &Reach,
    filter: HistoryFilter,
    path: PathBuf,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let path = std::path::absolute(&path).unwrap_or(path);
    let request = ExportHistory {
        filter,
        path: path.display().to_string(),
    };
    let exported = reach.export_history(request).await?;
    if as_json {
        print_line(&json!(exported).to_string());
    } else {
        let said = words::care::exported(exported.count, &exported.path);
        print_line(&said);
    }
    Ok(ExitCode::SUCCESS)
}
