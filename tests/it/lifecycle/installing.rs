//! First starts with a package runner, which downloads a server before it starts the server. Here,
//! `npx` is a script on a PATH for this test.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use guild_model::Code;
use guild_model::status::{StartStep, Status};
use guild_tests::{LIMIT, MemberFolder, fixture_bin, processes_of};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::time::timeout;

use crate::guildhall::CliHarness;
use crate::test_env::{TestEnv, name};

/// Each member's start limit in milliseconds, which is shorter than the download.
const LIMIT_MS: u64 = 3_000;

/// Writes an `npx` that runs `script`, then starts the fixture.
fn npx(env: &TestEnv, script: &str) -> PathBuf {
    let folder = env.data_dir().join("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("npx");
    let server = fixture_bin().display().to_string();
    let text = format!("#!/bin/sh\nshift\n{script}\n\"{server}\" \"$@\"\n");
    std::fs::write(&file, text).expect("written");
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, runs).expect("it may run");
    folder
}

fn member(env: &TestEnv, script: &str, transport: &str) -> MemberFolder {
    let bin = npx(env, script);
    let path = std::env::var("PATH").unwrap_or_default();
    let folder = match transport {
        "http" => env.http("fetched"),
        _ => env.member("fetched"),
    };
    let args = match transport {
        "http" => json!(["some-server", "--port", "${PORT}"]),
        _ => json!(["some-server", "--stdio"]),
    };
    folder
        .env("PATH", &format!("{}:{path}", bin.display()))
        .manifest(json!({
            "command": "npx", "args": args, "restart": "never",
            "timeouts": {"start_ms": LIMIT_MS},
        }))
}

