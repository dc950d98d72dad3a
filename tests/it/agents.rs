//! Agents that use a hall through its gateway.

use guild_api::event::HallEvent;
use guild_api::wire::{
    AddAgentClient, AgentClientRef, ArgumentCheck, BindAgentClient, CallEnd, Caller, ChangeGateway,
    DecideApproval, Decision, GatewayState, HistoryEntry, HistoryEntryRef, HistoryFilter,
    OutcomeKind, RenameMember, SearchHistory, SetToolPolicies, ToolPolicy, ViewAsAgent,
};
use guild_engine::{GatewayOptions, GuildHall, Tokens};
use guild_model::Code;
use guild_model::endpoint::Endpoint;
use guild_model::manifest::Policy;
use guild_model::status::Status;
use guild_tests::RecordFile;
use hyper::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::http_client::HttpClient;
use crate::test_env::{ANY_PORT, HallEvents, Open, TestEnv, name, text, tool};

async fn gateway(hall: &GuildHall) -> HttpClient {
    HttpClient::new(&address(&hall.open_gateway(ANY_PORT).await))
}

fn address(state: &GatewayState) -> String {
    let address = state.address.clone();
    address.unwrap_or_else(|| panic!("the gateway listens: {state:?}"))
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

/// Returns the history's calls of agents, the newest first.
async fn recorded(hall: &GuildHall) -> Vec<HistoryEntry> {
    hall.history().settled().await.expect("written");
    let search = SearchHistory {
        filter: HistoryFilter {
            caller: Some(Caller::Agent),
            ..HistoryFilter::default()
        },
        before: None,
        limit: 10,
    };
    hall.history().search(search).await.entries
}

/// Opens a hall with its gateway, and a member that records its requests.
async fn observed(env: &TestEnv) -> (Open, HttpClient, RecordFile) {
    let folder = env.member("forge").recorded();
    folder.write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    (open, agent, RecordFile::new(&folder.record_path()))
}

/// Starts a slow call, and waits until its member has received it.
async fn under_way(agent: &HttpClient, record: &RecordFile) -> JoinHandle<Value> {
    let agent = agent.clone();
    let params = json!({"name": "forge__slow", "arguments": {"ms": 60_000}});
    let call = tokio::spawn(async move { agent.ask("/mcp", "tools/call", params).await });
    record.wait_for_call("slow").await;
    call
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_members_stand_at_one_address_and_each_at_its_own() {
    let env = TestEnv::new("one address");
    env.http("forge").write();
    env.member("mill").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;

    let tools = agent.tools("/mcp").await;
    let listed = names(&tools);
    assert!(
        listed.contains(&"forge__add") && listed.contains(&"mill__add"),
        "{listed:?}"
    );
    let stub = tools
        .iter()
        .find(|tool| tool["name"] == "forge__add")
        .expect("a stub");
    assert_eq!(stub["inputSchema"], json!({"type": "object"}));

    let full = agent
        .result("/mcp", "tools/list", json!({"lazy": false}))
        .await;
    let full = full["tools"].as_array().expect("tools").clone();
    let add = full
        .iter()
        .find(|tool| tool["name"] == "forge__add")
        .expect("the tool");
    assert!(add["inputSchema"]["properties"].get("a").is_some(), "{add}");
    assert_eq!(
        names(&agent.tools("/mcp?mode=search").await),
        [
            "tools_search",
            "tools_describe_batch",
            "tools_call_read",
            "tools_call_write",
            "result_read"
        ]
    );

    for (path, tool) in [
        ("/mcp", "forge__add"),
        ("/mcp", "mill__add"),
        ("/members/mill/mcp", "add"),
    ] {
        let answer = agent.call(path, tool, json!({"a": 20, "b": 22})).await;
        assert_eq!(text(&answer), "42", "{path} {tool}");
    }
    let unknown = agent
        .ask("/mcp", "tools/call", json!({"name": "forge__ad"}))
        .await;
    let message = unknown["error"]["message"].as_str().expect("an error");
    assert!(message.contains("forge__add"), "{message}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_needs_no_member_and_a_call_starts_the_one_it_is_for() {
    let env = TestEnv::new("a cold member");
    env.member("forge").write();
    env.started().await.close().await;

    let open = env.open().await;
    let agent = gateway(&open.hall).await;
    assert!(names(&agent.tools("/mcp").await).contains(&"forge__add"));
    assert_eq!(
        open.view("forge").status,
        Status::Stopped,
        "a list starts nobody"
    );
    let answer = agent
        .call("/mcp", "forge__add", json!({"a": 1, "b": 1}))
        .await;
    assert_eq!(text(&answer), "2");
    assert_eq!(open.view("forge").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_argument_is_answered_with_the_schema() {
    let env = TestEnv::new("a wrong argument");
    env.member("forge").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    let answer = agent
        .call("/mcp", "forge__add", json!({"a": "one", "b": 2}))
        .await;
    assert_eq!(answer["isError"], true, "{answer}");
    let said = text(&answer);
    assert!(
        said.contains("/a") && said.contains("\"properties\""),
        "{said}"
    );

    // Calls the same tool through a menu tool, with repaired arguments.
    let by_menu = json!({"name": "forge__add", "arguments": {"a": 1}});
    let answer = agent.call("/mcp", "tools_call_write", by_menu).await;
    assert_eq!(answer["isError"], true, "{answer}");
    let by_menu = json!({"name": "forge__add", "arguments": {"a": 1, "b": 2}});
    let answer = agent.call("/mcp", "tools_call_write", by_menu).await;
    assert_eq!(text(&answer), "3");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_found_and_described_as_methods_and_as_tools() {
    let env = TestEnv::new("found and described");
    env.member("forge").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    let found = agent.call(
        "/mcp?mode=search",
        "tools_search",
        json!({"task": "add two numbers"}),
    );
    let found = found.await;
    let first = &found["structuredContent"]["tools"][0];
    assert_eq!(first["name"], "forge__add", "{found}");
    assert!(!first["why"].as_array().expect("why").is_empty(), "{found}");

    let described = agent
        .result("/mcp", "tools/describe", json!({"name": "forge__add"}))
        .await;
    assert!(
        described.to_string().contains("\"properties\""),
        "{described}"
    );
    let names = json!({"names": ["forge__add", "forge__ad"]});
    let batch = agent
        .result("/mcp", "tools/describe_batch", names.clone())
        .await
        .to_string();
    assert!(
        batch.contains("\"properties\"") && batch.contains("No tool named"),
        "{batch}"
    );
    let batch = agent.call("/mcp", "tools_describe_batch", names).await;
    let errors = &batch["structuredContent"]["errors"];
    assert_eq!(errors[0]["near"][0], "forge__add", "{batch}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_denied_tool_is_neither_listed_nor_called_and_says_why() {
    let env = TestEnv::new("a denied tool");
    env.member("forge").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    let deny = SetToolPolicies {
        profile: None,
        tools: vec![ToolPolicy {
            member: name("forge"),
            tool: tool("add"),
            policy: Some(Policy::Deny),
        }],
    };
    open.hall.set_tool_policies(deny).await.expect("set");
    assert!(!names(&agent.tools("/mcp").await).contains(&"forge__add"));
    for (called, arguments) in [
        ("forge__add", json!({"a": 1, "b": 2})),
        (
            "tools_call_write",
            json!({"name": "forge__add", "arguments": {"a": 1, "b": 2}}),
        ),
    ] {
        let params = json!({"name": called, "arguments": arguments});
        let answer = agent.ask("/mcp", "tools/call", params).await.to_string();
        assert!(
            answer.contains("Deny") && !answer.contains("\"3\""),
            "{answer}"
        );
    }
    let request = ViewAsAgent {
        endpoint: Endpoint::All,
        listing: None,
    };
    let view = open.hall.view_as_agent(request).await.expect("a view");
    let withheld = &view.withheld[0];
    assert_eq!(
        (withheld.tool.as_str(), withheld.report.code),
        ("add", Code::ToolDenied)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asking_tool_waits_for_a_persons_decision() {
    let env = TestEnv::new("an approval");
    let folder = env.member("forge").recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    let mut open = env.started().await;
    let agent = gateway(&open.hall).await;
    let ask = SetToolPolicies {
        profile: None,
        tools: vec![ToolPolicy {
            member: name("forge"),
            tool: tool("add"),
            policy: Some(Policy::Ask),
        }],
    };
    open.hall.set_tool_policies(ask).await.expect("set");
    let call = json!({"name": "forge__add", "arguments": {"a": 1, "b": 2}});
    let nobody = agent.ask("/mcp", "tools/call", call.clone()).await;
    let message = nobody["error"]["message"].as_str().expect("an error");
    assert!(
        message.contains("no Guild Hall window is open"),
        "{message}"
    );

    let _window = open.hall.attend();
    let mut decide = async |decision, arguments: Option<&str>| {
        let asking = tokio::spawn({
            let (agent, call) = (agent.clone(), call.clone());
            async move { agent.ask("/mcp", "tools/call", call).await }
        });
        let asked = open.events.find("the question", |event| match event {
            HallEvent::ApprovalAsked { approval } => Some(approval.clone()),
            _ => None,
        });
        let approval = asked.await;
        let wrong = DecideApproval {
            id: approval.id.clone(),
            decision,
            arguments: Some("{\"a\":\"x\"}".into()),
            check: ArgumentCheck::Refuse,
        };
        if decision != Decision::Deny {
            let no_object = DecideApproval {
                arguments: Some("[1]".into()),
                check: ArgumentCheck::SendAnyway,
                ..wrong.clone()
            };
            let refused = open.hall.decide_approval(no_object).await;
            let refused = refused.expect_err("no object, whatever a person says");
            assert_eq!(refused.code, Code::ArgumentsNotJson);
            let refused = open
                .hall
                .decide_approval(wrong)
                .await
                .expect_err("it does not fit");
            assert_eq!(refused.code, Code::ArgumentsInvalid);
        }
        let decided = DecideApproval {
            id: approval.id,
            decision,
            arguments: arguments.map(str::to_owned),
            check: ArgumentCheck::SendAnyway,
        };
        open.hall.decide_approval(decided).await.expect("it waits");
        asking.await.expect("no panic")
    };
    let denied = decide(Decision::Deny, None).await;
    assert!(
        denied["error"]["message"]
            .as_str()
            .is_some_and(|m| m.contains("denied this call")),
        "{denied}"
    );
    let changed = decide(Decision::Once, Some("{\"a\":40,\"b\":2}")).await;
    assert_eq!(text(&changed["result"]), "42");
    decide(Decision::Once, Some("{\"a\":\"x\"}")).await;
    let sent = record.of_method("tools/call").pop().expect("the call");
    assert_eq!(
        sent["message"]["params"]["arguments"],
        json!({"a": "x"}),
        "what does not fit is sent, as the person decided"
    );
    let always = decide(Decision::Always, None).await;
    assert_eq!(text(&always["result"]), "3");
    let unasked = agent
        .call("/mcp", "forge__add", json!({"a": 2, "b": 2}))
        .await;
    assert_eq!(
        text(&unasked),
        "4",
        "always means that it is not asked again"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_comes_in_by_its_token_until_that_is_revoked() {
    let env = TestEnv::new("a token");
    env.member("forge").write();
    let open = env.started().await;
    let options = GatewayOptions {
        tokens: Tokens::Required,
        ..ANY_PORT
    };
    let stranger = HttpClient::new(&address(&open.hall.open_gateway(options).await));
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(
        stranger.post("/mcp", &list).await.0,
        StatusCode::UNAUTHORIZED
    );
    let wrong = stranger.clone().with_token("gh_wrong");
    assert_eq!(wrong.post("/mcp", &list).await.0, StatusCode::UNAUTHORIZED);

    let request = AddAgentClient {
        name: "Claude Code".into(),
        endpoints: None,
    };
    let added = open.hall.add_agent_client(request).await.expect("let in");
    let agent = stranger.with_token(&added.token);
    let answer = agent
        .call("/mcp", "forge__add", json!({"a": 1, "b": 1}))
        .await;
    assert_eq!(text(&answer), "2");

    let entries = recorded(&open.hall).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0].client.as_deref(), Some("Claude Code"));

    let of = AgentClientRef {
        client: added.client.id,
    };
    open.hall.revoke_agent_client(of).await.expect("revoked");
    assert_eq!(agent.post("/mcp", &list).await.0, StatusCode::UNAUTHORIZED);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_of_a_gone_agent_is_recorded_as_cancelled() {
    let env = TestEnv::new("an agent that goes");
    let (open, agent, record) = observed(&env).await;
    let mut events = HallEvents::of(&open.hall);
    let call = under_way(&agent, &record).await;
    call.abort();
    let entry = events.find("the record", |event| match event {
        HallEvent::CallRecorded { entry } => Some(entry.clone()),
        _ => None,
    });
    let entry = entry.await;
    assert_eq!(
        (entry.caller, entry.outcome, entry.code),
        (
            Caller::Agent,
            OutcomeKind::Cancelled,
            Some(Code::CallCancelled)
        )
    );
    assert_eq!(
        (entry.member.as_str(), entry.tool.as_str()),
        ("forge", "slow")
    );
    record.wait_for_method("notifications/cancelled").await;
    assert_eq!(recorded(&open.hall).await, [*entry]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_cut_off_by_shutdown_is_recorded_once() {
    let env = TestEnv::new("an agent at the end");
    let (open, agent, record) = observed(&env).await;
    let call = under_way(&agent, &record).await;
    open.close().await;
    let answer = call.await.expect("it is answered");
    assert_eq!(answer["error"]["message"], "Guild Hall is closing.");
    let open = env.open().await;
    let entries = recorded(&open.hall).await;
    let ends: Vec<_> = entries.iter().map(|one| (one.outcome, one.code)).collect();
    let broken_off = (OutcomeKind::Failed, Some(Code::ShuttingDown));
    assert_eq!(ends, [broken_off], "{entries:?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_results_are_in_the_history_as_they_came() {
    let env = TestEnv::new("large results");
    env.unlimited_results();
    env.member("forge").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    let long = "x".repeat(200_000);
    let answer = agent
        .call("/mcp", "forge__large", json!({"bytes": long.len()}))
        .await;
    assert_eq!(text(&answer), long);
    let failed = agent
        .call("/mcp", "forge__fail", json!({"text": long}))
        .await;
    assert_eq!(failed["isError"], true);
    let entries = recorded(&open.hall).await;
    let outcomes: Vec<_> = entries.iter().map(|entry| entry.outcome).collect();
    assert_eq!(outcomes, [OutcomeKind::ToolError, OutcomeKind::Ok]);
    for (entry, answer) in entries.iter().zip([failed, answer]) {
        let of = HistoryEntryRef { id: entry.id };
        let kept = open.hall.history().entry(of).await.expect("it is there");
        let CallEnd::Result { result, .. } = kept.end else {
            panic!("it has a result");
        };
        assert_eq!(entry.size, result.len() as u64);
        let result: Value = serde_json::from_str(&result).expect("JSON");
        assert_eq!(result["content"], answer["content"]);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn port_in_use_is_reported_and_not_replaced() {
    let env = TestEnv::new("a taken port");
    env.member("forge").write();
    let open = env.open().await;
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = other.local_addr().expect("its address").port();
    let options = GatewayOptions {
        port: Some(taken),
        ..ANY_PORT
    };
    let state = open.hall.open_gateway(options).await;
    assert_eq!(state.address, None);
    let report = state.error.expect("an error");
    assert_eq!(report.code, Code::GatewayPortTaken);
    assert!(report.message.contains(&taken.to_string()), "{report}");

    drop(other);
    let again = ChangeGateway {
        enabled: Some(true),
        ..ChangeGateway::default()
    };
    let state = open.hall.change_gateway(again).await.expect("changed");
    let expected = format!("http://127.0.0.1:{taken}/mcp");
    assert_eq!(state.address.as_deref(), Some(expected.as_str()));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_traffic_is_redacted() {
    let env = TestEnv::new("the traffic");
    env.member("forge").write();
    let open = env.started().await;
    let agent = gateway(&open.hall).await;
    let mut events = HallEvents::of(&open.hall);
    let secret = json!({"text": "hello", "api_key": "sk-very-secret"});
    agent
        .ask(
            "/mcp",
            "tools/call",
            json!({"name": "forge__echo", "arguments": secret}),
        )
        .await;
    let seen = events.find("the traffic", |event| match event {
        HallEvent::TrafficSeen { exchanges } => Some(exchanges.clone()),
        _ => None,
    });
    let seen = seen.await;
    assert_eq!(seen[0].method, "tools/call");
    assert_eq!(seen[0].member.as_ref(), Some(&name("forge")));
    let shown = format!("{seen:?}");
    assert!(
        shown.contains("hello") && !shown.contains("sk-very-secret"),
        "{shown}"
    );
    assert_eq!(open.hall.gateway_traffic().await.exchanges, seen);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn binding_ends_calls_elsewhere_at_once() {
    let env = TestEnv::new("a bound token");
    let folder = env.member("forge").recorded();
    folder.write();
    let record = RecordFile::new(&folder.record_path());
    env.member("mill").write();
    let open = env.started().await;
    let options = GatewayOptions {
        tokens: Tokens::Required,
        ..ANY_PORT
    };
    let address = address(&open.hall.open_gateway(options).await);
    let request = AddAgentClient {
        name: "Cursor".into(),
        endpoints: None,
    };
    let added = open.hall.add_agent_client(request).await.expect("let in");
    let agent = HttpClient::new(&address).with_token(&added.token);
    let call = under_way(&agent, &record).await;
    let own = "/members/mill/mcp";
    let stays = {
        let agent = agent.clone();
        let params = json!({"name": "slow", "arguments": {"ms": 3_000}});
        tokio::spawn(async move { agent.ask(own, "tools/call", params).await })
    };
    let mut events = HallEvents::of(&open.hall);
    let bind = |endpoints: Option<Vec<Endpoint>>| BindAgentClient {
        client: added.client.id.clone(),
        endpoints,
    };
    let mill = Endpoint::Member {
        member: name("mill"),
    };
    let bound = open.hall.bind_agent_client(bind(Some(vec![mill.clone()])));
    let state = bound.await.expect("bound");
    assert_eq!(state.clients[0].endpoints, Some(vec![mill]));
    record.wait_for_method("notifications/cancelled").await;
    call.abort();

    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for path in ["/mcp", "/members/forge/mcp", "/members/nobody/mcp"] {
        let (status, body) = agent.post(path, &list).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}: {body}");
        let expected = format!("The token of Cursor is accepted only at {own}, not at {path}.");
        assert!(body.contains(&expected), "{body}");
    }
    let refused = events.find("the refused request", |event| match event {
        HallEvent::TrafficSeen { exchanges } => exchanges
            .iter()
            .find(|exchange| exchange.method == "POST" && exchange.client == "Cursor")
            .cloned(),
        _ => None,
    });
    let refused = refused.await;
    let error = refused.error.expect("it is refused");
    assert!(error.contains("not at /mcp"), "{error}");
    assert_eq!(refused.endpoint, Endpoint::All);
    assert_eq!(agent.post(own, &list).await.0, StatusCode::OK);
    let stayed = stays.await.expect("an answer");
    assert!(stayed.get("error").is_none(), "it is allowed: {stayed}");

    let everywhere = open.hall.bind_agent_client(bind(None));
    everywhere.await.expect("unbound");
    assert_eq!(agent.post("/mcp", &list).await.0, StatusCode::OK);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renamed_member_keeps_its_bound_clients() {
    let env = TestEnv::new("a renamed member of a token");
    env.member("forge").write();
    let open = env.started().await;
    let options = GatewayOptions {
        tokens: Tokens::Required,
        ..ANY_PORT
    };
    let address = address(&open.hall.open_gateway(options).await);
    let forge = Endpoint::Member {
        member: name("forge"),
    };
    let request = AddAgentClient {
        name: "Cursor".into(),
        endpoints: Some(vec![forge]),
    };
    let added = open.hall.add_agent_client(request).await.expect("let in");
    let agent = HttpClient::new(&address).with_token(&added.token);
    let rename = RenameMember {
        member: name("forge"),
        name: "anvil".into(),
    };
    open.hall.rename_member(rename).await.expect("renamed");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(
        agent.post("/members/anvil/mcp", &list).await.0,
        StatusCode::OK
    );
    for path in ["/members/forge/mcp", "/mcp"] {
        assert_eq!(agent.post(path, &list).await.0, StatusCode::FORBIDDEN);
    }
    open.close().await;
}
