//! Tests of the stdio proxy between a program's lines and the gateway's HTTP.

mod silence;

use guild_mcp_client::messages::BridgeNote;
use guild_mcp_client::{
    BridgeError, BridgeLimits, BridgeOptions, GatewayVerifier, Relocation, bridge,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::web::{Reply, Seen, Web};
use crate::{AMPLE, answer, initialized, refusal};

/// A program that sends and receives lines.
struct Program {
    input: Option<DuplexStream>,
    output: Lines<BufReader<DuplexStream>>,
    notices: Arc<Mutex<Vec<BridgeNote>>>,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<Result<(), BridgeError>>,
}

impl Program {
    fn start(url: &str) -> Self {
        Self::start_with(url, GatewayVerifier::anybody())
    }

    fn start_with(url: &str, known: GatewayVerifier) -> Self {
        Self::start_moving(url, known, Relocation::never())
    }

    fn start_moving(url: &str, known: GatewayVerifier, relocation: Relocation) -> Self {
        Self::start_within(url, known, relocation, BridgeLimits::default())
    }

    fn start_within(
        url: &str,
        known: GatewayVerifier,
        relocation: Relocation,
        limits: BridgeLimits,
    ) -> Self {
        let (input, read) = tokio::io::duplex(1 << 16);
        let (write, output) = tokio::io::duplex(1 << 16);
        let options = BridgeOptions {
            url: url.to_owned(),
            token: Some("t0".into()),
            known,
            relocation,
            limits,
        };
        let notices = Arc::new(Mutex::new(Vec::new()));
        let told = notices.clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = tokio::spawn(async move {
            let stopped = async {
                if stopped.await.is_err() {
                    std::future::pending().await
                }
            };
            let notice = |note: &BridgeNote| told.lock().unwrap().push(note.clone());
            bridge(read, write, &options, stopped, notice).await
        });
        Self {
            input: Some(input),
            output: BufReader::new(output).lines(),
            notices,
            stop: Some(stop),
            ended,
        }
    }

    async fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string()).await;
    }

    async fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line.as_bytes()).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    async fn line(&mut self) -> String {
        let line = timeout(AMPLE, self.output.next_line()).await;
        line.expect("in time").unwrap().expect("a line")
    }

    async fn hear(&mut self) -> Value {
        serde_json::from_str(&self.line().await).expect("a message")
    }

    async fn open(&mut self) {
        let params = json!({"protocolVersion": "2025-06-18"});
        self.say(&request(0, "initialize", params)).await;
        assert_eq!(self.hear().await["result"]["protocolVersion"], "2025-06-18");
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
    }

    /// Closes the input, and waits for the end of the proxy.
    async fn end(mut self) -> Result<(), BridgeError> {
        self.input = None;
        let (mut output, ended) = (self.output, self.ended);
        // If the output were not read, the proxy would wait for it at the end.
        let reading =
            tokio::spawn(async move { while let Ok(Some(_)) = output.next_line().await {} });
        let result = timeout(AMPLE, ended).await.expect("in time").unwrap();
        reading.await.unwrap();
        result
    }
}

fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A gateway with sessions.
fn gateway(seen: &Seen) -> Reply {
    match (seen.verb.as_str(), seen.method()) {
        ("POST", "initialize") => {
            let version = seen.body["params"]["protocolVersion"].as_str().unwrap();
            let opened = initialized(version, json!({"tools": {}}));
            Reply::In("s1", Box::new(Reply::Json(answer(&seen.body, opened))))
        }
        ("POST", method) if method.starts_with("notifications/") => Reply::Status(202, vec![]),
        ("POST", "") => Reply::Status(202, vec![]),
        ("POST", "echo") => Reply::Json(answer(&seen.body, seen.body["params"].clone())),
        ("DELETE", _) => Reply::Status(200, vec![]),
        _ => Reply::Status(405, vec![]),
    }
}

#[tokio::test]
async fn a_session_is_opened_kept_and_closed() {
    let web = Web::start(gateway).await;
    let mut program = Program::start(&web.url);
    program.open().await;
    program.say(&request(1, "echo", json!({"a": 1}))).await;
    assert_eq!(
        program.hear().await,
        json!({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}})
    );
    web.until("GET").await;
    assert_eq!(program.end().await, Ok(()));
    let seen = web.seen();
    let opening = &seen[0];
    assert_eq!(opening.header("authorization"), Some("Bearer t0"));
    assert_eq!(
        opening.header("accept"),
        Some("application/json, text/event-stream")
    );
    assert_eq!(opening.header("content-type"), Some("application/json"));
    assert_eq!(
        opening.header("mcp-protocol-version"),
        None,
        "nothing is agreed upon yet"
    );
    assert_eq!(opening.header("mcp-session-id"), None);
    for later in &seen[1..] {
        assert_eq!(
            later.header("mcp-protocol-version"),
            Some("2025-06-18"),
            "{later:?}"
        );
        assert_eq!(later.header("mcp-session-id"), Some("s1"), "{later:?}");
        assert_eq!(later.header("authorization"), Some("Bearer t0"));
    }
    assert_eq!(web.story().last().map(String::as_str), Some("DELETE"));
}

