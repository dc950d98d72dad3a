//! Terminal output makes characters visible that hide text or change its direction. JSON output has
//! the original text.

use super::*;
use crate::agent::Gateway;
use crate::import::servers;
use crate::user::{AtHome, put};

/// A character that reverses the direction of text, and one that starts a terminal command.
const HIDDEN: [char; 2] = ['\u{202E}', '\u{1B}'];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminal_shows_what_texts_hide() {
    let cli = CliHarness::new("hidden characters").await;
    let env = &cli.env;
    let text = "Reads a\u{202E}gnp.exe \u{1B}[2Jfile";
    let tools = Tools::of(env, "forge", &json!([described("echo", text)]));
    let forge = env.member("forge").args(tools.args());
    forge.args(["--stderr-line", text]).write();
    let waited = cli.run(&["tools", "--wait"]).await;
    assert_eq!(waited.code, Some(0), "{waited:#?}");
    let shell = ["add", "--look", "--", "npx", text];
    foreign(env, "sly").args([text]).write();
    for words in [
        &["tools"][..],
        &["tools", "--details"],
        &["review", "sly"],
        &["tools", "describe", "forge", "echo"],
        &["logs", "forge"],
        &shell,
    ] {
        let ended = cli.run(words).await;
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:#?}");
        assert!(ended.stdout.contains("⟨U+202E⟩"), "{words:?}: {ended:#?}");
        for printed in [&ended.stdout, &ended.stderr] {
            assert!(!printed.contains(HIDDEN), "{words:?}: {printed:?}");
        }
    }
    let asked = cli.run(&["review", "sly", "--accept"]).await;
    assert_eq!(asked.code, Some(2), "nobody said yes: {asked:#?}");
    shows_hidden(&asked);
    for words in [
        &["--json", "tools"][..],
        &["--json", "tools", "describe", "forge", "echo"],
    ] {
        let ended = cli.run(words).await;
        assert!(!ended.stdout.contains(HIDDEN), "{words:?}: {ended:#?}");
        let value = ended.json(0).to_string();
        assert!(
            value.contains("Reads a\u{202E}gnp.exe"),
            "{words:?}: {value}"
        );
    }
}

/// Checks that text before a question has no hidden characters, but shows a mark in their place.
fn shows_hidden(asked: &Ended) {
    assert!(asked.stderr.contains("⟨U+202E⟩"), "{asked:#?}");
    assert!(!asked.stderr.contains(HIDDEN), "{asked:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adoption_shows_what_commands_hide() {
    let user = AtHome::new("a hidden adoption").await;
    let entry = json!({"command": "npx", "args": ["a\u{202E}gnp.exe", "\u{1B}[2J"]});
    let file = user.home.path().join(".cursor/mcp.json");
    put(&file, &servers(json!({ "sly": entry })).to_string());
    let asked = user
        .cli
        .ended(user.command(&["add", "discovered", "sly"]))
        .await;
    assert_eq!(asked.code, Some(2), "nobody said yes: {asked:#?}");
    shows_hidden(&asked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn approvals_show_what_arguments_hide() {
    let cli = CliHarness::new("hidden approvals").await;
    let ask = json!({"tools": {"echo": {"policy": "ask"}}});
    cli.env.member("forge").manifest(ask).write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let agent = HttpClient::new(&format!("{}/mcp", gateway.origin));
    let arguments = json!({"text": "a\u{202E}gnp.exe \u{1B}[2J"});
    let call = json!({"name": "forge__echo", "arguments": arguments});
    let calling = tokio::spawn(async move { agent.ask("/mcp", "tools/call", call).await });
    let asked = |line: &Value| line["event"]["kind"] == "approval_asked";
    let line = gateway.running.line_where("the question", asked).await;
    let listed = cli.run_beside(&["approvals"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    assert!(listed.stdout.contains("⟨U+202E⟩"), "{listed:#?}");
    assert!(!listed.stdout.contains(HIDDEN), "{listed:#?}");
    let id = line["event"]["approval"]["id"].as_str().expect("an id");
    let decided = cli.run_beside(&["approvals", "deny", id]).await;
    assert_eq!(decided.code, Some(0), "{decided:#?}");
    calling.await.expect("no panic");
    gateway.end(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_shows_what_log_lines_hide() {
    let cli = CliHarness::new("hidden log lines").await;
    let text = "reads a\u{202E}gnp.exe";
    let line = format!("line: {text}");
    cli.env
        .member("forge")
        .args(["--stderr-line", &line])
        .write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let arguments = json!({"text": format!("note: {text}")}).to_string();
    let called = cli
        .run_beside(&["call", "forge", "log", "--args", &arguments])
        .await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    let shown = |said: &str| {
        let mut starts = ["line: ", "note: "].iter();
        starts.all(|start| said.contains(&format!("{start}reads a⟨U+202E⟩gnp.exe")))
    };
    let said = gateway.running.said_where("both are logged", shown).await;
    assert!(!said.contains(HIDDEN), "{said:?}");
    gateway.end(&cli).await;
}
