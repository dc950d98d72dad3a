//! Predictions by a model of a server's probable tools: the prompt, and a person's consent to send
//! it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::discovery::DiscoverySettings;
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName};

/// The content of `config.yml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscoveryState {
    /// The file.
    pub file: String,
    /// Its settings; the defaults where it can't be used.
    pub settings: DiscoverySettings,
    /// Why it can't be used.
    pub trouble: Option<Report>,
}

/// Other settings for `config.yml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeDiscovery {
    /// The settings that were seen: others by now are not written over.
    pub seen: DiscoverySettings,
    /// The new settings.
    pub settings: DiscoverySettings,
}

/// The whole request to a model for one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictionRequest {
    /// The member.
    pub member: MemberName,
    /// Where it is sent to.
    pub url: String,
    /// Its headers, the key as a reference.
    pub headers: Vec<String>,
    /// The exact body of the request.
    pub body: String,
    /// A digest of the request: a consent covers this request alone.
    pub hash: String,
    /// Whether this very request may be sent without a question.
    pub remembered: bool,
    /// Why it would not be sent now.
    pub why_not: Option<Report>,
}

/// A person's yes to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictTools {
    /// Names the request, so that it can be cancelled.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// The request that was shown.
    pub hash: String,
    /// Whether this very request may be sent for the member from now on without a question.
    pub remember: bool,
}
