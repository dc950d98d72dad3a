//! `guildhall hand-over`: has other programs use Guild Hall instead of servers that are members now.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_core::agents::{Endpoint, ProfileName, ToolChoice};
use guild_core::note::CliTrouble;
use guild_core::wire::{
    ClientConfigPreview, FoundFile, FoundServers, HandingOver, Nothing, OfClientConfig,
    ProgramChoice, UndoClientConfig, WriteClientConfig, WrittenClientConfig,
};
use guild_core::{Code, Report, ToolName};
use serde_json::{Value, json};

use crate::asking::agreed;
use crate::changes::changes;
use crate::clients::revoke_after_undo;
use crate::endpoint::EndpointArgs;
use crate::export::warn_of_readers;
use crate::found::tell_unread;
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, from_here};
use crate::words;
use crate::{harmless, print_line, tell};

/// Which files are handed over.
#[derive(Debug, Args)]
pub(crate) struct HandOverArgs {
    /// The program, by its word: claude-code, cursor, codex… Without one, the files are listed.
    program: Option<String>,
    /// Only this one of its files.
    #[arg(long, value_name = "FILE", requires = "program")]
    file: Option<PathBuf>,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// Give the program all tools, also of servers of which it offered only some until now. Without
    /// it, a profile keeps that choice.
    #[arg(long, requires = "program")]
    all_tools: bool,
    /// Don't ask. What changes is shown all the same.
    #[arg(long, requires = "program")]
    yes: bool,
    /// Give the files back as they were before Guild Hall wrote to them. With --yes, the tokens that
    /// were written into them are revoked.
    #[arg(long, requires = "program", conflicts_with_all = ["all_tools", "endpoint"])]
    undo: bool,
}

impl HandOverArgs {
    /// Whether files may be written.
    pub(crate) fn writes(&self) -> bool {
        self.program.is_some()
    }
}

/// Shows what would change in each file, asks, and writes it; or takes it back.
pub(crate) async fn hand_over(
    reach: &Reach,
    args: HandOverArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let doing = async {
        let found = reach.found_list(from_here(None, Nothing {})).await?;
        tell_unread(&found);
        let Some(program) = args.program.as_deref() else {
            list(&found, as_json);
            return Ok(ExitCode::SUCCESS);
        };
        let file = args.file.as_deref().map(whole);
        match args.undo {
            true => undo(reach, &found, program, file, (args.yes, as_json)).await,
            false => write(reach, &found, program, file, &args, as_json).await,
        }
    };
    tokio::select! {
        done = doing => done,
        () = interrupts.next() => Err(interrupted()),
    }
}

/// The files that can be handed over, or have been.
fn list(found: &FoundServers, as_json: bool) {
    let files: Vec<(&FoundFile, &HandingOver)> = handings(found)
        .filter(|(_, handing)| !handing.adopted.is_empty() || handing.can_undo)
        .collect();
    if as_json {
        let files: Vec<&FoundFile> = files.iter().map(|(file, _)| *file).collect();
        print_line(&json!(files).to_string());
        return;
    }
    for (file, handing) in &files {
        let (program, path) = (&file.program, &file.path);
        let state = match (handing.adopted.as_slice(), handing.can_undo) {
            ([], _) => "handed over".to_owned(),
            (adopted, true) => format!("handed over but for {}", adopted.join(", ")),
            (adopted, false) => format!("has {}", adopted.join(", ")),
        };
        print_line(&harmless(&format!("{program:<14} {path}: {state}")));
    }
    if files.is_empty() {
        tell("No program's file has a server that is a member.");
    }
}

