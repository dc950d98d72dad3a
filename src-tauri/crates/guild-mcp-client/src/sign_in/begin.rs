//! Performs a sign-in: discovery, client registration, the sign-in address, the browser's redirect
//! or a code, and the exchange for tokens.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationMetadata, AuthorizationMetadataSource, CredentialStore,
    InMemoryCredentialStore, OAuthClientConfig, StoredCredentials, WWWAuthenticateParams,
};
use serde_json::Value;
use tokio::sync::mpsc;

use super::callback::{Callback, PastedAnswer};
use super::device::{self, DeviceSignIn};
use super::error::{SignInError, clean, describe, of_discovery, of_exchange};
use super::grant::{Bond, ClientFrom, Grant, OAuthClient};
use super::net::{Net, host_of, may_be_opened};
use crate::http::is_here;

const CLIENT_NAME: &str = "Guild Hall";
/// Limit of the sign-in address, in bytes.
const ADDRESS_MAX: usize = 16 << 10;
/// Limit of the requested scopes.
const SCOPES_MAX: usize = 200;

/// How long the sign-in waits for the browser's redirect.
const BROWSER_WAIT: Duration = Duration::from_secs(5 * 60);

/// The endpoints of an authorization server that publishes no metadata. The manifest names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInEndpoints {
    /// The address of the sign-in page.
    pub authorization: String,
    /// The address that issues tokens.
    pub token: String,
    /// The address that registers clients, if any.
    pub registration: Option<String>,
    /// The address that issues codes for a sign-in on another device, if any.
    pub device_authorization: Option<String>,
}

impl SignInEndpoints {
    pub(super) fn metadata(&self) -> AuthorizationMetadata {
        let mut metadata = AuthorizationMetadata::default();
        metadata.authorization_endpoint = self.authorization.clone();
        metadata.token_endpoint = self.token.clone();
        metadata.registration_endpoint = self.registration.clone();
        metadata.code_challenge_methods_supported = Some(vec!["S256".to_owned()]);
        if let Some(device) = &self.device_authorization {
            let fields = &mut metadata.additional_fields;
            fields.insert(device::ENDPOINT.to_owned(), device.clone().into());
        }
        metadata
    }
}

/// The server and the OAuth client of a sign-in, with its options.
#[derive(Clone, Default)]
pub struct SignIn {
    /// The member's address.
    pub url: String,
    /// The challenge with which the server rejected a request.
    pub challenge: Option<String>,
    /// The id of a manually registered client, if any.
    pub client_id: Option<String>,
    /// The secret of that client, if any.
    pub client_secret: Option<String>,
    /// The authorization server that has received the secret at an earlier sign-in. No other
    /// authorization server may receive it.
    pub bond: Option<Bond>,
    /// The address of a client metadata document, which identifies the client at authorization
    /// servers that support this.
    pub client_document: Option<String>,
    /// The scopes to request. If empty, the scopes that the server names are requested.
    pub scopes: Vec<String>,
    /// The port for the redirect, if the client was registered with a fixed one.
    pub redirect_port: Option<u16>,
    /// The endpoints, for an authorization server without metadata.
    pub endpoints: Option<SignInEndpoints>,
    /// Whether to use a code that a person enters on any device, instead of the browser's redirect.
    pub device: bool,
    /// Whether to use the proxies that the environment and the system configure.
    pub proxies: bool,
}

/// Prints only the scopes, because the other fields may be secret.
impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn")
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A sign-in that waits for a person.
pub struct PendingSignIn {
    /// The sign-in address. The caller opens it.
    pub address: String,
    /// The host and port of the sign-in address.
    pub host: String,
    /// The issuer identifier of the authorization server, if known.
    pub issuer: Option<String>,
    /// The requested scopes.
    pub scopes: Vec<String>,
    /// The code that a person enters at the address. `None` if the sign-in waits for the browser's
    /// redirect.
    pub user_code: Option<String>,
    /// Whether the authorization server supports a sign-in with a code.
    pub offers_code: bool,
    /// How long the sign-in waits for the person.
    pub lasts: Duration,
    asked: SignIn,
    client: OAuthClient,
    metadata: AuthorizationMetadata,
    net: Arc<Net>,
    flow: SignInFlow,
}

