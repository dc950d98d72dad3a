//! Many members on a system that allows only a few open files per program.

use std::process::Stdio;

use guild_tests::Nonce;
use tokio::process::Command;

use crate::guildhall::{CliHarness, guildhall_bin};

/// Fewer descriptors than the members below need, each with three open pipes.
const SOFT_LIMIT: usize = 48;
const MEMBERS: usize = 24;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_low_soft_limit_of_open_files_is_raised() {
    let cli = CliHarness::new("descriptors").await;
    for number in 0..MEMBERS {
        cli.env.member(&format!("m{number}")).write();
    }
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -S -n {SOFT_LIMIT} && exec \"$@\""))
        .arg("sh")
        .arg(guildhall_bin())
        .args(["--json", "list", "--wait", "--members"])
        .arg(cli.env.members_dir())
        .arg("--data")
        .arg(cli.env.data_dir())
        .env(Nonce::VARIABLE, cli.env.nonce.as_str())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let listed = cli.ended(command).await.json(0);
    let members = listed["members"].as_array().expect("members");
    assert_eq!(members.len(), MEMBERS);
    for member in members {
        assert_eq!(member["status"], "ready", "{member:#}");
    }
}
