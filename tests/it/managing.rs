//! Members that a person disables, renames, duplicates, edits, removes and restores, with real
//! files and processes.

use std::path::Path;

use guild_api::wire::{
    AcceptMember, CheckMemberFile, ExistingName, LaunchTrust, MemberRef, Nothing, RemovalRef,
    RenameMember, SaveCall, SaveMemberFile, SavedCallsOf, SetMemberEnabled,
};
use guild_model::Code;
use guild_model::manifest::ProblemSeverity;
use guild_model::status::Status;
use guild_model::{MemberName, ToolName};
use guild_tests::{LIMIT, MemberFolder, eventually};
use serde_json::{Value, json};

use crate::test_env::{Open, TestEnv, json as json_of, name};

fn of(member: &str) -> MemberRef {
    MemberRef {
        member: name(member),
    }
}

fn renaming(member: &str, to: &str) -> RenameMember {
    RenameMember {
        member: name(member),
        name: to.to_owned(),
    }
}

fn text_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("plugin.json")).expect("read")
}

fn names(open: &Open) -> Vec<MemberName> {
    let roster = open.hall.roster();
    roster.members.into_iter().map(|view| view.name).collect()
}

/// Returns a member that was imported from another program's configuration.
fn foreign(env: &TestEnv, name: &str) -> MemberFolder {
    let origin = json!({"origin": {"from": "cursor", "path": "/tmp/mcp.json"}});
    env.member(name).manifest(origin)
}

async fn accept(open: &Open, member: &str) {
    let review = open.hall.member_review(&name(member)).await;
    let request = AcceptMember {
        member: name(member),
        hash: review.expect("a review").launch.expect("a launch").hash,
    };
    open.hall.accept_member(request).await.expect("accepted");
}

async fn trust_of(open: &Open, member: &str) -> LaunchTrust {
    let review = open.hall.member_review(&name(member)).await;
    review.expect("a review").trust.launch
}

fn described(text: String) -> String {
    let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
    manifest["description"] = "New.".into();
    format!("{manifest:#}\n")
}

