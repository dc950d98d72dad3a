//! Tests `guildhall add discovered` with a separate home folder.

use guild_tests::fixture_bin;
use rustix::process::Signal;
use serde_json::json;

use super::{fixture, servers};
use crate::guildhall::Ended;
use crate::test_env::text;
use crate::user::{AtHome, put};

/// Writes a fixture server with a token into Cursor's file.
fn has_fixture(user: &AtHome) {
    let entry = fixture(
        &user.cli.env.nonce,
        json!({"env": {"API_TOKEN": "planted-in-the-file"}}),
    );
    let file = user.home.path().join(".cursor/mcp.json");
    put(&file, &servers(json!({"bench": entry})).to_string());
}

#[tokio::test]
async fn the_command_line_lists_asks_and_adopts_by_itself() {
    let user = AtHome::new("found-cli").await;
    has_fixture(&user);
    let listed = user.cli.ended(user.command(&["add", "discovered"])).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    assert!(
        listed.stdout.contains(&fixture_bin().display().to_string()),
        "{listed:#?}"
    );
    assert!(listed.stdout.contains("API_TOKEN=•••"), "{listed:#?}");
    assert!(!format!("{listed:?}").contains("planted"), "{listed:#?}");

    let unasked = user
        .cli
        .ended(user.command(&["add", "discovered", "bench"]))
        .await;
    assert_eq!(unasked.code, Some(2), "{unasked:#?}");
    assert!(
        unasked.stderr.contains("--stdio"),
        "what it would run is shown: {unasked:#?}"
    );
    assert!(unasked.stderr.contains("--yes"), "{unasked:#?}");
    assert!(!user.cli.env.members_dir().join("bench").exists());
    let unknown = user
        .cli
        .ended(user.command(&["add", "discovered", "nobody", "--yes"]))
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");

    let adopted = user
        .cli
        .ended(user.command(&["add", "discovered", "--all", "--yes", "--json"]))
        .await;
    let adopted = adopted.json(0);
    assert_eq!(adopted["each"][0]["end"]["member"], "bench");
    assert_eq!(
        adopted["each"][0]["end"]["secrets"],
        json!(["bench/API_TOKEN"])
    );
    let call = [
        "call",
        "bench",
        "env",
        "--args",
        r#"{"name": "API_TOKEN"}"#,
        "--json",
    ];
    let called = user.cli.ended(user.command(&call)).await.json(0);
    assert_eq!(text(&called), "planted-in-the-file");
    let listed = user
        .cli
        .ended(user.command(&["add", "discovered", "--json"]))
        .await
        .json(0);
    assert_eq!(
        listed["servers"][0]["state"],
        json!({"kind": "adopted", "member": "bench"})
    );
}

