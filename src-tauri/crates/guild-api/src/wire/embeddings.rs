//! Setting and testing the embeddings endpoint, which ranks tools by meaning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An OpenAI-compatible endpoint that returns embedding vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbeddingsEndpoint {
    /// The base URL: `https:`, or `http:` for this machine.
    pub url: String,
    /// The model's name at the endpoint.
    pub model: String,
    /// A reference to the API key: `${secret:NAME}` or `${env:NAME}`. No file contains the key
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How long a search waits for the endpoint, in milliseconds; 5,000 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// A request to set the embeddings endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetEmbeddings {
    /// The endpoint. `null` to compare words only.
    pub endpoint: Option<EmbeddingsEndpoint>,
}

/// A request to test an endpoint with one query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestEmbeddings {
    /// The endpoint. `null` for the endpoint in the settings.
    pub endpoint: Option<EmbeddingsEndpoint>,
}

/// The result of a successful test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddingsTested {
    /// The number of dimensions of the vectors.
    pub dimensions: usize,
    /// The time to the answer, in milliseconds.
    pub duration_ms: u64,
}
