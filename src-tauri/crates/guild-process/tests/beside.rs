//! Tests that processes which are started during the start of a child don't keep the child's mark.
//! This test is alone in its binary, because the starts of other tests' children would mark these
//! processes too.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};
use std::sync::mpsc::{TryRecvError, sync_channel};
use std::time::Duration;

use guild_process::{
    Child, Output, ProcessRegistry, ProcessRegistryOptions, ProcessSpec, StdioMode,
};
use tokio::time::timeout;

/// An upper bound for every wait in this test.
const TIMEOUTS: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sibling_is_not_taken_for_a_descendant() {
    let spec = ProcessSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), "exit".into()],
        env: Vec::new(),
        cwd: std::env::temp_dir(),
    };
    let registry = ProcessRegistry::open(ProcessRegistryOptions::default());
    let mut others = 0;
    for _ in 0..60 {
        let lease = registry.take("member").await;
        let (stop, stopped) = sync_channel::<()>(0);
        let beside = std::thread::spawn(move || {
            let mut started = Vec::new();
            while stopped.try_recv() == Err(TryRecvError::Empty) {
                let waits = Command::new("sh")
                    .args(["-c", "read word; cat /proc/self/limits"])
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn();
                started.push(waits.expect("a process"));
            }
            started
        });
        let child = Child::spawn(&spec, StdioMode::Closed, &Output::new(), lease);
        drop(stop);
        // Processes that were forked at the same time inherited each other's pipes, and closed them
        // at their exec. So the end of each stdin arrives here.
        for other in beside.join().expect("processes") {
            let told = other.wait_with_output().expect("an end");
            let told = String::from_utf8(told.stdout).expect("text");
            let limit = told.lines().find(|line| line.starts_with("Max resident"));
            let limit = limit.expect("a limit");
            assert!(limit.contains("unlimited            unlimited"), "{limit}");
            others += 1;
        }
        let ended = timeout(TIMEOUTS, child.expect("a shell").wait_exit()).await;
        ended.expect("it does not hang");
    }
    assert!(others > 0);
}
