//! Tests of calls: results that arrive complete and unchanged, and calls that end without a result.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use guild_mcp_client::{CallOptions, McpError};
use guild_model::Code;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::pipe;
use crate::web::{Reply, Web, calling, legacy};
use crate::{AMPLE, answer, arguments, call_options, options, refusal, tool};

const LIMIT: Duration = Duration::from_secs(30);

/// A result in an unusual order, with fields that no version of the protocol defines.
fn odd_result() -> Value {
    json!({
        "zeta": {"b": 1, "a": [1.5, 18_446_744_073_709_551_615_u64, null]},
        "content": [{"text": "done", "type": "text", "vendor": true}],
        "structuredContent": {"z": 1, "a": 2},
        "isError": false
    })
}

fn limited(limit: Duration) -> CallOptions {
    CallOptions {
        limit,
        ..call_options()
    }
}

#[tokio::test]
async fn req_mcp_http_27_a_result_comes_back_as_the_server_sent_it() {
    let replies: [fn(&Value) -> Reply; 2] = [
        |request| Reply::Json(answer(request, odd_result())),
        |request| Reply::Events(vec![answer(request, odd_result())]),
    ];
    for reply in replies {
        let web = calling(reply).await;
        let session = web.session(options()).await;
        let given = json!({"z": 1, "a": {"y": 2, "b": 3}});
        let result = session
            .call(&tool("strike"), arguments(given.clone()), call_options())
            .await
            .expect("a result");
        assert_eq!(result.to_string(), odd_result().to_string());
        let seen = web.until("tools/call").await;
        assert_eq!(seen.body["params"]["name"], "strike");
        assert_eq!(
            seen.body["params"]["arguments"].to_string(),
            given.to_string()
        );
    }
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.expect("tools/call").await;
        pipe.say(answer(&request, odd_result())).await;
    };
    let name = tool("strike");
    let call = session.call(&name, arguments(json!({})), call_options());
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(
        result.expect("a result").to_string(),
        odd_result().to_string()
    );
}

#[tokio::test]
async fn req_mcp_http_29_43_failed_tool_is_a_result() {
    let web = calling(|request| match request["params"]["name"].as_str() {
        Some("fails") => Reply::Json(answer(request, json!({"content": [], "isError": true}))),
        _ => {
            let mut refused = refusal(request, -32602, "no such tool");
            refused["error"]["data"] = json!({"b": 1, "a": 2});
            Reply::Json(refused)
        }
    })
    .await;
    let session = web.session(options()).await;
    let result = session
        .call(&tool("fails"), arguments(json!({})), call_options())
        .await
        .expect("a result");
    assert_eq!(result["isError"], true);

    let error = session
        .call(&tool("unknown"), arguments(json!({})), call_options())
        .await
        .expect_err("an error");
    assert_eq!(error.code(), Code::RpcError);
    let rpc = error.rpc().expect("the server's error");
    assert_eq!((rpc.code, rpc.message.as_str()), (-32602, "no such tool"));
    assert_eq!(rpc.data.as_deref(), Some(r#"{"b":1,"a":2}"#));
}

#[tokio::test]
async fn req_mcp_http_42_each_kind_of_bad_answer_is_told() {
    type Case = (fn(&Value) -> Reply, Code, &'static str);
    let cases: [Case; 9] = [
        (
            |_| Reply::Text(500, "text/plain", "out of iron".into()),
            Code::HttpStatus,
            "out of iron",
        ),
        (
            |request| {
                Reply::Text(
                    500,
                    "application/json",
                    refusal(request, -32603, "cold").to_string(),
                )
            },
            Code::RpcError,
            "cold",
        ),
        (
            |_| Reply::Text(200, "text/html", "<html>".into()),
            Code::AnswerMalformed,
            "text/html",
        ),
        (
            |_| Reply::Text(200, "application/json", "{\"jsonrpc\":".into()),
            Code::AnswerMalformed,
            "not JSON",
        ),
        (
            |request| {
                Reply::Json(answer(
                    &json!({"id": request["id"].as_i64().unwrap() + 7}),
                    json!({}),
                ))
            },
            Code::AnswerMalformed,
            "another request",
        ),
        (
            |request| Reply::Json(answer(request, json!([1]))),
            Code::AnswerMalformed,
            "a list, not an object",
        ),
        (|_| Reply::Status(202, vec![]), Code::AnswerMalformed, "202"),
        (
            |_| Reply::Text(200, "text/event-stream", "data: nonsense\n\n".into()),
            Code::AnswerMalformed,
            "nonsense",
        ),
        (
            |request| Reply::Json(answer(request, json!({"resultType": "input_required"}))),
            Code::AnswerMalformed,
            "input_required",
        ),
    ];
    for (reply, code, part) in cases {
        let web = calling(reply).await;
        let session = web.session(options()).await;
        let error = session
            .call(&tool("strike"), arguments(json!({})), limited(AMPLE))
            .await
            .expect_err("an error");
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(part), "{error} names {part}");
        let calls = web
            .story()
            .iter()
            .filter(|seen| *seen == "tools/call")
            .count();
        assert_eq!(calls, 1, "a call is never repeated");
    }
}

#[tokio::test]
async fn an_answer_without_a_result_is_told_at_once_on_pipes_too() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.expect("tools/call").await;
        pipe.say(json!({"jsonrpc": "2.0", "id": request["id"]}))
            .await;
    };
    let name = tool("strike");
    let call = session.call(&name, arguments(json!({})), call_options());
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect_err("an error").code(), Code::AnswerMalformed);
}

