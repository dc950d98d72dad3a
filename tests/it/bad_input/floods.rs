//! 100 MB on stderr are read at once and stored in part, and memory does not grow.

use guild_api::event::HallEvent;
use guild_model::status::Status;
use guild_tests::{Events as _, LIMIT};

use super::{env, neighbour_is_well};
use crate::test_env::name;

/// Maximum growth of this process's memory, in KiB.
const GROWTH_MAX: u64 = 60 * 1024;
/// The maximum interval between two checks of the written bytes.
const LOOK: std::time::Duration = std::time::Duration::from_millis(20);
const FLOOD: &str = "100000000";
/// The name prefix of the tests that measure memory. They run in a separate process, without other
/// tests.
const ALONE: &str = "bad_input::floods::alone";

/// Returns the memory that this process uses, in KiB. `None` if the system does not report it.
fn in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_megabytes_of_stderr_do_not_grow_the_memory() {
    let own = std::env::current_exe().expect("the test's own program");
    let output = tokio::process::Command::new(own)
        .args([ALONE, "--ignored", "--test-threads", "1", "--nocapture"])
        .kill_on_drop(true)
        .output()
        .await
        .expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("2 passed"),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a_hundred_megabytes_of_stderr_do_not_grow_the_memory runs it in a process of its own"]
async fn alone_a_flood_of_lines() {
    flood("--stderr-flood").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a_hundred_megabytes_of_stderr_do_not_grow_the_memory runs it in a process of its own"]
async fn alone_a_flood_without_a_line_end() {
    flood("--stderr-flood-unbroken").await;
}

async fn flood(switch: &str) {
    let env = env(switch);
    let mut open = env.started().await;
    neighbour_is_well(&open).await;
    let before = in_use();
    env.http("flood").args([switch, FLOOD]).write();
    open.shown("flood", "up", |view| view.status == Status::Ready)
        .await;
    // This line comes last, since stderr is read in order.
    let pid = open.view("flood").pid.expect("it runs");
    // Reads events like a window does, because unread events would need memory.
    let flooding = async {
        while written_by_child(pid).is_none_or(|written| written < 100_000_000) {
            // The flood without line ends causes one event, for its beginning.
            let _ = tokio::time::timeout(LOOK, open.events.next()).await;
        }
    };
    let passed = tokio::time::timeout(LIMIT, flooding).await;
    passed.expect("the flood passes");
    open.result("flood", "emit_stderr", r#"{"text":"\nthe last word\n"}"#)
        .await;
    open.events
        .find("the last word", |event| match event {
            HallEvent::Stderr { lines, .. } => lines
                .iter()
                .any(|line| line.text == "the last word")
                .then_some(()),
            _ => None,
        })
        .await;
    let after = in_use();
    let detail = open
        .hall
        .member_detail(&name("flood"))
        .await
        .expect("its page");
    assert!(detail.stderr.iter().all(|line| line.text.len() <= 8 * 1024));
    assert!(detail.stderr.len() <= 1_000);
    neighbour_is_well(&open).await;
    if let (Some(before), Some(after)) = (before, after) {
        println!("{switch}: {before} KiB before, {after} KiB after");
        assert!(
            after.saturating_sub(before) < GROWTH_MAX,
            "{before} KiB grew to {after} KiB"
        );
    }
    open.close().await;
}

/// Returns the total number of bytes that a process has written.
fn written_by_child(pid: u32) -> Option<u64> {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
    io.lines()
        .find_map(|line| line.strip_prefix("wchar: "))?
        .trim()
        .parse()
        .ok()
}
