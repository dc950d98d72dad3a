//! The policies of prompts, resources and templates: set and listed with the command line, applied
//! to requests, and selected by profiles.

use guild_api::wire::{DecideApproval, ToolKind};
use guild_model::policy::PolicyReason;
use guild_tests::LIMIT;

use super::*;
use crate::agent::Gateway;
use crate::guildhall::CliHarness;
use crate::test_env::ANY_PORT;

const OWN: &str = "/members/forge/mcp";
const GREET: &str = "forge/prompt:greet";
const NOTE: &str = "template:fixture://note/{number}";

fn offering(env: &TestEnv) {
    env.member("forge").args(["--offers"]).write();
}

fn greet() -> Value {
    json!({"name": "greet", "arguments": {"name": "Ada"}})
}

/// Opens a hall with its gateway, and waits until the member's offers are listed.
async fn opened(env: &TestEnv) -> (Open, HttpClient) {
    let open = env.started().await;
    let gateway = open.hall.open_gateway(ANY_PORT).await;
    let agent = HttpClient::new(gateway.address.as_deref().expect("it listens"));
    known(&open).await;
    (open, agent)
}

/// Waits until the catalog has the member's offers.
async fn known(open: &Open) {
    let began = tokio::time::Instant::now();
    loop {
        let catalog = open.hall.catalog(CatalogRequest::default()).await;
        let offers = catalog.expect("the catalogue").offers;
        if offers.iter().any(|offer| &*offer.name == GREET) {
            return;
        }
        assert!(began.elapsed() < LIMIT, "never known: {offers:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

async fn set(open: &Open, profile: Option<ProfileName>, name_of: &str, policy: Policy) {
    let one = ToolPolicy {
        member: name("forge"),
        tool: tool(name_of),
        policy: Some(policy),
    };
    let tools = vec![one];
    let request = SetToolPolicies { profile, tools };
    open.hall.set_tool_policies(request).await.expect("set");
}

/// Waits for the next approval, and decides it. Returns the tool and the arguments.
async fn decide(
    open: &Open,
    events: &mut HallEvents,
    decision: Decision,
    arguments: Option<&str>,
) -> (String, String) {
    let approval = events
        .find("the question", |event| match event {
            HallEvent::ApprovalAsked { approval } => Some(approval.clone()),
            _ => None,
        })
        .await;
    let request = DecideApproval {
        id: approval.id,
        decision,
        arguments: arguments.map(str::to_owned),
        check: ArgumentCheck::Refuse,
    };
    open.hall.decide_approval(request).await.expect("decided");
    (approval.tool.to_string(), approval.arguments)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_line_lists_sets_and_asks_for_offers() {
    let cli = CliHarness::new("offers by command").await;
    offering(&cli.env);
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let listed = async || {
        let listed = cli
            .run_beside(&["tools", "--details", "--json"])
            .await
            .json(0);
        listed["offers"].as_array().expect("offers").clone()
    };
    let began = tokio::time::Instant::now();
    let row = loop {
        let rows = listed().await;
        if let Some(row) = rows.iter().find(|row| row["name"] == GREET) {
            break row.clone();
        }
        assert!(began.elapsed() < LIMIT, "{rows:?}");
    };
    assert_eq!(row["kind"], json!(ToolKind::Prompt));
    assert_eq!(row["policy"], "allow");
    let kinds = listed().await;
    for kind in ["resource", "template"] {
        assert!(kinds.iter().any(|row| row["kind"] == kind), "{kind}");
    }

    let set = cli
        .run_beside(&["tools", "policy", "set", GREET, "ask"])
        .await;
    assert_eq!(set.code, Some(0), "{set:#?}");
    assert!(set.stdout.contains("ask (set by hand)"), "{set:#?}");
    let plain = cli
        .run_beside(&["tools", "--details", "--policy", "ask"])
        .await;
    assert!(plain.stdout.contains("[prompt, success]"), "{plain:#?}");
    for (decision, expected) in [("approve", "Ada"), ("deny", "The user denied this call")] {
        let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));
        let asking = tokio::spawn(async move {
            let asked = agent.ask(OWN, "prompts/get", greet()).await;
            asked.to_string()
        });
        let asked = |line: &Value| line["event"]["kind"] == "approval_asked";
        gateway.running.line_where("the question", asked).await;
        let waiting = cli.run_beside(&["approvals", "--json"]).await.json(0);
        let waiting = &waiting["approvals"][0];
        assert_eq!(waiting["tool"], "prompt:greet", "{waiting}");
        assert_eq!(waiting["arguments"], json!({"name": "Ada"}).to_string());
        let id = waiting["id"].as_str().expect("an id");
        let decided = cli.run_beside(&["approvals", decision, id]).await;
        assert_eq!(decided.code, Some(0), "{decided:#?}");
        let answer = asking.await.expect("no panic");
        assert!(answer.contains(expected), "{decision}: {answer}");
    }
    // The agent's client can show approvals, so it is asked too.
    let mut agent = Agent::open(format!("{}{OWN}", gateway.origin), "2025-11-25").await;
    let reply = agent.ask("prompts/get", greet()).await;
    let message = reply.questions[0]["message"].as_str().expect("a message");
    assert!(message.contains("prompt:greet"), "{message}");
    assert!(
        reply
            .answer
            .to_string()
            .contains("The user denied this call"),
        "no consent in it"
    );
    gateway.end(&cli).await;

    // Without a running hall, the command lists the names in the settings.
    let listed = cli.run(&["tools", "--details", "--json"]).await.json(0);
    let rows = listed["offers"].as_array().expect("offers");
    let row = rows.iter().find(|row| row["name"] == GREET);
    assert_eq!(row.expect("listed")["policy"], "ask");
    let cleared = cli
        .run(&["tools", "policy", "clear", GREET, "--json"])
        .await;
    assert_eq!(cleared.code, Some(0), "{cleared:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ask_takes_changed_arguments_and_is_ended_by_always() {
    let env = TestEnv::new("asking for offers");
    offering(&env);
    let (open, agent) = opened(&env).await;
    let _window = open.hall.attend();
    let mut events = HallEvents::of(&open.hall);
    set(&open, None, "prompt:greet", Policy::Ask).await;
    set(&open, None, NOTE, Policy::Ask).await;
    let listed = agent.result(OWN, "prompts/list", json!({})).await;
    assert_eq!(listed["prompts"][0]["name"], "greet", "it is still listed");

    let asking = tokio::spawn({
        let agent = agent.clone();
        async move {
            agent
                .ask(
                    "/mcp",
                    "prompts/get",
                    json!({"name": "forge__greet", "arguments": {"name": "Ada"}}),
                )
                .await
        }
    });
    let other = Some(r#"{"name": "Grace"}"#);
    let (about, arguments) = decide(&open, &mut events, Decision::Once, other).await;
    assert_eq!(about, "prompt:greet");
    assert_eq!(arguments, json!({"name": "Ada"}).to_string());
    let answer = asking.await.expect("no panic").to_string();
    assert!(
        answer.contains("Grace") && !answer.contains("Ada"),
        "{answer}"
    );

    // The resource has the policy of its template, which asks. An approval allows the read.
    let read = json!({"uri": "fixture://note/1"});
    let asking = tokio::spawn({
        let (agent, read) = (agent.clone(), read.clone());
        async move { agent.ask(OWN, "resources/read", read).await }
    });
    let (about, arguments) = decide(&open, &mut events, Decision::Always, None).await;
    assert_eq!(about, NOTE);
    assert_eq!(arguments, read.to_string());
    assert!(asking.await.expect("no panic").get("error").is_none());
    // If this request asked again, it would wait for a person and the test would hang.
    agent.result(OWN, "resources/read", read.clone()).await;

    // If a person enters another address, the policy of that address applies.
    set(&open, None, NOTE, Policy::Ask).await;
    set(&open, None, "resource:fixture://blob", Policy::Deny).await;
    let asking = tokio::spawn({
        let agent = agent.clone();
        async move { agent.ask(OWN, "resources/read", read).await }
    });
    let denied = Some(r#"{"uri": "fixture://blob"}"#);
    decide(&open, &mut events, Decision::Once, denied).await;
    let answer = asking.await.expect("no panic").to_string();
    assert!(answer.contains("tool-denied"), "{answer}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn profile_chooses_offers_and_governs_them() {
    let env = TestEnv::new("offers of a profile");
    offering(&env);
    let (open, agent) = opened(&env).await;
    let path = "/profiles/desk/mcp";
    let save = async |offers: ToolChoice| {
        let mounted = MountedMember {
            member: name("forge"),
            without_prefix: true,
            tools: ToolChoice::All,
            offers,
            changes: Default::default(),
        };
        let profile = Profile {
            name: profile_name(),
            listing: None,
            result_tokens: None,
            rules: PolicyRules::default(),
            members: vec![mounted],
        };
        save_profile(&open, profile).await;
    };
    let names = async |method: &str, field: &str, key: &str| -> Vec<String> {
        let listed = agent.result(path, method, json!({})).await;
        let entries = listed[field].as_array().expect("a list").iter();
        let keys = entries.map(|entry| entry[key].as_str().expect("a key").to_owned());
        keys.collect()
    };
    let prompts = async || names("prompts/list", "prompts", "name").await;
    let resources = async || names("resources/list", "resources", "uri").await;
    let reads = async |uri: &str| {
        let answer = agent.ask(path, "resources/read", json!({"uri": uri})).await;
        answer.to_string()
    };

    save(ToolChoice::All).await;
    assert_eq!(prompts().await, ["greet", "plain"]);
    assert!(resources().await.len() > 1);

    let tools = vec![tool("prompt:greet"), tool(NOTE)];
    save(ToolChoice::Except { tools }).await;
    assert_eq!(prompts().await, ["plain"]);
    let refused = agent.ask(path, "prompts/get", greet()).await.to_string();
    assert!(refused.contains("error"), "{refused}");
    let refused = reads("fixture://note/1").await;
    assert!(refused.contains("does not include it"), "{refused}");
    // Other endpoints are not affected.
    agent.result(OWN, "prompts/get", greet()).await;

    let tools = vec![tool("prompt:plain"), tool("resource:fixture://blob")];
    save(ToolChoice::Only { tools }).await;
    assert_eq!(prompts().await, ["plain"]);
    assert_eq!(resources().await, ["fixture://blob"]);
    let of = CatalogRequest {
        profile: Some(profile_name()),
    };
    let offers = open.hall.catalog(of).await.expect("the catalogue").offers;
    assert_eq!(offers.len(), 2, "{offers:#?}");

    set(&open, Some(profile_name()), "prompt:plain", Policy::Deny).await;
    assert!(prompts().await.is_empty());
    let of = CatalogRequest {
        profile: Some(profile_name()),
    };
    let offers = open.hall.catalog(of).await.expect("the catalogue").offers;
    let plain = offers
        .iter()
        .find(|offer| &*offer.name == "forge/prompt:plain");
    let plain = plain.expect("listed");
    assert_eq!(
        (plain.policy, plain.policy_reason),
        (Some(Policy::Deny), Some(PolicyReason::ProfileHand))
    );
    agent
        .result(OWN, "prompts/get", json!({"name": "plain"}))
        .await;
    open.close().await;
}
