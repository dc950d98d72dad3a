//! Helpers for tests of several modules.

use std::path::Path;
use std::time::Duration;

use guild_mcp::{ConnectOptions, Link, Session, connect};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};

use crate::hall::{Hall, Options, Watch};
use crate::paths::Paths;

/// How long a session may take to open on a loaded machine.
const HANDSHAKE: Duration = Duration::from_secs(30);

/// The two folders of a hall, in this one.
pub(crate) fn paths_in(folder: &Path) -> Paths {
    Paths {
        members_dir: folder.join("members"),
        data_dir: folder.join("data"),
        cache_dir: None,
    }
}

/// Opens a hall that scans its members once, and cannot start its own program.
pub(crate) async fn open_hall(paths: Paths) -> Hall {
    let options = Options {
        watch: Watch::Once,
        own_binary: Some(String::new()),
        ..Options::default()
    };
    Hall::open(paths, options).await.expect("the hall opens")
}

/// A session with a server that has no tools, without a process.
pub(crate) async fn idle_session() -> Session {
    let (reader, mut output) = duplex(1 << 12);
    let (input, writer) = duplex(1 << 12);
    let link = Link::Stdio {
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
        pin: None,
        remembered: None,
        discover_first: None,
        handshake: HANDSHAKE,
        longest: HANDSHAKE,
        at_home: None,
        proxies: false,
        signed: None,
    };
    connect(link, options).await.expect("a session")
}
