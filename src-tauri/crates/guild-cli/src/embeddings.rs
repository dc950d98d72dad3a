//! `guildhall embeddings`: the endpoint that ranks tools by meaning.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_core::Report;
use guild_core::wire::{EmbeddingsEndpoint, SetEmbeddings, TestEmbeddings};
use serde_json::json;

use crate::reach::Reach;
use crate::{harmless, print_line, tell};

/// Actions on the embeddings endpoint.
#[derive(Debug, Args)]
pub(crate) struct EmbeddingsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Shows the endpoint.
    Show,
    /// Sets the endpoint. It is sent the names and descriptions of tools, and each task that is
    /// searched for.
    Set {
        /// Its address, which most often ends in /v1: `https:`, or `http:` on this machine.
        #[arg(long)]
        url: String,
        /// The model's name there.
        #[arg(long)]
        model: String,
        /// A reference to its key: `${secret:NAME}` or `${env:NAME}`. `guildhall secret set NAME`
        /// stores the key.
        #[arg(long, value_name = "REFERENCE")]
        key: Option<String>,
        /// How long a search waits for it, in milliseconds [default: 5000].
        #[arg(long, value_name = "MS")]
        timeout: Option<u64>,
    },
    /// Removes the endpoint: searches rank tools by words alone.
    Clear,
    /// Asks the endpoint once, and prints how many numbers its vectors have.
    Test,
}

impl EmbeddingsArgs {
    /// Whether it is set or removed.
    pub(crate) fn changes(&self) -> bool {
        matches!(self.action, Some(Action::Set { .. } | Action::Clear))
    }
}

/// Shows, sets, removes or tests the endpoint.
pub(crate) async fn embeddings(
    reach: &Reach,
    args: EmbeddingsArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    match args.action {
        None | Some(Action::Show) => {
            show(reach.read_gateway().await?.embeddings, as_json);
        }
        Some(Action::Set {
            url,
            model,
            key,
            timeout,
        }) => {
            let endpoint = Some(EmbeddingsEndpoint {
                url,
                model,
                key,
                timeout_ms: timeout,
            });
            let state = reach.set_embeddings(SetEmbeddings { endpoint }).await?;
            show(state.embeddings, as_json);
        }
        Some(Action::Clear) => {
            let state = reach
                .set_embeddings(SetEmbeddings { endpoint: None })
                .await?;
            show(state.embeddings, as_json);
        }
        Some(Action::Test) => {
            let tested = reach
                .test_embeddings(TestEmbeddings { endpoint: None })
                .await?;
            let text = match as_json {
                true => json!(tested).to_string(),
                false => format!(
                    "The endpoint works: vectors of {} numbers, answered in {} ms.",
                    tested.dimensions, tested.duration_ms
                ),
            };
            print_line(&text);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(endpoint: Option<EmbeddingsEndpoint>, as_json: bool) {
    if as_json {
        print_line(&json!({ "endpoint": endpoint }).to_string());
        return;
    }
    let Some(endpoint) = endpoint else {
        tell("No embeddings endpoint is set: searches rank tools by words alone.");
        return;
    };
    let timeout = endpoint.timeout_ms.map(|limit| format!("{limit} ms"));
    let fields = [
        ("url", Some(endpoint.url)),
        ("model", Some(endpoint.model)),
        ("key", endpoint.key),
        ("timeout", timeout),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            print_line(&harmless(&format!("{name:<8} {value}")));
        }
    }
}
