//! Tests of process groups in which only zombies are left. This test is alone in its binary,
//! because its process has to become the parent of orphans.
#![cfg(target_os = "linux")]

use std::time::Duration;

use guild_process::{
    Child, Output, ProcessRegistry, ProcessRegistryOptions, ProcessSpec, StdioMode, StopSequence,
};
use rustix::process::{
    Pid, WaitOptions, getpid, set_child_subreaper, test_kill_process_group, waitpid,
};
use tokio::time::timeout;

/// An upper bound for every wait in this test.
const TIMEOUTS: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_group_of_which_only_zombies_are_left_is_gone() {
    set_child_subreaper(Some(getpid())).expect("may become a parent");
    let output = Output::new();
    let spec = ProcessSpec {
        program: "/bin/sh".into(),
        args: vec![
            "-c".into(),
            "sleep 1000 & echo $! >&2; exec sleep 1000".into(),
        ],
        env: Vec::new(),
        cwd: std::env::temp_dir(),
    };
    let lease = ProcessRegistry::open(ProcessRegistryOptions::default())
        .take("member")
        .await;
    let child = Child::spawn(&spec, StdioMode::Closed, &output, lease).expect("a shell");
    let mut changed = output.changed();
    timeout(TIMEOUTS, changed.wait_for(|&lines| lines > 0))
        .await
        .expect("it says who its child is")
        .expect("the output lives");
    let orphan: i32 = output.lines()[0].text.trim().parse().expect("a number");
    let orphan = Pid::from_raw(orphan).expect("not zero");

    let sequence = StopSequence {
        stdin_grace: Duration::ZERO,
        term_grace: TIMEOUTS * 2,
        kill_grace: TIMEOUTS * 2,
    };
    let exit = timeout(TIMEOUTS, child.stop(sequence))
        .await
        .expect("what has ended is not waited for");
    assert_eq!(exit.signal, Some(15));

    let group = i32::try_from(child.pid()).expect("a process id");
    let group = Pid::from_raw(group).expect("not zero");
    assert_eq!(
        test_kill_process_group(group),
        Ok(()),
        "the test is worth something only if a signal still finds the group"
    );
    let (collected, _) = waitpid(Some(orphan), WaitOptions::NOHANG)
        .expect("it is ours")
        .expect("it has ended");
    assert_eq!(collected, orphan);
}
