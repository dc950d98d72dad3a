//! A server that requires a sign-in, with its authorization server.
//!
//! `guarded` prints its address as a line of JSON and serves until it is ended. Its switches enable
//! typical faults of such servers. Opening the sign-in address counts as a person's consent.

use std::process::ExitCode;

use clap::Parser;
use guild_tests::guarded::{Guarded, Switches};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    switches: Switches,
}

#[tokio::main]
async fn main() -> ExitCode {
    match Guarded::serve(Cli::parse().switches).await {
        Ok(guarded) => {
            println!("{}", serde_json::json!({"url": guarded.url()}));
            std::future::pending::<()>().await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("guarded: {error}");
            ExitCode::FAILURE
        }
    }
}
