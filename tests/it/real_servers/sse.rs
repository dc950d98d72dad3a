//! Servers with HTTP+SSE, the transport of 2024-11-05.

use guild_model::Code;
use guild_model::manifest::Transport;
use guild_model::status::Status;
use serde_json::json;

use super::{EVERYTHING, from_npm, from_pypi, listed, try_everything};
use crate::test_env::{TestEnv, name, text};

const PYTHON: &str = "\
import sys
from mcp.server.mcpserver import MCPServer
server = MCPServer('forge')
@server.tool()
def add(a: int, b: int) -> int:
    return a + b
server.run(transport='sse', host='127.0.0.1', port=int(sys.argv[1]))
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_everything_over_sse() {
    let env = TestEnv::new("everything over SSE");
    from_npm(&env, "everything", "server-everything", &["sse"])
        .manifest(json!({"transport": "http"}))
        .env("PORT", "${PORT}")
        .write();
    let mut open = env.started().await;
    let view = listed(&open, "everything", EVERYTHING);
    assert_eq!(view.transport, Some(Transport::Sse), "it was recognized");
    assert_eq!(view.protocol_version.as_deref(), Some("2025-11-25"));
    try_everything(&mut open, &env, "everything").await;
    open.hall
        .stop_member(&name("everything"))
        .await
        .expect("stopped");
    let view = open.view("everything");
    assert_eq!(view.transport, Some(Transport::Http), "as in its manifest");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn python_server_over_sse_is_shared_by_url() {
    let env = TestEnv::new("python over SSE");
    from_pypi(&env, "forge", "python", &["-c", PYTHON, "${PORT}"])
        .manifest(json!({"transport": "sse"}))
        .write();
    let mut open = env.started().await;
    let view = listed(&open, "forge", &["add"]);
    assert_eq!(view.transport, Some(Transport::Sse));
    let port = view.port.expect("a port");
    // The client finds the transport with the path of the stream, and with another path of the
    // server.
    for (member, path, transport) in [("far", "sse", "sse"), ("guessed", "mcp", "http")] {
        env.member(member)
            .manifest(json!({
                "command": null, "args": null, "env": null, "restart": "never",
                "transport": transport, "url": format!("http://127.0.0.1:{port}/{path}"),
            }))
            .write();
    }
    for member in ["far", "guessed"] {
        open.shown(member, "ready", |view| {
            view.status == Status::Ready && view.tools == 1
        })
        .await;
        let sum = open.result(member, "add", r#"{"a":20,"b":22}"#).await;
        assert_eq!(text(&sum), "42");
    }
    open.hall
        .stop_member(&name("forge"))
        .await
        .expect("stopped");
    for member in ["far", "guessed"] {
        let view = open
            .shown(member, "lost", |view| view.status == Status::Error)
            .await;
        let error = view.error.expect("why");
        assert_eq!(error.code, Code::ConnectionFailed, "{error}");
    }
    open.close().await;
}
