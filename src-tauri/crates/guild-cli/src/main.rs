//! `guildhall`: the same engine without a window.
//!
//! Results go to stdout, everything else to stderr. With `--json` each result is one JSON value
//! on one line. Exit codes: 0 done, 1 the tool said that it failed, 2 bad usage or arguments,
//! 3 protocol, 4 transport or time limit, 5 unknown member or tool. `check` and `settings check` end
//! with 1 where something is wrong, `doctor` with 1 where it warns of something, and with 6 where
//! something fails.

mod add;
mod adopt;
mod answers;
mod approvals;
mod asking;
mod begin;
mod bundle;
mod call;
mod catalog;
mod changes;
mod check;
mod clients;
mod completions;
mod connect;
mod describe;
mod dev;
mod discover;
mod doctor;
mod embeddings;
mod endpoint;
mod explain;
mod export;
mod found;
mod hand_over;
mod history;
mod interrupts;
mod list;
mod logs;
mod policy;
mod reach;
mod registry;
mod review;
mod rounds;
mod secret;
mod serve;
mod settings;
mod signing;
mod starting;
mod team;
mod tend;
mod terminal;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use guild_core::wire::Caller;
use guild_core::wire::control::HallRole;
use guild_core::{Failure, Report};
use guild_engine::{
    AppLog, Guardian, Hall, KeychainOf, LoginShell, Options, Paths, SecretBook, Tenure, Watch,
};
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Purpose, Reach};
use crate::terminal::{harmless, print_line, tell};

/// How long the threads that still block are waited for at the end.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// Runs, shows, tries and serves MCP servers.
#[derive(Debug, Parser)]
#[command(name = "guildhall", version)]
struct Cli {
    /// The folder of the members [default: GUILD_HALL_MEMBERS, the setting, the data folder].
    #[arg(long, global = true, value_name = "DIR", display_order = 900)]
    members: Option<PathBuf>,
    /// The folder of Guild Hall's own data [default: GUILD_HALL_DATA, the system's place].
    #[arg(long, global = true, value_name = "DIR", display_order = 900)]
    data: Option<PathBuf>,
    /// Answer in JSON, one value on one line.
    #[arg(long, global = true, display_order = 901)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    OfHall(OfHall),
    /// Starts all members and opens the gateway for agents. Prints its address and token as a line
    /// of JSON, then each event as another, until SIGINT or SIGTERM.
    Serve(serve::ServeArgs),
    /// Follows the files of a member that you write: builds and restarts it when they change, shows
    /// what changed in its tools, and runs its examples. Until SIGINT or SIGTERM.
    Dev(dev::DevArgs),
    /// Shows what a member wrote to stderr, in runs of the past too.
    Logs(logs::LogsArgs),
    /// The gateway for programs that start a command: messages on standard input and output, while
    /// the app or `guildhall serve` runs.
    Connect(connect::ConnectArgs),
    /// Looks at this machine and says what keeps members from working, and what to do about it.
    /// Ends with 1 where something may fail, with 6 where something does.
    Doctor,
    /// Says what the code of an error means and what to do about it, or lists the codes.
    Explain(explain::ExplainArgs),
    /// Puts a small server that works into the members' folder, in the language that you write.
    New(begin::NewArgs),
    /// Sets, lists or removes the secrets that manifests use as `${secret:NAME}`.
    Secret(secret::SecretArgs),
    /// Prints what a shell completes this command's words with.
    Completions(completions::CompletionsArgs),
}

