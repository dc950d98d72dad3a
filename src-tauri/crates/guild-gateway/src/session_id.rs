//! Session ids that contain enough state to resume a session after a restart.
//!
//! An id is not a secret and grants no access. It is accepted only with its client's token and at
//! its endpoint. Its last bytes are a checksum over its content, the client and the endpoint, so an
//! invented id or an id of another client is rejected.

use guild_catalog::known::{KNOWN_CLIENTS, KnownClient};
use guild_model::ClientId;
use guild_model::endpoint::Endpoint;
use guild_model::protocol::ProtocolVersion;
use sha2::{Digest, Sha256};

use super::envelope::ElicitationModes;

const RANDOM: usize = 10;
const CHECK: usize = 4;
const LENGTH: usize = RANDOM + 2 + CHECK;
const VERSIONS: [ProtocolVersion; 3] = [
    ProtocolVersion::V2025_03_26,
    ProtocolVersion::V2025_06_18,
    ProtocolVersion::V2025_11_25,
];
const TAKES_VALUES: u8 = 1 << 4;
const TAKES_VISITS: u8 = 1 << 5;
const SHOWS_APPS: u8 = 1 << 6;
const VERSION: u8 = 0x0f;

/// The session state that an id contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SessionIdPayload {
    pub(super) version: ProtocolVersion,
    /// The kinds of questions that the client supports.
    pub(super) modes: ElicitationModes,
    /// Whether the client declares that it shows MCP Apps.
    pub(super) shows_apps: bool,
    /// The client's entry in [`KNOWN_CLIENTS`], if it has one.
    pub(super) known: Option<&'static KnownClient>,
}

/// Creates an id that can't be guessed. `None` if the system can't supply random bytes.
pub(super) fn make(
    payload: SessionIdPayload,
    client: Option<&ClientId>,
    endpoint: &Endpoint,
) -> Option<String> {
    let mut id = [0_u8; LENGTH];
    let (body, check) = id.split_at_mut(LENGTH - CHECK);
    let (random, state) = body.split_at_mut(RANDOM);
    getrandom::fill(random).ok()?;
    let version = VERSIONS.iter().position(|it| *it == payload.version)?;
    let mut flags = u8::try_from(version).ok()?;
    if payload.modes.values {
        flags |= TAKES_VALUES;
    }
    if payload.modes.visits {
        flags |= TAKES_VISITS;
    }
    if payload.shows_apps {
        flags |= SHOWS_APPS;
    }
    let index = payload
        .known
        .and_then(|known| KNOWN_CLIENTS.iter().position(|it| it == known));
    let index = index.and_then(|index| u8::try_from(index + 1).ok());
    state.copy_from_slice(&[flags, index.unwrap_or_default()]);
    check.copy_from_slice(&checked(body, client, endpoint));
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads an id. Returns `None` if the id was not created for this client and this endpoint.
pub(super) fn read(
    id: &str,
    client: Option<&ClientId>,
    endpoint: &Endpoint,
) -> Option<SessionIdPayload> {
    let digits = id.as_bytes();
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    if digits.len() != 2 * LENGTH || !digits.iter().all(is_digit) {
        return None;
    }
    let mut bytes = [0_u8; LENGTH];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    let (body, check) = bytes.split_at(LENGTH - CHECK);
    if check != checked(body, client, endpoint) {
        return None;
    }
    let &[flags, index] = body.get(RANDOM..)? else {
        return None;
    };
    Some(SessionIdPayload {
        version: *VERSIONS.get(usize::from(flags & VERSION))?,
        modes: ElicitationModes {
            values: flags & TAKES_VALUES != 0,
            visits: flags & TAKES_VISITS != 0,
        },
        shows_apps: flags & SHOWS_APPS != 0,
        known: KNOWN_CLIENTS.get(usize::from(index).wrapping_sub(1)),
    })
}

fn checked(body: &[u8], client: Option<&ClientId>, endpoint: &Endpoint) -> [u8; CHECK] {
    let mut hash = Sha256::new();
    hash.update(body);
    hash.update(client.map_or("", ClientId::as_str));
    hash.update([0]);
    hash.update(endpoint.to_string());
    let mut check = [0; CHECK];
    for (byte, of_hash) in check.iter_mut().zip(hash.finalize()) {
        *byte = of_hash;
    }
    check
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn client(id: &str) -> ClientId {
        ClientId::try_from(id.to_owned()).expect("an id")
    }

    #[test]
    fn an_id_says_what_was_agreed_on() {
        let own = client("a");
        for (version, values, visits, name) in [
            (ProtocolVersion::V2025_03_26, false, false, ""),
            (
                ProtocolVersion::V2025_06_18,
                true,
                false,
                "gemini-cli-mcp-client",
            ),
            (ProtocolVersion::V2025_11_25, true, true, "opencode"),
        ] {
            let payload = SessionIdPayload {
                version,
                modes: ElicitationModes { values, visits },
                shows_apps: visits,
                known: KnownClient::by_name(name),
            };
            for of in [Some(&own), None] {
                let id = make(payload, of, &Endpoint::All).expect("an id");
                assert_eq!(id.len(), 32);
                assert_eq!(read(&id, of, &Endpoint::All), Some(payload));
            }
        }
    }

    #[test]
    fn an_id_is_its_clients_and_its_endpoints() {
        let payload = SessionIdPayload {
            version: ProtocolVersion::V2025_11_25,
            modes: ElicitationModes::default(),
            shows_apps: false,
            known: None,
        };
        let own = client("a");
        let id = make(payload, Some(&own), &Endpoint::All).expect("an id");
        let member = guild_model::MemberName::parse("time").expect("a name");
        assert_eq!(read(&id, Some(&client("b")), &Endpoint::All), None);
        assert_eq!(read(&id, None, &Endpoint::All), None);
        assert_eq!(read(&id, Some(&own), &Endpoint::Member { member }), None);
        assert_eq!(read(&id.to_uppercase(), Some(&own), &Endpoint::All), None);
    }

    proptest! {
        #[test]
        fn no_text_is_taken_for_an_id(text in "[0-9a-f]{32}|.{0,40}") {
            prop_assert_eq!(read(&text, None, &Endpoint::All), None);
        }
    }
}
