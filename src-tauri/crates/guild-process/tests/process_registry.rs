//! Tests that a program's processes are ended after the program itself has ended, for each way in
//! which it can end.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use guild_tests::PromiseClock;
use rustix::process::{Pid, Signal, kill_process};

/// An upper bound for every wait in these tests, so that a defect causes a failure and not an
/// endless wait.
const TIMEOUTS: Duration = Duration::from_secs(120);
/// The time within which all processes must have ended after the program's end.
const END: Duration = Duration::from_secs(5);
/// The interval between checks of a state that sends no event.
const LOOK: Duration = Duration::from_millis(5);

/// A leader, a process that stays in its group, and three processes that left the group: by
/// `setsid`, by `setsid` and a second fork, and by the same with an empty environment, ignoring
/// SIGTERM and with no open pipes.
const CROWD: &str = "\
    sleep 1000 & \
    setsid sleep 1000 & \
    setsid sh -c 'sleep 1000 & exit' & \
    env -i setsid sh -c \"trap '' TERM; (sleep 1000 &) & exit\" </dev/null >/dev/null 2>&1 & \
    exec sleep 1000";
const CROWD_SIZE: usize = 5;

/// A shell that never answers and ignores SIGTERM. It has a job in a separate process group, and a
/// daemon, which a shell's startup files could have started on purpose.
const HANGS: &str = "\
    trap '' TERM HUP INT; \
    setsid sh -c 'sleep 1001; exit' </dev/null >/dev/null 2>&1 & \
    set -m; \
    sleep 1000 & \
    while :; do sleep 1000; done";
const HANGS_SIZE: usize = 5;
const DAEMON_SIZE: usize = 2;

/// A running example program, with its working folder.
struct Custodian {
    program: Child,
    said: BufReader<std::process::ChildStdout>,
    place: PathBuf,
}

/// Returns the path of the example program, which `cargo test -p guild-process` builds.
fn custodian() -> PathBuf {
    let test = std::env::current_exe().expect("our own file");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps");
    let program = profile.join("examples/custodian");
    assert!(
        program.is_file(),
        "it is not built: cargo build -p guild-process --example custodian"
    );
    program
}

fn ledger_of(place: &Path) -> PathBuf {
    place.parent().expect("a folder").join("running")
}

/// Returns the content of all files of the journals.
fn written_in(journal: &Path) -> String {
    let halls = fs::read_dir(journal).into_iter().flatten().flatten();
    let runs = halls.flat_map(|hall| fs::read_dir(hall.path()).into_iter().flatten().flatten());
    let texts = runs.map(|run| fs::read_to_string(run.path()).unwrap_or_default());
    texts.collect()
}

impl Custodian {
    /// Starts the program in the folder `place`. The program starts `script`.
    fn start(place: &Path, script: &str) -> Self {
        Self::in_role("keep", place, script)
    }

    /// Starts the program with a short command that never answers. Waits until the watchdog and the
    /// journal have its record.
    fn asking(place: &Path) -> Self {
        let custodian = Self::in_role("ask", place, HANGS);
        eventually("all are there", || custodian.crowd().len() == HANGS_SIZE);
        // The journal's record is written after the watchdog was notified.
        eventually("it is known", || {
            written_in(&ledger_of(place)).contains("\nsession ")
        });
        custodian
    }