/// Returns a script that prints the progress of a download to stderr until a file exists.
fn downloads_until(go: &std::path::Path) -> String {
    format!(
        "n=0; while [ ! -e '{}' ]; do n=$((n+1)); echo \"fetched $n kB\" >&2; sleep 0.1; done",
        go.display()
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_download_passes_the_start_limit() {
    for transport in ["stdio", "http"] {
        let env = TestEnv::new("a slow download");
        let go = env.data_dir().join("go");
        member(&env, &downloads_until(&go), transport).write();
        let mut open = env.open().await;
        let started = open.hall.start_all();
        let installing = open
            .shown("fetched", "that it is being installed", |view| {
                view.step == Some(StartStep::Installing)
            })
            .await;
        assert_eq!(installing.status, Status::Starting);
        let waiting = {
            let hall = open.hall.clone();
            let call = crate::test_env::request("fetched", "add", r#"{"a":1,"b":1}"#);
            tokio::spawn(async move { hall.invoke(call).await })
        };
        let late = open
            .shown("fetched", "that its limit is past", |view| {
                view.step == Some(StartStep::Overtime)
            })
            .await;
        assert_eq!((late.status, late.pid), (Status::Starting, installing.pid));
        let said = late.last_stderr.expect("its last line");
        assert!(said.starts_with("fetched "), "{said}");
        // Calls do not wait for minutes. A waiting call fails with this reason, and so does the
        // next one.
        let outcome = waiting.await.expect("answered");
        let guild_api::wire::CallEnd::Failed { report, .. } = outcome.end else {
            panic!("it has no answer yet");
        };
        assert_eq!(report.code, Code::StartTimeout, "{report}");
        let report = open.refusal("fetched", "add", r#"{"a":1,"b":1}"#).await;
        assert_eq!(report.code, Code::StartTimeout, "{report}");
        std::fs::write(&go, b"").expect("written");
        started.settled().await;
        let view = open.status("fetched", Status::Ready).await;
        assert_eq!(
            (view.step, view.pid),
            (None, installing.pid),
            "the same process"
        );
        open.result("fetched", "add", r#"{"a":1,"b":1}"#).await;
        open.close().await;
    }
}

/// Runs `guildhall call` of the member without a running hall, until it reports that the start
/// exceeds its limit. Returns its output so far.
async fn calling(cli: &CliHarness) -> (Child, Vec<String>) {
    let arguments = r#"{"a":20,"b":22}"#;
    let words = ["--json", "call", "fetched", "add", "--args", arguments];
    let mut child = cli.command(&words).spawn().expect("guildhall runs");
    let stderr = child.stderr.take().expect("its stderr");
    let mut lines = BufReader::new(stderr).lines();
    let mut printed: Vec<String> = Vec::new();
    while !printed.last().is_some_and(|it| it.contains("start limit")) {
        let line = timeout(LIMIT, lines.next_line()).await;
        let line = line.expect("it tells in time").expect("UTF-8");
        printed.push(line.unwrap_or_else(|| panic!("it ended: {printed:#?}")));
    }
    // Reads all later output, so that the program is never blocked.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (child, printed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_without_a_hall_waits_for_its_download() {
    for transport in ["stdio", "http"] {
        let cli = CliHarness::new("a call that installs").await;
        let go = cli.env.data_dir().join("go");
        member(&cli.env, &downloads_until(&go), transport).write();
        let (child, printed) = calling(&cli).await;
        let installing = printed
            .iter()
            .find(|line| line.contains("is being installed"));
        let installing = installing.unwrap_or_else(|| panic!("{printed:#?}"));
        assert!(installing.starts_with("fetched is being"), "{printed:#?}");
        let last = printed.last().expect("a line");
        assert!(last.contains("Ctrl-C") && last.contains(": fetched "));
        std::fs::write(&go, b"").expect("written");
        let ended = timeout(LIMIT, child.wait_with_output()).await;
        let ended = ended.expect("it ends in time").expect("it ran");
        let result = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status.code(), Some(0), "{result}");
        assert!(result.contains(r#""text":"42""#), "{result}");
        cli.nothing_left();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_gives_up_a_call_s_download_and_leaves_nothing() {
    for signal in [Signal::INT, Signal::TERM] {
        let cli = CliHarness::new("a call that is given up").await;
        let never = cli.env.data_dir().join("never");
        member(&cli.env, &downloads_until(&never), "stdio").write();
        let (child, _) = calling(&cli).await;
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
        let pid = pid.and_then(Pid::from_raw).expect("it runs");
        kill_process(pid, signal).expect("the signal is sent");
        let ended = timeout(LIMIT, child.wait_with_output()).await;
        let ended = ended.expect("it ends in time").expect("it ran");
        let printed = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status.code(), Some(4), "{printed}");
        assert!(printed.contains("call-cancelled"), "{printed}");
        cli.nothing_left();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_is_given_up_by_one_click_and_leaves_nothing() {
    let env = TestEnv::new("give up");
    let never = env.data_dir().join("never");
    member(&env, &downloads_until(&never), "stdio").write();
    let mut open = env.open().await;
    let started = open.hall.start_all();
    open.shown("fetched", "that its limit is past", |view| {
        view.step == Some(StartStep::Overtime)
    })
    .await;
    let view = open.hall.stop_member(&name("fetched")).await;
    let view = view.expect("stopped");
    assert_eq!((view.status, view.step), (Status::Stopped, None));
    assert_eq!(processes_of(&env.nonce), Vec::<u32>::new());
    let outcome = started.settled().await.pop().expect("one member");
    assert_eq!(
        outcome.expect_err("it never came up").code,
        Code::CallInterrupted
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_runner_fails_soon_after_its_limit() {
    for (script, transport) in [("sleep 100", "stdio"), ("sleep 100", "http")] {
        let env = TestEnv::new("a dead download");
        member(&env, script, transport).write();
        let open = env.open().await;
        let begun = std::time::Instant::now();
        let outcome = open.hall.start_all().settled().await.pop().expect("one");
        let took = begun.elapsed();
        assert_eq!(
            outcome.expect_err("it never came up").code,
            Code::StartTimeout
        );
        let least = Duration::from_millis(LIMIT_MS);
        // A running installation may take ten minutes.
        assert!(took >= least && took < LIMIT, "{took:?}");
        assert_eq!(open.view("fetched").status, Status::Error);
        assert_eq!(processes_of(&env.nonce), Vec::<u32>::new());
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_command_keeps_its_limit_however_busy_it_is() {
    let env = TestEnv::new("a busy plain command");
    env.member("busy")
        .manifest(json!({
            "command": "sh", "args": ["-c", "while :; do echo busy >&2; sleep 0.05; done"],
            "restart": "never", "timeouts": {"start_ms": 500},
        }))
        .write();
    let open = env.open().await;
    let begun = std::time::Instant::now();
    let outcome = open.hall.start_all().settled().await.pop().expect("one");
    assert_eq!(
        outcome.expect_err("it is no server").code,
        Code::StartTimeout
    );
    // A start that exceeds its limit may take ten minutes.
    let took = begun.elapsed();
    assert!(took < LIMIT, "{took:?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_at_work_goes_on_past_its_limit() {
    for transport in ["stdio", "http"] {
        let env = TestEnv::new("late");
        let go = env.data_dir().join("go");
        // Uses the processor all the time, like a start on a busy machine.
        let script = format!("while [ ! -e '{}' ]; do :; done; exec \"$@\"", go.display());
        let server = fixture_bin().display().to_string();
        let (folder, args) = match transport {
            "http" => (env.http("late"), ["--port", "${PORT}"].as_slice()),
            _ => (env.member("late"), ["--stdio"].as_slice()),
        };
        let mut words = vec!["-c", &script, "late", &server];
        words.extend(args);
        folder
            .manifest(json!({
                "command": "sh", "args": words, "timeouts": {"start_ms": 2 * LIMIT_MS},
            }))
            .write();
        let mut open = env.open().await;
        let started = open.hall.start_all();
        let late = open
            .shown("late", "that its limit is past", |view| {
                view.step == Some(StartStep::Late)
            })
            .await;
        assert_eq!(late.status, Status::Starting);
        // A call does not wait for the rest of the start.
        let report = open.refusal("late", "add", r#"{"a":1,"b":1}"#).await;
        assert_eq!(report.code, Code::StartTimeout, "{report}");
        std::fs::write(&go, b"").expect("written");
        started.settled().await;
        let view = open.status("late", Status::Ready).await;
        assert_eq!((view.step, view.pid), (None, late.pid), "the same process");
        open.close().await;
    }
}
