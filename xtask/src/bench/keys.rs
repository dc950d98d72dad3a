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
    let mut rows = figures(&chromium)?;
    rows.extend(figures(&window)?);
    Ok(rows)
}

/// The rows of what a measurement printed: a line of JSON among others.
fn figures(said: &str) -> Result<Vec<Row>> {
    let line = said.lines().find(|line| line.starts_with('{'));
    let figures: Value = serde_json::from_str(line.context("no figures were printed")?)
        .context("reading the figures")?;
    let engine = figures["engine"].as_str().unwrap_or("?");
    let forms = figures["forms"].as_array();
    let mut rows = forms
        .context("the figures are of no form")?
        .iter()
        .map(|form| {
            let bytes = &figures["schemaBytes"];
            let (rows, presses) = (&form["rows"], &form["presses"]);
            Ok(Row {
                what: format!(
                    "{engine}: key press to paint, {bytes} bytes of schema, {rows} rows ({presses} presses)"
                ),
                value: times(&form["paintMs"])?,
                aim: AIM,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    if let Some(floor) = figures.get("emptyPageMs") {
        rows.push(Row {
            what: format!("{engine}: the same in a page with one field"),
            value: times(floor)?,
            aim: "",
        });
    }
    Ok(rows)
}

fn times(of: &Value) -> Result<String> {
    let part = |name: &str| {
        let time = of[name].as_f64();
        time.with_context(|| format!("the figures have no {name}"))
    };
    Ok(format!(
        "{:.1} ms, 95 %: {:.1} ms",
        part("median")?,
        part("p95")?
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_figures_are_found_among_other_lines() {
        let form = json!({"rows": 3, "presses": 9, "paintMs": {"median": 8.26, "p95": 12}});
        let floor = json!({"median": 4, "p95": 5});
        let said = json!({"engine": "X", "schemaBytes": 5, "forms": [form], "emptyPageMs": floor});
        let rows = figures(&format!("running 1 test\n{said}\ntest ok\n")).expect("rows");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].value, "8.3 ms, 95 %: 12.0 ms");
        assert!(
            rows[0]
                .what
                .contains("5 bytes of schema, 3 rows (9 presses)")
        );
        assert_eq!(rows[1].value, "4.0 ms, 95 %: 5.0 ms");
    }

    #[test]
    fn a_measurement_that_printed_nothing_is_an_error() {
        assert!(figures("running 1 test\n").is_err());
    }
}
