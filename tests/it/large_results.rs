//! Results that are too large for a model. They are cut for agents, which read the rest with
//! `result_read`.

use guild_api::wire::{AddAgentClient, SaveProfile};
use guild_engine::{GatewayOptions, Tokens};
use guild_model::policy::PolicyRules;
use guild_model::profile::{MountedMember, Profile, ProfileName, ToolChoice};
use serde_json::{Value, json};

use crate::agent::{Agent, MODERN};
use crate::http_client::HttpClient;
use crate::test_env::{ANY_PORT, Open, TestEnv, name, open_gateway, text};

/// The number of characters in the long text.
const CHARS: usize = 300_000;

/// Returns a text of lines with at least [`CHARS`] characters.
fn long_text() -> String {
    let mut text = String::new();
    for line in 0.. {
        if text.chars().count() >= CHARS {
            break;
        }
        text.push_str(&format!(
            "Line {line} of a long report, größer than usual.\n"
        ));
    }
    text
}

/// Returns a hall with a member that answers with the long text, and with any content.
async fn opened(test: &str) -> (TestEnv, Open) {
    let env = TestEnv::new(test);
    env.member("forge")
        .args(["--output-schema", r#"{"type":"object"}"#])
        .file("test-file.txt", long_text())
        .write();
    let open = env.started().await;
    (env, open)
}

async fn save_profile(open: &Open, profile: &str, result_tokens: u32) {
    let profile = Profile {
        name: ProfileName::parse(profile).expect("a name"),
        listing: None,
        result_tokens: Some(result_tokens),
        rules: PolicyRules::default(),
        members: vec![MountedMember {
            member: name("forge"),
            without_prefix: false,
            tools: ToolChoice::All,
            offers: ToolChoice::All,
            changes: Default::default(),
        }],
    };
    let request = SaveProfile {
        profile,
        instead_of: None,
    };
    open.hall.save_profile(request).await.expect("saved");
}

/// Returns the arguments for `result_read` in the note of a cut result.
fn reading(result: &Value) -> Value {
    let blocks = result["content"].as_array().expect("blocks");
    let note = blocks.last().expect("a note")["text"]
        .as_str()
        .expect("text");
    let (_, call) = note.split_once("Call result_read with ").expect("a call");
    let (arguments, _) = call.split_once(" to read on").expect("arguments");
    serde_json::from_str(arguments).expect("JSON")
}

/// Returns the number after `Continue with offset` in the note of a part.
fn next(part: &Value) -> Option<u64> {
    let note = part["content"][1]["text"].as_str().expect("a note");
    let (_, rest) = note.split_once("Continue with offset ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn has_tool(listed: &Value, tool: &str) -> bool {
    let tools = listed["tools"].as_array().expect("tools");
    tools.iter().any(|one| one["name"] == tool)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_text_is_cut_and_read_in_every_mode() {
    let (_env, open) = opened("a long text").await;
    let address = open_gateway(&open.hall).await;
    save_profile(&open, "small", 10_000).await;
    let origin = address.strip_suffix("/mcp").expect("an address");
    let whole = long_text();
    for (path, by_menu, limit) in [
        ("/mcp", false, 25_000),
        ("/mcp?mode=search", true, 25_000),
        ("/members/forge/mcp?mode=full", false, 25_000),
        ("/profiles/small/mcp", false, 10_000),
    ] {
        for version in ["2025-06-18", MODERN] {
            let mut agent = Agent::open(format!("{origin}{path}"), version).await;
            let listed = agent.ask("tools/list", json!({})).await;
            assert!(has_tool(listed.result(), "result_read"), "{path}");
            let tool = match path.starts_with("/members") {
                true => "read_test_file",
                false => "forge__read_test_file",
            };
            let called = match by_menu {
                true => agent.call("tools_call_write", json!({"name": tool})).await,
                false => agent.call(tool, json!({})).await,
            };
            let cut = called.result().clone();
            let mut read = text(&cut).to_owned();
            // A token of this text has about four characters.
            assert!(
                (limit..limit * 6).contains(&read.len()),
                "{path}: {}",
                read.len()
            );
            let mut arguments = reading(&cut);
            let mut pages = 0;
            loop {
                let part = agent.call("result_read", arguments.clone()).await;
                let part = part.result();
                assert_ne!(part["isError"], true, "{path}: {part}");
                let page = text(part);
                assert!(page.len() < limit * 6, "{path}: {}", page.len());
                read.push_str(page);
                pages += 1;
                match next(part) {
                    Some(next) => arguments["offset"] = next.into(),
                    None => break,
                }
            }
            assert!(
                read == whole,
                "{path} {version}: {} {}",
                read.len(),
                whole.len()
            );
            assert!(pages > 1, "{path}: {pages}");
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_json_is_outlined_and_read_in_parts() {
    let (_env, open) = opened("large JSON").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let items: Vec<Value> = (0..6_000)
        .map(|id| json!({"id": id, "name": format!("part {id}"), "price": 1.5}))
        .collect();
    let data = json!({"items": items, "total": 6_000});
    let cut = agent.call("/mcp", "forge__echo", data.clone()).await;
    assert_eq!(cut.get("structuredContent"), None);
    let blocks = cut["content"].as_array().expect("blocks");
    let note = blocks[1]["text"].as_str().expect("a note");
    assert!(note.contains("\n/items: array of 6,000\n"), "{note}");
    assert!(
        note.contains("\n/items/0/name: string, 6 characters\n"),
        "{note}"
    );
    let handle = &reading(&cut)["handle"];
    let part = |more: Value| {
        let mut arguments = json!({"handle": handle});
        for (key, value) in more.as_object().expect("fields") {
            arguments[key] = value.clone();
        }
        agent.call("/mcp", "result_read", arguments)
    };
    let slice = part(json!({"pointer": "/items", "offset": 5_000, "limit": 2})).await;
    let slice: Value = serde_json::from_str(text(&slice)).expect("JSON");
    assert_eq!(slice, json!(items[5_000..5_002]));
    let value = part(json!({"pointer": "/items/77/name"})).await;
    assert_eq!(text(&value), "part 77");
    let found = part(json!({"search": "\"PART 59[0-9]{2}\"", "regex": true})).await;
    assert!(
        found["content"][1]["text"]
            .as_str()
            .expect("a note")
            .starts_with("0 of 0")
    );
    let found = part(json!({"search": "PART 5999", "context": 10})).await;
    assert!(text(&found).contains("\"name\":\"part 5999\""), "{found}");
    let wrong = part(json!({"pointer": "/item"})).await;
    assert_eq!(wrong["isError"], true);
    assert!(text(&wrong).contains("Its keys: items, total."), "{wrong}");
    let uncut = agent.call("/mcp", "forge__echo", json!({"a": 1})).await;
    assert_eq!(uncut["structuredContent"], json!({"a": 1}));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_blocks_are_listed_and_pictures_stay() {
    let (_env, open) = opened("many blocks").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let mut content: Vec<Value> = (0..2_000)
        .map(|at| json!({"type": "text", "text": format!("{{\"block\":{at},\"words\":\"{}\"}}", "word ".repeat(20))}))
        .collect();
    let picture = json!({"type": "image", "data": "A".repeat(200_000), "mimeType": "image/png"});
    content.insert(1, picture.clone());
    let small = json!({"content": [picture]});
    let same = agent.call("/mcp", "forge__promise", small.clone()).await;
    assert_eq!(same, small, "a picture has no tokens");
    let cut = agent
        .call("/mcp", "forge__promise", json!({ "content": content }))
        .await;
    let blocks = cut["content"].as_array().expect("blocks");
    assert_eq!(blocks[..2], content[..2]);
    assert!(blocks.len() < 1_500, "{}", blocks.len());
    let note = blocks[blocks.len() - 1]["text"].as_str().expect("a note");
    assert!(note.contains("2,001 blocks:"), "{note}");
    assert!(note.contains("\n1: image, 200,0"), "{note}");
    let handle = reading(&cut)["handle"].clone();
    let arguments = json!({"handle": handle, "pointer": "/1999/block"});
    let part = agent.call("/mcp", "result_read", arguments).await;
    assert_eq!(text(&part), "1999");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unlimited_profile_gets_whole_results() {
    let (_env, open) = opened("no limit").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    save_profile(&open, "whole", 0).await;
    let listed = |path: &'static str| agent.result(path, "tools/list", json!({"lazy": false}));
    let schema_of = |listed: &Value| {
        let tools = listed["tools"].as_array().expect("tools");
        let promise = tools.iter().find(|tool| tool["name"] == "forge__promise");
        promise.expect("the tool").get("outputSchema").cloned()
    };
    let whole = listed("/profiles/whole/mcp").await;
    assert!(!has_tool(&whole, "result_read"));
    assert_eq!(schema_of(&whole), Some(json!({"type": "object"})));
    let limited = listed("/mcp").await;
    assert!(has_tool(&limited, "result_read"));
    assert_eq!(schema_of(&limited), None, "a cut result would not fit it");
    let path = "/profiles/whole/mcp";
    let result = agent.call(path, "forge__read_test_file", json!({})).await;
    assert!(text(&result) == long_text());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handle_is_for_its_client_and_endpoint() {
    let (env, open) = opened("handles").await;
    let options = GatewayOptions {
        tokens: Tokens::Required,
        ..ANY_PORT
    };
    let state = open.hall.open_gateway(options).await;
    let client = HttpClient::new(&state.address.expect("it listens"));
    let mut tokens = Vec::new();
    for name in ["one", "two"] {
        let request = AddAgentClient {
            name: name.into(),
            endpoints: None,
        };
        let added = open.hall.add_agent_client(request).await.expect("added");
        tokens.push(added.token);
    }
    let [one, two] = [0, 1].map(|at| client.clone().with_token(&tokens[at]));
    let cut = one.call("/mcp", "forge__read_test_file", json!({})).await;
    let arguments = reading(&cut);
    let refusal = async |agent: &HttpClient, path: &str, handle: &Value| {
        let part = agent
            .call(path, "result_read", json!({ "handle": handle }))
            .await;
        assert_eq!(part["isError"], true, "{part}");
        text(&part).to_owned()
    };
    let handle = arguments["handle"].clone();
    for (agent, path) in [(&two, "/mcp"), (&one, "/members/forge/mcp")] {
        let message = refusal(agent, path, &handle).await;
        assert!(message.contains("another client or endpoint"), "{message}");
    }
    let guessed = handle
        .as_str()
        .expect("text")
        .split_once('-')
        .expect("two parts");
    let guessed = json!(format!("{}-0000000000000000", guessed.0));
    for unknown in [guessed, json!("m0123456789abcdef"), json!("x")] {
        let message = refusal(&one, "/mcp", &unknown).await;
        assert!(message.contains("No result has this handle"), "{message}");
    }
    let message = refusal(&one, "/mcp", &json!("r999999-0000000000000000")).await;
    assert!(message.contains("no longer keeps this result"), "{message}");
    open.close().await;

    let open = env.open().await;
    let state = open.hall.open_gateway(options).await;
    let client = HttpClient::new(&state.address.expect("it listens"));
    let part = client
        .with_token(&tokens[0])
        .call("/mcp", "result_read", arguments)
        .await;
    let rest = text(&part);
    assert!(
        rest.len() > 1_000 && long_text().contains(rest),
        "after a restart"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unrecorded_result_is_read_from_memory() {
    let (_env, open) = opened("unrecorded results").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let cut = agent
        .call("/mcp", "forge__large", json!({"bytes": 4 << 20}))
        .await;
    let blocks = cut["content"].as_array().expect("blocks");
    let note = blocks[1]["text"].as_str().expect("a note");
    assert!(note.contains("until Guild Hall ends"), "{note}");
    let mut arguments = reading(&cut);
    arguments["offset"] = ((4 << 20) - 5).into();
    let part = agent.call("/mcp", "result_read", arguments).await;
    assert_eq!(text(&part), "xxxxx");
    open.close().await;
}
