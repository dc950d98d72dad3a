//! Crashes of members: pauses, restarts, and the crash loop.

use guild_api::event::HallEvent;
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::{LIMIT, RecordFile, eventually, processes_of};
use serde_json::json;

use super::hurried;
use crate::test_env::{HallEvents, TestEnv, name};

/// Returns the statuses of a member until `last`, each with its attempt.
async fn steps(events: &mut HallEvents, member: &str, last: Status) -> Vec<(Status, u32)> {
    let mut steps: Vec<(Status, u32)> = vec![];
    let what = format!("{member}: {}", last.as_str());
    events
        .find(&what, |event| {
            let HallEvent::MemberChanged { member: view, .. } = event else {
                return None;
            };
            if view.name.as_str() != member {
                return None;
            }
            let step = (view.status, view.attempt);
            if steps.last().is_none_or(|(status, _)| *status != step.0) {
                steps.push(step);
            }
            (view.status == last).then_some(())
        })
        .await;
    steps
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_16_crash_loop_waits_for_help() {
    let env = TestEnv::new("crash loop");
    let mended = env.data_dir().join("mended");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let switches = ["--exit-until".to_owned(), mended.display().to_string()];
    let folder = env
        .http("forge")
        .args(switches)
        .args(["--stderr-line", "no anvil"])
        .recorded();
    folder.write();
    let never = env
        .http("once")
        .args(["--exit-at-once", "3"])
        .manifest(json!({"restart": "never"}))
        .recorded();
    never.write();
    let mut open = hurried(&env).await;
    open.hall.start_all();
    let steps = steps(&mut open.events, "forge", Status::CrashLoop).await;
    let mut expected = vec![];
    for attempt in 0..6 {
        expected.extend([(Status::Starting, attempt), (Status::Error, attempt)]);
        if attempt < 5 {
            expected.push((Status::Backoff, attempt + 1));
        }
    }
    expected.push((Status::CrashLoop, 5));
    assert_eq!(steps, expected);
    let record = RecordFile::new(&folder.record_path());
    assert_eq!(record.starts().len(), 6, "the first start and five tries");
    let report = open.view("forge").error.expect("why");
    assert_eq!(report.code, Code::CrashLoop, "{report}");
    assert!(
        report.message.contains("no anvil"),
        "the last words are told: {report}"
    );
    assert!(!report.hint.is_empty());
    // A call is rejected without another start.
    assert_eq!(
        open.refusal("forge", "add", r#"{"a":1,"b":1}"#).await.code,
        Code::CrashLoop
    );
    assert_eq!(record.starts().len(), 6);
    // During all these pauses, the member with `"restart": "never"` was not restarted.
    let once = open.view("once");
    assert_eq!((once.status, once.retry_at_ms), (Status::Error, None));
    assert_eq!(once.error.expect("why").code, Code::MemberExited);
    assert_eq!(RecordFile::new(&never.record_path()).starts().len(), 1);
    // A person repairs and starts the member.
    std::fs::write(&mended, b"").expect("written");
    let view = open
        .hall
        .start_member(&name("forge"))
        .await
        .expect("started");
    assert_eq!(
        (view.status, view.error, view.attempt),
        (Status::Ready, None, 0)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_manual_start_restores_all_tries() {
    let env = TestEnv::new("tries anew");
    env.member("forge").args(["--exit-at-once", "3"]).write();
    let mut open = hurried(&env).await;
    open.hall.start_all();
    steps(&mut open.events, "forge", Status::CrashLoop).await;
    let report = open
        .hall
        .start_member(&name("forge"))
        .await
        .expect_err("it ends again");
    assert_eq!(report.code, Code::MemberExited, "{report}");
    // Reads the events, which include every pause, however short.
    let steps = steps(&mut open.events, "forge", Status::Backoff).await;
    assert_eq!(steps.last(), Some(&(Status::Backoff, 1)), "{steps:?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_in_backoff_comes_back_by_itself() {
    let env = TestEnv::new("backoff");
    let mended = env.data_dir().join("mended");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let switches = ["--exit-until".to_owned(), mended.display().to_string()];
    env.member("forge").args(switches).write();
    // With realistic pauses, the member is repaired within the first second.
    let mut open = env.open().await;
    open.hall.start_all();
    let view = open.status("forge", Status::Backoff).await;
    assert!(
        view.retry_at_ms.is_some_and(|at| at > view.since_ms),
        "{view:#?}"
    );
    assert_eq!(view.error.expect("why").code, Code::MemberExited);
    std::fs::write(&mended, b"").expect("written");
    let view = open.status("forge", Status::Ready).await;
    assert_eq!((view.error, view.retry_at_ms), (None, None));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_ends_the_pauses_of_a_member_in_backoff() {
    let env = TestEnv::new("stop in backoff");
    env.member("forge").args(["--exit-at-once", "3"]).write();
    let mut open = env.open().await;
    open.hall.start_all();
    open.status("forge", Status::Backoff).await;
    let view = open
        .hall
        .stop_member(&name("forge"))
        .await
        .expect("stopped");
    assert_eq!(
        (view.status, view.error, view.attempt),
        (Status::Stopped, None, 0)
    );
    assert_eq!(view.retry_at_ms, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_gives_the_port_back_and_ends_the_grandchildren() {
    let env = TestEnv::new("grandchildren");
    let pids = env.data_dir().join("pids");
    env.http("forge")
        .args(["--grandchildren", "2", "--pid-dir"])
        .args([pids.display().to_string()])
        .manifest(json!({"restart": "never"}))
        .write();
    let mut open = env.started().await;
    eventually(LIMIT, "both are there", || {
        let count = std::fs::read_dir(&pids).ok()?.count();
        (count == 2).then_some(())
    })
    .await;
    open.refusal("forge", "crash", "{}").await;
    let view = open
        .shown("forge", "no process", |view| view.pid.is_none())
        .await;
    assert_eq!((view.status, view.port), (Status::Error, None));
    eventually(LIMIT, "the grandchildren are gone", || {
        processes_of(&env.nonce).is_empty().then_some(())
    })
    .await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn persistent_callers_do_not_prevent_crash_loop() {
    let env = TestEnv::new("stubborn callers");
    env.member("touchy").args(["--crash-on-call"]).write();
    let open = hurried(&env).await;
    open.hall.start_all().settled().await;
    // Each caller repeats its call at once, so that a call arrives while the member is being ended.
    let stubborn = async || {
        for _ in 0..200 {
            if open.refusal("touchy", "echo", "{}").await.code == Code::CrashLoop {
                return;
            }
        }
        panic!("the member is started for ever: {:#?}", open.view("touchy"));
    };
    tokio::join!(stubborn(), stubborn());
    assert_eq!(open.view("touchy").status, Status::CrashLoop);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_meets_a_stop_is_answered() {
    let env = TestEnv::new("start meets stop");
    env.http("slow").args(["--ignore-term"]).write();
    let open = env.started().await;
    let slow = name("slow");
    let hall = &open.hall;
    // While the member is being ended, one request starts it, and another one stops it for good.
    let stop = hall.stop_member(&slow);
    let start = async {
        tokio::task::yield_now().await;
        hall.start_member(&slow).await
    };
    let stop_again = async {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        hall.stop_member(&slow).await
    };
    let all = async { tokio::join!(stop, start, stop_again) };
    let (first, _, last) = tokio::time::timeout(LIMIT, all)
        .await
        .expect("all are answered");
    assert!(first.is_ok() && last.is_ok(), "{first:?} {last:?}");
    open.close().await;
}
