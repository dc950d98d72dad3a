//! `guildhall`: the command-line program, with the same engine as the app.
//!
//! Results go to stdout, everything else to stderr. With `--json` each result is one JSON value on
//! one line. Exit codes: 0 done, 1 the tool reported a failure, 2 bad usage or arguments, 3
//! protocol, 4 transport or time limit, 5 unknown member or tool. `dev --once` and `settings check`
//! exit with 1 if they find a mistake. `doctor` exits with 1 after a warning and with 6 after a
//! problem. `list --wait` exits with 7 if a member is in error.

mod add;
mod answers;
mod approvals;
mod auth;
mod call;
mod clients;
mod completions;
mod connect;
mod dev;
mod doctor;
mod endpoint;
mod engine_client;
mod help;
mod history;
mod interrupts;
mod lifecycle;
mod list;
mod logs;
mod member;
mod messages;
mod profile;
mod registry;
mod review;
mod secret;
mod serve;
mod session;
mod settings;
mod terminal;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{FromArgMatches as _, Parser, Subcommand};
use guild_api::wire::Caller;
use guild_engine::{AppLog, GuildHallOptions, KeychainChoice, LockMode, Paths, WatchdogProgram};
use guild_model::holder::HallRole;
use guild_model::{Failure, Report};
use serde_json::json;

use crate::engine_client::EngineClient;
use crate::interrupts::Interrupts;
use crate::session::{CliContext, Need};
use crate::terminal::{eprint_line, harmless, print, print_line, set_json};

/// How long the program waits for blocking threads at its end.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// Run, inspect, try and serve MCP servers. A member is an MCP server that Guild Hall manages.
#[derive(Debug, Parser)]
#[command(name = "guildhall", version)]
struct Cli {
    /// Use the members in this folder [default: GUILD_HALL_MEMBERS, else
    /// membersDir in settings.json, else guild-members in the data folder]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Global options"
    )]
    members: Option<PathBuf>,
    /// Use Guild Hall's data in this folder [default: GUILD_HALL_DATA, else the system's folder for
    /// data]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Global options"
    )]
    data: Option<PathBuf>,
    /// Print JSON, one value on each line
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// List the members and their state
    #[command(after_help = help::LIST)]
    List {
        /// Start all members, list them once each is ready or has failed, and stop them again.
        /// If Guild Hall is already running, only wait for the members that are starting
        #[arg(long)]
        wait: bool,
    },
    /// Add members from a file, a command, a registry, other programs or a template
    Add(add::AddArgs),
    /// Start a member, even after repeated crashes
    Start(lifecycle::LifecycleArgs),
    /// Stop a member
    Stop(lifecycle::LifecycleArgs),
    /// Restart a member
    Restart(lifecycle::LifecycleArgs),
    /// Show the command and the tools of a member, and accept them
    Review(review::ReviewArgs),
    /// Rename, duplicate, disable, edit, remove or restore a member
    Member(member::MemberArgs),
    /// Sign in to a member that has a URL, or sign out
    Auth(auth::AuthArgs),
    /// Set, list or remove the secrets that manifests use as ${secret:NAME}
    Secret(secret::SecretArgs),
    /// Show the log of a member
    Logs(logs::LogsArgs),
    /// List the tools, describe one, or set which tools agents may call
    Tools(tools::ToolsArgs),
    /// Call a tool and print its result
    Call(call::CallArgs),
    /// List or export past calls, or make checks or a mock of them
    History(history::HistoryArgs),
    /// Start all members and serve their tools to agents, without a window
    Serve(serve::ServeArgs),
    /// Connect an agent to the gateway over standard input and output
    Connect(connect::ConnectArgs),
    /// Connect other programs to the gateway, and revoke their tokens
    Clients(clients::ClientsArgs),
    /// List the agents' calls that wait for approval, and approve or deny them
    Approvals(approvals::ApprovalsArgs),
    /// Export a profile for a team, or limit the size of its results
    Profile(profile::ProfileArgs),
    /// Rebuild, restart and check a member while you edit its files
    Dev(dev::DevArgs),
    /// Find problems on this machine, explain an error, or write a bug report
    Doctor(doctor::DoctorArgs),
    /// Show, change, check, export or import the settings
    Settings(settings::SettingsArgs),
    /// Print the completion script for a shell
    Completions(completions::CompletionsArgs),
}

fn main() -> ExitCode {
    guild_engine::return_large_blocks();
    if let Some(code) = guild_engine::watchdog(std::env::args_os()) {
        return code;
    }
    if let Some(code) = guild_engine::sample_member(std::env::args_os())
        .or_else(|| guild_engine::print_environment(std::env::args_os()))
    {
        return code;
    }
    let matches = help::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    // Only a long-running command writes a log.
    let log = match cli.command {
        CliCommand::Serve(_) => Some(AppLog::begin("info")),
        _ => {
            AppLog::on_stderr("error");
            None
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprint_line(format_args!("error: no threads can be started: {error}"));
            return ExitCode::from(4);
        }
    };
    // Another program reads the stdout of `connect`.
    set_json(cli.json && !matches!(cli.command, CliCommand::Connect(_)));
    let done = runtime.block_on(run(cli, log.clone()));
    // A thread that waits for a slow disk must not delay the end of the program.
    runtime.shutdown_timeout(LAST_MOMENT);
    if let Some(log) = log {
        log.finish();
    }
    match done {
        Ok(code) => code,
        Err(report) => fail(&report),
    }
}

