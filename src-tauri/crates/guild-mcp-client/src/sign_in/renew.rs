//! Renews and revokes tokens.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, AuthorizationMetadataSource,
    CredentialStore, OAuthClientConfig,
};

use super::begin::{MISPLACED, SignInEndpoints, manager};
use super::error::{clean, describe};
use super::grant::Grant;
use super::net::Net;

/// The reason that tokens were not renewed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unrenewed {
    /// The tokens are no longer valid, so a person must sign in. The text is the reason.
    #[error("{0}")]
    Over(String),
    /// A temporary failure. The text is the reason.
    #[error("{0}")]
    NotNow(String),
}

/// Renews a grant. Without `endpoints`, the authorization server is discovered again. If another
/// server has replaced it, no token is sent. `secret` and `endpoints` are from the manifest.
///
/// # Errors
/// When the renewal fails. The error contains the reason.
pub async fn refreshed(
    grant: &Grant,
    secret: Option<&str>,
    endpoints: Option<&SignInEndpoints>,
    proxies: bool,
) -> Result<Grant, Unrenewed> {
    let over = |why: &str| Unrenewed::Over(why.to_owned());
    if grant.refresh_token.is_none() {
        return Err(over("the server gave no refresh token"));
    }
    let not_now = |error: AuthError| Unrenewed::NotNow(describe(&error));
    let made = manager(&grant.url, proxies).await;
    let (mut manager, kept, net) = made.map_err(|error| Unrenewed::NotNow(error.to_string()))?;
    let stored = grant
        .stored()
        .ok_or_else(|| over("the saved sign-in can't be used"))?;
    kept.save(stored).await.map_err(not_now)?;
    let metadata = match endpoints {
        Some(endpoints) => endpoints.metadata(),
        None => metadata_of(&mut manager, grant, &net).await?,
    };
    manager.set_metadata(metadata);
    // A renewal needs no redirect address.
    let mut config = OAuthClientConfig::new(&grant.client.id, &grant.url);
    if let Some(secret) = grant.client.secret(secret) {
        config = config.with_client_secret(secret);
    }
    manager.configure_client(config).map_err(not_now)?;
    match manager.refresh_token().await {
        Ok(_) => {}
        Err(error @ (AuthError::TokenRefreshRejected(_) | AuthError::AuthorizationRequired)) => {
            return Err(Unrenewed::Over(describe(&error)));
        }
        Err(error) => return Err(not_now(error)),
    }
    let stored = kept.load().await.map_err(not_now)?;
    let stored = stored.ok_or_else(|| Unrenewed::NotNow("no token came".to_owned()))?;
    let (client, revocation) = (grant.client.clone(), grant.revocation_endpoint.clone());
    let renewed = Grant::of(&stored, &grant.url, client, revocation)
        .map_err(|why| Unrenewed::NotNow(clean(&why)))?;
    Ok(Grant {
        described_at: grant.described_at.clone(),
        token_endpoint: grant.token_endpoint.clone(),
        ..renewed
    })
}

/// Discovers the metadata of the authorization server that issued a grant.
async fn metadata_of(
    manager: &mut AuthorizationManager,
    grant: &Grant,
    net: &Net,
) -> Result<AuthorizationMetadata, Unrenewed> {
    let not_now = |error: AuthError| Unrenewed::NotNow(describe(&error));
    let described_at = grant.described_at.as_deref();
    let challenge = described_at.map(|place| format!("Bearer resource_metadata=\"{place}\""));
    let found = manager
        .resolve_metadata_from_challenge(challenge.as_deref())
        .await;
    let found = match found {
        Err(error) if challenge.is_some() && grant.issuer.is_some() && !is_of_another(&error) => {
            // The metadata may have moved from the stored address. If the default address does not
            // name the same server either, the first error is returned.
            match manager.resolve_metadata_from_challenge(None).await {
                Ok(found)
                    if found.source == AuthorizationMetadataSource::ProtectedResourceMetadata
                        || found.metadata.issuer == grant.issuer =>
                {
                    Ok(found)
                }
                _ => Err(error),
            }
        }
        found => found,
    };
    let metadata = match found {
        Ok(found)
            if grant.issuer.is_some()
                && found.source == AuthorizationMetadataSource::LegacyEndpointFallback =>
        {
            let why = "the server no longer names its authorization server";
            return Err(Unrenewed::NotNow(why.to_owned()));
        }
        Ok(found)
            if found.source != AuthorizationMetadataSource::LegacyEndpointFallback
                && !net.is_described_by_itself() =>
        {
            return Err(Unrenewed::NotNow(MISPLACED.to_owned()));
        }
        Ok(found) => found.metadata,
        Err(error) if is_of_another(&error) => return Err(Unrenewed::Over(describe(&error))),
        Err(error) => return Err(not_now(error)),
    };
    if metadata.issuer != grant.issuer {
        let why = "the server names another authorization server now".to_owned();
        return Err(Unrenewed::Over(why));
    }
    Ok(metadata)
}

