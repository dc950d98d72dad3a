//! Changes of the members folder while the hall is open. Each is shown within a second, and affects
//! no other member.

use std::path::Path;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::MemberView;
use guild_engine::{GuildHall, GuildHallOptions, Paths};
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::{LIMIT, MemberFolder, PromiseClock, RecordFile, eventually, is_alive};
use serde_json::json;

use crate::test_env::{HallEvents, Open, TestEnv, name};

/// Time limit for a change to be shown.
const SOON: Duration = Duration::from_secs(1);

/// Opens a hall with a member that the test does not change.
async fn opened(env: &TestEnv) -> (Open, MemberView) {
    env.http("neighbour").write();
    let open = env.started().await;
    let neighbour = open.view("neighbour");
    assert_eq!(neighbour.status, Status::Ready);
    (open, neighbour)
}

/// Checks that the unchanged member was not affected, and closes the hall.
async fn untouched(open: Open, before: &MemberView) {
    let after = open.view("neighbour");
    assert_eq!(
        (
            after.status,
            after.pid,
            after.port,
            after.since_ms,
            after.freshness
        ),
        (
            before.status,
            before.pid,
            before.port,
            before.since_ms,
            Freshness::Live
        )
    );
    open.close().await;
}

/// Waits until `fits` accepts the member's view, and returns the view. Fails after [`SOON`].
async fn soon(
    open: &mut Open,
    member: &str,
    what: &str,
    fits: impl Fn(&MemberView) -> bool,
) -> MemberView {
    let written = PromiseClock::start();
    let view = open.shown(member, what, fits).await;
    written.assert_within(SOON, &format!("{member}: {what}"));
    view
}

/// Waits until the member is not in the roster. Fails after [`SOON`].
async fn soon_gone(open: &mut Open, member: &str) {
    let written = PromiseClock::start();
    open.events
        .find("its removal", |event| match event {
            HallEvent::MemberRemoved { member: gone } => (gone.as_str() == member).then_some(()),
            _ => None,
        })
        .await;
    written.assert_within(SOON, &format!("{member}: gone"));
}

