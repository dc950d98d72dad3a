//! The catalogue of many tools, by the engine's own example.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Row;
use crate::app::{BUILD_LIMIT, Profile};
use crate::program::Program;

/// How many tools the guild has.
const TOOLS: u64 = 10_000;

/// Asks for the catalogue; a row for each figure.
pub(super) fn measure(runs: usize, profile: Profile) -> Result<Vec<Row>> {
    let mut program = Program::cargo().args(["run", "--locked", "--quiet"]);
    if profile == Profile::Release {
        program = program.args(["--release"]);
    }
    let text = program
        .args(["--package", "guild-engine", "--example", "catalog", "--"])
        .args([TOOLS.to_string(), runs.to_string()])
        .limit(BUILD_LIMIT)
        .text()?;
    let figures: Value = serde_json::from_str(&text).context("reading the catalogue's figures")?;
    let number = |name: &str| figures[name].as_u64().context("a figure is no number");
    let millis = |us: u64| format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10);
    let kib = number("bytes")? >> 10;
    Ok(vec![
        Row {
            what: format!(
                "the catalogue of {} tools, no member started",
                number("tools")?
            ),
            value: millis(number("us")?),
            aim: "<= 1 ms",
        },
        Row {
            what: "  the first time, when each tool is looked into".into(),
            value: millis(number("first_us")?),
            aim: "",
        },
        Row {
            what: format!("  written as {kib} KiB of JSON"),
            value: millis(number("written_us")?),
            aim: "",
        },
    ])
}
