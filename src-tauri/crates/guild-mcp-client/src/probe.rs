//! Requests the tools of a server over stdio that may not follow the protocol's order.
//!
//! One exchange with one process. It sends either `initialize` and then `tools/list`, or only
//! `tools/list`. If the server rejects the first form, or half of the time has passed, the other
//! form follows. Late answers to the first form are still accepted. After an answer to
//! `initialize`, the list is requested again. All output is captured, so that it can be inspected
//! if no answer arrives. No session is created.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::messages::{AnswerFault, EndlessProblem, ListName};
use guild_api::wire::RpcError;
use guild_model::discovery::WRITTEN_MAX;
use guild_model::protocol::ProtocolVersion;
use guild_model::tool::{TOOLS_MAX, salvage_texts};
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use crate::error::McpError;
use crate::http::BODY_MAX;
use crate::lines::{StdioLine, StdioLineReader};
use crate::session::ToolList;
use crate::text;

/// Limit of the pages that are read.
const PAGES_MAX: usize = 1_000;
/// Limit of a cursor, in bytes.
const CURSOR_MAX: usize = 64 << 10;
/// Limit of the message of an error, in bytes.
const MESSAGE_MAX: usize = 1 << 10;
/// The id of `initialize`. The requests for the list have the ids that follow.
const INITIALIZE_ID: u64 = 1;

/// The form of an attempt to get the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeMode {
    /// `initialize`, then `tools/list`.
    Handshake,
    /// Only `tools/list`, without a handshake.
    Bare,
}

/// The captured beginning of a server's output: at most [`WRITTEN_MAX`] bytes by default.
#[derive(Debug, Clone)]
pub struct CapturedOutput {
    kept: Arc<Mutex<Vec<u8>>>,
    length: watch::Sender<usize>,
    max: usize,
}

impl Default for CapturedOutput {
    fn default() -> Self {
        Self::up_to(WRITTEN_MAX)
    }
}

impl CapturedOutput {
    /// Creates a capture of at most `max` bytes.
    pub fn up_to(max: usize) -> Self {
        Self {
            kept: Arc::default(),
            length: watch::Sender::new(0),
            max,
        }
    }

    /// Wraps a reader. The bytes that are read from it are captured, up to the limit.
    pub fn listening<R>(&self, reader: R) -> impl AsyncRead + Send + Unpin + use<R>
    where
        R: AsyncRead + Send + Unpin,
    {
        let captured = self.clone();
        Tee { reader, captured }
    }

    /// Reads the rest of a server's output and captures it, for at most the time `limit`.
    pub async fn read_rest<R>(&self, reader: R, limit: Duration)
    where
        R: AsyncRead + Send + Unpin,
    {
        let mut reader = self.listening(reader);
        let _ = timeout(limit, tokio::io::copy(&mut reader, &mut tokio::io::sink())).await;
    }

    /// Returns the captured bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let kept = self.kept.lock();
        kept.clone()
    }

    /// Returns a channel with the number of captured bytes, which signals each change.
    pub fn length(&self) -> watch::Receiver<usize> {
        self.length.subscribe()
    }

    fn take(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock();
        let room = self.max.saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let length = kept.len();
        drop(kept);
        self.length.send_if_modified(|known| {
            let more = length > *known;
            *known = length;
            more
        });
    }
}

/// A server's answer to a probe.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    /// The server's tools.
    pub list: ToolList,
    /// The mode of the probe that returned the list.
    pub opening: ProbeMode,
}

