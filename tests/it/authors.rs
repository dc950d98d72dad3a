//! The samples for writing a member, one for each of four languages. Each is created with
//! `guildhall add new`, started, called, and checked by its own examples.
//!
//! `cargo xtask test --only set-up` installs their dependencies, in the versions that they name.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use guild_api::wire::{CallEnd, CreateMember, LaunchTrust, TemplateLanguage};
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::Nonce;
use serde_json::{Value, json};

use crate::guildhall::{CliHarness, guildhall_bin};
use crate::real_servers::installed;
use crate::test_env::{json, name, request, text};

const MEMBER: &str = "words";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Creates a member, and tries it. `lay` writes the dependencies that the member's set-up would
/// install.
async fn tried(language: &str, lay: impl Fn(&Path)) {
    let cli = CliHarness::new(&format!("a member in {language}")).await;
    let begun = cli
        .run(&["add", "new", MEMBER, "--from", language, "--json"])
        .await;
    let begun = begun.json(0);
    let folder = cli.env.members_dir().join(MEMBER);
    assert_eq!(begun["folder"], json!(folder), "{begun:#}");
    lay(&folder);
    marked(&folder, &cli.env.nonce);

    let mut open = cli.env.started().await;
    let view = open.view(MEMBER);
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    assert_eq!(
        (view.freshness, &view.error, &view.warnings[..]),
        (Freshness::Live, &None, &[][..])
    );
    let listed = open.hall.member_tools(&view.name).expect("its tools");
    assert_eq!(listed.problems, []);
    let mut names: Vec<_> = listed.tools.iter().map(|tool| tool.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["count_down", "count_words"]);
    for tool in &listed.tools {
        assert_eq!(tool.hints.read_only, Some(true), "{tool:#?}");
        let detail = open.hall.tool_detail(&view.name, &tool.name);
        let detail = detail.expect("the tool");
        assert_eq!(detail.schema_notes, [""; 0]);
        assert!(!detail.description.is_empty());
    }

    let counted = open
        .result(MEMBER, "count_words", r#"{"text":"fire und Öl"}"#)
        .await;
    assert_eq!(
        counted["structuredContent"],
        json!({"words": 3, "letters": 9}),
        "letters, not bytes: {counted:#}"
    );
    let outcome = open.outcome(MEMBER, "count_words", r#"{"text":" "}"#).await;
    let CallEnd::Result { result, is_error } = outcome.end else {
        panic!("a tool's own failure is a result: {:#?}", outcome.end);
    };
    assert!(
        is_error && result.contains("The text contains no words."),
        "{result}"
    );

    let slowly = request(MEMBER, "count_down", r#"{"start":4,"pause_ms":20}"#);
    let progress = open.progress_of(slowly).await;
    assert!(!progress.is_empty(), "it says how far it is");
    assert!(
        progress.windows(2).all(|pair| pair[0].0 < pair[1].0),
        "{progress:?}"
    );
    assert!(
        progress.iter().all(|(_, total)| *total == Some(4.0)),
        "{progress:?}"
    );
    let done = open.result(MEMBER, "count_down", r#"{"start":1,"pause_ms":0}"#);
    assert_eq!(text(&done.await), "Counted down from 1.");
    open.close().await;

    let checked = cli.run(&["dev", "--once", MEMBER, "--json"]).await;
    let checked = checked.json(0);
    assert_eq!(
        (&checked["passed"], &checked["failed"]),
        (&json!(3), &json!(0)),
        "{checked:#}"
    );
}

/// Marks the member's processes as processes of this test, and raises its time limits for a busy
/// machine.
fn marked(folder: &Path, nonce: &Nonce) {
    let file = folder.join("plugin.json");
    let mut manifest = json(&file);
    manifest["env"] = json!({Nonce::VARIABLE: nonce.as_str()});
    manifest["timeouts"] = json!({"start_ms": 120_000, "call_ms": 120_000});
    fs::write(file, manifest.to_string()).expect("written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_in_python() {
    tried("python", |folder| {
        let wanted = fs::read_to_string(folder.join("requirements.txt")).expect("read");
        let here = fs::read_to_string(repository().join("tests/servers/requirements.txt"));
        let here = here.expect("what is installed");
        for line in wanted.lines() {
            assert!(here.lines().any(|one| one == line), "{line} is installed");
        }
        symlink(installed("venv"), folder.join(".venv")).expect("linked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_in_typescript() {
    tried("typescript", |folder| {
        let modules = folder.join("node_modules");
        fs::create_dir_all(modules.join("@types")).expect("made");
        let ui = repository().join("ui/node_modules");
        for entry in fs::read_dir(installed("node_modules")).expect("listed") {
            let package = entry.expect("an entry").path();
            let place = modules.join(package.file_name().expect("a name"));
            // The sample's types come from the UI's packages, like its compiler.
            if !place.ends_with("@types") {
                symlink(&package, place).expect("linked");
            }
        }
        for package in ["typescript", "@types/node"] {
            symlink(ui.join(package), modules.join(package)).expect("linked");
        }
        same_versions(folder);
        let built = Command::new("node")
            .arg("node_modules/typescript/bin/tsc")
            .current_dir(folder)
            .output();
        let built = built.expect("node runs");
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stdout)
        );
    })
    .await;
}

/// Checks that the sample names the versions that are installed.
fn same_versions(folder: &Path) {
    let named = json(&folder.join("package.json"));
    for kind in ["dependencies", "devDependencies"] {
        for (package, version) in named[kind].as_object().expect("packages") {
            let file = format!("node_modules/{package}/package.json");
            let here: Value = json(&folder.join(file));
            assert_eq!(&here["version"], version, "{package}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_in_rust() {
    // This program is built beside the other programs, from the same files that the member begins
    // with.
    let program = guildhall_bin().with_file_name("words");
    assert!(
        program.is_file(),
        "{} is not there; build it: cargo build --manifest-path docs/samples/rust/Cargo.toml \
         --target-dir target",
        program.display()
    );
    tried("rust", |folder| {
        let place = folder.join("target/release");
        fs::create_dir_all(&place).expect("made");
        symlink(&program, place.join("words")).expect("linked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_in_shell() {
    tried("shell", |_| ()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_taken_or_is_none_begins_nothing() {
    let cli = CliHarness::new("a member that is not begun").await;
    let first = cli.run(&["add", "new", MEMBER, "--from", "shell"]).await;
    assert_eq!(first.code, Some(0), "{first:#?}");
    assert!(first.stdout.contains("guildhall dev words"), "{first:#?}");
    let again = cli.run(&["add", "new", MEMBER, "--from", "python"]).await;
    assert_eq!(again.code, Some(2), "{again:#?}");
    assert!(again.stderr.contains("already"), "{again:#?}");
    let none = cli
        .run(&["add", "new", "../words", "--from", "shell"])
        .await;
    assert_eq!(none.code, Some(2), "{none:#?}");
    let entries = fs::read_dir(cli.env.members_dir()).expect("listed");
    let names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, [MEMBER], "nothing else was written");
}

/// Returns the texts of all files below a folder, by their relative paths.
fn files_of(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inner = path.strip_prefix(folder).expect("below it").to_owned();
            files.insert(inner, fs::read_to_string(&path).expect("read"));
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hall_and_command_create_equal_members() {
    let cli = CliHarness::new("a member begun in a hall").await;
    let open = cli.env.open().await;
    let templates = open.hall.beginnings().beginnings;
    let all: Vec<_> = templates.iter().map(|one| one.from).collect();
    assert_eq!(all, TemplateLanguage::ALL);
    // These members can start only after their set-up has run.
    for one in templates.iter().filter(|one| !one.set_up.is_empty()) {
        let language = one.from.as_str();
        let called = format!("in-{language}");
        let member = name(&called);
        let from = one.from;
        let begun = open.hall.begin_member(CreateMember { member, from }).await;
        let begun = begun.expect("begun");
        let folder = cli.env.members_dir().join(&called);
        assert_eq!(begun.folder, folder.display().to_string());
        assert_eq!(begun.set_up, one.set_up);
        let view = open.view(&called);
        assert_eq!(view.trust.launch, LaunchTrust::Own, "{view:#?}");

        let elsewhere = tempfile::tempdir().expect("a folder");
        let members_dir = elsewhere.path().to_str().expect("a path");
        let words = [
            "add",
            "new",
            &called,
            "--from",
            language,
            "--members",
            members_dir,
        ];
        let ran = cli.output(cli.bare(&words)).await;
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let made = files_of(&elsewhere.path().join(&called));
        let mut files = one.files.clone();
        files.sort_unstable();
        let paths: Vec<_> = made.keys().map(|path| path.display().to_string()).collect();
        assert_eq!(paths, files);
        for (path, text) in made {
            let here = fs::read_to_string(folder.join(&path)).expect("read");
            assert_eq!(here, text, "{}", path.display());
        }
    }
    let member = name("IN-RUST");
    let from = TemplateLanguage::Rust;
    let taken = open.hall.begin_member(CreateMember { member, from }).await;
    assert_eq!(taken.expect_err("refused").code, Code::DuplicateName);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn explain_prints_what_a_code_means() {
    let cli = CliHarness::new("explained").await;
    let explained = cli.run(&["doctor", "explain", "call-timeout"]).await;
    assert_eq!(explained.code, Some(0), "{explained:#?}");
    assert!(
        explained.stdout.starts_with("call-timeout\n\nCause. "),
        "{explained:#?}"
    );
    assert!(explained.stdout.contains("\nFix. "), "{explained:#?}");
    let all = cli.run(&["doctor", "explain", "--json"]).await.json(0);
    let codes = all.as_array().expect("a list");
    assert_eq!(codes.len(), guild_model::Code::ALL.len());
    let unknown = cli.run(&["doctor", "explain", "call-timeuot"]).await;
    assert_eq!(unknown.code, Some(2), "{unknown:#?}");
    assert!(unknown.stderr.contains("call-timeout"), "{unknown:#?}");
}
