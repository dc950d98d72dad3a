//! No process remains after any end of a member, a hall or the program. This includes processes
//! that have left the member's process group.

mod wrappers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use guild_engine::{GuildHallOptions, WatchdogProgram};
use guild_model::status::Status;
use guild_tests::{LIMIT, MemberFolder, PromiseClock, eventually, is_alive, processes_of};
use rustix::process::Signal;
use serde_json::Value;

use crate::guildhall::{CliHarness, Running, guildhall_bin};
use crate::test_env::{CLOSED, Open, TestEnv, kill, name};

/// Time limit for all processes to end.
const END: Duration = CLOSED;
/// All ways in which a process can leave its process group.
const WAYS_OUT: [&str; 6] = [
    "--runaway",
    "session",
    "--runaway",
    "daemon",
    "--runaway",
    "bare",
];

/// Members of each awkward kind, each with its number of additional processes.
const CROWD: [(&str, usize); 4] = [("meek", 4), ("deaf", 4), ("web", 3), ("brood", 30)];

fn pid_dir(env: &TestEnv, member: &str) -> PathBuf {
    env.data_dir().join("pids").join(member)
}

fn with_pids(env: &TestEnv, member: &str, folder: MemberFolder) -> MemberFolder {
    let dir = pid_dir(env, member).display().to_string();
    folder.args(["--pid-dir".to_owned(), dir])
}

fn move_in(env: &TestEnv) {
    let deaf = ["--ignore-term", "--grandchildren-ignore-term"];
    let meek = env
        .member("meek")
        .args(WAYS_OUT)
        .args(["--grandchildren", "1"]);
    with_pids(env, "meek", meek).write();
    let stubborn =
        env.member("deaf")
            .args(WAYS_OUT)
            .args(deaf)
            .args(["--ignore-eof", "--grandchildren", "1"]);
    with_pids(env, "deaf", stubborn).write();
    let web = env.http("web").args(WAYS_OUT).args(["--ignore-term"]);
    with_pids(env, "web", web).write();
    let brood = env.member("brood").args(deaf).args(["--breed", "4"]);
    with_pids(env, "brood", brood).write();
}

/// Waits until a member has started `count` processes. Returns their pids.
async fn led_to(env: &TestEnv, member: &str, count: usize) -> Vec<u32> {
    let dir = pid_dir(env, member);
    let what = format!("{count} processes of {member}");
    eventually(LIMIT, &what, || {
        let pids = pids_in(&dir);
        (pids.len() >= count).then_some(pids)
    })
    .await
}

fn pids_in(dir: &Path) -> Vec<u32> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    files
        .filter_map(|file| file.file_name().to_str()?.parse().ok())
        .collect()
}

/// Waits until each member has started all its processes. Returns the live ones.
async fn all_led_to(env: &TestEnv) -> Vec<u32> {
    let mut all = Vec::new();
    for (member, count) in CROWD {
        let dir = pid_dir(env, member);
        let what = format!("{count} living processes of {member}");
        // The folder of pids also has ended processes, if a member lost its port and has started
        // again.
        let living = eventually(LIMIT, &what, || {
            let mut pids = pids_in(&dir);
            pids.retain(|pid| is_alive(*pid));
            (pids.len() >= count).then_some(pids)
        });
        all.extend(living.await);
    }
    all
}

/// Returns the remaining processes: those with the test's mark, and those with one of the pids.
fn left(env: &TestEnv, pids: &[u32]) -> Vec<u32> {
    let mut left = processes_of(&env.nonce);
    left.extend(pids.iter().filter(|pid| is_alive(**pid)));
    left
}

/// Waits until no process remains. Checks that this took no longer than promised since `began`.
async fn all_gone(env: &TestEnv, pids: &[u32], began: PromiseClock, what: &str) {
    eventually(LIMIT, "nobody is left", || {
        left(env, pids).is_empty().then_some(())
    })
    .await;
    began.assert_within(END, &format!("{what}: all gone"));
}

/// Returns the watchdog of a program.
pub(crate) fn watchdog_of(program: u32) -> Option<u32> {
    let is_it = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| {
            let parent = rest.split(' ').nth(1)?;
            parent.parse::<u32>().ok()
        });
        stat.contains("(guild-watchdog)") && parent == Some(program)
    };
    let processes = std::fs::read_dir("/proc").expect("a list").flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .find(is_it)
}