#[tokio::test(start_paused = true)]
async fn req_mcp_http_28_a_call_past_its_limit_is_cancelled() {
    let (session, mut pipe) = pipe::with_tools().await;
    let started = Instant::now();
    let error = session
        .call(&tool("slow"), arguments(json!({})), limited(LIMIT))
        .await
        .expect_err("no result");
    assert_eq!(error, McpError::CallTimeout { limit: LIMIT });
    assert_eq!(started.elapsed(), LIMIT);
    let request = pipe.expect("tools/call").await;
    let cancelled = pipe.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
    assert_eq!(cancelled["params"]["reason"], "time limit reached");
    assert!(!session.is_closed(), "the server goes on");
}

#[tokio::test]
async fn req_mcp_http_28_a_call_past_its_limit_is_aborted_over_http() {
    let mut web = calling(|_| Reply::Silence).await;
    let session = web.session(options()).await;
    let error = session
        .call(
            &tool("slow"),
            arguments(json!({})),
            limited(Duration::from_millis(600)),
        )
        .await
        .expect_err("no result");
    assert_eq!(error.code(), Code::CallTimeout);
    let cancelled = web.until("notifications/cancelled").await;
    let request = web.until("tools/call").await;
    assert_eq!(cancelled.body["params"]["requestId"], request.body["id"]);
    web.given_up
        .wait_for(|&count| count == 1)
        .await
        .expect("the request is given up");
}

#[tokio::test]
async fn a_call_is_cancelled_by_its_token_and_by_dropping_it() {
    let (session, mut pipe) = pipe::with_tools().await;
    let cancel = CancellationToken::new();
    let name = tool("slow");
    let options = CallOptions {
        cancel: cancel.clone(),
        ..call_options()
    };
    let serve = async {
        let request = pipe.expect("tools/call").await;
        cancel.cancel();
        let cancelled = pipe.expect("notifications/cancelled").await;
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
        assert_eq!(cancelled["params"]["reason"], "cancelled by the user");
    };
    let (result, ()) = tokio::join!(session.call(&name, arguments(json!({})), options), serve);
    assert_eq!(result.expect_err("cancelled"), McpError::Cancelled);

    let request = {
        let call = session.call(&name, arguments(json!({})), call_options());
        tokio::select! {
            _ = call => panic!("nobody answers"),
            request = pipe.expect("tools/call") => request,
        }
    };
    let cancelled = pipe.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
}

fn progress(request: &Value, done: u32, message: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {
            "progressToken": request["params"]["_meta"]["progressToken"],
            "progress": done,
            "total": 10,
            "message": message
        }
    })
}

#[tokio::test(start_paused = true)]
async fn progress_begins_the_limit_anew_up_to_ten_times_the_limit() {
    let (session, mut pipe) = pipe::with_tools().await;
    let started = Instant::now();
    let serve = async {
        let request = pipe.expect("tools/call").await;
        for step in 0.. {
            tokio::time::sleep(LIMIT / 2).await;
            pipe.say(progress(&request, step, "")).await;
            if started.elapsed() > 12 * LIMIT {
                break;
            }
        }
        pipe
    };
    let name = tool("endless");
    let call = async {
        let error = session
            .call(&name, arguments(json!({})), limited(LIMIT))
            .await
            .expect_err("no result");
        (error, started.elapsed())
    };
    let ((error, elapsed), _pipe) = tokio::join!(call, serve);
    assert_eq!(error.code(), Code::CallTimeout);
    assert_eq!(elapsed, 10 * LIMIT);
}

