//! The protocol version of a member: the newest version that its server supports, stored for later
//! starts.

use guild_engine::CACHE_FILE;
use guild_model::status::Status;
use guild_tests::{MemberFolder, RecordFile};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::agent::MODERN;
use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, json as read_json, name, put_in_place};

const LEGACY: &str = "2025-11-25";
const QUESTION: &str = "server/discover";
const OPENING: &str = "initialize";

/// Adds the member over stdio and over HTTP, with a record of its requests.
fn on_both(env: &TestEnv, switches: &[&str]) -> [MemberFolder; 2] {
    [env.member("pipes"), env.http("web")].map(|folder| {
        let folder = folder.args(switches.iter().copied()).recorded();
        folder.write();
        folder
    })
}

fn record(folder: &MemberFolder) -> RecordFile {
    RecordFile::new(&folder.record_path())
}

/// Returns the methods of the requests of the handshake, in order.
fn openings(folder: &MemberFolder) -> Vec<String> {
    let entries = record(folder).entries();
    let methods = entries
        .iter()
        .filter_map(|entry| entry["message"]["method"].as_str());
    let methods = methods.filter(|method| [QUESTION, OPENING].contains(method));
    methods.map(str::to_owned).collect()
}

fn spoken(open: &Open, member: &str) -> Option<String> {
    let view = open.view(member);
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    view.protocol_version
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_both_eras_speaks_the_newest() {
    let env = TestEnv::new("both eras");
    let members = on_both(&env, &["--era", "both"]);
    let open = env.started().await;
    for member in ["pipes", "web"] {
        assert_eq!(spoken(&open, member).as_deref(), Some(MODERN), "{member}");
        let result = open.result(member, "add", r#"{"a": 2, "b": 40}"#).await;
        assert!(result.to_string().contains("42"), "{result}");
    }
    open.close().await;
    for folder in &members {
        assert!(!openings(folder).contains(&OPENING.to_owned()));
        assert_eq!(record(folder).starts().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_elsewhere_of_both_eras_speaks_the_newest() {
    let env = TestEnv::new("both eras elsewhere");
    let both = env.http("both").args(["--era", "both"]);
    both.write();
    let legacy = env.http("legacy").recorded();
    legacy.write();
    let mut open = env.started().await;
    for (member, of) in [("there", "both"), ("past", "legacy")] {
        let port = open.view(of).port.expect("a port");
        let url = format!("http://127.0.0.1:{port}/mcp");
        let folder = env.members_dir().join(member);
        std::fs::create_dir_all(&folder).expect("a folder");
        let manifest = json!({
            "name": member, "version": "1.0.0", "description": "Elsewhere.",
            "transport": "http", "url": url,
        });
        put_in_place(&folder.join("plugin.json"), &manifest.to_string());
    }
    for (member, version) in [("there", MODERN), ("past", LEGACY)] {
        open.shown(member, "a member", |_| true).await;
        open.hall.start_member(&name(member)).await.expect("up");
        assert_eq!(spoken(&open, member).as_deref(), Some(version));
    }
    let restarted = openings(&legacy).len();
    open.hall.restart_member(&name("past")).await.expect("up");
    assert_eq!(openings(&legacy)[restarted..], [OPENING]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn legacy_servers_start_and_are_asked_once() {
    for (unknown, starts) in [("error", 1), ("silence", 1), ("empty", 1), ("exit", 2)] {
        let env = TestEnv::new(unknown);
        let members = on_both(&env, &["--unknown", unknown]);
        let open = env.started().await;
        for member in ["pipes", "web"] {
            assert_eq!(spoken(&open, member).as_deref(), Some(LEGACY), "{unknown}");
            let view = open.view(member);
            assert_eq!((view.attempt, view.error), (0, None), "{unknown}: no crash");
        }
        open.close().await;
        for folder in &members {
            assert_eq!(openings(folder), [QUESTION, OPENING], "{unknown}");
            assert_eq!(record(folder).starts().len(), starts, "{unknown}");
        }

        // Another hall reads the version from the cache.
        let open = env.started().await;
        for member in ["pipes", "web"] {
            assert_eq!(spoken(&open, member).as_deref(), Some(LEGACY), "{unknown}");
        }
        open.close().await;
        for folder in &members {
            assert_eq!(openings(folder)[2..], [OPENING], "{unknown}");
            assert_eq!(record(folder).starts().len(), starts + 1, "{unknown}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_another_version_is_asked_again() {
    let env = TestEnv::new("another version");
    // The server reads these switches from a file, so the manifest stays the same.
    let write = |text: &str| {
        let folder = env.member("forge");
        let record = folder.record_path().display().to_string();
        let fixture = guild_tests::fixture_bin().display().to_string();
        let script = format!("exec '{fixture}' --stdio --record '{record}' $(cat switches)");
        let folder = folder.manifest(json!({"command": "sh", "args": ["-c", script]}));
        let folder = folder.file("switches", text);
        folder.write();
        folder
    };
    let folder = write("--server-version 1");
    env.started().await.close().await;
    assert_eq!(openings(&folder), [QUESTION, OPENING]);

    write("--server-version 2 --era both");
    let open = env.started().await;
    assert_eq!(
        spoken(&open, "forge").as_deref(),
        Some(LEGACY),
        "as last time"
    );
    open.hall.restart_member(&name("forge")).await.expect("up");
    assert_eq!(spoken(&open, "forge").as_deref(), Some(MODERN));
    open.close().await;

    env.started().await.close().await;
    let asked = openings(&folder);
    assert!(!asked[3..].contains(&OPENING.to_owned()), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_an_older_program_is_no_memory() {
    let env = TestEnv::new("older cache");
    let folder = env.member("forge").recorded();
    folder.write();
    env.started().await.close().await;
    let cache = env.members_dir().join("forge").join(CACHE_FILE);
    let mut list: Value = read_json(&cache);
    assert_eq!(list["opensWith"], "legacy");
    let fields = list.as_object_mut().expect("an object");
    fields.remove("opensWith");
    put_in_place(&cache, &list.to_string());
    env.started().await.close().await;
    assert_eq!(openings(&folder), [QUESTION, OPENING, QUESTION, OPENING]);
}

#[tokio::test]
async fn list_says_which_version_is_in_use() {
    let cli = CliHarness::new("versions in use").await;
    cli.env.member("both").args(["--era", "both"]).write();
    cli.env.member("legacy").write();
    let mut serving = cli.start(&["serve", "--no-gateway"]);
    serving.all_up(&["both", "legacy"]).await;
    let listed = cli.run_beside(&["list", "--json"]).await.json(0);
    let versions: Vec<(&str, &str)> = listed["members"]
        .as_array()
        .expect("members")
        .iter()
        .filter_map(|member| {
            Some((
                member["name"].as_str()?,
                member["protocolVersion"].as_str()?,
            ))
        })
        .collect();
    assert_eq!(versions, [("both", MODERN), ("legacy", LEGACY)]);
    serving.signal(Signal::TERM);
    serving.gone().await;
}
