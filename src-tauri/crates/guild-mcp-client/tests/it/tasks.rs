//! Tests of calls that the server runs as tasks, in both eras.

use guild_api::event::Progress;
use guild_mcp_client::{CallOptions, ConnectOptions, McpError, Session, connect};
use guild_model::protocol::Era;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::pipe::{Pipe, session};
use crate::{answer, call_options, discovered, options, refusal, tool};

fn tasks() -> Value {
    json!({"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}, "cancel": {}}})
}

fn as_task() -> CallOptions {
    CallOptions {
        task: true,
        ..call_options()
    }
}

fn state(status: &str, more: Value) -> Value {
    let mut state = json!({"taskId": "t-1", "status": status, "createdAt": "2026-11-28T10:00:00Z",
        "lastUpdatedAt": "2026-11-28T10:00:00Z", "ttl": null, "pollInterval": 1});
    let fields = state.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    state
}

async fn modern() -> (Session, Pipe) {
    let (mut pipe, link) = Pipe::new();
    let options = ConnectOptions {
        remembered: Some(Era::Modern),
        ..options()
    };
    let serve = async {
        let request = pipe.expect("server/discover").await;
        let extensions = json!({"io.modelcontextprotocol/tasks": {}});
        let found = discovered(
            &["2026-07-28"],
            json!({"tools": {}, "extensions": extensions}),
        );
        pipe.say(answer(&request, found)).await;
        pipe.expect("subscriptions/listen").await;
    };
    let (session, ()) = tokio::join!(connect(link, options), serve);
    (session.expect("a session"), pipe)
}

/// Answers the next request, which must ask for the state of the task.
async fn polled(pipe: &mut Pipe, status: &str, more: Value) {
    let request = pipe.expect("tasks/get").await;
    assert_eq!(request["params"]["taskId"], "t-1", "{request}");
    pipe.say(answer(&request, state(status, more))).await;
}

#[tokio::test]
async fn required_task_returns_its_result() {
    let (session, mut pipe) = session(tasks()).await;
    let (progress, mut reported) = mpsc::channel::<Progress>(8);
    let call_options = CallOptions {
        progress: Some(progress),
        ..as_task()
    };
    let name = tool("smith");
    let call = session.call_text(&name, None, call_options);
    let serve = async {
        let request = pipe.expect("tools/call").await;
        assert_eq!(request["params"]["task"], json!({}), "{request}");
        let token = request["params"]["_meta"]["progressToken"].clone();
        pipe.say(answer(
            &request,
            json!({"task": state("working", json!({}))}),
        ))
        .await;
        let message = json!({"statusMessage": "Heating the iron"});
        polled(&mut pipe, "working", message).await;
        // The token of the first request is valid while the task runs.
        let params = json!({"progressToken": token, "progress": 7});
        let moved = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        pipe.say(moved).await;
        polled(&mut pipe, "completed", json!({})).await;
        let request = pipe.expect("tasks/result").await;
        assert_eq!(request["params"]["taskId"], "t-1");
        let result = json!({"content": [{"type": "text", "text": "done"}], "n": 1});
        pipe.write(&format!("{}\n", answer(&request, result))).await;
    };
    let (result, ()) = tokio::join!(call, serve);
    let result: Value = serde_json::from_str(result.expect("a result").get()).expect("JSON");
    assert_eq!(result["content"][0]["text"], "done");
    let mut steps = Vec::new();
    reported.recv_many(&mut steps, 8).await;
    let has = |message: Option<&str>, progress: f64| {
        let found = |step: &&Progress| step.message.as_deref() == message;
        assert_eq!(steps.iter().find(found).expect("a step").progress, progress);
    };
    has(Some("Heating the iron"), 1.0);
    has(None, 7.0);
}

#[tokio::test]
async fn error_of_a_required_task_is_the_call_s_error() {
    let (session, mut pipe) = session(tasks()).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, as_task());
    let serve = async {
        let request = pipe.expect("tools/call").await;
        pipe.say(answer(
            &request,
            json!({"task": state("failed", json!({}))}),
        ))
        .await;
        let request = pipe.expect("tasks/result").await;
        pipe.say(refusal(&request, -32603, "the fire went out"))
            .await;
    };
    let (result, ()) = tokio::join!(call, serve);
    let Err(McpError::Rpc(error)) = result else {
        panic!("{result:?}");
    };
    assert_eq!((error.code, &*error.message), (-32603, "the fire went out"));
}

#[tokio::test]
async fn server_without_tasks_gets_a_plain_call() {
    let (session, mut pipe) = session(json!({"tools": {}})).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, as_task());
    let serve = async {
        let request = pipe.expect("tools/call").await;
        assert_eq!(request["params"]["task"], Value::Null, "{request}");
        pipe.say(answer(&request, json!({"content": []}))).await;
    };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect("a result").get(), r#"{"content":[]}"#);
}

