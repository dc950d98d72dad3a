//! A stdio proxy for the gateway, for MCP clients that can only start a command. Here, such a
//! client is called the program. Its messages are lines on stdin and stdout, and the proxy forwards
//! them over Streamable HTTP.
//!
//! The proxy parses a message only for its method and id, and otherwise forwards it unchanged. The
//! proxy adds the headers that HTTP requires. In the legacy protocol, which opens with
//! `initialize`, these are the session id and the protocol version. In the modern protocol
//! (2026-07-28), they repeat parts of the request. If the program cancels a modern request, the
//! proxy closes the request's stream. If the gateway has forgotten the session, the proxy opens a
//! new one with the program's own `initialize`.
//!
//! The proxy connects only to this machine, because each request carries a token. For each new
//! connection, [`GatewayVerifier`] checks that the listener is the intended gateway.

mod envelope;
mod gateway_client;
mod limits;
mod lines;
mod relocation;
mod request;
mod verifier;

use std::collections::HashMap;
use std::time::Duration;

use crate::messages::{BridgeFault, BridgeNote, BridgeProblem};
use bytes::Bytes;
use http::HeaderValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use self::envelope::{BridgeEnvelope, BridgeMessageKind};
use self::gateway_client::{BridgeEndpoint, GatewayRequestError, RequestHeaders};
pub use self::limits::BridgeLimits;
use self::lines::write_lines;
pub use self::relocation::Relocation;
use self::request::{BridgeRequest, TaskOutcome, ask, listen};
pub use self::verifier::GatewayVerifier;
use crate::header_params::HeaderParams;
use crate::lines::{LINE_MAX, StdioLine, StdioLineReader};

/// Limit of the requests that wait for an answer. Further requests get an error.
const ASKED_MAX: usize = 256;
/// Limit of the messages that wait to be written to the program. It is low because each message may
/// be large.
const QUEUE: usize = 16;
/// Timeout for messages that the gateway answers at once, such as `initialize`.
const PROMPT: Duration = Duration::from_secs(30);
/// How long the proxy waits for answers after the program has closed the proxy's stdin.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// Timeout for closing the session.
const GOODBYE: Duration = Duration::from_secs(2);

/// The options of a proxy.
#[derive(Clone)]
pub struct BridgeOptions {
    /// The address of the gateway's endpoint, such as `http://127.0.0.1:19999/mcp`.
    pub url: String,
    /// The token. `None` if the gateway requires none.
    pub token: Option<String>,
    /// Verifies the listener at the address before the token is sent.
    pub known: GatewayVerifier,
    /// Finds the gateway after its address changed.
    pub relocation: Relocation,
    /// The timeouts after which the proxy checks that the gateway still answers.
    pub limits: BridgeLimits,
}

/// The reason that a proxy ended without forwarding any message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum BridgeError {
    #[error("{0}")]
    Address(BridgeProblem),
    #[error("{0}")]
    Unreachable(BridgeNote),
}

/// Forwards messages between a program and the gateway. Returns at the end of `input`, when
/// `output` is closed, or when `stop` completes. `notice` receives messages for the user.
///
/// # Errors
/// When the address is not allowed, or the gateway never answered.
pub async fn bridge(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: &BridgeOptions,
    stop: impl Future<Output = ()>,
    notice: impl FnMut(&BridgeNote),
) -> Result<(), BridgeError> {
    let gateway = BridgeEndpoint::new(options).map_err(BridgeError::Address)?;
    let (out, queue) = mpsc::channel(QUEUE);
    let writing = tokio::spawn(write_lines(output, queue));
    let mut bridge = Bridge {
        gateway,
        out,
        notice,
        session: None,
        opening: None,
        asked: HashMap::new(),
        header_params: HeaderParams::default(),
        next: 0,
        tasks: JoinSet::new(),
        listener: None,
        reach: GatewayReachability::Untried,
    };
    let unread = bridge.out.clone();
    tokio::select! {
        () = bridge.forward(StdioLineReader::new(input)) => {}
        () = unread.closed() => {}
        () = stop => {}
    }
    drop(unread);
    let reach = bridge.close().await;
    // The queue is closed by now. If the program does not read its output, the proxy still ends
    // after this time.
    let _ = timeout(GOODBYE, writing).await;
    match reach {
        GatewayReachability::Never(note) => Err(BridgeError::Unreachable(note)),
        GatewayReachability::Untried | GatewayReachability::Reached | GatewayReachability::Lost => {
            Ok(())
        }
    }
}

enum GatewayReachability {
    Untried,
    Never(BridgeNote),
    Reached,
    /// The gateway has answered before, but no longer does.
    Lost,
}

