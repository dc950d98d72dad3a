//! Commands that run beside a hall that hangs, or that uses another folder.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use guild_engine::{InstanceStatus, IpcClient};
use guild_model::Code;
use guild_tests::{LIMIT, Nonce, PromiseClock, eventually};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::process::Command;

use crate::agent::Gateway;
use crate::guildhall::{CliHarness, guildhall_bin};
use crate::import::fixture;
use crate::programs::Program;

/// A command waits 5 s for the first byte from a hall. The rest is for a busy machine.
const GIVEN_UP: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hung_hall_keeps_no_command_waiting() {
    let cli = CliHarness::new("a hung hall").await;
    cli.env.member("forge").write();
    let mut serve = cli.start(&["serve", "--gateway-port", "0"]);
    serve
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    serve.signal(Signal::STOP);
    let begun = PromiseClock::start();
    let listed = cli.run_beside(&["--json", "list"]).await;
    begun.assert_within(GIVEN_UP, "list");
    assert!(listed.stderr.contains("does not answer"), "{listed:#?}");
    let listed = listed.json(0);
    assert_eq!(listed["members"][0]["name"], "forge", "{listed:#}");
    for words in [
        &["tools"][..],
        &["tools", "--details"],
        &["history"],
        &["settings"],
        &["tools", "policy"],
        &["add", "discovered"],
        &["logs", "forge"],
        &["doctor", "report", "--list"],
    ] {
        let begun = PromiseClock::start();
        let ended = cli.run_beside(words).await;
        assert_eq!(ended.code, Some(0), "{words:?} {ended:#?}");
        begun.assert_within(GIVEN_UP, &format!("{words:?}"));
    }
    let called = cli.run_beside(&["--json", "call", "forge", "echo"]).await;
    let refused = called.json(4);
    assert_eq!(refused["error"]["code"], "hall-unreachable", "{refused:#}");
    let examined = cli.run_beside(&["--json", "doctor"]).await;
    let examined: Value = serde_json::from_str(&examined.stdout).expect("JSON");
    let findings = examined["findings"].as_array().expect("findings");
    let silent = findings
        .iter()
        .find(|finding| finding["subject"] == "Guild Hall");
    assert_eq!(
        silent.expect("it is found")["verdict"],
        "problem",
        "{examined:#}"
    );
    serve.signal(Signal::CONT);
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
}

