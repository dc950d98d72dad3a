//! `guildhall tools embeddings`: the endpoint that ranks tools by meaning.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{EmbeddingsEndpoint, SetEmbeddings, TestEmbeddings};
use guild_model::Report;
use serde_json::json;

use crate::engine_client::EngineClient;
use crate::terminal::{print, print_hint};

#[derive(Debug, Args)]
pub(super) struct EmbeddingsArgs {
    #[command(subcommand)]
    action: Option<EmbeddingsAction>,
}

#[derive(Debug, Subcommand)]
enum EmbeddingsAction {
    /// Show the endpoint [default]
    Show,
    /// Set the endpoint. Guild Hall sends it the names and descriptions of tools, and the text of
    /// each search
    Set {
        /// The endpoint's address, which usually ends in /v1: https:, or http: on this machine
        #[arg(long)]
        url: String,
        /// The name of the model
        #[arg(long)]
        model: String,
        /// A reference to the API key: ${secret:NAME} or ${env:NAME}. `guildhall secret set NAME`
        /// stores the key
        #[arg(long, value_name = "REFERENCE")]
        key: Option<String>,
        /// Wait for an answer at most this long, in milliseconds [default: 5000]
        #[arg(long, value_name = "MS")]
        timeout: Option<u64>,
    },
    /// Clear the endpoint, so that searches rank tools only by words
    Clear,
    /// Request one vector from the endpoint, and print the vector's length
    Test,
}

impl EmbeddingsArgs {
    pub(super) fn changes(&self) -> bool {
        matches!(
            self.action,
            Some(EmbeddingsAction::Set { .. } | EmbeddingsAction::Clear)
        )
    }
}

/// Shows, sets, clears or tests the endpoint.
pub(super) async fn embeddings(
    engine: &EngineClient,
    args: EmbeddingsArgs,
) -> Result<ExitCode, Report> {
    let endpoint = match args.action {
        None | Some(EmbeddingsAction::Show) => engine.read_gateway().await?.embeddings,
        Some(EmbeddingsAction::Clear) => {
            let request = SetEmbeddings { endpoint: None };
            engine.set_embeddings(request).await?.embeddings
        }
        Some(EmbeddingsAction::Set {
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
            let request = SetEmbeddings { endpoint };
            engine.set_embeddings(request).await?.embeddings
        }
        Some(EmbeddingsAction::Test) => {
            let request = TestEmbeddings { endpoint: None };
            let tested = engine.test_embeddings(request).await?;
            print(&tested, || {
                format!(
                    "The endpoint works: vectors of {} numbers, answered in {} ms.",
                    tested.dimensions, tested.duration_ms
                )
            });
            return Ok(ExitCode::SUCCESS);
        }
    };
    print(&json!({ "endpoint": endpoint }), || {
        endpoint.as_ref().map_or_else(String::new, as_text)
    });
    if endpoint.is_none() {
        print_hint("No embeddings endpoint is set: searches rank tools by words alone.");
    }
    Ok(ExitCode::SUCCESS)
}

fn as_text(endpoint: &EmbeddingsEndpoint) -> String {
    let timeout = endpoint.timeout_ms.map(|limit| format!("{limit} ms"));
    let fields = [
        ("url", Some(&endpoint.url)),
        ("model", Some(&endpoint.model)),
        ("key", endpoint.key.as_ref()),
        ("timeout", timeout.as_ref()),
    ];
    let lines = fields.into_iter().filter_map(|(name, value)| {
        let value = value?;
        Some(format!("{name:<8} {value}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}
