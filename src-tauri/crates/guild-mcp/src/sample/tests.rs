//! Each sample is spoken to over its own wire, message by message.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::server::Sample;
use super::{NAMES, SampleError, SampleTransport, parse, run_from_args, serve_http, serve_pipes};

/// A client at the other end of a sample's pipes.
struct Client {
    to: DuplexStream,
    from: Lines<BufReader<DuplexStream>>,
    served: JoinHandle<Result<(), SampleError>>,
    next: u64,
}

impl Client {
    async fn open(name: &str) -> Self {
        let (to, stdin) = tokio::io::duplex(1 << 16);
        let (stdout, from) = tokio::io::duplex(1 << 16);
        let sample = Sample::named(name).expect("a sample");
        let served = tokio::spawn(serve_pipes(sample, stdin, stdout));
        let from = BufReader::new(from).lines();
        let mut client = Self {
            to,
            from,
            served,
            next: 0,
        };
        let opened = client.ask("initialize", opening()).await;
        assert_eq!(opened["result"]["serverInfo"]["name"], name);
        client
            .send(&note("notifications/initialized", json!({})))
            .await;
        client
    }

    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.to.write_all(line.as_bytes()).await.expect("written");
    }

    async fn receive(&mut self) -> Value {
        let line = self.from.next_line().await.expect("readable");
        serde_json::from_str(&line.expect("a line")).expect("JSON")
    }

    async fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.send(&message).await;
        self.next
    }

    /// The response; what comes before it is passed over.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_and_hear(method, params).await.1
    }

    /// What was told before the response, and the response.
    async fn ask_and_hear(&mut self, method: &str, params: Value) -> (Vec<Value>, Value) {
        let id = self.request(method, params).await;
        let mut told = Vec::new();
        loop {
            let message = self.receive().await;
            if message["id"] == id {
                return (told, message);
            }
            told.push(message);
        }
    }
}

fn opening() -> Value {
    let info = json!({"name": "test", "version": "0"});
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info})
}

