//! From a server that wants a token to one that has been given: discovery, the client, the address,
//! the browser's answer, the exchange.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationMetadata, AuthorizationMetadataSource, CredentialStore,
    InMemoryCredentialStore, OAuthClientConfig, WWWAuthenticateParams,
};
use serde_json::Value;

use super::callback::Callback;
use super::error::{SignInError, clean, of_discovery, of_exchange, told};
use super::grant::{Bond, Client, ClientFrom, Grant};
use super::net::{Net, host_of, is_here, may_be_opened};

/// As what Guild Hall has itself registered.
const CLIENT_NAME: &str = "Guild Hall";
/// The longest address that a browser is sent to, in bytes.
const ADDRESS_MAX: usize = 16 << 10;
/// The most scopes that are asked for.
const SCOPES_MAX: usize = 200;

/// What is signed in to, and as whom.
#[derive(Clone, Default)]
pub struct SignIn {
    /// The member's address.
    pub url: String,
    /// What the server said when it refused.
    pub challenge: Option<String>,
    /// The client that was registered by hand, if one was.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: Option<String>,
    /// The authorization server that it was shown to before; it is shown to no other.
    pub bond: Option<Bond>,
    /// The address of the document that says who the client is, for authorization servers that read
    /// such.
    pub client_document: Option<String>,
    /// The scopes to ask for; without any, those that the server names.
    pub scopes: Vec<String>,
    /// The port that the browser comes back to, where the client was registered for one.
    pub redirect_port: Option<u16>,
}

