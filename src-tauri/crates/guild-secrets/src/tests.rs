use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use futures::FutureExt;
use guild_api::wire::{KeychainState, SecretPlace, SecretRef, SetSecret};
use guild_process::environment::ShellQueryOptions;

use guild_model::Code;

use super::*;

/// A keychain in memory.
#[derive(Debug, Default)]
struct Chest(Mutex<BTreeMap<String, String>>);

impl Chest {
    fn kept(&self) -> BTreeMap<String, String> {
        self.0.lock().clone()
    }
}

impl Keychain for Chest {
    fn reach(&self) -> Result<(), KeychainError> {
        Ok(())
    }
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        Ok(self.kept().get(name).cloned())
    }
    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError> {
        let mut kept = self.0.lock();
        kept.insert(name.to_owned(), value.to_owned());
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.0.lock().remove(name);
        Ok(())
    }
}

/// A keychain that waits for a password and never gets one. It counts the requests.
#[derive(Debug)]
struct Locked {
    asked: Sender<String>,
    forever: Mutex<Receiver<()>>,
}

impl Locked {
    fn new() -> (Self, Receiver<String>, Sender<()>) {
        let (asked, who) = channel();
        let (opens, forever) = channel();
        let forever = Mutex::new(forever);
        (Self { asked, forever }, who, opens)
    }

    fn hang(&self, name: &str) {
        let _ = self.asked.send(name.to_owned());
        let _ = self.forever.lock().recv();
    }
}

impl Keychain for Locked {
    fn reach(&self) -> Result<(), KeychainError> {
        Ok(())
    }
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        self.hang(name);
        Ok(Some("opened at last".to_owned()))
    }
    fn set(&self, name: &str, _value: &str) -> Result<(), KeychainError> {
        self.hang(name);
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.hang(name);
        Ok(())
    }
}

/// A system without a keychain.
#[derive(Debug)]
struct Nowhere;

impl Nowhere {
    fn absent() -> KeychainError {
        KeychainError::Absent("no bus".to_owned())
    }
}

impl Keychain for Nowhere {
    fn reach(&self) -> Result<(), KeychainError> {
        Err(Self::absent())
    }
    fn get(&self, _name: &str) -> Result<Option<String>, KeychainError> {
        Err(Self::absent())
    }
    fn set(&self, _name: &str, _value: &str) -> Result<(), KeychainError> {
        Err(Self::absent())
    }
    fn remove(&self, _name: &str) -> Result<(), KeychainError> {
        Err(Self::absent())
    }
}

/// The time limit of a keychain: enough for a working one on a busy machine.
const ANSWERS: Duration = Duration::from_secs(1);

fn values(folder: &tempfile::TempDir, keychain: Option<Arc<dyn Keychain>>) -> SecretResolver {
    let client = keychain.and_then(|keychain| KeychainChoice::Custom(keychain, ANSWERS).client());
    SecretResolver::new(folder.path().to_owned(), client, Environment::default())
}

fn launch(secret: &str) -> Launch {
    Launch::Command {
        command: "run".to_owned(),
        args: vec![],
        env: [("TOKEN".to_owned(), format!("${{secret:{secret}}}"))].into(),
        cwd: None,
    }
}

fn set(name: &str, value: &str) -> SetSecret {
    SetSecret {
        name: name.to_owned(),
        value: value.to_owned(),
        place: None,
    }
}

async fn given(values: &SecretResolver, name: &str) -> Result<Option<String>, Report> {
    let given = values.for_start(&launch(name)).await?;
    Ok(given.secret(name))
}

#[test]
fn a_variable_that_tells_of_a_secret_is_one_from_then_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = values(&folder, None);
    values.note_variable("FORGE_API_KEY", "planted");
    values.note_variable("FORGE_API_KEY", "planted-later");
    values.note_variable("LANG", "C.UTF-8");
    let known = values.known();
    assert!(known.iter().eq(["planted", "planted-later"]), "{known:?}");
}

#[test]
fn headers_beside_a_command_are_in_bundle_masks() {
    let manifest = serde_json::json!({
        "name": "forge", "version": "1.0.0", "transport": "http", "command": "run",
        "headers": {"Authorization": "Bearer planted-header"},
    });
    let parsed = guild_model::manifest::parse(manifest.to_string().as_bytes(), "plugin.json");
    let manifest = parsed.manifest.expect("a manifest");
    let folder = tempfile::tempdir().expect("a folder");
    let secrets = values(&folder, None).of_manifests([&manifest].into_iter());
    assert!(secrets.contains("planted-header"), "{secrets:?}");
}

#[test]
fn secret_is_known_after_a_thousand_other_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = values(&folder, None);
    let many = (0..1_001).map(|number| format!("looks-secret-{number:04}"));
    values.add(|received| received.add_others(many));
    values.remember("planted-secret");
    let mut text = "it is planted-secret, looks-secret-1000".to_owned();
    values.redactor().hide_in(&mut text);
    assert!(!text.contains("secret"), "{text}");
}

