//! The endpoint that ranks tools by meaning, as a person sets and tries it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An OpenAI-compatible endpoint that gives vectors of texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbeddingsEndpoint {
    /// Its base address: `https:`, or `http:` on this machine.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// Where the key is, as `${secret:NAME}` or `${env:NAME}`; the key itself is in no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How long a search waits for it, in milliseconds; 5,000 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Sets the endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetEmbeddings {
    /// The endpoint; `null` to rank by words alone.
    pub endpoint: Option<EmbeddingsEndpoint>,
}

/// Asks an endpoint once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestEmbeddings {
    /// The endpoint; `null` for the one that is set.
    pub endpoint: Option<EmbeddingsEndpoint>,
}

/// The answer of an endpoint that works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddingsTested {
    /// How many numbers one of its vectors has.
    pub dimensions: usize,
    /// How long its answer took, in milliseconds.
    pub duration_ms: u64,
}
