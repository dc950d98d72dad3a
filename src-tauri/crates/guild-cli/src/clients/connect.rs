//! `guildhall clients connect`: the entry in a program's file that connects it to the gateway.

use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{ClientConfigRef, Copied, EndpointRef, WriteClientConfig};
use guild_model::Report;
use guild_model::endpoint::{Endpoint, Listing};

use super::changes::changes;
use super::print_written;
use crate::connect::listing;
use crate::endpoint::{EndpointArgs, wrong_usage};
use crate::engine_client::{EngineClient, from_here};
use crate::eprint_line;
use crate::terminal::{is_json, print, print_hint};

#[derive(Debug, Args)]
pub(super) struct ConnectClientArgs {
    /// The program: claude-code, claude-desktop, cursor, vscode, windsurf, cline, zed, codex,
    /// gemini-cli or opencode
    #[arg(value_name = "PROGRAM")]
    client: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// Print the entry with which the program runs the endpoint's member without Guild Hall
    #[arg(long, requires = "endpoint", conflicts_with = "write")]
    direct: bool,
    /// Show the change to the program's file. Add --yes to write it
    #[arg(long)]
    write: bool,
    /// With --write: write the change
    #[arg(long, requires = "write")]
    yes: bool,
    /// How to list the tools for the program: lazy (without schemas), full, or search (only tools
    /// that search) [default: the mode of the endpoint]
    #[arg(long, value_name = "MODE", value_parser = listing, conflicts_with = "direct")]
    mode: Option<Listing>,
}

impl ConnectClientArgs {
    pub(super) fn writes(&self) -> bool {
        self.yes
    }
}

/// Prints the entry of a program, or writes it into the program's file.
pub(super) async fn connect(
    engine: &EngineClient,
    args: ConnectClientArgs,
) -> Result<ExitCode, Report> {
    let endpoint = args.endpoint.get();
    let (client, mode) = (args.client, args.mode);
    let of_endpoint = EndpointRef {
        endpoint: endpoint.clone(),
    };
    let listed = engine.export_list(from_here(mode, of_endpoint)).await?;
    let mut clients = listed.clients.into_iter();
    let known = clients.find(|known| known.client == client);
    let of = ClientConfigRef {
        client: client.clone(),
        path: None,
        endpoint: endpoint.clone(),
        hand_over: false,
        all_tools: false,
    };
    let Some(known) = known else {
        // The hall's error for an unknown program names the known programs.
        let refused = engine.export_preview(from_here(mode, of)).await;
        return refused.map(|_| ExitCode::SUCCESS);
    };
    if args.direct {
        return show_direct(known.direct);
    }
    if !args.write {
        print_hint(format!("Add this to {}:", known.path));
        print(&known, || known.snippet.clone());
        print_hint(format!(
            "Create the token on the Agents page, or with --write --yes. {}",
            known.then
        ));
        return Ok(ExitCode::SUCCESS);
    }
    let seen = engine.export_preview(from_here(mode, of)).await?;
    if !args.yes {
        print(&seen, || changes(&seen));
        print_hint("Nothing was written. Add --yes to write the change, with a token.");
        return Ok(ExitCode::SUCCESS);
    }
    let bound = endpoint.clone();
    let request = WriteClientConfig {
        client,
        path: None,
        endpoint,
        hand_over: false,
        all_tools: false,
        precondition: seen.precondition,
    };
    let written = engine.export_write(from_here(mode, request)).await?;
    print(&written, || {
        format!("{} now has the entry for the gateway.", written.path)
    });
    if !is_json() {
        if bound != Endpoint::All {
            eprint_line(format!("Its token is accepted only at {bound}."));
        }
        print_written(&written, &known.then).await;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_direct(direct: Option<Copied>) -> Result<ExitCode, Report> {
    let Some(direct) = direct else {
        wrong_usage("--direct requires --endpoint member NAME");
    };
    print(&direct, || direct.text.clone());
    if let Some(note) = &direct.note {
        print_hint(note);
    }
    Ok(match direct.text.is_empty() && !is_json() {
        true => ExitCode::from(2),
        false => ExitCode::SUCCESS,
    })
}
