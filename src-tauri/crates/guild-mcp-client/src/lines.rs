//! JSON-RPC over pipes, with one message per line.
//!
//! Some servers also print other text to stdout, so a line that is not JSON-RPC is skipped and
//! counted. One task reads lines, and another one writes them. Both end with the connection.
//! Closing a session closes the server's stdin at once, after which a server over stdio exits.

#[cfg(test)]
pub(crate) mod dripping;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::decoder::MessageDecoder;
use crate::error::McpError;
use crate::fault::ResponseError;
use crate::notify::Outlet;
use crate::pending_requests::{PendingRawRequest, PendingRequests};
use crate::raw_requests::{RawRequestId, RawRequestResult};
use crate::session::SharedSessionState;
use crate::text;

/// Limit of a line from the server, in bytes.
pub(crate) const LINE_MAX: usize = 16 << 20;
/// The number of bytes at the start of an oversized line that are kept, to find the request that
/// the line answers.
const HEAD: usize = 256;
/// Limit of the messages that wait to be handled. It is low because each message may be large.
const QUEUE: usize = 4;
/// Limit of the lines that wait to be written.
const UNSENT_MAX: usize = 64;
/// Limit of the bytes that wait to be written. If a server never reads, these also include the
/// lines of calls that have already timed out. If there is no room for the line of a call until the
/// call ends, the line is not written.
const UNSENT_BYTES_MAX: u32 = 32 << 20;
/// How long skipped lines are counted before they are reported together.
const NOISE_PAUSE: Duration = Duration::from_secs(1);

/// Limit of the waiting lines that are written together, in bytes.
const BATCH_MAX: usize = 64 << 10;
/// Bytes per read. A pipe's buffer holds no more.
const READ_SIZE: usize = 64 << 10;

struct OutboundLine {
    line: Vec<u8>,
    by: Sender,
    /// The line's part of [`UNSENT_BYTES_MAX`]. It is released when the line was written.
    room: OwnedSemaphorePermit,
}

/// The sender of a line. It is notified if the write fails.
enum Sender {
    /// rmcp, which is also notified if the write succeeds.
    Library(oneshot::Sender<io::Result<()>>),
    /// A raw request, which otherwise only waits for its answer.
    RawRequest(RawRequestId),
}

/// The queue of lines for the task that writes to the server.
#[derive(Debug, Clone)]
pub(crate) struct StdioOutboundQueue {
    unsent: mpsc::Sender<OutboundLine>,
    room: Arc<Semaphore>,
}

impl StdioOutboundQueue {
    /// Whether the queue is full, so that a line would have to wait.
    fn is_full(&self, line: &[u8]) -> bool {
        self.unsent.capacity() == 0 || self.room.available_permits() < line.len()
    }

    /// Waits for room, and queues a line. Returns false if the connection is closed. Otherwise the
    /// line will be written, or its sender will be notified.
    async fn send(&self, line: Vec<u8>, by: Sender) -> bool {
        let bytes = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(bytes.min(UNSENT_BYTES_MAX));
        let Ok(room) = room.await else {
            return false;
        };
        self.unsent
            .send(OutboundLine { line, by, room })
            .await
            .is_ok()
    }

    /// Sends a raw request and waits for its answer. `None` when the connection ends first.
    pub(crate) async fn ask(
        &self,
        mut line: Vec<u8>,
        waits: &mut PendingRawRequest,
    ) -> Option<RawRequestResult> {
        line.push(b'\n');
        let by = Sender::RawRequest(waits.id);
        if !self.send(line, by).await {
            return None;
        }
        (&mut waits.answer).await.ok()
    }
}

/// The transport for rmcp.
pub(crate) struct StdioTransport {
    decoder: MessageDecoder,
    received: mpsc::Receiver<ServerJsonRpcMessage>,
    unsent: StdioOutboundQueue,
    cut: CancellationToken,
    _reader: AbortOnDropHandle<()>,
    writer: AbortOnDropHandle<()>,
}

