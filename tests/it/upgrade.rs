//! The data folder of an earlier version opens with all its content. The folder of a later version
//! is rejected unchanged. `tests/data/upgrade` has folders that released versions have written.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::guildhall::{CliHarness, Ended};
use crate::invariants::root;

/// Copies a folder. Only the owner can read the files, as in a folder that Guild Hall writes.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("listed") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => {
                fs::copy(&path, &target).expect("copied");
                fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).expect("private");
            }
        }
    }
}

/// Returns the content of all files in a folder, by path.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(found.insert(path.clone(), fs::read(&path).expect("read"))),
            }
        }
    }
    found
}

/// A copy of the folder that version 0.1.0 wrote.
struct OldData {
    program: CliHarness,
}

impl OldData {
    async fn new(test: &str) -> Self {
        let program = CliHarness::new(test).await;
        let folder = root().join("tests/data/upgrade/0.1.0");
        copy(&folder, &program.env.data_dir());
        Self { program }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.program.env.data_dir().join(name)
    }

    /// Runs a command with the data folder. The members folder is inside it, as by default.
    async fn run(&self, words: &[&str]) -> Ended {
        let mut command = self.program.bare(words);
        command.arg("--data").arg(self.program.env.data_dir());
        self.program.ended(command).await
    }

    async fn json(&self, words: &[&str]) -> Value {
        let mut words = words.to_vec();
        words.push("--json");
        let ended = self.run(&words).await;
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        let values = ended
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        Value::Array(values.collect())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn data_of_0_1_0_opens_with_everything() {
    let old = OldData::new("data of 0.1.0").await;
    // A call opens all data, and adds a record.
    let call = [
        "call",
        "playground",
        "echo",
        "--args",
        r#"{"message":"after"}"#,
    ];
    let called = old.run(&call).await;
    assert_eq!(called.code, Some(0), "{called:#?}");

    let members = old.json(&["list"]).await.to_string();
    for member in ["clock", "notes", "playground", "scales"] {
        assert!(
            members.contains(&format!(r#""name":"{member}""#)),
            "{members}"
        );
    }
    let history = old.json(&["history"]).await.to_string();
    for call in [
        "kept in the history",
        "after",
        r#""member":"scales","tool":"weigh""#,
    ] {
        assert!(history.contains(call), "{call}: {history}");
    }
    let tools = old.run(&["tools", "--details"]).await.stdout;
    for tool in [
        "playground/fail  deny (set by hand)",
        "notes/write_note  ask (set by hand)",
        "scales/weigh  allow",
    ] {
        assert!(tools.contains(tool), "{tool}: {tools}");
    }
    let profile = old
        .run(&["tools", "--details", "--profile", "writing"])
        .await;
    assert_eq!(profile.code, Some(0), "{profile:#?}");
    let review = old.run(&["review", "scales"]).await.stdout;
    assert!(review.contains("scales is accepted"), "{review}");
    let theme = old
        .run(&["settings", "get", "appearance.theme"])
        .await
        .stdout;
    assert_eq!(theme.trim(), "dark");
    let secrets = old.run(&["secret", "list"]).await.stdout;
    assert!(secrets.contains("forge-token"), "{secrets}");
    let clients = old.run(&["clients"]).await.stdout;
    assert!(clients.contains("Cursor"), "{clients}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newer_data_folder_is_refused_unchanged() {
    let old = OldData::new("newer data").await;
    let newer = r#"{"format": 1000, "version": "9.8.7"}"#;
    fs::write(old.file("format.json"), newer).expect("written");
    let before = contents(&old.program.env.data_dir());
    let members = old.file("guild-members").display().to_string();
    for words in [
        &["list"][..],
        &["serve"],
        &["call", "playground", "echo"],
        &["settings", "set", "appearance.theme", "light"],
        &["doctor"],
        &["list", "--members", &members],
    ] {
        let ended = old.run(words).await;
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:#?}");
        assert!(ended.stderr.contains("data-newer"), "{words:?}: {ended:#?}");
        assert!(
            ended.stderr.contains("Guild Hall 9.8.7"),
            "{words:?}: {ended:#?}"
        );
    }
    assert_eq!(contents(&old.program.env.data_dir()), before);
}