/// Returns a `guildhall` command with only the data folder, without a members folder.
fn in_data(cli: &CliHarness, words: &[&str]) -> Command {
    let mut command = cli.bare(words);
    command.arg("--data").arg(cli.env.data_dir());
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_takes_members_and_port_of_the_hall() {
    let cli = CliHarness::new("beside a hall").await;
    cli.env.member("forge").write();
    let mut serve = cli.start(&["serve", "--gateway-port", "0", "--no-token"]);
    serve
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    let listed = cli.output(in_data(&cli, &["--json", "list"])).await.json(0);
    let names: Vec<&Value> = listed["members"]
        .as_array()
        .expect("members")
        .iter()
        .map(|member| &member["name"])
        .collect();
    assert_eq!(names, ["forge"]);
    for words in [
        &["--json", "tools"][..],
        &["--json", "tools", "--details"],
        &["--json", "settings"],
        &["--json", "doctor"],
    ] {
        let ended = cli.output(in_data(&cli, words)).await;
        assert!(matches!(ended.code, Some(0 | 1)), "{words:?} {ended:#?}");
        assert!(!ended.stdout.contains("playground"), "{words:?} {ended:#?}");
    }
    let second = cli.output(in_data(&cli, &["--json", "serve"])).await;
    assert_eq!(second.json(2)["error"]["code"], "hall-runs");
    assert!(!cli.env.data_dir().join("guild-members").exists());

    // Only the hall knows the port of its gateway.
    let opening = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"}}});
    let script = format!(
        "printf '%s\\n' '{opening}' | {} connect --mode search --data {}",
        guildhall_bin().display(),
        cli.env.data_dir().display(),
    );
    let mut connect = Command::new("sh");
    connect.args(["-c", &script]);
    let connected = cli.output(connect).await;
    assert_eq!(connected.code, Some(0), "{connected:#?}");
    assert!(
        connected.stdout.contains("protocolVersion"),
        "{connected:#?}"
    );

    // The command writes the files that its own environment names, not those of the hall.
    let home = cli.env.data_dir().join("caller");
    let codex = home.join("codex");
    std::fs::create_dir_all(&codex).expect("made");
    let mut export = in_data(
        &cli,
        &[
            "--json", "clients", "connect", "codex", "--mode", "full", "--write", "--yes",
        ],
    );
    export.env("HOME", &home).env("CODEX_HOME", &codex);
    let written = cli.output(export).await.json(0);
    let file = codex.join("config.toml");
    assert_eq!(written["path"], file.display().to_string());
    let text = std::fs::read_to_string(&file).expect("written");
    assert!(text.contains("/mcp?mode=full"), "{text}");
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_the_caller_are_adopted_and_written() {
    let cli = CliHarness::new("files of the caller").await;
    let gateway = Gateway::open(&cli).await;
    let home = cli.env.data_dir().join("caller");
    let codex = home.join("codex");
    std::fs::create_dir_all(&codex).expect("made");
    let file = codex.join("config.toml");
    let entry = fixture(&cli.env.nonce, json!({}));
    let (command, nonce) = (&entry["command"], cli.env.nonce.as_str());
    let before = format!(
        "model = \"o\"\n\n[mcp_servers.mill]\ncommand = {command}\nargs = [\"--stdio\"]\nenv = \
         {{ {} = \"{nonce}\" }}\n",
        Nonce::VARIABLE
    );
    std::fs::write(&file, &before).expect("written");
    let read = || std::fs::read_to_string(&file).expect("a file");
    let run = async |words: &[&str]| {
        let mut command = in_data(&cli, words);
        command.env("HOME", &home).env("CODEX_HOME", &codex);
        let ended = cli.output(command).await;
        ended.json(0)
    };
    let found = run(&["--json", "add", "discovered"]).await;
    assert_eq!(places(&found), [file.display().to_string()], "{found:#}");
    let adopted = run(&["--json", "add", "discovered", "mill", "--yes"]).await;
    assert_eq!(adopted["each"][0]["end"]["member"], "mill", "{adopted:#}");
    let written = run(&["--json", "clients", "switch", "codex", "--yes"]).await;
    assert_eq!(
        written[0]["path"],
        file.display().to_string(),
        "{written:#}"
    );
    let after = read();
    assert!(!after.contains("mcp_servers.mill"), "{after}");
    assert!(after.contains(&gateway.origin), "{after}");
    let undone = run(&["--json", "clients", "undo", "codex", "--yes"]).await;
    assert_eq!(undone[0]["path"], file.display().to_string(), "{undone:#}");
    assert_eq!(read(), before);
    gateway.end(&cli).await;
}

/// Returns the paths of the files with the found servers.
fn places(found: &Value) -> Vec<String> {
    let servers = found["servers"].as_array().expect("servers");
    let places = servers
        .iter()
        .flat_map(|server| server["places"].as_array().expect("places"));
    places
        .filter_map(|place| place["path"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hung_hall_keeps_no_open_connect_waiting() {
    let cli = CliHarness::new("a hung gateway").await;
    cli.env.member("forge").write();
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&["forge".to_owned()]).await;
    let mut command = in_data(&cli, &["connect"]);
    command.env("GUILD_HALL_CONNECT_SILENCE_MS", "1000");
    let mut program = Program::run(command);
    program.open().await;
    gateway.running.signal(Signal::STOP);
    let refused = program.ask(1, "tools/list", json!({})).await;
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("does not answer"), "{refused}");
    gateway.running.signal(Signal::CONT);
    let listed = program.ask(2, "tools/list", json!({})).await;
    assert!(listed["result"]["tools"].is_array(), "{listed}");
    assert_eq!(program.end().await.0, Some(0));
    gateway.end(&cli).await;
}

/// Puts a socket between the commands and the hall that forwards everything. Returns the names of
/// all requested commands.
async fn overheard(data: &Path) -> Arc<Mutex<Vec<String>>> {
    let file = data.join("hall.json");
    let note = std::fs::read(&file).expect("the hall's note");
    let mut note: Value = serde_json::from_slice(&note).expect("JSON");
    let place = note["place"].as_str().expect("a socket").to_owned();
    let own = data.join("between.sock");
    let listener = UnixListener::bind(&own).expect("a socket");
    note["place"] = own.display().to_string().into();
    std::fs::write(&file, note.to_string()).expect("written");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = heard.clone();
    tokio::spawn(async move {
        while let Ok((program, _)) = listener.accept().await {
            let hall = UnixStream::connect(&place).await.expect("the hall listens");
            let (asks, mut replies) = program.into_split();
            let (mut answers, mut asked) = hall.into_split();
            let hearing = hearing.clone();
            tokio::spawn(async move {
                let mut lines = BufReader::new(asks).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    let request: Value = serde_json::from_str(&line).expect("a request");
                    let command = request["command"].as_str().expect("a command").to_owned();
                    hearing.lock().expect("no panic").push(command);
                    let line = format!("{line}\n");
                    asked.write_all(line.as_bytes()).await.expect("passed on");
                }
            });
            tokio::spawn(async move { tokio::io::copy(&mut answers, &mut replies).await });
        }
    });
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_by_one_request_a_member() {
    let cli = CliHarness::new("many tools").await;
    let members = ["anvil", "forge", "mill"].map(str::to_owned);
    for member in &members {
        cli.env.member(member).args(["--tools", "100"]).write();
    }
    let mut gateway = Gateway::open(&cli).await;
    gateway.ready(&members).await;
    let heard = overheard(&cli.env.data_dir()).await;
    for words in [&["--json", "tools"][..], &["tools"]] {
        let listed = cli.run_beside(words).await;
        assert_eq!(listed.code, Some(0), "{listed:#?}");
        let commands = std::mem::take(&mut *heard.lock().expect("no panic"));
        let each = ["list_tools"; 3];
        assert_eq!(commands, [&["who", "roster"][..], &each].concat());
    }
    let catalog = cli.run_beside(&["--json", "tools", "--details"]).await;
    assert_eq!(catalog.code, Some(0), "{catalog:#?}");
    let commands = std::mem::take(&mut *heard.lock().expect("no panic"));
    assert_eq!(commands, ["who", "catalog"]);
    gateway.end(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hall_of_another_user_is_named() {
    let cli = CliHarness::new("another user's hall").await;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("made");
    let path = data.join("hall.lock");
    let lock = std::fs::File::create(&path).expect("created");
    lock.lock().expect("locked");
    if std::os::unix::fs::chown(&path, Some(65_534), None).is_err() {
        println!("skipped: only root can give the lock to another user");
        return;
    }
    let InstanceStatus::Unreachable(report) = IpcClient::find(&data).await else {
        panic!("another user's hall is not asked");
    };
    assert_eq!(report.code, Code::HallUnreachable);
    assert!(report.message.contains("uid 65534"), "{report}");
    let examined = cli.run(&["doctor"]).await;
    assert!(examined.stdout.contains("uid 65534"), "{examined:#?}");
    let refused = cli.run(&["--json", "serve"]).await.json(4);
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("uid 65534"), "{refused}");
}

/// Enough descriptors for a hall, but only for a few connections.
const DESCRIPTORS: usize = 96;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hall_without_descriptors_names_its_limit() {
    let cli = CliHarness::new("no descriptor left").await;
    cli.env.member("forge").write();
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -n {DESCRIPTORS} && exec \"$@\""))
        .arg("sh")
        .arg(guildhall_bin())
        .args(["serve", "--gateway-port", "0", "--no-token", "--members"])
        .arg(cli.env.members_dir())
        .arg("--data")
        .arg(cli.env.data_dir())
        .env(Nonce::VARIABLE, cli.env.nonce.as_str())
        .env("GUILD_HALL_LOGIN_SHELL", "off")
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true);
    let mut serve = cli.started(command);
    let first = serve.line().await.expect("its first line");
    let address = first["gateway"].as_str().expect("a gateway");
    let address = address.trim_start_matches("http://");
    let address = address.strip_suffix("/mcp").expect("an address").to_owned();
    serve
        .line_where("the member is ready, and listed", |line| {
            let view = &line["event"]["member"];
            view["status"] == "ready" && view["freshness"] == "live"
        })
        .await;
    let open = format!("/proc/{}/fd", serve.pid());
    let used = || std::fs::read_dir(Path::new(&open)).map_or(0, Iterator::count);
    // After a request, a connection may be idle for longer than this test takes.
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let ping = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: \
         application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{ping}",
        ping.len()
    );
    let mut kept = Vec::new();
    // The system accepts these connections, even if the hall can't.
    for _ in 0..DESCRIPTORS {
        let mut stream = TcpStream::connect(&address).await.expect("connected");
        stream.write_all(ping.as_bytes()).await.expect("written");
        kept.push(stream);
    }
    eventually(LIMIT, "no descriptor is left", || {
        (used() >= DESCRIPTORS).then_some(())
    })
    .await;
    // Tries again if the hall answers, which it can while one of its files is closed for a moment.
    let mut tries = 0;
    let listed = loop {
        let begun = PromiseClock::start();
        let listed = cli.run_beside(&["--json", "list"]).await;
        begun.assert_within(GIVEN_UP, "a list beside a hall without descriptors");
        tries += 1;
        if listed.stderr.contains("ulimit -n") || tries == 10 {
            break listed;
        }
    };
    assert!(listed.stderr.contains("ulimit -n"), "{listed:#?}");
    assert_eq!(listed.json(0)["members"][0]["name"], "forge");
    let examined = cli.run_beside(&["doctor"]).await;
    assert!(examined.stdout.contains("ulimit -n"), "{examined:#?}");
    drop(kept);
    serve.signal(Signal::TERM);
    let ended = serve.ended(&cli).await;
    assert!(ended.stderr.contains("ulimit -n"), "{ended:#?}");
}
