//! The programs that real servers are started by, which leave processes behind when only they
//! themselves are ended.

use std::path::Path;
use std::time::Instant;

use guild_tests::processes_of;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{END, all_gone};
use crate::guildhall::Desk;
use crate::real_servers::installed;

/// How many members are started side by side.
const MEMBERS: usize = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_behind_npx_are_gone_when_the_program_was_killed() {
    let desk = Desk::new("npx").await;
    let packages = installed("package.json");
    let packages = Path::new(&packages).parent().expect("a folder");
    let packages = packages.display().to_string();
    let args = ["--no-install", "--prefix", &packages, "mcp-server-memory"];
    for number in 0..MEMBERS {
        desk.house
            .member(&format!("memory-{number}"))
            .manifest(json!({"command": "npx", "args": args}))
            .write();
    }
    let mut running = desk.start(&["serve", "--no-gateway"]);
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
    let processes = processes_of(&desk.house.nonce).len();
    assert!(processes > 2 * MEMBERS, "each has a wrapper: {processes}");
    let began = Instant::now();
    running.signal(Signal::KILL);
    running.gone().await;
    let took = all_gone(&desk.house, &[], began).await;
    println!("{processes} processes of {MEMBERS} servers behind npx gone after {took:?}");
    assert!(took < END, "{took:?}");
}
