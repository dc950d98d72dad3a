//! Tests of servers' questions to a person, in both eras.

mod floods;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use guild_api::wire::ElicitationAction;
use guild_mcp_client::{
    CallOptions, ConnectOptions, ElicitationHandler, ElicitationPrompt, ElicitationReply, Label,
    McpError, RequestedInput, SentRequest, Session, connect,
};
use guild_model::CallId;
use guild_model::protocol::{Era, ProtocolVersion};
use serde_json::{Value, json};
use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};

use crate::pipe::Pipe;
use crate::{answer, arguments, call_options, discovered, initialized, options, refusal, tool};

/// A person who answers when the test says so.
#[derive(Debug)]
struct Person(mpsc::Sender<Asked>);

/// A question that reached the person.
#[derive(Debug)]
struct Asked {
    question: ElicitationPrompt,
    answer: oneshot::Sender<ElicitationReply>,
    /// Closed when the answer is no longer awaited.
    gone: oneshot::Receiver<()>,
}

impl ElicitationHandler for Person {
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        let (answer, answered) = oneshot::channel();
        let (held, gone) = oneshot::channel();
        let asked = Asked {
            question,
            answer,
            gone,
        };
        let to = self.0.clone();
        async move {
            let _held: oneshot::Sender<()> = held;
            to.send(asked).await.expect("the test listens");
            answered.await.expect("the test answers")
        }
        .boxed()
    }
}

fn person() -> (Arc<Person>, mpsc::Receiver<Asked>) {
    let (sender, asked) = mpsc::channel(8);
    (Arc::new(Person(sender)), asked)
}

fn accept(content: Value) -> ElicitationReply {
    ElicitationReply {
        action: ElicitationAction::Accept,
        content: Some(arguments(content)),
    }
}

fn named(id: &str) -> CallOptions {
    CallOptions {
        label: Some(Label {
            call: CallId::parse(id).expect("an id"),
            tool: Some(tool("smith")),
        }),
        ..call_options()
    }
}

async fn opened(asking: ConnectOptions) -> (Session, Pipe, Value) {
    let (mut pipe, link) = Pipe::new();
    let era = asking.remembered;
    let serve = async {
        if era == Some(Era::Modern) {
            let request = pipe.expect("server/discover").await;
            let found = discovered(&["2026-07-28"], json!({"tools": {}}));
            pipe.say(answer(&request, found)).await;
            // Every modern session subscribes to list changes.
            pipe.expect("subscriptions/listen").await;
            return request;
        }
        let request = pipe.expect("initialize").await;
        let version = request["params"]["protocolVersion"].as_str();
        let opened = initialized(version.expect("a version"), json!({"tools": {}}));
        pipe.say(answer(&request, opened)).await;
        pipe.expect("notifications/initialized").await;
        request
    };
    let (session, request) = tokio::join!(connect(link, asking), serve);
    (session.expect("a session"), pipe, request)
}

fn with(person: Arc<Person>) -> ConnectOptions {
    ConnectOptions {
        asking: Some(person),
        ..options()
    }
}

fn modern(person: Arc<Person>) -> ConnectOptions {
    ConnectOptions {
        remembered: Some(Era::Modern),
        ..with(person)
    }
}

fn elicit(id: i64, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})
}

fn colour() -> Value {
    json!({
        "message": "Which \u{1b}[31mcolour?\u{7}",
        "requestedSchema": {"type": "object", "properties": {"colour": {"type": "string"}}},
    })
}

