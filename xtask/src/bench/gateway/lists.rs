//! Measures lists of many tools in each mode, and the same list from the server itself.

use anyhow::Result;

use super::BenchPrograms;
use super::load::GatewayBench;
use crate::bench::BenchRow;
use crate::folder::Folder;
use crate::serving::Serving;

/// The numbers of members, and of tools per member: 1,000 and 10,000 tools in total.
const SIZES: [(usize, usize); 2] = [(20, 50), (20, 500)];
const MODES: [&str; 3] = ["full", "lazy", "search"];
/// The options of `load` for one run: 100 requests, far fewer than a client may send per second.
const LIST: [&str; 3] = ["--list", "--answers", "100"];

pub(super) fn measure(programs: &BenchPrograms<'_>) -> Result<Vec<BenchRow>> {
    let mut rows = Vec::new();
    for (members, tools) in SIZES {
        let all = members * tools;
        let direct = direct(programs, all)?;
        rows.push(BenchRow::new(
            format!("a list of {all} tools from one server, without the gateway: median"),
            millis(direct),
        ));
        let folder = Folder::with_tools(programs.fixture, "stdio", members, tools)?;
        let serving = Serving::start_pinned(programs.guildhall, &folder)?;
        serving.all_ready(members)?;
        let bench = GatewayBench {
            load: programs.load,
            serving: &serving,
            runs: programs.runs,
        };
        for mode in MODES {
            let address = format!("{}?mode={mode}", serving.address);
            let list = bench.load(&address, &LIST)?.p50;
            rows.push(
                BenchRow::new(
                    format!("  through it, mode {mode}"),
                    format!("{}, {:.2} x direct", millis(list), list / direct),
                )
                .aim(match (all, mode) {
                    (1_000, "full") => "<= 2.5 ms",
                    _ => "",
                }),
            );
        }
        serving.stop()?;
    }
    Ok(rows)
}

/// Measures the list of one server that has all these tools, without the gateway.
fn direct(programs: &BenchPrograms<'_>, tools: usize) -> Result<f64> {
    let folder = Folder::with_tools(programs.fixture, "http", 1, tools)?;
    let serving = Serving::start_pinned(programs.guildhall, &folder)?;
    serving.all_ready(1)?;
    let address = serving.direct("member-000")?;
    let bench = GatewayBench {
        load: programs.load,
        serving: &serving,
        runs: programs.runs,
    };
    let list = bench.load(&address, &LIST)?.p50;
    serving.stop()?;
    Ok(list)
}

fn millis(micros: f64) -> String {
    format!("{:.2} ms", micros / 1_000.0)
}
