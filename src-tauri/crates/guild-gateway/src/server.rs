//! The gateway's state, and the admission of requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use guild_model::endpoint::{Endpoint, Listing};
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::sync::watch;

use super::backend::{
    GatewayBackend, GatewayClient, GatewayRequestContext, ListChangeCounts, TrafficExchange,
};
use super::connection::ConnectionState;
use super::options::ServeOptions;
use super::security::{AllowedHosts, Token, TokenBucket, TokenBuckets, token};
use super::session::{GatewaySession, Sessions};
use super::suspended::SuspendedCalls;
use super::unread::Unread;

/// The header with the session id.
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the protocol version.
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The gateway's state, shared by all connections.
pub(super) struct GatewayServer {
    pub(super) backend: Arc<dyn GatewayBackend>,
    pub(super) options: ServeOptions,
    pub(super) sessions: Sessions,
    pub(super) suspended: SuspendedCalls,
    pub(super) unread: Arc<Unread>,
    pub(super) changes: watch::Receiver<ListChangeCounts>,
    allowed_hosts: AllowedHosts,
    buckets: TokenBuckets,
}

/// The client and the target of a connection's last request. If the next request has the same
/// client and target, it needs no lookup.
#[derive(Debug)]
pub(super) struct AuthContext {
    target: Option<PathAndQuery>,
    authorization: Option<HeaderValue>,
    session_id: Option<HeaderValue>,
    pub(super) context: Arc<GatewayRequestContext>,
    /// The session, if the request names one.
    pub(super) session: Option<Arc<GatewaySession>>,
    bucket: Arc<TokenBucket>,
}

/// A rejection by the HTTP layer.
pub(super) type HttpRejection = (StatusCode, &'static str);

/// The reason that a request is not admitted.
pub(super) enum AdmissionError {
    Rejected(HttpRejection),
    /// The client's token is not accepted at the endpoint.
    Forbidden(String),
}

impl From<HttpRejection> for AdmissionError {
    fn from(rejection: HttpRejection) -> Self {
        Self::Rejected(rejection)
    }
}

/// Returns the only value of a header. A duplicate header is an error.
pub(super) fn single_header<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a HeaderValue>, HttpRejection> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err((StatusCode::BAD_REQUEST, "Duplicate header."));
    }
    Ok(value)
}

impl GatewayServer {
    pub(super) fn new(
        backend: Arc<dyn GatewayBackend>,
        options: ServeOptions,
        address: SocketAddr,
    ) -> Self {
        Self {
            sessions: Sessions::new(options.sessions_max, options.session_idle),
            suspended: SuspendedCalls::new(
                options.suspended_max,
                options.suspended_of_client_max,
                options.answer_limit,
            ),
            unread: Arc::new(Unread::up_to(options.unread_max, options.unread_stall)),
            changes: backend.changes(),
            allowed_hosts: AllowedHosts::of(address, &options.origins),
            buckets: TokenBuckets::new(options.rate),
            backend,
            options,
        }
    }

    /// Admits a request, or returns the reason for its rejection.
    pub(super) fn admit(
        &self,
        connection: &Arc<ConnectionState>,
        request: &Parts,
        now: Instant,
    ) -> Result<Arc<AuthContext>, AdmissionError> {
        let authority = request.uri.authority().map(http::uri::Authority::as_str);
        self.allowed_hosts.check(&request.headers, authority)?;
        let auth = match self.cached_auth(connection, request)? {
            Some(auth) => auth,
            None => self.authenticate(connection, request, now)?,
        };
        if !auth.bucket.take(now) {
            let why = "Too many requests in a short time.";
            return Err((StatusCode::TOO_MANY_REQUESTS, why).into());
        }
        if let Some(session) = &auth.session {
            session.touch(now);
        }
        Ok(auth)
    }

    /// Returns the cached context, if this request has the same client and target as the
    /// connection's last request.
    fn cached_auth(
        &self,
        connection: &ConnectionState,
        request: &Parts,
    ) -> Result<Option<Arc<AuthContext>>, HttpRejection> {
        let auth = connection.auth.lock();
        let Some(auth) = auth.clone() else {
            return Ok(None);
        };
        let headers = &request.headers;
        let client = &auth.context.client;
        let same = request.uri.path_and_query() == auth.target.as_ref()
            && single_header(headers, &AUTHORIZATION)? == auth.authorization.as_ref()
            && single_header(headers, &SESSION)? == auth.session_id.as_ref()
            && !client.revoked.is_cancelled()
            && !auth.session.as_ref().is_some_and(|it| it.is_over())
            // If a token becomes required, a client without a token is no longer admitted.
            && (auth.authorization.is_some() || self.backend.client(None).is_some())
            && self.exists(&auth.context.endpoint);
        Ok(same.then_some(auth))
    }

