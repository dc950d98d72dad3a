//! Invalid manifests, and folders that are not members.

use std::path::Path;

use guild_model::Code;
use guild_model::status::Status;
use guild_tests::MemberFolder;
use serde_json::{Value, json};

use super::{env, fault, neighbour_is_well};
use crate::test_env::{TestEnv, text};

/// Adds a folder with this text as its manifest.
fn manifest(env: &TestEnv, folder: &str, text: impl AsRef<[u8]>) {
    let folder = env.members_dir().join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("plugin.json"), text).expect("written");
}

fn good(name: &str) -> Value {
    json!({"name": name, "version": "1", "transport": "stdio", "command": "never-run"})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn manifests_that_are_missing_empty_huge_or_no_json() {
    let env = env("no manifests");
    std::fs::create_dir_all(env.members_dir().join("missing")).expect("a folder");
    std::fs::create_dir_all(env.members_dir().join("a-folder/plugin.json")).expect("a folder");
    manifest(&env, "empty", "");
    manifest(&env, "huge", "{".repeat(5 << 20));
    manifest(&env, "cut-off", r#"{"name": "cut-off", "version": "#);
    manifest(&env, "binary", b"\x00\xff\xfe\x80".repeat(100));
    manifest(&env, "nested", "[".repeat(100_000));
    let open = env.started().await;
    for (member, code) in [
        ("missing", Code::ManifestMissing),
        ("a-folder", Code::ManifestUnreadable),
        ("empty", Code::ManifestNotJson),
        ("huge", Code::ManifestTooLarge),
        ("cut-off", Code::ManifestNotJson),
        ("binary", Code::ManifestNotJson),
        ("nested", Code::ManifestField),
    ] {
        assert_eq!(open.view(member).status, Status::Error);
        let report = fault(&open, member, code).await;
        let file = format!("{member}/plugin.json");
        assert!(
            report.message.contains(&file),
            "the file is named: {report}"
        );
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_of_wrong_types_are_reported_by_line() {
    let env = env("wrong types");
    manifest(
        &env,
        "number",
        "{\n  \"name\": \"number\",\n  \"version\": 1\n}",
    );
    manifest(&env, "list", "[]");
    let wrong = |folder: &str, fields: Value| {
        let mut whole = good(folder);
        let (Value::Object(whole), Value::Object(fields)) = (&mut whole, fields) else {
            panic!("objects");
        };
        whole.extend(fields);
        manifest(
            &env,
            folder,
            serde_json::to_vec_pretty(&whole).expect("JSON"),
        );
    };
    wrong("transport", json!({"transport": "pigeon"}));
    wrong("args", json!({"args": "--port"}));
    wrong("env", json!({"env": {"A": {}}}));
    wrong("timeouts", json!({"timeouts": {"start_ms": -1}}));
    wrong("lifecycle", json!({"lifecycle": 7}));
    wrong("enabled", json!({"enabled": "yes"}));
    wrong("pin", json!({"protocol_version": "1999-01-01"}));
    let open = env.started().await;
    let report = fault(&open, "number", Code::ManifestField).await;
    assert!(report.message.contains("version"), "{report}");
    assert!(
        report.message.contains(":3") || report.message.contains("line 3"),
        "{report}"
    );
    for (member, field) in [
        ("transport", "transport"),
        ("args", "args"),
        ("env", "env"),
        ("timeouts", "start_ms"),
        ("lifecycle", "lifecycle"),
        ("enabled", "enabled"),
        ("pin", "protocol_version"),
    ] {
        let report = fault(&open, member, Code::ManifestField).await;
        assert!(report.message.contains(field), "{report}");
    }
    fault(&open, "list", Code::ManifestField).await;
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_members_with_one_name_the_second_is_an_error() {
    let env = env("duplicate names");
    env.member("a").write();
    let second = env.members_dir().join("b");
    manifest(&env, "b", good("a").to_string());
    let open = env.started().await;
    assert_eq!(open.view("a").status, Status::Ready);
    let report = fault(&open, "b", Code::DuplicateName).await;
    for named in [second, env.members_dir().join("a")] {
        assert!(
            report.message.contains(&named.display().to_string()),
            "{report}"
        );
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn name_outside_the_folder_is_refused() {
    let env = env("traversal");
    for (number, bad) in ["../x", "..", "a/b", "/etc", "a\\b", "", "a\u{0}b"]
        .into_iter()
        .enumerate()
    {
        manifest(&env, &format!("out-{number}"), good(bad).to_string());
    }
    let open = env.started().await;
    for number in 0..7 {
        let report = fault(&open, &format!("out-{number}"), Code::ManifestField).await;
        assert!(report.message.contains("name"), "{report}");
    }
    neighbour_is_well(&open).await;
    open.close().await;
    assert!(!env.members_dir().join("../x").exists());
    let written: Vec<_> = std::fs::read_dir(env.members_dir().join("out-0"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(
        written,
        ["plugin.json"],
        "nothing is written beside a manifest that is refused"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn folders_with_odd_names_are_as_good_as_others() {
    let env = env("odd names");
    let long = "l".repeat(200);
    let names = [
        "with two  spaces",
        "gildehalle-ß-ギルド-🏰",
        "$HOME;`x`&'\"",
        long.as_str(),
    ];
    for (number, folder) in names.into_iter().enumerate() {
        MemberFolder::new(&env.members_dir(), folder)
            .http()
            .nonce(&env.nonce)
            .manifest(json!({"name": format!("odd-{number}")}))
            .write();
    }
    // Folders without a manifest, whose names can't be used as members' names.
    for folder in ["  ", "ギルド", "-rf", &"m".repeat(200)] {
        std::fs::create_dir_all(env.members_dir().join(folder)).expect("a folder");
    }
    let open = env.started().await;
    for (number, folder) in names.into_iter().enumerate() {
        let member = format!("odd-{number}");
        let view = open.view(&member);
        assert_eq!(view.status, Status::Ready, "{view:#?}");
        let cwd = text(&open.result(&member, "cwd", "{}").await).to_owned();
        assert!(Path::new(&cwd).ends_with(folder), "{cwd}");
    }
    let missing: Vec<_> = open
        .hall
        .roster()
        .members
        .into_iter()
        .filter_map(|view| view.error)
        .collect();
    assert_eq!(missing.len(), 4, "{missing:#?}");
    for report in missing {
        assert_eq!(report.code, Code::ManifestMissing);
        assert!(report.member.is_some_and(|name| name.as_str().len() <= 64));
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_that_lead_nowhere_or_round_in_a_circle_are_refused() {
    use std::os::unix::fs::symlink;
    let env = env("links");
    let members = env.members_dir();
    symlink(members.join("loop-b"), members.join("loop-a")).expect("a link");
    symlink(members.join("loop-a"), members.join("loop-b")).expect("a link");
    symlink(&members, members.join("itself")).expect("a link");
    symlink("/", members.join("everything")).expect("a link");
    symlink(members.join("nowhere"), members.join("dangling")).expect("a link");
    // Manifests that are a link to themselves, or to a file without an end.
    for (folder, target) in [("own-loop", "plugin.json"), ("endless", "/dev/zero")] {
        std::fs::create_dir_all(members.join(folder)).expect("a folder");
        symlink(target, members.join(folder).join("plugin.json")).expect("a link");
    }
    let open = env.started().await;
    for member in ["loop-a", "loop-b", "itself", "everything", "dangling"] {
        fault(&open, member, Code::FolderUnsafe).await;
    }
    fault(&open, "own-loop", Code::ManifestUnreadable).await;
    fault(&open, "endless", Code::ManifestUnreadable).await;
    neighbour_is_well(&open).await;
    open.close().await;
}
