//! The elicitation, resources and prompts of `server-everything`.

use guild_api::event::HallEvent;
use guild_api::wire::{
    AnswerElicitation, CallEnd, CompleteArgument, CompletedThing, Elicitation, ElicitationAction,
    ElicitationMode,
};
use guild_model::ElicitationId;
use serde_json::{Value, json};

use super::{everything_over_http, from_npm};
use crate::agent::{Agent, Gateway};
use crate::guildhall::CliHarness;
use crate::offers::{prompt, read, result};
use crate::test_env::{Open, TestEnv, name, request, text};

const MEMBER: &str = "everything";

async fn asked(open: &mut Open) -> Elicitation {
    open.events
        .find("a question", |event| match event {
            HallEvent::ElicitationAsked { elicitation } => Some(Elicitation::clone(elicitation)),
            _ => None,
        })
        .await
}

async fn answer(
    open: &Open,
    id: &ElicitationId,
    action: ElicitationAction,
    content: Option<Value>,
) {
    let content = content.map(|content| content.to_string());
    let answer = AnswerElicitation {
        id: id.clone(),
        action,
        content,
    };
    open.hall
        .answer_elicitation(answer)
        .await
        .expect("it waits");
}

/// Calls a tool without arguments that asks a question, and answers it. Returns the server's result.
async fn answered(
    open: &mut Open,
    tool: &str,
    action: ElicitationAction,
    content: Option<Value>,
) -> (Elicitation, Value) {
    answered_with(open, (tool, "{}"), action, content).await
}

async fn answered_with(
    open: &mut Open,
    (tool, arguments): (&str, &str),
    action: ElicitationAction,
    content: Option<Value>,
) -> (Elicitation, Value) {
    let call = request(MEMBER, tool, arguments);
    let (hall, id) = (open.hall.clone(), call.call.clone());
    let running = tokio::spawn(async move { hall.invoke(call).await });
    let question = asked(open).await;
    assert_eq!(question.call, Some(id));
    answer(open, &question.id, action, content).await;
    let CallEnd::Result { result, .. } = running.await.expect("the call").end else {
        panic!("{tool} gave no result");
    };
    (question, serde_json::from_str(&result).expect("JSON"))
}

async fn questions(open: &mut Open) {
    let tool = "trigger-elicitation-request";
    let content = json!({"name": "A visitor", "check": true, "integer": 7});
    let accept = ElicitationAction::Accept;
    let (question, said) = answered(open, tool, accept, Some(content)).await;
    let ElicitationMode::Form { schema, notes } = &question.mode else {
        panic!("a form: {question:?}");
    };
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let fields = schema["properties"].as_object().map(serde_json::Map::len);
    assert_eq!(fields, Some(13));
    assert!(notes.is_empty(), "{notes:?}");
    let inputs = said["content"][1]["text"].as_str().unwrap_or_default();
    assert!(inputs.contains("Favorite Integer: 7"), "{said}");
    let (_, said) = answered(open, tool, ElicitationAction::Decline, None).await;
    assert!(text(&said).contains("declined"), "{said}");

    let tool = "trigger-url-elicitation";
    let url = "https://example.org/pay";
    for error_path in [false, true] {
        let arguments = json!({"url": url, "elicitationId": "v1", "errorPath": error_path});
        let call = request(MEMBER, tool, &arguments.to_string());
        let hall = open.hall.clone();
        let running = tokio::spawn(async move { hall.invoke(call).await });
        // On the error path, one question comes before the call and one during it.
        for _ in 0..=usize::from(error_path) {
            let question = asked(open).await;
            let visit = matches!(&question.mode, ElicitationMode::Url { .. });
            assert!(visit, "{question:?}");
            answer(open, &question.id, ElicitationAction::Accept, None).await;
        }
        let end = running.await.expect("the call").end;
        let well = matches!(
            end,
            CallEnd::Result {
                is_error: false,
                ..
            }
        );
        assert!(well, "{end:?}");
    }
}