enum SignInFlow {
    Browser(Box<BrowserFlow>),
    Device(DeviceSignIn),
}

struct BrowserFlow {
    state: String,
    manager: AuthorizationManager,
    kept: InMemoryCredentialStore,
    callback: Callback,
}

impl fmt::Debug for PendingSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingSignIn")
            .field("host", &self.host)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// The error if an authorization server's metadata is not at the address that its issuer identifier
/// requires.
pub(super) const MISPLACED: &str =
    "the authorization server's metadata is at an unexpected address, so it can't be trusted";

/// Returns rmcp's authorization manager for a member's address, with a store for its tokens and the
/// sender of its requests.
pub(super) async fn manager(
    url: &str,
    proxies: bool,
) -> Result<(AuthorizationManager, InMemoryCredentialStore, Arc<Net>), SignInError> {
    let member = Url::parse(url).map_err(|error| {
        SignInError::Undiscovered(format!("the address is not valid ({error})"))
    })?;
    if member.scheme() != "https" && !is_here(&member) {
        let why = "the member is reached over plain http, where anybody on the way could read a \
                   token";
        return Err(SignInError::Unsafe(why.to_owned()));
    }
    let net = Net::of(&member, proxies).await;
    let net = Arc::new(net.map_err(|error| SignInError::Undiscovered(error.to_string()))?);
    let manager = AuthorizationManager::new_with_oauth_http_client(url, net.clone()).await;
    let mut manager = manager.map_err(|error| of_discovery(&error))?;
    let kept = InMemoryCredentialStore::new();
    manager.set_credential_store(kept.clone());
    Ok((manager, kept, net))
}

