//! Tests of the admission of clients, and of the HTTP status of each response.

use ::http::Method;
use guild_model::MemberName;
use guild_model::endpoint::Endpoint;
use serde_json::json;

use super::client::{Plain, call, open, open_with, read};
use super::fake::TOKEN;
use crate::ServeOptions;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

#[tokio::test]
async fn a_wrong_header_has_its_own_status() {
    let gateway = open().await;
    for (name, value, status) in [
        ("host", "evil.example", 403),
        ("host", "127.0.0.1", 403),
        ("origin", "http://evil.example", 403),
        ("origin", "null", 403),
        ("accept", "text/html", 406),
        ("content-type", "text/plain", 415),
        ("mcp-protocol-version", "2024-01-01", 400),
        ("mcp-protocol-version", "", 400),
        ("mcp-session-id", "unknown", 404),
    ] {
        let mut request = gateway.posting("/mcp", PING).build().expect("a request");
        let value = value.parse().expect("a header's value");
        request.headers_mut().insert(name, value);
        let answer = gateway.send(request).await;
        assert_eq!(answer.status, status, "{name}: {answer:?}");
        assert!(answer.json()["error"]["message"].is_string(), "{answer:?}");
    }
    let own = format!("http://localhost:{}", gateway.port);
    let own = gateway.posting("/mcp", PING).header("origin", own);
    assert_eq!(read(own.send().await.expect("an answer")).await.status, 200);
    gateway.close().await;
}

#[tokio::test]
async fn a_request_without_a_host_is_the_last_of_its_connection() {
    let gateway = open().await;
    for version in ["1.1", "1.0"] {
        let mut plain = Plain::open(gateway.port).await;
        let two = format!("POST /mcp HTTP/{version}\r\nconnection: keep-alive\r\n\r\n").repeat(2);
        plain.write(&two).await;
        let answered = plain.rest().await;
        assert_eq!(answered.matches(" 400 ").count(), 1, "{answered}");
        assert!(answered.contains("connection: close"), "{answered}");
    }
    gateway.close().await;
}

#[tokio::test]
async fn another_address_or_method_is_refused() {
    let gateway = open().await;
    for path in [
        "/",
        "/mcp/x",
        "/members/nobody/mcp",
        "/profiles/none/mcp",
        "/members/%00/mcp",
    ] {
        assert_eq!(gateway.post(path, PING).await.status, 404, "{path}");
    }
    assert_eq!(gateway.post("/members/time/mcp", PING).await.status, 200);
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS, Method::HEAD] {
        let sent = gateway.request(method.clone(), "/mcp").send().await;
        let answer = read(sent.expect("an answer")).await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, "GET, POST, DELETE"),
            "{method}"
        );
    }
    for (accept, status) in [("text/event-stream", 400), ("application/json", 406)] {
        let sent = gateway
            .request(Method::GET, "/mcp")
            .header("accept", accept)
            .send()
            .await;
        assert_eq!(
            read(sent.expect("an answer")).await.status,
            status,
            "{accept}"
        );
    }
    let modern = gateway
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-protocol-version", "2026-07-28");
    let answer = read(modern.send().await.expect("an answer")).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "POST"));
    gateway.close().await;
}

#[tokio::test]
async fn without_a_good_token_nothing_is_told() {
    let gateway = open_with(true, ServeOptions::default()).await;
    for token in [
        None,
        Some("Bearer wrong"),
        Some("Basic abc"),
        Some("Bearer "),
    ] {
        for path in ["/mcp", "/nowhere"] {
            let mut request = gateway.posting(path, PING);
            if let Some(token) = token {
                request = request.header("authorization", token);
            }
            let answer = read(request.send().await.expect("an answer")).await;
            assert_eq!(answer.status, 401, "{token:?} {path}");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
            assert_eq!(answer.header("connection"), "close");
            assert!(
                !answer.text.contains("wrong") && !answer.text.contains("abc"),
                "{answer:?}"
            );
        }
    }
    let good = gateway.posting("/mcp", PING).bearer_auth(TOKEN);
    assert_eq!(
        read(good.send().await.expect("an answer")).await.status,
        200
    );
    gateway.close().await;
}