    fn in_role(role: &str, place: &Path, script: &str) -> Self {
        fs::create_dir_all(place).expect("a folder");
        let mut program = Command::new(custodian())
            .arg(role)
            .arg(ledger_of(place))
            .arg(script)
            .current_dir(place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut said = BufReader::new(program.stdout.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("it says something");
        assert_eq!(line, "ready\n");
        Self {
            program,
            said,
            place: place.to_owned(),
        }
    }

    /// Starts the program with [`CROWD`], and waits until each of these processes sleeps.
    fn crowded(place: &Path) -> Self {
        let custodian = Self::start(place, CROWD);
        let sleeping = || {
            let crowd = custodian.crowd();
            crowd.len() == CROWD_SIZE && crowd.iter().all(|pid| comm(*pid) == "sleep")
        };
        eventually("all are there", sleeping);
        custodian
    }

    /// Returns the processes that work in the program's folder, except the program itself.
    fn crowd(&self) -> Vec<u32> {
        let own = self.program.id();
        let mut crowd = working_in(&self.place);
        crowd.retain(|pid| *pid != own);
        crowd
    }

    fn watchdog(&self) -> Option<u32> {
        let own = self.program.id();
        living()
            .into_iter()
            .find(|pid| parent(*pid) == Some(own) && comm(*pid) == "guild-watchdog")
    }

    fn signal(&self, signal: Signal) {
        kill(self.program.id(), signal);
    }

    fn order(&mut self, word: &str) {
        let stdin = self.program.stdin.as_mut().expect("a pipe");
        stdin.write_all(word.as_bytes()).expect("it reads");
        stdin.write_all(b"\n").expect("it reads");
    }
}

/// Ends all processes, even if the test failed.
impl Drop for Custodian {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        for pid in working_in(&self.place) {
            kill(pid, Signal::KILL);
        }
    }
}

fn kill(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // An error means that the process has already ended.
    let _ = kill_process(pid.expect("a number"), signal);
}

fn eventually(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < TIMEOUTS, "it does not come: {what}");
        std::thread::sleep(LOOK);
    }
}

/// Returns the fields of `/proc/PID/stat` from the third field on.
fn stat(pid: u32) -> Option<Vec<String>> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = line.rsplit_once(") ")?;
    Some(rest.split(' ').map(str::to_owned).collect())
}

fn comm(pid: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim().to_owned()
}

fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// Returns the pids of all processes except zombies.
fn living() -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("a list").flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| stat(*pid).is_some_and(|stat| !matches!(stat[0].as_str(), "Z" | "X")))
        .collect()
}

fn working_in(place: &Path) -> Vec<u32> {
    let cwd = |pid: u32| fs::read_link(format!("/proc/{pid}/cwd")).ok();
    let mut found = living();
    found.retain(|pid| cwd(*pid).as_deref() == Some(place));
    found
}

/// Creates a folder. Its path is canonical, as in the kernel's links to it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().canonicalize().expect("a folder");
    (folder, place.join("member"))
}

/// The name of a way in which a program can end, and a function that ends it this way.
type End = (&'static str, fn(&mut Custodian));

#[test]
fn all_processes_end_within_five_seconds() {
    let ends: [End; 6] = [
        ("killed", |program| program.signal(Signal::KILL)),
        ("hung up", |program| program.signal(Signal::HUP)),
        ("asked to end", |program| program.signal(Signal::TERM)),
        ("a panic", |program| program.order("panic")),
        ("an abort", |program| program.order("abort")),
        ("an exit without a stop", |program| program.order("leave")),
    ];
    for (end, how) in ends {
        let (_folder, place) = place();
        let mut custodian = Custodian::crowded(&place);
        let watchdog = custodian.watchdog().expect("a watchdog");
        let began = PromiseClock::start();
        how(&mut custodian);
        custodian.program.wait().expect("it ends");
        eventually("all are gone", || custodian.crowd().is_empty());
        eventually("the watchdog too", || !living().contains(&watchdog));
        began.assert_within(END, &format!("{end}: all gone"));
    }
}

#[test]
fn the_secrets_of_a_team_are_inherited_by_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    for role in ["keep", "ask"] {
        let place = folder.path().join(role);
        fs::create_dir(&place).expect("a folder");
        let mut program = Command::new(custodian())
            .arg(role)
            .arg(ledger_of(&place))
            .arg("env >written; mv written variables")
            .current_dir(&place)
            .env("GUILD_SECRET_OF_ANOTHER", "x")
            .env("GUILD_TEST", "inherited")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let variables = place.join("variables");
        eventually("it has written", || variables.exists());
        let variables = fs::read_to_string(variables).expect("text");
        assert!(variables.contains("GUILD_TEST=inherited"), "{variables}");
        assert!(!variables.contains("GUILD_SECRET_"), "{role}: {variables}");
        // The program exits when its stdin is closed.
        drop(program.stdin.take());
        assert!(program.wait().expect("an end").success(), "{role}");
    }
}

