//! Tests of child processes, with `/bin/sh` as the member.
#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use guild_model::Code;
use guild_process::{
    Child, Exit, Output, ProcessError, ProcessRegistry, ProcessRegistryOptions, ProcessSpec,
    StdioMode, StopSequence,
};
use guild_tests::PromiseClock;
use rustix::process::{Pid, test_kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

/// An upper bound for every wait in these tests, so that a defect causes a failure and not an
/// endless wait.
const TIMEOUTS: Duration = Duration::from_secs(120);

/// A sequence with short timeouts.
const QUICK: StopSequence = StopSequence {
    stdin_grace: Duration::from_millis(50),
    // Even on a loaded machine, a process that reacts to SIGTERM has ended within this time.
    term_grace: Duration::from_millis(1_500),
    kill_grace: TIMEOUTS,
};

/// A sequence whose timeouts are never reached in a test.
const SLOW: StopSequence = StopSequence {
    stdin_grace: TIMEOUTS,
    term_grace: TIMEOUTS,
    kill_grace: TIMEOUTS,
};

fn sh(script: &str) -> ProcessSpec {
    ProcessSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: Vec::new(),
        cwd: std::env::temp_dir(),
    }
}

/// Starts a process with a registry that has neither a watchdog nor a journal.
async fn start(
    spec: &ProcessSpec,
    stdio: StdioMode,
    output: &Output,
) -> Result<Child, ProcessError> {
    let registry = ProcessRegistry::open(ProcessRegistryOptions::default());
    Child::spawn(spec, stdio, output, registry.take("member").await)
}

async fn spawn(script: &str, stdio: StdioMode) -> (Child, Output) {
    let output = Output::new();
    let child = start(&sh(script), stdio, &output).await.expect("a shell");
    (child, output)
}

async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(TIMEOUTS, what).await.expect("it does not hang")
}

/// Returns the rest of the first line that begins with `word`.
async fn said(output: &Output, word: &str) -> String {
    let mut changed = output.changed();
    soon(async {
        loop {
            changed.borrow_and_update();
            if let Some(rest) = output
                .lines()
                .iter()
                .find_map(|line| line.text.strip_prefix(word))
            {
                return rest.trim().to_owned();
            }
            changed.changed().await.expect("the output lives");
        }
    })
    .await
}

async fn said_pid(output: &Output, word: &str) -> Pid {
    let pid = said(output, word).await.parse().expect("a number");
    Pid::from_raw(pid).expect("not zero")
}

/// Whether a process has ended. It may remain as a zombie until init reaps it.
fn is_gone(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let state = stat
        .as_deref()
        .ok()
        .and_then(|stat| stat.rsplit_once(") "))
        .and_then(|(_, rest)| rest.chars().next());
    state == Some('Z') || test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
}

fn unasked(code: i32) -> Exit {
    Exit {
        code: Some(code),
        signal: None,
        asked: false,
    }
}

#[tokio::test]
async fn req_mcp_http_16_unexpected_end_is_seen() {
    for code in [0, 1, 3] {
        let (child, _) = spawn(&format!("exit {code}"), StdioMode::Closed).await;
        assert_eq!(soon(child.wait_exit()).await, unasked(code));
        assert_eq!(soon(child.stop(SLOW)).await, unasked(code), "it had ended");
    }
    let (child, _) = spawn("kill -KILL $$", StdioMode::Closed).await;
    let exit = soon(child.wait_exit()).await;
    assert_eq!((exit.code, exit.signal, exit.asked), (None, Some(9), false));
    assert_eq!(exit.to_string(), "signal 9 (killed)");
}

#[tokio::test]
async fn req_mcp_http_16_whoever_listens_is_woken_by_the_end() {
    let (child, _) = spawn("read line; exit 4", StdioMode::Piped).await;
    let mut exited = child.exited();
    assert_eq!(*exited.borrow_and_update(), None);
    let (_stdout, mut stdin) = child.take_stdio().expect("lent once");
    assert!(child.take_stdio().is_none(), "and only once");
    stdin.write_all(b"go\n").await.expect("it reads");
    soon(exited.changed()).await.expect("the end");
    assert_eq!(*exited.borrow(), Some(unasked(4)));
}

