//! Tests of a server's notifications, and of the end of a session.

use std::time::Duration;

use guild_mcp_client::{ConnectOptions, SessionEvent, connect};
use guild_model::protocol::Era;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::pipe::{self, Pipe};
use crate::web::{Reply, Web, legacy};
use crate::{AMPLE, answer, discovered, options, refusal};

fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

fn list_changed() -> Value {
    notification("notifications/tools/list_changed", json!({}))
}

#[tokio::test(start_paused = true)]
async fn stdout_noise_is_counted_and_reported() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        pipe.write("Starting the forge…\n\n").await;
        let request = pipe.expect("initialize").await;
        pipe.write("DEBUG {\"not\": \"rpc\"}\n").await;
        let result = crate::initialized("2025-11-25", json!({}));
        pipe.say(answer(&request, result)).await;
        pipe.write("[1, 2]\n").await;
        pipe.expect("notifications/initialized").await;
    };
    let (session, ()) = tokio::join!(connect(link, options()), serve);
    let mut session = session.expect("noise is no obstacle");
    let mut events = session.take_events().expect("the events");
    assert!(session.take_events().is_none(), "there is one receiver");
    let event = events.recv().await.expect("an event");
    let sample = "Starting the forge…".into();
    assert_eq!(event, SessionEvent::Noise { lines: 3, sample });
}

#[tokio::test]
async fn list_changes_and_messages_are_passed_on_in_bounds() {
    let (mut session, mut pipe) = pipe::with_tools().await;
    let mut events = session.take_events().expect("the events");
    pipe.say(list_changed()).await;
    assert_eq!(events.recv().await, Some(SessionEvent::ToolsChanged));
    let params = json!({"level": "warning", "logger": "anvil", "data": "x".repeat(9_000)});
    pipe.say(notification("notifications/message", params))
        .await;
    let Some(SessionEvent::Message { level, text }) = events.recv().await else {
        panic!("a message");
    };
    assert_eq!(level, "warning");
    assert!(text.starts_with("anvil: x"));
    assert_eq!(text.chars().count(), 2_001);
}

#[tokio::test]
async fn a_flood_of_messages_never_hides_a_list_change() {
    let (mut session, mut pipe) = pipe::with_tools().await;
    let mut events = session.take_events().expect("the events");
    let message = notification(
        "notifications/message",
        json!({"level": "info", "data": "clang"}),
    );
    for _ in 0..500 {
        pipe.say(message.clone()).await;
    }
    for _ in 0..500 {
        pipe.say(list_changed()).await;
    }
    // Once the ping is answered, all earlier messages have been handled.
    pipe.say(json!({"jsonrpc": "2.0", "id": "p", "method": "ping"}))
        .await;
    pipe.next().await.expect("the answer");
    drop(pipe);
    let (mut messages, mut changes, mut last) = (0, 0, None);
    while let Some(event) = events.recv().await {
        match &event {
            SessionEvent::Message { .. } => messages += 1,
            SessionEvent::ToolsChanged => changes += 1,
            _ => {}
        }
        last = Some(event);
    }
    assert!((1..=48).contains(&messages), "{messages} messages");
    assert!(changes >= 1, "{changes} changes");
    assert!(
        matches!(last, Some(SessionEvent::Closed { .. })),
        "{last:?}"
    );
}

#[tokio::test]
async fn the_servers_requests_are_declined_and_its_ping_is_answered() {
    let (_session, mut pipe) = pipe::with_tools().await;
    pipe.say(json!({"jsonrpc": "2.0", "id": 7, "method": "ping"}))
        .await;
    let pong = pipe.next().await.expect("an answer");
    assert_eq!((&pong["id"], &pong["result"]), (&json!(7), &json!({})));
    let requests = [
        ("roots/list", json!({})),
        (
            "sampling/createMessage",
            json!({"messages": [], "maxTokens": 5}),
        ),
        (
            "elicitation/create",
            json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}}),
        ),
        ("forge/heat", json!({})),
    ];
    for (number, (method, params)) in requests.into_iter().enumerate() {
        let id = format!("r{number}");
        pipe.say(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        let declined = pipe.next().await.expect("an answer");
        assert_eq!(declined["id"], id.as_str());
        assert_eq!(declined["error"]["code"], -32601, "{declined}");
    }
}