#[tokio::test]
async fn gateway_at_another_port_is_found() {
    let web = Web::start(gateway).await;
    let url = web.url.clone();
    let relocation = Relocation::by(move || {
        let url = url.clone();
        async move { Some(url) }
    });
    // No process listens on a port that was just released.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let gone = format!("http://{}/mcp", free.local_addr().unwrap());
    drop(free);
    let mut program = Program::start_moving(&gone, GatewayVerifier::anybody(), relocation);
    program.open().await;
    program.say(&request(1, "echo", json!({"a": 1}))).await;
    assert_eq!(program.hear().await["result"], json!({"a": 1}));
    assert_eq!(program.end().await, Ok(()));
    let seen = web.seen();
    assert_eq!(seen[0].header("authorization"), Some("Bearer t0"));
}

#[tokio::test]
async fn bridge_passes_concurrent_requests_unchanged() {
    let (slow, events) = mpsc::channel(4);
    let events = Mutex::new(Some(events));
    let web = Web::start(move |seen| match seen.method() {
        "slow" => Reply::Open(events.lock().unwrap().take().expect("asked once")),
        _ => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    program.open().await;
    program.say(&request(1, "slow", json!({}))).await;
    program.say(&request(2, "echo", json!({}))).await;
    assert_eq!(
        program.hear().await["id"],
        2,
        "the second does not wait for the first"
    );
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}});
    slow.send(progress.clone()).await.unwrap();
    assert_eq!(program.hear().await, progress);
    let question = request(7, "elicitation/create", json!({"message": "which?"}));
    slow.send(question.clone()).await.unwrap();
    assert_eq!(program.hear().await, question);
    let reply = json!({"jsonrpc": "2.0", "id": 7, "result": {"action": "decline"}});
    program.say(&reply).await;
    assert_eq!(web.until("").await.body, reply);
    slow.send(json!({"jsonrpc": "2.0", "id": 1, "result": {"x": 1.50}}))
        .await
        .unwrap();
    assert_eq!(program.hear().await["result"]["x"], 1.5);
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn an_answer_on_several_lines_is_one_line_and_no_digit_changes() {
    let text = "{\"jsonrpc\":\"2.0\",\r\n \"id\":1,\"result\":{\"n\":1.50e+400,\"t\":\"a\\nb\"}}\n";
    let web = Web::start(move |seen| match seen.method() {
        "odd" => Reply::Text(200, "application/json", text.into()),
        _ => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    program.say(&request(1, "odd", json!({}))).await;
    let line = program.line().await;
    assert_eq!(
        line.trim(),
        "{\"jsonrpc\":\"2.0\",   \"id\":1,\"result\":{\"n\":1.50e+400,\"t\":\"a\\nb\"}}"
    );
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn the_sessions_own_stream_is_passed_on_and_asked_for_again() {
    let (says, events) = mpsc::channel(4);
    let streams = Mutex::new(vec![
        Reply::Text(
            200,
            "text/event-stream",
            "id: e7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"first\"}\n\n".into(),
        ),
        Reply::Open(events),
    ]);
    let web = Web::start(move |seen| match seen.verb.as_str() {
        "GET" => streams.lock().unwrap().remove(0),
        _ => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    program.open().await;
    assert_eq!(program.hear().await["method"], "first");
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    says.send(changed.clone()).await.unwrap();
    assert_eq!(program.hear().await, changed);
    let again = web.seen().into_iter().filter(|seen| seen.verb == "GET");
    let again: Vec<_> = again
        .map(|seen| seen.header("last-event-id").map(str::to_owned))
        .collect();
    assert_eq!(again, [None, Some("e7".to_owned())]);
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn cancel_is_sent_to_legacy_and_modern_servers() {
    let web = Web::start(|seen| match seen.method() {
        "wait" | "hold" => Reply::Silence,
        _ => gateway(seen),
    })
    .await;
    let mut given_up = web.given_up.clone();
    let mut program = Program::start(&web.url);
    program.open().await;
    let cancel = |id: u64| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    program.say(&request(1, "wait", json!({}))).await;
    web.until("wait").await;
    program.say(&cancel(1)).await;
    web.until("notifications/cancelled").await;
    given_up.wait_for(|count| *count == 1).await.unwrap();

    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    program
        .say(&request(2, "hold", json!({"_meta": meta})))
        .await;
    web.until("hold").await;
    let told = |name: &str| web.story().iter().filter(|seen| *seen == name).count();
    program.say(&cancel(2)).await;
    given_up.wait_for(|count| *count == 2).await.unwrap();
    assert_eq!(
        told("notifications/cancelled"),
        1,
        "a modern one is told by the stream alone"
    );
    // A cancellation of an answered request has no effect.
    program.say(&cancel(99)).await;
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn modern_request_has_headers_and_no_session() {
    let web = Web::start(|seen| Reply::Json(answer(&seen.body, json!({})))).await;
    let mut program = Program::start(&web.url);
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    for (id, method, params) in [
        (
            1,
            "tools/call",
            json!({"name": "a__b", "arguments": {}, "_meta": meta}),
        ),
        (2, "resources/read", json!({"uri": "x://y", "_meta": meta})),
        (3, "tools/list", json!({"_meta": meta})),
    ] {
        program.say(&request(id, method, params)).await;
        assert_eq!(program.hear().await["id"], id);
    }
    let headers: Vec<_> = web
        .seen()
        .iter()
        .map(|seen| {
            assert_eq!(seen.header("mcp-protocol-version"), Some("2026-07-28"));
            let of = |name| seen.header(name).map(str::to_owned);
            (of("mcp-method"), of("mcp-name"), of("mcp-session-id"))
        })
        .collect();
    let expect =
        |method: &str, name: Option<&str>| (Some(method.to_owned()), name.map(str::to_owned), None);
    assert_eq!(
        headers,
        [
            expect("tools/call", Some("a__b")),
            expect("resources/read", Some("x://y")),
            expect("tools/list", None),
        ]
    );
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn forgotten_session_is_reopened_once() {
    let opened = AtomicUsize::new(0);
    let web = Web::start(
        move |seen| match (seen.method(), seen.header("mcp-session-id")) {
            ("initialize", _) => {
                let id = ["s1", "s2"][opened.fetch_add(1, Ordering::Relaxed)];
                let opened = initialized("2025-06-18", json!({}));
                Reply::In(id, Box::new(Reply::Json(answer(&seen.body, opened))))
            }
            ("echo", Some("s1")) => Reply::Status(404, vec![]),
            ("never", _) => Reply::Status(404, vec![]),
            _ => gateway(seen),
        },
    )
    .await;
    let mut program = Program::start(&web.url);
    program.open().await;
    program.say(&request(1, "echo", json!({"a": 1}))).await;
    let heard = program.hear().await;
    assert_eq!(
        heard,
        json!({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}),
        "and nothing else"
    );
    let story = web.story();
    assert_eq!(
        story.iter().filter(|name| *name == "initialize").count(),
        2,
        "{story:?}"
    );
    let initialized = story
        .iter()
        .filter(|name| *name == "notifications/initialized");
    assert_eq!(initialized.count(), 2);
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn where_nobody_answers_the_program_and_the_person_are_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp?mode=full", listener.local_addr().unwrap());
    drop(listener);
    let mut program = Program::start(&url);
    program.say(&request(1, "initialize", json!({}))).await;
    let heard = program.hear().await;
    assert_eq!(heard["id"], 1);
    assert_eq!(heard["error"]["code"], -32_000);
    let message = heard["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("run guildhall serve") && message.contains("/mcp"),
        "{message}"
    );
    program.say(&request(2, "tools/list", json!({}))).await;
    assert_eq!(program.hear().await["id"], 2);
    let notices = program.notices.clone();
    let ended = program.end().await;
    assert!(
        matches!(ended, Err(BridgeError::Unreachable(_))),
        "{ended:?}"
    );
    let told = notices.lock().unwrap().clone();
    assert_eq!(told.len(), 1, "once");
    assert_eq!(told[0].to_string(), message, "as the program is told");
}

#[tokio::test]
async fn errors_of_the_gateway_reach_the_request_they_are_for() {
    let web = Web::start(|seen| match seen.method() {
        "refused" => Reply::Status(401, vec![]),
        "rpc" => Reply::Text(
            400,
            "application/json",
            refusal(&json!({"id": null}), -32_020, "header").to_string(),
        ),
        "page" => Reply::Text(200, "text/html", "<html>".into()),
        "short" => Reply::Events(vec![json!({"jsonrpc": "2.0", "method": "x"})]),
        "huge" => Reply::Endless("text/event-stream", "data: ", vec![b'x'; 1 << 20].into()),
        _ => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    for (id, method, expect) in [
        (1, "refused", "Missing or invalid token"),
        (2, "rpc", "header"),
        (3, "page", "text/html"),
        (4, "huge", "more than 67108864 bytes"),
    ] {
        program.say(&request(id, method, json!({}))).await;
        let heard = program.hear().await;
        assert_eq!(heard["id"], id, "{heard}");
        assert!(
            heard["error"]["message"].as_str().unwrap().contains(expect),
            "{heard}"
        );
    }
    program.say(&request(5, "short", json!({}))).await;
    assert_eq!(program.hear().await["method"], "x");
    let heard = program.hear().await;
    assert!(
        heard["error"]["message"]
            .as_str()
            .unwrap()
            .contains("without an answer"),
        "{heard}"
    );
    program.say_line("{oops").await;
    let heard = program.hear().await;
    assert_eq!(
        (&heard["id"], &heard["error"]["code"]),
        (&Value::Null, &json!(-32_700))
    );
    program
        .say_line(&format!("\"{}\"", "x".repeat(17 << 20)))
        .await;
    let heard = program.hear().await;
    assert!(
        heard["error"]["message"]
            .as_str()
            .unwrap()
            .contains("16 MiB"),
        "{heard}"
    );
    program.say(&request(6, "echo", json!({}))).await;
    assert_eq!(
        program.hear().await["id"],
        6,
        "what comes after it is read again"
    );
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn each_request_of_a_batch_has_its_answer_or_an_error() {
    let web = Web::start(|seen| match seen.body.as_array() {
        Some(messages) if messages.len() == 3 => {
            Reply::Json(json!([answer(&messages[0], json!({"a": 1}))]))
        }
        Some(_) => Reply::Status(500, vec![]),
        None => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    let ask = |id| request(id, "echo", json!({}));
    let note = json!({"jsonrpc": "2.0", "method": "notifications/x"});
    program.say(&json!([ask(1), note, ask(2)])).await;
    let heard = program.hear().await;
    assert_eq!(heard[0]["result"]["a"], 1, "as it came: {heard}");
    let heard = program.hear().await;
    assert_eq!(heard["id"], 2, "{heard}");
    assert!(heard["error"]["message"].is_string(), "{heard}");
    program.say(&json!([ask(3), ask(4)])).await;
    let mut ids = vec![];
    for _ in 0..2 {
        let heard = program.hear().await;
        assert!(heard["error"]["message"].is_string(), "{heard}");
        ids.push(heard["id"].as_u64().expect("a number"));
    }
    assert_eq!(ids, [3, 4]);
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn a_stranger_on_the_port_gets_neither_token_nor_message() {
    let web = Web::start(gateway).await;
    let ours = Arc::new(Mutex::new(false));
    let asked = ours.clone();
    let known = GatewayVerifier::by(move |address| {
        let ours = *asked.lock().unwrap();
        async move {
            assert!(address.ip().is_loopback());
            ours.then_some(())
                .ok_or_else(|| "a stranger listens there".to_owned())
        }
    });
    let mut program = Program::start_with(&web.url, known);
    program.say(&request(1, "echo", json!({}))).await;
    let heard = program.hear().await;
    let message = heard["error"]["message"].as_str().expect("an error");
    assert!(
        message.contains("a stranger listens there, so the token was not sent"),
        "{message}"
    );
    assert!(web.seen().is_empty(), "nothing was said to it");
    *ours.lock().unwrap() = true;
    program.say(&request(2, "echo", json!({"x": 1}))).await;
    assert_eq!(program.hear().await["result"]["x"], 1);
    assert_eq!(web.seen()[0].header("authorization"), Some("Bearer t0"));
    program.end().await.expect("it was reached");
}

#[tokio::test]
async fn it_ends_when_it_is_told_to_or_nobody_reads() {
    let web = Web::start(|seen| match seen.method() {
        "wait" => Reply::Silence,
        _ => gateway(seen),
    })
    .await;
    let mut program = Program::start(&web.url);
    program.open().await;
    program.say(&request(1, "wait", json!({}))).await;
    web.until("wait").await;
    program.stop.take().expect("not stopped").send(()).unwrap();
    let ended = timeout(AMPLE, program.ended).await.expect("in time");
    assert_eq!(ended.unwrap(), Ok(()));
    web.until("DELETE").await;

    let program = Program::start(&web.url);
    let Program {
        input,
        output,
        ended,
        stop,
        ..
    } = program;
    let mut input = input.expect("open");
    drop(output);
    let line = format!("{}\n", request(1, "echo", json!({})));
    input.write_all(line.as_bytes()).await.unwrap();
    let ended = timeout(AMPLE, ended).await;
    let ended = ended.expect("it ends though its input is open");
    assert_eq!(ended.unwrap(), Ok(()));
    drop((input, stop));
}

#[tokio::test]
async fn only_an_address_of_this_machine_gets_the_token() {
    for url in [
        "http://example.org/mcp",
        "https://127.0.0.1:1/mcp",
        "http://127.0.0.1.example.org/mcp",
        "http://127.0.0.1@example.org/mcp",
        "/mcp",
        "",
    ] {
        let ended = Program::start(url).end().await;
        assert!(
            matches!(ended, Err(BridgeError::Address(_))),
            "{url}: {ended:?}"
        );
    }
}