async fn run(cli: Cli, app_log: Option<AppLog>) -> Result<ExitCode, Report> {
    let resolve = match cli.command {
        // `serve` locks the folder itself, after waiting for a hall that may be about to end.
        CliCommand::Serve(_) => Paths::resolve,
        _ => Paths::resolve_beside_hall,
    };
    let resolve = || {
        let paths = resolve(cli.members, cli.data)?;
        guild_engine::crash_report::keep_in(&paths.data_dir);
        Ok::<_, Report>(paths)
    };
    let session = || {
        let interrupts = Interrupts::listen();
        let options = GuildHallOptions {
            caller: Caller::CommandLine,
            keychain: KeychainChoice::System,
            app_log,
            watchdog: WatchdogProgram::OwnBinary,
            ..GuildHallOptions::default()
        };
        Ok::<_, Report>(CliContext {
            paths: resolve()?,
            options,
            interrupts,
        })
    };
    match cli.command {
        CliCommand::List { wait } => {
            let need = Need::either(wait, Need::START, Need::READ);
            let list = async |it: &EngineClient| list::members(it, wait).await;
            session()?.with_engine(need, list).await
        }
        CliCommand::Add(args) => add::add(session()?, args).await,
        CliCommand::Start(args) => lifecycle::control(session()?, "start_member", args).await,
        CliCommand::Stop(args) => lifecycle::control(session()?, "stop_member", args).await,
        CliCommand::Restart(args) => lifecycle::control(session()?, "restart_member", args).await,
        CliCommand::Review(args) => {
            let need = Need::either(args.accepts(), Need::DECIDE, Need::READ);
            let review = async |it: &EngineClient| review::review(it, args).await;
            session()?.with_engine(need, review).await
        }
        CliCommand::Member(args) => {
            let member = async |engine: &EngineClient, interrupts: &mut Interrupts| {
                member::member(engine, args, interrupts).await
            };
            session()?.with_signals(Need::DECIDE, member).await
        }
        CliCommand::Auth(args) => {
            let auth = async |engine: &EngineClient, interrupts: &mut Interrupts| {
                auth::auth(engine, args, interrupts).await
            };
            session()?.with_signals(Need::DECIDE, auth).await
        }
        CliCommand::Secret(args) => secret::secret(session()?, args).await,
        CliCommand::Logs(args) => logs::logs(session()?, args).await,
        CliCommand::Tools(args) => {
            let need = args.need();
            let tools = async |it: &EngineClient| tools::tools(it, args).await;
            session()?.with_engine(need, tools).await
        }
        CliCommand::Call(args) => {
            let call = async |engine: &EngineClient, interrupts: &mut Interrupts| {
                call::call(engine, args, interrupts).await
            };
            session()?.with_signals(Need::START, call).await
        }
        CliCommand::History(args) => {
            let need = args.need();
            let history = async |engine: &EngineClient, interrupts: &mut Interrupts| {
                history::history(engine, args, interrupts).await
            };
            session()?.with_signals(need, history).await
        }
        CliCommand::Serve(args) => {
            let tenure = LockMode::Serve(HallRole::Serve);
            let serve = async |hall: &guild_engine::GuildHall, interrupts: &mut Interrupts| {
                serve::serve(hall, args, interrupts).await
            };
            session()?.with_own_engine(tenure, serve).await
        }
        CliCommand::Connect(args) => connect::connect(args, session).await,
        CliCommand::Clients(args) => {
            let need = args.need();
            let clients = async |it: &EngineClient| clients::clients(it, args).await;
            session()?.with_engine(need, clients).await
        }
        CliCommand::Approvals(args) => {
            let need = Need::either(args.decides(), Need::DECIDE_RUNNING, Need::PERSON);
            let approvals = async |it: &EngineClient| approvals::approvals(it, args).await;
            session()?.with_engine(need, approvals).await
        }
        CliCommand::Profile(args) => {
            let need = Need::either(args.changes(), Need::DECIDE, Need::READ);
            let profile = async |it: &EngineClient| profile::profile(it, args).await;
            session()?.with_engine(need, profile).await
        }
        CliCommand::Dev(args) => dev::dev(session()?, args).await,
        CliCommand::Doctor(args) => doctor::doctor(session, args).await,
        CliCommand::Settings(args) => {
            let need = Need::either(args.changes(), Need::DECIDE, Need::READ);
            let settings = async |it: &EngineClient| settings::settings(it, args).await;
            session()?.with_engine(need, settings).await
        }
        CliCommand::Completions(args) => Ok(completions::print(&args)),
    }
}

/// Reports an error on stderr, and with `--json` on stdout too.
fn fail(report: &Report) -> ExitCode {
    eprint_line(format_args!("error: {report}"));
    print(&json!({ "error": report }), String::new);
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
