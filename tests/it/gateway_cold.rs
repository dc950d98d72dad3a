//! Calls of tools whose members were never listed. Agents remember tools from earlier sessions, and
//! may call them as soon as the gateway listens.

use guild_api::wire::{SetToolPolicies, ToolPolicy};
use guild_model::ToolName;
use guild_model::manifest::Policy;
use guild_model::status::Status;
use guild_tests::RecordFile;
use serde_json::{Value, json};

use crate::agent::{Agent, Gateway, VERSIONS};
use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::test_env::{TestEnv, name, open_gateway, text};

fn sum(tool: &str) -> Value {
    json!({"name": tool, "arguments": {"a": 20, "b": 22}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cold_call_waits_for_its_slow_member() {
    for round in 0..3 {
        let cli = CliHarness::new("the first line").await;
        for member in ["forge", "mill"] {
            let folder = cli.env.member(member).args(["--boot-ms", "400"]);
            folder.write();
        }
        let gateway = Gateway::open(&cli).await;
        let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));
        // No request precedes the calls, not even one for the list.
        let (sum, shown) = tokio::join!(
            agent.call("/mcp", "forge__add", json!({"a": 20, "b": 22})),
            agent.call("/mcp", "tools_call_write", sum("mill__add")),
        );
        assert_eq!((text(&sum), text(&shown)), ("42", "42"), "round {round}");
        gateway.end(&cli).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_starts_only_matching_unlisted_members() {
    for version in VERSIONS {
        let env = TestEnv::new("never listed");
        let forge = env.member("forge").args(["--boot-ms", "200"]);
        let forge = forge.manifest(json!({"lifecycle": "on-demand"})).recorded();
        forge.write();
        env.member("mill").write();
        let open = env.open().await;
        let mut agent = Agent::open(open_gateway(&open.hall).await, version).await;

        let unknown = agent.call("anvil__add", json!({})).await;
        assert_eq!(unknown.answer["error"]["code"], -32602, "{unknown:#?}");
        assert_eq!(open.view("forge").status, Status::Stopped);

        let arguments = json!({"a": 20, "b": 22});
        let reply = agent.call_with_progress("forge__add", arguments).await;
        assert_eq!(text(reply.result()), "42");
        let said = reply.notes[0]["params"]["message"].as_str();
        assert_eq!(said, Some("forge is listing its tools"), "{reply:#?}");
        assert_eq!(open.view("mill").status, Status::Stopped);
        let starts = RecordFile::new(&forge.record_path()).starts();
        assert_eq!(starts.len(), 1, "it is not started twice for it");

        // The list does not have this name, so the call fails without starting a member.
        let unknown = agent.call("forge__ad", json!({})).await;
        let message = unknown.answer["error"]["message"].as_str();
        assert!(message.is_some_and(|it| it.contains("forge__add")));
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_fails_with_the_reason_of_the_listing() {
    let env = TestEnv::new("not to be listed");
    env.member("broken")
        .manifest(json!({"command": "no-such-program"}))
        .write();
    env.member("off")
        .manifest(json!({"enabled": false}))
        .write();
    env.member("mute")
        .args(["--on", "tools/list", "--listen-mute"])
        .manifest(json!({"timeouts": {"discovery_ms": 300}}))
        .write();
    let open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    for (member, code) in [
        ("broken", "command-not-found"),
        ("off", "member-disabled"),
        ("mute", "list-failed"),
    ] {
        let called = format!("{member}__add");
        let answer = agent.ask("/mcp", "tools/call", sum(&called)).await;
        let error = &answer["error"];
        assert_eq!(error["data"]["code"], code, "{answer:#}");
        assert_eq!(error["data"]["member"], member, "{answer:#}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_does_not_come_up_holds_up_no_tool_of_another() {
    let env = TestEnv::new("a straggler");
    let go = env.data_dir().join("go");
    let held = go.display().to_string();
    // The name `a__b__add` may mean a tool of either member.
    env.member("a").args(["--hold-until", &held]).write();
    env.member("a__b").write();
    let open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let arguments = json!({"a": 20, "b": 22});
    let answer = agent.call("/mcp", "a__b__add", arguments).await;
    assert_eq!(text(&answer), "42");
    assert_eq!(open.view("a").status, Status::Starting);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_denied_tool_stays_denied_where_its_member_was_never_listed() {
    let env = TestEnv::new("denied and never listed");
    let forge = env.member("forge").recorded();
    forge.write();
    let open = env.open().await;
    let denied = SetToolPolicies {
        profile: None,
        tools: vec![ToolPolicy {
            member: name("forge"),
            tool: ToolName::parse("add").expect("a name"),
            policy: Some(Policy::Deny),
        }],
    };
    open.hall.set_tool_policies(denied).await.expect("set");
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let answer = agent.ask("/mcp", "tools/call", sum("forge__add")).await;
    assert_eq!(answer["error"]["data"]["code"], "tool-denied", "{answer:#}");
    let calls = RecordFile::new(&forge.record_path()).of_method("tools/call");
    assert!(calls.is_empty(), "{calls:#?}");
    open.close().await;
}
