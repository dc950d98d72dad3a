//! Installs a server from a registry as a member.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{InstallRegistryServer, RegistryServer, RegistryStanding, RegistryWay};
use guild_engine::messages::CliError;
use guild_model::{Code, MemberName, Report};
use serde_json::Value;

use super::format::{format_source, format_way};
use super::{ShowArgs, server};
use crate::add::{added, member_question, print_installed};
use crate::answers::{answers, typed};
use crate::engine_client::EngineClient;
use crate::eprint_line;
use crate::terminal::{confirm, print, read_answers};

#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    server: ShowArgs,
    /// Run the server in the way that has this number in `show` [default: the first way that can be
    /// installed]
    #[arg(long, value_name = "NUMBER")]
    way: Option<usize>,
    /// Give the member this name
    #[arg(long = "as", value_name = "MEMBER")]
    member: Option<String>,
    /// Answer a question of the server (KEY is its id); repeat a key to give several answers.
    /// Secrets are refused, because other programs can read a command's arguments
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::answers::set)]
    set: Vec<(String, String)>,
    /// Read the answers to the server's questions from this JSON file, an object; `-` reads
    /// standard input. Without --yes, missing required answers are asked for in the terminal
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Add without asking. The command is still shown
    #[arg(long)]
    yes: bool,
}

/// Shows the server's command, asks the user, and adds the server as a member.
pub(super) async fn install(engine: &EngineClient, args: InstallArgs) -> Result<ExitCode, Report> {
    let server = server(engine, &args.server).await?;
    let way = chosen(&server, args.way)?;
    eprint_line(format!("{} {}", server.server, server.version));
    eprint_line(format_way(way));
    if server.source.unread.is_some() {
        eprint_line(format_source(&server.source));
    }
    if server.standing != RegistryStanding::Active {
        eprint_line(format!(
            "warning: it is {}. {}",
            server.standing.as_str(),
            server.standing_message
        ));
    }
    let Some(install) = &way.install else {
        let why = way.unusable.clone().unwrap_or_default();
        return Err(refused(CliError::OtherWay(why)));
    };
    let member = match &args.member {
        Some(name) => {
            MemberName::parse(name).map_err(|error| refused(CliError::OtherName(error.0)))?
        }
        None => server.suggested.clone(),
    };
    let given = read_answers(
        args.inputs.clone(),
        Code::AdoptionRefused,
        CliError::NoAnswers,
    )
    .await?;
    let mut answers = answers(&install.asks, given, &args.set)?;
    if !args.yes {
        if !confirm(&member_question(&member), Code::AdoptionRefused).await? {
            eprint_line("Nothing was added.");
            return Ok(ExitCode::from(2));
        }
        answers = typed(&install.asks, answers).await?;
    }
    let installed = engine
        .install_registry_server(InstallRegistryServer {
            source: Some(server.source.source.clone()),
            server: server.server.clone(),
            version: server.version.clone(),
            way: install.id.clone(),
            member,
            answers: Value::Object(answers).to_string(),
        })
        .await?;
    print(&installed, || added(&installed.member, &installed.folder));
    print_installed(
        &installed.member,
        &installed.stays_command,
        &installed.secrets,
        installed.warning.as_ref(),
    );
    Ok(ExitCode::SUCCESS)
}

fn chosen(server: &RegistryServer, number: Option<usize>) -> Result<&RegistryWay, Report> {
    let ways = &server.ways;
    let chosen = match number {
        Some(number) => number.checked_sub(1).and_then(|at| ways.get(at)),
        None => {
            let mut usable = ways.iter().filter(|way| way.install.is_some());
            usable.next().or(ways.first())
        }
    };
    chosen.ok_or_else(|| refused(CliError::NoSuchWay(server.server.clone(), ways.len())))
}

fn refused(trouble: CliError) -> Report {
    Report::from_error(Code::AdoptionRefused, &trouble)
}
