//! Quirks of client programs that the gateway works around. The name in `clientInfo` identifies a
//! client.
//!
//! Clients that are not listed here get the protocol as specified.

/// The quirks of a known client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownClient {
    /// The beginning of the client's name in `clientInfo`, in lowercase.
    pub name: &'static str,
    /// The prefix that the client adds to the names of tools for its model, if the gateway's name
    /// in the client's configuration is the default.
    pub prefix: &'static str,
    /// Fields that the client adds to the arguments of every tool.
    pub added_fields: &'static [&'static str],
    /// Whether the client writes `additionalProperties: false` into every schema. A tool whose
    /// schema lists no properties then takes no arguments at all.
    pub closes_schemas: bool,
    /// Whether the API of the client's model rejects a list with a schema that has `oneOf`,
    /// `anyOf`, `allOf`, `enum` or `not` at its top level.
    pub refuses_top_level_choice: bool,
    /// Whether the client parses the first text of a result as `structuredContent`, if that field
    /// is missing and the text is JSON. The client then rejects the result unless the parsed value
    /// is an object.
    pub reads_text_as_structure: bool,
    /// Whether the client initializes a new session if its session is unknown. Other clients stop
    /// permanently at status 404.
    pub initializes_again: bool,
}

/// The default quirks of the entries below.
const USUAL: KnownClient = KnownClient {
    name: "",
    prefix: "mcp_guild-hall_",
    added_fields: &[],
    closes_schemas: false,
    refuses_top_level_choice: true,
    reads_text_as_structure: false,
    initializes_again: false,
};

/// The known clients. The first entry that matches a name applies, so a name comes before all
/// shorter names that it begins with. A client's index is part of session ids, so new clients are
/// appended.
pub static KNOWN_CLIENTS: [KnownClient; 6] = [
    KnownClient {
        name: "claude-code",
        prefix: "mcp__guild-hall__",
        ..USUAL
    },
    KnownClient {
        name: "codex",
        prefix: "mcp__guild-hall__",
        initializes_again: true,
        ..USUAL
    },
    KnownClient {
        name: "gemini-cli",
        added_fields: &["wait_for_previous"],
        reads_text_as_structure: true,
        ..USUAL
    },
    KnownClient {
        name: "opencode",
        prefix: "guild-hall_",
        closes_schemas: true,
        ..USUAL
    },
    KnownClient {
        name: "cursor",
        ..USUAL
    },
    KnownClient {
        name: "visual studio code",
        ..USUAL
    },
];

impl KnownClient {
    /// Returns the known client with this name in `clientInfo`.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = name.to_lowercase();
        KNOWN_CLIENTS
            .iter()
            .find(|known| name.starts_with(known.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guild_model::endpoint::{AGENT_NAME_MAX, CLIENT_NAME_MAX};

    #[test]
    fn a_client_is_known_by_how_its_name_begins() {
        for (name, known) in [
            ("gemini-cli-mcp-client", Some("gemini-cli")),
            ("codex-mcp-client", Some("codex")),
            ("Visual Studio Code - Insiders", Some("visual studio code")),
            ("opencode", Some("opencode")),
            ("my-gemini-cli", None),
            ("", None),
        ] {
            let found = KnownClient::by_name(name).map(|known| known.name);
            assert_eq!(found, known, "{name}");
        }
    }

    #[test]
    fn a_name_with_any_known_prefix_is_within_what_clients_take() {
        for known in KNOWN_CLIENTS {
            assert!(
                known.prefix.len() + AGENT_NAME_MAX <= CLIENT_NAME_MAX,
                "{}",
                known.name
            );
        }
    }
}
