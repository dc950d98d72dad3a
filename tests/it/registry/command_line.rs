//! `guildhall add registry`, from the registry's answer to the running member.

use std::path::Path;

use guild_tests::fixture_bin;
use serde_json::{Value, json};
use tokio::process::Command;

use super::stand_in::{StandIn, api};
use crate::guildhall::CliHarness;

/// Returns a `guildhall` command for a user without a keychain.
fn command(cli: &CliHarness, words: &[&str]) -> Command {
    let mut command = cli.command(words);
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    command
}

/// Creates a program `npx` that runs the fixture for any package. Returns the PATH that finds it.
#[cfg(unix)]
fn with_npx(folder: &Path) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    let npx = folder.join("npx");
    let script = format!("#!/bin/sh\nexec '{}' --stdio\n", fixture_bin().display());
    std::fs::write(&npx, script).expect("written");
    std::fs::set_permissions(&npx, std::fs::Permissions::from_mode(0o755)).expect("made");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).expect("a path")
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_installs_reviews_and_runs_a_server() {
    let cli = CliHarness::new("registry-cli").await;
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("servers.json");
    std::fs::write(&list, json!([super::notes()]).to_string()).expect("written");
    let list = list.display().to_string();

    let set = cli
        .ended(command(&cli, &["settings", "set", "registry", &list]))
        .await;
    assert_eq!(set.code, Some(0), "{set:#?}");
    let found = cli
        .ended(command(&cli, &["add", "registry", "search", "keeps"]))
        .await;
    assert!(
        found.stdout.contains("com.example/notes 1.4.0"),
        "{found:#?}"
    );
    let shown = cli
        .ended(command(
            &cli,
            &["add", "registry", "show", "com.example/notes"],
        ))
        .await;
    for says in [
        "npx -y @example/notes@1.4.0",
        "asks for NOTES_TOKEN (a secret)",
        "may be given --level [\"info\"]",
    ] {
        assert!(shown.stdout.contains(says), "{says}: {shown:#?}");
    }

    let install = ["--json", "add", "registry", "install", "com.example/notes"];
    let unasked = cli.ended(command(&cli, &install)).await;
    assert_eq!(unasked.code, Some(2), "nobody can be asked: {unasked:#?}");
    let with_secret = [&install[..], &["--yes", "--set", "NOTES_TOKEN=planted"]].concat();
    let refused = cli.ended(command(&cli, &with_secret)).await;
    assert_eq!(
        refused.code,
        Some(2),
        "a secret is no word of a command: {refused:#?}"
    );
    assert!(!cli.env.members_dir().join("notes").exists());

    let answers = folder.path().join("answers.json");
    let given = json!({"NOTES_TOKEN": "planted", "NOTES_LIMIT": 7});
    std::fs::write(&answers, given.to_string()).expect("written");
    let answers = answers.display().to_string();
    let words = [
        &install[..],
        &[
            "--yes",
            "--set",
            "folder=/a",
            "--set",
            "folder=/b",
            "--inputs",
            &answers,
        ],
    ]
    .concat();
    let installed = cli.ended(command(&cli, &words)).await;
    let answer = installed.json(0);
    assert_eq!(answer["member"], "notes");
    assert_eq!(answer["secrets"], json!(["notes/NOTES_TOKEN"]));
    assert!(
        !format!("{installed:?}").contains("planted"),
        "{installed:#?}"
    );
    let manifest = std::fs::read(cli.env.members_dir().join("notes/plugin.json"));
    let manifest: Value = serde_json::from_slice(&manifest.expect("a manifest")).expect("JSON");
    assert_eq!(
        manifest["args"],
        json!(["-y", "@example/notes@1.4.0", "/a", "/b", "--level", "info"])
    );

    let path = with_npx(folder.path());
    let mut unreviewed = command(&cli, &["--json", "tools", "notes", "--wait"]);
    unreviewed.env("PATH", &path);
    let unreviewed = cli.ended(unreviewed).await.json(0);
    assert_eq!(
        unreviewed["tools"],
        json!([]),
        "it does not run: {unreviewed:#}"
    );
    let mut review = command(&cli, &["review", "notes", "--accept", "--yes"]);
    review.env("PATH", &path);
    let review = cli.ended(review).await;
    assert_eq!(review.code, Some(0), "{review:#?}");
    let mut tools = command(&cli, &["--json", "tools", "notes", "--wait"]);
    tools.env("PATH", &path);
    let tools = cli.ended(tools).await.json(0);
    let count = tools["tools"].as_array().expect("tools").len();
    assert!(count > 5, "it runs: {tools:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_prints_pages_up_to_its_limit() {
    let cli = CliHarness::new("registry-cli-pages").await;
    let registry = StandIn::new(api(120)).await;
    let url = &registry.url.clone();
    let words = ["add", "registry", "search", "server", "--source", url];
    let page = cli
        .ended(command(&cli, &[&["--json"], &words[..]].concat()))
        .await
        .json(0);
    assert_eq!(page["rows"].as_array().map(Vec::len), Some(50));
    assert_eq!(page["source"]["source"], url.as_str());
    assert_eq!(registry.asked().len(), 1);
    let many = [&words[..], &["--limit", "70"]].concat();
    let many = cli.ended(command(&cli, &many)).await;
    let rows = many.stdout.lines().filter(|line| line.starts_with("com."));
    assert_eq!(rows.count(), 70, "{many:#?}");
    assert!(many.stderr.contains("there are more"), "{many:#?}");
    drop(registry);
    let gone = ["add", "registry", "search", "other", "--source", url];
    let gone = cli.ended(command(&cli, &gone)).await;
    assert_eq!(gone.code, Some(4), "{gone:#?}");
    assert!(gone.stderr.contains("registry-unread"), "{gone:#?}");
}
