//! Lists and calls of third-party MCP servers.
//!
//! `cargo xtask test --only set-up` installs a pinned version of each server. A test fails if its
//! server is not installed.

mod awkward;
mod offers;
mod recorded;
mod sse;

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_api::event::HallEvent;
use guild_api::wire::{CallEnd, MemberView};
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_schema::validate::Validator;
use guild_tests::{LIMIT, MemberFolder, eventually};
use serde_json::{Value, json};

use crate::test_env::{Open, TestEnv, name, request, text};

/// Returns the path of a file in the installation of the servers.
pub(crate) fn installed(file: &str) -> String {
    let folder = std::env::var_os("GUILD_REAL_SERVERS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/real-servers"),
        PathBuf::from,
    );
    let path = folder.join(file);
    assert!(
        path.exists(),
        "{} is not there; install the servers of these tests: cargo xtask test --only set-up",
        path.display()
    );
    path.display().to_string()
}

/// Returns a member with a server from npm. Node.js runs it like `npx` does, but without a
/// download.
fn from_npm(env: &TestEnv, member: &str, package: &str, args: &[&str]) -> MemberFolder {
    let script = installed(&format!(
        "node_modules/@modelcontextprotocol/{package}/dist/index.js"
    ));
    let args: Vec<&str> = [&[script.as_str()], args].concat();
    env.member(member)
        .manifest(json!({"command": "node", "args": args}))
}

/// Returns a member with a server from PyPI, from the Python environment in which it is installed.
fn from_pypi(env: &TestEnv, member: &str, program: &str, args: &[&str]) -> MemberFolder {
    let program = installed(&format!("venv/bin/{program}"));
    env.member(member)
        .manifest(json!({"command": program, "args": args}))
}

fn everything_over_http(env: &TestEnv, member: &str) -> MemberFolder {
    from_npm(env, member, "server-everything", &["streamableHttp"])
        .manifest(json!({"transport": "http"}))
        .env("PORT", "${PORT}")
}

/// Checks that the member is ready, and lists at least these tools. Each must have a schema that a
/// form can show.
fn listed(open: &Open, member: &str, expected: &[&str]) -> MemberView {
    let view = open.view(member);
    assert_eq!(view.status, Status::Ready, "{view:#?}");
    assert_eq!(view.freshness, Freshness::Live);
    assert_eq!(view.error, None);
    let listed = open.hall.member_tools(&view.name).expect("its tools");
    assert_eq!(listed.problems, [], "no tool of {member} is left out");
    assert_eq!(listed.tools.len(), view.tools);
    let names: Vec<&str> = listed.tools.iter().map(|tool| tool.name.as_str()).collect();
    for tool in expected {
        assert!(
            names.contains(tool),
            "{member} has no {tool}; it has {names:?}"
        );
    }
    for tool in &listed.tools {
        let detail = open.hall.tool_detail(&view.name, &tool.name);
        let detail = detail.expect("the tool");
        assert_eq!(
            detail.schema_notes, [""; 0],
            "{member}/{}: nothing is cut",
            tool.name
        );
        let raw: Value = serde_json::from_str(&detail.raw).expect("the server's own JSON");
        assert_eq!(
            raw["inputSchema"].to_string(),
            detail.input_schema,
            "as the server wrote it"
        );
    }
    println!(
        "{member}: {} tools, protocol {}",
        view.tools,
        view.protocol_version.as_deref().unwrap_or("unknown")
    );
    view
}

/// Waits for the member's cache file, which is written concurrently with calls. Returns the tool's
/// entry in it.
async fn kept(open: &Open, env: &TestEnv, member: &str, tool: &str) -> Value {
    let file = env.members_dir().join(member).join("tools-cache.json");
    eventually(LIMIT, "its tools are kept", || file.is_file().then_some(())).await;
    let cache = crate::test_env::json(&file);
    let tools = cache["tools"].as_array().expect("tools");
    let kept = tools.iter().find(|kept| kept["name"] == tool);
    let kept = kept.expect("the tool is kept").clone();
    let named = guild_model::ToolName::parse(tool).expect("a name");
    let detail = open.hall.tool_detail(&name(member), &named);
    let shown: Value = serde_json::from_str(&detail.expect("the tool").raw).expect("JSON");
    assert_eq!(shown, kept, "what is shown is what is kept");
    kept
}

const EVERYTHING: &[&str] = &[
    "echo",
    "get-sum",
    "get-structured-content",
    "get-tiny-image",
    "trigger-long-running-operation",
];

