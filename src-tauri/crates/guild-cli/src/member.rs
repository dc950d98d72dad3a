//! `guildhall member`: renames, duplicates, enables, disables, edits, removes and restores members.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{
    CheckMemberFile, MemberFile, MemberView, Nothing, RemovalId, RemovalRef, RemovedMember,
    RenameMember, SaveMemberFile, SetMemberEnabled,
};
use guild_engine::EditedCopy;
use guild_model::manifest::MANIFEST_BYTES_MAX;
use guild_model::manifest::ProblemSeverity;
use guild_model::{Code, MemberName, Report};
use serde_json::json;

use crate::call::typed_name;
use crate::engine_client::{EngineClient, of};
use crate::help;
use crate::interrupts::{Interrupts, interrupted};
use crate::list::member_json;
use crate::terminal::{blocking, confirm, eprint_line, print, time, word};

/// The editor if neither `VISUAL` nor `EDITOR` is set.
const EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

#[derive(Debug, Args)]
#[command(after_help = help::MEMBER)]
pub(crate) struct MemberArgs {
    #[command(subcommand)]
    action: MemberAction,
}

#[derive(Debug, Subcommand)]
enum MemberAction {
    /// Edit the plugin.json of a member in your editor, and check it before it is saved
    Edit {
        /// The member
        member: String,
        /// Only print the path of the file
        #[arg(long)]
        print_path: bool,
    },
    #[command(flatten)]
    Change(MemberChangeCommand),
}

#[derive(Debug, Subcommand)]
enum MemberChangeCommand {
    /// Enable a member
    Enable {
        /// The member
        member: String,
    },
    /// Stop a member and prevent it from starting
    Disable {
        /// The member
        member: String,
    },
    /// Rename a member. Its permissions, profiles, saved calls and reviews keep working
    Rename {
        /// The member
        member: String,
        /// The new name
        name: String,
    },
    /// Copy a member, with its permissions
    Duplicate {
        /// The member
        member: String,
        /// The name of the copy
        name: String,
    },
    /// Stop a member and move its folder to the trash
    Remove {
        /// The member
        member: String,
    },
    /// List the members in the trash
    Trash,
    /// Restore a member from the trash
    Restore {
        /// The member, or the id that `guildhall member trash --json` prints
        member: String,
    },
}

pub(crate) async fn member(
    engine: &EngineClient,
    args: MemberArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let (member, print_path) = match args.action {
        MemberAction::Edit { member, print_path } => (member, print_path),
        MemberAction::Change(action) => {
            tokio::select! {
                done = change(engine, action) => done?,
                () = interrupts.next() => return Err(interrupted()),
            }
            return Ok(ExitCode::SUCCESS);
        }
    };
    let member = typed_name(engine, &member).await?;
    let file = engine.member_file(of(&member)).await?;
    if print_path {
        print(&json!({"path": file.path}), || file.path.clone());
        return Ok(ExitCode::SUCCESS);
    }
    edit(engine, file, interrupts).await
}

async fn change(engine: &EngineClient, action: MemberChangeCommand) -> Result<(), Report> {
    match action {
        MemberChangeCommand::Enable { member } => set_enabled(engine, &member, true).await?,
        MemberChangeCommand::Disable { member } => set_enabled(engine, &member, false).await?,
        MemberChangeCommand::Rename { member, name } => {
            let member = typed_name(engine, &member).await?;
            let request = RenameMember {
                member: member.clone(),
                name,
            };
            let view = engine.rename_member(request).await?;
            let done = || format!("{member} is now {}.", view.name);
            print(&member_json(&view), done);
        }
        MemberChangeCommand::Duplicate { member, name } => {
            let member = typed_name(engine, &member).await?;
            let request = RenameMember {
                member: member.clone(),
                name,
            };
            let view = engine.duplicate_member(request).await?;
            let done = || {
                format!(
                    "{} is a copy of {member}. Status: {}.",
                    view.name,
                    word(view.status)
                )
            };
            print(&member_json(&view), done);
        }
        MemberChangeCommand::Remove { member } => {
            let member = typed_name(engine, &member).await?;
            let removed = engine.remove_member(of(&member)).await?;
            print(&removed, || {
                format!(
                    "{member} is in the trash. To restore it: guildhall member restore {member}"
                )
            });
        }
        MemberChangeCommand::Trash => {
            let removed = engine.removed_members(Nothing {}).await?;
            print(&removed.members, || listed(&removed.members));
        }
        MemberChangeCommand::Restore { member } => {
            let removed = engine.removed_members(Nothing {}).await?.members;
            let found = removed
                .into_iter()
                .find(|removed| removed.removal.0 == member || removed.member.as_str() == member);
            let removal = found.map_or(RemovalId(member), |found| found.removal);
            let view = engine.restore_member(RemovalRef { removal }).await?;
            print_status(&view);
        }
    }
    Ok(())
}

