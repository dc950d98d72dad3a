//! Tests of the gateway's limits.

use std::time::{Duration, Instant};

use ::http::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;

use super::client::{Lines, Plain, call, open, open_with, read};
use crate::ServeOptions;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// The time after which slow clients are disconnected. Other clients need less time, even on a
/// loaded machine.
const SLOW: Duration = Duration::from_millis(600);
/// Upper bound for any expected event.
const AMPLE: Duration = Duration::from_secs(30);

fn small() -> ServeOptions {
    ServeOptions {
        body_max: 64 << 10,
        ..ServeOptions::default()
    }
}

fn brief() -> ServeOptions {
    ServeOptions {
        head_limit: SLOW,
        body_limit: SLOW,
        idle_limit: SLOW,
        ..ServeOptions::default()
    }
}

#[tokio::test]
async fn a_body_that_is_announced_as_too_large_is_not_read() {
    let gateway = open_with(false, small()).await;
    let mut plain = Plain::open(gateway.port).await;
    let head =
        Plain::post(gateway.port, "").replace("content-length: 0", "content-length: 104857600");
    plain.write(&head).await;
    let answer = plain.rest().await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    gateway.close().await;
}

#[tokio::test]
async fn a_client_that_sends_100_mb_learns_that_it_is_too_much() {
    let gateway = open().await;
    let sent = gateway.posting("/mcp", &" ".repeat(100 << 20)).send().await;
    assert_eq!(read(sent.expect("an answer")).await.status, 413);
    gateway.close().await;
}

#[tokio::test]
async fn a_body_that_grows_too_large_on_its_way_is_refused() {
    let gateway = open_with(false, small()).await;
    let mut plain = Plain::open(gateway.port).await;
    let head =
        Plain::post(gateway.port, "").replace("content-length: 0", "transfer-encoding: chunked");
    plain.write(&head).await;
    let chunk = format!("8000\r\n{}\r\n", " ".repeat(0x8000));
    for _ in 0..4 {
        plain.write(&chunk).await;
    }
    let answer = plain.rest().await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    gateway.close().await;
}

#[tokio::test]
async fn a_body_in_pieces_is_put_together() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    let padded = format!("{PING}{}", " ".repeat(300_000));
    plain.write(&Plain::post(gateway.port, &padded)).await;
    plain.until("\"result\":{}}").await;
    let head =
        Plain::post(gateway.port, "").replace("content-length: 0", "transfer-encoding: chunked");
    plain.write(&head).await;
    for piece in PING.as_bytes().chunks(7) {
        let piece = std::str::from_utf8(piece).expect("ASCII");
        plain
            .write(&format!("{:x}\r\n{piece}\r\n", piece.len()))
            .await;
    }
    plain.write("0\r\n\r\n").await;
    plain.until("\"result\":{}}").await;
    gateway.close().await;
}

#[tokio::test]
async fn slow_or_idle_connections_are_closed() {
    let gateway = open_with(false, brief()).await;
    let nothing = Plain::open(gateway.port).await;
    assert_eq!(nothing.rest().await, "");

    let mut head = Plain::open(gateway.port).await;
    head.write("POST /mcp HTTP/1.1\r\nhost: ").await;
    assert_eq!(head.rest().await, "");

    let mut body = Plain::open(gateway.port).await;
    let text = Plain::post(gateway.port, PING);
    body.write(text.strip_suffix('}').expect("its end")).await;
    let answer = body.rest().await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");

    let mut idle = Plain::open(gateway.port).await;
    idle.write(&Plain::post(gateway.port, PING)).await;
    let answer = idle.rest().await;
    assert!(answer.ends_with("\"result\":{}}"), "{answer}");
    gateway.close().await;
}