#[tokio::test]
async fn tokens_are_masked_and_kept_whatever_holds_them() {
    let user = AtHome::new("found-tokens").await;
    let token = "ntn_12345678901abcdefghijklmnopqrstuvwxyz012345abc";
    let lark = "9fK2xQ7bLm3NpR5tVw8YzA1cD4eF6gH0";
    let headers = format!(r#"{{"Authorization": "Bearer {token}", "Notion-Version": "1"}}"#);
    let entry = fixture(
        &user.cli.env.nonce,
        json!({
            "env": {"NOTION": token, "OPENAPI_MCP_HEADERS": headers},
        }),
    );
    let file = user.home.path().join(".cursor/mcp.json");
    let other = json!({
        "command": "npx",
        "args": ["-y", "@larksuiteoapi/lark-mcp", "mcp", "-a", "cli_1", "-s", lark],
    });
    let entries = json!({"bench": entry, "lark": other});
    put(&file, &servers(entries).to_string());
    for words in [
        &["add", "discovered"][..],
        &["add", "discovered", "--json"],
        &["add", "discovered", "bench"],
        &["add", "discovered", "lark"],
    ] {
        let shown = user.cli.ended(user.command(words)).await;
        let text = format!("{}{}", shown.stdout, shown.stderr);
        assert!(
            !text.contains(token) && !text.contains(lark),
            "{words:?}: {text}"
        );
        let is_list = words.iter().all(|word| !["bench", "lark"].contains(word));
        assert!(!is_list || text.contains("Notion-Version"), "{text}");
    }
    let adopted = user
        .cli
        .ended(user.command(&["add", "discovered", "bench", "--yes", "--json"]))
        .await;
    assert_eq!(adopted.code, Some(0), "{adopted:#?}");
    let manifest = user.cli.env.members_dir().join("bench/plugin.json");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    assert!(!text.contains(token), "{text}");
    assert!(text.contains("Bearer ${secret:bench/"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&manifest)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let call = async |name: &str| {
        let arguments = json!({ "name": name }).to_string();
        let words = ["call", "bench", "env", "--args", &arguments, "--json"];
        user.cli.ended(user.command(&words)).await
    };
    assert_eq!(text_of(&call("OPENAPI_MCP_HEADERS").await), headers);
    assert_eq!(text_of(&call("NOTION").await), token);
}

fn text_of(ended: &Ended) -> String {
    text(&ended.json(0)).to_owned()
}

#[tokio::test]
async fn inputs_come_from_a_file_without_a_terminal() {
    let user = AtHome::new("found-inputs").await;
    let entry = fixture(
        &user.cli.env.nonce,
        json!({"env": {"ASKED_KEY": "${input:key}"}}),
    );
    let inputs = json!([{"id": "key", "type": "promptString", "password": true}]);
    put(
        &user.home.path().join(".config/Code/User/mcp.json"),
        &json!({"inputs": inputs, "servers": {"asks": entry}}).to_string(),
    );
    // A server that two files list under different names is found by each name.
    put(
        &user.home.path().join(".config/Code/User/settings.json"),
        &json!({"mcp": {"inputs": inputs, "servers": {"alias": entry}}}).to_string(),
    );
    let adopt = ["add", "discovered", "asks", "--yes"];
    for words in [["add", "discovered", "alias", "--yes"], adopt] {
        let without = user.cli.ended(user.command(&words)).await;
        assert_eq!(without.code, Some(2), "{without:#?}");
        assert!(without.stderr.contains("adoption-refused"), "{without:#?}");
        assert!(without.stderr.contains("called alias"), "{without:#?}");
    }

    let given = user.home.path().join("given.json");
    put(&given, "{\"key\": \"planted-by-a-person\"}");
    let mut command = user.command(&adopt);
    command.arg("--inputs").arg(&given);
    let adopted = user.cli.ended(command).await;
    assert_eq!(adopted.code, Some(0), "{adopted:#?}");
    assert!(adopted.stderr.contains("asks/key"), "{adopted:#?}");
    assert!(!format!("{adopted:?}").contains("planted"), "{adopted:#?}");
    let call = [
        "call",
        "asks",
        "env",
        "--args",
        r#"{"name": "ASKED_KEY"}"#,
        "--json",
    ];
    let called = user.cli.ended(user.command(&call)).await.json(0);
    assert_eq!(text(&called), "planted-by-a-person");
}

#[tokio::test]
async fn a_hall_that_runs_adopts_for_the_command_line() {
    let user = AtHome::new("found-beside").await;
    has_fixture(&user);
    let mut serving = user.serve();
    serving.line().await.expect("it serves");

    let adopted = user
        .command(&["add", "discovered", "bench", "--yes", "--json"])
        .output()
        .await;
    let adopted = adopted.expect("guildhall runs");
    assert!(adopted.status.success(), "{adopted:?}");
    serving
        .line_where("that it is started there", |line| {
            let member = &line["event"]["member"];
            member["name"] == "bench" && member["status"] == "ready"
        })
        .await;
    serving.signal(Signal::TERM);
    serving.ended(&user.cli).await;
}
