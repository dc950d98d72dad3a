//! The lifecycle of a member: starts, stops, crashes, and calls during these.

mod calls;
mod closing;
mod crashes;
mod elsewhere;
mod identity;
mod installing;
mod places;

use std::time::{Duration, Instant};

use guild_engine::{GuildHallOptions, Restart};
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::{PromiseClock, RecordFile, is_alive, processes_of};
use serde_json::json;

use crate::test_env::{CLOSED, Open, TestEnv, name};

/// Opens a hall that restarts crashed members after 20, 40, 80, 160 and 320 ms.
pub(crate) async fn hurried(env: &TestEnv) -> Open {
    let restart = Restart::with_first_pause(Duration::from_millis(20));
    env.open_with(GuildHallOptions {
        restart,
        ..env.options()
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_10_members_start_side_by_side() {
    let env = TestEnv::new("side by side");
    let go = env.data_dir().join("go");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let names: Vec<String> = (0..8).map(|number| format!("member-{number}")).collect();
    for name in &names {
        env.http(name)
            .args(["--hold-until".to_owned(), go.display().to_string()])
            .write();
    }
    let mut open = env.open().await;
    let started = open.hall.start_all();
    // All eight processes run before any member can be ready.
    for name in &names {
        open.shown(name, "a process", |view| view.pid.is_some())
            .await;
    }
    let starting = open.hall.roster().members;
    assert!(
        starting.iter().all(|view| view.status == Status::Starting),
        "{starting:#?}"
    );
    std::fs::write(&go, b"").expect("written");
    started.settled().await;
    for name in &names {
        assert_eq!(open.view(name).status, Status::Ready);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_10_eight_slow_starts_take_about_as_long_as_one() {
    let [one, eight] = one_and_eight_slow_starts().await;
    println!("one member: {one:?}; eight: {eight:?}");
    // Sequential starts would take eight times as long. The limit leaves room for a busy machine.
    assert!(eight < one * 4, "{one:?} for one, {eight:?} for eight");
}

/// Returns the time of one slow start, and of eight concurrent ones.
async fn one_and_eight_slow_starts() -> [Duration; 2] {
    let mut took = [Duration::ZERO; 2];
    for (took, count) in took.iter_mut().zip([1, 8]) {
        let env = TestEnv::new("eight slow starts");
        for number in 0..count {
            env.http(&format!("member-{number}"))
                .args(["--boot-ms", "2000"])
                .write();
        }
        let open = env.open().await;
        let begun = Instant::now();
        let started = open.hall.start_all().settled().await;
        *took = begun.elapsed();
        assert!(started.iter().all(Result::is_ok), "{started:#?}");
        open.close().await;
    }
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_demand_member_restarts_for_a_call() {
    let env = TestEnv::new("on demand");
    let folder = env
        .http("lazy")
        .manifest(json!({"lifecycle": "on-demand"}))
        .recorded();
    folder.write();
    let mut open = env.started().await;
    let view = open.status("lazy", Status::Stopped).await;
    assert!(view.tools > 5, "{view:#?}");
    assert_eq!(
        (view.freshness, view.pid, view.port),
        (Freshness::Cached, None, None)
    );
    assert!(processes_of(&env.nonce).is_empty(), "its process is gone");
    let result = open.result("lazy", "add", r#"{"a":1,"b":1}"#).await;
    assert!(result.to_string().contains('2'));
    let up = open.view("lazy");
    assert_eq!(up.status, Status::Ready, "it stays up for the next call");
    // A list that is read during a call does not stop the member.
    let slow = crate::test_env::request("lazy", "slow", r#"{"ms":60000}"#);
    let id = slow.call.clone();
    let hall = open.hall.clone();
    let call = tokio::spawn(async move { hall.invoke(slow).await });
    let record = RecordFile::new(&folder.record_path());
    record.wait_for_call("slow").await;
    open.hall
        .refresh_member(&name("lazy"))
        .await
        .expect("listed");
    open.hall
        .member_detail(&name("lazy"))
        .await
        .expect("its page");
    let view = open.view("lazy");
    assert_eq!(
        (view.status, view.pid, view.calls),
        (Status::Ready, up.pid, 1)
    );
    open.hall.cancel_call(&id);
    call.await.expect("the call ends");
    assert_eq!(RecordFile::new(&folder.record_path()).starts().len(), 2);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_demand_member_started_by_hand_stays() {
    let env = TestEnv::new("held");
    env.member("lazy")
        .manifest(json!({"lifecycle": "on-demand"}))
        .write();
    let linger = Duration::from_millis(1);
    let options = GuildHallOptions {
        idle_linger: Some(linger),
        ..env.options()
    };
    let mut open = env.open_with(options).await;
    open.hall.start_all().settled().await;
    open.status("lazy", Status::Stopped).await;
    let started = open
        .hall
        .start_member(&name("lazy"))
        .await
        .expect("started");
    open.result("lazy", "add", r#"{"a":1,"b":1}"#).await;
    open.hall
        .refresh_member(&name("lazy"))
        .await
        .expect("listed");
    // This request is handled after the list. If the list stopped the member, it would be stopped
    // now.
    open.hall
        .member_detail(&name("lazy"))
        .await
        .expect("its page");
    let view = open.view("lazy");
    assert_eq!((view.status, view.pid), (Status::Ready, started.pid));
    let stopped = open.hall.stop_member(&name("lazy")).await.expect("stopped");
    assert_eq!(stopped.status, Status::Stopped);
    // No caller needs the member, so it stops shortly after a call.
    open.result("lazy", "add", r#"{"a":1,"b":1}"#).await;
    open.status("lazy", Status::Stopped).await;
    assert!(processes_of(&env.nonce).is_empty());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_during_start_notifies_the_waiters() {
    for http in [true, false] {
        let env = TestEnv::new("stop during start");
        let folder = if http {
            env.http("slow")
        } else {
            env.member("slow")
        };
        folder.args(["--boot-ms", "60000"]).write();
        let mut open = env.open().await;
        let started = open.hall.start_all();
        let pid = open
            .shown("slow", "a process", |view| view.pid.is_some())
            .await
            .pid;
        let view = open.hall.stop_member(&name("slow")).await.expect("stopped");
        assert_eq!(
            (view.status, view.pid, view.port),
            (Status::Stopped, None, None)
        );
        assert!(
            !is_alive(pid.expect("a pid")),
            "its process is gone when the stop is done"
        );
        let waited = started.settled().await.pop().expect("one member");
        let report = waited.expect_err("it never came up");
        assert_eq!(report.code, Code::CallInterrupted, "{report}");
        assert_eq!(report.member, Some(name("slow")));
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_during_a_stop_starts_it_afterwards() {
    let env = TestEnv::new("start during stop");
    let folder = env.http("forge").args(["--ignore-term"]).recorded();
    folder.write();
    let mut open = env.started().await;
    let hall = open.hall.clone();
    let stopping = tokio::spawn(async move { hall.stop_member(&name("forge")).await });
    open.status("forge", Status::Stopping).await;
    let view = open
        .hall
        .start_member(&name("forge"))
        .await
        .expect("started");
    assert_eq!(view.status, Status::Ready);
    stopping
        .await
        .expect("no panic")
        .expect("the stop is answered");
    let starts = RecordFile::new(&folder.record_path()).starts();
    assert_eq!(starts.len(), 2);
    assert!(
        !is_alive(starts[0]),
        "the first was gone before the second began"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disabled_member_is_shown_and_never_started() {
    let env = TestEnv::new("disabled");
    let folder = env
        .http("off")
        .manifest(json!({"enabled": false}))
        .recorded();
    folder.write();
    env.member("on").write();
    let open = env.started().await;
    assert_eq!(open.view("off").status, Status::Disabled);
    assert_eq!(open.view("off").error, None);
    assert_eq!(open.view("on").status, Status::Ready);
    for report in [
        open.refusal("off", "add", r#"{"a":1,"b":1}"#).await,
        open.hall
            .start_member(&name("off"))
            .await
            .expect_err("it is disabled"),
        open.hall
            .refresh_member(&name("off"))
            .await
            .expect_err("it is disabled"),
    ] {
        assert_eq!(report.code, Code::MemberDisabled, "{report}");
        assert_eq!(report.member, Some(name("off")));
        assert!(!report.hint.is_empty());
    }
    let refreshed = open.hall.refresh_tool_caches().await;
    assert_eq!(refreshed.updated, [name("on")]);
    assert_eq!(refreshed.failed, []);
    assert!(!folder.record_path().exists(), "no process was started");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storm_of_commands_ends_as_the_last_one_said() {
    let env = TestEnv::new("storm");
    let folder = env.http("forge").recorded();
    folder.write();
    env.member("lazy")
        .manifest(json!({"lifecycle": "on-demand"}))
        .write();
    let open = env.started().await;
    for member in ["forge", "lazy"] {
        let mut storm = vec![];
        for number in 0..60 {
            let hall = open.hall.clone();
            storm.push(tokio::spawn(async move {
                // Each request may undo the one before. Only the final state matters.
                let _ = match number % 5 {
                    0 | 3 => hall.start_member(&name(member)).await,
                    1 => hall.stop_member(&name(member)).await,
                    2 => hall.restart_member(&name(member)).await,
                    _ => {
                        let call = crate::test_env::request(member, "add", r#"{"a":1,"b":1}"#);
                        hall.invoke(call).await;
                        return;
                    }
                };
            }));
        }
        for command in storm {
            command.await.expect("each is answered");
        }
        let view = open.hall.stop_member(&name(member)).await;
        let view = view.expect("stopped");
        assert_eq!((view.status, view.pid), (Status::Stopped, None));
        let view = open.hall.start_member(&name(member)).await;
        assert_eq!(view.expect("started").status, Status::Ready);
        open.result(member, "add", r#"{"a":1,"b":1}"#).await;
        open.hall.stop_member(&name(member)).await.expect("stopped");
    }
    assert!(processes_of(&env.nonce).is_empty());
    for pid in RecordFile::new(&folder.record_path()).starts() {
        assert!(!is_alive(pid), "each process that was started is gone");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_15_close_under_load_is_clean() {
    let env = TestEnv::new("close in the middle");
    env.http("starting")
        .args(["--boot-ms", "60000", "--ignore-term"])
        .write();
    env.member("mute")
        .args(["--listen-mute", "--ignore-eof", "--grandchildren", "1"])
        .write();
    env.http("crashing").args(["--exit-at-once", "3"]).write();
    env.http("busy")
        .args([
            "--ignore-term",
            "--grandchildren",
            "1",
            "--grandchildren-ignore-term",
        ])
        .write();
    let mut open = env.open().await;
    let started = open.hall.start_all();
    for member in ["starting", "mute"] {
        open.shown(member, "a process", |view| view.pid.is_some())
            .await;
    }
    open.status("crashing", Status::Backoff).await;
    open.status("busy", Status::Ready).await;
    let hall = open.hall.clone();
    let slow = crate::test_env::request("busy", "slow", r#"{"ms":60000}"#);
    let call = tokio::spawn(async move { hall.invoke(slow).await });
    open.shown("busy", "a call", |view| view.calls == 1).await;
    let hall = open.hall.clone();
    let begun = PromiseClock::start();
    open.close().await;
    begun.assert_within(CLOSED, "closed");
    assert_eq!(processes_of(&env.nonce), Vec::<u32>::new());
    let outcome = call.await.expect("the call ends");
    let guild_api::wire::CallEnd::Failed { report, .. } = outcome.end else {
        panic!("it answered");
    };
    assert!(
        matches!(
            report.code,
            Code::CallInterrupted | Code::CallCancelled | Code::ShuttingDown
        ),
        "{report}"
    );
    started.settled().await;
    // A closed hall starts no members.
    let report = hall.start_member(&name("busy")).await.expect_err("closed");
    assert_eq!(report.code, Code::ShuttingDown);
    let late = crate::test_env::request("busy", "add", r#"{"a":1,"b":1}"#);
    let outcome = hall.invoke(late).await;
    assert!(matches!(
        outcome.end,
        guild_api::wire::CallEnd::Failed { .. }
    ));
    assert_eq!(processes_of(&env.nonce), Vec::<u32>::new());
}
