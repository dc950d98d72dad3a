//! Members' stderr and the program's own log, on the disk.

use std::path::PathBuf;

use guild_api::event::HallEvent;
use guild_api::wire::{LogFilter, ReadMemberLog};
use guild_tests::{LIMIT, RecordFile, eventually, processes_of, wait_for};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::guildhall::{CliHarness, Running};
use crate::test_env::{TestEnv, name, text};

/// A secret that may only be in the file for secrets.
const PLANTED: &str = "planted-5e1f0a77c3d94b62";

fn logs(cli: &CliHarness) -> PathBuf {
    cli.env.data_dir().join("logs")
}

fn keep_secret(cli: &CliHarness) {
    use std::os::unix::fs::PermissionsExt;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("the data folder");
    let file = data.join("secrets.json");
    std::fs::write(&file, json!({"FORGE": PLANTED}).to_string()).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("private");
}

async fn serving(cli: &CliHarness, member: &str) -> Running {
    let mut running = cli.start(&["serve", "--no-gateway"]);
    running
        .line_where("the member is ready", |line| {
            line["event"]["member"]["name"] == member
                && line["event"]["member"]["status"] == "ready"
        })
        .await;
    running
}

/// Parses each line of a command's output as JSON.
fn values(stdout: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).expect("JSON");
    stdout.lines().map(read).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stderr_survives_the_program_and_holds_no_secret() {
    let cli = CliHarness::new("logs").await;
    keep_secret(&cli);
    let line = format!("began with {PLANTED} in hand");
    cli.env
        .member("forge")
        .env("FORGE_KEY", "${secret:FORGE}")
        .args(["--stderr-line", &line])
        .write();
    let running = serving(&cli, "forge").await;
    let emit = r#"{"text":"the hammer falls"}"#;
    let called = cli
        .run_beside(&["call", "forge", "emit_stderr", "--args", emit])
        .await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    let file = logs(&cli).join("forge.log");
    eventually(LIMIT, "the line is in the file", || {
        let text = std::fs::read_to_string(&file).ok()?;
        text.contains("the hammer falls").then_some(())
    })
    .await;
    running.signal(Signal::KILL);
    running.gone().await;
    let left = || processes_of(&cli.env.nonce).is_empty().then_some(());
    eventually(LIMIT, "its members are gone with it", left).await;

    let own = std::fs::read_to_string(logs(&cli).join("guild-hall.log"));
    assert!(own.is_ok(), "the program keeps a log of its own: {own:?}");
    for entry in std::fs::read_dir(logs(&cli)).expect("listed") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(!text.contains(PLANTED), "{}: {text}", path.display());
    }

    // Without a running program, the command shows the stored lines. The next run appends to them.
    let shown = cli
        .run(&["--json", "logs", "forge", "--grep", "HAMMER"])
        .await;
    let found = values(&shown.stdout);
    assert_eq!(found.len(), 1, "{shown:#?}");
    assert_eq!(found[0]["text"], "the hammer falls");
    assert_eq!(found[0]["start"], 1);
    let again = cli
        .run(&["call", "forge", "emit_stderr", "--args", emit])
        .await;
    assert_eq!(again.code, Some(0), "{again:#?}");
    let second = cli.run(&["--json", "logs", "forge", "--start", "2"]).await;
    let numbers: Vec<_> = values(&second.stdout)
        .iter()
        .map(|line| line["seq"].as_u64())
        .collect();
    assert!(numbers.is_sorted() && numbers.len() >= 2, "{second:#?}");
    assert!(
        numbers[0] > found[0]["seq"].as_u64(),
        "numbers go on: {numbers:?}"
    );
    let plain = cli.run(&["logs", "forge", "-n", "1"]).await;
    assert!(plain.stdout.contains("-- start 2 --"), "{plain:#?}");

    let unknown = cli.run(&["logs", "smithy"]).await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path).expect("it is there");
    metadata.permissions().mode() & 0o777
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_header_of_a_command_is_in_no_log() {
    let cli = CliHarness::new("a secret header").await;
    keep_secret(&cli);
    let forge = cli.env.http("forge").args(["--bearer", PLANTED]);
    let forge = forge.recorded();
    let record = RecordFile::new(&forge.record_path());
    forge
        .manifest(json!({"headers": {"Authorization": "Bearer ${secret:FORGE}"}}))
        .write();
    let mut command = cli.command(&["serve", "--no-gateway"]);
    command.env("GUILD_HALL_LOG", "trace");
    let mut running = cli.started(command);
    running.all_up(&["forge"]).await;
    let added = [
        "--json",
        "call",
        "forge",
        "add",
        "--args",
        r#"{"a":1,"b":2}"#,
    ];
    let called = cli.run_beside(&added).await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    let sent = record.of_method("tools/call").pop().expect("the call");
    let header = format!("Bearer {PLANTED}");
    assert_eq!(sent["headers"]["authorization"], header.as_str());
    running.signal(Signal::TERM);
    let ended = running.ended(&cli).await;
    assert!(!ended.stderr.contains(PLANTED), "{}", ended.stderr);
    for entry in std::fs::read_dir(logs(&cli)).expect("listed") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a log");
        assert!(!text.contains(PLANTED), "{}: {text}", path.display());
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_sink_of_the_own_log_has_a_secret() {
    let cli = CliHarness::new("own-log").await;
    keep_secret(&cli);
    let plain = "plain-in-the-manifest-1";
    let from_outside = "from-the-environment-1";
    cli.env
        .member("forge")
        .env("FORGE_KEY", "${secret:FORGE}")
        .env("API_KEY", plain)
        .env("OTHER", "${env:SOME_VALUE}")
        .args(["--stderr-line", &format!("{plain} {from_outside}")])
        .write();
    let mut command = cli.command(&["serve", "--no-gateway"]);
    // The log has all messages of all libraries, and the lines of members.
    command
        .env("GUILD_HALL_LOG", "trace")
        .env("SOME_VALUE", from_outside);
    let mut running = cli.started(command);
    running.all_up(&["forge"]).await;
    for secret in [PLANTED, plain, from_outside] {
        let data = format!("Authorization: Bearer {secret}, {}", json!({"a": secret}));
        let arguments = json!({"level": "error", "text": data}).to_string();
        let called = cli
            .run_beside(&["call", "forge", "log", "--args", &arguments])
            .await;
        assert_eq!(called.code, Some(0), "{called:#?}");
    }
    let file = logs(&cli).join("guild-hall.log");
    eventually(LIMIT, "what the server logged is in the log", || {
        let text = std::fs::read_to_string(&file).ok()?;
        (text.matches("Authorization: Bearer •••").count() >= 3).then_some(())
    })
    .await;
    running.signal(Signal::TERM);
    let ended = running.ended(&cli).await;
    let text = std::fs::read_to_string(&file).expect("a log");
    for secret in [PLANTED, plain, from_outside] {
        assert!(!text.contains(secret), "the log has {secret}: {text}");
        assert!(
            !ended.stderr.contains(secret),
            "stderr has {secret}: {}",
            ended.stderr
        );
    }
    assert!(ended.stderr.contains("•••"), "{}", ended.stderr);

    assert_eq!(mode(&cli.env.data_dir()), 0o700);
    for lock in ["hall.lock", "secrets.lock"] {
        let lock = cli.env.data_dir().join(lock);
        assert!(!lock.exists() || mode(&lock) == 0o600, "{}", lock.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn program_follows_a_log_until_it_is_stopped() {
    let cli = CliHarness::new("logs --follow").await;
    cli.env
        .member("forge")
        .args(["--stderr-line", "at the start"])
        .write();
    let serve = serving(&cli, "forge").await;
    let mut follow = cli.start(&["--json", "logs", "forge", "--follow"]);
    follow
        .line_where("the past", |line| line["text"] == "at the start")
        .await;
    for number in 0..3 {
        let words = format!("line {number}");
        let arguments = json!({"text": words}).to_string();
        let called = cli
            .run_beside(&["call", "forge", "emit_stderr", "--args", &arguments])
            .await;
        assert_eq!(called.code, Some(0), "{called:#?}");
        follow
            .line_where(&words, |line| line["text"] == *words)
            .await;
    }
    follow.signal(Signal::INT);
    follow.gone().await;
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_ends_following_an_idle_log() {
    let cli = CliHarness::new("logs --follow, left").await;
    cli.env
        .member("forge")
        .args(["--stderr-line", "at the start"])
        .write();
    let serve = serving(&cli, "forge").await;
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
    for signal in [Signal::INT, Signal::TERM] {
        let mut follow = cli.start(&["--json", "logs", "forge", "--follow"]);
        follow
            .line_where("the past", |line| line["text"] == "at the start")
            .await;
        follow.signal(signal);
        let ended = follow.ended(&cli).await;
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        assert_eq!(ended.stderr, "", "{ended:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unwritable_log_is_reported_once() {
    let env = TestEnv::new("no room for logs");
    env.member("forge").args(["--stderr-line", "heard"]).write();
    std::fs::create_dir_all(env.data_dir()).expect("the data folder");
    std::fs::write(env.data_dir().join("logs"), "something else").expect("in the way");
    let mut open = env.open().await;
    open.hall.start_all().settled().await;
    let warning = |envelope: &std::sync::Arc<guild_api::event::Envelope>| match &envelope.event {
        HallEvent::Warning { report } if report.code.as_str() == "log-unwritable" => {
            Some(report.clone())
        }
        _ => None,
    };
    let report = wait_for(&mut open.events, LIMIT, "the warning", warning).await;
    assert!(report.message.contains("forge.log"), "{report}");
    for _ in 0..3 {
        let result = open.result("forge", "add", r#"{"a":2,"b":3}"#).await;
        assert_eq!(text(&result), "5");
    }
    let page = open.hall.read_member_log(ReadMemberLog {
        member: name("forge"),
        before: None,
        filter: LogFilter::default(),
        limit: 100,
    });
    let page = page.await.expect("what is in memory is there");
    assert!(
        page.lines.iter().any(|line| line.text == "heard"),
        "{page:#?}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_words_of_a_start_stand_with_its_error() {
    let env = TestEnv::new("last words");
    env.member("forge")
        .args(["--stderr-line", "no coal", "--exit-at-once", "3"])
        .write();
    let mut open = env.open().await;
    let _started = open.hall.start_all();
    let view = open
        .shown("forge", "an error", |view| view.error.is_some())
        .await;
    let error = view.error.expect("an error");
    assert!(
        error.message.contains("Last lines of its log:\nno coal"),
        "{error}"
    );
    open.close().await;
}
