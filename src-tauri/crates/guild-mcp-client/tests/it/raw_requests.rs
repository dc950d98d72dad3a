//! Tests of requests whose parameters and results are forwarded without parsing.

mod kept;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use guild_api::wire::ElicitationAction;
use guild_mcp_client::sign_in::{AuthDecision, SignedIn, Want};
use guild_mcp_client::{
    CallOptions, ConnectOptions, ElicitationHandler, ElicitationPrompt, ElicitationReply,
    SentRequest, Session,
};
use guild_model::Code;
use guild_model::protocol::Era;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::pipe::{self, Pipe};
use crate::web::{self, Web};
use crate::{answer, call_options, discovered, options, tool};

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

async fn strike(session: &Session, arguments: &str) -> Result<String, guild_mcp_client::McpError> {
    let arguments = raw(arguments);
    let name = tool("strike");
    let called = session.call_text(&name, Some(&arguments), call_options());
    called.await.map(|result| result.get().to_owned())
}

/// Accepts each question, with a fixed name as the value.
#[derive(Debug)]
struct Named(&'static str);

impl ElicitationHandler for Named {
    fn ask(&self, _question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        let content = crate::arguments(json!({"name": self.0}));
        let reply = ElicitationReply {
            action: ElicitationAction::Accept,
            content: Some(content),
        };
        std::future::ready(reply).boxed()
    }
}

fn asked_by(name: &'static str) -> CallOptions {
    CallOptions {
        asking: Some(Arc::new(Named(name))),
        ..call_options()
    }
}

fn with_window(era: Option<Era>) -> ConnectOptions {
    ConnectOptions {
        asking: Some(Arc::new(Named("window"))),
        remembered: era,
        ..options()
    }
}

fn question() -> Value {
    json!({
        "jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
        "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
    })
}

#[tokio::test]
async fn arguments_and_results_pass_to_the_last_character() {
    const ARGUMENTS: &str =
        r#"{"z": 1.50, "a": 12345678901234567890123, "ü":"\u00fc\/", "z2" : [ ]}"#;
    const RESULT: &str = r#"{ "content":[],"n":1e2,"b":0.10 ,"a":"\u00e9\/", "_meta":{"x":[]}}"#;
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.next_line().await.expect("a request");
        assert!(request.contains(ARGUMENTS), "{request}");
        let id = serde_json::from_str::<Value>(&request).expect("JSON")["id"].clone();
        pipe.write("no protocol at all\n").await;
        pipe.write(&format!(
            "{{\"result\": {RESULT}, \"id\":{id}, \"jsonrpc\":\"2.0\"}}\r\n"
        ))
        .await;
        // The same call with parsed arguments gives the same message.
        let request = pipe.expect("tools/call").await;
        let id = &request["id"];
        pipe.write(&format!("{{\"id\":\"{id}\",\"result\":{RESULT}}}\n"))
            .await;
    };
    let name = tool("strike");
    let calls = async {
        let text = strike(&session, ARGUMENTS).await.expect("a result");
        assert_eq!(text, RESULT);
        let call = session.call(&name, crate::arguments(json!({})), call_options());
        let value = call
            .await
            .expect("an id that came back as text is the same");
        assert_eq!(value, serde_json::from_str::<Value>(RESULT).expect("JSON"));
    };
    tokio::join!(calls, serve);
}

#[tokio::test]
async fn any_request_survives_line_ends_between_parts() {
    let (session, mut pipe) = pipe::with_tools().await;
    let params = raw("{\n\"level\":\r\n\"info\", \"_meta\": {\"progressToken\": 3, \"t\": 1}}");
    let serve = async {
        let request = pipe.expect("logging/setLevel").await;
        assert_eq!(request["params"]["level"], "info");
        let meta = &request["params"]["_meta"];
        assert_eq!(meta["t"], 1, "what is not this client's own stays");
        assert_eq!(meta["progressToken"], request["id"]);
        pipe.say(answer(&request, json!({}))).await;
    };
    let sent = SentRequest::default();
    let options = CallOptions {
        sent: sent.clone(),
        ..call_options()
    };
    let asked = session.ask_text("logging/setLevel", Some(&params), options);
    let (result, ()) = tokio::join!(asked, serve);
    assert_eq!(result.expect("a result").get(), "{}");
    let sent = sent.text().expect("what was sent is kept");
    assert!(sent.contains("\"info\"") && !sent.contains('\n'), "{sent}");
    let list = raw("[1]");
    let no_object = session.ask_text("m", Some(&list), call_options());
    assert_eq!(
        no_object.await.expect_err("no object").code(),
        Code::AnswerMalformed
    );
}