#[tokio::test]
async fn req_mcp_http_11_the_working_directory_is_the_members_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("test-file.txt"), "found it\n").expect("written");
    let output = Output::new();
    let spec = ProcessSpec {
        cwd: folder.path().to_owned(),
        ..sh("cat ./test-file.txt >&2")
    };
    let child = start(&spec, StdioMode::Closed, &output)
        .await
        .expect("a shell");
    soon(child.wait_exit()).await;
    assert_eq!(output.last(1)[0].text, "found it");
}

#[tokio::test]
async fn a_child_has_our_environment_and_its_own_on_top() {
    let output = Output::new();
    let spec = ProcessSpec {
        env: vec![
            ("GUILD_TEST".into(), "a b=c".into()),
            ("HOME".into(), "/its/own".into()),
            ("GUILD_SECRET_TEST".into(), "its secret".into()),
        ],
        ..sh("echo \"$GUILD_TEST $HOME ${PATH:+inherited} $GUILD_SECRET_TEST\" >&2")
    };
    let child = start(&spec, StdioMode::Closed, &output)
        .await
        .expect("a shell");
    soon(child.wait_exit()).await;
    assert_eq!(
        output.last(1)[0].text,
        "a b=c /its/own inherited its secret"
    );
}

#[tokio::test]
async fn req_mcp_http_18_last_output_precedes_the_end() {
    for _ in 0..20 {
        let (child, output) =
            spawn("echo out; echo last words >&2; exit 1", StdioMode::Closed).await;
        soon(child.wait_exit()).await;
        let mut lines: Vec<_> = output.lines().into_iter().map(|line| line.text).collect();
        lines.sort();
        assert_eq!(lines, ["last words", "out"], "stdout is log for HTTP");
    }
}

#[tokio::test]
async fn the_protocol_s_pipes_are_lent_and_stderr_is_not_in_them() {
    let (child, output) = spawn("echo noise >&2; cat", StdioMode::Piped).await;
    let (mut stdout, mut stdin) = child.take_stdio().expect("lent once");
    stdin.write_all(b"{\"id\":1}\n").await.expect("it reads");
    drop(stdin);
    let mut answer = String::new();
    soon(stdout.read_to_string(&mut answer))
        .await
        .expect("text");
    assert_eq!(answer, "{\"id\":1}\n");
    assert_eq!(soon(child.wait_exit()).await, unasked(0));
    assert_eq!(output.lines().len(), 1);
}

#[tokio::test]
async fn a_server_that_ends_with_its_stdin_is_sent_no_signal() {
    let (child, output) = spawn(
        "trap 'echo signalled >&2' TERM; echo ready >&2; cat; exit 5",
        StdioMode::Piped,
    )
    .await;
    said(&output, "ready").await;
    let exit = soon(child.stop(SLOW)).await;
    assert_eq!((exit.code, exit.asked), (Some(5), true));
    assert_eq!(output.lines().len(), 1, "{:?}", output.lines());
}

#[tokio::test]
async fn a_server_may_tidy_up_when_it_is_asked_to_end() {
    let (child, output) = spawn(
        "trap 'echo tidied >&2; exit 0' TERM; echo ready >&2; while :; do sleep 60 & wait; done",
        StdioMode::Closed,
    )
    .await;
    said(&output, "ready").await;
    let sequence = StopSequence {
        term_grace: TIMEOUTS,
        ..QUICK
    };
    let exit = soon(child.stop(sequence)).await;
    assert_eq!((exit.code, exit.asked), (Some(0), true));
    assert_eq!(output.last(1)[0].text, "tidied");
}

#[tokio::test]
async fn a_group_that_will_not_end_is_killed_grandchildren_included() {
    let (child, output) = spawn(
        "trap '' TERM; sleep 1000 & echo grandchild $! >&2; cat; wait",
        StdioMode::Piped,
    )
    .await;
    let grandchild = said_pid(&output, "grandchild").await;
    let exit = soon(child.stop(QUICK)).await;
    assert_eq!((exit.signal, exit.asked), (Some(9), true));
    assert!(is_gone(grandchild), "all is gone when the stop is done");
    let again = soon(child.stop(QUICK)).await;
    assert_eq!(again, exit, "a second stop finds nothing to do");
}

#[tokio::test]
async fn grandchildren_that_a_dead_leader_left_are_ended() {
    let (child, output) = spawn(
        "trap '' TERM; sleep 1000 & echo grandchild $! >&2; exit 7",
        StdioMode::Closed,
    )
    .await;
    let began = PromiseClock::start();
    let exit = soon(child.wait_exit()).await;
    assert_eq!(exit, unasked(7));
    // The leader's exit is reported while the grandchild still runs.
    began.assert_within(StopSequence::DROPPED.term_grace, "the end is reported");
    let grandchild = said_pid(&output, "grandchild").await;
    soon(child.stop(QUICK)).await;
    assert!(is_gone(grandchild));
}

