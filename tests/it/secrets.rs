//! A secret that is in every allowed place must not appear anywhere else.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use guild_api::wire::{Bundled, SecretPlace, SetSecret, WriteBundle};
use guild_engine::{GuildHall, GuildHallOptions, Keychain, KeychainChoice, KeychainError};
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::{Events, LIMIT, eventually};
use serde_json::json;

use crate::fake_keychain::FakeKeychain;
use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::test_env::{HallEvents, TestEnv, files_where, name, open_gateway};

const PLANTED: &str = "planted-Zq7/x+9 \"end\"";

#[derive(Debug)]
struct Locked;

impl Keychain for Locked {
    fn reach(&self) -> Result<(), KeychainError> {
        Ok(())
    }
    fn get(&self, _name: &str) -> Result<Option<String>, KeychainError> {
        loop {
            std::thread::park();
        }
    }
    fn set(&self, _name: &str, _value: &str) -> Result<(), KeychainError> {
        Err(KeychainError::Refused("it is locked".to_owned()))
    }
    fn remove(&self, _name: &str) -> Result<(), KeychainError> {
        Ok(())
    }
}

/// Returns the encodings in which the secret could be written.
fn forms() -> Vec<Vec<u8>> {
    let json = serde_json::to_string(PLANTED).expect("JSON");
    let json = json.trim_matches('"').to_owned();
    let twice = serde_json::to_string(&json).expect("JSON");
    [
        PLANTED,
        "planted-Zq7",
        json.as_str(),
        twice.trim_matches('"'),
    ]
    .iter()
    .map(|form| form.as_bytes().to_vec())
    .collect()
}