#[tokio::test]
async fn start_without_shell_variables_does_not_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let shell = folder.path().join("hangs");
    std::fs::write(&shell, "#!/bin/sh\nexec sleep 1000\n").expect("written");
    std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).expect("set");
    let environment = Environment::ask(ShellQueryOptions {
        shell: Some(shell),
        limit: Duration::from_secs(1000),
        ..ShellQueryOptions::by("/nowhere")
    });
    let values = SecretResolver::new(folder.path().to_owned(), None, environment);
    let own = |arg: &str| Launch::Command {
        command: "${GUILDHALL}".to_owned(),
        args: vec![arg.to_owned()],
        env: BTreeMap::new(),
        cwd: None,
    };
    let at_once = values.for_start(&own("gallery")).now_or_never();
    let given = at_once.expect("it waits for nobody").expect("given");
    let set = vec![("A".to_owned(), "b".to_owned())];
    assert_eq!(given.variables(set.clone()), set);
    assert!(
        values
            .for_start(&own("${env:HOME}"))
            .now_or_never()
            .is_none()
    );
    assert!(values.for_start(&launch("TOKEN")).now_or_never().is_none());
}

#[tokio::test]
async fn a_secret_comes_only_from_a_file_that_nobody_else_can_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secrets.json");
    let values = values(&folder, None);
    assert_eq!(given(&values, "TOKEN").await, Ok(None));
    std::fs::write(&file, r#"{"TOKEN":"planted"}"#).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set");
    let report = given(&values, "TOKEN")
        .await
        .expect_err("others may read it");
    assert_eq!(report.code, Code::SecretsUnsafe);
    assert!(report.hint.contains("chmod 600"), "{report}");
    let refused = values.store().set(set("OTHER", "x")).await;
    assert_eq!(
        refused.expect_err("not written either").code,
        Code::SecretsUnsafe
    );
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
    assert_eq!(
        given(&values, "TOKEN").await,
        Ok(Some("planted".to_owned()))
    );
    assert!(values.known().contains("planted"));
}

#[tokio::test]
async fn malformed_secrets_file_repeats_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = values(&folder, None);
    let file = folder.path().join("secrets.json");
    std::fs::write(&file, r#"{"TOKEN": {"planted": 1}}"#).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
    let report = given(&values, "TOKEN")
        .await
        .expect_err("no object of texts");
    assert_eq!(report.code, Code::SecretsUnsafe);
    assert!(!report.to_string().contains("planted"), "{report}");
}

#[tokio::test]
async fn keychain_secret_is_in_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let chest = Arc::new(Chest::default());
    let values = values(&folder, Some(chest.clone()));
    let book = values.store();
    let kept = book.set(set("TOKEN", "planted")).await.expect("kept");
    assert_eq!((kept.place, kept.warning), (SecretPlace::Keychain, None));
    assert_eq!(chest.kept()["TOKEN"], "planted");
    for file in std::fs::read_dir(folder.path()).expect("listed") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        assert!(!text.contains("planted"), "{text}");
    }
    assert_eq!(
        given(&values, "TOKEN").await,
        Ok(Some("planted".to_owned()))
    );
    assert!(
        values.known().contains("planted"),
        "it is masked from now on"
    );
    let listed = book.names().await;
    assert_eq!(listed.keychain, KeychainState::Ready);
    assert_eq!(listed.secrets.len(), 1);
    assert_eq!(listed.secrets[0].kept, Some(SecretPlace::Keychain));
    let name = SecretRef {
        name: "TOKEN".to_owned(),
    };
    book.remove(&name).await.expect("removed");
    assert!(chest.kept().is_empty());
    assert!(book.names().await.secrets.is_empty());
    assert_eq!(given(&values, "TOKEN").await, Ok(None));
}

#[tokio::test]
async fn new_secret_is_not_hidden_by_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = values(&folder, Some(Arc::new(Chest::default())));
    let book = values.store();
    let in_file = SetSecret {
        place: Some(SecretPlace::File),
        ..set("TOKEN", "older")
    };
    let kept = book.set(in_file).await.expect("kept");
    assert_eq!(kept.place, SecretPlace::File);
    assert_eq!(given(&values, "TOKEN").await, Ok(Some("older".to_owned())));
    book.set(set("TOKEN", "newer")).await.expect("kept");
    assert_eq!(given(&values, "TOKEN").await, Ok(Some("newer".to_owned())));
}

#[tokio::test]
async fn without_a_keychain_the_file_is_used_and_a_warning_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = values(&folder, Some(Arc::new(Nowhere)));
    let book = values.store();
    let kept = book.set(set("TOKEN", "planted")).await.expect("kept");
    assert_eq!(kept.place, SecretPlace::File);
    assert!(
        kept.warning
            .expect("a warning")
            .message
            .contains("secrets.json")
    );
    let mode = std::fs::metadata(folder.path().join("secrets.json")).expect("a file");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    assert_eq!(
        given(&values, "TOKEN").await,
        Ok(Some("planted".to_owned()))
    );
    let listed = book.names().await;
    assert_eq!(listed.keychain, KeychainState::Absent);
    assert!(listed.warning.is_some());
    let in_keychain = SetSecret {
        place: Some(SecretPlace::Keychain),
        ..set("TOKEN", "planted")
    };
    let report = book.set(in_keychain).await.expect_err("there is none");
    assert_eq!(report.code, Code::KeychainUnanswered);
}

