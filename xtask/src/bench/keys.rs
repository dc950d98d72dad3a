//! Measures the time from a key press to its paint, with the largest schema of a real server.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{BenchRow, figures_in};
use crate::app;

/// Time limit of some hundred key presses, and of the build of the test that makes them.
const LIMIT: Duration = Duration::from_secs(30 * 60);
const AIM: &str = "median <= 16 ms";

/// Types into the form in the app's window. The page does not depend on the build profile of the
/// program.
pub(super) fn measure() -> Result<Vec<BenchRow>> {
    let printed = app::desktop_test("measure_key_to_paint")?
        .words("-- --ignored --nocapture")
        .limit(LIMIT)
        .text()?;
    rows_of(&figures_in(&printed)?)
}

/// Returns the rows of the figures that the test printed.
fn rows_of(figures: &Value) -> Result<Vec<BenchRow>> {
    let engine = figures["engine"].as_str().unwrap_or("?");
    let bytes = &figures["schemaBytes"];
    let mut rows = Vec::new();
    for form in figures["forms"]
        .as_array()
        .context("no form was measured")?
    {
        let (fields, presses) = (&form["rows"], &form["presses"]);
        let subject = format!(
            "{engine}: key press to paint, {bytes} bytes of schema, {fields} rows ({presses} presses)"
        );
        rows.push(BenchRow::new(subject, times(&form["paintMs"])?).aim(AIM));
    }
    if let Some(floor) = figures.get("emptyPageMs") {
        let subject = format!("{engine}: the same in a page with one field");
        rows.push(BenchRow::new(subject, times(floor)?));
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
    fn each_form_has_a_row() {
        let form = json!({"rows": 3, "presses": 9, "paintMs": {"median": 8.26, "p95": 12}});
        let floor = json!({"median": 4, "p95": 5});
        let all = json!({"engine": "X", "schemaBytes": 5, "forms": [form], "emptyPageMs": floor});
        let rows = rows_of(&all).expect("rows");
        let values: Vec<&str> = rows.iter().map(|row| row.value.as_str()).collect();
        assert_eq!(values, ["8.3 ms, 95 %: 12.0 ms", "4.0 ms, 95 %: 5.0 ms"]);
        assert!(
            rows[0]
                .subject
                .contains("5 bytes of schema, 3 rows (9 presses)")
        );
    }
}
