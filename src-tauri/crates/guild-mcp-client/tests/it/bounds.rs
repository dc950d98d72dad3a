//! Tests that messages which are too large or too deep are rejected before they are read to their
//! end.

use axum::body::Bytes;
use futures::future::join_all;
use guild_mcp_client::{CallOptions, McpError};
use guild_model::Code;
use serde_json::{Value, json};

use crate::web::{Reply, calling};
use crate::{answer, arguments, call_options, options, pipe, tool};

async fn refused(reply: fn(&Value) -> Reply) -> McpError {
    let web = calling(reply).await;
    let session = web.session(options()).await;
    session
        .call(&tool("strike"), arguments(json!({})), call_options())
        .await
        .expect_err("refused")
}

#[tokio::test]
async fn an_endless_body_is_given_up() {
    let error = refused(|_| {
        let bytes = Bytes::from(vec![b' '; 1 << 20]);
        Reply::Endless("application/json", "{", bytes)
    })
    .await;
    assert_eq!(error.code(), Code::AnswerTooLarge, "{error}");
    assert!(error.to_string().contains("64 MiB"), "{error}");
}

#[tokio::test]
async fn an_endless_event_is_given_up() {
    let error = refused(|_| {
        let bytes = Bytes::from(vec![b'x'; 1 << 20]);
        Reply::Endless("text/event-stream", "data: ", bytes)
    })
    .await;
    assert_eq!(error.code(), Code::AnswerTooLarge, "{error}");
    assert!(error.to_string().contains("16 MiB"), "{error}");
}

#[tokio::test]
async fn an_event_of_endless_lines_is_given_up() {
    let error = refused(|_| {
        let line = format!("data: {}\r\n", "x".repeat(100));
        let bytes = Bytes::from(line.repeat(1 << 13));
        Reply::Endless("text/event-stream", "", bytes)
    })
    .await;
    assert_eq!(error.code(), Code::AnswerTooLarge, "{error}");
}

#[tokio::test]
async fn the_endless_body_of_an_error_is_cut() {
    let error = refused(|_| Reply::Text(500, "text/plain", "x".repeat(10 << 20))).await;
    assert_eq!(error.code(), Code::HttpStatus);
    assert!(error.to_string().len() < 1_000);
}

#[tokio::test]
async fn an_answer_nested_too_deep_is_refused() {
    fn nested(request: &Value) -> String {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"a":{open}{close}}}}}"#,
            request["id"]
        )
    }
    let replies: [fn(&Value) -> Reply; 2] = [
        |request| Reply::Text(200, "application/json", nested(request)),
        |request| {
            Reply::Text(
                200,
                "text/event-stream",
                format!("data: {}\n\n", nested(request)),
            )
        },
    ];
    for reply in replies {
        let error = refused(reply).await;
        assert_eq!(error.code(), Code::AnswerMalformed);
        assert!(error.to_string().contains("126 levels"), "{error}");
    }
}

#[tokio::test]
async fn too_long_line_fails_its_call_only() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.expect("tools/call").await;
        let id = request["id"].clone();
        pipe.write(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"a":""#))
            .await;
        let chunk = "x".repeat(1 << 20);
        for _ in 0..17 {
            pipe.write(&chunk).await;
        }
        pipe.write("\"}}\n").await;
        let request = pipe.expect("tools/call").await;
        pipe.say(crate::answer(&request, json!({"content": []})))
            .await;
    };
    let calls = async {
        let name = tool("strike");
        let first = session
            .call(&name, arguments(json!({})), call_options())
            .await;
        let second = session
            .call(&name, arguments(json!({})), call_options())
            .await;
        (first, second)
    };
    let ((first, second), ()) = tokio::join!(calls, serve);
    let error = first.expect_err("too large");
    assert_eq!(error.code(), Code::AnswerTooLarge, "{error}");
    second.expect("the connection goes on");
}

#[tokio::test]
async fn non_reading_server_holds_few_lines() {
    const BYTES: usize = 2 << 20;
    const CALLS: usize = 40;
    let (session, mut pipe) = pipe::with_tools().await;
    let name = tool("strike");
    let text = "x".repeat(BYTES);
    let calls = (0..CALLS).map(|_| {
        let options = CallOptions {
            limit: std::time::Duration::from_millis(300),
            ..call_options()
        };
        session.call(&name, arguments(json!({"text": text})), options)
    });
    for ended in join_all(calls).await {
        assert_eq!(ended.expect_err("nobody answers").code(), Code::CallTimeout);
    }
    // Only the message that was being written was kept. After it, the next call is served.
    let serve = async {
        let mut held = 0;
        loop {
            let line = pipe.next_line().await.expect("a line");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["params"]["arguments"]["last"] == true {
                pipe.say(answer(&message, json!({"content": []}))).await;
                return held;
            }
            held += line.len();
        }
    };
    let last = session.call(&name, arguments(json!({"last": true})), call_options());
    let (answered, held) = tokio::join!(last, serve);
    answered.expect("an answer");
    assert!(held >= 8 * BYTES, "several lines waited: {held}");
    assert!(
        held < (32 << 20) + 2 * BYTES,
        "{held} bytes of {}",
        CALLS * BYTES
    );
}

#[tokio::test]
async fn list_of_millions_of_values_is_refused() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.expect("tools/list").await;
        let values = "0,".repeat(2_000_001);
        let id = &request["id"];
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{values}0]}}}}"#);
        pipe.write(&line).await;
        pipe.write("\n").await;
        let request = pipe.expect("tools/call").await;
        pipe.say(answer(&request, json!({"content": []}))).await;
    };
    let ask = async {
        let listed = session.list_tools(std::time::Duration::from_secs(10)).await;
        let error = listed.expect_err("too many");
        assert!(error.to_string().contains("2,000,000 values"), "{error}");
        let name = tool("strike");
        let called = session.call(&name, arguments(json!({})), call_options());
        called.await.expect("an answer");
    };
    tokio::join!(serve, ask);
}
