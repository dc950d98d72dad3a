//! Calls an MCP endpoint over HTTP repeatedly, and prints the response times.
//!
//!     load http://127.0.0.1:PORT/mcp [--tool NAME | --list] [--connections N] [--seconds S]
//!
//! It prints one line of JSON: answers, seconds, and the median and 99th percentile in
//! microseconds. Each connection waits for its answer before the next request. Each answer is
//! checked: one without a result ends the run.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How much of a run is not counted, until everything is warm.
const WARM_UP: Duration = Duration::from_millis(300);

#[derive(Debug, Parser)]
struct Options {
    /// The endpoint.
    url: String,
    /// The tool to call, with an argument that it gives back.
    #[arg(long, default_value = "echo")]
    tool: String,
    /// Asks for the tools instead.
    #[arg(long)]
    list: bool,
    /// How many ask side by side.
    #[arg(long, default_value_t = 1)]
    connections: usize,
    /// How long.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Asks so often, instead of so long.
    #[arg(long)]
    answers: Option<usize>,
}

fn main() -> ExitCode {
    let options = Options::parse();
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
            let seconds = taken
                .iter()
                .map(|(_, span)| span.as_secs_f64())
                .fold(0.0, f64::max);
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
            let said = json!({
                "answers": times.len(),
                "seconds": seconds,
                "p50": micros(0.5),
                "p99": micros(0.99),
            });
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Asks over one connection; gives how long each answer took, and how long all of them together.
fn ask(options: &Options) -> io::Result<(Vec<Duration>, Duration)> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
    let rest = options
        .url
        .strip_prefix("http://")
        .ok_or_else(|| wrong("no http address"))?;
    let (host, path) = rest.split_once('/').ok_or_else(|| wrong("no path"))?;
    let message = if options.list {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    } else {
        let arguments = json!({"text": "as it was sent"});
        let params = json!({"name": options.tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    };
    let message = message.to_string();
    let request = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{message}",
        message.len()
    );
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut answers = BufReader::new(stream.try_clone()?);
    let mut requests = stream;
    let (mut times, mut body) = (Vec::new(), Vec::new());
    let (warm_up, limit) = match options.answers {
        Some(_) => (Duration::ZERO, Duration::MAX),
        None => (WARM_UP, WARM_UP + Duration::from_secs_f64(options.seconds)),
    };
    let begun = Instant::now();
    let mut counted = begun;
    while begun.elapsed() < limit && options.answers.is_none_or(|wanted| times.len() < wanted) {
        if begun.elapsed() < warm_up {
            times.clear();
            counted = Instant::now();
        }
        let asked = Instant::now();
        requests.write_all(request.as_bytes())?;
        read_answer(&mut answers, &mut body)?;
        times.push(asked.elapsed());
        if !contains(&body, b"\"result\"") || contains(&body, b"\"isError\":true") {
            let body = String::from_utf8_lossy(&body)
                .chars()
                .take(500)
                .collect::<String>();
            return Err(io::Error::other(format!("no result: {body}")));
        }
    }
    Ok((times, counted.elapsed()))
}

/// Reads one response with a length or in chunks.
fn read_answer(answers: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    let (mut length, mut chunked) = (0, false);
    let mut line = String::new();
    loop {
        line.clear();
        if answers.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let field = line.trim_end().to_ascii_lowercase();
        if field.is_empty() {
            break;
        }
        if let Some(value) = field.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        chunked |= field.starts_with("transfer-encoding:") && field.ends_with("chunked");
    }
    body.clear();
    if !chunked {
        body.resize(length, 0);
        return answers.read_exact(body);
    }
    loop {
        line.clear();
        answers.read_line(&mut line)?;
        let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let begin = body.len();
        // A chunk and the end of its line.
        body.resize(begin + size + 2, 0);
        answers.read_exact(&mut body[begin..])?;
        body.truncate(begin + size);
        if size == 0 {
            return Ok(());
        }
    }
}

fn contains(body: &[u8], words: &[u8]) -> bool {
    body.windows(words.len()).any(|part| part == words)
}
