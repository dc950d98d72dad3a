//! Messages through the gateway that are not calls: logs, changes of resources, and MCP Apps.
//! Agents and members use both protocol eras, and members use stdio and HTTP.

use guild_api::wire::{
    CallEnd, CallOutcome, Caller, HistoryFilter, InvokeTool, SearchHistory, ToolRef,
};
use guild_model::Code;
use guild_tests::{LIMIT, RecordFile};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::agent::{Agent, AgentReply, MODERN};
use crate::test_env::{Open, TestEnv, name, open_gateway, request, text, tool};

const AGENTS: [&str; 2] = ["2025-11-25", MODERN];
const NOTE: &str = "fixture://note/1";
const APPS: &str = "io.modelcontextprotocol/ui";

/// A hall with a member for each protocol era and transport, and the origin of its gateway.
struct Site {
    open: Open,
    origin: String,
    members: Vec<(&'static str, RecordFile)>,
}

async fn site(env: &TestEnv) -> Site {
    let mut members = Vec::new();
    for (name, era) in [
        ("pipe-old", "legacy"),
        ("pipe-new", "modern"),
        ("web-old", "legacy"),
        ("web-new", "modern"),
    ] {
        let folder = match name.starts_with("web") {
            // Messages outside of requests need a session.
            true => env.http(name).args(["--answer", "sse", "--sessions"]),
            false => env.member(name),
        };
        let folder = folder
            .args(["--offers", "--tells", "--era", era])
            .recorded();
        members.push((name, RecordFile::new(&folder.record_path())));
        folder.write();
    }
    let (open, origin) = opened(env).await;
    Site {
        open,
        origin,
        members,
    }
}

async fn opened(env: &TestEnv) -> (Open, String) {
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let origin = address.strip_suffix("/mcp").expect("an endpoint");
    (open, origin.to_owned())
}

fn logged(reply: &AgentReply) -> Vec<&Value> {
    let logs = |note: &&Value| note["method"] == "notifications/message";
    reply
        .notes
        .iter()
        .filter(logs)
        .map(|it| &it["params"])
        .collect()
}

/// Calls a tool that makes the member log a message during the call.
async fn log(agent: &mut Agent, level: &str, wanted: Option<&str>) -> AgentReply {
    let mut params = json!({"name": "log", "arguments": {"level": level, "text": "hot"}});
    if let Some(wanted) = wanted {
        params["_meta"]["io.modelcontextprotocol/logLevel"] = wanted.into();
    }
    let reply = agent.ask("tools/call", params).await;
    assert_eq!(text(reply.result()), "sent");
    reply
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_during_a_call_reach_its_agent() {
    let env = TestEnv::new("logs");
    let site = site(&env).await;
    for (member, record) in &site.members {
        for version in AGENTS {
            println!("agent {version}, member {member}");
            let url = format!("{}/members/{member}/mcp?mode=full", site.origin);
            let mut agent = Agent::open(url, version).await;
            let modern = version == MODERN;
            let heard = log(&mut agent, "warning", modern.then_some("info")).await;
            assert_eq!(
                logged(&heard),
                [&json!({"level": "warning", "logger": "fixture", "data": "hot"})]
            );
            if !modern {
                let set = agent.ask("logging/setLevel", json!({"level": "error"}));
                assert_eq!(*set.await.result(), json!({}));
            }
            let quiet = log(&mut agent, "warning", modern.then_some("error")).await;
            assert!(logged(&quiet).is_empty(), "{quiet:#?}");
            let loud = log(&mut agent, "alert", modern.then_some("error")).await;
            assert_eq!(logged(&loud).len(), 1);
            if modern {
                let none = log(&mut agent, "alert", None).await;
                assert!(logged(&none).is_empty(), "it asked for none: {none:#?}");
            }
        }
        let calls = record.of_method("tools/call");
        let levels: Vec<&str> = calls
            .iter()
            .filter_map(|it| {
                it["message"]["params"]["_meta"]["io.modelcontextprotocol/logLevel"].as_str()
            })
            .collect();
        let set = record.of_method("logging/setLevel");
        let set: Vec<&Value> = set
            .iter()
            .map(|it| &it["message"]["params"]["level"])
            .collect();
        if member.ends_with("old") {
            assert_eq!(set, ["error", "info"], "told only to log more");
            assert!(levels.is_empty(), "{levels:?}");
        } else {
            assert!(set.is_empty(), "{set:?}");
            let each = ["info", "error", "error", "info", "error", "error"];
            assert_eq!(levels, each, "each call says what it wants");
        }
    }
    site.open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_outside_calls_reach_leveled_sessions() {
    let env = TestEnv::new("said");
    let site = site(&env).await;
    for member in ["pipe-old", "web-old"] {
        let url = format!("{}/members/{member}/mcp?mode=full", site.origin);
        let mut listens = Agent::open(url.clone(), "2025-11-25").await;
        let mut overheard = listens.listen(&[]).await;
        let mut elsewhere = Agent::open(format!("{}/mcp", site.origin), "2025-11-25").await;
        let mut all = elsewhere.listen(&[]).await;
        listens
            .ask("logging/setLevel", json!({"level": "notice"}))
            .await;
        elsewhere
            .ask("logging/setLevel", json!({"level": "error"}))
            .await;
        let mut speaks = Agent::open(url, MODERN).await;
        for level in ["info", "notice", "critical"] {
            // This agent has set no level, so it gets no messages. Those of its calls go to other
            // agents.
            let said = json!({"level": level, "text": level});
            speaks.call("say", said).await;
        }
        for level in ["notice", "critical"] {
            let note = overheard.next().await;
            assert_eq!(note["method"], "notifications/message");
            assert_eq!(note["params"], json!({"level": level, "data": level}));
        }
        assert_eq!(all.next().await["params"]["level"], "critical");
    }
    site.open.close().await;
}

/// Waits until the member has received a request `times` times.
async fn asked(record: &RecordFile, method: &str, times: usize) {
    let asked = || (record.of_method(method).len() == times).then_some(());
    let what = format!("{times} times {method}");
    guild_tests::eventually(LIMIT, &what, asked).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watchers_of_a_resource_share_a_subscription() {
    let env = TestEnv::new("watched");
    let site = site(&env).await;
    for (member, record) in &site.members {
        println!("member {member}");
        let url = format!("{}/members/{member}/mcp?mode=full", site.origin);
        let mut agents = Vec::new();
        for version in AGENTS {
            let mut agent = Agent::open(url.clone(), version).await;
            let overheard = agent.listen(&[NOTE]).await;
            agents.push((agent, overheard));
        }
        let touch = json!({"uri": NOTE});
        agents[0]
            .0
            .call("touch", json!({"uri": "fixture://note/2"}))
            .await;
        agents[0].0.call("touch", touch.clone()).await;
        for (_, overheard) in &mut agents {
            let notification = overheard.next().await;
            assert_eq!(notification["method"], "notifications/resources/updated");
            assert_eq!(
                notification["params"]["uri"], NOTE,
                "no other resource is reported"
            );
        }
        let legacy = member.ends_with("old");
        let subscribe = if legacy {
            "resources/subscribe"
        } else {
            "subscriptions/listen"
        };
        let watches = || {
            let all = record.of_method(subscribe).into_iter();
            all.filter(|it| legacy || it["message"]["params"].to_string().contains(NOTE))
                .count()
        };
        assert_eq!(watches(), 1, "however many watch it");
        // The older agent unsubscribes. The newer one still gets notifications.
        let (mut older, _) = agents.remove(0);
        older
            .ask("resources/unsubscribe", json!({"uri": NOTE}))
            .await;
        older.call("touch", touch).await;
        assert_eq!(agents[0].1.next().await["params"]["uri"], NOTE);
        assert_eq!(record.of_method("resources/unsubscribe").len(), 0);
        agents.clear();
        if legacy {
            asked(record, "resources/unsubscribe", 1).await;
        } else {
            let over = || {
                let entries = record.entries();
                let cancelled = |it: &Value| {
                    it["message"]["method"] == "notifications/cancelled"
                        || it["event"] == "disconnected"
                };
                entries.iter().any(cancelled).then_some(())
            };
            guild_tests::eventually(LIMIT, "the end of the subscription", over).await;
        }
        assert_eq!(watches(), 1);
    }
    site.open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarted_member_gets_subscriptions_again() {
    let env = TestEnv::new("watched anew");
    let folder = env.member("forge").args(["--offers", "--tells"]).recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    let (open, origin) = opened(&env).await;
    let mut agent = Agent::open(format!("{origin}/mcp?mode=full"), "2025-11-25").await;
    let unknown = agent.ask("resources/subscribe", json!({"uri": "nobody://x"}));
    assert_eq!(unknown.await.answer["error"]["code"], -32_602);
    let mut overheard = agent.listen(&[NOTE]).await;
    asked(&record, "resources/subscribe", 1).await;
    let forge = crate::test_env::name("forge");
    open.hall.stop_member(&forge).await.expect("stopped");
    open.hall.start_member(&forge).await.expect("started");
    asked(&record, "resources/subscribe", 2).await;
    let updated = async |overheard: &mut crate::agent::Overheard| loop {
        let notification = overheard.next().await;
        if notification["method"] == "notifications/resources/updated" {
            return notification["params"]["uri"].clone();
        }
    };
    assert_eq!(
        updated(&mut overheard).await,
        NOTE,
        "it may have changed meanwhile"
    );
    agent.call("forge__touch", json!({"uri": NOTE})).await;
    assert_eq!(updated(&mut overheard).await, NOTE);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn app_is_found_at_its_address_unchanged() {
    let env = TestEnv::new("apps");
    for name in ["anvil", "forge"] {
        let folder = env.member(name).recorded();
        folder.args(["--offers", "--app", "--name", name]).write();
    }
    let (open, origin) = opened(&env).await;
    let url = format!("{origin}/mcp");
    for version in AGENTS {
        let mut agent = Agent::open(url.clone(), version).await;
        for lazy in [true, false] {
            let listed = agent.ask("tools/list", json!({"lazy": lazy})).await;
            let tools = listed.result()["tools"].as_array().expect("tools").clone();
            let shown = |name: &str| {
                let tool = tools.iter().find(|tool| tool["name"] == name);
                tool.unwrap_or_else(|| panic!("no {name}"))["_meta"]["ui"].clone()
            };
            for (name, address) in [
                ("anvil", "ui://chart/view"),
                ("forge", "ui://chart/view#member=forge"),
            ] {
                let ui = shown(&format!("{name}__chart"));
                assert_eq!(ui["visibility"], json!(["model", "app"]));
                assert_eq!(ui["resourceUri"], address);
                let read = agent.ask("resources/read", json!({"uri": address})).await;
                let html = format!("<!doctype html><title>{name}</title>\n");
                assert_eq!(
                    read.result()["contents"],
                    json!([{
                        "uri": "ui://chart/view",
                        "mimeType": "text/html;profile=mcp-app",
                        "text": html,
                        "_meta": {"ui": {"csp": {"connectDomains": []}}},
                    }])
                );
            }
        }
        let resources = agent.ask("resources/list", json!({})).await;
        let uris = resources.result()["resources"].to_string();
        for uri in ["ui://chart/view\"", "ui://chart/view#member=forge\"", NOTE] {
            assert!(uris.contains(uri), "{uri} is missing: {uris}");
        }
    }
    let own = Agent::open(format!("{origin}/members/forge/mcp?mode=full"), MODERN);
    let listed = own.await.ask("tools/list", json!({})).await;
    let listed = listed.result().to_string();
    assert!(
        listed.contains(r#""resourceUri":"ui://chart/view""#),
        "its own: {listed}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn apps_extension_is_offered_on_request() {
    let env = TestEnv::new("extension");
    let folder = env.member("forge").args(["--offers", "--app"]).recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    env.member("mill").write();
    let (open, origin) = opened(&env).await;
    let kinds = json!({"mimeTypes": ["text/html;profile=mcp-app"]});
    let declared = |start: usize| {
        let initialize = &record.of_method("initialize")[start]["message"]["params"];
        initialize["capabilities"]["extensions"][APPS].clone()
    };
    assert_eq!(declared(0), Value::Null, "no agent shows apps yet");
    for (path, asks, offered) in [
        ("/mcp", true, true),
        ("/mcp", false, false),
        ("/members/mill/mcp", true, false),
    ] {
        let client = crate::http_client::HttpClient::new(&format!("{origin}/mcp"));
        let capabilities = match asks {
            true => json!({"extensions": {APPS: kinds}}),
            false => json!({}),
        };
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities});
        let result = client.result(path, "initialize", params).await;
        let extension = &result["capabilities"]["extensions"][APPS];
        let expect = if offered { kinds.clone() } else { Value::Null };
        assert_eq!(*extension, expect, "{path}, asked for: {asks}");
    }
    let forge = crate::test_env::name("forge");
    open.hall.stop_member(&forge).await.expect("stopped");
    open.hall.start_member(&forge).await.expect("started");
    assert_eq!(declared(1), kinds, "an agent has declared it");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tool_for_apps_is_hidden_from_models() {
    let env = TestEnv::new("app only");
    env.member("forge").args(["--offers", "--app"]).write();
    let (open, origin) = opened(&env).await;
    let names = |listed: &crate::agent::AgentReply| {
        let tools = listed.result()["tools"].as_array().expect("tools");
        let names = tools.iter().map(|tool| tool["name"].as_str());
        let names = names.map(|name| name.expect("a name").to_owned());
        names
            .filter(|name| name.starts_with("forge__"))
            .collect::<Vec<_>>()
    };
    for version in AGENTS {
        for mode in ["full", "lazy", "search"] {
            let url = format!("{origin}/mcp?mode={mode}");
            let mut model = Agent::open(url.clone(), version).await;
            let listed = model.ask("tools/list", json!({})).await;
            let shown = names(&listed);
            assert!(
                !shown.contains(&"forge__redraw".to_owned()),
                "{mode}: {shown:?}"
            );
            assert_eq!(shown.is_empty(), mode == "search", "{shown:?}");
            let called = model.call("forge__redraw", json!({})).await;
            let message = called.answer["error"]["message"].to_string();
            assert!(message.contains("redraw"), "{message}");

            let mut host = Agent::open_showing_apps(url, version).await;
            let listed = host.ask("tools/list", json!({})).await;
            let shown = names(&listed);
            for name in ["forge__chart", "forge__redraw"] {
                assert!(shown.contains(&name.to_owned()), "{mode}: {shown:?}");
                let tools = listed.result()["tools"].as_array().expect("tools");
                let tool = tools.iter().find(|tool| tool["name"] == name);
                let ui = &tool.expect("listed")["_meta"]["ui"];
                assert_eq!(ui["resourceUri"], "ui://chart/view", "{mode}");
            }
            assert_eq!(shown.len() == 2, mode == "search", "{shown:?}");
            let called = host.call("forge__redraw", json!({})).await;
            assert!(called.result()["content"].is_array(), "{called:?}");
        }
        // The menu tools, which the client's model uses, do not find the tool either.
        let mut host = Agent::open_showing_apps(format!("{origin}/mcp"), version).await;
        let found = host
            .call("tools_search", json!({"task": "draw the chart again"}))
            .await;
        let found = found.result()["content"].to_string();
        assert!(found.contains("forge__chart"), "{found}");
        assert!(!found.contains("redraw"), "{found}");
        let described = host
            .call("tools_describe", json!({"name": "forge__redraw"}))
            .await;
        let described = described.result()["content"].to_string();
        assert!(!described.contains("Draws the chart again"), "{described}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn app_calls_follow_the_policies() {
    let env = TestEnv::new("app-calls");
    env.member("forge")
        .args(["--offers", "--app"])
        .manifest(json!({"tools": {"add": {"policy": "deny"}}}))
        .write();
    let (open, _) = opened(&env).await;
    let of = ToolRef {
        member: name("forge"),
        tool: tool("chart"),
    };
    let app = open.hall.tool_app(of).await.expect("the app");
    assert!(app.html.starts_with("<!doctype html>"), "{}", app.html);
    assert!(app.policy.contains("connect-src 'none'"), "{}", app.policy);
    let of = ToolRef {
        member: name("forge"),
        tool: tool("echo"),
    };
    let refused = open.hall.tool_app(of).await.expect_err("it has none");
    assert_eq!(refused.code, Code::AppUnusable);

    let call = async |request: InvokeTool| {
        let request = to_raw_value(&request).expect("JSON");
        let answer = open.hall.answer("invoke_tool_for_app", &request).await;
        let outcome: CallOutcome =
            serde_json::from_str(answer.expect("an outcome").get()).expect("an outcome");
        outcome.end
    };
    let denied = call(request("forge", "add", r#"{"a": 1, "b": 2}"#)).await;
    assert!(
        matches!(&denied, CallEnd::Failed { report, .. } if report.code == Code::ToolDenied),
        "{denied:?}"
    );
    let done = call(request("forge", "chart", "{}")).await;
    assert!(matches!(done, CallEnd::Result { .. }), "{done:?}");

    open.hall.history().settled().await.expect("written");
    let search = SearchHistory {
        filter: HistoryFilter {
            caller: Some(Caller::App),
            ..HistoryFilter::default()
        },
        before: None,
        limit: 10,
    };
    let entries = open.hall.history().search(search).await.entries;
    let tools: Vec<&str> = entries.iter().map(|entry| entry.tool.as_str()).collect();
    assert_eq!(tools, ["chart", "add"]);
    assert_eq!(entries[0].client.as_deref(), Some("App of forge"));
    open.close().await;
}
