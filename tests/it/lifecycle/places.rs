//! The order of concurrent starts of many members, and starts that time out.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use guild_api::wire::VisibleMembers;
use guild_engine::GuildHallOptions;
use guild_model::status::{StartStep, Status};
use guild_tests::{LIMIT, PromiseClock, RecordFile, eventually};
use serde_json::json;

use crate::test_env::{Open, TestEnv, name};

/// More members than start concurrently.
const CROWD: usize = 100;
/// A start that uses the processor before the server is ready.
const WORKS: &str = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; exec \"$0\" \"$@\"";

fn crowd() -> Vec<String> {
    (0..CROWD).map(|number| format!("m{number:02}")).collect()
}

/// Adds a member that is busy during its start, so that start permits are scarce.
fn busy(env: &TestEnv, member: &str) -> std::path::PathBuf {
    let folder = env.member(member).recorded();
    let bin = guild_tests::fixture_bin().display().to_string();
    let record = folder.record_path();
    let args = json!([
        "-c",
        WORKS,
        bin,
        "--stdio",
        "--record",
        record.display().to_string()
    ]);
    folder
        .manifest(json!({"command": "sh", "args": args}))
        .write();
    record
}

/// Returns the members that are waiting to start.
fn queued(open: &Open) -> Vec<String> {
    let members = open.hall.roster().members.into_iter();
    let waiting = members.filter(|view| view.step == Some(StartStep::Queued));
    waiting.map(|view| view.name.to_string()).collect()
}

/// Waits until a crowd of members is waiting to start. Returns these members.
async fn queue(open: &Open) -> Vec<String> {
    let crowd = || Some(queued(open)).filter(|waiting| waiting.len() > CROWD / 2);
    eventually(LIMIT, "a queue", crowd).await
}

