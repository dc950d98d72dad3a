//! Updates of Guild Hall itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;

/// How this program gets newer versions of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateWay {
    /// The program is a single file and replaces itself when the user asks.
    Itself,
    /// The program does not replace itself. The user or a package manager does.
    Elsewhere,
}

/// A newer version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewVersion {
    pub version: String,
    /// The publisher's notes on the version.
    pub notes: Option<String>,
    /// The URL of the download.
    pub address: String,
}

/// The current step of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum UpdateStage {
    /// No update is running, and no newer version is known.
    Idle,
    /// Guild Hall is checking the update address.
    Looking,
    /// A newer version is available.
    Offered { new: NewVersion },
    /// Guild Hall is downloading the new version.
    Fetching {
        new: NewVersion,
        /// The number of downloaded bytes.
        done: u64,
        /// The total size in bytes, if the server sent it.
        of: Option<u64>,
    },
    /// The new version was downloaded and its signature is valid. It can be installed.
    Ready { new: NewVersion },
    /// The new version is installed. This program exits, so that the new version can start.
    Changing {
        /// The version number.
        version: String,
    },
}

/// The outcome of the last update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastUpdate {
    /// The version before the update.
    pub from: String,
    /// The version to update to.
    pub to: String,
    /// Why the update failed and the earlier version was restored. `None` if the new version
    /// started.
    pub taken_back: Option<String>,
    /// When the update ended.
    pub at_ms: u64,
}

/// The state of updates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateState {
    /// The running version.
    pub version: String,
    /// How this program gets newer versions.
    pub way: UpdateWay,
    /// The address of the updates. `None` if the settings have none.
    pub address: Option<String>,
    /// When Guild Hall last checked the address.
    pub looked_at_ms: Option<u64>,
    /// The current step of an update.
    pub stage: UpdateStage,
    /// Why the last check or download failed.
    pub problem: Option<Report>,
    /// The outcome of the last update, until the user has seen it.
    pub last: Option<LastUpdate>,
}
