//! Tests of members' questions to the user, which the gateway forwards to the waiting agent.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Lines, call, modern, open, open_with, read};
use super::fake::TOKEN;
use crate::ServeOptions;

/// A time limit that expires soon, but that is sufficient on a loaded machine.
const SOON: Duration = Duration::from_millis(500);

#[tokio::test]
async fn a_session_s_client_is_asked_over_the_answer_s_stream() {
    let gateway = open().await;
    for (version, mode) in [("2025-06-18", Value::Null), ("2025-11-25", json!("form"))] {
        let session = gateway.session(version, json!({"elicitation": {}})).await;
        let sent = gateway
            .posting("/mcp", &call(3, "ask"))
            .header("mcp-session-id", &session);
        let mut lines = Lines::of(sent.send().await.expect("a stream"));
        let question = lines.message().await;
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"]["message"], "Who?");
        assert_eq!(question["params"]["mode"], mode);
        assert_eq!(question["params"]["requestedSchema"]["type"], "object");
        let answer = json!({"jsonrpc": "2.0", "id": question["id"],
            "result": {"action": "accept", "content": {"name": "Ada"}}});
        let answer = gateway
            .posting("/mcp", &answer.to_string())
            .header("mcp-session-id", &session);
        assert_eq!(answer.send().await.expect("an answer").status(), 202);
        let end = lines.message().await;
        assert_eq!(end["id"], 3);
        let text = r#"{"action":"accept","content":{"name":"Ada"}}"#;
        assert_eq!(end["result"]["content"][0]["text"], text);
    }
    gateway.close().await;
}

#[tokio::test]
async fn a_client_that_takes_no_questions_is_asked_none() {
    let gateway = open().await;
    let session = gateway.session("2025-06-18", json!({})).await;
    let sent = gateway
        .posting("/mcp", &call(3, "ask"))
        .header("mcp-session-id", &session);
    let answer = read(sent.send().await.expect("an answer")).await;
    assert_eq!(
        answer.json()["result"]["content"][0]["text"],
        "nobody to ask"
    );
    let answer = gateway.post("/mcp", &call(3, "ask")).await;
    assert_eq!(
        answer.json()["result"]["content"][0]["text"],
        "nobody to ask",
        "no session"
    );
    gateway.close().await;
}

#[tokio::test]
async fn a_question_without_an_answer_is_withdrawn() {
    let options = ServeOptions {
        answer_limit: SOON,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let session = gateway
        .session("2025-06-18", json!({"elicitation": {}}))
        .await;
    let sent = gateway
        .posting("/mcp", &call(3, "ask-twice"))
        .header("mcp-session-id", &session);
    let mut lines = Lines::of(sent.send().await.expect("a stream"));
    let (first, second) = (lines.message().await, lines.message().await);
    assert_eq!(second["params"]["message"], "Second?");
    let withdrawn = lines.message().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], first["id"]);
    gateway.close().await;
}

#[tokio::test]
async fn in_2026_07_28_the_call_is_made_again_with_the_answer() {
    let gateway = open().await;
    let ask = |id: u64, more: Value| {
        modern(
            &gateway,
            id,
            "tools/call",
            json!({"name": "ask", "arguments": {}}),
            more,
        )
    };
    let capable = json!({"capabilities": {"elicitation": {}}});
    let first = read(ask(1, capable.clone()).send().await.expect("an answer")).await;
    let result = &first.json()["result"];
    assert_eq!(result["resultType"], "input_required");
    let (key, request) = result["inputRequests"]
        .as_object()
        .expect("requests")
        .iter()
        .next()
        .expect("one");
    assert_eq!(key, "who", "the member's own name for it");
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], "Who?");
    let state = result["requestState"].as_str().expect("a state");

    // If the requested input is missing or invalid, the gateway asks again.
    let mut state = state.to_owned();
    for responses in [
        Value::Null,
        json!({}),
        json!({key: 12_345}),
        json!({key: {"content": {}}}),
    ] {
        let params = json!({"requestState": state, "inputResponses": responses});
        let again = json!({"capabilities": {"elicitation": {}}, "params": params});
        let again = read(ask(2, again).send().await.expect("an answer")).await;
        let result = &again.json()["result"];
        assert_eq!(result["resultType"], "input_required", "{responses}");
        assert_eq!(result["inputRequests"][key], *request);
        state = result["requestState"].as_str().expect("a state").to_owned();
    }

    let mut answer = json!({"capabilities": {"elicitation": {}}, "params": {"requestState": state,
        "inputResponses": {"unknown": {}}}});
    answer["params"]["inputResponses"][key] = json!({"action": "decline"});
    let third = read(ask(3, answer.clone()).send().await.expect("an answer")).await;
    let third = third.json();
    assert_eq!(third["id"], 3);
    assert_eq!(third["result"]["resultType"], "complete");
    assert_eq!(
        third["result"]["content"][0]["text"],
        r#"{"action":"decline"}"#
    );

    // A `requestState` is valid only once.
    let late = read(ask(4, answer).send().await.expect("an answer")).await;
    assert_eq!(late.json()["error"]["code"], -32_602);
    gateway.close().await;
}