fn has_it(bytes: &[u8]) -> bool {
    forms().iter().any(|form| {
        bytes
            .windows(form.len())
            .any(|part| part == form.as_slice())
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_page_masks_values_and_warns_of_arguments() {
    const TOKEN: &str = "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";
    let env = TestEnv::new("masked page");
    env.member("forge")
        .args(["--stderr-line", "${secret:KEY}"])
        .args(["--parrot", TOKEN])
        .env("FORGE_KEY", "${secret:KEY}")
        .env("FORGE_PASSWORD", "hammer-and-tongs")
        .write();
    env.member("plain")
        .env("FORGE_KEY", "${secret:KEY}")
        .write();
    env.member("short").env("API_KEY", "q~7").write();
    let header = json!({"headers": {"Authorization": "Bearer web-pass-22"}});
    env.http("web").manifest(header).write();
    let broken = format!(r#"{{"name": "broken", "env": {{"A": "{TOKEN}", "KEY": "key-22"}},, }}"#);
    let folder = env.members_dir().join("broken");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("plugin.json"), broken).expect("written");
    let mut open = env.open().await;
    // The secrets of members that have not started yet, and of one that can't start.
    for (member, kept, secrets) in [
        ("short", "API_KEY", &["q~7"][..]),
        ("web", "Authorization", &["web-pass-22"]),
        ("broken", "KEY", &[TOKEN, "key-22"]),
    ] {
        let detail = open.hall.member_detail(&name(member)).await;
        let page = serde_json::to_string(&detail.expect("its page")).expect("JSON");
        assert!(page.contains(kept) && page.contains("•••"), "{page}");
        for secret in secrets {
            assert!(!page.contains(secret), "{secret}: {page}");
        }
    }
    let set = SetSecret {
        name: "KEY".into(),
        value: PLANTED.to_owned(),
        place: Some(SecretPlace::File),
    };
    open.hall.set_secret(set).await.expect("kept");
    open.hall.start_all().settled().await;
    let warned = |member: &str| -> Vec<String> {
        let warnings = open.view(member).warnings;
        let in_args = warnings
            .iter()
            .filter(|report| report.message.contains("args["));
        in_args.map(|report| report.message.clone()).collect()
    };
    let warnings = warned("forge");
    assert!(
        matches!(&warnings[..], [one] if one.contains("${secret:KEY}")),
        "{warnings:?}"
    );
    assert!(warned("plain").is_empty());
    // The member's stderr has arrived, too.
    open.shown("forge", "its line", |view| view.last_stderr.is_some())
        .await;
    let detail = open.hall.member_detail(&name("forge")).await;
    let page = serde_json::to_string(&detail.expect("its page")).expect("JSON");
    for value in [TOKEN, "hammer-and-tongs", "planted-Zq7"] {
        assert!(!page.contains(value), "{value}: {page}");
    }
    assert!(page.contains("•••"), "{page}");
    assert!(
        page.contains("${secret:KEY}") || page.contains("FORGE_KEY"),
        "{page}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn planted_secret_stays_in_its_own_file() {
    let env = TestEnv::new("planted");
    // The secret is in the environment, the arguments and the stderr of this member.
    env.member("forge")
        .stdio()
        .args(["--stderr-line", "my key is ${secret:KEY}, I said"])
        .env("FORGE_KEY", "${secret:KEY}")
        .write();
    // One member prints the secret when it ends. The other has the secret in a header that is
    // rejected.
    env.member("broken")
        .stdio()
        .args([
            "--stderr-line",
            "can't open ${secret:KEY}",
            "--exit-at-once",
            "3",
        ])
        .manifest(json!({"restart": "never"}))
        .write();
    // This member repeats the secret in every description of itself.
    env.member("parrot")
        .stdio()
        .args(["--parrot", "PARROT_KEY"])
        .env("PARROT_KEY", "${secret:KEY}")
        .write();
    let elsewhere = json!({
        "name": "elsewhere",
        "version": "1.0.0",
        "transport": "http",
        "url": "http://127.0.0.1:9/mcp",
        "headers": {"Authorization": "Bearer ${secret:KEY}"},
    });
    let folder = env.members_dir().join("elsewhere");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("plugin.json"), elsewhere.to_string()).expect("written");

    let keychain = Arc::new(FakeKeychain::default());
    let options = GuildHallOptions {
        keychain: KeychainChoice::Custom(keychain.clone(), LIMIT),
        ..env.options()
    };
    let mut open = env.open_with(options).await;
    let mut subscription = HallEvents::of(&open.hall);
    let kept = open
        .hall
        .set_secret(SetSecret {
            name: "KEY".to_owned(),
            value: PLANTED.to_owned(),
            place: None,
        })
        .await
        .expect("kept");
    assert_eq!(kept.place, SecretPlace::Keychain);
    open.hall.start_all().settled().await;
    open.status("forge", Status::Ready).await;
    let failed = open.status("broken", Status::Error).await;
    assert!(
        failed
            .error
            .expect("why")
            .message
            .contains("can't open •••")
    );

    // The secret is in the arguments, and in the result that repeats them.
    let arguments = json!({"text": format!("<{PLANTED}>"), "token": PLANTED}).to_string();
    open.outcome("forge", "echo", &arguments).await;
    // The error repeats the name of the requested tool.
    let report = open.refusal("forge", &format!("no {}", "such"), "{}").await;
    assert!(!has_it(report.to_string().as_bytes()), "{report}");
    open.outcome("elsewhere", "anything", &arguments).await;
    let report = open.refusal("parrot", "parrot", "{}").await;
    assert!(report.message.contains("It went wrong: •••"), "{report}");
    agents_get_no_secret(&open.hall).await;
    open.hall.history().settled().await.expect("written");

    let detail = open
        .hall
        .member_detail(&name("forge"))
        .await
        .expect("a member");
    let said: Vec<&str> = detail
        .stderr
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    assert!(
        said.iter()
            .any(|line| line.contains("my key is •••, I said")),
        "{said:?}"
    );
    assert!(!has_it(
        serde_json::to_string(&detail).expect("JSON").as_bytes()
    ));
    let secrets = open.hall.secrets().await;
    assert_eq!(secrets.secrets[0].members.len(), 4, "{secrets:#?}");
    assert!(!has_it(format!("{secrets:?}").as_bytes()));
    let parrot = open.hall.member_detail(&name("parrot")).await;
    let parrot = serde_json::to_string(&parrot.expect("a member")).expect("JSON");
    assert!(parrot.contains("fixture •••") && !has_it(parrot.as_bytes()));
    let cache = env.members_dir().join("parrot/tools-cache.json");
    // The cache is written concurrently with calls.
    let cache = eventually(LIMIT, "the tools are kept", || {
        std::fs::read_to_string(&cache).ok()
    })
    .await;
    assert!(cache.contains("It is said: •••"), "{cache}");
    let roster = serde_json::to_string(&open.hall.roster()).expect("JSON");
    assert!(!has_it(roster.as_bytes()), "{roster}");

    open.close().await;
    let mut events = 0;
    // All events were sent before, and there are too few to be dropped.
    while let Some(Some(envelope)) = subscription.next().now_or_never() {
        let text = serde_json::to_string(&*envelope).expect("JSON");
        assert!(!has_it(text.as_bytes()), "{text}");
        events += 1;
    }
    assert!(events > 10, "only {events} events were told");
    assert_eq!(
        files_where(&env.members_dir(), has_it),
        [] as [std::path::PathBuf; 0]
    );
    assert_eq!(
        files_where(&env.data_dir(), has_it),
        [] as [std::path::PathBuf; 0]
    );
    assert_eq!(keychain.get("KEY"), Ok(Some(PLANTED.to_owned())));
}

/// Checks that agents' lists and errors do not contain the secret in any encoding.
async fn agents_get_no_secret(hall: &GuildHall) {
    let agent = HttpClient::new(&open_gateway(hall).await);
    let listed = agent
        .result("/mcp", "tools/list", json!({"lazy": false}))
        .await;
    let parrot = listed["tools"].as_array().expect("tools").iter();
    let parrot = parrot.clone().find(|tool| tool["name"] == "parrot__parrot");
    let parrot = parrot.expect("it is listed");
    assert_eq!(parrot["description"], "It is said: •••");
    let key = &parrot["inputSchema"]["properties"]["key"];
    assert_eq!(key["title"], "It is said: •••");
    assert!(key.get("default").is_none(), "its own default: {key}");
    assert!(!has_it(listed.to_string().as_bytes()), "{listed}");

    let call = |name: &str| json!({"name": name, "arguments": {}});
    let failed = agent
        .ask("/mcp", "tools/call", call("parrot__parrot"))
        .await;
    assert!(
        failed["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains("It went wrong: •••")),
        "{failed}"
    );
    assert_eq!(
        failed["error"]["data"],
        json!({"words": "It went wrong: •••"})
    );
    for (path, method, params) in [
        ("/mcp", "tools/call", call("broken__add")),
        ("/mcp", "tools/call", call("forge__none")),
        ("/members/broken/mcp", "prompts/list", json!({})),
        ("/members/parrot/mcp", "tools/call", call("parrot")),
        ("/members/parrot/mcp", "tools/list", json!({})),
        ("/members/parrot/mcp", "resources/read", json!({"uri": "x"})),
        ("/members/parrot/mcp", "prompts/get", json!({"name": "x"})),
        (
            "/mcp",
            "tools/call",
            json!({"name": "tools_describe", "arguments": {"name": "parrot__parrot"}}),
        ),
    ] {
        let answer = agent.ask(path, method, params).await;
        assert!(!has_it(answer.to_string().as_bytes()), "{method}: {answer}");
    }
}

/// Creates a bug report. Returns it, and the text of its files.
async fn bundled(hall: &GuildHall, env: &TestEnv) -> (Bundled, String) {
    let file = env.members_dir().with_file_name("bundle.tar.gz");
    let path = file.display().to_string();
    let written = hall.write_bundle(WriteBundle { path }).await;
    let written = written.expect("written");
    let packed = std::fs::File::open(file).expect("the bundle");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed)
        .read_to_end(&mut bytes)
        .expect("unpacked");
    (written, String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn later_secret_is_redacted_in_old_logs() {
    let env = TestEnv::new("an old log");
    env.member("forge")
        .stdio()
        .args([
            "--stderr-line",
            &format!("your new key is {PLANTED}, keep it"),
        ])
        .write();
    let options = |keychain: Arc<dyn Keychain>, limit: Duration| GuildHallOptions {
        keychain: KeychainChoice::Custom(keychain, limit),
        ..env.options()
    };
    let keychain = Arc::new(FakeKeychain::default());
    let mut open = env.open_with(options(keychain.clone(), LIMIT)).await;
    open.hall.start_all().settled().await;
    open.status("forge", Status::Ready).await;
    let secret = SetSecret {
        name: "KEY".to_owned(),
        value: PLANTED.to_owned(),
        place: Some(SecretPlace::Keychain),
    };
    open.hall.set_secret(secret).await.expect("kept");
    open.close().await;
    let log = env.data_dir().join("logs/forge.log");
    assert_eq!(
        files_where(&env.data_dir(), has_it),
        [log],
        "it is its user's"
    );

    // This hall starts no member, so it hands out no secret before the bug report.
    let open = env.open_with(options(keychain, LIMIT)).await;
    let (bundle, text) = bundled(&open.hall, &env).await;
    assert!(bundle.left_out.is_empty(), "{:?}", bundle.left_out);
    assert!(text.contains("your new key is •••, keep it"), "{text}");
    assert!(!has_it(text.as_bytes()), "{text}");
    open.close().await;

    // A hall with a locked keychain.
    let soon = Duration::from_millis(300);
    let open = env.open_with(options(Arc::new(Locked), soon)).await;
    let (bundle, text) = bundled(&open.hall, &env).await;
    assert!(
        bundle
            .left_out
            .iter()
            .any(|what| what.contains("the keychain did not answer")),
        "{:?}",
        bundle.left_out
    );
    let names: Vec<_> = bundle.files.iter().map(|file| file.name.as_str()).collect();
    let free = |name: &&str| name.starts_with("logs/") || name.starts_with("manifests/");
    assert!(!names.iter().any(free), "{names:?}");
    assert!(names.contains(&"state/members.json"), "{names:?}");
    assert!(text.contains("not in it: logs"), "{text}");
    assert!(!has_it(text.as_bytes()), "{text}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_keeps_a_secret_in_its_file_and_says_it_nowhere() {
    let cli = CliHarness::new("secret command").await;
    cli.env
        .member("forge")
        .stdio()
        .args(["--stderr-line", "my key is ${secret:KEY}"])
        .write();
    let ended = cli.run(&["call", "forge", "echo", "--args", "{}"]).await;
    assert!(ended.stderr.contains("secret-missing"), "{ended:#?}");
    assert!(
        ended.stderr.contains("guildhall secret set KEY"),
        "{ended:#?}"
    );

    let mut command = cli.command(&["secret", "set", "KEY", "--place", "file"]);
    let value = cli.env.data_dir().join("value");
    std::fs::write(&value, format!("{PLANTED}\n")).expect("written");
    command.stdin(std::fs::File::open(&value).expect("opened"));
    let ended = cli.ended(command).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(!has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()));
    std::fs::remove_file(&value).expect("removed");

    let listed = cli.run(&["secret", "list"]).await;
    assert_eq!(listed.stdout, "file      KEY\n");
    let ended = cli
        .run(&["call", "forge", "echo", "--args", r#"{"text":"hello"}"#])
        .await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(
        !has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()),
        "{ended:#?}"
    );
    let ended = cli
        .run(&["call", "forge", "no-such-tool", "--args", "{}", "--json"])
        .await;
    assert!(
        !has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()),
        "{ended:#?}"
    );
    assert_eq!(
        files_where(&cli.env.data_dir(), has_it),
        [cli.env.data_dir().join("secrets.json")]
    );
    let removed = cli.run(&["secret", "remove", "KEY"]).await;
    assert_eq!(removed.code, Some(0), "{removed:#?}");
    assert_eq!(
        files_where(&cli.env.data_dir(), has_it),
        [] as [std::path::PathBuf; 0]
    );
    let ended = cli.run(&["secret", "set", "A B"]).await;
    assert_eq!(ended.code, Some(2), "{ended:#?}");
    assert!(ended.stderr.contains("secret-refused"), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_with_a_secret_variable_starts() {
    let cli = CliHarness::new("secret variable").await;
    cli.env
        .member("forge")
        .args(["--stderr-line", "my key is ${env:FORGE_TOKEN}"])
        .env("KEY", "${env:FORGE_TOKEN}")
        .write();
    let mut command = cli.command(&["call", "forge", "echo", "--args", "{}"]);
    command.env("FORGE_TOKEN", "planted-Zq7-variable");
    let ended = cli.ended(command).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let logged = cli.run(&["logs", "forge"]).await;
    assert!(logged.stdout.contains("my key is •••"), "{logged:#?}");
    assert!(files_where(&cli.env.data_dir(), has_it).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_keychain_fails_only_its_member() {
    let env = TestEnv::new("locked keychain");
    env.member("waiting")
        .stdio()
        .env("KEY", "${secret:FORGE_KEY}")
        .write();
    env.member("neighbour").stdio().write();
    let options = GuildHallOptions {
        keychain: KeychainChoice::Custom(Arc::new(Locked), Duration::from_secs(8)),
        ..env.options()
    };
    let mut open = env.open_with(options).await;
    let started = open.hall.start_all();
    // This member is ready while the other one still waits for the keychain.
    open.status("neighbour", Status::Ready).await;
    assert_eq!(open.view("waiting").status, Status::Starting);
    started.settled().await;
    let report = open.view("waiting").error.expect("why");
    assert_eq!(report.code, Code::KeychainUnanswered);
    assert!(report.message.contains("FORGE_KEY"), "{report}");
    assert_eq!(report.member, Some(name("waiting")));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_waits_for_the_keychain_is_stopped_at_once() {
    let env = TestEnv::new("stopped while waiting");
    env.member("waiting")
        .stdio()
        .env("KEY", "${secret:FORGE_KEY}")
        .write();
    let options = GuildHallOptions {
        keychain: KeychainChoice::Custom(Arc::new(Locked), 2 * LIMIT),
        ..env.options()
    };
    let mut open = env.open_with(options).await;
    let _started = open.hall.start_all();
    open.status("waiting", Status::Starting).await;
    let begun = std::time::Instant::now();
    open.hall
        .stop_member(&name("waiting"))
        .await
        .expect("stopped");
    assert!(begun.elapsed() < LIMIT);
    open.close().await;
}
