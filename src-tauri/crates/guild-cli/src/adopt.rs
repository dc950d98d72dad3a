//! `guildhall adopt`: makes members of servers that other programs have.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_core::note::CliTrouble;
use guild_core::wire::{
    AdoptServer, AdoptServers, Adopted, AdoptionEnd, FoundInput, FoundServer, FoundServers,
    FoundState, GivenInput, Nothing,
};
use guild_core::{Code, Report};
use serde_json::json;

use crate::asking::{agreed, off_the_runtime, unread};
use crate::found::{tell_unread, told};
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, from_here};
use crate::words;
use crate::{exit_code, harmless, print_line, tell};

/// The largest file of inputs that is read, in bytes.
const INPUTS_BYTES_MAX: u64 = 1 << 20;

/// Which servers are adopted.
#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// The servers, by the names that `guildhall found` lists.
    #[arg(required_unless_present = "all")]
    names: Vec<String>,
    /// All that are new and not switched off.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Don't ask. What each server runs is shown all the same.
    #[arg(long)]
    yes: bool,
    /// A file of JSON with what servers ask for, an object of texts by their ids; `-` is standard
    /// input. On a terminal, what is not in it is asked for.
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Keep a command that runs a container (`docker run …`) as it is, instead of making it the
    /// member's container.
    #[arg(long)]
    keep_command: bool,
}

/// Shows what the servers would run, asks, and makes members of them.
pub(crate) async fn adopt(
    reach: &Reach,
    args: AdoptArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let adopting = async {
        let found = reach.found_list(from_here(None, Nothing {})).await?;
        tell_unread(&found);
        let chosen = chosen(&found, &args)?;
        for server in &chosen {
            tell(harmless(&told(server)));
        }
        let inputs = args.inputs.clone();
        let mut given = off_the_runtime(move || read_inputs(inputs.as_deref())).await?;
        let question = words::servers::make_members(chosen.len());
        if !args.yes && !agreed(&question, Code::AdoptionRefused).await? {
            tell("Nothing was adopted.");
            return Ok(None);
        }
        let mut servers = Vec::new();
        for server in chosen {
            let inputs = inputs_of(server, &mut given, !args.yes).await?;
            servers.push(AdoptServer {
                id: server.id.clone(),
                name: server.suggested.clone(),
                inputs,
                keep_command: args.keep_command,
            });
        }
        reach
            .found_adopt(from_here(None, AdoptServers { servers }))
            .await
            .map(Some)
    };
    let adopted = tokio::select! {
        adopted = adopting => adopted?,
        () = interrupts.next() => return Err(interrupted()),
    };
    let Some(adopted) = adopted else {
        return Ok(ExitCode::from(2));
    };
    let code = say(&adopted, as_json);
    if code == ExitCode::SUCCESS {
        tell("`guildhall hand-over` has their programs use Guild Hall instead.");
    }
    Ok(code)
}

/// What became of them; the first refusal decides how the program ends.
pub(crate) fn say(adopted: &Adopted, as_json: bool) -> ExitCode {
    if as_json {
        print_line(&json!(adopted).to_string());
    }
    let mut code = ExitCode::SUCCESS;
    for one in adopted.each.iter().rev() {
        if let AdoptionEnd::Refused { report } = &one.end {
            code = ExitCode::from(exit_code(report.code.failure()));
        }
    }
    for one in &adopted.each {
        match &one.end {
            AdoptionEnd::Member {
                member,
                folder,
                secrets,
                warning,
            } => {
                if !as_json {
                    let said = words::servers::is_member(member.as_str(), folder);
                    print_line(&harmless(&said));
                }
                if !secrets.is_empty() {
                    let secrets = harmless(&secrets.join(", "));
                    tell(words::servers::kept_secrets(&secrets));
                }
                if let Some(warning) = warning {
                    let warning = warning.to_string();
                    tell(format_args!("warning: {warning}"));
                }
            }
            AdoptionEnd::Refused { report } => {
                let why = harmless(&report.to_string());
                tell(format_args!("error: {why}"));
            }
        }
    }
    code
}