/// Requests the tools within `limit`. The first attempt has the form `first`. Dropping the future
/// closes both pipes.
///
/// # Errors
/// When both attempts are rejected, the server ends, or the limit is reached.
pub async fn probe(
    reader: impl AsyncRead + Send + Unpin,
    writer: impl AsyncWrite + Send + Unpin,
    first: ProbeMode,
    limit: Duration,
    captured: CapturedOutput,
) -> Result<Probed, McpError> {
    let mut lines = StdioLineReader::new(Tee { reader, captured });
    let mut exchange = ProbeConnection {
        writer,
        handshake: HandshakeState::NotSent,
        list: ProbeListState::Unasked,
        last_id: INITIALIZE_ID,
        pages: ProbeToolList::default(),
    };
    let other_at = Instant::now() + limit / 2;
    let asking = async {
        exchange.begin(first).await;
        let mut waits = true;
        loop {
            tokio::select! {
                line = lines.next() => match line {
                    Ok(Some(StdioLine::Whole(line))) => {
                        if let Some(probed) = exchange.on_line(line).await? {
                            return Ok(probed);
                        }
                    }
                    Ok(Some(StdioLine::TooLong { .. })) => {}
                    Ok(None) => {
                        let reason = Some("the server closed its output".to_owned());
                        return Err(McpError::Closed { reason });
                    }
                    Err(error) => {
                        let reason = text::causes(&error);
                        return Err(McpError::Connect { reason });
                    }
                },
                () = sleep_until(other_at), if waits => {
                    waits = false;
                    exchange.try_the_other().await;
                    continue;
                }
            }
            lines.forget();
        }
    };
    let list = ListName::Tools;
    timeout(limit, asking)
        .await
        .unwrap_or(Err(McpError::ListTimeout { list, limit }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HandshakeState {
    NotSent,
    Waits,
    Answered,
    Refused,
}

#[derive(Debug)]
enum ProbeListState {
    Unasked,
    Waits { id: u64 },
    Refused,
}

struct ProbeConnection<W> {
    writer: W,
    handshake: HandshakeState,
    list: ProbeListState,
    last_id: u64,
    pages: ProbeToolList,
}

/// The tools that were listed so far.
#[derive(Debug, Default)]
struct ProbeToolList {
    tools: Vec<Box<RawValue>>,
    count: usize,
    bytes: usize,
}

/// The fields of a server's message that the probe needs.
#[derive(Deserialize)]
struct ProbeMessage<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ProbeError>,
}

#[derive(Deserialize)]
struct ProbeError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProbeToolPage {
    tools: Entries,
    #[serde(default)]
    next_cursor: Option<String>,
}

impl<W: AsyncWrite + Unpin> ProbeConnection<W> {
    async fn begin(&mut self, first: ProbeMode) {
        match first {
            ProbeMode::Handshake => self.initialize().await,
            ProbeMode::Bare => self.ask(None).await,
        }
    }

    /// Starts the second attempt, in the other form, because the first attempt got no answer yet.
    async fn try_the_other(&mut self) {
        match (self.handshake, &self.list) {
            (HandshakeState::NotSent, _) => self.initialize().await,
            (HandshakeState::Waits, ProbeListState::Unasked) => self.ask(None).await,
            _ => {}
        }
    }

    async fn initialize(&mut self) {
        self.handshake = HandshakeState::Waits;
        self.send(&json!({
            "jsonrpc": "2.0",
            "id": INITIALIZE_ID,
            "method": "initialize",
            "params": {
                "protocolVersion": ProtocolVersion::V2025_11_25.as_str(),
                "capabilities": {},
                "clientInfo": {"name": "guild-hall", "version": env!("CARGO_PKG_VERSION")},
            },
        }))
        .await;
    }

    async fn ask(&mut self, cursor: Option<String>) {
        self.last_id += 1;
        let id = self.last_id;
        self.list = ProbeListState::Waits { id };
        let params = match cursor {
            Some(cursor) => json!({"cursor": cursor}),
            None => json!({}),
        };
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params});
        self.send(&request).await;
    }

    /// Sends a message. Write errors are ignored: a server that no longer reads may still write, so
    /// only the end of its output ends the exchange.
    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        if self.writer.write_all(line.as_bytes()).await.is_ok() {
            let _ = self.writer.flush().await;
        }
    }

    /// Reads a line of the server's output, and sends the request that follows it, if any. Returns
    /// the list once it is complete.
    async fn on_line(&mut self, line: &[u8]) -> Result<Option<Probed>, McpError> {
        let Ok(ProbeMessage {
            id: Some(id),
            result,
            error,
        }) = serde_json::from_slice(line)
        else {
            return Ok(None);
        };
        let answer = match (result, error) {
            (Some(result), _) => Ok(result),
            (None, Some(error)) => Err(McpError::Rpc(RpcError {
                code: error.code,
                message: text::cut_bytes(&error.message, MESSAGE_MAX),
                data: None,
            })),
            // A request from the server is not answered.
            (None, None) => return Ok(None),
        };
        match (&self.list, answer) {
            (_, Ok(_)) if id == INITIALIZE_ID => {
                self.handshake = HandshakeState::Answered;
                let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
                self.send(&initialized).await;
                self.pages = ProbeToolList::default();
                self.ask(None).await;
                Ok(None)
            }
            (list, Err(error)) if id == INITIALIZE_ID => {
                self.handshake = HandshakeState::Refused;
                match list {
                    ProbeListState::Unasked => self.ask(None).await,
                    ProbeListState::Waits { .. } => {}
                    ProbeListState::Refused => return Err(error),
                }
                Ok(None)
            }
            (ProbeListState::Waits { id: waiting }, Ok(page)) if *waiting == id => {
                self.page(page).await
            }
            (ProbeListState::Waits { id: waiting }, Err(error)) if *waiting == id => {
                self.refused(error).await
            }
            _ => Ok(None),
        }
    }

    async fn page(&mut self, page: &RawValue) -> Result<Option<Probed>, McpError> {
        self.pages.count += 1;
        self.pages.bytes += page.get().len();
        let Ok(read) = serde_json::from_str::<ProbeToolPage>(page.get()) else {
            let wrong = AnswerFault::PageWithout(ListName::Tools, "tools");
            let error = McpError::malformed(&wrong, page.get().as_bytes());
            return self.refused(error).await;
        };
        self.pages.tools.extend(read.tools.0);
        let cursor = read
            .next_cursor
            .filter(|cursor| !cursor.is_empty() && self.pages.tools.len() <= TOOLS_MAX);
        if let Some(cursor) = cursor {
            if self.pages.count >= PAGES_MAX
                || self.pages.bytes > BODY_MAX
                || cursor.len() > CURSOR_MAX
            {
                return Err(McpError::ListEndless {
                    list: ListName::Tools,
                    reason: EndlessProblem::GoesOn(self.pages.count),
                });
            }
            self.ask(Some(cursor)).await;
            return Ok(None);
        }
        let texts = self.pages.tools.iter().map(AsRef::as_ref).collect();
        let (tools, problems) = salvage_texts(texts);
        let list = ToolList {
            tools,
            problems,
            ttl_ms: None,
        };
        let opening = match self.handshake {
            HandshakeState::Answered => ProbeMode::Handshake,
            _ => ProbeMode::Bare,
        };
        Ok(Some(Probed { list, opening }))
    }

    /// Handles an error or an unusable page as the answer to `tools/list`. A server may require the
    /// handshake first, so this only counts as a failure after the handshake.
    async fn refused(&mut self, error: McpError) -> Result<Option<Probed>, McpError> {
        self.list = ProbeListState::Refused;
        match self.handshake {
            HandshakeState::Answered | HandshakeState::Refused => return Err(error),
            HandshakeState::NotSent => self.initialize().await,
            HandshakeState::Waits => {}
        }
        Ok(None)
    }
}