impl StdioTransport {
    pub(crate) fn new<R, W>(reader: R, writer: W, session: SharedSessionState) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, received) = mpsc::channel(QUEUE);
        let (unsent, queue) = mpsc::channel(UNSENT_MAX);
        let room = Arc::new(Semaphore::new(UNSENT_BYTES_MAX as usize));
        let (decoder, cut) = (session.decoder.clone(), session.cut.child_token());
        let writer = tokio::spawn(write(writer, queue, decoder.calls().clone(), cut.clone()));
        let reader = tokio::spawn(read(StdioLineReader::new(reader), sender, session));
        Self {
            decoder,
            received,
            unsent: StdioOutboundQueue { unsent, room },
            cut,
            _reader: AbortOnDropHandle::new(reader),
            writer: AbortOnDropHandle::new(writer),
        }
    }

    pub(crate) fn outbound(&self) -> StdioOutboundQueue {
        self.unsent.clone()
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let sending = self.decoder.note_answer(&message);
        self.decoder.note_request(&message);
        let unsent = self.unsent.clone();
        let is_news = matches!(message, ClientJsonRpcMessage::Notification(_));
        async move {
            let _sending = sending;
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            if is_news && unsent.is_full(&line) {
                // If the server does not read, cancellation notifications are dropped, because they
                // would accumulate.
                return Ok(());
            }
            let (done, written) = oneshot::channel();
            let by = Sender::Library(done);
            if !unsent.send(line, by).await {
                return Err(closed());
            }
            written.await.map_err(|_| closed())?
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.received.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.cut.cancel();
        // The writing task ends at once. After this wait, the server's stdin is closed.
        let _ = (&mut self.writer).await;
        Ok(())
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "the server's input is closed")
}

async fn write<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::Receiver<OutboundLine>,
    calls: PendingRequests,
    cut: CancellationToken,
) {
    let work = async {
        let mut waiting = Vec::new();
        while queue.recv_many(&mut waiting, UNSENT_MAX).await > 0 {
            let mut lines = waiting.drain(..).peekable();
            while let Some(OutboundLine { mut line, by, room }) = lines.next() {
                let mut senders = vec![by];
                let mut rooms = vec![room];
                // Waiting lines are written together, which saves system calls and wakes the server
                // only once.
                while let Some(next) =
                    lines.next_if(|next| line.len() + next.line.len() <= BATCH_MAX)
                {
                    line.extend_from_slice(&next.line);
                    senders.push(next.by);
                    rooms.push(next.room);
                }
                let written = match writer.write_all(&line).await {
                    Ok(()) => writer.flush().await,
                    Err(error) => Err(error),
                };
                drop(rooms);
                let broken = written.is_err();
                for sender in senders {
                    report(sender, &written, &calls);
                }
                if broken {
                    lines.for_each(|unsent| report(unsent.by, &written, &calls));
                    return;
                }
            }
        }
    };
    tokio::select! {
        () = work => {}
        () = cut.cancelled() => {}
    }
    queue.close();
    while let Ok(unsent) = queue.try_recv() {
        report(unsent.by, &Err(closed()), &calls);
    }
}

/// Reports the result of a write to the sender of the line.
fn report(sender: Sender, written: &io::Result<()>, calls: &PendingRequests) {
    let error = written.as_ref().err();
    match sender {
        Sender::Library(done) => {
            let written = error.map(|error| io::Error::new(error.kind(), error.to_string()));
            // The sender may have stopped waiting.
            let _ = done.send(written.map_or(Ok(()), Err));
        }
        Sender::RawRequest(id) => {
            if let Some(error) = error {
                let reason = text::causes(error);
                calls.answer(id, Err(McpError::Connect { reason }));
            }
        }
    }
}

async fn read<R: AsyncRead + Unpin>(
    mut lines: StdioLineReader<R>,
    messages: mpsc::Sender<ServerJsonRpcMessage>,
    session: SharedSessionState,
) {
    let mut noise = Noise::default();
    let reason = loop {
        let line = tokio::select! {
            line = lines.next() => line,
            () = sleep_until(noise.due.unwrap_or_else(Instant::now)), if noise.due.is_some() => {
                noise.report(&session.outlet);
                continue;
            }
        };
        let message = match line {
            Ok(Some(StdioLine::Whole(line))) => {
                session.decoder.receive(line, None).unwrap_or_else(|_| {
                    noise.add(line);
                    None
                })
            }
            Ok(Some(StdioLine::TooLong { head })) => match answered_by(head) {
                Some(id) => {
                    let fault = ResponseError::TooLarge(LINE_MAX);
                    session.decoder.divert(fault.answering(id))
                }
                None => {
                    noise.add(b"a line of more than 16 MiB");
                    None
                }
            },
            Ok(None) => break "the server closed its output".to_owned(),
            Err(error) => break text::causes(&error),
        };
        lines.forget();
        if let Some(message) = message
            && messages.send(message).await.is_err()
        {
            // The client has closed the session.
            return;
        }
    };
    // An error means that an earlier reason was already recorded.
    let _ = session.end.set(reason);
    session.over.cancel();
    session.decoder.calls().end();
    noise.report(&session.outlet);
}