#[tokio::test]
async fn a_group_is_ended_after_its_leader_without_any_stop() {
    let (child, _output) = spawn(
        "trap '' TERM; sleep 1000 & sleep 1000 & read line; exit 7",
        StdioMode::Piped,
    )
    .await;
    let (mut stdout, stdin) = child.take_stdio().expect("lent once");
    drop(stdin);
    // The pipe ends when the last process that has it open is gone.
    let mut rest = Vec::new();
    soon(stdout.read_to_end(&mut rest)).await.expect("the end");
    assert_eq!(soon(child.wait_exit()).await, unasked(7));
}

#[tokio::test]
async fn a_child_that_is_dropped_is_ended_with_its_group() {
    let (child, output) = spawn(
        "trap '' TERM; sleep 1000 & echo ready >&2; wait; wait",
        StdioMode::Piped,
    )
    .await;
    said(&output, "ready").await;
    let (mut stdout, _stdin) = child.take_stdio().expect("lent once");
    let mut exited = child.exited();
    drop(child);
    let mut rest = Vec::new();
    soon(stdout.read_to_end(&mut rest)).await.expect("the end");
    let exit = *soon(exited.wait_for(Option::is_some)).await.expect("seen");
    let exit = exit.expect("waited for");
    assert_eq!((exit.signal, exit.asked), (Some(9), true));
}

#[tokio::test]
async fn of_two_stops_the_sooner_counts_and_both_see_the_same_end() {
    let (child, output) = spawn(
        "trap '' TERM; echo ready >&2; while :; do sleep 60; done",
        StdioMode::Closed,
    )
    .await;
    said(&output, "ready").await;
    let began = Instant::now();
    let (slow, quick) = soon(async { tokio::join!(child.stop(SLOW), child.stop(QUICK)) }).await;
    assert_eq!(slow, quick);
    assert_eq!(slow.signal, Some(9));
    assert!(began.elapsed() < TIMEOUTS);
}

#[tokio::test]
async fn a_stop_goes_on_when_nobody_waits_for_it() {
    let (child, _) = spawn("while :; do sleep 60; done", StdioMode::Closed).await;
    {
        let stop = child.stop(QUICK);
        tokio::pin!(stop);
        assert!(
            timeout(Duration::ZERO, stop).await.is_err(),
            "it has only begun"
        );
    }
    let exit = soon(child.wait_exit()).await;
    assert_eq!((exit.signal, exit.asked), (Some(15), true));
}

/// Ways in which a process can leave the group in which it was started, with a name for each.
#[cfg(target_os = "linux")]
const WAYS_OUT: &[(&str, &str)] = &[
    ("a session of its own", "setsid sleep 1000 &"),
    (
        "a second fork, so that its parent is gone",
        "setsid sh -c 'sleep 1000 & exit' &",
    ),
    (
        "no environment, a session of its own, a second fork",
        "env -i setsid sh -c '(sleep 1000 &) & exit' </dev/null >/dev/null 2>&1 &",
    ),
    (
        "no ear for SIGTERM either",
        "env -i setsid sh -c \"trap '' TERM; (sleep 1000 &) & exit\" &",
    ),
];

