//! The result of a sign-in: tokens, and the client and servers for which they are valid.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use http::HeaderValue;
use rmcp::transport::auth::StoredCredentials;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::begin::SignIn;

/// Limit of a token, in bytes.
const TOKEN_MAX: usize = 24 << 10;
/// Limits of the stored scopes: their number, and the bytes of each.
const SCOPES_MAX: usize = 200;
const SCOPE_MAX: usize = 1_024;
/// How long before its expiry a token is renewed, in seconds. A token that is valid for less than
/// twice this time is renewed after half of its lifetime.
const EARLY: u64 = 60;

/// Where a client's id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientFrom {
    /// The manifest contains the id.
    Manifest,
    /// The id is the address of a client metadata document.
    Document,
    /// The client was registered dynamically at this sign-in.
    Registration,
}

/// The OAuth client.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OAuthClient {
    /// The client's id.
    pub id: String,
    /// The client's secret, if the authorization server issued one.
    pub secret: Option<String>,
    /// The source of the id.
    pub from: ClientFrom,
}

impl OAuthClient {
    /// Returns the client's secret for requests. For a client of the manifest, this is
    /// `of_manifest`.
    pub(super) fn secret<'s>(&'s self, of_manifest: Option<&'s str>) -> Option<&'s str> {
        match self.from {
            ClientFrom::Manifest => of_manifest,
            ClientFrom::Document => None,
            ClientFrom::Registration => self.secret.as_deref(),
        }
    }
}

/// The tokens that one authorization server issued to one client for one MCP server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The member's address. The access token is sent only there.
    pub url: String,
    /// The issuer identifier of the authorization server. `None` if the server does not state it.
    pub issuer: Option<String>,
    /// The client.
    pub client: OAuthClient,
    /// The access token.
    pub access_token: String,
    /// The refresh token, if any.
    pub refresh_token: Option<String>,
    /// When the tokens were received, in seconds since 1970.
    pub received_at: u64,
    /// When the access token expires, in seconds since 1970. `None` if the server does not state
    /// it.
    pub expires_at: Option<u64>,
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The address at which the tokens can be revoked.
    pub revocation_endpoint: Option<String>,
    /// The address of the metadata, from the server's challenge. `None` for the default address.
    #[serde(default)]
    pub described_at: Option<String>,
    /// The token endpoint that the manifest names, if any. The tokens are then renewed only there.
    #[serde(default)]
    pub token_endpoint: Option<String>,
}

/// The authorization server that received the secret of a manifest's client. No other one may
/// receive this secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bond {
    /// The member's address.
    pub url: String,
    /// The client's id.
    pub client_id: String,
    /// The issuer identifier of the authorization server. `None` if the server does not state it.
    pub issuer: Option<String>,
}

/// The record that is stored after the tokens have expired.
#[derive(Serialize, Deserialize)]
struct ExpiredGrant {
    bond: Bond,
}

impl Bond {
    /// Serializes the bond for storage.
    pub fn to_text(&self) -> String {
        let bond = self.clone();
        serde_json::to_string(&ExpiredGrant { bond }).unwrap_or_default()
    }

    /// Parses the bond in a stored bond or in stored tokens. `None` if the text contains no bond.
    pub fn from_text(text: &str) -> Option<Self> {
        match Grant::from_text(text) {
            Some(grant) => grant.bond(),
            None => Some(serde_json::from_str::<ExpiredGrant>(text).ok()?.bond),
        }
    }

    /// Whether the bond applies to a sign-in: the sign-in has a secret, and the same client and
    /// member.
    pub(super) fn holds_for(&self, asked: &SignIn) -> bool {
        asked.client_secret.is_some()
            && asked.client_id.as_ref() == Some(&self.client_id)
            && asked.url == self.url
    }
}

/// Prints no tokens and no secret.
impl fmt::Debug for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grant")
            .field("issuer", &self.issuer)
            .field("scopes", &self.scopes)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for OAuthClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthClient")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

/// Returns the time in seconds since 1970.
pub fn now_secs() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

impl Grant {
    /// Serializes the grant for storage.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses a stored grant. `None` if it is invalid.
    pub fn from_text(text: &str) -> Option<Self> {
        let grant: Self = serde_json::from_str(text).ok()?;
        grant.is_usable().then_some(grant)
    }

    /// Returns the bond, if the client is the one in the manifest. `None` for other clients.
    pub fn bond(&self) -> Option<Bond> {
        (self.client.from == ClientFrom::Manifest).then(|| Bond {
            url: self.url.clone(),
            client_id: self.client.id.clone(),
            issuer: self.issuer.clone(),
        })
    }

