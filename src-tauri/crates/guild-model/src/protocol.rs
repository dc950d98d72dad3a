//! The versions of MCP, and a server's description of itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The protocol versions that Guild Hall supports.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum ProtocolVersion {
    /// The first version with streamable HTTP.
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    /// Adds the version header and structured content.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// The last version with `initialize`.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// Has no handshake: `server/discover`, and the version and capabilities in each request.
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

    /// Returns the version's identifier in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Parses a version from a message or a manifest. `None` for an unknown version.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// Returns how connections of this version are opened.
    pub fn era(self) -> Era {
        if self == Self::V2026_07_28 {
            Era::Modern
        } else {
            Era::Legacy
        }
    }
}

/// How a connection is opened: with the `initialize` handshake, or without a handshake. Stored in a
/// member's tool cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Era {
    /// By `initialize`, its result, and `notifications/initialized`.
    Legacy,
    /// By `server/discover`, without a handshake (2026-07-28).
    Modern,
}

/// A server's description of itself, received when the connection was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerInfo {
    /// The server's own name, truncated to 256 bytes.
    pub name: String,
    /// The server's own version, truncated to 256 bytes.
    pub version: String,
    /// The server's instructions for a model, truncated to 16 KiB.
    pub instructions: Option<String>,
    /// The negotiated version, in the server's spelling.
    pub protocol_version: String,
    /// How the connection was opened.
    pub era: Era,
    /// The server's capabilities, unchanged.
    pub capabilities: Value,
}
