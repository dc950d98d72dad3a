//! From a key press to its paint, with the largest schema that a real server has.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Row;
use crate::app::{self, Profile};
use crate::program::Program;
use crate::{display, setup, ui};

/// Some hundred presses, one after another, and the build of the test that makes them.
const LIMIT: Duration = Duration::from_secs(30 * 60);
const AIM: &str = "median <= 16 ms";

/// Types into the form in Chromium and in the app's own window. The page is the same whatever the
/// program around it is built with.
pub(super) fn measure() -> Result<Vec<Row>> {
    let packages = [
        setup::BUILD_PACKAGES,
        setup::DISPLAY_PACKAGES,
        setup::TEST_PACKAGES,
        &["chromium"],
    ];
    setup::packages(&packages.concat())?;
    setup::npm_packages()?;
    ui::build()?;
    app::build(&["guild-hall", "guild-cli", "guild-tests"], Profile::Dev)?;
    let chromium = Program::new("node")
        .args(["bench/keys/chromium.mjs", "--keep-page"])
        .limit(LIMIT)
        .text()?;
    let window = Program::cargo()
        .args(["test", "--locked", "--package", "guild-tests"])
        .args(["--test", "e2e", "measure_key_to_paint"])
        .args(["--", "--ignored", "--nocapture"])
        .env(display::SESSION_BUS, display::NO_BUS)
        .limit(LIMIT)
        .text()?;
    [chromium, window].iter().map(|said| row(said)).collect()
}

/// The row of what a measurement printed: a line of JSON among others.
fn row(said: &str) -> Result<Row> {
    let line = said.lines().find(|line| line.starts_with('{'));
    let figures: Value = serde_json::from_str(line.context("no figures were printed")?)
        .context("reading the figures")?;
    let paint = |part: &str| {
        let time = figures["paintMs"][part].as_f64();
        time.with_context(|| format!("the figures have no {part}"))
    };
    let (median, high) = (paint("median")?, paint("p95")?);
    Ok(Row {
        what: format!(
            "key press to paint, a form of {} bytes of schema, {} rows, {} presses, {}",
            figures["schemaBytes"],
            figures["rows"],
            figures["presses"],
            figures["engine"].as_str().unwrap_or("?"),
        ),
        value: format!("{median:.1} ms, 95 %: {high:.1} ms"),
        aim: AIM,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_found_among_other_lines() {
        let said = "running 1 test\n{\"engine\":\"X\",\"rows\":3,\"presses\":9,\"schemaBytes\":5,\
                    \"paintMs\":{\"median\":8.25,\"p95\":12}}\ntest ok\n";
        let row = row(said).expect("a row");
        assert_eq!(row.value, "8.2 ms, 95 %: 12.0 ms");
        assert!(row.what.contains("5 bytes of schema, 3 rows, 9 presses, X"));
    }

    #[test]
    fn a_measurement_that_printed_nothing_is_an_error() {
        assert!(row("running 1 test\n").is_err());
    }
}
