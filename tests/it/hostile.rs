//! Hostile or broken clients of a running gateway. They are rejected or limited, and a well-behaved
//! client is served at the same time.
//!
//! `cargo test -p guild-tests --test it hostile -- --nocapture` prints the figures of
//! `docs/reliability.md`.

mod crowds;
mod members;
mod refused;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use guild_tests::LIMIT;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::agent::{Agent, Gateway, percentile};
use crate::guildhall::CliHarness;
use crate::test_env::text;

/// The number of calls of the well-behaved client that is enough for a figure.
const ENOUGH: usize = 100;
/// Maximum number of bytes that are read of an answer.
const ANSWER_MAX: usize = 1 << 20;

/// A gateway with one healthy member, `desk`.
struct Ground {
    cli: CliHarness,
    gateway: Gateway,
}

impl Ground {
    async fn open(test: &str) -> Self {
        Self::with(test, |_| {}).await
    }

    /// Starts a gateway with additional members.
    async fn with(test: &str, more: impl FnOnce(&CliHarness)) -> Self {
        let cli = CliHarness::new(test).await;
        cli.env.member("desk").write();
        more(&cli);
        let mut gateway = Gateway::open(&cli).await;
        gateway.ready(&["desk".into()]).await;
        Self { cli, gateway }
    }

    fn address(&self) -> &str {
        let origin = &self.gateway.origin;
        origin.strip_prefix("http://").expect("an address")
    }

    fn url(&self) -> String {
        format!("{}/members/desk/mcp", self.gateway.origin)
    }

    /// Returns the peak memory of the gateway's process, in MiB.
    fn most_memory(&self) -> u64 {
        self.memory("VmHWM:")
    }

    /// Returns the present memory of the gateway's process, in MiB.
    fn resident(&self) -> u64 {
        self.memory("VmRSS:")
    }

    fn memory(&self, which: &str) -> u64 {
        let path = format!("/proc/{}/status", self.gateway.running.pid());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(which));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kib.unwrap_or_default() / 1024
    }

    /// Checks that everything still works, and ends the gateway.
    async fn end(self) {
        let mut agent = Agent::open(self.url(), "2025-11-25").await;
        let called = agent.call("add", json!({"a": 2, "b": 3})).await;
        assert_eq!(text(called.result()), "5", "it is as it was before");
        self.gateway.end(&self.cli).await;
    }
}

/// A client that calls one tool repeatedly until it is stopped.
struct Steady {
    stop: oneshot::Sender<()>,
    made: Arc<AtomicUsize>,
    calls: JoinHandle<Vec<Duration>>,
}

impl Steady {
    async fn start(ground: &Ground) -> Self {
        let mut agent = Agent::open(ground.url(), "2025-11-25").await;
        let (stop, mut stopped) = oneshot::channel();
        let made = Arc::new(AtomicUsize::new(0));
        let counted = made.clone();
        let calls = tokio::spawn(async move {
            let mut times = Vec::new();
            while stopped.try_recv().is_err() {
                let began = Instant::now();
                let sum = times.len();
                let called = agent.call("add", json!({"a": sum, "b": 0})).await;
                assert_eq!(text(called.result()), sum.to_string());
                times.push(began.elapsed());
                counted.store(times.len(), Ordering::Relaxed);
            }
            times
        });
        Self { stop, made, calls }
    }

    /// Whether there were enough calls for a figure.
    fn has_called_enough(&self) -> bool {
        self.made.load(Ordering::Relaxed) >= ENOUGH || self.calls.is_finished()
    }

    /// Stops the client. Checks that each of its calls succeeded, and prints their times.
    async fn stop(self, during: &str) -> Vec<Duration> {
        // The client runs until it is stopped, unless one of its calls has failed.
        let _ = self.stop.send(());
        let mut times = self.calls.await.expect("every call was answered rightly");
        assert!(!times.is_empty(), "it has called");
        times.sort_unstable();
        println!(
            "reliability: {during}: {} calls beside it, p50 {:.2?}, p99 {:.2?}, longest {:.2?}",
            times.len(),
            percentile(&times, 50),
            percentile(&times, 99),
            percentile(&times, 100),
        );
        times
    }
}

/// The status, headers and body of a response. The status is 0 if the connection closed without
/// one.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn code(&self) -> Option<i64> {
        let body: Value = serde_json::from_str(&self.body).ok()?;
        body["error"]["code"].as_i64()
    }
}

/// A request, which is valid unless a test changes it.
#[derive(Clone)]
struct Raw {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Raw {
    /// Returns a valid `tools/list` request of version 2025-06-18.
    fn good(address: &str) -> Self {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        let headers = [
            ("host", address),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2025-06-18"),
        ];
        Self {
            method: "POST",
            path: "/members/desk/mcp".into(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            body: body.to_string().into_bytes(),
        }
    }

    fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    fn path(mut self, path: &str) -> Self {
        self.path = path.into();
        self
    }

    fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.into(), value.into()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self
    }

    fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let framed = |name: &str| self.headers.iter().any(|(other, _)| other == name);
        if !framed("content-length") && !framed("transfer-encoding") {
            head.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        head.push_str("\r\n");
        head
    }

    async fn send(&self, address: &str) -> Answer {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let mut bytes = self.head().into_bytes();
        bytes.extend_from_slice(&self.body);
        // The gateway may refuse the request and close the connection before everything is sent.
        let _ = stream.write_all(&bytes).await;
        timeout(LIMIT, answer(&mut stream))
            .await
            .expect("an answer, or an end, in time")
    }
}

/// Reads one response, up to the end of its body or of the connection.
async fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let parts = text.split_once("\r\n\r\n");
        let read = match parts {
            Some((head, body)) if is_whole(head, body) => 0,
            _ if bytes.len() > ANSWER_MAX => 0,
            _ => stream.read_buf(&mut bytes).await.unwrap_or(0),
        };
        if read == 0 {
            let (head, body) = parts.unwrap_or((&text, ""));
            let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
            return Answer {
                status: status.unwrap_or(0),
                head: head.to_lowercase(),
                body: body.to_owned(),
            };
        }
    }
}

fn is_whole(head: &str, body: &str) -> bool {
    let head = head.to_lowercase();
    match head.split_once("content-length: ") {
        Some((_, rest)) => {
            let length = rest.lines().next().unwrap_or_default().parse::<usize>();
            length.is_ok_and(|length| body.len() >= length)
        }
        None => body.ends_with("0\r\n\r\n") || head.contains(" 202 ") || head.contains(" 204 "),
    }
}
