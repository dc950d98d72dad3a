//! `guildhall add`: adds servers from a file, a text, a command, a registry, or another program's
//! configuration as members.

mod bundle;
mod discovered;
mod new;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{
    AdoptBrought, Adopted, AdoptionEnd, Brought, BroughtServers, FoundServer, FoundState,
};
use guild_client_config::snippet::{SNIPPET_MAX, is_install_link};
use guild_engine::messages::CliError;
use guild_model::{Code, MemberName, Report};

use self::bundle::{add_bundle, is_bundle};
use self::discovered::{adopted, describe, named, new_servers};
pub(crate) use self::discovered::{container_lines, launch_lines, print_unread};
use crate::endpoint::wrong_usage;
use crate::engine_client::EngineClient;
use crate::registry::{self, RegistryArgs};
use crate::session::{CliContext, Need};
use crate::terminal::{absolute, blocking, counted, is_json, print};
use crate::{eprint_line, exit_code, help, print_line};

#[derive(Debug, Args)]
#[command(
    after_help = help::ADD,
    subcommand_negates_reqs = true,
    override_usage = "guildhall add [OPTIONS] FILE\n       guildhall add [OPTIONS] -- COMMAND...|ADDRESS\n       \
                      guildhall add discovered|registry|new ..."
)]
pub(crate) struct AddArgs {
    #[command(subcommand)]
    source: Option<AddSource>,
    #[command(flatten)]
    brought: BroughtArgs,
}

#[derive(Debug, Subcommand)]
enum AddSource {
    /// List the servers that other programs have, or add some of them
    #[command(after_help = help::DISCOVERED)]
    Discovered(discovered::DiscoveredArgs),
    /// Search MCP registries, and add servers from them
    Registry(RegistryArgs),
    /// Create a small working server in a programming language that you choose
    New(new::NewArgs),
}

/// The source of the servers to add.
#[derive(Debug, Args)]
struct BroughtArgs {
    /// A configuration file of any MCP client (JSON, TOML, YAML), an MCPB bundle (.mcpb, .dxt), or
    /// an install link of VS Code or Cursor; `-` reads standard input
    #[arg(required_unless_present = "words", conflicts_with = "words")]
    file: Option<PathBuf>,
    /// The command that starts the server, or the server's address
    #[arg(last = true, value_name = "COMMAND")]
    words: Vec<String>,
    /// Give the member this name. If a member of this name has an older version of the bundle,
    /// replace that version
    #[arg(long)]
    name: Option<String>,
    /// Add only the servers with these names
    #[arg(long, value_name = "SERVER", num_args = 1..)]
    only: Vec<String>,
    /// Show the servers and their commands, and add nothing
    #[arg(long, conflicts_with = "yes")]
    look: bool,
    /// Answer a question of a bundle (KEY is its id); repeat a key to give several answers. Secrets
    /// are refused, because other programs can read a command's arguments
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::answers::set)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    how: How,
}

/// Options that answer or skip the questions of `guildhall add`.
#[derive(Debug, Args)]
struct How {
    /// Add without asking. The commands are still shown
    #[arg(long)]
    yes: bool,
    /// Read the answers to the servers' questions from this JSON file, an object with question ids
    /// as keys; `-` reads standard input. Without --yes, missing required answers are asked for in
    /// the terminal
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Keep `docker run …` as the member's command. By default, it becomes the `container` of the
    /// member's plugin.json
    #[arg(long)]
    keep_command: bool,
}

impl BroughtArgs {
    fn is_given(&self) -> bool {
        let How {
            yes,
            inputs,
            keep_command,
        } = &self.how;
        self.file.is_some()
            || !self.words.is_empty()
            || self.name.is_some()
            || !self.only.is_empty()
            || self.look
            || !self.set.is_empty()
            || *yes
            || inputs.is_some()
            || *keep_command
    }
}

/// Adds members from the source that the arguments select.
pub(crate) async fn add(session: CliContext, args: AddArgs) -> Result<ExitCode, Report> {
    if args.source.is_some() && args.brought.is_given() {
        wrong_usage("give the options after `discovered`, `registry` or `new`");
    }
    match args.source {
        None => {
            let args = args.brought;
            let need = Need::either(args.look, Need::READ, Need::DECIDE);
            session
                .with_engine(need, async |it| add_brought(it, args).await)
                .await
        }
        Some(AddSource::Discovered(args)) => {
            let need = Need::either(args.adopts(), Need::DECIDE, Need::READ);
            session
                .with_engine(need, async |it| discovered::discovered(it, args).await)
                .await
        }
        Some(AddSource::Registry(args)) => {
            let need = Need::either(args.installs(), Need::DECIDE, Need::READ);
            session
                .with_engine(need, async |it| registry::registry(it, args).await)
                .await
        }
        Some(AddSource::New(args)) => {
            session.refuse_member().await?;
            new::new(&session.paths.members_dir, &args)
        }
    }
}