fn note(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

#[tokio::test]
async fn each_tool_of_each_sample_answers_its_own_examples() {
    for name in NAMES {
        let mut client = Client::open(name).await;
        let listed = client.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"]
            .as_array()
            .cloned()
            .expect("a list");
        assert!(tools.len() >= 4, "{name} has something to show");
        for tool in &tools {
            let examples = tool["inputSchema"]["examples"].as_array();
            let examples = examples.unwrap_or_else(|| panic!("{name}/{} has none", tool["name"]));
            for arguments in examples {
                let call = json!({"name": tool["name"], "arguments": arguments});
                let answer = client.ask("tools/call", call).await;
                check_answer(tool, arguments, &answer);
            }
        }
    }
}

fn check_answer(tool: &Value, arguments: &Value, answer: &Value) {
    let name = tool["name"].as_str().unwrap_or_default();
    let result = &answer["result"];
    match name {
        "breakdown" => assert_eq!(answer["error"]["code"], -32_050),
        "stumble" => assert_eq!(result["isError"], true),
        _ => {
            assert!(result["content"].is_array(), "{name}: {answer}");
            assert_ne!(
                result["isError"], true,
                "{name} takes its own example: {answer}"
            );
        }
    }
    let content = &result["structuredContent"];
    assert_eq!(
        content.is_object(),
        tool["outputSchema"].is_object(),
        "{name} answers as it said"
    );
    if tool["outputSchema"]["properties"]["received"].is_object() {
        assert_eq!(
            &content["received"], arguments,
            "{name} answers with what it was given"
        );
    }
}

#[tokio::test]
async fn fields_keep_their_order() {
    let mut client = Client::open("workshop").await;
    let listed = client.ask("tools/list", json!({})).await;
    let label = &listed["result"]["tools"][0]["inputSchema"]["properties"];
    let order: Vec<_> = label.as_object().expect("fields").keys().collect();
    assert_eq!(order, ["text", "code", "language", "note", "secret"]);
}

#[tokio::test]
async fn what_is_needed_and_missing_is_named() {
    let mut client = Client::open("workshop").await;
    let call = json!({"name": "cut_board", "arguments": {"pieces": 2}});
    let answer = client.ask("tools/call", call).await;
    assert_eq!(answer["result"]["isError"], true);
    let words = answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert_eq!(words, "These fields are needed: length_mm, piece_mm");
    let unknown = client.ask("tools/call", json!({"name": "fly"})).await;
    assert_eq!(unknown["error"]["code"], -32_602);
}

#[tokio::test]
async fn the_signpost_leads_to_a_resource() {
    let mut client = Client::open("gallery").await;
    let answer = client.ask("tools/call", json!({"name": "signpost"})).await;
    let uri = &answer["result"]["content"][1]["uri"];
    let read = client.ask("resources/read", json!({"uri": uri})).await;
    let text = read["result"]["contents"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(text.starts_with("# Catalogue"), "{read}");
}

#[tokio::test]
async fn progress_is_told_with_and_without_a_total() {
    let mut client = Client::open("lookout").await;
    for (tool, total) in [("climb_tower", json!(2.0)), ("search_horizon", Value::Null)] {
        let arguments = json!({"stairs": 2, "pace": 0, "looks": 2, "pause": 0});
        let meta = json!({"progressToken": tool});
        let call = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let (told, _) = client.ask_and_hear("tools/call", call).await;
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!(told[1]["params"]["progress"], 2.0);
        assert_eq!(told[1]["params"]["total"], total);
        assert!(told[1]["params"]["message"].is_string());
    }
}

#[tokio::test]
async fn a_cancelled_call_ends_and_the_sample_stays() {
    let mut client = Client::open("lookout").await;
    let call = json!({"name": "keep_watch", "arguments": {"seconds": 600}});
    let id = client.request("tools/call", call).await;
    client
        .send(&note("notifications/cancelled", json!({"requestId": id})))
        .await;
    let call = json!({"name": "ring_bell", "arguments": {"message": "still here"}});
    let (told, answer) = client.ask_and_hear("tools/call", call).await;
    assert!(
        told.iter().all(|message| message["id"] != id),
        "no answer to what was cancelled"
    );
    assert!(
        told.iter()
            .any(|message| message["method"] == "notifications/message")
    );
    assert!(answer["result"].is_object());
}

#[tokio::test]
async fn the_end_of_stdin_is_the_end() {
    for name in NAMES {
        let Client {
            to, from, served, ..
        } = Client::open(name).await;
        drop(to);
        served.await.expect("no panic").expect("a quiet end");
        drop(from);
    }
}

/// One POST; answers with everything that came up to the end of the connection.
async fn post(port: u16, headers: &str) -> String {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening()});
    let body = message.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\nconnection: close\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("connected");
    stream.write_all(request.as_bytes()).await.expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
}

#[tokio::test]
async fn req_mcp_http_31_foreign_hosts_and_origins_are_refused() {
    for name in NAMES {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let end = CancellationToken::new();
        let sample = Sample::named(name).expect("a sample");
        let served = tokio::spawn(serve_http(sample, listener, end.clone()));
        let good = post(port, &format!("host: 127.0.0.1:{port}\r\n")).await;
        assert!(
            good.starts_with("HTTP/1.1 200") && good.contains(name),
            "{good}"
        );
        let host = post(port, "host: evil.example\r\n").await;
        assert!(host.starts_with("HTTP/1.1 403"), "{host}");
        let headers = format!("host: 127.0.0.1:{port}\r\norigin: http://evil.example\r\n");
        let origin = post(port, &headers).await;
        assert!(origin.starts_with("HTTP/1.1 403"), "{origin}");
        end.cancel();
        served.await.expect("no panic").expect("a quiet end");
    }
}

#[test]
fn only_the_subcommand_makes_a_sample() {
    let words = |line: &str| line.split(' ').map(Into::into).collect::<Vec<_>>();
    assert!(run_from_args(words("guild-hall")).is_none());
    assert!(run_from_args(words("guild-hall --members sample-member")).is_none());
    assert!(run_from_args(words("guild-hall sample-member workshop")).is_some());
    assert!(run_from_args(words("guild-hall sample-member nobody --stdio")).is_some());
    let port = ["lookout", "--port", "20000"].map(String::from);
    let (name, how) = parse(&port).expect("good arguments");
    assert_eq!(
        (name, how),
        ("lookout", SampleTransport::Http { port: 20_000 })
    );
}
