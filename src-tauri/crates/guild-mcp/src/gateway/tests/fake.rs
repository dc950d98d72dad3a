//! A directory that is made up, and clients of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use guild_core::agents::{Endpoint, Listing};
use guild_core::event::Progress;
use guild_core::{ClientId, MemberName};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::asking::{Question, Wanted};
use crate::gateway::{
    AgentCall, Changes, Client, Directory, Face, Listed, PassedOn, Refusal, Seen, ServeOptions,
    Visit, serve,
};

/// The token of the one client.
pub(super) const TOKEN: &str = "a-token-that-is-good";

/// What the directory was told and how it answers.
#[derive(Debug)]
pub(super) struct Fake {
    /// Whether a token is wanted.
    pub(super) wants_token: bool,
    pub(super) revoked: CancellationToken,
    pub(super) changes: watch::Sender<Changes>,
    pub(super) seen: Mutex<Vec<String>>,
    /// Calls that are under way.
    pub(super) running: AtomicUsize,
    /// Has a permit for each call that was left before its end.
    pub(super) left: Semaphore,
    /// Has a permit for each call of `wait` that began.
    pub(super) began: Semaphore,
    /// `wait` ends once it gets a permit of this.
    pub(super) go: Semaphore,
}

impl Fake {
    fn new(wants_token: bool) -> Self {
        Self {
            wants_token,
            revoked: CancellationToken::new(),
            changes: watch::Sender::default(),
            seen: Mutex::default(),
            running: AtomicUsize::new(0),
            left: Semaphore::new(0),
            began: Semaphore::new(0),
            go: Semaphore::new(0),
        }
    }
}

/// Counts a call while it runs, and tells when it was left.
struct Running<'a> {
    fake: &'a Fake,
    done: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.fake.running.fetch_sub(1, Ordering::Relaxed);
        if !self.done {
            self.fake.left.add_permits(1);
        }
    }
}

pub(super) fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON")
}

fn text(text: &str) -> Box<RawValue> {
    raw(&json!({"content": [{"type": "text", "text": text}]}))
}

impl Fake {
    async fn run(&self, visit: &Visit, call: AgentCall) -> Result<Box<RawValue>, Refusal> {
        let cancelled = || Refusal::new(Refusal::INTERNAL, "The call was cancelled.");
        match call.name.as_str() {
            "echo" => Ok(call.arguments.unwrap_or_else(|| text("nothing"))),
            "who" => Ok(text(&visit.calls_itself)),
            "steps" => {
                for step in 1..=3 {
                    let progress = Progress {
                        progress: f64::from(step),
                        total: Some(3.0),
                        message: Some(format!("step {step}")),
                    };
                    if let Some(steps) = &call.back.progress {
                        steps.send(progress).await.map_err(|_| cancelled())?;
                    }
                }
                Ok(text("done"))
            }
            "log" => {
                if let Some(hearing) = &call.back.hearing {
                    hearing.log(raw(&json!({"level": "info", "data": "heard"})));
                }
                Ok(text("done"))
            }
            "wait" => {
                self.began.add_permits(1);
                tokio::select! {
                    permit = self.go.acquire() => {
                        permit.map_err(|_| cancelled())?.forget();
                        Ok(text("waited"))
                    }
                    () = call.back.cancel.cancelled() => Err(cancelled()),
                }
            }
            "ask" | "ask-twice" => {
                let Some(asking) = call.back.asking else {
                    return Ok(text("nobody to ask"));
                };
                let question = |message: &str| Question {
                    call: None,
                    tool: None,
                    message: message.into(),
                    wanted: Wanted::Values {
                        schema: json!({"type": "object", "properties": {"name": {"type": "string"}}}),
                    },
                };
                if call.name == "ask-twice" {
                    let both = (
                        asking.ask(question("First?")),
                        asking.ask(question("Second?")),
                    );
                    let (first, second) = tokio::join!(both.0, both.1);
                    return Ok(text(&format!("{:?} {:?}", first.content, second.content)));
                }
                let reply = asking.ask(question("Who?")).await;
                Ok(text(&reply.into_result().to_string()))
            }
            "needs" => Err(Refusal::new(-32_021, "Missing required client capability")),
            "fail" => Err(Refusal {
                code: -32_042,
                message: "It \"failed\".".into(),
                data: Some(r#"{"member":"m"}"#.into()),
            }),
            _ => Err(Refusal::new(
                Refusal::INVALID_PARAMS,
                "There is no such tool.",
            )),
        }
    }
}

impl Directory for Fake {
    fn client(&self, token: Option<&str>) -> Option<Client> {
        let client = |name: &str, id: Option<&str>| Client {
            id: id.map(|id| ClientId::try_from(id.to_owned()).expect("an id")),
            name: name.into(),
            revoked: self.revoked.clone(),
        };
        match token {
            None if !self.wants_token => Some(client("", None)),
            Some(TOKEN) => Some(client("a client", Some("client-1"))),
            Some("another") => Some(client("another", Some("client-2"))),
            _ => None,
        }
    }

