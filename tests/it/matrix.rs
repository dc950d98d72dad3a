//! Each protocol version of a client with each version and transport of a member.

use serde_json::{Value, json};

use crate::agent::{Agent, Gateway, MODERN, VERSIONS};
use crate::guildhall::CliHarness;
use crate::test_env::text;

const TRANSPORTS: [&str; 2] = ["stdio", "http"];

fn member_of(version: &str, transport: &str) -> String {
    format!("m{version}-{transport}")
}

/// Writes one member for each version and transport.
fn write_members(cli: &CliHarness) -> Vec<(String, &'static str)> {
    let mut members = Vec::new();
    for version in VERSIONS {
        for transport in TRANSPORTS {
            let name = member_of(version, transport);
            let folder = match transport {
                "http" => cli.env.http(&name).args(["--answer", "sse"]),
                _ => cli.env.member(&name),
            };
            let era = if version == MODERN {
                "modern"
            } else {
                "legacy"
            };
            folder
                .args(["--asks", "--era", era, "--versions", version])
                .write();
            members.push((name, version));
        }
    }
    members
}

#[tokio::test]
async fn every_client_version_works_with_every_member() {
    let cli = CliHarness::new("matrix").await;
    let members = write_members(&cli);
    let names: Vec<String> = members.iter().map(|(name, _)| name.clone()).collect();
    let mut gateway = Gateway::open(&cli).await;
    let spoken = gateway.ready(&names).await;
    let meant: Vec<&str> = members.iter().map(|(_, version)| *version).collect();
    assert_eq!(
        spoken, meant,
        "each member speaks the version that it is for"
    );
    for client in VERSIONS {
        for (member, _) in &members {
            println!("client {client}, member {member}");
            let url = format!("{}/members/{member}/mcp?mode=full", gateway.origin);
            let mut agent = Agent::open(url, client).await;
            lists(&mut agent).await;
            calls(&mut agent).await;
            hears_of_progress(&mut agent).await;
            receives_failures(&mut agent).await;
            is_asked(&mut agent, client).await;
        }
    }
    gateway.end(&cli).await;
}

async fn lists(agent: &mut Agent) {
    let listed = agent.ask("tools/list", json!({})).await;
    let tools = listed.result()["tools"].as_array().expect("tools").clone();
    let add = tools.iter().find(|tool| tool["name"] == "add");
    let add = add.unwrap_or_else(|| panic!("no tool add: {tools:#?}"));
    assert_eq!(add["inputSchema"]["required"], json!(["a", "b"]));
    let echo = tools.iter().find(|tool| tool["name"] == "echo");
    assert_eq!(
        echo.map(|echo| &echo["x-vendor"]),
        Some(&json!({"kept": true})),
        "what no version knows is passed on"
    );
}

async fn calls(agent: &mut Agent) {
    let arguments = json!({"z": 1, "a": [null, 2.5, 12_345_678_901_234_567_890_u64]});
    let called = agent.call("echo", arguments.clone()).await;
    assert_eq!(called.result()["structuredContent"], arguments);
    assert_eq!(text(called.result()), arguments.to_string(), "in its order");
}

async fn hears_of_progress(agent: &mut Agent) {
    let arguments = json!({"steps": 3, "ms": 5});
    let called = agent.call_with_progress("progress", arguments).await;
    assert_eq!(text(called.result()), "3 steps");
    let steps: Vec<&Value> = called
        .notes
        .iter()
        .filter(|note| note["method"] == "notifications/progress")
        .map(|note| &note["params"])
        .collect();
    assert_eq!(steps.len(), 3, "{called:#?}");
    for (number, step) in steps.iter().enumerate() {
        assert_eq!(step["progressToken"], "the token", "the client's own");
        assert_eq!(step["progress"].as_f64(), Some((number + 1) as f64));
        assert_eq!(step["total"].as_f64(), Some(3.0));
    }
}

async fn receives_failures(agent: &mut Agent) {
    let failed = agent.call("fail", json!({"text": "as told"})).await;
    assert_eq!(failed.result()["isError"], true);
    assert_eq!(text(failed.result()), "as told");
    let error = json!({"code": -32_050, "message": "a reason", "data": {"more": [1]}});
    let refused = agent.call("rpc_error", error.clone()).await;
    assert_eq!(
        refused.answer["error"]["code"], error["code"],
        "{refused:#?}"
    );
    assert_eq!(
        refused.answer["error"]["data"], error["data"],
        "{refused:#?}"
    );
    let unknown = agent.call("no_such_tool", json!({})).await;
    assert_eq!(unknown.answer["error"]["code"], -32_602, "{unknown:#?}");
}

async fn is_asked(agent: &mut Agent, client: &str) {
    let asked = agent.call("ask", json!({"times": 2})).await;
    if agent.can_be_asked() {
        let one = json!({"action": "accept", "content": {"colour": "red"}});
        let answers = &asked.result()["structuredContent"]["answers"];
        assert_eq!(*answers, json!([one, one]));
        assert_eq!(asked.questions.len(), 2);
        for question in &asked.questions {
            assert_eq!(question["message"], "Which colour?");
            let schema = &question["requestedSchema"];
            assert_eq!(
                schema["properties"]["colour"]["enum"],
                json!(["red", "green"])
            );
        }
    } else {
        assert!(asked.questions.is_empty(), "{client} knows no questions");
        let text = asked.answer.to_string();
        assert!(
            !text.contains("accept"),
            "nobody has accepted anything: {text}"
        );
    }
}
