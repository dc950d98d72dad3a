//! Servers with invalid answers to the handshake, to the request for the list, and to a call.

use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::MemberFolder;
use serde_json::json;

use super::{check_words, env, fault, neighbour_is_well};
use crate::test_env::TestEnv;

/// Adds two members that answer in this way, over HTTP and over stdio.
fn both(env: &TestEnv, name: &str, args: &[&str]) -> [MemberFolder; 2] {
    let http = env.http(&format!("{name}-http")).args(args.iter().copied());
    let stdio = env
        .member(&format!("{name}-stdio"))
        .args(args.iter().copied());
    [http, stdio]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_42_bad_handshake_answer_fails() {
    let env = env("bad openings");
    let patient = json!({"timeouts": {"handshake_ms": 30_000}});
    let soon = json!({"timeouts": {"start_ms": 600}});
    for (name, args) in [
        ("garbage", &["--garbage"] as &[&str]),
        ("json", &["--bad-json"]),
        ("html", &["--html"]),
        ("status", &["--status", "500"]),
        ("endless", &["--endless-body"]),
    ] {
        let [http, stdio] = both(&env, name, args);
        http.manifest(patient.clone()).write();
        // Over stdio, an invalid line is not an answer to a request, so only the time limit ends
        // the start.
        stdio.manifest(soon.clone()).write();
    }
    let open = env.started().await;
    for (name, words) in [
        ("garbage", "HTTP"),
        ("json", "JSON"),
        ("html", "text/html"),
        ("status", "500"),
        ("endless", "MiB"),
    ] {
        let report = fault(&open, &format!("{name}-http"), Code::HandshakeFailed).await;
        assert!(report.message.contains(words), "{words} in {report}");
        let report = fault(&open, &format!("{name}-stdio"), Code::StartTimeout).await;
        assert!(report.message.contains("0.6 s"), "{report}");
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_14_a_server_that_listens_and_never_answers() {
    let env = env("mute");
    let [http, stdio] = both(&env, "mute", &["--listen-mute"]);
    http.manifest(json!({"timeouts": {"handshake_ms": 400}}))
        .write();
    stdio
        .manifest(json!({"timeouts": {"start_ms": 400}}))
        .write();
    let open = env.started().await;
    let report = fault(&open, "mute-http", Code::HandshakeTimeout).await;
    assert!(report.message.contains("0.4 s"), "{report}");
    fault(&open, "mute-stdio", Code::StartTimeout).await;
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_39_bad_list_answer_fails() {
    let env = env("bad lists");
    let mut members = vec![];
    for (name, args) in [
        ("garbage", &["--garbage"] as &[&str]),
        ("json", &["--bad-json"]),
        ("html", &["--html"]),
        ("status", &["--status", "500"]),
        ("mute", &["--listen-mute"]),
        ("endless", &["--endless-body"]),
    ] {
        for folder in both(&env, name, args) {
            // Over HTTP, the errors of all members except `mute` are reported at once.
            let has_long_limit = name != "mute" && folder.path().ends_with(format!("{name}-http"));
            let limit = if has_long_limit { 30_000 } else { 600 };
            let fields = json!({"timeouts": {"discovery_ms": limit}});
            folder.args(["--on", "tools/list"]).manifest(fields).write();
        }
        members.extend([format!("{name}-http"), format!("{name}-stdio")]);
    }
    let open = env.started().await;
    for member in members {
        let report = fault(&open, &member, Code::ListFailed).await;
        let view = open.view(&member);
        assert_eq!(
            (view.status, view.freshness),
            (Status::Error, Freshness::Unknown),
            "{report}"
        );
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_fails_later_keeps_the_tools_and_the_member() {
    let env = env("later list");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let tools = env.data_dir().join("tools.json");
    std::fs::write(&tools, r#"[{"name":"one","inputSchema":{}}]"#).expect("written");
    let change_file = tools.display().to_string();
    // The first list must arrive within this limit, also on a busy machine.
    let fields = json!({"timeouts": {"discovery_ms": 5_000}});
    env.http("forge")
        .args(["--change-tools-file".to_owned(), change_file])
        .manifest(fields)
        .write();
    let open = env.started().await;
    let before = open.view("forge");
    assert_eq!((before.freshness, before.tools), (Freshness::Live, 2));
    // A named pipe without a writer, so that the server hangs when it reads its list.
    std::fs::remove_file(&tools).expect("removed");
    let made = std::process::Command::new("mkfifo").arg(&tools).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let report = open
        .hall
        .refresh_member(&before.name)
        .await
        .expect_err("no list");
    assert_eq!(report.code, Code::ListFailed, "{report}");
    check_words("forge", &report);
    let view = open.view("forge");
    assert_eq!(
        (view.status, view.pid, view.tools),
        (Status::Ready, before.pid, 2)
    );
    assert!(view.warnings.contains(&report), "{view:#?}");
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_42_bad_call_answer_fails() {
    let env = env("bad results");
    let cases: [(&str, &[&str], Code, Code); 6] = [
        (
            "garbage",
            &["--garbage"],
            Code::AnswerMalformed,
            Code::CallTimeout,
        ),
        (
            "json",
            &["--bad-json"],
            Code::AnswerMalformed,
            Code::CallTimeout,
        ),
        (
            "html",
            &["--html"],
            Code::AnswerMalformed,
            Code::CallTimeout,
        ),
        (
            "status",
            &["--status", "500"],
            Code::HttpStatus,
            Code::CallTimeout,
        ),
        (
            "mute",
            &["--listen-mute"],
            Code::CallTimeout,
            Code::CallTimeout,
        ),
        (
            "endless",
            &["--endless-body"],
            Code::AnswerTooLarge,
            Code::CallTimeout,
        ),
    ];
    for (name, args, ..) in cases {
        for folder in both(&env, name, args) {
            folder.args(["--on", "tools/call"]).write();
        }
    }
    let open = env.started().await;
    for (name, _, over_http, over_stdio) in cases {
        for (member, code) in [
            (format!("{name}-http"), over_http),
            (format!("{name}-stdio"), over_stdio),
        ] {
            let before = open.view(&member);
            assert_eq!(before.status, Status::Ready, "{before:#?}");
            let mut call = crate::test_env::request(&member, "add", r#"{"a":1,"b":1}"#);
            if code == Code::CallTimeout {
                call.timeout_ms = Some(300);
            }
            let end = open.hall.invoke(call).await.end;
            let guild_api::wire::CallEnd::Failed { report, .. } = end else {
                panic!("{member} answered");
            };
            assert_eq!(report.code, code, "{report}");
            check_words(&member, &report);
            // An invalid answer to a call fails this call, and leaves the member's process running.
            let after = open.view(&member);
            assert_eq!(
                (after.status, after.pid),
                (Status::Ready, before.pid),
                "{report}"
            );
            assert_eq!(after.error, None);
        }
    }
    neighbour_is_well(&open).await;
    open.close().await;
}