/// The servers that are meant.
fn chosen<'f>(found: &'f FoundServers, args: &AdoptArgs) -> Result<Vec<&'f FoundServer>, Report> {
    let is_new = |server: &&FoundServer| server.state == FoundState::New;
    if args.all {
        let new = found.servers.iter().filter(is_new);
        let new: Vec<_> = new.filter(|server| !server.disabled).collect();
        if new.is_empty() {
            let trouble = CliTrouble::AllAdopted;
            return Err(Report::told(Code::FoundServerUnknown, &trouble));
        }
        return Ok(new);
    }
    let mut chosen: Vec<&FoundServer> = Vec::new();
    for name in &args.names {
        let servers = found.servers.iter();
        let by_name =
            |server: &&FoundServer| server.suggested.as_str() == name || server.id.as_str() == name;
        let server = servers
            .clone()
            .filter(is_new)
            .find(by_name)
            .or_else(|| servers.clone().find(by_name))
            .or_else(|| servers.clone().find(|server| is_called(server, name)));
        let server = server.ok_or_else(|| {
            let trouble = CliTrouble::NoSuchServer(format!("{name:?}"));
            Report::told(Code::FoundServerUnknown, &trouble)
        })?;
        if !chosen.iter().any(|known| known.id == server.id) {
            chosen.push(server);
        }
    }
    Ok(chosen)
}

/// Whether one of the files that list a server has it under this name.
pub(crate) fn is_called(server: &FoundServer, name: &str) -> bool {
    server.name == name || server.places.iter().any(|place| place.name == name)
}

/// What a server asks for: as it was given, or typed.
pub(crate) async fn inputs_of(
    server: &FoundServer,
    given: &mut BTreeMap<String, String>,
    may_ask: bool,
) -> Result<Vec<GivenInput>, Report> {
    let mut inputs = Vec::new();
    for input in &server.inputs {
        let id = input.id.clone();
        if !given.contains_key(&id) && may_ask && input.required {
            let (name, asked) = (server.name.clone(), input.clone());
            let value = off_the_runtime(move || typed(&name, &asked)).await?;
            given.insert(id.clone(), value);
        }
        if let Some(value) = given.get(&id) {
            let value = value.clone();
            inputs.push(GivenInput { id, value });
        }
    }
    Ok(inputs)
}

fn typed(server: &str, input: &FoundInput) -> Result<String, Report> {
    let choices = match input.choices.is_empty() {
        true => String::new(),
        false => format!(" [{}]", input.choices.join(", ")),
    };
    let (id, description) = (&input.id, &input.description);
    let asked = words::servers::server_asks(server, &format!("{id} {description}{choices}: "));
    let prompt = harmless(&asked);
    if input.secret {
        return rpassword::prompt_password(prompt).map_err(unread);
    }
    tell(prompt);
    let mut value = String::new();
    std::io::stdin().read_line(&mut value).map_err(unread)?;
    Ok(value.trim_end_matches(['\r', '\n']).to_owned())
}

pub(crate) fn read_inputs(file: Option<&Path>) -> Result<BTreeMap<String, String>, Report> {
    let Some(file) = file else {
        return Ok(BTreeMap::new());
    };
    let mut text = String::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin()
            .take(INPUTS_BYTES_MAX)
            .read_to_string(&mut text),
        false => std::fs::File::open(file)
            .and_then(|file| file.take(INPUTS_BYTES_MAX).read_to_string(&mut text)),
    };
    read.map_err(unread)?;
    // What is wrong with it is not repeated: there are secrets in it.
    serde_json::from_str(&text).map_err(|_| {
        let trouble = CliTrouble::NoTexts(file.to_owned());
        Report::told(Code::AdoptionRefused, &trouble)
    })
}
