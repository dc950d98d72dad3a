//! `guildhall add discovered`: the servers in the configuration files of other programs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{
    AdoptServer, AdoptServers, FoundContainer, FoundInput, FoundLaunch, FoundScope, FoundServer,
    FoundServers, FoundState, FoundValue, GivenInput, Nothing, ScanFolderRef,
};
use guild_engine::messages::CliError;
use guild_model::{Code, MemberName, Report};
use guild_text::number::grouped;

use super::{How, members_question, report};
use crate::engine_client::{EngineClient, from_here};
use crate::eprint_line;
use crate::terminal::{absolute, confirm, indented, is_json, print, prompt, read_answers};

#[derive(Debug, Args)]
pub(super) struct DiscoveredArgs {
    /// Add the servers with these names. Without a name, list all servers
    #[arg(value_name = "SERVER")]
    names: Vec<String>,
    /// Add all servers that are new and not disabled
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Also search a project's folder or a .code-workspace file, now and in later searches
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    /// Stop searching this folder
    #[arg(long, value_name = "DIR")]
    forget: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
}

impl DiscoveredArgs {
    pub(super) fn adopts(&self) -> bool {
        self.all || !self.names.is_empty()
    }
}

/// Lists the servers, each with its whole command, or adds some of them.
pub(super) async fn discovered(
    engine: &EngineClient,
    args: DiscoveredArgs,
) -> Result<ExitCode, Report> {
    for folder in &args.forget {
        let folder = absolute(folder);
        engine.forget_found_folder(ScanFolderRef { folder }).await?;
    }
    for folder in &args.folder {
        let folder = absolute(folder);
        engine.look_for_servers(ScanFolderRef { folder }).await?;
    }
    let found = engine.found_list(from_here(None, Nothing {})).await?;
    if !args.adopts() {
        let lines: Vec<String> = found.servers.iter().map(describe).collect();
        print(&found, || lines.join("\n"));
        if !is_json() {
            print_unread(&found);
            if found.new > 0 {
                let new = grouped(found.new as u64);
                eprint_line(format_args!(
                    "{new} can be added: `guildhall add discovered NAME`, or --all."
                ));
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    print_unread(&found);
    let chosen = match args.all {
        true => new_servers(&found.servers),
        false => named(&found.servers, &args.names, CliError::NoSuchServer)?,
    };
    if chosen.is_empty() {
        let trouble = CliError::AllAdopted;
        return Err(Report::from_error(Code::FoundServerUnknown, &trouble));
    }
    for server in &chosen {
        eprint_line(describe(server));
    }
    let question = members_question(chosen.len());
    let servers = chosen
        .into_iter()
        .map(|server| (server, server.suggested.clone()));
    let Some(servers) = adopted(servers, &args.how, &question).await? else {
        return Ok(ExitCode::from(2));
    };
    let request = from_here(None, AdoptServers { servers });
    let code = report(&engine.found_adopt(request).await?);
    if code == ExitCode::SUCCESS {
        eprint_line("`guildhall clients switch` makes their programs use Guild Hall instead.");
    }
    Ok(code)
}

/// Prints the errors of the files that could not be read.
pub(crate) fn print_unread(found: &FoundServers) {
    for report in found.files.iter().filter_map(|file| file.error.as_ref()) {
        eprint_line(format_args!("warning: {report}"));
    }
}

/// Returns the servers that are not members yet and not switched off.
pub(super) fn new_servers(servers: &[FoundServer]) -> Vec<&FoundServer> {
    let is_new = |server: &&FoundServer| server.state == FoundState::New && !server.disabled;
    servers.iter().filter(is_new).collect()
}

/// Finds the servers with these names, without duplicates. If several servers match a name, a
/// server that is not a member yet is preferred.
pub(super) fn named<'f>(
    servers: &'f [FoundServer],
    names: &[String],
    unknown: fn(String) -> CliError,
) -> Result<Vec<&'f FoundServer>, Report> {
    let mut chosen: Vec<&FoundServer> = Vec::new();
    for name in names {
        let is_new = |server: &&FoundServer| server.state == FoundState::New;
        let by_name =
            |server: &&FoundServer| server.suggested.as_str() == name || server.id.as_str() == name;
        // A server may have different names in different files.
        let is_called = |server: &&FoundServer| {
            server.name == *name || server.places.iter().any(|place| place.name == *name)
        };
        let server = servers.iter().filter(is_new).find(by_name);
        let server = server
            .or_else(|| servers.iter().find(by_name))
            .or_else(|| servers.iter().find(is_called))
            .ok_or_else(|| {
                Report::from_error(Code::FoundServerUnknown, &unknown(format!("{name:?}")))
            })?;
        if !chosen.iter().any(|known| known.id == server.id) {
            chosen.push(server);
        }
    }
    Ok(chosen)
}

/// Asks the user whether to add the servers, and prompts for missing required values. Returns the
/// servers to add, or `None` if the user declines.
pub(super) async fn adopted(
    chosen: impl Iterator<Item = (&FoundServer, MemberName)>,
    how: &How,
    question: &str,
) -> Result<Option<Vec<AdoptServer>>, Report> {
    let mut given: BTreeMap<String, String> =
        read_answers(how.inputs.clone(), Code::AdoptionRefused, CliError::NoTexts).await?;
    if !how.yes && !confirm(question, Code::AdoptionRefused).await? {
        eprint_line("Nothing was added.");
        return Ok(None);
    }
    let mut servers = Vec::new();
    for (server, name) in chosen {
        let mut inputs = Vec::new();
        for input in &server.inputs {
            let id = input.id.clone();
            if !given.contains_key(&id) && !how.yes && input.required {
                given.insert(id.clone(), typed(&server.name, input).await?);
            }
            if let Some(value) = given.get(&id) {
                let value = value.clone();
                inputs.push(GivenInput { id, value });
            }
        }
        servers.push(AdoptServer {
            id: server.id.clone(),
            name,
            inputs,
            keep_command: how.keep_command,
        });
    }
    Ok(Some(servers))
}

async fn typed(server: &str, input: &FoundInput) -> Result<String, Report> {
    let choices = match input.choices.is_empty() {
        true => String::new(),
        false => format!(" [{}]", input.choices.join(", ")),
    };
    let (id, description) = (&input.id, &input.description);
    let text = format!("{server} needs {id} {description}{choices}: ");
    prompt(text, input.secret).await
}

/// Formats a server and its whole command as several lines.
pub(crate) fn describe(server: &FoundServer) -> String {
    let (state, more) = match &server.state {
        FoundState::New if server.disabled => ("off", None),
        FoundState::New => ("new", None),
        FoundState::Adopted { member } => ("adopted", Some(format!("the member {member} runs it"))),
        FoundState::Gateway => ("gateway", Some("Guild Hall's own entry".to_owned())),
        FoundState::Unusable { report } => ("unusable", Some(report.message.clone())),
    };
    let mut lines = vec![format!("{state:<9} {}", server.suggested)];
    let mut add = |text: String| lines.push(format!("          {}", indented(&text, 12)));
    if !server.command_line.is_empty() {
        add(server.command_line.clone());
    }
    let launch = server.launch.iter().flat_map(launch_lines);
    launch.for_each(&mut add);
    let container = server.container.iter().flat_map(container_lines);
    container.for_each(&mut add);
    more.into_iter().for_each(&mut add);
    for input in &server.inputs {
        let what = match input.description.as_str() {
            "" => String::new(),
            description => format!(": {description}"),
        };
        let need = if input.required {
            "asks for"
        } else {
            "may be given"
        };
        add(format!("{need} {}{what}", input.id));
    }
    for note in &server.notes {
        add(format!("note: {note}"));
    }
    for place in &server.places {
        let off = match place.disabled {
            true => ", switched off",
            false => "",
        };
        let called = match place.name == server.name {
            true => String::new(),
            false => format!(", called {}", place.name),
        };
        let (title, scope) = (&place.title, FoundScope::as_str(place.scope));
        add(format!(
            "{title} ({scope}{off}): {}:{}{called}",
            place.path, place.line
        ));
    }
    if !server.differs.is_empty() {
        add("Another server with this name has a different command or address.".to_owned());
    }
    lines.join("\n")
}

/// Formats the variables, the headers and the folder of a launch, each as a line.
pub(crate) fn launch_lines(launch: &FoundLaunch) -> Vec<String> {
    let (values, cwd) = match launch {
        FoundLaunch::Command { env, cwd, .. } => (env, cwd.as_deref()),
        FoundLaunch::Url { headers, .. } => (headers, None),
    };
    let with = (!values.is_empty()).then(|| format!("with {}", joined(values)));
    let cwd = cwd.map(|cwd| format!("in {cwd}"));
    with.into_iter().chain(cwd).collect()
}

/// Formats the container that a command becomes, as lines.
pub(crate) fn container_lines(container: &FoundContainer) -> Vec<String> {
    match container {
        FoundContainer::Container {
            parts,
            env,
            kept_outside,
            ..
        } => {
            let part = |part: &FoundValue| format!("{} {}", part.name, part.value);
            let parts: Vec<String> = parts.iter().map(part).collect();
            let mut lines = vec![format!("as the member's container: {}", parts.join(", "))];
            if !env.is_empty() {
                lines.push(format!("with {}", joined(env)));
            }
            if !kept_outside.is_empty() {
                lines.push(format!(
                    "without {}, which the container engine does not pass on",
                    kept_outside.join(", ")
                ));
            }
            lines
        }
        FoundContainer::Open { reasons } => {
            vec![format!(
                "the member's container if your answers allow it, otherwise a command: {}",
                reasons.join("; ")
            )]
        }
        FoundContainer::Command { reasons } => {
            vec![stays_command(reasons)]
        }
    }
}

/// Formats the reasons why a member keeps its `command` instead of a `container`.
pub(crate) fn stays_command(reasons: &[String]) -> String {
    let reasons = reasons.join("; ");
    format!("stays a command, whose container may outlive it: {reasons}")
}

fn joined(values: &[FoundValue]) -> String {
    let value = |FoundValue { name, value, .. }: &FoundValue| format!("{name}={value}");
    values.iter().map(value).collect::<Vec<_>>().join(" ")
}
