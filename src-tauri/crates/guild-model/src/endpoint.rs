//! Addresses and listing modes of the gateway.

use std::fmt;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{MemberName, NameError};
use crate::profile::ProfileName;

/// The gateway's default port, outside the range of the members' ports.
pub const GATEWAY_PORT: u16 = 19_999;
/// The ports of the members.
pub const MEMBER_PORTS: RangeInclusive<u16> = 20_000..=30_000;
/// The lowest port of the gateway. Lower ports require privileges.
pub(crate) const GATEWAY_PORT_MIN: u16 = 1_024;
/// Maximum length of a tool name for clients and model APIs, in bytes.
pub const CLIENT_NAME_MAX: usize = 64;
/// Maximum length of a tool name at the gateway, in bytes. With the longest prefix that a known
/// client adds (`mcp__guild-hall__`), the name still fits [`CLIENT_NAME_MAX`].
pub const AGENT_NAME_MAX: usize = 47;
/// Default limit of a tool's result for agents, in tokens.
pub const RESULT_TOKENS: u32 = 25_000;
/// The minimum and maximum of a limit for results, in tokens. 0 means no limit.
pub const RESULT_TOKENS_RANGE: RangeInclusive<u32> = RESULT_TOKENS_MIN..=RESULT_TOKENS_MAX;
pub(crate) const RESULT_TOKENS_MIN: u32 = 1_000;
pub(crate) const RESULT_TOKENS_MAX: u32 = 1_000_000;
/// Separator between the name of a member and the name of a tool. The gateway only joins names, and
/// never splits a name at the separator.
pub const SEPARATOR: &str = "__";

/// The gateway's name in the server lists of other programs.
pub const ENTRY: &str = "guild-hall";

/// How the gateway lists tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Listing {
    /// Every tool as a stub: its name and the first sentence of its description.
    #[default]
    Lazy,
    /// Every tool with its server's full description.
    Full,
    /// Four tools that search, describe and call all other tools.
    Search,
}

impl Listing {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Lazy, Self::Full, Self::Search];

    /// Returns the identifier that is used in addresses, settings and commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Full => "full",
            Self::Search => "search",
        }
    }

    /// Parses the identifier from an address (`?mode=`) or a setting.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text)
    }
}

/// An endpoint of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Endpoint {
    /// `/mcp`: all members.
    All,
    /// `/members/{name}/mcp`: one member, with its tools' own names.
    Member {
        /// The member.
        member: MemberName,
    },
    /// `/profiles/{name}/mcp`: the tools that a profile selects.
    Profile {
        /// The profile.
        profile: ProfileName,
    },
}

impl Endpoint {
    /// Parses the path of an address, without its query. Returns `None` if the path is not that of
    /// an endpoint.
    ///
    /// # Errors
    /// If the member's or profile's name is invalid.
    pub fn parse(path: &str) -> Option<Result<Self, NameError>> {
        let path = path.strip_suffix('/').unwrap_or(path);
        if path == "/mcp" {
            return Some(Ok(Self::All));
        }
        let name = |kind: &str| path.strip_prefix(kind)?.strip_suffix("/mcp");
        if let Some(member) = name("/members/") {
            return Some(MemberName::parse(member).map(|member| Self::Member { member }));
        }
        let profile = name("/profiles/")?;
        Some(ProfileName::parse(profile).map(|profile| Self::Profile { profile }))
    }
}

impl fmt::Display for Endpoint {
    /// Writes the path of the endpoint's address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("/mcp"),
            Self::Member { member } => write!(f, "/members/{member}/mcp"),
            Self::Profile { profile } => write!(f, "/profiles/{profile}/mcp"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_read_as_it_is_written() {
        for path in ["/mcp", "/members/time/mcp", "/profiles/writing/mcp"] {
            let endpoint = Endpoint::parse(path).expect("an endpoint").expect("a name");
            assert_eq!(endpoint.to_string(), path);
        }
        assert_eq!(Endpoint::parse("/mcp/"), Some(Ok(Endpoint::All)));
        for path in ["/", "", "/mcp/x", "/members/time", "/profiles//"] {
            assert!(Endpoint::parse(path).is_none(), "{path}");
        }
        for path in ["/members/a/b/mcp", "/members//mcp", "/profiles/%2e/mcp"] {
            assert!(
                Endpoint::parse(path).expect("an endpoint").is_err(),
                "{path}"
            );
        }
    }
}
