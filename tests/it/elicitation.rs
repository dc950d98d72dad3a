//! Questions of servers to a person, from real processes to the answer and back (MCP elicitation).

use std::time::Duration;

use futures::future::join_all;
use guild_api::event::HallEvent;
use guild_api::wire::{
    AnswerElicitation, CallEnd, CallOutcome, CheckElicitation, Elicitation, ElicitationAction,
    ElicitationMode, InvokeTool,
};
use guild_engine::{GuildHall, GuildHallOptions};
use guild_model::Code;
use guild_model::status::Status;
use guild_model::{ElicitationId, Report};
use guild_tests::{LIMIT, MemberFolder, RecordFile, wait_for};
use serde_json::{Value, json};

use crate::test_env::{HallEvents, Open, TestEnv, name, request};

/// The transports and protocol eras in which a server may ask, with the fixture's switches.
const WAYS: &[(&str, &[&str])] = &[
    ("stdio", &["--versions", "2025-06-18"]),
    ("stdio", &[]),
    ("http", &["--answer", "sse", "--sessions"]),
    ("http", &["--answer", "json"]),
    ("stdio", &["--era", "modern"]),
    ("http", &["--era", "modern"]),
];

fn asking(env: &TestEnv, transport: &str, args: &[&str]) -> MemberFolder {
    let member = match transport {
        "http" => env.http("asker"),
        _ => env.member("asker"),
    };
    member
        .args(["--asks"])
        .args(args.iter().copied())
        .recorded()
}

/// Starts a call in a separate task.
fn calling(hall: &GuildHall, request: InvokeTool) -> tokio::task::JoinHandle<CallOutcome> {
    let hall = hall.clone();
    tokio::spawn(async move { hall.invoke(request).await })
}

async fn asked(events: &mut HallEvents) -> Elicitation {
    events
        .find("a question", |event| match event {
            HallEvent::ElicitationAsked { elicitation } => Some(Elicitation::clone(elicitation)),
            _ => None,
        })
        .await
}

async fn ended(events: &mut HallEvents, id: &ElicitationId) {
    events
        .find("the question's end", |event| match event {
            HallEvent::ElicitationEnded { id: ended } if ended == id => Some(()),
            _ => None,
        })
        .await;
}

async fn warned(events: &mut HallEvents) -> Report {
    events
        .find("a warning", |event| match event {
            HallEvent::Warning { report } if report.code == Code::ElicitationUnanswered => {
                Some(report.clone())
            }
            _ => None,
        })
        .await
}

fn answer(
    id: &ElicitationId,
    action: ElicitationAction,
    content: Option<&str>,
) -> AnswerElicitation {
    AnswerElicitation {
        id: id.clone(),
        action,
        content: content.map(str::to_owned),
    }
}

/// Returns the id of the call that a question belongs to.
fn request_id(question: &Elicitation) -> guild_model::CallId {
    question.call.clone().expect("a call")
}

/// Returns the server's result after the answers.
fn result(outcome: CallOutcome) -> Value {
    match outcome.end {
        CallEnd::Result { result, .. } => serde_json::from_str(&result).expect("JSON"),
        CallEnd::Failed { report, .. } => panic!("it failed: {report}"),
    }
}

fn answers(outcome: CallOutcome) -> Value {
    result(outcome)["structuredContent"]["answers"].clone()
}

