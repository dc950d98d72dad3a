//! Tests of a server that has ended, and of another program that got its port.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use guild_mcp_client::{ConnectOptions, McpError, PeerCheck, ServerTransport, connect};
use serde_json::json;

use crate::web::{Reply, calling};
use crate::{answer, arguments, call_options, options, tool};

/// Options whose check reports the server as alive while `lives` is true.
fn living(lives: &Arc<AtomicBool>) -> ConnectOptions {
    let lives = Arc::clone(lives);
    ConnectOptions {
        peer_check: Some(PeerCheck::new(move || lives.load(Ordering::SeqCst))),
        ..options()
    }
}

/// Accepts a connection at the other program's port, and checks that no data arrives on it.
async fn nothing_said(stranger: TcpListener) {
    let said = tokio::task::spawn_blocking(move || {
        let (mut connection, _) = stranger.accept().expect("somebody connects");
        let mut said = Vec::new();
        connection.read_to_end(&mut said).expect("it is closed");
        said
    });
    assert_eq!(said.await.expect("read"), b"");
}

#[tokio::test]
async fn foreign_listener_gets_no_handshake() {
    let stranger = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", stranger.local_addr().expect("an address"));
    let headers = vec![("X-Key".into(), "secret".into())];
    let ended = Arc::new(AtomicBool::new(false));
    let failure = connect(ServerTransport::Http { url, headers }, living(&ended))
        .await
        .expect_err("nobody is at home");
    assert!(
        matches!(&failure.error, McpError::Connect { reason } if reason.contains("has ended")),
        "{failure:?}"
    );
    nothing_said(stranger).await;
}

#[tokio::test]
async fn call_is_not_sent_to_a_ports_new_owner() {
    let web = calling(|request| Reply::Json(answer(request, json!({"content": []})))).await;
    let lives = Arc::new(AtomicBool::new(true));
    let session = web.session(living(&lives)).await;
    let address = web.url["http://".len()..]
        .trim_end_matches("/mcp")
        .to_owned();
    drop(web);
    lives.store(false, Ordering::SeqCst);
    let stranger = loop {
        match TcpListener::bind(&address) {
            Ok(stranger) => break stranger,
            // The server's task is still being ended.
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    let error = session
        .call(&tool("strike"), arguments(json!({})), call_options())
        .await
        .expect_err("nobody is at home");
    assert!(
        matches!(&error, McpError::Connect { reason } if reason.contains("has ended")),
        "{error:?}"
    );
    nothing_said(stranger).await;
}
