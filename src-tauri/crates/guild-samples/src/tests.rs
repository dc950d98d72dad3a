//! Tests of the samples over their transports, message by message.

use rmcp::service::RunningService;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::{
    ClockServer, Notes, Playground, Sample, SampleTransport, parse, run_from_args, serve_http,
};

/// A client at the other end of a sample's pipes.
struct Client {
    to: DuplexStream,
    from: Lines<BufReader<DuplexStream>>,
    server: JoinHandle<()>,
    next: u64,
}

impl Client {
    async fn open(server: impl ServerHandler) -> Self {
        let (to, stdin) = tokio::io::duplex(1 << 16);
        let (stdout, from) = tokio::io::duplex(1 << 16);
        let server = tokio::spawn(async move {
            let running: RunningService<RoleServer, _> =
                server.serve((stdin, stdout)).await.expect("a handshake");
            running.waiting().await.expect("no panic");
        });
        let mut client = Self {
            to,
            from: BufReader::new(from).lines(),
            server,
            next: 0,
        };
        client.ask("initialize", opening()).await;
        client.notify("notifications/initialized", json!({})).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.to.write_all(line.as_bytes()).await.expect("written");
    }

    async fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send(&message).await;
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

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_and_collect(method, params).await.1
    }

    /// Returns the messages before the response, and the response.
    async fn ask_and_collect(&mut self, method: &str, params: Value) -> (Vec<Value>, Value) {
        let id = self.request(method, params).await;
        let mut before = Vec::new();
        loop {
            let message = self.receive().await;
            if message["id"] == id {
                return (before, message);
            }
            before.push(message);
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask("tools/call", params).await["result"].take()
    }
}

fn opening() -> Value {
    let info = json!({"name": "test", "version": "0"});
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info})
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn notes_write_list_read_search() {
    let data = tempfile::tempdir().expect("a folder");
    let mut client = Client::open(Notes::new(data.path().join("notes"))).await;
    let empty = client.call("list_notes", json!({})).await;
    assert_eq!(
        empty["structuredContent"],
        json!({"notes": [], "truncated": false})
    );

    let note = json!({"name": "To do", "text": "# To do\n\nBuy Paint\n"});
    let written = client.call("write_note", note.clone()).await;
    assert_eq!(text(&written), "Created To do (19 bytes).");
    let again = client.call("write_note", note).await;
    assert_eq!(again["isError"], true);
    assert!(text(&again).contains("overwrite"), "{again}");
    let other = json!({"name": "To do", "text": "paint\nPAINT\n", "overwrite": true});
    let replaced = client.call("write_note", other).await;
    assert_eq!(text(&replaced), "Replaced To do (12 bytes).");

    let listed = client.call("list_notes", json!({})).await;
    let note = &listed["structuredContent"]["notes"][0];
    assert_eq!(
        (&note["name"], &note["bytes"]),
        (&json!("To do"), &json!(12))
    );
    let read = client.call("read_note", json!({"name": "To do"})).await;
    assert_eq!(text(&read), "paint\nPAINT\n");
    for (search, lines, truncated) in [
        (json!({"text": "Paint"}), vec![1, 2], false),
        (json!({"text": "paint", "match_case": true}), vec![1], false),
        (json!({"text": "paint", "limit": 1}), vec![1], true),
        (json!({"text": "wood"}), vec![], false),
    ] {
        let mut found =
            client.call("search_notes", search.clone()).await["structuredContent"].take();
        let matches = found["matches"].take();
        let matches = matches.as_array().expect("a list").iter();
        let found_lines: Vec<_> = matches.map(|line| line["line"].clone()).collect();
        assert_eq!(found_lines, lines, "{search}");
        assert_eq!(found["truncated"], truncated, "{search}");
    }
}

#[tokio::test]
async fn notes_name_of_other_file_is_refused() {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("secret.md"), "secret").expect("written");
    let mut client = Client::open(Notes::new(data.path().join("notes"))).await;
    let absolute = data.path().join("secret").display().to_string();
    for name in [
        "../secret",
        "..\\secret",
        ".hidden",
        "a/b",
        "",
        "a\0b",
        &absolute,
    ] {
        for (tool, arguments) in [
            ("read_note", json!({"name": name})),
            (
                "write_note",
                json!({"name": name, "text": "x", "overwrite": true}),
            ),
        ] {
            let result = client.call(tool, arguments).await;
            assert_eq!(result["isError"], true, "{tool} {name:?}: {result}");
            assert!(text(&result).contains("not a valid name"), "{result}");
        }
    }
    let secret = std::fs::read_to_string(data.path().join("secret.md"));
    assert_eq!(secret.expect("a file"), "secret");
}

