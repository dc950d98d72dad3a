//! `guildhall found`: the servers that other programs have in their files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::wire::{
    FoundContainer, FoundLaunch, FoundServer, FoundServers, FoundState, FoundValue, Nothing,
    OfFoundFolder,
};
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, from_here};
use crate::terminal::indented;
use crate::words;
use crate::{harmless, print_line, tell};

/// Where servers are looked for beside the user's own files.
#[derive(Debug, Args)]
pub(crate) struct FoundArgs {
    /// Look in a project's folder, or in a .code-workspace file, too: now and from now on.
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    /// Look there no more.
    #[arg(long, value_name = "DIR")]
    forget: Vec<PathBuf>,
}

/// Lists the servers, each with all that it would run. Nothing is started.
pub(crate) async fn found(
    reach: &Reach,
    args: FoundArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let finding = async {
        for folder in args.forget {
            reach.forget_found_folder(of(folder)).await?;
        }
        for folder in args.folder {
            reach.look_for_servers(of(folder)).await?;
        }
        reach.found_list(from_here(None, Nothing {})).await
    };
    let found = tokio::select! {
        found = finding => found?,
        () = interrupts.next() => return Err(interrupted()),
    };
    if as_json {
        print_line(&json!(found).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    for server in &found.servers {
        print_line(&harmless(&told(server)));
    }
    tell_unread(&found);
    if found.new > 0 {
        tell(words::servers::can_be_adopted(found.new));
    }
    Ok(ExitCode::SUCCESS)
}

/// Says which files could not be read.
pub(crate) fn tell_unread(found: &FoundServers) {
    for report in found.files.iter().filter_map(|file| file.error.as_ref()) {
        tell(format_args!("warning: {}", harmless(&report.to_string())));
    }
}

fn of(folder: PathBuf) -> OfFoundFolder {
    let whole = std::path::absolute(&folder).unwrap_or(folder);
    OfFoundFolder {
        folder: whole.display().to_string(),
    }
}

/// A server and all that it would run, several lines.
pub(crate) fn told(server: &FoundServer) -> String {
    let [off, new, adopted, gateway, unusable] = words::servers::STATES;
    let (state, more) = match &server.state {
        FoundState::New if server.disabled => (off, None),
        FoundState::New => (new, None),
        FoundState::Adopted { member } => (adopted, Some(format!("the member {member} runs it"))),
        FoundState::Gateway => (gateway, Some("Guild Hall's own entry".to_owned())),
        FoundState::Unusable { report } => (unusable, Some(report.message.clone())),
    };
    let mut lines = vec![format!("{state:<9} {}", server.suggested)];
    let mut add = |text: String| lines.push(format!("          {}", indented(&text, 12)));
    if !server.command_line.is_empty() {
        add(server.command_line.clone());
    }
    match &server.launch {
        Some(FoundLaunch::Command { env, cwd, .. }) => {
            if !env.is_empty() {
                add(words::servers::with(&values(env)));
            }
            if let Some(cwd) = cwd {
                add(words::servers::in_folder(cwd));
            }
        }
        Some(FoundLaunch::Url { headers, .. }) if !headers.is_empty() => {
            add(words::servers::with(&values(headers)));
        }
        Some(FoundLaunch::Url { .. }) | None => {}
    }
    let container = server.container.iter().flat_map(container_told);
    container.for_each(&mut add);
    more.into_iter().for_each(&mut add);
    for input in &server.inputs {
        let what = match input.description.as_str() {
            "" => String::new(),
            description => format!(": {description}"),
        };
        let asked = format!("{}{what}", input.id);
        add(match input.required {
            true => words::servers::asks_for(&asked),
            false => words::servers::may_be_given(&asked),
        });
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
        let (title, scope) = (&place.title, words::servers::scope(place.scope));
        add(format!(
            "{title} ({scope}{off}): {}:{}{called}",
            place.path, place.line
        ));
    }
    if !server.differs.is_empty() {
        add("Another server of this name runs something else.".to_owned());
    }
    lines.join("\n")
}

/// What a command is as a container, a line each.
pub(crate) fn container_told(container: &FoundContainer) -> Vec<String> {
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
                lines.push(words::servers::with(&values(env)));
            }
            if !kept_outside.is_empty() {
                lines.push(format!(
                    "without {}, which its engine hands to no container",
                    kept_outside.join(", ")
                ));
            }
            lines
        }
        FoundContainer::Open { reasons } => {
            vec![format!(
                "the member's container, or a command, by what you answer: {}",
                reasons.join("; ")
            )]
        }
        FoundContainer::Command { reasons } => {
            vec![words::servers::stays_command(&reasons.join("; "))]
        }
    }
}

fn values(values: &[FoundValue]) -> String {
    let value = |FoundValue { name, value, .. }: &FoundValue| format!("{name}={value}");
    values.iter().map(value).collect::<Vec<_>>().join(" ")
}