async fn add_brought(engine: &EngineClient, args: BroughtArgs) -> Result<ExitCode, Report> {
    if let Some(file) = args.file.clone().filter(|file| is_bundle(file)) {
        return add_bundle(engine, &file, args).await;
    }
    let brought = brought(args.file, args.words).await?;
    let found = engine.read_brought(brought.clone()).await?;
    if args.look {
        let lines: Vec<String> = found.servers.iter().map(describe).collect();
        print(&found, || lines.join("\n"));
        if !is_json() {
            print_left_out(&found);
        }
        return Ok(ExitCode::SUCCESS);
    }
    for server in &found.servers {
        eprint_line(describe(server));
    }
    print_left_out(&found);
    let chosen = chosen(&found, &args.only)?;
    let names = names(&chosen, args.name.as_deref())?;
    let question = match names.as_slice() {
        [one] => member_question(one),
        _ => members_question(names.len()),
    };
    let servers = adopted(chosen.into_iter().zip(names), &args.how, &question).await?;
    let Some(servers) = servers else {
        return Ok(ExitCode::from(2));
    };
    let adopted = engine
        .adopt_brought(AdoptBrought { brought, servers })
        .await?;
    Ok(report(&adopted))
}

pub(crate) fn member_question(name: &MemberName) -> String {
    format!("Add this server as the member {name}?")
}

fn members_question(count: usize) -> String {
    format!("Add {}?", counted(count, "server", "servers"))
}

/// Prints the new members, and the errors of servers that could not be added. The first error
/// determines the exit code.
fn report(adopted: &Adopted) -> ExitCode {
    print(adopted, String::new);
    let mut code = ExitCode::SUCCESS;
    for one in &adopted.each {
        match &one.end {
            AdoptionEnd::Member {
                member,
                folder,
                secrets,
                warning,
            } => {
                if !is_json() {
                    print_line(&added(member, folder));
                }
                print_stored(secrets, warning.as_ref());
            }
            AdoptionEnd::Refused { report } => {
                eprint_line(format_args!("error: {report}"));
                if code == ExitCode::SUCCESS {
                    code = ExitCode::from(exit_code(report.code.failure()));
                }
            }
        }
    }
    code
}

/// Returns the line that reports a new member.
pub(crate) fn added(member: &MemberName, folder: &str) -> String {
    format!("Added the member {member}: {folder}")
}

/// Prints the names of the secrets that were stored for a member from a bundle or a registry, and
/// the command that accepts its review. The member can start only after that.
pub(crate) fn print_installed(
    member: &MemberName,
    stays_command: &[String],
    secrets: &[String],
    warning: Option<&Report>,
) {
    if !stays_command.is_empty() {
        eprint_line(discovered::stays_command(stays_command));
    }
    print_stored(secrets, warning);
    eprint_line(format_args!(
        "The member can start after you review it: guildhall review {member} --accept"
    ));
}

/// Prints the names of the secrets that were stored for a member, and any warning about storing
/// them.
fn print_stored(secrets: &[String], warning: Option<&Report>) {
    if !secrets.is_empty() {
        eprint_line(format_args!("Stored as secrets: {}", secrets.join(", ")));
    }
    if let Some(warning) = warning {
        eprint_line(format_args!("warning: {warning}"));
    }
}

/// Returns the source of the servers: the command, the absolute path of a file, or the text of
/// stdin.
async fn brought(file: Option<PathBuf>, words: Vec<String>) -> Result<Brought, Report> {
    let Some(file) = file else {
        return Ok(Brought::Words { words });
    };
    if let Some(text) = file.to_str().filter(|text| is_install_link(text)) {
        let text = text.to_owned();
        return Ok(Brought::Text { text });
    }
    if file != Path::new("-") {
        return Ok(Brought::File {
            path: absolute(&file),
        });
    }
    blocking(|| {
        let unreadable = |trouble| Report::from_error(Code::SnippetUnreadable, &trouble);
        let mut bytes = Vec::new();
        // Reads one byte more than the limit, so that the parser refuses a snippet that is too
        // long.
        let bound = SNIPPET_MAX as u64 + 1;
        let read = std::io::stdin().take(bound).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(CliError::Stdin(error.to_string())))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable(CliError::StdinNoText))?;
        Ok(Brought::Text { text })
    })
    .await
}

fn print_left_out(found: &BroughtServers) {
    for left_out in &found.left_out {
        eprint_line(format_args!("note: {left_out}"));
    }
    for member in &found.members {
        eprint_line(format_args!(
            "note: the existing member {} has another command or address: {}",
            member.name, member.command_line
        ));
    }
}

/// Returns the servers with these names, or all servers that can be added.
fn chosen<'f>(found: &'f BroughtServers, only: &[String]) -> Result<Vec<&'f FoundServer>, Report> {
    if !only.is_empty() {
        return named(&found.servers, only, CliError::NotInIt);
    }
    let new = new_servers(&found.servers);
    if !new.is_empty() {
        return Ok(new);
    }
    let why = found.servers.iter().find_map(|server| match &server.state {
        FoundState::Unusable { report } => Some(report.clone()),
        _ => None,
    });
    Err(why.unwrap_or_else(|| Report::from_error(Code::AdoptionRefused, &CliError::NothingNew)))
}

/// Returns the names of the new members.
fn names(chosen: &[&FoundServer], name: Option<&str>) -> Result<Vec<MemberName>, Report> {
    let refused = |trouble| Report::from_error(Code::AdoptionRefused, &trouble);
    match (chosen, name) {
        (_, None) => {
            let suggested = chosen.iter().map(|server| server.suggested.clone());
            Ok(suggested.collect())
        }
        ([_], Some(name)) => {
            let name = MemberName::parse(name);
            let name = name.map_err(|error| refused(CliError::ServerName(error.0)))?;
            Ok(vec![name])
        }
        (_, Some(_)) => Err(refused(CliError::OneName(chosen.len()))),
    }
}