/// Whether the error means that another authorization server has replaced this one.
fn is_of_another(error: &AuthError) -> bool {
    matches!(
        error,
        AuthError::AuthorizationServerMismatch { .. }
            | AuthError::AuthorizationServerMissingIssuer { .. }
    )
}

/// Revokes the tokens (RFC 7009). Returns false if the authorization server does not support that.
///
/// # Errors
/// When the tokens may still be valid. The error is the reason.
pub async fn revoke(grant: &Grant, secret: Option<&str>, proxies: bool) -> Result<bool, String> {
    let Some(place) = &grant.revocation_endpoint else {
        return Ok(false);
    };
    let member = Url::parse(&grant.url).map_err(|error| error.to_string())?;
    let net = Net::of(&member, proxies).await;
    let net = net.map_err(|error| error.to_string())?;
    let tokens = [
        (grant.refresh_token.as_deref(), "refresh_token"),
        (Some(grant.access_token.as_str()), "access_token"),
    ];
    let given = tokens
        .into_iter()
        .filter_map(|(token, kind)| Some((token?, kind)));
    for (token, kind) in given {
        let secret = grant.client.secret(secret);
        let fields = vec![("token", token), ("token_type_hint", kind)];
        let request = form_request(place, fields, &grant.client.id, secret)?;
        let answer = net.send(request).await.map_err(|error| error.to_string())?;
        if !answer.status().is_success() {
            return Err(format!(
                "it answered with HTTP {}",
                answer.status().as_u16()
            ));
        }
    }
    Ok(true)
}

/// Returns a request with a form as its body, and with the client's authentication.
pub(super) fn form_request<'f>(
    place: &str,
    mut fields: Vec<(&'f str, &'f str)>,
    client: &'f str,
    secret: Option<&str>,
) -> Result<http::Request<Vec<u8>>, String> {
    let mut request =
        http::Request::post(place).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    match secret {
        Some(secret) => {
            let pair = format!("{}:{}", form(&[("", client)]), form(&[("", secret)]));
            let pair = pair.replace('=', "");
            request = request.header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(pair)));
        }
        None => fields.push(("client_id", client)),
    }
    request
        .body(form(&fields).into_bytes())
        .map_err(|error| error.to_string())
}