#[test]
fn a_stop_ends_all_and_the_watchdog_is_gone_before_the_program() {
    let (_folder, place) = place();
    let mut custodian = Custodian::crowded(&place);
    let watchdog = custodian.watchdog().expect("a watchdog");
    custodian.order("stop");
    // The pipe ends with the program's end. By that time, no process is left.
    let mut rest = String::new();
    custodian.said.read_to_string(&mut rest).expect("the end");
    assert_eq!(custodian.crowd(), [0_u32; 0]);
    assert!(!living().contains(&watchdog));
    assert!(custodian.program.wait().expect("it ends").success());
    let journal = fs::read_dir(ledger_of(&place)).expect("a folder");
    assert_eq!(journal.count(), 0, "nothing is written down any more");
}

#[test]
fn killed_watchdog_is_replaced_with_its_state() {
    let (_folder, place) = place();
    let mut custodian = Custodian::crowded(&place);
    let mut watchdog = custodian.watchdog().expect("a watchdog");
    for _ in 0..3 {
        kill(watchdog, Signal::KILL);
        let before = watchdog;
        eventually("the next", || {
            custodian.watchdog().is_some_and(|next| next != before)
        });
        watchdog = custodian.watchdog().expect("the next");
    }
    assert_eq!(custodian.crowd().len(), CROWD_SIZE, "nobody has noticed");
    // The watchdog has read the message once it waits for the next one.
    let waits = || stat(watchdog).is_some_and(|stat| stat[0] == "S");
    eventually("it waits", waits);
    custodian.signal(Signal::KILL);
    custodian.program.wait().expect("it ends");
    let ended = PromiseClock::start();
    eventually("all are gone", || custodian.crowd().is_empty());
    ended.assert_within(END, "all gone");
}

#[test]
fn next_start_ends_survivors() {
    let (_folder, place) = place();
    let mut killed = Custodian::crowded(&place);
    let watchdog = killed.watchdog().expect("a watchdog");
    // A stopped watchdog can't react to the end of its pipe.
    kill(watchdog, Signal::STOP);
    killed.signal(Signal::KILL);
    killed.program.wait().expect("it ends");
    kill(watchdog, Signal::KILL);
    eventually("the watchdog is gone", || !living().contains(&watchdog));
    assert_eq!(killed.crowd().len(), CROWD_SIZE, "nobody has ended them");

    let elsewhere = place.parent().expect("a folder").join("next");
    let next = Custodian::start(&elsewhere, "exec sleep 1000");
    assert_eq!(
        killed.crowd(),
        [0_u32; 0],
        "they are gone before the first of the next program runs"
    );
    assert_eq!(next.crowd().len(), 1);
}

#[test]
fn login_shell_ends_with_a_killed_program() {
    let (_folder, place) = place();
    let mut custodian = Custodian::asking(&place);
    let watchdog = custodian.watchdog().expect("a watchdog");
    custodian.signal(Signal::KILL);
    custodian.program.wait().expect("it ends");
    let ended = PromiseClock::start();
    eventually("the watchdog is done", || !living().contains(&watchdog));
    ended.assert_within(END, "the shell: gone");
    assert_eq!(custodian.crowd().len(), DAEMON_SIZE, "the daemon alone");
}

#[test]
fn orphaned_shell_is_swept_but_not_its_daemon() {
    let (_folder, place) = place();
    let mut killed = Custodian::asking(&place);
    let watchdog = killed.watchdog().expect("a watchdog");
    kill(watchdog, Signal::STOP);
    killed.signal(Signal::KILL);
    killed.program.wait().expect("it ends");
    kill(watchdog, Signal::KILL);
    eventually("the watchdog is gone", || !living().contains(&watchdog));
    assert_eq!(killed.crowd().len(), HANGS_SIZE, "nobody has ended them");
    let elsewhere = place.parent().expect("a folder").join("next");
    let _next = Custodian::start(&elsewhere, "exec sleep 1000");
    assert_eq!(killed.crowd().len(), DAEMON_SIZE, "the daemon alone");
}

