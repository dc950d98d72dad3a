//! Asking a language model to predict a server's tools: the request, and the user's consent to send
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
    /// The path of the file.
    pub file: String,
    /// The settings in the file, or the defaults if the file can't be used.
    pub settings: DiscoverySettings,
    /// Why the file can't be used.
    pub trouble: Option<Report>,
}

/// A request to change `config.yml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeDiscovery {
    /// The settings before the change. If the file has other settings by now, the request fails.
    pub seen: DiscoverySettings,
    /// The new settings.
    pub settings: DiscoverySettings,
}

/// The complete request to a model for one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictionRequest {
    pub member: MemberName,
    /// The URL that the request is sent to.
    pub url: String,
    /// The headers of the request. The API key appears as a reference.
    pub headers: Vec<String>,
    /// The exact body of the request.
    pub body: String,
    /// A digest of the request. A consent covers only the request with this digest.
    pub hash: String,
    /// Whether this exact request may be sent without asking.
    pub remembered: bool,
    /// Why the request can't be sent now. `None` if it can.
    pub why_not: Option<Report>,
}

/// The user's consent to send a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictTools {
    /// The call's id, chosen by the caller. `cancel_call` cancels it.
    pub call: CallId,
    pub member: MemberName,
    /// The digest of the request that the user saw.
    pub hash: String,
    /// Whether this exact request may be sent for the member from now on without asking.
    pub remember: bool,
}
