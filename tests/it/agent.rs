//! A gateway, and an independent client of it for each protocol version. The client shares no code
//! with the gateway.

use std::time::Duration;

use guild_tests::LIMIT;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::guildhall::{CliHarness, Running};

/// The protocol version without `initialize`.
pub(crate) const MODERN: &str = "2026-07-28";
/// All protocol versions, the oldest first.
pub(crate) const VERSIONS: [&str; 4] = ["2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/// A `guildhall serve` with its gateway.
pub(crate) struct Gateway {
    /// The address without a path.
    pub(crate) origin: String,
    /// The printed token. `None` if the gateway requires no token.
    pub(crate) token: Option<String>,
    pub(crate) running: Running,
}

impl Gateway {
    /// Starts a gateway with the harness's members, on a free port and without tokens.
    pub(crate) async fn open(cli: &CliHarness) -> Self {
        Self::start(cli, &["serve", "--gateway-port", "0", "--no-token"]).await
    }

    pub(crate) async fn start(cli: &CliHarness, words: &[&str]) -> Self {
        Self::of(cli.start(words)).await
    }

    /// Waits for the gateway of a program that starts.
    pub(crate) async fn of(mut running: Running) -> Self {
        let first = running.line().await.expect("its first line");
        let address = first["gateway"].as_str().unwrap_or_default();
        let origin = address.strip_suffix("/mcp");
        Self {
            origin: origin
                .unwrap_or_else(|| panic!("no gateway: {first}"))
                .to_owned(),
            token: first["token"].as_str().map(str::to_owned),
            running,
        }
    }

    /// Waits until all these members are ready. Returns their protocol versions.
    pub(crate) async fn ready(&mut self, members: &[String]) -> Vec<String> {
        let mut versions = vec![None; members.len()];
        while versions.contains(&None) {
            let line = self.running.line().await;
            let line = line.expect("the events go on until all members are up");
            let event = &line["event"];
            let views = match event["kind"].as_str() {
                Some("roster") => event["roster"]["members"].as_array().cloned(),
                Some("member_added" | "member_changed") => Some(vec![event["member"].clone()]),
                _ => None,
            };
            for view in views.unwrap_or_default() {
                let at = members.iter().position(|member| view["name"] == **member);
                assert_ne!(view["status"], "error", "{view:#}");
                // Ready, and its tools are listed.
                if let Some(at) = at
                    && view["status"] == "ready"
                    && view["tools"] != 0
                {
                    versions[at] = view["protocolVersion"].as_str().map(str::to_owned);
                }
            }
        }
        versions.into_iter().flatten().collect()
    }

    /// Ends the gateway with SIGTERM. Checks that it and its members have ended.
    pub(crate) async fn end(self, cli: &CliHarness) {
        self.running.signal(Signal::TERM);
        let ended = self.running.ended(cli).await;
        assert_eq!(ended.code, Some(0), "{ended:#?}");
    }
}

/// A client with one protocol version.
pub(crate) struct Agent {
    http: Client<HttpConnector, Full<Bytes>>,
    url: String,
    version: &'static str,
    session: Option<String>,
    next: u64,
    name: String,
    /// The answer to every question. `None` if the client does not support questions.
    answer: Option<Value>,
    /// Whether the client declares that it shows MCP Apps.
    shows_apps: bool,
}

/// The response to a request, and the messages before it.
#[derive(Debug)]
pub(crate) struct AgentReply {
    pub(crate) answer: Value,
    /// The notifications before the response.
    pub(crate) notes: Vec<Value>,
    /// The questions that the client answered before the response.
    pub(crate) questions: Vec<Value>,
}

impl AgentReply {
    /// Returns the result. Panics if the request has failed.
    pub(crate) fn result(&self) -> &Value {
        let result = self.answer.get("result");
        result.unwrap_or_else(|| panic!("no result: {self:#?}"))
    }
}

impl Agent {
    /// Connects with the handshake of the version.
    pub(crate) async fn open(url: String, version: &'static str) -> Self {
        Self::open_as(url, version, "agent").await
    }

    /// Like [`Agent::open`], for a client with this name.
    pub(crate) async fn open_as(url: String, version: &'static str, name: &str) -> Self {
        Self::open_answering(url, version, name, Some(accepted())).await
    }

    /// Like [`Agent::open`], with this answer to every question. `None` for a client without
    /// questions.
    pub(crate) async fn open_answering(
        url: String,
        version: &'static str,
        name: &str,
        answer: Option<Value>,
    ) -> Self {
        let agent = Self::new(url, version, name, answer);
        agent.opened().await
    }

    /// Like [`Agent::open`], for a client that declares that it shows MCP Apps.
    pub(crate) async fn open_showing_apps(url: String, version: &'static str) -> Self {
        let mut agent = Self::new(url, version, "host", None);
        agent.shows_apps = true;
        agent.opened().await
    }

    fn new(url: String, version: &'static str, name: &str, answer: Option<Value>) -> Self {
        Self {
            http: Client::builder(TokioExecutor::new()).build_http(),
            url,
            version,
            session: None,
            next: 1,
            name: format!("{name}-{version}"),
            answer,
            shows_apps: false,
        }
    }

    async fn opened(mut self) -> Self {
        let version = self.version;
        let agent = &mut self;
        if version == MODERN {
            let found = agent.ask("server/discover", json!({})).await;
            let versions = found.result()["supportedVersions"].as_array();
            assert!(versions.is_some_and(|all| all.contains(&MODERN.into())));
            return self;
        }
        let params = json!({
            "protocolVersion": version,
            "capabilities": agent.capabilities(),
            "clientInfo": {"name": agent.name, "version": "1"},
        });
        let opened = agent.ask("initialize", params).await;
        assert_eq!(opened.result()["protocolVersion"], version);
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let taken = agent.post(&note).await;
        assert_eq!(taken.status(), 202, "a notification is taken");
        self
    }

    /// Subscribes to resources with `subscriptions/listen`. Returns the stream of messages, and the
    /// resources that the gateway watches.
    pub(crate) async fn watch(&mut self, uris: &[&str]) -> (Overheard, Value) {
        let id = self.next;
        self.next += 1;
        let params = json!({
            "notifications": {"resourceSubscriptions": uris},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let method = "subscriptions/listen";
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut overheard = Overheard::of(self.post(&message).await);
        let taken = overheard.next().await;
        let watched = taken["params"]["notifications"]["resourceSubscriptions"].clone();
        (overheard, watched)
    }

    fn capabilities(&self) -> Value {
        match self.version {
            _ if self.shows_apps => {
                let kinds = json!({"mimeTypes": ["text/html;profile=mcp-app"]});
                json!({"extensions": {"io.modelcontextprotocol/ui": kinds}})
            }
            _ if self.answer.is_none() => json!({}),
            "2025-03-26" => json!({}),
            "2025-06-18" => json!({"elicitation": {}}),
            _ => json!({"elicitation": {"form": {}}}),
        }
    }

    /// Whether the version supports questions to a person.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.version != "2025-03-26"
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> AgentReply {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }

    /// Calls a tool with a progress token.
    pub(crate) async fn call_with_progress(&mut self, tool: &str, arguments: Value) -> AgentReply {
        let params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {"progressToken": "the token"},
        });
        self.ask("tools/call", params).await
    }

    /// Returns the answer to a question. Panics if the client does not support questions.
    fn reply(&self) -> Value {
        self.answer.clone().expect("it takes questions")
    }

    /// Sends a request, answers the questions before its response, and returns the response.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> AgentReply {
        let mut params = params;
        let mut questions = Vec::new();
        let mut notes = Vec::new();
        loop {
            let id = self.next;
            self.next += 1;
            if self.version == MODERN {
                let meta = &mut params["_meta"];
                meta["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
                meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities();
                meta["io.modelcontextprotocol/clientInfo"] =
                    json!({"name": self.name, "version": "1"});
            }
            let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            let response = self.post(&message).await;
            if method == "initialize" {
                let session = response.headers().get("mcp-session-id");
                self.session = session.map(|id| id.to_str().expect("text").to_owned());
            }
            let mut reply = self.read(response, id).await;
            notes.append(&mut reply.notes);
            questions.append(&mut reply.questions);
            let needed = &reply.answer["result"];
            if needed["resultType"] == "input_required" {
                let asked = needed["inputRequests"].as_object().expect("questions");
                let answers = asked.iter().map(|(name, question)| {
                    questions.push(question["params"].clone());
                    (name.clone(), self.reply())
                });
                params["inputResponses"] = Value::Object(answers.collect());
                params["requestState"] = needed["requestState"].clone();
                continue;
            }
            reply.notes = notes;
            reply.questions = questions;
            return reply;
        }
    }

    /// Subscribes to resources. Returns the stream of later messages: the stream of the session, or
    /// of the subscription.
    pub(crate) async fn listen(&mut self, uris: &[&str]) -> Overheard {
        if self.version == MODERN {
            let (overheard, watched) = self.watch(uris).await;
            assert_eq!(watched, json!(uris), "all are watched");
            return overheard;
        }
        let session = self.session.clone().expect("a session");
        let request = Request::get(&self.url)
            .header("accept", "text/event-stream")
            .header("mcp-session-id", session)
            .body(Full::default());
        let sent = self.http.request(request.expect("a request"));
        let overheard = Overheard::of(sent.await.expect("a stream"));
        for uri in uris {
            let watched = self.ask("resources/subscribe", json!({"uri": uri})).await;
            assert_eq!(*watched.result(), json!({}));
        }
        overheard
    }

    async fn post(&self, message: &Value) -> Response<Incoming> {
        let mut request = Request::post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let method = message["method"].as_str();
        if self.version != "2025-03-26" && method != Some("initialize") {
            request = request.header("mcp-protocol-version", self.version);
        }
        if self.version == MODERN {
            let params = &message["params"];
            let name = params["name"].as_str().or(params["uri"].as_str());
            request = request.header("mcp-method", method.unwrap_or_default());
            if let Some(name) = name {
                request = request.header("mcp-name", name);
            }
        }
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        let body = Full::from(message.to_string());
        let sent = self.http.request(request.body(body).expect("a request"));
        let sent = timeout(LIMIT, sent).await.expect("an answer in time");
        sent.unwrap_or_else(|error| panic!("{message}: {error}"))
    }

    async fn read(&self, response: Response<Incoming>, id: u64) -> AgentReply {
        let kind = response.headers()["content-type"].to_str().expect("text");
        let is_stream = kind.starts_with("text/event-stream");
        let mut reply = AgentReply {
            answer: Value::Null,
            notes: Vec::new(),
            questions: Vec::new(),
        };
        let mut body = response.into_body();
        if !is_stream {
            let whole = timeout(LIMIT, body.collect())
                .await
                .expect("it ends in time");
            let whole = whole.expect("a body").to_bytes();
            reply.answer = serde_json::from_slice(&whole).expect("JSON");
            assert_eq!(reply.answer["id"], id, "{}", reply.answer);
            return reply;
        }
        let mut text = String::new();
        while let Some(frame) = timeout(LIMIT, body.frame()).await.expect("news in time") {
            let frame = frame.expect("a stream");
            let Some(chunk) = frame.data_ref() else {
                continue;
            };
            text.push_str(std::str::from_utf8(chunk).expect("UTF-8"));
            while let Some((event, rest)) = text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data:"));
                let message: Option<Value> = data
                    .map(str::trim)
                    .filter(|data| !data.is_empty())
                    .map(|data| serde_json::from_str(data).expect("JSON"));
                text = rest.to_owned();
                let Some(message) = message else { continue };
                if message.get("method").is_none() {
                    assert_eq!(message["id"], id, "{message}");
                    reply.answer = message;
                    return reply;
                }
                if message.get("id").is_none() {
                    reply.notes.push(message);
                    continue;
                }
                assert_eq!(message["method"], "elicitation/create");
                reply.questions.push(message["params"].clone());
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.reply()});
                assert_eq!(self.post(&answer).await.status(), 202);
            }
        }
        panic!("the stream ended without a response: {reply:#?}");
    }
}

