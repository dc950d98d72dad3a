//! `guildhall clients`: the programs that use the gateway, their files and their tokens.

mod changes;
mod connect;
mod switch;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{
    AddAgentClient, AgentClient, AgentClientRef, BindAgentClient, FoundFile, FoundServers,
    HandingOver, Nothing, UndoClientConfig, WrittenClientConfig,
};
use guild_engine::messages::CliError;
use guild_model::endpoint::Endpoint;
use guild_model::{Code, Report};
use guild_text::messages::joined as joined_texts;

use crate::endpoint::TokenEndpointArgs;
use crate::engine_client::{EngineClient, from_here};
use crate::session::Need;
use crate::terminal::{absolute, confirm, is_json, print, print_hint, time};
use crate::{eprint_line, help, print_line};

#[derive(Debug, Args)]
#[command(after_help = help::CLIENTS)]
pub(crate) struct ClientsArgs {
    #[command(subcommand)]
    action: Option<ClientAction>,
}

#[derive(Debug, Subcommand)]
enum ClientAction {
    /// List the clients that have a token [default]
    List,
    /// Add a client, and print its token, which is not shown again
    Add {
        /// The name of the client
        name: String,
        #[command(flatten)]
        endpoints: TokenEndpointArgs,
    },
    /// Choose the endpoints at which a client's token is accepted. Ends the client's calls at all
    /// other endpoints
    Bind {
        /// The client, by its id or name
        client: String,
        #[command(flatten)]
        endpoints: TokenEndpointArgs,
        /// Accept the token at all endpoints
        #[arg(
            long,
            conflicts_with = "endpoint",
            required_unless_present = "endpoint"
        )]
        anywhere: bool,
    },
    /// Print the entry that connects a program to the gateway, or write it into the program's file
    #[command(after_help = help::CLIENTS_CONNECT)]
    Connect(connect::ConnectClientArgs),
    /// In a program's files, replace the entries of servers that are now members by one entry for
    /// Guild Hall. Shows the changes, and asks before writing them
    #[command(after_help = help::CLIENTS_SWITCH)]
    Switch(switch::SwitchArgs),
    /// Restore the files of a program as they were before `connect` or `switch`
    Undo {
        /// The program, such as cursor
        program: String,
        /// Restore only this file of the program
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Revoke the tokens that the files contained, without asking
        #[arg(long)]
        yes: bool,
    },
    /// Revoke the tokens of clients, which ends their calls. Shows the clients, and asks before
    /// revoking
    Revoke {
        /// The clients, by their ids or names; a name selects all clients that have it
        #[arg(required = true, value_name = "CLIENT")]
        names: Vec<String>,
        /// Revoke without asking
        #[arg(long)]
        yes: bool,
    },
}

impl ClientsArgs {
    pub(crate) fn need(&self) -> Need {
        match &self.action {
            None | Some(ClientAction::List) => Need::PERSON,
            Some(ClientAction::Connect(args)) => {
                Need::either(args.writes(), Need::PERSON, Need::READ)
            }
            Some(ClientAction::Switch(args)) => {
                Need::either(args.writes(), Need::DECIDE, Need::READ)
            }
            Some(ClientAction::Add { .. }) => Need::PERSON,
            Some(
                ClientAction::Bind { .. } | ClientAction::Undo { .. } | ClientAction::Revoke { .. },
            ) => Need::DECIDE,
        }
    }
}