#[tokio::test]
async fn a_thousand_calls_side_by_side_get_their_own_answers() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let mut requests = Vec::new();
        for _ in 0..1_000 {
            requests.push(pipe.expect("tools/call").await);
        }
        for request in requests.iter().rev() {
            let echo = request["params"]["arguments"].clone();
            pipe.say(answer(request, echo)).await;
        }
    };
    let calls = (0..1_000).map(async |number| {
        let arguments = format!("{{\"number\":{number}}}");
        assert_eq!(
            strike(&session, &arguments).await.expect("a result"),
            arguments
        );
    });
    tokio::join!(join_all(calls), serve);
}

#[tokio::test]
async fn stray_answers_reach_only_their_call() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        let request = pipe.expect("tools/call").await;
        let id = request["id"].as_u64().expect("a number");
        for other in [json!(id + 1), json!(3), json!("x"), Value::Null] {
            pipe.say(json!({"jsonrpc": "2.0", "id": other, "result": {"wrong": true}}))
                .await;
        }
        pipe.say(answer(&request, json!({"right": true}))).await;
        pipe.say(answer(&request, json!({"late": true}))).await;
        for wrong in [
            "7",
            "\"text\"",
            "null",
            &("[".repeat(200) + &"]".repeat(200)),
        ] {
            let id = &pipe.expect("tools/call").await["id"];
            pipe.write(&format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{wrong}}}\n"
            ))
            .await;
        }
        let request = pipe.expect("tools/call").await;
        pipe.say(crate::refusal(&request, -32602, "no such tool"))
            .await;
    };
    let calls = async {
        let result = strike(&session, "{}").await.expect("a result");
        assert_eq!(result, r#"{"right":true}"#);
        for _ in 0..4 {
            let error = strike(&session, "{}").await.expect_err("no object");
            assert_eq!(error.code(), Code::AnswerMalformed, "{error}");
        }
        let error = strike(&session, "{}").await.expect_err("refused");
        assert_eq!(error.rpc().map(|rpc| rpc.code), Some(-32602));
    };
    tokio::join!(calls, serve);
}

