//! Tests of the versions up to 2025-11-25.

use serde_json::json;

use http::Method;

use super::client::{Lines, Open, call, open, read};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

#[tokio::test]
async fn a_client_opens_lists_and_calls() {
    let gateway = open().await;
    let body = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a test","version":"1"}}}"#;
    let opened = gateway.post("/mcp", body).await;
    assert_eq!(opened.status, 200);
    assert_eq!(opened.header("content-type"), "application/json");
    let result = &opened.json()["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "Guild Hall");
    assert_eq!(result["instructions"], "Call \"tools\".");
    assert_eq!(result["capabilities"]["tools"]["listChanged"], true);
    assert!(result["capabilities"]["resources"].is_object());
    assert!(
        result["capabilities"]["prompts"].is_null(),
        "no member has any"
    );
    let session = opened.header("mcp-session-id").to_owned();
    assert_eq!(session.len(), 32);
    let response = gateway
        .posting(
            "/mcp",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        )
        .header("mcp-session-id", &session)
        .send()
        .await
        .expect("an answer");
    assert_eq!(response.status(), 202);
    let who = gateway
        .posting("/mcp", &call(2, "who"))
        .header("mcp-session-id", &session);
    let who = read(who.send().await.expect("an answer")).await;
    assert_eq!(who.json()["result"]["content"][0]["text"], "a test");
    assert!(
        who.headers.contains_key("content-length"),
        "one plain answer"
    );
    gateway.close().await;
}

#[tokio::test]
async fn versions_are_agreed_on() {
    let gateway = open().await;
    for (wanted, given) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": wanted, "capabilities": {}}});
        let opened = gateway.post("/mcp", &body.to_string()).await;
        assert_eq!(
            opened.json()["result"]["protocolVersion"],
            given,
            "{wanted}"
        );
    }
    gateway.close().await;
}

#[tokio::test]
async fn lists_come_in_the_mode_that_is_wanted() {
    let gateway = open().await;
    let list = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#)
    };
    for (path, params, tool) in [
        ("/mcp", "{}", "default"),
        ("/mcp?mode=search", "{}", "search"),
        ("/mcp?mode=search", r#"{"lazy":true}"#, "lazy"),
        ("/members/time/mcp", r#"{"lazy":false}"#, "full"),
    ] {
        let listed = gateway.post(path, &list(params)).await;
        let expect =
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"name":"{tool}"}}]}}}}"#);
        assert_eq!(listed.text, expect, "{path} {params}");
    }
    let wrong = gateway.post("/mcp", &list(r#"{"lazy":"yes"}"#)).await;
    assert_eq!(wrong.json()["error"]["code"], -32_602);
    let wrong = gateway.post("/mcp", &list(r#"{"cursor":"x"}"#)).await;
    assert_eq!(wrong.json()["error"]["code"], -32_602);
    assert_eq!(gateway.post("/mcp?mode=all", &list("{}")).await.status, 400);
    gateway.close().await;
}

#[tokio::test]
async fn ids_and_arguments_come_back_exactly_as_they_were_written() {
    let gateway = open().await;
    for id in [
        "7",
        "-1",
        "12345678901234567890123",
        "1.50",
        r#""a\u00e9\n""#,
        r#""""#,
    ] {
        let arguments = "{ \"x\" : 1.000,\n \"y\":1e400 }";
        let body = format!(
            r#"{{"method":"tools/call","id":{id},"params":{{"arguments":{arguments},"name":"echo"}},"jsonrpc":"2.0"}}"#
        );
        let answer = gateway.post("/mcp", &body).await;
        let expect = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{arguments}}}"#);
        assert_eq!(answer.text, expect);
    }
    gateway.close().await;
}

/// Opens a session as a client with this name and returns the session's id.
async fn session_of(gateway: &Open, name: &str) -> String {
    let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
            "clientInfo": {"name": name, "version": "1"}}});
    let opened = gateway.post("/mcp", &body.to_string()).await;
    opened.header("mcp-session-id").to_owned()
}

async fn status_of_ping(gateway: &Open, path: &str, session: &str) -> u16 {
    let ping = gateway
        .posting(path, PING)
        .header("mcp-session-id", session);
    read(ping.send().await.expect("an answer")).await.status
}

#[tokio::test]
async fn a_session_goes_on_after_a_restart() {
    let before = open().await;
    let session = session_of(&before, "gemini-cli-mcp-client").await;
    let codex = session_of(&before, "codex-mcp-client").await;
    before.close().await;

    let gateway = open().await;
    let who = gateway
        .posting("/mcp", &call(1, "who"))
        .header("mcp-protocol-version", "2025-06-18")
        .header("mcp-session-id", &session);
    let who = read(who.send().await.expect("an answer")).await;
    assert_eq!(who.json()["result"]["content"][0]["text"], "gemini-cli");
    let stream = gateway
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("last-event-id", "0.0.0")
        .header("mcp-session-id", &session);
    let mut stream = Lines::of(stream.send().await.expect("an answer"));
    let changed = "notifications/tools/list_changed";
    while !stream.next().await.contains(changed) {}
    for (path, session) in [
        ("/mcp", codex.as_str()),
        ("/members/time/mcp", &session),
        ("/mcp", "0123456789abcdef0123456789abcdef"),
    ] {
        let status = status_of_ping(&gateway, path, session).await;
        assert_eq!(status, 404, "{path} {session}");
    }
    let delete = gateway
        .request(Method::DELETE, "/mcp")
        .header("mcp-session-id", &session);
    assert_eq!(delete.send().await.expect("an answer").status(), 204);
    assert_eq!(
        status_of_ping(&gateway, "/mcp", &session).await,
        404,
        "it was ended"
    );
    drop(stream);
    gateway.close().await;
}
