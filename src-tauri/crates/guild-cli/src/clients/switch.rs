//! `guildhall clients switch`: in programs' files, replaces the entries of servers that are now
//! members by one entry for the gateway.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{
    ClientConfigPreview, ClientConfigRef, FoundFile, FoundServers, HandingOver, Nothing,
    ProgramChoice, WriteClientConfig,
};
use guild_engine::messages::CliError;
use guild_model::profile::{ProfileName, ToolChoice};
use guild_model::{Code, Report, ToolName};
use serde_json::{Value, json};

use super::changes::changes;
use super::{files_of, print_written};
use crate::add::print_unread;
use crate::endpoint::EndpointArgs;
use crate::engine_client::{EngineClient, from_here};
use crate::terminal::{absolute, confirm, counted, is_json, print};
use crate::{eprint_line, print_line};

#[derive(Debug, Args)]
pub(super) struct SwitchArgs {
    /// The program, such as cursor. Without a program, list the files that can switch
    program: Option<String>,
    /// Change only this file of the program
    #[arg(long, value_name = "FILE", requires = "program")]
    file: Option<PathBuf>,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// Offer the program all tools, even if its file enabled only some of them. Without this
    /// option, a profile keeps that selection
    #[arg(long, requires = "program")]
    all_tools: bool,
    /// Change the files without asking. The changes are still shown
    #[arg(long, requires = "program")]
    yes: bool,
}

impl SwitchArgs {
    pub(super) fn writes(&self) -> bool {
        self.program.is_some()
    }
}

/// Shows the changes to each file, asks the user, and writes the files.
pub(super) async fn switch(engine: &EngineClient, args: SwitchArgs) -> Result<ExitCode, Report> {
    let found = engine.found_list(from_here(None, Nothing {})).await?;
    print_unread(&found);
    let Some(program) = args.program else {
        list(&found);
        return Ok(ExitCode::SUCCESS);
    };
    let has_some = |handing: &HandingOver| !handing.adopted.is_empty();
    let chosen = files_of(&found, &program, args.file.as_deref(), has_some);
    let of = |path: Option<String>| ClientConfigRef {
        client: program.clone(),
        path,
        endpoint: args.endpoint.get(),
        hand_over: true,
        all_tools: args.all_tools,
    };
    if chosen.is_empty() {
        // The hall refuses an unknown program or file.
        let of = of(args.file.as_deref().map(absolute));
        engine.export_preview(from_here(None, of)).await?;
        let trouble = CliError::NothingAdopted(program.clone());
        return Err(Report::from_error(Code::FoundServerUnknown, &trouble));
    }
    let mut answers = Vec::new();
    let mut code = ExitCode::SUCCESS;
    for (file, handing) in chosen {
        let of = of(Some(file.path.clone()));
        let seen = engine.export_preview(from_here(None, of.clone())).await?;
        if is_json() && !args.yes {
            answers.push(json!(seen));
            continue;
        }
        show(&seen, &file.title);
        let question = format!("Write {}?", file.path);
        if !args.yes && !confirm(&question, Code::ClientConfigRefused).await? {
            code = ExitCode::from(2);
            eprint_line(format_args!("{} was not changed.", file.path));
            continue;
        }
        let request = WriteClientConfig {
            client: of.client,
            path: of.path,
            endpoint: of.endpoint,
            hand_over: true,
            all_tools: of.all_tools,
            precondition: seen.precondition,
        };
        let written = engine.export_write(from_here(None, request)).await?;
        if is_json() {
            answers.push(json!(written));
            continue;
        }
        let (title, path) = (&file.title, &written.path);
        print_line(&format!("{title} uses Guild Hall now: {path}"));
        print_written(&written, &handing.then).await;
    }
    print(&Value::from(answers), String::new);
    Ok(code)
}

/// Lists the files that can switch or have switched.
fn list(found: &FoundServers) {
    let files = found.files.iter();
    let files: Vec<(&FoundFile, &HandingOver)> = files
        .filter_map(|file| Some((file, file.handing.as_ref()?)))
        .filter(|(_, handing)| !handing.adopted.is_empty() || handing.can_undo)
        .collect();
    if is_json() {
        let files: Vec<&FoundFile> = files.iter().map(|(file, _)| *file).collect();
        print(&files, String::new);
        return;
    }
    for (file, handing) in &files {
        let (program, path) = (&file.program, &file.path);
        let state = match (handing.adopted.as_slice(), handing.can_undo) {
            ([], _) => "switched".to_owned(),
            (adopted, true) => format!("switched except for {}", adopted.join(", ")),
            (adopted, false) => format!("has {}", adopted.join(", ")),
        };
        print_line(&format!("{program:<14} {path}: {state}"));
    }
    if files.is_empty() {
        eprint_line("No program's file lists a server that is also a member.");
    }
}

fn show(seen: &ClientConfigPreview, title: &str) {
    eprint_line(changes(seen));
    let gone = match seen.taken_out.as_slice() {
        [] => "No entry is removed".to_owned(),
        gone => format!(
            "{title} then reaches {} through Guild Hall, while it runs",
            gone.join(", ")
        ),
    };
    eprint_line(format!("{gone}. The file gets a token instead of <token>."));
    if !seen.choices.is_empty() || seen.profile.is_some() {
        eprint_line(format_args!("note: {}", some_tools(seen, title)));
    }
    if seen.comments > 0 {
        let comments = counted(seen.comments, "comment", "comments");
        eprint_line(format_args!(
            "note: {comments} inside the removed entries will be removed too; `clients undo` \
             restores them."
        ));
    }
    if let Some(project) = &seen.project {
        eprint_line(format_args!(
            "warning: the file belongs to {project}: everyone who shares it gets the change, and \
             the token."
        ));
    }
}

/// Formats the limits that a program has set for its servers' tools, and the profile that keeps
/// these limits.
fn some_tools(seen: &ClientConfigPreview, title: &str) -> String {
    let choices: Vec<String> = seen.choices.iter().map(choice).collect();
    let offered = match choices.join("; ").as_str() {
        "" => format!("{title} stays connected to a profile."),
        choices => format!("{title} offered only some tools ({choices})."),
    };
    match seen.profile.as_ref().map(ProfileName::as_str) {
        Some(profile) => format!(
            "{offered} The profile {profile} keeps this choice, without members that come later; \
             --all-tools offers all tools of all members."
        ),
        None => format!("{offered} It gets all tools now."),
    }
}

/// Formats the tools of a server that a program offers.
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