/// The entries of a page. At most one entry more than the limit of a list is stored, so that the
/// excess is noticed and reported later.
struct Entries(Vec<Box<RawValue>>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ToolEntriesVisitor;

        impl<'de> Visitor<'de> for ToolEntriesVisitor {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of tools")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while entries.len() <= TOOLS_MAX {
                    match list.next_element()? {
                        Some(entry) => entries.push(entry),
                        None => return Ok(Entries(entries)),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_seq(ToolEntriesVisitor)
    }
}

/// A reader with several handles. The bytes that a closed connection has not read can be read
/// through another handle.
#[derive(Clone)]
pub struct SharedReader(Arc<Mutex<Box<dyn AsyncRead + Send + Unpin>>>);

impl SharedReader {
    /// Creates the first handle of a reader.
    pub fn new(reader: impl AsyncRead + Send + Unpin + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(reader))))
    }
}

impl AsyncRead for SharedReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut *self.0.lock()).poll_read(context, buffer)
    }
}

/// A reader that captures the bytes that are read through it.
struct Tee<R> {
    reader: R,
    captured: CapturedOutput,
}

impl<R: AsyncRead + Unpin> AsyncRead for Tee<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.reader).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            self.captured.take(&buffer.filled()[before..]);
        }
        read
    }
}
