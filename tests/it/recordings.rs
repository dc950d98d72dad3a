//! Checks and mocks made of an agent's calls, by the command line.

use std::fs;
use std::path::Path;

use guild_api::event::HallEvent;
use guild_api::wire::{
    CallEnd, CallOutcome, Caller, ChecksTarget, CreateChecks, EntryId, ExampleEnd, ListSessions,
    RunSuite,
};
use guild_engine::GuildHall;
use guild_history::FinishedCall;
use guild_model::{CallId, Code};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::agent::{Agent, Gateway};
use crate::guildhall::CliHarness;
use crate::test_env::{TestEnv, name, tool};

/// Makes calls of an agent at a gateway. Returns the last call of its session, and the results.
pub(crate) async fn record(
    cli: &CliHarness,
    member: &str,
    calls: &[(&str, Value)],
) -> (String, Vec<Value>) {
    let mut gateway = Gateway::open(cli).await;
    gateway.ready(&[member.to_owned()]).await;
    let url = format!("{}/mcp?mode=full", gateway.origin);
    let mut agent = Agent::open(url, "2025-11-25").await;
    let mut results = Vec::new();
    for (tool, arguments) in calls {
        let tool = format!("{member}__{tool}");
        let reply = agent.call(&tool, arguments.clone()).await;
        results.push(reply.answer["result"].clone());
    }
    gateway.end(cli).await;
    let listed = cli.run(&["history", "sessions", "--json"]).await.json(0);
    assert_eq!(listed["sessions"][0]["calls"], calls.len(), "{listed:#}");
    (listed["sessions"][0]["of"]["last"].to_string(), results)
}

