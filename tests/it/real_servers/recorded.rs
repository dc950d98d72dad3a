//! A recorded session of a real server, replayed as checks and as a mock.

use guild_api::wire::{
    ChecksTarget, CreateChecks, CreateMock, ExampleEnd, HistoryFilter, ListSessions, RunSuite,
    SearchHistory,
};
use guild_model::CallId;
use serde_json::json;

use super::from_npm;
use crate::agent::Agent;
use crate::test_env::{TestEnv, name, open_gateway, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_of_everything_is_replayed() {
    let env = TestEnv::new("recorded everything");
    from_npm(&env, "everything", "server-everything", &["stdio"]).write();
    let open = env.started().await;
    let hall = &open.hall;
    let address = open_gateway(hall).await;
    let mut agent = Agent::open(format!("{address}?mode=full"), "2025-11-25").await;
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
    let mut results = Vec::new();
    for (tool, arguments) in &calls {
        let reply = agent
            .call(&format!("everything__{tool}"), arguments.clone())
            .await;
        results.push(reply.result().clone());
    }
    let listed = hall.history().sessions(ListSessions { limit: 1 }).await;
    let session = listed.expect("sessions").sessions.remove(0);
    assert_eq!(session.calls, calls.len() as u64);
    let search = SearchHistory {
        filter: HistoryFilter {
            session: Some(session.of),
            ..HistoryFilter::default()
        },
        before: None,
        limit: 100,
    };
    let entries = hall.history().search(search).await.entries;
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();

    let path = env
        .data_dir()
        .join("everything.suite.json")
        .display()
        .to_string();
    let created = hall.create_checks(CreateChecks {
        call: CallId::numbered("checks", 1),
        calls: ids.clone(),
        target: ChecksTarget::Suite { path: path.clone() },
        changing: true,
    });
    let created = created.await.expect("checks");
    assert_eq!(created.left_out, []);
    let run = hall.run_suite(RunSuite {
        call: CallId::numbered("suite", 1),
        path,
        values: [].into(),
    });
    let members = run.await.expect("a run").members;
    assert_eq!(members[0].checks.len(), calls.len());
    for check in &members[0].checks {
        assert_eq!(check.end, ExampleEnd::Passed, "{check:#?}");
    }

    let created = hall.create_mock(CreateMock {
        calls: ids,
        of: name("everything"),
        member: name("mock"),
    });
    assert_eq!(created.await.expect("a mock").calls, calls.len());
    for ((tool, arguments), result) in calls.iter().zip(results) {
        let mocked = open.result("mock", tool, &arguments.to_string()).await;
        assert_eq!(mocked["content"], result["content"], "{tool}");
        assert_eq!(
            mocked.get("structuredContent"),
            result.get("structuredContent"),
            "{tool}"
        );
        assert_eq!(mocked["_meta"]["guild-hall/mock"]["match"], "exact");
    }
    let closest = open.result("mock", "echo", r#"{"message":"other"}"#).await;
    assert_eq!(text(&closest), "Echo: hi");
    assert_eq!(closest["_meta"]["guild-hall/mock"]["match"], "closest");
    open.close().await;
}