    /// Returns all secret values: the tokens and the client's secret.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let more = [&self.refresh_token, &self.client.secret];
        std::iter::once(self.access_token.as_str())
            .chain(more.into_iter().filter_map(|text| text.as_deref()))
    }

    /// Whether the access token has expired or will expire soon.
    pub fn is_ending(&self, now: u64) -> bool {
        self.expires_at.is_some_and(|end| {
            let early = EARLY.min(end.saturating_sub(self.received_at) / 2);
            now.saturating_add(early) >= end
        })
    }

    /// Whether the access token has expired.
    pub fn has_ended(&self, now: u64) -> bool {
        self.expires_at.is_some_and(|end| now >= end)
    }

    fn is_usable(&self) -> bool {
        let token = |token: &str| {
            !token.is_empty() && token.len() <= TOKEN_MAX && HeaderValue::from_str(token).is_ok()
        };
        token(&self.access_token)
            && self.refresh_token.as_deref().is_none_or(token)
            && self.scopes.len() <= SCOPES_MAX
            && self.scopes.iter().all(|scope| scope.len() <= SCOPE_MAX)
    }

    /// Converts the grant to rmcp's type.
    pub(super) fn stored(&self) -> Option<StoredCredentials> {
        let mut token = json!({
            "access_token": self.access_token,
            "token_type": "bearer",
        });
        if let Some(refresh) = &self.refresh_token {
            token["refresh_token"] = json!(refresh);
        }
        let stored = json!({
            "client_id": self.client.id,
            "token_response": token,
            "granted_scopes": self.scopes,
            "token_received_at": self.received_at,
            "issuer": self.issuer,
        });
        serde_json::from_value(stored).ok()
    }

    /// Creates a grant from rmcp's tokens, for a client and a member's address.
    ///
    /// # Errors
    /// When the tokens can't be used. The error is the reason.
    pub(super) fn of(
        stored: &StoredCredentials,
        url: &str,
        client: OAuthClient,
        revocation_endpoint: Option<String>,
    ) -> Result<Self, String> {
        let token = serde_json::to_value(&stored.token_response).unwrap_or_default();
        let text = |key: &str| token[key].as_str().map(str::to_owned);
        let kind = text("token_type").unwrap_or_default();
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err("the token type is unknown".to_owned());
        }
        let received_at = stored.token_received_at.unwrap_or_else(now_secs);
        let lasts = token.get("expires_in").and_then(Value::as_u64);
        let grant = Self {
            url: url.to_owned(),
            issuer: stored.issuer.clone(),
            client,
            access_token: text("access_token").unwrap_or_default(),
            refresh_token: text("refresh_token"),
            received_at,
            expires_at: lasts.map(|lasts| received_at.saturating_add(lasts)),
            scopes: stored.granted_scopes.clone(),
            revocation_endpoint,
            described_at: None,
            token_endpoint: None,
        };
        if grant.is_usable() {
            Ok(grant)
        } else {
            Err("the token is too long, or has characters that a header can't have".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn grant() -> Grant {
        Grant {
            url: "https://mcp.example/mcp".to_owned(),
            issuer: Some("https://auth.example".to_owned()),
            client: OAuthClient {
                id: "client".to_owned(),
                secret: Some("client-secret".to_owned()),
                from: ClientFrom::Registration,
            },
            access_token: "access-token".to_owned(),
            refresh_token: Some("refresh-token".to_owned()),
            received_at: 1_000,
            expires_at: Some(4_600),
            scopes: vec!["read".to_owned()],
            revocation_endpoint: None,
            described_at: None,
            token_endpoint: None,
        }
    }

    #[test]
    fn a_grant_is_read_as_it_was_kept_and_shows_no_token() {
        let grant = grant();
        assert_eq!(Grant::from_text(&grant.to_text()), Some(grant.clone()));
        let shown = format!("{grant:?} {:?}", grant.client);
        for secret in grant.secrets() {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert_eq!(grant.secrets().count(), 3);
    }

    #[test]
    fn token_is_renewed_before_its_end() {
        let mut grant = grant();
        assert!(!grant.is_ending(4_539));
        assert!(grant.is_ending(4_540));
        assert!(!grant.has_ended(4_599));
        assert!(grant.has_ended(4_600));
        grant.expires_at = Some(1_010);
        assert!(!grant.is_ending(1_004));
        assert!(grant.is_ending(1_005));
        grant.expires_at = None;
        assert!(!grant.is_ending(u64::MAX));
    }

    #[test]
    fn expired_tokens_keep_the_clients_server() {
        let mut grant = grant();
        assert_eq!(Bond::from_text(&grant.to_text()), None, "it was registered");
        grant.client.from = ClientFrom::Manifest;
        let bond = grant.bond().expect("one");
        assert_eq!(bond.issuer, grant.issuer);
        assert_eq!(Bond::from_text(&grant.to_text()), Some(bond.clone()));
        assert_eq!(Bond::from_text(&bond.to_text()), Some(bond.clone()));
        assert_eq!(Grant::from_text(&bond.to_text()), None);
        assert_eq!(Bond::from_text("{}"), None);
    }

    #[test]
    fn invalid_header_text_is_not_a_token() {
        for token in ["", "line\nend", &"t".repeat(TOKEN_MAX + 1)] {
            let mut grant = grant();
            grant.access_token = token.to_owned();
            assert_eq!(Grant::from_text(&grant.to_text()), None);
        }
    }

    proptest! {
        #[test]
        fn any_stored_text_is_a_grant_or_none(text in "\\PC{0,200}") {
            if let Some(grant) = Grant::from_text(&text) {
                prop_assert!(grant.is_usable());
            }
        }
    }
}