#[tokio::test]
async fn a_head_that_drips_has_no_more_time_than_one_that_stalls() {
    let gateway = open_with(false, brief()).await;
    let Plain(stream) = Plain::open(gateway.port).await;
    let (mut read, mut write) = stream.into_split();
    let drips = tokio::spawn(async move {
        let mut drip = tokio::time::interval(Duration::from_millis(5));
        // Ends when the gateway has closed the connection.
        while write.write_all(b"X").await.is_ok() {
            drip.tick().await;
        }
    });
    let begun = Instant::now();
    let mut nothing = Vec::new();
    let _ = tokio::io::AsyncReadExt::read_to_end(&mut read, &mut nothing).await;
    let took = begun.elapsed();
    assert!(took < AMPLE, "{took:?}");
    drips.await.expect("no panic");
    gateway.close().await;
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    let large = format!("POST /mcp HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(70 << 10));
    plain.write(&large).await;
    let answer = plain.rest().await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    gateway.close().await;
}

#[tokio::test]
async fn one_connection_too_many_is_closed_and_the_others_are_served() {
    let options = ServeOptions {
        connections_max: 4,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let mut plain = Plain::open(gateway.port).await;
        plain.write(&Plain::post(gateway.port, PING)).await;
        plain.until("\"result\":{}}").await;
        open.push(plain);
    }
    assert_eq!(Plain::open(gateway.port).await.rest().await, "");
    for plain in &mut open {
        plain.write(&Plain::post(gateway.port, PING)).await;
        plain.until("\"result\":{}}").await;
    }
    gateway.close().await;
}

#[tokio::test]
async fn a_client_that_comes_too_often_is_told_to_wait() {
    let options = ServeOptions {
        rate: 3,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    for _ in 0..3 {
        assert_eq!(gateway.post("/mcp", PING).await.status, 200);
    }
    // The limit allows three more requests per second, so only a faster client is rejected.
    let mut answer = gateway.post("/mcp", PING).await;
    for _ in 0..1_000 {
        if answer.status == 429 {
            break;
        }
        answer = gateway.post("/mcp", PING).await;
    }
    assert_eq!((answer.status, answer.header("retry-after")), (429, "1"));
    gateway.close().await;
}

#[tokio::test]
async fn large_meta_is_refused() {
    let gateway = open().await;
    let mut answers = Vec::new();
    for length in [1 << 10, 32 << 10] {
        let meta = json!({"com.example/key": "x".repeat(length)});
        let params = json!({"name": "echo", "arguments": {}, "_meta": meta});
        for method in ["tools/call", "prompts/get"] {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            let answer = gateway.post("/mcp", &body.to_string()).await.json();
            answers.push(answer["error"]["message"].clone());
        }
    }
    let refused = json!("_meta is larger than 32 KiB.");
    assert_ne!(answers[..2], [refused.clone(), refused.clone()]);
    assert_eq!(answers[2..], [refused.clone(), refused]);
    gateway.close().await;
}

#[tokio::test]
async fn many_are_served_at_once() {
    let gateway = open().await;
    let one = async |client: usize| {
        let mut plain = Plain::open(gateway.port).await;
        for turn in 0..50 {
            let body = json!({"jsonrpc": "2.0", "id": format!("{client}-{turn}"), "method": "tools/call",
                "params": {"name": "echo", "arguments": {"client": client, "turn": turn}}});
            plain
                .write(&Plain::post(gateway.port, &body.to_string()))
                .await;
            let end =
                format!(r#""id":"{client}-{turn}","result":{{"client":{client},"turn":{turn}}}}}"#);
            plain.until(&end).await;
        }
    };
    futures::future::join_all((0..32).map(one)).await;
    gateway.close().await;
}

#[tokio::test]
async fn requests_in_one_go_are_answered_in_their_order() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    let requests: String = (0..20)
        .map(|id| {
            Plain::post(
                gateway.port,
                &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#),
            )
        })
        .collect();
    plain.write(&requests).await;
    let answers = plain.until("\"id\":19,\"result\":{}}").await;
    let ids: Vec<&str> = answers
        .split("\"id\":")
        .skip(1)
        .map(|rest| &rest[..rest.find(',').expect("a comma")])
        .collect();
    assert_eq!(ids, (0..20).map(|id| id.to_string()).collect::<Vec<_>>());
    gateway.close().await;
}

#[tokio::test]
async fn a_call_that_is_under_way_when_the_gateway_ends_is_told() {
    let gateway = open().await;
    let mut plain = Plain::open(gateway.port).await;
    plain
        .write(&Plain::post(gateway.port, &call(1, "wait")))
        .await;
    gateway.fake.began.acquire().await.expect("open").forget();
    let fake = std::sync::Arc::clone(&gateway.fake);
    let begun = Instant::now();
    gateway.close().await;
    let took = begun.elapsed();
    assert!(took < AMPLE, "{took:?}");
    let answer = plain.rest().await;
    assert!(answer.contains("Guild Hall is closing."), "{answer}");
    fake.left
        .acquire()
        .await
        .expect("the call was left")
        .forget();
}

#[tokio::test]
async fn busy_session_outlives_idle_ones() {
    let options = ServeOptions {
        sessions_max: 3,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let session = async || gateway.session("2025-11-25", json!({})).await;
    let ping = async |session: &str| {
        let ping = gateway.posting("/mcp", PING);
        let ping = ping.header("mcp-session-id", session).send().await;
        read(ping.expect("an answer")).await.status
    };
    let listening = session().await;
    let stream = gateway
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &listening);
    let mut stream = Lines::of(stream.send().await.expect("an answer"));
    stream.next().await;
    let calling = session().await;
    let mut plain = Plain::open(gateway.port).await;
    let named = format!("mcp-session-id: {calling}\r\ncontent-length: ");
    let request = Plain::post(gateway.port, &call(1, "wait"));
    plain
        .write(&request.replace("content-length: ", &named))
        .await;
    gateway.fake.began.acquire().await.expect("open").forget();
    let mut idle = session().await;
    for _ in 0..2 {
        let next = session().await;
        assert_eq!(ping(&idle).await, 404, "it went before the older ones");
        idle = next;
    }
    gateway.fake.go.add_permits(1);
    plain.until("waited").await;
    for kept in [&listening, &calling, &idle] {
        assert_eq!(ping(kept).await, 200);
    }
    drop(stream);
    gateway.close().await;
}

#[tokio::test]
async fn many_answers_at_once_have_a_bound_together() {
    let options = ServeOptions {
        together_max: 300,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let arguments = json!({"text": "x".repeat(100)});
    let messages: Vec<_> = (0..40)
        .map(|id| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": "echo", "arguments": arguments}})
        })
        .collect();
    let batch = gateway.post("/mcp", &json!(messages).to_string()).await;
    let batch = batch.json();
    let answers = batch.as_array().expect("a batch");
    let ids: Vec<_> = answers.iter().filter_map(|it| it["id"].as_i64()).collect();
    assert_eq!(ids, Vec::from_iter(0..40), "each is answered, in its place");
    let given = answers.iter().filter(|it| it["result"] == arguments);
    assert_eq!(given.count(), 2, "{batch}");
    assert_eq!(answers[39]["error"]["code"], -32_000, "{batch}");
    let contains = |what: &str| {
        let why = |it: &&serde_json::Value| it["error"]["message"].to_string().contains(what);
        answers.iter().filter(why).count()
    };
    let (done, not_begun) = (contains("This request was done"), contains("not started"));
    assert!((1..=16).contains(&done), "{batch}");
    assert_eq!(done + not_begun, 38, "{batch}");
    let seen = gateway.fake.seen.lock().expect("not poisoned").len();
    assert_eq!(
        seen,
        2 + done,
        "a request that the answer calls not started was not started"
    );

    let names = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/describe_batch",
        "params": {"names": ["echo", "echo", "echo", "echo"]}});
    let described = gateway.post("/mcp", &names.to_string()).await.json();
    let tools = described["result"]["tools"].as_array().expect("tools");
    assert_eq!(tools[0]["tool"]["name"], "echo");
    assert_eq!(tools[3]["error"]["code"], -32_000, "{described}");
    gateway.close().await;
}

#[tokio::test]
async fn revoked_clients_call_ends_without_listener() {
    let options = ServeOptions {
        head_limit: SLOW,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let mut plain = Plain::open(gateway.port).await;
    plain
        .write(&Plain::post(gateway.port, &call(1, "deaf")))
        .await;
    gateway.fake.began.acquire().await.expect("open").forget();
    gateway.fake.revoked.cancel();
    let left = gateway.fake.left.acquire();
    let left = tokio::time::timeout(AMPLE, left).await;
    left.expect("in time").expect("the call was left").forget();
    assert_eq!(plain.rest().await, "");
    gateway.close().await;
}
