//! The state and the byte stream of one connection.
//!
//! No timer runs per request. A connection records its phase, and the listener checks all
//! connections periodically.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::options::ServeOptions;
use super::server::AuthContext;
use super::traffic::GatewayExchange;
use super::unread::Unread;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConnectionPhase {
    /// Waits for the next request, or for the client to read the last answer.
    Idle = 0,
    /// Waits for the rest of a request's head.
    Head = 1,
    /// Waits for the answer, or for the rest of the request's body.
    Busy = 2,
}

/// A connection's state, shared between its task and the listener.
#[derive(Debug)]
pub(super) struct ConnectionState {
    epoch: Instant,
    /// The phase in the lowest two bits. The other bits are the start of the phase, in milliseconds
    /// since `epoch`.
    phase: AtomicU64,
    over: AtomicBool,
    stopping: AtomicBool,
    /// Whether a check has found that the client's token is no longer valid.
    revoked: AtomicBool,
    /// The time at which the client stopped reading, in milliseconds since `epoch`, plus one. 0
    /// while the client reads.
    stalled: AtomicU64,
    /// Number of bytes of answers that the client has not read yet.
    pub(super) unread: AtomicUsize,
    /// The unread answers of all connections together.
    pub(super) all_unread: Arc<Unread>,
    /// The id of the user whose process opened the connection. `None` for the user of the gateway's
    /// own process.
    pub(super) foreign: Option<u32>,
    task: AtomicWaker,
    /// Client and target of the last request.
    pub(super) auth: Mutex<Option<Arc<AuthContext>>>,
    exchanges: Mutex<VecDeque<GatewayExchange>>,
}

impl ConnectionState {
    /// Creates the state of a new connection, which waits for its first head.
    pub(super) fn new(all_unread: Arc<Unread>) -> Self {
        Self {
            epoch: Instant::now(),
            phase: AtomicU64::new(ConnectionPhase::Head as u64),
            over: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            revoked: AtomicBool::new(false),
            stalled: AtomicU64::new(0),
            unread: AtomicUsize::new(0),
            all_unread,
            foreign: None,
            task: AtomicWaker::new(),
            auth: Mutex::new(None),
            exchanges: Mutex::default(),
        }
    }