async fn write(
    reach: &Reach,
    found: &FoundServers,
    program: &str,
    file: Option<PathBuf>,
    args: &HandOverArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let has_some = |handing: &HandingOver| !handing.adopted.is_empty();
    let chosen = chosen(found, program, file.as_deref(), has_some);
    let endpoint = args.endpoint.get();
    if chosen.is_empty() {
        // Of a program or a file that is not known this says so.
        let path = file.map(|file| file.display().to_string());
        preview(reach, program, path, &endpoint, args.all_tools).await?;
        let trouble = CliTrouble::NothingAdopted(program.to_owned());
        return Err(Report::told(Code::FoundServerUnknown, &trouble));
    }
    let mut answers = Vec::new();
    let mut left = false;
    for (file, handing) in chosen {
        let path = Some(file.path.clone());
        let seen = preview(reach, program, path.clone(), &endpoint, args.all_tools).await?;
        if as_json && !args.yes {
            answers.push(json!(seen));
            continue;
        }
        show(&seen, &file.title);
        let question = format!("Write {}?", file.path);
        if !args.yes && !agreed(&question, Code::ClientConfigRefused).await? {
            left = true;
            tell(words::servers::as_it_was(&harmless(&file.path)));
            continue;
        }
        let request = WriteClientConfig {
            client: program.to_owned(),
            path,
            endpoint: endpoint.clone(),
            hand_over: true,
            all_tools: args.all_tools,
            precondition: seen.precondition,
        };
        let written = reach.export_write(from_here(None, request)).await?;
        match as_json {
            true => answers.push(json!(written)),
            false => {
                say(&written, &file.title, handing);
                warn_of_readers(&written.path).await;
            }
        }
    }
    if as_json {
        print_line(&Value::from(answers).to_string());
    }
    Ok(if left {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}

async fn preview(
    reach: &Reach,
    program: &str,
    path: Option<String>,
    endpoint: &Endpoint,
    all_tools: bool,
) -> Result<ClientConfigPreview, Report> {
    let request = OfClientConfig {
        client: program.to_owned(),
        path,
        endpoint: endpoint.clone(),
        hand_over: true,
        all_tools,
    };
    reach.export_preview(from_here(None, request)).await
}

fn show(seen: &ClientConfigPreview, title: &str) {
    tell(harmless(&changes(seen)));
    let gone = match seen.taken_out.as_slice() {
        [] => "No entry goes".to_owned(),
        gone => format!(
            "{title} reaches {} by Guild Hall then, while it runs",
            gone.join(", ")
        ),
    };
    tell(format!(
        "{}. A token stands in the place of <token>.",
        harmless(&gone)
    ));
    if !seen.choices.is_empty() || seen.profile.is_some() {
        let choices: Vec<String> = seen.choices.iter().map(choice).collect();
        let profile = seen.profile.as_ref().map(ProfileName::as_str);
        let said = words::servers::some_tools(title, &choices.join("; "), profile);
        tell(format_args!("note: {}", harmless(&said)));
    }
    if seen.comments > 0 {
        let said = words::servers::comments_go(seen.comments);
        tell(format_args!("note: {said}"));
    }
    if let Some(project) = &seen.project {
        let said = format!(
            "the file belongs to {}: whoever shares that gets the change, and the token.",
            harmless(project)
        );
        tell(format_args!("warning: {said}"));
    }
}

/// Which tools of a server a program offers.
fn choice(choice: &ProgramChoice) -> String {
    let listed = |tools: &[ToolName]| {
        let tools: Vec<&str> = tools.iter().map(ToolName::as_str).collect();
        tools.join(", ")
    };
    let tools = match &choice.tools {
        ToolChoice::All => "all".to_owned(),
        ToolChoice::Only { tools } if tools.is_empty() => "none".to_owned(),
        ToolChoice::Only { tools } => listed(tools),
        ToolChoice::Except { tools } => format!("all but {}", listed(tools)),
    };
    format!("{}: {tools}", choice.server)
}

fn say(written: &WrittenClientConfig, title: &str, handing: &HandingOver) {
    print_line(&harmless(&format!(
        "{title} uses Guild Hall now: {}",
        written.path
    )));
    if let Some(backup) = &written.backup {
        tell(words::servers::backup(&harmless(backup)));
    }
    tell(&handing.then);
}

async fn undo(
    reach: &Reach,
    found: &FoundServers,
    program: &str,
    file: Option<PathBuf>,
    (yes, as_json): (bool, bool),
) -> Result<ExitCode, Report> {
    let chosen = chosen(found, program, file.as_deref(), |handing| handing.can_undo);
    let mut paths: Vec<Option<String>> = chosen
        .into_iter()
        .map(|(file, _)| Some(file.path.clone()))
        .collect();
    if paths.is_empty() {
        // Why there is nothing to undo is said by the hall.
        paths.push(file.map(|file| file.display().to_string()));
    }
    let mut answers = Vec::new();
    let mut clients = Vec::new();
    for path in paths {
        let request = UndoClientConfig {
            client: program.to_owned(),
            path,
        };
        let undone = reach.export_undo(from_here(None, request)).await?;
        if !as_json {
            let said = match undone.as_before {
                true => words::servers::as_it_was(&undone.path),
                false => format!(
                    "{} has its entries again. Changes made to it since are kept.",
                    undone.path
                ),
            };
            print_line(&harmless(&said));
        }
        answers.push(json!(undone));
        clients.extend(undone.clients);
    }
    if as_json {
        print_line(&Value::from(answers).to_string());
    }
    revoke_after_undo(reach, &clients, yes, as_json).await?;
    Ok(ExitCode::SUCCESS)
}

/// The files that are meant.
fn chosen<'f>(
    found: &'f FoundServers,
    program: &str,
    file: Option<&Path>,
    is_meant: impl Fn(&HandingOver) -> bool,
) -> Vec<(&'f FoundFile, &'f HandingOver)> {
    handings(found)
        .filter(|(of, handing)| {
            of.program == program
                && file.is_none_or(|file| Path::new(&of.path) == file)
                && is_meant(handing)
        })
        .collect()
}

fn handings(found: &FoundServers) -> impl Iterator<Item = (&FoundFile, &HandingOver)> {
    let files = found.files.iter();
    files.filter_map(|file| Some((file, file.handing.as_ref()?)))
}

fn whole(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}