#[tokio::test]
async fn progress_is_passed_on_and_bounded() {
    let web = calling(|request| {
        Reply::Events(vec![
            progress(request, 1, "heating"),
            progress(request, 2, &"x".repeat(5_000)),
            answer(request, json!({"content": []})),
        ])
    })
    .await;
    let session = web.session(options()).await;
    let (sender, mut steps) = mpsc::channel(8);
    let options = CallOptions {
        progress: Some(sender),
        ..call_options()
    };
    session
        .call(&tool("strike"), arguments(json!({})), options)
        .await
        .expect("a result");
    let first = steps.recv().await.expect("a step");
    assert_eq!((first.progress, first.total), (1.0, Some(10.0)));
    assert_eq!(first.message.as_deref(), Some("heating"));
    let second = steps.recv().await.expect("a step");
    assert_eq!(second.message.expect("a message").chars().count(), 1_001);
}

#[tokio::test]
async fn many_calls_run_at_once_and_each_gets_its_own_answer() {
    let (session, mut pipe) = pipe::with_tools().await;
    let session = std::sync::Arc::new(session);
    let calls: Vec<_> = (0..20)
        .map(|number| {
            let session = session.clone();
            tokio::spawn(async move {
                let given = arguments(json!({"number": number}));
                session.call(&tool("echo"), given, call_options()).await
            })
        })
        .collect();
    let mut requests = Vec::new();
    for _ in 0..20 {
        requests.push(pipe.expect("tools/call").await);
    }
    for request in requests.iter().rev() {
        let echo = request["params"]["arguments"].clone();
        pipe.say(answer(request, json!({"echo": echo}))).await;
    }
    for (number, call) in calls.into_iter().enumerate() {
        let result = call.await.expect("no panic").expect("a result");
        assert_eq!(result["echo"]["number"], number);
    }
}

#[tokio::test]
async fn a_server_that_goes_interrupts_its_calls() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        pipe.expect("tools/call").await;
        drop(pipe);
    };
    let name = tool("strike");
    let call = session.call(&name, arguments(json!({})), call_options());
    let (result, ()) = tokio::join!(call, serve);
    let error = result.expect_err("interrupted");
    assert_eq!(error.code(), Code::CallInterrupted);
    assert!(error.to_string().contains("closed its output"), "{error}");
    let again = session
        .call(&name, arguments(json!({})), call_options())
        .await;
    assert_eq!(again.expect_err("closed").code(), Code::CallInterrupted);
    assert!(session.is_closed());
}

#[tokio::test]
async fn a_session_that_expired_is_opened_again() {
    let (opened, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let web = Web::start(move |seen| {
        let served = answered.load(Ordering::SeqCst) > 0;
        match (seen.method(), seen.header("mcp-session-id")) {
            ("initialize", _) => {
                let opened = opened.fetch_add(1, Ordering::SeqCst);
                let session = ["first", "second", "third"][opened.min(2)];
                Reply::In(session, Box::new(legacy(seen)))
            }
            ("tools/call", Some("second")) if !served => {
                answered.fetch_add(1, Ordering::SeqCst);
                Reply::Json(answer(&seen.body, json!({"content": []})))
            }
            ("ping", Some("second")) if !served => Reply::Json(answer(&seen.body, json!({}))),
            ("tools/call" | "ping", _) => Reply::Status(404, vec![]),
            _ => legacy(seen),
        }
    })
    .await;
    let session = web.session(options()).await;
    session
        .call(&tool("strike"), arguments(json!({})), call_options())
        .await
        .expect("the call is made again in the new session");
    let calls = |web: &Web| {
        let story = web.story();
        story.iter().filter(|seen| *seen == "tools/call").count()
    };
    assert_eq!(calls(&web), 2, "refused once, answered once");
    let error = session
        .call(&tool("strike"), arguments(json!({})), call_options())
        .await
        .expect_err("no session is known to this server any more");
    assert_eq!(error.code(), Code::ConnectionFailed, "{error}");
    let story = web.story();
    let handshakes = story.iter().filter(|seen| *seen == "initialize").count();
    assert_eq!(handshakes, 3, "the session was opened again for each call");
}
