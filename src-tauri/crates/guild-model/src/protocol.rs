//! MCP's versions and what Guild Hall remembers of a server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The protocol versions that Guild Hall speaks.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum ProtocolVersion {
    /// Streamable HTTP's first.
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    /// The version header, structured content.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// The last with an `initialize`.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// Without a handshake: `server/discover`, version and capabilities in each request.
    #[serde(rename = "2026-07-28")]
    V2026_07_28,
}

impl ProtocolVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 4] = [
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The version's name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Reads a version from the wire or a manifest.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// Which way of opening a connection the version uses.
    pub fn era(self) -> Era {
        if self == Self::V2026_07_28 {
            Era::Modern
        } else {
            Era::Legacy
        }
    }
}

/// How a connection is opened; remembered in a member's tool cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Era {
    /// `initialize`, its result, `notifications/initialized`.
    Legacy,
    /// `server/discover`, no handshake (2026-07-28).
    Modern,
}

/// A server's description of itself when the connection was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerInfo {
    /// The server's own name, bounded to 256 bytes.
    pub name: String,
    /// The server's own version, bounded to 256 bytes.
    pub version: String,
    /// The server's instructions for a model, bounded to 16 KiB.
    pub instructions: Option<String>,
    /// The version agreed upon, as the server wrote it.
    pub protocol_version: String,
    /// How the connection was opened.
    pub era: Era,
    /// The server's capabilities as it sent them.
    pub capabilities: Value,
}