async fn accepted_declined_cancelled(transport: &str, args: &[&str]) {
    println!("{transport} {args:?}");
    let env = TestEnv::new("questions in each way");
    asking(&env, transport, args).write();
    let mut open = env.started().await;
    let hall = open.hall.clone();
    let _attendance = hall.attend();
    let request = request("asker", "ask", r#"{"times": 3}"#);
    let call = request.call.clone();
    let running = calling(&hall, request);

    let first = asked(&mut open.events).await;
    assert_eq!(first.member, name("asker"));
    assert_eq!(first.call, Some(call), "the only call that runs");
    assert_eq!(first.tool.as_ref().map(|tool| tool.as_str()), Some("ask"));
    assert_eq!(first.message, "Which colour?");
    assert_eq!(
        first.expires_at_ms - first.asked_at_ms,
        600_000,
        "ten minutes"
    );
    let ElicitationMode::Form { schema, notes } = &first.mode else {
        panic!("a form: {first:?}");
    };
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    assert_eq!(schema["properties"]["colour"]["default"], "green");
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(
        hall.elicitations().elicitations,
        std::slice::from_ref(&first)
    );

    // An invalid answer is rejected with the field's error, and the question stays open.
    let content = r#"{"colour": "blue", "amount": 0}"#;
    let wrong = hall
        .check_elicitation(CheckElicitation {
            id: first.id.clone(),
            content: content.into(),
        })
        .await
        .expect("it waits");
    let mut places: Vec<_> = wrong.errors.iter().map(|e| e.pointer.as_str()).collect();
    places.sort_unstable();
    assert_eq!(places, ["/amount", "/colour"]);
    for (content, code) in [
        (Some(content), Code::ArgumentsInvalid),
        (None, Code::ArgumentsInvalid),
        (Some("[1]"), Code::ArgumentsNotJson),
        (
            Some(r#"{"colour": "red", "amount": 1e999}"#),
            Code::ArgumentsNotJson,
        ),
    ] {
        let refused = hall
            .answer_elicitation(answer(&first.id, ElicitationAction::Accept, content))
            .await
            .expect_err("it does not fit");
        assert_eq!(refused.code, code, "{content:?}: {refused}");
    }
    assert_eq!(hall.elicitations().elicitations.len(), 1);

    let exact = r#"{"amount": 9007199254740993, "colour": "red"}"#;
    hall.answer_elicitation(answer(&first.id, ElicitationAction::Accept, Some(exact)))
        .await
        .expect("it fits");
    ended(&mut open.events, &first.id).await;
    let late = hall
        .answer_elicitation(answer(&first.id, ElicitationAction::Cancel, None))
        .await
        .expect_err("it was answered");
    assert_eq!(late.code, Code::ElicitationEnded);

    for action in [ElicitationAction::Decline, ElicitationAction::Cancel] {
        let next = asked(&mut open.events).await;
        assert_ne!(next.id, first.id);
        // An answer's content is sent to the server only with `accept`.
        hall.answer_elicitation(answer(&next.id, action, Some(exact)))
            .await
            .expect("it waits");
    }
    let said = answers(running.await.expect("the call"));
    let content: Value = serde_json::from_str(exact).expect("JSON");
    assert_eq!(
        said,
        json!([
            {"action": "accept", "content": content},
            {"action": "decline"},
            {"action": "cancel"},
        ])
    );
    assert!(hall.elicitations().elicitations.is_empty());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_asked_in_both_eras_and_over_both_transports() {
    for (transport, args) in WAYS {
        accepted_declined_cancelled(transport, args).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn url_question_ends_by_person_or_server() {
    for (transport, args) in &WAYS[1..] {
        let env = TestEnv::new("visits");
        asking(&env, transport, args).write();
        let mut open = env.started().await;
        let hall = open.hall.clone();
        let _attendance = hall.attend();
        let url = "https://example.org/pay?order=7&next=%2F#top";
        let arguments = json!({"url": url, "id": "v-7"}).to_string();
        let running = calling(&hall, request("asker", "ask_visit", &arguments));
        let visit = asked(&mut open.events).await;
        let elicitation_id = "v-7".to_owned();
        assert_eq!(
            visit.mode,
            ElicitationMode::Url {
                url: url.into(),
                elicitation_id
            }
        );
        hall.answer_elicitation(answer(&visit.id, ElicitationAction::Accept, None))
            .await
            .expect("it waits");
        let said = answers(running.await.expect("the call"));
        assert_eq!(said, json!([{"action": "accept"}]), "{transport} {args:?}");
        if !args.contains(&"modern") {
            let arguments = json!({"url": url, "id": "v-8", "complete": true}).to_string();
            let running = calling(&hall, request("asker", "ask_visit", &arguments));
            let visit = asked(&mut open.events).await;
            ended(&mut open.events, &visit.id).await;
            let said = answers(running.await.expect("the call"));
            assert_eq!(said, json!([{"action": "accept"}]));
        }
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unattended_question_is_declined_at_once() {
    for (transport, args) in [WAYS[1], WAYS[5]] {
        let env = TestEnv::new("nobody there");
        asking(&env, transport, args).write();
        let mut open = env.started().await;
        let outcome = open.outcome("asker", "ask", r#"{"message": "Who?"}"#).await;
        assert_eq!(answers(outcome), json!([{"action": "cancel"}]));
        let report = warned(&mut open.events).await;
        assert!(report.message.contains("\"Who?\""), "{report}");
        assert_eq!(report.member, Some(name("asker")));
        // A question also ends if all windows close while it is open.
        let attendance = open.hall.attend();
        let running = calling(&open.hall, request("asker", "ask", "{}"));
        let question = asked(&mut open.events).await;
        drop(attendance);
        ended(&mut open.events, &question.id).await;
        let said = answers(running.await.expect("the call"));
        assert_eq!(said, json!([{"action": "cancel"}]));
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_than_eight_questions_of_a_member_wait() {
    for (transport, args) in [WAYS[1], WAYS[2], WAYS[4]] {
        let env = TestEnv::new("a flood of questions");
        asking(&env, transport, args).write();
        let mut open = env.started().await;
        let hall = open.hall.clone();
        let _attendance = hall.attend();
        let running = calling(&hall, request("asker", "ask_flood", r#"{"count": 60}"#));
        let (mut waiting, mut warning) = (Vec::new(), None);
        // The questions arrive concurrently, so their order is not fixed.
        wait_for(&mut open.events, LIMIT, "eight, and a warning", |event| {
            match &event.event {
                HallEvent::ElicitationAsked { elicitation } => {
                    waiting.push(Elicitation::clone(elicitation));
                }
                HallEvent::Warning { report } => warning = Some(report.clone()),
                _ => {}
            }
            (waiting.len() == 8 && warning.is_some()).then_some(())
        })
        .await;
        let report = warning.expect("a warning");
        assert!(
            report
                .message
                .contains("8 of its questions are already waiting"),
            "{report}"
        );
        assert_eq!(hall.elicitations().elicitations, waiting, "oldest first");
        for question in &waiting {
            hall.answer_elicitation(answer(&question.id, ElicitationAction::Decline, None))
                .await
                .expect("it waits");
        }
        // Each answered question makes room for a waiting one.
        let id = request_id(&waiting[0]);
        loop {
            let next = open
                .events
                .find("a question or the end", |event| match event {
                    HallEvent::ElicitationAsked { elicitation } => {
                        Some(Some(elicitation.id.clone()))
                    }
                    HallEvent::CallFinished { call, .. } if *call == id => Some(None),
                    _ => None,
                })
                .await;
            assert!(hall.elicitations().elicitations.len() <= 8);
            let Some(next) = next else { break };
            hall.answer_elicitation(answer(&next, ElicitationAction::Decline, None))
                .await
                .expect("it waits");
        }
        let said = answers(running.await.expect("the call"));
        let (cancelled, declined) = (said["cancel"].as_u64(), said["decline"].as_u64());
        assert!(cancelled.is_some_and(|count| count >= 1), "{said}");
        assert!(declined.is_some_and(|count| count >= 8), "{said}");
        assert_eq!(
            cancelled.zip(declined).map(|(a, b)| a + b),
            Some(60),
            "{said}"
        );
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_ends_with_its_call_its_member_and_its_time() {
    let env = TestEnv::new("ends of questions");
    asking(&env, "stdio", &[]).write();
    let mut open = env
        .open_with(GuildHallOptions {
            patience: Some(Duration::from_millis(400)),
            ..env.options()
        })
        .await;
    open.hall.start_all().settled().await;
    let hall = open.hall.clone();
    let _attendance = hall.attend();

    let running = calling(&hall, request("asker", "ask", "{}"));
    let late = asked(&mut open.events).await;
    let report = warned(&mut open.events).await;
    assert!(
        report.message.contains("no one answered in time"),
        "{report}"
    );
    ended(&mut open.events, &late.id).await;
    let said = answers(running.await.expect("the call"));
    assert_eq!(said, json!([{"action": "cancel"}]));
    open.close().await;

    let mut open = env.started().await;
    let hall = open.hall.clone();
    let _attendance = hall.attend();
    let given_up = request("asker", "ask", "{}");
    let call = given_up.call.clone();
    let running = calling(&hall, given_up);
    let question = asked(&mut open.events).await;
    hall.cancel_call(&call);
    ended(&mut open.events, &question.id).await;
    let CallEnd::Failed { report, .. } = running.await.expect("the call").end else {
        panic!("it was cancelled");
    };
    assert_eq!(report.code, Code::CallCancelled);

    let before = open.view("asker").pid;
    let running = calling(&hall, request("asker", "ask_and_die", "{}"));
    let question = asked(&mut open.events).await;
    ended(&mut open.events, &question.id).await;
    let CallEnd::Failed { report, .. } = running.await.expect("the call").end else {
        panic!("the process is gone");
    };
    assert_eq!(report.code, Code::CallInterrupted);

    open.shown("asker", "up anew", |view| {
        view.status == Status::Ready && view.pid != before
    })
    .await;
    let running = calling(&hall, request("asker", "ask", "{}"));
    let question = asked(&mut open.events).await;
    hall.stop_member(&name("asker")).await.expect("stopped");
    ended(&mut open.events, &question.id).await;
    assert!(hall.elicitations().elicitations.is_empty());
    running.await.expect("the call");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_call_does_not_run_while_a_person_thinks() {
    let thinking = [WAYS[1], WAYS[2], WAYS[4]].map(async |(transport, args)| {
        let env = TestEnv::new("thinking");
        asking(&env, transport, args).write();
        let mut open = env.started().await;
        let hall = open.hall.clone();
        let _attendance = hall.attend();
        let running = calling(
            &hall,
            InvokeTool {
                timeout_ms: Some(5_000),
                ..request("asker", "ask", "{}")
            },
        );
        let question = asked(&mut open.events).await;
        // This is longer than the call's time limit, which must not count while a question is open.
        tokio::time::sleep(Duration::from_millis(5_500)).await;
        let content = r#"{"colour": "red"}"#;
        hall.answer_elicitation(answer(
            &question.id,
            ElicitationAction::Accept,
            Some(content),
        ))
        .await
        .expect("it waits");
        let outcome = running.await.expect("the call");
        assert!(outcome.duration_ms >= 5_500, "{outcome:?}");
        assert_eq!(answers(outcome)[0]["action"], "accept");
        open.close().await;
    });
    join_all(thinking).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_schema_is_bounded_and_answerable() {
    for (transport, args) in [WAYS[1], WAYS[2], WAYS[5]] {
        let env = TestEnv::new("hostile schemas");
        asking(&env, transport, args).write();
        let mut open = env.started().await;
        let hall = open.hall.clone();
        let _attendance = hall.attend();
        for (kind, content) in [
            ("deep", r#"{"inner": {"inner": {}}}"#),
            ("large", r#"{"f1": "x"}"#),
            ("pattern", r#"{"text": "([a-", "n": 1}"#),
        ] {
            let arguments = json!({"kind": kind}).to_string();
            let running = calling(&hall, request("asker", "ask_odd", &arguments));
            let question = asked(&mut open.events).await;
            let ElicitationMode::Form { schema, notes } = &question.mode else {
                panic!("a form: {question:?}");
            };
            assert!(schema.len() <= 600_000, "{kind}: {} bytes", schema.len());
            assert_eq!(notes.is_empty(), kind == "pattern", "{kind}: {notes:?}");
            if kind == "deep" {
                assert!(notes[0].ends_with("anything is accepted here"), "{notes:?}");
            }
            if kind == "pattern" {
                let checked = hall
                    .check_elicitation(CheckElicitation {
                        id: question.id.clone(),
                        content: r#"{"n": "no number"}"#.into(),
                    })
                    .await
                    .expect("it waits");
                assert_eq!(checked.errors.len(), 1, "the rest is checked: {checked:?}");
                assert!(!checked.notes.is_empty(), "the pattern is told of");
            }
            hall.answer_elicitation(answer(
                &question.id,
                ElicitationAction::Accept,
                Some(content),
            ))
            .await
            .expect("it fits");
            let said = answers(running.await.expect("the call"));
            let content: Value = serde_json::from_str(content).expect("JSON");
            assert_eq!(said[0]["content"], content, "{transport} {kind}");
        }
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_question_belongs_to_its_stream() {
    let env = TestEnv::new("several calls");
    asking(&env, "http", &["--answer", "sse"]).write();
    let mut open = env.started().await;
    let hall = open.hall.clone();
    let _attendance = hall.attend();
    let slow = request("asker", "slow", r#"{"ms": 60000}"#);
    let slow_call = slow.call.clone();
    let beside = calling(&hall, slow);
    let asks = request("asker", "ask", "{}");
    let asking_call = asks.call.clone();
    let running = calling(&hall, asks);
    let question = asked(&mut open.events).await;
    assert_eq!(question.call, Some(asking_call));
    hall.cancel_call(&slow_call);
    beside.await.expect("the call beside");
    assert_eq!(
        hall.elicitations().elicitations,
        std::slice::from_ref(&question),
        "it still waits"
    );
    hall.answer_elicitation(answer(&question.id, ElicitationAction::Decline, None))
        .await
        .expect("it waits");
    assert_eq!(
        answers(running.await.expect("the call")),
        json!([{"action": "decline"}])
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sent_answer_is_reported_exactly() {
    for (transport, args) in WAYS {
        let env = TestEnv::new("what was sent");
        let folder = asking(&env, transport, args);
        let record = RecordFile::new(&folder.record_path());
        folder.write();
        let open: Open = env.started().await;
        let arguments = r#"{"z": 9007199254740993, "a": [1.5, "ü \"q\""], "n": null}"#;
        let outcome = open.outcome("asker", "echo", arguments).await;
        let sent: Value =
            serde_json::from_str(outcome.request.as_deref().expect("it was sent")).expect("JSON");
        let received = record.of_method("tools/call");
        assert_eq!(received.len(), 1);
        assert_eq!(sent, received[0]["message"], "{transport} {args:?}");
        assert_eq!(
            sent["params"]["arguments"].to_string(),
            r#"{"z":9007199254740993,"a":[1.5,"ü \"q\""],"n":null}"#
        );
        // Arguments that the check rejects are not sent.
        let refused = open.outcome("asker", "add", r#"{"a": 1}"#).await;
        assert_eq!(refused.request, None);
        open.close().await;
    }
}
