//! A secret that is planted everywhere turns up nowhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use guild_core::Code;
use guild_core::status::Status;
use guild_core::wire::{SecretPlace, SetSecret};
use guild_engine::{Keychain, KeychainError, KeychainOf, Options};
use guild_tests::Events;
use serde_json::json;

use crate::guildhall::Desk;
use crate::house::{House, Told, name};

const PLANTED: &str = "planted-Zq7/x+9 \"end\"";

/// A keychain in memory.
#[derive(Debug, Default)]
struct Chest(Mutex<BTreeMap<String, String>>);

impl Keychain for Chest {
    fn reach(&self) -> Result<(), KeychainError> {
        Ok(())
    }
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        Ok(self.0.lock().expect("whole").get(name).cloned())
    }
    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError> {
        let mut kept = self.0.lock().expect("whole");
        kept.insert(name.to_owned(), value.to_owned());
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.0.lock().expect("whole").remove(name);
        Ok(())
    }
}

/// A keychain that nobody unlocks.
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

/// The ways in which a text is written down.
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

/// Every file below a folder that has the secret in it.
fn files_with_it(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).is_ok_and(|bytes| has_it(&bytes)) {
                found.push(path);
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_planted_secret_is_in_no_event_no_error_no_log_and_no_file_but_its_own() {
    let house = House::new("planted");
    // In its environment, its arguments and its stderr.
    house
        .member("forge")
        .stdio()
        .args(["--stderr-line", "my key is ${secret:KEY}, I said"])
        .env("FORGE_KEY", "${secret:KEY}")
        .write();
    // One that ends with it on its lips, and one that is refused a header that has it.
    house
        .member("broken")
        .stdio()
        .args([
            "--stderr-line",
            "can't open ${secret:KEY}",
            "--exit-at-once",
            "3",
        ])
        .manifest(json!({"restart": "never"}))
        .write();
    let elsewhere = json!({
        "name": "elsewhere",
        "version": "1.0.0",
        "transport": "http",
        "url": "http://127.0.0.1:9/mcp",
        "headers": {"Authorization": "Bearer ${secret:KEY}"},
    });
    let folder = house.members_dir().join("elsewhere");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("plugin.json"), elsewhere.to_string()).expect("written");

    let chest = Arc::new(Chest::default());
    let options = Options {
        ports: Some(house.ports()),
        keychain: KeychainOf::This(chest.clone(), Duration::from_secs(5)),
        ..Options::default()
    };
    let mut open = house.open_with(options).await;
    let mut told = Told::of(&open.hall);
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

    // In arguments and in the result that repeats them.
    let arguments = json!({"text": format!("<{PLANTED}>"), "token": PLANTED}).to_string();
    open.outcome("forge", "echo", &arguments).await;
    // In an error that names what was asked for.
    let report = open.refusal("forge", &format!("no {}", "such"), "{}").await;
    assert!(!has_it(report.to_string().as_bytes()), "{report}");
    open.outcome("elsewhere", "anything", &arguments).await;
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
    assert_eq!(secrets.secrets[0].members.len(), 3, "{secrets:#?}");
    assert!(!has_it(format!("{secrets:?}").as_bytes()));
    let roster = serde_json::to_string(&open.hall.roster()).expect("JSON");
    assert!(!has_it(roster.as_bytes()), "{roster}");

    open.close().await;
    let mut events = 0;
    // All has been told by now, and less than a listener may be behind.
    while let Some(Some(envelope)) = told.next().now_or_never() {
        let text = serde_json::to_string(&*envelope).expect("JSON");
        assert!(!has_it(text.as_bytes()), "{text}");
        events += 1;
    }
    assert!(events > 10, "only {events} events were told");
    assert_eq!(
        files_with_it(&house.members_dir()),
        [] as [std::path::PathBuf; 0]
    );
    assert_eq!(
        files_with_it(&house.data_dir()),
        [] as [std::path::PathBuf; 0]
    );
    assert_eq!(chest.0.lock().expect("whole")["KEY"], PLANTED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_keeps_a_secret_in_its_file_and_says_it_nowhere() {
    let desk = Desk::new("secret command").await;
    desk.house
        .member("forge")
        .stdio()
        .args(["--stderr-line", "my key is ${secret:KEY}"])
        .write();
    let ended = desk.run(&["call", "forge", "echo", "--args", "{}"]).await;
    assert!(ended.stderr.contains("secret-missing"), "{ended:#?}");
    assert!(
        ended.stderr.contains("guildhall secret set KEY"),
        "{ended:#?}"
    );

    let mut command = desk.command(&["secret", "set", "KEY", "--place", "file"]);
    let value = desk.house.data_dir().join("value");
    std::fs::write(&value, format!("{PLANTED}\n")).expect("written");
    command.stdin(std::fs::File::open(&value).expect("opened"));
    let ended = desk.ended(command).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(!has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()));
    std::fs::remove_file(&value).expect("removed");

    let listed = desk.run(&["secret", "list"]).await;
    assert_eq!(listed.stdout, "file      KEY\n");
    let ended = desk
        .run(&["call", "forge", "echo", "--args", r#"{"text":"hello"}"#])
        .await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(
        !has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()),
        "{ended:#?}"
    );
    let ended = desk
        .run(&["call", "forge", "no-such-tool", "--args", "{}", "--json"])
        .await;
    assert!(
        !has_it(ended.stdout.as_bytes()) && !has_it(ended.stderr.as_bytes()),
        "{ended:#?}"
    );
    assert_eq!(
        files_with_it(&desk.house.data_dir()),
        [desk.house.data_dir().join("secrets.json")]
    );
    let removed = desk.run(&["secret", "remove", "KEY"]).await;
    assert_eq!(removed.code, Some(0), "{removed:#?}");
    assert_eq!(
        files_with_it(&desk.house.data_dir()),
        [] as [std::path::PathBuf; 0]
    );
    let ended = desk.run(&["secret", "set", "A B"]).await;
    assert_eq!(ended.code, Some(2), "{ended:#?}");
    assert!(ended.stderr.contains("secret-refused"), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_keychain_fails_its_member_alone_by_name_and_delays_nobody() {
    let house = House::new("locked keychain");
    house
        .member("waiting")
        .stdio()
        .env("KEY", "${secret:FORGE_KEY}")
        .write();
    house.member("neighbour").stdio().write();
    let options = Options {
        ports: Some(house.ports()),
        keychain: KeychainOf::This(Arc::new(Locked), Duration::from_millis(1_500)),
        ..Options::default()
    };
    let mut open = house.open_with(options).await;
    let started = open.hall.start_all();
    // It is up while the other still waits.
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
    let house = House::new("stopped while waiting");
    house
        .member("waiting")
        .stdio()
        .env("KEY", "${secret:FORGE_KEY}")
        .write();
    let options = Options {
        ports: Some(house.ports()),
        keychain: KeychainOf::This(Arc::new(Locked), Duration::from_secs(60)),
        ..Options::default()
    };
    let mut open = house.open_with(options).await;
    let _started = open.hall.start_all();
    open.status("waiting", Status::Starting).await;
    let begun = std::time::Instant::now();
    open.hall
        .stop_member(&name("waiting"))
        .await
        .expect("stopped");
    assert!(begun.elapsed() < Duration::from_secs(5));
    open.close().await;
}
