//! A foreign process on a member's port, which answers all requests like a server.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout_at};

/// How long to retry to bind the port of a process that was just killed.
const PATIENCE: Duration = Duration::from_millis(500);
/// Maximum size of a request, in bytes.
const REQUEST_MAX: usize = 1 << 20;

pub(crate) struct Stranger;

impl Stranger {
    /// Listens on the port for this time. Returns whether the port was free.
    pub(crate) async fn stands_at(port: u16, span: Duration) -> bool {
        let patience = Instant::now() + PATIENCE;
        let listener = loop {
            match TcpListener::bind(("127.0.0.1", port)).await {
                Ok(listener) => break listener,
                Err(_) if Instant::now() < patience => sleep(Duration::from_millis(5)).await,
                Err(_) => return false,
            }
        };
        let until = Instant::now() + span;
        while let Ok(Ok((stream, _))) = timeout_at(until, listener.accept()).await {
            tokio::spawn(timeout_at(until, answer(stream)));
        }
        true
    }
}

/// Answers one request after the other as if it were the member.
async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    while buffer.len() < REQUEST_MAX && stream.read_buf(&mut buffer).await? > 0 {
        let Some(message) = message(&buffer) else {
            continue;
        };
        buffer.clear();
        let result = match message["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "stranger", "version": "1.0.0"},
            }),
            "tools/list" => json!({
                "tools": [{"name": "echo", "inputSchema": {"type": "object"}}],
            }),
            _ => json!({"content": [{"type": "text", "text": "an answer of a stranger"}]}),
        };
        let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await?;
    }
    Ok(())
}

/// Returns the message in a request. `None` until the request is complete.
fn message(request: &[u8]) -> Option<Value> {
    let body = request.windows(4).position(|part| part == b"\r\n\r\n")?;
    serde_json::from_slice(&request[body + 4..]).ok()
}
