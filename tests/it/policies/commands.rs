//! Policies with the command line, with and without a running hall, and edited by hand in
//! `gateway.json`.

use guild_model::Code;
use serde_json::{Value, json};

use super::{Hints, list, matrix_member};
use crate::agent::Gateway;
use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::test_env::{ANY_PORT, TestEnv, put_in_place};

/// Returns the entry of a tool in a list.
fn line<'a>(listed: &'a Value, tool: &str) -> &'a Value {
    let tools = listed["tools"].as_array().expect("tools");
    let found = tools.iter().find(|line| line["name"] == tool);
    found.unwrap_or_else(|| panic!("no {tool} in {listed:#}"))
}

const MELT: &str = "forge/r0_d1_o_";
const LOOK: &str = "forge/r1_d__o_";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_sets_policies_of_the_running_hall() {
    let cli = CliHarness::new("policies by command").await;
    matrix_member(&cli.env, json!({}));
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));

    let dry = [
        "tools",
        "policy",
        "set",
        "--kind",
        "destructive",
        "deny",
        "--dry-run",
        "--json",
    ];
    let dry = cli.run_beside(&dry).await.json(0);
    assert_eq!(dry["saved"], false);
    assert_eq!(dry["preview"]["unheld"], json!(["forge"]));
    let has = async |tool: &str| {
        let tools = agent.tools("/mcp").await;
        tools.iter().any(|listed| listed["name"] == tool)
    };
    assert!(has("forge__r0_d1_o_").await, "nothing was saved");

    let saved = [
        "tools",
        "policy",
        "set",
        "--kind",
        "destructive",
        "deny",
        "--json",
    ];
    let saved = cli.run_beside(&saved).await.json(0);
    assert_eq!(saved["preview"]["total"], dry["preview"]["total"]);
    assert!(!has("forge__r0_d1_o_").await, "it holds at once");
    let rules = ["tools", "policy", "--json"];
    let rules = cli.run_beside(&rules).await.json(0);
    assert_eq!(rules["rules"]["destructive"], "deny");
    let listed = ["tools", "--details", "--json"];
    let listed = cli.run_beside(&listed).await.json(0);
    let melt = line(&listed, MELT);
    assert_eq!(melt["policy"], "deny");
    assert_eq!(
        melt["policyReason"],
        json!({"kind": "rule", "class": "destructive"})
    );

    let set = ["tools", "policy", "set", MELT, LOOK, "ask"];
    let set = cli.run_beside(&set).await;
    assert_eq!(set.code, Some(0), "{set:#?}");
    assert!(
        set.stdout.contains(&format!("{MELT}  ask (set by hand)")),
        "{set:#?}"
    );
    let asks = ["tools", "--details", "--policy", "ask", "--json"];
    let asks = cli.run_beside(&asks).await.json(0);
    assert_eq!(asks["tools"].as_array().map(Vec::len), Some(2), "{asks:#}");
    let cleared = cli
        .run_beside(&["tools", "policy", "clear", MELT, LOOK])
        .await;
    assert!(
        cleared
            .stdout
            .contains("deny (the rule for destructive tools)"),
        "{cleared:#?}"
    );
    let cleared = [
        "tools",
        "policy",
        "clear",
        "--kind",
        "destructive",
        "--json",
    ];
    let cleared = cli.run_beside(&cleared).await.json(0);
    assert_eq!(cleared["rules"]["destructive"], Value::Null);
    assert!(has("forge__r0_d1_o_").await);

    let unknown = cli
        .run_beside(&["tools", "policy", "set", "forge/nothing", "ask"])
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");
    for wrong in [
        &["tools", "policy", "set", MELT, "never"][..],
        &["tools", "policy", "set", "ask"],
        &["tools", "policy", "set", "--kind", "harmless", "ask"],
        &[
            "tools",
            "policy",
            "set",
            "--kind",
            "destructive",
            MELT,
            "ask",
        ],
        &["tools", "policy", "clear"],
    ] {
        let wrong = cli.run_beside(wrong).await;
        assert_eq!(wrong.code, Some(2), "{wrong:#?}");
    }
    gateway.end(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_writes_policies_without_a_hall() {
    let cli = CliHarness::new("policies without a hall").await;
    matrix_member(&cli.env, json!({}));
    let listed = cli.run(&["tools", "--wait", "--json"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    let file = cli.env.data_dir().join("gateway.json");
    let by_hand = json!({
        "note": "mine",
        "profiles": [{"name": "desk", "members": [{"member": "forge"}], "note": "too"}],
    });
    std::fs::write(&file, by_hand.to_string()).expect("written");
    let rule = [
        "tools",
        "policy",
        "set",
        "--kind",
        "read-only",
        "ask",
        "--profile",
        "desk",
    ];
    let rule = cli.run(&rule).await;
    assert_eq!(rule.code, Some(0), "{rule:#?}");
    let own = ["tools", "policy", "set", MELT, "deny", "--profile", "desk"];
    assert_eq!(cli.run(&own).await.code, Some(0));
    let read = || -> Value {
        let text = std::fs::read_to_string(&file).expect("the file");
        serde_json::from_str(&text).expect("JSON")
    };
    let written = read();
    assert_eq!(written["note"], "mine");
    let profile = &written["profiles"][0];
    assert_eq!(profile["note"], "too");
    assert_eq!(profile["rules"]["readOnly"], "ask");
    assert_eq!(
        profile["members"][0]["changes"]["r0_d1_o_"]["policy"],
        "deny"
    );
    let listed = ["tools", "--details", "--profile", "desk", "--json"];
    let listed = cli.run(&listed).await.json(0);
    let reason = &line(&listed, LOOK)["policyReason"];
    assert_eq!(
        *reason,
        json!({"kind": "profile-rule", "class": "read-only"})
    );
    assert_eq!(line(&listed, MELT)["policyReason"]["kind"], "profile-hand");
    let listed = cli.run(&["tools", "--details", "--json"]).await.json(0);
    assert_eq!(
        line(&listed, MELT)["policy"],
        "allow",
        "elsewhere as before"
    );

    // An invalid file is neither treated as empty nor overwritten.
    let broken = "{\"rules\": {\n  \"destructve\": \"deny\"\n}}";
    std::fs::write(&file, broken).expect("written");
    for words in [
        &["tools", "policy", "set", MELT, "allow"][..],
        &["tools", "policy", "set", "--kind", "unsaid", "deny"],
        &["tools", "policy"],
        &["tools", "--details"],
    ] {
        let refused = cli.run(words).await;
        assert_eq!(refused.code, Some(2), "{refused:#?}");
        assert!(refused.stderr.contains("destructve"), "{refused:#?}");
    }
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), broken);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handwritten_rules_apply_at_once() {
    let env = TestEnv::new("rules by hand");
    matrix_member(&env, json!({}));
    let mut open = env.started().await;
    let state = open.hall.open_gateway(ANY_PORT).await;
    let agent = HttpClient::new(&state.address.expect("it listens"));
    let file = env.data_dir().join("gateway.json");
    let write = |text: &str| put_in_place(&file, text);
    let count = async || agent.tools("/mcp?mode=full").await.len();
    // The list also has `result_read`.
    let all = Hints::all().len() + 1;
    assert_eq!(count().await, all);
    write(r#"{"rules": {"destructive": "deny"}}"#);
    open.gateway_changed(|state| state.rules.destructive.is_some())
        .await;
    let held_to = count().await;
    assert!(held_to < all, "the rule holds");
    write("{\"rules\": {\n  \"destructve\": \"allow\"\n}}");
    let state = open
        .gateway_changed(|state| !state.warnings.is_empty())
        .await;
    assert_eq!(state.warnings[0].code, Code::GatewaySettings);
    assert!(
        state.warnings[0].message.contains("line 2"),
        "{:?}",
        state.warnings
    );
    assert_eq!(count().await, held_to, "the last good rules hold");
    write("{}");
    open.gateway_changed(|state| state.warnings.is_empty() && state.rules.is_empty())
        .await;
    assert_eq!(count().await, all);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claim_to_read_is_confirmed_by_command() {
    let cli = CliHarness::new("read-only by command").await;
    let tool = json!({
        "name": "send_summary",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true},
    });
    let file = list(&cli.env, "forge", &[tool]);
    let folder = cli.env.member("forge");
    folder
        .args(["--tools-json", &file.display().to_string()])
        .write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));
    let hint = async || {
        let tools = agent.tools("/mcp").await;
        let found = tools
            .iter()
            .find(|tool| tool["name"] == "forge__send_summary");
        found.expect("listed")["annotations"]["readOnlyHint"].clone()
    };
    const TOOL: &str = "forge/send_summary";

    let listed = cli
        .run_beside(&["tools", "--details", "--json"])
        .await
        .json(0);
    assert_eq!(line(&listed, TOOL)["readOnlyClaim"], "doubted");
    assert_eq!(line(&listed, TOOL)["class"], "destructive");
    let listed = cli.run_beside(&["tools", "--details"]).await;
    assert!(listed.stdout.contains("says otherwise"), "{listed:#?}");
    assert_eq!(hint().await, false);

    let unknown = cli
        .run_beside(&["tools", "policy", "read-only", "forge/none"])
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");
    let confirmed = cli
        .run_beside(&["tools", "policy", "read-only", TOOL])
        .await;
    assert!(
        confirmed.stdout.contains("confirmed to only read"),
        "{confirmed:#?}"
    );
    let listed = cli
        .run_beside(&["tools", "--details", "--json"])
        .await
        .json(0);
    assert_eq!(line(&listed, TOOL)["class"], "read-only");
    assert_eq!(hint().await, true);
    let back = ["tools", "policy", "read-only", TOOL, "--clear", "--json"];
    let back = cli.run_beside(&back).await.json(0);
    assert_eq!(line(&back, TOOL)["readOnlyClaim"], "doubted");
    assert_eq!(hint().await, false);
    gateway.end(&cli).await;
}
