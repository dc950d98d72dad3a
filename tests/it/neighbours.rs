//! Thirty members, of which ten hang in different ways. The other twenty must not be affected.

use std::time::{Duration, Instant};

use guild_model::status::{Freshness, Status};
use guild_tests::{LIMIT, MemberFolder, PromiseClock, eventually, processes_of};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::task::JoinSet;

use crate::test_env::{Open, TestEnv, name, text};

/// The number of healthy members.
const WELL: usize = 20;
/// The number of calls of each healthy member while the others hang.
const CALLS: usize = 25;
/// Maximum ratio of times with and without the ten hanging members. Both times are increased by
/// `NOISE` first, so that differences of a few milliseconds do not count.
const RATIO_MAX: f64 = 3.0;
const NOISE: Duration = Duration::from_millis(20);
/// Maximum number of attempts.
const TRIES: usize = 5;
/// The time limits of the ten hanging members in milliseconds, so long that none ends during the
/// measurement.
const LONG: u64 = 100_000;

fn well(env: &TestEnv) -> Vec<String> {
    let names: Vec<String> = (0..WELL)
        .map(|number| format!("well-{number:02}"))
        .collect();
    for (number, name) in names.iter().enumerate() {
        match number % 2 {
            0 => env.http(name).write(),
            _ => env.member(name).write(),
        };
    }
    names
}

/// Adds ten members that hang in different ways. Returns those that never become ready.
fn hanging(env: &TestEnv) -> Vec<&'static str> {
    let patient = |folder: MemberFolder| {
        folder.manifest(json!({"restart": "never", "timeouts": {
            "start_ms": LONG, "handshake_ms": LONG, "discovery_ms": LONG, "call_ms": LONG,
        }}))
    };
    let member = |name| patient(env.member(name));
    let http = |name| patient(env.http(name));
    member("01-never-reads").args(["--never-listen"]).write();
    member("02-mute").args(["--listen-mute"]).write();
    http("03-accepts-and-says-nothing")
        .args(["--listen-mute"])
        .write();
    member("04-hangs-in-list")
        .args(["--listen-mute", "--on", "tools/list"])
        .write();
    member("05-drips")
        .manifest(json!({"command": "sh", "args": ["-c", "while :; do printf x; sleep 0.2; done"]}))
        .write();
    member("06-fills-stdout")
        .args(["--endless-body", "--on", "tools/list"])
        .write();
    http("07-never-opens-its-port")
        .args(["--never-listen"])
        .write();
    // These members become ready and hang later.
    let stay = ["--ignore-term", "--ignore-eof"];
    member("08-is-stopped").args(stay).write();
    member("09-hangs-in-shutdown")
        .args(stay)
        .args(["--grandchildren", "2"])
        .write();
    http("10-floods-stderr")
        .args(["--ignore-term", "--stderr-flood", "18446744073709551615"])
        .write();
    vec![
        "01-never-reads",
        "02-mute",
        "03-accepts-and-says-nothing",
        "04-hangs-in-list",
        "05-drips",
        "07-never-opens-its-port",
    ]
}

/// Measured times.
#[derive(Debug)]
struct Figures {
    /// The time until all healthy members were ready.
    start: Duration,
    /// The median and the 99th percentile of calls.
    call_median: Duration,
    call_p99: Duration,
    /// The median and the 99th percentile of lists and searches.
    list_median: Duration,
    list_p99: Duration,
    /// The time to stop and start one member.
    restart: Duration,
}

fn quantile(times: &mut [Duration], of: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * of).round() as usize]
}

