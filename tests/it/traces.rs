//! Traces of agents' requests: `_meta` that is passed to the member, the export, and the history.

use std::sync::Arc;

use guild_api::wire::{HistoryFilter, SearchHistory};
use guild_tests::RecordFile;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as AnyValue;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::agent::{Agent, Gateway, MODERN};
use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, open_gateway, text};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

fn traceparent() -> String {
    format!("00-{TRACE}-{CALLER}-01")
}

/// Returns the `_meta` of an agent's request.
fn meta() -> Value {
    json!({
        "traceparent": traceparent(),
        "tracestate": "vendor=1",
        "baggage": "user=ann",
        "com.example/key": {"a": [1.5, null]},
        "progressToken": "the agent's",
        "io.modelcontextprotocol/subscriptionId": "the agent's",
    })
}

/// Opens a hall with a member for each protocol era and transport. Returns the members' records,
/// too.
async fn site(env: &TestEnv) -> (Open, String, Vec<(&'static str, RecordFile)>) {
    let mut members = Vec::new();
    for (name, era) in [
        ("pipe-old", "legacy"),
        ("pipe-new", "modern"),
        ("web-old", "legacy"),
        ("web-new", "modern"),
    ] {
        let folder = match name.starts_with("web") {
            true => env.http(name),
            false => env.member(name),
        };
        let folder = folder.args(["--offers", "--era", era]).recorded();
        members.push((name, RecordFile::new(&folder.record_path())));
        folder.write();
    }
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let origin = address.strip_suffix("/mcp").expect("an endpoint");
    (open, origin.to_owned(), members)
}

/// Returns the `_meta` of the last received request with this method.
fn received(record: &RecordFile, method: &str) -> Value {
    let last = record.of_method(method).pop().expect("a request");
    last["message"]["params"]["_meta"].clone()
}

/// Checks that the member received the agent's fields, and the fields of its connection.
fn check(received: &Value, member: &str) {
    let sent = meta();
    for field in ["traceparent", "tracestate", "baggage", "com.example/key"] {
        assert_eq!(received[field], sent[field], "{member}: {received}");
    }
    assert!(received["progressToken"].is_u64(), "{member}: {received}");
    let subscription = received.get("io.modelcontextprotocol/subscriptionId");
    assert_eq!(subscription, None, "{member}");
    let client = &received["io.modelcontextprotocol/clientInfo"]["name"];
    match member.ends_with("new") {
        true => assert!(!client.to_string().contains("agent"), "{received}"),
        false => assert_eq!(*client, Value::Null, "{received}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn meta_of_an_agent_reaches_its_member() {
    let env = TestEnv::new("meta");
    let (open, origin, members) = site(&env).await;
    for version in ["2025-11-25", MODERN] {
        for mode in ["full", "lazy", "search"] {
            let mut agent = Agent::open(format!("{origin}/mcp?mode={mode}"), version).await;
            for (member, record) in &members {
                let call = json!({"name": format!("{member}__echo"), "arguments": {"text": "x"}});
                let by_menu = json!({"name": "tools_call_write", "arguments": call});
                for mut params in [call, by_menu] {
                    let before = record.of_method("tools/call").len();
                    params["_meta"] = meta();
                    let reply = agent.ask("tools/call", params).await;
                    assert!(text(reply.result()).contains('x'), "{reply:?}");
                    assert_eq!(record.of_method("tools/call").len(), before + 1);
                    check(&received(record, "tools/call"), member);
                }
            }
        }
        for (member, record) in &members {
            let mut agent = Agent::open(format!("{origin}/members/{member}/mcp"), version).await;
            for (method, mut params) in [
                ("resources/read", json!({"uri": "fixture://note/1"})),
                (
                    "prompts/get",
                    json!({"name": "greet", "arguments": {"name": "Ann"}}),
                ),
            ] {
                params["_meta"] = meta();
                let reply = agent.ask(method, params).await;
                assert!(reply.answer.get("result").is_some(), "{reply:?}");
                check(&received(record, method), member);
            }
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_without_a_trace_starts_one() {
    let env = TestEnv::new("new trace");
    let (open, origin, members) = site(&env).await;
    let (member, record) = &members[0];
    let mut agent = Agent::open(format!("{origin}/mcp"), "2025-11-25").await;
    let mut traces = Vec::new();
    for traceparent in [None, Some("not a trace")] {
        let mut params = json!({"name": format!("{member}__echo"), "arguments": {}});
        if let Some(traceparent) = traceparent {
            params["_meta"] = json!({"traceparent": traceparent, "tracestate": "vendor=1"});
        }
        agent.ask("tools/call", params).await;
        let received = received(record, "tools/call");
        assert_eq!(received.get("tracestate"), None, "{received}");
        let position = received["traceparent"].as_str().expect("a position");
        let parts: Vec<&str> = position.split('-').collect();
        assert_eq!((parts.len(), parts[0], parts[3]), (4, "00", "01"));
        traces.push(parts[1].to_owned());
    }
    assert_ne!(traces[0], traces[1]);

    open.hall.history().settled().await.expect("written");
    for trace in &traces {
        let search = SearchHistory {
            filter: HistoryFilter {
                text: Some(trace.clone()),
                ..HistoryFilter::default()
            },
            before: None,
            limit: 10,
        };
        let found = open.hall.history().search(search).await.entries;
        let ids: Vec<_> = found.iter().map(|it| it.trace_id.as_deref()).collect();
        assert_eq!(ids, [Some(trace.as_str())]);
    }
    open.close().await;
}

/// A trace collector that accepts all spans.
struct Collector {
    endpoint: String,
    requests: Arc<std::sync::Mutex<Vec<ExportTraceServiceRequest>>>,
}

impl Collector {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let requests = Arc::<std::sync::Mutex<Vec<_>>>::default();
        let kept = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let request = Self::answer(stream).await;
                kept.lock().expect("no panic").push(request);
            }
        });
        Self {
            endpoint: format!("http://{address}"),
            requests,
        }
    }

    async fn answer(mut stream: TcpStream) -> ExportTraceServiceRequest {
        let mut read = Vec::new();
        let (head, length) = loop {
            assert_ne!(stream.read_buf(&mut read).await.expect("a request"), 0);
            let Some(end) = read.windows(4).position(|it| it == b"\r\n\r\n") else {
                continue;
            };
            let head = String::from_utf8(read[..end].to_vec()).expect("text");
            assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
            assert!(head.contains("application/x-protobuf"), "{head}");
            let length = head.lines().find_map(|line| {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length: ")?.parse::<usize>().ok()
            });
            break (end + 4, length.expect("a length"));
        };
        while read.len() < head + length {
            stream.read_buf(&mut read).await.expect("the body");
        }
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).await.expect("it is read");
        ExportTraceServiceRequest::decode(&read[head..]).expect("protobuf")
    }

    fn spans(&self) -> Vec<Span> {
        let requests = self.requests.lock().expect("no panic");
        let scopes = requests.iter().flat_map(|it| &it.resource_spans);
        let scopes = scopes.flat_map(|it| &it.scope_spans);
        scopes.flat_map(|it| it.spans.clone()).collect()
    }
}

fn attribute<'s>(span: &'s Span, key: &str) -> Option<&'s str> {
    let found = span.attributes.iter().find(|it| it.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        AnyValue::StringValue(text) => Some(text),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn serve(cli: &CliHarness, endpoint: &str) -> Gateway {
    let mut command = cli.command(&["serve", "--gateway-port", "0", "--no-token"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    Gateway::of(cli.started(command)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spans_of_a_call_reach_the_collector() {
    let cli = CliHarness::new("spans").await;
    let folder = cli.env.member("forge").recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.manifest(json!({"lifecycle": "on-demand"})).write();
    let collector = Collector::open().await;
    let mut gateway = serve(&cli, &collector.endpoint).await;
    for status in ["ready", "stopped"] {
        let is_there = |line: &Value| line["event"]["member"]["status"] == status;
        gateway.running.line_where(status, is_there).await;
    }
    let mut agent = Agent::open(format!("{}/mcp", gateway.origin), MODERN).await;
    let echo = json!({"name": "forge__echo", "arguments": {"text": "planted"}, "_meta": meta()});
    agent.ask("tools/call", echo).await;
    let received = received(&record, "tools/call")["traceparent"].clone();
    agent.call("forge__fail", json!({"text": "planted"})).await;
    let rpc_error = json!({"code": -32_050, "message": "planted"});
    agent.call("forge__rpc_error", rpc_error).await;
    gateway.end(&cli).await;

    let spans = collector.spans();
    let of_trace = |span: &&Span| hex(&span.trace_id) == TRACE;
    let find = |name: &str, kind: SpanKind| {
        let is_it = |span: &&Span| span.name == name && span.kind == kind as i32;
        let mut found = spans.iter().filter(of_trace).filter(is_it);
        found
            .next()
            .unwrap_or_else(|| panic!("no {name}: {spans:#?}"))
    };
    let call = find("tools/call echo", SpanKind::Server);
    let start = find("start member", SpanKind::Internal);
    let request = find("tools/call echo", SpanKind::Client);
    assert_eq!(hex(&call.parent_span_id), CALLER);
    assert_eq!(start.parent_span_id, call.span_id);
    assert_eq!(request.parent_span_id, call.span_id);
    assert_eq!(received, format!("00-{TRACE}-{}-01", hex(&request.span_id)));
    assert!(call.start_time_unix_nano <= start.start_time_unix_nano);
    assert!(start.end_time_unix_nano <= request.start_time_unix_nano);
    assert!(request.end_time_unix_nano <= call.end_time_unix_nano);
    for (key, value) in [
        ("mcp.method.name", "tools/call"),
        ("gen_ai.tool.name", "echo"),
        ("gen_ai.operation.name", "execute_tool"),
        ("guildhall.member.name", "forge"),
        ("network.transport", "pipe"),
        ("mcp.protocol.version", "2025-11-25"),
    ] {
        assert_eq!(attribute(request, key), Some(value), "{key}");
    }
    assert_eq!(
        attribute(call, "guildhall.client.name"),
        Some("agent-2026-07-28")
    );
    assert_eq!(attribute(call, "error.type"), None);
    for (name, error) in [
        ("tools/call fail", "tool_error"),
        ("tools/call rpc_error", "-32050"),
    ] {
        let failed: Vec<_> = spans.iter().filter(|it| it.name == name).collect();
        assert_eq!(failed.len(), 2, "{spans:#?}");
        for span in failed {
            assert_eq!(attribute(span, "error.type"), Some(error));
            assert_ne!(hex(&span.trace_id), TRACE, "a trace of its own");
        }
    }
    let requests = format!("{:?}", collector.requests.lock().expect("no panic"));
    assert!(requests.contains("\"guild-hall\"") && !requests.contains("planted"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_collector_delays_nothing() {
    let cli = CliHarness::new("silent collector").await;
    cli.env.member("forge").write();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
    let mut gateway = serve(&cli, &endpoint).await;
    gateway.ready(&["forge".to_owned()]).await;
    let mut agent = Agent::open(format!("{}/mcp", gateway.origin), "2025-11-25").await;
    for _ in 0..100 {
        let reply = agent.call("forge__add", json!({"a": 1, "b": 2})).await;
        assert_eq!(text(reply.result()), "3");
    }
    gateway.running.signal(rustix::process::Signal::TERM);
    let ended = gateway.running.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let said = "the last traces were not exported";
    assert!(ended.stderr.contains(said), "{ended:#?}");
    assert!(!ended.stderr.contains("panicked"), "{ended:#?}");
    drop(listener);
}