fn forge(cli: &CliHarness) {
    cli.env.member("forge").write();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_becomes_a_suite_that_finds_changes() {
    let cli = CliHarness::new("suite of a session").await;
    forge(&cli);
    let calls = [
        ("echo", json!({"n": 12_345_678_901_234_567_890_u64})),
        ("add", json!({"a": 1, "b": 2})),
        ("add", json!({"a": 1, "b": 3})),
        ("pid", json!({})),
        ("fail", json!({"text": "no"})),
        ("rpc_error", json!({})),
    ];
    let (session, _) = record(&cli, "forge", &calls).await;
    let file = cli.env.data_dir().join("forge.suite.json");
    let path = file.display().to_string();
    let make = [
        "history",
        "checks",
        "--session",
        &session,
        "--suite",
        &path,
        "--json",
    ];

    let careful = cli.run(&make).await.json(0);
    assert_eq!(careful["checks"][0]["name"], "echo", "{careful:#}");
    assert_eq!(careful["checks"].as_array().map(Vec::len), Some(1));
    assert_eq!(careful["leftOut"][0]["why"], "the tool is not read-only");

    let created = cli
        .run(&[&make[..], &["--changing"]].concat())
        .await
        .json(0);
    let checks = created["checks"].as_array().expect("checks");
    let names: Vec<_> = checks.iter().map(|check| check["name"].as_str()).collect();
    let expected = ["echo", "add", "add 2", "pid", "fail"].map(Some);
    assert_eq!(names, expected, "{created:#}");
    let left_out = &created["leftOut"][0];
    assert_eq!(
        (&left_out["tool"], &left_out["why"]),
        (&json!("rpc_error"), &json!("it has no result"))
    );
    // Each run of the recorded calls starts another process.
    assert_eq!(
        created["checks"][3]["volatile"],
        json!(["text"]),
        "{created:#}"
    );

    let run = ["dev", "--once", "--suite", &path, "--json"];
    let passed = cli.run(&run).await.json(0);
    assert_eq!(
        (&passed["passed"], &passed["failed"]),
        (&json!(5), &json!(0)),
        "{passed:#}"
    );

    // A newer server answers in another way.
    let text = fs::read_to_string(&file).expect("the suite");
    assert!(text.contains("12345678901234567890"), "no digit is lost");
    fs::write(
        &file,
        text.replace("\"text_equals\": \"3\"", "\"text_equals\": \"4\""),
    )
    .expect("written");
    let junit = cli.env.data_dir().join("junit.xml");
    let junit_path = junit.display().to_string();
    let failed = cli
        .run(&[&run[..], &["--junit", &junit_path]].concat())
        .await
        .json(1);
    assert_eq!(
        failed["members"][0]["checks"][1]["end"], "failed",
        "{failed:#}"
    );
    let report = fs::read_to_string(junit).expect("the report");
    assert!(
        report.contains("<testsuite name=\"forge\" tests=\"5\" failures=\"1\""),
        "{report}"
    );
    cli.nothing_left();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_become_examples_of_the_manifest() {
    let cli = CliHarness::new("examples of calls").await;
    forge(&cli);
    let (session, _) = record(&cli, "forge", &[("add", json!({"a": 1, "b": 2}))]).await;
    let gone = ["history", "checks", "--call", "999", "--examples", "--json"];
    let none = cli.run(&gone).await.json(5);
    assert_eq!(none["error"]["code"], "history-entry-unknown", "{none:#}");
    for count in 1..=2 {
        let make = [
            "history",
            "checks",
            "--call",
            "999",
            "--call",
            &session,
            "--examples",
            "--changing",
        ];
        let made = cli.run(&make).await;
        assert_eq!(made.code, Some(0), "{made:#?}");
        let gone = "left out: 1 call that the history no longer has";
        assert!(made.stdout.contains(gone), "{made:#?}");
        let manifest = cli.env.members_dir().join("forge/plugin.json");
        let manifest = crate::test_env::json(&manifest);
        let examples = manifest["examples"].as_array().expect("examples");
        assert_eq!(examples.len(), count);
        let name = if count == 1 { "add" } else { "add 2" };
        assert_eq!(examples[count - 1]["name"], name, "{manifest:#}");
        assert_eq!(examples[count - 1]["expect"]["text_equals"], "3");
    }
    let run = cli.run(&["dev", "--once", "forge", "--json"]).await.json(0);
    assert_eq!(run["passed"], 2, "{run:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masked_argument_is_asked_for() {
    let cli = CliHarness::new("masked arguments").await;
    forge(&cli);
    let token = "an-unusual-value-of-a-token";
    let (session, _) = record(
        &cli,
        "forge",
        &[("echo", json!({"api_token": token, "n": 1}))],
    )
    .await;
    let file = cli.env.data_dir().join("masked.suite.json");
    let path = file.display().to_string();
    let make = [
        "history",
        "checks",
        "--session",
        &session,
        "--suite",
        &path,
        "--changing",
    ];
    let created = cli.run(&[&make[..], &["--json"]].concat()).await.json(0);
    assert_eq!(
        created["checks"][0]["asks"],
        json!(["/api_token"]),
        "{created:#}"
    );
    let text = fs::read_to_string(&file).expect("the suite");
    assert!(!text.contains(token), "{text}");

    let run = ["dev", "--once", "--suite", &path, "--json"];
    let missing = cli.run(&run).await.json(2);
    assert_eq!(missing["error"]["code"], "suite-refused", "{missing:#}");
    assert!(
        missing["error"]["message"]
            .to_string()
            .contains("forge/echo /api_token")
    );
    let suite: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        suite["checks"][0]["ask"],
        json!({"/api_token": "forge/echo /api_token"})
    );
    let values = cli.env.data_dir().join("values.json");
    fs::write(&values, json!({"forge/echo /api_token": token}).to_string()).expect("written");
    let values = values.display().to_string();
    let passed = cli
        .run(&[&run[..], &["--values", &values]].concat())
        .await
        .json(0);
    assert_eq!(passed["passed"], 1, "{passed:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mock_answers_without_the_server() {
    let cli = CliHarness::new("mock of a session").await;
    forge(&cli);
    let calls = [
        ("add", json!({"a": 1, "b": 2})),
        ("add", json!({"a": 10, "b": 20})),
        ("rpc_error", json!({})),
    ];
    let (session, _) = record(&cli, "forge", &calls).await;
    let mock = [
        "history",
        "mock",
        "forge-mock",
        "--of",
        "forge",
        "--session",
        &session,
        "--json",
    ];
    let created = cli.run(&mock).await.json(0);
    assert_eq!(created["calls"], 3, "{created:#}");
    assert_eq!(created["missing"], 0, "{created:#}");
    assert_eq!(created["tools"], json!(["add", "rpc_error"]));
    let again = cli.run(&mock).await.json(2);
    assert_eq!(again["error"]["code"], "adoption-refused", "{again:#}");

    // The server is gone, and the mock answers.
    fs::remove_dir_all(cli.env.members_dir().join("forge")).expect("removed");
    let mut serve = cli.start(&["serve", "--no-gateway"]);
    serve.line().await.expect("it says that it is there");
    let call = async |arguments: &str| {
        let call = ["call", "forge-mock", "add", "--args", arguments, "--json"];
        cli.run_beside(&call).await.json(0)
    };
    let exact = call(r#"{"a": 10, "b": 20}"#).await;
    assert_eq!(
        exact["content"],
        json!([{"type": "text", "text": "30"}]),
        "{exact:#}"
    );
    assert_eq!(exact["_meta"]["guild-hall/mock"], json!({"match": "exact"}));
    let closest = call(r#"{"a": 10, "b": 21}"#).await;
    assert_eq!(closest["content"][0]["text"], "30", "{closest:#}");
    assert_eq!(closest["_meta"]["guild-hall/mock"]["match"], "closest");
    let error = cli
        .run_beside(&["call", "forge-mock", "rpc_error", "--args", "{}", "--json"])
        .await;
    assert!(error.stdout.contains("rpc-error"), "{error:#?}");
    serve.signal(Signal::TERM);
    let ended = serve.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    cli.nothing_left();
}

/// Records a call of an agent, and returns its id.
async fn recorded(hall: &GuildHall, of_tool: &str, arguments: &str) -> EntryId {
    let outcome = CallOutcome {
        call: CallId::numbered("agent", 1),
        member: name("forge"),
        tool: tool(of_tool),
        started_at_ms: 1,
        duration_ms: 1,
        request: None,
        structured: None,
        end: CallEnd::Result {
            result: r#"{"content": []}"#.to_owned(),
            is_error: false,
        },
    };
    let ended = FinishedCall::new(&outcome, Caller::Agent, arguments, None);
    let history = hall.history();
    history.record(ended.by("an agent", None));
    history.settled().await.expect("written");
    let listed = history.sessions(ListSessions { limit: 1 }).await;
    listed.expect("sessions").sessions.remove(0).of.last
}

fn checks_of(call: EntryId, file: &Path) -> CreateChecks {
    CreateChecks {
        call: CallId::numbered("checks", 1),
        calls: vec![call],
        target: ChecksTarget::Suite {
            path: file.display().to_string(),
        },
        changing: true,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_creation_saves_nothing() {
    let env = TestEnv::new("cancelled checks");
    env.member("forge").write();
    let mut open = env.started().await;
    let file = env.data_dir().join("slow.suite.json");
    // A call that would run for an hour when it is repeated.
    let slow = recorded(&open.hall, "slow", r#"{"ms": 3600000}"#).await;
    let request = checks_of(slow, &file);
    let id = request.call.clone();
    let hall = open.hall.clone();
    let creating = tokio::spawn(async move { hall.create_checks(request).await });
    open.events
        .find("the repeated call", |event| {
            matches!(event, HallEvent::CallStarted { .. }).then_some(())
        })
        .await;
    open.hall.cancel_call(&id);
    let refused = creating.await.expect("no panic").expect_err("cancelled");
    assert_eq!(refused.code, Code::CallCancelled);
    assert!(!file.exists());

    // A call with a masked argument is not repeated, so no event shows how far the request is. It
    // ends wherever it is cancelled.
    let masked = recorded(&open.hall, "echo", r#"{"api_token": "of-an-agent"}"#).await;
    let request = checks_of(masked, &file);
    let hall = open.hall.clone();
    let mut creating = std::pin::pin!(hall.create_checks(request));
    assert!(futures::poll!(&mut creating).is_pending());
    open.hall.cancel_call(&id);
    let refused = creating.await.expect_err("cancelled");
    assert_eq!(refused.code, Code::CallCancelled);
    assert!(!file.exists());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_suite_leaves_out_the_rest() {
    let env = TestEnv::new("cancelled suite");
    env.member("forge").write();
    let mut open = env.started().await;
    let file = env.data_dir().join("slow.suite.json");
    let check = |name: &str| json!({"member": "forge", "name": name, "tool": "slow", "arguments": {"ms": 3_600_000}});
    let suite = json!({"suite": 1, "checks": [check("first"), check("second")]});
    fs::write(&file, suite.to_string()).expect("written");
    let run = |path: String| RunSuite {
        call: CallId::numbered("suite", 1),
        path,
        values: "{}".to_owned(),
    };
    let request = run(file.display().to_string());
    let hall = open.hall.clone();
    let running = tokio::spawn(async move { hall.run_suite(request).await });
    open.events
        .find("the first check", |event| {
            matches!(event, HallEvent::CallStarted { .. }).then_some(())
        })
        .await;
    open.hall.cancel_call(&CallId::numbered("suite", 1));
    let run_of = running.await.expect("no panic").expect("a run");
    let ends: Vec<_> = run_of.members[0].checks.iter().map(|run| run.end).collect();
    assert_eq!(ends, [ExampleEnd::LeftOut, ExampleEnd::LeftOut]);

    // The current folder of the hall is not the caller's.
    let relative = open.hall.run_suite(run("slow.suite.json".to_owned())).await;
    let relative = relative.expect_err("refused");
    assert_eq!(relative.code, Code::SuiteRefused);
    let create = checks_of(EntryId(1), Path::new("slow.suite.json"));
    let relative = open.hall.create_checks(create).await.expect_err("refused");
    assert_eq!(relative.code, Code::SuiteRefused);
    open.close().await;
}
