//! Lists that never end or are very long, and lists with invalid tools.

use guild_api::wire::SearchTools;
use guild_model::status::{Freshness, Status};
use guild_model::tool::{PROBLEMS_MAX, TOOLS_MAX};
use guild_model::{Code, ToolName};
use guild_schema::schema::SCHEMA_DEPTH_MAX;
use serde_json::json;

use super::{check_words, env, fault, neighbour_is_well};
use crate::test_env::{Open, TestEnv, name};

fn tools_file(env: &TestEnv, tools: &serde_json::Value) -> [String; 2] {
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let file = env.data_dir().join("tools.json");
    std::fs::write(&file, tools.to_string()).expect("written");
    ["--tools-json".to_owned(), file.display().to_string()]
}

/// Checks that a member is ready, and has a warning that a part of its list was omitted.
fn warned(open: &Open, member: &str, words: &str) {
    let view = open.view(member);
    assert_eq!(
        (view.status, view.freshness),
        (Status::Ready, Freshness::Live),
        "{view:#?}"
    );
    let [warning] = view.warnings.as_slice() else {
        panic!("one warning: {view:#?}");
    };
    assert_eq!(warning.code, Code::ListFailed);
    assert!(warning.message.contains(words), "{words} in {warning}");
    check_words(member, warning);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_whose_cursors_never_end_is_given_up() {
    let env = env("endless list");
    let one = tools_file(&env, &json!([{"name": "again", "inputSchema": {}}]));
    let patient = json!({"timeouts": {"discovery_ms": 60_000}});
    env.http("pages")
        .args(one)
        .args(["--endless-list"])
        .manifest(patient.clone())
        .write();
    env.member("repeats").args(["--repeat-cursor"]).write();
    env.http("repeats-http").args(["--repeat-cursor"]).write();
    let many = ["--endless-list", "--tools", "2000"];
    env.member("tools").args(many).manifest(patient).write();
    let open = env.started().await;
    let report = fault(&open, "pages", Code::ListFailed).await;
    assert!(report.message.contains("1,000 pages"), "{report}");
    for member in ["repeats", "repeats-http"] {
        let report = fault(&open, member, Code::ListFailed).await;
        assert!(report.message.contains("cursor"), "{report}");
    }
    // Tools beyond the limit are omitted.
    assert_eq!(open.view("tools").tools, TOOLS_MAX);
    warned(&open, "tools", "10,000");
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_with_a_name_of_10_kb_is_left_out_with_a_warning() {
    let env = env("long name");
    env.http("forge").args(["--long-name", "10240"]).write();
    let open = env.started().await;
    warned(&open, "forge", "name");
    let listed = open.hall.member_tools(&name("forge")).expect("its tools");
    assert_eq!(listed.tools.len(), 16, "the others are there");
    assert_eq!(listed.problems.len(), 1);
    let shown = listed.problems[0].name.as_ref().expect("its beginning");
    assert!(shown.len() <= 80, "{shown}");
    open.result("forge", "add", r#"{"a":1,"b":1}"#).await;
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_tools_are_left_out_and_said() {
    let env = env("malformed tools");
    env.http("forge").args(["--malformed-tool"]).write();
    env.member("pages")
        .args(["--malformed-tool", "--page-size", "3"])
        .write();
    let open = env.started().await;
    for member in ["forge", "pages"] {
        warned(&open, member, "5");
        let listed = open.hall.member_tools(&name(member)).expect("its tools");
        assert_eq!(
            listed.tools.len(),
            17,
            "the standard ones, and the one with odd annotations"
        );
        assert_eq!(listed.problems.len(), 5, "{:#?}", listed.problems);
        for problem in &listed.problems {
            assert!(!problem.reason.is_empty());
        }
        open.result(member, "odd_annotations", "{}").await;
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_tools_are_listed_cached_and_found() {
    let env = env("5,000 tools");
    let patient = json!({"timeouts": {"discovery_ms": 60_000}});
    let many = ["--tools", "5000"];
    env.http("forge")
        .args(many)
        .manifest(patient.clone())
        .write();
    env.member("pages")
        .args(many)
        .args(["--page-size", "500"])
        .manifest(patient)
        .write();
    let open = env.started().await;
    let check = |open: &Open| {
        for member in ["forge", "pages"] {
            assert_eq!(open.view(member).tools, 5_016);
            let query = format!("{member} tool_04999");
            let found = open.hall.search_tools(&SearchTools { query, limit: 10 });
            let names: Vec<_> = found.tools.iter().map(|tool| tool.name.as_str()).collect();
            assert_eq!(names, ["tool_04999"]);
        }
        let query = "generated".to_owned();
        let found = open.hall.search_tools(&SearchTools {
            query,
            limit: usize::MAX,
        });
        assert_eq!(found.tools.len(), 500, "an answer is bounded");
    };
    check(&open);
    for member in ["forge", "pages"] {
        assert_eq!(open.view(member).freshness, Freshness::Live);
        let result = open.result(member, "tool_04999", r#"{"limit": 7}"#).await;
        assert!(result.to_string().contains('7'));
    }
    neighbour_is_well(&open).await;
    open.close().await;
    let open = env.open().await;
    check(&open);
    assert_eq!(open.view("pages").freshness, Freshness::Cached);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schema_of_60_levels_is_listed_and_callable() {
    let env = env("deep schema");
    env.http("forge").args(["--deep-schema", "60"]).write();
    env.member("stdio").args(["--deep-schema", "60"]).write();
    let open = env.started().await;
    let deep = ToolName::parse("deep").expect("a name");
    for member in ["forge", "stdio"] {
        let view = open.view(member);
        assert_eq!(view.status, Status::Ready, "{view:#?}");
        assert_eq!(view.tools, 17);
        let detail = open
            .hall
            .tool_detail(&name(member), &deep)
            .expect("its form");
        assert!(!detail.schema_notes.is_empty(), "what was cut is said");
        let levels = detail.input_schema.matches("\"inner\"").count();
        assert!(levels > 0 && levels <= SCHEMA_DEPTH_MAX + 1, "{levels}");
        assert_eq!(
            detail.raw.matches("\"inner\"").count(),
            60,
            "as the server sent it"
        );
        let result = open
            .result(member, "deep", r#"{"inner":{"inner":{}}}"#)
            .await;
        assert!(result.to_string().contains("inner"));
    }
    neighbour_is_well(&open).await;
    open.close().await;
    // The cached list is the same.
    let open = env.open().await;
    assert_eq!(
        open.view("forge").freshness,
        Freshness::Cached,
        "{:#?}",
        open.view("forge")
    );
    open.hall
        .tool_detail(&name("forge"), &deep)
        .expect("its form");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_deep_schema_keeps_the_rest_of_the_list() {
    let env = env("deepest schema");
    env.http("forge").args(["--deep-schema", "300"]).write();
    env.member("stdio").args(["--deep-schema", "300"]).write();
    let open = env.started().await;
    let deep = ToolName::parse("deep").expect("a name");
    for member in ["forge", "stdio"] {
        let view = open.view(member);
        assert_eq!((view.status, view.tools), (Status::Ready, 17), "{view:#?}");
        let detail = open.hall.tool_detail(&name(member), &deep);
        let detail = detail.expect("its form");
        assert!(!detail.schema_notes.is_empty(), "what was cut is said");
        open.result(member, "deep", r#"{"inner":{}}"#).await;
    }
    neighbour_is_well(&open).await;
    open.close().await;
    let open = env.open().await;
    assert_eq!(open.view("forge").freshness, Freshness::Cached);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_of_100000_invalid_tools_is_summarized() {
    let env = env("no tools at all");
    let mut entries = vec![serde_json::Value::Null; 100_000];
    entries.push(json!({"name": "last", "inputSchema": {}}));
    let file = tools_file(&env, &entries.into());
    let patient = json!({"timeouts": {"discovery_ms": 60_000}});
    env.http("forge").args(file).manifest(patient).write();
    let open = env.started().await;
    let view = open.view("forge");
    assert_eq!((view.status, view.tools), (Status::Ready, 1), "{view:#?}");
    let listed = open.hall.member_tools(&name("forge")).expect("its tools");
    assert_eq!(listed.problems.len(), PROBLEMS_MAX);
    check_words("forge", &view.warnings[0]);
    open.result("forge", "last", "{}").await;
    neighbour_is_well(&open).await;
    open.close().await;
}