#[tokio::test]
async fn hanging_keychain_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let (locked, asked, _opens) = Locked::new();
    let values = values(&folder, Some(Arc::new(locked)));
    let begun = std::time::Instant::now();
    let report = given(&values, "FORGE_KEY").await.expect_err("no answer");
    assert_eq!(report.code, Code::KeychainUnanswered);
    assert!(report.message.contains("FORGE_KEY"), "{report}");
    assert!(begun.elapsed() < 30 * ANSWERS);
    // A secret of the file does not need a keychain.
    std::fs::write(folder.path().join("secrets.json"), r#"{"OTHER":"x"}"#).expect("written");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.path().join("secrets.json"), private).expect("set");
    assert_eq!(given(&values, "OTHER").await, Ok(Some("x".to_owned())));
    let report = values
        .store()
        .set(set("A", "x"))
        .await
        .expect_err("no answer");
    assert_eq!(report.code, Code::KeychainUnanswered);
    assert!(report.hint.contains("--place file"), "{report}");
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), ["FORGE_KEY"]);
}

#[tokio::test]
async fn a_keychain_that_is_unlocked_late_answers_the_next_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let (locked, _asked, opens) = Locked::new();
    let values = values(&folder, Some(Arc::new(locked)));
    assert!(given(&values, "KEY").await.is_err());
    drop(opens);
    assert_eq!(
        given(&values, "KEY").await,
        Ok(Some("opened at last".to_owned()))
    );
}

#[tokio::test]
async fn unusable_secret_is_refused_unrepeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = values(&folder, None).store();
    let long_name = "n".repeat(257);
    let long_value = "planted".repeat(10_000);
    for (name, value) in [
        ("", "planted"),
        ("with space", "planted"),
        ("A=B", "planted"),
        ("a}b", "planted"),
        (long_name.as_str(), "planted"),
        ("A", ""),
        ("A", "planted\0"),
        ("A", long_value.as_str()),
    ] {
        let report = book.set(set(name, value)).await.expect_err("refused");
        assert_eq!(report.code, Code::SecretRefused, "{report}");
        assert!(!report.to_string().contains("planted"), "{report}");
    }
    assert!(!format!("{:?}", set("A", "planted")).contains("planted"));
}

#[tokio::test]
async fn redactor_knows_all_secrets_or_reports_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    };
    let chest = Arc::new(Chest::default());
    let with_chest = values(&folder, Some(chest.clone()));
    let book = with_chest.store();
    book.set(set("KEPT", "kept-value")).await.expect("kept");
    chest
        .set("OTHERS", "others-value")
        .expect("by another program");
    let path = folder.path().join("secrets.json");
    std::fs::write(&path, r#"{"FILED": "filed-value"}"#).expect("written");
    // Members receive no secrets from a file that others can read, but the engine knows them
    // anyway.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("set");

    // Simulates a run in which no member received a secret.
    let used = names(&["OTHERS", "FILED", "NOWHERE"]);
    let every = values(&folder, Some(chest)).all_secrets(used.clone()).await;
    assert_eq!(
        every.values,
        names(&["filed-value", "kept-value", "others-value"])
    );
    assert_eq!(every.unknown, None);

    let (locked, _asked, _open) = Locked::new();
    for (keychain, why) in [
        (
            Some(Arc::new(locked) as Arc<dyn Keychain>),
            "did not answer",
        ),
        (Some(Arc::new(Nowhere)), "no bus"),
        (None, "not used here"),
    ] {
        let every = values(&folder, keychain).all_secrets(used.clone()).await;
        assert_eq!(every.values, names(&["filed-value"]));
        let unknown = every.unknown.expect("KEPT is not known");
        assert!(unknown.contains(why), "{unknown}");
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("set");
    book.remove(&SecretRef {
        name: "KEPT".to_owned(),
    })
    .await
    .expect("removed");
    let every = values(&folder, Some(Arc::new(Nowhere)))
        .all_secrets(used)
        .await;
    assert_eq!(every.unknown, None, "nothing was ever kept elsewhere");

    std::fs::write(&path, "{").expect("written");
    let every = values(&folder, None).all_secrets(names(&[])).await;
    let unknown = every.unknown.expect("the file is not read");
    assert!(unknown.contains("secrets.json"), "{unknown}");
}

#[test]
fn working_directory_is_not_a_secret() {
    assert!(is_secret_variable("DB_PWD") && is_secret_variable("API_TOKEN"));
    assert!(!is_secret_variable("PWD"));
}