#[tokio::test]
async fn declared_capabilities_match_the_version() {
    let (someone, _asked) = person();
    for (pin, declared) in [
        (ProtocolVersion::V2025_03_26, Value::Null),
        (ProtocolVersion::V2025_06_18, json!({})),
        (ProtocolVersion::V2025_11_25, json!({"form": {}, "url": {}})),
    ] {
        let pinned = ConnectOptions {
            pin: Some(pin),
            ..with(someone.clone())
        };
        let (_session, _pipe, request) = opened(pinned).await;
        let capabilities = &request["params"]["capabilities"];
        assert_eq!(capabilities["elicitation"], declared, "{pin:?}");
        for other in ["sampling", "roots"] {
            assert_eq!(capabilities[other], Value::Null);
        }
    }
    let (_session, _pipe, request) = opened(options()).await;
    assert_eq!(
        request["params"]["capabilities"],
        json!({}),
        "no agent shows apps; nobody is there to be asked"
    );
    let shows_apps = ConnectOptions {
        apps: true,
        ..options()
    };
    let (_session, _pipe, request) = opened(shows_apps).await;
    let apps = json!({"mimeTypes": ["text/html;profile=mcp-app"]});
    assert_eq!(
        request["params"]["capabilities"],
        json!({"extensions": {"io.modelcontextprotocol/ui": apps}}),
        "agents show apps; nobody is there to be asked"
    );
}

#[tokio::test]
async fn a_question_during_a_call_is_answered_and_the_call_goes_on() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let serve = async {
        let call = pipe.expect("tools/call").await;
        pipe.say(elicit(7, colour())).await;
        let said = pipe.next().await.expect("an answer");
        pipe.say(answer(
            &call,
            json!({"content": [], "said": said["result"]}),
        ))
        .await;
        said
    };
    let name = tool("smith");
    let answering = async {
        let asked = asked.recv().await.expect("a question");
        assert_eq!(asked.question.call, CallId::parse("c1").ok());
        assert_eq!(asked.question.tool, Some(tool("smith")));
        assert_eq!(asked.question.message, "Which [31mcolour?", "plain text");
        let RequestedInput::Values { schema } = &asked.question.wanted else {
            panic!("values are wanted: {:?}", asked.question);
        };
        assert_eq!(schema["properties"]["colour"]["type"], "string");
        let reply = accept(json!({"colour": "red", "n": 9_007_199_254_740_993_i64}));
        asked.answer.send(reply).expect("waited for");
    };
    let call = session.call(&name, arguments(json!({})), named("c1"));
    let (result, said, ()) = tokio::join!(call, serve, answering);
    assert_eq!(said["id"], 7);
    let content = json!({"colour": "red", "n": 9_007_199_254_740_993_i64});
    assert_eq!(
        said["result"],
        json!({"action": "accept", "content": content})
    );
    assert_eq!(result.expect("a result")["said"]["action"], "accept");
}

#[tokio::test]
async fn pipe_question_ends_with_the_last_call() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let names = [tool("smith"), tool("tanner")];
    let calls = names.iter().zip(["c1", "c2"]).map(async |(name, id)| {
        let result = session.call(name, arguments(json!({})), named(id)).await;
        result.expect("a result")
    });
    let serve = async {
        let first = pipe.expect("tools/call").await;
        let second = pipe.expect("tools/call").await;
        pipe.say(elicit(1, colour())).await;
        let mut question = asked.recv().await.expect("a question");
        assert_eq!(
            (&question.question.call, &question.question.tool),
            (&None, &None)
        );
        pipe.say(answer(&first, json!({"content": []}))).await;
        // Once the ping is answered, the first result has been handled.
        pipe.say(json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}))
            .await;
        assert_eq!(pipe.next().await.expect("an answer")["id"], 2);
        assert!(
            question
                .gone
                .try_recv()
                .is_err_and(|gone| gone == TryRecvError::Empty)
        );
        pipe.say(answer(&second, json!({"content": []}))).await;
        question.gone.await.expect_err("nobody waits any more");
        let said = pipe.next().await.expect("an answer");
        assert_eq!(said["result"], json!({"action": "cancel"}));
    };
    let (_, ()) = tokio::join!(futures::future::join_all(calls), serve);
}