#[tokio::test]
async fn dropped_call_cancels_its_task() {
    for is_modern in [false, true] {
        let (session, mut pipe) = match is_modern {
            true => modern().await,
            false => session(tasks()).await,
        };
        let call_options = as_task();
        let cancel = call_options.cancel.clone();
        let name = tool("smith");
        let call = session.call_text(&name, None, call_options);
        let serve = async {
            let request = pipe.expect("tools/call").await;
            pipe.say(match is_modern {
                true => created(&request),
                false => answer(&request, json!({"task": state("working", json!({}))})),
            })
            .await;
            pipe.expect("tasks/get").await;
            cancel.cancel();
            loop {
                let message = pipe.next().await.expect("a message");
                if message["method"] == "tasks/cancel" {
                    assert_eq!(message["params"]["taskId"], "t-1");
                    break;
                }
                assert_eq!(message["method"], "notifications/cancelled", "{message}");
            }
        };
        let (result, ()) = tokio::join!(call, serve);
        assert_eq!(result.expect_err("cancelled"), McpError::Cancelled);
    }
}

fn created(request: &Value) -> Value {
    answer(
        request,
        state(
            "working",
            json!({"resultType": "task", "pollIntervalMs": 1}),
        ),
    )
}

#[tokio::test]
async fn server_s_task_returns_its_result_unchanged() {
    let (session, mut pipe) = modern().await;
    let name = tool("smith");
    let call = session.call_text(&name, None, call_options());
    let serve = async {
        let request = pipe.expect("tools/call").await;
        let declared = "/params/_meta/io.modelcontextprotocol~1clientCapabilities/extensions";
        let declared = request.pointer(declared).expect("extensions");
        assert_eq!(declared["io.modelcontextprotocol/tasks"], json!({}));
        pipe.say(created(&request)).await;
        polled(&mut pipe, "working", json!({})).await;
        let request = pipe.expect("tasks/get").await;
        let text = answer(
            &request,
            state(
                "completed",
                json!({"resultType": "complete", "result": "#"}),
            ),
        );
        let exact = r##"{ "content":[], "n": 12345678901234567890123 }"##;
        let line = text.to_string().replace("\"#\"", exact);
        pipe.write(&format!("{line}\n")).await;
    };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(
        result.expect("a result").get(),
        r#"{ "content":[], "n": 12345678901234567890123 }"#
    );
}

#[tokio::test]
async fn ends_of_a_server_s_task_are_errors() {
    for (status, more, expected) in [
        (
            "failed",
            json!({"error": {"code": -7, "message": "no iron"}}),
            "no iron",
        ),
        ("cancelled", json!({"statusMessage": "closing"}), "closing"),
        ("failed", json!({}), "it has no error"),
        ("completed", json!({"result": 7}), "it has no result"),
        ("melted", json!({}), "its task can't be read"),
        ("working", json!({"taskId": ""}), "taskId has not 1 to"),
    ] {
        let (session, mut pipe) = modern().await;
        let name = tool("smith");
        let call = session.call_text(&name, None, call_options());
        let serve = async {
            let request = pipe.expect("tools/call").await;
            pipe.say(created(&request)).await;
            polled(&mut pipe, status, more.clone()).await;
        };
        let (result, ()) = tokio::join!(call, serve);
        let error = result.expect_err("no result").to_string();
        assert!(error.contains(expected), "{status}: {error}");
    }
}

#[tokio::test]
async fn task_for_another_request_is_refused() {
    let (session, mut pipe) = modern().await;
    let asked = session.ask_text("prompts/get", None, call_options());
    let serve = async {
        let request = pipe.expect("prompts/get").await;
        pipe.say(created(&request)).await;
    };
    let (result, ()) = tokio::join!(asked, serve);
    let error = result.expect_err("no result").to_string();
    assert!(error.contains("task"), "{error}");
}
