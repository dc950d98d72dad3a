//! Accepts connections, answers their requests, and closes them.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use guild_model::messages::io_message;
use http::header::{CONNECTION, HOST};
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::answer::{GatewayResponse, Responder};
use super::backend::GatewayBackend;
use super::connection::{ConnectionState, ConnectionStream};
use super::options::ServeOptions;
use super::security::{ResponseFormats, accepts, is_json};
use super::server::{AdmissionError, GatewayServer, HttpRejection};
use super::session::GatewaySession;

/// How long a connection may stay open without an admitted request, once the limit of connections
/// is reached.
const UNAUTHENTICATED_GRACE: Duration = Duration::from_secs(1);

/// Serves agents on `listener` until `stop` is cancelled. Running work is then notified that the
/// gateway is stopping. This function returns after all connections are closed, at most
/// [`ServeOptions::stop_limit`] later. Dropping the future closes all connections at once.
///
/// # Errors
/// When the listener's address can't be determined.
pub async fn serve(
    listener: TcpListener,
    backend: Arc<dyn GatewayBackend>,
    options: ServeOptions,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let server = Arc::new(GatewayServer::new(backend, options, address));
    let mut connections: Vec<Arc<ConnectionState>> = Vec::new();
    let mut tasks = JoinSet::new();
    let mut checks = tokio::time::interval(check_interval(&server.options));
    checks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let options = &server.options;
                    let foreign = options.foreign_user.and_then(|find| find(peer, address));
                    // A connection above the limit is closed at once, so that existing connections
                    // continue.
                    if admits(&connections, foreign, options) {
                        let connection = ConnectionState::new(Arc::clone(&server.unread)).of_user(foreign);
                        let connection = Arc::new(connection);
                        connections.push(Arc::clone(&connection));
                        server.unread.add(&connection);
                        tasks.spawn(drive(Arc::clone(&server), stream, connection));
                    }
                }
                Err(error) => {
                    let error = io_message(&error);
                    tracing::warn!(error, "no connection was accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(ended) = tasks.join_next(), if !tasks.is_empty() => {
                if let Err(error) = ended {
                    tracing::error!(%error, "a connection's task ended badly");
                }
            }
            // Without connections, there is nothing to check.
            _ = checks.tick(), if !tasks.is_empty() || !server.suspended.is_empty() => {
                connections.retain(|connection| Arc::strong_count(connection) > 1);
                for connection in &connections {
                    connection.check(&server.options);
                }
                server.suspended.sweep();
            }
        }
    }
    drop(listener);
    for connection in &connections {
        connection.stop();
    }
    let ended = async { while tasks.join_next().await.is_some() {} };
    let in_time = tokio::time::timeout(server.options.stop_limit, ended).await;
    if in_time.is_err() {
        tasks.shutdown().await;
    }
    server.suspended.clear();
    Ok(())
}

/// Returns the interval of the connection checks, which is short enough for the shortest limit.
fn check_interval(options: &ServeOptions) -> Duration {
    [
        options.head_limit,
        options.idle_limit,
        options.unread_limit,
        options.keep_alive,
    ]
    .into_iter()
    .map(|limit| limit / 4)
    .fold(options.answer_limit, Duration::min)
    .max(Duration::from_millis(5))
}

/// Checks whether a new connection is admitted. Processes of other users may have only a few
/// connections without a valid token. If the limit of connections is reached, the oldest connection
/// without an admitted request is ended.
fn admits(
    connections: &[Arc<ConnectionState>],
    foreign: Option<u32>,
    options: &ServeOptions,
) -> bool {
    let open = connections
        .iter()
        // The second reference belongs to the connection's task.
        .filter(|connection| Arc::strong_count(connection) > 1 && !connection.is_over());
    if let Some(user) = foreign {
        let waiting = open.clone().filter(|connection| {
            connection.foreign.is_some() && connection.unauthenticated_for().is_some()
        });
        let (of_user_max, all_max) = options.foreign_max;
        let of_user = waiting
            .clone()
            .filter(|connection| connection.foreign == Some(user));
        if of_user.count() >= of_user_max || waiting.count() >= all_max {
            return false;
        }
    }
    if open.clone().count() < options.connections_max {
        return true;
    }
    let waiting =
        open.filter_map(|connection| Some((connection.unauthenticated_for()?, connection)));
    match waiting.max_by_key(|(since, _)| *since) {
        Some((since, connection)) if since >= UNAUTHENTICATED_GRACE => {
            connection.end();
            true
        }
        _ => false,
    }
}