async fn set_enabled(engine: &EngineClient, member: &str, enabled: bool) -> Result<(), Report> {
    let member = typed_name(engine, member).await?;
    let request = SetMemberEnabled { member, enabled };
    let view = engine.set_member_enabled(request).await?;
    print_status(&view);
    Ok(())
}

fn print_status(view: &MemberView) {
    print(&member_json(view), || {
        format!("{} is {}.", view.name, word(view.status))
    });
}

fn listed(removed: &[RemovedMember]) -> String {
    if removed.is_empty() {
        return "The trash is empty.".to_owned();
    }
    let line = |removed: &RemovedMember| {
        format!(
            "{}  removed {}",
            removed.member,
            time(removed.removed_at_ms)
        )
    };
    removed.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Edits a copy of a file in the user's editor, and saves its text to the file. If an edited text
/// is not saved, the copy is kept, and its path is printed.
async fn edit(
    engine: &EngineClient,
    file: MemberFile,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let before = file.text.clone();
    let begin = move || EditedCopy::begin("plugin.json", &before);
    let copy = blocking(begin).await?;
    let before = file.text.clone();
    let done = edit_and_save(engine, file, &copy, interrupts).await;
    let is_saved = matches!(done, Ok(ExitCode::SUCCESS));
    // After an interruption, the editor may still be open.
    let is_interrupted = matches!(&done, Err(report) if report.code == Code::CallCancelled);
    let kept = blocking(move || {
        if !is_saved && (is_interrupted || copy.is_changed_from(&before)) {
            return Ok(Some(copy.path().to_owned()));
        }
        copy.remove();
        Ok(None)
    });
    if let Some(path) = kept.await? {
        eprint_line(format_args!("Your text is in {}.", path.display()));
    }
    done
}

/// Edits a copy until it has no errors or the user gives up.
async fn edit_and_save(
    engine: &EngineClient,
    file: MemberFile,
    copy: &EditedCopy,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let (member, before) = (file.member, file.text);
    let text = loop {
        let text = tokio::select! {
            text = edited(copy.clone()) => text?,
            () = interrupts.next() => return Err(interrupted()),
        };
        if text == before {
            eprint_line("Nothing was changed.");
            return Ok(ExitCode::SUCCESS);
        }
        let again = tokio::select! {
            again = is_edited_again(engine, &member, &text) => again?,
            () = interrupts.next() => return Err(interrupted()),
        };
        match again {
            Some(true) => {}
            Some(false) => {
                eprint_line("Nothing was saved.");
                return Ok(ExitCode::from(2));
            }
            None => break text,
        }
    };
    let request = SaveMemberFile {
        member,
        text,
        revision: file.revision,
    };
    let MemberFile { member, path, .. } = engine.save_member_file(request).await?;
    print(&json!({"member": member, "path": path}), || {
        format!("{path} is saved.")
    });
    Ok(ExitCode::SUCCESS)
}

/// Checks a text. Returns `None` if the text can be saved. If it has errors, asks whether to edit
/// it again, and returns the answer.
async fn is_edited_again(
    engine: &EngineClient,
    member: &MemberName,
    text: &str,
) -> Result<Option<bool>, Report> {
    let is_usable = check(engine, member, text).await?;
    // Without a terminal, the attempt to save the text reports the errors.
    if is_usable || !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let question = "The file can't be saved with errors. Edit it again?";
    confirm(question, Code::ManifestField).await.map(Some)
}

/// Waits until the editor is closed, and returns the text.
async fn edited(copy: EditedCopy) -> Result<String, Report> {
    let named = |name| {
        std::env::var(name)
            .ok()
            .filter(|editor| !editor.trim().is_empty())
    };
    let editor = named("VISUAL").or_else(|| named("EDITOR"));
    let editor = editor.unwrap_or_else(|| EDITOR.to_owned());
    blocking(move || copy.edit(&editor, MANIFEST_BYTES_MAX)).await
}

/// Prints the problems of a manifest. Returns whether it has no errors.
async fn check(engine: &EngineClient, member: &MemberName, text: &str) -> Result<bool, Report> {
    let request = CheckMemberFile {
        member: member.clone(),
        text: text.to_owned(),
    };
    let problems = engine.check_member_file(request).await?.problems;
    for problem in &problems {
        let severity = word(problem.severity);
        let (line, column) = (problem.line, problem.column);
        eprint_line(format_args!(
            "plugin.json:{line}:{column}: {severity}: {}",
            problem.message
        ));
        if !problem.hint.is_empty() {
            eprint_line(format_args!("  {}", problem.hint));
        }
    }
    Ok(!problems
        .iter()
        .any(|problem| problem.severity == ProblemSeverity::Error))
}
