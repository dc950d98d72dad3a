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

use super::directory::{Directory, GatewayClient, GatewayRequestContext, ListChangeCounts};
use super::line::ConnectionState;
use super::options::ServeOptions;
use super::parked::Parking;
use super::security::{AllowedHosts, Bucket, Buckets, Token, token};
use super::session::{GatewaySession, Sessions};
use super::unread::Unread;

/// The header with the session id.
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the protocol version.
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The gateway's state, shared by all connections.
pub(super) struct GatewayServer {
    pub(super) directory: Arc<dyn Directory>,
    pub(super) options: ServeOptions,
    pub(super) sessions: Sessions,
    pub(super) parking: Parking,
    pub(super) unread: Arc<Unread>,
    pub(super) changes: watch::Receiver<ListChangeCounts>,
    names: AllowedHosts,
    buckets: Buckets,
}

/// Client and target of a connection's last request. The next request of the same client to the
/// same target needs no lookup.
#[derive(Debug)]
pub(super) struct AuthContext {
    target: Option<PathAndQuery>,
    authorization: Option<HeaderValue>,
    session_id: Option<HeaderValue>,
    pub(super) visit: Arc<GatewayRequestContext>,
    /// The session, if the request names one.
    pub(super) session: Option<Arc<GatewaySession>>,
    bucket: Arc<Bucket>,
}

/// A rejection by the HTTP layer.
pub(super) type HttpRejection = (StatusCode, &'static str);

/// Returns the only value of a header. A duplicate header is an error.
pub(super) fn only<'a>(
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
        directory: Arc<dyn Directory>,
        options: ServeOptions,
        address: SocketAddr,
    ) -> Self {
        Self {
            sessions: Sessions::new(options.sessions_max, options.session_idle),
            parking: Parking::new(
                options.parked_max,
                options.parked_of_client_max,
                options.answer_limit,
            ),
            unread: Arc::new(Unread::up_to(options.unread_max)),
            changes: directory.changes(),
            names: AllowedHosts::of(address, &options.origins),
            buckets: Buckets::new(options.rate),
            directory,
            options,
        }
    }

    /// Admits a request, or returns the reason for its rejection.
    pub(super) fn enter(
        &self,
        line: &Arc<ConnectionState>,
        request: &Parts,
        now: Instant,
    ) -> Result<Arc<AuthContext>, HttpRejection> {
        let authority = request.uri.authority().map(http::uri::Authority::as_str);
        self.names.check(&request.headers, authority)?;
        let known = match self.known(line, request)? {
            Some(known) => known,
            None => self.look_up(line, request, now)?,
        };
        if !known.bucket.take(now) {
            return Err((
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests in a short time.",
            ));
        }
        if let Some(session) = &known.session {
            session.touch(now);
        }
        Ok(known)
    }

    /// Returns the cached context if this request has the same client and target as the last one.
    fn known(
        &self,
        line: &ConnectionState,
        request: &Parts,
    ) -> Result<Option<Arc<AuthContext>>, HttpRejection> {
        let known = line.known.lock();
        let Some(known) = known.clone() else {
            return Ok(None);
        };
        let headers = &request.headers;
        let client = &known.visit.client;
        let same = request.uri.path_and_query() == known.target.as_ref()
            && only(headers, &AUTHORIZATION)? == known.authorization.as_ref()
            && only(headers, &SESSION)? == known.session_id.as_ref()
            && !client.revoked.is_cancelled()
            && !known.session.as_ref().is_some_and(|it| it.is_over())
            // A client without a token is no longer admitted once tokens are required.
            && (known.authorization.is_some() || self.directory.client(None).is_some())
            && self.is_there(&known.visit.endpoint);
        Ok(same.then_some(known))
    }

    fn is_there(&self, endpoint: &Endpoint) -> bool {
        *endpoint == Endpoint::All || self.directory.has(endpoint)
    }

    fn client(&self, headers: &HeaderMap) -> Option<GatewayClient> {
        match token(headers) {
            Token::None => self.directory.client(None),
            Token::Bearer(token) => self.directory.client(Some(token)),
            Token::Unreadable => None,
        }
        .filter(|client| !client.revoked.is_cancelled())
    }

    fn look_up(
        &self,
        line: &ConnectionState,
        request: &Parts,
        now: Instant,
    ) -> Result<Arc<AuthContext>, HttpRejection> {
        const NO_SESSION: HttpRejection =
            (StatusCode::NOT_FOUND, "Unknown session; initialize again.");
        let headers = &request.headers;
        let client = self.client(headers).ok_or((
            StatusCode::UNAUTHORIZED,
            "Missing or invalid bearer token.",
        ))?;
        let endpoint = match Endpoint::parse(request.uri.path()) {
            Some(Ok(endpoint)) if self.is_there(&endpoint) => endpoint,
            _ => return Err((StatusCode::NOT_FOUND, "Unknown endpoint.")),
        };
        let (listing, raw_schemas) = asked_for(request.uri.query())?;
        let session_id = only(headers, &SESSION)?;
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
        let known = Arc::new(AuthContext {
            target: request.uri.path_and_query().cloned(),
            authorization: only(headers, &AUTHORIZATION)?.cloned(),
            session_id: session_id.cloned(),
            bucket: self.buckets.of(client.id.as_ref()),
            visit: Arc::new(GatewayRequestContext {
                client,
                calls_itself: session
                    .as_ref()
                    .map(|session| Arc::clone(&session.calls_itself))
                    .unwrap_or_default(),
                endpoint,
                listing,
                raw_schemas,
            }),
            session,
        });
        *line.known.lock() = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// Reads `?mode=` and `?schemas=`.
fn asked_for(query: Option<&str>) -> Result<(Option<Listing>, bool), HttpRejection> {
    let (mut listing, mut raw_schemas) = (None, false);
    for pair in query.unwrap_or_default().split('&') {
        if let Some(mode) = pair.strip_prefix("mode=") {
            let read = Listing::parse(mode).ok_or((
                StatusCode::BAD_REQUEST,
                "mode is one of lazy, full and search.",
            ))?;
            listing = Some(read);
        }
        if let Some(schemas) = pair.strip_prefix("schemas=") {
            raw_schemas = match schemas {
                "raw" => true,
                "strict" => false,
                _ => {
                    let why = "schemas is one of raw and strict.";
                    return Err((StatusCode::BAD_REQUEST, why));
                }
            };
        }
    }
    Ok((listing, raw_schemas))
}
