//! Tests of sessions with hand-written servers, so that the client and the server of a test share
//! no code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod asking;
mod bounds;
mod bridge;
mod calls;
mod events;
mod headers;
mod lists;
mod opening;
mod peer_check;
mod pipe;
mod places;
mod probe;
mod raw_requests;
mod sse;
mod tasks;
mod watching;
mod web;

use std::time::Duration;

use guild_mcp_client::{CallOptions, ConnectOptions, SentRequest};
use guild_model::ToolName;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

/// A limit that is only reached if there is a defect, even on a busy machine.
const AMPLE: Duration = Duration::from_secs(60);

fn options() -> ConnectOptions {
    ConnectOptions {
        asking: None,
        apps: false,
        pin: None,
        remembered: None,
        discover_first: None,
        handshake: AMPLE,
        longest: AMPLE,
        sse_only: false,
        peer_check: None,
        proxies: false,
        signed: None,
    }
}

fn call_options() -> CallOptions {
    CallOptions {
        limit: AMPLE,
        progress: None,
        cancel: CancellationToken::new(),
        label: None,
        sent: SentRequest::default(),
        asking: None,
        hearing: None,
        meta: None,
        task: false,
        task_limit: Duration::ZERO,
    }
}

fn tool(name: &str) -> ToolName {
    ToolName::parse(name).expect("a valid name")
}

fn arguments(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

/// A legacy server's answer to `initialize`.
fn initialized(version: &str, capabilities: Value) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": {"name": "forge", "version": "1.2.3"},
        "instructions": "Strike while it is hot."
    })
}

/// A modern server's answer to `server/discover`.
fn discovered(versions: &[&str], capabilities: Value) -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": versions,
        "capabilities": capabilities,
        "serverInfo": {"name": "forge", "version": "2.0.0"},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "forge", "version": "2.0.0"}},
        "ttlMs": 0,
        "cacheScope": "public"
    })
}

fn answer(request: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

fn refusal(request: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}})
}
