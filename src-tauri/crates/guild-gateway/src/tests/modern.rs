//! Tests of the version 2026-07-28.

use serde_json::{Value, json};

use super::client::{Lines, modern, open, read};
use crate::ListChangeCounts;

#[tokio::test]
async fn a_client_discovers_lists_and_calls() {
    let gateway = open().await;
    let ask = async |method: &str, params: Value| {
        let sent = modern(&gateway, 5, method, params, json!({})).send().await;
        read(sent.expect("an answer")).await
    };
    let found = ask("server/discover", json!({})).await.json();
    let result = &found["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(
        result["supportedVersions"].as_array().map(Vec::len),
        Some(4)
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "Guild Hall"
    );
    assert_eq!(result["cacheScope"], "private");

    let listed = ask("tools/list", json!({})).await;
    assert_eq!(
        listed.text,
        r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","ttlMs":5000,"cacheScope":"private","tools":[{"name":"default"}]}}"#
    );
    let who = ask("tools/call", json!({"name": "who"})).await;
    assert_eq!(
        who.text,
        r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"a modern test"}]}}"#
    );
    let resources = ask("resources/list", json!({})).await.json();
    assert_eq!(resources["result"]["ttlMs"], 0);
    let gone = ask("resources/read", json!({"uri": "file:///none"}))
        .await
        .json();
    assert_eq!(
        gone["error"]["code"], -32_602,
        "this version has no code of its own for it"
    );
    let echoed = ask("prompts/get", json!({"name": "p"})).await.json();
    assert_eq!(echoed["result"]["params"]["name"], "p");
    gateway.close().await;
}

#[tokio::test]
async fn tools_are_described_one_by_one_and_together() {
    let gateway = open().await;
    let ask = async |method: &str, params: Value| {
        let sent = modern(&gateway, 1, method, params, json!({})).send().await;
        read(sent.expect("an answer")).await.json()
    };
    let one = ask("tools/describe", json!({"name": "echo"})).await;
    assert_eq!(one["result"]["tool"]["name"], "echo");
    assert_eq!(one["result"]["tool"]["inputSchema"]["type"], "object");
    let none = ask("tools/describe", json!({"name": "ecco"})).await;
    assert_eq!(none["error"]["code"], -32_602);
    let both = ask("tools/describe_batch", json!({"names": ["ecco", "echo"]})).await;
    let tools = &both["result"]["tools"];
    assert_eq!(tools[0]["name"], "ecco");
    assert_eq!(tools[0]["error"]["code"], -32_602);
    assert_eq!(tools[1]["tool"]["name"], "echo");
    let wrong = ask("tools/describe_batch", json!({"names": "echo"})).await;
    assert_eq!(wrong["error"]["code"], -32_602);
    gateway.close().await;
}

#[tokio::test]
async fn headers_and_body_say_the_same_or_the_request_is_refused() {
    let gateway = open().await;
    for (header, value, code) in [
        ("mcp-protocol-version", None, -32_020),
        ("mcp-protocol-version", Some("2025-11-25"), -32_020),
        ("mcp-method", None, -32_020),
        ("mcp-method", Some("tools/list"), -32_020),
        ("mcp-name", None, -32_020),
        ("mcp-name", Some("other"), -32_020),
        ("mcp-name", Some("=?base64?%?="), -32_020),
    ] {
        let request = modern(
            &gateway,
            1,
            "tools/call",
            json!({"name": "echo"}),
            json!({}),
        );
        let mut request = request.build().expect("a request");
        request.headers_mut().remove(header);
        if let Some(value) = value {
            request
                .headers_mut()
                .insert(header, value.parse().expect("a value"));
        }
        let answer = gateway.send(request).await;
        assert_eq!(answer.status, 400, "{header} {value:?}");
        assert_eq!(answer.json()["error"]["code"], code, "{header} {value:?}");
        assert_eq!(answer.json()["id"], 1);
    }
    let wrapped = modern(
        &gateway,
        1,
        "tools/call",
        json!({"name": "echo"}),
        json!({}),
    );
    let mut wrapped = wrapped.build().expect("a request");
    wrapped
        .headers_mut()
        .insert("mcp-name", "=?base64?ZWNobw==?=".parse().expect("a value"));
    assert_eq!(gateway.send(wrapped).await.status, 200);
    gateway.close().await;
}

#[tokio::test]
async fn arguments_that_are_repeated_in_headers_are_the_same_there() {
    let gateway = open().await;
    for (region, header, status) in [
        ("eu", None, 200),
        ("eu", Some("eu"), 200),
        ("eu", Some("=?base64?ZXU=?="), 200),
        ("eu", Some("us"), 400),
        ("eu", Some("=?base64?!?="), 400),
    ] {
        let params = json!({"name": "echo", "arguments": {"region": region}});
        let mut request = modern(&gateway, 1, "tools/call", params, json!({}));
        if let Some(header) = header {
            request = request.header("mcp-param-region", header);
        }
        let answer = read(request.send().await.expect("an answer")).await;
        assert_eq!(answer.status, status, "{header:?}: {answer:?}");
        if status == 400 {
            assert_eq!(answer.json()["error"]["code"], -32_020);
        }
    }
    // A client that received the full schemas knows which arguments must be repeated in headers.
    for (arguments, header, status) in [
        (json!({"region": "eu"}), Some("eu"), 200),
        (json!({"region": "eu"}), None, 400),
        (json!({}), None, 200),
    ] {
        let params = json!({"name": "echo", "arguments": arguments});
        let request = modern(&gateway, 1, "tools/call", params, json!({}));
        let mut request = request.build().expect("a request");
        request.url_mut().set_query(Some("mode=full"));
        if let Some(header) = header {
            let header = header.parse().expect("a value");
            request.headers_mut().insert("mcp-param-region", header);
        }
        let answer = gateway.send(request).await;
        assert_eq!(answer.status, status, "{arguments} {header:?}: {answer:?}");
    }
    let absent = modern(
        &gateway,
        1,
        "tools/call",
        json!({"name": "echo"}),
        json!({}),
    );
    let absent = absent.header("mcp-param-region", "eu");
    assert_eq!(
        read(absent.send().await.expect("an answer")).await.status,
        400
    );
    gateway.close().await;
}

