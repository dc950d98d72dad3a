//! A line of the log, with and without the layer that takes secrets out: by a test of the engine.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Row;
use crate::app::{BUILD_LIMIT, Profile};
use crate::program::Program;

/// The test that prints the figures.
const TEST: &str = "redaction_of_lines_takes";

/// Measures several times; a row for each figure.
pub(super) fn measure(runs: usize, profile: Profile) -> Result<Vec<Row>> {
    let mut figures = Vec::with_capacity(runs);
    for _ in 0..runs {
        figures.push(measured(profile)?);
    }
    let of = |name: &str| -> Result<u64> {
        let numbers = figures.iter().map(|one| one[name].as_u64());
        let mut numbers: Vec<u64> = numbers
            .collect::<Option<_>>()
            .context("a figure is not a number")?;
        numbers.sort_unstable();
        Ok(numbers[numbers.len() / 2])
    };
    let micros = |ns: u64| format!("{}.{:01} µs", ns / 1_000, ns % 1_000 / 100);
    let written = of("written_ns")?;
    let layer = |name: &str| Ok::<_, anyhow::Error>(micros(of(name)?.saturating_sub(written)));
    let secrets = of("secrets")?;
    Ok(vec![
        Row {
            what: format!("a line of {} bytes, formatted and written", of("bytes")?),
            value: micros(written),
            aim: "",
        },
        Row {
            what: format!("  its redaction beside that, {secrets} secrets known"),
            value: layer("redacted_ns")?,
            aim: "",
        },
        Row {
            what: "  the same of a line with a secret".into(),
            value: layer("hidden_ns")?,
            aim: "",
        },
    ])
}

fn measured(profile: Profile) -> Result<Value> {
    let mut program = Program::cargo().args(["test", "--locked", "--quiet"]);
    if profile == Profile::Release {
        program = program.args(["--release"]);
    }
    let text = program
        .args(["--package", "guild-engine", "--lib", "--", TEST])
        .args(["--ignored", "--nocapture"])
        .limit(BUILD_LIMIT)
        .text()?;
    let line = text.lines().find(|line| line.starts_with('{'));
    let line = line.context("the test printed no figures")?;
    serde_json::from_str(line).context("reading the redaction's figures")
}
