//! Measures what one call costs through a session, by itself and side by side with others.
//!
//! `cargo run --release -p guild-tests --example lane -- http http://127.0.0.1:9000/mcp`
//! `cargo run --release -p guild-tests --example lane -- stdio nullmcp --stdio`
//!
//! The server has to have a tool `echo`. Pin both to one processor to compare figures.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program to measure with, which ends where it can't go on"
)]

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guild_core::ToolName;
use guild_mcp::{CallOptions, ConnectOptions, Link, SentRequest, Session, connect};
use serde_json::value::RawValue;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

const WARM_UP: usize = 2_000;
const CALLS: usize = 20_000;
const AT_ONCE: usize = 32;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().expect("`http` or `stdio`");
    let target = arguments.next().expect("an address or a command");
    let (link, _server) = match kind.as_str() {
        "http" => {
            let headers = vec![];
            (
                Link::Http {
                    url: target,
                    headers,
                },
                None,
            )
        }
        _ => {
            let (link, child) = started(&target, arguments);
            (link, Some(child))
        }
    };
    let options = ConnectOptions {
        asking: None,
        pin: None,
        remembered: None,
        discover_first: None,
        handshake: Duration::from_secs(10),
        longest: Duration::from_secs(10),
        at_home: None,
        signed: None,
    };
    let session = Arc::new(connect(link, options).await.expect("a session"));
    one_by_one(&session, WARM_UP).await;
    let (begun, processor) = (Instant::now(), processor_time());
    let mut times = one_by_one(&session, CALLS).await;
    let (wall, processor) = (begun.elapsed(), processor_time() - processor);
    times.sort_unstable();
    println!(
        "one by one:   p50 {:>6.1} us  p99 {:>6.1} us  mean {:>6.1} us  processor {:>5.1} us",
        micros(times[CALLS / 2]),
        micros(times[CALLS * 99 / 100]),
        micros(wall) / CALLS as f64,
        micros(processor) / CALLS as f64,
    );
    let (begun, processor) = (Instant::now(), processor_time());
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..AT_ONCE {
        let session = Arc::clone(&session);
        tasks.spawn(async move { one_by_one(&session, CALLS / AT_ONCE).await });
    }
    tasks.join_all().await;
    let (wall, processor) = (begun.elapsed(), processor_time() - processor);
    println!(
        "{AT_ONCE} at once:                                 mean {:>6.1} us  processor {:>5.1} us",
        micros(wall) / CALLS as f64,
        micros(processor) / CALLS as f64,
    );
}

async fn one_by_one(session: &Session, calls: usize) -> Vec<Duration> {
    let echo = ToolName::parse("echo").expect("a name");
    let arguments = RawValue::from_string(r#"{"message":"hello there"}"#.to_owned());
    let arguments = arguments.expect("JSON");
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let options = CallOptions {
            limit: Duration::from_secs(10),
            progress: None,
            cancel: CancellationToken::new(),
            label: None,
            sent: SentRequest::default(),
            asking: None,
            hearing: None,
        };
        let begun = Instant::now();
        let called = session.call_text(&echo, Some(&arguments), options).await;
        times.push(begun.elapsed());
        called.expect("a result");
    }
    times
}

fn started(command: &str, arguments: impl Iterator<Item = String>) -> (Link, Child) {
    let mut child = Command::new(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the server starts");
    let reader = Box::new(child.stdout.take().expect("its output"));
    let writer = Box::new(child.stdin.take().expect("its input"));
    (Link::Stdio { reader, writer }, child)
}

/// Returns the processor time of this process, as far as the system reports it.
fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
