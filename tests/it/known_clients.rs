//! Clients that differ from the protocol, or change the names that the gateway lists.

use guild_api::event::HallEvent;
use guild_api::wire::{SaveProfile, SetToolPolicies, ToolPolicy};
use guild_model::ToolName;
use guild_model::manifest::Policy;
use guild_model::policy::PolicyRules;
use guild_model::profile::{MountedMember, Profile, ProfileName, ToolChoice};
use guild_model::status::Status;
use guild_tests::RecordFile;
use serde_json::{Value, json};

use crate::agent::{Agent, Gateway, MODERN};
use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::test_env::{HallEvents, Open, TestEnv, name, open_gateway, text};

/// Adds the member to a profile without a prefix in the names of its tools.
async fn mounted_without_prefix(open: &Open, member: &str) {
    let profile = Profile {
        name: ProfileName::parse("desk").expect("a name"),
        listing: None,
        result_tokens: None,
        rules: PolicyRules::default(),
        members: vec![MountedMember {
            member: name(member),
            without_prefix: true,
            tools: ToolChoice::All,
            offers: guild_model::profile::ToolChoice::All,
            changes: Default::default(),
        }],
    };
    let request = SaveProfile {
        profile,
        instead_of: None,
    };
    open.hall.save_profile(request).await.expect("saved");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_of_a_template_reaches_its_member() {
    let env = TestEnv::new("templates");
    let folder = env.member("forge").args(["--offers"]).recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    let open = env.started().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    mounted_without_prefix(&open, "forge").await;
    let uris = ["fixture://note/99999", "fixture://logs/x/at?year=2026"];
    for path in ["/mcp", "/profiles/desk/mcp"] {
        for uri in uris {
            let answer = agent.ask(path, "resources/read", json!({"uri": uri})).await;
            assert_eq!(answer["error"]["data"]["uri"], uri, "{answer}");
        }
        let listed = agent.ask(path, "resources/read", json!({"uri": "fixture://note/1"}));
        let listed = listed.await;
        assert_eq!(listed["result"]["contents"][0]["uri"], "fixture://note/1");
    }
    let read = record.of_method("resources/read");
    let read: Vec<&str> = read
        .iter()
        .filter_map(|it| it["message"]["params"]["uri"].as_str())
        .collect();
    let each = [uris[0], uris[1], "fixture://note/1"];
    assert_eq!(read, [each, each].concat(), "the addresses, no templates");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_of_a_profile_follow_its_prefixes() {
    let env = TestEnv::new("prompts");
    env.member("forge").args(["--offers"]).write();
    let open = env.started().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    mounted_without_prefix(&open, "forge").await;
    for (path, prompt) in [("/mcp", "forge__plain"), ("/profiles/desk/mcp", "plain")] {
        let listed = agent.result(path, "prompts/list", json!({})).await;
        let prompts = listed["prompts"].as_array().expect("prompts");
        assert!(prompts.iter().any(|it| it["name"] == prompt), "{listed}");
        let got = agent.result(path, "prompts/get", json!({"name": prompt}));
        assert!(got.await["messages"].is_array());
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_as_a_model_sees_it_is_understood() {
    let env = TestEnv::new("seen names");
    env.member("my-forge").write();
    let open = env.started().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let arguments = json!({"a": 20, "b": 22});
    for seen in [
        "mcp__guild-hall__my-forge__add",
        "mcp_guild-hall_my-forge__add",
        "guild-hall_my-forge__add",
        "my_forge__add",
        "mcp_guild_hall_my_forge__add",
    ] {
        let one = agent.call("/mcp", "tools_describe", json!({"name": seen}));
        let one = one.await;
        assert_eq!(one["structuredContent"]["name"], "my-forge__add", "{one}");
        let names = json!({"names": [seen]});
        let batch = agent.call("/mcp", "tools_describe_batch", names).await;
        let first = &batch["structuredContent"]["tools"][0];
        assert_eq!(first["name"], "my-forge__add", "{batch}");
        let by_menu = json!({"name": seen, "arguments": arguments});
        let answer = agent.call("/mcp", "tools_call_write", by_menu).await;
        assert_eq!(text(&answer), "42", "{seen}");
        let answer = agent.call("/mcp", seen, arguments.clone()).await;
        assert_eq!(text(&answer), "42", "{seen}");
    }
    let other = json!({"name": "mill__my-forge__add"});
    let other = agent.call("/mcp", "tools_describe", other).await;
    assert_eq!(other["isError"], true, "another server's: {other}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn added_client_fields_are_dropped_and_noted() {
    let env = TestEnv::new("added fields");
    let folder = env.member("forge").recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    for version in ["2025-11-25", MODERN] {
        let mut events = HallEvents::of(&open.hall);
        let url = address.clone();
        let mut gemini = Agent::open_as(url, version, "gemini-cli-mcp-client").await;
        let described = json!({"name": "forge__add", "wait_for_previous": true});
        let described = gemini.call("tools_describe", described).await;
        assert!(
            described.result().get("isError").is_none(),
            "{described:#?}"
        );
        let arguments = json!({"a": 1, "b": 2, "wait_for_previous": false});
        let sum = gemini.call("forge__add", arguments.clone()).await;
        assert_eq!(text(sum.result()), "3");
        assert_eq!(sum.result()["structuredContent"], json!({}));
        let sent = record.of_method("tools/call").pop().expect("the call");
        assert_eq!(
            sent["message"]["params"]["arguments"],
            json!({"a": 1, "b": 2})
        );
        let noted = events.find("the note", |event| match event {
            HallEvent::TrafficSeen { exchanges } => exchanges
                .iter()
                .find(|it| it.member.is_some() && it.method == "tools/call")
                .cloned(),
            _ => None,
        });
        assert_eq!(noted.await.dropped, ["wait_for_previous"]);

        let mut other = Agent::open(address.clone(), version).await;
        let refused = json!({"name": "forge__add", "wait_for_previous": true});
        let refused = other.call("tools_describe", refused).await;
        assert_eq!(refused.result()["isError"], true, "no other client adds it");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_closes_schemas_gets_the_menu() {
    let env = TestEnv::new("closed schemas");
    env.member("forge").write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    for (query, count) in [("", Some(4)), ("?mode=lazy", None)] {
        let url = format!("{address}{query}");
        let mut agent = Agent::open_as(url, "2025-11-25", "opencode").await;
        let listed = agent.ask("tools/list", json!({})).await;
        let tools = listed.result()["tools"].as_array().expect("tools").clone();
        let is_listed = |tool: &str| tools.iter().any(|it| it["name"] == tool);
        assert_eq!(is_listed("tools_call_write"), count.is_some(), "{query}");
        assert_eq!(is_listed("forge__add"), count.is_none(), "{query}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_without_listed_tools_is_waited_for() {
    let env = TestEnv::new("not known yet");
    env.member("forge").args(["--boot-ms", "200"]).write();
    env.member("mill").write();
    let open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let task = json!({"task": "add two numbers"});
    let found = agent.call("/mcp", "tools_search", task).await;
    let unknown = &found["structuredContent"]["notKnownYet"];
    assert_eq!(*unknown, json!(["forge", "mill"]), "{found}");
    let near = json!({"name": "anvil__add"});
    let near = agent.call("/mcp", "tools_describe", near).await;
    assert!(text(&near).contains("forge, mill"), "{near}");
    assert_eq!(open.view("forge").status, Status::Stopped);

    let seen = json!({"name": "mcp__guild-hall__forge__add"});
    let described = agent.call("/mcp", "tools_describe", seen).await;
    let own = &described["structuredContent"]["name"];
    assert_eq!(own, "forge__add", "{described}");
    assert_eq!(open.view("forge").status, Status::Ready);
    assert_eq!(open.view("mill").status, Status::Stopped);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_that_timed_out_is_named_and_started() {
    let env = TestEnv::new("timed out and not known");
    let forge = env.http("forge");
    let server = guild_tests::fixture_bin().display().to_string();
    let go = env.data_dir().join("go").display().to_string();
    let script = r#"[ -e "$0" ] && exec "$@"; exec sleep 100"#;
    forge
        .manifest(json!({
            "command": "sh", "args": ["-c", script, go, server, "--port", "${PORT}"],
            "timeouts": {"start_ms": 3_000},
        }))
        .write();
    let mut open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let _started = open.hall.start_all();
    let error = open.status("forge", Status::Error).await.error;
    assert_eq!(error.expect("why").code, guild_model::Code::StartTimeout);
    let task = json!({"task": "add two numbers"});
    let found = agent.call("/mcp", "tools_search", task).await;
    let unknown = &found["structuredContent"]["notKnownYet"];
    assert_eq!(*unknown, json!(["forge"]), "{found}");

    std::fs::write(&go, "").expect("written");
    let seen = json!({"name": "forge__add"});
    let described = agent.call("/mcp", "tools_describe", seen).await;
    let own = &described["structuredContent"]["name"];
    assert_eq!(own, "forge__add", "{described}");
    assert_eq!(open.view("forge").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_starts_members_it_names_and_no_others() {
    let env = TestEnv::new("named in a search");
    env.member("blue-forge").args(["--boot-ms", "200"]).write();
    env.member("mill").write();
    let open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let task = json!({"task": "add two numbers with Blue Forge"});
    let found = agent.call("/mcp", "tools_search", task).await;
    let tools = &found["structuredContent"]["tools"];
    assert_eq!(tools[0]["name"], "blue-forge__add", "{found}");
    let unknown = &found["structuredContent"]["notKnownYet"];
    assert_eq!(*unknown, json!(["mill"]), "{found}");
    assert_eq!(open.view("mill").status, Status::Stopped);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_waits_for_members_that_start() {
    let env = TestEnv::new("a search while members start");
    let go = env.data_dir().join("go");
    let held = go.display().to_string();
    env.member("forge").args(["--hold-until", &held]).write();
    let never = env.data_dir().join("never").display().to_string();
    env.member("mill").args(["--hold-until", &never]).write();
    let mut open = env.open().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let _started = open.hall.start_all();
    for member in ["forge", "mill"] {
        open.status(member, Status::Starting).await;
    }
    let task = json!({"task": "add two numbers"});
    let search = agent.call("/mcp", "tools_search", task);
    // The search ends at the member that has a matching tool. It does not wait for the other
    // member, which never lists its tools.
    let begun = async { std::fs::write(&go, "").expect("written") };
    let (found, ()) = tokio::join!(search, begun);
    let tools = &found["structuredContent"]["tools"];
    assert_eq!(tools[0]["name"], "forge__add", "{found}");
    let unknown = &found["structuredContent"]["notKnownYet"];
    assert_eq!(*unknown, json!(["mill"]), "{found}");
    open.close().await;
}

/// Tools with schemas that some clients reject. Each has its name, the schema from its member, the
/// schema for all clients, and the schema for clients that reject a choice at the top level.
const ODD: [(&str, &str, &str, &str); 4] = [
    (
        "booleans",
        r#"{"type":"object","properties":{"whatever":true,"never":false},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"whatever":{},"never":{"not":{}}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"whatever":{},"never":{"not":{}}},"additionalProperties":false}"#,
    ),
    (
        "empty",
        "{}",
        r#"{"type":"object"}"#,
        r#"{"type":"object"}"#,
    ),
    (
        "choice",
        r#"{"oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"at":{"type":"number"}},"required":["at"]}],"type":"object"}"#,
        r#"{"oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"at":{"type":"number"}},"required":["at"]}],"type":"object"}"#,
        r#"{"type":"object","properties":{"id":{"type":"string"},"at":{"type":"number"}}}"#,
    ),
    (
        "plain",
        r#"{"title":"Plain","type":"object","properties":{"z":{"type":"integer"},"a":{"minimum":1.50}}}"#,
        r#"{"title":"Plain","type":"object","properties":{"z":{"type":"integer"},"a":{"minimum":1.5}}}"#,
        r#"{"title":"Plain","type":"object","properties":{"z":{"type":"integer"},"a":{"minimum":1.5}}}"#,
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_schemas_have_equivalents_unless_raw_is_asked_for() {
    let env = TestEnv::new("odd schemas");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let file = env.data_dir().join("tools.json");
    let tools = ODD.map(|(name, own, _, _)| format!(r#"{{"name":"{name}","inputSchema":{own}}}"#));
    std::fs::write(&file, format!("[{}]", tools.join(","))).expect("written");
    let file = file.display().to_string();
    env.member("forge").args(["--tools-json", &file]).write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    for (client, query, form) in [
        ("agent", "mode=full", 1),
        ("codex-mcp-client", "mode=full", 2),
        ("agent", "mode=full&schemas=raw", 0),
        ("codex-mcp-client", "mode=full&schemas=raw", 0),
    ] {
        for version in ["2025-11-25", MODERN] {
            let url = format!("{address}?{query}");
            let mut agent = Agent::open_as(url, version, client).await;
            let listed = agent.ask("tools/list", json!({})).await;
            let tools = listed.result()["tools"].as_array().expect("tools");
            for (name, own, taken, flat) in ODD {
                let tool = tools
                    .iter()
                    .find(|it| it["name"] == format!("forge__{name}"));
                let schema = tool.expect("the tool")["inputSchema"].to_string();
                let own: Value = serde_json::from_str(own).expect("JSON");
                let expected = [own.to_string().as_str(), taken, flat][form].to_owned();
                assert_eq!(schema, expected, "{client} {query}");
            }
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_resource_can_not_be_watched() {
    let env = TestEnv::new("denied resources");
    let forge = env.member("forge").recorded();
    let record = RecordFile::new(&forge.record_path());
    forge.args(["--offers", "--tells"]).write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let policy = async |policy| {
        let tool = ToolName::parse("template:fixture://note/{number}").expect("a name");
        let of = ToolPolicy {
            member: name("forge"),
            tool,
            policy,
        };
        let request = SetToolPolicies {
            profile: None,
            tools: vec![of],
        };
        open.hall.set_tool_policies(request).await.expect("set");
    };
    let note = json!({"uri": "fixture://note/2"});
    for path in ["/mcp", "/members/forge/mcp"] {
        let url = address.replace("/mcp", path);
        let mut older = Agent::open(url.clone(), "2025-11-25").await;
        let mut newer = Agent::open(url, MODERN).await;
        policy(Some(Policy::Deny)).await;
        let watching = record.of_method("resources/subscribe").len();
        for method in ["resources/read", "resources/subscribe"] {
            let refused = older.ask(method, note.clone()).await.answer;
            assert_eq!(refused["error"]["data"]["code"], "tool-denied", "{refused}");
        }
        let (_, watched) = newer.watch(&["fixture://note/2"]).await;
        assert_eq!(watched, Value::Null, "{path}: none is acknowledged");
        assert_eq!(record.of_method("resources/subscribe").len(), watching);
        policy(None).await;
        let taken = older.ask("resources/subscribe", note.clone()).await;
        assert_eq!(*taken.result(), json!({}), "{path}");
        newer.listen(&["fixture://note/2"]).await;
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_of_the_call_asks_without_window() {
    let env = TestEnv::new("asked by the client");
    env.member("forge")
        .manifest(json!({"tools": {"add": {"policy": "ask"}}}))
        .write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let allow = |allow: bool| json!({"action": "accept", "content": {"allow": allow}});
    let arguments = json!({"a": 20, "b": 22});
    for version in ["2025-11-25", MODERN] {
        for (answer, expected) in [
            (allow(true), "42"),
            (allow(false), "The user denied this call"),
            (json!({"action": "decline"}), "The user denied this call"),
            (json!({"action": "cancel"}), "The user denied this call"),
        ] {
            let url = address.clone();
            let mut agent =
                Agent::open_answering(url, version, "agent", Some(answer.clone())).await;
            let called = agent.call("forge__add", arguments.clone()).await;
            let said = called.answer.to_string();
            assert!(said.contains(expected), "{version} {answer}: {called:#?}");
            let [question] = called.questions.as_slice() else {
                panic!("one question: {called:#?}");
            };
            let message = question["message"].as_str().unwrap_or_default();
            for part in ["call add of forge", &arguments.to_string()] {
                assert!(message.contains(part), "{message}");
            }
            let schema = &question["requestedSchema"];
            assert_eq!(schema["required"], json!(["allow"]), "{question}");
        }
        // No command line can reach this hall, and this client does not support questions.
        let mut mute = Agent::open_answering(address.clone(), version, "agent", None).await;
        let refused = mute.call("forge__add", arguments.clone()).await;
        assert!(refused.questions.is_empty());
        let said = refused.answer.to_string();
        assert!(said.contains("approval-missing"), "{refused:#?}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_of_members_lose_their_prefixes() {
    let env = TestEnv::new("prefixed errors");
    env.member("forge").write();
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let message = "MCP error -32603: MCP error 7: the anvil broke";
    let arguments = json!({"code": -32000, "message": message});
    for version in ["2025-11-25", MODERN] {
        let url = address.replace("/mcp", "/members/forge/mcp");
        let mut agent = Agent::open(url, version).await;
        let refused = agent.call("rpc_error", arguments.clone()).await.answer;
        let said = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(said.contains("the anvil broke"), "{refused}");
        assert!(!said.contains("MCP error"), "{refused}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_asks_is_decided_by_the_command_line() {
    let cli = CliHarness::new("approvals").await;
    let forge = cli.env.member("forge");
    forge
        .manifest(json!({"tools": {"add": {"policy": "ask"}}}))
        .write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    for (decision, expected) in [("approve", "42"), ("deny", "The user denied this call")] {
        let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));
        let call = json!({"name": "forge__add", "arguments": {"a": 20, "b": 22}});
        let calling =
            tokio::spawn(async move { agent.ask("/mcp", "tools/call", call).await.to_string() });
        let asked = |line: &Value| line["event"]["kind"] == "approval_asked";
        let line = gateway.running.line_where("the question", asked).await;
        let listed = cli.run_beside(&["approvals", "--json"]).await.json(0);
        let waiting = &listed["approvals"][0];
        assert_eq!(waiting["tool"], "add", "{listed}");
        assert_eq!(waiting["id"], line["event"]["approval"]["id"], "{line}");
        let id = waiting["id"].as_str().expect("an id");
        let decided = cli.run_beside(&["approvals", decision, id]).await;
        assert_eq!(decided.code, Some(0), "{decided:#?}");
        let answer = calling.await.expect("no panic");
        assert!(answer.contains(expected), "{answer}");
    }
    let none = cli.run_beside(&["approvals", "--json"]).await.json(0);
    assert_eq!(none["approvals"], json!([]));
    gateway.end(&cli).await;
}
