//! `guildhall logs`.

use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use clap::Args;
use guild_api::wire::{LOG_PAGE_MAX, LogFilter, LogLine};
use guild_engine::MemberLogs;
use guild_engine::messages::CliError;
use guild_model::{Code, MemberName, Report};
use serde_json::json;

use crate::engine_client::{EngineClient, Purpose, of};
use crate::interrupts::interrupted;
use crate::session::CliContext;
use crate::terminal::{blocking, is_json};
use crate::{help, print_line};

#[derive(Debug, Args)]
#[command(after_help = help::LOGS)]
pub(crate) struct LogsArgs {
    /// The member, even if it was removed
    member: String,
    /// Show at most this many lines, the newest
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    lines: u32,
    /// Show only lines with this text, ignoring upper and lower case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Show only lines from one run of the member: the run after its Nth start
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    /// Keep printing new lines, until SIGINT or SIGTERM
    #[arg(long, short = 'f')]
    follow: bool,
}

/// Shows the stderr of a member from the files of its log, without a hall. If a member has no
/// files, a hall checks whether it exists.
pub(crate) async fn logs(mut session: CliContext, args: LogsArgs) -> Result<ExitCode, Report> {
    let member = MemberName::parse(&args.member)
        .map_err(|error| Report::from_error(Code::MemberUnknown, &CliError::NoName(error.0)))?;
    let logs = MemberLogs::of(&session.paths.data_dir);
    let interrupts = &mut session.interrupts;
    if !logs.has(&member) {
        let finding = EngineClient::find(session.paths, Purpose::Reads, session.options);
        let engine = tokio::select! {
            found = finding => found?,
            () = interrupts.next() => return Err(interrupted()),
        };
        let known = engine.member_tools(of(&member)).await;
        engine.leave().await;
        known?;
    }
    let filter = LogFilter {
        contains: args.grep.unwrap_or_default(),
        start: args.start,
    };
    // Following begins before the files are read, so that no line is missed in between.
    let following = match args.follow {
        true => {
            let (logs, member, filter) = (logs.clone(), member.clone(), filter.clone());
            Some(blocking(move || logs.follow(&member, &filter)).await?)
        }
        false => None,
    };
    let wanted = args.lines as usize;
    let reading = blocking(move || newest(&logs, &member, &filter, wanted));
    let lines = tokio::select! {
        lines = reading => lines?,
        () = interrupts.next() => return Err(interrupted()),
    };
    let mut printing = Printing {
        start: None,
        next: lines.last().map_or(0, |line| line.seq + 1),
    };
    if !printing.print(lines).await {
        return Ok(ExitCode::SUCCESS);
    }
    let Some(mut following) = following else {
        return Ok(ExitCode::SUCCESS);
    };
    loop {
        let mut lines = tokio::select! {
            lines = following.next() => lines?,
            () = interrupts.next() => return Ok(ExitCode::SUCCESS),
        };
        lines.retain(|line| line.seq >= printing.next);
        if !printing.print(lines).await {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Returns the newest matching lines, oldest first.
fn newest(
    logs: &MemberLogs,
    member: &MemberName,
    filter: &LogFilter,
    wanted: usize,
) -> Result<Vec<LogLine>, Report> {
    let mut pages: Vec<Vec<LogLine>> = Vec::new();
    let mut left = wanted;
    let mut before = None;
    while left > 0 {
        let page = logs.page(member, filter, before, left.min(LOG_PAGE_MAX), &[]);
        if let Some(problem) = page.problem {
            return Err(problem);
        }
        left -= page.lines.len().min(left);
        pages.push(page.lines);
        before = page.before;
        if before.is_none() {
            break;
        }
    }
    Ok(pages.into_iter().rev().flatten().collect())
}

/// The position in the log while its lines are printed.
struct Printing {
    /// The number of the start to which the last printed line belongs.
    start: Option<u64>,
    /// The number of the next line to print.
    next: u64,
}

impl Printing {
    /// Prints lines on another thread, since the reader may be slow. Returns whether stdout is
    /// still open.
    async fn print(&mut self, lines: Vec<LogLine>) -> bool {
        let mut text = Vec::with_capacity(lines.len());
        for line in lines {
            self.next = line.seq + 1;
            if is_json() {
                text.push(json!(line).to_string());
                continue;
            }
            if self.start.replace(line.start) != Some(line.start) {
                text.push(format!("-- start {} --", line.start));
            }
            let at = UNIX_EPOCH + Duration::from_millis(line.at_ms);
            let at = humantime::format_rfc3339_millis(at);
            text.push(format!("{at} {}", line.text));
        }
        if text.is_empty() {
            return true;
        }
        let printed = blocking(move || Ok(text.iter().all(|line| print_line(line))));
        printed.await.unwrap_or(false)
    }
}
