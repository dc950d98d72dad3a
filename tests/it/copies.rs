//! Calls that are copied as text. Each test runs the copied text.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use guild_api::wire::{Copied, CopyAs, CopyForm};
use guild_engine::{GuildHallOptions, LockMode};
use guild_model::holder::HallRole;
use guild_model::{Code, ToolName};
use guild_tests::RecordFile;
use serde_json::{Value, json};

use crate::guildhall::{ALL_PORTS, guildhall_bin};
use crate::test_env::{Open, TestEnv, name, text};

/// Arguments with all characters that a shell or JSON could misread.
const ODD: &str = r#"{"quote":"it's \"so\"","lines":"a\nb\r\n\tc","bang":"!! !x","dollar":"$HOME `id` $(id)","backslash":"\\n \\","script":"日本語 🦀 ذهب","dash":"-n","percent":"%s%%","big":9007199254740993,"none":null,"deep":{"z":[1.5,{"a":[]}]}}"#;

async fn copied(open: &Open, member: &str, arguments: &str, form: CopyForm) -> Copied {
    let asked = CopyAs {
        member: name(member),
        tool: ToolName::parse("echo").expect("a name"),
        arguments: arguments.into(),
        form,
    };
    open.hall.copy_as(asked).await.expect("a text")
}

/// Runs the text with `sh`, as if it was pasted.
async fn run(script: String, path: Option<&Path>) -> Output {
    let own = std::env::var("PATH").unwrap_or_default();
    let path = path.map_or_else(|| own.clone(), |path| format!("{}:{own}", path.display()));
    let work = tokio::task::spawn_blocking(move || {
        let mut sh = Command::new("sh");
        sh.args(["-eu", "-c", &script]).env("PATH", path);
        sh.stdin(Stdio::null()).output().expect("sh runs")
    });
    let output = work.await.expect("it ends");
    assert!(output.status.success(), "{output:#?}");
    output
}

