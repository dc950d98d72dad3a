//! Calls an MCP endpoint repeatedly, and prints the response times.
//!
//!     load http://127.0.0.1:PORT/mcp [--tool NAME | --find NAME | --list] [--connections N]
//!     load http://127.0.0.1:PORT/sse --legacy …
//!     load --stdio PROGRAM … -- ARGUMENT…
//!
//! It prints one line of JSON: answers, seconds, and the median and 99th percentile in
//! microseconds. Each connection waits for its answer before the next request. An answer without a
//! result ends the run.

#[path = "load/http.rs"]
mod http;

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};

use self::http::{Wire, open_http, open_legacy, open_stdio};

/// Duration of the warm-up at the beginning of a run, which is not measured.
const WARM_UP: Duration = Duration::from_millis(300);

#[derive(Debug, Parser)]
struct LoadOptions {
    /// The endpoint, or the program of a stdio server.
    server: String,
    /// The arguments of the program.
    #[arg(last = true)]
    arguments: Vec<String>,
    /// Starts the server as a program and communicates over its stdin and stdout.
    #[arg(long)]
    stdio: bool,
    /// Uses the HTTP+SSE transport of 2024-11-05.
    #[arg(long, conflicts_with = "stdio")]
    legacy: bool,
    /// The tool to call, with an argument that it returns.
    #[arg(long, default_value = "echo")]
    tool: String,
    /// Calls the first listed tool whose name ends with this.
    #[arg(long, conflicts_with = "tool")]
    find: Option<String>,
    /// Requests the list of tools instead.
    #[arg(long)]
    list: bool,
    /// The number of connections.
    #[arg(long, default_value_t = 1)]
    connections: usize,
    /// The duration of the run in seconds.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// The number of answers on each connection, instead of a duration.
    #[arg(long)]
    answers: Option<usize>,
}

fn main() -> ExitCode {
    let options = LoadOptions::parse();
    let taken: io::Result<Vec<_>> = std::thread::scope(|scope| {
        let one = |_| scope.spawn(|| ask(&options));
        let threads: Vec<_> = (0..options.connections).map(one).collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(io::Error::other("a panic")))
            })
            .collect()
    });
    match taken {
        Ok(taken) => {
            println!("{}", figures(taken));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn figures(taken: Vec<(Vec<Duration>, Duration)>) -> Value {
    let spans = taken.iter().map(|(_, span)| span.as_secs_f64());
    let seconds = spans.fold(0.0, f64::max);
    let mut times: Vec<Duration> = taken.into_iter().flat_map(|(times, _)| times).collect();
    times.sort_unstable();
    let micros = |part: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list"
        )]
        let place = (times.len() as f64 * part) as usize;
        times.get(place).map(|time| time.as_secs_f64() * 1e6)
    };
    json!({
        "answers": times.len(),
        "seconds": seconds,
        "p50": micros(0.5),
        "p99": micros(0.99),
    })
}

/// Requests over one connection. Returns the time of each answer, and of the whole run.
fn ask(options: &LoadOptions) -> io::Result<(Vec<Duration>, Duration)> {
    let server = &options.server;
    let mut wire: Box<dyn Wire> = match (options.stdio, options.legacy) {
        (true, _) => Box::new(open_stdio(server, &options.arguments)?),
        (_, true) => Box::new(open_legacy(server)?),
        _ => Box::new(open_http(server)?),
    };
    let mut body = Vec::new();
    let client = json!({"name": "load", "version": "1"});
    let opening =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let opening = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening});
    wire.ask(&opening.to_string(), &mut body)?;
    let opened = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    wire.tell(&opened.to_string())?;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let message = match (&options.find, options.list) {
        (_, true) => list,
        (Some(ending), _) => {
            wire.ask(&list, &mut body)?;
            call(&found(&body, ending)?)
        }
        _ => call(&options.tool),
    };
    let (warm_up, limit) = match options.answers {
        Some(_) => (Duration::ZERO, Duration::MAX),
        None => (WARM_UP, WARM_UP + Duration::from_secs_f64(options.seconds)),
    };
    let mut times = Vec::new();
    let begun = Instant::now();
    let mut counted = begun;
    while begun.elapsed() < limit && options.answers.is_none_or(|wanted| times.len() < wanted) {
        if begun.elapsed() < warm_up {
            times.clear();
            counted = Instant::now();
        }
        let asked = Instant::now();
        wire.ask(&message, &mut body)?;
        times.push(asked.elapsed());
        if !contains(&body, b"\"result\"") || contains(&body, b"\"isError\":true") {
            let body: String = String::from_utf8_lossy(&body).chars().take(500).collect();
            return Err(io::Error::other(format!("no result: {body}")));
        }
    }
    Ok((times, counted.elapsed()))
}

fn call(tool: &str) -> String {
    let params = json!({"name": tool, "arguments": {"text": "as it was sent"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

/// Returns the first listed tool whose name ends with `ending`.
fn found(body: &[u8], ending: &str) -> io::Result<String> {
    let text = String::from_utf8_lossy(body);
    // The body is JSON, or an event with JSON as its data.
    let begin = text.find('{').ok_or(io::ErrorKind::InvalidData)?;
    let mut values = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Value>();
    let list = values.next().ok_or(io::ErrorKind::InvalidData)??;
    let tools = list["result"]["tools"].as_array().into_iter().flatten();
    let mut names = tools.filter_map(|tool| tool["name"].as_str());
    let name = names.find(|name| name.ends_with(ending));
    let missing = || io::Error::other(format!("no tool {ending} in {text:.500}"));
    name.map(str::to_owned).ok_or_else(missing)
}

fn contains(body: &[u8], words: &[u8]) -> bool {
    body.windows(words.len()).any(|part| part == words)
}
