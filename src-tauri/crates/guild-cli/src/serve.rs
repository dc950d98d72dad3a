//! `guildhall serve`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use guild_api::wire::AddAgentClient;
use guild_engine::messages::CliError;
use guild_engine::{GatewayOptions, GuildHall, Tokens};
use guild_model::{Code, Report};
use serde_json::json;

use crate::interrupts::Interrupts;
use crate::{eprint_line, help, print_line};

/// Maximum wait at the end of the program until the last events are printed.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Maximum size of a token file, in bytes.
const TOKEN_BYTES_MAX: u64 = 16 * 1024;
/// The client name of the printed token.
const OWN_CLIENT: &str = "guildhall serve";

/// The options of the gateway.
#[derive(Debug, Args)]
#[command(after_help = help::SERVE)]
pub(crate) struct ServeArgs {
    /// Open the gateway on this port instead of the port in the settings; 0 chooses a free port
    #[arg(long, value_name = "PORT")]
    gateway_port: Option<u16>,
    /// Require no token: every program on this machine can use the gateway. For tests
    #[arg(long)]
    no_token: bool,
    /// Accept the token in this file instead of printing a new token. The token must have at least
    /// 32 characters
    #[arg(long, value_name = "FILE", conflicts_with = "no_token")]
    token_file: Option<PathBuf>,
    /// Start the members without the gateway
    #[arg(long, conflicts_with_all = ["gateway_port", "no_token", "token_file"])]
    no_gateway: bool,
}

/// Opens the gateway and prints its address and token. Starts all members, and prints the roster
/// and then each event, one JSON value per line. On SIGINT or SIGTERM, or when stdout is closed,
/// stops everything and returns.
pub(crate) async fn serve(
    hall: &GuildHall,
    args: ServeArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let opened = tokio::select! {
        opened = open(hall, &args) => opened?,
        () = interrupts.next() => return Ok(ExitCode::SUCCESS),
    };
    let line = json!({ "gateway": opened.address, "token": opened.token }).to_string();
    // Printed on another thread, since a slow reader must not delay signals.
    let printed = tokio::task::spawn_blocking(move || print_line(&line));
    tokio::select! {
        printed = printed => match printed.unwrap_or(false) {
            true => print_events(hall, interrupts).await,
            false => hall.shutdown().await,
        },
        () = interrupts.next() => hall.shutdown().await,
    }
    Ok(ExitCode::SUCCESS)
}

/// The opened gateway.
#[derive(Default)]
struct GatewayAccess {
    address: Option<String>,
    token: Option<String>,
}

async fn open(hall: &GuildHall, args: &ServeArgs) -> Result<GatewayAccess, Report> {
    if args.no_gateway {
        return Ok(GatewayAccess::default());
    }
    let options = GatewayOptions {
        port: args.gateway_port,
        tokens: match args.no_token {
            true => Tokens::NotWanted,
            false => Tokens::Required,
        },
    };
    let state = hall.open_gateway(options).await;
    if let Some(report) = state.error {
        return Err(report);
    }
    let Some(address) = state.address else {
        eprint_line("The gateway is off in gateway.json, so clients can't connect.");
        return Ok(GatewayAccess::default());
    };
    let mut opened = GatewayAccess {
        address: Some(address),
        ..GatewayAccess::default()
    };
    if let Some(file) = &args.token_file {
        let token = token_in(file).await?;
        hall.admit_for_this_run(OWN_CLIENT, &token).await?;
    } else if state.tokens_required {
        let name = OWN_CLIENT.to_owned();
        let added = hall.add_client_for_this_run(AddAgentClient {
            name,
            endpoints: None,
        });
        opened.token = Some(added.await?.token);
    }
    Ok(opened)
}

/// Reads the token from a file, without the line end.
async fn token_in(file: &Path) -> Result<String, Report> {
    let path = file.to_owned();
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        File::open(path)?
            .take(TOKEN_BYTES_MAX)
            .read_to_string(&mut text)
            .map(|_| text)
    });
    let read = reading.await.unwrap_or_else(|error| Err(error.into()));
    match read {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
        Err(error) => {
            let trouble = CliError::TokenUnread(file.to_owned(), error.to_string());
            Err(Report::from_error(Code::GatewaySettings, &trouble))
        }
    }
}

async fn print_events(hall: &GuildHall, interrupts: &mut Interrupts) {
    let mut events = hall.subscribe();
    let printing = async {
        while let Some(envelope) = events.next().await {
            let Ok(line) = serde_json::to_string(&*envelope) else {
                continue;
            };
            // Only this thread waits for a slow reader, so that it does not delay the members.
            let printed = tokio::task::spawn_blocking(move || print_line(&line)).await;
            if !printed.unwrap_or(false) {
                return;
            }
        }
    };
    let mut printing = std::pin::pin!(printing);
    let _started = hall.start_all();
    let reading = tokio::select! {
        () = &mut printing => false,
        () = unread() => false,
        () = interrupts.next() => true,
    };
    let closing = hall.shutdown();
    if reading {
        tokio::select! {
            () = closing => {}
            () = async { (&mut printing).await; std::future::pending().await } => {}
        }
        // The last events are still being printed. A closed stdout does not delay the end.
        let _ = tokio::time::timeout(LAST_WORDS, printing).await;
    } else {
        closing.await;
    }
}

/// Returns when stdout is closed. Without this function, only the next write would detect that.
async fn unread() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use tokio::io::Interest;
        use tokio::net::unix::pipe;
        // The descriptor is only watched and stays blocking for its writers. A regular file can't
        // be watched, and has no reader that could close it.
        let watched = std::io::stdout()
            .as_fd()
            .try_clone_to_owned()
            .and_then(pipe::Sender::from_owned_fd_unchecked);
        if let Ok(watched) = watched
            && let Ok(ready) = watched.ready(Interest::ERROR).await
            && ready.is_error()
        {
            return;
        }
    }
    std::future::pending().await
}
