//! Starts of twenty real servers on a machine that is busy with something else.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::BenchRow;
use crate::busy::BusyLoops;
use crate::folder::Folder;
use crate::serving::{Serving, Settled};

/// How many members start.
const MEMBERS: usize = 20;
/// How many busy loops run beside the starts.
const LOOPS: usize = 4;
/// Each member's start limit: some four times what one of these servers needs alone, as the usual
/// limit is for servers that come from a package runner.
const START_MS: u64 = 5_000;
/// How long all starts may take.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Starts the servers that the tests install, several times each, beside busy loops. Fails where
/// one of them does not come up, or times out and is retried.
pub(super) fn measure(guildhall: &std::path::Path, runs: usize) -> Result<Vec<BenchRow>> {
    let mut rows = Vec::new();
    for run in 1..=runs {
        // Without caches in each run, as at first.
        let folder = Folder::of_servers(&servers()?)?;
        let loops = BusyLoops::start(LOOPS)?;
        let serving = Serving::start(guildhall, &folder)?;
        let Settled {
            ready,
            failed,
            late,
            took,
        } = serving.all_settled(MEMBERS, LIMIT)?;
        drop(loops);
        serving.stop()?;
        let (failures, seconds) = (failed.len(), took.as_secs_f64());
        rows.push(BenchRow::new(
            format!("run {run}: ready | failed | retried, beside {LOOPS} busy loops"),
            format!("{ready} | {failures} | {late} in {seconds:.1} s"),
            "20 | 0 | 0",
        ));
        ensure!(failed.is_empty(), "not ready: {}", failed.join(", "));
        ensure!(late == 0, "{late} starts timed out and were retried");
    }
    Ok(rows)
}

/// Twenty members of the real servers, as fields of their manifests.
fn servers() -> Result<Vec<Value>> {
    let folder = crate::root().join("target/real-servers");
    let path = |file: &str| {
        let path = folder.join(file);
        ensure!(
            path.exists(),
            "{} is missing: run `cargo xtask test --only set-up`",
            path.display()
        );
        Ok(path.display().to_string())
    };
    let npm = |package: &str| {
        path(&format!(
            "node_modules/@modelcontextprotocol/{package}/dist/index.js"
        ))
    };
    let shared = folder.display().to_string();
    let node = |args: &[&str]| json!({"transport": "stdio", "command": "node", "args": args});
    let kinds = [
        node(&[&npm("server-everything")?]),
        json!({
            "transport": "http", "command": "node", "env": {"PORT": "${PORT}"},
            "args": [npm("server-everything")?, "streamableHttp"],
        }),
        node(&[&npm("server-filesystem")?, &shared]),
        node(&[&npm("server-memory")?]),
        json!({"transport": "stdio", "command": path("venv/bin/mcp-server-git")?}),
        json!({"transport": "stdio", "command": path("venv/bin/mcp-server-time")?}),
        // As `npx` and `uvx` do, a shell starts the server.
        json!({
            "transport": "stdio", "command": "sh",
            "args": ["-c", "node \"$0\"", npm("server-everything")?],
        }),
    ];
    let limited = kinds.into_iter().map(|mut fields| {
        fields["timeouts"] = json!({"start_ms": START_MS});
        fields
    });
    let limited: Vec<Value> = limited.collect();
    Ok(limited.iter().cycle().take(MEMBERS).cloned().collect())
}