/// What needs a hall: the one that runs on the data folder, or one of its own.
#[derive(Debug, Subcommand)]
enum OfHall {
    /// Lists the members: as they are in the hall that runs, else from their caches. Nothing is
    /// started.
    List {
        /// Start the members, list them while they are up, and stop them again; with a hall that
        /// runs, wait until it starts and stops none.
        #[arg(long)]
        wait: bool,
    },
    /// Lists the tools of all members, or of one, from the hall that runs or the caches.
    Tools {
        /// Only this member's.
        member: Option<String>,
        /// Start the members first, and stop them again; with a hall that runs, wait until it
        /// starts and stops none.
        #[arg(long)]
        wait: bool,
    },
    /// Lists every tool with whether agents may call it and how it was found out, from the hall that
    /// runs or the caches; nothing is started.
    Catalog,
    /// Lists every tool with whether agents may call it and what decided that, and sets it: on tools
    /// by hand, or for kinds of tools.
    Policy(policy::PolicyArgs),
    /// Shows the endpoint that ranks tools by meaning, sets it, removes it, or tests it.
    Embeddings(embeddings::EmbeddingsArgs),
    /// Lists agents' calls that wait for a person, and decides about them, as the window does.
    Approvals(approvals::ApprovalsArgs),
    /// Asks a member for its tools in every way there is: by the protocol, in what it writes, and, where
    /// that is switched on and agreed to, by asking a model.
    Discover(discover::DiscoverArgs),
    /// Describes a tool: what its server says of it, and its schemas, from the hall that runs or
    /// the cache.
    Describe(describe::DescribeArgs),
    /// Shows what a member runs and what its tools say, beside what was accepted, and accepts it.
    Review(review::ReviewArgs),
    /// Calls a tool and prints its MCP result.
    Call(call::CallArgs),
    /// Lists the calls of the past, the window's too, or exports them.
    History(history::HistoryArgs),
    /// Writes a bundle for a bug report: logs, versions, manifests, settings and states, without the
    /// values of secrets. Says first what is in it.
    Bundle(bundle::BundleArgs),
    /// Lists the servers that other programs have in their configuration files, each with the whole
    /// command that it would run. Nothing is started.
    Found(found::FoundArgs),
    /// Makes members of servers that other programs have. Shows what each would run, and asks.
    Adopt(adopt::AdoptArgs),
    /// Makes members of what a server's page shows: a file, a text on standard input, or the words of
    /// a command after `--`. Shows what each would run, and asks.
    Add(add::AddArgs),
    /// Has a program use Guild Hall instead of those of its servers that are members now. Shows what
    /// changes in its files, and asks; --undo gives the files back.
    HandOver(hand_over::HandOverArgs),
    /// Lists the clients that have a token of the gateway, or revokes the tokens of some.
    Clients(clients::ClientsArgs),
    /// Prints how a program is connected to the gateway, or writes it into the program's file.
    Export(export::ExportArgs),
    /// Prints a profile as a compose file or as manifests of a cluster, which run its members behind a
    /// gateway that the team has, or writes them with the member that connects to it.
    ExportTeam(team::ExportTeamArgs),
    /// Runs the examples in members' manifests, once, and says in what a result is not as expected.
    /// Ends with 1 where one fails.
    Check(check::CheckArgs),
    /// Looks for servers in MCP registries, in files or at addresses that you name, and installs them.
    Registry(registry::RegistryArgs),
    /// Lists what is set, changes it, checks the file, and takes all of it to another machine.
    Settings(settings::SettingsArgs),
    /// Signs in to a member that runs elsewhere: prints where, and waits until that has happened.
    SignIn(signing::SignInArgs),
    /// Gives a member's tokens back, forgets them, and stops the member.
    SignOut(signing::SignOutArgs),
    /// Starts a member of the hall that runs, also one that ended again and again.
    Start(tend::TendArgs),
    /// Stops a member of the hall that runs.
    Stop(tend::TendArgs),
    /// Stops a member of the hall that runs, and starts it.
    Restart(tend::TendArgs),
}

fn main() -> ExitCode {
    guild_engine::return_large_blocks();
    if let Some(code) = guild_engine::guardian(std::env::args_os()) {
        return code;
    }
    if let Some(code) = guild_engine::sample_member(std::env::args_os())
        .or_else(|| guild_engine::print_environment(std::env::args_os()))
    {
        return code;
    }
    let cli = Cli::parse();
    // What serves for long keeps a log; of a command that is soon over, stderr tells.
    let log = match cli.command {
        Command::Serve(_) => Some(AppLog::begin("info")),
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
            let said = format!("no threads can be started: {error}");
            tell(format_args!("error: {said}"));
            return ExitCode::from(4);
        }
    };
    // What `connect` says on stdout is another program's to read.
    let json = cli.json && !matches!(cli.command, Command::Connect(_));
    let done = runtime.block_on(run(cli, log.clone()));
    // What still blocks a thread (a slow disk) does not hold up the end.
    runtime.shutdown_timeout(LAST_MOMENT);
    if let Some(log) = log {
        log.finish();
    }
    match done {
        Ok(code) => code,
        Err(report) => fail(&report, json),
    }
}

