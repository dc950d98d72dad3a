//! Tests of HTTP connections that are kept between calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use guild_mcp_client::{ServerTransport, Session, connect};
use guild_model::Code;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::strike;
use crate::{answer, initialized, options};

/// How the server continues on a connection after it has answered a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Keep,
    /// Closes the connection at once.
    Close,
    /// Reads the next call, and closes the connection without an answer.
    Swallow,
    /// Keeps the connection, and answers with an event stream.
    Stream,
}

/// A server that counts its connections and the calls that arrive.
struct Server {
    url: String,
    connections: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
    closed: Arc<Notify>,
    _task: AbortOnDropHandle<()>,
}

impl Server {
    async fn start(then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let (connections, calls) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let closed = Arc::new(Notify::new());
        let (counted, called, told) = (connections.clone(), calls.clone(), closed.clone());
        let task = tokio::spawn(async move {
            let mut serving = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (counted, called, told) = (counted.clone(), called.clone(), told.clone());
                serving.spawn(async move {
                    serve(stream, then, &counted, &called).await;
                    told.notify_one();
                });
            }
        });
        Self {
            url,
            connections,
            calls,
            closed,
            _task: AbortOnDropHandle::new(task),
        }
    }

    async fn session(&self) -> Session {
        let link = ServerTransport::Http {
            url: self.url.clone(),
            headers: vec![],
        };
        let session = connect(link, options()).await;
        session.expect("the handshake succeeds")
    }

    /// Returns the number of connections that carried a call, and the number of calls.
    fn counts(&self) -> (usize, usize) {
        let count = |of: &AtomicUsize| of.load(Ordering::SeqCst);
        (count(&self.connections), count(&self.calls))
    }
}

async fn serve(stream: TcpStream, then: Then, connections: &AtomicUsize, calls: &AtomicUsize) {
    let mut stream = BufReader::new(stream);
    let mut called = false;
    while let Some((verb, body)) = request(&mut stream).await {
        let reply = match (verb.as_str(), body["method"].as_str().unwrap_or_default()) {
            ("POST", "initialize") => {
                let opened = initialized("2025-11-25", json!({"tools": {}}));
                ok("application/json", &answer(&body, opened).to_string())
            }
            ("POST", "tools/call") => {
                calls.fetch_add(1, Ordering::SeqCst);
                if !called {
                    connections.fetch_add(1, Ordering::SeqCst);
                } else if then == Then::Swallow {
                    return;
                }
                called = true;
                let message = answer(&body, body["params"]["arguments"].clone());
                match then {
                    Then::Stream => ok("text/event-stream", &format!("data: {message}\n\n")),
                    _ => ok("application/json", &message.to_string()),
                }
            }
            ("POST", _) => "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
            _ => "HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n".to_owned(),
        };
        if stream.get_mut().write_all(reply.as_bytes()).await.is_err() {
            return;
        }
        if called && then == Then::Close {
            return;
        }
    }
}

fn ok(kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
}

/// Returns the verb and the body of the next request. `None` if the connection has ended.
async fn request(stream: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut first = String::new();
    stream.read_line(&mut first).await.ok()?;
    let verb = first.split(' ').next().filter(|verb| !verb.is_empty())?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some((verb.to_owned(), body))
}

#[tokio::test]
async fn calls_one_after_the_other_share_a_connection() {
    for then in [Then::Keep, Then::Stream] {
        let server = Server::start(then).await;
        let session = server.session().await;
        for number in 0..50 {
            let arguments = format!("{{\"number\":{number}}}");
            assert_eq!(
                strike(&session, &arguments).await.expect("a result"),
                arguments
            );
        }
        assert_eq!(server.counts(), (1, 50), "{then:?}");
    }
}

#[tokio::test]
async fn concurrent_calls_use_separate_connections() {
    let server = Server::start(Then::Keep).await;
    let session = server.session().await;
    for _ in 0..3 {
        let calls = (0..100).map(async |number| {
            let arguments = format!("{{\"number\":{number}}}");
            assert_eq!(
                strike(&session, &arguments).await.expect("a result"),
                arguments
            );
        });
        futures::future::join_all(calls).await;
    }
    let (connections, calls) = server.counts();
    assert_eq!(calls, 300);
    assert!(connections <= 64, "{connections} connections");
}

#[tokio::test]
async fn closed_connection_is_not_reused() {
    let server = Server::start(Then::Close).await;
    let session = server.session().await;
    for number in 0..10 {
        let arguments = format!("{{\"number\":{number}}}");
        assert_eq!(
            strike(&session, &arguments).await.expect("a result"),
            arguments
        );
        server.closed.notified().await;
    }
    assert_eq!(server.counts(), (10, 10));
}

#[tokio::test]
async fn a_call_that_may_have_arrived_is_not_repeated() {
    let server = Server::start(Then::Swallow).await;
    let session = server.session().await;
    strike(&session, "{}").await.expect("the first is answered");
    let error = strike(&session, "{}").await.expect_err("swallowed");
    assert_eq!(error.code(), Code::ConnectionFailed, "{error}");
    assert_eq!(server.counts(), (1, 2), "it was sent once");
    strike(&session, "{}")
        .await
        .expect("a fresh connection is taken from then on");
    strike(&session, "{}").await.expect("for every call");
    assert_eq!(server.counts(), (3, 4));
}
