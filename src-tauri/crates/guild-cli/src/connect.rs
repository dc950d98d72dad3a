//! `guildhall connect`: connects programs that can only start a command to the gateway.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::messages::{ArgumentProblem, OtherGateway};
use clap::Args;
use guild_engine::{
    BridgeError, BridgeLimits, BridgeOptions, GatewayVerifier, InstanceStatus, IpcClient,
    Relocation, bridge, gateway_port,
};
use guild_model::Report;
use guild_model::endpoint::{Endpoint, Listing};

use crate::endpoint::{EndpointArgs, wrong_usage};
use crate::interrupts::interrupted;
use crate::session::CliContext;
use crate::terminal::blocking;
use crate::{eprint_line, help};

/// The environment variable with the token, used without `--token`.
const TOKEN: &str = guild_client_config::TOKEN_VARIABLE;
/// The environment variable with the time after which a silent gateway is checked, in milliseconds.
/// For tests.
const SILENCE_MS: &str = "GUILD_HALL_CONNECT_SILENCE_MS";
/// The exit code when the gateway does not answer.
const UNREACHABLE: u8 = 4;

#[derive(Debug, Args)]
#[command(after_help = help::CONNECT)]
pub(crate) struct ConnectArgs {
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// How to list the tools: lazy (without schemas), full, or search (only tools that search)
    /// [default: the mode of the endpoint]
    #[arg(long, value_name = "MODE", value_parser = listing)]
    mode: Option<Listing>,
    /// Connect to this address [default: the gateway of the Guild Hall that uses the data folder]
    #[arg(long, value_name = "URL", conflicts_with = "endpoint")]
    url: Option<String>,
    /// Use this token. Other users may see it in the process list [default: GUILD_HALL_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

/// Reads a listing mode from the command line.
pub(crate) fn listing(text: &str) -> Result<Listing, ArgumentProblem> {
    Listing::parse(text).ok_or(ArgumentProblem::Listing)
}

/// Sets the mode in the query of an address. Replaces an existing mode.
fn with_mode(url: &str, mode: Option<Listing>) -> String {
    let Some(mode) = mode else {
        return url.to_owned();
    };
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let mode = format!("mode={}", mode.as_str());
    let others = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("mode="));
    let query: Vec<&str> = others.chain([mode.as_str()]).collect();
    format!("{place}?{}", query.join("&"))
}

/// Returns the address of an endpoint at the running hall's gateway. `None` if no gateway runs.
async fn running(data_dir: &Path, endpoint: &Endpoint) -> Option<String> {
    let InstanceStatus::Running(mut visit) = IpcClient::find(data_dir).await else {
        return None;
    };
    let gateway = visit.who().await.ok()?.gateway?;
    let base = gateway.strip_suffix("/mcp")?;
    Some(format!("{base}{endpoint}"))
}

/// Returns the address of an endpoint at the running hall's gateway, or else at the gateway's port
/// in the settings.
async fn of_data_dir(data_dir: &Path, endpoint: &Endpoint) -> Result<String, Report> {
    if let Some(url) = running(data_dir, endpoint).await {
        return Ok(url);
    }
    let folder = data_dir.to_owned();
    let port = blocking(move || gateway_port(&folder)).await?;
    Ok(format!("http://127.0.0.1:{port}{endpoint}"))
}

/// Checks that the gateway of the data folder's hall is at this address. Only the user who runs the
/// hall can send the hall this request.
async fn is_ours(data_dir: PathBuf, address: SocketAddr) -> Result<(), OtherGateway> {
    let unasked =
        |report: &Report| OtherGateway::Unasked(report.message.trim_end_matches('.').to_owned());
    let presence = IpcClient::find(&data_dir).await;
    let who = match presence {
        InstanceStatus::Running(mut visit) => {
            visit.who().await.map_err(|report| unasked(&report))?
        }
        InstanceStatus::Unreachable(report) => return Err(unasked(&report)),
        InstanceStatus::NotRunning => return Err(OtherGateway::NoHall(data_dir)),
    };
    if who.gateway == Some(format!("http://{address}/mcp")) {
        return Ok(());
    }
    Err(match who.gateway {
        Some(gateway) => OtherGateway::Elsewhere(data_dir, gateway),
        None => OtherGateway::Closed(data_dir),
    })
}

/// Returns the time limits of the connection.
fn limits() -> BridgeLimits {
    let silence = std::env::var(SILENCE_MS).ok();
    let silence = silence.and_then(|silence| silence.parse().ok());
    let limits = BridgeLimits::default();
    BridgeLimits {
        silence: silence.map_or(limits.silence, Duration::from_millis),
        ..limits
    }
}

/// Forwards messages between the gateway and stdin and stdout, until stdin ends.
pub(crate) async fn connect(
    args: ConnectArgs,
    session: impl FnOnce() -> Result<CliContext, Report>,
) -> Result<ExitCode, Report> {
    // An invalid endpoint ends the program before it reads any folder.
    let endpoint = args.endpoint.get();
    let mut session = session()?;
    let data_dir = session.paths.data_dir;
    let mode = args.mode;
    let (url, relocation) = match args.url {
        Some(url) => (url, Relocation::never()),
        None => {
            let url = tokio::select! {
                url = of_data_dir(&data_dir, &endpoint) => url?,
                () = session.interrupts.next() => return Err(interrupted()),
            };
            let folder = data_dir.clone();
            let find = move || {
                let (folder, endpoint) = (folder.clone(), endpoint.clone());
                async move { Some(with_mode(&running(&folder, &endpoint).await?, mode)) }
            };
            (url, Relocation::by(find))
        }
    };
    let options = BridgeOptions {
        url: with_mode(&url, mode),
        relocation,
        token: args.token.or_else(|| {
            let token = std::env::var(TOKEN).ok();
            token.filter(|token| !token.is_empty())
        }),
        known: GatewayVerifier::by(move |address| is_ours(data_dir.clone(), address)),
        limits: limits(),
    };
    let carried = bridge(
        tokio::io::stdin(),
        tokio::io::stdout(),
        &options,
        session.interrupts.next(),
        |notice| eprint_line(notice.to_string()),
    );
    match carried.await {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // The error was already printed as a notice.
        Err(BridgeError::Unreachable(_)) => Ok(ExitCode::from(UNREACHABLE)),
        Err(BridgeError::Address(wrong)) => wrong_usage(&wrong.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mode_replaces_that_of_the_address() {
        let base = "http://127.0.0.1:1/mcp";
        let full = Some(Listing::Full);
        for (url, mode, expected) in [
            ("", None, ""),
            ("?mode=lazy", None, "?mode=lazy"),
            ("", full, "?mode=full"),
            ("?", full, "?mode=full"),
            ("?mode=lazy", full, "?mode=full"),
            ("?a=1&mode=lazy&b=2", full, "?a=1&b=2&mode=full"),
        ] {
            let url = with_mode(&format!("{base}{url}"), mode);
            assert_eq!(url, format!("{base}{expected}"));
        }
    }
}
