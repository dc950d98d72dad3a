//! The command line as a separate program: its output and its exit codes. No process outlives it.

use guild_tests::{LIMIT, RecordFile, is_alive};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::guildhall::{CliHarness, Ended, recorded};

fn by_name(listed: &Value, name: &str) -> Value {
    let members = listed["members"].as_array().expect("members");
    let found = members.iter().find(|member| member["name"] == name);
    found
        .unwrap_or_else(|| panic!("no {name} in {listed:#}"))
        .clone()
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_4_list_uses_the_cache() {
    let cli = CliHarness::new("list").await;
    let (web, pipe) = (
        cli.env.http("web").recorded(),
        cli.env.member("pipe").recorded(),
    );
    web.write();
    pipe.write();
    cli.env
        .member("off")
        .manifest(json!({"enabled": false}))
        .write();
    std::fs::create_dir(cli.env.members_dir().join("torn")).expect("a folder");

    let unknown = cli.run(&["--json", "list"]).await.json(0);
    assert_eq!(
        by_name(&unknown, "pipe"),
        json!({
            "name": "pipe", "version": "1.0.0", "transport": "stdio", "status": "stopped",
            "protocolVersion": null,
            "freshness": "unknown", "tools": 0, "port": null, "pid": null, "error": null,
            "warnings": [],
        })
    );
    // One member has an error, for which there is a special exit code.
    cli.run(&["--json", "list", "--wait"]).await.json(7);

    let cached = cli.run(&["list", "--json"]).await.json(0);
    assert_eq!(keys(&cached), ["members"]);
    let tools = by_name(&cached, "web")["tools"].clone();
    assert!(tools.as_u64().is_some_and(|tools| tools > 10), "{cached:#}");
    assert_eq!(
        by_name(&cached, "web"),
        json!({
            "name": "web", "version": "1.0.0", "transport": "http", "status": "stopped",
            "protocolVersion": null,
            "freshness": "cached", "tools": tools, "port": null, "pid": null, "error": null,
            "warnings": [],
        })
    );
    assert_eq!(by_name(&cached, "off")["status"], "disabled");
    let torn = by_name(&cached, "torn");
    assert_eq!(torn["status"], "error");
    assert_eq!(keys(&torn["error"]), ["code", "message", "hint"]);
    assert_eq!(torn["error"]["code"], "manifest-missing");
    for member in [&web, &pipe] {
        let starts = RecordFile::new(&member.record_path()).starts();
        assert_eq!(starts.len(), 1, "only --wait has started it");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_wait_shows_ports_and_stops_its_members() {
    let cli = CliHarness::new("list --wait").await;
    let web = cli.env.http("web").args(["--grandchildren", "1"]);
    let web = web.recorded();
    web.write();
    let pipe = cli.env.member("pipe").recorded();
    pipe.write();
    cli.env
        .member("broken")
        .manifest(json!({"command": "no-such-program"}))
        .write();

    let listed = cli.run(&["--json", "list", "--wait"]).await.json(7);
    let up = by_name(&listed, "web");
    let port = up["port"].as_u64().expect("a port");
    assert!((20_000..=30_000).contains(&port), "{port}");
    for (name, folder) in [("web", &web), ("pipe", &pipe)] {
        let member = by_name(&listed, name);
        assert_eq!(member["status"], "ready", "{member:#}");
        assert_eq!(member["freshness"], "live");
        assert_eq!(member["protocolVersion"], "2025-11-25");
        let pid = RecordFile::new(&folder.record_path()).starts()[0];
        assert_eq!(member["pid"], pid, "it is the member's own");
        assert!(!is_alive(pid), "it is gone when the command has ended");
    }
    assert_eq!(by_name(&listed, "pipe")["port"], Value::Null);
    let broken = by_name(&listed, "broken");
    assert_eq!(broken["status"], "error");
    assert_eq!(broken["error"]["code"], "command-not-found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_with_schemas_of_one_or_all() {
    let cli = CliHarness::new("tools").await;
    cli.env.member("a").write();
    cli.env.member("b").write();
    let unlisted = cli.run(&["tools", "b"]).await;
    assert!(
        unlisted.stderr.contains("never listed: b."),
        "{}",
        unlisted.stderr
    );
    let unlisted = cli
        .run(&["--json", "tools", "describe", "b", "add"])
        .await
        .json(5);
    let error = &unlisted["error"];
    assert_eq!(error["code"], "tool-unknown");
    let hint = error["hint"].as_str().expect("a hint");
    assert!(hint.contains("guildhall tools b --wait"), "{hint}");
    let live = cli.run(&["--json", "tools", "b", "--wait"]).await.json(0);
    let add = |tools: &Value, member: &str| {
        let tools = tools["tools"].as_array().expect("tools");
        let found = tools
            .iter()
            .find(|tool| tool["member"] == member && tool["name"] == "add");
        found.cloned()
    };
    let expected = json!({
        "member": "b",
        "name": "add",
        "description": "Adds two numbers",
        "inputSchema": {
            "type": "object",
            "properties": {"b": {"type": "number"}, "a": {"type": "number"}},
            "required": ["a", "b"],
        },
        "freshness": "live",
        "provenance": "live",
    });
    assert_eq!(add(&live, "b"), Some(expected.clone()));
    assert_eq!(
        live["tools"][0]["member"], "b",
        "only those that were asked for"
    );
    assert_eq!(add(&live, "a"), None);

    let cached = cli.run(&["--json", "tools", "b"]).await;
    assert!(
        cached
            .stdout
            .contains(r#""properties":{"b":{"type":"number"},"a""#),
        "fields stay in the server's order: {}",
        cached.stdout
    );
    let mut expected = expected;
    expected["freshness"] = "cached".into();
    expected["provenance"] = "cached".into();
    assert_eq!(add(&cached.json(0), "b"), Some(expected));
    cli.run(&["list", "--wait"]).await;
    let all = cli.run(&["--json", "tools"]).await.json(0);
    assert!(add(&all, "a").is_some() && add(&all, "b").is_some());
    let unknown = cli.run(&["--json", "tools", "c"]).await.json(5);
    assert_eq!(unknown["error"]["code"], "member-unknown");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_29_42_43_44_exit_code_per_end() {
    let cli = CliHarness::new("exit codes").await;
    cli.env
        .member("forge")
        .manifest(json!({"restart": "never"}))
        .write();
    cli.env
        .member("broken")
        .manifest(json!({"command": "no-such-program"}))
        .write();
    cli.env
        .member("garbler")
        .args(["--garbage"])
        .manifest(json!({"timeouts": {"start_ms": 2_000}}))
        .write();
    let call = async |words: &[&str]| cli.run(&[&["--json", "call"], words].concat()).await;

    let done = call(&["forge", "echo", "--args", r#"{"z":1,"a":1.5}"#]).await;
    let result = done.json(0);
    assert_eq!(result["content"][0]["text"], r#"{"z":1,"a":1.5}"#);
    let said = call(&["forge", "fail", "--args", r#"{"text":"no wood"}"#]).await;
    let said = said.json(1);
    assert_eq!(
        said,
        json!({"content": [{"type": "text", "text": "no wood"}], "isError": true})
    );

    let failed = async |words: &[&str], code: i32, cause: &str| {
        let ended = call(words).await;
        let report = ended.json(code);
        assert_eq!(keys(&report), ["error"]);
        assert_eq!(
            keys(&report["error"]),
            ["code", "message", "hint", "member"]
        );
        assert_eq!(report["error"]["code"], cause, "{ended:#?}");
        assert!(
            ended.stderr.contains(&format!("[{cause}]")),
            "people are told too: {ended:#?}"
        );
        ended
    };
    for wrong in ["", "{", "[1]", "7", "\"text\"", r#"{"a":1,"a":2}"#] {
        failed(&["forge", "echo", "--args", wrong], 2, "arguments-not-json").await;
    }
    let ended = failed(
        &["forge", "add", "--args", r#"{"a":"one"}"#],
        2,
        "arguments-invalid",
    )
    .await;
    assert!(
        ended.stderr.contains("/a"),
        "it is said where: {}",
        ended.stderr
    );
    let ended = failed(
        &[
            "forge",
            "rpc_error",
            "--args",
            r#"{"code":-32050,"data":{"a":1}}"#,
        ],
        3,
        "rpc-error",
    )
    .await;
    assert!(ended.stderr.contains(r#"{"a":1}"#), "{}", ended.stderr);
    let late = ["forge", "slow", "--args", r#"{"ms":60000}"#, "--timeout-ms"];
    failed(&[&late[..], &["200"]].concat(), 4, "call-timeout").await;
    failed(&["forge", "crash"], 4, "call-interrupted").await;
    failed(&["broken", "echo"], 4, "command-not-found").await;
    failed(&["nobody", "echo"], 5, "member-unknown").await;
    failed(&["no body", "echo"], 5, "member-unknown").await;
    let ended = failed(&["forge", "ecko"], 5, "tool-unknown").await;
    assert!(ended.stderr.contains("echo"), "the near one is named");
    failed(&["forge", ""], 5, "tool-unknown").await;
    let garbled = call(&["garbler", "echo"]).await;
    assert!(
        matches!(garbled.code, Some(3 | 4)),
        "no MCP comes from there: {garbled:#?}"
    );

    // The command line's parser reports bad usage on stderr.
    for words in [&["call", "forge"][..], &["dance"], &["list", "--loud"]] {
        let ended = cli.run(words).await;
        assert_eq!(ended.code, Some(2), "{ended:#?}");
        assert_eq!(ended.stdout, "");
    }
    // With `--send-anyway`, the server itself rejects the arguments.
    let words = ["forge", "add", "--send-anyway", "--args", r#"{"a":"one"}"#];
    failed(&words, 3, "rpc-error").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_goes_to_stderr_and_the_result_alone_to_stdout() {
    let cli = CliHarness::new("progress").await;
    cli.env.member("forge").write();
    let words = ["call", "forge", "progress", "--args", r#"{"steps":3}"#];
    let ended = cli.run(&[&["--json"][..], &words].concat()).await;
    assert_eq!(ended.json(0)["content"][0]["text"], "3 steps");
    let steps: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.contains("step"))
        .collect();
    assert_eq!(
        steps,
        [
            "progress: 1/3 step 1",
            "progress: 2/3 step 2",
            "progress: 3/3 step 3"
        ]
    );
    let ended = cli.run(&words).await;
    let shown: Value = serde_json::from_str(&ended.stdout).expect("the result, laid out");
    assert_eq!(shown["content"][0]["text"], "3 steps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_28_interrupt_cancels_the_call() {
    for signal in [Signal::INT, Signal::TERM] {
        let cli = CliHarness::new("interrupted call").await;
        let forge = cli.env.member("forge").recorded();
        forge.write();
        let args = r#"{"ms":60000}"#;
        let running = cli.start(&["--json", "call", "forge", "slow", "--args", args]);
        recorded(&forge.record_path(), "the call arrives", |entry| {
            entry["message"]["method"] == "tools/call"
        })
        .await;
        running.signal(signal);
        let ended = running.ended(&cli).await;
        assert_eq!(ended.json(4)["error"]["code"], "call-cancelled");
        let record = RecordFile::new(&forge.record_path());
        let cancelled = record.of_method("notifications/cancelled");
        assert_eq!(cancelled.len(), 1, "{:#?}", record.entries());
        let call = &record.of_method("tools/call")[0];
        assert_eq!(
            cancelled[0]["message"]["params"]["requestId"],
            call["message"]["id"]
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_is_interrupted_during_a_start() {
    let cli = CliHarness::new("interrupted start").await;
    let forge = cli.env.member("forge").args(["--never-listen"]);
    let forge = forge.recorded();
    forge.write();
    let running = cli.start(&["--json", "call", "forge", "echo"]);
    recorded(&forge.record_path(), "the start", |entry| {
        entry["event"] == "started"
    })
    .await;
    running.signal(Signal::INT);
    let ended = running.ended(&cli).await;
    assert_eq!(ended.json(4)["error"]["code"], "call-cancelled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_is_interrupted_is_no_list() {
    let cli = CliHarness::new("interrupted list").await;
    let forge = cli.env.member("forge").args(["--never-listen"]);
    let forge = forge.recorded();
    forge.write();
    cli.env.http("web").args(["--grandchildren", "1"]).write();
    let running = cli.start(&["--json", "list", "--wait"]);
    recorded(&forge.record_path(), "the start", |entry| {
        entry["event"] == "started"
    })
    .await;
    running.signal(Signal::INT);
    let ended = running.ended(&cli).await;
    let report = ended.json(4);
    assert_eq!(keys(&report), ["error"]);
}

fn status_is(name: &'static str, status: &'static str) -> impl Fn(&Value) -> bool {
    move |line| {
        let member = &line["event"]["member"];
        member["name"] == name && member["status"] == status
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_15_serve_ends_on_a_signal() {
    for signal in [Signal::INT, Signal::TERM] {
        let cli = CliHarness::new("serve").await;
        cli.env.http("web").args(["--grandchildren", "2"]).write();
        cli.env.member("pipe").args(["--ignore-eof"]).write();
        let mut running = cli.start(&["serve", "--no-gateway"]);
        let opened = running.line().await;
        assert_eq!(opened, Some(json!({"gateway": null, "token": null})));
        let first = running.line().await.expect("a line");
        assert_eq!(keys(&first), ["revision", "event"]);
        assert_eq!(first["event"]["kind"], "roster", "{first:#}");
        let members = first["event"]["roster"]["members"].as_array();
        let names: Vec<&Value> = members
            .expect("members")
            .iter()
            .map(|member| &member["name"])
            .collect();
        assert_eq!(names, ["pipe", "web"]);
        let mut last = first["revision"].as_u64().expect("a revision");
        let mut ready = Vec::new();
        while ready.len() < 2 {
            let line = running.line().await.expect("a line");
            let revision = line["revision"].as_u64().expect("a revision");
            assert!(revision >= last, "in order: {line:#}");
            last = revision;
            let member = &line["event"]["member"];
            if member["status"] == "ready" && !ready.contains(&member["name"]) {
                ready.push(member["name"].clone());
            }
        }
        // The members folder is watched while the command runs.
        cli.env.member("late").write();
        running
            .line_where("late is up", status_is("late", "ready"))
            .await;
        running.signal(signal);
        let ended = running.ended(&cli).await;
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        let stopped = ended
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|line| line["event"]["member"]["status"] == "stopped")
            .count();
        assert_eq!(stopped, 3, "each member's end is told: {ended:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_15_second_interrupt_ends_all() {
    let cli = CliHarness::new("second interrupt").await;
    cli.env
        .member("stubborn")
        .args(["--ignore-eof", "--ignore-term", "--grandchildren", "1"])
        .args(["--grandchildren-ignore-term"])
        .write();
    let mut running = cli.start(&["serve", "--gateway-port", "0"]);
    running
        .line_where("it is up", status_is("stubborn", "ready"))
        .await;
    running.signal(Signal::INT);
    running
        .line_where("its end has begun", status_is("stubborn", "stopping"))
        .await;
    running.signal(Signal::INT);
    let ended = running.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_ends_when_nobody_reads_it_any_more() {
    let cli = CliHarness::new("closed stdout").await;
    cli.env.member("pipe").write();
    let mut running = cli.start(&["serve", "--gateway-port", "0"]);
    running
        .line_where("it is up", status_is("pipe", "ready"))
        .await;
    // No further event comes, so the closed pipe itself must end the program.
    let ended = running.deaf().ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn folders_come_from_the_arguments_then_from_the_environment() {
    let cli = CliHarness::new("folders").await;
    cli.env.member("here").write();
    let mut by_environment = cli.bare(&["--json", "list"]);
    by_environment
        .env("GUILD_HALL_MEMBERS", cli.env.members_dir())
        .env("GUILD_HALL_DATA", cli.env.data_dir());
    let listed = cli.ended(by_environment).await.json(0);
    by_name(&listed, "here");

    let mut argument_first = cli.command(&["--json", "list"]);
    argument_first
        .env("GUILD_HALL_MEMBERS", "/nowhere")
        .env("GUILD_HALL_DATA", "/nowhere");
    by_name(&cli.ended(argument_first).await.json(0), "here");

    let nowhere = |ended: &Ended| {
        let report = ended.json(2);
        assert_eq!(report["error"]["code"], "members-folder-unreadable");
        assert!(ended.stderr.contains("GUILD_HALL_MEMBERS"), "{ended:#?}");
    };
    for command in ["list", "tools"] {
        let mut lost = cli.bare(&["--json", command, "--members", "/no/such/folder"]);
        lost.arg("--data").arg(cli.env.data_dir());
        nowhere(&cli.ended(lost).await);
    }
    let mut lost = cli.bare(&["--json", "call", "here", "echo", "--members", "/nowhere"]);
    lost.arg("--data").arg(cli.env.data_dir());
    let refused = cli.ended(lost).await;
    assert_eq!(refused.json(5)["error"]["code"], "member-unknown");
    assert!(refused.stderr.contains("/nowhere"), "{refused:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn first_start_installs_working_samples() {
    let cli = CliHarness::new("first start").await;
    let command = |words: &[&str]| {
        let mut command = cli.bare(words);
        command.env("GUILD_HALL_DATA", cli.env.data_dir());
        command
    };
    let listed = cli.ended(command(&["--json", "list"])).await.json(0);
    let names: Vec<Value> = listed["members"]
        .as_array()
        .expect("members")
        .iter()
        .map(|member| member["name"].clone())
        .collect();
    assert_eq!(names, ["clock", "notes", "playground"]);
    assert!(
        cli.env
            .data_dir()
            .join("guild-members/notes/notes/welcome.md")
            .is_file()
    );
    let call = [
        "--json",
        "call",
        "notes",
        "read_note",
        "--args",
        r#"{"name":"welcome"}"#,
    ];
    let result = cli.ended(command(&call)).await.json(0);
    let note = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(note.starts_with("# Welcome to the guild"), "{result}");
    let listed = cli.ended(command(&["--json", "list"])).await.json(0);
    assert_eq!(by_name(&listed, "notes")["freshness"], "cached");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_samples_work_from_any_copy_of_their_folder() {
    let cli = CliHarness::new("copied samples").await;
    let copy = cli.env.data_dir().join("a copy of (the) guild, größer");
    crate::samples::copy_samples(&copy);
    let command = |words: &[&str]| {
        let mut command = cli.bare(words);
        command
            .arg("--members")
            .arg(&copy)
            .arg("--data")
            .arg(cli.env.data_dir());
        command
    };
    let listed = cli.ended(command(&["--json", "list", "--wait"])).await;
    let listed = listed.json(0);
    for (name, status) in [
        ("clock", "stopped"),
        ("notes", "ready"),
        ("playground", "ready"),
    ] {
        let member = by_name(&listed, name);
        assert_eq!(member["status"], status, "{member:#}");
        assert!(
            member["tools"].as_u64().is_some_and(|tools| tools > 2),
            "{member:#}"
        );
        assert_eq!(member["error"], Value::Null);
    }
    let args = r#"{"time_zone":"UTC"}"#;
    let call = ["--json", "call", "clock", "now", "--args", args];
    let ended = cli.ended(command(&call)).await;
    assert_eq!(ended.json(0)["structuredContent"]["time_zone"], "UTC");
    let args = r#"{"steps":3,"seconds":0.01}"#;
    let call = ["--json", "call", "playground", "long_task", "--args", args];
    let ended = cli.ended(command(&call)).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(
        ended.stderr.contains("progress: 3/3 Step 3 of 3"),
        "{ended:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_listening_on_stdout_or_stderr_is_no_failure_of_a_call() {
    let cli = CliHarness::new("closed pipes").await;
    cli.env.member("forge").write();
    let mut command = cli.command(&["call", "forge", "progress", "--args", r#"{"steps":20}"#]);
    let mut child = command.spawn().expect("guildhall runs");
    drop(child.stdout.take());
    drop(child.stderr.take());
    let status = tokio::time::timeout(LIMIT, child.wait()).await;
    let status = status.expect("it ends").expect("it is ours");
    assert_eq!(status.code(), Some(0));
    cli.nothing_left();
}
