//! `guildhall export`: other programs' configuration.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::agents::Listing;
use guild_core::wire::{
    ClientConfig, Copied, OfClientConfig, OfEndpoint, UndoClientConfig, WriteClientConfig,
};
use serde_json::json;

use crate::changes::changes;
use crate::clients::revoke_after_undo;
use crate::connect::listing;
use crate::endpoint::{EndpointArgs, wrong_usage};
use crate::reach::{Reach, from_here};
use crate::words;
use crate::{harmless, print_line, tell};

/// Which program is connected, and how.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The program: claude-code, claude-desktop, cursor, vscode, windsurf, cline, zed, codex,
    /// gemini-cli or opencode.
    client: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// The member of the endpoint itself, as the program would run it without Guild Hall.
    #[arg(long, requires = "endpoint", conflicts_with_all = ["write", "undo"])]
    direct: bool,
    /// Put the entry into the program's own file: shows what would change.
    #[arg(long, group = "changing")]
    write: bool,
    /// Write it; with --undo, revoke the token that was written.
    #[arg(long, requires = "changing")]
    yes: bool,
    /// Give the file back as it was before Guild Hall wrote to it.
    #[arg(long, group = "changing", conflicts_with_all = ["write", "endpoint"])]
    undo: bool,
    /// How tools are listed for it: lazy, full or search [default: as the endpoint has it].
    #[arg(long, value_name = "MODE", value_parser = listing, conflicts_with_all = ["direct", "undo"])]
    mode: Option<Listing>,
}

impl ExportArgs {
    /// Whether a program's file is written.
    pub(crate) fn writes(&self) -> bool {
        self.yes || self.undo
    }
}

/// Prints what a program needs to know of the gateway, or writes it into its file.
pub(crate) async fn export(
    reach: &Reach,
    args: ExportArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let endpoint = args.endpoint.get();
    let (client, mode) = (args.client, args.mode);
    if args.undo {
        let request = UndoClientConfig { client, path: None };
        let undone = reach.export_undo(from_here(None, request)).await?;
        if as_json {
            print_line(&json!(undone).to_string());
        } else {
            print_line(&format!("{} is without the entry again.", undone.path));
        }
        revoke_after_undo(reach, &undone.clients, args.yes, as_json).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let of_endpoint = OfEndpoint {
        endpoint: endpoint.clone(),
    };
    let listed = reach.export_list(from_here(mode, of_endpoint));
    let mut clients = listed.await?.clients.into_iter();
    let known = clients.find(|known| known.client == client);
    // A program that is not known is refused by this, with those that are.
    let of = OfClientConfig {
        client: client.clone(),
        path: None,
        endpoint: endpoint.clone(),
        hand_over: false,
        all_tools: false,
    };
    let Some(known) = known else {
        return reach
            .export_preview(from_here(mode, of))
            .await
            .map(|_| ExitCode::SUCCESS);
    };
    if args.direct {
        return show_direct(known.direct, as_json);
    }
    if !args.write {
        show_snippet(&known, as_json);
        return Ok(ExitCode::SUCCESS);
    }
    let seen = reach.export_preview(from_here(mode, of)).await?;
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
        path: None,
        endpoint,
        hand_over: false,
        all_tools: false,
        precondition: seen.precondition,
    };
    let written = reach.export_write(from_here(mode, request)).await?;
    if as_json {
        print_line(&json!(written).to_string());
    } else {
        print_line(&format!("{} names the gateway now.", written.path));
        if let Some(backup) = &written.backup {
            tell(words::servers::backup(backup));
        }
        warn_of_readers(&written.path).await;
        tell(known.then);
    }
    Ok(ExitCode::SUCCESS)
}

fn show_direct(direct: Option<Copied>, as_json: bool) -> Result<ExitCode, Report> {
    let Some(direct) = direct else {
        wrong_usage("--direct wants --endpoint member NAME");
    };
    if as_json {
        print_line(&json!(direct).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(note) = &direct.note {
        tell(harmless(note));
    }
    if direct.text.is_empty() {
        return Ok(ExitCode::from(2));
    }
    print_line(harmless(&direct.text).trim_end());
    Ok(ExitCode::SUCCESS)
}

fn show_snippet(known: &ClientConfig, as_json: bool) {
    if as_json {
        print_line(&json!(known).to_string());
        return;
    }
    tell(format!("This belongs into {}:", known.path));
    print_line(known.snippet.trim_end());
    let made = "A token is made on the agents' page, or by --write.";
    tell(format_args!("{made} {}", known.then));
}

/// Says where other users of the machine can read the token that was written.
pub(crate) async fn warn_of_readers(path: &str) {
    let path = PathBuf::from(path);
    let warned = tokio::task::spawn_blocking(move || guild_engine::readable_token(&path)).await;
    if let Ok(Some(report)) = warned {
        tell(report.to_string());
    }
}