struct PendingBridgeRequest {
    ids: Vec<String>,
    modern: bool,
    task: AbortHandle,
}

struct Bridge<N> {
    gateway: BridgeEndpoint,
    out: mpsc::Sender<String>,
    notice: N,
    /// The headers that every request in the open session has.
    session: Option<RequestHeaders>,
    /// The program's `initialize` message, with which the session is reopened.
    opening: Option<Bytes>,
    asked: HashMap<u64, PendingBridgeRequest>,
    /// The arguments of tools that headers must repeat, from the last tool list.
    header_params: HeaderParams,
    next: u64,
    tasks: JoinSet<TaskOutcome>,
    /// The task that reads the session's event stream.
    listener: Option<AbortHandle>,
    reach: GatewayReachability,
}

impl<N: FnMut(&BridgeNote)> Bridge<N> {
    async fn forward(&mut self, mut lines: StdioLineReader<impl AsyncRead + Unpin>) {
        loop {
            let line = tokio::select! {
                line = lines.next() => line,
                Some(done) = self.tasks.join_next() => {
                    if let Ok(done) = done {
                        self.done(done).await;
                    }
                    continue;
                }
            };
            match line {
                Ok(Some(StdioLine::Whole(line))) => self.take(Bytes::copy_from_slice(line)).await,
                Ok(Some(StdioLine::TooLong { .. })) => {
                    let message = format!("a message of more than {} MiB", LINE_MAX >> 20);
                    self.refuse("null", -32_600, &message).await;
                }
                Ok(None) | Err(_) => break,
            }
            lines.forget();
        }
        // A script may close the proxy's stdin after its last request, and still needs the answers.
        let rest = async {
            while !self.asked.is_empty() {
                match self.tasks.join_next().await {
                    Some(Ok(done)) => self.done(done).await,
                    Some(Err(_)) => {}
                    None => break,
                }
            }
        };
        let _ = timeout(LAST_ANSWERS, rest).await;
    }

    /// Forwards a message of the program to the gateway. If the message can't be parsed, the
    /// program gets an error.
    async fn take(&mut self, line: Bytes) {
        let envelope = match BridgeEnvelope::read(&line, &self.header_params) {
            Ok(envelope) => envelope,
            Err(problem) => return self.refuse("null", -32_700, &problem).await,
        };
        match envelope.kind {
            BridgeMessageKind::Request { id, method } if method == "initialize" => {
                self.opening = Some(line.clone());
                self.open(&line, Some(&id)).await;
            }
            BridgeMessageKind::Request { id, method } => {
                let lists_tools = method == "tools/list";
                self.send(vec![id], lists_tools, envelope.headers, line)
                    .await;
            }
            BridgeMessageKind::Batch { ids } => self.send(ids, false, envelope.headers, line).await,
            BridgeMessageKind::Cancel { id } => self.cancel(&id, line).await,
            BridgeMessageKind::Other => {
                let headers = envelope.headers.or_else(|| self.session.clone());
                self.say(line, headers.as_ref()).await;
            }
        }
    }

    /// Sends a request or a batch, which needs answers.
    async fn send(
        &mut self,
        ids: Vec<String>,
        lists_tools: bool,
        headers: Option<RequestHeaders>,
        line: Bytes,
    ) {
        let waiting: usize = self.asked.values().map(|waiting| waiting.ids.len()).sum();
        if waiting + ids.len() > ASKED_MAX {
            let message = format!("more than {ASKED_MAX} requests at once");
            // Each request of a batch is rejected separately. A batch has a limited length, which
            // bounds this loop.
            for id in &ids {
                self.refuse(id, -32_000, &message).await;
            }
            return;
        }
        let asked = BridgeRequest {
            ticket: self.ticket(),
            ids,
            lists_tools,
            headers,
            line,
            repeated: false,
        };
        self.ask(asked);
    }

