//! Fallback discovery with real processes: Guild Hall finds the tools of servers that break the
//! protocol. These tools are shown and cached, but can't be called before their server confirms
//! them. The catalog lists them with all other tools.

mod settings;

use std::time::Duration;

use guild_api::wire::{
    Catalog, CatalogMember, CatalogRequest, DiscoveryStatus, MemberTools, ToolKind,
};
use guild_engine::CACHE_FILE;
use guild_model::Code;
use guild_model::discovery::{Confidence, Rung, Stream};
use guild_model::status::{Freshness, Status};
use guild_model::tool::Provenance;
use guild_tests::{MemberFolder, PromiseClock, processes_of};
use serde_json::json;

use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, json, name, tool};

/// Time limit of the process in which a server prints its tools, including its start on a busy
/// machine, in milliseconds.
const SAID_MS: u64 = 6_000;

/// Returns a member that never answers, and prints its tools instead.
fn saying(env: &TestEnv, member: &str, says: &[&str]) -> MemberFolder {
    env.member(member)
        .args(["--listen-mute"])
        .args(says.iter().copied())
        .manifest(json!({"timeouts": {"start_ms": 700, "discovery_ms": SAID_MS}}))
}

fn names(tools: &MemberTools) -> Vec<&str> {
    tools.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn tools_of(open: &Open, member: &str) -> MemberTools {
    open.hall.member_tools(&name(member)).expect("a member")
}

fn in_catalog<'a>(catalog: &'a Catalog, member: &str) -> &'a CatalogMember {
    let found = catalog.members.iter().find(|m| m.member == name(member));
    found.unwrap_or_else(|| panic!("no {member} in {catalog:#?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_tool_notation_is_found_but_not_callable() {
    let env = TestEnv::new("rungs");
    let rungs = [
        (
            "functions",
            Rung::OpenaiFunctions,
            Confidence::High,
            ["forecast", "alerts"],
        ),
        (
            "tools",
            Rung::ToolsArray,
            Confidence::High,
            ["read", "write"],
        ),
        (
            "lines",
            Rung::JsonLines,
            Confidence::Fair,
            ["first", "second"],
        ),
        (
            "declarations",
            Rung::Declarations,
            Confidence::Low,
            ["convert", "round"],
        ),
        (
            "identifiers",
            Rung::Identifiers,
            Confidence::Guess,
            ["create_issue", "close_issue"],
        ),
    ];
    for (says, ..) in rungs {
        saying(&env, says, &["--says", says]).write();
    }
    // All members start at once. Each has two time limits, which must not delay the others.
    let open = env.at_rest().await;
    for (member, rung, confidence, expected) in rungs {
        let tools = tools_of(&open, member);
        assert_eq!(
            names(&tools),
            expected,
            "{member}: {:#?}",
            open.view(member)
        );
        let found = tools.found.expect("how it was found");
        assert_eq!(
            (found.rung, found.stream, found.confidence),
            (rung, Some(Stream::Stdout), confidence)
        );
        let view = open.view(member);
        assert_eq!(
            (view.status, view.freshness),
            (Status::Error, Freshness::Cached)
        );
        let error = view.error.expect("why it did not start");
        assert_eq!(error.code, Code::StartTimeout);
        assert!(error.hint.starts_with("2 tools were found in "), "{error}");
        let detail = open.hall.tool_detail(&name(member), &tool(expected[0]));
        assert_eq!(detail.expect("its form").provenance, Provenance::Parsed);
        let refusal = open.refusal(member, expected[0], "{}").await;
        assert_eq!(refusal.code, Code::ToolUnconfirmed, "{refusal}");
        assert_eq!(
            open.view(member).status,
            Status::Error,
            "nothing was started for the call"
        );
    }
    assert_eq!(
        processes_of(&env.nonce),
        [] as [u32; 0],
        "all of it has ended"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_get_no_tool_that_its_server_has_not_confirmed() {
    let env = TestEnv::new("unconfirmed");
    saying(&env, "mute", &["--says", "tools"]).write();
    env.member("sound").write();
    let open = env.at_rest().await;
    let endpoint = guild_model::endpoint::Endpoint::All;
    let view = open
        .hall
        .view_as_agent(guild_api::wire::ViewAsAgent {
            endpoint,
            listing: None,
        })
        .await
        .expect("a view");
    assert!(
        view.tools.iter().all(|tool| tool.member == name("sound")),
        "{view:#?}"
    );
    assert!(!view.tools.is_empty());
    let withheld: Vec<_> = view
        .withheld
        .iter()
        .filter(|w| w.member == name("mute"))
        .collect();
    assert_eq!(withheld.len(), 2);
    assert!(
        withheld
            .iter()
            .all(|one| one.report.code == Code::ToolUnconfirmed)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_without_handshake_is_detected() {
    let env = TestEnv::new("no handshake");
    let folder = env
        .member("blunt")
        .args(["--no-initialize"])
        .recorded()
        .manifest(json!({"timeouts": {"start_ms": 5_000, "discovery_ms": 20_000}}));
    folder.write();
    let mut open = env.started().await;
    let view = open.status("blunt", Status::Ready).await;
    assert_eq!(view.protocol_version, None, "none was agreed upon");
    open.shown("blunt", "listed", |view| view.freshness == Freshness::Live)
        .await;
    let tools = tools_of(&open, "blunt");
    let found = tools.found.expect("how");
    assert_eq!(
        (found.rung, found.confidence),
        (Rung::NoHandshake, Confidence::Certain)
    );
    let detail = open
        .hall
        .tool_detail(&name("blunt"), &tool("add"))
        .expect("its form");
    assert_eq!(detail.provenance, Provenance::Live);
    let result = open.result("blunt", "add", r#"{"a":20,"b":22}"#).await;
    assert!(result.to_string().contains("42"), "{result}");
    open.close().await;
    // The way that has found the tools is stored and tried first, without a handshake.
    let cache = json(&folder.path().join(CACHE_FILE));
    assert_eq!(cache["found"]["rung"], "no-handshake");
    std::fs::remove_file(folder.record_path()).expect("removed");
    let mut open = env.started().await;
    open.status("blunt", Status::Ready).await;
    let record = std::fs::read_to_string(folder.record_path()).expect("a record");
    assert!(
        record.contains("tools/list") && !record.contains(r#""method":"initialize""#),
        "{record}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stderr_tools_precede_manifest_names() {
    let env = TestEnv::new("stderr");
    saying(&env, "stderr", &["--says", "functions", "--says-on-stderr"]).write();
    let approved = json!({
        "auto_approve": ["approved_one", "approved_two"],
        "timeouts": {"start_ms": 700, "discovery_ms": 1_000},
    });
    saying(&env, "silent", &[]).manifest(approved).write();
    saying(&env, "nothing", &[]).write();
    let open = env.at_rest().await;
    let tools = tools_of(&open, "stderr");
    assert_eq!(names(&tools), ["forecast", "alerts"]);
    assert_eq!(
        tools.found.and_then(|found| found.stream),
        Some(Stream::Stderr)
    );
    let tools = tools_of(&open, "silent");
    assert_eq!(names(&tools), ["approved_one", "approved_two"]);
    assert_eq!(tools.found.map(|found| found.rung), Some(Rung::AutoApprove));
    let detail = open
        .hall
        .tool_detail(&name("silent"), &tool("approved_one"));
    assert_eq!(
        detail.expect("its form").provenance,
        Provenance::AutoApproved
    );
    let tools = tools_of(&open, "nothing");
    assert_eq!((names(&tools).len(), tools.found), (0, None));
    assert_eq!(open.view("nothing").freshness, Freshness::Unknown);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn approved_names_are_listed_though_nothing_can_be_started() {
    let env = TestEnv::new("approved alone");
    env.member("missing")
        .manifest(json!({"command": "no-such-program-anywhere", "auto_approve": ["known"]}))
        .write();
    let open = env.at_rest().await;
    assert_eq!(tools_of(&open, "missing").found, None, "nobody asked yet");
    let failed = open.hall.refresh_member(&name("missing")).await;
    let code = failed.map_err(|report| report.code);
    assert_eq!(code, Err(Code::CommandNotFound));
    open.hall.at_rest().await;
    let tools = tools_of(&open, "missing");
    assert_eq!(names(&tools), ["known"]);
    assert_eq!(tools.found.map(|found| found.rung), Some(Rung::AutoApprove));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flooding_server_is_ended_with_its_children() {
    let env = TestEnv::new("floods");
    saying(
        &env,
        "floods",
        &[
            "--says",
            "tools",
            "--stdout-flood",
            "--ignore-term",
            "--ignore-eof",
        ],
    )
    .args(["--grandchildren", "2", "--grandchildren-ignore-term"])
    .write();
    saying(&env, "late", &["--says", "tools", "--says-after", "900000"]).write();
    let open = env.at_rest().await;
    assert_eq!(names(&tools_of(&open, "floods")), ["read", "write"]);
    assert_eq!(names(&tools_of(&open, "late")), ["read", "write"]);
    assert_eq!(processes_of(&env.nonce), [] as [u32; 0]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exiting_tool_printer_is_scanned_once() {
    let env = TestEnv::new("ends");
    // This program ends at once in a normal start, too. It prints tools only with the variables of
    // fallback discovery.
    env.member("ends")
        .args([
            "--says",
            "functions",
            "--says-and-ends",
            "--exit-at-once",
            "0",
        ])
        .manifest(json!({"timeouts": {"discovery_ms": 20_000}}))
        .write();
    let open = env.at_rest().await;
    let view = open.view("ends");
    assert_eq!(
        (view.status, view.retry_at_ms),
        (Status::Error, None),
        "{view:#?}"
    );
    assert_eq!(view.error.map(|error| error.code), Some(Code::MemberExited));
    assert_eq!(names(&tools_of(&open, "ends")), ["forecast", "alerts"]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_is_looked_into_only_when_somebody_asks_for_the_list() {
    let env = TestEnv::new("crash");
    env.member("crash")
        .args(["--stderr-line", "try create_issue", "--exit-at-once", "3"])
        .manifest(json!({"restart": "never", "timeouts": {"discovery_ms": 20_000}}))
        .write();
    let open = env.at_rest().await;
    assert_eq!(
        tools_of(&open, "crash").found,
        None,
        "it crashed, and says so"
    );
    let failed = open.hall.refresh_member(&name("crash")).await;
    assert_eq!(
        failed.map_err(|report| report.code),
        Err(Code::MemberExited)
    );
    open.hall.at_rest().await;
    assert_eq!(names(&tools_of(&open, "crash")), ["create_issue"]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn found_tools_are_cached_until_command_changes() {
    let env = TestEnv::new("kept");
    let folder = saying(&env, "kept", &["--says", "lines"]);
    folder.write();
    env.at_rest().await.close().await;
    let cache = json(&folder.path().join(CACHE_FILE));
    assert_eq!(cache["found"]["rung"], "json-lines");
    assert_eq!(cache["found"]["stream"], "stdout");
    // The time limits are not a part of the launch command.
    let patient = json!({"timeouts": {"start_ms": 700, "discovery_ms": 90_000}});
    folder.manifest(patient).write();
    let open = env.open().await;
    assert_eq!(names(&tools_of(&open, "kept")), ["first", "second"]);
    let catalog = open
        .hall
        .catalog(CatalogRequest::default())
        .await
        .expect("a catalogue");
    assert_eq!(
        in_catalog(&catalog, "kept").discovery_status,
        DiscoveryStatus::Success
    );
    assert_eq!(
        processes_of(&env.nonce),
        [] as [u32; 0],
        "nothing was started for it"
    );
    open.hall.start_all().settled().await;
    assert_ne!(
        in_catalog(
            &open
                .hall
                .catalog(CatalogRequest::default())
                .await
                .expect("a catalogue"),
            "kept"
        )
        .discovery_status,
        DiscoveryStatus::Discovering,
        "known already"
    );
    // A manual refresh searches again. It starts with the stored way, so it does not wait for a
    // time limit.
    let begun = PromiseClock::start();
    let failed = open.hall.refresh_member(&name("kept")).await;
    assert!(failed.is_err(), "the server still does not answer");
    open.hall.at_rest().await;
    begun.assert_within(Duration::from_secs(60), "looked for again");
    open.close().await;
    // Another command counts as another server, so the stored way is dropped.
    saying(&env, "kept", &["--says", "identifiers"]).write();
    let open = env.at_rest().await;
    assert_eq!(
        names(&tools_of(&open, "kept")),
        ["create_issue", "close_issue"]
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_and_stop_interrupt_tool_search() {
    let env = TestEnv::new("meanwhile");
    saying(&env, "busy", &[])
        .manifest(json!({"timeouts": {"start_ms": 500, "discovery_ms": 60_000}}))
        .write();
    let mut open = env.started().await;
    let discovering = |catalog: &Catalog| in_catalog(catalog, "busy").discovery_status;
    assert_eq!(
        discovering(
            &open
                .hall
                .catalog(CatalogRequest::default())
                .await
                .expect("a catalogue")
        ),
        DiscoveryStatus::Discovering
    );
    open.shown("busy", "a process of the run", |view| view.pid.is_some())
        .await;
    let started = open.hall.start_member(&name("busy")).await;
    assert_eq!(
        started.map_err(|report| report.code),
        Err(Code::StartTimeout)
    );
    let stopped = open.hall.stop_member(&name("busy")).await.expect("stopped");
    assert_eq!(stopped.status, Status::Stopped);
    assert_eq!(processes_of(&env.nonce), [] as [u32; 0]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn catalog_lists_every_tool_with_its_policy() {
    let env = TestEnv::new("catalogue");
    env.member("sound")
        .manifest(json!({"tools": {"add": {"policy": "ask"}}}))
        .write();
    env.member("missing")
        .manifest(json!({"command": "no-such-program-anywhere"}))
        .write();
    env.member("off")
        .manifest(json!({"enabled": false}))
        .write();
    let open = env.open().await;
    let before = open
        .hall
        .catalog(CatalogRequest::default())
        .await
        .expect("a catalogue");
    assert_eq!(
        in_catalog(&before, "sound").discovery_status,
        DiscoveryStatus::Never
    );
    assert!(
        before
            .tools
            .iter()
            .all(|tool| tool.kind == ToolKind::Native)
    );
    assert!(
        before
            .tools
            .iter()
            .any(|tool| &*tool.name == "tools_search")
    );
    open.hall.start_all().settled().await;
    open.hall.at_rest().await;
    let catalog = open
        .hall
        .catalog(CatalogRequest::default())
        .await
        .expect("a catalogue");
    let find = |wanted: &str| {
        let found = catalog.tools.iter().find(|tool| &*tool.name == wanted);
        found.unwrap_or_else(|| panic!("no {wanted}"))
    };
    let add = serde_json::to_value(find("sound/add")).expect("JSON");
    assert_eq!(add["kind"], "mcp");
    assert_eq!(add["policy"], "ask");
    assert_eq!(add["provenance"], "live");
    assert_eq!(add["discoveryStatus"], "success");
    assert!(add["lastDiscoveredMs"].is_u64() && add["description"].is_string());
    assert_eq!(
        find("sound/echo").policy,
        Some(guild_model::manifest::Policy::Allow)
    );
    let missing = in_catalog(&catalog, "missing");
    assert_eq!(missing.discovery_status, DiscoveryStatus::Failed);
    let why = missing.discovery_error.as_ref().map(|report| report.code);
    assert_eq!(why, Some(Code::CommandNotFound));
    assert_eq!(
        in_catalog(&catalog, "off").discovery_status,
        DiscoveryStatus::Never
    );
    let read = serde_json::to_string(&catalog).expect("JSON");
    let read: Catalog = serde_json::from_str(&read).expect("what was written");
    assert_eq!(read, catalog);
    open.hall
        .stop_member(&name("sound"))
        .await
        .expect("stopped");
    let cached = open
        .hall
        .catalog(CatalogRequest::default())
        .await
        .expect("a catalogue");
    let add = cached.tools.iter().find(|tool| &*tool.name == "sound/add");
    assert_eq!(
        add.and_then(|tool| tool.provenance),
        Some(Provenance::Cached)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_waits_for_findings_and_lists_the_catalog() {
    let cli = CliHarness::new("catalog").await;
    let env = &cli.env;
    saying(env, "mute", &["--says", "tools"]).write();
    env.member("blunt").args(["--no-initialize"]).write();
    env.member("missing")
        .manifest(json!({"command": "no-such-program-anywhere"}))
        .write();
    // A call waits until the way to use the server is found, and then succeeds.
    let called = cli
        .run(&[
            "--json",
            "call",
            "blunt",
            "add",
            "--args",
            r#"{"a":20,"b":22}"#,
        ])
        .await
        .json(0);
    assert!(called.to_string().contains("42"), "{called}");
    let tools = cli
        .run(&["--json", "tools", "mute", "--wait"])
        .await
        .json(0);
    let described = |tool: &serde_json::Value| (tool["name"].clone(), tool["provenance"].clone());
    let described: Vec<_> = tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(described)
        .collect();
    assert_eq!(
        described,
        [
            (json!("read"), json!("parsed")),
            (json!("write"), json!("parsed"))
        ]
    );
    let refused = cli.run(&["--json", "call", "mute", "read"]).await.json(2);
    assert_eq!(refused["error"]["code"], "tool-unconfirmed", "{refused}");

    let catalog = cli.run(&["--json", "tools", "--details"]).await.json(0);
    let catalog: Catalog = serde_json::from_value(catalog).expect("a catalogue");
    let find = |name: &str| catalog.tools.iter().find(|tool| &*tool.name == name);
    let found = find("mute/read").expect("listed");
    assert_eq!(found.provenance, Some(Provenance::Parsed));
    assert_eq!(found.discovery_status, Some(DiscoveryStatus::Success));
    assert_eq!(
        find("blunt/add").and_then(|tool| tool.provenance),
        Some(Provenance::Cached)
    );
    let lines = cli.run(&["tools", "--details"]).await;
    assert_eq!(lines.code, Some(0));
    let text = &lines.stdout;
    assert!(
        text.contains("\nmute/read  allow (the default)  [mcp, unsaid, parsed, success]  Reads."),
        "{text}"
    );
    assert!(
        text.starts_with("tools_search  [native]  Finds tools for a task."),
        "{text}"
    );
    assert_eq!(processes_of(&cli.env.nonce), [] as [u32; 0]);
}
