//! An MCP server over HTTP that requires a sign-in, and its authorization server, on one port of
//! this machine.
//!
//! Its [`Switches`] enable typical faults of such servers, and can be changed while it runs. A
//! request for `/authorize` counts as a person's consent.

mod authorization;
mod browser;
mod mcp;
mod switches;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::fixture::http_wire::{Request, Requests, answer};

pub use self::browser::{browse, redirect_of};
pub use self::switches::{Registration, Switches};

/// The delay of a slow answer, longer than any client waits.
const SLOW: Duration = Duration::from_secs(600);

/// The running servers. Dropping this value ends them.
#[derive(Debug)]
pub struct Guarded {
    shared: Arc<Shared>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    origin: String,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    switches: Switches,
    /// Received requests, each as a line with the method, the path, and other relevant data.
    log: Vec<String>,
    /// All tokens, codes and secrets that were issued.
    given: Vec<String>,
    codes: BTreeMap<String, Code>,
    /// The codes for devices: the client, the scopes, and the number of requests for the tokens.
    devices: BTreeMap<String, (String, BTreeSet<String>, usize)>,
    clients: BTreeMap<String, Option<String>>,
    access: BTreeMap<String, BTreeSet<String>>,
    refresh: BTreeMap<String, BTreeSet<String>>,
    next: usize,
}

#[derive(Debug, Clone)]
struct Code {
    client: String,
    redirect: String,
    challenge: String,
    scopes: BTreeSet<String>,
}

impl Known {
    /// Returns a unique string that is long enough to search for.
    fn new_text(&mut self, kind: &str) -> String {
        self.next += 1;
        let text = format!("guarded-{kind}-{}-{:04}", std::process::id(), self.next);
        self.given.push(text.clone());
        text
    }
}

struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Reply {
    fn json(status: u16, body: &serde_json::Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    fn empty(status: u16) -> Self {
        Self {
            status,
            headers: vec![],
            body: vec![],
        }
    }

    fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl Guarded {
    /// Serves on a free port of this machine.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn serve(switches: Switches) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let origin = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
        let known = Mutex::new(Known {
            switches,
            ..Known::default()
        });
        let shared = Arc::new(Shared { origin, known });
        let serving = tokio::spawn(accept(Arc::clone(&shared), listener));
        Ok(Self { shared, serving })
    }

    /// Returns the origin of both servers.
    pub fn origin(&self) -> &str {
        &self.shared.origin
    }

    /// Returns the address of the MCP server.
    pub fn url(&self) -> String {
        format!("{}/mcp", self.shared.origin)
    }

    /// Changes the switches.
    pub fn switch(&self, turn: impl FnOnce(&mut Switches)) {
        turn(&mut self.shared.known().switches);
    }

    /// Returns the received requests, each as a line.
    pub fn log(&self) -> Vec<String> {
        self.shared.known().log.clone()
    }

    /// Returns the number of requests whose line begins with `beginning`.
    pub fn asked(&self, beginning: &str) -> usize {
        let known = self.shared.known();
        let lines = known.log.iter();
        lines.filter(|line| line.starts_with(beginning)).count()
    }

    /// Returns all tokens, codes and secrets that were issued.
    pub fn given(&self) -> Vec<String> {
        self.shared.known().given.clone()
    }

    /// Invalidates all access tokens that were issued so far.
    pub fn expire(&self) {
        self.shared.known().access.clear();
    }

    /// Invalidates all refresh tokens that were issued so far.
    pub fn revoke_refresh(&self) {
        self.shared.known().refresh.clear();
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn accept(shared: Arc<Shared>, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        // A client that disconnects is not the server's error.
        tokio::spawn(async move { converse(&shared, stream).await });
    }
}

async fn converse(shared: &Shared, stream: TcpStream) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut requests = Requests::new(reader);
    while let Some(request) = requests.next().await? {
        let switches = shared.known().switches.clone();
        let slow = switches.slow.as_deref();
        if slow.is_some_and(|slow| request.path.contains(slow)) {
            tokio::time::sleep(SLOW).await;
        }
        let reply = reply(shared, &switches, &request);
        if request.path.starts_with("/token") {
            tokio::time::sleep(Duration::from_millis(switches.tokens_after_ms)).await;
        }
        let headers: Vec<(&str, &str)> = reply
            .headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        answer(&mut writer, reply.status, &headers, &reply.body).await?;
        writer.flush().await?;
    }
    Ok(())
}

fn reply(shared: &Shared, switches: &Switches, request: &Request) -> Reply {
    let (path, query) = request
        .path
        .split_once('?')
        .unwrap_or((request.path.as_str(), ""));
    if path == "/mcp" {
        return mcp::reply(shared, switches, request);
    }
    authorization::reply(shared, switches, request, path, query)
}

/// Parses the fields of a form or a query.
fn fields(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (plain(name), plain(value))
        })
        .collect()
}

fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).unwrap_or(b'?')
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Percent-encodes a string for an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
