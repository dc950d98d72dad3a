//! Child processes as they really behave, with `/bin/sh` as the member.
#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use guild_core::Code;
use guild_process::{Child, CommandSpec, Exit, Output, StdioMode, StopLadder};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

/// Longer than anything here takes, so that a failure is a failure and no endless wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// A ladder whose every step is soon.
const QUICK: StopLadder = StopLadder {
    stdin_grace: Duration::from_millis(50),
    term_grace: Duration::from_millis(200),
    kill_grace: PATIENCE,
};

/// A ladder whose steps a test would not live to see.
const SLOW: StopLadder = StopLadder {
    stdin_grace: PATIENCE,
    term_grace: PATIENCE,
    kill_grace: PATIENCE,
};

fn sh(script: &str) -> CommandSpec {
    CommandSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: Vec::new(),
        cwd: std::env::temp_dir(),
    }
}

fn spawn(script: &str, stdio: StdioMode) -> (Child, Output) {
    let output = Output::new();
    let child = Child::spawn(&sh(script), stdio, &output).expect("a shell");
    (child, output)
}

async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(PATIENCE, what).await.expect("it does not hang")
}

/// The rest of the first line that begins with `word`.
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

/// Whether a process has ended. Its place may still wait to be collected by the system's first
/// process.
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
async fn req_mcp_http_16_an_end_that_nobody_asked_for_is_seen_whatever_its_code() {
    for code in [0, 1, 3] {
        let (child, _) = spawn(&format!("exit {code}"), StdioMode::Closed);
        assert_eq!(soon(child.wait_exit()).await, unasked(code));
        assert_eq!(soon(child.stop(SLOW)).await, unasked(code), "it had ended");
    }
    let (child, _) = spawn("kill -KILL $$", StdioMode::Closed);
    let exit = soon(child.wait_exit()).await;
    assert_eq!((exit.code, exit.signal, exit.asked), (None, Some(9), false));
    assert_eq!(exit.to_string(), "signal 9 (killed)");
}

#[tokio::test]
async fn req_mcp_http_16_whoever_listens_is_woken_by_the_end() {
    let (child, _) = spawn("read line; exit 4", StdioMode::Piped);
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
    let spec = CommandSpec {
        cwd: folder.path().to_owned(),
        ..sh("cat ./test-file.txt >&2")
    };
    let child = Child::spawn(&spec, StdioMode::Closed, &output).expect("a shell");
    soon(child.wait_exit()).await;
    assert_eq!(output.last(1)[0].text, "found it");
}

#[tokio::test]
async fn a_child_has_our_environment_and_its_own_on_top() {
    let output = Output::new();
    let spec = CommandSpec {
        env: vec![
            ("GUILD_TEST".into(), "a b=c".into()),
            ("HOME".into(), "/its/own".into()),
        ],
        ..sh("echo \"$GUILD_TEST $HOME ${PATH:+inherited}\" >&2")
    };
    let child = Child::spawn(&spec, StdioMode::Closed, &output).expect("a shell");
    soon(child.wait_exit()).await;
    assert_eq!(output.last(1)[0].text, "a b=c /its/own inherited");
}

#[tokio::test]
async fn req_mcp_http_18_the_last_words_are_there_when_the_end_is_reported() {
    for _ in 0..20 {
        let (child, output) = spawn("echo out; echo last words >&2; exit 1", StdioMode::Closed);
        soon(child.wait_exit()).await;
        let mut lines: Vec<_> = output.lines().into_iter().map(|line| line.text).collect();
        lines.sort();
        assert_eq!(lines, ["last words", "out"], "stdout is log for HTTP");
    }
}

#[tokio::test]
async fn the_protocol_s_pipes_are_lent_and_stderr_is_not_in_them() {
    let (child, output) = spawn("echo noise >&2; cat", StdioMode::Piped);
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
    );
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
    );
    said(&output, "ready").await;
    let ladder = StopLadder {
        term_grace: PATIENCE,
        ..QUICK
    };
    let exit = soon(child.stop(ladder)).await;
    assert_eq!((exit.code, exit.asked), (Some(0), true));
    assert_eq!(output.last(1)[0].text, "tidied");
}

#[tokio::test]
async fn a_group_that_will_not_end_is_killed_grandchildren_included() {
    let (child, output) = spawn(
        "trap '' TERM; sleep 1000 & echo grandchild $! >&2; cat; wait",
        StdioMode::Piped,
    );
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
    );
    let began = Instant::now();
    let exit = soon(child.wait_exit()).await;
    assert_eq!(exit, unasked(7));
    let took = began.elapsed();
    assert!(
        took < StopLadder::DROPPED.term_grace,
        "the end is reported while the grandchild is still there: {took:?}"
    );
    let grandchild = said_pid(&output, "grandchild").await;
    soon(child.stop(QUICK)).await;
    assert!(is_gone(grandchild));
}