async fn run(cli: Cli, app_log: Option<AppLog>) -> Result<ExitCode, Report> {
    let resolve = match cli.command {
        // It keeps the folder itself, after a hall that may be about to end.
        Command::Serve(_) => Paths::resolve,
        _ => Paths::resolve_beside_hall,
    };
    let resolve = || resolve(cli.members, cli.data);
    let options = Options {
        caller: Caller::CommandLine,
        keychain: KeychainOf::System,
        app_log,
        guardian: Guardian::OwnBinary,
        import_awaited: Some(|pid| {
            tell(format!(
                "Waiting for process {pid}, which imports settings; Ctrl-C gives up."
            ))
        }),
        ..Options::default()
    };
    match cli.command {
        // Another process has the hall.
        Command::Connect(arguments) => connect::connect(arguments, resolve).await,
        Command::Serve(arguments) => {
            let options = Options {
                tenure: Tenure::Receives(HallRole::Serve),
                login_shell: LoginShell::OfUser,
                ..options
            };
            let serving = async |hall: &Hall, interrupts: &mut Interrupts| {
                serve::serve(hall, arguments, interrupts).await
            };
            with_own(resolve()?, options, serving).await
        }
        Command::Dev(arguments) => dev::dev(resolve()?, arguments, options, cli.json).await,
        Command::Doctor => {
            let options = Options {
                tenure: Tenure::Passes,
                watch: Watch::Once,
                login_shell: LoginShell::OfUser,
                ..options
            };
            let examining = async |hall: &Hall, interrupts: &mut Interrupts| {
                doctor::doctor(hall, cli.json, interrupts).await
            };
            with_own(resolve()?, options, examining).await
        }
        Command::Explain(arguments) => Ok(explain::explain(&arguments, cli.json)),
        Command::New(arguments) => {
            let paths = resolve()?;
            refuse_member(&paths).await?;
            begin::begin(&paths.members_dir, &arguments, cli.json)
        }
        Command::Secret(arguments) => {
            let paths = resolve()?;
            if arguments.changes() {
                refuse_member(&paths).await?;
            }
            let book = SecretBook::open(&paths.data_dir, options.keychain);
            secret::secret(&book, arguments, cli.json, &mut Interrupts::listen()).await
        }
        Command::Completions(arguments) => Ok(completions::print(&arguments)),
        Command::Logs(arguments) => {
            let paths = resolve()?;
            let mut interrupts = Interrupts::listen();
            let reach = async || Reach::find(paths.clone(), Purpose::Looks, options).await;
            logs::logs(&paths, arguments, cli.json, &mut interrupts, reach).await
        }
        Command::OfHall(command) => {
            let mut interrupts = Interrupts::listen();
            let paths = resolve()?;
            if !only_reads(&command) {
                refuse_member(&paths).await?;
            }
            let purpose = purpose(&command);
            let options = Options {
                // Nobody else needs the shell's variables.
                login_shell: match purpose {
                    Purpose::Starts => LoginShell::OfUser,
                    Purpose::Looks | Purpose::Tends => LoginShell::NotAsked,
                },
                ..options
            };
            let finding = Reach::find(paths, purpose, options);
            let reach = tokio::select! {
                found = finding => found?,
                () = interrupts.next() => return Err(interrupted()),
            };
            let done = ask(&reach, command, cli.json, &mut interrupts).await;
            // However it went, what was started for it ends here.
            reach.leave().await;
            done
        }
    }
}

/// Opens a hall of its own for a command, and closes it however that went.
async fn with_own(
    paths: Paths,
    options: Options,
    command: impl AsyncFnOnce(&Hall, &mut Interrupts) -> Result<ExitCode, Report>,
) -> Result<ExitCode, Report> {
    let mut interrupts = Interrupts::listen();
    let hall = tokio::select! {
        opened = Hall::open(paths, options) => opened?,
        () = interrupts.next() => return Err(interrupted()),
    };
    let done = command(&hall, &mut interrupts).await;
    hall.shutdown().await;
    done
}

/// Refuses a command that decides something where this program is a process of a member.
async fn refuse_member(paths: &Paths) -> Result<(), Report> {
    let data_dir = paths.data_dir.clone();
    asking::off_the_runtime(move || guild_engine::refuse_member(&data_dir)).await
}

/// Whether a command only reads, calls and tends, which the processes of members may do too.
fn only_reads(command: &OfHall) -> bool {
    match command {
        OfHall::List { .. } | OfHall::Tools { .. } | OfHall::Catalog => true,
        OfHall::Describe(_) | OfHall::Call(_) | OfHall::Check(_) | OfHall::Discover(_) => true,
        OfHall::Start(_) | OfHall::Stop(_) | OfHall::Restart(_) => true,
        OfHall::Found(_) | OfHall::History(_) | OfHall::Bundle(_) | OfHall::ExportTeam(_) => true,
        OfHall::Add(arguments) => !arguments.adopts(),
        OfHall::Export(arguments) => !arguments.writes(),
        OfHall::HandOver(arguments) => !arguments.writes(),
        OfHall::Policy(arguments) => !arguments.changes(),
        OfHall::Embeddings(arguments) => !arguments.changes(),
        OfHall::Registry(arguments) => !arguments.installs(),
        OfHall::Review(arguments) => !arguments.accepts(),
        OfHall::Settings(arguments) => !arguments.changes(),
        _ => false,
    }
}

