//! Tests of the HTTP transport (`REQ-MCP-HTTP` in `docs/requirements.md`). If a test proves
//! requirements, its name begins with their numbers.

use std::net::TcpListener;

use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::{LIMIT, PromiseClock, RecordFile, eventually, is_alive, processes_of};
use serde_json::json;

use crate::lifecycle::hurried;
use crate::test_env::{CLOSED, TestEnv, request, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_1_2_3_9_12_22_36_37_real_member() {
    let env = TestEnv::new("a real member");
    env.http("forge").write();
    let open = env.started().await;
    let view = open.view("forge");
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    assert_eq!(view.freshness, Freshness::Live);
    let port = view.port.expect("a port");
    assert!(
        (20_000..=30_000).contains(&port),
        "REQ-MCP-HTTP-5, -32: {port}"
    );
    let detail = open.hall.member_detail(&view.name).await.expect("its page");
    assert_eq!(
        detail.url,
        Some(format!("http://127.0.0.1:{port}/mcp")),
        "REQ-MCP-HTTP-33"
    );
    let command = detail.command.expect("its command");
    assert!(
        command.contains("fixture") && command.contains(&port.to_string()),
        "{command}"
    );
    let tools = open.hall.member_tools(&view.name).expect("its tools").tools;
    assert!(
        tools.iter().any(|tool| tool.name.as_str() == "echo"),
        "{tools:#?}"
    );
    let result = open.result("forge", "add", r#"{"a": 2, "b": 40}"#).await;
    assert!(result.to_string().contains("42"), "{result}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_11_the_working_directory_is_the_members_folder() {
    let env = TestEnv::new("working directory");
    let folder = env
        .http("forge")
        .file("test-file.txt", "written beside the manifest")
        .write();
    let open = env.started().await;
    let result = open.result("forge", "read_test_file", "{}").await;
    assert_eq!(text(&result), "written beside the manifest");
    let result = open.result("forge", "cwd", "{}").await;
    let cwd = std::path::Path::new(text(&result))
        .canonicalize()
        .expect("a folder");
    assert_eq!(cwd, folder.canonicalize().expect("a folder"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_6_occupied_port_uses_the_next() {
    // Keeps the whole range of ports free of other tests.
    let _ports = crate::guildhall::ALL_PORTS.write().await;
    let env = TestEnv::new("20000 occupied");
    let held = eventually(LIMIT, "port 20000 held by this test", || {
        TcpListener::bind(("127.0.0.1", 20_000)).ok()
    })
    .await;
    env.http("forge").write();
    let open = env
        .open_with(guild_engine::GuildHallOptions::default())
        .await;
    let free = (20_001..=30_000).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    open.hall.start_all().settled().await;
    let port = open.view("forge").port;
    // The port is 20001, unless another process uses that, too.
    assert_eq!(port, free);
    assert!(
        text(&open.result("forge", "pid", "{}").await)
            .parse::<u32>()
            .is_ok()
    );
    open.close().await;
    drop(held);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_8_10_11_17_ports_are_sticky() {
    let env = TestEnv::new("ports");
    for member in ["a", "b", "c", "d"] {
        env.http(member).write();
    }
    let mut open = env.started().await;
    let ports = |open: &crate::test_env::Open| {
        ["a", "b", "c", "d"].map(|member| open.view(member).port.expect("a port"))
    };
    let first = ports(&open);
    let mut unique = first.to_vec();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), 4, "each has its own: {first:?}");
    // A restart uses the same port again.
    let view = open
        .hall
        .restart_member(&crate::test_env::name("b"))
        .await
        .expect("restarted");
    assert_eq!(view.port, Some(first[1]));
    // The port is free after a crash, and after a stop.
    open.refusal("c", "crash", "{}").await;
    open.shown("c", "no port", |view| view.port.is_none()).await;
    let stopped = open
        .hall
        .stop_member(&crate::test_env::name("d"))
        .await
        .expect("stopped");
    assert_eq!(stopped.port, None);
    eventually(LIMIT, "the port is free", || {
        TcpListener::bind(("127.0.0.1", first[3])).ok()
    })
    .await;
    open.close().await;
    // The next start of the hall uses the same ports again.
    let open = env.started().await;
    assert_eq!(ports(&open), first);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_6_lost_port_race_uses_the_next() {
    let env = TestEnv::new("lost race");
    let go = env.data_dir().join("go");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    env.http("late")
        .args(["--hold-until".to_owned(), go.display().to_string()])
        .write();
    let mut open = env.open().await;
    let started = open.hall.start_all();
    let first = open
        .shown("late", "a port", |view| view.port.is_some())
        .await
        .port;
    let first = first.expect("a port");
    // After the port was leased and before the member binds it, another process takes the port, but
    // does not answer.
    let thief = TcpListener::bind(("127.0.0.1", first)).expect("the port is free still");
    std::fs::write(&go, b"").expect("written");
    started.settled().await;
    let view = open.view("late");
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    assert_ne!(view.port, Some(first));
    assert_eq!(view.attempt, 0, "a lost race is no crash");
    drop(thief);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_13_23_24_25_26_27_pinned_opening() {
    let env = TestEnv::new("wire");
    let folder = env
        .http("forge")
        .manifest(json!({"protocol_version": "2025-06-18"}))
        .recorded();
    folder.write();
    let open = env.started().await;
    open.result("forge", "echo", r#"{"text": "hello"}"#).await;
    open.close().await;
    let record = RecordFile::new(&folder.record_path());
    let requests: Vec<_> = record
        .entries()
        .into_iter()
        .filter(|entry| entry["method"] == "POST")
        .collect();
    let methods: Vec<_> = requests
        .iter()
        .map(|entry| entry["message"]["method"].as_str().unwrap_or("?"))
        .collect();
    assert_eq!(
        methods,
        [
            "initialize",
            "notifications/initialized",
            "tools/list",
            "tools/call"
        ],
        "{requests:#?}"
    );
    for request in &requests {
        let message = &request["message"];
        assert_eq!(request["path"], "/mcp");
        assert_eq!(message["jsonrpc"], "2.0");
        assert_eq!(
            request["headers"]["mcp-protocol-version"], "2025-06-18",
            "{request:#}"
        );
        assert_eq!(request["headers"]["content-type"], "application/json");
    }
    let gets = record
        .entries()
        .iter()
        .filter(|entry| entry["method"] == "GET")
        .count();
    assert_eq!(gets, 0, "POST only");
    assert_eq!(
        requests[0]["message"]["params"]["protocolVersion"],
        "2025-06-18"
    );
    assert!(requests[0]["message"]["params"]["capabilities"].is_object());
    assert!(
        requests[1]["message"].get("id").is_none(),
        "a notification has no id"
    );
    assert_eq!(requests[3]["message"]["params"]["name"], "echo");
    assert_eq!(
        requests[3]["message"]["params"]["arguments"],
        json!({"text": "hello"})
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_14_20_handshake_limit_ends_it() {
    let env = TestEnv::new("handshake limit");
    let folder = env
        .http("mute")
        .args(["--listen-mute"])
        .manifest(json!({"timeouts": {"handshake_ms": 300}}))
        .recorded();
    folder.write();
    env.http("other").write();
    let open = env.started().await;
    let view = open.view("mute");
    assert_eq!(view.status, Status::Error);
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::HandshakeTimeout, "{report}");
    assert_eq!(
        report.member.as_ref().map(|name| name.as_str()),
        Some("mute"),
        "REQ-MCP-HTTP-44"
    );
    let pid = RecordFile::new(&folder.record_path()).starts()[0];
    eventually(LIMIT, "the process is gone", || {
        (!is_alive(pid)).then_some(())
    })
    .await;
    assert_eq!(
        open.view("other").status,
        Status::Ready,
        "the other is not touched"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_28_call_limit_spares_the_server() {
    let env = TestEnv::new("call limit");
    let folder = env
        .http("forge")
        .manifest(json!({"timeouts": {"call_ms": 3_000}}))
        .recorded();
    folder.write();
    let open = env.started().await;
    let before = open.view("forge").pid;
    let report = open.refusal("forge", "slow", r#"{"ms": 60000}"#).await;
    assert_eq!(report.code, Code::CallTimeout, "{report}");
    let record = RecordFile::new(&folder.record_path());
    record.wait_for_method("notifications/cancelled").await;
    let view = open.view("forge");
    assert_eq!((view.status, view.pid), (Status::Ready, before));
    assert!(
        open.result("forge", "add", r#"{"a":1,"b":2}"#)
            .await
            .to_string()
            .contains('3')
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_16_17_any_exit_restarts() {
    let env = TestEnv::new("crash");
    env.http("forge")
        .args(["--stderr-line", "about to work"])
        .write();
    let mut open = env.started().await;
    let before = open.view("forge");
    open.refusal("forge", "crash", "{}").await;
    let view = open
        .shown("forge", "an error", |view| {
            view.error.is_some() && view.status != Status::Ready
        })
        .await;
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::MemberExited, "{report}");
    assert!(
        report.message.contains("about to work"),
        "its last words are told: {report}"
    );
    let again = open.status("forge", Status::Ready).await;
    assert_ne!(again.pid, before.pid);
    assert_eq!(again.error, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_19_a_call_starts_a_member_that_is_stopped() {
    let env = TestEnv::new("wake");
    env.http("forge").write();
    let open = env.started().await;
    open.hall
        .stop_member(&crate::test_env::name("forge"))
        .await
        .expect("stopped");
    assert!(processes_of(&env.nonce).is_empty());
    let result = open.result("forge", "add", r#"{"a":1,"b":1}"#).await;
    assert!(result.to_string().contains('2'));
    assert_eq!(open.view("forge").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_29_42_43_44_failures_differ() {
    let env = TestEnv::new("failures");
    env.http("forge").write();
    let open = env.started().await;
    // A failure that the tool itself reports is a result, and does not change the status.
    let result = open.result("forge", "fail", "{}").await;
    assert_eq!(result["isError"], true);
    // The server answers with a JSON-RPC error.
    let outcome = open
        .outcome("forge", "rpc_error", r#"{"code":-32050,"data":{"a":1}}"#)
        .await;
    let guild_api::wire::CallEnd::Failed { report, rpc, .. } = outcome.end else {
        panic!("expected a protocol error");
    };
    assert_eq!(report.code, Code::RpcError);
    assert_eq!(report.member, Some(crate::test_env::name("forge")));
    let rpc = rpc.expect("the error as it was sent");
    assert_eq!(
        (rpc.code, rpc.data.as_deref()),
        (-32050, Some(r#"{"a":1}"#))
    );
    assert_eq!(open.view("forge").status, Status::Ready);
    assert_eq!(open.view("forge").error, None);
    // If the port has no listener, the call fails with a transport error.
    let mut slow = request("forge", "slow", r#"{"ms":60000}"#);
    slow.timeout_ms = Some(100);
    let end = open.hall.invoke(slow).await.end;
    let guild_api::wire::CallEnd::Failed { report, .. } = end else {
        panic!("expected a time limit");
    };
    assert_eq!(report.code.failure(), guild_model::Failure::Transport);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_15_shutdown_ends_grandchildren() {
    let env = TestEnv::new("shutdown");
    env.http("a").args(["--grandchildren", "2"]).write();
    env.member("b")
        .args(["--grandchildren", "2", "--grandchildren-ignore-term"])
        .write();
    env.http("c").args(["--ignore-term"]).write();
    let open = env.started().await;
    eventually(LIMIT, "all seven run", || {
        (processes_of(&env.nonce).len() == 7).then_some(())
    })
    .await;
    let begun = PromiseClock::start();
    open.close().await;
    begun.assert_within(CLOSED, "closed");
    let left = processes_of(&env.nonce);
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_39_a_list_that_fails_is_an_error_of_the_member() {
    let env = TestEnv::new("list fails");
    env.http("forge")
        .args(["--on", "tools/list", "--status", "500"])
        .write();
    let open = env.started().await;
    let view = open.view("forge");
    assert_eq!(view.status, Status::Error, "{view:#?}");
    assert_eq!(view.error.expect("why").code, Code::ListFailed);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_30_open_member_is_marked() {
    let env = TestEnv::new("exposed");
    env.http("open").args(["--host", "0.0.0.0"]).write();
    env.http("closed").write();
    let open = env.started().await;
    let codes = |member: &str| -> Vec<Code> {
        open.view(member)
            .warnings
            .iter()
            .map(|report| report.code)
            .collect()
    };
    assert_eq!(codes("open"), [Code::PortExposed]);
    assert_eq!(codes("closed"), []);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_arrive_as_json_or_stream() {
    let env = TestEnv::new("answers");
    env.http("json").args(["--sessions"]).write();
    env.http("sse").args(["--answer", "sse"]).write();
    env.http("both")
        .args(["--answer", "sse", "--sessions"])
        .write();
    env.http("modern").args(["--era", "modern"]).write();
    env.member("modern-stdio").args(["--era", "modern"]).write();
    env.member("touchy")
        .args(["--die-on-unknown-first"])
        .write();
    let open = env.started().await;
    for member in ["json", "sse", "both", "modern", "modern-stdio", "touchy"] {
        let view = open.view(member);
        assert_eq!(view.status, Status::Ready, "{view:#?}");
        let result = open.result(member, "echo", r#"{"text":"hi"}"#).await;
        assert!(result.to_string().contains("hi"), "{member}: {result}");
    }
    assert_eq!(
        open.view("modern").protocol_version.as_deref(),
        Some("2026-07-28")
    );
    assert_eq!(
        open.view("json").protocol_version.as_deref(),
        Some("2025-11-25")
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_of_a_manifest_stand_on_each_request() {
    let env = TestEnv::new("own headers");
    let folder = env
        .http("forge")
        .manifest(json!({"headers": {"Authorization": "Bearer of-${PORT}"}}))
        .recorded();
    folder.write();
    let open = env.started().await;
    let view = open.view("forge");
    assert_eq!(view.warnings, [], "nothing is idle");
    open.result("forge", "echo", r#"{"text": "hello"}"#).await;
    open.close().await;
    let expected = format!("Bearer of-{}", view.port.expect("a port"));
    let requests = RecordFile::new(&folder.record_path()).entries();
    let mut requests = requests
        .iter()
        .filter(|entry| entry["headers"].is_object())
        .peekable();
    assert!(requests.peek().is_some());
    for request in requests {
        assert_eq!(request["headers"]["authorization"], expected.as_str());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_that_wants_localhost_is_asked_as_localhost() {
    let env = TestEnv::new("wants localhost");
    env.http("browser").args(["--only-as", "localhost"]).write();
    env.http("closed")
        .args(["--only-as", "other.localhost"])
        .write();
    let open = env.started().await;
    let view = open.view("browser");
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    open.result("browser", "echo", r#"{"text": "hello"}"#).await;
    let error = open.view("closed").error.expect("why");
    assert!(error.message.contains("403"), "{error}");
    assert!(error.hint.contains("Host header"), "{error}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn localhost_with_another_failure_reports_that() {
    let env = TestEnv::new("localhost without a token");
    let args = ["--only-as", "localhost", "--bearer", "of-the-forge"];
    env.http("closed").args(args).write();
    env.http("opened")
        .args(args)
        .manifest(json!({"headers": {"Authorization": "Bearer of-the-forge"}}))
        .write();
    let open = env.started().await;
    let error = open.view("closed").error.expect("why");
    assert!(error.message.contains("401"), "{error}");
    for word in ["\"headers\"", "${secret:NAME}"] {
        assert!(error.hint.contains(word), "{error}");
    }
    assert_eq!(open.view("opened").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn port_that_a_server_took_by_itself_is_named() {
    let env = TestEnv::new("another port");
    let other = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = other.local_addr().expect("an address").port();
    drop(other);
    env.http("stubborn")
        .manifest(json!({
            "args": ["--port", port.to_string()],
            "timeouts": {"start_ms": 3_000},
        }))
        .write();
    let mut open = env.open().await;
    let _started = open.hall.start_all();
    let error = open.status("stubborn", Status::Error).await.error;
    let error = error.expect("why");
    assert_eq!(error.code, Code::StartTimeout, "{error}");
    assert!(error.message.contains(&format!("port {port}")), "{error}");
    assert!(error.hint.contains("${PORT}"), "{error}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stdio_server_declared_http_is_recognized() {
    let env = TestEnv::new("declared http");
    env.member("pipe")
        .manifest(json!({"transport": "http"}))
        .write();
    let mut open = hurried(&env).await;
    let _started = open.hall.start_all();
    let error = open.status("pipe", Status::CrashLoop).await.error;
    let error = error.expect("why");
    assert_eq!(error.code, Code::CrashLoop, "{error}");
    assert!(error.hint.contains(r#""transport": "stdio""#), "{error}");
    open.close().await;
}