    fn face(&self, endpoint: &Endpoint) -> Option<Face> {
        let time = MemberName::parse("time").expect("a name");
        let there = match endpoint {
            Endpoint::All => true,
            Endpoint::Member { member } => *member == time,
            Endpoint::Profile { .. } => false,
        };
        there.then(|| Face {
            name: "Guild Hall".into(),
            instructions: Some("Call \"tools\".".into()),
            resources: true,
            prompts: false,
            completions: false,
        })
    }

    fn tools(&self, visit: &Visit) -> Result<Listed, Refusal> {
        let tools = match visit.listing {
            None => r#"[{"name":"default"}]"#,
            Some(Listing::Lazy) => r#"[{"name":"lazy"}]"#,
            Some(Listing::Full) => r#"[{"name":"full"}]"#,
            Some(Listing::Search) => r#"[{"name":"search"}]"#,
        };
        Ok(Listed {
            tools: Bytes::from_static(tools.as_bytes()),
            ttl: Duration::from_secs(5),
        })
    }

    fn describe(&self, _visit: &Visit, name: &str) -> Result<Bytes, Refusal> {
        if name == "echo" {
            return Ok(Bytes::from_static(br#"{"name":"echo","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}"#));
        }
        let why = format!("There is no tool {name:?}; did you mean \"echo\"?");
        Err(Refusal::new(Refusal::INVALID_PARAMS, why))
    }

    async fn call(&self, visit: &Visit, call: AgentCall) -> Result<Box<RawValue>, Refusal> {
        self.running.fetch_add(1, Ordering::Relaxed);
        let mut running = Running {
            fake: self,
            done: false,
        };
        let answer = self.run(visit, call).await;
        running.done = true;
        answer
    }

    async fn pass_on(&self, _: &Visit, request: PassedOn) -> Result<Box<RawValue>, Refusal> {
        match request.method {
            "resources/list" => Ok(raw(&json!({"resources": []}))),
            "resources/read" => Err(Refusal::new(-32_002, "There is no such resource.")),
            method => Ok(raw(&json!({
                "method": method,
                "params": request.params,
            }))),
        }
    }

    fn seen(&self, visit: &Visit, exchange: Seen<'_>) {
        let line = format!(
            "{} {} {:?} {:?} {:?}",
            visit.client.name, exchange.method, exchange.subject, exchange.params, exchange.answer
        );
        self.seen.lock().expect("unpoisoned").push(line);
    }

    fn changes(&self) -> watch::Receiver<Changes> {
        self.changes.subscribe()
    }
}

/// A gateway that runs.
pub(super) struct Open {
    pub(super) fake: Arc<Fake>,
    pub(super) port: u16,
    pub(super) stop: CancellationToken,
    pub(super) task: JoinHandle<std::io::Result<()>>,
    http: reqwest::Client,
}

pub(super) async fn open() -> Open {
    open_with(false, ServeOptions::default()).await
}

pub(super) async fn open_with(wants_token: bool, options: ServeOptions) -> Open {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let fake = Arc::new(Fake::new(wants_token));
    let stop = CancellationToken::new();
    let task = tokio::spawn(serve(listener, Arc::clone(&fake), options, stop.clone()));
    Open {
        fake,
        port,
        stop,
        task,
        http: crate::http::client("http://127.0.0.1/")
            .await
            .expect("a client"),
    }
}

/// An answer as it was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) status: u16,
    pub(super) headers: http::HeaderMap,
    pub(super) text: String,
}

impl Read {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> &str {
        let value = self
            .headers
            .get(name)
            .map(|value| value.to_str().expect("text"));
        value.unwrap_or_default()
    }
}

pub(super) async fn read(response: reqwest::Response) -> Read {
    Read {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await.expect("a body"),
    }
}

impl Open {
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A request by any method.
    pub(super) fn request(&self, method: http::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.url(path))
    }