#[tokio::test]
async fn progress_arrives_and_giving_up_is_told_to_the_server() {
    let (session, mut pipe) = pipe::with_tools().await;
    let (progress, mut steps) = mpsc::channel(4);
    let cancel = CancellationToken::new();
    let options = CallOptions {
        progress: Some(progress),
        cancel: cancel.clone(),
        ..call_options()
    };
    let serve = async {
        let request = pipe.expect("tools/call").await;
        let token = request["params"]["_meta"]["progressToken"].clone();
        let step = json!({"progressToken": token, "progress": 1, "total": 3, "message": "half"});
        pipe.say(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": step}))
            .await;
        let told = pipe.expect("notifications/cancelled").await;
        assert_eq!(told["params"]["requestId"], request["id"]);
    };
    let watch = async {
        let step = steps.recv().await.expect("a step");
        assert_eq!((step.progress, step.total), (1.0, Some(3.0)));
        cancel.cancel();
    };
    let name = tool("strike");
    let call = session.call_text(&name, None, options);
    let (result, (), ()) = tokio::join!(call, serve, watch);
    assert_eq!(result.expect_err("cancelled").code(), Code::CallCancelled);
}

#[tokio::test]
async fn a_huge_answer_comes_whole_and_a_larger_one_is_refused() {
    let (session, mut pipe) = pipe::with_tools().await;
    let text = "x".repeat(15 << 20);
    let serve = async {
        let id = pipe.expect("tools/call").await["id"].clone();
        pipe.write(&format!(
            "{{\"id\":{id},\"result\":{{\"text\":\"{text}\"}}}}\n"
        ))
        .await;
        let id = pipe.expect("tools/call").await["id"].clone();
        pipe.write(&format!(
            "{{\"id\":{id},\"result\":{{\"text\":\"{text}{text}\"}}}}\n"
        ))
        .await;
    };
    let calls = async {
        let result = strike(&session, "{}").await.expect("a result");
        assert_eq!(result.len(), text.len() + r#"{"text":""}"#.len());
        let error = strike(&session, "{}").await.expect_err("too large");
        assert_eq!(error.code(), Code::AnswerTooLarge);
    };
    tokio::join!(calls, serve);
}

#[tokio::test]
async fn a_servers_end_ends_every_call_of_the_lane() {
    let (session, mut pipe) = pipe::with_tools().await;
    let serve = async {
        for _ in 0..3 {
            pipe.expect("tools/call").await;
        }
        drop(pipe);
    };
    let calls = join_all((0..3).map(|_| strike(&session, "{}")));
    let (results, ()) = tokio::join!(calls, serve);
    for result in results {
        assert_eq!(
            result.expect_err("interrupted").code(),
            Code::CallInterrupted
        );
    }
}

#[tokio::test]
async fn a_servers_request_is_put_to_whom_its_call_brought_along() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("initialize").await;
        let opened = crate::initialized("2025-11-25", json!({"tools": {}}));
        pipe.say(answer(&request, opened)).await;
        pipe.expect("notifications/initialized").await;
        for _ in 0..2 {
            let call = pipe.expect("tools/call").await;
            pipe.say(question()).await;
            let said = pipe.next().await.expect("an answer");
            pipe.say(answer(&call, said["result"]["content"].clone()))
                .await;
        }
    };
    let calls = async {
        let session = guild_mcp_client::connect(link, with_window(None))
            .await
            .expect("a session");
        let name = tool("strike");
        let own = session.call_text(&name, None, asked_by("agent")).await;
        assert_eq!(own.expect("a result").get(), r#"{"name":"agent"}"#);
        let other = session.call_text(&name, None, call_options()).await;
        assert_eq!(other.expect("a result").get(), r#"{"name":"window"}"#);
    };
    tokio::join!(calls, serve);
}

#[tokio::test]
async fn modern_server_input_goes_to_the_caller() {
    let (mut pipe, link) = Pipe::new();
    let open = async {
        let request = pipe.expect("server/discover").await;
        let found = discovered(&["2026-07-28"], json!({"tools": {}}));
        pipe.say(answer(&request, found)).await;
        pipe.expect("subscriptions/listen").await;
    };
    let connected = guild_mcp_client::connect(link, with_window(Some(Era::Modern)));
    let (session, ()) = tokio::join!(connected, open);
    let session = session.expect("a session");
    let serve = async {
        let first = pipe.expect("tools/call").await;
        let meta = &first["params"]["_meta"];
        assert_eq!(
            meta["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28"
        );
        assert_eq!(
            meta["io.modelcontextprotocol/clientInfo"]["name"],
            "guild-hall"
        );
        let declared = &meta["io.modelcontextprotocol/clientCapabilities"]["elicitation"];
        assert_eq!(*declared, json!({"form": {}, "url": {}}));
        let needed = json!({
            "resultType": "input_required", "requestState": "s\"1",
            "inputRequests": {"who": {"method": "elicitation/create", "params": question()["params"]}},
        });
        pipe.say(answer(&first, needed)).await;
        let second = pipe.expect("tools/call").await;
        assert_ne!(second["id"], first["id"]);
        let params = &second["params"];
        assert_eq!(
            params["arguments"],
            json!({"a": 1}),
            "what was asked is asked again"
        );
        assert_eq!(params["requestState"], "s\"1");
        let given = params["inputResponses"]["who"].clone();
        pipe.say(answer(
            &second,
            json!({"resultType": "complete", "given": given}),
        ))
        .await;
    };
    let calls = async {
        let arguments = raw(r#"{"a":1}"#);
        let name = tool("strike");
        let called = session.call_text(&name, Some(&arguments), asked_by("agent"));
        let result: Value =
            serde_json::from_str(called.await.expect("a result").get()).expect("JSON");
        let content = json!({"name": "agent"});
        assert_eq!(
            result["given"],
            json!({"action": "accept", "content": content})
        );
    };
    tokio::join!(calls, serve);
}

#[tokio::test]
async fn http_question_goes_to_its_calls_handler() {
    let (answered, mut answers) = mpsc::channel(4);
    let (stream, streamed) = mpsc::channel(4);
    let streamed = std::sync::Mutex::new(Some(streamed));
    let web = Web::start(move |seen| match seen.method() {
        "tools/call" => {
            let streamed = streamed.lock().expect("not poisoned").take();
            web::Reply::Open(streamed.expect("one call"))
        }
        "" if seen.body["id"] == "q" => {
            let _ = answered.try_send(seen.body.clone());
            web::Reply::Status(202, vec![])
        }
        _ => web::legacy(seen),
    })
    .await;
    let session = web.session(with_window(None)).await;
    let name = tool("strike");
    let serve = async {
        let call = web.until("tools/call").await;
        let logged = json!({"level": "info", "data": "at work"});
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": logged});
        for message in [message, question()] {
            stream.send(message).await.expect("the stream is read");
        }
        let said = answers.recv().await.expect("an answer");
        stream
            .send(answer(&call.body, said["result"].clone()))
            .await
            .expect("the stream is read");
    };
    let call = session.call_text(&name, None, asked_by("agent"));
    let (result, ()) = tokio::join!(call, serve);
    let result: Value = serde_json::from_str(result.expect("a result").get()).expect("JSON");
    assert_eq!(result["content"], json!({"name": "agent"}));
}

/// Supplies another token after the first one was rejected, depending on `verdict`.
#[derive(Debug)]
struct Tokens {
    verdict: AuthDecision,
    refused: AtomicBool,
}

impl SignedIn for Tokens {
    fn token(&self) -> BoxFuture<'_, Option<Arc<str>>> {
        let token = match self.refused.load(Ordering::SeqCst) {
            true => "second",
            false => "first",
        };
        std::future::ready(Some(Arc::from(token))).boxed()
    }

    fn refused(&self, _want: Want, _sent: Option<Arc<str>>) -> BoxFuture<'_, AuthDecision> {
        self.refused.store(true, Ordering::SeqCst);
        std::future::ready(self.verdict.clone()).boxed()
    }
}

/// Makes a call whose stream breaks before the answer. The server accepts the first token for the
/// call, but only the second one for resuming the stream. Returns the result, and the tokens of the
/// requests that resume the stream.
async fn rest_behind_another_token(
    verdict: AuthDecision,
) -> (Result<String, guild_mcp_client::McpError>, Vec<String>) {
    let called = std::sync::Mutex::new(Value::Null);
    let web = Web::start(move |seen| match (seen.verb.as_str(), seen.method()) {
        ("POST", "tools/call") => {
            *called.lock().expect("not poisoned") = seen.body.clone();
            let events = "id: 1\nretry: 0\n\n".to_owned();
            web::Reply::Text(200, "text/event-stream", events)
        }
        ("GET", _) if seen.header("last-event-id") == Some("1") => {
            if seen.header("authorization") != Some("Bearer second") {
                return web::Reply::Status(401, vec![]);
            }
            let called = called.lock().expect("not poisoned").clone();
            web::Reply::Events(vec![answer(&called, json!({"content": []}))])
        }
        _ => web::legacy(seen),
    })
    .await;
    let tokens = Tokens {
        verdict,
        refused: AtomicBool::new(false),
    };
    let signed = ConnectOptions {
        signed: Some(Arc::new(tokens) as Arc<dyn SignedIn>),
        ..options()
    };
    let session = web.session(signed).await;
    let result = strike(&session, "{}").await;
    let seen = web.seen();
    let rest = seen
        .iter()
        .filter(|seen| seen.header("last-event-id").is_some());
    let tokens = rest.map(|seen| seen.header("authorization").unwrap_or_default().to_owned());
    (result, tokens.collect())
}

#[tokio::test]
async fn refused_resume_token_is_followed_by_the_next() {
    let (result, tokens) = rest_behind_another_token(AuthDecision::Again).await;
    assert_eq!(result.expect("a result"), "{\"content\":[]}");
    assert_eq!(tokens, ["Bearer first", "Bearer second"]);
    let (result, tokens) = rest_behind_another_token(AuthDecision::SignIn).await;
    assert_eq!(result.expect_err("refused").code(), Code::SignInNeeded);
    assert_eq!(tokens, ["Bearer first"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_keeps_silent_is_told_that_nobody_waits() {
    let (session, mut pipe) = pipe::with_tools().await;
    let options = CallOptions {
        limit: Duration::from_secs(3),
        ..call_options()
    };
    let serve = async {
        let request = pipe.expect("tools/call").await;
        let told = pipe.expect("notifications/cancelled").await;
        assert_eq!(told["params"]["requestId"], request["id"]);
    };
    let name = tool("strike");
    let (result, ()) = tokio::join!(session.call_text(&name, None, options), serve);
    assert_eq!(result.expect_err("too slow").code(), Code::CallTimeout);
}