#[cfg(unix)]
#[tokio::test]
async fn notes_other_entries_are_not_notes() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().join("notes");
    let secret = data.path().join("secret.md");
    std::fs::create_dir_all(folder.join("folder.md")).expect("a folder");
    std::fs::write(&secret, "secret").expect("written");
    std::os::unix::fs::symlink(&secret, folder.join("link.md")).expect("a link");
    std::fs::write(folder.join("note.md"), "a".repeat(1_000)).expect("written");
    let mut client = Client::open(Notes::new(folder.clone())).await;
    let listed = client.call("list_notes", json!({})).await["structuredContent"].take();
    let notes = listed["notes"].as_array().expect("a list");
    assert_eq!((notes.len(), &notes[0]["name"]), (1, &json!("note")));
    for name in ["folder", "link"] {
        let read = client.call("read_note", json!({"name": name})).await;
        assert_eq!(read["isError"], true, "{read}");
        let note = json!({"name": name, "text": "x"});
        let written = client.call("write_note", note).await;
        assert_eq!(written["isError"], true, "{written}");
    }
    let note = json!({"name": "link", "text": "x", "overwrite": true});
    let written = client.call("write_note", note).await;
    assert_eq!(text(&written), "Replaced link (1 bytes).");
    assert_eq!(std::fs::read_to_string(&secret).expect("a file"), "secret");
    let found = client.call("search_notes", json!({"text": "aaa"})).await;
    let line = &found["structuredContent"]["matches"][0]["text"];
    assert_eq!(line.as_str().map(str::len), Some(500));
}

#[tokio::test]
async fn notes_too_large_text_is_refused() {
    let data = tempfile::tempdir().expect("a folder");
    let mut client = Client::open(Notes::new(data.path().to_owned())).await;
    let note = json!({"name": "large", "text": "a".repeat((1 << 20) + 1)});
    let written = client.call("write_note", note).await;
    assert!(text(&written).contains("too large"), "{written}");
    assert!(!data.path().join("large.md").exists());
}

#[tokio::test]
async fn clock_converts_across_daylight_saving() {
    let mut client = Client::open(ClockServer).await;
    let arguments = json!({"time": "2026-03-29 03:30", "from": "Europe/Berlin", "to": "UTC"});
    let converted = client.call("convert_time", arguments).await["structuredContent"].take();
    let berlin = json!({"time_zone": "Europe/Berlin", "time": "2026-03-29T03:30:00+02:00",
        "weekday": "Sunday", "daylight_saving": true});
    assert_eq!(converted["from"], berlin);
    assert_eq!(converted["to"]["time"], "2026-03-29T01:30:00+00:00");

    let arguments =
        json!({"start": "2026-03-29T00:00:00+01:00", "end": "2026-03-30T00:01:02+02:00"});
    let difference = client.call("time_difference", arguments).await;
    let wanted =
        json!({"days": 0, "hours": 23, "minutes": 1, "seconds": 2, "total_seconds": 82_862});
    assert_eq!(difference["structuredContent"], wanted);

    let now = client.call("now", json!({"time_zone": "Asia/Tokyo"})).await;
    let now = now["structuredContent"]["time"].as_str().expect("a time");
    assert!(now.ends_with("+09:00"), "{now}");
    let local = client.call("now", json!({})).await;
    assert!(local["structuredContent"]["time"].is_string(), "{local}");
    let unknown = client.call("now", json!({"time_zone": "Nowhere"})).await;
    assert_eq!(unknown["isError"], true);
    assert!(text(&unknown).contains("Nowhere"), "{unknown}");
}

#[tokio::test]
async fn playground_returns_each_kind_of_result() {
    let mut client = Client::open(Playground).await;
    for (kind, content) in [
        ("text", "text"),
        ("markdown", "text"),
        ("table", "text"),
        ("image", "image"),
        ("audio", "audio"),
        ("link", "resource_link"),
        ("resource", "resource"),
        ("large", "text"),
    ] {
        let result = client.call("result_demo", json!({"kind": kind})).await;
        assert_eq!(result["content"][0]["type"], content, "{kind}");
        let is_table = result["structuredContent"]["cities"].is_array();
        assert_eq!(is_table, kind == "table", "{kind}");
    }
    let empty = client.call("result_demo", json!({"kind": "empty"})).await;
    assert_eq!(empty["content"], json!([]));

    let link = client.call("result_demo", json!({"kind": "link"})).await;
    let uri = &link["content"][0]["uri"];
    let read = client.ask("resources/read", json!({"uri": uri})).await;
    let guide = &read["result"]["contents"][0];
    assert_eq!(guide["mimeType"], "text/markdown");
    assert_eq!(guide["text"], super::playground::GUIDE);
}