#[tokio::test]
async fn revoked_token_fails_on_an_open_connection() {
    let gateway = open_with(true, ServeOptions::default()).await;
    let request = Plain::post(gateway.port, PING).replace(
        "content-type:",
        &format!("authorization: Bearer {TOKEN}\r\ncontent-type:"),
    );
    let mut plain = Plain::open(gateway.port).await;
    for _ in 0..3 {
        plain.write(&request).await;
        let answer = plain.until("\"result\":{}}").await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    gateway.fake.revoked.cancel();
    plain.write(&request).await;
    let answer = plain.rest().await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    gateway.close().await;
}

#[tokio::test]
async fn bound_token_is_refused_elsewhere() {
    let gateway = open_with(true, ServeOptions::default()).await;
    let member = MemberName::parse("time").expect("a name");
    *gateway.fake.bound.lock().expect("not poisoned") = Some(Endpoint::Member { member });
    for path in ["/mcp", "/members/nobody/mcp", "/profiles/none/mcp"] {
        for method in [Method::POST, Method::GET, Method::DELETE, Method::PUT] {
            let request = gateway.request(method.clone(), path).bearer_auth(TOKEN);
            let request = request.header("mcp-session-id", "unknown");
            let answer = read(request.send().await.expect("an answer")).await;
            assert_eq!(answer.status, 403, "{method} {path}");
            let message = answer.json()["error"]["message"].clone();
            assert_eq!(message, format!("not at {path}, only at /members/time/mcp"));
        }
    }
    let seen = gateway.fake.seen.lock().expect("not poisoned").clone();
    assert_eq!(seen.len(), 12, "{seen:?}");
    assert!(seen.iter().any(|seen| seen.contains("DELETE")), "{seen:?}");
    let request = gateway
        .posting("/members/time/mcp", PING)
        .bearer_auth(TOKEN);
    assert_eq!(read(request.send().await.expect("one")).await.status, 200);
    gateway.close().await;
}

#[tokio::test]
async fn a_session_belongs_to_its_client() {
    let gateway = open_with(true, ServeOptions::default()).await;
    let body = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#;
    let opened = gateway.posting("/mcp", body).bearer_auth(TOKEN);
    let opened = read(opened.send().await.expect("an answer")).await;
    let session = opened.header("mcp-session-id");
    for (token, path, status) in [
        (TOKEN, "/mcp", 200),
        ("another", "/mcp", 404),
        (TOKEN, "/members/time/mcp", 404),
    ] {
        let request = gateway.posting(path, PING).bearer_auth(token);
        let sent = request.header("mcp-session-id", session).send().await;
        assert_eq!(
            read(sent.expect("an answer")).await.status,
            status,
            "{token} {path}"
        );
    }
    gateway.close().await;
}

#[tokio::test]
async fn invalid_message_gets_its_own_error() {
    let gateway = open().await;
    for (body, status, code) in [
        ("", 400, -32_700),
        ("{", 400, -32_700),
        ("\u{fffd}", 400, -32_700),
        ("{}", 400, -32_600),
        ("7", 400, -32_600),
        ("[]", 400, -32_600),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":3}"#,
            400,
            -32_600,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            200,
            -32_601,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            200,
            -32_602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[]}}"#,
            200,
            -32_602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"x"}}"#,
            400,
            -32_602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            400,
            -32_602,
        ),
    ] {
        let answer = gateway.post("/mcp", body).await;
        assert_eq!(answer.status, status, "{body}: {answer:?}");
        assert_eq!(answer.json()["error"]["code"], code, "{body}");
    }
    let invalid = gateway
        .request(Method::POST, "/mcp")
        .header("content-type", "application/json");
    let answer = invalid
        .body(vec![b'"', 0xff, b'"'])
        .send()
        .await
        .expect("an answer");
    assert_eq!(read(answer).await.json()["error"]["code"], -32_700);
    let orphan = gateway
        .post("/mcp", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .await;
    assert_eq!(orphan.status, 400, "an answer to nothing");
    gateway.close().await;
}

#[tokio::test]
async fn a_refusal_keeps_its_code_and_data() {
    let gateway = open().await;
    let answer = gateway.post("/mcp", &call(9, "fail")).await;
    let error = json!({"code": -32_042, "message": "It \"failed\".", "data": {"member": "m"}});
    assert_eq!(
        answer.json(),
        json!({"jsonrpc": "2.0", "id": 9, "error": error})
    );
    gateway.close().await;
}

#[tokio::test]
async fn everything_is_told_to_the_view_of_the_traffic() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}"#;
    plain.write(&Plain::post(gateway.port, body)).await;
    plain.until("\"result\":{\"a\":1}}").await;
    plain
        .write(&Plain::post(gateway.port, &call(2, "fail")))
        .await;
    plain.until("-32042").await;
    drop(plain);
    let fake = std::sync::Arc::clone(&gateway.fake);
    gateway.close().await;
    let seen = fake.seen.lock().expect("unpoisoned");
    assert_eq!(
        seen[0],
        r#" tools/call Some("echo") Some("{\"name\":\"echo\",\"arguments\":{\"a\":1}}") Ok("{\"a\":1}")"#
    );
    assert!(seen[1].ends_with(r#"Err("It \"failed\".")"#), "{}", seen[1]);
    assert_eq!(seen.len(), 2);
}
