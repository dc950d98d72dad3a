//! `guildhall connect`: the gateway for programs that can only start a command.

use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::agents::Listing;
use guild_engine::{BridgeError, BridgeOptions, Paths, bridge, gateway_port};

use crate::endpoint::{EndpointArgs, wrong_usage};
use crate::interrupts::Interrupts;
use crate::tell;

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

fn listing(text: &str) -> Result<Listing, String> {
    Listing::parse(text).ok_or_else(|| "it is lazy, full or search".to_owned())
}

impl ConnectArgs {
    fn url(&self, paths: impl FnOnce() -> Result<Paths, Report>) -> Result<String, Report> {
        if let Some(url) = &self.url {
            return Ok(url.clone());
        }
        let endpoint = self.endpoint.get();
        let port = gateway_port(&paths()?.data_dir)?;
        let mode = self.mode.map(|mode| format!("?mode={}", mode.as_str()));
        Ok(format!(
            "http://127.0.0.1:{port}{endpoint}{}",
            mode.unwrap_or_default()
        ))
    }
}

/// Carries messages between standard input and output and the gateway, until the input ends.
pub(crate) async fn connect(
    args: ConnectArgs,
    paths: impl FnOnce() -> Result<Paths, Report>,
) -> Result<ExitCode, Report> {
    let options = BridgeOptions {
        url: args.url(paths)?,
        token: args.token.or_else(|| {
            let token = std::env::var(TOKEN).ok();
            token.filter(|token| !token.is_empty())
        }),
    };
    let mut interrupts = Interrupts::listen();
    let carried = bridge(
        tokio::io::stdin(),
        tokio::io::stdout(),
        &options,
        interrupts.next(),
        |notice| tell(notice),
    );
    match carried.await {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // It was told when it was noticed.
        Err(BridgeError::Unreachable(_)) => Ok(ExitCode::from(UNREACHABLE)),
        Err(error @ BridgeError::Address(_)) => wrong_usage(error),
    }
}