/// Discovers the authorization server, registers a client if necessary, and builds the sign-in
/// address.
///
/// # Errors
/// When no usable authorization server is found, the client can't be registered or may not send its
/// secret there, or the redirect's port can't be opened. Nothing was shown to a person yet.
pub async fn begin(asked: SignIn) -> Result<PendingSignIn, SignInError> {
    let (mut manager, kept, net) = manager(&asked.url, asked.proxies).await?;
    let (metadata, guessed) = match &asked.endpoints {
        Some(endpoints) => (endpoints.metadata(), false),
        None => {
            let found = manager
                .resolve_metadata_from_challenge(asked.challenge.as_deref())
                .await
                .map_err(|error| of_discovery(&error))?;
            let guessed = found.source == AuthorizationMetadataSource::LegacyEndpointFallback;
            if !guessed && !net.is_described_by_itself() {
                return Err(SignInError::Unsafe(MISPLACED.to_owned()));
            }
            (found.metadata, guessed)
        }
    };
    check_metadata(&metadata, guessed, &asked.url)?;
    check_bond(&asked, metadata.issuer.as_deref())?;
    manager.set_metadata(metadata.clone());

    let scopes = match asked.scopes.as_slice() {
        [] => manager.select_initial_scopes(&[]).await,
        wanted => with_offline_access(wanted, &metadata),
    };
    let scopes: Vec<String> = scopes.into_iter().take(SCOPES_MAX).collect();
    let scope_refs: Vec<&str> = scopes.iter().map(String::as_str).collect();

    let document = asked.client_document.clone();
    let document = document.filter(|_| flag(&metadata, "client_id_metadata_document_supported"));
    let known = match (asked.client_id.clone(), document) {
        (Some(id), _) => Some((id, ClientFrom::Manifest)),
        (None, Some(id)) => Some((id, ClientFrom::Document)),
        (None, None) => None,
    };
    let place = device::endpoint(&metadata);
    let offers_code = place.is_some();
    if asked.device {
        let Some(place) = place else {
            let why = "the authorization server offers no code for other devices".to_owned();
            return Err(SignInError::Undiscovered(why));
        };
        may_be_opened(&place, &asked.url).map_err(SignInError::Unsafe)?;
        let client = match known {
            Some((id, from)) => OAuthClient {
                id,
                secret: None,
                from,
            },
            None => device::register(&net, &metadata, CLIENT_NAME).await?,
        };
        let flow = DeviceSignIn::begin(&net, &place, &asked, &client, &scopes).await?;
        let parsed = Url::parse(&flow.address);
        let parsed = parsed.map_err(|error| SignInError::Unsafe(error.to_string()))?;
        return Ok(PendingSignIn {
            host: host_of(&parsed),
            issuer: metadata.issuer.clone(),
            address: flow.address.clone(),
            user_code: Some(flow.user_code.clone()),
            offers_code,
            lasts: flow.lasts,
            asked,
            scopes,
            client,
            metadata,
            net,
            flow: SignInFlow::Device(flow),
        });
    }

    let callback = Callback::open(asked.redirect_port).await?;
    let redirect = callback.redirect_uri();
    let client = match known {
        Some((id, from)) => {
            let mut config = OAuthClientConfig::new(&id, &redirect).with_scopes(scopes.clone());
            let by_hand = from == ClientFrom::Manifest;
            if let Some(secret) = asked.client_secret.as_ref().filter(|_| by_hand) {
                config = config.with_client_secret(secret.clone());
            }
            manager
                .configure_client(config)
                .map_err(|error| of_discovery(&error))?;
            // The grant does not contain this secret, because the manifest refers to it.
            let secret = None;
            OAuthClient { id, secret, from }
        }
        None => {
            let registered = manager
                .register_client(CLIENT_NAME, &redirect, &scope_refs)
                .await
                .map_err(|error| match guessed {
                    true => SignInError::Undiscovered(format!(
                        "the server names no authorization server, and is not one itself ({})",
                        describe(&error)
                    )),
                    false => SignInError::Unregistered(describe(&error)),
                })?;
            OAuthClient {
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
        let why = "the address of the sign-in page is too long to open".to_owned();
        return Err(SignInError::Unsafe(why));
    }
    may_be_opened(&address, &asked.url).map_err(SignInError::Unsafe)?;
    let parsed = Url::parse(&address).map_err(|error| SignInError::Unsafe(error.to_string()))?;
    let state = parsed
        .query_pairs()
        .find(|(key, _)| key == "state")
        .map(|(_, state)| state.into_owned())
        .ok_or_else(|| SignInError::Unsafe("the address has no state".to_owned()))?;
    Ok(PendingSignIn {
        host: host_of(&parsed),
        issuer: metadata.issuer.clone(),
        user_code: None,
        offers_code,
        lasts: BROWSER_WAIT,
        asked,
        address,
        scopes,
        client,
        metadata,
        net,
        flow: SignInFlow::Browser(Box::new(BrowserFlow {
            state,
            manager,
            kept,
            callback,
        })),
    })
}

/// Checks that the authorization server can be used, and that requests to its endpoints are
/// allowed.
fn check_metadata(
    metadata: &AuthorizationMetadata,
    guessed: bool,
    url: &str,
) -> Result<(), SignInError> {
    let methods = metadata.code_challenge_methods_supported.as_deref();
    let proves = methods.is_some_and(|methods| methods.iter().any(|method| method == "S256"));
    if !proves && !guessed {
        let why = "it doesn't declare that it checks who exchanges the code (PKCE with S256)";
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

/// Checks whether this authorization server may receive the client's secret. Only the authorization
/// server that received the secret first may receive it, and not another one that the MCP server
/// names later.
fn check_bond(asked: &SignIn, issuer: Option<&str>) -> Result<(), SignInError> {
    let Some(bond) = asked.bond.as_ref().filter(|bond| bond.holds_for(asked)) else {
        return Ok(());
    };
    if bond.issuer.as_deref() == issuer {
        return Ok(());
    }
    let named =
        |issuer: Option<&str>| issuer.map_or("an unnamed authorization server".to_owned(), clean);
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

/// Returns the address of the metadata from the server's challenge. It is stored, because a renewal
/// needs the address and gets no challenge.
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

/// Adds the scope with which refresh tokens are requested, if the server supports it.
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

impl PendingSignIn {
    /// Waits for the person, and gets the tokens. `stray` receives the number of redirects that
    /// belong to other sign-ins. `taken` is called when the redirect of this sign-in has arrived
    /// with its code, or when the tokens of a sign-in on another device were issued. `pasted`
    /// supplies the addresses that a person pastes.
    ///
    /// # Errors
    /// When no tokens were issued.
    pub async fn finish(
        self,
        stray: &(dyn Fn(u32) + Send + Sync),
        taken: &(dyn Fn() + Send + Sync),
        pasted: mpsc::Receiver<PastedAnswer>,
    ) -> Result<Grant, SignInError> {
        let Self {
            asked,
            client,
            metadata,
            net,
            scopes,
            flow,
            ..
        } = self;
        let revocation_endpoint = revocation(&metadata, &net);
        let grant = match flow {
            SignInFlow::Browser(flow) => {
                let stored = flow.tokens(&metadata, stray, taken, pasted).await?;
                Grant::of(&stored, &asked.url, client, revocation_endpoint)
                    .map_err(|why| SignInError::Untokened(clean(&why)))?
            }
            SignInFlow::Device(flow) => {
                let tokens = flow.tokens(&net, &metadata, &asked, &client).await?;
                taken();
                device::grant_of(
                    tokens,
                    &asked,
                    &metadata,
                    client,
                    scopes,
                    revocation_endpoint,
                )?
            }
        };
        Ok(Grant {
            described_at: described_at(asked.challenge.as_deref(), &asked.url),
            token_endpoint: asked.endpoints.map(|endpoints| endpoints.token),
            ..grant
        })
    }
}

impl BrowserFlow {
    /// Waits for the redirect, and exchanges its code for tokens.
    async fn tokens(
        self,
        metadata: &AuthorizationMetadata,
        stray: &(dyn Fn(u32) + Send + Sync),
        taken: &(dyn Fn() + Send + Sync),
        pasted: mpsc::Receiver<PastedAnswer>,
    ) -> Result<StoredCredentials, SignInError> {
        let answer = self.callback.answer(&self.state, stray, pasted).await?;
        let code = answer.outcome.map_err(|outcome| {
            let issuer = answer.issuer.as_deref();
            let sends = flag(metadata, "authorization_response_iss_parameter_supported");
            refusal(outcome, issuer, metadata.issuer.as_deref(), sends)
        })?;
        taken();
        let exchanged = self
            .manager
            .exchange_code_for_token_with_issuer(&code, &self.state, answer.issuer.as_deref())
            .await;
        exchanged.map_err(|error| match of_exchange(&error) {
            // The code must not be shown, even if it is invalid.
            SignInError::Untokened(outcome) if outcome.contains(&code) => {
                let why =
                    "the authorization server refused the code, and its message repeats the code"
                        .to_owned();
                SignInError::Untokened(why)
            }
            error => error,
        })?;
        let stored = self
            .kept
            .load()
            .await
            .map_err(|error| of_exchange(&error))?;
        stored.ok_or_else(|| SignInError::Untokened("none came".to_owned()))
    }
}

/// Checks that a refusal comes from the expected issuer, so that another authorization server can't
/// refuse in its name (RFC 9207).
fn refusal(
    outcome: String,
    issuer: Option<&str>,
    expected: Option<&str>,
    sends_issuer: bool,
) -> SignInError {
    let is_its_own = match issuer {
        Some(issuer) => expected == Some(issuer),
        None => !sends_issuer,
    };
    match is_its_own {
        true => SignInError::Refused(outcome),
        false => {
            SignInError::Answer("it is a refusal from another authorization server".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_secret_goes_to_its_first_server_only() {
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
            let outcome = refused.to_string();
            assert!(outcome.contains("https://sign.example"), "{outcome}");
        }
        // The bond does not apply to another client, to another address, or if there is no secret.
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
    fn refusal_repeats_only_the_asked_servers_words() {
        let of = |issuer, expected, sends_issuer| {
            refusal("no".to_owned(), issuer, expected, sends_issuer)
        };
        let (own, other) = (Some("https://a.example"), Some("https://b.example"));
        for describe in [
            of(own, own, true),
            of(own, own, false),
            of(None, own, false),
        ] {
            assert_eq!(describe, SignInError::Refused("no".to_owned()));
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
