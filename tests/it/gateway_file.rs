//! Edits `gateway.json` by hand while the gateway runs.

use guild_model::Code;

use crate::http_client::HttpClient;
use crate::test_env::{TestEnv, open_gateway, put_in_place};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_gateway_file_applies_at_once() {
    let env = TestEnv::new("gateway.json by hand");
    env.member("forge").write();
    let mut open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let agent = HttpClient::new(&address);
    let has_add =
        |tools: Vec<serde_json::Value>| tools.iter().any(|tool| tool["name"] == "forge__add");
    assert!(has_add(agent.tools("/mcp").await));

    let file = env.data_dir().join("gateway.json");
    let write = |text: &str| put_in_place(&file, text);

    write(r#"{"listing": "full", "policies": {"forge": {"add": "deny"}}}"#);
    let state = open
        .gateway_changed(|state| state.listing == guild_model::endpoint::Listing::Full)
        .await;
    assert!(state.warnings.is_empty(), "{:?}", state.warnings);
    assert_eq!(
        state.address.as_deref(),
        Some(address.as_str()),
        "it listens as before"
    );
    assert!(!has_add(agent.tools("/mcp").await), "the policy holds");

    write("{\n  \"policies\": {\n    \"forge\": {\"add\": \"alow\"}\n  }\n}");
    let state = open
        .gateway_changed(|state| !state.warnings.is_empty())
        .await;
    let [warning] = &state.warnings[..] else {
        panic!("{:?}", state.warnings);
    };
    assert_eq!(warning.code, Code::GatewaySettings);
    assert!(warning.message.contains("line 3"), "{warning}");
    let hint = "agents could then call tools that you denied";
    assert!(warning.hint.contains(hint), "{warning}");
    assert!(
        !has_add(agent.tools("/mcp").await),
        "the last good settings hold"
    );

    write("{}");
    let state = open
        .gateway_changed(|state| state.warnings.is_empty())
        .await;
    assert_eq!(state.listing, guild_model::endpoint::Listing::default());
    assert!(has_add(agent.tools("/mcp").await), "the mended file holds");
    open.close().await;
}
