//! `guildhall`: the same engine without a window.
//!
//! Results go to stdout, everything else to stderr. With `--json` each result is one JSON value
//! on one line. Exit codes: 0 done, 1 the tool said that it failed, 2 bad usage or arguments,
//! 3 protocol, 4 transport or time limit, 5 unknown member or tool.

mod call;
mod history;
mod interrupts;
mod list;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use guild_core::wire::Caller;
use guild_core::{Failure, Report};
use guild_engine::{Hall, Options, Paths, Watch};
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};

/// How long the threads that still block are waited for at the end.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// Runs, shows, tries and serves MCP servers.
#[derive(Debug, Parser)]
#[command(name = "guildhall", version)]
struct Cli {
    /// The folder of the members [default: GUILD_HALL_MEMBERS, the setting, the data folder].
    #[arg(long, global = true, value_name = "DIR")]
    members: Option<PathBuf>,
    /// The folder of Guild Hall's own data [default: GUILD_HALL_DATA, the system's place].
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Answer in JSON, one value on one line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists the members, from their caches: nothing is started.
    List {
        /// Start the members, list them while they are up, and stop them again.
        #[arg(long)]
        wait: bool,
    },
    /// Lists the tools of all members, or of one, from the caches.
    Tools {
        /// Only this member's.
        member: Option<String>,
        /// Start the members first, and stop them again.
        #[arg(long)]
        wait: bool,
    },
    /// Calls a tool and prints its MCP result.
    Call(call::CallArgs),
    /// Lists the calls of the past, the window's too, or exports them.
    History(history::HistoryArgs),
    /// Starts all members and prints each event as a line of JSON, until SIGINT or SIGTERM.
    Serve,
}

fn main() -> ExitCode {
    if let Some(code) = guild_engine::sample_member(std::env::args_os()) {
        return code;
    }
    let cli = Cli::parse();
    let quiet = !matches!(cli.command, Command::Serve);
    begin_log(if quiet { "error" } else { "info" });
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            tell(format_args!("error: no threads can be started: {error}"));
            return ExitCode::from(4);
        }
    };
    let json = cli.json;
    let done = runtime.block_on(run(cli));
    // What still blocks a thread (a slow disk) does not hold up the end.
    runtime.shutdown_timeout(LAST_MOMENT);
    match done {
        Ok(code) => code,
        Err(report) => fail(&report, json),
    }
}

async fn run(cli: Cli) -> Result<ExitCode, Report> {
    let paths = Paths::resolve(cli.members, cli.data)?;
    let watch = match cli.command {
        Command::Serve => Watch::Follow,
        Command::List { .. } | Command::Tools { .. } | Command::Call(_) | Command::History(_) => {
            Watch::Once
        }
    };
    let options = Options {
        watch,
        caller: Caller::CommandLine,
        ..Options::default()
    };
    let mut interrupts = Interrupts::listen();
    let hall = tokio::select! {
        opened = Hall::open(paths, options) => opened?,
        () = interrupts.next() => return Err(interrupted()),
    };
    let done = match cli.command {
        Command::List { wait } => list::members(&hall, wait, cli.json, &mut interrupts).await,
        Command::Tools { member, wait } => {
            list::tools(&hall, member.as_deref(), wait, cli.json, &mut interrupts).await
        }
        Command::Call(arguments) => call::call(&hall, arguments, cli.json, &mut interrupts).await,
        Command::History(arguments) => {
            history::history(&hall, arguments, cli.json, &mut interrupts).await
        }
        Command::Serve => serve::serve(&hall, &mut interrupts).await,
    };
    // However it went, what was started for it ends here.
    hall.shutdown().await;
    done
}

/// Says on stderr what went wrong, on stdout too where JSON was asked for.
fn fail(report: &Report, json: bool) -> ExitCode {
    tell(format_args!("error: {report}"));
    if json {
        print_line(&json!({ "error": report }).to_string());
    }
    ExitCode::from(exit_code(report.code.failure()))
}

fn exit_code(failure: Failure) -> u8 {
    match failure {
        Failure::Usage | Failure::Storage => 2,
        Failure::Protocol => 3,
        Failure::Transport => 4,
        Failure::Unknown => 5,
    }
}

/// Prints a line. Whoever reads it may have gone: that is not our failure.
fn print_line(line: &str) -> bool {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).is_ok()
}

/// Says a line on stderr. That nobody may be there to read it is no failure either.
fn tell(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn begin_log(default: &str) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GUILD_HALL_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // It would say so on stderr, which is what can't be written to.
        .log_internal_errors(false)
        .init();
}