fn began(record: &Path) -> Option<SystemTime> {
    std::fs::metadata(record).ok()?.created().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_in_view_and_called_start_first() {
    let env = TestEnv::new("a crowd starts");
    let names = crowd();
    let records: Vec<_> = names.iter().map(|name| busy(&env, name)).collect();
    let open = env.open().await;
    let begun = Instant::now();
    let started = open.hall.start_all();
    // Most members wait for a start permit, and their status says so.
    let queue = queue(&open).await;
    let [.., called, second, first] = queue.as_slice() else {
        panic!("{queue:?}");
    };
    open.hall.report_visible_members(VisibleMembers {
        members: vec![name(first), name(second)],
    });
    let call = crate::test_env::request(called, "add", r#"{"a":1,"b":1}"#);
    open.hall.invoke(call).await;
    let answered = SystemTime::now();
    let still = queued(&open);
    assert!(
        !still.is_empty(),
        "others still waited when it was answered"
    );
    let started = started.settled().await;
    println!("{CROWD} busy starts in {:?}", begun.elapsed());
    assert!(started.iter().all(Result::is_ok), "{started:#?}");
    let at = |member: &str| {
        let index = names.iter().position(|name| name == member);
        began(&records[index.expect("known")]).expect("it ran")
    };
    assert!(at(called) <= answered);
    for early in [first, second] {
        let later = queue.iter().filter(|name| at(name) > at(early)).count();
        assert!(
            later > queue.len() / 2,
            "{later} of {} after it",
            queue.len()
        );
    }
    for record in &records {
        assert_eq!(RecordFile::new(record).starts().len(), 1);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_that_hang_in_their_start_keep_nobody_waiting() {
    let env = TestEnv::new("hangs hold no place");
    for number in 0..30 {
        env.member(&format!("a-hangs-{number:02}"))
            .args(["--listen-mute"])
            .manifest(json!({"timeouts": {"start_ms": 100_000}}))
            .write();
    }
    for number in 0..30 {
        env.member(&format!("b-well-{number:02}")).write();
    }
    let mut open = env.open().await;
    let begun = PromiseClock::start();
    let _started = open.hall.start_all();
    for number in 0..30 {
        open.status(&format!("b-well-{number:02}"), Status::Ready)
            .await;
    }
    let promise = Duration::from_secs(90);
    begun.assert_within(promise, "30 that are well are up beside 30 that hang");
    assert_eq!(open.view("a-hangs-00").status, Status::Starting);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_waits_for_its_turn_can_be_called_off() {
    let env = TestEnv::new("called off");
    let names = crowd();
    let records: Vec<_> = names.iter().map(|name| busy(&env, name)).collect();
    let open = env.open().await;
    let started = open.hall.start_all();
    let last = queue(&open).await.pop().expect("the last");
    let view = open.hall.stop_member(&name(&last)).await.expect("stopped");
    assert_eq!((view.status, view.step), (Status::Stopped, None));
    let settled = started.settled().await;
    let up = settled.iter().filter(|result| result.is_ok()).count();
    assert_eq!(up, CROWD - 1, "{settled:#?}");
    let index = names.iter().position(|name| *name == last).expect("known");
    assert!(!records[index].exists(), "it was never started");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_that_timed_out_is_tried_again_alone() {
    let env = TestEnv::new("second try");
    let server = guild_tests::fixture_bin().display().to_string();
    // This member is starting all the time, without any output.
    env.member("mute")
        .args(["--listen-mute"])
        .manifest(json!({"timeouts": {"start_ms": 100_000}}))
        .write();
    let been = env.data_dir().join("been");
    let script = format!(
        "[ -e '{0}' ] && exec \"$0\" --stdio; touch '{0}'; exec sleep 100",
        been.display()
    );
    env.member("shy")
        .manifest(json!({
            "command": "sh", "args": ["-c", script, server],
            "timeouts": {"start_ms": 4_000, "discovery_ms": 20_000},
        }))
        .write();
    env.member("never")
        .args(["--never-listen"])
        .manifest(json!({
            "restart": "never", "timeouts": {"start_ms": 1_000, "discovery_ms": 500},
        }))
        .write();
    let mut open = env.open().await;
    let _started = open.hall.start_all();
    let again = open
        .shown("shy", "that it is tried again", |view| view.error.is_some())
        .await;
    assert_eq!(again.status, Status::Starting, "no final error: {again:#?}");
    let view = open.status("shy", Status::Ready).await;
    assert_eq!(view.error, None);
    let error = open.status("never", Status::Error).await.error;
    let error = error.expect("why");
    assert_eq!(error.code, guild_model::Code::StartTimeout, "{error}");
    assert!(error.message.contains("other member"), "{error}");
    open.close().await;
}

/// Adds a member that is ready or hangs at a start, depending on the shell's `test`. The test finds
/// the path of a separate file in `$0`.
fn serves_if(env: &TestEnv, member: &str, test: &str) -> RecordFile {
    let folder = env.member(member).recorded();
    let record = RecordFile::new(&folder.record_path());
    let server = guild_tests::fixture_bin().display().to_string();
    let own = env.data_dir().join(member).display().to_string();
    let script = format!("{test} && exec \"$@\"; exec \"$@\" --never-listen");
    let file = folder.record_path().display().to_string();
    let args = ["-c", &script, &own, &server, "--stdio", "--record", &file];
    folder
        .manifest(json!({
            "command": "sh", "args": args,
            "timeouts": {"start_ms": 4_000, "discovery_ms": 20_000},
        }))
        .write();
    record
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_that_timed_out_under_load_is_retried() {
    let env = TestEnv::new("retried under load");
    let record = serves_if(&env, "shy", "[ -e \"$0\" ] || ! : > \"$0\"");
    let options = GuildHallOptions {
        is_loaded: Some(|| true),
        ..env.options()
    };
    let mut open = env.open_with(options).await;
    let _started = open.hall.start_all();
    let again = open
        .shown("shy", "that it is tried again", |view| view.error.is_some())
        .await;
    assert_eq!(again.status, Status::Starting, "no final error: {again:#?}");
    let error = again.error.expect("why");
    assert!(
        error.message.contains("kept all processors busy"),
        "{error}"
    );
    open.status("shy", Status::Ready).await;
    assert_eq!(record.starts().len(), 2);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timeout_names_the_duration_of_the_last_start() {
    let env = TestEnv::new("the last start");
    serves_if(&env, "forge", "[ ! -e \"$0\" ]");
    let mut open = env.started().await;
    let view = open.status("forge", Status::Ready).await;
    open.hall.stop_member(&view.name).await.expect("stopped");
    std::fs::write(env.data_dir().join("forge"), "").expect("written");
    let error = open.hall.start_member(&view.name).await;
    let error = error.expect_err("it hangs");
    assert_eq!(error.code, guild_model::Code::StartTimeout, "{error}");
    assert!(error.message.contains("its last start took"), "{error}");
    open.close().await;
}
