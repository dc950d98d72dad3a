//! Tests of messages before an answer, of streams of changes, and of cancellation.

use std::time::Duration;

use ::http::Method;
use serde_json::{Value, json};

use super::client::{Lines, Plain, call, open, open_with, read};
use crate::{ListChangeCounts, ServeOptions};

fn events(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect()
}

#[tokio::test]
async fn progress_makes_the_answer_a_stream() {
    let gateway = open().await;
    let answer = gateway.post("/mcp", &call(4, "steps")).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let events = events(&answer.text);
    let steps: Vec<_> = events
        .iter()
        .map(|it| it["params"]["progress"].clone())
        .collect();
    assert_eq!(steps, [json!(1.0), json!(2.0), json!(3.0), Value::Null]);
    assert_eq!(events[0]["method"], "notifications/progress");
    assert_eq!(events[0]["params"]["progressToken"], "t");
    assert_eq!(events[0]["params"]["message"], "step 1");
    assert_eq!(events[3]["id"], 4);
    assert_eq!(events[3]["result"]["content"][0]["text"], "done");
    gateway.close().await;
}

#[tokio::test]
async fn accept_header_selects_the_form() {
    let gateway = open().await;
    for (accept, kind) in [
        ("application/json", "application/json"),
        ("text/event-stream", "text/event-stream"),
    ] {
        let sent = gateway.posting("/mcp", &call(1, "echo"));
        let mut request = sent.build().expect("a request");
        request
            .headers_mut()
            .insert("accept", accept.parse().expect("a value"));
        let answer = gateway.send(request).await;
        assert_eq!(answer.header("content-type"), kind);
        assert!(answer.text.contains(r#""id":1,"result":{}"#), "{answer:?}");
    }
    let mut request = gateway
        .posting("/mcp", &call(1, "steps"))
        .build()
        .expect("a request");
    request
        .headers_mut()
        .insert("accept", "application/json".parse().expect("a value"));
    let answer = gateway.send(request).await;
    assert_eq!(
        answer.json()["result"]["content"][0]["text"],
        "done",
        "steps are dropped"
    );
    gateway.close().await;
}

#[tokio::test]
async fn a_log_message_comes_before_the_answer() {
    let gateway = open().await;
    let answer = gateway.post("/mcp", &call(1, "log")).await;
    let events = events(&answer.text);
    assert_eq!(events[0]["method"], "notifications/message");
    assert_eq!(events[0]["params"]["data"], "heard");
    assert_eq!(events[1]["params"]["level"], "debug");
    assert_eq!(events[2]["id"], 1);
    gateway.close().await;
}

#[tokio::test]
async fn a_call_that_takes_long_becomes_a_stream_that_is_kept_alive() {
    let options = ServeOptions {
        keep_alive: Duration::from_millis(40),
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let sent = gateway.posting("/mcp", &call(1, "wait")).send().await;
    let mut lines = Lines::of(sent.expect("the head comes before the answer"));
    assert_eq!(lines.next().await, ": ");
    assert_eq!(lines.next().await, ": ");
    gateway.fake.go.add_permits(1);
    assert_eq!(
        lines.message().await["result"]["content"][0]["text"],
        "waited"
    );
    gateway.close().await;
}

#[tokio::test]
async fn closing_the_connection_cancels_a_call() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    plain
        .write(&Plain::post(gateway.port, &call(1, "wait")))
        .await;
    gateway.fake.began.acquire().await.expect("open").forget();
    drop(plain);
    gateway.fake.left.acquire().await.expect("open").forget();
    assert_eq!(
        gateway
            .fake
            .running
            .load(std::sync::atomic::Ordering::Relaxed),
        0
    );
    gateway.close().await;
}

#[tokio::test]
async fn a_notification_cancels_a_call_of_the_same_session_only() {
    let gateway = open().await;
    let own = gateway.session("2025-06-18", json!({})).await;
    let other = gateway.session("2025-06-18", json!({})).await;
    let waiting = gateway
        .posting("/mcp", &call(7, "wait"))
        .header("mcp-session-id", &own)
        .send();
    let waiting = tokio::spawn(waiting);
    gateway.fake.began.acquire().await.expect("open").forget();
    let cancel = async |session: &str, id: Value| {
        let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        let sent = gateway
            .posting("/mcp", &body.to_string())
            .header("mcp-session-id", session);
        assert_eq!(sent.send().await.expect("an answer").status(), 202);
    };
    cancel(&other, json!(7)).await;
    cancel(&own, json!("7")).await;
    assert!(!waiting.is_finished(), "another's, and another id");
    cancel(&own, json!(7)).await;
    let answer = read(waiting.await.expect("no panic").expect("an answer")).await;
    assert_eq!(answer.json()["error"]["message"], "The call was cancelled.");
    gateway.close().await;
}

#[tokio::test]
async fn a_session_s_stream_tells_what_changed_and_is_taken_up_again() {
    let gateway = open().await;
    let session = gateway.session("2025-11-25", json!({})).await;
    let listen = async |last: Option<&str>| {
        let mut request = gateway
            .request(Method::GET, "/mcp")
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &session);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        Lines::of(request.send().await.expect("a stream"))
    };
    let change = |tools, prompts| {
        let changes = ListChangeCounts {
            tools,
            resources: 0,
            prompts,
        };
        gateway.fake.changes.send_replace(changes);
    };
    // Changes that happened before the stream was opened are reported too.
    change(1, 0);
    let mut first = listen(None).await;
    assert_eq!(first.next().await, "id: 0.0.0");
    assert_eq!(first.next().await, "data: ");
    assert_eq!(first.next().await, "id: 1.0.0");
    assert_eq!(
        first.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
    change(1, 1);
    assert_eq!(first.next().await, "id: 1.0.1");
    assert_eq!(
        first.message().await["method"],
        "notifications/prompts/list_changed"
    );
    let mut second = listen(Some("1.0.0")).await;
    assert_eq!(second.next().await, "id: 1.0.0");
    assert_eq!(second.next().await, "data: ");
    assert_eq!(second.next().await, "id: 1.0.1");
    assert_eq!(
        second.message().await["method"],
        "notifications/prompts/list_changed"
    );
    first.end().await;
    let deleted = gateway
        .request(Method::DELETE, "/mcp")
        .header("mcp-session-id", &session);
    assert_eq!(deleted.send().await.expect("an answer").status(), 204);
    second.end().await;
    let gone = gateway
        .request(Method::DELETE, "/mcp")
        .header("mcp-session-id", &session);
    assert_eq!(gone.send().await.expect("an answer").status(), 404);
    gateway.close().await;
}

#[tokio::test]
async fn a_revoked_token_ends_the_streams_of_its_client() {
    let gateway = open().await;
    let session = gateway.session("2025-06-18", json!({})).await;
    let stream = gateway
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &session);
    let mut lines = Lines::of(stream.send().await.expect("a stream"));
    assert_eq!(lines.next().await, ": ");
    gateway.fake.revoked.cancel();
    lines.end().await;
    gateway.close().await;
}

#[tokio::test]
async fn a_batch_is_answered_as_a_whole_where_the_version_has_batches() {
    let gateway = open().await;
    let one = |id: u64| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"id": id}}})
    };
    let batch =
        json!([one(1), {"jsonrpc": "2.0", "method": "notifications/initialized"}, 7, one(2)]);
    let answer = gateway.post("/mcp", &batch.to_string()).await;
    let answers = answer.json();
    assert_eq!(
        answers[0],
        json!({"jsonrpc": "2.0", "id": 1, "result": {"id": 1}})
    );
    assert_eq!(answers[1]["error"]["code"], -32_600);
    assert_eq!(answers[2]["id"], 2);
    let body = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    assert_eq!(gateway.post("/mcp", &body.to_string()).await.status, 202);
    let later = gateway
        .posting("/mcp", &batch.to_string())
        .header("mcp-protocol-version", "2025-06-18");
    assert_eq!(
        read(later.send().await.expect("an answer")).await.status,
        400
    );
    let many: Vec<_> = (0..101).map(one).collect();
    assert_eq!(
        gateway.post("/mcp", &json!(many).to_string()).await.status,
        400
    );
    gateway.close().await;
}