/// Runs one connection to its end.
async fn drive(server: Arc<GatewayServer>, stream: TcpStream, connection: Arc<ConnectionState>) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection without TCP_NODELAY");
    }
    let service =
        service_fn(|request| Arc::clone(&server).handle(Arc::clone(&connection), request));
    let serving = http1::Builder::new()
        .header_read_timeout(None)
        .max_header_size(server.options.head_max)
        .serve_connection(
            TokioIo::new(ConnectionStream::new(stream, Arc::clone(&connection))),
            service,
        );
    let mut serving = pin!(serving);
    let mut is_draining = false;
    poll_fn(|cx| {
        connection.set_task(cx.waker());
        if connection.is_over() {
            return std::task::Poll::Ready(());
        }
        if connection.is_stopping() && !is_draining {
            is_draining = true;
            serving.as_mut().graceful_shutdown();
        }
        let polled = serving.as_mut().poll(cx);
        while let Some(exchange) = connection.next_exchange() {
            exchange.report(&*server.backend);
        }
        polled.map(|ended| {
            if let Err(error) = ended {
                tracing::trace!(%error, "a connection broke off");
            }
        })
    })
    .await;
}

impl GatewayServer {
    /// Answers one request.
    async fn handle(
        self: Arc<Self>,
        connection: Arc<ConnectionState>,
        request: Request<Incoming>,
    ) -> Result<GatewayResponse, Infallible> {
        connection.set_busy();
        let (parts, body) = request.into_parts();
        let now = Instant::now();
        let admitted = self.admit(&connection, &parts, now);
        let responder = Responder { connection };
        let auth = match admitted {
            Ok(auth) => auth,
            Err(AdmissionError::Forbidden(why)) => {
                return Ok(responder.refuse(StatusCode::FORBIDDEN, &why));
            }
            Err(AdmissionError::Rejected((status, why))) => {
                let mut refused = responder.refuse(status, why);
                if !parts.headers.contains_key(HOST) {
                    // A client that does not request a valid endpoint can't keep a connection open.
                    let close = HeaderValue::from_static("close");
                    refused.headers_mut().insert(CONNECTION, close);
                }
                return Ok(refused);
            }
        };
        // Work that continues after this answer holds its own reference to the session.
        let _used = auth.session.as_ref().map(GatewaySession::hold);
        Ok(match parts.method {
            Method::POST => {
                let formats = accepts(&parts.headers);
                let body = match self.body(&parts, formats, body).await {
                    Ok(body) => body,
                    Err((status, why)) => return Ok(responder.refuse(status, why)),
                };
                self.post(responder, auth, &parts.headers, body, (formats, now))
                    .await
            }
            Method::GET => self.listen(responder, &auth, &parts.headers),
            Method::DELETE => self.delete(&responder, &auth),
            _ => responder.not_allowed("GET, POST, DELETE"),
        })
    }

    /// Reads a request's body, if the headers are valid.
    async fn body(
        &self,
        parts: &Parts,
        formats: ResponseFormats,
        body: Incoming,
    ) -> Result<Bytes, HttpRejection> {
        if !formats.json && !formats.events {
            return Err((
                StatusCode::NOT_ACCEPTABLE,
                "Answers are application/json or text/event-stream; accept both.",
            ));
        }
        if !is_json(&parts.headers) {
            return Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type must be application/json.",
            ));
        }
        let collected = collect(body, self.options.body_max);
        match tokio::time::timeout(self.options.body_limit, collected).await {
            Ok(body) => body,
            Err(_) => Err((
                StatusCode::REQUEST_TIMEOUT,
                "The request's body took too long.",
            )),
        }
    }
}

/// Reads a body of at most `max` bytes. A body that is announced as larger is not read at all.
async fn collect(mut body: Incoming, max: usize) -> Result<Bytes, HttpRejection> {
    const TOO_LARGE: HttpRejection = (
        StatusCode::PAYLOAD_TOO_LARGE,
        "The request's body is too large.",
    );
    const BROKEN: HttpRejection = (StatusCode::BAD_REQUEST, "The request's body broke off.");
    let announced = body.size_hint();
    if announced.lower() > max as u64 {
        return Err(TOO_LARGE);
    }
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| BROKEN)?.into_data() else {
            continue;
        };
        if first.len() + rest.len() + data.len() > max {
            return Err(TOO_LARGE);
        }
        if first.is_empty() && rest.is_empty() {
            first = data;
            continue;
        }
        if rest.is_empty() {
            // Memory is reserved for received bytes only, not for the announced length.
            rest.reserve(first.len() * 2 + data.len());
            rest.extend_from_slice(&first);
            first = Bytes::new();
        }
        rest.extend_from_slice(&data);
    }
    Ok(if rest.is_empty() {
        first
    } else {
        rest.freeze()
    })
}
