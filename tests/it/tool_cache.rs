//! Tests of tool caching (`REQ-MCP-TOOL` in `docs/requirements.md`). If a test proves requirements,
//! its name begins with their numbers.

use guild_api::event::HallEvent;
use guild_engine::CACHE_FILE;
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_model::tool::Provenance;
use guild_tests::processes_of;
use serde_json::json;

use crate::test_env::{TestEnv, json, name};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_1_to_8_cache_shows_before_start() {
    let env = TestEnv::new("cached first");
    let folder = env.http("forge").write();
    env.started().await.close().await;
    let cache = json(&folder.join(CACHE_FILE));
    assert_eq!(cache["version"], "1.0.0");
    assert!(
        cache["cachedAt"]
            .as_str()
            .is_some_and(|at| at.ends_with('Z')),
        "{cache}"
    );
    for tool in cache["tools"].as_array().expect("tools") {
        assert!(
            tool["name"].is_string() && tool["inputSchema"].is_object(),
            "{tool}"
        );
    }
    let open = env.open().await;
    let view = open.view("forge");
    assert_eq!(
        (view.status, view.freshness),
        (Status::Stopped, Freshness::Cached)
    );
    assert!(view.tools > 5, "{view:#?}");
    let tool = guild_model::ToolName::parse("add").expect("a name");
    let detail = open
        .hall
        .tool_detail(&name("forge"), &tool)
        .expect("its form");
    assert_eq!(detail.provenance, Provenance::Cached);
    assert!(detail.input_schema.contains("\"properties\""));
    assert!(
        processes_of(&env.nonce).is_empty(),
        "nothing was started for it"
    );
    // An agent's or a form's call of a cached tool starts the server (REQ-MCP-TOOL-20).
    let result = open.result("forge", "add", r#"{"a":20,"b":22}"#).await;
    assert!(result.to_string().contains("42"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_9_10_new_version_outdates_cache() {
    let env = TestEnv::new("version");
    let folder = env.http("forge");
    folder.write();
    env.started().await.close().await;
    folder.clone().manifest(json!({"version": "2.0.0"})).write();
    let open = env.open().await;
    assert_eq!(open.view("forge").freshness, Freshness::Outdated);
    open.hall.start_all().settled().await;
    assert_eq!(open.view("forge").freshness, Freshness::Live);
    open.close().await;
    assert_eq!(json(&folder.path().join(CACHE_FILE))["version"], "2.0.0");
    // Other arguments in the same version count as another configuration.
    folder
        .manifest(json!({"version": "2.0.0"}))
        .args(["--tools", "1"])
        .write();
    let open = env.open().await;
    assert_eq!(open.view("forge").freshness, Freshness::Outdated);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_11_17_a_corrupt_cache_is_ignored_with_a_warning() {
    let env = TestEnv::new("corrupt");
    env.http("forge").file(CACHE_FILE, "{ not json").write();
    let open = env.open().await;
    let view = open.view("forge");
    assert_eq!(
        (view.status, view.freshness, view.tools),
        (Status::Stopped, Freshness::Unknown, 0)
    );
    assert_eq!(view.warnings[0].code, Code::CacheUnreadable, "{view:#?}");
    open.hall.start_all().settled().await;
    let view = open.view("forge");
    assert_eq!(
        (view.status, view.freshness),
        (Status::Ready, Freshness::Live)
    );
    assert_eq!(view.warnings, []);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_12_18_unwritable_cache_moves() {
    let env = TestEnv::new("unwritable");
    let folder = env.http("forge").write();
    // The cache file can't replace a folder, even if root writes it.
    std::fs::create_dir_all(folder.join(CACHE_FILE).join("in the way")).expect("made");
    let open = env.started().await;
    assert_eq!(
        open.view("forge").status,
        Status::Ready,
        "the member is not touched by it"
    );
    open.close().await;
    let fallback = env.data_dir().join("tool-caches/forge.json");
    assert_eq!(json(&fallback)["version"], "1.0.0");
    let open = env.open().await;
    assert_eq!(open.view("forge").freshness, Freshness::Cached);
    open.close().await;
    // If neither file can be written, a warning is shown, and everything else works.
    std::fs::remove_file(&fallback).expect("removed");
    std::fs::create_dir_all(fallback.join("in the way")).expect("made");
    let mut open = env.started().await;
    open.shown("forge", "a warning", |view| {
        view.warnings
            .iter()
            .any(|report| report.code == Code::CacheUnwritable)
    })
    .await;
    assert!(
        open.result("forge", "add", r#"{"a":1,"b":1}"#)
            .await
            .to_string()
            .contains('2')
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_13_caches_can_be_kept_in_a_folder_of_their_own() {
    let env = TestEnv::new("cache folder");
    let folder = env.http("forge").write();
    let caches = env.data_dir().join("elsewhere");
    let mut paths = env.paths();
    paths.cache_dir = Some(caches.clone());
    let hall =
        guild_engine::GuildHall::open(paths, guild_engine::GuildHallOptions::default()).await;
    let hall = hall.expect("the hall opens");
    hall.start_all().settled().await;
    hall.shutdown().await;
    assert!(caches.join("forge").join(CACHE_FILE).is_file());
    assert!(!folder.join(CACHE_FILE).exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_14_15_16_a_refresh_of_all_tells_what_changed() {
    let env = TestEnv::new("refresh");
    let tools = env.data_dir().join("tools.json");
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let list = |names: &[&str], description: &str| {
        let entry = |name: &&str| json!({"name": name, "description": description, "inputSchema": {"type": "object"}});
        let list: Vec<_> = names.iter().map(entry).collect();
        std::fs::write(&tools, serde_json::to_vec(&list).expect("JSON")).expect("written");
    };
    list(&["one", "two"], "first");
    let change_file = tools.display().to_string();
    env.http("forge")
        .args(["--change-tools-file".to_owned(), change_file])
        .write();
    env.http("broken")
        .manifest(json!({"command": "no-such-command-anywhere"}))
        .write();
    let mut open = env.started().await;
    list(&["two", "three"], "first");
    let refreshed = open.hall.refresh_tool_caches().await;
    assert_eq!(refreshed.updated, [name("forge")]);
    assert_eq!(refreshed.failed.len(), 1);
    assert_eq!(refreshed.failed[0].member, Some(name("broken")));
    let diff = open
        .events
        .find("tools_updated", |event| match event {
            HallEvent::ToolsUpdated { member, diff, .. }
                if *member == name("forge") && !diff.removed.is_empty() =>
            {
                Some(diff.clone())
            }
            _ => None,
        })
        .await;
    assert_eq!(
        diff.added
            .iter()
            .map(|tool| tool.as_str())
            .collect::<Vec<_>>(),
        ["three"]
    );
    assert_eq!(
        diff.removed
            .iter()
            .map(|tool| tool.as_str())
            .collect::<Vec<_>>(),
        ["one"]
    );
    let listed = open
        .hall
        .member_tools(&name("forge"))
        .expect("its tools")
        .tools;
    assert!(
        listed.iter().any(|tool| tool.name.as_str() == "three"),
        "REQ-MCP-TOOL-15"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_its_list_changed_is_listed_again() {
    let env = TestEnv::new("list_changed");
    let tools = env.data_dir().join("tools.json");
    std::fs::create_dir_all(env.data_dir()).expect("made");
    std::fs::write(&tools, r#"[{"name":"one","inputSchema":{}}]"#).expect("written");
    let change_file = tools.display().to_string();
    env.member("forge")
        .args(["--change-tools-file".to_owned(), change_file])
        .write();
    let mut open = env.started().await;
    std::fs::write(&tools, r#"[{"name":"two","inputSchema":{}}]"#).expect("written");
    open.result("forge", "change_tools", "{}").await;
    open.events
        .find("the new tool", |event| match event {
            HallEvent::ToolsUpdated { diff, .. } => diff
                .added
                .iter()
                .any(|tool| tool.as_str() == "two")
                .then_some(()),
            _ => None,
        })
        .await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_19_a_failed_start_keeps_the_cached_tools() {
    let env = TestEnv::new("failed start");
    let folder = env.http("forge");
    folder.write();
    env.started().await.close().await;
    folder
        .args(["--exit-at-once", "3"])
        .manifest(json!({"restart": "never"}))
        .write();
    let open = env.started().await;
    let view = open.view("forge");
    assert_eq!(view.status, Status::Error);
    assert!(view.tools > 5, "stale tools are better than none");
    assert_eq!(view.freshness, Freshness::Outdated);
    assert_eq!(view.error.expect("why").code, Code::MemberExited);
    open.close().await;
}