#[tokio::test]
async fn a_visit_that_the_server_knows_to_be_done_is_accepted() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let url = "https://example.org/pay?order=7";
    let visit = json!({"mode": "url", "message": "Pay", "url": url, "elicitationId": "v-1"});
    let serve = async {
        let call = pipe.expect("tools/call").await;
        pipe.say(elicit(1, visit)).await;
        let asked = asked.recv().await.expect("a question");
        let id = "v-1".to_owned();
        let wanted = RequestedInput::Visit {
            url: url.into(),
            id,
        };
        assert_eq!(asked.question.wanted, wanted);
        for id in ["another", "v-1"] {
            let params = json!({"elicitationId": id});
            let method = "notifications/elicitation/complete";
            pipe.say(json!({"jsonrpc": "2.0", "method": method, "params": params}))
                .await;
        }
        let said = pipe.next().await.expect("an answer");
        assert_eq!(said["result"], json!({"action": "accept"}));
        pipe.say(answer(&call, json!({"content": []}))).await;
    };
    let name = tool("smith");
    let call = session.call(&name, arguments(json!({})), named("c1"));
    let (result, ()) = tokio::join!(call, serve);
    result.expect("a result");
}

#[tokio::test]
async fn call_is_repeated_only_after_its_visit() {
    for action in [
        ElicitationAction::Accept,
        ElicitationAction::Decline,
        ElicitationAction::Cancel,
    ] {
        let (someone, mut asked) = person();
        let (session, mut pipe, _) = opened(with(someone)).await;
        let url = "https://example.org/login";
        let visit = json!({"mode": "url", "message": "Log in", "url": url, "elicitationId": "v"});
        let serve = async {
            let first = pipe.expect("tools/call").await;
            let mut refused = refusal(&first, -32042, "log in first");
            refused["error"]["data"] = json!({"elicitations": [visit]});
            pipe.say(refused).await;
            if action == ElicitationAction::Accept {
                let again = pipe.expect("tools/call").await;
                assert_eq!(again["params"]["arguments"], first["params"]["arguments"]);
                pipe.say(answer(&again, json!({"content": []}))).await;
            }
        };
        let answering = async {
            let asked = asked.recv().await.expect("a visit");
            assert!(
                matches!(&asked.question.wanted, RequestedInput::Visit { url: to, .. } if to == url)
            );
            let content = None;
            asked
                .answer
                .send(ElicitationReply { action, content })
                .expect("waited for");
        };
        let name = tool("smith");
        let call = session.call(&name, arguments(json!({"a": 1})), named("c1"));
        let (result, (), ()) = tokio::join!(call, serve, answering);
        match action {
            ElicitationAction::Accept => drop(result.expect("a result")),
            _ => assert!(matches!(result, Err(McpError::Rpc(error)) if error.code == -32042)),
        }
        drop(session);
        while let Some(said) = pipe.next().await {
            assert_ne!(
                said["method"], "tools/call",
                "{action:?}: it is not made again"
            );
        }
    }
}

