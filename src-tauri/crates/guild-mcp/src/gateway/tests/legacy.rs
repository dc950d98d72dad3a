//! The versions up to 2025-11-25.

use serde_json::json;

use super::client::{call, open, read};

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
    let told = gateway
        .posting(
            "/mcp",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        )
        .header("mcp-session-id", &session)
        .send()
        .await
        .expect("an answer");
    assert_eq!(told.status(), 202);
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
