//! The gateway for programs that can only start a command: messages as lines on standard input and
//! output, carried to its Streamable HTTP and back.
//!
//! Nothing is understood that need not be: a message is looked at for its method and its id, and
//! goes through as it came. What does not hold between the two is made up for here: the session's
//! id and the version's header (legacy), the headers that repeat a request's content (modern),
//! a cancel that is the end of a stream, and a session that the gateway has forgotten, which is
//! opened again with the program's own `initialize`.
//!
//! Only an address of this machine is spoken to, since a token goes with every request; and of each
//! new connection [`Known`] is asked first whether who listens there is the gateway it is meant for.

mod gate;
mod known;
mod limits;
mod lines;
mod outline;
mod relocation;
mod request;

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use guild_core::note::{BridgeFault, BridgeNote, BridgeWrong, Told as _};
use http::HeaderValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use self::gate::{Fault, Gate, Stamp};
pub use self::known::Known;
pub use self::limits::BridgeLimits;
use self::lines::{Line, LineReader, write_lines};
use self::outline::{Kind, Outline};
pub use self::relocation::Relocation;
use self::request::{Asked, Done, ask, listen};
use crate::mirror::Mirrors;

/// The longest line that is read, in bytes.
const LINE_MAX: usize = 16 << 20;
/// How many requests may wait for their answers.
const ASKED_MAX: usize = 256;
/// How many messages wait to be written; few, because each may be large.
const QUEUE: usize = 16;
/// How long the opening may take, and everything else that is answered at once.
const PROMPT: Duration = Duration::from_secs(30);
/// How long answers are waited for once the program has said its last word.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// How long the goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// Where the bridge leads.
#[derive(Clone)]
pub struct BridgeOptions {
    /// The endpoint's address: `http://127.0.0.1:19999/mcp`.
    pub url: String,
    /// The token; `None` where none is wanted.
    pub token: Option<String>,
    /// Who is asked before the token is sent.
    pub known: Known,
    /// How the address is found again.
    pub relocation: Relocation,
    /// When the gateway is checked.
    pub limits: BridgeLimits,
}

/// Says where it leads, and no token.
impl std::fmt::Debug for BridgeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BridgeOptions")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// Why a bridge ended without having carried anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BridgeError {
    /// The address is none that the bridge leads to.
    #[error("{0}")]
    Address(BridgeWrong),
    /// Nothing answered there, up to the end.
    #[error("{0}")]
    Unreachable(BridgeNote),
}

/// Carries messages between a program and the gateway until the program's input ends, nobody reads
/// its output any more, or `stop` ends. What a person should know while it goes on is told to
/// `notice`.
///
/// # Errors
/// When the address can't be used, or nothing ever answered there.
pub async fn bridge(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: &BridgeOptions,
    stop: impl Future<Output = ()>,
    notice: impl FnMut(&BridgeNote),
) -> Result<(), BridgeError> {
    let gate = Gate::new(options).map_err(BridgeError::Address)?;
    let (out, queue) = mpsc::channel(QUEUE);
    let writing = tokio::spawn(write_lines(output, queue));
    let mut bridge = Bridge {
        gate,
        out,
        notice,
        session: None,
        opening: None,
        asked: HashMap::new(),
        mirrors: Mirrors::default(),
        next: 0,
        tasks: JoinSet::new(),
        listener: None,
        reach: Reach::Untried,
    };
    let unread = bridge.out.clone();
    tokio::select! {
        () = bridge.carry(LineReader::new(input)) => {}
        () = unread.closed() => {}
        () = stop => {}
    }
    drop(unread);
    let reach = bridge.close().await;
    // Its queue is closed with the bridge; a reader that is stuck does not hold up the end.
    let _ = timeout(GOODBYE, writing).await;
    match reach {
        Reach::Never(told) => Err(BridgeError::Unreachable(told)),
        Reach::Untried | Reach::Reached | Reach::Lost => Ok(()),
    }
}

/// Whether anybody answers.
enum Reach {
    Untried,
    Never(BridgeNote),
    Reached,
    /// It did, and does not any more.
    Lost,
}

/// A request that waits for its answer.
struct Waiting {
    ids: Vec<String>,
    modern: bool,
    task: AbortHandle,
}

struct Bridge<N> {
    gate: Gate,
    out: mpsc::Sender<String>,
    notice: N,
    /// What stands on every request of an opened session.
    session: Option<Stamp>,
    /// The program's own `initialize`, to open the session again.
    opening: Option<Bytes>,
    asked: HashMap<u64, Waiting>,
    /// Which arguments the program's tools want repeated in headers, as its last list said.
    mirrors: Mirrors,
    next: u64,
    tasks: JoinSet<Done>,
    /// What listens to the session's own stream.
    listener: Option<AbortHandle>,
    reach: Reach,
}