#[test]
fn a_program_does_not_touch_what_another_has_in_custody() {
    let (_folder, one) = place();
    let (_other_folder, other) = place();
    let mut killed = Custodian::crowded(&one);
    let neighbour = Custodian::crowded(&other);
    // Another program that uses the same journal.
    let beside = Custodian::start(&one.with_file_name("beside"), "exec sleep 1000");
    killed.signal(Signal::KILL);
    killed.program.wait().expect("it ends");
    eventually("all are gone", || killed.crowd().is_empty());
    let _next = Custodian::start(&one.with_file_name("next"), "exec sleep 1000");
    assert_eq!(neighbour.crowd().len(), CROWD_SIZE);
    assert_eq!(beside.crowd().len(), 1);
}

#[test]
fn a_watchdog_stands_apart() {
    let (_folder, place) = place();
    let custodian = Custodian::start(&place, "exec sleep 1000");
    let watchdog = custodian.watchdog().expect("a watchdog");
    let of = |file: &str| format!("/proc/{watchdog}/{file}");
    let stat = stat(watchdog).expect("it lives");
    let (group, session) = (&stat[2], &stat[3]);
    let own = watchdog.to_string();
    assert_eq!((group, session), (&own, &own), "its own session");
    assert_eq!(fs::read_link(of("cwd")).expect("a folder"), Path::new("/"));
    let mut open: Vec<_> = fs::read_dir(of("fd"))
        .expect("a list")
        .map(|entry| fs::read_link(entry.expect("an entry").path()).expect("a file"))
        .collect();
    open.sort();
    assert_eq!(open.len(), 3, "{open:?}");
    assert_eq!(open[0], Path::new("/dev/null"), "{open:?}");
    let is_pipe = |file: &PathBuf| file.to_string_lossy().starts_with("pipe:");
    assert!(open[1..].iter().all(is_pipe), "{open:?}");
    // Only the program may hold the other ends of the watchdog's pipes. Otherwise the watchdog
    // would not notice the program's end.
    let member = custodian.crowd()[0];
    for entry in fs::read_dir(format!("/proc/{member}/fd")).expect("a list") {
        let held = fs::read_link(entry.expect("an entry").path());
        assert!(!open[1..].contains(&held.expect("a file")));
    }
    // The signals that a terminal or `killall` sends.
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM] {
        kill(watchdog, signal);
    }
    let status = fs::read_to_string(of("status")).expect("it lives");
    let kept = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.expect(name).trim().to_owned()
    };
    println!("private memory: {} KiB", private_kib(watchdog));
    assert_eq!(kept("Threads:"), "1");
    assert_eq!(custodian.watchdog(), Some(watchdog), "it stays at its post");
    let limits = fs::read_to_string(of("limits")).expect("it lives");
    let marked = limits.lines().find(|line| line.starts_with("Max resident"));
    assert!(
        marked
            .expect("a line")
            .contains("unlimited            unlimited"),
        "it carries nobody's mark: {marked:?}"
    );
}

/// Returns the memory that a process does not share with others, in KiB.
fn private_kib(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).expect("it lives");
    let field = |name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let words = line.expect(name).split_ascii_whitespace().next();
        words.and_then(|kib| kib.parse().ok()).expect("a number")
    };
    field("Private_Clean:") + field("Private_Dirty:")
}

#[test]
fn our_own_limit_is_as_before_when_a_process_has_started() {
    let limit = || {
        let limits = fs::read_to_string("/proc/self/limits").expect("limits");
        let line = limits.lines().find(|line| line.starts_with("Max resident"));
        line.expect("a line").to_owned()
    };
    let (_folder, place) = place();
    let custodian = Custodian::start(&place, "exec sleep 1000");
    let of_program = fs::read_to_string(format!("/proc/{}/limits", custodian.program.id()));
    assert!(of_program.expect("limits").contains(&limit()));
}
