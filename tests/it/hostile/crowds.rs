//! Too much at once: large bodies, many connections, and slow clients.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use futures::future::join_all;
use guild_tests::{LIMIT, eventually};
use rustix::process::{Resource, getrlimit};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Ground, Raw, Steady, answer};
use crate::agent::Agent;
use crate::test_env::text;

/// The length of a useless body, in bytes.
const LARGE: usize = 100 << 20;
/// Maximum growth of the gateway's memory with eight such bodies, in MiB.
const MEMORY_MAX: u64 = 160;
/// Maximum growth that may remain after all clients were served, in MiB.
const STAYS_MAX: u64 = 40;
/// The number of large results that are read concurrently, and the size of each in bytes.
const RESULTS: usize = 7;
const RESULT: usize = 15 << 20;
/// The number of connections that are tried, if the limit of open files allows them.
const CROWD: u64 = 10_000;
/// Maximum number of accepted connections, including those of the well-behaved client.
const LET_IN: usize = 600;
/// The number of slow clients.
const SLOW: usize = 100;
/// How long the gateway may wait for a slow client on a busy machine. The product's limit is ten
/// seconds.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_100_mib_is_not_read() {
    let ground = Ground::open("large bodies").await;
    let address = ground.address().to_owned();
    let before = ground.most_memory();
    let resident = ground.resident();
    let steady = Steady::start(&ground).await;
    let declared = Raw::good(&address)
        .header("content-length", &LARGE.to_string())
        .body("")
        .send(&address)
        .await;
    assert_eq!(declared.status, 413, "{declared:?}");
    println!("reliability: a body of 100 MiB that is announced: 413 before it is read");
    let sent = join_all((0..8).map(|_| chunked(&address))).await;
    for (_, status) in &sent {
        assert!([0, 413].contains(status), "{status}");
    }
    let most = sent.iter().map(|(bytes, _)| bytes >> 20).max();
    let grown = ground.most_memory().saturating_sub(before);
    println!(
        "reliability: 8 bodies of 100 MiB in chunks: refused, {} MiB of one went at most, memory \
         grew by {grown} MiB",
        most.unwrap_or_default()
    );
    assert!(grown < MEMORY_MAX, "{grown} MiB");
    steady.stop("8 bodies of 100 MiB").await;
    let left = returned(&ground, resident).await;
    println!("reliability: after 8 bodies of 100 MiB: {left} MiB of memory stay");
    ground.end().await;
}

/// Waits until the gateway has returned its memory to the system, except for [`STAYS_MAX`]. Returns
/// the remaining growth, in MiB.
async fn returned(ground: &Ground, before: u64) -> u64 {
    eventually(LIMIT, "the memory is returned", || {
        let grown = ground.resident().saturating_sub(before);
        (grown <= STAYS_MAX).then_some(grown)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_of_large_results_is_returned() {
    let ground = Ground::with("large results", |cli| cli.env.unlimited_results()).await;
    let resident = ground.resident();
    let calls = (0..RESULTS).map(|_| async {
        let mut agent = Agent::open(ground.url(), "2025-11-25").await;
        let called = agent.call("large", json!({"bytes": RESULT})).await;
        assert_eq!(text(called.result()).len(), RESULT);
    });
    join_all(calls).await;
    let most = ground.most_memory();
    let left = returned(&ground, resident).await;
    println!(
        "reliability: {RESULTS} results of 15 MiB: {most} MiB of memory at most, {left} MiB stay"
    );
    ground.end().await;
}

/// Sends a large body in chunks. Returns the number of sent bytes, and the status of the response.
async fn chunked(address: &str) -> (usize, u16) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = Raw::good(address)
        .header("transfer-encoding", "chunked")
        .head();
    stream.write_all(head.as_bytes()).await.expect("a head");
    let mut chunk = b"10000\r\n".to_vec();
    chunk.extend(std::iter::repeat_n(b' ', 0x10000));
    chunk.extend(b"\r\n");
    let mut sent = 0;
    while sent < LARGE {
        let written = timeout(Duration::from_secs(5), stream.write_all(&chunk)).await;
        if !matches!(written, Ok(Ok(()))) {
            break;
        }
        sent += 0x10000;
    }
    let answered = timeout(LIMIT, answer(&mut stream)).await.expect("an end");
    (sent, answered.status)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_left_and_cost_nobody_else() {
    let ground = Ground::open("slow clients").await;
    let address = ground.address().to_owned();
    let steady = Steady::start(&ground).await;
    let began = Instant::now();
    let ends = join_all((0..SLOW).map(|_| drip(&address))).await;
    let longest = ends.into_iter().max().unwrap_or_default();
    assert!(longest < PATIENCE, "{longest:?}");
    println!(
        "reliability: {SLOW} clients that send a byte of their head each 200 ms: all closed after \
         {longest:.1?}"
    );
    assert!(began.elapsed() < PATIENCE);
    steady.stop("100 slow clients").await;
    ground.end().await;
}

/// Sends a request head byte by byte until the gateway closes the connection. Returns the time
/// until then.
async fn drip(address: &str) -> Duration {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let began = Instant::now();
    let head = Raw::good(address)
        .header("x-slow", &"x".repeat(1_000))
        .head();
    for byte in head.into_bytes() {
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        let mut read = [0; 512];
        // Data before the end of the connection is ignored.
        let heard = timeout(Duration::from_millis(200), stream.read(&mut read)).await;
        if let Ok(Ok(0) | Err(_)) = heard {
            break;
        }
    }
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_connections_leaves_those_in_who_are_there() {
    let ground = Ground::open("many connections").await;
    let address = ground.address().to_owned();
    let before = ground.most_memory();
    let steady = Steady::start(&ground).await;
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(CROWD);
    // Leaves descriptors for the other tests in this process, and for the files that each process
    // opens.
    let crowd = CROWD.min(allowed.saturating_sub(400));
    let began = Instant::now();
    let mut kept = Vec::new();
    for _ in 0..crowd {
        let Ok(Ok(stream)) = timeout(LIMIT, TcpStream::connect(&address)).await else {
            break;
        };
        kept.push(stream);
    }
    let tried = kept.len();
    let opened = began.elapsed();
    // An open connection has no data to read.
    let open = |stream: &&TcpStream| {
        let read = stream.try_read(&mut [0]);
        read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    // The system may have accepted connections that the gateway has not closed yet.
    let left = eventually(LIMIT, "all but those who were let in are closed", || {
        let left = kept.iter().filter(open).count();
        (left <= LET_IN).then_some(left)
    })
    .await;
    let grown = ground.most_memory().saturating_sub(before);
    println!(
        "reliability: {tried} connections in {opened:.1?}: {left} were let in, memory grew by \
         {grown} MiB"
    );
    assert!(grown < 64, "{grown} MiB");
    steady.stop(&format!("{tried} connections")).await;
    drop(kept);
    ground.end().await;
}
