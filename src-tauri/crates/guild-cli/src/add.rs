//! `guildhall add`: makes members of what a person brings: a file, a text, the words of a command.

mod bundle;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_core::client_config::snippet::{SNIPPET_MAX, is_install_link};
use guild_core::note::CliTrouble;
use guild_core::wire::{
    AdoptBrought, AdoptServer, Brought, BroughtServers, FoundServer, FoundState,
};
use guild_core::{Code, MemberName, Report};
use serde_json::json;

use self::bundle::{add_bundle, is_bundle};
use crate::adopt::{inputs_of, is_called, read_inputs, say};
use crate::asking::{agreed, off_the_runtime};
use crate::found::told;
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::Reach;
use crate::words;
use crate::{harmless, print_line, tell};

/// What is brought, and what is to become of it.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// A file with what a server's page shows: a list of servers of any program (JSON, TOML, YAML), a
    /// command, an address; `-` is standard input. Or an install link of VS Code or Cursor. Or an MCPB bundle (`.mcpb`, `.dxt`), whose member
    /// runs when it was reviewed.
    #[arg(required_unless_present = "words", conflicts_with = "words")]
    file: Option<PathBuf>,
    /// The command that starts the server, or its address: `guildhall add -- npx -y @scope/server`.
    #[arg(last = true)]
    words: Vec<String>,
    /// What the member is to be called, where it is one. A bundle is put in the place of the one that
    /// the member was made of.
    #[arg(long)]
    name: Option<String>,
    /// Only these of the servers, by their names.
    #[arg(long, value_name = "SERVER", num_args = 1..)]
    only: Vec<String>,
    /// Show what each server would run, and make no member of it.
    #[arg(long, conflicts_with = "yes")]
    look: bool,
    /// Don't ask. What each server runs is shown all the same.
    #[arg(long)]
    yes: bool,
    /// An answer to what a bundle asks; several times the same key for several answers. Secrets are not
    /// given so: other programs see the words of a command.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::answers::set)]
    set: Vec<(String, String)>,
    /// A file of JSON with what is asked for, an object by its ids. On a terminal, what is not in it
    /// is asked for.
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Keep a command that runs a container (`docker run …`) as it is, instead of making it the
    /// member's container.
    #[arg(long)]
    keep_command: bool,
}

impl AddArgs {
    /// Whether members are made.
    pub(crate) fn adopts(&self) -> bool {
        !self.look
    }
}

/// Shows what the servers would run, asks, and makes members of them.
pub(crate) async fn add(
    reach: &Reach,
    args: AddArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    tokio::select! {
        done = added(reach, args, as_json) => done,
        () = interrupts.next() => Err(interrupted()),
    }
}

async fn added(reach: &Reach, args: AddArgs, as_json: bool) -> Result<ExitCode, Report> {
    if let Some(file) = args.file.clone().filter(|file| is_bundle(file)) {
        return add_bundle(reach, file, args, as_json).await;
    }
    let brought = brought(args.file, args.words).await?;
    let found = reach.read_brought(brought.clone()).await?;
    if args.look {
        show(&found, as_json);
        return Ok(ExitCode::SUCCESS);
    }
    for server in &found.servers {
        tell(harmless(&told(server)));
    }
    tell_left_out(&found);
    let chosen = chosen(&found, &args.only)?;
    let names = names(&chosen, args.name.as_deref())?;
    let inputs = args.inputs;
    let mut given = off_the_runtime(move || read_inputs(inputs.as_deref())).await?;
    let question = match names.as_slice() {
        [one] => words::servers::make_member(one.as_str()),
        _ => words::servers::make_members(names.len()),
    };
    if !args.yes && !agreed(&question, Code::AdoptionRefused).await? {
        tell("Nothing was added.");
        return Ok(ExitCode::from(2));
    }
    let mut servers = Vec::new();
    for (server, name) in chosen.into_iter().zip(names) {
        let inputs = inputs_of(server, &mut given, !args.yes).await?;
        servers.push(AdoptServer {
            id: server.id.clone(),
            name,
            inputs,
            keep_command: args.keep_command,
        });
    }
    let request = AdoptBrought { brought, servers };
    let adopted = reach.adopt_brought(request).await?;
    Ok(say(&adopted, as_json))
}