#[tokio::test]
async fn a_capability_that_a_member_misses_is_a_bad_request() {
    let gateway = open().await;
    let sent = modern(
        &gateway,
        1,
        "tools/call",
        json!({"name": "needs"}),
        json!({}),
    )
    .send();
    let answer = read(sent.await.expect("an answer")).await;
    assert_eq!(
        (answer.status, &answer.json()["error"]["code"]),
        (400, &json!(-32_021))
    );
    gateway.close().await;
}

#[tokio::test]
async fn a_request_says_its_version_and_what_its_client_can_do() {
    let gateway = open().await;
    for (meta, status, code) in [
        (json!({}), 400, -32_602),
        (
            json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
            400,
            -32_602,
        ),
        (
            json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": 1}),
            400,
            -32_602,
        ),
        (
            json!({"io.modelcontextprotocol/protocolVersion": 7}),
            400,
            -32_602,
        ),
    ] {
        let params = json!({"_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
        let request = gateway
            .posting("/mcp", &body.to_string())
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/list");
        let answer = read(request.send().await.expect("an answer")).await;
        assert_eq!(answer.status, status, "{meta}: {answer:?}");
        assert_eq!(answer.json()["error"]["code"], code, "{meta}");
    }
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}});
    let request = gateway
        .posting("/mcp", &body.to_string())
        .header("mcp-protocol-version", "2099-01-01");
    let answer = read(request.send().await.expect("an answer")).await;
    let error = &answer.json()["error"];
    assert_eq!((answer.status, &error["code"]), (400, &json!(-32_022)));
    assert_eq!(error["data"]["requested"], "2099-01-01");
    assert_eq!(error["data"]["supported"][0], "2026-07-28");
    gateway.close().await;
}

#[tokio::test]
async fn removed_methods_are_not_found() {
    let gateway = open().await;
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "no/such",
    ] {
        let sent = modern(&gateway, 1, method, json!({}), json!({}))
            .send()
            .await;
        let answer = read(sent.expect("an answer")).await;
        assert_eq!(answer.status, 404, "{method}");
        assert_eq!(answer.json()["error"]["code"], -32_601, "{method}");
    }
    gateway.close().await;
}

#[tokio::test]
async fn progress_and_asked_for_log_messages_come_in_a_stream() {
    let gateway = open().await;
    let params = json!({"name": "log"});
    let quiet = modern(&gateway, 1, "tools/call", params.clone(), json!({}));
    let quiet = read(quiet.send().await.expect("an answer")).await;
    assert_eq!(
        quiet.header("content-type"),
        "application/json",
        "no log was asked for"
    );
    let more = json!({"meta": {"io.modelcontextprotocol/logLevel": "info"}});
    let heard = modern(&gateway, 1, "tools/call", params, more);
    let mut lines = Lines::of(heard.send().await.expect("a stream"));
    assert_eq!(lines.message().await["method"], "notifications/message");
    assert_eq!(lines.message().await["result"]["resultType"], "complete");
    let more = json!({"meta": {"progressToken": 7}});
    let steps = modern(&gateway, 1, "tools/call", json!({"name": "steps"}), more);
    let mut lines = Lines::of(steps.send().await.expect("a stream"));
    assert_eq!(lines.message().await["params"]["progressToken"], 7);
    gateway.close().await;
}

#[tokio::test]
async fn closing_the_stream_cancels_a_call() {
    let gateway = open().await;
    let more = json!({"meta": {"progressToken": 7}});
    let sent = modern(&gateway, 1, "tools/call", json!({"name": "wait"}), more).send();
    let waiting = tokio::spawn(sent);
    gateway.fake.began.acquire().await.expect("open").forget();
    waiting.abort();
    gateway.fake.left.acquire().await.expect("open").forget();
    gateway.close().await;
}

#[tokio::test]
async fn a_subscription_tells_what_changed_and_ends_with_a_result() {
    let gateway = open().await;
    let params = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["nobody://x"]}});
    let sent = modern(&gateway, 8, "subscriptions/listen", params, json!({}))
        .send()
        .await;
    let mut lines = Lines::of(sent.expect("a stream"));
    let id = json!({"io.modelcontextprotocol/subscriptionId": 8});
    assert_eq!(
        lines.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": id, "notifications": {"toolsListChanged": true}}})
    );
    let changes = ListChangeCounts {
        tools: 2,
        resources: 1,
        prompts: 1,
    };
    gateway.fake.changes.send_replace(changes);
    assert_eq!(
        lines.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": id}})
    );
    gateway.stop.cancel();
    assert_eq!(
        lines.message().await,
        json!({"jsonrpc": "2.0", "id": 8, "result": {"resultType": "complete", "_meta": id}})
    );
    lines.end().await;
    gateway.close().await;
}
