//! Keep-alive connections to a server on this machine.
//!
//! A call is never sent twice, and the reuse of a connection must not change that. Before each
//! reuse, the operating system is asked whether the server has closed the connection. If so,
//! nothing was written to it yet, and a new connection is used. The same applies if hyper returns a
//! request unsent. Once a byte may have been written, the request fails with its connection and is
//! not repeated.
//!
//! The remaining risk is a server that closes the connection at the moment of the write. So an
//! unused connection is kept for only one second, which is far less than servers wait. If the
//! server announces a time of less than two seconds, half of that time applies. Once a server has
//! closed a kept connection, each later call opens a new connection.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::Poll;
use std::time::Duration;

use crate::messages::AnswerFault;
use bytes::Bytes;
use futures::FutureExt;
use http::{HeaderMap, Request, Response, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{self, Connection, SendRequest};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::PeerCheck;
use crate::error::McpError;
use crate::text;

/// How long an unused connection is kept open.
const IDLE_MAX: Duration = Duration::from_secs(1);
/// Limit of the kept connections.
const KEPT_MAX: usize = 64;
/// How long a stream may continue after the answer, before its connection is closed.
const REST_MAX: Duration = Duration::from_millis(50);

type Driver = Pin<Box<Connection<TokioIo<TcpStream>, Full<Bytes>>>>;

/// The kept connections to one server.
#[derive(Debug, Clone)]
pub(super) struct KeepAlivePool(Arc<KeepAliveState>);

#[derive(Debug)]
struct KeepAliveState {
    host: String,
    port: u16,
    peer_check: Option<PeerCheck>,
    kept: Mutex<IdleConnections>,
    /// Whether the server has closed a kept connection before. Connections are then no longer kept.
    closes: AtomicBool,
}

#[derive(Debug, Default)]
struct IdleConnections {
    /// The unused connections, the most recently used last.
    idle: VecDeque<Conn>,
    /// Whether a task that closes expired connections is running.
    watched: bool,
}

/// A connection. It has no separate task, so it only progresses while a caller awaits it.
struct Conn {
    sender: SendRequest<Full<Bytes>>,
    /// The future that does the connection's I/O. `None` once the connection has ended.
    driver: Option<Driver>,
    /// A second handle of the connection's socket, with which the pool checks whether the server
    /// has closed it.
    probe: std::net::TcpStream,
    /// The time until which the connection may be reused.
    until: Instant,
}

impl std::fmt::Debug for Conn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conn").finish_non_exhaustive()
    }
}

/// A response. Its connection is kept for reuse once the body was read to its end.
#[derive(Debug)]
pub(super) struct KeepAliveResponse {
    pub(super) head: http::response::Parts,
    body: Incoming,
    conn: Option<Conn>,
    pool: KeepAlivePool,
}

impl From<hyper::Error> for McpError {
    fn from(error: hyper::Error) -> Self {
        if error.is_parse() {
            return Self::malformed(&AnswerFault::NoHttp(error.to_string()), b"");
        }
        Self::Connect {
            reason: text::causes(&error),
        }
    }
}

impl KeepAlivePool {
    /// Returns a pool for a server on this machine without TLS. `None` for any other server.
    pub(super) fn to(uri: &Uri, peer_check: Option<PeerCheck>) -> Option<Self> {
        if uri.scheme_str() != Some("http") {
            return None;
        }
        let host = uri.host()?.trim_matches(['[', ']']);
        let address = host.parse::<std::net::IpAddr>();
        let pool = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        pool.then(|| {
            Self(Arc::new(KeepAliveState {
                host: host.to_owned(),
                port: uri.port_u16().unwrap_or(80),
                peer_check,
                kept: Mutex::default(),
                closes: AtomicBool::new(false),
            }))
        })
    }

