//! The command line for other programs that use the gateway: `serve`, `connect`, `clients connect`,
//! `tools describe`.

use std::path::PathBuf;
use std::process::Stdio;

use guild_tests::LIMIT;
use hyper::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpListener, TcpSocket};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::agent::Gateway;
use crate::guildhall::{CliHarness, Ended};
use crate::http_client::HttpClient;

/// A program that communicates with `guildhall connect`, like an app that has started it.
pub(crate) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(cli: &CliHarness, words: &[&str], token: Option<&str>) -> Self {
        let mut command = cli.command(words);
        command.env_remove("GUILD_HALL_TOKEN");
        if let Some(token) = token {
            command.env("GUILD_HALL_TOKEN", token);
        }
        Self::run(command)
    }

    pub(crate) fn run(mut command: Command) -> Self {
        command.stdin(Stdio::piped());
        let mut child = command.spawn().expect("guildhall runs");
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("its stdout")).lines(),
            child,
        }
    }

    async fn say(&mut self, message: Value) {
        let input = self.input.as_mut().expect("open");
        let line = format!("{message}\n");
        input.write_all(line.as_bytes()).await.expect("it reads");
    }

    /// Returns the response with this id. Skips all other messages.
    async fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = timeout(LIMIT, self.output.next_line()).await;
            let line = line.expect("in time").expect("UTF-8").expect("a line");
            let message: Value = serde_json::from_str(&line).expect("a message");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        self.answer(id).await
    }

    pub(crate) async fn open(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "program", "version": "1"},
        });
        let opened = self.ask(0, "initialize", params).await;
        self.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        opened
    }

    /// Closes stdin, and waits until the process has ended. Returns its exit code and its stderr.
    pub(crate) async fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let ended = timeout(LIMIT, self.child.wait_with_output()).await;
        let ended = ended.expect("in time").expect("its end");
        let stderr = String::from_utf8(ended.stderr).expect("UTF-8");
        (ended.status.code(), stderr)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connect_serves_a_program_without_http() {
    let cli = CliHarness::new("connect").await;
    cli.env.member("pipe").write();
    let mut gateway = Gateway::start(&cli, &["serve", "--gateway-port", "0"]).await;
    gateway.ready(&["pipe".to_owned()]).await;
    let url = format!("{}/members/pipe/mcp", gateway.origin);
    let token = gateway.token.clone().expect("a token");

    let words = ["connect", "--url", &url, "--mode", "full"];
    let mut program = Program::start(&cli, &words, Some(&token));
    let opened = program.open().await;
    assert_eq!(
        opened["result"]["protocolVersion"], "2025-11-25",
        "{opened}"
    );
    let listed = program.ask(1, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(tools.iter().any(|tool| tool["name"] == "add"), "{listed:#}");
    let called = program.ask(
        2,
        "tools/call",
        json!({"name": "add", "arguments": {"a": 2, "b": 40}}),
    );
    let called = called.await;
    assert!(
        called["result"]["content"].to_string().contains("42"),
        "{called:#}"
    );
    assert_eq!(program.end().await, (Some(0), String::new()));

    // The modern era has no handshake.
    let url = format!("{}/mcp", gateway.origin);
    let mut modern = Program::start(&cli, &["connect", "--url", &url, "--token", &token], None);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "program", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "pipe__add", "arguments": {"a": 1, "b": 1}, "_meta": meta});
    let called = modern.ask(1, "tools/call", params).await;
    assert!(
        called["result"]["content"].to_string().contains('2'),
        "{called:#}"
    );
    assert_eq!(modern.end().await, (Some(0), String::new()));

    let mut stranger = Program::start(&cli, &["connect", "--url", &url], None);
    let refused = stranger.open().await;
    let message = refused["error"]["message"].as_str().expect("an error");
    assert!(message.contains("Missing or invalid token"), "{message}");
    stranger.end().await;
    gateway.end(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connect_without_a_gateway_reports_it() {
    let cli = CliHarness::new("connect to nothing").await;
    // This port is taken, but has no listener.
    let taken = TcpSocket::new_v4().expect("a socket");
    taken.bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let port = taken.local_addr().expect("bound").port();
    let settings = json!({"port": port}).to_string();
    std::fs::create_dir_all(cli.env.data_dir()).expect("a folder");
    std::fs::write(cli.env.data_dir().join("gateway.json"), settings).expect("written");
    let words = [
        "connect",
        "--endpoint",
        "member",
        "time",
        "--mode",
        "search",
    ];
    let mut program = Program::start(&cli, &words, None);
    let refused = program.open().await;
    let message = refused["error"]["message"].as_str().expect("an error");
    let place = format!("127.0.0.1:{port}/members/time/mcp");
    assert!(message.contains(&place), "{message}");
    let (code, stderr) = program.end().await;
    assert_eq!(code, Some(4));
    assert!(
        stderr.contains("guildhall serve") && stderr.contains(&place),
        "{stderr}"
    );
    assert_eq!(stderr.matches(&place).count(), 1, "once: {stderr}");
    for words in [
        &["connect", "--endpoint", "everything"][..],
        &["connect", "--endpoint", "member"],
        &["connect", "--mode", "fast"],
        &["connect", "--url", "http://example.org/mcp"],
    ] {
        assert_eq!(cli.run(words).await.code, Some(2), "{words:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_prints_its_address_first() {
    let cli = CliHarness::new("serve's gateway").await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let let_in = async |gateway: &Gateway, token: &str| {
        let client = HttpClient::new(&format!("{}/mcp", gateway.origin)).with_token(token);
        client.post("/mcp", &ping).await.0 == StatusCode::OK
    };
    let words = ["serve", "--gateway-port", "0"];
    let first = Gateway::start(&cli, &words).await;
    let of_first = first.token.clone().expect("a token");
    assert!(let_in(&first, &of_first).await);
    first.end(&cli).await;

    let second = Gateway::start(&cli, &words).await;
    let of_second = second.token.clone().expect("a token");
    assert!(let_in(&second, &of_second).await);
    assert!(!let_in(&second, &of_first).await, "that run is over");
    let clients = cli.env.data_dir().join("gateway-clients.json");
    let kept = std::fs::read_to_string(clients).unwrap_or_default();
    assert!(!kept.contains("guildhall serve"), "nothing is kept: {kept}");
    second.end(&cli).await;

    let open = Gateway::open(&cli).await;
    assert_eq!(open.token, None);
    open.end(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taken_port_is_an_error_without_fallback() {
    let cli = CliHarness::new("taken port").await;
    cli.env.member("pipe").recorded().write();
    let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refused = cli.run(&["serve", "--gateway-port", &port]).await;
    assert_eq!(refused.code, Some(4), "{refused:#?}");
    assert_eq!(refused.stdout, "");
    assert!(refused.stderr.contains(&port), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("gateway-port-taken"),
        "{}",
        refused.stderr
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_is_described_with_its_schema() {
    let cli = CliHarness::new("describe").await;
    cli.env.member("pipe").write();
    let described = cli
        .run(&["--json", "tools", "describe", "pipe", "add", "--wait"])
        .await
        .json(0);
    assert_eq!(
        (&described["member"], &described["name"]),
        (&json!("pipe"), &json!("add"))
    );
    assert!(
        described["inputSchema"]["properties"]["a"].is_object(),
        "{described:#}"
    );
    let text = cli.run(&["tools", "describe", "pipe", "add"]).await;
    assert_eq!(text.code, Some(0), "{text:#?}");
    assert!(text.stdout.starts_with("pipe/add"), "{}", text.stdout);
    assert!(text.stdout.contains("Arguments:\n{\n"), "{}", text.stdout);
    let unknown = cli
        .run(&["--json", "tools", "describe", "pipe", "nothing"])
        .await
        .json(5);
    assert_eq!(unknown["error"]["code"], "tool-unknown");
}

/// A user with a separate home folder and the environment's data folder.
struct User<'d> {
    cli: &'d CliHarness,
    home: PathBuf,
}

impl<'d> User<'d> {
    fn new(cli: &'d CliHarness) -> Self {
        let home = cli.env.data_dir().join("home");
        std::fs::create_dir_all(&home).expect("a home");
        Self { cli, home }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.cli.command(words);
        command
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", self.home.join(".config"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME");
        command
    }

    async fn run(&self, words: &[&str]) -> Ended {
        self.cli.ended(self.command(words)).await
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_is_connected_after_a_look_and_its_file_given_back() {
    let cli = CliHarness::new("export").await;
    let user = User::new(&cli);
    let file = user.home.join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let original = "{\n  // mine\n  \"mcpServers\": {\n    \"a\": {},\n  }\n}\n";
    std::fs::write(&file, original).expect("written");
    let for_all = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&file, for_all).expect("set");
    let text = || std::fs::read_to_string(&file).expect("read");

    let shown = user.run(&["clients", "connect", "cursor"]).await;
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    let snippet: Value = serde_json::from_str(&shown.stdout).expect("JSON to be copied");
    assert_eq!(
        snippet["mcpServers"]["guild-hall"]["url"],
        "http://127.0.0.1:19999/mcp"
    );
    assert!(
        shown.stderr.contains(".cursor/mcp.json"),
        "{}",
        shown.stderr
    );

    let member = [
        "clients",
        "connect",
        "cursor",
        "--endpoint",
        "member",
        "time",
        "--write",
    ];
    let looked = user.run(&member).await;
    assert!(
        looked.stdout.contains("\n+    \"guild-hall\": {\n"),
        "{}",
        looked.stdout
    );
    assert!(looked.stdout.contains("<token>"), "{}", looked.stdout);
    assert_eq!(text(), original, "a look writes nothing");

    let mut words = member.to_vec();
    words.push("--yes");
    let written = user.run(&words).await;
    assert_eq!(written.code, Some(0), "{written:#?}");
    assert!(text().contains("/members/time/mcp"), "{}", text());
    let is_warned = "contains a token, and other users of this machine can read it";
    assert!(written.stderr.contains(is_warned), "{}", written.stderr);
    assert!(
        text().contains("// mine\n") && text().contains("Bearer "),
        "{}",
        text()
    );
    assert!(!text().contains("<token>"), "{}", text());
    let clients = cli.env.data_dir().join("gateway-clients.json");
    let clients = std::fs::read_to_string(clients).expect("the clients");
    assert!(clients.contains("Cursor"), "{clients}");

    let undone = user
        .run(&["--json", "clients", "undo", "cursor", "--yes"])
        .await
        .json(0);
    assert_eq!(undone[0]["path"], json!(file));
    assert_eq!(text(), original);
    let clients = user.run(&["--json", "clients"]).await.json(0);
    assert_eq!(clients, json!([]), "the token is revoked");
    let again = user
        .run(&["--json", "clients", "undo", "cursor"])
        .await
        .json(2);
    assert_eq!(again["error"]["code"], "client-config-changed");
    let unknown = user
        .run(&["--json", "clients", "connect", "emacs"])
        .await
        .json(5);
    assert_eq!(unknown["error"]["code"], "program-unknown");
    std::fs::write(&file, "{\"mcpServers\": []}").expect("written");
    let refused = user
        .run(&["--json", "clients", "connect", "cursor", "--write"])
        .await
        .json(2);
    assert_eq!(refused["error"]["code"], "client-config-refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connect_reports_where_its_token_is_accepted() {
    let cli = CliHarness::new("bound").await;
    cli.env.member("pipe").write();
    cli.env.member("mill").write();
    let mut gateway = Gateway::start(&cli, &["serve", "--gateway-port", "0"]).await;
    gateway.ready(&["pipe".to_owned(), "mill".to_owned()]).await;
    let add = ["clients", "add", "Mine", "--endpoint", "member", "pipe"];
    let added = cli
        .run_beside(&[&["--json"], &add[..]].concat())
        .await
        .json(0);
    let token = added["token"].as_str().expect("a token");
    let bound = json!([{"kind": "member", "member": "pipe"}]);
    assert_eq!(added["client"]["endpoints"], bound);

    let own = format!("{}/members/pipe/mcp", gateway.origin);
    let mut program = Program::start(&cli, &["connect", "--url", &own], Some(token));
    program.open().await;
    let listed = program.ask(1, "tools/list", json!({})).await;
    assert!(listed["result"]["tools"].is_array(), "{listed}");

    // While its session is open, the client loses access to the endpoint.
    let bind = [
        "clients",
        "bind",
        "Mine",
        "--endpoint",
        "member",
        "mill",
        "--endpoint",
        "all",
    ];
    let shown = cli.run_beside(&bind).await;
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    let only = "only at /members/mill/mcp, /mcp";
    assert!(shown.stdout.contains(only), "{}", shown.stdout);
    let refused = program.ask(2, "tools/list", json!({})).await;
    let expected = format!("The token of Mine is accepted {only}, not at /members/pipe/mcp.");
    let message = refused["error"]["message"].as_str().expect("an error");
    assert!(message.contains(&expected), "{message}");
    program.end().await;

    let mut again = Program::start(&cli, &["connect", "--url", &own], Some(token));
    let refused = again.open().await;
    let message = refused["error"]["message"].as_str().expect("an error");
    assert!(message.contains(&expected), "{message}");
    again.end().await;

    let free = cli
        .run_beside(&["clients", "bind", "Mine", "--anywhere"])
        .await;
    assert_eq!(free.code, Some(0), "{free:#?}");
    let mut program = Program::start(&cli, &["connect", "--url", &own], Some(token));
    let opened = program.open().await;
    assert!(opened["result"].is_object(), "{opened}");
    program.end().await;
    gateway.end(&cli).await;
}
