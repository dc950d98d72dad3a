//! A full disk, and folders that can't be written. The hall continues, reports the error once, and
//! writes again as soon as it can.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use guild_api::event::HallEvent;
use guild_api::wire::{HistoryFilter, SearchHistory, SetToolPolicies, ToolPolicy};
use guild_engine::CACHE_FILE;
use guild_model::Code;
use guild_model::manifest::Policy;
use guild_model::status::{Freshness, Status};
use guild_model::{Report, ToolName};
use guild_tests::{LIMIT, wait_for};

use crate::test_env::{Open, TestEnv, json, name};

/// The size of the small disk, in KiB.
const ROOM: usize = 2_048;
/// The number of calls that can't be recorded.
const CALLS: u64 = 3;
/// The variable that marks a test that has restarted itself in a separate mount namespace.
const WAY: &str = "GUILD_TEST_MOUNTS";

/// A small file system in memory, mounted at a folder. It is unmounted on drop.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn at(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).expect("made");
        let disk = Self(folder.to_owned());
        let size = format!("size={ROOM}k,mode=0700");
        run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"], folder).then_some(disk)
    }

    fn read_only(&self, yes: bool) {
        let how = if yes { "remount,ro" } else { "remount,rw" };
        assert!(run("mount", &["-o", how], &self.0), "{how}");
    }

    /// Fills the disk to the last byte. Returns the file.
    fn fill(&self) -> PathBuf {
        let ballast = self.0.join("ballast");
        let mut file = fs::File::create(&ballast).expect("made");
        for size in [64 << 10, 4 << 10, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        ballast
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A mount in use disappears when its last file is closed.
        run("umount", &["-l"], &self.0);
    }
}

fn run(program: &str, words: &[&str], folder: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(words).arg(folder);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Returns whether file systems can be mounted here. If this requires more rights, runs the test
/// again in a separate namespace, checks that it passes there, and returns `false`.
fn may_mount(test: &str) -> bool {
    let here = tempfile::tempdir().expect("a folder");
    if SmallDisk::at(here.path()).is_some() {
        println!("{test}: small disks are mounted");
        return true;
    }
    assert!(
        std::env::var_os(WAY).is_none(),
        "not even a name space of its own lets a test mount a file system"
    );
    println!("{test}: small disks are mounted in a name space of its own");
    let own = std::env::current_exe().expect("our own file");
    let path = module_path!();
    let path = path.split_once("::").map_or(path, |(_, path)| path);
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount"])
        .arg(own)
        .args(["--exact", &format!("{path}::{test}"), "--nocapture"])
        .env(WAY, "1")
        .status()
        .expect("unshare runs");
    assert!(status.success(), "the test in its name space: {status}");
    false
}

/// Checks everything that works without a disk: a start, a list, and calls.
async fn works(open: &mut Open) {
    open.hall.start_member(&name("forge")).await.expect("up");
    open.status("forge", Status::Ready).await;
    let tools = open.hall.member_tools(&name("forge")).expect("a list");
    assert!(tools.tools.len() > 5);
    for _ in 0..CALLS {
        let result = open.result("forge", "add", r#"{"a":20,"b":22}"#).await;
        assert!(result.to_string().contains("42"));
    }
    // This waits until the earlier calls are written, and fails if they can't be written.
    let settled = open.hall.history().settled().await;
    println!("the history meanwhile: {settled:?}");
    let refused = open.hall.set_tool_policies(no_echo()).await;
    assert_eq!(refused.expect_err("not kept").code, Code::DataUnwritable);
}

fn no_echo() -> SetToolPolicies {
    SetToolPolicies {
        profile: None,
        tools: vec![ToolPolicy {
            member: name("forge"),
            tool: ToolName::parse("echo").expect("a name"),
            policy: Some(Policy::Deny),
        }],
    }
}

/// Checks that writes work again after the disk has room. Returns all warnings since the start.
async fn works_again(open: &mut Open) -> Vec<Report> {
    open.result("forge", "add", r#"{"a":40,"b":2}"#).await;
    let mut warnings = Vec::new();
    wait_for(&mut open.events, LIMIT, "the call's record", |told_now| {
        match &told_now.event {
            HallEvent::Warning { report } => warnings.push(report.clone()),
            HallEvent::CallRecorded { .. } => return Some(()),
            _ => {}
        }
        None
    })
    .await;
    open.hall.set_tool_policies(no_echo()).await.expect("kept");
    let history = open.hall.history();
    let page = history
        .search(SearchHistory {
            filter: HistoryFilter::default(),
            before: None,
            limit: 10,
        })
        .await;
    assert_eq!((page.entries.len(), page.trouble), (1, None));
    assert_eq!(history.state().await.unrecorded, CALLS);
    warnings
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_is_reported_once_and_recovers() {
    if !may_mount("full_disk_is_reported_once_and_recovers") {
        return;
    }
    let env = TestEnv::new("a full disk");
    let folder = env.members_dir().parent().expect("a folder").to_owned();
    let disk = SmallDisk::at(&folder).expect("mounted");
    let member = env.http("forge");
    let cache = member.path().join(CACHE_FILE);
    member.write();
    let ballast = disk.fill();
    let mut open = env.open().await;
    works(&mut open).await;
    assert!(!cache.exists(), "there was no room for it");
    fs::remove_file(ballast).expect("removed");
    let warnings = works_again(&mut open).await;
    let full: Vec<_> = warnings
        .iter()
        .filter(|report| report.code == Code::HistoryFull)
        .collect();
    assert_eq!(full.len(), 1, "{warnings:#?}");
    open.hall
        .refresh_member(&name("forge"))
        .await
        .expect("listed");
    open.close().await;
    assert!(!json(&cache)["tools"].as_array().expect("tools").is_empty());
    let aside = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("listed").flatten();
        let mut names = entries.map(|entry| entry.file_name());
        names.any(|name| name.to_string_lossy().starts_with(".guild-hall-"))
    };
    assert!(!aside(&env.data_dir()) && !aside(cache.parent().expect("a folder")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unwritable_log_folders_recover() {
    if !may_mount("unwritable_log_folders_recover") {
        return;
    }
    let env = TestEnv::new("read-only folders");
    let folder = env.members_dir().parent().expect("a folder").to_owned();
    let disk = SmallDisk::at(&folder).expect("mounted");
    env.http("forge").write();
    fs::create_dir_all(env.data_dir()).expect("made");
    disk.read_only(true);
    let mut open = env.open().await;
    works(&mut open).await;
    disk.read_only(false);
    let warnings = works_again(&mut open).await;
    let of_history = warnings
        .iter()
        .filter(|report| report.code == Code::HistoryUnreadable);
    assert_eq!(of_history.count(), 1, "{warnings:#?}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unwritable_member_caches_in_data_folder() {
    if !may_mount("unwritable_member_caches_in_data_folder") {
        return;
    }
    let env = TestEnv::new("read-only members");
    let disk = SmallDisk::at(&env.members_dir()).expect("mounted");
    env.http("forge").write();
    disk.read_only(true);
    let open = env.started().await;
    assert_eq!(open.view("forge").status, Status::Ready);
    open.close().await;
    let kept = json(&env.data_dir().join("tool-caches/forge.json"));
    assert!(!kept["tools"].as_array().expect("tools").is_empty());
    let open = env.open().await;
    assert_eq!(open.view("forge").freshness, Freshness::Cached);
    open.close().await;
}
