//! Maximum effects of a member on the program's memory and disk use, with a measured figure for
//! each.
//!
//! `cargo test -p guild-tests --test it bounds -- --nocapture --test-threads 1` prints the figures
//! of `docs/reliability.md`. `GUILD_HALL_FLOOD_MIB` sets the size of the floods,
//! `GUILD_HALL_STORM` the number of notifications.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::{Duration, Instant};

use guild_model::Code;
use guild_tests::{LIMIT, PromiseClock, eventually};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::guildhall::{CliHarness, Running};

const MIB: u64 = 1 << 20;

/// Returns the number of bytes that a member writes to stderr.
fn flood() -> u64 {
    let wanted = std::env::var("GUILD_HALL_FLOOD_MIB").ok();
    wanted.and_then(|mib| mib.parse().ok()).unwrap_or(64) * MIB
}

/// A `guildhall serve` with misbehaving members.
struct Ground {
    cli: CliHarness,
    serve: Running,
    before: u64,
}

impl Ground {
    async fn open(test: &str, members: impl FnOnce(&CliHarness)) -> Self {
        let cli = CliHarness::new(test).await;
        members(&cli);
        let serve = cli.start(&["serve", "--no-gateway"]);
        let mut ground = Self {
            cli,
            serve,
            before: 0,
        };
        ground.serve.line().await.expect("it serves");
        ground.before = ground.memory("VmRSS:");
        ground
    }

    async fn ready(&mut self, member: &str) -> Value {
        self.serve
            .line_where("the member is ready", |line| {
                line["event"]["member"]["name"] == member
                    && line["event"]["member"]["status"] == "ready"
            })
            .await
    }

    /// Returns a memory figure of the program, in MiB. `figure` is its name in `/proc/PID/status`.
    fn memory(&self, figure: &str) -> u64 {
        let path = format!("/proc/{}/status", self.serve.pid());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(figure));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kib.unwrap_or_default() / 1024
    }

    /// Calls a tool with the command line. Returns the output of the command.
    async fn call(&self, member: &str, tool: &str, arguments: &Value) -> crate::guildhall::Ended {
        let arguments = arguments.to_string();
        self.cli
            .run_beside(&["--json", "call", member, tool, "--args", &arguments])
            .await
    }

    /// Checks the program's memory and disk use against these limits, in MiB, and ends the program.
    async fn end(self, what: &str, memory_max: u64, disk_max: u64) {
        let most = self.memory("VmHWM:").saturating_sub(self.before);
        let disk = size_of(&self.cli.env.data_dir());
        println!(
            "bounds: {what}: memory grew by {most} MiB at most, {:.1} MiB on the disk",
            disk as f64 / MIB as f64
        );
        assert!(most <= memory_max, "{what}: {most} MiB of memory");
        assert!(disk <= disk_max * MIB, "{what}: {disk} bytes on the disk");
        self.serve.signal(Signal::TERM);
        self.serve.ended(&self.cli).await;
    }
}

