//! Measures the build of `guildhall` after an edit in one crate.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};
use serde_json::Value;

use super::{BenchRow, median};
use crate::program::Program;

/// The crates that are edited, from the bottom to the top.
const EDITED: &[&str] = &[
    "guild-model",
    "guild-history",
    "guild-gateway",
    "guild-supervisor",
    "guild-engine",
];
/// Time limit of a build.
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Marks a file of each crate as edited and builds again, unoptimized and incrementally.
pub(super) fn measure(runs: usize) -> Result<Vec<BenchRow>> {
    build()?;
    EDITED.iter().map(|name| after_edit(name, runs)).collect()
}

fn after_edit(name: &str, runs: usize) -> Result<BenchRow> {
    let source = Path::new("src-tauri/crates").join(name).join("src/lib.rs");
    let (mut times, mut built) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let file = File::options()
            .append(true)
            .open(crate::root().join(&source));
        let file = file.with_context(|| format!("opening {}", source.display()))?;
        file.set_modified(SystemTime::now())?;
        let begin = Instant::now();
        built = build()?;
        times.push(begin.elapsed());
    }
    let seconds = median(&mut times).as_secs_f64();
    let value = format!("{seconds:.1} s, {} crates", built.len());
    Ok(BenchRow::new(format!("an edit in {name}"), value))
}

/// Builds `guildhall`. Returns the names of the crates that were compiled.
fn build() -> Result<Vec<String>> {
    let text = Program::cargo()
        .args(["build", "--locked", "--quiet", "--package", "guild-cli"])
        .args(["--message-format", "json"])
        .env("CARGO_INCREMENTAL", "1")
        .limit(LIMIT)
        .text()?;
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let compiled = messages.filter(|message: &Value| {
        message["reason"] == "compiler-artifact" && message["fresh"] == false
    });
    Ok(compiled
        .filter_map(|message| message["target"]["name"].as_str().map(str::to_owned))
        .collect())
}