    /// Sends a request. It is never sent twice.
    pub(super) async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<KeepAliveResponse, McpError> {
        while let Some(mut conn) = self.take() {
            if !conn.is_usable().await {
                continue;
            }
            match conn.send(request).await {
                Ok(response) => return Ok(self.reply(conn, response)),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => {
                        self.0.closes.store(true, Ordering::Relaxed);
                        return Err(error.into_error().into());
                    }
                },
            }
        }
        let mut conn = self.connect().await?;
        match conn.send(request).await {
            Ok(response) => Ok(self.reply(conn, response)),
            Err(error) => Err(error.into_error().into()),
        }
    }

    async fn connect(&self) -> Result<Conn, McpError> {
        let unreachable = |error: io::Error| McpError::Connect {
            reason: text::causes(&error),
        };
        let address = (self.0.host.as_str(), self.0.port);
        let stream = TcpStream::connect(address).await.map_err(unreachable)?;
        if let Some(peer_check) = &self.0.peer_check {
            peer_check.check().map_err(|gone| McpError::Connect {
                reason: gone.to_owned(),
            })?;
        }
        stream.set_nodelay(true).map_err(unreachable)?;
        let stream = stream.into_std().map_err(unreachable)?;
        let probe = stream.try_clone().map_err(unreachable)?;
        let stream = TcpStream::from_std(stream).map_err(unreachable)?;
        let (sender, driver) = http1::handshake(TokioIo::new(stream)).await?;
        Ok(Conn {
            sender,
            driver: Some(Box::pin(driver)),
            probe,
            until: Instant::now(),
        })
    }

    fn reply(&self, conn: Conn, response: Response<Incoming>) -> KeepAliveResponse {
        let (head, body) = response.into_parts();
        KeepAliveResponse {
            head,
            body,
            conn: Some(conn),
            pool: self.clone(),
        }
    }

    /// Takes a kept connection that is still open. `None` if there is none.
    fn take(&self) -> Option<Conn> {
        loop {
            let conn = self.0.kept.lock().idle.pop_back()?;
            if conn.until <= Instant::now() {
                continue;
            }
            if conn.is_open() {
                return Some(conn);
            }
            self.0.closes.store(true, Ordering::Relaxed);
        }
    }

    fn keep(&self, mut conn: Conn, head: &HeaderMap) {
        let kept_for = announced(head).map_or(IDLE_MAX, |announced| IDLE_MAX.min(announced / 2));
        if self.0.closes.load(Ordering::Relaxed) || conn.driver.is_none() || kept_for.is_zero() {
            return;
        }
        conn.until = Instant::now() + kept_for;
        let mut kept = self.0.kept.lock();
        if kept.idle.len() >= KEPT_MAX {
            kept.idle.pop_front();
        }
        kept.idle.push_back(conn);
        if !std::mem::replace(&mut kept.watched, true) {
            tokio::spawn(close_old(Arc::downgrade(&self.0)));
        }
    }
}

/// Closes expired connections, until no unused connection is left.
async fn close_old(shared: Weak<KeepAliveState>) {
    loop {
        sleep(IDLE_MAX).await;
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut kept = shared.kept.lock();
        let now = Instant::now();
        kept.idle.retain(|conn| conn.until > now);
        if kept.idle.is_empty() {
            kept.watched = false;
            return;
        }
    }
}

/// Returns the time for which the server keeps a connection, from its response header (`Keep-Alive:
/// timeout=5`).
fn announced(head: &HeaderMap) -> Option<Duration> {
    let value = head.get("keep-alive")?.to_str().ok()?;
    let seconds = value
        .split(',')
        .find_map(|part| part.trim().strip_prefix("timeout="))?;
    seconds.parse().ok().map(Duration::from_secs)
}

impl Conn {
    /// Whether the server has neither closed the connection nor sent data without a request.
    fn is_open(&self) -> bool {
        matches!(
            self.probe.peek(&mut [0]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock
        )
    }

    /// Whether a request can be sent. Writes nothing.
    async fn is_usable(&mut self) -> bool {
        let Self { sender, driver, .. } = self;
        drive(driver, sender.ready())
            .now_or_never()
            .is_some_and(|ready| ready.is_ok())
            && driver.is_some()
    }

    async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, TrySendError<Request<Full<Bytes>>>> {
        let Self { sender, driver, .. } = self;
        drive(driver, sender.try_send_request(request)).await
    }
}

/// Awaits a future, and does the connection's I/O at the same time.
async fn drive<F: Future>(driver: &mut Option<Driver>, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(output);
        }
        let Some(connection) = driver else {
            return Poll::Pending;
        };
        if connection.as_mut().poll(context).is_ready() {
            // `future` reports how the connection ended.
            *driver = None;
        }
        future.as_mut().poll(context)
    })
    .await
}

impl KeepAliveResponse {
    /// Returns the next piece of the body. `None` at its end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, McpError> {
        loop {
            let Some(conn) = &mut self.conn else {
                return Ok(None);
            };
            match drive(&mut conn.driver, self.body.frame()).await {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.keep_at_end();
                        return Ok(Some(data));
                    }
                }
                Some(Err(error)) => {
                    self.conn = None;
                    return Err(error.into());
                }
                None => self.give_back(),
            }
        }
    }

    /// If the body has ended, returns the connection to the pool.
    fn keep_at_end(&mut self) {
        if self.body.is_end_stream() {
            self.give_back();
        }
    }

    fn give_back(&mut self) {
        if let Some(conn) = self.conn.take() {
            self.pool.keep(conn, &self.head.headers);
        }
    }

    /// Discards the rest of the body. If it ends within [`REST_MAX`], the connection is kept.
    pub(super) fn finish(mut self) {
        match self.chunk().now_or_never() {
            Some(Ok(None) | Err(_)) => {}
            Some(Ok(Some(_))) | None => {
                tokio::spawn(timeout(REST_MAX, async move {
                    while let Ok(Some(_)) = self.chunk().await {}
                }));
            }
        }
    }
}
