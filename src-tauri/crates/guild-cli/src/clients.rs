//! `guildhall clients`: the clients that have a token of the gateway.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use clap::{Args, Subcommand};
use guild_core::note::CliTrouble;
use guild_core::wire::{AgentClient, Nothing, OfAgentClient};
use guild_core::{Code, Report};
use serde_json::json;

use crate::asking::agreed;
use crate::reach::Reach;
use crate::words;
use crate::{harmless, print_line, tell};

/// Actions on clients. Without one, the clients are listed.
#[derive(Debug, Args)]
pub(crate) struct ClientsArgs {
    #[command(subcommand)]
    command: Option<ClientsCommand>,
}

#[derive(Debug, Subcommand)]
enum ClientsCommand {
    /// Revokes the tokens of clients: what they have under way ends. Shows them, and asks.
    Revoke {
        /// The clients, by their ids or names; a name stands for all clients that have it.
        #[arg(required = true)]
        names: Vec<String>,
        /// Don't ask.
        #[arg(long)]
        yes: bool,
    },
}

impl ClientsArgs {
    /// Whether tokens are revoked.
    pub(crate) fn changes(&self) -> bool {
        self.command.is_some()
    }
}

/// Lists the clients, or revokes the tokens of some.
pub(crate) async fn clients(
    reach: &Reach,
    args: ClientsArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let known = reach.gateway(Nothing {}).await?.clients;
    let Some(ClientsCommand::Revoke { names, yes }) = args.command else {
        list(&known, as_json);
        return Ok(ExitCode::SUCCESS);
    };
    let mut chosen: Vec<AgentClient> = Vec::new();
    for name in &names {
        let is_meant = |client: &&AgentClient| client.id.as_str() == name || client.name == *name;
        let meant: Vec<&AgentClient> = known.iter().filter(is_meant).collect();
        if meant.is_empty() {
            let trouble = CliTrouble::NoClient(format!("{name:?}"));
            return Err(Report::told(Code::ClientUnknown, &trouble));
        }
        for client in meant {
            if !chosen.contains(client) {
                chosen.push(client.clone());
            }
        }
    }
    let question = words::servers::revoke(&told(&chosen));
    if !yes && !agreed(&question, Code::GatewaySettings).await? {
        tell("Nothing was revoked.");
        return Ok(ExitCode::from(2));
    }
    revoke(reach, &chosen).await?;
    if as_json {
        print_line(&json!(chosen).to_string());
    }
    Ok(ExitCode::SUCCESS)
}

/// Offers to revoke the tokens that a restored file contained.
pub(crate) async fn revoke_after_undo(
    reach: &Reach,
    clients: &[AgentClient],
    yes: bool,
    as_json: bool,
) -> Result<(), Report> {
    if clients.is_empty() {
        return Ok(());
    }
    let may_ask = !as_json && std::io::stdin().is_terminal();
    let question = words::servers::revoke(&told(clients));
    let agreed = yes || (may_ask && agreed(&question, Code::GatewaySettings).await?);
    if agreed {
        return revoke(reach, clients).await;
    }
    let ids: Vec<&str> = clients.iter().map(|client| client.id.as_str()).collect();
    tell(harmless(&format!(
        "Still valid: the token of {}. `guildhall clients revoke {}` revokes it.",
        told(clients),
        ids.join(" ")
    )));
    Ok(())
}

async fn revoke(reach: &Reach, clients: &[AgentClient]) -> Result<(), Report> {
    for client in clients {
        let of = OfAgentClient {
            client: client.id.clone(),
        };
        reach.revoke_agent_client(of).await?;
    }
    tell(harmless(&format!("Revoked: {}.", told(clients))));
    Ok(())
}

/// Clients by their names, with the ends of their tokens.
fn told(clients: &[AgentClient]) -> String {
    let one = |client: &AgentClient| format!("{} (…{})", client.name, client.token_end);
    clients.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn list(clients: &[AgentClient], as_json: bool) {
    if as_json {
        print_line(&json!(clients).to_string());
        return;
    }
    let at = |at_ms: u64| {
        let at = UNIX_EPOCH + Duration::from_millis(at_ms);
        humantime::format_rfc3339_seconds(at).to_string()
    };
    for client in clients {
        let made = at(client.created_at_ms);
        let used = client.last_used_ms.map(at);
        let times = words::servers::client_times(&made, used.as_deref());
        let (id, name, end) = (&client.id, &client.name, &client.token_end);
        print_line(&harmless(&format!("{id}  {name}  …{end}  {times}")));
    }
    if clients.is_empty() {
        tell("No client has a token.");
    }
}
