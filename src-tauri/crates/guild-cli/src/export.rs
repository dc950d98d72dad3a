//! `guildhall export`: other programs' configuration.

use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::wire::{
    ClientConfig, ClientConfigPreview, OfClientConfig, OfEndpoint, UndoClientConfig,
    WriteClientConfig,
};
use guild_engine::Hall;
use serde_json::json;

use crate::endpoint::EndpointArgs;
use crate::{harmless, print_line, tell};

/// How many lines are shown before and after a change.
const AROUND: usize = 3;

/// Which program is connected, and how.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The program: claude-code, claude-desktop, cursor, vscode, windsurf, cline, zed, codex or
    /// gemini-cli.
    client: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// Put the entry into the program's own file: shows what would change.
    #[arg(long)]
    write: bool,
    /// Write it.
    #[arg(long, requires = "write")]
    yes: bool,
    /// Give the file back as it was before Guild Hall wrote to it.
    #[arg(long, conflicts_with_all = ["write", "endpoint"])]
    undo: bool,
}

/// Prints what a program needs to know of the gateway, or writes it into its file.
pub(crate) async fn export(
    hall: &Hall,
    args: ExportArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let endpoint = args.endpoint.get();
    let client = args.client;
    if args.undo {
        let undone = hall.undo_client_config(UndoClientConfig { client }).await?;
        if as_json {
            print_line(&json!(undone).to_string());
        } else {
            print_line(&format!("{} is without the entry again.", undone.path));
            tell("A token that was made for it is good until it is revoked.");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let listed = hall.client_configs(OfEndpoint {
        endpoint: endpoint.clone(),
    });
    let mut clients = listed.await?.clients.into_iter();
    let known = clients.find(|known| known.client == client);
    // A program that is not known is refused by this, with those that are.
    let of = OfClientConfig {
        client: client.clone(),
        endpoint: endpoint.clone(),
    };
    let Some(known) = known else {
        return hall
            .preview_client_config(of)
            .await
            .map(|_| ExitCode::SUCCESS);
    };
    if !args.write {
        show_snippet(&known, as_json);
        return Ok(ExitCode::SUCCESS);
    }
    let seen = hall.preview_client_config(of).await?;
    if !args.yes {
        if as_json {
            print_line(&json!(seen).to_string());
        } else {
            print_line(&harmless(&changes(&seen)));
            tell("Nothing was written. With --yes it is, with a token in the place of <token>.");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let request = WriteClientConfig {
        client,
        endpoint,
        precondition: seen.precondition,
    };
    let written = hall.write_client_config(request).await?;
    if as_json {
        print_line(&json!(written).to_string());
    } else {
        print_line(&format!("{} names the gateway now.", written.path));
        if let Some(backup) = &written.backup {
            tell(format_args!(
                "As it was, it is kept in {backup}; --undo gives it back."
            ));
        }
        tell(known.then);
    }
    Ok(ExitCode::SUCCESS)
}

fn show_snippet(known: &ClientConfig, as_json: bool) {
    if as_json {
        print_line(&json!(known).to_string());
        return;
    }
    tell(format_args!("This belongs into {}:", known.path));
    print_line(known.snippet.trim_end());
    tell(format_args!(
        "A token is made on the agents' page, or by --write. {}",
        known.then
    ));
}

/// What would change, line by line.
fn changes(seen: &ClientConfigPreview) -> String {
    let before: Vec<&str> = seen.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<&str> = seen.after.lines().collect();
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let head = same(&mut before.iter().zip(&after));
    let shorter = before.len().min(after.len());
    let tail = same(&mut before.iter().rev().zip(after.iter().rev())).min(shorter - head);
    let mut lines = vec![format!("--- {}", seen.path), format!("+++ {}", seen.path)];
    let mut add = |mark: char, part: &[&str]| {
        lines.extend(part.iter().map(|line| format!("{mark}{line}")));
    };
    add(' ', &before[head.saturating_sub(AROUND)..head]);
    add('-', &before[head..before.len() - tail]);
    add('+', &after[head..after.len() - tail]);
    let rest = &after[after.len() - tail..];
    add(' ', &rest[..rest.len().min(AROUND)]);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_the_lines_around_it() {
        let seen = ClientConfigPreview {
            path: "/f".into(),
            before: Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n".into()),
            after: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n".into(),
            precondition: String::new(),
        };
        assert_eq!(
            changes(&seen),
            "--- /f\n+++ /f\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8"
        );
    }

    #[test]
    fn no_change_and_a_new_file_are_shown_as_what_they_are() {
        let seen = |before: Option<&str>, after: &str| ClientConfigPreview {
            path: "/f".into(),
            before: before.map(str::to_owned),
            after: after.into(),
            precondition: String::new(),
        };
        assert_eq!(changes(&seen(None, "a\nb\n")), "--- /f\n+++ /f\n+a\n+b");
        assert_eq!(
            changes(&seen(Some("a\na\n"), "a\na\na\n")),
            "--- /f\n+++ /f\n a\n a\n+a"
        );
        assert_eq!(changes(&seen(Some("a\n"), "a\n")), "--- /f\n+++ /f\n a");
    }
}