#[tokio::test]
async fn unusable_question_is_refused_with_a_reason() {
    let (someone, _asked) = person();
    let (_session, mut pipe, _) = opened(with(someone)).await;
    for (params, why) in [
        (json!({"requestedSchema": {"type": "object"}}), "message"),
        (
            json!({"message": "?", "requestedSchema": "text"}),
            "requestedSchema",
        ),
        (json!({"message": "?", "mode": "telepathy"}), "mode"),
        (
            json!({"message": "?", "mode": "url", "url": "javascript:alert(1)"}),
            "url",
        ),
        (
            json!({"message": "?", "mode": "url", "url": format!("https://x/{}", "y".repeat(9_000))}),
            "url",
        ),
    ] {
        pipe.say(elicit(3, params)).await;
        let said = pipe.next().await.expect("an answer");
        assert_eq!(said["error"]["code"], -32602, "{said}");
        assert!(
            said["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(why)),
            "{said}"
        );
    }
    for undeclared in ["sampling/createMessage", "roots/list"] {
        let params = json!({"messages": [], "maxTokens": 1});
        pipe.say(json!({"jsonrpc": "2.0", "id": 4, "method": undeclared, "params": params}))
            .await;
        let said = pipe.next().await.expect("an answer");
        assert_eq!(said["error"]["code"], -32601, "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_call_stands_still_while_a_person_is_asked() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let limit = Duration::from_secs(30);
    let serve = async {
        let _call = pipe.expect("tools/call").await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        pipe.say(elicit(1, colour())).await;
        pipe.next().await.expect("an answer");
        // The server sends nothing more, so the remaining ten seconds of the limit pass.
        assert_eq!(
            pipe.next().await.expect("a message")["method"],
            "notifications/cancelled"
        );
    };
    let answering = async {
        let asked = asked.recv().await.expect("a question");
        tokio::time::sleep(Duration::from_secs(500)).await;
        asked
            .answer
            .send(ElicitationReply::CANCEL)
            .expect("waited for");
    };
    let started = tokio::time::Instant::now();
    let options = CallOptions {
        limit,
        ..named("c1")
    };
    let name = tool("smith");
    let call = async {
        let result = session.call(&name, arguments(json!({})), options).await;
        (result, started.elapsed())
    };
    let ((result, took), (), ()) = tokio::join!(call, serve, answering);
    let Err(McpError::CallTimeout { limit: told }) = result else {
        panic!("it took too long: {result:?}");
    };
    assert_eq!(told.as_secs(), 30);
    assert_eq!(took.as_secs(), 530);
}

#[tokio::test]
async fn question_ends_with_call_server_or_recall() {
    for end in ["cancelled", "closed", "taken back", "answered"] {
        let (someone, mut asked) = person();
        let (session, mut pipe, _) = opened(with(someone)).await;
        let options = named("c1");
        let cancel = options.cancel.clone();
        let name = tool("smith");
        let serve = async {
            let call = pipe.expect("tools/call").await;
            pipe.say(elicit(1, colour())).await;
            let asked = asked.recv().await.expect("a question");
            match end {
                "cancelled" => cancel.cancel(),
                "closed" => drop(pipe),
                "answered" => {
                    pipe.say(answer(&call, json!({"content": []}))).await;
                }
                _ => {
                    let method = "notifications/cancelled";
                    let params = json!({"requestId": 1});
                    pipe.say(json!({"jsonrpc": "2.0", "method": method, "params": params}))
                        .await;
                }
            }
            asked.gone.await.expect_err("nobody waits any more");
            cancel.cancel();
        };
        let call = session.call(&name, arguments(json!({})), options);
        let (result, ()) = tokio::join!(call, serve);
        assert_eq!(result.is_ok(), end == "answered", "{end}");
    }
}

#[tokio::test]
async fn too_deep_question_schema_is_cut() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(with(someone)).await;
    let mut schema = String::from(r#"{"type":"string"}"#);
    for _ in 0..300 {
        schema = format!(r#"{{"type":"object","properties":{{"inner":{schema}}}}}"#);
    }
    let serve = async {
        let call = pipe.expect("tools/call").await;
        let params = format!(r#"{{"message":"?","requestedSchema":{schema}}}"#);
        pipe.write(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{params}}}\n"
        ))
        .await;
        let said = pipe.next().await.expect("an answer");
        assert_eq!(said["result"]["action"], "decline");
        pipe.say(answer(&call, json!({"content": []}))).await;
    };
    let answering = async {
        let asked = asked.recv().await.expect("a question");
        let reply = ElicitationReply {
            action: ElicitationAction::Decline,
            content: None,
        };
        asked.answer.send(reply).expect("waited for");
    };
    let name = tool("smith");
    let call = session.call(&name, arguments(json!({})), named("c1"));
    let (result, (), ()) = tokio::join!(call, serve, answering);
    result.expect("a result");
}

#[tokio::test]
async fn modern_server_is_called_again_with_answers() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(modern(someone)).await;
    let need = json!({
        "resultType": "input_required",
        "inputRequests": {"colour": {"method": "elicitation/create", "params": colour()}},
        "requestState": "st\u{e4}te \"1\"",
    });
    let serve = async {
        let first = pipe.expect("tools/call").await;
        let capabilities = &first["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(capabilities["elicitation"], json!({"form": {}, "url": {}}));
        pipe.say(answer(&first, need)).await;
        let second = pipe.expect("tools/call").await;
        assert_ne!(first["id"], second["id"]);
        assert_eq!(second["params"]["name"], "smith");
        assert_eq!(second["params"]["arguments"], json!({"kept": true}));
        assert_eq!(second["params"]["requestState"], "st\u{e4}te \"1\"");
        assert_eq!(
            second["params"]["inputResponses"],
            json!({"colour": {"action": "accept", "content": {"colour": "red"}}})
        );
        // The server requests another attempt, without a question.
        let again = json!({"resultType": "input_required", "requestState": "2"});
        pipe.say(answer(&second, again)).await;
        let third = pipe.expect("tools/call").await;
        assert_eq!(third["params"].get("inputResponses"), None);
        assert_eq!(third["params"]["requestState"], "2");
        let done = json!({"resultType": "complete", "content": []});
        pipe.say(answer(&third, done)).await;
        third
    };
    let answering = async {
        let asked = asked.recv().await.expect("a question");
        assert_eq!(asked.question.call, CallId::parse("c1").ok());
        let reply = accept(json!({"colour": "red"}));
        asked.answer.send(reply).expect("waited for");
    };
    let name = tool("smith");
    let options = named("c1");
    let sent: SentRequest = options.sent.clone();
    let call = session.call(&name, arguments(json!({"kept": true})), options);
    let (result, third, ()) = tokio::join!(call, serve, answering);
    assert_eq!(result.expect("a result")["content"], json!([]));
    let sent: Value = serde_json::from_str(&sent.text().expect("sent")).expect("JSON");
    assert_eq!(sent, third, "the last message, as it was sent");
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_always_needs_more_is_given_up() {
    let (someone, mut asked) = person();
    let (session, mut pipe, _) = opened(modern(someone)).await;
    let serve = async {
        let mut rounds = 0;
        while let Some(request) = pipe.next().await {
            if request["method"] != "tools/call" {
                break;
            }
            rounds += 1;
            let need = json!({"resultType": "input_required", "requestState": "again"});
            pipe.say(answer(&request, need)).await;
            if rounds == 16 {
                break;
            }
        }
        rounds
    };
    let name = tool("smith");
    let call = session.call(&name, arguments(json!({})), named("c1"));
    let (result, rounds) = tokio::join!(call, serve);
    let error = result.expect_err("it is given up");
    assert!(error.to_string().contains("16 times"), "{error}");
    assert_eq!(rounds, 16);
    assert!(asked.try_recv().is_err());
}

#[tokio::test]
async fn a_need_that_makes_no_sense_fails_the_call_in_words() {
    let form = json!({"method": "elicitation/create", "params": colour()});
    let many: serde_json::Map<String, Value> =
        (0..65).map(|n| (n.to_string(), form.clone())).collect();
    for (need, why) in [
        (json!({}), "doesn't describe it"),
        (json!({"inputRequests": [1]}), "inputRequests is"),
        (json!({"requestState": 7}), "requestState is"),
        (
            json!({"inputRequests": {"a": {"method": "sampling/createMessage", "params": {}}}}),
            "sampling/createMessage",
        ),
        (json!({"inputRequests": {"a": 7}}), "without a method"),
        (
            json!({"inputRequests": {"a": {"method": "elicitation/create", "params": {}}}}),
            "message",
        ),
        (json!({"inputRequests": many}), "64 questions"),
    ] {
        let (someone, _asked) = person();
        let (session, mut pipe, _) = opened(modern(someone)).await;
        let mut result = need.clone();
        result["resultType"] = "input_required".into();
        let serve = async {
            let call = pipe.expect("tools/call").await;
            pipe.say(answer(&call, result)).await;
        };
        let name = tool("smith");
        let call = session.call(&name, arguments(json!({})), named("c1"));
        let (result, ()) = tokio::join!(call, serve);
        let error = result.expect_err("no result");
        assert!(error.to_string().contains(why), "{why}: {error}");
    }
}