/// What is brought: the words, a file by its whole path, or all of standard input.
async fn brought(file: Option<PathBuf>, words: Vec<String>) -> Result<Brought, Report> {
    let Some(file) = file else {
        return Ok(Brought::Words { words });
    };
    if let Some(text) = file.to_str().filter(|text| is_install_link(text)) {
        let text = text.to_owned();
        return Ok(Brought::Text { text });
    }
    if file == Path::new("-") {
        return off_the_runtime(|| {
            let mut bytes = Vec::new();
            // One more than may be: that it is too much is said by whoever reads it.
            let bound = SNIPPET_MAX as u64 + 1;
            let read = std::io::stdin().take(bound).read_to_end(&mut bytes);
            read.map_err(|error| unreadable(CliTrouble::Stdin(error.to_string())))?;
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| unreadable(CliTrouble::StdinNoText))?;
            Ok(Brought::Text { text })
        })
        .await;
    }
    let whole = std::path::absolute(&file).unwrap_or(file);
    Ok(Brought::File {
        path: whole.display().to_string(),
    })
}

fn unreadable(trouble: CliTrouble) -> Report {
    Report::told(Code::SnippetUnreadable, &trouble)
}

fn show(found: &BroughtServers, as_json: bool) {
    if as_json {
        print_line(&json!(found).to_string());
        return;
    }
    for server in &found.servers {
        print_line(&harmless(&told(server)));
    }
    tell_left_out(found);
}

fn tell_left_out(found: &BroughtServers) {
    for left_out in &found.left_out {
        tell(format_args!("note: {}", harmless(left_out)));
    }
    for member in &found.members {
        let command = harmless(&member.command_line);
        let said = format!("the member {} runs something else: {command}", member.name);
        tell(format_args!("note: {said}"));
    }
}

/// The servers that are meant: those that were named, or all that can be adopted.
fn chosen<'f>(found: &'f BroughtServers, only: &[String]) -> Result<Vec<&'f FoundServer>, Report> {
    let by_name = |name: &String| {
        let servers = found.servers.iter();
        let mut named = servers.filter(|server| {
            let known = [server.suggested.as_str(), server.id.as_str()];
            known.contains(&name.as_str()) || is_called(server, name)
        });
        named.next().ok_or_else(|| {
            let trouble = CliTrouble::NotInIt(format!("{name:?}"));
            Report::told(Code::FoundServerUnknown, &trouble)
        })
    };
    if !only.is_empty() {
        return only.iter().map(by_name).collect();
    }
    let is_new = |server: &&FoundServer| server.state == FoundState::New && !server.disabled;
    let new: Vec<_> = found.servers.iter().filter(is_new).collect();
    if !new.is_empty() {
        return Ok(new);
    }
    let why = found.servers.iter().find_map(|server| match &server.state {
        FoundState::Unusable { report } => Some(report.clone()),
        _ => None,
    });
    Err(why.unwrap_or_else(|| Report::told(Code::AdoptionRefused, &CliTrouble::NothingNew)))
}

/// What the members are to be called.
fn names(chosen: &[&FoundServer], name: Option<&str>) -> Result<Vec<MemberName>, Report> {
    let refused = |trouble| Report::told(Code::AdoptionRefused, &trouble);
    match (chosen, name) {
        (_, None) => Ok(chosen
            .iter()
            .map(|server| server.suggested.clone())
            .collect()),
        ([_], Some(name)) => {
            let name = MemberName::parse(name)
                .map_err(|error| refused(CliTrouble::ServerName(error.0)))?;
            Ok(vec![name])
        }
        (_, Some(_)) => Err(refused(CliTrouble::OneName(chosen.len()))),
    }
}