    fn set(&self, phase: ConnectionPhase) {
        let since = u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX >> 2);
        self.phase
            .store(since << 2 | phase as u64, Ordering::Relaxed);
    }

    fn at(&self) -> (ConnectionPhase, Duration) {
        let packed = self.phase.load(Ordering::Relaxed);
        let phase = match packed & 3 {
            0 => ConnectionPhase::Idle,
            1 => ConnectionPhase::Head,
            _ => ConnectionPhase::Busy,
        };
        let since = Duration::from_millis(packed >> 2);
        (phase, self.epoch.elapsed().saturating_sub(since))
    }

    /// Records that the head of a request was read.
    pub(super) fn set_busy(&self) {
        self.set(ConnectionPhase::Busy);
    }

    /// Records that an answer is complete.
    pub(super) fn set_idle(&self) {
        self.set(ConnectionPhase::Idle);
    }

    /// Sets the id of the user whose process opened the connection. `None` for the user of the
    /// gateway's own process.
    pub(super) fn of_user(self, foreign: Option<u32>) -> Self {
        Self { foreign, ..self }
    }

    /// Returns how long the connection has been open, if it has had no admitted request. `None`
    /// otherwise. For a connection from another user, only a request with a valid token counts.
    pub(super) fn unauthenticated_for(&self) -> Option<Duration> {
        let auth = self.auth.lock();
        let is_let_in = auth
            .as_ref()
            .is_some_and(|auth| self.foreign.is_none() || auth.context.client.id.is_some());
        (!is_let_in).then(|| self.epoch.elapsed())
    }

    /// Returns how long the client has not been reading. `None` while it reads.
    pub(super) fn stalled_for(&self) -> Option<Duration> {
        let since = self.stalled.load(Ordering::Relaxed).checked_sub(1)?;
        let since = Duration::from_millis(since);
        Some(self.epoch.elapsed().saturating_sub(since))
    }

    /// Records whether the client reads. `taken` is whether the last write was accepted.
    fn wrote(&self, taken: bool) {
        if taken {
            self.stalled.store(0, Ordering::Relaxed);
        } else if self.stalled.load(Ordering::Relaxed) == 0 {
            let since = u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
            self.stalled.store(since + 1, Ordering::Relaxed);
        }
    }

    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.task.wake();
    }

    fn on_bytes(&self) {
        if self.phase.load(Ordering::Relaxed) & 3 == ConnectionPhase::Idle as u64 {
            self.set(ConnectionPhase::Head);
        }
    }

    /// Checks whether the connection exceeded a limit. A busy connection is woken, so that the
    /// running work can check the clock. If the client's token is revoked, the running work has
    /// until the next check to send an error. The connection then ends, even if the client does not
    /// read its answer.
    pub(super) fn check(&self, options: &ServeOptions) {
        let (phase, waits) = self.at();
        let over = match phase {
            ConnectionPhase::Idle => waits >= options.idle_limit,
            ConnectionPhase::Head => waits >= options.head_limit,
            ConnectionPhase::Busy => false,
        };
        let stalled = self.stalled_for();
        let over = over || stalled.is_some_and(|since| since >= options.unread_limit);
        let over = over || self.is_revoked() && self.revoked.swap(true, Ordering::Relaxed);
        if over {
            self.over.store(true, Ordering::Relaxed);
        }
        let wakes = phase == ConnectionPhase::Busy && waits >= options.keep_alive;
        if wakes {
            // Restarts the interval, so that an idle stream is woken once per interval.
            self.set(ConnectionPhase::Busy);
        }
        if over || wakes {
            self.task.wake();
        }
    }

    fn is_revoked(&self) -> bool {
        let auth = self.auth.lock();
        auth.as_ref()
            .is_some_and(|auth| auth.context.client.revoked.is_cancelled())
    }

    /// Notifies the connection that the gateway is stopping.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.task.wake();
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Whether the connection must be closed.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Records the task that drives the connection.
    pub(super) fn set_task(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Stores an exchange until its answer is sent.
    pub(super) fn queue_exchange(&self, exchange: GatewayExchange) {
        self.exchanges.lock().push_back(exchange);
    }

    /// Removes and returns the next exchange, whose answer is being sent.
    pub(super) fn next_exchange(&self) -> Option<GatewayExchange> {
        self.exchanges.lock().pop_front()
    }
}

/// The byte stream of a connection. Reports the start of each request to the connection's state.
#[derive(Debug)]
pub(super) struct ConnectionStream {
    stream: TcpStream,
    connection: Arc<ConnectionState>,
    /// Whether the gateway has closed its sending side.
    closed: bool,
}

impl ConnectionStream {
    pub(super) fn new(stream: TcpStream, connection: Arc<ConnectionState>) -> Self {
        Self {
            stream,
            connection,
            closed: false,
        }
    }
}

impl AsyncRead for ConnectionStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.connection.on_bytes();
        }
        read
    }
}

impl AsyncWrite for ConnectionStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.connection.wrote(written.is_ready());
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.connection.wrote(written.is_ready());
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    /// Discards further input until the client has closed its side too, for at most the head limit.
    /// If the socket were closed while it has unread input, the last answer could be lost.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.closed {
            std::task::ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.closed = true;
            self.connection.set(ConnectionPhase::Head);
        }
        if self.connection.is_stopping() {
            return Poll::Ready(Ok(()));
        }
        let mut discarded = [0; 16 << 10];
        // Limited, so that a client that never stops sending does not occupy the thread.
        for _ in 0..64 {
            let mut buf = ReadBuf::new(&mut discarded);
            match Pin::new(&mut self.stream).poll_read(cx, &mut buf) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !buf.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
