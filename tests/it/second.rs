//! A second program with the same data folder. It uses the running hall, and starts no members.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::control::{OPENED_FILES_MAX, ShowWindow};
use guild_api::wire::{Caller, OutcomeKind};
use guild_engine::{GuildHall, GuildHallOptions, InstanceStatus, IpcClient, LockMode};
use guild_model::Code;
use guild_model::holder::HallRole;
use guild_tests::{LIMIT, RecordFile, eventually, is_alive, processes_of};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::guildhall::{CliHarness, Running};
use crate::test_env::TestEnv;

/// Far less than the minute that an idle connection may last, but enough for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(30);

/// Returns one member in the output of `guildhall list --json`.
fn member<'a>(listed: &'a Value, name: &str) -> &'a Value {
    let members = listed["members"].as_array().expect("members");
    let found = members.iter().find(|member| member["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {listed:#}"))
}

/// Starts `guildhall serve`, and waits until the member is ready and listed.
async fn serving(cli: &CliHarness, member: &str) -> Running {
    let mut running = cli.start(&["serve", "--gateway-port", "0"]);
    running
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["name"] == member && view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    running
}

fn receiving(env: &TestEnv, role: HallRole) -> GuildHallOptions {
    GuildHallOptions {
        tenure: LockMode::Serve(role),
        ..env.options()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wait_beside_a_hall_lists_a_member_at_last() {
    let cli = CliHarness::new("never listed").await;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("a folder");
    let go = data.join("go").display().to_string();
    let server = guild_tests::fixture_bin().display().to_string();
    let script = r#"[ -e "$0" ] && exec "$@"; exec sleep 100"#;
    let args = ["-c", script, &go, &server, "--port", "${PORT}"];
    cli.env
        .http("forge")
        .manifest(json!({"command": "sh", "args": args, "timeouts": {"start_ms": 3_000}}))
        .write();
    let mut serve = cli.start(&["serve", "--no-gateway"]);
    serve
        .line_where("the member timed out", |line| {
            line["event"]["member"]["status"] == "error"
        })
        .await;
    let tools = cli.run_beside(&["--json", "tools", "forge"]).await;
    assert!(tools.stderr.contains("forge"), "{tools:#?}");
    assert_eq!(tools.json(0)["tools"], json!([]));
    std::fs::write(&go, "").expect("written");
    let tools = cli
        .run_beside(&["--json", "tools", "forge", "--wait"])
        .await;
    let tools = tools.json(0);
    assert_eq!(tools["tools"][0]["freshness"], "live", "{tools:#}");
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_ask_the_hall_that_runs_and_start_no_member_twice() {
    let cli = CliHarness::new("second program").await;
    let folder = cli.env.http("forge").recorded();
    folder.write();
    let mut serve = serving(&cli, "forge").await;

    let listed = cli.run_beside(&["--json", "list"]).await.json(0);
    let forge = member(&listed, "forge");
    assert_eq!(
        forge["status"], "ready",
        "live, not from the cache: {forge:#}"
    );
    assert_eq!(forge["freshness"], "live");
    let pid = forge["pid"].as_u64().expect("a process");

    let call = [
        "--json",
        "call",
        "forge",
        "add",
        "--args",
        r#"{"a":1,"b":2}"#,
    ];
    let called = cli.run_beside(&call).await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    assert!(called.stdout.contains('3'), "{called:#?}");
    // The running hall made the call, so the call is in that hall's events and history.
    serve
        .line_where("the call's record", |line| {
            line["event"]["kind"] == "call_recorded"
                && line["event"]["entry"]["caller"] == "command-line"
        })
        .await;
    let history = cli.run_beside(&["--json", "history"]).await.json(0);
    assert_eq!(
        history["entries"][0]["caller"], "command-line",
        "{history:#}"
    );

    let tools = cli
        .run_beside(&["--json", "tools", "forge", "--wait"])
        .await;
    let tools = tools.json(0);
    assert_eq!(tools["tools"][0]["freshness"], "live", "{tools:#}");
    let described = cli
        .run_beside(&["--json", "tools", "describe", "forge", "add"])
        .await;
    assert_eq!(described.json(0)["provenance"], "live");
    let unknown = cli.run_beside(&["--json", "call", "forgo", "add"]).await;
    assert_eq!(unknown.json(5)["error"]["code"], "member-unknown");

    let stopped = cli.run_beside(&["--json", "stop", "forge"]).await.json(0);
    assert_eq!(stopped["status"], "stopped", "{stopped:#}");
    assert!(!is_alive(u32::try_from(pid).expect("a pid")));
    let started = cli.run_beside(&["--json", "start", "forge"]).await.json(0);
    assert_eq!(started["status"], "ready", "{started:#}");
    let starts = RecordFile::new(&folder.record_path()).starts();
    assert_eq!(
        starts.len(),
        2,
        "one by the hall, one by hand: no command had its own"
    );

    serve.signal(Signal::TERM);
    assert_eq!(serve.ended(&cli).await.code, Some(0));
    let alone = cli.run(&["--json", "start", "forge"]).await;
    assert_eq!(alone.json(2)["error"]["code"], "hall-not-running");
    let alone = cli.run(&["--json", "list"]).await.json(0);
    assert_eq!(
        member(&alone, "forge")["status"],
        "stopped",
        "from the cache"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupted_command_cancels_its_call() {
    let cli = CliHarness::new("cancelled beside").await;
    let folder = cli.env.member("forge").recorded();
    folder.write();
    let mut serve = serving(&cli, "forge").await;
    let progress = [
        "call",
        "forge",
        "progress",
        "--args",
        r#"{"steps":3,"ms":1}"#,
    ];
    let progress = cli.run_beside(&progress).await;
    assert_eq!(progress.code, Some(0), "{progress:#?}");
    assert!(progress.stderr.contains("progress: "), "{progress:#?}");

    // The command ends by Ctrl-C, or is killed.
    for (number, signal) in [(1, Signal::INT), (2, Signal::KILL)] {
        let slow = [
            "--json",
            "call",
            "forge",
            "slow",
            "--args",
            r#"{"ms":60000}"#,
        ];
        let command = cli.start(&slow);
        let record = RecordFile::new(&folder.record_path());
        let count = |method: &str| {
            let entries = record.entries();
            let of = |entry: &&Value| entry["message"]["method"] == method;
            entries.iter().filter(of).count()
        };
        serve
            .line_where("the call runs", |line| {
                line["event"]["kind"] == "call_started" && line["event"]["tool"] == "slow"
            })
            .await;
        command.signal(signal);
        let end = serve
            .line_where("the call's record", |line| {
                line["event"]["kind"] == "call_recorded" && line["event"]["entry"]["tool"] == "slow"
            })
            .await;
        assert_eq!(end["event"]["entry"]["outcome"], "cancelled", "{end:#}");
        eventually(LIMIT, "the server was told", || {
            (count("notifications/cancelled") == number).then_some(())
        })
        .await;
        drop(command);
    }
    serve.signal(Signal::TERM);
    assert_eq!(serve.ended(&cli).await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_serve_says_who_runs_and_does_not_start() {
    let cli = CliHarness::new("second serve").await;
    let folder = cli.env.member("forge").recorded();
    folder.write();
    let mut serve = cli.start(&["serve", "--gateway-port", "0"]);
    let opened = serve.line().await.expect("the gateway's line");
    let gateway = opened["gateway"].as_str().expect("an address").to_owned();
    let refused = cli.run_beside(&["--json", "serve", "--no-gateway"]).await;
    let error = refused.json(2)["error"].clone();
    assert_eq!(error["code"], "hall-runs", "{error:#}");
    let message = error["message"].as_str().expect("a message");
    for part in ["`guildhall serve`", &serve.pid().to_string(), &gateway] {
        assert!(message.contains(part), "{part} is told: {message}");
    }
    // A second hall in the same process is treated in the same way.
    let report = GuildHall::open(cli.env.paths(), GuildHallOptions::default()).await;
    assert_eq!(report.expect_err("it is taken").code, Code::HallRuns);

    // After a kill, the socket and `hall.json` remain. The next hall replaces them at once.
    let pid = serve.pid();
    serve.signal(Signal::KILL);
    eventually(LIMIT, "it is gone, and what it started", || {
        (!is_alive(pid) && processes_of(&cli.env.nonce).is_empty()).then_some(())
    })
    .await;
    // The lock of the data folder is released when the last thread of the killed process ends.
    let freed = async {
        while !matches!(
            IpcClient::find(&cli.env.data_dir()).await,
            InstanceStatus::NotRunning
        ) {
            tokio::task::yield_now().await;
        }
    };
    let freed = tokio::time::timeout(LIMIT, freed).await;
    freed.expect("the folder is free");
    let left = cli.env.data_dir().join("hall.sock");
    assert!(left.exists(), "a dead hall's socket stays");
    let listed = cli.run_beside(&["--json", "list"]).await.json(0);
    assert_eq!(member(&listed, "forge")["name"], "forge", "works alone");
    let mut next = serving(&cli, "forge").await;
    let listed = cli.run_beside(&["--json", "list"]).await.json(0);
    assert_eq!(member(&listed, "forge")["status"], "ready");
    next.signal(Signal::TERM);
    while next.line().await.is_some() {}
    assert_eq!(next.ended(&cli).await.code, Some(0));
    assert!(!left.exists(), "an orderly end takes it away");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_is_about_to_end_is_waited_for() {
    let env = TestEnv::new("ending hall");
    env.http("stubborn").args(["--ignore-term"]).write();
    let first = env.open_with(receiving(&env, HallRole::App)).await;
    first.hall.start_all().settled().await;
    let hall = first.hall.clone();
    let closing = tokio::spawn(async move { hall.shutdown().await });
    // The closing hall only answers `who`. A second hall waits until the first one has ended.
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it is there until it has ended");
    };
    let who = visit.who().await.expect("it answers");
    assert_eq!((who.pid, who.role), (std::process::id(), HallRole::App));
    eventually(LIMIT, "it says that it ends", || {
        first
            .hall
            .roster()
            .members
            .iter()
            .all(|member| member.status.as_str() != "ready")
            .then_some(())
    })
    .await;
    let second = GuildHall::open(env.paths(), receiving(&env, HallRole::App)).await;
    closing.await.expect("no panic");
    second.expect("it has the folder now").shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_program_is_not_asked_for_its_window() {
    let env = TestEnv::new("end begun");
    let app = env.open_with(receiving(&env, HallRole::App)).await;
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    assert!(!visit.who().await.expect("it answers").closing);
    // The hall is saving its last input, and closes later.
    app.hall.ends_soon();
    let refused = visit.show_window(&ShowWindow::default()).await;
    let report = refused.expect_err("nobody would see it");
    assert_eq!(report.code, Code::ShuttingDown, "{report}");
    assert!(visit.who().await.expect("it still answers").closing);
    let (paths, options) = (env.paths(), receiving(&env, HallRole::App));
    let second = tokio::spawn(async move { GuildHall::open(paths, options).await });
    app.close().await;
    let second = second.await.expect("no panic");
    second.expect("it has the folder now").shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_start_asks_for_the_window() {
    let env = TestEnv::new("window wanted");
    let app = env.open_with(receiving(&env, HallRole::App)).await;
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    let plain = ShowWindow::default();
    visit.show_window(&plain).await.expect("it has a window");
    let wanted = tokio::time::timeout(LIMIT, app.hall.window_wanted());
    assert_eq!(wanted.await.expect("the shell is told"), plain);

    let with_more = ShowWindow {
        link: Some("guildhall://page/agents".to_owned()),
        files: (0..OPENED_FILES_MAX + 5)
            .map(|number| format!("/tmp/{number}.mcpb"))
            .collect(),
    };
    visit.show_window(&with_more).await.expect("a window");
    // A request that names no page does not replace the page of an earlier request.
    visit.show_window(&plain).await.expect("a window");
    let wanted = tokio::time::timeout(LIMIT, app.hall.window_wanted());
    let wanted = wanted.await.expect("the shell is told");
    assert_eq!(wanted.link, with_more.link);
    assert_eq!(wanted.files, with_more.files[..OPENED_FILES_MAX]);
    app.close().await;
    assert!(matches!(
        IpcClient::find(&env.data_dir()).await,
        InstanceStatus::NotRunning
    ));

    let serve = env.open_with(receiving(&env, HallRole::Serve)).await;
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    let report = visit.show_window(&plain).await.expect_err("it has none");
    assert_eq!(report.code, Code::HallRuns, "{report}");
    let report = visit.ask::<_, Value>("no_such", &json!({})).await;
    assert_eq!(report.expect_err("unknown").code, Code::HallUnreachable);
    let report = visit
        .ask::<_, Value>("member_tools", &json!({"nobody": 1}))
        .await;
    assert_eq!(report.expect_err("misshapen").code, Code::HallUnreachable);
    serve.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unresponsive_hall_is_reported_alone() {
    let cli = CliHarness::new("silent hall").await;
    let folder = cli.env.member("forge").recorded();
    folder.write();
    let options = cli.env.options();
    let open = cli.env.open_with(options).await;
    let call = [
        "--json",
        "call",
        "forge",
        "add",
        "--args",
        r#"{"a":1,"b":2}"#,
    ];
    let refused = cli.run_beside(&call).await;
    assert_eq!(refused.json(4)["error"]["code"], "hall-unreachable");
    let report = GuildHall::open(cli.env.paths(), GuildHallOptions::default()).await;
    assert_eq!(report.expect_err("taken").code, Code::HallUnreachable);
    // Cached data can be listed nevertheless.
    let listed = cli.run_beside(&["--json", "list"]).await;
    assert!(listed.stderr.contains("hall-unreachable"), "{listed:#?}");
    assert_eq!(member(&listed.json(0), "forge")["status"], "stopped");
    assert!(!folder.record_path().exists(), "nothing was started");
    open.close().await;
    assert_eq!(cli.run(&call).await.code, Some(0), "it works alone then");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn socket_is_private_and_bounded() {
    let env = TestEnv::new("door");
    env.member("forge").write();
    let open = env.open_with(receiving(&env, HallRole::App)).await;
    let socket = env.data_dir().join("hall.sock");
    for file in [&socket, &env.data_dir().join("hall.json")] {
        let mode = std::fs::metadata(file)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    // An invalid request closes only its own connection.
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    for nonsense in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"{}\n", b"[1]\n", b"\xFF\n"] {
        let mut stream = UnixStream::connect(&socket).await.expect("let in");
        stream.write_all(nonsense).await.expect("taken");
        let mut answer = Vec::new();
        let read = tokio::time::timeout(LIMIT, stream.read_to_end(&mut answer));
        assert_eq!(read.await.expect("in time").expect("read"), 0);
    }
    // A line without an end is not buffered without a limit.
    let mut flood = UnixStream::connect(&socket).await.expect("let in");
    let part = vec![b'x'; 1 << 20];
    let mut taken = 0_usize;
    let flooding = async {
        while flood.write_all(&part).await.is_ok() {
            taken += part.len();
        }
    };
    tokio::time::timeout(LIMIT, flooding)
        .await
        .expect("it is ended");
    assert!(taken < 64 << 20, "{taken} bytes were taken");
    // Many silent clients delay other clients only for a limited time.
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(UnixStream::connect(&socket).await.expect("let in"));
    }
    let who = tokio::time::timeout(AT_ONCE, visit.who());
    who.await.expect("at once").expect("it answers");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_several_programs_at_once_each_get_their_own_answer() {
    let env = TestEnv::new("several programs");
    env.http("forge").write();
    let mut open = env.open_with(receiving(&env, HallRole::Serve)).await;
    open.hall.start_all().settled().await;
    let mut calls = Vec::new();
    for number in 0..12_u32 {
        let data_dir = env.data_dir();
        calls.push(tokio::spawn(async move {
            let InstanceStatus::Running(mut visit) = IpcClient::find(&data_dir).await else {
                panic!("it can be asked");
            };
            let arguments = format!(r#"{{"a":{number},"b":1000}}"#);
            let request = crate::test_env::request("forge", "add", &arguments);
            let outcome = visit.invoke(&request, |_| ()).await.expect("an outcome");
            assert_eq!(outcome.call, request.call);
            let guild_api::wire::CallEnd::Result { result, .. } = outcome.end else {
                panic!("no result: {outcome:#?}");
            };
            assert!(result.contains(&(1_000 + number).to_string()), "{result}");
        }));
    }
    for call in calls {
        call.await.expect("each is right");
    }
    let mut recorded = 0;
    open.events
        .find("twelve calls recorded", |event| {
            if let HallEvent::CallRecorded { entry } = event {
                assert_eq!(
                    (entry.caller, entry.outcome),
                    (Caller::CommandLine, OutcomeKind::Ok)
                );
                recorded += 1;
            }
            (recorded == 12).then_some(())
        })
        .await;
    open.close().await;
}
