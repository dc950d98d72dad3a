//! Calls whose arguments and results pass unparsed to real processes, with each protocol version:
//! results, progress, and a client or server that ends during a call.

use std::process::Stdio;
use std::time::Duration;

use futures::future::join_all;
use guild_mcp_client::{
    CallOptions, ConnectOptions, SentRequest, ServerTransport, Session, connect,
};
use guild_model::Code;
use guild_model::protocol::Era;
use guild_tests::{LIMIT, RecordFile, fixture_bin};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::test_env::{Open, TestEnv, tool};

/// The transports, protocol eras and answer formats of the server, with the fixture's switches.
const WAYS: &[(&str, &[&str])] = &[
    ("stdio", &[]),
    ("stdio", &["--era", "modern"]),
    ("http", &["--answer", "json"]),
    ("http", &["--answer", "sse", "--sessions"]),
    ("http", &["--era", "modern", "--answer", "sse"]),
];

/// A server, and an open session with it.
struct Opened {
    session: Session,
    record: RecordFile,
    _process: Option<Child>,
    open: Open,
    _house: TestEnv,
}

async fn opened(transport: &str, args: &[&str]) -> Opened {
    println!("{transport} {args:?}");
    let env = TestEnv::new("raw calls");
    let member = match transport {
        "http" => env.http("raw"),
        _ => env.member("raw"),
    };
    let member = member.args(args.iter().copied()).recorded();
    let record = RecordFile::new(&member.record_path());
    member.write();
    let (open, link, process) = match transport {
        "http" => {
            let open = env.started().await;
            let port = open.view("raw").port.expect("a port");
            let url = format!("http://127.0.0.1:{port}/mcp");
            let headers = vec![];
            (open, ServerTransport::Http { url, headers }, None)
        }
        _ => {
            let mut process = Command::new(fixture_bin())
                .args(["--stdio", "--record"])
                .arg(member.record_path())
                .args(args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .expect("the fixture starts");
            let reader = Box::new(process.stdout.take().expect("its output"));
            let writer = Box::new(process.stdin.take().expect("its input"));
            let link = ServerTransport::Stdio { reader, writer };
            (env.open().await, link, Some(process))
        }
    };
    let options = ConnectOptions {
        apps: false,
        asking: None,
        pin: None,
        remembered: args.contains(&"modern").then_some(Era::Modern),
        discover_first: None,
        handshake: LIMIT,
        longest: LIMIT,
        sse_only: false,
        peer_check: None,
        proxies: false,
        signed: None,
    };
    Opened {
        session: connect(link, options).await.expect("a session"),
        record,
        _process: process,
        open,
        _house: env,
    }
}

fn options() -> CallOptions {
    CallOptions {
        limit: LIMIT,
        progress: None,
        cancel: CancellationToken::new(),
        label: None,
        sent: SentRequest::default(),
        asking: None,
        hearing: None,
        meta: None,
        task: false,
        task_limit: Duration::ZERO,
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).expect("JSON")
}

async fn called(
    session: &Session,
    name: &str,
    arguments: Value,
    options: CallOptions,
) -> Result<Value, guild_mcp_client::McpError> {
    let (name, arguments) = (tool(name), raw(&arguments));
    let result = session.call_text(&name, Some(&arguments), options).await?;
    Ok(serde_json::from_str(result.get()).expect("JSON"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn raw_call_is_answered_like_any_other() {
    for (transport, args) in WAYS {
        let opened = opened(transport, args).await;
        let session = &opened.session;
        let arguments = json!({"text": "häm\nmer", "number": 1.25, "deep": [[{"a": null}]]});
        let result = called(session, "echo", arguments.clone(), options()).await;
        let Value::Object(map) = arguments.clone() else {
            panic!("an object");
        };
        let value = session.call(&tool("echo"), map, options()).await;
        assert_eq!(result, value, "as a value it is the same");
        let result = result.expect("a result");
        assert_eq!(result["structuredContent"], arguments);

        let refused = json!({"code": -32042, "message": "no", "data": {"why": 1}});
        let error = called(session, "rpc_error", refused, options()).await;
        let rpc = error.expect_err("an error").rpc().expect("of the server");
        assert_eq!((rpc.code, rpc.message.as_str()), (-32042, "no"));

        let (progress, mut received) = mpsc::channel(8);
        let watched = CallOptions {
            progress: Some(progress),
            ..options()
        };
        let steps = called(session, "progress", json!({"steps": 3, "ms": 1}), watched).await;
        steps.expect("a result");
        let mut steps = Vec::new();
        while let Some(step) = received.recv().await {
            steps.push((step.progress, step.total));
        }
        let expected = match args {
            // A JSON body contains only the answer, without progress.
            ["--answer", "json"] => vec![],
            _ => vec![(1.0, Some(3.0)), (2.0, Some(3.0)), (3.0, Some(3.0))],
        };
        assert_eq!(steps, expected);

        let large = called(session, "large", json!({"bytes": 4_000_000}), options()).await;
        let large = large.expect("a result");
        let text = large["content"][0]["text"].as_str().expect("a text");
        assert_eq!(text.len(), 4_000_000);
        opened.open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_side_by_side_each_get_their_own_answer() {
    for (transport, args) in WAYS {
        let opened = opened(transport, args).await;
        let calls = (0..1_000).map(async |number| {
            let arguments = json!({"number": number});
            let result = called(&opened.session, "echo", arguments.clone(), options()).await;
            assert_eq!(result.expect("a result")["structuredContent"], arguments);
        });
        join_all(calls).await;
        opened.open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn abandoned_call_does_not_block_the_next() {
    for (transport, args) in WAYS {
        let opened = opened(transport, args).await;
        let session = &opened.session;
        let cancel = CancellationToken::new();
        let cancelled = CallOptions {
            cancel: cancel.clone(),
            ..options()
        };
        let begun = async {
            let is_it = |entry: &Value| entry["message"]["params"]["name"] == "slow";
            opened.record.wait_for(LIMIT, "the call", is_it).await;
            cancel.cancel();
        };
        let slow = called(session, "slow", json!({"ms": 60_000}), cancelled);
        let (result, ()) = tokio::join!(slow, begun);
        assert_eq!(result.expect_err("given up").code(), Code::CallCancelled);
        if !(*transport == "http" && args.contains(&"modern")) {
            let is_cancelled =
                |entry: &Value| entry["message"]["method"] == "notifications/cancelled";
            let note = opened
                .record
                .wait_for(LIMIT, "the end of it", is_cancelled)
                .await;
            let call = |entry: &Value| entry["message"]["params"]["name"] == "slow";
            let call = opened.record.wait_for(LIMIT, "the call", call).await;
            assert_eq!(
                note["message"]["params"]["requestId"],
                call["message"]["id"]
            );
        }
        let slow = CallOptions {
            limit: Duration::from_millis(50),
            ..options()
        };
        let error = called(session, "slow", json!({"ms": 60_000}), slow).await;
        assert_eq!(error.expect_err("too slow").code(), Code::CallTimeout);
        let next = called(session, "add", json!({"a": 1, "b": 2}), options()).await;
        assert_eq!(next.expect("a result")["content"][0]["text"], "3");
        opened.open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dying_server_ends_its_calls_without_a_resend() {
    for (transport, args) in WAYS {
        let opened = opened(transport, args).await;
        let session = &opened.session;
        let waiting = (0..5).map(|_| called(session, "slow", json!({"ms": 60_000}), options()));
        let crash = async {
            let five = || {
                let calls = opened.record.of_method("tools/call");
                (calls.len() == 5).then_some(())
            };
            guild_tests::eventually(LIMIT, "five calls", five).await;
            called(session, "crash", json!({}), options()).await
        };
        let (results, crashed) = tokio::join!(join_all(waiting), crash);
        for result in results.into_iter().chain([crashed]) {
            let code = result.expect_err("nobody is left to answer").code();
            assert!(
                matches!(code, Code::CallInterrupted | Code::ConnectionFailed),
                "{code:?}"
            );
        }
        let calls = opened.record.of_method("tools/call");
        assert_eq!(calls.len(), 6, "each arrived once");
        opened.open.close().await;
    }
}
