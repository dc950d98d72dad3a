//! From a server that is listed to a member.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_core::note::CliTrouble;
use guild_core::wire::{InstallRegistryServer, RegistryServer, RegistryStanding, RegistryWay};
use guild_core::{Code, MemberName, Report};
use serde_json::{Value, json};

use super::telling::{source_told, way_told};
use super::{ShowArgs, server};
use crate::answers::{answers, read_answers, typed};
use crate::asking::{agreed, off_the_runtime};
use crate::reach::Reach;
use crate::words;
use crate::{harmless, print_line, tell};

/// Which server is installed, and how.
#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    server: ShowArgs,
    /// The way to run it, by its number in `show`; without it the first that can be installed.
    #[arg(long, value_name = "NUMBER")]
    way: Option<usize>,
    /// What the member is to be called.
    #[arg(long = "as", value_name = "MEMBER")]
    member: Option<String>,
    /// An answer to what is asked; several times the same key for several answers. Secrets are not
    /// given so: other programs see the words of a command.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::answers::set)]
    set: Vec<(String, String)>,
    /// A file of JSON with the answers, an object; `-` is standard input. On a terminal, what is
    /// asked for and not given is asked.
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Don't ask. What the server runs is shown all the same.
    #[arg(long)]
    yes: bool,
}

/// Shows what the server would run, asks, and makes a member of it.
pub(super) async fn install(
    reach: &Reach,
    args: InstallArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let server = server(reach, &args.server).await?;
    let way = chosen(&server, args.way)?;
    tell(harmless(&format!("{} {}", server.server, server.version)));
    tell(harmless(&way_told(way)));
    if server.source.unread.is_some() {
        tell(harmless(&source_told(&server.source)));
    }
    if server.standing != RegistryStanding::Active {
        let said = words::registry::standing(server.standing, &server.standing_message);
        tell(harmless(&format!("warning: {said}")));
    }
    let Some(install) = &way.install else {
        let why = way.unusable.clone().unwrap_or_default();
        return Err(refused(CliTrouble::OtherWay(why)));
    };
    let member = match &args.member {
        Some(name) => {
            MemberName::parse(name).map_err(|error| refused(CliTrouble::OtherName(error.0)))?
        }
        None => server.suggested.clone(),
    };
    let inputs = args.inputs.clone();
    let given = off_the_runtime(move || read_answers(inputs.as_deref())).await?;
    let answers = answers(&install.asks, given, &args.set)?;
    let question = words::servers::make_member(member.as_str());
    if !args.yes && !agreed(&question, Code::AdoptionRefused).await? {
        tell(words::servers::NOTHING_INSTALLED);
        return Ok(ExitCode::from(2));
    }
    let asks = install.asks.clone();
    let answers = match args.yes {
        true => answers,
        false => off_the_runtime(move || typed(&asks, answers)).await?,
    };
    let installed = reach
        .install_registry_server(InstallRegistryServer {
            source: Some(server.source.source.clone()),
            server: server.server.clone(),
            version: server.version.clone(),
            way: install.id.clone(),
            member,
            answers: Value::Object(answers).to_string(),
        })
        .await?;
    if as_json {
        print_line(&json!(installed).to_string());
    } else {
        let (member, folder) = (&installed.member, &installed.folder);
        let said = words::servers::is_member(member.as_str(), folder);
        print_line(&harmless(&said));
    }
    if !installed.stays_command.is_empty() {
        let reasons = installed.stays_command.join("; ");
        tell(harmless(&words::servers::stays_command(&reasons)));
    }
    if !installed.secrets.is_empty() {
        let secrets = harmless(&installed.secrets.join(", "));
        tell(words::servers::kept_secrets(&secrets));
    }
    if let Some(warning) = &installed.warning {
        tell(format_args!("warning: {warning}"));
    }
    tell(words::servers::runs_when_reviewed(
        installed.member.as_str(),
    ));
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
    chosen.ok_or_else(|| refused(CliTrouble::NoSuchWay(server.server.clone(), ways.len())))
}

fn refused(trouble: CliTrouble) -> Report {
    Report::told(Code::AdoptionRefused, &trouble)
}
