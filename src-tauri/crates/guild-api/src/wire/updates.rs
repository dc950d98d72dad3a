//! Newer versions of the program itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;

/// How this program gets newer versions of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateWay {
    /// The program is a single file and replaces itself when the user asks.
    Itself,
    /// The person or the package manager that installed it replaces it.
    Elsewhere,
}

/// A newer version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewVersion {
    /// Its number.
    pub version: String,
    /// The publisher's notes on the version.
    pub notes: Option<String>,
    /// Where it is fetched from.
    pub address: String,
}

/// How far a newer version is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum UpdateStage {
    /// Nothing is under way, and no newer version is known.
    Idle,
    /// The address is being read.
    Looking,
    /// A newer version is available.
    Offered {
        /// Which.
        new: NewVersion,
    },
    /// It is being fetched.
    Fetching {
        /// Which.
        new: NewVersion,
        /// How many bytes are there.
        done: u64,
        /// The total size in bytes, if the server sent it.
        of: Option<u64>,
    },
    /// The new version was downloaded and its signature is valid. It can be installed.
    Ready {
        /// Which.
        new: NewVersion,
    },
    /// The new version is installed, and this program exits so that it can start.
    Changing {
        /// Its number.
        version: String,
    },
}

/// How the last change of version ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastUpdate {
    /// The version before.
    pub from: String,
    /// The version that was to be.
    pub to: String,
    /// Why it is not the one that runs: it did not start, and the one before was put back; `None`
    /// where it came up.
    pub taken_back: Option<String>,
    /// When that was.
    pub at_ms: u64,
}

/// The state of updates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateState {
    /// The version that runs.
    pub version: String,
    /// How it gets newer ones.
    pub way: UpdateWay,
    /// Their address; `None` where the settings have none.
    pub address: Option<String>,
    /// When that was read last.
    pub looked_at_ms: Option<u64>,
    /// How far one is.
    pub stage: UpdateStage,
    /// Why the last look or fetch came to nothing.
    pub problem: Option<Report>,
    /// The end of the last update, until a person has seen it.
    pub last: Option<LastUpdate>,
}