/// Starts all members, and measures the healthy ones.
async fn measured(env: &TestEnv, open: &mut Open, names: &[String]) -> Figures {
    let begun = Instant::now();
    let _started = open.hall.start_all();
    for name in names {
        open.shown(name, "ready, and listed", |view| {
            view.status == Status::Ready && view.freshness == Freshness::Live
        })
        .await;
    }
    let start = begun.elapsed();
    // Stops the process of a ready member from here on, in the middle of a call.
    let stopped = open
        .hall
        .roster()
        .members
        .iter()
        .any(|view| view.name.as_str() == "08-is-stopped");
    if stopped {
        let view = open.status("08-is-stopped", Status::Ready).await;
        let pid = view
            .pid
            .and_then(|pid| i32::try_from(pid).ok())
            .and_then(Pid::from_raw);
        kill_process(pid.expect("a process"), Signal::STOP).expect("stopped");
        let hall = open.hall.clone();
        let call = crate::test_env::request("08-is-stopped", "add", r#"{"a":1,"b":1}"#);
        tokio::spawn(async move { hall.invoke(call).await });
        let hall = open.hall.clone();
        // Another member hangs in its shutdown during the whole measurement.
        tokio::spawn(async move { hall.stop_member(&name("09-hangs-in-shutdown")).await });
        open.status("09-hangs-in-shutdown", Status::Stopping).await;
    }
    let mut running = JoinSet::new();
    for name in names {
        let (hall, name) = (open.hall.clone(), name.clone());
        running.spawn(async move {
            let mut times = Vec::with_capacity(CALLS);
            for number in 0..CALLS {
                let arguments = format!(r#"{{"a":{number},"b":1000}}"#);
                let request = crate::test_env::request(&name, "add", &arguments);
                let begun = Instant::now();
                let outcome = hall.invoke(request).await;
                times.push(begun.elapsed());
                let guild_api::wire::CallEnd::Result { result, .. } = outcome.end else {
                    panic!("{name} has no result: {outcome:#?}");
                };
                let result = serde_json::from_str(&result).expect("JSON");
                assert_eq!(text(&result), (number + 1_000).to_string());
            }
            times
        });
    }
    let mut lists = Vec::new();
    let mut calls = Vec::new();
    let search = guild_api::wire::SearchTools {
        query: "add".to_owned(),
        limit: 100,
    };
    while !running.is_empty() {
        let begun = Instant::now();
        let roster = open.hall.roster();
        let found = open.hall.search_tools(&search);
        lists.push(begun.elapsed());
        assert!(roster.members.len() >= WELL && found.total >= WELL);
        tokio::select! {
            Some(ended) = running.join_next() => calls.extend(ended.expect("right answers")),
            () = tokio::time::sleep(Duration::from_millis(2)) => {}
        }
    }
    let begun = Instant::now();
    let view = open
        .hall
        .restart_member(&name(&names[0]))
        .await
        .expect("it comes back");
    let restart = begun.elapsed();
    assert_eq!(view.status, Status::Ready);
    assert!(!processes_of(&env.nonce).is_empty());
    Figures {
        start,
        call_median: quantile(&mut calls, 0.5),
        call_p99: quantile(&mut calls, 0.99),
        list_median: quantile(&mut lists, 0.5),
        list_p99: quantile(&mut lists, 0.99),
        restart,
    }
}

async fn opened(env: &TestEnv) -> Open {
    env.open().await
}

/// Pairs the times without the ten members with the times beside them.
fn pairs(without: &Figures, beside: &Figures) -> [(&'static str, Duration, Duration); 6] {
    [
        ("start of twenty", without.start, beside.start),
        ("call, median", without.call_median, beside.call_median),
        ("call, 99 of 100", without.call_p99, beside.call_p99),
        ("list, median", without.list_median, beside.list_median),
        ("list, 99 of 100", without.list_p99, beside.list_p99),
        ("stop and start", without.restart, beside.restart),
    ]
}

async fn without_the_ten() -> Figures {
    let env = TestEnv::new("without the ten");
    let names = well(&env);
    let mut open = opened(&env).await;
    let figures = measured(&env, &mut open, &names).await;
    open.close().await;
    figures
}

async fn beside_the_ten() -> Figures {
    let env = TestEnv::new("beside the ten");
    let names = well(&env);
    let stuck = hanging(&env);
    let mut open = opened(&env).await;
    let figures = measured(&env, &mut open, &names).await;
    // Checks that the ten members hang: none has become ready or failed.
    for stuck in &stuck {
        let view = open.view(stuck);
        let listed = view.freshness == Freshness::Live;
        assert!(
            view.status == Status::Starting || (view.status == Status::Ready && !listed),
            "{stuck}: {view:#?}"
        );
    }
    assert_eq!(open.view("08-is-stopped").calls, 1, "its call hangs");
    let begun = PromiseClock::start();
    open.close().await;
    begun.assert_within(Duration::from_millis(5_500), "all thirty closed");
    eventually(LIMIT, "nothing is left", || {
        processes_of(&env.nonce).is_empty().then_some(())
    })
    .await;
    figures
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_hanging_members_delay_no_others() {
    // Other load on the machine can only increase a ratio, so one good attempt is a proof.
    for tries_left in (0..TRIES).rev() {
        let without = without_the_ten().await;
        let beside = beside_the_ten().await;
        println!("                     without the ten     beside them   ratio");
        let mut delayed = Vec::new();
        for (what, without, beside) in pairs(&without, &beside) {
            let plain = beside.as_secs_f64() / without.as_secs_f64();
            println!("{what:<20} {without:>15.2?} {beside:>15.2?}   {plain:.2}");
            let ratio = (beside + NOISE).as_secs_f64() / (without + NOISE).as_secs_f64();
            if ratio >= RATIO_MAX {
                delayed.push(what);
            }
        }
        if delayed.is_empty() {
            return;
        }
        assert!(
            tries_left > 0,
            "delayed in each try, in the last: {delayed:?}"
        );
    }
}