/// What a command does with the hall that it asks.
fn purpose(command: &OfHall) -> Purpose {
    match command {
        // What was accepted is the running hall's to write, if there is one.
        OfHall::Call(_) | OfHall::Adopt(_) | OfHall::Check(_) => Purpose::Starts,
        OfHall::SignIn(_) | OfHall::SignOut(_) => Purpose::Starts,
        OfHall::Add(arguments) if arguments.adopts() => Purpose::Starts,
        OfHall::HandOver(arguments) if arguments.writes() => Purpose::Starts,
        OfHall::Clients(arguments) if arguments.changes() => Purpose::Starts,
        OfHall::Review(arguments) if arguments.accepts() => Purpose::Starts,
        OfHall::Registry(arguments) if arguments.installs() => Purpose::Starts,
        OfHall::Policy(arguments) if arguments.changes() => Purpose::Starts,
        OfHall::Embeddings(arguments) if arguments.changes() => Purpose::Starts,
        OfHall::Approvals(arguments) if arguments.decides() => Purpose::Tends,
        OfHall::Settings(arguments) if arguments.changes() => Purpose::Starts,
        OfHall::List { wait } | OfHall::Tools { wait, .. } if *wait => Purpose::Starts,
        OfHall::Describe(arguments) if arguments.wait => Purpose::Starts,
        OfHall::Discover(arguments) if arguments.starts() => Purpose::Starts,
        OfHall::Start(_) | OfHall::Stop(_) | OfHall::Restart(_) => Purpose::Tends,
        _ => Purpose::Looks,
    }
}

async fn ask(
    reach: &Reach,
    command: OfHall,
    json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    match command {
        OfHall::List { wait } => list::members(reach, wait, json, interrupts).await,
        OfHall::Tools { member, wait } => {
            list::tools(reach, member.as_deref(), wait, json, interrupts).await
        }
        OfHall::Catalog => catalog::catalog(reach, json).await,
        OfHall::Policy(arguments) => policy::policy(reach, arguments, json).await,
        OfHall::Embeddings(arguments) => embeddings::embeddings(reach, arguments, json).await,
        OfHall::Approvals(arguments) => approvals::approvals(reach, arguments, json).await,
        OfHall::Settings(arguments) => settings::settings(reach, arguments, json, interrupts).await,
        OfHall::Discover(arguments) => discover::discover(reach, arguments, json, interrupts).await,
        OfHall::Describe(arguments) => describe::describe(reach, arguments, json, interrupts).await,
        OfHall::Call(arguments) => call::call(reach, arguments, json, interrupts).await,
        OfHall::Review(arguments) => review::review(reach, arguments, json, interrupts).await,
        OfHall::History(arguments) => history::history(reach, arguments, json, interrupts).await,
        OfHall::Found(arguments) => found::found(reach, arguments, json, interrupts).await,
        OfHall::HandOver(arguments) => {
            hand_over::hand_over(reach, arguments, json, interrupts).await
        }
        OfHall::Clients(arguments) => clients::clients(reach, arguments, json).await,
        OfHall::ExportTeam(arguments) => team::export_team(reach, arguments, json).await,
        OfHall::Export(arguments) => export::export(reach, arguments, json).await,
        OfHall::Adopt(arguments) => adopt::adopt(reach, arguments, json, interrupts).await,
        OfHall::Add(arguments) => add::add(reach, arguments, json, interrupts).await,
        OfHall::Bundle(arguments) => bundle::bundle(reach, arguments, json, interrupts).await,
        OfHall::Check(arguments) => check::check(reach, arguments, json, interrupts).await,
        OfHall::Registry(arguments) => registry::registry(reach, arguments, json, interrupts).await,
        OfHall::SignIn(arguments) => signing::sign_in(reach, arguments, json, interrupts).await,
        OfHall::SignOut(arguments) => signing::sign_out(reach, arguments, json, interrupts).await,
        OfHall::Start(arguments) => {
            tend::tend(reach, "start_member", arguments, json, interrupts).await
        }
        OfHall::Stop(arguments) => {
            tend::tend(reach, "stop_member", arguments, json, interrupts).await
        }
        OfHall::Restart(arguments) => {
            tend::tend(reach, "restart_member", arguments, json, interrupts).await
        }
    }
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
