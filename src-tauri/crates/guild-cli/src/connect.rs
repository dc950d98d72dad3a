//! `guildhall connect`: the gateway for programs that can only start a command.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::agents::Listing;
use guild_core::note::{ArgumentWrong, OtherGateway, Told};
use guild_engine::{
    BridgeError, BridgeOptions, Known, Paths, Presence, Visit, bridge, gateway_port,
};

use crate::endpoint::{EndpointArgs, wrong_usage};
use crate::interrupts::Interrupts;
use crate::tell;
use crate::words::language;

/// Where the token is looked for, beside `--token`.
const TOKEN: &str = "GUILD_HALL_TOKEN";
/// The exit code where nobody answered.
const UNREACHABLE: u8 = 4;

/// Where to connect to.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// How tools are listed: lazy, full or search [default: as the endpoint has it].
    #[arg(long, value_name = "MODE", value_parser = listing)]
    mode: Option<Listing>,
    /// The address itself [default: this data folder's gateway].
    #[arg(long, value_name = "URL", conflicts_with_all = ["endpoint", "mode"])]
    url: Option<String>,
    /// The token [default: GUILD_HALL_TOKEN]. Other users may see the words of a command.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

fn listing(text: &str) -> Result<Listing, ArgumentWrong> {
    Listing::parse(text).ok_or(ArgumentWrong::Listing)
}

impl ConnectArgs {
    fn url(&self, data_dir: &Path) -> Result<String, Report> {
        if let Some(url) = &self.url {
            return Ok(url.clone());
        }
        let endpoint = self.endpoint.get();
        let port = gateway_port(data_dir)?;
        let mode = self.mode.map(|mode| format!("?mode={}", mode.as_str()));
        Ok(format!(
            "http://127.0.0.1:{port}{endpoint}{}",
            mode.unwrap_or_default()
        ))
    }
}

/// Whether the hall of the data folder, which only its own user can ask, has its gateway there.
async fn is_ours(data_dir: PathBuf, address: SocketAddr) -> Result<(), OtherGateway> {
    let unasked = |report: &Report| OtherGateway::Unasked(report.what().unended());
    let presence = Visit::find(&data_dir).await;
    let who = match presence {
        Presence::Running(mut visit) => visit.who().await.map_err(|report| unasked(&report))?,
        Presence::Unreachable(report) => return Err(unasked(&report)),
        Presence::Nobody => return Err(OtherGateway::NoHall(data_dir)),
    };
    if who.gateway == Some(format!("http://{address}/mcp")) {
        return Ok(());
    }
    Err(match who.gateway {
        Some(gateway) => OtherGateway::Elsewhere(data_dir, gateway),
        None => OtherGateway::Closed(data_dir),
    })
}

/// Carries messages between standard input and output and the gateway, until the input ends.
pub(crate) async fn connect(
    args: ConnectArgs,
    paths: impl FnOnce() -> Result<Paths, Report>,
) -> Result<ExitCode, Report> {
    // Words that can't be meant end the program before anything is looked for.
    args.endpoint.get();
    let data_dir = paths()?.data_dir;
    let options = BridgeOptions {
        url: args.url(&data_dir)?,
        token: args.token.or_else(|| {
            let token = std::env::var(TOKEN).ok();
            token.filter(|token| !token.is_empty())
        }),
        known: Known::by(move |address| is_ours(data_dir.clone(), address)),
    };
    let mut interrupts = Interrupts::listen();
    let carried = bridge(
        tokio::io::stdin(),
        tokio::io::stdout(),
        &options,
        interrupts.next(),
        |notice| tell(notice.told(language())),
    );
    match carried.await {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // It was told when it was noticed.
        Err(BridgeError::Unreachable(_)) => Ok(ExitCode::from(UNREACHABLE)),
        Err(BridgeError::Address(wrong)) => wrong_usage(&wrong.told(language())),
    }
}
