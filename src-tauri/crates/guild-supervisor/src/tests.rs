//! Helpers for tests of several modules.

use std::time::Duration;

use guild_mcp_client::{ConnectOptions, ServerTransport, Session, connect};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};

/// How long a session may take to open on a loaded machine.
const HANDSHAKE: Duration = Duration::from_secs(30);

/// Opens a session with a server that has no tools, without a process.
pub(crate) async fn idle_session() -> Session {
    let (reader, mut output) = duplex(1 << 12);
    let (input, writer) = duplex(1 << 12);
    let link = ServerTransport::Stdio {
        reader: Box::new(reader),
        writer: Box::new(writer),
    };
    tokio::spawn(async move {
        let mut lines = BufReader::new(input).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let request: Value = serde_json::from_str(&line).expect("JSON");
            let result = match request["method"].as_str() {
                Some("initialize") => json!({
                    "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "idle", "version": "1"},
                }),
                Some("tools/list") => json!({"tools": []}),
                _ => continue,
            };
            let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
            let _ = output.write_all(format!("{answer}\n").as_bytes()).await;
        }
    });
    let options = ConnectOptions {
        asking: None,
        apps: false,
        pin: None,
        remembered: None,
        discover_first: None,
        handshake: HANDSHAKE,
        longest: HANDSHAKE,
        sse_only: false,
        peer_check: None,
        proxies: false,
        signed: None,
    };
    connect(link, options).await.expect("a session")
}
