//! Measures the starts of twenty real servers on a machine that is busy with other work.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::BenchRow;
use crate::busy::BusyLoops;
use crate::folder::Folder;
use crate::serving::{Serving, Settled};

/// The number of members that start.
const MEMBERS: usize = 20;
/// The number of busy loops during the starts.
const LOOPS: usize = 4;
/// Each member's start limit: about four times as long as one of these servers needs to start
/// alone. The default limit has the same ratio for servers from a package runner.
const START_MS: u64 = 5_000;
/// How long all starts may take.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Starts the tests' real servers `runs` times while busy loops run. Fails if a server does not
/// start, or times out and is retried.
pub(super) fn measure(guildhall: &std::path::Path, runs: usize) -> Result<Vec<BenchRow>> {
    let mut rows = Vec::new();
    for run in 1..=runs {
        // Each run has a new folder without caches, like the first start after an installation.
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
        rows.push(
            BenchRow::new(
                format!("run {run}: ready | failed | retried, beside {LOOPS} busy loops"),
                format!("{ready} | {failures} | {late} in {seconds:.1} s"),
            )
            .aim("20 | 0 | 0"),
        );
        ensure!(failed.is_empty(), "not ready: {}", failed.join(", "));
        ensure!(late == 0, "{late} starts timed out and were retried");
    }
    Ok(rows)
}

/// Returns the manifest fields of twenty members that run the real servers.
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
        // A shell starts the server, as with `npx` and `uvx`.
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
