//! Tests with clients that use up all memory or all connections.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;

use super::client::{Open, Plain, open_with};
use super::fake::TOKEN;
use crate::ServeOptions;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// Upper bound for any expected event.
const AMPLE: Duration = Duration::from_secs(30);
/// The size of an answer, in bytes, that exceeds the system's buffers for a client that reads
/// nothing.
const LARGE: usize = 12 << 20;

/// Opens a connection from this address with a small receive buffer.
async fn connect_from(ip: [u8; 4], port: u16) -> Plain {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    socket
        .bind(SocketAddr::new(IpAddr::from(ip), 0))
        .expect("an address");
    let to = SocketAddr::from(([127, 0, 0, 1], port));
    Plain(socket.connect(to).await.expect("connected"))
}

/// Requests an answer of [`LARGE`] bytes and does not read it.
async fn ask_and_read_nothing(gateway: &Open) -> Plain {
    let mut plain = connect_from([127, 0, 0, 1], gateway.port).await;
    plain.write(&Plain::post(gateway.port, &large())).await;
    plain
}

fn large() -> String {
    let text = "x".repeat(LARGE);
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": text}}})
    .to_string()
}

/// Opens connections until one is served, and returns it. The gateway closes the others at once.
async fn served(gateway: &Open) -> Plain {
    let begun = Instant::now();
    while begun.elapsed() < AMPLE {
        let mut plain = Plain::open(gateway.port).await;
        if is_served(gateway, &mut plain).await {
            return plain;
        }
    }
    panic!("no connection is served");
}

async fn is_served(gateway: &Open, plain: &mut Plain) -> bool {
    pings(&Plain::post(gateway.port, PING), plain).await
}

/// Returns whether a request with a token is answered.
async fn is_served_with_token(gateway: &Open, plain: &mut Plain) -> bool {
    let ping = Plain::post(gateway.port, PING);
    let token = format!("\r\nauthorization: Bearer {TOKEN}\r\ncontent-type");
    pings(&ping.replacen("\r\ncontent-type", &token, 1), plain).await
}

async fn pings(ping: &str, plain: &mut Plain) -> bool {
    let mut read = String::new();
    let mut buffer = [0; 4_096];
    // A closed connection does not accept the request, or cuts off the answer.
    let _ = plain.0.write_all(ping.as_bytes()).await;
    while let Ok(count @ 1..) = plain.0.read(&mut buffer).await {
        read.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if read.contains("\"result\":{}}") {
            return true;
        }
    }
    false
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_that_reads_nothing_is_dropped() {
    let options = ServeOptions {
        connections_max: 1,
        unread_limit: Duration::from_millis(600),
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let deaf = ask_and_read_nothing(&gateway).await;
    served(&gateway).await;
    let read = deaf.rest().await;
    assert!(read.len() < LARGE, "{} bytes", read.len());
    gateway.close().await;
}

/// Opens a gateway with memory for one large answer, and a client that has received the beginning
/// of such an answer and then stopped reading.
async fn open_with_unread_answer(unread_stall: Duration) -> (Open, Plain) {
    let options = ServeOptions {
        unread_max: 20 << 20,
        unread_stall,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let deaf = ask_and_read_nothing(&gateway).await;
    deaf.0.peek(&mut [0]).await.expect("the answer begins");
    (gateway, deaf)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_answers_are_bounded_together() {
    let (gateway, deaf) = open_with_unread_answer(Duration::MAX).await;
    let answer = gateway.post("/mcp", &large()).await;
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(answer.header("retry-after"), "1");
    drop(deaf);
    gateway.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_client_is_ended_to_make_room() {
    let (gateway, deaf) = open_with_unread_answer(Duration::ZERO).await;
    loop {
        let answer = gateway.post("/mcp", &large()).await;
        // The client counts as stalled only when its connection is full.
        if answer.status == 200 {
            assert!(answer.text.len() > LARGE);
            break;
        }
        assert_eq!(answer.status, 503, "{answer:?}");
    }
    let read = deaf.rest().await;
    assert!(read.len() < LARGE, "{} bytes", read.len());
    gateway.close().await;
}

/// Returns options in which a connection from any address but 127.0.0.1 counts as another user's.
fn with_foreign_users() -> ServeOptions {
    ServeOptions {
        foreign_user: Some(|peer, _| {
            let IpAddr::V4(ip) = peer.ip() else {
                return None;
            };
            Some(u32::from(ip.octets()[3])).filter(|last| *last > 1)
        }),
        foreign_max: (2, 3),
        ..ServeOptions::default()
    }
}

#[tokio::test]
async fn other_users_share_few_connections() {
    let gateway = open_with(true, with_foreign_users()).await;
    let mut waiting = Vec::new();
    for (last, is_let_in) in [
        (2, true),
        (2, true),
        (2, false),
        (3, true),
        (3, false),
        (4, false),
    ] {
        let plain = connect_from([127, 0, 0, last], gateway.port).await;
        match is_let_in {
            true => waiting.push(plain),
            false => assert_eq!(plain.rest().await, "", "one more of user {last}"),
        }
    }
    // After a valid token, a connection no longer counts towards its user's limit.
    assert!(is_served_with_token(&gateway, &mut waiting[0]).await);
    let mut next = connect_from([127, 0, 0, 2], gateway.port).await;
    assert!(is_served_with_token(&gateway, &mut next).await);
    let mut own = Plain::open(gateway.port).await;
    assert!(is_served_with_token(&gateway, &mut own).await);
    gateway.close().await;
}

#[tokio::test]
async fn other_users_without_token_stay_in_their_share() {
    let gateway = open_with(false, with_foreign_users()).await;
    let mut served = Vec::new();
    for _ in 0..2 {
        let mut plain = connect_from([127, 0, 0, 2], gateway.port).await;
        assert!(is_served(&gateway, &mut plain).await);
        served.push(plain);
    }
    let more = connect_from([127, 0, 0, 2], gateway.port).await;
    assert_eq!(
        more.rest().await,
        "",
        "a request without a token changes nothing"
    );
    // The limit does not apply to connections of this user.
    let mut own = Vec::new();
    for _ in 0..4 {
        let mut plain = Plain::open(gateway.port).await;
        assert!(is_served(&gateway, &mut plain).await);
        own.push(plain);
    }
    // A valid token exempts a connection from the limit even if no token is required.
    assert!(is_served_with_token(&gateway, &mut served[0]).await);
    let mut next = connect_from([127, 0, 0, 2], gateway.port).await;
    assert!(is_served(&gateway, &mut next).await);
    gateway.close().await;
}

#[tokio::test]
async fn other_users_make_room_after_a_request() {
    let options = ServeOptions {
        connections_max: 2,
        ..with_foreign_users()
    };
    let gateway = open_with(false, options).await;
    let mut others = Vec::new();
    for _ in 0..2 {
        let mut plain = connect_from([127, 0, 0, 2], gateway.port).await;
        assert!(is_served(&gateway, &mut plain).await);
        others.push(plain);
    }
    served(&gateway).await;
    assert_eq!(others.remove(0).rest().await, "", "the oldest");
    gateway.close().await;
}

#[tokio::test]
async fn silent_connections_make_room_for_a_new_one() {
    let options = ServeOptions {
        connections_max: 4,
        ..ServeOptions::default()
    };
    let gateway = open_with(false, options).await;
    let mut silent = Vec::new();
    for _ in 0..4 {
        silent.push(Plain::open(gateway.port).await);
    }
    served(&gateway).await;
    assert_eq!(silent.remove(0).rest().await, "", "the oldest");
    gateway.close().await;
}