/// Returns the living processes whose working folder is `folder`.
#[cfg(target_os = "linux")]
fn working_in(folder: &Path) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").expect("a list");
    let in_folder = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder)
    };
    processes
        .flatten()
        .filter(in_folder)
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .filter(|pid| !is_gone(*pid))
        .collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn process_outside_its_group_is_ended() {
    for (way, script) in WAYS_OUT {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().canonicalize().expect("a folder");
        let spec = ProcessSpec {
            cwd: place.clone(),
            ..sh(&format!("{script} echo ready >&2; exec sleep 1001"))
        };
        let output = Output::new();
        let child = start(&spec, StdioMode::Closed, &output).await;
        let child = child.expect("a shell");
        said(&output, "ready").await;
        // The leader, and a process that left the group.
        let leader = i32::try_from(child.pid()).ok().and_then(Pid::from_raw);
        let away = |pid: &Pid| {
            let line = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            line.is_ok_and(|line| line.contains("(sleep)")) && Some(*pid) != leader
        };
        while !working_in(&place).iter().any(away) {
            tokio::task::yield_now().await;
        }
        soon(child.stop(QUICK)).await;
        assert_eq!(working_in(&place), [], "{way}: none is left");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn crashed_leader_descendants_are_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().canonicalize().expect("a folder");
    let spec = ProcessSpec {
        cwd: place.clone(),
        ..sh("env -i setsid sleep 1000 & while ! pgrep -s $! sleep >/dev/null; do :; done; exit 7")
    };
    let output = Output::new();
    let child = start(&spec, StdioMode::Closed, &output).await;
    let child = child.expect("a shell");
    assert_eq!(soon(child.wait_exit()).await, unasked(7));
    soon(async {
        while !working_in(&place).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    soon(child.stop(SLOW)).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn unrelated_process_is_left_alone() {
    // A process of the same program, session and user, but not a descendant of the child.
    let mut bystander = std::process::Command::new("sleep")
        .arg("1000")
        .spawn()
        .expect("a process");
    let (child, output) = spawn(
        "setsid sleep 1000 & echo ready >&2; exec sleep 1000",
        StdioMode::Closed,
    )
    .await;
    said(&output, "ready").await;
    soon(child.stop(QUICK)).await;
    let untouched = bystander.try_wait().expect("ours").is_none();
    bystander.kill().expect("ours to end");
    bystander.wait().expect("ours");
    assert!(untouched);
}

#[test]
fn a_runtime_that_goes_away_leaves_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("alive");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    let script = "trap '' TERM; exec 3>alive; echo ready >&3; sleep 1000 & sleep 1000";
    let spec = ProcessSpec {
        cwd: folder.path().to_owned(),
        ..sh(script)
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let started = runtime.block_on(start(&spec, StdioMode::Closed, &Output::new()));
    let child = started.expect("a shell");
    let mut alive = std::fs::File::open(&fifo).expect("the shell opens it too");
    let mut ready = [0; 6];
    alive.read_exact(&mut ready).expect("it says that it lives");
    drop(runtime);
    let mut rest = Vec::new();
    alive.read_to_end(&mut rest).expect("the last holder ended");
    drop(child);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_18_endless_line_stays_bounded() {
    let (child, output) = spawn(
        "echo first >&2; head -c 100000000 /dev/zero | tr '\\000' x >&2; echo >&2; echo last >&2",
        StdioMode::Closed,
    )
    .await;
    assert_eq!(soon(child.wait_exit()).await, unasked(0));
    let lines = output.lines();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts.len(), 3);
    assert_eq!((texts[0], texts[2]), ("first", "last"));
    assert!(texts[1].len() <= 8 * 1024);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_18_a_flood_of_lines_keeps_the_last() {
    let (child, output) = spawn(
        "yes | head -n 5000000 >&2; echo last >&2",
        StdioMode::Closed,
    )
    .await;
    assert_eq!(soon(child.wait_exit()).await, unasked(0));
    assert_eq!(output.lines().len(), 10_000);
    let last = &output.last(1)[0];
    assert_eq!((last.seq, last.text.as_str()), (5_000_000, "last"));
    assert_eq!(output.since(0).1, 5_000_001 - 10_000);
}

#[tokio::test]
async fn failed_start_reports_its_cause() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&file, mode).expect("set");
    };
    script("no-interpreter", "#!/nowhere/interpreter\n");
    script("no-program", "\0\0\0\0");
    let refusal = async |program: &str, cwd: &Path| {
        let spec = ProcessSpec {
            program: program.into(),
            cwd: cwd.to_owned(),
            ..sh("")
        };
        let refused = start(&spec, StdioMode::Closed, &Output::new()).await;
        let error = refused.map(|child| child.pid()).expect_err(program);
        assert!(!error.report().hint.is_empty(), "{program}");
        (error.code(), error.to_string())
    };
    let (code, text) = refusal("./gone", folder.path()).await;
    assert_eq!(code, Code::CommandNotFound, "{text}");
    let (code, text) = refusal("./no-interpreter", folder.path()).await;
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("first line"), "{text}");
    let (code, text) = refusal("./no-program", folder.path()).await;
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("no-program"), "{text}");
    let (code, text) = refusal("/bin/sh", &folder.path().join("gone")).await;
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("working directory"), "{text}");
}