impl<N: FnMut(&BridgeNote)> Bridge<N> {
    async fn carry(&mut self, mut lines: LineReader<impl AsyncRead + Unpin>) {
        loop {
            tokio::select! {
                line = lines.next() => match line {
                    Some(Line::Whole(line)) => self.take(line).await,
                    Some(Line::TooLong) => {
                        let message = format!("a message of more than {} MiB", LINE_MAX >> 20);
                        self.refuse("null", -32_600, &message).await;
                    }
                    None => break,
                },
                Some(done) = self.tasks.join_next() => {
                    if let Ok(done) = done {
                        self.done(done).await;
                    }
                }
            }
        }
        // A script closes the input behind its last request, and wants the answers all the same.
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

    /// Takes a message of the program.
    async fn take(&mut self, line: Bytes) {
        let outline = match Outline::read(&line, &self.mirrors) {
            Ok(outline) => outline,
            Err(problem) => return self.refuse("null", -32_700, &problem).await,
        };
        match outline.kind {
            Kind::Request { id, method } if method == "initialize" => {
                self.opening = Some(line.clone());
                self.open(&line, Some(&id)).await;
            }
            Kind::Request { id, method } => {
                let lists_tools = method == "tools/list";
                self.send(vec![id], lists_tools, outline.stamp, line).await;
            }
            Kind::Batch { ids } => self.send(ids, false, outline.stamp, line).await,
            Kind::Cancel { id } => self.cancel(&id, line).await,
            Kind::Other => {
                let stamp = outline.stamp.or_else(|| self.session.clone());
                self.say(line, stamp.as_ref()).await;
            }
        }
    }

    /// Sends what wants answers on its way.
    async fn send(
        &mut self,
        ids: Vec<String>,
        lists_tools: bool,
        stamp: Option<Stamp>,
        line: Bytes,
    ) {
        let waiting: usize = self.asked.values().map(|waiting| waiting.ids.len()).sum();
        if waiting + ids.len() > ASKED_MAX {
            let message = format!("more than {ASKED_MAX} requests at once");
            // So many are refused as one message alone names; its length is bounded.
            for id in &ids {
                self.refuse(id, -32_000, &message).await;
            }
            return;
        }
        let asked = Asked {
            ticket: self.ticket(),
            ids,
            lists_tools,
            stamp,
            line,
            repeated: false,
        };
        self.ask(asked);
    }

    fn ticket(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn ask(&mut self, asked: Asked) {
        let (ticket, ids) = (asked.ticket, asked.ids.clone());
        let modern = asked.stamp.is_some();
        let session = self.session.clone();
        let mirrors = self.mirrors.clone();
        let work = ask(self.gate.clone(), asked, session, mirrors, self.out.clone());
        let task = self.tasks.spawn(work);
        self.asked.insert(ticket, Waiting { ids, modern, task });
    }

    /// Ends a request that the program waits for no more. A modern one ends with its stream; of a
    /// legacy one the gateway is told first.
    async fn cancel(&mut self, id: &str, line: Bytes) {
        let mut waiting = self.asked.iter();
        let found = waiting.find(|(_, waiting)| waiting.ids.iter().any(|known| known == id));
        let Some((&ticket, waiting)) = found else {
            return;
        };
        if waiting.ids.len() > 1 {
            // The others of its batch are waited for.
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

    /// Says what has no answer: a notification, or an answer to a question of the gateway.
    async fn say(&mut self, line: Bytes, stamp: Option<&Stamp>) {
        let silence = self.gate.limits.opening;
        match timeout(PROMPT, self.gate.post(line, stamp, silence)).await {
            Ok(Ok(_)) => self.reach = Reach::Reached,
            Ok(Err(Fault::Unreachable(why))) => self.unreachable(why),
            Ok(Err(fault)) => tracing::debug!(%fault, "a notification was not taken"),
            Err(_) => tracing::debug!("a notification was not taken in time"),
        }
    }

    /// Opens a session with the program's `initialize`; the answer goes to it the first time.
    async fn open(&mut self, line: &Bytes, id: Option<&str>) {
        if let Some(listener) = self.listener.take() {
            listener.abort();
        }
        self.session = None;
        let opening = timeout(PROMPT, request::open(&self.gate, line, id, &self.out)).await;
        let opened = opening.unwrap_or_else(|_| {
            let late = BridgeFault::Late(PROMPT.as_secs());
            Err(Fault::Unreachable(late.told()))
        });
        match opened {
            Ok(stamp) => {
                self.reach = Reach::Reached;
                if stamp.session.is_some() {
                    let work = listen(self.gate.clone(), stamp.clone(), self.out.clone());
                    self.listener = Some(self.tasks.spawn(work));
                }
                self.session = Some(stamp);
            }
            Err(fault) => {
                if let Some(id) = id {
                    self.refuse(id, -32_000, &fault.told(&self.gate)).await;
                }
                if let Fault::Unreachable(why) = fault {
                    self.unreachable(why);
                }
            }
        }
    }

    async fn done(&mut self, done: Done) {
        match done {
            Done::Answered { ticket } => {
                self.reach = Reach::Reached;
                self.asked.remove(&ticket);
            }
            Done::Unreachable { ticket, why } => {
                self.asked.remove(&ticket);
                self.unreachable(why);
            }
            Done::Forgotten { session, asked } => {
                self.open_again(&session).await;
                if let Some(asked) = asked
                    && self.asked.remove(&asked.ticket).is_some()
                {
                    self.ask(*asked);
                }
            }
            Done::Silent => {}
        }
    }

    /// Opens the session anew that the gateway knows no more, unless that was done already.
    async fn open_again(&mut self, forgotten: &HeaderValue) {
        let current = self
            .session
            .as_ref()
            .and_then(|stamp| stamp.session.as_ref());
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

    /// Tells a person, once, that nobody answers.
    fn unreachable(&mut self, why: String) {
        let told = self.gate.unanswered(why);
        match self.reach {
            Reach::Never(_) | Reach::Lost => {}
            Reach::Untried => {
                (self.notice)(&told);
                self.reach = Reach::Never(told);
            }
            Reach::Reached => {
                (self.notice)(&told);
                self.reach = Reach::Lost;
            }
        }
    }

    /// Answers a request itself.
    async fn refuse(&self, id: &str, code: i64, message: &str) {
        // Whoever closed the output is noticed elsewhere.
        let _ = self.out.send(outline::refusal(id, code, message)).await;
    }

    async fn close(mut self) -> Reach {
        self.tasks.abort_all();
        if let Some(session) = self.session.take()
            && session.session.is_some()
        {
            let _ = timeout(GOODBYE, self.gate.delete(&session)).await;
        }
        self.reach
    }
}
