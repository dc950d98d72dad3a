//! Calls of members that are stopped or crash, and many concurrent calls of a member.

use guild_api::wire::{CallEnd, CallOutcome};
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::RecordFile;
use tokio::task::JoinHandle;

use crate::test_env::{Open, TestEnv, name, request};

/// Starts a call of one minute in a separate task. Returns its id and the task.
fn long_call(open: &Open, member: &str) -> (guild_model::CallId, JoinHandle<CallOutcome>) {
    let slow = request(member, "slow", r#"{"ms":60000}"#);
    let id = slow.call.clone();
    let hall = open.hall.clone();
    (id, tokio::spawn(async move { hall.invoke(slow).await }))
}

/// Returns the reason why a call has no result.
async fn failure(call: JoinHandle<CallOutcome>) -> guild_model::Report {
    match call.await.expect("the call ends").end {
        CallEnd::Failed { report, .. } => report,
        CallEnd::Result { result, .. } => panic!("it answered: {result}"),
    }
}

/// Adds the same member over both transports.
fn both(env: &TestEnv, args: &[&str]) -> [guild_tests::MemberFolder; 2] {
    [env.http("http"), env.member("stdio")].map(|member| {
        let member = member.args(args.iter().copied()).recorded();
        member.write();
        member
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_interrupts_the_call_that_runs() {
    let env = TestEnv::new("stop during a call");
    both(&env, &[]);
    let mut open = env.started().await;
    for member in ["http", "stdio"] {
        let (_, call) = long_call(&open, member);
        open.shown(member, "a call", |view| view.calls == 1).await;
        open.hall.stop_member(&name(member)).await.expect("stopped");
        let report = failure(call).await;
        assert_eq!(report.code, Code::CallInterrupted, "{report}");
        assert_eq!(report.member, Some(name(member)));
        assert!(report.message.contains("stopped"), "{report}");
        assert!(!report.hint.is_empty());
        let view = open.view(member);
        assert_eq!((view.status, view.error), (Status::Stopped, None));
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_16_crash_fails_the_call_once() {
    let env = TestEnv::new("crash during a call");
    let folders = both(
        &env,
        &["--crash-on-call", "--stderr-line", "the anvil broke"],
    );
    let mut open = env.started().await;
    for (member, folder) in ["http", "stdio"].into_iter().zip(folders) {
        let outcome = open.outcome(member, "add", r#"{"a":1,"b":1}"#).await;
        let CallEnd::Failed { report, stderr, .. } = outcome.end else {
            panic!("it answered");
        };
        assert_eq!(report.code, Code::CallInterrupted, "{report}");
        assert!(report.message.contains("the anvil broke"), "{report}");
        assert!(
            stderr
                .iter()
                .any(|line| line.text.contains("the anvil broke")),
            "{stderr:#?}"
        );
        assert_eq!(report.member, Some(name(member)));
        // The member restarts, but the call is not repeated.
        let record = RecordFile::new(&folder.record_path());
        open.shown(member, "back", |view| {
            view.status == Status::Ready && view.attempt == 1
        })
        .await;
        assert_eq!(record.starts().len(), 2);
        assert_eq!(record.of_method("tools/call").len(), 1);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_call_leaves_the_member_up() {
    let env = TestEnv::new("cancel");
    let folders = both(&env, &[]);
    let mut open = env.started().await;
    for (member, folder) in ["http", "stdio"].into_iter().zip(folders) {
        let pid = open.view(member).pid;
        let (id, call) = long_call(&open, member);
        let record = RecordFile::new(&folder.record_path());
        let sent = record.wait_for_method("tools/call").await;
        open.hall.cancel_call(&id);
        assert_eq!(failure(call).await.code, Code::CallCancelled);
        let cancelled = record.wait_for_method("notifications/cancelled").await;
        assert_eq!(
            cancelled["message"]["params"]["requestId"],
            sent["message"]["id"]
        );
        let view = open.shown(member, "no call", |view| view.calls == 0).await;
        assert_eq!(
            (view.status, view.pid, view.error),
            (Status::Ready, pid, None)
        );
        open.result(member, "add", r#"{"a":1,"b":1}"#).await;
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_cancelled_while_its_member_starts() {
    let env = TestEnv::new("cancel a start");
    env.http("slow").args(["--boot-ms", "60000"]).write();
    let mut open = env.open().await;
    let (id, call) = long_call(&open, "slow");
    open.shown("slow", "a process", |view| view.pid.is_some())
        .await;
    open.hall.cancel_call(&id);
    assert_eq!(failure(call).await.code, Code::CallCancelled);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_one_member_run_at_once_and_the_65th_is_refused() {
    let env = TestEnv::new("many calls");
    both(&env, &[]);
    let mut open = env.started().await;
    for member in ["http", "stdio"] {
        let calls: Vec<_> = (0..64).map(|_| long_call(&open, member)).collect();
        open.shown(member, "64 calls", |view| view.calls == 64)
            .await;
        let report = open.refusal(member, "add", r#"{"a":1,"b":1}"#).await;
        assert_eq!(report.code, Code::TooManyCalls, "{report}");
        assert_eq!(report.member, Some(name(member)));
        assert!(!report.hint.is_empty());
        for (id, _) in &calls {
            open.hall.cancel_call(id);
        }
        for (_, call) in calls {
            assert_eq!(failure(call).await.code, Code::CallCancelled);
        }
        open.shown(member, "no call", |view| view.calls == 0).await;
        // A further call is accepted. The server has run without a restart.
        let result = open.result(member, "add", r#"{"a":20,"b":22}"#).await;
        assert!(result.to_string().contains("42"));
        assert_eq!(open.view(member).attempt, 0);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_find_the_calls_that_they_belong_to() {
    let env = TestEnv::new("answers");
    both(&env, &["--answer", "sse"]);
    let open = env.started().await;
    for member in ["http", "stdio"] {
        let calls: Vec<_> = (0..40)
            .map(|number| {
                let hall = open.hall.clone();
                let arguments = format!(r#"{{"a":{number},"b":1000}}"#);
                let call = request(member, "add", &arguments);
                (number, tokio::spawn(async move { hall.invoke(call).await }))
            })
            .collect();
        for (number, call) in calls {
            let CallEnd::Result { result, .. } = call.await.expect("it ends").end else {
                panic!("call {number} failed");
            };
            let sum = (1000 + number).to_string();
            assert!(result.contains(&sum), "{sum} in {result}");
        }
    }
    open.close().await;
}