/// Calls a tool that its server runs only as a task, and answers the question of the task.
async fn task(open: &mut Open) {
    let call = (
        "simulate-research-query",
        r#"{"topic":"python","ambiguous":true}"#,
    );
    let accept = ElicitationAction::Accept;
    let content = json!({"interpretation": "snake"});
    let (question, report) = answered_with(open, call, accept, Some(content)).await;
    assert!(question.message.contains("python"), "{question:?}");
    let report = text(&report);
    assert!(
        report.starts_with("# Research Report: python (snake)"),
        "{report}"
    );
}

async fn offers(open: &Open) {
    let offers = open.hall.member_offers(&name(MEMBER)).await;
    let offers = offers.expect("offers");
    println!(
        "{MEMBER}: {} resources, {} templates, {} prompts",
        offers.resources.len(),
        offers.templates.len(),
        offers.prompts.len()
    );
    assert_eq!(offers.problems, []);
    assert!(offers.resources.len() >= 5, "{:?}", offers.resources);
    for resource in &offers.resources {
        let reading = read(MEMBER, &resource.uri);
        let contents = result(&open.hall.read_resource(reading).await)["contents"][0].take();
        assert!(contents["text"].is_string(), "{}", resource.uri);
    }
    let template = offers.templates.first().expect("a template");
    assert_eq!(template.variables, ["resourceId"]);
    let uri = template.uri_template.replace("{resourceId}", "7");
    let answered = open.hall.read_resource(read(MEMBER, &uri)).await;
    assert!(result(&answered).to_string().contains("Resource 7"));

    let mut names = offers.prompts.iter().map(|prompt| prompt.name.as_str());
    assert!(names.any(|name| name == "args-prompt"));
    let filled = prompt(MEMBER, "args-prompt", &[("city", "Zürich")]);
    let answered = open.hall.get_prompt(filled).await;
    let words = &result(&answered)["messages"][0]["content"]["text"];
    assert_eq!(words, "What's weather in Zürich?");
    let empty = prompt(MEMBER, "args-prompt", &[]);
    let answered = open.hall.get_prompt(empty).await;
    let failed = matches!(answered.end, CallEnd::Failed { .. });
    assert!(failed, "city is needed");
    let asked = CompleteArgument {
        member: name(MEMBER),
        of: CompletedThing::Prompt {
            name: "completable-prompt".into(),
        },
        argument: "name".into(),
        value: "D".into(),
        known: [("department".to_owned(), "Sales".to_owned())].into(),
    };
    let completed = open.hall.complete_argument(asked).await;
    assert_eq!(completed.expect("its member").values, ["David"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_everything_asks_and_offers_over_either_transport() {
    for over_http in [false, true] {
        let env = TestEnv::new("everything asks and offers");
        match over_http {
            true => everything_over_http(&env, MEMBER).write(),
            false => from_npm(&env, MEMBER, "server-everything", &["stdio"]).write(),
        };
        let mut open = env.started().await;
        let _attendance = open.hall.attend();
        questions(&mut open).await;
        task(&mut open).await;
        offers(&open).await;
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_calls_a_tool_that_requires_a_task() {
    let cli = CliHarness::new("required task").await;
    from_npm(&cli.env, MEMBER, "server-everything", &["stdio"]).write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&[MEMBER.to_owned()]).await;
    let tool = format!("{MEMBER}__simulate-research-query");
    for schemas in ["", "&schemas=raw"] {
        let url = format!("{}/mcp?mode=full{schemas}", gateway.origin);
        let mut agent = Agent::open(url, "2025-11-25").await;
        // A client that sees this field calls the tool only as a task.
        let listed = agent.ask("tools/list", json!({})).await;
        let tools = listed.result()["tools"].as_array().expect("tools").clone();
        let found = tools.iter().find(|found| found["name"] == tool);
        let execution = &found.expect("the tool")["execution"];
        assert_eq!(execution["taskSupport"], Value::Null, "{execution}");
        let called = agent
            .call_with_progress(&tool, json!({"topic": "iron"}))
            .await;
        let report = text(called.result());
        assert!(report.starts_with("# Research Report: iron"), "{report}");
        let steps = called.notes.iter();
        let mut steps = steps.filter_map(|note| note["params"]["message"].as_str());
        assert!(steps.any(|step| step.ends_with("...")), "{called:?}");
    }
    gateway.end(&cli).await;
}