/// A stream of messages that do not belong to a request.
pub(crate) struct Overheard {
    body: Incoming,
    text: String,
}

impl Overheard {
    fn of(response: Response<Incoming>) -> Self {
        let kind = &response.headers()["content-type"];
        assert_eq!(kind, "text/event-stream");
        Self {
            body: response.into_body(),
            text: String::new(),
        }
    }

    /// Waits for the next message.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data:"));
                let data = data.unwrap_or_default().trim().to_owned();
                self.text = rest.to_owned();
                if !data.is_empty() {
                    return serde_json::from_str(&data).expect("JSON");
                }
            }
            let frame = timeout(LIMIT, self.body.frame()).await;
            let frame = frame.expect("news in time").expect("the stream goes on");
            if let Some(chunk) = frame.expect("a stream").data_ref() {
                self.text
                    .push_str(std::str::from_utf8(chunk).expect("UTF-8"));
            }
        }
    }
}

/// The answer of a person who accepts each question.
pub(crate) fn accepted() -> Value {
    json!({"action": "accept", "content": {"colour": "red"}})
}

/// Returns the value at this percentile of the sorted values.
pub(crate) fn percentile(sorted: &[Duration], per_cent: usize) -> Duration {
    let at = (sorted.len() * per_cent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or_default()
}