fn form(fields: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse("form:") else {
        return String::new();
    };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::sign_in::{ClientFrom, OAuthClient};

    /// Renews a grant at a local server. `issuer` and the second argument are the paths of the
    /// authorization server and its metadata, and `answers` has the server's responses. Returns the
    /// result and the received requests.
    async fn renewed(
        issuer: &str,
        described_at: Option<&str>,
        answers: &[(&str, Value)],
    ) -> (Result<Grant, Unrenewed>, Vec<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let here = format!("http://{}", listener.local_addr().expect("its address"));
        let grant = Grant {
            issuer: Some(format!("{here}{issuer}")),
            url: format!("{here}/mcp"),
            client: OAuthClient {
                id: "client".to_owned(),
                secret: None,
                from: ClientFrom::Registration,
            },
            access_token: "access-token".to_owned(),
            refresh_token: Some("refresh-token".to_owned()),
            received_at: 1_000,
            expires_at: Some(4_600),
            scopes: vec![],
            revocation_endpoint: None,
            described_at: described_at.map(|place| format!("{here}{place}")),
            token_endpoint: None,
        };
        let mut asked = Vec::new();
        let answering = async {
            loop {
                let (mut stream, _) = listener.accept().await.expect("asked");
                let mut request = [0; 4 << 10];
                let length = stream.read(&mut request).await.unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..length]);
                let mut words = request.split(' ').skip(1);
                let place = words.next().unwrap_or_default().to_owned();
                let answer = answers.iter().find(|(at, _)| *at == place);
                let (status, body) = match answer {
                    Some((_, body)) => ("200 OK", body.to_string().replace("HERE", &here)),
                    None => ("404 Not Found", String::new()),
                };
                asked.push(place);
                let answer = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n\
                     Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        };
        let renewed = tokio::select! {
            renewed = refreshed(&grant, None, None, false) => renewed,
            () = answering => unreachable!("it goes on answering"),
        };
        (renewed, asked)
    }

    #[tokio::test]
    async fn silent_server_does_not_end_a_sign_in() {
        let (renewed, _) = renewed("/mcp", None, &[]).await;
        let why = renewed.expect_err("nothing new");
        assert!(
            matches!(&why, Unrenewed::NotNow(why) if why.contains("no longer names")),
            "{why:?}"
        );
    }

    /// Responses of a server whose metadata has moved from `/old` to the default path.
    fn moved() -> [(&'static str, Value); 4] {
        [
            ("/old", json!({"moved": true})),
            (
                "/.well-known/oauth-protected-resource/mcp",
                json!({"resource": "HERE/mcp", "authorization_servers": ["HERE/as"]}),
            ),
            (
                "/.well-known/oauth-authorization-server/as",
                json!({
                    "issuer": "HERE/as", "authorization_endpoint": "HERE/authorize",
                    "token_endpoint": "HERE/token", "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                }),
            ),
            (
                "/token",
                json!({"access_token": "new", "token_type": "Bearer", "expires_in": 60}),
            ),
        ]
    }

    #[tokio::test]
    async fn moved_metadata_still_renews_the_token() {
        let (renewed, asked) = renewed("/as", Some("/old"), &moved()).await;
        let grant = renewed.expect("new tokens");
        assert_eq!(grant.access_token, "new");
        assert_eq!(asked.first().map(String::as_str), Some("/old"));
    }

    #[tokio::test]
    async fn other_authorization_server_gets_no_token() {
        let (renewed, asked) = renewed("/other", Some("/old"), &moved()).await;
        let why = renewed.expect_err("nothing new");
        assert!(matches!(why, Unrenewed::Over(_)), "{why:?}");
        assert!(!asked.iter().any(|place| place == "/token"), "{asked:?}");
        // If no other metadata is found, the sign-in may still be valid.
        let (renewed, asked) = self::renewed("/as", Some("/old"), &moved()[..1]).await;
        let why = renewed.expect_err("nothing new");
        assert!(
            matches!(&why, Unrenewed::NotNow(why) if why.contains("/old")),
            "{why:?}"
        );
        assert!(!asked.iter().any(|place| place == "/token"), "{asked:?}");
    }

    #[test]
    fn a_token_is_given_back_by_the_client_that_has_it() {
        let address = "https://a.example/revoke";
        let fields = vec![("token", "t&="), ("token_type_hint", "refresh_token")];
        let public = form_request(address, fields, "me", None);
        let public = public.expect("a request");
        let body = String::from_utf8(public.body().clone()).expect("text");
        assert_eq!(
            body,
            "token=t%26%3D&token_type_hint=refresh_token&client_id=me"
        );
        assert!(!public.headers().contains_key(AUTHORIZATION));
        let fields = vec![("token", "t"), ("token_type_hint", "access_token")];
        let known = form_request(address, fields, "m:e", Some("s"));
        let known = known.expect("a request");
        let proof = &known.headers()[AUTHORIZATION];
        assert_eq!(proof, &format!("Basic {}", STANDARD.encode("m%3Ae:s")));
        let body = String::from_utf8(known.body().clone()).expect("text");
        assert!(!body.contains("client_id"), "{body}");
    }
}