#[tokio::test]
async fn a_group_is_ended_after_its_leader_without_any_stop() {
    let (child, _output) = spawn(
        "trap '' TERM; sleep 1000 & sleep 1000 & read line; exit 7",
        StdioMode::Piped,
    );
    let (mut stdout, stdin) = child.take_stdio().expect("lent once");
    drop(stdin);
    // The pipe's end comes when the last of its holders is gone.
    let mut rest = Vec::new();
    soon(stdout.read_to_end(&mut rest)).await.expect("the end");
    assert_eq!(soon(child.wait_exit()).await, unasked(7));
}

#[tokio::test]
async fn a_child_that_is_dropped_is_ended_with_its_group() {
    let (child, output) = spawn(
        "trap '' TERM; sleep 1000 & echo ready >&2; wait; wait",
        StdioMode::Piped,
    );
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
    );
    said(&output, "ready").await;
    let began = Instant::now();
    let (slow, quick) = soon(async { tokio::join!(child.stop(SLOW), child.stop(QUICK)) }).await;
    assert_eq!(slow, quick);
    assert_eq!(slow.signal, Some(9));
    assert!(began.elapsed() < PATIENCE);
}

#[tokio::test]
async fn a_stop_goes_on_when_nobody_waits_for_it() {
    let (child, _) = spawn("while :; do sleep 60; done", StdioMode::Closed);
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

#[tokio::test]
async fn a_process_that_left_the_group_holds_nobody_up() {
    let (child, output) = spawn(
        "setsid sleep 1000 & echo away $! >&2; sleep 1000",
        StdioMode::Closed,
    );
    let away = said_pid(&output, "away").await;
    // It may not have left yet: its name tells.
    let stat = format!("/proc/{}/stat", away.as_raw_nonzero());
    while cfg!(target_os = "linux")
        && !std::fs::read_to_string(&stat)
            .expect("alive")
            .contains("(sleep)")
    {
        tokio::task::yield_now().await;
    }
    soon(child.stop(QUICK)).await;
    if !is_gone(away) {
        kill_process(away, Signal::KILL).expect("ours to end");
    }
}

#[test]
fn a_runtime_that_goes_away_leaves_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("alive");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    let script = "trap '' TERM; exec 3>alive; echo ready >&3; sleep 1000 & sleep 1000";
    let spec = CommandSpec {
        cwd: folder.path().to_owned(),
        ..sh(script)
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let guard = runtime.enter();
    let child = Child::spawn(&spec, StdioMode::Closed, &Output::new()).expect("a shell");
    drop(guard);
    let mut alive = std::fs::File::open(&fifo).expect("the shell opens it too");
    let mut ready = [0; 6];
    alive.read_exact(&mut ready).expect("it says that it lives");
    drop(runtime);
    let mut rest = Vec::new();
    alive.read_to_end(&mut rest).expect("the last holder ended");
    drop(child);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_18_a_hundred_megabytes_without_a_line_stay_bounded() {
    let (child, output) = spawn(
        "echo first >&2; head -c 100000000 /dev/zero | tr '\\000' x >&2; echo >&2; echo last >&2",
        StdioMode::Closed,
    );
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
    );
    assert_eq!(soon(child.wait_exit()).await, unasked(0));
    assert_eq!(output.lines().len(), 10_000);
    let last = &output.last(1)[0];
    assert_eq!((last.seq, last.text.as_str()), (5_000_000, "last"));
    assert_eq!(output.since(0).1, 5_000_001 - 10_000);
}

#[tokio::test]
async fn what_can_not_be_started_says_why() {
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
    let refusal = |program: &str, cwd: &Path| {
        let spec = CommandSpec {
            program: program.into(),
            cwd: cwd.to_owned(),
            ..sh("")
        };
        let refused = Child::spawn(&spec, StdioMode::Closed, &Output::new());
        let error = refused.map(|child| child.pid()).expect_err(program);
        assert!(!error.hint().is_empty(), "{program}");
        (error.code(), error.to_string())
    };
    let (code, text) = refusal("./gone", folder.path());
    assert_eq!(code, Code::CommandNotFound, "{text}");
    let (code, text) = refusal("./no-interpreter", folder.path());
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("first line"), "{text}");
    let (code, text) = refusal("./no-program", folder.path());
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("no-program"), "{text}");
    let (code, text) = refusal("/bin/sh", &folder.path().join("gone"));
    assert_eq!(code, Code::SpawnFailed);
    assert!(text.contains("working directory"), "{text}");
}