/// Returns the result from the output of `curl`: JSON, or a stream of events.
fn answer(output: &Output) -> Value {
    let printed = String::from_utf8_lossy(&output.stdout);
    let json = printed
        .lines()
        .map(|line| line.strip_prefix("data:").unwrap_or(line).trim())
        .find(|line| line.starts_with('{'));
    let json = json.unwrap_or_else(|| panic!("no JSON in {printed:?}"));
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn curl_script_makes_the_call() {
    for (args, pin) in [
        (&["--answer", "json"][..], None),
        (&["--answer", "sse", "--sessions"], None),
        (
            &["--answer", "sse", "--sessions", "--no-get"],
            Some("2025-06-18"),
        ),
        (&["--answer", "json", "--era", "modern"], None),
        (&["--answer", "sse", "--era", "both"], Some("2026-07-28")),
    ] {
        let env = TestEnv::new("curl");
        let folder = env
            .http("forge")
            .args(args.iter().copied())
            .manifest(json!({"protocol_version": pin}))
            .recorded();
        let record = RecordFile::new(&folder.record_path());
        folder.write();
        let open = env.started().await;
        let copied = copied(&open, "forge", ODD, CopyForm::Curl).await;
        assert_eq!(copied.note, None);
        let answer = answer(&run(copied.text.clone(), None).await);
        let result = &answer["result"];
        let sent: Value = serde_json::from_str(ODD).expect("JSON");
        assert_eq!(
            result["structuredContent"], sent,
            "{args:?}\n{}",
            copied.text
        );
        let entries = record.entries();
        // Leaves out the requests of the hall, which is also connected to the member.
        let curls = |entry: &&Value| {
            let agent = entry["headers"]["user-agent"].as_str();
            agent.is_some_and(|agent| agent.starts_with("curl/"))
        };
        let by_curl: Vec<_> = entries.iter().filter(curls).collect();
        let methods: Vec<_> = by_curl
            .iter()
            .filter_map(|entry| entry["message"]["method"].as_str())
            .collect();
        if pin == Some("2026-07-28") || args.contains(&"modern") {
            assert_eq!(methods, ["tools/call"], "no handshake");
        } else {
            let handshake = ["initialize", "notifications/initialized", "tools/call"];
            assert_eq!(methods, handshake);
            let version = pin.unwrap_or("2025-11-25");
            let headers = by_curl
                .iter()
                .map(|e| &e["headers"]["mcp-protocol-version"]);
            let headers: Vec<_> = headers.collect();
            assert_eq!(
                headers[0].as_str(),
                pin,
                "pinned, it stands on the first too"
            );
            assert!(
                headers[1..].iter().all(|header| *header == version),
                "{headers:?}"
            );
            let session = args.contains(&"--sessions");
            let last = by_curl.last().expect("a request");
            assert_eq!(last["method"] == "DELETE", session, "a session is closed");
            assert_eq!(last["headers"]["mcp-session-id"].is_string(), session);
        }
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_curl_script_carries_arguments_longer_than_a_word_may_be() {
    let env = TestEnv::new("curl, long");
    env.http("forge").write();
    let open = env.started().await;
    let long = "END-OF-MESSAGE 'x' \\ ".repeat(20_000);
    let arguments = json!({"long": long}).to_string();
    let copied = copied(&open, "forge", &arguments, CopyForm::Curl).await;
    let script = env.members_dir().join("call.sh");
    std::fs::write(&script, &copied.text).expect("written");
    let answer = answer(&run(format!(". {}", script.display()), None).await);
    assert_eq!(answer["result"]["structuredContent"]["long"], long);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pipe_member_has_a_note_instead_of_curl() {
    let env = TestEnv::new("no curl");
    env.member("pipes").write();
    env.http("down").write();
    let open = env.open().await;
    for (member, why) in [("pipes", "uses stdio"), ("down", "start it first")] {
        let copied = copied(&open, member, "{}", CopyForm::Curl).await;
        assert_eq!(copied.text, "");
        assert!(
            copied.note.is_some_and(|note| note.contains(why)),
            "{member}"
        );
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_line_makes_the_same_call() {
    let _ports = ALL_PORTS.read().await;
    let env = TestEnv::new("a command line");
    env.member("forge").write();
    // Runs the copied text beside the app, with the same data folder.
    let app = GuildHallOptions {
        tenure: LockMode::Serve(HallRole::App),
        ..env.options()
    };
    let open = env.open_with(app).await;
    let copied = copied(&open, "forge", ODD, CopyForm::Guildhall).await;
    assert_eq!(copied.note, None);
    let bin = guildhall_bin().parent().expect("its folder");
    let output = run(copied.text, Some(bin)).await;
    let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
    let sent: Value = serde_json::from_str(ODD).expect("JSON");
    assert_eq!(result["structuredContent"], sent);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_line_tells_on_stderr_that_nobody_was_asked() {
    let env = TestEnv::new("nobody at the command line");
    env.member("asker").args(["--asks"]).write();
    let data = env.data_dir();
    let members = env.members_dir();
    let bin = guildhall_bin();
    let script = format!(
        "{} --members {} --data {} call asker ask",
        bin.display(),
        members.display(),
        data.display()
    );
    let output = run(script, None).await;
    let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
    assert_eq!(text(&result), r#"[{"action":"cancel"}]"#);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("elicitation-unanswered"), "{stderr}");
    assert!(stderr.contains("Which colour?"), "{stderr}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_and_a_clients_config_say_what_the_member_is() {
    let env = TestEnv::new("messages and configs");
    env.member("forge")
        .env("FORGE_TOKEN", "plain")
        .env("LEVEL", "${secret:LEVEL}")
        .write();
    let open = env.open().await;
    let message = copied(&open, "forge", ODD, CopyForm::JsonRpc).await;
    let read: Value = serde_json::from_str(&message.text).expect("JSON");
    assert_eq!(
        (&read["jsonrpc"], &read["method"]),
        (&json!("2.0"), &json!("tools/call"))
    );
    assert_eq!(
        read["params"]["arguments"].to_string(),
        ODD,
        "order and digits are kept"
    );
    let config = copied(&open, "forge", "{}", CopyForm::ClientConfig).await;
    let read: Value = serde_json::from_str(&config.text).expect("JSON");
    let entry = &read["mcpServers"]["forge"];
    assert_eq!(entry["args"], json!(["--stdio"]));
    assert_eq!(entry["env"]["FORGE_TOKEN"], "${secret:FORGE_TOKEN}");
    assert_eq!(entry["env"]["LEVEL"], "${secret:LEVEL}");
    assert!(
        config
            .note
            .is_some_and(|note| note.contains("Secrets are left out"))
    );
    let asked = CopyAs {
        member: name("forge"),
        tool: ToolName::parse("echo").expect("a name"),
        arguments: "[1]".into(),
        form: CopyForm::JsonRpc,
    };
    let refused = open.hall.copy_as(asked).await.expect_err("no object");
    assert_eq!(refused.code, Code::ArgumentsNotJson);
    open.close().await;
}
