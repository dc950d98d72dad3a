//! The history, from real calls of real members to a person's search.

use std::path::Path;

use guild_api::event::HallEvent;
use guild_api::wire::{
    CallEnd, Caller, HistoryEntry, HistoryEntryRef, HistoryFilter, HistoryPage, KeepDraft, MASK,
    OutcomeKind, SchemaSince, SearchHistory, ToolRef,
};
use guild_engine::{GuildHall, GuildHallOptions, LockMode};
use guild_model::CallId;
use guild_model::Code;
use guild_model::holder::HallRole;
use serde_json::json;

use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, name, request, tool};

const DATABASE: &str = "history.db";

async fn find(hall: &GuildHall, filter: HistoryFilter) -> Vec<HistoryEntry> {
    let search = SearchHistory {
        filter,
        before: None,
        limit: 500,
    };
    let HistoryPage {
        entries, trouble, ..
    } = hall.history().search(search).await;
    assert_eq!(trouble, None);
    entries
}

async fn everything(hall: &GuildHall) -> Vec<HistoryEntry> {
    hall.history().settled().await.expect("written");
    find(hall, HistoryFilter::default()).await
}

/// Returns all bytes of the history in the data folder.
fn history_bytes(data_dir: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(data_dir).expect("the data folder");
    let paths = files.map(|entry| entry.expect("an entry").path());
    let of_history = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("history")
    };
    paths
        .filter(of_history)
        .flat_map(|path| std::fs::read(path).expect("read"))
        .collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_that_ends_is_recorded_however_it_ended() {
    let env = TestEnv::new("every end is recorded");
    env.http("forge").write();
    let mut open = env.started().await;
    open.outcome("forge", "add", r#"{"a":20,"b":22}"#).await;
    open.outcome("forge", "fail", r#"{"text":"told"}"#).await;
    open.outcome("forge", "rpc_error", "{}").await;
    open.outcome("forge", "add", r#"{"a":"no number"}"#).await;
    open.outcome("forge", "add", "{").await;
    open.outcome("forge", "missing", "{}").await;
    open.outcome("nobody", "add", "{}").await;
    let slow = request("forge", "slow", r#"{"ms":60000}"#);
    let id = slow.call.clone();
    let hall = open.hall.clone();
    let running = tokio::spawn(async move { hall.invoke(slow).await });
    // Waits for the start of this call, which can then be cancelled. A count could include an
    // earlier call.
    open.events
        .find("the slow call", |event| {
            matches!(event, HallEvent::CallStarted { call, .. } if *call == id).then_some(())
        })
        .await;
    open.hall.cancel_call(&id);
    let cancelled = running.await.expect("it ends");

    let entries = everything(&open.hall).await;
    let ends: Vec<_> = entries
        .iter()
        .rev()
        .map(|entry| (entry.tool.as_str(), entry.outcome, entry.code))
        .collect();
    let failed = OutcomeKind::Failed;
    assert_eq!(
        ends,
        [
            ("add", OutcomeKind::Ok, None),
            ("fail", OutcomeKind::ToolError, None),
            ("rpc_error", failed, Some(Code::RpcError)),
            ("add", failed, Some(Code::ArgumentsInvalid)),
            ("add", failed, Some(Code::ArgumentsNotJson)),
            ("missing", failed, Some(Code::ToolUnknown)),
            ("add", failed, Some(Code::MemberUnknown)),
            ("slow", OutcomeKind::Cancelled, Some(Code::CallCancelled)),
        ]
    );
    let newest = entries.first().expect("the cancelled call");
    assert_eq!(newest.call, id);
    assert_eq!(newest.at_ms, cancelled.started_at_ms);
    assert_eq!(newest.duration_ms, cancelled.duration_ms);
    assert!(entries.iter().all(|entry| entry.caller == Caller::Window));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_call_can_be_replayed() {
    let env = TestEnv::new("replay");
    let forge = env.http("forge");
    forge.write();
    let mut open = env.started().await;
    let outcome = open
        .outcome("forge", "add", r#"{ "a": 2.50, "b": 1 }"#)
        .await;
    let entry = open
        .events
        .find("the record", |event| match event {
            HallEvent::CallRecorded { entry } => Some(entry.clone()),
            _ => None,
        })
        .await;
    let of = HistoryEntryRef { id: entry.id };
    let recorded = open.hall.history().entry(of).await.expect("it is there");
    assert_eq!(recorded.arguments, r#"{ "a": 2.50, "b": 1 }"#);
    assert_eq!((&recorded.entry, &recorded.end), (&*entry, &outcome.end));
    assert_eq!(
        (recorded.schema, recorded.truncated),
        (SchemaSince::Same, false)
    );
    open.close().await;

    let changed = json!([{
        "name": "add",
        "description": "Adds",
        "inputSchema": {"type": "object", "properties": {"numbers": {"type": "array"}}},
    }]);
    let list = env.data_dir().join("tools.json");
    std::fs::write(&list, changed.to_string()).expect("written");
    let list = list.display().to_string();
    env.http("forge")
        .args(["--tools-json", list.as_str()])
        .write();
    let open = env.started().await;
    let recorded = open.hall.history().entry(of).await.expect("it is there");
    assert_eq!(recorded.schema, SchemaSince::Changed);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_and_a_list_open_no_database() {
    let env = TestEnv::new("history is lazy");
    env.http("forge").write();
    let open = env.started().await;
    assert!(!open.hall.roster().members.is_empty());
    open.hall.member_tools(&name("forge")).expect("its tools");
    let file = env.data_dir().join(DATABASE);
    assert!(!file.exists(), "nothing of the history was asked for");
    open.result("forge", "add", r#"{"a":1,"b":1}"#).await;
    assert_eq!(everything(&open.hall).await.len(), 1);
    assert!(file.exists());
    open.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_secret_does_not_reach_the_history() {
    use std::os::unix::fs::PermissionsExt;

    const SECRET: &str = "Zk4-\"kept\"-9";
    let env = TestEnv::new("secrets and history");
    std::fs::create_dir_all(env.data_dir()).expect("the data folder");
    let file = env.data_dir().join("secrets.json");
    std::fs::write(&file, json!({ "KEY": SECRET }).to_string()).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
    env.http("forge").env("FORGE_KEY", "${secret:KEY}").write();
    let open = env.started().await;
    // From now on, the file has another value than the running member.
    std::fs::write(&file, json!({ "KEY": "another-value" }).to_string()).expect("written");
    let result = open.result("forge", "env", r#"{"name":"FORGE_KEY"}"#).await;
    assert_eq!(
        crate::test_env::text(&result),
        SECRET,
        "the person is shown what came"
    );
    let arguments = json!({"text": format!("say {SECRET}")}).to_string();
    open.outcome("forge", "fail", &arguments).await;
    open.outcome("forge", "echo", r#"{"text":"another-value"}"#)
        .await;
    let entries = everything(&open.hall).await;
    assert_eq!(entries.len(), 3);
    let of = HistoryEntryRef { id: entries[1].id };
    let failed = open.hall.history().entry(of).await.expect("it is there");
    assert_eq!(failed.masked, ["/text"]);
    assert!(failed.arguments.contains(MASK), "{failed:?}");
    open.close().await;
    let bytes = history_bytes(&env.data_dir());
    assert!(contains(&bytes, "FORGE_KEY"), "the call is there");
    for gone in ["Zk4-", "-9\"", "another-value"] {
        assert!(!contains(&bytes, gone), "{gone} is in the file");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_call_and_draft_survive_a_restart() {
    let env = TestEnv::new("history over a restart");
    env.http("forge").write();
    let mut open = env.started().await;
    let of = ToolRef {
        member: name("forge"),
        tool: tool("add"),
    };
    let draft = KeepDraft {
        member: of.member.clone(),
        tool: of.tool.clone(),
        draft: Some("typed so far".into()),
    };
    open.hall.history().keep_draft(draft).await.expect("kept");
    let hall = open.hall.clone();
    let slow = request("forge", "slow", r#"{"ms":60000}"#);
    let running = tokio::spawn(async move { hall.invoke(slow).await });
    open.shown("forge", "a call", |view| view.calls == 1).await;
    open.close().await;
    let ended = running.await.expect("it ends");
    assert!(matches!(ended.end, CallEnd::Failed { .. }), "{ended:?}");

    let open = env.open().await;
    let entries = everything(&open.hall).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0].call, ended.call);
    let kept = open.hall.history().kept_draft(of).await;
    assert_eq!(kept.draft.as_deref(), Some("typed so far"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_are_all_recorded() {
    let env = TestEnv::new("history of many");
    let open = env.open().await;
    let calls = (0..400).map(|at| {
        let hall: GuildHall = open.hall.clone();
        let mut request = request("nobody", "add", "{}");
        request.call = CallId::parse(&format!("many-{at}")).expect("an id");
        async move { hall.invoke(request).await }
    });
    let mut running = tokio::task::JoinSet::new();
    for call in calls {
        running.spawn(call);
    }
    while let Some(ended) = running.join_next().await {
        ended.expect("each ends");
    }
    assert_eq!(everything(&open.hall).await.len(), 400);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_and_window_share_the_history() {
    let cli = CliHarness::new("guildhall history").await;
    cli.env.http("forge").write();
    let options = GuildHallOptions {
        tenure: LockMode::Serve(HallRole::App),
        ..cli.env.options()
    };
    let open: Open = cli.env.open_with(options).await;
    open.result("forge", "add", r#"{"a":1,"b":2}"#).await;
    let by_hand = [
        "call",
        "forge",
        "echo",
        "--args",
        r#"{"text":"hello there"}"#,
    ];
    let called = cli.run_beside(&by_hand).await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    let refused = ["call", "forge", "add", "--args", r#"{"a":"x"}"#];
    assert_eq!(cli.run_beside(&refused).await.code, Some(2));

    let callers: Vec<_> = everything(&open.hall)
        .await
        .iter()
        .map(|entry| (entry.caller, entry.outcome))
        .collect();
    assert_eq!(
        callers,
        [
            (Caller::CommandLine, OutcomeKind::Failed),
            (Caller::CommandLine, OutcomeKind::Ok),
            (Caller::Window, OutcomeKind::Ok),
        ],
        "the window's list has what another program asked for"
    );
    let listed = cli
        .run_beside(&["--json", "history", "--search", "hello"])
        .await;
    let listed = listed.json(0);
    assert_eq!(listed["more"], false);
    let entries = listed["entries"].as_array().expect("entries");
    assert_eq!(entries.len(), 1, "{listed:#}");
    assert_eq!(entries[0]["caller"], "command-line");
    assert_eq!(entries[0]["tool"], "echo");
    open.close().await;

    let filtered = ["history", "--member", "forge", "--outcome", "failed"];
    let filtered = cli.run(&filtered).await;
    assert_eq!(filtered.stdout.lines().count(), 1, "{filtered:#?}");
    assert!(
        filtered.stdout.contains("arguments-invalid"),
        "{filtered:#?}"
    );
    let limited = cli.run(&["history", "--limit", "2"]).await;
    assert_eq!(limited.stdout.lines().count(), 2, "{limited:#?}");
    assert!(limited.stderr.contains("More calls match"), "{limited:#?}");
    let path = cli.env.data_dir().join("calls.jsonl");
    let path = path.to_str().expect("UTF-8");
    let exported = cli.run(&["--json", "history", "--export", path]).await;
    assert_eq!(exported.json(0)["count"], 3);
    let lines = std::fs::read_to_string(path).expect("read");
    let tools: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|call| call["entry"]["tool"].as_str().expect("a tool").to_owned())
        .collect();
    assert_eq!(tools, ["add", "echo", "add"]);
    let wrong = cli.run(&["history", "--outcome", "splendid"]).await;
    assert_eq!(wrong.code, Some(2), "{wrong:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_can_not_be_opened_stops_no_call_and_says_why() {
    let cli = CliHarness::new("history in the way").await;
    cli.env.member("forge").write();
    let file = cli.env.data_dir().join(DATABASE);
    std::fs::create_dir_all(&file).expect("something else in its place");
    let call = ["call", "forge", "add", "--args", r#"{"a":1,"b":2}"#];
    let called = cli.run(&call).await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    let listed = cli.run(&["--json", "history"]).await;
    let listed = listed.json(2);
    assert_eq!(listed["error"]["code"], "history-unreadable", "{listed:#}");
    assert_ne!(listed["error"]["hint"], "");
    std::fs::remove_dir(&file).expect("cleared");
    std::fs::write(&file, b"no database at all".repeat(100)).expect("written");
    assert_eq!(cli.run(&call).await.code, Some(0));
    let listed = cli.run(&["--json", "history"]).await.json(0);
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(1));
    let kept = std::fs::read_dir(cli.env.data_dir())
        .expect("the data folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with("history.corrupt-"))
        .count();
    assert_eq!(kept, 1, "the old file is kept");
}