/// Returns the id of the request that an oversized line answers. `head` is the start of the line.
fn answered_by(head: &[u8]) -> Option<RequestId> {
    let head = String::from_utf8_lossy(head);
    let (before, after) = head.split_once("\"id\":")?;
    // An id inside the result is not the id of the message.
    if before.contains("\"result\"") || !before.starts_with('{') {
        return None;
    }
    let digits: String = after
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().map(RequestId::Number)
}

/// Skipped lines that were not reported yet.
#[derive(Debug, Default)]
struct Noise {
    lines: u64,
    sample: String,
    due: Option<Instant>,
}

impl Noise {
    fn add(&mut self, line: &[u8]) {
        if self.lines == 0 {
            self.sample = text::excerpt(line);
            self.due = Some(Instant::now() + NOISE_PAUSE);
        }
        self.lines += 1;
    }

    fn report(&mut self, outlet: &Outlet) {
        if self.lines == 0 {
            return;
        }
        if outlet.noise(self.lines, &self.sample) {
            *self = Self::default();
        } else {
            self.due = Some(Instant::now() + NOISE_PAUSE);
        }
    }
}

/// A line, or only the start of an oversized line.
pub(crate) enum StdioLine<'a> {
    Whole(&'a [u8]),
    TooLong { head: &'a [u8] },
}

/// Reads lines of bounded length. [`StdioLineReader::next`] is cancel-safe.
pub(crate) struct StdioLineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncRead + Unpin> StdioLineReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(READ_SIZE, input),
            line: Vec::new(),
            too_long: false,
        }
    }

    /// Returns the next non-empty line without its line end. `None` at the end of the input.
    pub(crate) async fn next(&mut self) -> io::Result<Option<StdioLine<'_>>> {
        loop {
            let available = self.input.fill_buf().await?;
            let ended = available.is_empty();
            let newline = memchr::memchr(b'\n', available);
            let taken = &available[..newline.unwrap_or(available.len())];
            if self.too_long || self.line.len() + taken.len() > LINE_MAX {
                self.line
                    .extend(taken.iter().take(HEAD.saturating_sub(self.line.len())));
                self.line.truncate(HEAD);
                self.line.shrink_to(HEAD);
                self.too_long = true;
            } else {
                self.line.extend_from_slice(taken);
            }
            let consumed = newline.map_or(available.len(), |place| place + 1);
            self.input.consume(consumed);
            let complete = newline.is_some() || ended;
            if complete && !self.line.trim_ascii().is_empty() {
                break;
            }
            if ended {
                return Ok(None);
            }
            if complete {
                self.forget();
            }
        }
        Ok(Some(if self.too_long {
            StdioLine::TooLong { head: &self.line }
        } else {
            StdioLine::Whole(self.line.trim_ascii())
        }))
    }

    /// Discards the current line, and frees memory above the usual buffer size.
    pub(crate) fn forget(&mut self) {
        self.line.clear();
        self.line.shrink_to(1 << 20);
        self.too_long = false;
    }
}

#[cfg(test)]
mod tests {
    use super::dripping::{Drips, lines_of};
    use super::*;

    #[test]
    fn mangled_lines_come_one_by_one_however_they_are_cut() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        guild_tests::mangled::each("stdio-lines", |bytes| {
            for size in [7, usize::MAX] {
                let mut reader = StdioLineReader::new(Drips::new(bytes, size));
                let mut lines = Vec::new();
                runtime.block_on(async {
                    while let Some(line) = reader.next().await.expect("no error") {
                        let StdioLine::Whole(line) = line else {
                            panic!("none is too long");
                        };
                        lines.push(line.to_vec());
                        reader.forget();
                    }
                });
                assert_eq!(lines, lines_of(bytes));
            }
            // From the head of an oversized line, only the first id can be found.
            if let Some(RequestId::Number(id)) = answered_by(bytes) {
                let digits = id.to_string();
                assert!(String::from_utf8_lossy(bytes).contains(&digits), "{id}");
            }
        });
    }
}
