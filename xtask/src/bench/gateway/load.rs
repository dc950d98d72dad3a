//! Puts load on an endpoint, and measures it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::program::Program;
use crate::serving::Serving;

const LIMIT: Duration = Duration::from_secs(180);

/// The figures of one load run.
pub(super) struct LoadStats {
    /// The median response time, in microseconds.
    pub(super) p50: f64,
    /// Answers per second.
    pub(super) rate: f64,
    /// The engine's processor time per answer, in microseconds.
    pub(super) cpu: f64,
}

/// An engine under load.
pub(super) struct GatewayBench<'a> {
    pub(super) load: &'a Path,
    pub(super) serving: &'a Serving,
    pub(super) runs: usize,
}

impl GatewayBench<'_> {
    /// Returns the median of each figure over all runs.
    pub(super) fn load(&self, address: &str, options: &[&str]) -> Result<LoadStats> {
        let mut loads = Vec::new();
        for _ in 0..self.runs {
            loads.push(self.once(address, options)?);
        }
        let median = |of: fn(&LoadStats) -> f64| {
            let mut all: Vec<f64> = loads.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        Ok(LoadStats {
            p50: median(|load| load.p50),
            rate: median(|load| load.rate),
            cpu: median(|load| load.cpu),
        })
    }

    pub(super) fn once(&self, address: &str, options: &[&str]) -> Result<LoadStats> {
        let before = self.serving.processor_time()?;
        let said = Program::pinned(self.load)
            .args([address])
            .args(options)
            .limit(LIMIT)
            .text()?;
        let used = self.serving.processor_time()?.saturating_sub(before);
        let said: Value =
            serde_json::from_str(said.trim()).context("reading the load's figures")?;
        let figure = |name: &str| {
            said[name]
                .as_f64()
                .with_context(|| format!("no {name}: {said}"))
        };
        let answers = figure("answers")?;
        Ok(LoadStats {
            p50: figure("p50")?,
            rate: answers / figure("seconds")?,
            cpu: used.as_secs_f64() * 1e6 / answers,
        })
    }
}
