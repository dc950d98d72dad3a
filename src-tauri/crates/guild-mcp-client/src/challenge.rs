//! Parses the `WWW-Authenticate` challenge of a rejected request, and defines the interface that
//! supplies tokens.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, StatusCode};
use reqwest::Url;
use rmcp::transport::auth::WWWAuthenticateParams;

/// Limits of the challenges that are parsed: their number per response, and the size of each in
/// bytes.
const CHALLENGES_MAX: usize = 8;
const CHALLENGE_MAX: usize = 8 << 10;
/// Limit of the scopes in a challenge.
const SCOPES_MAX: usize = 100;

/// The authorization that a server requires from the client.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Want {
    /// The text of the challenge, with which the authorization server is discovered.
    pub challenge: Option<String>,
    /// The scopes in the challenge.
    pub scopes: Vec<String>,
    /// Whether the server accepts the token, but requires more scopes.
    pub more: bool,
}

/// How to continue after a server has rejected a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthDecision {
    /// A new token is available, so the request is sent once more.
    Again,
    /// A person must sign in.
    SignIn,
    /// No token is available now, for this reason. One may be available later.
    NotNow(String),
}

/// Supplies the access tokens for a server.
pub trait SignedIn: fmt::Debug + Send + Sync {
    /// Returns the current token, which is renewed first if it is about to expire. `None` if there
    /// is none.
    fn token(&self) -> BoxFuture<'_, Option<Arc<str>>>;
    /// Decides how to continue after a request was rejected. `sent` is the token that the request
    /// had.
    fn refused(&self, want: Want, sent: Option<Arc<str>>) -> BoxFuture<'_, AuthDecision>;
}

/// Returns the authorization that the server requires after it has rejected a request. `None` if
/// the response is not a rejection because of a missing or insufficient token.
pub(crate) fn want_of(status: StatusCode, headers: &HeaderMap, url: &str) -> Option<Want> {
    let challenges: Vec<&str> = headers
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .take(CHALLENGES_MAX)
        .filter_map(|value| value.to_str().ok())
        .filter(|text| text.len() <= CHALLENGE_MAX)
        .collect();
    let bearer = challenges.iter().copied().find(|text| is_bearer(text));
    let url = Url::parse(url).ok()?;
    let read = bearer.map(|text| WWWAuthenticateParams::parse(text, &url));
    let scopes = read
        .as_ref()
        .and_then(|read| read.scope.as_deref())
        .unwrap_or_default()
        .split_whitespace()
        .take(SCOPES_MAX)
        .map(str::to_owned)
        .collect();
    let more = read.is_some_and(|read| read.is_insufficient_scope());
    match status {
        // Older servers send no challenge. A server that requires something other than a token
        // sends a challenge for that.
        StatusCode::UNAUTHORIZED if bearer.is_some() || challenges.is_empty() => {}
        StatusCode::FORBIDDEN if more => {}
        _ => return None,
    }
    Some(Want {
        challenge: bearer.map(str::to_owned),
        scopes,
        more: more && status == StatusCode::FORBIDDEN,
    })
}

fn is_bearer(challenge: &str) -> bool {
    challenge
        .split([',', ' '])
        .any(|word| word.eq_ignore_ascii_case("bearer"))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    const URL: &str = "https://mcp.example/mcp";

    fn wanted(status: u16, challenges: &[&str]) -> Option<Want> {
        let mut headers = HeaderMap::new();
        for challenge in challenges {
            headers.append(
                WWW_AUTHENTICATE,
                HeaderValue::from_str(challenge).expect("a header"),
            );
        }
        want_of(
            StatusCode::from_u16(status).expect("a status"),
            &headers,
            URL,
        )
    }

    #[test]
    fn a_token_is_wanted_where_the_server_says_so_or_says_nothing() {
        assert_eq!(wanted(401, &[]), Some(Want::default()));
        let said = r#"Bearer resource_metadata="https://mcp.example/x", scope="read write""#;
        let want = wanted(401, &["Basic realm=\"x\"", said]).expect("wanted");
        assert_eq!(want.challenge.as_deref(), Some(said));
        assert_eq!(want.scopes, ["read", "write"]);
        assert!(!want.more);
        assert_eq!(wanted(401, &["Basic realm=\"x\""]), None);
        assert_eq!(wanted(403, &[]), None);
        assert_eq!(wanted(403, &["Bearer error=\"invalid_token\""]), None);
        assert_eq!(wanted(404, &[said]), None);
    }

    #[test]
    fn more_is_wanted_where_the_scopes_do_not_do() {
        let said = r#"Bearer error="insufficient_scope", scope="files:write""#;
        let want = wanted(403, &[said]).expect("wanted");
        assert!(want.more);
        assert_eq!(want.scopes, ["files:write"]);
    }

    proptest! {
        #[test]
        fn any_challenge_is_bounded(said in "[ -~]{0,9000}", status in 400u16..500) {
            if let Some(want) = wanted(status, &[&said, &format!("Bearer {said}")]) {
                prop_assert!(want.scopes.len() <= SCOPES_MAX);
                prop_assert!(want.challenge.is_none_or(|text| text.len() <= CHALLENGE_MAX));
            }
        }
    }
}
