//! The command line, run as a program: its output, its exit codes, and that no process outlives it.

use guild_tests::{LIMIT, RecordFile, is_alive};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::guildhall::{Desk, Ended, recorded};

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
    let desk = Desk::new("list").await;
    let (web, pipe) = (
        desk.house.http("web").recorded(),
        desk.house.member("pipe").recorded(),
    );
    web.write();
    pipe.write();
    desk.house
        .member("off")
        .manifest(json!({"enabled": false}))
        .write();
    std::fs::create_dir(desk.house.members_dir().join("torn")).expect("a folder");

    let unknown = desk.run(&["--json", "list"]).await.json(0);
    assert_eq!(
        by_name(&unknown, "pipe"),
        json!({
            "name": "pipe", "version": "1.0.0", "transport": "stdio", "status": "stopped",
            "protocolVersion": null,
            "freshness": "unknown", "tools": 0, "port": null, "pid": null, "error": null,
            "warnings": [],
        })
    );
    // One of them is in error, which has a separate exit code.
    desk.run(&["--json", "list", "--wait"]).await.json(7);

    let cached = desk.run(&["list", "--json"]).await.json(0);
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
    let desk = Desk::new("list --wait").await;
    let web = desk.house.http("web").args(["--grandchildren", "1"]);
    let web = web.recorded();
    web.write();
    let pipe = desk.house.member("pipe").recorded();
    pipe.write();
    desk.house
        .member("broken")
        .manifest(json!({"command": "no-such-program"}))
        .write();

    let listed = desk.run(&["--json", "list", "--wait"]).await.json(7);
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
async fn tools_are_told_with_their_schemas_of_one_member_or_of_all() {
    let desk = Desk::new("tools").await;
    desk.house.member("a").write();
    desk.house.member("b").write();
    let unlisted = desk.run(&["tools", "b"]).await;
    assert!(
        unlisted.stderr.contains("never listed: b."),
        "{}",
        unlisted.stderr
    );
    let unlisted = desk
        .run(&["--json", "tools", "describe", "b", "add"])
        .await
        .json(5);
    let error = &unlisted["error"];
    assert_eq!(error["code"], "tool-unknown");
    let hint = error["hint"].as_str().expect("a hint");
    assert!(hint.contains("guildhall tools b --wait"), "{hint}");
    let live = desk.run(&["--json", "tools", "b", "--wait"]).await.json(0);
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

    let cached = desk.run(&["--json", "tools", "b"]).await;
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
    desk.run(&["list", "--wait"]).await;
    let all = desk.run(&["--json", "tools"]).await.json(0);
    assert!(add(&all, "a").is_some() && add(&all, "b").is_some());
    let unknown = desk.run(&["--json", "tools", "c"]).await.json(5);
    assert_eq!(unknown["error"]["code"], "member-unknown");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_29_42_43_44_exit_code_per_end() {
    let desk = Desk::new("exit codes").await;
    desk.house
        .member("forge")
        .manifest(json!({"restart": "never"}))
        .write();
    desk.house
        .member("broken")
        .manifest(json!({"command": "no-such-program"}))
        .write();
    desk.house
        .member("garbler")
        .args(["--garbage"])
        .manifest(json!({"timeouts": {"start_ms": 2_000}}))
        .write();
    let call = async |words: &[&str]| desk.run(&[&["--json", "call"], words].concat()).await;

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
        let told = ended.json(code);
        assert_eq!(keys(&told), ["error"]);
        assert_eq!(keys(&told["error"]), ["code", "message", "hint", "member"]);
        assert_eq!(told["error"]["code"], cause, "{ended:#?}");
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
        let ended = desk.run(words).await;
        assert_eq!(ended.code, Some(2), "{ended:#?}");
        assert_eq!(ended.stdout, "");
    }
    // Sent all the same, it is the server that refuses.
    let words = ["forge", "add", "--send-anyway", "--args", r#"{"a":"one"}"#];
    failed(&words, 3, "rpc-error").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_goes_to_stderr_and_the_result_alone_to_stdout() {
    let desk = Desk::new("progress").await;
    desk.house.member("forge").write();
    let words = ["call", "forge", "progress", "--args", r#"{"steps":3}"#];
    let ended = desk.run(&[&["--json"][..], &words].concat()).await;
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
    let ended = desk.run(&words).await;
    let shown: Value = serde_json::from_str(&ended.stdout).expect("the result, laid out");
    assert_eq!(shown["content"][0]["text"], "3 steps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_28_interrupt_cancels_the_call() {
    for signal in [Signal::INT, Signal::TERM] {
        let desk = Desk::new("interrupted call").await;
        let forge = desk.house.member("forge").recorded();
        forge.write();
        let args = r#"{"ms":60000}"#;
        let running = desk.start(&["--json", "call", "forge", "slow", "--args", args]);
        recorded(&forge.record_path(), "the call arrives", |entry| {
            entry["message"]["method"] == "tools/call"
        })
        .await;
        running.signal(signal);
        let ended = running.ended(&desk).await;
        assert_eq!(ended.json(4)["error"]["code"], "call-cancelled");
        let record = RecordFile::new(&forge.record_path());
        let told = record.of_method("notifications/cancelled");
        assert_eq!(told.len(), 1, "{:#?}", record.entries());
        let call = &record.of_method("tools/call")[0];
        assert_eq!(
            told[0]["message"]["params"]["requestId"],
            call["message"]["id"]
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_is_interrupted_during_a_start() {
    let desk = Desk::new("interrupted start").await;
    let forge = desk.house.member("forge").args(["--never-listen"]);
    let forge = forge.recorded();
    forge.write();
    let running = desk.start(&["--json", "call", "forge", "echo"]);
    recorded(&forge.record_path(), "the start", |entry| {
        entry["event"] == "started"
    })
    .await;
    running.signal(Signal::INT);
    let ended = running.ended(&desk).await;
    assert_eq!(ended.json(4)["error"]["code"], "call-cancelled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_is_interrupted_is_no_list() {
    let desk = Desk::new("interrupted list").await;
    let forge = desk.house.member("forge").args(["--never-listen"]);
    let forge = forge.recorded();
    forge.write();
    desk.house
        .http("web")
        .args(["--grandchildren", "1"])
        .write();
    let running = desk.start(&["--json", "list", "--wait"]);
    recorded(&forge.record_path(), "the start", |entry| {
        entry["event"] == "started"
    })
    .await;
    running.signal(Signal::INT);
    let ended = running.ended(&desk).await;
    let told = ended.json(4);
    assert_eq!(keys(&told), ["error"]);
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
        let desk = Desk::new("serve").await;
        desk.house
            .http("web")
            .args(["--grandchildren", "2"])
            .write();
        desk.house.member("pipe").args(["--ignore-eof"]).write();
        let mut running = desk.start(&["serve", "--no-gateway"]);
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
        // The folder is watched during the run.
        desk.house.member("late").write();
        running
            .line_where("late is up", status_is("late", "ready"))
            .await;
        running.signal(signal);
        let ended = running.ended(&desk).await;
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
    let desk = Desk::new("second interrupt").await;
    desk.house
        .member("stubborn")
        .args(["--ignore-eof", "--ignore-term", "--grandchildren", "1"])
        .args(["--grandchildren-ignore-term"])
        .write();
    let mut running = desk.start(&["serve", "--gateway-port", "0"]);
    running
        .line_where("it is up", status_is("stubborn", "ready"))
        .await;
    running.signal(Signal::INT);
    running
        .line_where("its end has begun", status_is("stubborn", "stopping"))
        .await;
    running.signal(Signal::INT);
    let ended = running.ended(&desk).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_ends_when_nobody_reads_it_any_more() {
    let desk = Desk::new("closed stdout").await;
    desk.house.member("pipe").write();
    let mut running = desk.start(&["serve", "--gateway-port", "0"]);
    running
        .line_where("it is up", status_is("pipe", "ready"))
        .await;
    // No event comes after this: the closed pipe itself is what ends it.
    let ended = running.deaf().ended(&desk).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn folders_come_from_the_arguments_then_from_the_environment() {
    let desk = Desk::new("folders").await;
    desk.house.member("here").write();
    let mut by_environment = desk.bare(&["--json", "list"]);
    by_environment
        .env("GUILD_HALL_MEMBERS", desk.house.members_dir())
        .env("GUILD_HALL_DATA", desk.house.data_dir());
    let listed = desk.ended(by_environment).await.json(0);
    by_name(&listed, "here");

    let mut argument_first = desk.command(&["--json", "list"]);
    argument_first
        .env("GUILD_HALL_MEMBERS", "/nowhere")
        .env("GUILD_HALL_DATA", "/nowhere");
    by_name(&desk.ended(argument_first).await.json(0), "here");

    let nowhere = |ended: &Ended| {
        let told = ended.json(2);
        assert_eq!(told["error"]["code"], "members-folder-unreadable");
        assert!(ended.stderr.contains("GUILD_HALL_MEMBERS"), "{ended:#?}");
    };
    for command in ["list", "tools"] {
        let mut lost = desk.bare(&["--json", command, "--members", "/no/such/folder"]);
        lost.arg("--data").arg(desk.house.data_dir());
        nowhere(&desk.ended(lost).await);
    }
    let mut lost = desk.bare(&["--json", "call", "here", "echo", "--members", "/nowhere"]);
    lost.arg("--data").arg(desk.house.data_dir());
    let told = desk.ended(lost).await;
    assert_eq!(told.json(5)["error"]["code"], "member-unknown");
    assert!(told.stderr.contains("/nowhere"), "{told:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn first_start_installs_working_samples() {
    let desk = Desk::new("first start").await;
    let command = |words: &[&str]| {
        let mut command = desk.bare(words);
        command.env("GUILD_HALL_DATA", desk.house.data_dir());
        command
    };
    let listed = desk.ended(command(&["--json", "list"])).await.json(0);
    let names: Vec<Value> = listed["members"]
        .as_array()
        .expect("members")
        .iter()
        .map(|member| member["name"].clone())
        .collect();
    assert_eq!(names, ["clock", "notes", "playground"]);
    assert!(
        desk.house
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
    let result = desk.ended(command(&call)).await.json(0);
    let note = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(note.starts_with("# Welcome to the guild"), "{result}");
    let listed = desk.ended(command(&["--json", "list"])).await.json(0);
    assert_eq!(by_name(&listed, "notes")["freshness"], "cached");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_samples_work_from_any_copy_of_their_folder() {
    let desk = Desk::new("copied samples").await;
    let copy = desk.house.data_dir().join("a copy of (the) guild, größer");
    crate::samples::copy_samples(&copy);
    let command = |words: &[&str]| {
        let mut command = desk.bare(words);
        command
            .arg("--members")
            .arg(&copy)
            .arg("--data")
            .arg(desk.house.data_dir());
        command
    };
    let listed = desk.ended(command(&["--json", "list", "--wait"])).await;
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
    let ended = desk.ended(command(&call)).await;
    assert_eq!(ended.json(0)["structuredContent"]["time_zone"], "UTC");
    let args = r#"{"steps":3,"seconds":0.01}"#;
    let call = ["--json", "call", "playground", "long_task", "--args", args];
    let ended = desk.ended(command(&call)).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(
        ended.stderr.contains("progress: 3/3 Step 3 of 3"),
        "{ended:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_listening_on_stdout_or_stderr_is_no_failure_of_a_call() {
    let desk = Desk::new("closed pipes").await;
    desk.house.member("forge").write();
    let mut command = desk.command(&["call", "forge", "progress", "--args", r#"{"steps":20}"#]);
    let mut child = command.spawn().expect("guildhall runs");
    drop(child.stdout.take());
    drop(child.stderr.take());
    let status = tokio::time::timeout(LIMIT, child.wait()).await;
    let status = status.expect("it ends").expect("it is ours");
    assert_eq!(status.code(), Some(0));
    desk.nothing_left();
}
