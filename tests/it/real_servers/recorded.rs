//! A recorded session of a real server, replayed as checks and as a mock.

use rustix::process::Signal;
use serde_json::json;

use super::from_npm;
use crate::guildhall::CliHarness;
use crate::recordings::record;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_of_everything_is_replayed() {
    let cli = CliHarness::new("recorded everything").await;
    from_npm(&cli.env, "everything", "server-everything", &["stdio"]).write();
    let calls = [
        ("echo", json!({"message": "hi"})),
        ("get-sum", json!({"a": 2, "b": 40})),
        ("get-structured-content", json!({"location": "Chicago"})),
        ("get-tiny-image", json!({})),
        (
            "get-annotated-message",
            json!({"messageType": "success", "includeImage": false}),
        ),
    ];
    let (session, results) = record(&cli, "everything", &calls).await;
    let file = cli.env.data_dir().join("everything.suite.json");
    let path = file.display().to_string();
    let make = [
        "history",
        "checks",
        "--session",
        &session,
        "--suite",
        &path,
        "--changing",
        "--json",
    ];
    let created = cli.run(&make).await.json(0);
    assert_eq!(created["leftOut"], json!([]), "{created:#}");
    let run = ["dev", "--once", "--suite", &path, "--json"];
    let run = cli.run(&run).await.json(0);
    assert_eq!(run["passed"], calls.len(), "{run:#}");

    let mock = [
        "history",
        "mock",
        "mock",
        "--of",
        "everything",
        "--session",
        &session,
        "--json",
    ];
    let created = cli.run(&mock).await.json(0);
    assert_eq!(created["calls"], calls.len(), "{created:#}");
    let mut serve = cli.start(&["serve", "--no-gateway"]);
    serve.line().await.expect("it says that it is there");
    let call = async |tool: &str, arguments: &str| {
        let words = ["call", "mock", tool, "--args", arguments, "--json"];
        cli.run_beside(&words).await.json(0)
    };
    for ((tool, arguments), result) in calls.iter().zip(results) {
        let mocked = call(tool, &arguments.to_string()).await;
        for part in ["content", "structuredContent"] {
            assert_eq!(mocked.get(part), result.get(part), "{tool}");
        }
        assert_eq!(mocked["_meta"]["guild-hall/mock"]["match"], "exact");
    }
    let closest = call("echo", r#"{"message":"other"}"#).await;
    assert_eq!(closest["content"][0]["text"], "Echo: hi");
    assert_eq!(closest["_meta"]["guild-hall/mock"]["match"], "closest");
    serve.signal(Signal::TERM);
    let ended = serve.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}
