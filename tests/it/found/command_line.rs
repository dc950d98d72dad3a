//! `guildhall found` and `guildhall adopt`, by a user with a home of their own.

use guild_tests::{LIMIT, fixture_bin};
use serde_json::{Value, json};

use super::{fixture, put, servers};
use crate::guildhall::Desk;
use crate::house::text;

/// A desk whose user has a home of their own.
pub(crate) struct AtHome {
    pub(crate) desk: Desk,
    pub(crate) home: tempfile::TempDir,
}

impl AtHome {
    pub(crate) async fn new(test: &str) -> Self {
        let desk = Desk::new(test).await;
        let home = tempfile::tempdir().expect("a home");
        Self { desk, home }
    }

    pub(crate) fn command(&self, words: &[&str]) -> tokio::process::Command {
        let mut command = self.desk.command(words);
        command
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path().join(".config"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            // No keychain of whoever runs the tests.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
        command
    }

    fn has_fixture(&self) {
        let entry = fixture(
            &self.desk.house.nonce,
            json!({"env": {"API_TOKEN": "planted-in-the-file"}}),
        );
        let file = self.home.path().join(".cursor/mcp.json");
        put(&file, &servers(json!({"bench": entry})).to_string());
    }
}

#[tokio::test]
async fn the_command_line_lists_asks_and_adopts_by_itself() {
    let user = AtHome::new("found-cli").await;
    user.has_fixture();
    let listed = user.desk.ended(user.command(&["found"])).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    assert!(
        listed.stdout.contains(&fixture_bin().display().to_string()),
        "{listed:#?}"
    );
    assert!(listed.stdout.contains("API_TOKEN=•••"), "{listed:#?}");
    assert!(!format!("{listed:?}").contains("planted"), "{listed:#?}");

    let unasked = user.desk.ended(user.command(&["adopt", "bench"])).await;
    assert_eq!(unasked.code, Some(2), "{unasked:#?}");
    assert!(
        unasked.stderr.contains("--stdio"),
        "what it would run is shown: {unasked:#?}"
    );
    assert!(unasked.stderr.contains("--yes"), "{unasked:#?}");
    assert!(!user.desk.house.members_dir().join("bench").exists());
    let unknown = user
        .desk
        .ended(user.command(&["adopt", "nobody", "--yes"]))
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");

    let adopted = user
        .desk
        .ended(user.command(&["adopt", "--all", "--yes", "--json"]))
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
    let called = user.desk.ended(user.command(&call)).await.json(0);
    assert_eq!(text(&called), "planted-in-the-file");
    let listed = user
        .desk
        .ended(user.command(&["found", "--json"]))
        .await
        .json(0);
    assert_eq!(
        listed["servers"][0]["state"],
        json!({"kind": "adopted", "member": "bench"})
    );
}

#[tokio::test]
async fn what_a_file_asks_a_person_for_comes_from_a_file_where_nobody_is_there() {
    let user = AtHome::new("found-inputs").await;
    let entry = fixture(
        &user.desk.house.nonce,
        json!({"env": {"ASKED_KEY": "${input:key}"}}),
    );
    let inputs = json!([{"id": "key", "type": "promptString", "password": true}]);
    put(
        &user.home.path().join(".config/Code/User/mcp.json"),
        &json!({"inputs": inputs, "servers": {"asks": entry}}).to_string(),
    );
    let adopt = ["adopt", "asks", "--yes"];
    let without = user.desk.ended(user.command(&adopt)).await;
    assert_eq!(without.code, Some(2), "{without:#?}");
    assert!(without.stderr.contains("adoption-refused"), "{without:#?}");

    let given = user.home.path().join("given.json");
    put(&given, "{\"key\": \"planted-by-a-person\"}");
    let mut command = user.command(&adopt);
    command.arg("--inputs").arg(&given);
    let adopted = user.desk.ended(command).await;
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
    let called = user.desk.ended(user.command(&call)).await.json(0);
    assert_eq!(text(&called), "planted-by-a-person");
}

#[tokio::test]
async fn a_hall_that_runs_adopts_for_the_command_line() {
    let user = AtHome::new("found-beside").await;
    user.has_fixture();
    let mut serving = user.command(&["serve", "--gateway-port", "0"]);
    let mut serving = serving.spawn().expect("guildhall runs");
    let mut lines = {
        use tokio::io::AsyncBufReadExt;
        tokio::io::BufReader::new(serving.stdout.take().expect("its stdout")).lines()
    };
    let first = tokio::time::timeout(LIMIT, lines.next_line()).await;
    first.expect("in time").expect("UTF-8").expect("it serves");

    let adopted = user
        .command(&["adopt", "bench", "--yes", "--json"])
        .output()
        .await;
    let adopted = adopted.expect("guildhall runs");
    assert!(adopted.status.success(), "{adopted:?}");
    let ready = async {
        loop {
            let line = lines.next_line().await.expect("UTF-8").expect("it serves");
            let event: Value = serde_json::from_str(&line).expect("JSON");
            let member = &event["event"]["member"];
            if member["name"] == "bench" && member["status"] == "ready" {
                return;
            }
        }
    };
    tokio::time::timeout(LIMIT, ready)
        .await
        .expect("it is started there");
    let pid = i32::try_from(serving.id().expect("it runs")).expect("a pid");
    let pid = rustix::process::Pid::from_raw(pid).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("sent");
    let ended = tokio::time::timeout(LIMIT, serving.wait()).await;
    ended.expect("it ends").expect("it is ours to wait for");
    user.desk.nothing_left();
}