    fn exists(&self, endpoint: &Endpoint) -> bool {
        *endpoint == Endpoint::All || self.backend.has(endpoint)
    }

    fn client(&self, headers: &HeaderMap) -> Option<GatewayClient> {
        match token(headers) {
            Token::None => self.backend.client(None),
            Token::Bearer(token) => self.backend.client(Some(token)),
            Token::Unreadable => None,
        }
        .filter(|client| !client.revoked.is_cancelled())
    }

    /// Checks that a client may use an endpoint. Records a rejection for the traffic view.
    fn admit_at(
        &self,
        client: GatewayClient,
        endpoint: &Endpoint,
        request: &Parts,
        now: Instant,
    ) -> Result<GatewayClient, AdmissionError> {
        self.backend.admit(client.clone(), endpoint).map_err(|why| {
            let context = GatewayRequestContext {
                client,
                calls_itself: Arc::default(),
                endpoint: endpoint.clone(),
                listing: None,
                shows_apps: false,
                raw_schemas: false,
                session: None,
            };
            let refused = TrafficExchange {
                // The body is not read, so the JSON-RPC method is unknown.
                method: request.method.as_str(),
                subject: None,
                params: None,
                answer: Err(&why),
                duration: now.elapsed(),
                request_bytes: 0,
            };
            self.backend.record(&context, refused);
            AdmissionError::Forbidden(why)
        })
    }

    fn authenticate(
        &self,
        connection: &ConnectionState,
        request: &Parts,
        now: Instant,
    ) -> Result<Arc<AuthContext>, AdmissionError> {
        const NO_SESSION: HttpRejection =
            (StatusCode::NOT_FOUND, "Unknown session; initialize again.");
        const NO_ENDPOINT: HttpRejection = (StatusCode::NOT_FOUND, "Unknown endpoint.");
        let headers = &request.headers;
        let client = self
            .client(headers)
            .ok_or((StatusCode::UNAUTHORIZED, "Missing or invalid bearer token."))?;
        let Some(Ok(endpoint)) = Endpoint::parse(request.uri.path()) else {
            return Err(NO_ENDPOINT.into());
        };
        // Checked before the endpoint's existence, so that a token that is bound to one endpoint
        // does not reveal which other endpoints exist.
        let client = self.admit_at(client, &endpoint, request, now)?;
        if !self.exists(&endpoint) {
            return Err(NO_ENDPOINT.into());
        }
        let (listing, raw_schemas) = query_options(request.uri.query())?;
        let session_id = single_header(headers, &SESSION)?;
        let session = match session_id {
            Some(id) => {
                let id = id.to_str().map_err(|_| NO_SESSION)?;
                let found = self.sessions.find(id, client.id.as_ref(), &endpoint, now);
                let found = found.or_else(|| {
                    let client = client.id.as_ref();
                    self.sessions.revive(id, client, &endpoint, now)
                });
                Some(found.ok_or(NO_SESSION)?)
            }
            None => None,
        };
        let auth = Arc::new(AuthContext {
            target: request.uri.path_and_query().cloned(),
            authorization: single_header(headers, &AUTHORIZATION)?.cloned(),
            session_id: session_id.cloned(),
            bucket: self.buckets.of(client.id.as_ref()),
            context: Arc::new(GatewayRequestContext {
                client,
                calls_itself: session
                    .as_ref()
                    .map(|session| Arc::clone(&session.handshake.calls_itself))
                    .unwrap_or_default(),
                endpoint,
                listing,
                shows_apps: session
                    .as_ref()
                    .is_some_and(|session| session.handshake.shows_apps),
                raw_schemas,
                session: session.as_ref().map(|session| Arc::clone(&session.digest)),
            }),
            session,
        });
        *connection.auth.lock() = Some(Arc::clone(&auth));
        Ok(auth)
    }
}

/// Reads the parameters `mode` and `schemas` of a query.
fn query_options(query: Option<&str>) -> Result<(Option<Listing>, bool), HttpRejection> {
    let (mut listing, mut raw_schemas) = (None, false);
    for pair in query.unwrap_or_default().split('&') {
        if let Some(mode) = pair.strip_prefix("mode=") {
            let read = Listing::parse(mode).ok_or((
                StatusCode::BAD_REQUEST,
                "mode must be lazy, full or search.",
            ))?;
            listing = Some(read);
        }
        if let Some(schemas) = pair.strip_prefix("schemas=") {
            raw_schemas = match schemas {
                "raw" => true,
                "strict" => false,
                _ => {
                    let why = "schemas must be raw or strict.";
                    return Err((StatusCode::BAD_REQUEST, why));
                }
            };
        }
    }
    Ok((listing, raw_schemas))
}