/// Returns the total size of all files below a folder, in bytes.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size_of(&entry.path()),
            _ => entry.metadata().map_or(0, |metadata| metadata.len()),
        })
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_lines_on_stderr() {
    const LINE: u64 = "a line of stderr that says nothing, written again and again\n".len() as u64;
    let bytes = flood();
    let mut ground = Ground::open("stderr flood", |cli| {
        cli.env
            .member("flood")
            .args(["--stderr-flood", &bytes.to_string()])
            .write();
        cli.env.member("quiet").write();
    })
    .await;
    // The newest lines are always shown, so the last line of the flood must appear.
    let last = bytes / LINE - 1;
    ground
        .serve
        .line_where("the flood's end", |line| {
            let lines = line["event"]["lines"].as_array();
            let newest = lines.and_then(|lines| lines.last()?["seq"].as_u64());
            newest.is_some_and(|seq| seq >= last)
        })
        .await;
    let called = ground.call("quiet", "add", &json!({"a": 2, "b": 3})).await;
    assert_eq!(called.code, Some(0), "a neighbour is served: {called:#?}");
    let what = format!("{} MiB of lines on stderr", bytes / MIB);
    ground.end(&what, 48, 24).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_without_a_line_end() {
    let bytes = flood();
    let mut ground = Ground::open("stderr without line ends", |cli| {
        cli.env
            .member("flood")
            .args(["--stderr-flood-unbroken", &bytes.to_string()])
            .write();
    })
    .await;
    let ready = ground.ready("flood").await;
    // A member that floods stderr still receives requests and answers them.
    for _ in 0..3 {
        let called = ground.call("flood", "add", &json!({"a": 2, "b": 3})).await;
        assert_eq!(called.code, Some(0), "{called:#?}");
    }
    let pid = ready["event"]["member"]["pid"].as_u64().expect("a process");
    eventually(LIMIT, "all of it was written", || {
        let counters = std::fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
        let written = counters
            .lines()
            .find_map(|line| line.strip_prefix("wchar: "))?;
        (written.parse::<u64>().ok()? >= bytes).then_some(())
    })
    .await;
    let what = format!("{} MiB on stderr without a line end", bytes / MIB);
    ground.end(&what, 48, 24).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_never_ends() {
    let mut ground = Ground::open("endless body", |cli| {
        cli.env
            .http("endless")
            .args(["--endless-body", "--on", "tools/call"])
            .write();
    })
    .await;
    ground.ready("endless").await;
    for _ in 0..2 {
        let called = ground
            .call("endless", "add", &json!({"a": 2, "b": 3}))
            .await;
        let code = called.stdout.contains(Code::AnswerTooLarge.as_str());
        assert!(code && called.code == Some(3), "{called:#?}");
    }
    ground.end("two bodies that never end", 160, 24).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_never_ends() {
    let mut ground = Ground::open("endless line", |cli| {
        cli.env
            .member("endless")
            .args(["--endless-body", "--on", "tools/call"])
            .manifest(json!({"timeouts": {"call_ms": 3000}}))
            .write();
    })
    .await;
    ground.ready("endless").await;
    let called = ground
        .call("endless", "add", &json!({"a": 2, "b": 3}))
        .await;
    assert!(called.code != Some(0), "{called:#?}");
    ground.end("a line that never ends on stdout", 96, 24).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_of_many_short_values() {
    const VALUES: u64 = 8_000_000;
    let mut ground = Ground::open("short values", |cli| {
        cli.env.http("tiny").write();
    })
    .await;
    ground.ready("tiny").await;
    let called = ground
        .call("tiny", "large", &json!({"values": VALUES}))
        .await;
    assert_eq!(called.code, Some(0), "{:.300}", called.stderr);
    assert!(called.stdout.len() as u64 > 2 * VALUES, "all of it came");
    // The result has 16 MiB as text. Parsed values would need 256 MiB or more.
    ground
        .end("a result of 8,000,000 values (16 MiB)", 160, 32)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_without_measure() {
    let mut ground = Ground::open("giant lists", |cli| {
        cli.env.member("endless").args(["--endless-list"]).write();
        cli.env
            .member("giant")
            .args(["--tools", "30000", "--page-size", "1000"])
            .write();
        cli.env
            .member("deep")
            .args(["--deep-schema", "100000"])
            .write();
    })
    .await;
    let mut left = vec!["endless", "giant", "deep"];
    while !left.is_empty() {
        let line = ground.serve.line().await.expect("it goes on");
        let event = &line["event"];
        let member = match event["kind"].as_str() {
            Some("tools_updated") => &event["member"],
            Some("member_changed") if event["member"]["error"].is_object() => {
                &event["member"]["name"]
            }
            _ => continue,
        };
        left.retain(|known| member != known);
    }
    let listed = ground.cli.run_beside(&["--json", "list"]).await.json(0);
    let members = listed["members"].as_array().expect("members");
    for member in members {
        assert!(
            member["tools"]
                .as_u64()
                .is_some_and(|tools| tools <= 10_000),
            "{member:#}"
        );
    }
    ground
        .end("a list without an end, and one of 30,000 tools", 256, 24)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_without_measure() {
    const STEPS: u64 = 100_000;
    let mut ground = Ground::open("notifications", |cli| {
        cli.env
            .member("chatty")
            .manifest(json!({"timeouts": {"call_ms": 240_000}}))
            .write();
    })
    .await;
    ground.ready("chatty").await;
    let called = ground
        .call(
            "chatty",
            "progress",
            &json!({"steps": STEPS, "ms": 0, "total": true}),
        )
        .await;
    assert_eq!(called.code, Some(0), "{:.300}", called.stderr);
    let what = format!("{STEPS} notifications in one call");
    ground.end(&what, 64, 24).await;
}

/// Returns the number of notifications in the storm.
fn storm() -> u64 {
    let wanted = std::env::var("GUILD_HALL_STORM").ok();
    let wanted = wanted.and_then(|count| count.parse().ok());
    wanted.unwrap_or(200_000)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notification_storm_does_not_delay_others() {
    let count = storm();
    let mut ground = Ground::open("storm", |cli| {
        cli.env
            .member("storm")
            .args(["--storm", &count.to_string()])
            .manifest(json!({"timeouts": {"call_ms": 60_000, "discovery_ms": 60_000}}))
            .write();
        cli.env.member("quiet").write();
    })
    .await;
    let sum = json!({"a": 2, "b": 3});
    let (over, waits) = (Cell::new(false), RefCell::new(Vec::new()));
    let begun = Instant::now();
    {
        let Ground { cli, serve, .. } = &mut ground;
        let the_end = serve.line_where("the storm's end", |line| {
            let lines = line["event"]["lines"].as_array();
            let mut texts = lines.into_iter().flatten().map(|line| &line["text"]);
            texts.any(|text| text.as_str().is_some_and(|it| it.ends_with("were sent")))
        });
        let arguments = sum.to_string();
        let call = ["--json", "call", "quiet", "add", "--args", &arguments];
        let beside = async {
            // Starting these programs without a pause would itself be a load.
            let mut pace = tokio::time::interval(Duration::from_millis(250));
            while !over.get() {
                pace.tick().await;
                let asked = PromiseClock::start();
                let called = cli.run_beside(&call).await;
                assert_eq!(called.code, Some(0), "a neighbour is served: {called:#?}");
                waits.borrow_mut().push(asked.took().counted());
            }
        };
        let storm = async {
            the_end.await;
            over.set(true);
        };
        tokio::join!(storm, beside);
    }
    let took = begun.elapsed();
    let mut waits = waits.into_inner();
    waits.sort();
    let (calls, longest) = (waits.len(), waits[waits.len() - 1]);
    let called = ground.call("storm", "add", &sum).await;
    assert_eq!(called.code, Some(0), "it is served itself: {called:#?}");
    println!(
        "bounds: {count} notifications in {:.1} s; {calls} calls of a neighbour beside them, by \
         programs of their own, took {} ms in the middle and {} ms at most",
        took.as_secs_f32(),
        waits[calls / 2].as_millis(),
        longest.as_millis()
    );
    assert!(longest < Duration::from_secs(30), "a call took {longest:?}");
    let what = format!("{count} notifications of all kinds");
    ground.end(&what, 64, 24).await;
}
