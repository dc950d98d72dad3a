//! Accepts connections, answers their requests, and ends them.

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
use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::answer::{GatewayResponseBody, Responder};
use super::directory::Directory;
use super::door::{GatewayServer, HttpRejection};
use super::line::{ConnectionState, ConnectionStream};
use super::options::ServeOptions;
use super::security::{ResponseFormats, accepts, is_json};
use super::session::GatewaySession;

/// How long an unauthenticated connection may stay once the limit of connections is reached.
const UNAUTHENTICATED_GRACE: Duration = Duration::from_secs(1);

/// Serves agents on `listener` until `stop` is cancelled. Then running work is notified that the
/// gateway ends. All connections are closed when this returns, at most [`ServeOptions::stop_limit`]
/// later. Dropping the future closes all connections at once.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    listener: TcpListener,
    directory: Arc<dyn Directory>,
    options: ServeOptions,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let gate = Arc::new(GatewayServer::new(directory, options, address));
    let mut lines: Vec<Arc<ConnectionState>> = Vec::new();
    let mut tasks = JoinSet::new();
    let mut look = tokio::time::interval(between_looks(&gate.options));
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let options = &gate.options;
                    let foreign = options.foreign_user.and_then(|find| find(peer, address));
                    // A connection above the limit is closed at once, so that the others continue.
                    if admits(&lines, foreign, options) {
                        let line = ConnectionState::new(Arc::clone(&gate.unread)).of_user(foreign);
                        let line = Arc::new(line);
                        lines.push(Arc::clone(&line));
                        gate.unread.add(&line);
                        tasks.spawn(drive(Arc::clone(&gate), stream, line));
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
            _ = look.tick(), if !tasks.is_empty() || !gate.parking.is_empty() => {
                lines.retain(|line| Arc::strong_count(line) > 1);
                for line in &lines {
                    line.look(&gate.options);
                }
                gate.parking.sweep();
            }
        }
    }
    drop(listener);
    for line in &lines {
        line.stop();
    }
    let ended = async { while tasks.join_next().await.is_some() {} };
    let in_time = tokio::time::timeout(gate.options.stop_limit, ended).await;
    if in_time.is_err() {
        tasks.shutdown().await;
    }
    gate.parking.clear();
    Ok(())
}

/// Returns the interval of checks, short enough for the shortest limit.
fn between_looks(options: &ServeOptions) -> Duration {
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

/// Checks whether another connection is admitted. Other users may have only a few connections
/// without a valid token. If all places are taken, the oldest unauthenticated connection is ended.
fn admits(lines: &[Arc<ConnectionState>], foreign: Option<u32>, options: &ServeOptions) -> bool {
    let open = lines
        .iter()
        // The second reference belongs to the connection's task.
        .filter(|line| Arc::strong_count(line) > 1 && !line.is_over());
    if let Some(user) = foreign {
        let waiting = open
            .clone()
            .filter(|line| line.foreign.is_some() && line.unauthenticated_for().is_some());
        let (of_user_max, all_max) = options.foreign_max;
        let of_user = waiting.clone().filter(|line| line.foreign == Some(user));
        if of_user.count() >= of_user_max || waiting.count() >= all_max {
            return false;
        }
    }
    if open.clone().count() < options.connections_max {
        return true;
    }
    let waiting = open.filter_map(|line| Some((line.unauthenticated_for()?, line)));
    match waiting.max_by_key(|(since, _)| *since) {
        Some((since, line)) if since >= UNAUTHENTICATED_GRACE => {
            line.end();
            true
        }
        _ => false,
    }
}

/// Drives one connection to its end.
async fn drive(gate: Arc<GatewayServer>, stream: TcpStream, line: Arc<ConnectionState>) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection without TCP_NODELAY");
    }
    let service = service_fn(|request| Arc::clone(&gate).handle(Arc::clone(&line), request));
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_header_size(gate.options.head_max)
        .serve_connection(
            TokioIo::new(ConnectionStream::new(stream, Arc::clone(&line))),
            service,
        );
    let mut connection = pin!(connection);
    let mut told = false;
    poll_fn(|cx| {
        line.driven_by(cx.waker());
        if line.is_over() {
            return std::task::Poll::Ready(());
        }
        if line.stops() && !told {
            told = true;
            connection.as_mut().graceful_shutdown();
        }
        let polled = connection.as_mut().poll(cx);
        while let Some(exchange) = line.kept() {
            exchange.tell(&*gate.directory);
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
        line: Arc<ConnectionState>,
        request: Request<Incoming>,
    ) -> Result<Response<GatewayResponseBody>, Infallible> {
        line.is_busy();
        let (parts, body) = request.into_parts();
        let now = Instant::now();
        let entered = self.enter(&line, &parts, now);
        let responder = Responder(line);
        let known = match entered {
            Ok(known) => known,
            Err((status, why)) => {
                let mut refused = responder.refuse(status, why);
                if !parts.headers.contains_key(HOST) {
                    // A client that names no target can't keep a connection open.
                    let close = HeaderValue::from_static("close");
                    refused.headers_mut().insert(CONNECTION, close);
                }
                return Ok(refused);
            }
        };
        // Work that continues after this answer holds the session itself.
        let _used = known.session.as_ref().map(GatewaySession::hold);
        Ok(match parts.method {
            Method::POST => {
                let takes = accepts(&parts.headers);
                let body = match self.body(&parts, takes, body).await {
                    Ok(body) => body,
                    Err((status, why)) => return Ok(responder.refuse(status, why)),
                };
                self.post(responder, known, &parts.headers, body, (takes, now))
                    .await
            }
            Method::GET => self.listen(responder, &known, &parts.headers),
            Method::DELETE => self.delete(&responder, &known),
            _ => responder.not_allowed("GET, POST, DELETE"),
        })
    }

    /// Reads a request's body, if the headers are valid.
    async fn body(
        &self,
        parts: &Parts,
        takes: ResponseFormats,
        body: Incoming,
    ) -> Result<Bytes, HttpRejection> {
        if !takes.json && !takes.events {
            return Err((
                StatusCode::NOT_ACCEPTABLE,
                "Answers are application/json or text/event-stream; accept both.",
            ));
        }
        if !is_json(&parts.headers) {
            return Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type is application/json.",
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