#[tokio::test]
async fn playground_fields_keep_their_order() {
    let mut client = Client::open(Playground).await;
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("a list");
    let form = tools.iter().find(|tool| tool["name"] == "form_demo");
    let fields = &form.expect("the tool")["inputSchema"]["properties"];
    let order: Vec<_> = fields.as_object().expect("fields").keys().collect();
    assert_eq!(order[..4], ["title", "size", "quantity", "price"]);
}

#[tokio::test]
async fn playground_task_reports_progress() {
    let mut client = Client::open(Playground).await;
    let call = json!({"name": "long_task", "arguments": {"seconds": 0, "steps": 2},
        "_meta": {"progressToken": "task"}});
    let (progress, answer) = client.ask_and_collect("tools/call", call).await;
    assert_eq!(text(&answer["result"]), "Task finished after 2 steps.");
    let steps: Vec<_> = progress
        .iter()
        .map(|message| (&message["params"]["progress"], &message["params"]["total"]))
        .collect();
    let (one, two) = (json!(1.0), json!(2.0));
    assert_eq!(steps, [(&one, &two), (&two, &two)]);
    assert_eq!(progress[1]["params"]["message"], "Step 2 of 2");
}

#[tokio::test]
async fn playground_answers_after_a_cancelled_call() {
    let mut client = Client::open(Playground).await;
    for (tool, arguments) in [
        ("long_task", json!({"seconds": 600})),
        ("fail", json!({"how": "no_answer"})),
    ] {
        let call = json!({"name": tool, "arguments": arguments});
        let id = client.request("tools/call", call).await;
        let cancelled = json!({"requestId": id});
        client.notify("notifications/cancelled", cancelled).await;
        let call = json!({"name": "echo", "arguments": {"message": "still here"}});
        let (before, answer) = client.ask_and_collect("tools/call", call).await;
        assert!(
            before.iter().all(|message| message["id"] != id),
            "{before:?}"
        );
        assert_eq!(text(&answer["result"]), "still here");
    }
}

#[tokio::test]
async fn playground_question_needs_capable_client() {
    let mut client = Client::open(Playground).await;
    let result = client.call("long_task", json!({"ask": true})).await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("can't show questions"), "{result}");
}

#[tokio::test]
async fn sample_ends_when_stdin_ends() {
    let Client {
        to, from, server, ..
    } = Client::open(Playground).await;
    drop(to);
    server.await.expect("no panic");
    drop(from);
}

/// Posts a handshake, and returns the answer up to the end of the connection.
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
async fn req_mcp_http_31_foreign_host_or_origin_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = tokio::spawn(serve_http(ClockServer, listener));
    let good = post(port, &format!("host: 127.0.0.1:{port}\r\n")).await;
    assert!(
        good.starts_with("HTTP/1.1 200") && good.contains("clock"),
        "{good}"
    );
    let host = post(port, "host: evil.example\r\n").await;
    assert!(host.starts_with("HTTP/1.1 403"), "{host}");
    let headers = format!("host: 127.0.0.1:{port}\r\norigin: http://evil.example\r\n");
    let origin = post(port, &headers).await;
    assert!(origin.starts_with("HTTP/1.1 403"), "{origin}");
    server.abort();
}

#[test]
fn arguments_choose_sample_and_transport() {
    let words = |line: &str| line.split(' ').map(Into::into).collect::<Vec<_>>();
    let notes = parse(&words("notes /srv/notes --port 20000"));
    let folder = "/srv/notes".into();
    let wanted = (
        Sample::Notes { folder },
        SampleTransport::Http { port: 20_000 },
    );
    assert_eq!(notes, Some(wanted));
    let clock = parse(&words("clock --stdio"));
    assert_eq!(clock, Some((Sample::Clock, SampleTransport::Stdio)));
    for wrong in [
        "clock",
        "notes --stdio",
        "clock --port x",
        "other --stdio",
        "",
    ] {
        assert_eq!(parse(&words(wrong)), None, "{wrong}");
    }
    let args = |line: &str| line.split(' ').map(Into::into).collect::<Vec<_>>();
    assert!(run_from_args(args("guild-hall")).is_none());
    assert!(run_from_args(args("guild-hall --members sample-member")).is_none());
    assert!(run_from_args(args("guild-hall sample-member clock")).is_some());
}
