//! Measures starts of many members, compared with the shortest possible time, and lists during the
//! starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::BenchPrograms;
use crate::bench::{BenchRow, median, ratio};
use crate::folder::Folder;
use crate::serving::Serving;

/// The number of members that start together, and the time that each waits before it reads its
/// first request, in milliseconds.
const TOGETHER: usize = 25;
const BOOT_MS: u64 = 300;
/// The number of members in the measurement with one slow member, and the time that the slow one
/// takes to start, in milliseconds.
const MEMBERS: usize = 10;
const STRAGGLER_MS: u64 = 5_000;
/// Maximum length of a line from a server, in bytes.
const LINE_MAX: u64 = 1 << 20;

pub(super) fn measure(programs: &BenchPrograms<'_>) -> Result<Vec<BenchRow>> {
    let mut rows = together(programs)?;
    rows.extend(straggler(programs)?);
    Ok(rows)
}

fn together(programs: &BenchPrograms<'_>) -> Result<Vec<BenchRow>> {
    let folder = Folder::of_booting_members(programs.fixture, &[BOOT_MS; TOGETHER])?;
    let (mut floors, mut starts) = (Vec::new(), Vec::new());
    // Both measurements alternate, so that other load on the machine affects both.
    for _ in 0..programs.runs {
        floors.push(floor(programs)?);
        let serving = Serving::start_pinned(programs.guildhall, &folder)?;
        starts.push(serving.all_ready(TOGETHER)?);
        serving.stop()?;
    }
    let (floor, start) = (median(&mut floors), median(&mut starts));
    Ok(vec![
        BenchRow::new(
            format!("{TOGETHER} servers of {BOOT_MS} ms: spawned, and asked for their tools"),
            format!("{} ms", floor.as_millis()),
        ),
        BenchRow::new(
            "  as members: from the start of the engine until all are ready",
            format!(
                "{} ms, {:.2} x that",
                start.as_millis(),
                ratio(start, floor)
            ),
        )
        .aim("<= 1.05"),
    ])
}

/// Measures the shortest possible time: all servers are spawned at once, and each gets its requests
/// as soon as it reads.
fn floor(programs: &BenchPrograms<'_>) -> Result<Duration> {
    const ASK: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        "\n",
    );
    let mut servers = BenchServers(Vec::new());
    let begun = Instant::now();
    for _ in 0..TOGETHER {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(programs.fixture);
        command.args(["--stdio", "--boot-ms", &BOOT_MS.to_string()]);
        command.stderr(Stdio::null());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        servers
            .0
            .push(command.spawn().context("starting a server")?);
    }
    for server in &mut servers.0 {
        let stdin = server.stdin.as_mut().context("no stdin")?;
        stdin.write_all(ASK.as_bytes())?;
    }
    for server in &mut servers.0 {
        let stdout = server.stdout.take().context("no stdout")?;
        let mut answers = BufReader::new(stdout.take(LINE_MAX));
        let mut line = String::new();
        while !line.contains(r#""tools":["#) {
            line.clear();
            ensure!(answers.read_line(&mut line)? > 0, "a server gave no list");
        }
    }
    Ok(begun.elapsed())
}

/// Server processes that are killed on drop.
struct BenchServers(Vec<Child>);

impl Drop for BenchServers {
    fn drop(&mut self) {
        for server in &mut self.0 {
            // A server that has ended can't be killed.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// Measures lists while one member is still starting: at once, and when the others are ready.
fn straggler(programs: &BenchPrograms<'_>) -> Result<Vec<BenchRow>> {
    let mut boots = [BOOT_MS; MEMBERS];
    boots[MEMBERS / 2] = STRAGGLER_MS;
    let folder = Folder::of_booting_members(programs.fixture, &boots)?;
    let (mut first, mut others, mut then) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..programs.runs {
        let serving = Serving::start_pinned(programs.guildhall, &folder)?;
        let list = || -> Result<(Duration, usize)> {
            let asked = Instant::now();
            let answer = list_tools(serving.host()?)?;
            Ok((asked.elapsed(), answer.matches("__echo\"").count()))
        };
        first.push(list()?.0);
        others.push(serving.all_ready(MEMBERS - 1)?);
        let (time, listed) = list()?;
        ensure!(listed == MEMBERS - 1, "the list has the tools of {listed}");
        then.push(time);
        serving.stop()?;
    }
    let millis = |times: &mut [Duration]| format!("{:.2} ms", median(times).as_secs_f64() * 1e3);
    Ok(vec![
        BenchRow::new(
            format!("the first list, with one of {MEMBERS} members that takes {STRAGGLER_MS} ms"),
            millis(&mut first),
        )
        .aim("<= 500 ms"),
        BenchRow::new(
            format!("  until the others are ready ({BOOT_MS} ms each)"),
            format!("{} ms", median(&mut others).as_millis()),
        ),
        BenchRow::new("  the list with their tools then", millis(&mut then)).aim("<= 110 ms"),
    ])
}

/// Requests the tools once, over a new connection.
fn list_tools(host: &str) -> Result<String> {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "POST /mcp?mode=full HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{message}",
        message.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.contains("\"tools\""), "no list: {answer}");
    Ok(answer)
}
