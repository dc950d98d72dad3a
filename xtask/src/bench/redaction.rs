//! Measures a log line with and without the redaction of secrets, with a test of the engine.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{BenchOptions, BenchRow};

/// The test that prints the figures.
const TEST: [&str; 3] = ["redaction_of_lines_takes", "--ignored", "--nocapture"];

/// Runs the test several times. Returns a row for each figure.
pub(super) fn measure(options: &BenchOptions, runs: usize) -> Result<Vec<BenchRow>> {
    let command = ["test", "--package", "guild-logs", "--lib"];
    let figures = (0..runs).map(|_| options.figures_of(&command, &TEST));
    let figures = figures.collect::<Result<Vec<Value>>>()?;
    let of = |name: &str| -> Result<u64> {
        let numbers = figures.iter().map(|one| one[name].as_u64());
        let numbers: Option<Vec<u64>> = numbers.collect();
        let mut numbers = numbers.context("a figure is not a number")?;
        numbers.sort_unstable();
        Ok(numbers[numbers.len() / 2])
    };
    let micros = |ns: u64| format!("{}.{:01} µs", ns / 1_000, ns % 1_000 / 100);
    let written = of("written_ns")?;
    let layer = |name: &str| Ok::<_, anyhow::Error>(micros(of(name)?.saturating_sub(written)));
    let line = format!("a line of {} bytes, formatted and written", of("bytes")?);
    let redacted = format!(
        "  its redaction beside that, {} secrets known",
        of("secrets")?
    );
    Ok(vec![
        BenchRow::new(line, micros(written)),
        BenchRow::new(redacted, layer("redacted_ns")?),
        BenchRow::new("  the same of a line with a secret", layer("hidden_ns")?),
    ])
}
