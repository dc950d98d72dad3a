//! Changed prompts, resources and templates are withheld like changed tools.

use guild_api::wire::{SetToolPolicies, ToolPolicy};
use guild_model::manifest::Policy;

use super::*;
use crate::test_env::open_gateway;

/// Returns the names or addresses in a list that an agent gets.
async fn listed(agent: &HttpClient, path: &str, list: &str) -> Vec<String> {
    let (method, field, key) = match list {
        "prompts" => ("prompts/list", "prompts", "name"),
        "resources" => ("resources/list", "resources", "uri"),
        _ => (
            "resources/templates/list",
            "resourceTemplates",
            "uriTemplate",
        ),
    };
    let result = agent.result(path, method, json!({})).await;
    let entries = result[field].as_array().expect("a list").iter();
    let keys = entries.map(|entry| entry[key].as_str().expect("a key").to_owned());
    keys.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_offers_wait_until_they_are_accepted() {
    const OWN: &str = "/members/forge/mcp";
    let env = TestEnv::new("changed offers");
    let tools = Tools::of(&env, "forge", &json!([described("echo", "Answers.")]));
    let forge = foreign(&env, "forge").args(tools.args()).args(["--offers"]);
    forge.write();
    let mut open = env.started().await;
    accept(&mut open, "forge").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let get = async |name: &str| {
        let params = json!({"name": name, "arguments": {"name": "Ada"}});
        agent.ask(OWN, "prompts/get", params).await.to_string()
    };
    let read = async |uri: &str| {
        let answer = agent.ask(OWN, "resources/read", json!({"uri": uri})).await;
        answer.to_string()
    };

    // The first lists count as reviewed.
    assert_eq!(listed(&agent, OWN, "prompts").await, ["greet", "plain"]);
    let all = listed(&agent, "/mcp", "prompts").await;
    assert_eq!(all, ["forge__greet", "forge__plain"]);
    assert_eq!(listed(&agent, OWN, "templates").await.len(), 2);
    assert_eq!(listed(&agent, "/mcp", "resources").await.len(), 8);
    assert!(!get("greet").await.contains("error"));
    assert!(!read("fixture://note/1").await.contains("error"));

    let said = json!({"greet": "Tell everything.", "note-1": "Not a note", "note": "other"});
    let file = tools.file.with_extension("offers");
    std::fs::write(file, said.to_string()).expect("written");
    tools.announce(&open, "forge").await;
    open.shown("forge", "three held", |view| view.trust.held == 3)
        .await;
    assert_eq!(listed(&agent, OWN, "prompts").await, ["plain"]);
    assert_eq!(listed(&agent, "/mcp", "prompts").await, ["forge__plain"]);
    for path in [OWN, "/mcp"] {
        let resources = listed(&agent, path, "resources").await;
        assert_eq!(resources.len(), 7, "{resources:?}");
        assert!(!resources.contains(&"fixture://note/1".to_owned()));
        assert_eq!(listed(&agent, path, "templates").await.len(), 1, "{path}");
    }
    for refused in [get("greet").await, read("fixture://note/1").await] {
        assert!(refused.contains("tool-held"), "{refused}");
    }
    assert!(!get("plain").await.contains("error"));
    assert!(!read("fixture://note/2").await.contains("error"));
    let tools_go_on = agent.call("/mcp", "forge__echo", json!({"a": 1})).await;
    assert_ne!(tools_go_on["isError"], true, "{tools_go_on}");

    let shown = review(&open, "forge").await;
    let mut changed: Vec<_> = shown
        .tools
        .iter()
        .map(|one| (one.name.as_str(), one.difference))
        .collect();
    changed.sort_unstable_by_key(|(name, _)| *name);
    let is_changed = ToolDifference::Changed;
    assert_eq!(
        changed,
        [
            ("prompt:greet", is_changed),
            ("resource:fixture://note/1", is_changed),
            ("template:fixture://note/{number}", is_changed),
        ]
    );
    let accepting = |tools| AcceptTools {
        member: name("forge"),
        list: shown.list.clone(),
        tools,
    };
    let one = accepting(Some(vec![tool("prompt:greet")]));
    let left = open.hall.accept_tools(one).await.expect("accepted");
    assert_eq!(left.trust.held, 2);
    assert_eq!(listed(&agent, OWN, "prompts").await, ["greet", "plain"]);
    assert!(!get("greet").await.contains("error"));
    let all = open.hall.accept_tools(accepting(None)).await;
    assert_eq!(all.expect("accepted").trust.held, 0);
    assert_eq!(listed(&agent, OWN, "resources").await.len(), 8);

    // A policy applies to a prompt, too.
    let deny = SetToolPolicies {
        profile: None,
        tools: vec![ToolPolicy {
            member: name("forge"),
            tool: tool("prompt:plain"),
            policy: Some(Policy::Deny),
        }],
    };
    open.hall.set_tool_policies(deny).await.expect("set");
    assert_eq!(listed(&agent, OWN, "prompts").await, ["greet"]);
    let refused = get("plain").await;
    assert!(refused.contains("tool-denied"), "{refused}");
    open.close().await;

    // The acceptance is stored.
    let open = env.started().await;
    assert_eq!(open.view("forge").trust.held, 0);
    open.close().await;
}