    /// A `POST` with the right headers.
    pub(super) fn posting(&self, path: &str, body: &str) -> reqwest::RequestBuilder {
        self.request(http::Method::POST, path)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(body.to_owned())
    }

    pub(super) async fn post(&self, path: &str, body: &str) -> Read {
        read(self.posting(path, body).send().await.expect("an answer")).await
    }

    pub(super) async fn send(&self, request: reqwest::Request) -> Read {
        read(self.http.execute(request).await.expect("an answer")).await
    }

    /// Opens a session; its id.
    pub(super) async fn session(&self, version: &str, capabilities: Value) -> String {
        let body = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": version,
                "capabilities": capabilities,
                "clientInfo": {"name": "a test", "version": "1"},
            },
        });
        let answer = self.post("/mcp", &body.to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.header("mcp-session-id").to_owned()
    }

    /// Ends the gateway.
    pub(super) async fn close(self) {
        self.stop.cancel();
        self.task.await.expect("no panic").expect("it was open");
    }
}

/// A call as the versions with `initialize` make it.
pub(super) fn call(id: u64, tool: &str) -> String {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": {}, "_meta": {"progressToken": "t"}},
    })
    .to_string()
}

/// A request of 2026-07-28. `more` may have `capabilities`, further fields of `meta`, and further
/// `params`.
pub(super) fn modern(
    gateway: &Open,
    id: u64,
    method: &str,
    params: Value,
    more: Value,
) -> reqwest::RequestBuilder {
    let mut params = params;
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "a modern test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let Some(capabilities) = more.get("capabilities") {
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    }
    let add = |to: &mut Value, from: Option<&Value>| {
        for (name, value) in from.and_then(Value::as_object).into_iter().flatten() {
            to[name] = value.clone();
        }
    };
    add(&mut meta, more.get("meta"));
    add(&mut params, more.get("params"));
    params["_meta"] = meta;
    let subject = params.get("name").or(params.get("uri"));
    let subject = subject
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let mut request = gateway
        .posting("/mcp", &body.to_string())
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if !subject.is_empty() {
        request = request.header("mcp-name", subject);
    }
    request
}

/// The lines of a stream of events, without the empty ones between them.
pub(super) struct Lines {
    response: reqwest::Response,
    text: String,
}

impl Lines {
    pub(super) fn of(response: reqwest::Response) -> Self {
        let kind = response.headers().get("content-type").cloned();
        assert_eq!(kind.expect("a kind"), "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    async fn line(&mut self) -> Option<String> {
        loop {
            if let Some((line, rest)) = self.text.split_once('\n') {
                let line = line.to_owned();
                self.text = rest.to_owned();
                if !line.is_empty() {
                    return Some(line);
                }
                continue;
            }
            let read = self.response.chunk().await.expect("a whole stream")?;
            self.text
                .push_str(std::str::from_utf8(&read).expect("text"));
        }
    }

    /// The next line.
    pub(super) async fn next(&mut self) -> String {
        self.line().await.expect("a line")
    }

    /// The next message; comments and ids before it are passed over.
    pub(super) async fn message(&mut self) -> Value {
        loop {
            let line = self.line().await.expect("a line");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }

    /// Waits for the end of the stream, which has nothing more to tell.
    pub(super) async fn end(&mut self) {
        assert_eq!(self.line().await, None);
    }
}

/// A connection on which anything can be written.
pub(super) struct Plain(pub(super) TcpStream);

impl Plain {
    pub(super) async fn open(port: u16) -> Self {
        Self(
            TcpStream::connect(("127.0.0.1", port))
                .await
                .expect("a connection"),
        )
    }

    pub(super) async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("written");
    }

    /// A request with a body, as it is written on the wire.
    pub(super) fn post(port: u16, body: &str) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    /// Reads until the text is there; everything that was read so far.
    pub(super) async fn until(&mut self, text: &str) -> String {
        let mut read = String::new();
        let mut buffer = [0; 4096];
        while !read.contains(text) {
            let count = self.0.read(&mut buffer).await.expect("readable");
            assert!(count > 0, "the connection ended after {read:?}");
            read.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        read
    }

    /// Reads to the connection's end.
    pub(super) async fn rest(mut self) -> String {
        let mut read = Vec::new();
        // A connection that was cut ends in an error; what came before it counts.
        let _ = self.0.read_to_end(&mut read).await;
        String::from_utf8_lossy(&read).into_owned()
    }
}