/// Lists the clients, or changes their files and tokens.
pub(crate) async fn clients(engine: &EngineClient, args: ClientsArgs) -> Result<ExitCode, Report> {
    match args.action {
        None | Some(ClientAction::List) => list(&engine.gateway(Nothing {}).await?.clients),
        Some(ClientAction::Add { name, endpoints }) => {
            let endpoints = endpoints.get();
            let added = engine
                .add_agent_client(AddAgentClient { name, endpoints })
                .await?;
            print(&added, || added.token.clone());
        }
        // clap requires an endpoint or `--anywhere`. So no endpoint means all endpoints.
        Some(ClientAction::Bind {
            client, endpoints, ..
        }) => bind(engine, &client, endpoints.get()).await?,
        Some(ClientAction::Connect(args)) => return connect::connect(engine, args).await,
        Some(ClientAction::Switch(args)) => return switch::switch(engine, args).await,
        Some(ClientAction::Undo { program, file, yes }) => {
            undo(engine, program, file.as_deref(), yes).await?;
        }
        Some(ClientAction::Revoke { names, yes }) => {
            return revoke(engine, &names, yes).await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn bind(
    engine: &EngineClient,
    name: &str,
    endpoints: Option<Vec<Endpoint>>,
) -> Result<(), Report> {
    let known = engine.gateway(Nothing {}).await?.clients;
    let [client] = &named(&known, name)?[..] else {
        let trouble = CliError::SeveralClients(format!("{name:?}"));
        return Err(Report::from_error(Code::ClientUnknown, &trouble));
    };
    let client = client.id.clone();
    let request = BindAgentClient { client, endpoints };
    list(&engine.bind_agent_client(request).await?.clients);
    Ok(())
}

/// Returns the clients with this id or name.
fn named<'c>(known: &'c [AgentClient], name: &str) -> Result<Vec<&'c AgentClient>, Report> {
    let is_meant = |client: &&AgentClient| client.id.as_str() == name || client.name == *name;
    let meant: Vec<&AgentClient> = known.iter().filter(is_meant).collect();
    if meant.is_empty() {
        let trouble = CliError::NoClient(format!("{name:?}"));
        return Err(Report::from_error(Code::ClientUnknown, &trouble));
    }
    Ok(meant)
}

async fn revoke(engine: &EngineClient, names: &[String], yes: bool) -> Result<ExitCode, Report> {
    let known = engine.gateway(Nothing {}).await?.clients;
    let mut chosen: Vec<AgentClient> = Vec::new();
    for name in names {
        for client in named(&known, name)? {
            if !chosen.contains(client) {
                chosen.push(client.clone());
            }
        }
    }
    if !yes && !confirm(&question(&chosen), Code::GatewaySettings).await? {
        eprint_line("Nothing was revoked.");
        return Ok(ExitCode::from(2));
    }
    revoke_all(engine, &chosen).await?;
    print(&chosen, String::new);
    Ok(ExitCode::SUCCESS)
}

/// Restores the files of a program, and offers to revoke the tokens that the files contained.
async fn undo(
    engine: &EngineClient,
    client: String,
    file: Option<&Path>,
    yes: bool,
) -> Result<(), Report> {
    let found = engine.found_list(from_here(None, Nothing {})).await?;
    let chosen = files_of(&found, &client, file, |handing| handing.can_undo);
    let mut paths: Vec<Option<String>> = chosen
        .into_iter()
        .map(|(file, _)| Some(file.path.clone()))
        .collect();
    if paths.is_empty() {
        // With an unknown program or file, the hall's error explains why nothing can be undone.
        paths.push(file.map(absolute));
    }
    let mut undone = Vec::new();
    for path in paths {
        let client = client.clone();
        let request = from_here(None, UndoClientConfig { client, path });
        let one = engine.export_undo(request).await?;
        if !is_json() {
            print_line(&match one.as_before {
                true => format!("Restored {}.", one.path),
                false => format!(
                    "Restored the entries of {}, and kept later changes to it.",
                    one.path
                ),
            });
        }
        undone.push(one);
    }
    print(&undone, String::new);
    let clients: Vec<AgentClient> = undone.into_iter().flat_map(|one| one.clients).collect();
    if clients.is_empty() {
        return Ok(());
    }
    let may_ask = !is_json() && std::io::stdin().is_terminal();
    if yes || (may_ask && confirm(&question(&clients), Code::GatewaySettings).await?) {
        return revoke_all(engine, &clients).await;
    }
    let ids: Vec<&str> = clients.iter().map(|client| client.id.as_str()).collect();
    eprint_line(format!(
        "Still valid: the token of {}. `guildhall clients revoke {}` revokes it.",
        joined(&clients),
        ids.join(" ")
    ));
    Ok(())
}

async fn revoke_all(engine: &EngineClient, clients: &[AgentClient]) -> Result<(), Report> {
    for client in clients {
        let client = client.id.clone();
        engine
            .revoke_agent_client(AgentClientRef { client })
            .await?;
    }
    eprint_line(format!("Revoked: {}.", joined(clients)));
    Ok(())
}

fn question(clients: &[AgentClient]) -> String {
    format!("Revoke the token of {}?", joined(clients))
}

/// Returns the names of clients, with the last characters of their tokens.
fn joined(clients: &[AgentClient]) -> String {
    let one = |client: &AgentClient| format!("{} (…{})", client.name, client.token_end);
    clients.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn list(clients: &[AgentClient]) {
    let line = |client: &AgentClient| {
        let used = client.last_used_ms.map(time);
        let used = used.map_or("never used".to_owned(), |used| format!("last used {used}"));
        let (id, name, end) = (&client.id, &client.name, &client.token_end);
        let made = time(client.created_at_ms);
        let only = client.endpoints.as_deref().map(|only| match only {
            [] => ", accepted nowhere".to_owned(),
            only => format!(", only at {}", joined_texts(only)),
        });
        let only = only.unwrap_or_default();
        format!("{id}  {name}  …{end}  made {made}, {used}{only}")
    };
    print(&clients, || {
        clients.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    if clients.is_empty() {
        print_hint("No client has a token.");
    }
}

/// Returns the matching files of a program.
fn files_of<'f>(
    found: &'f FoundServers,
    program: &str,
    file: Option<&Path>,
    is_meant: impl Fn(&HandingOver) -> bool,
) -> Vec<(&'f FoundFile, &'f HandingOver)> {
    let file = file.map(absolute);
    let files = found.files.iter();
    files
        .filter_map(|of| Some((of, of.handing.as_ref()?)))
        .filter(|(of, handing)| {
            of.program == program
                && file.as_ref().is_none_or(|file| of.path == *file)
                && is_meant(handing)
        })
        .collect()
}

/// Prints the path of a written file's backup, and a warning if other users can read the token in
/// the file.
async fn print_written(written: &WrittenClientConfig, then: &str) {
    if let Some(backup) = &written.backup {
        eprint_line(format!(
            "The previous file is in {backup}; `guildhall clients undo` restores it."
        ));
    }
    let path = PathBuf::from(&written.path);
    let warned = tokio::task::spawn_blocking(move || guild_engine::readable_token(&path)).await;
    if let Ok(Some(report)) = warned {
        eprint_line(report.to_string());
    }
    eprint_line(then);
}
