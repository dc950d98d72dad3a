//! A server that answers nobody who is not signed in, with its authorization server.
//!
//! `guarded` prints its address as a line of JSON and serves until it is ended; its switches have it
//! do wrong what such servers do wrong. Whoever opens the address to sign in at has said yes.

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
