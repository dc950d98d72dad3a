//! Searches of a large history, by the engine's own example.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Row;
use crate::app::{BUILD_LIMIT, Profile};
use crate::program::Program;

/// How many calls the history has.
const CALLS: u64 = 100_000;

/// Fills a history and asks it; a row for each question.
pub(super) fn measure(runs: usize, profile: Profile) -> Result<Vec<Row>> {
    let mut program = Program::cargo().args(["run", "--locked", "--quiet"]);
    if profile == Profile::Release {
        program = program.args(["--release"]);
    }
    let text = program
        .args([
            "--package",
            "guild-engine",
            "--example",
            "history_search",
            "--",
        ])
        .args([CALLS.to_string(), runs.to_string()])
        .limit(BUILD_LIMIT)
        .text()?;
    let figures: Value = serde_json::from_str(&text).context("reading the history's figures")?;
    let number = |value: &Value| value.as_u64().context("a figure is no number");
    let (written, bytes) = (number(&figures["write_us"])?, number(&figures["bytes"])?);
    let mut rows = vec![Row {
        what: format!("a history of {CALLS} calls: written, and its size"),
        value: format!(
            "{} calls/s, {} MiB",
            CALLS * 1_000_000 / written.max(1),
            bytes >> 20
        ),
        aim: "",
    }];
    let questions = figures["questions"].as_array();
    for question in questions.context("there are no questions")? {
        let micros = number(&question["us"])?;
        rows.push(Row {
            what: format!(
                "  search: {}",
                question["what"].as_str().unwrap_or_default()
            ),
            value: format!("{}.{:02} ms", micros / 1_000, micros % 1_000 / 10),
            aim: "<= 50 ms",
        });
    }
    Ok(rows)
}