#[tokio::test]
async fn equal_question_ids_are_kept_apart() {
    let gateway = open().await;
    let ask = async |tool: &str, more: Value| {
        let params = json!({"name": tool, "arguments": {}});
        let sent = modern(&gateway, 1, "tools/call", params, more).send();
        read(sent.await.expect("an answer")).await.json()
    };
    let twice = ask("ask-twice", json!({"capabilities": {"elicitation": {}}}));
    let twice = twice.await;
    let requests = twice["result"]["inputRequests"].as_object();
    let keys: Vec<&String> = requests.expect("requests").keys().collect();
    assert_eq!(keys.len(), 2, "{twice}");
    assert_eq!(keys[0], "who");

    let given = json!({"who": {"action": "accept", "content": {"name": "Ada"}}, "other": 7});
    let params = json!({"inputResponses": given});
    let early = json!({"capabilities": {"elicitation": {}}, "params": params});
    let answered = ask("ask", early.clone()).await;
    assert_eq!(
        answered["result"]["content"][0]["text"],
        r#"{"action":"accept","content":{"name":"Ada"}}"#,
    );
    let wrong = json!({"capabilities": {"elicitation": {}},
        "params": {"inputResponses": {"who": 12_345}}});
    let wrong = ask("ask", wrong).await;
    assert_eq!(wrong["result"]["resultType"], "input_required", "{wrong}");
    let once = ask("ask-twice", early).await;
    let requests = &once["result"]["inputRequests"];
    assert_eq!(requests["who"]["params"]["message"], "Second?", "{once}");
    let unable = json!({"params": params});
    let unable = ask("ask", unable).await;
    assert_eq!(unable["result"]["content"][0]["text"], "nobody to ask");
    gateway.close().await;
}

#[tokio::test]
async fn one_client_does_not_take_all_the_room_for_calls_that_wait() {
    let options = ServeOptions {
        suspended_of_client_max: 1,
        ..ServeOptions::default()
    };
    let gateway = open_with(true, options).await;
    let ask = async |token: &str| {
        let params = json!({"name": "ask", "arguments": {}});
        let capable = json!({"capabilities": {"elicitation": {}}});
        let request = modern(&gateway, 1, "tools/call", params, capable);
        let sent = request.header("authorization", format!("Bearer {token}"));
        read(sent.send().await.expect("an answer")).await.json()
    };
    let needs = json!("input_required");
    assert_eq!(ask(TOKEN).await["result"]["resultType"], needs);
    assert_eq!(ask(TOKEN).await["error"]["code"], -32_603, "one too many");
    assert_eq!(ask("another").await["result"]["resultType"], needs);
    gateway.close().await;
}

#[tokio::test]
async fn clients_without_tokens_differ_by_their_names() {
    let options = ServeOptions {
        suspended_max: 4,
        suspended_of_client_max: 1,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let ask = async |info: Value| {
        let params = json!({"name": "ask", "arguments": {}});
        let more = json!({"capabilities": {"elicitation": {}},
            "meta": {"io.modelcontextprotocol/clientInfo": info}});
        let sent = modern(&gateway, 1, "tools/call", params, more).send();
        read(sent.await.expect("an answer")).await.json()
    };
    let waits = |answer: &Value| answer["result"]["resultType"] == "input_required";
    let named = |name: &str| json!({"name": name, "version": "1"});
    for info in [named("one"), named("another"), Value::Null] {
        let first = ask(info.clone()).await;
        assert!(waits(&first), "{info}: {first}");
        let second = ask(info.clone()).await;
        assert_eq!(second["error"]["code"], -32_603, "{info}: one too many");
    }
    assert!(waits(&ask(named("the fourth")).await));
    let fifth = ask(named("the fifth")).await;
    assert_eq!(fifth["error"]["code"], -32_603, "all have four");
    gateway.close().await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_person_is_bounded_in_number_and_time() {
    let options = ServeOptions {
        suspended_max: 1,
        answer_limit: 2 * SOON,
        head_limit: SOON,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let ask = |id: u64| {
        let params = json!({"name": "ask", "arguments": {}});
        modern(
            &gateway,
            id,
            "tools/call",
            params,
            json!({"capabilities": {"elicitation": {}}}),
        )
    };
    let first = read(ask(1).send().await.expect("an answer")).await;
    assert_eq!(first.json()["result"]["resultType"], "input_required");
    let second = read(ask(2).send().await.expect("an answer")).await;
    assert_eq!(second.json()["error"]["code"], -32_603, "no room");
    // The first call ends at its time limit. The second is rejected because too many calls are
    // suspended.
    gateway
        .fake
        .left
        .acquire_many(2)
        .await
        .expect("open")
        .forget();
    gateway.close().await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_person_ends_with_its_client_s_token() {
    let options = ServeOptions {
        head_limit: SOON,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let params = json!({"name": "ask", "arguments": {}});
    let capable = json!({"capabilities": {"elicitation": {}}});
    let sent = modern(&gateway, 1, "tools/call", params, capable).send();
    let suspended = read(sent.await.expect("an answer")).await;
    assert_eq!(suspended.json()["result"]["resultType"], "input_required");
    gateway.fake.revoked.cancel();
    let left = gateway.fake.left.acquire();
    let left = tokio::time::timeout(60 * SOON, left).await;
    left.expect("in time").expect("the call was left").forget();
    gateway.close().await;
}
