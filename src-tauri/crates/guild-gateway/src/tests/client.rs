//! A running gateway, and test clients.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::fake::Fake;
use crate::{ServeOptions, serve};

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
    let task = tokio::spawn(serve(
        listener,
        Arc::clone(&fake) as _,
        options,
        stop.clone(),
    ));
    Open {
        fake,
        port,
        stop,
        task,
        http: guild_mcp_client::client("http://127.0.0.1/", None, false)
            .await
            .expect("a client"),
    }
}

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

    pub(super) fn request(&self, method: http::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.url(path))
    }

    /// Returns a `POST` request with valid headers.
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

    /// Opens a session and returns its id.
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

    /// Stops the gateway and waits for its end.
    pub(super) async fn close(self) {
        self.stop.cancel();
        self.task.await.expect("no panic").expect("it was open");
    }
}

/// Returns a `tools/call` request of a version with `initialize`.
pub(super) fn call(id: u64, tool: &str) -> String {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": {}, "_meta": {"progressToken": "t"}},
    })
    .to_string()
}

/// Returns a request of 2026-07-28. `more` may have `capabilities`, additional fields of `meta`,
/// and additional `params`.
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

/// Reads the nonempty lines of an event stream.
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

    pub(super) async fn next(&mut self) -> String {
        self.line().await.expect("a line")
    }

    /// Returns the next message. Skips comments and ids before it.
    pub(super) async fn message(&mut self) -> Value {
        loop {
            let line = self.line().await.expect("a line");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }

    /// Waits for the end of the stream. Panics if another line arrives.
    pub(super) async fn end(&mut self) {
        assert_eq!(self.line().await, None);
    }
}

/// A raw connection that can send any bytes.
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

    /// Returns a request with a body, as sent over the connection.
    pub(super) fn post(port: u16, body: &str) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    /// Reads until the text has arrived, and returns everything read by then.
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

    /// Reads to the end of the connection.
    pub(super) async fn rest(mut self) -> String {
        let mut read = Vec::new();
        // A connection that was cut off ends in an error. The bytes before the error still count.
        let _ = self.0.read_to_end(&mut read).await;
        String::from_utf8_lossy(&read).into_owned()
    }
}
