//! A member with an address instead of a command: its server runs elsewhere.

use std::process::Stdio;

use guild_api::event::HallEvent;
use guild_api::wire::MemberView;
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::{MemberFolder, Nonce, fixture_bin};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::hurried;
use crate::test_env::{HallEvents, TestEnv, name};

/// Starts a server outside of the hall. Returns it and its port.
async fn server(env: &TestEnv, port: u16, args: &[&str]) -> (Child, u16) {
    let mut child = Command::new(fixture_bin())
        .args(["--port", &port.to_string()])
        .args(args)
        .env(Nonce::VARIABLE, env.nonce.as_str())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the fixture starts");
    let mut lines = BufReader::new(child.stderr.take().expect("its stderr")).lines();
    loop {
        let line = lines
            .next_line()
            .await
            .expect("readable")
            .expect("a line before its end");
        let address = line.strip_prefix("listening on http://127.0.0.1:");
        if let Some(port) = address.and_then(|rest| rest.strip_suffix("/mcp")) {
            return (child, port.parse().expect("a port"));
        }
    }
}

/// Waits until the member pauses after this number of failed attempts. Returns its view.
async fn tried(events: &mut HallEvents, attempt: u32) -> MemberView {
    let what = format!("the pause before try {attempt}");
    events
        .find(&what, |event| match event {
            HallEvent::MemberChanged { member, .. } => {
                let pauses = member.status == Status::Backoff && member.attempt == attempt;
                pauses.then(|| MemberView::clone(member))
            }
            _ => None,
        })
        .await
}

fn member(env: &TestEnv, port: u16) -> MemberFolder {
    let url = format!("http://127.0.0.1:{port}/mcp");
    let fields = json!({"url": url, "headers": {"X-Guest": "from ${env:GUILD_TEST_GUEST}"}});
    MemberFolder::new(&env.members_dir(), "guest")
        .http()
        .manifest(fields)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remote_server_is_called_and_never_ended() {
    let env = TestEnv::new("elsewhere");
    let (mut child, port) = server(&env, 0, &[]).await;
    member(&env, port)
        .manifest(json!({"headers": {"X-Guest": "yes"}}))
        .write();
    let open = env.started().await;
    let view = open.view("guest");
    assert_eq!(
        (view.status, view.freshness),
        (Status::Ready, Freshness::Live),
        "{view:#?}"
    );
    assert_eq!((view.pid, view.port), (None, None), "neither is ours");
    let result = open.result("guest", "add", r#"{"a":20,"b":22}"#).await;
    assert!(result.to_string().contains("42"));
    open.hall
        .stop_member(&name("guest"))
        .await
        .expect("stopped");
    assert!(
        child.try_wait().expect("asked").is_none(),
        "what was not started is not ended"
    );
    open.close().await;
    assert!(child.try_wait().expect("asked").is_none());
    child.kill().await.expect("ended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_elsewhere_that_refuses_the_connection_is_an_error() {
    let env = TestEnv::new("refused");
    // This port is taken, but has no listener.
    let taken = tokio::net::TcpSocket::new_v4().expect("a socket");
    taken.bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let port = taken.local_addr().expect("bound").port();
    member(&env, port)
        .manifest(json!({"headers": null}))
        .write();
    env.member("neighbour").write();
    let open = env.started().await;
    let view = open.view("guest");
    assert_eq!(view.status, Status::Error, "{view:#?}");
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::ConnectionFailed, "{report}");
    assert_eq!(report.member, Some(name("guest")));
    assert!(
        report.hint.contains("url"),
        "the address stands in the manifest: {report}"
    );
    assert!(
        !report.message.contains("stderr"),
        "there is no process: {report}"
    );
    assert_eq!(open.view("neighbour").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_header_without_a_value_is_said_before_anything_is_sent() {
    let env = TestEnv::new("no value");
    member(&env, 1).write();
    let open = env.started().await;
    let report = open.view("guest").error.expect("why");
    assert_eq!(report.code, Code::VariableMissing, "{report}");
    assert!(report.message.contains("GUILD_TEST_GUEST"), "{report}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_41_lost_remote_is_retried() {
    let env = TestEnv::new("gone and back");
    let (mut child, port) = server(&env, 0, &["--no-get"]).await;
    member(&env, port)
        .manifest(json!({"headers": null}))
        .write();
    let mut open = hurried(&env).await;
    open.hall.start_all().settled().await;
    assert_eq!(open.view("guest").status, Status::Ready);
    child.kill().await.expect("ended");
    let report = open.refusal("guest", "add", r#"{"a":1,"b":1}"#).await;
    assert_eq!(report.code, Code::ConnectionFailed, "{report}");
    assert_eq!(report.member, Some(name("guest")));
    // Reads the events, which include every pause, however short.
    let view = tried(&mut open.events, 1).await;
    assert_eq!(view.error.expect("why").code, Code::ConnectionFailed);
    assert!(view.tools > 5, "its tools stay");
    // After a failed attempt, there are others.
    tried(&mut open.events, 3).await;
    let (mut child, _) = server(&env, port, &["--no-get"]).await;
    let view = open
        .shown("guest", "back, or left alone", |view| {
            matches!(view.status, Status::Ready | Status::CrashLoop)
        })
        .await;
    if view.status == Status::CrashLoop {
        // On a slow machine, the short pauses may be over already. A start by hand always works.
        open.hall.start_member(&name("guest")).await.expect("back");
    }
    open.result("guest", "add", r#"{"a":1,"b":1}"#).await;
    open.close().await;
    child.kill().await.expect("ended");
}
