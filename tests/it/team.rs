//! The exported files of a profile for a team are used as they describe: `guildhall serve` with the
//! exported configuration, a gateway in front of it, and a hall that connects with the exported
//! entry.

use std::collections::BTreeMap;
use std::path::Path;

use guild_api::wire::{ExportTeam, TeamTarget};
use guild_model::profile::ProfileName;
use guild_model::status::Status;
use guild_tests::{MemberFolder, fixture_bin};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use crate::guildhall::{CliHarness, Running};
use crate::test_env::TestEnv;

const TOKEN: &str = "a-token-of-the-team-with-enough-characters";

/// A team's gateway: forwards requests with the host that the server behind it expects.
async fn gateway(listener: TcpListener, behind: u16) {
    while let Ok((outside, _)) = listener.accept().await {
        tokio::spawn(pass_on(outside, behind));
    }
}

async fn pass_on(mut outside: TcpStream, behind: u16) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && head.len() < 64 * 1024 {
        head.push(outside.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let lines = head.trim_end().lines().filter_map(|line| {
        let name = line
            .split(':')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match name.as_str() {
            "host" => Some(format!("Host: 127.0.0.1:{behind}")),
            // Closes each connection after one request, so that the head of every request is
            // changed.
            "connection" => None,
            _ => Some(line.to_owned()),
        }
    });
    let lines: Vec<String> = lines.chain(["Connection: close".to_owned()]).collect();
    let mut inside = TcpStream::connect(("127.0.0.1", behind)).await?;
    inside
        .write_all((lines.join("\r\n") + "\r\n\r\n").as_bytes())
        .await?;
    tokio::io::copy_bidirectional(&mut outside, &mut inside).await?;
    Ok(())
}

fn json_of(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file");
    serde_json::from_str(&text).expect("JSON")
}

/// Runs `guildhall serve` until its member has listed its tools. Returns the gateway's port.
async fn serving(cli: &CliHarness, serve: Command) -> (Running, u16) {
    let mut running = cli.started(serve);
    let opened = running.line().await.expect("a line");
    assert_eq!(opened["token"], Value::Null, "the token is not printed");
    let address = opened["gateway"].as_str().expect("an address");
    let behind: u16 = address
        .rsplit(':')
        .next()
        .and_then(|rest| rest.split('/').next()?.parse().ok())
        .expect("a port");
    running
        .line_where("forge is ready and has said its tools", |line| {
            let member = &line["event"]["member"];
            member["name"] == "forge"
                && member["status"] == "ready"
                && member["tools"].as_u64() > Some(0)
        })
        .await;
    (running, behind)
}

/// Creates a profile `metal` with a member that can run on other machines (a sample in the
/// program), and one that can't.
async fn cli_with_a_profile(what: &str) -> CliHarness {
    let cli = CliHarness::new(what).await;
    MemberFolder::new(&cli.env.members_dir(), "forge")
        .manifest(json!({"transport": "http", "command": "${GUILDHALL}", "args": ["sample-member", "playground", "--port", "${PORT}"]}))
        .nonce(&cli.env.nonce)
        .write();
    cli.env.member("local").write();
    let profile = json!({"name": "metal", "members": [{"member": "forge"}, {"member": "local"}]});
    std::fs::create_dir_all(cli.env.data_dir()).expect("made");
    let settings = json!({ "profiles": [profile] }).to_string();
    std::fs::write(cli.env.data_dir().join("gateway.json"), settings).expect("written");
    cli
}

/// The arguments of the command that exports the profile.
const EXPORT: [&str; 9] = [
    "profile",
    "export",
    "metal",
    "--format",
    "compose",
    "--image",
    "guild-hall:1",
    "--gateway-image",
    "gateway:1",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn team_export_serves_its_client_entry() {
    let cli = cli_with_a_profile("a profile for a team").await;
    let out = tempfile::tempdir().expect("a folder");
    let there = out.path().join("team");
    let place = there.display().to_string();
    let words = [&EXPORT[..], &["--out", &place, "--json"]].concat();
    let said = cli.run(&words).await.json(0);
    let export = &said["export"];
    assert_eq!(export["members"], json!(["forge"]));
    assert_eq!(export["leftOut"][0]["member"], "local");
    let again = cli.run(&words).await;
    assert_eq!(again.code, Some(2), "nothing is written over: {again:?}");

    // Runs the command in the compose file, with paths on this machine.
    let compose = std::fs::read_to_string(there.join("compose.yaml")).expect("the file");
    for part in [
        "- serve",
        "- /etc/guild-hall/members",
        "- /run/secrets/guild-hall/token",
        "network_mode: \"service:gateway\"",
    ] {
        assert!(compose.contains(part), "{part} in\n{compose}");
    }
    let data = out.path().join("data");
    std::fs::create_dir(&data).expect("made");
    let settings = json_of(&there.join("config/gateway.json"));
    assert_eq!(
        settings["profiles"][0]["members"].as_array().map(Vec::len),
        Some(1)
    );
    std::fs::write(out.path().join("token"), format!("{TOKEN}\n")).expect("written");
    std::fs::copy(there.join("config/gateway.json"), data.join("gateway.json")).expect("copied");
    // Uses a free port, since another hall on this machine may have the usual one.
    let mut serve = cli.bare(&["serve", "--gateway-port", "0", "--members"]);
    serve
        .arg(there.join("config/members"))
        .arg("--data")
        .arg(&data)
        .arg("--token-file")
        .arg(out.path().join("token"));
    let (running, behind) = serving(&cli, serve).await;

    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("its address").port();
    let passing = tokio::spawn(gateway(listener, behind));

    // Another hall acts as the app, with the exported entry.
    let env = TestEnv::new("the app that connects");
    let mut entry = json_of(&there.join("connect/plugin.json"));
    assert_eq!(entry["url"], "http://127.0.0.1:8080/profiles/metal/mcp");
    assert_eq!(
        entry["headers"]["Authorization"],
        "Bearer ${secret:team-metal/TOKEN}"
    );
    entry["url"] = format!("http://127.0.0.1:{port}/profiles/metal/mcp").into();
    // In the app, the keychain provides this value.
    entry["headers"]["Authorization"] = format!("Bearer {TOKEN}").into();
    MemberFolder::new(&env.members_dir(), "team-metal")
        .manifest(entry)
        .write();
    let mut open = env.started().await;
    open.status("team-metal", Status::Ready).await;
    let tools = open
        .hall
        .member_tools(&crate::test_env::name("team-metal"))
        .expect("tools");
    let names: Vec<&str> = tools.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(names.contains(&"forge__echo"), "{names:?}");
    let result = open
        .result("team-metal", "forge__echo", r#"{"message": "Team"}"#)
        .await;
    assert!(result.to_string().contains("Team"), "{result}");
    open.close().await;

    passing.abort();
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
}

/// Returns the texts of a ConfigMap by their keys.
fn texts_of(manifests: &str) -> BTreeMap<String, String> {
    let (_, data) = manifests.split_once("\ndata:\n").expect("a ConfigMap");
    let (data, _) = data.split_once("\n---\n").expect("other manifests");
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut key = String::new();
    for line in data.lines() {
        match line.strip_prefix("    ") {
            Some(text) => {
                let all = texts.entry(key.clone()).or_default();
                all.push_str(text);
                all.push('\n');
            }
            None => key = line.trim().strip_suffix(": |").expect("a key").to_owned(),
        }
    }
    texts
}

/// Returns the values of `name` in the lines after `from`, until a line has another name.
fn listed<'t>(manifests: &'t str, from: &str, name: &str) -> Vec<&'t str> {
    let (_, after) = manifests.split_once(from).expect(from);
    let lines = after.lines().skip(1).map(str::trim);
    let words = lines.map_while(|line| line.strip_prefix(name));
    words.map(|word| word.trim_matches('"')).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cluster_export_serves_mounted_members() {
    let cli = cli_with_a_profile("a profile for a cluster").await;
    let out = tempfile::tempdir().expect("a folder");
    let at = |name: &str| out.path().join(name);
    let place = at("team").display().to_string();
    let words = ["profile", "export", "metal", "--format", "kubernetes"];
    let images = ["--image", "guild-hall:1", "--gateway-image", "gateway:1"];
    let said = cli
        .run(&[&words[..], &images, &["--out", &place]].concat())
        .await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let manifests = at("team").join("kubernetes.yaml");
    let manifests = std::fs::read_to_string(manifests).expect("the file");

    // Writes the volumes in the layout of a cluster.
    let texts = texts_of(&manifests);
    let keys: Vec<&str> = texts.keys().map(String::as_str).collect();
    assert_eq!(keys, ["gateway.json", "member-0.json"]);
    assert!(
        manifests.contains("- key: member-0.json\n                path: forge/plugin.json\n"),
        "{manifests}"
    );
    std::fs::create_dir_all(at("members/forge")).expect("made");
    std::fs::create_dir(at("data")).expect("made");
    std::fs::write(at("members/forge/plugin.json"), &texts["member-0.json"]).expect("written");
    std::fs::write(at("data/gateway.json"), &texts["gateway.json"]).expect("written");
    std::fs::write(at("token"), format!("{TOKEN}\n")).expect("written");

    // Runs the container's command, with paths on this machine.
    let (_, hall) = manifests
        .split_once("- name: guild-hall\n")
        .expect("the container");
    let mut serve = cli.bare(&[]);
    for word in listed(hall, "\n          args:", "- ") {
        match word {
            "/etc/guild-hall/members" => serve.arg(at("members")),
            "/var/lib/guild-hall" => serve.arg(at("data")),
            "/run/secrets/guild-hall/token" => serve.arg(at("token")),
            word => serve.arg(word),
        };
    }
    // Uses a free port, since another hall on this machine may have the usual one.
    serve.args(["--gateway-port", "0"]);
    let (running, _) = serving(&cli, serve).await;
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn container_files_ignore_umask() {
    use std::os::unix::fs::PermissionsExt;

    let cli = cli_with_a_profile("a profile for a team under a umask").await;
    let out = tempfile::tempdir().expect("a folder");
    let there = out.path().join("team");
    let place = there.display().to_string();
    let words = [&EXPORT[..], &["--out", &place]].concat();
    let plain = cli.command(&words);
    let plain = plain.as_std();
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "umask 077; exec \"$@\"", "sh"])
        .arg(plain.get_program())
        .args(plain.get_args())
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let wrote = cli.ended(command).await;
    assert_eq!(wrote.code, Some(0), "{wrote:?}");
    for (path, mode) in [
        ("config", 0o755),
        ("config/gateway.json", 0o644),
        ("config/members", 0o755),
        ("config/members/forge", 0o755),
        ("config/members/forge/plugin.json", 0o644),
        // Only the owner can read these files.
        ("compose.yaml", 0o600),
        ("connect/plugin.json", 0o600),
    ] {
        let metadata = std::fs::metadata(there.join(path)).expect(path);
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_gateways_allow_only_allowed_tools() {
    let env = TestEnv::new("exports for other gateways");
    let program = format!("exec '{}' --stdio", fixture_bin().display());
    env.member("forge")
        .manifest(json!({
            "command": "sh", "args": ["-c", program],
            "tools": {"fail": {"policy": "deny"}},
        }))
        .write();
    env.member("unseen")
        .manifest(json!({"command": "sh", "args": ["-c", "exit 3"], "lifecycle": "on-demand"}))
        .write();
    let chosen = json!({"kind": "only", "tools": ["add", "echo", "fail"]});
    let settings = json!({
        "policies": {"forge": {"echo": "ask"}},
        "profiles": [{"name": "metal", "members": [
            {"member": "forge", "tools": chosen}, {"member": "unseen"},
        ]}],
    });
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let file = env.data_dir().join("gateway.json");
    std::fs::write(file, settings.to_string()).expect("written");
    let open = env.started().await;
    assert_eq!(open.view("forge").status, Status::Ready);
    let request = |target| ExportTeam {
        profile: ProfileName::parse("metal").expect("a name"),
        target,
        image: Some("tools:1".to_owned()),
        gateway_image: None,
        gateway_port: None,
        url: None,
    };
    let agentgateway = open
        .hall
        .export_team(request(TeamTarget::Agentgateway))
        .await;
    let agentgateway = agentgateway.expect("exported");
    assert_eq!(agentgateway.members, ["forge", "unseen"]);
    let text = &agentgateway.files[0].text;
    assert!(text.contains("mcp.tool.name in [\\\"add\\\"]\""), "{text}");
    for denied in [
        "echo",
        "mcp.tool.target == \\\"unseen",
        "mcp.prompt.target == \\\"unseen",
    ] {
        assert!(!text.contains(denied), "{denied} in\n{text}");
    }
    for note in ["permission Ask", "unknown here, and denied: unseen."] {
        assert!(
            agentgateway.notes.iter().any(|one| one.contains(note)),
            "{note}"
        );
    }

    let toolhive = open.hall.export_team(request(TeamTarget::Toolhive)).await;
    let text = &toolhive.expect("exported").files[0].text;
    assert!(
        text.contains("          filter:\n            - add\n"),
        "{text}"
    );
    assert!(
        text.contains("workload: unseen\n          excludeAll: true\n"),
        "{text}"
    );
    assert!(text.contains("Tool::\\\"forge_add\\\""), "{text}");
    assert!(!text.contains("echo"), "{text}");
    open.close().await;
}
