//! `guildhall`: the same engine without a window.
//!
//! Results go to stdout, everything else to stderr. With `--json` each result is one JSON value
//! on one line. Exit codes: 0 done, 1 the tool said that it failed, 2 bad usage or arguments,
//! 3 protocol, 4 transport or time limit, 5 unknown member or tool.

mod call;
mod connect;
mod describe;
mod endpoint;
mod export;
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
    #[command(flatten)]
    OfHall(OfHall),
    /// The gateway for programs that start a command: messages on standard input and output, while
    /// the app or `guildhall serve` runs.
    Connect(connect::ConnectArgs),
}

/// What needs a hall of its own.
#[derive(Debug, Subcommand)]
enum OfHall {
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
    /// Describes a tool: what its server says of it, and its schemas, from the cache.
    Describe(describe::DescribeArgs),
    /// Calls a tool and prints its MCP result.
    Call(call::CallArgs),
    /// Lists the calls of the past, the window's too, or exports them.
    History(history::HistoryArgs),
    /// Starts all members and opens the gateway for agents. Prints its address and token as a line
    /// of JSON, then each event as another, until SIGINT or SIGTERM.
    Serve(serve::ServeArgs),
    /// Prints how a program is connected to the gateway, or writes it into the program's file.
    Export(export::ExportArgs),
}

fn main() -> ExitCode {
    if let Some(code) = guild_engine::sample_member(std::env::args_os()) {
        return code;
    }
    let cli = Cli::parse();
    let quiet = !matches!(cli.command, Command::OfHall(OfHall::Serve(_)));
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
    // What `connect` says on stdout is another program's to read.
    let json = cli.json && !matches!(cli.command, Command::Connect(_));
    let done = runtime.block_on(run(cli));
    // What still blocks a thread (a slow disk) does not hold up the end.
    runtime.shutdown_timeout(LAST_MOMENT);
    match done {
        Ok(code) => code,
        Err(report) => fail(&report, json),
    }
}

async fn run(cli: Cli) -> Result<ExitCode, Report> {
    let command = match cli.command {
        // Another process has the hall.
        Command::Connect(arguments) => {
            let paths = || Paths::resolve(cli.members, cli.data);
            return connect::connect(arguments, paths).await;
        }
        Command::OfHall(command) => command,
    };
    let paths = Paths::resolve(cli.members, cli.data)?;
    let watch = match command {
        OfHall::Serve(_) => Watch::Follow,
        _ => Watch::Once,
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
    let done = match command {
        OfHall::List { wait } => list::members(&hall, wait, cli.json, &mut interrupts).await,
        OfHall::Tools { member, wait } => {
            list::tools(&hall, member.as_deref(), wait, cli.json, &mut interrupts).await
        }
        OfHall::Describe(arguments) => {
            describe::describe(&hall, arguments, cli.json, &mut interrupts).await
        }
        OfHall::Call(arguments) => call::call(&hall, arguments, cli.json, &mut interrupts).await,
        OfHall::History(arguments) => {
            history::history(&hall, arguments, cli.json, &mut interrupts).await
        }
        OfHall::Serve(arguments) => serve::serve(&hall, arguments, &mut interrupts).await,
        OfHall::Export(arguments) => export::export(&hall, arguments, cli.json).await,
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

/// A text without the characters that a terminal may take for commands.
fn harmless(text: &str) -> String {
    let harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars()
        .map(|c| if harmful(c) { '\u{FFFD}' } else { c })
        .collect()
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