#[tokio::test]
async fn the_end_of_the_server_is_told() {
    let (mut session, pipe) = pipe::with_tools().await;
    let mut events = session.take_events().expect("the events");
    drop(pipe);
    let Some(SessionEvent::Closed {
        reason: Some(reason),
    }) = events.recv().await
    else {
        panic!("the end");
    };
    assert!(reason.contains("closed its output"), "{reason}");
    assert!(session.is_closed());
    drop(session);
    assert_eq!(events.recv().await, None);
}

#[tokio::test]
async fn closing_and_dropping_a_session_close_the_servers_input() {
    let (session, mut pipe) = pipe::with_tools().await;
    session.close(AMPLE).await;
    assert!(session.is_closed());
    assert_eq!(pipe.next().await, None);

    let (session, mut pipe) = pipe::with_tools().await;
    drop(session);
    assert_eq!(pipe.next().await, None);
}

#[tokio::test]
async fn closing_ends_an_http_session_with_delete() {
    let web = Web::start(|seen| Reply::In("s-9", Box::new(legacy(seen)))).await;
    let session = web.session(options()).await;
    session.close(AMPLE).await;
    let delete = web.until("DELETE").await;
    assert_eq!(delete.header("mcp-session-id"), Some("s-9"));
}

#[tokio::test]
async fn closing_keeps_its_limit() {
    let web = Web::start(|seen| match seen.verb.as_str() {
        "DELETE" => Reply::Silence,
        _ => Reply::In("s-9", Box::new(legacy(seen))),
    })
    .await;
    let session = web.session(options()).await;
    let started = std::time::Instant::now();
    session.close(Duration::from_millis(100)).await;
    assert!(started.elapsed() < AMPLE);
}

#[tokio::test]
async fn list_changes_come_over_the_stream_of_an_http_session() {
    let (sender, receiver) = mpsc::channel(4);
    let stream = std::sync::Mutex::new(Some(receiver));
    let web = Web::start(move |seen| match seen.verb.as_str() {
        "GET" => match stream.lock().unwrap().take() {
            Some(receiver) => Reply::Open(receiver),
            None => Reply::Status(405, vec![]),
        },
        _ => Reply::In("s-1", Box::new(legacy(seen))),
    })
    .await;
    let mut session = web.session(options()).await;
    let mut events = session.take_events().expect("the events");
    sender
        .send(list_changed())
        .await
        .expect("the stream is open");
    assert_eq!(events.recv().await, Some(SessionEvent::ToolsChanged));
    let get = web.until("GET").await;
    assert_eq!(get.header("accept"), Some("text/event-stream"));
}

fn modern() -> ConnectOptions {
    ConnectOptions {
        remembered: Some(Era::Modern),
        ..options()
    }
}

#[tokio::test]
async fn list_changes_of_a_modern_server_come_by_subscription() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("server/discover").await;
        pipe.say(answer(
            &request,
            discovered(&["2026-07-28"], json!({"tools": {}})),
        ))
        .await;
        let listen = pipe.expect("subscriptions/listen").await;
        assert_eq!(listen["params"]["notifications"]["toolsListChanged"], true);
        let meta = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
        let acknowledged = json!({"_meta": meta, "notifications": {"toolsListChanged": true}});
        pipe.say(notification(
            "notifications/subscriptions/acknowledged",
            acknowledged,
        ))
        .await;
        pipe.say(notification(
            "notifications/tools/list_changed",
            json!({"_meta": meta}),
        ))
        .await;
    };
    let (session, ()) = tokio::join!(connect(link, modern()), serve);
    let mut session = session.expect("a session");
    let mut events = session.take_events().expect("the events");
    assert_eq!(events.recv().await, Some(SessionEvent::ToolsChanged));
}

#[tokio::test]
async fn a_modern_server_without_subscriptions_is_left_alone() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("server/discover").await;
        pipe.say(answer(
            &request,
            discovered(&["2026-07-28"], json!({"tools": {}})),
        ))
        .await;
        // The two requests can arrive in either order.
        for _ in 0..2 {
            let request = pipe.next().await.expect("a request");
            assert_eq!(
                request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
                "2026-07-28"
            );
            let reply = match request["method"].as_str() {
                Some("subscriptions/listen") => refusal(&request, -32601, "unknown"),
                _ => answer(
                    &request,
                    json!({"tools": [], "ttlMs": 0, "cacheScope": "public"}),
                ),
            };
            pipe.say(reply).await;
        }
        pipe
    };
    let use_it = async {
        let session = connect(link, modern()).await.expect("a session");
        let list = session.list_tools(AMPLE).await.expect("a list");
        assert_eq!(list.ttl_ms, Some(0));
        session
    };
    let (_session, _pipe) = tokio::join!(use_it, serve);
}