async fn save(open: &Open, member: &str, change: impl Fn(String) -> String) -> Result<(), Code> {
    let file = open.hall.member_file(of(member)).await.expect("a file");
    let request = SaveMemberFile {
        member: name(member),
        text: change(file.text),
        revision: file.revision,
    };
    let saved = open.hall.save_member_file(request).await;
    saved.map(|_| ()).map_err(|report| report.code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disabled_member_stops_and_starts_again() {
    let env = TestEnv::new("disabled_member_stops_and_starts_again");
    let folder = env.member("forge").write();
    let mut open = env.started().await;
    let before = text_of(&folder);
    let set = async |open: &Open, enabled| {
        let request = SetMemberEnabled {
            member: name("forge"),
            enabled,
        };
        open.hall.set_member_enabled(request).await.expect("set")
    };
    set(&open, false).await;
    open.status("forge", Status::Disabled).await;
    assert_eq!(json_of(&folder.join("plugin.json"))["enabled"], false);
    set(&open, true).await;
    open.status("forge", Status::Ready).await;
    let enabled = before.trim_end().trim_end_matches('}').trim_end();
    assert!(text_of(&folder).starts_with(enabled), "the rest stays");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_member_is_restored_unchanged() {
    let env = TestEnv::new("removed_member_is_restored_unchanged");
    let folder = env.member("forge").file("data.bin", [0, 255, 1]).write();
    let mut open = env.started().await;
    let before = text_of(&folder);
    let removed = open.hall.remove_member(of("forge")).await.expect("removed");
    assert!(!folder.exists() && names(&open).is_empty());
    let trash = open.hall.removed_members(Nothing {}).await.expect("listed");
    assert_eq!(trash.members, std::slice::from_ref(&removed));
    let again = open.hall.remove_member(of("forge")).await;
    assert_eq!(again.expect_err("it is gone").code, Code::MemberUnknown);

    // Another member has the name of the removed member.
    let other = env.member("forge").write();
    open.status("forge", Status::Ready).await;
    let request = RemovalRef {
        removal: removed.removal,
    };
    let refused = open.hall.restore_member(request.clone()).await;
    assert_eq!(refused.expect_err("taken").code, Code::AdoptionRefused);
    open.hall.remove_member(of("forge")).await.expect("removed");
    assert!(!other.exists());

    open.hall
        .restore_member(request.clone())
        .await
        .expect("restored");
    open.status("forge", Status::Ready).await;
    assert_eq!(text_of(&folder), before);
    assert_eq!(
        std::fs::read(folder.join("data.bin")).expect("read"),
        [0, 255, 1]
    );
    let again = open.hall.restore_member(request).await;
    assert_eq!(again.expect_err("restored").code, Code::RemovalUnknown);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renamed_member_keeps_its_permissions() {
    let env = TestEnv::new("renamed_member_keeps_its_permissions");
    let folder = foreign(&env, "forge").write();
    env.member("anvil").write();
    let gateway = json!({
        "policies": {"forge": {"echo": "deny"}},
        "profiles": [{"name": "team", "members": [{"member": "forge"}, {"member": "smithy"}]}],
    });
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let settings = env.data_dir().join("gateway.json");
    std::fs::write(&settings, gateway.to_string()).expect("written");
    let mut open = env.started().await;
    accept(&open, "forge").await;
    open.status("forge", Status::Ready).await;
    let call = SaveCall {
        name: "my call".to_owned(),
        member: name("forge"),
        tool: ToolName::parse("echo").expect("a name"),
        arguments: "{}".to_owned(),
        existing: ExistingName::Keep,
    };
    open.hall.history().save_call(call).await.expect("saved");

    let taken = open.hall.rename_member(renaming("forge", "anvil")).await;
    assert_eq!(taken.expect_err("taken").code, Code::AdoptionRefused);
    let bad = open.hall.rename_member(renaming("forge", "a b")).await;
    assert_eq!(bad.expect_err("no name").code, Code::AdoptionRefused);
    let view = open.hall.rename_member(renaming("forge", "smithy")).await;
    assert_eq!(view.expect("renamed").name, name("smithy"));

    open.status("smithy", Status::Ready).await;
    assert!(!names(&open).contains(&name("forge")));
    assert!(!folder.exists() && env.members_dir().join("smithy").is_dir());
    assert_eq!(trust_of(&open, "smithy").await, LaunchTrust::Accepted);
    let now = json_of(&settings);
    assert_eq!(now["policies"], json!({"smithy": {"echo": "deny"}}));
    let mounted = now["profiles"][0]["members"].as_array().expect("members");
    assert_eq!(mounted.len(), 1);
    assert_eq!(mounted[0]["member"], "smithy");
    let saved = SavedCallsOf {
        member: Some(name("smithy")),
        tool: None,
    };
    let saved = open.hall.history().saved_calls(saved).await;
    assert_eq!(saved.calls.len(), 1, "{saved:?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn duplicate_has_own_folder_and_same_review() {
    let env = TestEnv::new("duplicate_has_own_folder_and_same_review");
    let folder = foreign(&env, "forge").file("a", "a").write();
    let mut open = env.started().await;
    let before = text_of(&folder);
    // Copies of an unreviewed member are unreviewed too.
    open.hall
        .duplicate_member(renaming("forge", "first"))
        .await
        .expect("copied");
    open.status("first", Status::Unreviewed).await;
    accept(&open, "forge").await;
    // A copy of an accepted member needs the file of its accepted tools, which is written after the
    // first start.
    let list = env.data_dir().join("reviewed-tools/forge.json");
    eventually(LIMIT, "the accepted list is written", || {
        list.is_file().then_some(())
    })
    .await;
    open.hall
        .duplicate_member(renaming("forge", "second"))
        .await
        .expect("copied");
    open.status("second", Status::Ready).await;
    assert_eq!(text_of(&folder), before);
    let copy = env.members_dir().join("second");
    assert_eq!(json_of(&copy.join("plugin.json"))["name"], "second");
    assert_eq!(std::fs::read(copy.join("a")).expect("read"), b"a");
    let again = open
        .hall
        .duplicate_member(renaming("forge", "second"))
        .await;
    assert_eq!(again.expect_err("taken").code, Code::AdoptionRefused);
    open.hall.remove_member(of("first")).await.expect("removed");
    let in_trash = open.hall.duplicate_member(renaming("forge", "first")).await;
    let report = in_trash.expect_err("the name is in the trash");
    assert_eq!(report.code, Code::AdoptionRefused);
    assert!(report.message.contains("in the trash"), "{report}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_rename_changes_nothing() {
    let env = TestEnv::new("failed_rename_changes_nothing");
    let folder = env.member("forge").write();
    // The new name's folder already exists, but its member has another name.
    env.member("anvil").write();
    std::fs::rename(
        env.members_dir().join("anvil"),
        env.members_dir().join("smithy"),
    )
    .expect("renamed");
    let gateway = json!({
        "profiles": [
            {"name": "one", "members": [{"member": "forge"}]},
            {"name": "two", "members": [{"member": "smithy"}]},
        ],
    });
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let settings = env.data_dir().join("gateway.json");
    std::fs::write(&settings, gateway.to_string()).expect("written");
    let mut open = env.started().await;
    open.status("forge", Status::Ready).await;
    let before = (text_of(&folder), std::fs::read(&settings).expect("read"));
    let taken = open.hall.rename_member(renaming("forge", "smithy")).await;
    assert_eq!(taken.expect_err("taken").code, Code::AdoptionRefused);
    assert_eq!(open.view("forge").status, Status::Ready);
    let after = (text_of(&folder), std::fs::read(&settings).expect("read"));
    assert_eq!(before, after);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shared_name_keeps_policies_after_rename() {
    let env = TestEnv::new("shared_name_keeps_policies_after_rename");
    env.member("forge").write();
    let other = env.member("other").write();
    let text = text_of(&other).replace("\"other\"", "\"forge\"");
    std::fs::write(other.join("plugin.json"), text).expect("written");
    let gateway = json!({"policies": {"forge": {"echo": "deny"}}});
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let settings = env.data_dir().join("gateway.json");
    std::fs::write(&settings, gateway.to_string()).expect("written");
    let open = env.open().await;
    let renamed = open.hall.rename_member(renaming("forge", "smithy")).await;
    renamed.expect("renamed");
    let deny = json!({"echo": "deny"});
    let policies = json_of(&settings)["policies"].clone();
    assert_eq!(policies, json!({"forge": deny, "smithy": deny}));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editor_gives_duplicate_name_another() {
    let env = TestEnv::new("editor_gives_duplicate_name_another");
    env.member("forge").write();
    let other = env.member("other").write();
    let text = text_of(&other).replace("\"other\"", "\"forge\"");
    std::fs::write(other.join("plugin.json"), text).expect("written");
    let open = env.open().await;
    let renamed = |text: String| text.replacen("\"forge\"", "\"smithy\"", 1);
    assert_eq!(save(&open, "other", renamed).await, Ok(()));
    assert_eq!(names(&open), [name("forge"), name("smithy")]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editor_refuses_name_in_trash() {
    let env = TestEnv::new("editor_refuses_name_in_trash");
    for member in ["forge", "smithy", "other"] {
        env.member(member).write();
    }
    let folder = env.members_dir().join("other");
    let before = text_of(&folder).replace("\"other\"", "\"forge\"");
    std::fs::write(folder.join("plugin.json"), &before).expect("written");
    let open = env.open().await;
    open.hall
        .remove_member(of("smithy"))
        .await
        .expect("removed");
    // The editor can change the name only of a member whose name another member has.
    let renamed = |text: String| text.replacen("\"forge\"", "\"smithy\"", 1);
    let saved = save(&open, "other", renamed).await;
    assert_eq!(saved, Err(Code::AdoptionRefused));
    assert_eq!(text_of(&folder), before);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreviewed_member_keeps_its_origin() {
    let env = TestEnv::new("unreviewed_member_keeps_its_origin");
    let folder = foreign(&env, "forge").write();
    let open = env.open().await;
    let before = text_of(&folder);
    let owned = |text: String| {
        let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
        manifest.as_object_mut().expect("fields").remove("origin");
        manifest.to_string()
    };
    assert_eq!(save(&open, "forge", owned).await, Err(Code::ManifestField));
    assert_eq!(text_of(&folder), before);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn save_is_refused_after_another_change() {
    let env = TestEnv::new("save_is_refused_after_another_change");
    let folder = env.member("forge").write();
    let open = env.open().await;
    let file = open.hall.member_file(of("forge")).await.expect("a file");
    assert_eq!(file.text, text_of(&folder));
    let theirs = file.text.replace("{\n", "{\n\n");
    std::fs::write(folder.join("plugin.json"), &theirs).expect("written");
    let request = SaveMemberFile {
        member: name("forge"),
        text: file.text.clone(),
        revision: file.revision,
    };
    let refused = open.hall.save_member_file(request).await;
    assert_eq!(refused.expect_err("changed").code, Code::ManifestChanged);
    assert_eq!(text_of(&folder), theirs);
    assert_eq!(save(&open, "forge", described).await, Ok(()));
    assert_eq!(open.view("forge").description, "New.");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_manifest_is_not_saved() {
    let env = TestEnv::new("invalid_manifest_is_not_saved");
    let folder = env.member("forge").write();
    let open = env.open().await;
    let before = text_of(&folder);
    let cut = |text: String| text.trim_end().trim_end_matches('}').to_owned();
    assert_eq!(save(&open, "forge", cut).await, Err(Code::ManifestNotJson));
    let renamed = |text: String| text.replace("forge", "smithy");
    assert_eq!(
        save(&open, "forge", renamed).await,
        Err(Code::ManifestField)
    );
    assert_eq!(text_of(&folder), before);
    let check = CheckMemberFile {
        member: name("forge"),
        text: "{\n  \"name\": \"forge\",\n  \"transport\": \"pipe\",\n  \"command\": 3\n}"
            .to_owned(),
    };
    let problems = open
        .hall
        .check_member_file(check)
        .await
        .expect("checked")
        .problems;
    let places: Vec<_> = problems
        .iter()
        .filter(|problem| problem.severity == ProblemSeverity::Error)
        .map(|problem| (problem.line, problem.column, problem.field.as_str()))
        .collect();
    assert!(places.contains(&(3, 16, "transport")), "{problems:?}");
    assert!(places.contains(&(4, 14, "command")), "{problems:?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn save_keeps_review_of_accepted_member_only() {
    let env = TestEnv::new("save_keeps_review_of_accepted_member_only");
    let folder = foreign(&env, "forge").write();
    let mut open = env.started().await;
    let with = |variable: &'static str| {
        move |text: String| {
            text.replacen(
                "\"env\": {",
                &format!("\"env\": {{\"{variable}\": \"1\","),
                1,
            )
        }
    };
    let original = text_of(&folder);
    assert_eq!(save(&open, "forge", with("ONE")).await, Ok(()));
    assert_eq!(trust_of(&open, "forge").await, LaunchTrust::Unreviewed);
    assert_eq!(save(&open, "forge", |_| original.clone()).await, Ok(()));
    accept(&open, "forge").await;
    assert_eq!(save(&open, "forge", with("TWO")).await, Ok(()));
    assert_eq!(trust_of(&open, "forge").await, LaunchTrust::Accepted);
    open.status("forge", Status::Ready).await;
    // A command that another program has written needs a review, also after the user saves the
    // file.
    std::fs::write(folder.join("plugin.json"), with("OTHER")(original.clone())).expect("written");
    open.status("forge", Status::Unreviewed).await;
    assert_eq!(save(&open, "forge", described).await, Ok(()));
    assert_eq!(trust_of(&open, "forge").await, LaunchTrust::Changed);
    open.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn linked_member_is_removed_without_its_target() {
    let env = TestEnv::new("linked_member_is_removed_without_its_target");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let target = MemberFolder::new(elsewhere.path(), "forge").write();
    std::fs::create_dir_all(env.members_dir()).expect("made");
    let link = env.members_dir().join("forge");
    std::os::unix::fs::symlink(&target, &link).expect("linked");
    let open = env.open().await;
    let removed = open.hall.remove_member(of("forge")).await.expect("removed");
    assert!(!link.is_symlink() && target.join("plugin.json").is_file());
    let request = RemovalRef {
        removal: removed.removal,
    };
    open.hall.restore_member(request).await.expect("restored");
    assert_eq!(std::fs::read_link(&link).expect("a link"), target);
    open.close().await;
}