    fn ticket(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn ask(&mut self, asked: BridgeRequest) {
        let (ticket, ids) = (asked.ticket, asked.ids.clone());
        let modern = asked.headers.is_some();
        let session = self.session.clone();
        let header_params = self.header_params.clone();
        let work = ask(
            self.gateway.clone(),
            asked,
            session,
            header_params,
            self.out.clone(),
        );
        let task = self.tasks.spawn(work);
        self.asked
            .insert(ticket, PendingBridgeRequest { ids, modern, task });
    }

    /// Cancels a request by closing its stream. For a legacy request, the gateway is notified
    /// before the stream is closed.
    async fn cancel(&mut self, id: &str, line: Bytes) {
        let mut waiting = self.asked.iter();
        let found = waiting.find(|(_, waiting)| waiting.ids.iter().any(|known| known == id));
        let Some((&ticket, waiting)) = found else {
            return;
        };
        if waiting.ids.len() > 1 {
            // Other requests of the same batch are still pending.
            let session = self.session.clone();
            return self.say(line, session.as_ref()).await;
        }
        let Some(waiting) = self.asked.remove(&ticket) else {
            return;
        };
        if !waiting.modern {
            let session = self.session.clone();
            self.say(line, session.as_ref()).await;
        }
        waiting.task.abort();
    }

    /// Sends a message that needs no answer: a notification, or an answer to a request of the
    /// gateway.
    async fn say(&mut self, line: Bytes, headers: Option<&RequestHeaders>) {
        let silence = self.gateway.limits.opening;
        match timeout(PROMPT, self.gateway.post(line, headers, silence)).await {
            Ok(Ok(_)) => self.reach = GatewayReachability::Reached,
            Ok(Err(GatewayRequestError::Unreachable(why))) => self.unreachable(why),
            Ok(Err(fault)) => tracing::debug!(%fault, "a notification was not taken"),
            Err(_) => tracing::debug!("a notification was not taken in time"),
        }
    }

    /// Opens a session with the program's `initialize` message. If `id` is given, the program gets
    /// the answer.
    async fn open(&mut self, line: &Bytes, id: Option<&str>) {
        if let Some(listener) = self.listener.take() {
            listener.abort();
        }
        self.session = None;
        let opening = timeout(PROMPT, request::open(&self.gateway, line, id, &self.out)).await;
        let opened = opening.unwrap_or_else(|_| {
            let late = BridgeFault::Late(PROMPT.as_secs());
            Err(GatewayRequestError::Unreachable(late.to_string()))
        });
        match opened {
            Ok(headers) => {
                self.reach = GatewayReachability::Reached;
                if headers.session.is_some() {
                    let work = listen(self.gateway.clone(), headers.clone(), self.out.clone());
                    self.listener = Some(self.tasks.spawn(work));
                }
                self.session = Some(headers);
            }
            Err(fault) => {
                if let Some(id) = id {
                    self.refuse(id, -32_000, &fault.to_message(&self.gateway))
                        .await;
                }
                if let GatewayRequestError::Unreachable(why) = fault {
                    self.unreachable(why);
                }
            }
        }
    }

    async fn done(&mut self, done: TaskOutcome) {
        match done {
            TaskOutcome::Answered { ticket } => {
                self.reach = GatewayReachability::Reached;
                self.asked.remove(&ticket);
            }
            TaskOutcome::Unreachable { ticket, why } => {
                self.asked.remove(&ticket);
                self.unreachable(why);
            }
            TaskOutcome::Forgotten { session, asked } => {
                self.open_again(&session).await;
                if let Some(asked) = asked
                    && self.asked.remove(&asked.ticket).is_some()
                {
                    self.ask(*asked);
                }
            }
            TaskOutcome::Silent => {}
        }
    }

    /// Opens a new session in place of the one that the gateway has forgotten, unless that was
    /// already done.
    async fn open_again(&mut self, forgotten: &HeaderValue) {
        let current = self
            .session
            .as_ref()
            .and_then(|headers| headers.session.as_ref());
        let Some(opening) = self.opening.clone() else {
            return;
        };
        if current != Some(forgotten) {
            return;
        }
        self.open(&opening, None).await;
        if let Some(session) = self.session.clone() {
            let initialized = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            self.say(Bytes::from_static(initialized), Some(&session))
                .await;
        }
    }

    /// Sends a notice that the gateway does not answer, but only once.
    fn unreachable(&mut self, why: String) {
        let note = self.gateway.unanswered(why);
        match self.reach {
            GatewayReachability::Never(_) | GatewayReachability::Lost => {}
            GatewayReachability::Untried => {
                (self.notice)(&note);
                self.reach = GatewayReachability::Never(note);
            }
            GatewayReachability::Reached => {
                (self.notice)(&note);
                self.reach = GatewayReachability::Lost;
            }
        }
    }

    /// Answers a request of the program with an error.
    async fn refuse(&self, id: &str, code: i64, message: &str) {
        // An error means that the output is closed, which ends the proxy.
        let _ = self.out.send(envelope::refusal(id, code, message)).await;
    }

    async fn close(mut self) -> GatewayReachability {
        self.tasks.abort_all();
        if let Some(session) = self.session.take()
            && session.session.is_some()
        {
            let _ = timeout(GOODBYE, self.gateway.delete(&session)).await;
        }
        self.reach
    }
}