/// Starts the program, and waits until all its members are ready.
async fn serving(cli: &CliHarness) -> Running {
    let mut running = cli.start(&["serve", "--no-gateway"]);
    let mut waiting: Vec<&str> = CROWD.iter().map(|(member, _)| *member).collect();
    while !waiting.is_empty() {
        let line = running
            .line_where("a member that is up", |line| {
                line["event"]["member"]["status"] == "ready"
            })
            .await;
        let member = &line["event"]["member"]["name"];
        waiting.retain(|name| member != &Value::from(*name));
    }
    running
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_program_end_leaves_no_process() {
    for signal in [
        Signal::KILL,
        // A panic that aborts the program, and a fault in a library.
        Signal::ABORT,
        Signal::ILL,
        // The terminal is closed.
        Signal::HUP,
        Signal::TERM,
    ] {
        let cli = CliHarness::new("the end of the program").await;
        move_in(&cli.env);
        let running = serving(&cli).await;
        let pids = all_led_to(&cli.env).await;
        let began = PromiseClock::start();
        running.signal(signal);
        running.gone().await;
        all_gone(&cli.env, &pids, began, &format!("{signal:?}")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watchdog_that_is_killed_first_has_a_successor() {
    let cli = CliHarness::new("the watchdog's successor").await;
    move_in(&cli.env);
    let running = serving(&cli).await;
    let pids = all_led_to(&cli.env).await;
    let program = running.pid();
    let watchdog = watchdog_of(program).expect("a watchdog");
    kill(watchdog, Signal::KILL);
    eventually(LIMIT, "the next watchdog", || {
        watchdog_of(program).filter(|next| *next != watchdog)
    })
    .await;
    assert_eq!(watchdog_of(watchdog), None);
    let began = PromiseClock::start();
    running.signal(Signal::KILL);
    running.gone().await;
    all_gone(&cli.env, &pids, began, "with a successor").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn next_start_ends_leftover_processes() {
    let cli = CliHarness::new("the sweep").await;
    move_in(&cli.env);
    let running = serving(&cli).await;
    let pids = all_led_to(&cli.env).await;
    let watchdog = watchdog_of(running.pid()).expect("a watchdog");
    // Stops the watchdog first, so that it can't react to the program's end before it is killed
    // too.
    kill(watchdog, Signal::STOP);
    running.signal(Signal::KILL);
    running.gone().await;
    kill(watchdog, Signal::KILL);
    let stubborn = |pid: &&u32| is_alive(**pid);
    assert!(pids.iter().filter(stubborn).count() > 30, "they live on");

    // Any later command with the same data folder ends the processes, even if it starts no member.
    let next = cli.start(&["serve", "--no-gateway"]);
    let swept = || pids.iter().all(|pid| !is_alive(*pid)).then_some(());
    let began = Instant::now();
    eventually(LIMIT, "they are swept", swept).await;
    println!("swept {:?} after the next start", began.elapsed());
    next.signal(Signal::TERM);
    let ended = next.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let ledger = std::fs::read_dir(cli.env.data_dir().join("running"));
    let kept = ledger.into_iter().flatten().count();
    assert_eq!(kept, 0, "nothing is left to be swept");
}

/// Opens a hall in this process, with a separate watchdog process.
async fn guarded(env: &TestEnv) -> Open {
    let options = GuildHallOptions {
        watchdog: WatchdogProgram::Program(guildhall_bin().to_owned()),
        ..env.options()
    };
    let open = env.open_with(options).await;
    let started = open.hall.start_all().settled().await;
    assert!(started.iter().all(Result::is_ok), "{started:#?}");
    open
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_is_stopped_restarted_or_removed_leaves_nobody() {
    guildhall_bin();
    let env = TestEnv::new("stop, restart, remove");
    move_in(&env);
    let mut open = guarded(&env).await;
    let all = all_led_to(&env).await;
    let of = |member: &str| pids_in(&pid_dir(&env, member));

    let stopped = of("deaf");
    let began = Instant::now();
    let view = open.hall.stop_member(&name("deaf")).await.expect("stopped");
    println!(
        "a deaf member with runaways stopped in {:?}",
        began.elapsed()
    );
    assert_eq!(view.status, Status::Stopped);
    let living = |pids: &[u32]| pids.iter().filter(|pid| is_alive(**pid)).count();
    assert_eq!(living(&stopped), 0, "at the moment that the stop is done");

    let before = of("meek");
    open.hall
        .restart_member(&name("meek"))
        .await
        .expect("restarted");
    assert_eq!(living(&before), 0, "before the new one began");
    let both = led_to(&env, "meek", before.len() * 2).await;
    assert_eq!(living(&both), before.len());

    let removed = of("brood");
    std::fs::remove_dir_all(env.members_dir().join("brood")).expect("removed");
    eventually(LIMIT, "the brood is gone", || {
        (living(&removed) == 0).then_some(())
    })
    .await;
    assert!(living(&of("web")) > 0, "the others are not touched");

    open.status("web", Status::Ready).await;
    let began = Instant::now();
    open.close().await;
    println!("closed in {:?}", began.elapsed());
    assert_eq!(left(&env, &all), Vec::<u32>::new());
    assert_eq!(living(&both), 0);
    assert_eq!(watchdog_of(std::process::id()), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_crashes_leaves_nobody() {
    let env = TestEnv::new("a crash with runaways");
    let crash = env
        .member("crash")
        .args(WAYS_OUT)
        .args(["--crash-on-call"])
        .manifest(serde_json::json!({"restart": "never"}));
    with_pids(&env, "crash", crash).write();
    let mut open = env.started().await;
    let pids = led_to(&env, "crash", 3).await;
    let began = PromiseClock::start();
    open.refusal("crash", "echo", "{}").await;
    open.status("crash", Status::Error).await;
    all_gone(&env, &pids, began, "a crash").await;
    open.close().await;
}
