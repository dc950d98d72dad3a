//! The sample members over real pipes and ports, served by `guildhall`.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_api::event::HallEvent;
use guild_api::wire::{
    AnswerElicitation, CallEnd, ElicitationAction, InvokeTool, MemberView, ToolDetail,
};
use guild_engine::GuildHallOptions;
use guild_model::Code;
use guild_model::manifest::{Lifecycle, Transport};
use guild_model::status::{Freshness, Status};
use guild_schema::validate::Validator;
use guild_tests::{LIMIT, Nonce, eventually, processes_of, wait_for};
use serde_json::{Value, json};

use crate::guildhall::guildhall_bin;
use crate::offers::{self, read};
use crate::test_env::{Open, TestEnv, name, request, text};

const SAMPLES: [&str; 3] = ["clock", "notes", "playground"];

pub(crate) fn copy_samples(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guild-members");
    for name in SAMPLES {
        std::fs::create_dir_all(to.join(name)).expect("a folder");
        let file = Path::new(name).join("plugin.json");
        std::fs::copy(from.join(&file), to.join(&file)).expect("copied");
    }
    std::fs::create_dir(to.join("notes/notes")).expect("a folder");
    for name in ["ideas", "shopping-list", "welcome"] {
        let file = format!("notes/notes/{name}.md");
        std::fs::copy(from.join(&file), to.join(&file)).expect("copied");
    }
}

/// Returns an environment whose members are the samples, with marked processes.
fn env_of_samples(test: &str) -> TestEnv {
    guildhall_bin();
    let env = TestEnv::new(test);
    copy_samples(&env.members_dir());
    for name in SAMPLES {
        let file = env.members_dir().join(name).join("plugin.json");
        let mut manifest = crate::test_env::json(&file);
        manifest["env"] = json!({Nonce::VARIABLE: env.nonce.as_str()});
        std::fs::write(file, manifest.to_string()).expect("written");
    }
    env
}

async fn started(env: &TestEnv) -> Open {
    let open = env
        .open_with(GuildHallOptions {
            own_binary: Some(guildhall_bin().display().to_string()),
            ..env.options()
        })
        .await;
    open.hall.start_all().settled().await;
    open
}

fn tools(open: &Open, member: &str) -> Vec<ToolDetail> {
    let listed = open.hall.member_tools(&name(member)).expect("its tools");
    assert_eq!(listed.problems, [], "{member} lists no malformed tool");
    let detail = |tool: &guild_api::wire::ToolSummary| {
        let detail = open.hall.tool_detail(&tool.member, &tool.name);
        detail.expect("the tool")
    };
    listed.tools.iter().map(detail).collect()
}

fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).expect("a schema")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn samples_come_up_each_in_its_own_way() {
    let env = env_of_samples("samples come up");
    let mut open = started(&env).await;
    let expected = [
        ("notes", Transport::Http, Lifecycle::Eager, Status::Ready),
        (
            "playground",
            Transport::Stdio,
            Lifecycle::Eager,
            Status::Ready,
        ),
        (
            "clock",
            Transport::Stdio,
            Lifecycle::OnDemand,
            Status::Stopped,
        ),
    ];
    for (member, transport, lifecycle, status) in expected {
        // An on-demand member stops again after its tools were listed.
        let view = open.status(member, status).await;
        assert_eq!(view.transport, Some(transport));
        assert_eq!(view.lifecycle, lifecycle);
        assert!(view.tools > 2, "{view:#?}");
        assert_eq!((&view.error, &view.warnings[..]), (&None, &[][..]));
        let runs = status == Status::Ready;
        assert_eq!(view.pid.is_some(), runs, "{view:#?}");
        let has_port = runs && transport == Transport::Http;
        assert_eq!(view.port.is_some(), has_port, "{view:#?}");
    }
    eventually(LIMIT, "two processes are left", || {
        (processes_of(&env.nonce).len() == 2).then_some(())
    })
    .await;
    let result = open
        .result("clock", "now", r#"{"time_zone":"Asia/Tokyo"}"#)
        .await;
    assert_eq!(result["structuredContent"]["time_zone"], "Asia/Tokyo");
    // A call does not wait for the next list of the tools.
    let listed = |view: &MemberView| view.freshness == Freshness::Live;
    let view = open.shown("clock", "its list is live", listed).await;
    assert_eq!(view.status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sample_tools_accept_their_examples() {
    let env = env_of_samples("examples");
    let open = started(&env).await;
    for member in SAMPLES {
        for tool in tools(&open, member) {
            assert_eq!(tool.schema_notes, [""; 0], "{tool:?}");
            assert!(tool.summary.title.is_some(), "{tool:?}");
            let tool_name = tool.summary.name.as_str();
            let schema = parsed(&tool.input_schema);
            let examples = schema["examples"].as_array().cloned();
            let examples = examples.unwrap_or_else(|| {
                assert_eq!(
                    schema["properties"],
                    json!({}),
                    "{tool_name} has no example"
                );
                vec![json!({})]
            });
            for example in examples {
                let result = open.result(member, tool_name, &example.to_string()).await;
                let is_error = result["isError"] == true;
                assert_eq!(is_error, tool_name == "fail", "{tool_name}: {result}");
                if let Some(schema) = &tool.output_schema {
                    let structured = &result["structuredContent"];
                    let checked = Validator::build(&parsed(schema)).check(structured);
                    assert_eq!(checked.errors, [], "{tool_name}: {structured}");
                }
            }
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notes_are_those_of_the_first_start() {
    let env = env_of_samples("notes");
    let open = started(&env).await;
    let listed = open.result("notes", "list_notes", "{}").await;
    let notes = listed["structuredContent"]["notes"].as_array().cloned();
    let names: Vec<Value> = notes
        .expect("notes")
        .iter()
        .map(|note| note["name"].clone())
        .collect();
    assert_eq!(names, ["ideas", "shopping-list", "welcome"]);
    let found = open
        .result("notes", "search_notes", r#"{"text":"COFFEE"}"#)
        .await;
    let found = &found["structuredContent"]["matches"][0];
    assert_eq!(found["note"], "shopping-list", "{found}");
    let written = open
        .result("notes", "write_note", r#"{"name":"new","text":"Hello"}"#)
        .await;
    assert_eq!(written["isError"], false, "{written}");
    let file = env.members_dir().join("notes/notes/new.md");
    assert_eq!(std::fs::read_to_string(file).expect("the note"), "Hello");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playground_results_and_failures_differ() {
    let env = env_of_samples("playground");
    let open = started(&env).await;
    let result = open
        .result("playground", "result_demo", r#"{"kind":"image"}"#)
        .await;
    let picture = &result["content"][0];
    assert_eq!(
        (&picture["type"], &picture["mimeType"]),
        (&"image".into(), &"image/png".into())
    );
    let png = STANDARD.decode(picture["data"].as_str().expect("base64"));
    assert!(png.expect("base64").starts_with(b"\x89PNG\r\n\x1a\n"));
    let table = open
        .result("playground", "result_demo", r#"{"kind":"table"}"#)
        .await;
    let rows = table["structuredContent"]["cities"].as_array().cloned();
    assert_eq!(rows.expect("rows").len(), 3, "{table:#}");
    assert!(text(&table).contains("Tokyo"), "also as text: {table:#}");

    let before = open.view("playground");
    let failed = open
        .result("playground", "fail", r#"{"how":"tool_error"}"#)
        .await;
    assert_eq!(failed["isError"], true);
    let outcome = open
        .outcome("playground", "fail", r#"{"how":"protocol_error"}"#)
        .await;
    let CallEnd::Failed { report, rpc, .. } = outcome.end else {
        panic!("it failed: {outcome:#?}");
    };
    assert_eq!(report.code, Code::RpcError);
    let rpc = rpc.expect("the error as it was sent");
    assert_eq!(rpc.code, -32_050);
    assert!(rpc.data.is_some_and(|data| data.contains("protocol_error")));
    let view = open.view("playground");
    assert_eq!(
        (view.status, view.error, view.pid),
        (Status::Ready, None, before.pid)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playground_crash_fails_call_then_restarts() {
    let env = env_of_samples("playground crash");
    let mut open = started(&env).await;
    let before = open.view("playground").pid;
    let outcome = open
        .outcome("playground", "fail", r#"{"how":"crash"}"#)
        .await;
    assert!(
        matches!(outcome.end, CallEnd::Failed { .. }),
        "{outcome:#?}"
    );
    let restarted = |view: &MemberView| view.status == Status::Ready && view.pid != before;
    open.shown("playground", "it runs again", restarted).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playground_task_reports_and_is_cancelled() {
    let env = env_of_samples("long task");
    let mut open = started(&env).await;
    let short = r#"{"seconds":0.04,"steps":4}"#;
    let mut reported = open
        .progress_of(request("playground", "long_task", short))
        .await;
    let steps: Vec<_> = (1..=4).map(|step| (f64::from(step), Some(4.0))).collect();
    assert_eq!(reported.split_off(reported.len() - 4), steps);

    open.shown("playground", "the task is over", |view| view.calls == 0)
        .await;
    let long = request("playground", "long_task", r#"{"seconds":600}"#);
    let id = long.call.clone();
    let running = invoked(&open, long);
    open.shown("playground", "the call runs", |view| view.calls == 1)
        .await;
    open.hall.cancel_call(&id);
    let end = running.await.expect("an outcome");
    let CallEnd::Failed { report, .. } = end else {
        panic!("it was cancelled: {end:#?}");
    };
    assert_eq!(report.code, Code::CallCancelled);
    let view = open
        .shown("playground", "it is idle", |view| view.calls == 0)
        .await;
    assert_eq!(view.error, None);
    let after = open.result("playground", "long_task", r#"{"seconds":0}"#);
    assert_eq!(text(&after.await), "Task finished after 10 steps.");
    open.close().await;
}

fn invoked(open: &Open, request: InvokeTool) -> tokio::task::JoinHandle<CallEnd> {
    let hall = open.hall.clone();
    tokio::spawn(async move { hall.invoke(request).await.end })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playground_asks_and_offers_its_guide() {
    let env = env_of_samples("playground asks and offers");
    let mut open = started(&env).await;
    let _attendance = open.hall.attend();
    let arguments = r#"{"seconds":0,"ask":true}"#;
    let running = invoked(&open, request("playground", "long_task", arguments));
    let question = wait_for(
        &mut open.events,
        LIMIT,
        "a question",
        |event| match &event.event {
            HallEvent::ElicitationAsked { elicitation } => Some(elicitation.clone()),
            _ => None,
        },
    )
    .await;
    assert_eq!(question.message, "What should the task be called?");
    let answer = AnswerElicitation {
        id: question.id.clone(),
        action: ElicitationAction::Accept,
        content: Some(r#"{"name": "Report"}"#.into()),
    };
    open.hall
        .answer_elicitation(answer)
        .await
        .expect("it waits");
    let CallEnd::Result { result, .. } = running.await.expect("the call") else {
        panic!("it ends");
    };
    let result: Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(text(&result), "Report finished after 10 steps.");

    let offered = open.hall.member_offers(&name("playground")).await;
    let offered = offered.expect("its offers");
    assert_eq!(offered.problems, []);
    let link = open
        .result("playground", "result_demo", r#"{"kind":"link"}"#)
        .await;
    let uri = link["content"][0]["uri"].as_str().expect("a link");
    assert_eq!(offered.resources[0].uri, uri);
    let answered = open.hall.read_resource(read("playground", uri)).await;
    let content = offers::result(&answered)["contents"][0].take();
    assert_eq!(content["mimeType"], "text/markdown");
    open.close().await;
}
