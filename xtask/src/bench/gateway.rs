//! What the gateway costs: calls through it beside the same calls without it.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::folder::Folder;
use super::serving::{Gateway, Serving};
use super::{Row, mebibytes};
use crate::program::Program;

/// How many calls the memory is looked at before and after.
const CALLS: usize = 400_000;
/// Members of whose tools a list has 1,000.
const LARGE: (usize, usize) = (20, 50);
/// Members that are still starting when the first list is asked for.
const STRAGGLERS: usize = 10;
const STRAGGLER_MS: u64 = 5_000;
const LIMIT: Duration = Duration::from_secs(180);

/// What one load came to.
struct Load {
    /// Microseconds.
    p50: f64,
    /// Answers a second.
    rate: f64,
    /// Microseconds of the engine's processor time for each.
    cpu: f64,
}

/// Measures; everything runs on one processor, so that figures can be compared.
pub(super) fn measure(programs: &Path, runs: usize) -> Result<Vec<Row>> {
    let (guildhall, fixture) = (programs.join("guildhall"), programs.join("fixture"));
    let load = programs.join("load");
    let folder = Folder::of_echoes(&fixture)?;
    let serving = Serving::start_pinned(&guildhall, &folder)?;
    serving.all_ready(2)?;
    let gateway = serving.gateway();
    let direct = format!("http://127.0.0.1:{}/mcp", serving.port_of("member-000")?);
    let bench = Bench {
        load: &load,
        serving: &serving,
        runs,
    };
    let mut rows = Vec::new();
    let alone = bench.load(&direct, &["--tool", "echo"])?;
    rows.push(row(
        "a call of an HTTP member without the gateway: median",
        alone.p50,
        "",
    ));
    for (word, tool, aim) in [
        ("HTTP", "member-000__echo", "<= 35 us"),
        ("stdio", "member-001__echo", "<= 30 us"),
    ] {
        let one = bench.load(&gateway.address, &["--tool", tool])?;
        let eight = bench.load(&gateway.address, &["--tool", tool, "--connections", "8"])?;
        rows.push(row(
            &format!("through it, {word} member: median"),
            one.p50,
            aim,
        ));
        rows.push(row(
            "  the engine's processor time for each",
            one.cpu,
            "<= 30 us",
        ));
        rows.push(Row {
            what: "  answers a second, 8 connections".into(),
            value: format!("{:.0}", eight.rate),
            aim: ">= 31,000",
        });
    }
    let (before, _) = serving.memory()?;
    let calls = (CALLS / 8).to_string();
    let many = [
        "--tool",
        "member-001__echo",
        "--connections",
        "8",
        "--answers",
        &calls,
    ];
    bench.once(&gateway.address, &many)?;
    let (after, resident) = serving.memory()?;
    rows.push(Row {
        what: format!("the engine's memory before and after {CALLS} calls (PSS; RSS after)"),
        value: format!(
            "{:.1}, {:.1}; {:.1} MiB",
            mebibytes(before),
            mebibytes(after),
            mebibytes(resident)
        ),
        aim: "<= 20 MiB",
    });
    serving.stop()?;
    rows.push(large_list(&guildhall, &fixture, &load, runs)?);
    rows.push(first_list(&guildhall, &fixture, runs)?);
    Ok(rows)
}

/// A list of 1,000 tools with all their schemas.
fn large_list(guildhall: &Path, fixture: &Path, load: &Path, runs: usize) -> Result<Row> {
    let (members, tools) = LARGE;
    let folder = Folder::with_tools(fixture, members, tools)?;
    let serving = Serving::start_pinned(guildhall, &folder)?;
    serving.all_ready(members)?;
    let gateway = serving.gateway();
    let bench = Bench {
        load,
        serving: &serving,
        runs,
    };
    let list = bench.load(&format!("{}?mode=full", gateway.address), &["--list"])?;
    serving.stop()?;
    Ok(row(
        &format!("a full list of {} tools: median", members * tools),
        list.p50,
        "<= 2,500 us",
    ))
}

/// The first list while every member is still starting.
fn first_list(guildhall: &Path, fixture: &Path, runs: usize) -> Result<Row> {
    let folder = Folder::of_slow_members(fixture, STRAGGLERS, STRAGGLER_MS)?;
    let mut times = Vec::new();
    for _ in 0..runs {
        let serving = Serving::start_pinned(guildhall, &folder)?;
        let gateway = serving.gateway();
        let asked = Instant::now();
        gateway.list()?;
        times.push(asked.elapsed());
        serving.stop()?;
    }
    let time = super::median(&mut times).as_secs_f64() * 1e6;
    let what =
        format!("the first list, while {STRAGGLERS} members take {STRAGGLER_MS} ms to start");
    Ok(row(&what, time, "<= 10,000 us"))
}

struct Bench<'a> {
    load: &'a Path,
    serving: &'a Serving,
    runs: usize,
}

impl Bench<'_> {
    /// The median over all runs of each figure.
    fn load(&self, address: &str, options: &[&str]) -> Result<Load> {
        let mut loads = Vec::new();
        for _ in 0..self.runs {
            loads.push(self.once(address, options)?);
        }
        let median = |of: fn(&Load) -> f64| {
            let mut all: Vec<f64> = loads.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        Ok(Load {
            p50: median(|load| load.p50),
            rate: median(|load| load.rate),
            cpu: median(|load| load.cpu),
        })
    }

    fn once(&self, address: &str, options: &[&str]) -> Result<Load> {
        let before = self.serving.processor_time()?;
        let said = Program::pinned(self.load)
            .args([address])
            .args(options)
            .limit(LIMIT)
            .text()?;
        let used = self.serving.processor_time()?.saturating_sub(before);
        let said: Value =
            serde_json::from_str(said.trim()).context("reading the load's figures")?;
        let figure = |name: &str| {
            said[name]
                .as_f64()
                .with_context(|| format!("no {name}: {said}"))
        };
        let answers = figure("answers")?;
        Ok(Load {
            p50: figure("p50")?,
            rate: answers / figure("seconds")?,
            cpu: used.as_secs_f64() * 1e6 / answers,
        })
    }
}

fn row(what: &str, micros: f64, aim: &'static str) -> Row {
    Row {
        what: what.to_owned(),
        value: format!("{micros:.1} us"),
        aim,
    }
}

impl Gateway {
    /// Asks for the tools once.
    fn list(&self) -> Result<()> {
        use std::io::{Read, Write};
        let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let host = self.host()?;
        let mut stream = std::net::TcpStream::connect(host)?;
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n{message}",
            message.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        anyhow::ensure!(answer.contains("\"tools\""), "no list: {answer}");
        Ok(())
    }
}