/// Says where, and no secret.
impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn")
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A sign-in whose next step is a person's, in a browser.
pub struct Begun {
    /// Where the person signs in. Nothing opened it.
    pub address: String,
    /// That address's host, with its port.
    pub host: String,
    /// The authorization server, where it says who it is.
    pub issuer: Option<String>,
    /// What is asked for.
    pub scopes: Vec<String>,
    url: String,
    state: String,
    client: Client,
    revocation_endpoint: Option<String>,
    /// Whether the authorization server's answers say which it is.
    says_who: bool,
    described_at: Option<String>,
    manager: AuthorizationManager,
    kept: InMemoryCredentialStore,
    callback: Callback,
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begun")
            .field("host", &self.host)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// An issuer that is named elsewhere may be anybody's.
pub(super) const MISPLACED: &str =
    "the authorization server is described at an address where none describes itself";

/// A manager for a member's address, with a place for what it is given.
pub(super) async fn manager(
    url: &str,
) -> Result<(AuthorizationManager, InMemoryCredentialStore, Arc<Net>), SignInError> {
    let member = Url::parse(url).map_err(|error| {
        SignInError::Undiscovered(format!("the address is not valid ({error})"))
    })?;
    if member.scheme() != "https" && !is_here(&member) {
        let why = "the member is reached over plain http, where anybody on the way could read a \
                   token";
        return Err(SignInError::Unsafe(why.to_owned()));
    }
    let net = Net::of(&member).await;
    let net = Arc::new(net.map_err(|error| SignInError::Undiscovered(error.to_string()))?);
    let manager = AuthorizationManager::new_with_oauth_http_client(url, net.clone()).await;
    let mut manager = manager.map_err(|error| of_discovery(&error))?;
    let kept = InMemoryCredentialStore::new();
    manager.set_credential_store(kept.clone());
    Ok((manager, kept, net))
}

/// Finds the authorization server, becomes its client and makes the address where a person signs in.
///
/// # Errors
/// When there is none, or it can't be used. Nobody was asked anything by then.
pub async fn begin(asked: SignIn) -> Result<Begun, SignInError> {
    let (mut manager, kept, net) = manager(&asked.url).await?;
    let found = manager
        .resolve_metadata_from_challenge(asked.challenge.as_deref())
        .await
        .map_err(|error| of_discovery(&error))?;
    let guessed = found.source == AuthorizationMetadataSource::LegacyEndpointFallback;
    if !guessed && !net.is_described_by_itself() {
        return Err(SignInError::Unsafe(MISPLACED.to_owned()));
    }
    let metadata = found.metadata;
    check_metadata(&metadata, guessed, &asked.url)?;
    check_bond(&asked, metadata.issuer.as_deref())?;
    manager.set_metadata(metadata.clone());

    let scopes = match asked.scopes.as_slice() {
        [] => manager.select_initial_scopes(&[]).await,
        wanted => with_offline_access(wanted, &metadata),
    };
    let scopes: Vec<String> = scopes.into_iter().take(SCOPES_MAX).collect();
    let scope_refs: Vec<&str> = scopes.iter().map(String::as_str).collect();

    let callback = Callback::open(asked.redirect_port).await?;
    let redirect = callback.redirect_uri();
    let document = asked
        .client_document
        .filter(|_| flag(&metadata, "client_id_metadata_document_supported"));
    let known = match (asked.client_id, document) {
        (Some(id), _) => Some((id, ClientFrom::Manifest)),
        (None, Some(id)) => Some((id, ClientFrom::Document)),
        (None, None) => None,
    };
    let client = match known {
        Some((id, from)) => {
            let mut config = OAuthClientConfig::new(&id, &redirect).with_scopes(scopes.clone());
            let by_hand = from == ClientFrom::Manifest;
            if let Some(secret) = asked.client_secret.filter(|_| by_hand) {
                config = config.with_client_secret(secret);
            }
            manager
                .configure_client(config)
                .map_err(|error| of_discovery(&error))?;
            // Its secret stands where the manifest says.
            let secret = None;
            Client { id, secret, from }
        }
        None => {
            let registered = manager
                .register_client(CLIENT_NAME, &redirect, &scope_refs)
                .await
                .map_err(|error| match guessed {
                    true => SignInError::Undiscovered(format!(
                        "the server names no authorization server, and is none itself ({})",
                        told(&error)
                    )),
                    false => SignInError::Unregistered(told(&error)),
                })?;
            Client {
                id: registered.client_id,
                secret: registered.client_secret,
                from: ClientFrom::Registration,
            }
        }
    };
    let address = manager
        .get_authorization_url(&scope_refs)
        .await
        .map_err(|error| of_discovery(&error))?;
    if address.len() > ADDRESS_MAX {
        let why = "the address to sign in at is longer than is opened".to_owned();
        return Err(SignInError::Unsafe(why));
    }
    may_be_opened(&address, &asked.url).map_err(SignInError::Unsafe)?;
    let parsed = Url::parse(&address).map_err(|error| SignInError::Unsafe(error.to_string()))?;
    let state = parsed
        .query_pairs()
        .find(|(key, _)| key == "state")
        .map(|(_, state)| state.into_owned())
        .ok_or_else(|| SignInError::Unsafe("the address has no state".to_owned()))?;
    Ok(Begun {
        host: host_of(&parsed),
        issuer: metadata.issuer.clone(),
        revocation_endpoint: revocation(&metadata, &net),
        says_who: flag(&metadata, "authorization_response_iss_parameter_supported"),
        described_at: described_at(asked.challenge.as_deref(), &asked.url),
        url: asked.url,
        address,
        scopes,
        state,
        client,
        manager,
        kept,
        callback,
    })
}

/// Whether the authorization server can be used, and only in places that may be asked.
fn check_metadata(
    metadata: &AuthorizationMetadata,
    guessed: bool,
    url: &str,
) -> Result<(), SignInError> {
    let methods = metadata.code_challenge_methods_supported.as_deref();
    let proves = methods.is_some_and(|methods| methods.iter().any(|method| method == "S256"));
    if !proves && !guessed {
        let why = "it does not say that it checks who exchanges the code (PKCE with S256)";
        return Err(SignInError::Unsafe(why.to_owned()));
    }
    let places = [
        Some(&metadata.authorization_endpoint),
        Some(&metadata.token_endpoint),
        metadata.registration_endpoint.as_ref(),
    ];
    for place in places.into_iter().flatten() {
        may_be_opened(place, url).map_err(SignInError::Unsafe)?;
    }
    Ok(())
}

/// Whether the client's secret may be shown to this authorization server: to the one that it was first
/// shown to, and to no other that a server names in its place.
fn check_bond(asked: &SignIn, issuer: Option<&str>) -> Result<(), SignInError> {
    let Some(bond) = asked.bond.as_ref().filter(|bond| bond.holds_for(asked)) else {
        return Ok(());
    };
    if bond.issuer.as_deref() == issuer {
        return Ok(());
    }
    let named =
        |issuer: Option<&str>| issuer.map_or("one that does not say who it is".to_owned(), clean);
    Err(SignInError::Rebound {
        first: named(bond.issuer.as_deref()),
        now: named(issuer),
    })
}

fn flag(metadata: &AuthorizationMetadata, name: &str) -> bool {
    metadata
        .additional_fields
        .get(name)
        .and_then(Value::as_bool)
        == Some(true)
}

/// Where the server said when it refused that it is described; nobody else knows that place later.
fn described_at(challenge: Option<&str>, url: &str) -> Option<String> {
    let read = WWWAuthenticateParams::parse(challenge?, &Url::parse(url).ok()?);
    read.resource_metadata_url.map(String::from)
}

fn revocation(metadata: &AuthorizationMetadata, net: &Net) -> Option<String> {
    let place = metadata.additional_fields.get("revocation_endpoint")?;
    let url = Url::parse(place.as_str()?).ok()?;
    let fits = url.scheme() == "https" || (net.is_here() && is_here(&url));
    fits.then(|| url.to_string())
}

/// The scopes, and the one that tokens can be renewed with where the server has it.
fn with_offline_access(scopes: &[String], metadata: &AuthorizationMetadata) -> Vec<String> {
    const OFFLINE: &str = "offline_access";
    let supported = metadata.scopes_supported.as_deref().unwrap_or_default();
    let offline = supported.iter().any(|scope| scope == OFFLINE);
    let mut seen = HashSet::new();
    let scopes = scopes.iter().map(String::as_str);
    let scopes = scopes.chain(offline.then_some(OFFLINE));
    scopes
        .filter(|scope| seen.insert(*scope))
        .map(str::to_owned)
        .collect()
}

impl Begun {
    /// Waits for the browser's answer and exchanges it. `stray` is told how many answers came that
    /// were of another sign-in; `taken` that the right one is there.
    ///
    /// # Errors
    /// Why there are no tokens.
    pub async fn finish(
        self,
        stray: &(dyn Fn(u32) + Send + Sync),
        taken: &(dyn Fn() + Send + Sync),
    ) -> Result<Grant, SignInError> {
        let answer = self.callback.answer(&self.state, stray).await?;
        let code = answer.said.map_err(|said| {
            let issuer = answer.issuer.as_deref();
            refusal(said, issuer, self.issuer.as_deref(), self.says_who)
        })?;
        taken();
        let exchanged = self
            .manager
            .exchange_code_for_token_with_issuer(&code, &self.state, answer.issuer.as_deref())
            .await;
        exchanged.map_err(|error| match of_exchange(&error) {
            // It is good for nothing any more, and nobody's to read all the same.
            SignInError::Untokened(said) if said.contains(&code) => {
                let why = "the authorization server refused the code, and repeated it".to_owned();
                SignInError::Untokened(why)
            }
            error => error,
        })?;
        let stored = self
            .kept
            .load()
            .await
            .map_err(|error| of_exchange(&error))?;
        let stored = stored.ok_or_else(|| SignInError::Untokened("none came".to_owned()))?;
        let grant = Grant::of(&stored, &self.url, self.client, self.revocation_endpoint)
            .map_err(|why| SignInError::Untokened(clean(&why)))?;
        Ok(Grant {
            described_at: self.described_at,
            ..grant
        })
    }
}

/// What a refusal is worth: nobody takes the words of another authorization server for those of the
/// one that was asked (RFC 9207).
fn refusal(
    said: String,
    issuer: Option<&str>,
    expected: Option<&str>,
    says_who: bool,
) -> SignInError {
    let is_its_own = match issuer {
        Some(issuer) => expected == Some(issuer),
        None => !says_who,
    };
    match is_its_own {
        true => SignInError::Refused(said),
        false => SignInError::Answer("it is a refusal of another authorization server".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_secret_is_shown_to_the_authorization_server_that_had_it_first() {
        let bond = Bond {
            url: "https://a.example/mcp".to_owned(),
            client_id: "me".to_owned(),
            issuer: Some("https://sign.example".to_owned()),
        };
        let asked = SignIn {
            url: bond.url.clone(),
            client_id: Some("me".to_owned()),
            client_secret: Some("secret".to_owned()),
            bond: Some(bond),
            ..SignIn::default()
        };
        assert_eq!(check_bond(&asked, Some("https://sign.example")), Ok(()));
        for now in [Some("https://other.example"), None] {
            let refused = check_bond(&asked, now).expect_err("another");
            let said = refused.to_string();
            assert!(said.contains("https://sign.example"), "{said}");
        }
        // Another client, another address, or nothing that could be shown.
        let other = Some("https://other.example");
        for free in [
            SignIn {
                client_id: Some("you".to_owned()),
                ..asked.clone()
            },
            SignIn {
                url: "https://b.example/mcp".to_owned(),
                ..asked.clone()
            },
            SignIn {
                client_secret: None,
                ..asked.clone()
            },
            SignIn {
                bond: None,
                ..asked
            },
        ] {
            assert_eq!(check_bond(&free, other), Ok(()));
        }
    }

    #[test]
    fn a_refusal_is_told_in_the_words_of_the_server_that_was_asked_alone() {
        let of = |issuer, expected, says_who| refusal("no".to_owned(), issuer, expected, says_who);
        let (own, other) = (Some("https://a.example"), Some("https://b.example"));
        for told in [
            of(own, own, true),
            of(own, own, false),
            of(None, own, false),
        ] {
            assert_eq!(told, SignInError::Refused("no".to_owned()));
        }
        for strange in [
            of(other, own, false),
            of(None, own, true),
            of(own, None, false),
        ] {
            assert!(matches!(strange, SignInError::Answer(_)), "{strange}");
        }
    }
}
