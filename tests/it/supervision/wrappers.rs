//! Programs that start real servers, such as package runners. If only such a wrapper is ended, its
//! server keeps running.

use std::path::{Path, PathBuf};

use guild_tests::{PromiseClock, processes_of};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::all_gone;
use crate::guildhall::CliHarness;
use crate::real_servers::installed;

/// The number of members that start concurrently.
const MEMBERS: usize = 10;

/// Kills the program when ten wrapped servers are ready. Waits until all their processes have
/// ended.
async fn killed_over(wrapper: &str, command: &str, args: &[&str]) {
    let cli = CliHarness::new(wrapper).await;
    for number in 0..MEMBERS {
        cli.env
            .member(&format!("member-{number}"))
            .manifest(json!({
                "command": command, "args": args, "timeouts": {"start_ms": 100_000},
            }))
            .write();
    }
    let mut running = cli.start(&["serve", "--no-gateway"]);
    let mut up = Vec::<Value>::new();
    while up.len() < MEMBERS {
        let line = running
            .line_where("a member that is up", |line| {
                line["event"]["member"]["status"] == "ready"
            })
            .await;
        let member = line["event"]["member"]["name"].clone();
        if !up.contains(&member) {
            up.push(member);
        }
    }
    let processes = processes_of(&cli.env.nonce).len();
    assert!(processes > 2 * MEMBERS, "each has a wrapper: {processes}");
    let began = PromiseClock::start();
    running.signal(Signal::KILL);
    running.gone().await;
    let what = format!("{processes} processes of {MEMBERS} servers behind {wrapper}");
    all_gone(&cli.env, &[], began, &what).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_behind_npx_are_gone_when_the_program_was_killed() {
    let packages = PathBuf::from(installed("package.json"));
    let packages = packages.parent().map(Path::to_string_lossy);
    let packages = packages.expect("a folder");
    let args = ["--no-install", "--prefix", &packages, "mcp-server-memory"];
    killed_over("npx", "npx", &args).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_behind_uvx_are_gone_when_the_program_was_killed() {
    let (uvx, python) = (installed("venv/bin/uvx"), installed("venv/bin/python"));
    let (cache, versions) = (installed("uv"), installed("requirements.txt"));
    let args = [
        "--offline",
        "--cache-dir",
        &cache,
        "--constraints",
        &versions,
        "--python",
        &python,
        "mcp-server-time",
    ];
    killed_over("uvx", &uvx, &args).await;
}
