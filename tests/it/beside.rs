//! Commands beside a hall that runs: one that hangs, and one with a place of its own.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::guildhall::{Desk, guildhall_bin};

/// A hall is given 5 s for its first byte; the rest is what a loaded machine takes for a command.
const GIVEN_UP: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hung_hall_keeps_no_command_waiting() {
    let desk = Desk::new("a hung hall").await;
    desk.house.member("forge").write();
    let mut serve = desk.start(&["serve", "--gateway-port", "0"]);
    serve
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    serve.signal(Signal::STOP);
    let begun = Instant::now();
    let listed = desk.run_beside(&["--json", "list"]).await;
    assert!(begun.elapsed() < GIVEN_UP, "{:?}", begun.elapsed());
    assert!(listed.stderr.contains("does not answer"), "{listed:#?}");
    let listed = listed.json(0);
    assert_eq!(listed["members"][0]["name"], "forge", "{listed:#}");
    for words in [
        &["tools"][..],
        &["catalog"],
        &["history"],
        &["settings"],
        &["policy"],
        &["found"],
        &["logs", "forge"],
        &["bundle", "--list"],
    ] {
        let begun = Instant::now();
        let ended = desk.run_beside(words).await;
        assert_eq!(ended.code, Some(0), "{words:?} {ended:#?}");
        assert!(
            begun.elapsed() < GIVEN_UP,
            "{words:?} {:?}",
            begun.elapsed()
        );
    }
    let called = desk.run_beside(&["--json", "call", "forge", "echo"]).await;
    let refused = called.json(4);
    assert_eq!(refused["error"]["code"], "hall-unreachable", "{refused:#}");
    let examined = desk.run_beside(&["--json", "doctor"]).await;
    let examined: Value = serde_json::from_str(&examined.stdout).expect("JSON");
    let findings = examined["findings"].as_array().expect("findings");
    let silent = findings
        .iter()
        .find(|finding| finding["subject"] == "Guild Hall");
    assert_eq!(
        silent.expect("it is found")["verdict"],
        "problem",
        "{examined:#}"
    );
    serve.signal(Signal::CONT);
    serve.signal(Signal::TERM);
    serve.ended(&desk).await;
}

/// `guildhall` in the data folder alone, without a members' folder.
fn in_data(desk: &Desk, words: &[&str]) -> Command {
    let mut command = desk.bare(words);
    command.arg("--data").arg(desk.house.data_dir());
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_takes_members_and_port_of_the_hall() {
    let desk = Desk::new("beside a hall").await;
    desk.house.member("forge").write();
    let mut serve = desk.start(&["serve", "--gateway-port", "0", "--no-token"]);
    serve
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    let listed = desk
        .output(in_data(&desk, &["--json", "list"]))
        .await
        .json(0);
    let names: Vec<&Value> = listed["members"]
        .as_array()
        .expect("members")
        .iter()
        .map(|member| &member["name"])
        .collect();
    assert_eq!(names, ["forge"]);
    assert!(!desk.house.data_dir().join("guild-members").exists());

    // The gateway is at a port that only the hall knows.
    let opening = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"}}});
    let script = format!(
        "printf '%s\\n' '{opening}' | {} connect --mode search --data {}",
        guildhall_bin().display(),
        desk.house.data_dir().display(),
    );
    let mut connect = Command::new("sh");
    connect.args(["-c", &script]);
    let connected = desk.output(connect).await;
    assert_eq!(connected.code, Some(0), "{connected:#?}");
    assert!(
        connected.stdout.contains("protocolVersion"),
        "{connected:#?}"
    );

    // The files are those that the caller's environment names, and not the hall's.
    let home = desk.house.data_dir().join("caller");
    let codex = home.join("codex");
    std::fs::create_dir_all(&codex).expect("made");
    let mut export = in_data(
        &desk,
        &[
            "--json", "export", "codex", "--mode", "full", "--write", "--yes",
        ],
    );
    export.env("HOME", &home).env("CODEX_HOME", &codex);
    let written = desk.output(export).await.json(0);
    let file = codex.join("config.toml");
    assert_eq!(written["path"], file.display().to_string());
    let text = std::fs::read_to_string(&file).expect("written");
    assert!(text.contains("/mcp?mode=full"), "{text}");
    serve.signal(Signal::TERM);
    serve.ended(&desk).await;
}
