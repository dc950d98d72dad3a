//! Tests of calls that the server runs as tasks, in both eras.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use guild_api::event::Progress;
use guild_api::wire::ElicitationAction;
use guild_mcp_client::{
    CallOptions, ConnectOptions, ElicitationHandler, ElicitationPrompt, ElicitationReply, McpError,
    Session, connect,
};
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
    modern_with(options()).await
}

async fn modern_with(options: ConnectOptions) -> (Session, Pipe) {
    let (mut pipe, link) = Pipe::new();
    let options = ConnectOptions {
        remembered: Some(Era::Modern),
        ..options
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

/// Answers the call with a task in this state (2025-11-25).
async fn become_task(pipe: &mut Pipe, status: &str) {
    let request = pipe.expect("tools/call").await;
    let task = state(status, json!({}));
    pipe.say(answer(&request, json!({"task": task}))).await;
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
        polled(&mut pipe, "working", json!({})).await;
        // The token of the first request is valid while the task runs.
        let params = json!({"progressToken": token, "progress": 7});
        let moved = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        pipe.say(moved).await;
        let message = json!({"statusMessage": "The server reports progress itself"});
        polled(&mut pipe, "completed", message).await;
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
    let steps: Vec<_> = steps
        .iter()
        .map(|step| (step.progress, step.message.as_deref()))
        .collect();
    assert_eq!(steps, [(1.0, Some("Heating the iron")), (7.0, None)]);
}

#[tokio::test]
async fn error_of_a_required_task_is_the_call_s_error() {
    let (session, mut pipe) = session(tasks()).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, as_task());
    let serve = async {
        become_task(&mut pipe, "failed").await;
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
        ("working", json!({"taskId": ""}), "taskId must have 1 to"),
        ("working", json!({"taskId": "t-2"}), "it has another taskId"),
        (
            "completed",
            json!({"result": {"resultType": "input_required"}}),
            "input_required, which was not requested",
        ),
        (
            "input_required",
            json!({"inputRequests": {}}),
            "input_required, which was not requested",
        ),
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

/// A person who accepts each question at once.
#[derive(Debug, Default)]
struct Quick(AtomicUsize);

impl ElicitationHandler for Quick {
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let content = [("said".to_owned(), Value::from(question.message))];
        let action = ElicitationAction::Accept;
        let content = Some(content.into_iter().collect());
        async move { ElicitationReply { action, content } }.boxed()
    }
}

fn asked(keys: &[&str]) -> Value {
    let question = |key: &str| {
        let params = json!({"message": key, "requestedSchema": {"type": "object"}});
        (
            key.to_owned(),
            json!({"method": "elicitation/create", "params": params}),
        )
    };
    let requests: serde_json::Map<_, _> = keys.iter().map(|key| question(key)).collect();
    json!({"inputRequests": requests})
}

#[tokio::test]
async fn questions_of_a_task_are_asked_once() {
    let person = Arc::new(Quick::default());
    let options = ConnectOptions {
        asking: Some(person.clone()),
        ..options()
    };
    let (session, mut pipe) = modern_with(options).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, call_options());
    let serve = async {
        let request = pipe.expect("tools/call").await;
        // A first state that has already ended has no result yet.
        pipe.say(answer(
            &request,
            state(
                "completed",
                json!({"resultType": "task", "pollIntervalMs": 1}),
            ),
        ))
        .await;
        polled(&mut pipe, "input_required", asked(&["iron"])).await;
        let update = pipe.expect("tasks/update").await;
        assert_eq!(update["params"]["taskId"], "t-1");
        let given = json!({"iron": {"action": "accept", "content": {"said": "iron"}}});
        assert_eq!(update["params"]["inputResponses"], given);
        pipe.say(answer(&update, json!({"resultType": "complete"})))
            .await;
        // The state follows the answer later.
        polled(&mut pipe, "input_required", asked(&["iron"])).await;
        polled(&mut pipe, "input_required", asked(&["iron", "coal"])).await;
        let update = pipe.expect("tasks/update").await;
        let given = update["params"]["inputResponses"].as_object();
        assert_eq!(given.map(|given| given.keys().len()), Some(1), "{update}");
        pipe.say(answer(&update, json!({"resultType": "complete"})))
            .await;
        polled(&mut pipe, "completed", json!({"result": {"content": []}})).await;
    };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect("a result").get(), r#"{"content":[]}"#);
    assert_eq!(person.0.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn rejected_answer_ends_the_call() {
    let options = ConnectOptions {
        asking: Some(Arc::new(Quick::default())),
        ..options()
    };
    let (session, mut pipe) = modern_with(options).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, call_options());
    let serve = async {
        let request = pipe.expect("tools/call").await;
        pipe.say(created(&request)).await;
        polled(&mut pipe, "input_required", asked(&["iron"])).await;
        let update = pipe.expect("tasks/update").await;
        pipe.say(refusal(&update, -32602, "not hot enough")).await;
        polled(&mut pipe, "input_required", asked(&["iron"])).await;
        pipe.expect("tasks/cancel").await;
    };
    let (result, ()) = tokio::join!(call, serve);
    let error = result.expect_err("no result").to_string();
    assert!(error.contains("not hot enough"), "{error}");
}

#[tokio::test]
async fn state_is_requested_beside_the_result() {
    let (session, mut pipe) = session(tasks()).await;
    let name = tool("smith");
    let call = session.call_text(&name, None, as_task());
    let serve = async {
        become_task(&mut pipe, "input_required").await;
        let result = pipe.expect("tasks/result").await;
        polled(&mut pipe, "input_required", json!({})).await;
        polled(&mut pipe, "working", json!({})).await;
        polled(&mut pipe, "completed", json!({})).await;
        pipe.say(answer(&result, json!({"content": []}))).await;
    };
    let (result, ()) = tokio::join!(call, serve);
    assert_eq!(result.expect("a result").get(), r#"{"content":[]}"#);
}

#[tokio::test(start_paused = true)]
async fn answers_restart_the_limit_up_to_a_total() {
    const LIMIT: Duration = Duration::from_secs(3);
    for (task_limit, most) in [
        // Like other calls: ten times the limit.
        (Duration::ZERO, LIMIT * 10),
        (LIMIT * 50, LIMIT * 50),
    ] {
        let (session, mut pipe) = session(tasks()).await;
        let call_options = CallOptions {
            limit: LIMIT,
            task_limit,
            ..as_task()
        };
        let name = tool("smith");
        let call = session.call_text(&name, None, call_options);
        let since = tokio::time::Instant::now();
        let serve = async {
            let request = pipe.expect("tools/call").await;
            let first = state("working", json!({"pollInterval": 60_000}));
            pipe.say(answer(&request, json!({"task": first}))).await;
            let mut count = 0;
            loop {
                let request = pipe.next().await.expect("a message");
                match request["method"].as_str() {
                    Some("tasks/get") => {}
                    // The poll that was running.
                    Some("notifications/cancelled") => continue,
                    method => {
                        assert_eq!(method, Some("tasks/cancel"));
                        return count;
                    }
                }
                count += 1;
                let next = state("working", json!({"pollInterval": 60_000}));
                pipe.say(answer(&request, next)).await;
            }
        };
        let (result, count) = tokio::join!(call, serve);
        assert!(
            matches!(result, Err(McpError::CallTimeout { .. })),
            "{result:?}"
        );
        assert!(since.elapsed() >= most && since.elapsed() < most + LIMIT);
        // The pause is shorter than the limit, although the server suggests a longer one.
        assert!(count >= 9, "{count}");
    }
}