/// Checks everything that is the same over both transports.
async fn try_everything(open: &mut Open, env: &TestEnv, member: &str) {
    let echo = open
        .result(member, "echo", r#"{"message":"hi, größer"}"#)
        .await;
    assert_eq!(text(&echo), "Echo: hi, größer");
    let sum = open.result(member, "get-sum", r#"{"a":1.5,"b":40.5}"#);
    assert_eq!(text(&sum.await), "The sum of 1.5 and 40.5 is 42.");

    let tool = kept(open, env, member, "get-structured-content").await;
    assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool:#}");
    let weather = open
        .result(
            member,
            "get-structured-content",
            r#"{"location":"Chicago"}"#,
        )
        .await;
    let validator = Validator::build(&tool["outputSchema"]);
    assert_eq!(validator.check(&weather["structuredContent"]).errors, []);
    let wrong = open.refusal(
        member,
        "get-structured-content",
        r#"{"location":"Atlantis"}"#,
    );
    assert_eq!(wrong.await.code, Code::ArgumentsInvalid);

    let picture = open.result(member, "get-tiny-image", "{}").await;
    let png = STANDARD.decode(picture["content"][1]["data"].as_str().expect("base64"));
    assert!(png.expect("base64").starts_with(b"\x89PNG"));

    progress_is_reported(open, member).await;
    a_long_call_is_cancelled(open, member).await;
}

async fn progress_is_reported(open: &mut Open, member: &str) {
    let args = r#"{"duration":0.4,"steps":4}"#;
    let long = request(member, "trigger-long-running-operation", args);
    let progress = open.progress_of(long).await;
    let steps: Vec<_> = (1..=4).map(|step| (f64::from(step), Some(4.0))).collect();
    assert_eq!(progress, steps, "{member}");
}

async fn a_long_call_is_cancelled(open: &mut Open, member: &str) {
    let before = open.view(member);
    let args = r#"{"duration":600,"steps":6000}"#;
    let long = request(member, "trigger-long-running-operation", args);
    let id = long.call.clone();
    let hall = open.hall.clone();
    let running = tokio::spawn(async move { hall.invoke(long).await });
    open.events
        .find("it runs", |event| match event {
            HallEvent::CallProgress { call, .. } if *call == id => Some(()),
            _ => None,
        })
        .await;
    open.hall.cancel_call(&id);
    let CallEnd::Failed { report, .. } = running.await.expect("an outcome").end else {
        panic!("{member}: it was cancelled");
    };
    assert_eq!(report.code, Code::CallCancelled);
    let echo = open.result(member, "echo", r#"{"message":"still here"}"#);
    assert_eq!(text(&echo.await), "Echo: still here");
    let view = open.view(member);
    assert_eq!((view.status, view.pid), (Status::Ready, before.pid));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_everything_over_http_listens_to_all_and_is_marked_so() {
    let env = TestEnv::new("everything over HTTP");
    everything_over_http(&env, "everything").write();
    let mut open = env.started().await;
    let view = listed(&open, "everything", EVERYTHING);
    assert_eq!(view.protocol_version.as_deref(), Some("2025-11-25"));
    // The server binds all addresses, despite its settings.
    let codes: Vec<Code> = view.warnings.iter().map(|report| report.code).collect();
    assert_eq!(codes, [Code::PortExposed], "{view:#?}");
    try_everything(&mut open, &env, "everything").await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_everything_over_stdio() {
    let env = TestEnv::new("everything over stdio");
    from_npm(&env, "everything", "server-everything", &["stdio"]).write();
    let mut open = env.started().await;
    let view = listed(&open, "everything", EVERYTHING);
    assert_eq!(view.warnings, []);
    assert_eq!(view.protocol_version.as_deref(), Some("2025-11-25"));
    try_everything(&mut open, &env, "everything").await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_13_23_server_everything_pinned_to_2025_06_18() {
    let env = TestEnv::new("everything pinned");
    everything_over_http(&env, "pinned")
        .manifest(json!({"protocol_version": "2025-06-18"}))
        .write();
    let mut open = env.started().await;
    let view = listed(&open, "pinned", EVERYTHING);
    assert_eq!(view.protocol_version.as_deref(), Some("2025-06-18"));
    try_everything(&mut open, &env, "pinned").await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_filesystem_reads_and_writes_a_folder() {
    let env = TestEnv::new("filesystem");
    let shelf = env.data_dir().join("shelf");
    std::fs::create_dir_all(shelf.join("box")).expect("a folder");
    std::fs::write(shelf.join("note.txt"), "first line\nsecond line\n").expect("written");
    // The server compares paths after it has resolved links.
    let shelf = shelf.canonicalize().expect("a folder");
    let allowed = shelf.display().to_string();
    from_npm(&env, "files", "server-filesystem", &[&allowed]).write();
    let open = env.started().await;
    listed(
        &open,
        "files",
        &["list_directory", "read_text_file", "write_file"],
    );
    let of = |file: &str| shelf.join(file).display().to_string();

    let args = json!({"path": allowed}).to_string();
    let list = open.result("files", "list_directory", &args).await;
    assert_eq!(text(&list), "[DIR] box\n[FILE] note.txt");
    let args = json!({"path": of("note.txt"), "head": 1}).to_string();
    let read = open.result("files", "read_text_file", &args).await;
    assert_eq!(text(&read).trim_end(), "first line");
    let args = json!({"path": of("new.txt"), "content": "äöü\n"}).to_string();
    open.result("files", "write_file", &args).await;
    let written = std::fs::read_to_string(shelf.join("new.txt"));
    assert_eq!(written.expect("the file"), "äöü\n");

    let args = json!({"path": "/etc/hostname"}).to_string();
    let outside = open.result("files", "read_text_file", &args).await;
    assert_eq!(outside["isError"], true, "{outside:#}");
    assert!(text(&outside).contains("Access denied"), "{outside:#}");
    assert_eq!(open.view("files").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_memory_keeps_what_it_stores() {
    let env = TestEnv::new("memory");
    let file = env.data_dir().join("graph.jsonl");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    from_npm(&env, "memory", "server-memory", &[])
        .env("MEMORY_FILE_PATH", &file.display().to_string())
        .write();
    let open = env.started().await;
    listed(&open, "memory", &["create_entities", "read_graph"]);
    let entity = json!({
        "name": "workbench", "entityType": "thing", "observations": ["stands by the window"],
    });
    let args = json!({"entities": [entity]}).to_string();
    open.result("memory", "create_entities", &args).await;
    let graph = open.result("memory", "read_graph", "{}").await;
    let graph: Value = serde_json::from_str(text(&graph)).expect("the graph");
    assert_eq!(graph, json!({"entities": [entity], "relations": []}));
    let kept = std::fs::read_to_string(&file).expect("the file that it was given");
    assert!(kept.contains("stands by the window"), "{kept}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mcp_server_time_tells_the_time_of_a_place() {
    let env = TestEnv::new("time");
    from_pypi(&env, "time", "mcp-server-time", &[]).write();
    let open = env.started().await;
    listed(&open, "time", &["get_current_time", "convert_time"]);
    let args = r#"{"timezone":"Asia/Kathmandu"}"#;
    let now = open.result("time", "get_current_time", args).await;
    let now: Value = serde_json::from_str(text(&now)).expect("JSON in a text");
    assert_eq!(now["timezone"], "Asia/Kathmandu");
    let moment = now["datetime"].as_str().expect("a moment");
    assert!(moment.ends_with("+05:45"), "{now:#}");
    let args = r#"{"source_timezone":"UTC","time":"16:30","target_timezone":"Asia/Kathmandu"}"#;
    let there = open.result("time", "convert_time", args).await;
    let there: Value = serde_json::from_str(text(&there)).expect("JSON in a text");
    let moment = there["target"]["datetime"].as_str().expect("a moment");
    assert!(moment.contains("T22:15:00"), "{there:#}");
    let nowhere = open
        .result("time", "get_current_time", r#"{"timezone":"Nowhere/Land"}"#)
        .await;
    assert_eq!(nowhere["isError"], true, "{nowhere:#}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mcp_server_git_reads_a_repository() {
    let env = TestEnv::new("git");
    let repository = env.data_dir().join("repository");
    std::fs::create_dir_all(&repository).expect("a folder");
    let repository = repository.canonicalize().expect("a folder");
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .args([
                "-c",
                "user.name=Guild",
                "-c",
                "user.email=guild@example.org",
            ])
            .args(words)
            .current_dir(&repository)
            .output()
            .expect("git runs");
        assert!(
            done.status.success(),
            "git {words:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    std::fs::write(repository.join("plan.txt"), "a door\n").expect("written");
    git(&["add", "plan.txt"]);
    git(&[
        "commit",
        "--quiet",
        "--no-gpg-sign",
        "--message",
        "Draw the plan",
    ]);
    std::fs::write(repository.join("loose.txt"), "a nail\n").expect("written");
    let path = repository.display().to_string();
    from_pypi(&env, "git", "mcp-server-git", &["--repository", &path]).write();
    let open = env.started().await;
    listed(&open, "git", &["git_status", "git_log", "git_show"]);

    let args = json!({"repo_path": path}).to_string();
    let status = open.result("git", "git_status", &args).await;
    assert!(text(&status).contains("loose.txt"), "{status:#}");
    let log = open.result("git", "git_log", &args).await;
    assert!(text(&log).contains("Draw the plan"), "{log:#}");
    let args = json!({"repo_path": path, "revision": "HEAD"}).to_string();
    let shown = open.result("git", "git_show", &args).await;
    assert!(text(&shown).contains("+a door"), "{shown:#}");
    let args = json!({"repo_path": "/"}).to_string();
    let outside = open.result("git", "git_status", &args).await;
    assert_eq!(outside["isError"], true, "{outside:#}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_tool_4_real_lists_show_before_start() {
    let env = TestEnv::new("real servers' caches");
    everything_over_http(&env, "web").write();
    from_pypi(&env, "time", "mcp-server-time", &[]).write();
    let open = env.started().await;
    let counts = ["web", "time"].map(|member| open.view(member).tools);
    open.close().await;
    let open = env.open().await;
    for (member, count) in ["web", "time"].into_iter().zip(counts) {
        let view = open.view(member);
        assert_eq!(view.status, Status::Stopped);
        assert_eq!((view.freshness, view.tools), (Freshness::Cached, count));
        assert!(count > 0);
    }
    open.close().await;
}