fn put(folder: &Path, text: &str) {
    std::fs::write(folder.join("plugin.json"), text).expect("written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_is_added_is_shown_and_started() {
    let env = TestEnv::new("added");
    let (mut open, neighbour) = opened(&env).await;
    env.member("new").write();
    soon(&mut open, "new", "shown", |_| true).await;
    let view = open.status("new", Status::Ready).await;
    assert_eq!(view.error, None);
    open.shown("new", "listed", |view| view.freshness == Freshness::Live)
        .await;
    open.result("new", "add", r#"{"a":1,"b":1}"#).await;
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_written_member_is_an_error_until_whole() {
    let env = TestEnv::new("in steps");
    let (mut open, neighbour) = opened(&env).await;
    let folder = env.member("new");
    std::fs::create_dir_all(folder.path()).expect("a folder");
    let view = soon(&mut open, "new", "an error", |view| view.error.is_some()).await;
    assert_eq!(view.error.expect("why").code, Code::ManifestMissing);
    folder.write();
    soon(&mut open, "new", "no error", |view| view.error.is_none()).await;
    open.status("new", Status::Ready).await;
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_changed_arguments_restart_the_member() {
    let env = TestEnv::new("changed");
    let folder = env.http("forge").recorded();
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    let before = open.view("forge");
    let folder = folder.manifest(json!({"description": "Another one"}));
    folder.write();
    let view = soon(&mut open, "forge", "described", |view| {
        view.description == "Another one"
    })
    .await;
    assert_eq!(
        (view.status, view.pid),
        (Status::Ready, before.pid),
        "it was not touched"
    );
    // A new version reads the list again without a restart.
    let folder = folder.manifest(json!({"version": "2.0.0"}));
    folder.write();
    soon(&mut open, "forge", "of version 2.0.0", |view| {
        view.version == "2.0.0"
    })
    .await;
    let view = open
        .shown("forge", "listed anew", |view| {
            view.version == "2.0.0" && view.freshness == Freshness::Live
        })
        .await;
    assert_eq!(view.pid, before.pid);
    // Changed arguments require a new process.
    folder.args(["--tools", "3"]).write();
    soon(&mut open, "forge", "on its way down, or anew", |view| {
        view.status != Status::Ready || view.pid != before.pid
    })
    .await;
    let view = open
        .shown("forge", "listed anew", |view| {
            let anew = view.pid.is_some() && view.pid != before.pid;
            anew && view.status == Status::Ready && view.freshness == Freshness::Live
        })
        .await;
    assert_eq!(view.tools, before.tools + 3);
    assert_eq!(view.port, before.port, "the port is the same");
    let starts = RecordFile::new(&folder_record(&env)).starts();
    assert_eq!(starts.len(), 2);
    assert!(!is_alive(starts[0]));
    untouched(open, &neighbour).await;
}

fn folder_record(env: &TestEnv) -> std::path::PathBuf {
    env.members_dir().join("forge/record.jsonl")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_member_ends_and_leaves_the_roster() {
    let env = TestEnv::new("removed");
    let folder = env.http("forge").write();
    let (mut open, neighbour) = opened(&env).await;
    let pid = open.view("forge").pid.expect("a pid");
    // The cache of the first list may be written while the folder is being removed.
    eventually(LIMIT, "its folder is removed", || {
        let removed = std::fs::remove_dir_all(&folder);
        (removed.is_ok() || !folder.exists()).then_some(())
    })
    .await;
    soon_gone(&mut open, "forge").await;
    let roster = open.hall.roster();
    assert!(
        roster
            .members
            .iter()
            .all(|view| view.name.as_str() != "forge"),
        "{roster:#?}"
    );
    let report = open.refusal("forge", "add", "{}").await;
    assert_eq!(report.code, Code::MemberUnknown);
    eventually(LIMIT, "its process is gone", || {
        (!is_alive(pid)).then_some(())
    })
    .await;
    assert!(!folder.exists(), "no cache brings the folder back");
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifest_that_breaks_is_an_error_until_it_is_mended() {
    let env = TestEnv::new("broken and mended");
    let folder = env.http("forge");
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    let pid = open.view("forge").pid.expect("a pid");
    put(folder.path(), r#"{"name": "forge", "#);
    let view = soon(&mut open, "forge", "an error", |view| view.error.is_some()).await;
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::ManifestNotJson, "{report}");
    let view = open.status("forge", Status::Error).await;
    assert_eq!((view.pid, view.port), (None, None));
    assert!(!is_alive(pid));
    folder.write();
    soon(&mut open, "forge", "no error", |view| view.error.is_none()).await;
    let view = open.status("forge", Status::Ready).await;
    assert_ne!(view.pid, Some(pid));
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifest_that_breaks_keeps_its_name_in_a_folder_of_another() {
    let env = TestEnv::new("broken elsewhere");
    let folder = env.http("workshop").manifest(json!({"name": "forge"}));
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    let members = |open: &Open| -> Vec<String> {
        let members = open.hall.roster().members;
        let names = members.iter().map(|view| view.name.as_str().to_owned());
        names.collect()
    };
    // Another folder with the same member name waits for the name, but does not get it when this
    // manifest breaks.
    let copy = env.http("a-copy").manifest(json!({"name": "forge"}));
    copy.write();
    soon(&mut open, "a-copy", "an error", |view| view.error.is_some()).await;
    put(folder.path(), r#"{"name": "forge", "#);
    let view = soon(&mut open, "forge", "an error", |view| view.error.is_some()).await;
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::ManifestNotJson, "{report}");
    assert_eq!(members(&open), ["a-copy", "forge", "neighbour"]);
    folder.write();
    soon(&mut open, "forge", "no error", |view| view.error.is_none()).await;
    open.status("forge", Status::Ready).await;
    assert_eq!(members(&open), ["a-copy", "forge", "neighbour"]);
    let waits = open.view("a-copy").error.expect("it waits");
    assert_eq!(waits.code, Code::DuplicateName);
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_is_switched_off_and_on() {
    let env = TestEnv::new("switched");
    let folder = env.member("forge");
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    folder.clone().manifest(json!({"enabled": false})).write();
    soon(&mut open, "forge", "on its way down", |view| {
        view.status != Status::Ready
    })
    .await;
    let view = open.status("forge", Status::Disabled).await;
    assert_eq!(view.pid, None);
    folder.write();
    soon(&mut open, "forge", "on its way up", |view| {
        view.status != Status::Disabled
    })
    .await;
    open.status("forge", Status::Ready).await;
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_with_a_name_that_is_taken_waits_until_it_is_free() {
    let env = TestEnv::new("taken name");
    let folder = env
        .http("holder")
        .manifest(json!({"name": "forge"}))
        .write();
    let (mut open, neighbour) = opened(&env).await;
    let holder = open.view("forge");
    // This folder's name sorts before the folder that has the member's name.
    env.http("a-newcomer")
        .manifest(json!({"name": "forge"}))
        .recorded()
        .write();
    let view = soon(&mut open, "a-newcomer", "an error", |view| {
        view.error.is_some()
    })
    .await;
    assert_eq!(view.error.expect("why").code, Code::DuplicateName);
    assert_eq!(view.status, Status::Error);
    let still = open.view("forge");
    assert_eq!((still.status, still.pid), (Status::Ready, holder.pid));
    assert!(
        !env.members_dir().join("a-newcomer/record.jsonl").exists(),
        "it is not started"
    );
    // The folder that has the name is removed, so the name becomes free.
    std::fs::remove_dir_all(&folder).expect("removed");
    soon_gone(&mut open, "a-newcomer").await;
    let view = open
        .shown("forge", "the newcomer", |view| {
            view.status == Status::Ready && view.pid != holder.pid
        })
        .await;
    assert_eq!(view.error, None);
    assert!(env.members_dir().join("a-newcomer/record.jsonl").exists());
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_with_a_new_name_is_another_member() {
    let env = TestEnv::new("renamed");
    let folder = env.member("forge");
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    let pid = open.view("forge").pid.expect("a pid");
    folder.manifest(json!({"name": "foundry"})).write();
    soon_gone(&mut open, "forge").await;
    let view = open.status("foundry", Status::Ready).await;
    assert_ne!(view.pid, Some(pid));
    eventually(LIMIT, "the old process is gone", || {
        (!is_alive(pid)).then_some(())
    })
    .await;
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn swapped_members_folder_is_watched() {
    let env = TestEnv::new("replaced");
    let folder = env.member("forge");
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    // A checkout or an unpacked archive replaces the folder by another folder with the same name.
    let aside = env.data_dir().join("aside");
    std::fs::create_dir_all(&aside).expect("a folder");
    let next = MemberFolder::new(&aside, "forge").nonce(&env.nonce);
    next.manifest(json!({"description": "The second"})).write();
    std::fs::rename(folder.path(), aside.join("old")).expect("moved away");
    std::fs::rename(aside.join("forge"), folder.path()).expect("moved here");
    soon(&mut open, "forge", "the second", |view| {
        view.description == "The second"
    })
    .await;
    // Changes in the new folder are noticed, too.
    folder.manifest(json!({"description": "The third"})).write();
    soon(&mut open, "forge", "the third", |view| {
        view.description == "The third"
    })
    .await;
    untouched(open, &neighbour).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_folder_names_its_setting() {
    let env = TestEnv::new("missing folder that is set");
    std::fs::create_dir_all(env.data_dir()).expect("the data folder");
    let settings = env.data_dir().join("settings.json");
    std::fs::write(&settings, r#"{"membersDir": "gone"}"#).expect("written");
    for (folder, is_named) in [("gone", true), ("other", false)] {
        let paths = Paths {
            members_dir: env.data_dir().join(folder),
            ..env.paths()
        };
        let hall = GuildHall::open(paths, GuildHallOptions::default())
            .await
            .expect("the hall opens");
        let report = hall.roster().error.expect("what is wrong with the folder");
        assert_eq!(report.code, Code::MembersFolderUnreadable, "{report}");
        assert_eq!(
            report.hint.contains("settings set membersDir"),
            is_named,
            "{report}"
        );
        let open = Open {
            events: HallEvents::of(&hall),
            hall,
        };
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_members_folder_is_followed_later() {
    let env = TestEnv::new("missing folder");
    let members_dir = env.data_dir().join("not/yet/members");
    let paths = Paths {
        members_dir: members_dir.clone(),
        ..env.paths()
    };
    let hall = GuildHall::open(paths, GuildHallOptions::default())
        .await
        .expect("the hall opens");
    let mut open = Open {
        events: HallEvents::of(&hall),
        hall,
    };
    open.hall.start_all().settled().await;
    let roster = open.hall.roster();
    let report = roster.error.expect("what is wrong with the folder");
    assert_eq!(report.code, Code::MembersFolderUnreadable, "{report}");
    assert!(
        report.message.contains(&members_dir.display().to_string()),
        "{report}"
    );
    assert!(!report.hint.is_empty() && roster.members.is_empty());
    MemberFolder::new(&members_dir, "forge")
        .nonce(&env.nonce)
        .write();
    soon(&mut open, "forge", "shown", |_| true).await;
    open.status("forge", Status::Ready).await;
    assert_eq!(open.hall.roster().error, None);
    // The whole members folder is removed, and created again.
    std::fs::remove_dir_all(&members_dir).expect("removed");
    soon_gone(&mut open, "forge").await;
    MemberFolder::new(&members_dir, "forge")
        .nonce(&env.nonce)
        .write();
    soon(&mut open, "forge", "shown again", |_| true).await;
    open.status("forge", Status::Ready).await;
    assert!(open.hall.member_tools(&name("forge")).is_ok());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_changes_the_last_one_holds() {
    let env = TestEnv::new("many changes");
    let folder = env.http("forge");
    folder.write();
    let (mut open, neighbour) = opened(&env).await;
    // Faster than a process starts, but slow enough that each change is read separately.
    for turn in 1..=6 {
        let description = format!("turn {turn}");
        folder
            .clone()
            .args(["--tools".to_owned(), turn.to_string()])
            .manifest(json!({"description": description}))
            .write();
        soon(&mut open, "forge", "taken in", |view| {
            view.description == description
        })
        .await;
    }
    let view = open
        .shown("forge", "the last list", |view| {
            view.freshness == Freshness::Live && view.tools == 22
        })
        .await;
    assert_eq!(view.status, Status::Ready);
    // Each member has one process, and no process is being stopped.
    eventually(LIMIT, "one process each", || {
        let mut running = guild_tests::processes_of(&env.nonce);
        running.sort_unstable();
        let mut known = [view.pid?, neighbour.pid?];
        known.sort_unstable();
        (running == known).then_some(())
    })
    .await;
    untouched(open, &neighbour).await;
}
