//! First starts by a package runner, which downloads a server before it starts it. The `npx` here
//! is a script on a PATH of the test's own.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use guild_core::Code;
use guild_core::status::{StartStep, Status};
use guild_tests::{MemberFolder, fixture_bin, processes_of};
use serde_json::json;

use crate::house::{House, name};

/// Each member's start limit: what is downloaded takes longer.
const LIMIT_MS: u64 = 2_000;

/// An `npx` that does `script` and then starts the fixture.
fn npx(house: &House, script: &str) -> PathBuf {
    let folder = house.data_dir().join("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("npx");
    let server = fixture_bin().display().to_string();
    let text = format!("#!/bin/sh\nshift\n{script}\n\"{server}\" \"$@\"\n");
    std::fs::write(&file, text).expect("written");
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, runs).expect("it may run");
    folder
}

fn member(house: &House, script: &str, transport: &str) -> MemberFolder {
    let bin = npx(house, script);
    let path = std::env::var("PATH").unwrap_or_default();
    let folder = match transport {
        "http" => house.http("fetched"),
        _ => house.member("fetched"),
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

/// Writes to stderr as it downloads, until a file is there.
fn downloads_until(go: &std::path::Path) -> String {
    format!(
        "n=0; while [ ! -e '{}' ]; do n=$((n+1)); echo \"fetched $n kB\" >&2; sleep 0.1; done",
        go.display()
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_that_goes_on_past_the_start_limit_is_shown_and_not_thrown_away() {
    for transport in ["stdio", "http"] {
        let house = House::new("a slow download");
        let go = house.data_dir().join("go");
        member(&house, &downloads_until(&go), transport).write();
        let mut open = house.open().await;
        let started = open.hall.start_all();
        let installing = open
            .shown("fetched", "that it is being installed", |view| {
                view.step == Some(StartStep::Installing)
            })
            .await;
        assert_eq!(installing.status, Status::Starting);
        let waiting = {
            let hall = open.hall.clone();
            let call = crate::house::request("fetched", "add", r#"{"a":1,"b":1}"#);
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
        // A call does not wait for minutes: one that waited is told, and so is the next.
        let outcome = waiting.await.expect("answered");
        let guild_core::wire::CallEnd::Failed { report, .. } = outcome.end else {
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_is_given_up_by_one_click_and_leaves_nothing() {
    let house = House::new("give up");
    let never = house.data_dir().join("never");
    member(&house, &downloads_until(&never), "stdio").write();
    let mut open = house.open().await;
    let started = open.hall.start_all();
    open.shown("fetched", "that its limit is past", |view| {
        view.step == Some(StartStep::Overtime)
    })
    .await;
    let view = open.hall.stop_member(&name("fetched")).await;
    let view = view.expect("stopped");
    assert_eq!((view.status, view.step), (Status::Stopped, None));
    assert_eq!(processes_of(&house.nonce), Vec::<u32>::new());
    let told = started.settled().await.pop().expect("one member");
    assert_eq!(
        told.expect_err("it never came up").code,
        Code::CallInterrupted
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runner_where_nothing_moves_any_more_fails_soon_after_its_limit() {
    for (script, transport) in [("sleep 100", "stdio"), ("sleep 100", "http")] {
        let house = House::new("a dead download");
        member(&house, script, transport).write();
        let open = house.open().await;
        let begun = std::time::Instant::now();
        let told = open.hall.start_all().settled().await.pop().expect("one");
        let took = begun.elapsed();
        assert_eq!(told.expect_err("it never came up").code, Code::StartTimeout);
        let least = Duration::from_millis(LIMIT_MS);
        assert!(took >= least && took < least * 4, "{took:?}");
        assert_eq!(open.view("fetched").status, Status::Error);
        assert_eq!(processes_of(&house.nonce), Vec::<u32>::new());
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_command_keeps_its_limit_however_busy_it_is() {
    let house = House::new("a busy plain command");
    house
        .member("busy")
        .manifest(json!({
            "command": "sh", "args": ["-c", "while :; do echo busy >&2; sleep 0.05; done"],
            "restart": "never", "timeouts": {"start_ms": 500},
        }))
        .write();
    let open = house.open().await;
    let begun = std::time::Instant::now();
    let told = open.hall.start_all().settled().await.pop().expect("one");
    assert_eq!(told.expect_err("it is no server").code, Code::StartTimeout);
    assert!(
        begun.elapsed() < Duration::from_millis(LIMIT_MS),
        "{:?}",
        begun.elapsed()
    );
    open.close().await;
}
