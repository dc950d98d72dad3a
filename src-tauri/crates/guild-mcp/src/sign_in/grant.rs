//! What a sign-in leads to: tokens, and for whom and where they are good.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use http::HeaderValue;
use rmcp::transport::auth::StoredCredentials;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::begin::SignIn;

/// The longest token that is kept, in bytes.
const TOKEN_MAX: usize = 24 << 10;
/// The most scopes that are kept, and their longest text, in bytes.
const SCOPES_MAX: usize = 200;
const SCOPE_MAX: usize = 1_024;
/// How long before its end a token is renewed, in seconds; at the most half of its time.
const EARLY: u64 = 60;

/// Where a client's id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientFrom {
    /// The manifest names it.
    Manifest,
    /// It is the address of a document that says who the client is.
    Document,
    /// The authorization server gave it at this sign-in.
    Registration,
}

/// Who asked for the tokens.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret, if it has one that the authorization server gave it.
    pub secret: Option<String>,
    /// Where the id comes from.
    pub from: ClientFrom,
}

/// Tokens, and where they are good: this client's, of this authorization server, for this server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The member's address. Nowhere else are the tokens sent.
    pub url: String,
    /// The authorization server; `None` where it does not say who it is.
    pub issuer: Option<String>,
    /// The client.
    pub client: Client,
    /// What proves to the server who asks.
    pub access_token: String,
    /// What gets the next one, and nothing else.
    pub refresh_token: Option<String>,
    /// When the tokens came, in seconds since 1970.
    pub received_at: u64,
    /// When the access token ends, in seconds since 1970; `None` where that was not said.
    pub expires_at: Option<u64>,
    /// What was granted.
    pub scopes: Vec<String>,
    /// Where the tokens can be given back.
    pub revocation_endpoint: Option<String>,
    /// Where the server said that it is described, and its authorization server named; `None` where
    /// that is at the usual place.
    #[serde(default)]
    pub described_at: Option<String>,
}

/// The authorization server that the secret of a manifest's client was shown to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bond {
    /// The member's address.
    pub url: String,
    /// The client.
    pub client_id: String,
    /// The authorization server; `None` where it does not say who it is.
    pub issuer: Option<String>,
}

/// What is left of tokens that are over.
#[derive(Serialize, Deserialize)]
struct Left {
    bond: Bond,
}

impl Bond {
    /// The bond as it is kept.
    pub fn to_text(&self) -> String {
        let bond = self.clone();
        serde_json::to_string(&Left { bond }).unwrap_or_default()
    }

    /// The bond that was kept, be it of tokens that are; `None` where there is none.
    pub fn from_text(text: &str) -> Option<Self> {
        match Grant::from_text(text) {
            Some(grant) => grant.bond(),
            None => Some(serde_json::from_str::<Left>(text).ok()?.bond),
        }
    }

    /// Whether it is of the client that a sign-in shows the secret of, at the same member.
    pub(super) fn holds_for(&self, asked: &SignIn) -> bool {
        asked.client_secret.is_some()
            && asked.client_id.as_ref() == Some(&self.client_id)
            && asked.url == self.url
    }
}

/// Says for whom and where, and no token.
impl fmt::Debug for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grant")
            .field("issuer", &self.issuer)
            .field("scopes", &self.scopes)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

/// The time, in seconds since 1970.
pub fn now_secs() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

impl Grant {
    /// The grant as it is kept.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A grant as it was kept; `None` where the text is none, or has what no grant has.
    pub fn from_text(text: &str) -> Option<Self> {
        let grant: Self = serde_json::from_str(text).ok()?;
        grant.is_usable().then_some(grant)
    }

    /// Who the secret of its client was shown to, where the manifest names that client.
    pub fn bond(&self) -> Option<Bond> {
        (self.client.from == ClientFrom::Manifest).then(|| Bond {
            url: self.url.clone(),
            client_id: self.client.id.clone(),
            issuer: self.issuer.clone(),
        })
    }

    /// All texts of it that nobody may see.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let more = [&self.refresh_token, &self.client.secret];
        std::iter::once(self.access_token.as_str())
            .chain(more.into_iter().filter_map(|text| text.as_deref()))
    }

    /// Whether the access token has ended, or is about to.
    pub fn is_ending(&self, now: u64) -> bool {
        self.expires_at.is_some_and(|end| {
            let early = EARLY.min(end.saturating_sub(self.received_at) / 2);
            now.saturating_add(early) >= end
        })
    }

    /// Whether the access token has ended.
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

    /// As rmcp knows it.
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

    /// What rmcp was given, for this client at this address.
    ///
    /// # Errors
    /// Why it can't be used.
    pub(super) fn of(
        stored: &StoredCredentials,
        url: &str,
        client: Client,
        revocation_endpoint: Option<String>,
    ) -> Result<Self, String> {
        let token = serde_json::to_value(&stored.token_response).unwrap_or_default();
        let text = |key: &str| token[key].as_str().map(str::to_owned);
        let kind = text("token_type").unwrap_or_default();
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err("the token is of a type that is not known".to_owned());
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
        };
        if grant.is_usable() {
            Ok(grant)
        } else {
            Err("the token is longer than is kept, or has characters that no header has".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(in crate::sign_in) fn grant() -> Grant {
        Grant {
            url: "https://mcp.example/mcp".to_owned(),
            issuer: Some("https://auth.example".to_owned()),
            client: Client {
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
    fn a_token_is_renewed_before_its_end_and_a_short_one_at_half_of_its_time() {
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
    fn tokens_that_are_over_leave_whom_the_manifests_client_was_shown_to() {
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
    fn what_no_header_can_have_is_no_token() {
        for token in ["", "line\nend", &"t".repeat(TOKEN_MAX + 1)] {
            let mut grant = grant();
            grant.access_token = token.to_owned();
            assert_eq!(Grant::from_text(&grant.to_text()), None);
        }
    }

    proptest! {
        #[test]
        fn whatever_was_kept_is_a_grant_or_none(text in "\\PC{0,200}") {
            if let Some(grant) = Grant::from_text(&text) {
                prop_assert!(grant.is_usable());
            }
        }
    }
}
