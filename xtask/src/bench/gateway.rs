//! Measures the costs of the gateway: calls, lists and starts with and without it.

mod lists;
mod load;
mod starts;

use std::path::Path;

use anyhow::Result;

use self::load::{GatewayBench, LoadStats};
use super::BenchRow;
use crate::folder::Folder;
use crate::serving::Serving;
use crate::usage::mebibytes;

/// The numbers of calls after which the memory is read.
const CALLS: (usize, usize) = (100_000, 400_000);
/// The tools of the member over HTTP and of the member over stdio.
const TOOLS: [(&str, &str); 2] = [("HTTP", "member-000__echo"), ("stdio", "member-001__echo")];
const EIGHT: [&str; 2] = ["--connections", "8"];

/// The programs under measurement, and the number of runs.
struct BenchPrograms<'a> {
    guildhall: &'a Path,
    fixture: &'a Path,
    load: &'a Path,
    runs: usize,
}

/// Measures all figures of the gateway. All programs run on one processor, so that figures can be
/// compared.
pub(super) fn measure(programs: &Path, runs: usize) -> Result<Vec<BenchRow>> {
    let path = |name| crate::app::program_in(programs, name);
    let programs = BenchPrograms {
        guildhall: &path("guildhall"),
        fixture: &path("fixture"),
        load: &path("load"),
        runs,
    };
    let mut rows = calls(&programs)?;
    rows.extend(lists::measure(&programs)?);
    rows.extend(starts::measure(&programs)?);
    Ok(rows)
}

/// Measures calls to two members, calls to the first one without the gateway, and the memory of the
/// engine.
fn calls(programs: &BenchPrograms<'_>) -> Result<Vec<BenchRow>> {
    let folder = Folder::of_echoes(programs.fixture)?;
    let serving = Serving::start_pinned(programs.guildhall, &folder)?;
    serving.all_ready(2)?;
    let address = &serving.address;
    let direct = serving.direct("member-000")?;
    let bench = GatewayBench {
        load: programs.load,
        serving: &serving,
        runs: programs.runs,
    };
    let before = serving.memory()?;
    let echo = ["--tool", "echo"];
    let alone = bench.load(&direct, &echo)?;
    let alone_eight = bench.load(&direct, &[echo, EIGHT].concat())?;
    let mut rows = vec![
        BenchRow::new(
            "a call of an HTTP member without the gateway: median",
            format!("{:.1} us", alone.p50),
        ),
        BenchRow::new(
            "  answers a second, 8 connections",
            format!("{:.0}", alone_eight.rate),
        ),
    ];
    for (kind, tool) in TOOLS {
        let tool = ["--tool", tool];
        let one = bench.load(address, &tool)?;
        let eight = bench.load(address, &[tool, EIGHT].concat())?;
        rows.extend(of_calls(kind, (&one, &alone), (&eight, &alone_eight)));
    }
    let growing = [CALLS.0, CALLS.1 - CALLS.0].map(|calls| {
        for (_, tool) in TOOLS {
            // Half of the calls go to each member, over eight connections.
            let answers = (calls / TOOLS.len() / 8).to_string();
            let options = ["--tool", tool, "--answers", &answers];
            bench.once(address, &[&options, EIGHT.as_slice()].concat())?;
        }
        serving.memory()
    });
    let [early, late] = growing;
    let (early, late) = (early?, late?);
    serving.stop()?;
    let megabytes = |kibibytes| format!("{:.1} MiB", mebibytes(kibibytes));
    rows.push(
        BenchRow::new(
            format!("the engine's memory (PSS) after {} calls", CALLS.1),
            megabytes(late),
        )
        .aim("<= 20 MiB"),
    );
    rows.push(
        BenchRow::new(
            format!("  before the first; growth since call {}", CALLS.0),
            format!(
                "{}; {}",
                megabytes(before),
                megabytes(late.saturating_sub(early))
            ),
        )
        .aim("none"),
    );
    Ok(rows)
}

fn of_calls(
    kind: &str,
    one: (&LoadStats, &LoadStats),
    eight: (&LoadStats, &LoadStats),
) -> [BenchRow; 3] {
    let ((one, alone), (eight, alone_eight)) = (one, eight);
    let ratio = one.p50 / alone.p50;
    let aim = match kind {
        "HTTP" => "<= 35 us",
        _ => "<= 30 us",
    };
    [
        BenchRow::new(
            format!("through it, {kind} member: median"),
            format!("{:.1} us, {ratio:.1} x direct", one.p50),
        )
        .aim(aim),
        BenchRow::new(
            "  the engine's processor time for each",
            format!("{:.1} us, {:.1} x direct", one.cpu, one.cpu / alone.p50),
        )
        .aim("<= 30 us"),
        BenchRow::new(
            "  answers a second, 8 connections",
            format!(
                "{:.0}, {:.2} x direct",
                eight.rate,
                eight.rate / alone_eight.rate
            ),
        )
        .aim(">= 31,000"),
    ]
}
